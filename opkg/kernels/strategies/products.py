"""Products of the elements of rows or columns, as mantissas and exponents in whole numbers (templates/qnn/hvx_factors.h).

A result of its own, of one input with results of its own kind; on any architecture, of floats too.
"""

from __future__ import annotations

from opkg.kernels.block import Block
from opkg.kernels.lowered import Member
from opkg.kernels.sequence import Loop, Scans
from opkg.kernels.snippet import Operand, Snippet, Storage
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.rows.loop_block import LoopBlock

_STORED = {Storage.U8: "uint8_t", Storage.S8: "int8_t", Storage.U16: "uint16_t", Storage.S16: "int16_t"}
_MANTISSA = {Storage.F16: 10, Storage.F32: 23}


def lower(snippet: Snippet) -> Scans | None:
    """The product of a snippet whose only result it is."""
    graph = snippet.graph
    if len(graph.results) != 1 or len(snippet.outputs) != 1 or len(read_inputs(snippet)) != 1:
        return None
    node = graph[graph.results[0].node]
    if node.op != "reduce_prod" or graph[node.args[0]].op != "input":
        return None
    (operand,), (output,) = read_inputs(snippet), snippet.outputs
    kind = _type(operand, output)
    if not kind:
        return None
    steps = (f"scan.steps(op.{operand.name}, op.{output.name});",) if operand.quantized else ()
    exact = "each factor rounds to 2^-30 of the product, which is rounded once"
    return Scans(
        strategy="rows",
        title="1 pass in mantissas and exponents, along rows or down columns",
        error=exact if operand.is_float else "within 1 step of the correctly rounded result",
        step=1024 // operand.storage.bits,
        members=(Member("opkg::ScanNumbers", "scan"),),
        prepare=steps,
        stages=(_turn(operand),),
        reduced=frozenset([output.name]),
        headers=("opkg/hvx_factors.h",),
        arch=65,
        scan=kind,
    )


def _type(operand: Operand, output: Operand) -> str:
    """The type of opkg/hvx_factors.h that finds products; empty where there is none."""
    if operand.is_float and output.storage is operand.storage:
        stored = "float" if operand.storage is Storage.F32 else "uint16_t"
        return (
            f"opkg::hvx::ElementProducts<{stored}, {stored}, opkg::hvx::FloatMantissas<{_MANTISSA[operand.storage]}>>"
        )
    if not (operand.quantized and output.quantized) or operand.storage.bits != output.storage.bits:
        return ""
    if operand.storage not in _STORED or output.storage not in _STORED:
        return ""
    given, found = _STORED[operand.storage], _STORED[output.storage]
    return f"opkg::hvx::ElementProducts<{given}, {found}, opkg::hvx::StoredMantissas<{given}>>"


def _turn(operand: Operand) -> Loop:
    """What a vector of elements takes, for the estimate."""
    setup = Block()
    body = LoopBlock(setup)
    none = setup.q6("Q6_V_vsplat_R", "0", to="none")
    product = body.carry("product", "V", none)
    words = 32 // operand.storage.bits
    value, part = product, body.load(operand.name, 0)
    for _ in range(words):
        value = body.q6("Q6_Vw_vmpye_VwVuh", value, part, to="low")
        value = body.q6("Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift", value, value, part, to="product")
        for _ in range(5):
            value = body.q6("Q6_Vw_vadd_VwVw", value, part, to="size")
            value = body.q6("Q6_Vw_vasl_VwVw", value, part, to="size")
    body.keep(product, value)
    return Loop(title="Factors.", setup=tuple(setup.insts), carried=tuple(body.carried), body=tuple(body.insts))
