"""Reductions of rows with floats, and what needs them, in single precision: one pass over the row for
every reduction that needs an earlier one, and one for full results.

Elementwise parts are lowered by the float strategy and computed again in every pass that needs them. Sums run in lanes of
single precision, at most 64 numbers each, and are joined in double; numbers of the row are double.
"""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.graphs.graph import REDUCE, Graph, Node
from opkg.kernels.graphs.nodes import reachable
from opkg.kernels.in_single import decides_in_single
from opkg.kernels.lowered import Member
from opkg.kernels.portable.expressions import CPP, Writer
from opkg.kernels.portable.rows import Shared, store
from opkg.kernels.sequence import Buffer, Loop, Numbers, Sequence, Slots
from opkg.kernels.snippet import Snippet
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.floating.errors import statement
from opkg.kernels.strategies.floating.io import obstacle
from opkg.kernels.strategies.floating.norms import Steps
from opkg.kernels.strategies.floating.ops import HEADER
from opkg.kernels.strategies.floating.spans import guard_of_rows
from opkg.kernels.strategies.floating.uniform import UnableError
from opkg.kernels.strategies.rows import float_slots
from opkg.kernels.strategies.rows.across import load_numbers, numbers_of, store_numbers
from opkg.kernels.strategies.rows.distances import by_distances
from opkg.kernels.strategies.rows.float_folds import folds_of_floats
from opkg.kernels.strategies.rows.floating_loop import FloatLoop
from opkg.kernels.strategies.rows.folding import MANY
from opkg.kernels.strategies.rows.keeping import KEPT, buffered, kept
from opkg.kernels.strategies.rows.masks import or_zero
from opkg.kernels.strategies.rows.meeting import without_choices
from opkg.kernels.strategies.rows.plan import Cannot, passes
from opkg.kernels.strategies.rows.references import FURTHEST, members, prepared, references
from opkg.kernels.strategies.rows.references import HEADERS as REFERENCE_HEADERS
from opkg.kernels.strategies.rows.soft import HEADERS as SOFT_HEADERS
from opkg.kernels.strategies.rows.soft import TITLE as SOFT_TITLE
from opkg.kernels.strategies.rows.soft import soft_of
from opkg.kernels.strategies.rows.steady import LEAST_SCALE, MOST_LOGARITHM, WITHIN, steady, subtracted
from opkg.kernels.strategies.rows.whole_steps import folded, in_steps, only_distances
from opkg.spec.compute.types import Type

_FOLDS = frozenset(("reduce_sum", "reduce_mean", "reduce_max", "reduce_min"))
_LARGEST = "1e37"  # numbers of the row that divide, beyond this or its inverse, are for the portable code
_FLOAT = "3.4028234663852886e38"  # the largest float: sums beyond it may be less in double
_LEAST_CHOSEN = "1e-10"  # sums of chosen exponentials below it are for the portable code, if results are quantized
_LEAST_FLOAT = "1e-20"  # the same if results are floats: what is below single precision is nothing beside it
_COUNTED_HEADERS = ("opkg/row_length.h", "opkg/spans_rows.h")
_SUMMED = 64  # numbers that a lane sums up in single precision


def lower_floating(snippet: Snippet, or_one: bool = False) -> Sequence:
    """The loops of a snippet whose results are floats. `or_one`: where nothing is chosen of a row, all exponentials are 1.
    Raises Cannot.

    Most quantized and integer results ask for more than single precision has: differences and sums may cancel. Those
    that only make positive numbers of distances from an extreme, and divide by their sum or subtract its logarithm, are
    within one step."""
    if not snippet.graph.reductions:
        raise Cannot("it reduces nothing")
    if len({snippet.graph[at].axes for at in snippet.graph.reductions}) > 1:
        raise Cannot("its reductions are over different dimensions")
    if any(operand.quantized for operand in snippet.outputs):
        snippet = by_distances(snippet)
    if decides_in_single(snippet):
        snippet = without_choices(snippet)
        if decides_in_single(snippet):
            raise Cannot("it decides on values that single precision rounds")
    counted: tuple[str, ...] = ()
    if not all(operand.is_float for operand in snippet.outputs) and not steady(snippet):
        counted = guard_of_rows(snippet) if _all_quantized(snippet) and not or_one else ()
        if not counted:
            raise Cannot("single precision is not enough for results that are no floats")
    for operand in read_inputs(snippet):
        if operand.quantized and operand.storage.bits > 8 and not steady(snippet) and not counted:
            raise Cannot(f"'{operand.name}' has {operand.storage.bits} bits, too many for single precision")
    for operand in (*read_inputs(snippet), *snippet.outputs):
        if why := obstacle(operand, written=True):
            raise Cannot(why)
    try:
        return _Rows(snippet, or_one, counted).sequence()
    except UnableError as reason:
        raise Cannot(str(reason)) from None


