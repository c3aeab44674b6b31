"""Whole quotients of quantized tensors by others, and what they leave, exactly (templates/qnn/hvx_quotient.h).

`a // b`, `a % b`, and floor, ceil and trunc of `a / b`, as a result of its own.
"""

from __future__ import annotations

from opkg.kernels.block import Block
from opkg.kernels.graphs.graph import Graph, Node
from opkg.kernels.lowered import Lowered, Member
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.strategies.fixed.cache import HEADERS as CACHE_HEADERS
from opkg.kernels.strategies.fixed.cache import kept_lines
from opkg.kernels.strategies.fixed.halves_of import halves_of, legal, result_numbers, store_halves

HEADERS = ("opkg/hvx_quotient.h", *CACHE_HEADERS)
_MEMBER = "quotient_"
_ASKED = {"floor_div": "down", "mod": "rest"}
_ROUNDED = {"floor": "down", "ceil": "up", "trunc": "whole"}  # of a quotient
# Packets of 128 quotients, of one digit; measured are 87 of 8 and 108 of 16.
PACKETS = {"opkg::hvx::QuotientOf": 65.0}


def lower(snippet: Snippet) -> Lowered | None:
    """The kernel of a result that is such a quotient or rest."""
    found = _question(snippet.graph)
    if found is None:
        return None
    asked, flipped, first, second = found
    a, b, output = snippet.operand(first.name), snippet.operand(second.name), snippet.outputs[0]
    setup = Block()
    body = Block(setup)
    split = any(o.storage.bits == 8 for o in (a, b, output))
    halves = [halves_of(setup, body, operand, split) for operand in (a, b)]
    function = f"opkg::hvx::QuotientOf<opkg::fixed::Asked::{asked}{', true' if flipped else ''}>{{{_MEMBER}}}"
    store_halves(setup, body, output, body.call(function, *halves, kind="W", to=output.name), split)
    members = (Member("opkg::fixed::Quotient", _MEMBER, "the quotient of the scales, and the step of the result"),)
    return Lowered(
        strategy="fixed",
        title="whole numbers divided digit by digit",
        error="whole numbers are exact, results within 1 step of the correctly rounded one",
        step=128,
        members=members,
        prepare=kept_lines(snippet, members, _fit(asked, a, b, output)),
        setup=tuple(setup.insts),
        body=tuple(body.insts),
        headers=HEADERS,
        arch=62,
        unroll=1,
    )


def _question(graph: Graph) -> tuple[str, bool, Node, Node] | None:
    """What is asked, whether of the negative quotient, and both operands."""
    if graph.reductions or len(graph.results) != 1:
        return None
    node = graph[graph.results[0].node]
    asked = _ASKED.get(node.op, "")
    if node.op in _ROUNDED and graph[node.args[0]].op == "div":
        asked, node = _ROUNDED[node.op], graph[node.args[0]]
    if not asked:
        return None
    flipped, operands = False, []
    for arg in node.args:
        operand = graph[arg]
        if operand.op == "neg" and asked != "rest":
            flipped, operand = not flipped, graph[operand.args[0]]
        operands.append(operand)
    if any(operand.op != "input" for operand in operands):
        return None
    return asked, flipped, operands[0], operands[1]


def _fit(asked: str, a: Operand, b: Operand, output: Operand) -> list[str]:
    """Statements of `prepare`."""
    numbers = ", ".join([*map(result_numbers, (a, b, output))])
    return [*legal((a, b, output)), f"if (!{_MEMBER}.fit(opkg::fixed::Asked::{asked}, {numbers})) return false;"]
