"""Up to 32 rows of floats at a time: the passes of one row over all of them, and their numbers, words of vectors.

All operands are float16, or all are float32 and rows have two passes at most: code of further ones is as large again as that
of one row. Numbers are sums of two floats (opkg/hvx_slot_floats.h), rounded where elements take them; rows of
which one is not finite, or far from 1, go one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from opkg.kernels.graphs.graph import REDUCE, Node, Result
from opkg.kernels.graphs.nodes import reachable
from opkg.kernels.lowered import Member
from opkg.kernels.portable.expressions import Writer
from opkg.kernels.portable.rows import Shared
from opkg.kernels.sequence import Loop, Numbers, Slots
from opkg.kernels.snippet import Snippet, Storage
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.floating.io import Streams
from opkg.kernels.strategies.floating.ops import PREFIX, label
from opkg.kernels.strategies.floating.uniform import UnableError, Uniforms
from opkg.kernels.strategies.rows.floating_loop import FloatLoop
from opkg.kernels.strategies.rows.keeping import settles
from opkg.kernels.strategies.rows.loop_block import LoopBlock
from opkg.spec.compute.types import Type

HEADERS = ("opkg/hvx_slot_floats.h", "opkg/hvx_slot_operands.h")
_WIDE_PASSES = 2  # over rows of float32
_MANY_SUMS = 3  # of one row, which take less when joined in double
_LOGARITHMS = 4  # rows whose logarithms take less in two floats than in double
_MOST = 64  # elements of a row, for each lane of a vector: so many it sums up in single precision
Nodes = tuple[Sequence[str], Sequence[int], Mapping[int, str]]
_UNITS = {
    "reduce_max": "LargestFloat",
    "reduce_min": "SmallestFloat",
    "reduce_sum": "FloatSums",
    "reduce_mean": "FloatMeans",
}
_SUMS = ("reduce_sum", "reduce_mean")
_MADE = {
    "add": "plus",
    "sub": "minus",
    "mul": "times",
    "div": "over",
    "neg": "negated",
    "abs": "magnitude",
    "log": "logarithm",
    "max": "larger",
    "min": "smaller",
    "sqrt": "root",
    "rsqrt": "inverse_root",
}
_SUM2 = "opkg::hvx::Sum2"


@dataclass(frozen=True, slots=True)
class MadeSlots:
    """`members`, `prepare`: what they add to the struct."""

    slots: Slots
    members: tuple[Member, ...]
    prepare: tuple[str, ...]


def slots_of_floats(snippet: Snippet, shared: Shared, nodes: Nodes, kept: int | None, buffer: str) -> MadeSlots | None:
    """None where rows are not taken so. `nodes`: ranks, levels and names of numbers, as loops of one row have them; `kept`: the
    node that the pass in front of the last one keeps in `buffer`."""
    several = _Several(snippet, shared, nodes, kept, buffer)
    try:
        slots = several.slots()
    except UnableError:
        return None
    return MadeSlots(slots, tuple(several.members.values()), tuple(several.prepare))


class _Several:
    def __init__(self, snippet: Snippet, shared: Shared, nodes: Nodes, kept: int | None, buffer: str) -> None:
        self.snippet, self.graph, self.kept, self.buffer = snippet, snippet.graph, kept, buffer
        self.rank, self.level, names = nodes
        self.names = {at: name.replace("_of_row", "_of_rows") for at, name in names.items()}
        self.numbers = _Numbers(snippet, shared, self.rank, self.names)
        self.members: dict[str, Member] = {}
        self.prepare: list[str] = []
        self.storages = {o.storage for o in (*read_inputs(snippet), *snippet.outputs)}
        self.wide = self.storages == {Storage.F32}
        sums = [at for at in self.graph.reductions if kept is not None and self.graph[at].args == (kept,)]
        # Numbers of rows that need no test.
        self.settled = sums if kept is not None and settles(snippet, self.rank, self.level, kept) else []

    def slots(self) -> Slots:
        """Raises UnableError."""
        if self.storages != {Storage.F16} and not self.wide:
            raise UnableError("elements that are no floats of one type")
        full = [r for r in self.graph.results if self.rank[r.node] == "element"]
        if self.wide and max(self.level) + bool(full) > _WIDE_PASSES:
            raise UnableError("floats of 32 bits in many passes")
        stages: list[Loop | Numbers] = []
        for level in range(1, max(self.level) + 1):
            stages.append(self._fold(level))
            stages.append(Numbers(tuple(self._numbers(level))))
        stages.append(Numbers(tuple(self._stored())))
        if full:
            stages.append(self._results(full))
        loops = [stage for stage in stages if isinstance(stage, Loop)]
        folded = {i.args[0] for loop in loops[: -1 if full else None] for i in loop.body if i.op == "load"}
        inputs = frozenset([operand.name for operand in read_inputs(self.snippet)])
        return Slots(
            tuple(stage for stage in stages if not isinstance(stage, Numbers) or stage.lines),
            inputs - folded,
            _MOST * (32 if self.wide else 64),
            buffers=((self.buffer, 1 if self.wide else 2),) if self.kept is not None else (),
            floats=True,
            fewest=self._fewest(),
        )

    def _fewest(self) -> int:
        """How many rows take less together than one by one."""
        if any(node.op == "log" and self.rank[at] == "row" for at, node in enumerate(self.graph.nodes)):
            return _LOGARITHMS
        return 2 if self.wide or self._sums() >= _MANY_SUMS else 1

    def _sums(self) -> int:
        return sum(self.graph[at].op in _SUMS for at in self.graph.reductions)

    def _loop(self) -> _SlotLoop:
        return _SlotLoop(self.snippet, self.names, self.numbers)

    def _closed(self, loop: _SlotLoop, title: str) -> Loop:
        self._taken(loop.uniforms)
        return loop.of_slots(title)

    def _taken(self, uniforms: Uniforms) -> None:
        for member in uniforms.members:
            self.members[member.name] = member
        self.prepare += [line for line in uniforms.prepare if line not in self.prepare]

    def _fold(self, level: int) -> Loop:
        nodes = [at for at in self.graph.reductions if self.level[at] == level]
        loop = self._loop()
        loop.compute([arg for at in nodes for arg in self.graph[at].args])
        for at in nodes:
            loop.fold(self.graph[at], self.names[at])
        if self.kept is not None and level == max(self.level):
            loop.keep(self.buffer, self.kept)
        return self._closed(loop, f"Over the row: {', '.join(self.names[at] for at in nodes)}.")

    def _results(self, full: Iterable[Result]) -> Loop:
        loop = self._loop()
        if self.kept is not None:
            loop.take(self.buffer, self.kept)
        return self._closed(loop, loop.write_all(full))

    def _numbers(self, level: int) -> list[str]:
        """What is made of numbers of a level, and whether they do."""
        lines: list[str] = []
        tested: list[str] = []
        for at in reachable(self.graph.nodes, [r.node for r in self.graph.results]):
            node = self.graph[at]
            if self.rank[at] != "row" or self.level[at] != level:
                continue
            lines += self.numbers.make(at)
            if node.type is Type.REAL and node.op not in ("reduce_max", "reduce_min") and at not in self.settled:
                tested.append(self.numbers.text(at))
            if self._divides(at):
                lines += self.numbers.invert(at)
                if at not in self.settled:
                    tested.append(self.numbers.inverses[at])
        if tested:
            lines.append(f"if (!{PREFIX}all_moderate(slots, {', '.join(dict.fromkeys(tested))})) return false;")
        return lines

    def _divides(self, at: int) -> bool:
        users = self.graph.users()[at]
        return any(
            self.graph[u].op == "div" and self.graph[u].args[1] == at and self.rank[u] == "element" for u in users
        )

    def _stored(self) -> Iterable[str]:
        put = "put_floats" if self.wide else "put_halves"
        for place, output in enumerate(self.snippet.outputs):
            for result in self.graph.results:
                if result.name == output.name and self.rank[result.node] == "row":
                    yield f"{PREFIX}{put}(slots, {self.numbers.text(result.node)}, out[{place}]);"


class _Numbers:
    """Numbers of rows: statements, and C++ of what is made. `inverses`: names of those of numbers that divide elements."""

    def __init__(self, snippet: Snippet, shared: Shared, rank: Sequence[str], names: Mapping[int, str]) -> None:
        self.graph, self.rank, self.names = snippet.graph, rank, names
        self.writer = Writer(self.graph, shared.given, shared.names, shared.bounds())
        self.inverses: dict[int, str] = {}
        self.made: set[int] = set()

    def make(self, at: int) -> list[str]:
        """Statements that make a number."""
        node = self.graph[at]
        self.made.add(at)
        if node.op in REDUCE:
            return []
        if node.type is not Type.REAL or node.op not in _MADE:
            raise UnableError(f"'{node.op}' of numbers of rows")
        known = len(self.writer.lines)
        args = [self._operand(arg, node.op == "div" and place == 1) for place, arg in enumerate(node.args)]
        function = "times" if node.op == "div" and self.rank[node.args[1]] == "uniform" else _MADE[node.op]
        text = f"const {_SUM2} {self.names[at]} = {PREFIX}{function}({', '.join(args)});"
        return [*self.writer.lines[known:], text]

    def invert(self, at: int) -> list[str]:
        """The same of the inverse of one."""
        self.inverses[at] = name = f"inverse_{self.names[at]}"
        return [f"const {_SUM2} {name} = {PREFIX}inverse_of({self.text(at)});"]

    def text(self, at: int) -> str:
        """A number in two floats."""
        return self.names[at] if not self._is_extreme(at) else f"{_SUM2}{{{self.names[at]}}}"

    def words(self, at: int) -> str:
        """A number as elements take it."""
        return self.names[at] if self._is_extreme(at) else f"{self.names[at]}.high"

    def _is_extreme(self, at: int) -> bool:
        return self.graph[at].op in REDUCE and self.graph[at].op not in _SUMS

    def _operand(self, at: int, inverse: bool) -> str:
        if self.rank[at] == "row":
            return self.text(at)
        self.writer.write([at])
        value = self.writer.value(at, Type.REAL)
        return f"{PREFIX}two_of({f'1.0 / ({value})' if inverse else value})"


class _SlotLoop(FloatLoop):
    """One pass over the units. `given`: C++ of numbers of rows by node."""

    def __init__(self, snippet: Snippet, names: Mapping[int, str], numbers: _Numbers) -> None:
        super().__init__(snippet, {at: names[at] for at in numbers.made}, {}, {})
        self.numbers = numbers
        self.rows = LoopBlock(self.setup, several=True)
        self.body = self.rows
        self.streams = Streams((*self.inputs, *snippet.outputs), self.setup, self.body)
        self.joined: list[tuple[str, str, str]] = []

    def _row(self, words: str) -> str:
        return self.rows.number("", words, to=words.removesuffix(".high").replace("_of_rows", "_of_row"))

    def _node(self, index: int, node: Node, product: int | None) -> list[str]:
        if node.op == "div" and node.args[1] in self.given and product is None:
            by = self._row(f"{self.numbers.inverses[node.args[1]]}.high")
            return [
                self.body.call(PREFIX + "mul_sf", self._value(node.args[0], group, Type.REAL), by, to=label(node))
                for group in range(self.streams.groups)
            ]
        return super()._node(index, node, product)

    def _value(self, index: int, group: int, type_: Type) -> str:
        if index in self.given and not self.graph[index].uniform:
            if self.graph[index].type is Type.BOOL or type_ is not Type.REAL:
                raise UnableError("it computes with whole numbers of the row")
            return self._row(self.numbers.words(index))
        return super()._value(index, group, type_)

    def _live(self, value: str, other: str, group: int) -> str:
        keep = "lanes.keep_wide" if self.streams.groups > 1 else "lanes.keep32"
        return self.rows.call(keep, value, other, group, to=f"{value}_live")

    def fold(self, node: Node, name: str) -> None:
        groups = range(self.streams.groups)
        values = [self._value(node.args[0], group, Type.REAL) for group in groups]
        if (
            node.op in _SUMS
        ):  # of halves at even places and of those at odd ones apart, so that few are rounded in a lane
            zero = self.setup.q6("Q6_V_vzero", to="zero")
            apart = [self.rows.carry(f"{name}_lanes", "V", zero) for _ in groups]
            for group, carried in enumerate(apart):
                live = self._live(values[group], zero, group)
                self.rows.keep(carried, self.body.call(PREFIX + "add_sf", carried, live, to="sums"))
            self.joined.append((", ".join(apart), _UNITS[node.op], name))
            return
        largest = node.op == "reduce_max"
        none = self.setup.call(PREFIX + "splat_w", "0xff800000u" if largest else "0x7f800000u", to="none")
        after = carried = self.rows.carry(f"{name}_lanes", "V", none)
        for group in groups:
            live = self._live(values[group], none, group)
            after = self.body.call(PREFIX + ("max_sf" if largest else "min_sf"), after, live, to="found")
        self.rows.keep(carried, after)
        self.joined.append((carried, _UNITS[node.op], name))

    def of_slots(self, title: str) -> Loop:
        made = self.loop(title, 0)
        used = {arg for inst in made.body for arg in inst.args}
        spread = tuple((name, words) for name, words in self.rows.spread.items() if name in used)
        return Loop(made.title, made.setup, made.carried, made.body, unroll=1, spread=spread, joined=tuple(self.joined))