def _all_quantized(snippet: Snippet) -> bool:
    return all(operand.quantized for operand in snippet.outputs)


class _Rows:
    def __init__(self, snippet: Snippet, or_one: bool, counted: tuple[str, ...]) -> None:
        self.snippet, self.or_one, self.counted = snippet, or_one, counted
        self.graph: Graph = snippet.graph
        self.shared = Shared(snippet)
        self.steps = Steps(snippet, snippet.graph)
        self.rank: list[str] = []
        self.level: list[int] = []
        self.own = numbers_of(snippet)
        for node in self.graph.nodes:
            self._classify(node)
        self.given = dict(self.shared.given)  # C++ of numbers by node
        self.names = {at: self._name(at) for at, rank in enumerate(self.rank) if rank == "row"}
        self.given |= {at: self.names[at] for at in sorted(self.own)}
        self.members: dict[str, Member] = {m.name: m for m in self.shared.members}
        self.prepare: list[str] = list(self.shared.prepare)
        self.blocks: set[tuple[str, ...]] = set()  # statements that are in `prepare` already
        self.step = 0
        self.kept = kept(snippet, self.rank, self.level)
        self.references = references(snippet, self.given) if _all_quantized(snippet) else {}
        self.soft = soft_of(snippet, self.shared, self.references, or_one) if _all_quantized(snippet) else None
        self.on_stack = buffered(snippet, self.rank, self.level) if self.soft is None else None
        kept_node = None if self.on_stack is None else self.graph[self.on_stack]
        self.buffer = "" if kept_node is None else self.shared.names.take(f"{kept_node.origin or kept_node.op}_kept")
        self.inverses: dict[int, str] = {}
        self.logarithms = subtracted(snippet)
        for reference in self.references.values():
            self.members |= {member.name: member for member in members(self.graph, reference)}
            self.prepare += prepared(snippet, self.shared, reference)
        if self.logarithms:
            scales = [f"{self.shared.steps[output.name]}.scale" for output in snippet.outputs]
            self.prepare += [f"if (!({scale} >= {LEAST_SCALE})) return false;" for scale in scales]

    def _classify(self, node: Node) -> None:
        ranks = {self.rank[arg] for arg in node.args}
        level = max([self.level[arg] for arg in node.args], default=0)
        if node.uniform or node.op == "const":
            rank = "uniform"
        elif len(self.rank) in self.own:
            rank = "row"
        elif node.op in REDUCE:
            if node.op not in _FOLDS or node.type is not Type.REAL or "element" not in ranks:
                raise Cannot(f"'{node.op.removeprefix('reduce_')}' of {node.type} numbers in single precision")
            rank, level = "row", level + 1
        elif "element" in ranks or node.op in ("input", "param"):
            rank = "element"
        else:
            rank = "row"
        self.rank.append(rank)
        self.level.append(level)

    def _name(self, at: int) -> str:
        node = self.graph[at]
        own = node.name if at in self.own else node.op.removeprefix("reduce_")
        return self.shared.names.take(f"{node.origin or own}_of_row")

    def sequence(self) -> Sequence:
        full = [r for r in self.graph.results if self.rank[r.node] == "element"]
        rows = [r for r in self.graph.results if self.rank[r.node] == "row"]
        stages = [*self._folds(), Numbers(tuple(store_numbers(self.snippet, self.shared, self.given, rows)))]
        if len(full) + len(rows) < len(self.graph.results):
            raise Cannot("an output does not depend on an input")
        if full and self.on_stack is not None:
            stages.append(replace(self._results(self.buffer), when=f"n <= {KEPT}"))
            stages.append(replace(self._results(), when=f"n > {KEPT}", usual=False, once=True))
        elif full:
            stages.append(replace(self._results(), once=self.soft is not None))
        folds, soft = folds_of_floats(self.snippet), self.soft
        of_row = any(operand.name in self.snippet.across for operand in read_inputs(self.snippet))
        alone = folds is not None or (of_row and not self.snippet.brought)  # loops over one row take such an element
        slots = soft.slots if soft else None if alone else self._several()
        over = "up to 32 rows" if slots else "a row"
        single = f"{passes(max(self.level) + bool(full))} over {over} in single precision"
        return Sequence(
            strategy="rows",
            title=MANY if folds else SOFT_TITLE if soft else single,
            error=WITHIN if self.logarithms else statement(self.snippet, bool(self.counted) or steady(self.snippet)),
            step=self.step,
            members=(*self.members.values(), *((soft.member,) if soft else ())),
            prepare=(*self.prepare, *(soft.prepare if soft else ())),
            stages=tuple(stages),
            reduced=frozenset(result.name for result in rows),
            read=frozenset(self.graph[at].name for at in self.own),
            buffers=(Buffer(self.buffer, "float", KEPT, "values of a short row"),) if self.buffer else (),
            headers=(
                HEADER,
                "opkg/hvx_rows.h",
                *(REFERENCE_HEADERS if self.references else ()),
                *(_COUNTED_HEADERS if self.counted else ()),
                *(SOFT_HEADERS if soft else float_slots.HEADERS if slots else ()),
                *(folds.headers if folds else ()),
            ),
            arch=68,
            float_unit=True,
            folds=folds,
            counted=self.counted,
            settled=True,
            slots=slots,
        )

    def _folds(self) -> list[Loop | Numbers]:
        """The loops over a row, and the numbers that are made after each."""
        stages: list[Loop | Numbers] = []
        before = [
            *load_numbers(self.snippet, self.shared, {at: self.names[at] for at in sorted(self.own)}),
            *self._numbers(0),
        ]
        for level in range(1, max(self.level) + 1):
            loop = self._fold(level)
            stages.append(replace(loop, once=self.soft is not None and bool(loop.block)))
            stages.append(Numbers((*before, *self._numbers(level))))
            before = []
        return stages

    def _several(self) -> Slots | None:
        """How several rows are computed at a time; None where they are not."""
        if self.counted or self.or_one or self.references:
            return None
        nodes = (self.rank, self.level, self.names)
        made = float_slots.slots_of_floats(self.snippet, self.shared, nodes, self.on_stack, self.buffer)
        if made is None:
            return None
        self.members |= {member.name: member for member in made.members}
        self.prepare += [line for line in made.prepare if line not in self.prepare]
        return made.slots

    # Passes ---------------------------------------------------------------------------------------------------------

    def _loop(self) -> FloatLoop:
        given = {at: name for at, name in self.names.items() if at in self.given}
        return FloatLoop(self.snippet, given, self.inverses, self.references)

    def _closed(self, loop: FloatLoop, title: str, block: int = 0) -> Loop:
        """A finished pass; what it needs of `prepare` is collected."""
        made = loop.loop(title, block)
        self.step = loop.streams.step
        for member in (*loop.streams.members, *loop.uniforms.members):
            self.members[member.name] = member
        self.prepare += [line for line in loop.streams.prepare if line not in self.prepare]
        shared = tuple(loop.uniforms.prepare)
        if "{" not in shared:
            self.prepare += [line for line in shared if line not in self.prepare]
        elif shared not in self.blocks:
            self.blocks.add(shared)
            self.prepare += shared
        return made

    def _fold(self, level: int) -> Loop:
        nodes = [at for at in self.graph.reductions if self.level[at] == level]
        loop = self._loop()
        loop.compute([part for at in nodes for part in folded(self.graph, self.snippet, at)])
        for at in nodes:
            loop.fold(self.graph[at], self.names[at])
        if self.kept is not None and level == max(self.level):
            loop.write(self.snippet.outputs[0], self.kept)
        if self.on_stack is not None and level == max(self.level):
            loop.keep(self.buffer, self.on_stack)
        sums = any(self.graph[at].op in ("reduce_sum", "reduce_mean") for at in nodes)
        block = _SUMMED // loop.streams.groups if sums else 0
        return self._closed(loop, f"Over the row: {', '.join(self.names[at] for at in nodes)}.", block)

    def _results(self, buffer: str = "") -> Loop:
        """The last pass. `buffer`: what it takes from the stack."""
        loop = self._loop()
        full = [r for r in self.graph.results if self.rank[r.node] == "element"]
        if self.kept is not None:
            loop.take(self.snippet.outputs[0].name, self.kept)
        if buffer and self.on_stack is not None:
            loop.take(buffer, self.on_stack)
        return self._closed(loop, loop.write_all(full))

    # Numbers --------------------------------------------------------------------------------------------------------

    def _numbers(self, level: int) -> list[str]:
        """Numbers of the row that can be computed after the reductions of a level."""
        lines: list[str] = []
        for at in reachable(self.graph.nodes, [r.node for r in self.graph.results]):
            node = self.graph[at]
            if self.rank[at] != "row" or self.level[at] != level or at in self.given:
                continue
            if any(reference.extreme == at for reference in self.references.values()):
                lines.append(f"if (!(std::fabs({self.names[at]}.largest) <= {FURTHEST})) return false;")
            elif in_steps(self.graph, self.snippet, node) or self.steps.is_sum(node):
                self.given[at] = self.names[at]
                lines += [f"{self.names[at]}_steps /= static_cast<double>(n);"] * (node.op == "reduce_mean")
                if only_distances(self.graph, self.snippet, at, self.steps):
                    continue
                scale = f"{self.shared.steps[self.graph[node.args[0]].name]}.scale"
                lines.append(f"const double {self.names[at]} = {self.names[at]}_steps * {scale};")
            elif node.op == "reduce_mean":
                lines.append(f"{self.names[at]} /= static_cast<double>(n);")
            elif node.op not in REDUCE:
                writer = Writer(self.graph, self.given, self.shared.names, self.shared.bounds())
                writer.write([at])
                lines += [*writer.lines, f"const {CPP[node.type]} {self.names[at]} = {writer.value(at)};"]
            self.given[at] = self.names[at]
            if node.op in ("reduce_sum", "reduce_mean") and self._of_chosen(node.args[0]):
                quantized = _all_quantized(self.snippet)
                lines += self._alike(at) if self.or_one else []
                lines.append(
                    f"if (!({self.names[at]} >= {_LEAST_CHOSEN if quantized else _LEAST_FLOAT})) return false;"
                )
            if self.kept is not None and level == max(self.level) and self._divides(at):
                self.inverses[at] = f"{self.names[at]}_inverse"
                lines.append(f"const opkg::hvx::Inverse {self.inverses[at]}({self.names[at]});")
            elif node.type is Type.REAL and self._divides(at):
                test = f"std::fabs({self.names[at]}) > 1.0 / {_LARGEST} && std::fabs({self.names[at]}) < {_LARGEST}"
                lines.append(f"if (!({test})) return false;")
            elif at in self.logarithms:
                lines.append(f"if (!(std::fabs({self.names[at]}) <= {MOST_LOGARITHM})) return false;")
            elif node.type is Type.REAL and (node.op not in ("reduce_max", "reduce_min") or self._of_function(at)):
                lines.append(f"if (!(std::fabs({self.names[at]}) <= {_FLOAT})) return false;")
        return lines

    def _of_function(self, at: int) -> bool:
        """Whether an extreme may be NaN, in quantized results: what it is of is no stored number."""
        return bool(self.counted) and not in_steps(self.graph, self.snippet, self.graph[at])

    def _of_chosen(self, at: int) -> bool:
        """Whether a value is an exponential where a mask holds, and 0 elsewhere."""
        return or_zero(self.graph, at) and (
            self.graph[self.graph[at].args[1]].op == "exp" or _all_quantized(self.snippet)
        )

    def _alike(self, total: int) -> list[str]:
        """Results of a row of which nothing is chosen, where there is one: 1 / n, each."""
        if len(self.snippet.outputs) > 1:
            return []
        (output,) = self.snippet.outputs
        value = store(output, self.shared, "1.0 / static_cast<double>(n)")
        return [
            f"if ({self.names[total]} == 0.0) return opkg::hvx::fill<{output.element}>({output.name}_row, n, {value});"
        ]

    def _divides(self, at: int) -> bool:
        """Whether elements are divided by a number of the row."""
        users = self.graph.users()[at]
        return any(self.graph[u].op == "div" and self.graph[u].args[1] == at for u in users)
