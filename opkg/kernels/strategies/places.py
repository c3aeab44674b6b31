"""Places of the largest or smallest elements along a dimension, the last one or another (opkg/places.h).

Elements are compared as whole numbers, floats too, so that places are exact on any architecture. Along the last dimension an
element and its place, from the end, are one number whose extreme is found; along others lanes are results.
"""

from __future__ import annotations

from opkg.kernels.block import Block
from opkg.kernels.graphs.graph import PLACES
from opkg.kernels.sequence import Loop, Places
from opkg.kernels.snippet import Operand, Snippet, Storage
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.rows.loop_block import LoopBlock, splat

_ORDERED = frozenset((Storage.U8, Storage.S8, Storage.U16, Storage.S16, Storage.S32, Storage.F16, Storage.F32))
_LETTER = {8: "b", 16: "h", 32: "w"}
_TYPE = {
    Storage.U8: "uint8_t", Storage.S8: "int8_t", Storage.U16: "uint16_t", Storage.S16: "int16_t",
    Storage.S32: "int32_t",
}  # fmt: skip


def lower(snippet: Snippet) -> Places | str:
    """The places of a snippet whose only result they are; a text says why it has none."""
    graph = snippet.graph
    if len(graph.results) != 1 or graph[graph.results[0].node].op not in PLACES:
        return "a place beside other results, or computed with"
    place = graph[graph.results[0].node]
    source = graph[place.args[0]]
    if source.op != "input":
        return "the place in what is computed, not in an input"
    (operand,), (output,) = read_inputs(snippet), snippet.outputs
    if operand.storage not in _ORDERED:
        return f"places in {operand.dtype}"
    if output.storage is not Storage.S32 or output.quantized:
        return f"places as {output.dtype}, not int32"
    return Places(
        strategy="places",
        title="1 pass over keys of numbers and places, or down columns",
        error="exact",
        step=1024 // operand.storage.bits,
        members=(),
        prepare=(),
        stages=(_turn(operand),),
        reduced=frozenset([output.name]),
        arch=65,
        order=_order(operand, place.op == "reduce_argmax"),
    )


def _order(operand: Operand, largest: bool) -> str:
    """The type of opkg/hvx_places.h that orders elements."""
    way = str(largest).lower()
    if operand.is_float:
        return f"opkg::hvx::FloatOrder<{operand.storage.bytes}, {way}>"
    return f"opkg::hvx::Order<{_TYPE[operand.storage]}, {way}>"


def _turn(operand: Operand) -> Loop:
    """What a vector of elements takes, for the estimate: a comparison, the larger ones, their steps."""
    setup = Block()
    body = LoopBlock(setup)
    bits = operand.storage.bits
    letter = _LETTER[bits]
    compared = f"u{letter}" if bits == 8 else letter
    lowest = setup.q6("Q6_V_vsplat_R", splat(0, bits), to="lowest")
    one = setup.q6("Q6_V_vsplat_R", splat(1, bits), to="one")
    best, step, now = (body.carry(name, "V", lowest) for name in ("best", "found", "now"))
    element = body.load(operand.name, 0)
    above = body.q6(f"Q6_Q_vcmp_gt_V{compared}V{compared}", element, best, to="above")
    body.keep(step, body.q6("Q6_V_vmux_QVV", above, now, step, to="found"))
    body.keep(best, body.q6(f"Q6_V{compared}_vmax_V{compared}V{compared}", best, element, to="best"))
    body.keep(now, body.q6(f"Q6_V{letter}_vadd_V{letter}V{letter}", now, one, to="now"))
    title = "Larger elements and their steps."
    return Loop(title=title, setup=tuple(setup.insts), carried=tuple(body.carried), body=tuple(body.insts))
