"""The step of a last loop that rows by themselves and several rows at a time have in common: a member function of both."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from opkg.kernels.emit.phrases import line_text, phrased, step_lines
from opkg.kernels.lowered import CPP, Inst
from opkg.kernels.sequence import Loop, Sequence

_BY_SCALAR, _BY_VECTOR = "Q6_Ww_vmpyacc_WwVhRh", "Q6_Ww_vmpyacc_WwVhVh"
_BY_EITHER = "opkg::hvx::add_products"  # opkg/hvx_rows.h
_LEAST = 6  # lines that are worth a function
_ROOT = re.compile(r"(?<![.\w])([A-Za-z_]\w*)\b(\.?)(?!\(|<|::)")
# Template parameters: for what has further numbers in its fields, and for factors, in scalars or of each word.
_FIELD, _FACTOR = "Linear", "Factor"


@dataclass(frozen=True, slots=True)
class Step:
    """`lines`: the function. `inside`: values of the setup that it makes itself. `factors`: what it takes in scalars, too."""

    lines: tuple[str, ...]
    call: str
    inside: frozenset[str]
    factors: frozenset[str] = frozenset()

    def setup(self, loop: Loop) -> list[str]:
        """The setup of a loop that calls it."""
        return [line_text(inst) for inst in loop.setup if inst.dest not in self.inside]

    def body(self, loop: Loop) -> tuple[Inst, ...]:
        """Loads, and the store of what the function returns."""
        loads = [inst for inst in loop.body if inst.op == "load"]
        (store,) = (inst for inst in loop.body if inst.op == "store")
        return (*loads, replace(store, args=(*store.args[:2], self.call)))


def common_step(sequence: Sequence, members: Collection[str]) -> Step | None:
    """The step of the last loops, if they compute the same and long enough. `members`: names of the struct."""
    if sequence.slots is None or not sequence.slots.stages:
        return None
    alone, several = sequence.stages[-1], sequence.slots.stages[-1]
    if not isinstance(alone, Loop) or not isinstance(several, Loop) or alone.carried or several.carried or alone.when:
        return None
    factors = {i.dest for i in alone.setup if i.kind == "R"} & {name for name, _ in several.spread}
    one, other = (
        [replace(i, op=_BY_EITHER) if i.op == op and i.args[2] in factors else i for i in loop.body]
        for op, loop in ((_BY_SCALAR, alone), (_BY_VECTOR, several))
    )
    lines = _lines(one)
    if len(lines) < _LEAST or lines != _lines(other) or sum(i.op == "store" for i in one) != 1:
        return None
    inside = [i for i in several.setup if i in alone.setup and not any(_ROOT.search(arg) for arg in i.args)]
    kinds = {name: "V" for name, _ in several.spread} | {i.dest: i.kind for i in several.setup if i not in inside}
    kinds |= {i.dest: i.kind for i in several.body if i.op == "load"}
    own = {i.dest for i in (*inside, *several.body) if i.op != "load"} | set(members)
    taken, fields = _taken(several.body, own)
    if not taken.keys() <= kinds.keys() or len(fields) > 1:
        return None
    (output,) = (i.args[0] for i in several.body if i.op == "store")
    given = [*fields, *sorted(taken, key=list(kinds).index)]
    types = {name: _FACTOR if name in factors else CPP[kinds[name]] for name in taken}
    kept = [f"const {_FIELD}& {name}" for name in fields] + [f"{types[name]} {name}" for name in given[len(fields) :]]
    generic = [f"typename {name}" for name in (_FIELD, _FACTOR) if name in (_FIELD if fields else "", *types.values())]
    return Step(
        (
            f"/// {output} of a step.",
            *([f"template <{', '.join(generic)}>"] if generic else []),
            f"OPKG_INLINE HVX_Vector {output}_step({', '.join(kept)}) const {{",
            *(f"  {line_text(inst)}" for inst in inside),
            *(f"  {line}" for line in lines),
            "}",
            "",
        ),
        f"{output}_step({', '.join(given)})",
        frozenset(i.dest for i in inside),
        frozenset(factors),
    )


def by_factors(loop: Loop) -> tuple[Loop, frozenset[str]]:
    """A loop over several rows whose products with numbers of 16 bits take these in scalars, too; the names of these."""
    spread = {name for name, _ in loop.spread}
    products = [i for i in loop.body if i.op == _BY_VECTOR and i.args[2] in spread]
    others = {word for i in (*loop.setup, *loop.body) if i not in products for arg in i.args for word in _words(arg)}
    others |= {word for i in products for arg in i.args[:2] for word in _words(arg)}
    factors = frozenset(i.args[2] for i in products) - others
    body = tuple(replace(i, op=_BY_EITHER) if i in products and i.args[2] in factors else i for i in loop.body)
    return replace(loop, body=body), factors


def _words(text: str) -> list[str]:
    return [name for name, _ in _ROOT.findall(text)]


def _lines(body: Collection[Inst]) -> list[str]:
    """The lines of a step that returns what is stored."""
    *lines, end = step_lines(phrased(list(body)), lambda i: f"return {i.args[2]};" if i.op == "store" else "")
    made = re.fullmatch(r"const \w+ (\w+) = (.*);", lines[-1]) if lines else None
    return [*lines[:-1], f"return {made[2]};"] if made and end == f"return {made[1]};" else [*lines, end]


def _taken(body: Collection[Inst], own: Collection[str]) -> tuple[dict[str, None], dict[str, None]]:
    """Names that a body asks for: values, and objects of which it reads fields."""
    values: dict[str, None] = {}
    fields: dict[str, None] = {}
    for inst in body:
        for arg in inst.args[2:] if inst.op == "store" else () if inst.op == "load" else inst.args:
            for name, dot in _ROOT.findall(arg):
                if name not in own:
                    (fields if dot else values)[name] = None
    return values, fields
