"""Functions of elements of a column of floats and of its extreme (`exp(x - max(x))`), summed up in a second pass."""

from __future__ import annotations

from opkg.kernels.block import Block
from opkg.kernels.emit.phrases import step_lines
from opkg.kernels.graphs.graph import REDUCE, Graph
from opkg.kernels.sequence import About
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.strategies.columns.functions import ElementFunction
from opkg.kernels.strategies.floating.strategy import LARGE_PARTS
from opkg.kernels.strategies.floating.uniform import UnableError, Uniforms
from opkg.kernels.strategies.rows.plan import Cannot
from opkg.spec.compute.types import Type


def extreme_of(graph: Graph, at: int) -> int | None:
    """The extreme of elements that a real node is made of, beside elements; None where it is made of anything else."""
    found: set[int] = set()
    todo = [at]
    while todo:
        node = graph[index := todo.pop()]
        if node.op in REDUCE:
            found.add(index)
        elif not node.uniform:
            todo += node.args
    if len(found) != 1 or graph[at].type is not Type.REAL:
        return None
    (extreme,) = found
    node = graph[extreme]
    return extreme if node.op in ("reduce_max", "reduce_min") and graph[node.args[0]].op == "input" else None


def about_of(snippet: Snippet, operand: Operand, at: int, extreme: int, number: int, uniforms: Uniforms) -> About:
    """The C++ of a function of 32 elements and of an extreme, number `number` of what is found. Raises Cannot."""
    setup = Block()
    body = Block(setup)
    elements, number_name = body.load(operand.name), body.load(f"{operand.name}_extreme")
    value = about_value(snippet, operand, (at, extreme), setup, body, (elements, number_name), uniforms)
    insts = [*setup.insts, *body.insts]
    large = any(inst.op in LARGE_PARTS for inst in insts)
    return About(number, elements, number_name, (*step_lines(insts, lambda inst: "", ()), f"return {value};"), large)


def about_value(
    snippet: Snippet, operand: Operand, nodes: tuple[int, int], setup: Block, body: Block, names: tuple[str, str],
    uniforms: Uniforms,
) -> str:  # fmt: skip
    """The same as instructions of `setup` and `body`: the vector that has the values. `nodes`: the function, the extreme;
    `names`: of elements, of the extreme. Raises Cannot."""
    at, extreme = nodes
    elements, number = names
    try:
        return _About(snippet, operand, setup, body, elements, {extreme: number}, uniforms).value(at)
    except UnableError as reason:
        raise Cannot(str(reason)) from None


class _About(ElementFunction):
    """The same, of what is found of a column, too."""

    def __init__(
        self, snippet: Snippet, operand: Operand, setup: Block, body: Block, elements: str, known: dict[int, str],
        uniforms: Uniforms,
    ) -> None:  # fmt: skip
        super().__init__(snippet, operand, setup, body, elements)
        self.known = known
        self.uniforms = uniforms.beside(setup)
