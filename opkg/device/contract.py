"""What a package promises to graphs and contexts that were made with it, and which promises a change breaks.

A stored context names each kernel as `package::kernel`: one that is gone ends in 5005 on the device (measured). Converted
models and QNN graphs hold the names of ops, the positions of inputs, the names and defaults of params.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from opkg.spec.diagnostics import Diagnostic, Span, error, nearest
from opkg.spec.evaluate import Env, EvaluationError, Unknown, evaluate
from opkg.spec.expr import Expression
from opkg.spec.model import Op, OpPackage, ParamSpec, Range, TensorSpec
from opkg.spec.print_expr import to_text

Kernels = Mapping[str, Sequence[str]]  # op -> names of its kernels
_OP = re.compile(r'^\s*info\.name = "(?:[^"]*::)?([^":]+)";', re.MULTILINE)
# A record in the table of an op, and what opkg 0.1.0 first wrote for one.
_KERNEL = re.compile(r'^\s*(?:\{"([^"]+)", \d+, k|kernel\("([^"]+)")', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Promise:
    """A package at one time. `kernels`: those of its generated sources, None when there are none."""

    package: OpPackage
    kernels: Kernels | None


def kernels_in(sources: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The kernels of each op that generated QHPI sources register."""
    found = {}
    for text in sources:
        op = _OP.search(text)
        if op is not None:
            found[op[1]] = tuple(new or old for new, old in _KERNEL.findall(text))
    return found


def broken(before: Promise, now: Promise | None) -> list[Diagnostic]:
    """What graphs and contexts made before no longer find (OPK484 to OPK487)."""
    if now is None:
        where = Span(before.package.path)
        return [
            error("OPK484", f"the package {before.package.name} is gone", where, "keep its spec while it is in use")
        ]
    found: list[Diagnostic] = []
    at = now.package.spans.get("", Span(now.package.path))
    if before.package.name != now.package.name:
        hint = "graphs and contexts name the package"
        found.append(error("OPK484", f"the package {before.package.name} is called {now.package.name} now", at, hint))
    ops = {op.name: op for op in now.package.ops}
    for op in before.package.ops:
        if op.name not in ops:
            near = nearest(op.name, [name for name in ops if name not in {o.name for o in before.package.ops}])
            hint = f"is it {near} now? A graph names it {op.name}" if near else "graphs that use it cannot be prepared"
            found.append(error("OPK484", f"the op {op.name} is gone", at, hint))
            continue
        found += _Op(op, ops[op.name]).broken()
        if before.kernels is not None and now.kernels is not None:
            found += _kernels(ops[op.name], before.kernels.get(op.name, ()), now.kernels.get(op.name, ()))
    return found


def _kernels(op: Op, before: Sequence[str], now: Sequence[str]) -> list[Diagnostic]:
    gone = [name for name in before if name not in now]
    hint = "contexts prepared before end in 5005 with the new library: prepare them again, and ship both together"
    return [error("OPK487", f"{op.name} has no kernel {name} any more", op.span, hint) for name in gone]


