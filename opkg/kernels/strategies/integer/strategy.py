"""Integer and bool kernels: exact, in the narrowest lanes that hold what matters of every value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from opkg.kernels.block import Block
from opkg.kernels.emit.pipeline import good_depth
from opkg.kernels.graphs.graph import Node
from opkg.kernels.graphs.ranges import Interval, clamped
from opkg.kernels.hvx.names import intrinsics
from opkg.kernels.lowered import Inst, Lowered, Member
from opkg.kernels.portable.expressions import Names, Writer
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.strategies.integer.convert import convert
from opkg.kernels.strategies.integer.doubles import extended
from opkg.kernels.strategies.integer.graph import IntegerGraph, integer_graph, param_interval
from opkg.kernels.strategies.integer.lanes import S32, S64, U32, Form, Lanes, Vectors
from opkg.kernels.strategies.integer.lowerings_divide import DIVIDE, FUNCTIONS
from opkg.kernels.strategies.integer.maker import INT64, Cannot
from opkg.kernels.strategies.integer.plan import Plan, form_of, plan, stored_form
from opkg.spec.compute.types import Type

_TAKEN = (
    "in", "out", "n", "i", "op", "step", "steps", "turns", "first", "second", "opkg", "prepare", "portable", "vector", "row",
    "element",
)  # fmt: skip

_LONG = 12  # instructions of a step from which the compiler mixes four steps better than it pipelines one


def lower(snippet: Snippet) -> Lowered | str:
    """The kernel in integer lanes; a text says why that cannot be."""
    try:
        given = integer_graph(snippet)
        order = [plan(snippet, given, apart) for apart in (False, True)]
        return _Code(snippet, given, min(order, key=lambda found: found.cost)).lowered()
    except Cannot as why:
        return str(why)


class _Code:
    """Writes the instructions of a plan."""

    def __init__(self, snippet: Snippet, given: IntegerGraph, chosen: Plan) -> None:
        self.snippet = snippet
        self.graph = given.graph
        self.ranges = given.ranges
        self.plan = chosen
        self.setup = Block()
        self.body = Block(self.setup)
        self.lanes = Lanes(self.setup, self.body, chosen.step, chosen.apart)
        self.scalars = _Scalars(snippet, given, chosen)
        self._made: dict[tuple[int, Form], Vectors] = {}

    def lowered(self) -> Lowered:
        stores = [(result.name, self._stored(result.name, result.node)) for result in self.graph.results]
        for name, vectors in stores:
            for part, vector in enumerate(vectors):
                self.body.store(name, vector, part)
        insts = _needed([*self.setup.insts, *self.body.insts])
        setup = tuple([inst for inst in self.setup.insts if inst in insts])
        known = intrinsics()
        found = Lowered(
            strategy="integer",
            title=self._title(),
            error="exact",
            step=self.plan.step,
            members=tuple(self.scalars.members),
            prepare=tuple(self.scalars.lines()),
            setup=setup,
            body=tuple(insts[len(setup) :]),
            headers=self._headers(insts),
            arch=max([62, *(known[inst.op].since for inst in insts if inst.op in known)]),
        )
        if DIVIDE in found.headers or S64 in {
            lowering.gives for lowering in self.plan.lowerings if lowering is not None
        }:
            return replace(found, unroll=4)  # long chains
        depth = good_depth(found)
        return replace(found, depth=depth, unroll=4 if depth == 1 and len(found.body) > _LONG else 1)

    def _headers(self, insts: list[Inst]) -> tuple[str, ...]:
        divides = any(inst.op.startswith(FUNCTIONS) for inst in insts)
        return (*((DIVIDE,) if divides else ()), *(("opkg/scalar.h",) if self.scalars.members else ()))

    def _title(self) -> str:
        bits = sorted({lowering.gives.bits for lowering in self.plan.lowerings if lowering is not None})
        if not bits:
            return "integers, moved only"
        return f"integers in lanes of {', '.join(map(str, bits[:-1]))}{' and ' if bits[1:] else ''}{bits[-1]} bits"

    def _stored(self, name: str, node: int) -> Vectors:
        """The vectors of an output, in the order of memory."""
        operand = self.snippet.operand(name)
        type_ = self.graph[node].type
        vectors = self.value(node, stored_form(operand, type_))
        if type_ is Type.BOOL:
            vectors = self.lanes.masks(vectors, 1, 8)
        return self.lanes.to_memory(vectors, operand.storage.bits)

    def value(self, index: int, form: Form) -> Vectors:
        """The vectors of a node's value in a form."""
        if (index, form) not in self._made:
            for arg in self._order(index):
                self._own(arg)
            self._made[index, form] = self._in_form(index, form)
        return self._made[index, form]

    def _order(self, index: int) -> list[int]:
        """The node and those it needs that are not there yet, in order."""
        found: set[int] = set()
        todo = [index]
        while todo:
            at = todo.pop()
            if at in found or self._has(at):
                continue
            found.add(at)
            lowering = self.plan.lowerings[at]
            todo += self.graph[at].args[: len(lowering.takes)] if lowering else ()
        return sorted(found)

    def _has(self, index: int) -> bool:
        form = self._form(index)
        return form is None or (index, form) in self._made

    def _form(self, index: int) -> Form | None:
        """The form in which a node is made; None for numbers that are the same everywhere, which take any."""
        node, lowering = self.graph[index], self.plan.lowerings[index]
        if lowering is not None:
            return lowering.gives
        return stored_form(self.snippet.operand(node.name), node.type) if node.op == "input" else None

    def _own(self, index: int) -> None:
        """Makes a node in the form of its plan."""
        node, lowering, form = self.graph[index], self.plan.lowerings[index], self._form(index)
        if form is None:
            return
        if lowering is None:
            self._made[index, form] = self._loaded(node.name, form)
            return
        settled = self._settled(node)
        if settled >= 0:
            self._made[index, form] = self._in_form(node.args[settled], lowering.takes[settled])
            return
        operands = tuple([self._in_form(arg, want) for arg, want in zip(node.args, lowering.takes, strict=False)])
        self.lanes.hint = self._name(node.origin)
        self._made[index, form] = lowering.write(self.lanes, operands)

    def _name(self, origin: str) -> str:
        """A name for a value: that of the text, out of the way of tensors."""
        if not origin or origin in _TAKEN:
            return "t"
        return f"{origin}_result" if origin in {o.name for o in _tensors(self.snippet)} else origin

    def _settled(self, node: Node) -> int:
        """Which operand min or max always is, by what the lanes can hold (a difference saturated at 0); -1: none."""
        if node.op not in ("min", "max"):
            return -1
        a, b = (clamped(self.ranges[arg], self._limits(arg)) for arg in node.args)
        smaller = 0 if a.high <= b.low else 1 if b.high <= a.low else -1
        return smaller if node.op == "min" or smaller < 0 else 1 - smaller

    def _limits(self, index: int) -> Interval:
        """Between which ends the lanes of a node are."""
        form = self._form(index)
        return form.limits if form is not None else self.plan.needed[index]

    def _in_form(self, index: int, want: Form) -> Vectors:
        have = self._form(index)
        if have is None:
            return self._splat(index, want)
        if (index, want) not in self._made:
            range_ = clamped(self.ranges[index], have.limits)
            self._made[index, want] = convert(self.lanes, self._made[index, have], have, want, range_)
        return self._made[index, want]

    def _loaded(self, name: str, form: Form) -> Vectors:
        operand = self.snippet.operand(name)
        count = self.lanes.count(operand.storage.bits)
        vectors = tuple([self.body.load(name, part) for part in range(count)])
        vectors = self.lanes.from_memory(vectors, operand.storage.bits)
        if form.test:
            zero = (self.lanes.splat(0, 32),) * count
            return self.lanes.greater(vectors, zero, form_of(operand))
        return vectors

    def _splat(self, index: int, form: Form) -> Vectors:
        """One number in every lane."""
        count = self.lanes.count(form.bits)
        node = self.graph[index]
        if form.test:
            text: int | str = -int(bool(node.value)) if node.op == "const" else f"-{self.scalars.member(index)}"
            mask = self.lanes.splat(text, 32)
            return self.lanes.greater((self.lanes.splat(0, 32),) * count, (mask,) * count, S32)
        if node.op == "const":
            kept = self.plan.needed[index]
            return self.lanes.splats(min(max(int(node.value or 0), kept.low), kept.high), form, count)
        name = self.scalars.member(index)
        if form != S64:
            return self.lanes.splats(name, form, count)
        if self.plan.needed[index] not in S32.limits and self.plan.needed[index] not in U32.limits:
            parts = (f"static_cast<int32_t>({name})", f"static_cast<int32_t>({name} >> 32)")
            return tuple([self.lanes.splat(part, 32) for part in parts]) * (count // 2)
        words = self.lanes.splats(name, S32, count // 2)
        return extended(self.lanes, words, self.plan.needed[index] in S32.limits)


def _needed(insts: list[Inst]) -> list[Inst]:
    """The stores and what they need, in the same order."""
    used: set[str] = set()
    found: list[Inst] = []
    for inst in reversed(insts):
        if inst.op == "store" or inst.dest in used:
            used |= set(inst.args[2:] if inst.op == "store" else inst.args)
            found.append(inst)
    return found[::-1]


class _Scalars:
    """Numbers that are the same for a whole call, as members that `prepare` sets."""

    def __init__(self, snippet: Snippet, given: IntegerGraph, chosen: Plan) -> None:
        self.snippet = snippet
        self.graph = given.graph
        self.needed = chosen.needed
        tensors = [o.name for o in _tensors(snippet)]
        self.names = Names((*_TAKEN, *tensors, *(scalar.name for scalar in snippet.params)))
        self.members: list[Member] = []
        self._known: dict[int, str] = {}

    def member(self, index: int) -> str:
        """The member that holds a uniform leaf, clamped to what matters of it, as an expression of int32_t, or of
        int64_t where more bits matter."""
        if index not in self._known:
            node = self.snippet.graph[int(self.graph[index].value or 0)]
            hint = re.sub(r"\W", "_", node.origin or node.name) or "number"
            kept = self.needed[index]
            is_test = self.graph[index].type is Type.BOOL
            name = self.names.take(f"{hint}_test" if is_test else f"{hint}_bounded")
            types = {"int32_t": S32, "uint32_t": U32, "int64_t": S64}
            type_ = next(type_ for type_, form in types.items() if kept in form.limits)
            self.members.append(Member(type_, name))
            self._known[index] = name
        name = self._known[index]
        kept = self.needed[index]
        return f"static_cast<int32_t>({name})" if kept not in S32.limits and kept in U32.limits else name

    def lines(self) -> list[str]:
        """Statements of `prepare`."""
        if not self._known:
            return []
        old = self.snippet.graph
        params = {scalar.name: scalar for scalar in self.snippet.params}
        given: dict[int, str] = {}
        checks: list[str] = []
        wanted = [int(self.graph[index].value or 0) for index in self._known]
        for index in _leaves(old.nodes, wanted):
            node = old[index]
            given[index] = f"op.{node.name}" if node.type is Type.BOOL else f"static_cast<int64_t>(op.{node.name})"
            if node.type is not Type.BOOL:
                checks += _promise(given[index], param_interval(params[node.name]), params[node.name].dtype.limits)
        writer = Writer(old, given, self.names, {})
        writer.write(wanted)
        types = {member.name: member.type for member in self.members}
        lines = []
        for index, name in self._known.items():
            text = writer.value(int(self.graph[index].value or 0))
            if self.graph[index].dtype:
                text = self.graph[index].dtype.format(text, text)
            lines.append(f"{name} = {_clamped(text, self.needed[index], types[name], self.graph[index].type)};")
        if writer.lines:  # names of their own
            lines = ["{", *(f"  {line}" for line in (*writer.lines, *lines)), "}"]
        return [*checks, *lines]


def _tensors(snippet: Snippet) -> tuple[Operand, ...]:
    return (*snippet.inputs, *snippet.outputs)


def _leaves(nodes: Sequence[Node], wanted: list[int]) -> list[int]:
    """The params that some nodes need."""
    seen: set[int] = set()
    todo = list(wanted)
    while todo:
        at = todo.pop()
        if at not in seen:
            seen.add(at)
            todo += nodes[at].args
    return sorted(at for at in seen if nodes[at].op == "param")


def _promise(name: str, range_: Interval, limits: tuple[int, int]) -> list[str]:
    """The range that the lanes were chosen for, checked where the type holds more."""
    tests = []
    if range_.low > limits[0]:
        tests.append(f"{name} < {range_.low}")
    if range_.high < limits[1]:
        tests.append(f"{name} > {range_.high}")
    return [f"if ({' || '.join(tests)}) return false;"] if tests else []


def _clamped(text: str, kept: Interval, type_: str, value: Type) -> str:
    """The part of a number that matters."""
    if value is Type.BOOL:
        return f"{text} ? 1 : 0" if " " not in text else f"({text}) ? 1 : 0"
    ends = [str(end) if end != INT64.low else "std::numeric_limits<int64_t>::min()" for end in (kept.low, kept.high)]
    return f"static_cast<{type_}>(opkg::minimum(opkg::maximum({text}, int64_t{{{ends[0]}}}), int64_t{{{ends[1]}}}))"
