"""Constraints that no call fulfils: what they say of one dimension, param or rank, against its limits and each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, floor, inf

from opkg.spec.dtypes import Kind
from opkg.spec.evaluate import Env, EvaluationError, Unknown, evaluate
from opkg.spec.expr import Binary, Call, Member, Name, Tree
from opkg.spec.model import Op, ParamSpec
from opkg.spec.read_defaults import literal
from opkg.spec.scalars import Findings

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


@dataclass(frozen=True, slots=True)
class _Bounds:
    """The values that are left: from `low` to `high`, without the ends that are open. `whole`: integers, whose ends are not."""

    low: float
    high: float
    whole: bool = True
    low_open: bool = False
    high_open: bool = False

    def narrowed(self, op: str, number: float) -> _Bounds:
        """Those that compare so with a number."""
        found = self
        if op in (">", ">=", "=="):
            found = found._from(number, op == ">")
        if op in ("<", "<=", "=="):
            found = found._up_to(number, op == "<")
        return found

    def _from(self, number: float, is_open: bool) -> _Bounds:
        if self.whole:
            least = floor(number) + 1 if is_open else ceil(number)
            return replace(self, low=max(self.low, least))
        if number < self.low:
            return self
        return replace(self, low=number, low_open=is_open or (number == self.low and self.low_open))

    def _up_to(self, number: float, is_open: bool) -> _Bounds:
        if self.whole:
            most = ceil(number) - 1 if is_open else floor(number)
            return replace(self, high=min(self.high, most))
        if number > self.high:
            return self
        return replace(self, high=number, high_open=is_open or (number == self.high and self.high_open))

    @property
    def empty(self) -> bool:
        return self.low > self.high or (self.low == self.high and (self.low_open or self.high_open))

    def __str__(self) -> str:
        low, high = _text(self.low), _text(self.high)
        if self.low == self.high:
            return low
        if self.high == inf:
            return f"{'more than' if self.low_open else 'at least'} {low}"
        if self.low == -inf:
            return f"{'less than' if self.high_open else 'at most'} {high}"
        return f"{low} to {high}"


def _text(number: float) -> str:
    return str(int(number)) if float(number).is_integer() else str(number)


def check_bounds(op: Op, findings: Findings) -> None:
    """Findings of id OPK197: a constraint that nothing fulfils, or that leaves nothing of what others allow."""
    known = _limits(op)
    for constraint in op.constraints:
        span = constraint.require.span
        if _is_false(constraint.require.tree):
            findings.error("OPK197", "this never holds: no call is valid", span, "correct the condition")
        for name, compare, number in _comparisons(constraint.require.tree):
            before = known.get(name)
            if before is None:
                continue
            known[name] = before.narrowed(compare, number)
            if known[name].empty:
                del known[name]  # said once
                message = f"no call fulfils this: {name} is {before}"
                findings.error("OPK197", message, span, "correct the condition, or what else is said of it")


def _is_false(tree: Tree) -> bool:
    """Of a condition that hangs on nothing."""
    try:
        return evaluate(tree, Env()) is False
    except (Unknown, EvaluationError):
        return False


def _comparisons(tree: Tree) -> Iterator[tuple[str, str, float]]:
    """What must hold: a name or a rank, how it compares, and a number."""
    if not isinstance(tree, Binary):
        return
    if tree.op == "and":
        yield from _comparisons(tree.left)
        yield from _comparisons(tree.right)
    elif tree.op in _MIRRORED:
        left, right = _named(tree.left), _named(tree.right)
        if left and (number := literal(tree.right)) is not None:
            yield left, tree.op, number
        elif right and (number := literal(tree.left)) is not None:
            yield right, _MIRRORED[tree.op], number


def _named(tree: Tree) -> str:
    """A dimension, a param or the rank of a tensor, as one writes it; empty for anything else."""
    if isinstance(tree, Name):
        return tree.id
    if isinstance(tree, Member) and tree.member == "rank":
        return f"rank({tree.tensor})"
    if isinstance(tree, Call) and tree.function == "rank" and isinstance(tree.args[0], Name):
        return f"rank({tree.args[0].id})"
    return ""


def _limits(op: Op) -> dict[str, _Bounds]:
    """What the op says elsewhere. A constraint on an optional tensor holds where that is absent."""
    found = dict.fromkeys(op.dims, _Bounds(1, inf))
    found |= {f"rank({t.name})": _Bounds(t.ranks.low, t.ranks.high) for t in op.tensors if not t.optional}
    found |= {
        param.name: _of_param(param) for param in op.params if param.shape is None and param.dtype.kind is not Kind.BOOL
    }
    return found


def _of_param(param: ParamSpec) -> _Bounds:
    """Of its element type, its enum and its range, where these are numbers."""
    numbers = [number for _, number in param.enum] or (param.dtype.limits if param.dtype.kind is not Kind.FLOAT else [])
    found = _Bounds(min(numbers, default=-inf), max(numbers, default=inf), param.dtype.kind is not Kind.FLOAT)
    if param.range is None:
        return found
    low, high = (literal(end.tree) if end is not None else None for end in (param.range.low, param.range.high))
    if low is not None:
        found = found.narrowed(">" if param.range.low_open else ">=", low)
    return found if high is None else found.narrowed("<" if param.range.high_open else "<=", high)