class _Op:
    """One op before and now."""

    def __init__(self, before: Op, now: Op) -> None:
        self.before, self.now = before, now
        self.found: list[Diagnostic] = []

    def broken(self) -> list[Diagnostic]:
        self._tensors("input", self.before.inputs, self.now.inputs)
        self._tensors("output", self.before.outputs, self.now.outputs)
        self._params()
        return self.found

    def _wrong(self, id: str, message: str, span: Span, hint: str = "") -> None:
        self.found.append(error(id, f"{self.now.name}: {message}", span, hint))

    def _tensors(self, kind: str, before: Sequence[TensorSpec], now: Sequence[TensorSpec]) -> None:
        names = [tensor.name for tensor in now]
        for position, old in enumerate(before):
            if position >= len(now):
                self._wrong("OPK485", f"the {kind} {old.name} is gone", self.now.span)
                continue
            new = now[position]
            if new.name != old.name and old.name in names:
                hint = "graphs know them by their positions"
                self._wrong(
                    "OPK485", f"the {kind} {old.name} stands elsewhere: {new.name} is in its place", _at(new), hint
                )
            else:
                self._tensor(kind, old, new)
        for new in now[len(before) :]:
            if not new.optional or kind == "output":
                hint = "make it optional, or give the op a new name" if kind == "input" else "give the op a new name"
                self._wrong(
                    "OPK485", f"the {kind} {new.name} is new: graphs made before do not have it", _at(new), hint
                )

    def _tensor(self, kind: str, old: TensorSpec, new: TensorSpec) -> None:
        gone = [name for name in _types(self.before, old) if name not in _types(self.now, new)]
        if gone:
            self._wrong("OPK485", f"the {kind} {new.name} does not take {', '.join(gone)} any more", _at(new))
        if kind == "input" and (new.ranks.low > old.ranks.low or new.ranks.high < old.ranks.high):
            was = f"{old.ranks.low} to {old.ranks.high}"
            self._wrong("OPK485", f"the input {new.name} had ranks {was}, and has fewer now", _at(new))
        if old.optional and not new.optional:
            self._wrong(
                "OPK485", f"the {kind} {new.name} was optional", _at(new), "graphs made before may leave it out"
            )
        if (old.variadic is None) != (new.variadic is None):
            self._wrong(
                "OPK485", f"the {kind} {new.name} was {'one tensor' if new.variadic else 'several tensors'}", _at(new)
            )

    def _params(self) -> None:
        now = {param.name: param for param in self.now.params}
        for old in self.before.params:
            new = now.get(old.name)
            if new is None:
                near = nearest(old.name, [name for name in now if name not in {p.name for p in self.before.params}])
                hint = f"is it {near} now? Graphs give params by name" if near else "graphs give params by name"
                self._wrong("OPK486", f"the param {old.name} is gone", self.now.span, hint)
            else:
                self._param(old, new)
        known = {param.name for param in self.before.params}
        for param in self.now.params:
            if param.name not in known and not param.optional:
                self._wrong(
                    "OPK486", f"the param {param.name} is new and has no default", _at(param), "give it a default"
                )

    def _param(self, old: ParamSpec, new: ParamSpec) -> None:
        if old.dtype != new.dtype or (old.shape is None) != (new.shape is None):
            self._wrong("OPK486", f"the param {new.name} was {old.dtype}, and is {new.dtype} now", _at(new))
        if old.optional and not new.optional:
            self._wrong(
                "OPK486", f"the param {new.name} had a default", _at(new), "graphs made before may leave it out"
            )
        elif old.optional and _shown(old.default) != _shown(new.default):
            change = f"from {_shown(old.default)} to {_shown(new.default)}"
            hint = "graphs that leave it out compute something else now"
            self._wrong("OPK486", f"the default of {new.name} changed {change}", _at(new), hint)
        (low, high), (least, most) = _ends(old.range), _ends(new.range)
        if least > low or most < high:
            self._wrong("OPK486", f"the range of {new.name} was {low:g} to {high:g}, and is smaller now", _at(new))
        values = dict(new.enum)
        for name, value in old.enum:
            if values.get(name) != value:
                self._wrong("OPK486", f"the value {name} of {new.name} was {value}", _at(new), "graphs hold the number")


def _types(op: Op, tensor: TensorSpec) -> dict[str, None]:
    return dict.fromkeys(str(tensor.dtype.of(combination)) for combination in op.combinations)


def _ends(given: Range | None) -> tuple[float, float]:
    """The ends of a range; those that hang on a call are taken for open."""
    return (_number(given.low, -inf), _number(given.high, inf)) if given is not None else (-inf, inf)


def _number(end: Expression | None, otherwise: float) -> float:
    try:
        value = evaluate(end.tree, Env()) if end is not None else otherwise
    except (EvaluationError, Unknown):
        return otherwise
    return value if isinstance(value, int | float) else otherwise


def _shown(default: object) -> str:
    return to_text(default.tree) if isinstance(default, Expression) else str(default)


def _at(item: TensorSpec | ParamSpec) -> Span:
    return item.spans.get("", Span(""))
