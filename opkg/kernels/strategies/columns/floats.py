"""Columns of floats: sums, extremes and squares about means, in lanes of twice the digits of single precision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from opkg.kernels.block import Block
from opkg.kernels.graphs.graph import REDUCE, Graph, Node
from opkg.kernels.portable.expressions import CPP, Writer
from opkg.kernels.portable.rows import Shared, store
from opkg.kernels.sequence import About, Columns, FloatNumbers, Loop, Made, Numbers
from opkg.kernels.snippet import Operand, Snippet, Storage
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.columns.abouts import about_of, about_value, extreme_of
from opkg.kernels.strategies.columns.float_numbers import made_in_vectors
from opkg.kernels.strategies.columns.functions import function_of, function_value, is_function
from opkg.kernels.strategies.floating.errors import statement
from opkg.kernels.strategies.floating.ops import PREFIX
from opkg.kernels.strategies.floating.uniform import Uniforms
from opkg.kernels.strategies.rows.loop_block import LoopBlock
from opkg.kernels.strategies.rows.plan import Cannot, passes
from opkg.spec.compute.types import Type, value_type

ELEMENTS = {Storage.F16: "uint16_t", Storage.F32: "float"}
PARTS = {
    "reduce_max": "FloatExtreme<Element, true",
    "reduce_min": "FloatExtreme<Element, false",
    "sum": "FloatSum<Element, kExact",
}
_ABOUT = "about"  # the kind of sums of functions of elements and of their extreme
_AGAIN = ("squares", _ABOUT)
_OF = " of "  # in the kinds of what is found of functions: in front of their nodes
_ERROR = "correctly rounded but for sums of at most 64 numbers, and differences, in single precision"
_SUMS = ("reduce_sum", "reduce_mean")


def float_columns(snippet: Snippet) -> Columns:
    """The columns of a snippet with a float input, whose results are reduced. Raises Cannot."""
    inputs = read_inputs(snippet)
    if len(inputs) != 1:
        raise Cannot("columns of more than one tensor")
    if inputs[0].storage not in ELEMENTS:
        raise Cannot(f"'{inputs[0].name}' is {inputs[0].dtype}")
    if len({snippet.graph[at].axes for at in snippet.graph.reductions}) > 1:
        raise Cannot("its reductions are over different dimensions")
    return FloatColumns(snippet, inputs[0]).made()


class FloatColumns:
    """`kinds`: what is found for each reduction: reduce_max, reduce_min, sum, squares, about; of functions with their nodes.
    `about`: the node of the function that is summed up in a second pass, and the extreme that it reads."""

    def __init__(self, snippet: Snippet, operand: Operand) -> None:
        self.snippet, self.graph, self.operand = snippet, snippet.graph, operand
        self.shared = Shared(snippet)
        self.uniforms = Uniforms(snippet, Block())
        self.about: tuple[int, int] | None = None
        self.kinds: Mapping[int, str] = {at: self._kind(self.graph[at]) for at in self.graph.reductions}
        first = dict.fromkeys(kind for kind in self.kinds.values() if kind not in _AGAIN)
        again = dict.fromkeys(kind for kind in self.kinds.values() if kind in _AGAIN)
        if len(again) > 1:
            raise Cannot("two sums about numbers of columns")
        self.again = bool(again)
        if "squares" in again:  # its mean is the first number
            first = {"sum": None, **first}
        self.place: dict[str, int] = {}  # of the first number of a kind
        count = 0
        for kind in (*first, *again):
            self.place[kind] = count
            count += 1 if kind.startswith("reduce") else 2
        self.count = count
        nodes = dict.fromkeys(at for kind in self.place if (at := _node_of(kind)) is not None)
        self.functions = {at: function_of(snippet, operand, at, f"Function{place}") for place, at in enumerate(nodes)}

    def _kind(self, node: Node) -> str:
        graph, (arg,) = self.graph, node.args
        if node.type is not Type.REAL or node.op not in (*_SUMS, "reduce_max", "reduce_min"):
            raise Cannot(f"'{node.op.removeprefix('reduce_')}' of {node.type} numbers down columns")
        if graph[arg].op == "input":
            return "sum" if node.op in _SUMS else node.op
        if node.op in _SUMS and _is_distance_squared(graph, graph[arg]):
            return "squares"
        extreme = extreme_of(graph, arg) if node.op in _SUMS else None
        if extreme is not None and self.about in (None, (arg, extreme)):
            self.about = (arg, extreme)
            return _ABOUT
        if is_function(graph, arg):
            return f"{'sum' if node.op in _SUMS else node.op}{_OF}{arg}"
        raise Cannot("columns of floats that are no sums or extremes of functions of elements, nor variances")

    def made(self) -> Columns:
        results = []
        for result in self.graph.results:
            if self.graph[result.node].uniform or not by_columns(self.graph, result.node):
                raise Cannot(f"'{result.name}' is not reduced")
            results.append((self.snippet.operand(result.name), result.node))
        lines = self._column(results)
        floats = all(operand.storage in ELEMENTS for operand, _ in results)
        direct = floats and all(node in self.kinds for _, node in results)
        halves = [place for place, (operand, _) in enumerate(results) if operand.storage is Storage.F16]
        wanted = [(node, False) for _, node in results]
        made = made_in_vectors(self, wanted, self.uniforms, halves) if floats and not direct else None
        alone = not direct and made is None
        title = f"{passes(1 + self.again)} down the columns in single precision"
        found = self.record(
            f"{title}, then one after another in double" if alone else title,
            statement(self.snippet) if made is not None or self.functions else _ERROR,
            (*self.loops(), *((Numbers(tuple(lines)),) if alone else ())),
            lines,
            made,
            tuple(self.number(node, at in halves) for at, (_, node) in enumerate(results)) if direct else (),
        )
        return replace(found, reduced=frozenset(operand.name for operand, _ in results))

    def record(
        self, title: str, error: str, stages: tuple[Loop | Numbers, ...], column: list[str], made: Made | None,
        direct: tuple[tuple[int, bool, bool, bool], ...] = (),
    ) -> Columns:  # fmt: skip
        """The columns of one tensor of floats. `column`: C++ of the numbers of one; `made`: the same of 32; `direct`: results
        that are numbers found."""
        about = self._about()
        return Columns(
            strategy="columns",
            title=title,
            error=error,
            step=2 * 1024 // self.operand.storage.bits,
            members=(*self.shared.members, *self.uniforms.members),
            prepare=(*self.shared.prepare, *self.uniforms.prepare),
            stages=stages,
            headers=("opkg/columns_float.h",),
            arch=68,
            float_unit=True,
            column=tuple(column),
            floats=FloatNumbers(
                element=ELEMENTS[self.operand.storage],
                parts=tuple(self._part(kind) for kind in self.place if kind not in _AGAIN),
                again=self.again,
                direct=bool(direct),
                results=made.leaves if made is not None else direct,
                count=self.count,
                made=made,
                functions=tuple(self.functions.values()),
                about=about,
            ),
        )

    def _about(self) -> About | None:
        if self.about is None:
            return None
        at, extreme = self.about
        return about_of(self.snippet, self.operand, at, extreme, self.place[self.kinds[extreme]], self.uniforms)

    def _part(self, kind: str) -> str:
        """The C++ type that finds a number."""
        of = _node_of(kind)
        return f"{PARTS[kind.split(_OF)[0]]}{'' if of is None else f', {self.functions[of].name}'}>"

    def number(self, node: int, odd: bool) -> tuple[int, bool, bool, bool]:
        """A reduction: its first number, whether it is a sum, and whether that is divided, and rounded once more."""
        kind = self.kinds[node]
        return self.place[kind], not kind.startswith("reduce"), self.graph[node].op == "reduce_mean", odd

    def _column(self, results: Iterable[tuple[Operand, int]]) -> list[str]:
        """C++ of the results of one column."""
        given, lines = self.found_numbers()
        for operand, result in results:
            writer = Writer(self.graph, given, self.shared.names, self.shared.bounds())
            writer.write([result])
            value = store(operand, self.shared, writer.value(result, value_type(operand.dtype)))
            lines += writer.lines
            lines.append(f"*static_cast<{operand.element}*>({operand.name}_row) = {value};")
        return [*lines, "return true;"]

    def found_numbers(self) -> tuple[dict[int, str], list[str]]:
        """The names of what is known of a column, and C++ of what was found of it."""
        lines: list[str] = []
        given = dict(self.shared.given)
        for at in self.kinds:
            node = self.graph[at]
            given[at] = name = self.shared.names.take(f"{node.origin or node.op.removeprefix('reduce_')}_of_column")
            lines += self._found(at, node, name)
        return given, lines

    def _found(self, at: int, node: Node, name: str) -> list[str]:
        place = self.place[self.kinds[at]]
        if self.kinds[at].startswith("reduce"):
            return [f"const {CPP[Type.REAL]} {name} = found[{place}];"]
        by = " / static_cast<double>(n)" if node.op == "reduce_mean" else ""
        total = f"found[{place}] + found[{place + 1}]"
        value = f"({total}){by}" if by else total
        return [f"const double {name} = {value};", f"if (!(std::fabs({name}) <= 3.4e38)) return false;"]

    def loops(self) -> list[Loop]:
        """What two rows take in each pass: for estimates."""
        names = {kind: f"{self.operand.name}_{kind.removeprefix('reduce_').replace(' ', '_')}" for kind in self.place}
        passes_of = [[kind for kind in self.place if (kind in _AGAIN) is again] for again in (False, True)]
        return [self._pass(kinds, names) for kinds in passes_of if kinds]

    def _pass(self, kinds: list[str], names: dict[str, str]) -> Loop:
        setup = Block()
        body = LoopBlock(setup)
        zero = setup.q6("Q6_V_vzero", to="zero")
        groups = 32 // self.operand.storage.bits
        for kind in kinds:
            for row in range(2):
                loaded = body.load(self.operand.name, row)
                function = _node_of(kind)
                if kind.startswith("reduce") and function is None:
                    carried = body.carry(f"{names[kind]}_lanes", "V", zero)
                    body.keep(carried, body.call(PREFIX + "max_sf", carried, loaded, to="extreme"))
                    continue
                values = [loaded]
                if groups == 2:
                    pair = body.call(PREFIX + "sf_from_hf", loaded, kind="W", to="wide")
                    values = [body.lo(pair), body.hi(pair)]
                for value in values:
                    carried = body.carry(f"{names[kind]}_lanes", "V", zero)
                    if function is not None:
                        value = function_value(self.snippet, self.operand, function, setup, body, value)
                    if kind == _ABOUT and self.about is not None:
                        names_of = value, zero
                        value = about_value(
                            self.snippet, self.operand, self.about, setup, body, names_of, self.uniforms
                        )
                    if kind == "squares":
                        away = body.call(PREFIX + "sub_sf", value, zero, to="distance")
                        value = body.call(PREFIX + "mul_sf", away, away, to="square")
                    join = "max_sf" if kind.startswith("reduce") else "add_sf"
                    body.keep(carried, body.call(PREFIX + join, carried, value, to="sums"))
        return Loop(
            title=f"Down the columns: {', '.join(names[kind] for kind in kinds)}.",
            setup=tuple(setup.insts),
            carried=tuple(body.carried),
            body=tuple(body.insts),
        )


def _node_of(kind: str) -> int | None:
    """The node of the function that a kind is of."""
    return int(kind.split(_OF)[1]) if _OF in kind else None


def _is_distance_squared(graph: Graph, node: Node) -> bool:
    """Whether a node is (x - mean(x)) ** 2 of an input x."""
    if node.op != "mul" or node.args[0] != node.args[1]:
        return False
    distance = graph[node.args[0]]
    if distance.op != "sub":
        return False
    element, mean = (graph[arg] for arg in distance.args)
    return element.op == "input" and mean.op == "reduce_mean" and mean.args == distance.args[:1]


def by_columns(graph: Graph, at: int) -> bool:
    """Whether a node has one value a column."""
    node = graph[at]
    if node.uniform or node.op == "const" or node.op in REDUCE:
        return True
    return bool(node.args) and all(by_columns(graph, arg) for arg in node.args)
