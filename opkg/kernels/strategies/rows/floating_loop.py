"""One pass over a row of floats: elementwise parts by the float strategy, folded or stored.

Lanes of the last step that have no element hold the row's first one; sums leave them out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from opkg.kernels.block import Block
from opkg.kernels.cost import body_packets
from opkg.kernels.emit.rows import LANES
from opkg.kernels.graphs.graph import Node, Result
from opkg.kernels.lowered import Inst
from opkg.kernels.sequence import Loop
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.floating import strategy as floating
from opkg.kernels.strategies.floating.io import Streams
from opkg.kernels.strategies.floating.norms import Steps
from opkg.kernels.strategies.floating.ops import PREFIX, label, number, word
from opkg.kernels.strategies.floating.uniform import UnableError, Uniforms
from opkg.kernels.strategies.rows.loop_block import LoopBlock
from opkg.kernels.strategies.rows.references import Reference, factor
from opkg.kernels.strategies.rows.whole_steps import element_of, in_steps, of_distance
from opkg.spec.compute.types import Type

_SPLAT = {8: "Q6_Vb_vsplat_R", 16: "Q6_Vh_vsplat_R", 32: "Q6_V_vsplat_R"}
_LONG = 12  # packets of a step
_START = {"reduce_max": "0xff800000u", "reduce_min": "0x7f800000u"}  # infinities


def _asked(insts: Iterable[Inst], wanted: Iterable[str]) -> list[Inst]:
    """Stores, and instructions whose values are asked for."""
    names = {word for text in wanted for word in re.findall(r"\w+", text)}
    kept: list[Inst] = []
    for inst in reversed(list(insts)):
        if not inst.dest or inst.dest in names:
            kept.append(inst)
            names.update(word for arg in inst.args for word in re.findall(r"\w+", arg))
    return kept[::-1]


class _Body(LoopBlock):
    """Loads that repeat the row's first element behind its end."""

    def __init__(self, setup: Block, operands: Iterable[Operand]) -> None:
        super().__init__(setup)
        self._operands = {operand.name: operand for operand in operands}

    def load(self, operand: str, part: int = 0) -> str:
        loaded = super().load(operand, part)
        storage = self._operands[operand].storage
        lane = "int32_t" if storage.bits == 32 else LANES[storage]
        first = self.setup.q6(
            _SPLAT[storage.bits], f"opkg::hvx::element<{lane}>({operand}_row, 0)", to=f"first_{operand}"
        )
        return self.masked(loaded, first, storage.bits, part)


