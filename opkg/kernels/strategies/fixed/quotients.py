"""Whole quotients of quantized tensors by others, and what they leave, exactly (templates/qnn/hvx_quotient.h).

`a // b`, `a % b`, and floor, ceil and trunc of `a / b`, as a result of its own.
"""

from __future__ import annotations

from opkg.kernels.block import Block
from opkg.kernels.graphs.graph import Graph, Node
from opkg.kernels.lowered import Lowered, Member
from opkg.kernels.snippet import Operand, Snippet, Storage
from opkg.kernels.strategies.fixed.cache import HEADERS as CACHE_HEADERS
from opkg.kernels.strategies.fixed.cache import kept_lines

HEADERS = ("opkg/hvx_quotient.h", *CACHE_HEADERS)
_MEMBER = "quotient_"
_ASKED = {"floor_div": "down", "mod": "rest"}
_ROUNDED = {"floor": "down", "ceil": "up", "trunc": "whole"}  # of a quotient
# Packets of 128 quotients: of 8 digits and of 16.
PACKETS = {"opkg::hvx::QuotientOf": 75.0}


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
    halves = [_halves(setup, body, operand, split) for operand in (a, b)]
    function = f"opkg::hvx::QuotientOf<opkg::fixed::Asked::{asked}{', true' if flipped else ''}>{{{_MEMBER}}}"
    results = body.call(function, *halves, kind="W", to=output.name)
    for part, vector in enumerate(_stored(setup, body, output, results, split)):
        body.store(output.name, vector, part)
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
    lines = [
        f"if (!opkg::fixed::legal<{o.element}>(op.{o.name}.scale, op.{o.name}.zero)) return false;"
        for o in dict.fromkeys((a, b, output))
    ]
    numbers = []
    for operand in (a, b, output):
        low, high = operand.storage.limits
        zero = f"op.{operand.name}.zero{f' + {-low}' if low else ''}"
        numbers += [f"static_cast<double>(op.{operand.name}.scale)", zero, str(high - low)]
    return [*lines, f"if (!{_MEMBER}.fit(opkg::fixed::Asked::{asked}, {', '.join(numbers)})) return false;"]


def _splat(setup: Block, value: str) -> str:
    return setup.q6("Q6_V_vsplat_R", value, to=f"all_{value.removeprefix('0x')}")


def _halves(setup: Block, body: Block, operand: Operand, split: bool) -> str:
    """128 elements from 0 on, as two vectors: of even and of odd ones, or in their order."""
    name = operand.name
    if operand.storage.bits == 8:
        value = body.load(name)
        if operand.storage.signed:
            value = body.q6("Q6_V_vxor_VV", value, _splat(setup, "0x80808080"), to=f"{name}_u")
        return body.q6("Q6_Wuh_vzxt_Vub", value, to=f"{name}_wide")
    loaded = [body.load(name, part) for part in range(2)]
    if operand.storage is Storage.S16:
        loaded = [body.q6("Q6_V_vxor_VV", v, _splat(setup, "0x80008000"), to=f"{name}_u") for v in loaded]
    if split:
        return body.q6("Q6_W_vdeal_VVR", loaded[1], loaded[0], "-2", to=f"{name}_split")
    return body.pair(loaded[1], loaded[0], to=f"{name}_pair")


def _stored(setup: Block, body: Block, output: Operand, results: str, split: bool) -> list[str]:
    """The results as they lie in memory."""
    name = output.name
    if output.storage.bits == 8:
        found = [body.q6("Q6_Vub_vsat_VhVh", body.hi(results), body.lo(results), to=name)]
        return [_as_signed(setup, body, output, v, "0x80808080") for v in found] if output.storage.signed else found
    if split:
        results = body.q6("Q6_W_vshuff_VVR", body.hi(results), body.lo(results), "-2", to=f"{name}_pair")
    found = [body.lo(results), body.hi(results)]
    return found if output.storage.signed else [_as_signed(setup, body, output, v, "0x80008000") for v in found]


def _as_signed(setup: Block, body: Block, output: Operand, value: str, bits: str) -> str:
    return body.q6("Q6_V_vxor_VV", value, _splat(setup, bits), to=output.name)
