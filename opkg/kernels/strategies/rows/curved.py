"""Results of 8 bits that are smooth functions of a form of their row (a norm, then SiLU): the form in 16 bits, then cubics of it.

The form's scale is found with the function (`templates/qnn/hvx_curve_inner.h`): as fine as 16 bits allow where the function's
results are neither saturated nor those of its ends.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from opkg.kernels.graphs.graph import Graph, Result
from opkg.kernels.graphs.nodes import needed, with_inputs
from opkg.kernels.lowered import Member
from opkg.kernels.snippet import Operand, Snippet, Storage
from opkg.kernels.strategies import curves
from opkg.kernels.strategies.fixed.cache import kept_lines
from opkg.spec.dtypes import DTYPES

HEADERS = ("opkg/hvx_curve_inner.h", *curves.HEADERS)


@dataclass(frozen=True, slots=True)
class Curve:
    """The function `graph` of one input, and the `output` that it gives."""

    graph: Graph
    output: Operand

    @property
    def inner(self) -> str:
        """Name of the form in C++."""
        return f"{self.output.name}_inner"

    @property
    def member(self) -> str:
        return f"{self.output.name}_curve"

    def prepare(self, snippet: Snippet, steps: str) -> tuple[str, ...]:
        """Statements that set the curve and the steps of the form."""
        y = self.output.name
        offset = -self.output.storage.limits[0]
        zero = f"op.{y}.zero + {offset}" if offset else f"op.{y}.zero"
        lines = [
            f"if (!opkg::fixed::legal<{self.output.element}>(op.{y}.scale, op.{y}.zero)) return false;",
            *curves.function_lines(self.graph),
            f"if (!opkg::fixed::fit_of_bytes({self.member}, {steps}, function, argument, op.{y}.scale, {zero})) return false;",
        ]
        members = (Member("opkg::Steps", steps), self.curve)
        return kept_lines(replace(snippet, graph=Graph((), ()), outputs=(self.output,)), members, lines)

    @property
    def curve(self) -> Member:
        return Member("opkg::fixed::Curve", self.member, f"{self.output.name} of {self.inner}")


def curved(snippet: Snippet) -> tuple[Snippet, Curve] | None:
    """The snippet whose only result is the form, and the function of it; None where there is no such function."""
    if len(snippet.outputs) != 1 or len(snippet.graph.results) != 1:
        return None
    (output,), (result,) = snippet.outputs, snippet.graph.results
    if not output.quantized or output.storage.bits != 8:
        return None
    found = _form(snippet.graph, result)
    if found is None:
        return None
    at, function = found
    curve = Curve(function, output)
    inner = replace(output, name=curve.inner, dtype=DTYPES["ufixed16"], storage=Storage.U16, element="uint16_t")
    graph = needed(snippet.graph.nodes, [Result(curve.inner, at)])
    return replace(snippet, graph=graph, outputs=(inner,)), curve


def _form(graph: Graph, result: Result) -> tuple[int, Graph] | None:
    """The value that the result is a smooth function of, and that function."""
    for at in range(result.node - 1, -1, -1):
        if graph[at].uniform or graph[at].op in ("const", "input", "param"):
            continue
        function = with_inputs(graph, {at: "x"}, [result])
        tensors = [node for node in function.nodes if node.op in ("input", "param") and not node.uniform]
        if len(tensors) == 1 and not function.reductions and curves.is_smooth(function):
            return at, function
    return None