class FloatLoop(floating.FloatMaker):
    """One pass. `given`: C++ names of the row's numbers by node. `inverses`: of those that divide, of 1 / them as two
    factors (`opkg::hvx::Inverse`)."""

    def __init__(
        self,
        snippet: Snippet,
        given: Mapping[int, str],
        inverses: Mapping[int, str],
        references: Mapping[int, Reference],
    ) -> None:
        self.snippet, self.graph, self.given, self.inverses = snippet, snippet.graph, given, inverses
        self.references = references
        self.steps = Steps(snippet, snippet.graph)
        self.inputs = read_inputs(snippet)
        operands = (*self.inputs, *snippet.outputs)
        self.setup = Block()
        self.rows: LoopBlock = _Body(self.setup, operands)
        self.body = self.rows
        self.streams = Streams(operands, self.setup, self.body)
        self.streams.ordered = True  # groups in the order of memory, for the last step
        self.users = self.graph.users()
        self.values = {}
        self.uniforms = Uniforms(snippet, self.setup)
        self.declare: list[str] = []
        self.finish: list[str] = []

    def compute(self, wanted: Iterable[int]) -> None:
        """The values of some nodes and of all elements that they need."""
        needed: set[int] = set()
        todo = list(wanted)
        while todo:
            at = todo.pop()
            known = at in self.given or at in self.values
            if at in needed or known or self.graph[at].uniform or self.graph[at].op == "const":
                continue
            needed.add(at)
            todo += self.references[at].inputs if at in self.references else self.graph[at].args
        fused = {total: product for total, product in self._fused().items() if total in needed and product in needed}
        for at in sorted(needed - set(fused.values())):
            self.values[at] = self._node(at, self.graph[at], fused.get(at))

    def _node(self, index: int, node: Node, product: int | None) -> list[str]:
        """A node's groups; a quotient by a number of the row is a product."""
        if node.op == "div" and node.args[1] in self.given and product is None:
            parts = [f"static_cast<float>(1.0 / {self.given[node.args[1]]})"]
            if node.args[1] in self.inverses:
                parts = [f"{self.inverses[node.args[1]]}.{part}" for part in ("first", "second")]
            found = []
            for group in range(self.streams.groups):
                value = self._value(node.args[0], group, Type.REAL)
                for part in parts:
                    value = self.body.call(PREFIX + "mul_sf", value, number(self.setup, part), to=label(node))
                found.append(value)
            return found
        if index in self.references:
            return self._from_reference(node, index)
        distance = of_distance(self.graph, self.snippet, index, self.steps)
        if distance is not None and product is None:
            return self._distances(node, *distance)
        return super()._node(index, node, product)

    def _distances(self, node: Node, element: int, extreme: int) -> list[str]:
        """x - max(x) of a quantized x: whole steps, which are exact, then the scale. Of x - mean(x) the step next to the mean is
        taken off first, then what the mean is beside it."""
        name, whole = self.graph[element].name, f"{self.given[extreme]}_steps"
        scale = number(self.setup, f"{name}_scale_sf")
        beside = ""
        if self.graph[extreme].op == "reduce_mean":
            beside = number(self.setup, f"static_cast<float>({whole} - std::nearbyint({whole}))")
            whole = f"std::nearbyint({whole})"
        most = number(self.setup, f"static_cast<float>({whole})")
        found = []
        for group in range(self.streams.groups):
            pair = [self._whole(element, group), most]
            if node.args[0] != element:
                pair.reverse()
            steps = self.body.call(PREFIX + "sub_sf", *pair, to="distance")
            if beside:
                op = "sub_sf" if node.args[0] == element else "add_sf"
                steps = self.body.call(PREFIX + op, steps, beside, to="distance")
            found.append(self.body.call(PREFIX + "mul_sf", steps, scale, to=label(node)))
        return found

    def _from_reference(self, node: Node, index: int) -> list[str]:
        """z - max(z) of a sum: steps from the row's reference times what they count."""
        reference, found = self.references[index], []
        for group in range(self.streams.groups):
            parts = [self._steps_from(reference, place, at, group) for place, at in enumerate(reference.inputs)]
            high, low = [self._counted(reference, parts, which, label(node)) for which in ("high", "low")]
            found.append(self.body.call(PREFIX + "add_sf", high, low, to=label(node)))
        return found

    def _steps_from(self, reference: Reference, place: int, at: int, group: int) -> str:
        base = word(self.setup, f"{self.given[reference.extreme]}.at[{place}]")
        return self.body.call(PREFIX + "sf_from_stored", self._word(at, group), base, to="distance")

    def _counted(self, reference: Reference, steps: list[str], which: str, name: str) -> str:
        """The sum of steps times one part of what they count."""
        value = ""
        for at, each in zip(reference.inputs, steps, strict=True):
            by = number(self.setup, f"{factor(self.graph, at)}.{which}")
            op = "mul_add_sf" if value else "mul_sf"
            value = self.body.call(PREFIX + op, each, by, *([value] if value else []), to=name)
        return value

    def _word(self, element: int, group: int) -> str:
        """A quantized element as it is stored, in a word."""
        steps = self._whole(element, group)
        return next(inst.args[0] for inst in self.body.insts if inst.dest == steps)

    def fold_reference(self, node: Node, name: str, reference: Reference) -> None:
        """The largest sum, with the stored numbers that it is made of."""
        start = self.setup.call(PREFIX + "splat_w", _START[node.op], to="no_largest")
        zero = self.setup.q6("Q6_V_vzero", to="zero")
        names = [name, *(f"{name}_{of}" for of in reference.names(self.graph))]
        carried = [self.rows.carry(f"{each}_lanes", "V", zero if at else start) for at, each in enumerate(names)]
        after = list(carried)
        for group in range(self.streams.groups):
            value = self._value(node.args[0], group, Type.REAL)
            words = [self._word(at, group) for at in reference.inputs]
            larger = self.body.call(PREFIX + "gt_sf", value, after[0], kind="Q", to="larger")
            after = [
                self.body.q6("Q6_V_vmux_QVV", larger, new, old, to="largest")
                for new, old in zip([value, *words], after, strict=True)
            ]
        for each, last in zip(carried, after, strict=True):
            self.rows.keep(each, last)
        self.declare.append(f"opkg::hvx::Reference<{len(reference.inputs)}> {name};")
        self.finish.append(f"{name}.take({carried[0]}, {{{', '.join(carried[1:])}}});")

    def _whole(self, element: int, group: int) -> str:
        """A quantized element as a whole number of steps: what is multiplied with the scale."""
        value = self.values[element][group]
        return next(inst.args[0] for inst in self.body.insts if inst.dest == value)

    def _steps(self, node: Node, group: int) -> str:
        """What an extreme is found of: the steps of a quantized element; where a mask does not choose it, an infinity."""
        element = element_of(self.graph, node)
        steps = self._whole(element, group)
        if element == node.args[0]:
            return steps
        none = self.setup.call(PREFIX + "splat_w", _START[node.op], to="none")
        holds = self._value(self.graph[node.args[0]].args[0], group, Type.BOOL)
        return self.body.q6("Q6_V_vmux_QVV", holds, steps, none, to="chosen")

    def _value(self, index: int, group: int, type_: Type) -> str:
        if index in self.given and not self.graph[index].uniform:
            if self.graph[index].type is Type.BOOL or type_ is not Type.REAL:
                raise UnableError("it computes with whole numbers of the row")
            return number(self.setup, f"static_cast<float>({self.given[index]})")
        return super()._value(index, group, type_)

    def fold(self, node: Node, name: str) -> None:
        """A reduction into the number `name`."""
        for reference in self.references.values():
            if self.graph[reference.extreme] == node:
                self.fold_reference(node, name, reference)
                return
        groups = range(self.streams.groups)
        stepwise = in_steps(self.graph, self.snippet, node) or self.steps.is_sum(node)
        values = [
            self._steps(node, group) if stepwise else self._value(node.args[0], group, Type.REAL) for group in groups
        ]
        name = f"{name}_steps" if stepwise else name
        if node.op in _START:
            verb = "largest" if node.op == "reduce_max" else "smallest"
            start = self.setup.call(PREFIX + "splat_w", _START[node.op], to=f"no_{verb}")
            after = carried = self.rows.carry(f"{name}_lanes", "V", start)
            for value in values:
                after = self.body.call(PREFIX + ("max_sf" if verb == "largest" else "min_sf"), after, value, to=verb)
            # Long rows are summed in blocks, so that this runs several times.
            function, end = ("maximum", "-") if verb == "largest" else ("minimum", "")
            self.declare.append(f"double {name} = {end}std::numeric_limits<double>::infinity();")
            self.finish.append(f"{name} = opkg::{function}({name}, opkg::hvx::{verb}_sf({carried}));")
        else:
            zero = self.setup.q6("Q6_V_vzero", to="zero")
            after = carried = self.rows.carry(f"{name}_lanes", "V", zero)
            for group, value in enumerate(values):
                live = self.rows.masked(value, zero, 32, group)
                after = self.body.call(PREFIX + "add_sf", after, live, to="sums")
            self.declare.append(f"double {name} = 0.0;")
            self.finish.append(f"{name} += opkg::hvx::total_sf({carried});")
        self.rows.keep(carried, after)

    def take(self, place: str, node: int) -> None:
        """A node's values as an earlier pass left them in an output, or a buffer."""
        groups = range(self.streams.groups)
        self.values[node] = [LoopBlock.load(self.rows, place, group) for group in groups]

    def keep(self, buffer: str, node: int) -> None:
        """A node's values into a buffer."""
        for group in range(self.streams.groups):
            self.rows.store(buffer, self._value(node, group, Type.REAL), group)

    def write(self, operand: Operand, node: int) -> None:
        """A full output."""
        self.streams.store(operand, self._outcome(operand, node))

    def write_all(self, full: Iterable[Result]) -> str:
        """Results that have all elements; what the pass does."""
        full = list(full)
        self.compute([result.node for result in full])
        for result in full:
            self.write(self.snippet.operand(result.name), result.node)
        return f"Over the row: {', '.join(result.name for result in full)}."

    def loop(self, title: str, block: int) -> Loop:
        """The pass."""
        body = _asked(self._apart(), [carry.after for carry in self.rows.carried])
        starts = [carry.start for carry in self.rows.carried]
        return Loop(
            title=title,
            setup=tuple(_asked(self.setup.insts, [*starts, *(arg for inst in body for arg in inst.args)])),
            carried=tuple(self.rows.carried),
            body=tuple(body),
            declare=tuple(self.declare),
            finish=tuple(self.finish),
            block=block,
            unroll=self._unroll(body),
        )

    def _unroll(self, body: list[Inst]) -> int:
        """Steps of a turn: the compiler overlaps the turns of long steps itself."""
        return 1 if body_packets(body).packets > _LONG else 2
