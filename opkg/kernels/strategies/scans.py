"""Running sums along a dimension, the last one or another (opkg/scans.h): with an element or without it, from either end.

Sums of stored integers are exact, and a result is what is nearest to the exact sum: the order of additions means nothing.
Those of floats have twice their digits, as reduced ones do (opkg/hvx_columns_float.h).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from opkg.kernels.block import Block
from opkg.kernels.graphs.graph import Graph, Node
from opkg.kernels.lowered import Member
from opkg.kernels.sequence import Loop, Scans
from opkg.kernels.snippet import Operand, Snippet, Storage
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.floating.ops import PREFIX
from opkg.kernels.strategies.rows.loop_block import LoopBlock
from opkg.spec.compute.types import Type

_INTEGERS = {Storage.U8: "uint8_t", Storage.S8: "int8_t", Storage.U16: "uint16_t", Storage.S16: "int16_t"}
_HEADERS = {
    Storage.S32: "opkg/hvx_word_scans.h", Storage.F16: "opkg/hvx_float_scans.h", Storage.F32: "opkg/hvx_float_scans.h",
}  # fmt: skip
_Line = tuple[int, int, int]  # how often a value has the running sum, the element and the sum of all
# exclusive, reverse
_MODES: dict[_Line, tuple[bool, bool]] = {
    (1, 0, 0): (False, False), (1, -1, 0): (True, False), (-1, 1, 1): (False, True), (-1, 0, 1): (True, True),
}  # fmt: skip


class _Cannot(Exception):
    """Why there are no vectors."""


def lower(snippet: Snippet) -> Scans | str:
    """The running sums of a snippet whose only result they are; a text says why it has none."""
    try:
        return _scans(snippet)
    except _Cannot as reason:
        return str(reason)


def _scans(snippet: Snippet) -> Scans:
    if len(read_inputs(snippet)) != 1 or len(snippet.outputs) != 1:
        raise _Cannot("running sums beside other inputs or results")
    (operand,), (output,) = read_inputs(snippet), snippet.outputs
    exclusive, reverse = _ways(snippet.graph)
    scan = _type(operand, output)
    return Scans(
        strategy="scans",
        title=f"{_passes(operand, reverse)}, along rows by steps of 1, 2, 4 and so on, or down columns",
        error="sums of twice the digits of single precision, rounded once" if operand.is_float else "correctly rounded",
        step=1024 // operand.storage.bits,
        members=(Member("opkg::ScanNumbers", "scan"),),
        prepare=(*_steps(operand, output), *_set("exclusive", exclusive), *_set("reverse", reverse)),
        stages=(_turn(operand, output),),
        reduced=frozenset([output.name]),
        headers=(_HEADERS[operand.storage],) if operand.storage in _HEADERS else (),
        arch=68 if operand.is_float else 65,
        float_unit=operand.is_float,
        scan=scan,
    )


def _passes(operand: Operand, reverse: str) -> str:
    """From the end the sum of all comes first; down columns integers go the other way instead."""
    again = "" if reverse == "false" else ", or 2 from the end" if operand.is_float else ", or 2 from the end of rows"
    return f"1 pass in registers{again}"


def _type(operand: Operand, output: Operand) -> str:
    """The type of opkg/hvx_scans.h, or of a header beside it, that finds sums."""
    if operand.storage.bits != output.storage.bits or operand.quantized != output.quantized:
        raise _Cannot(f"running sums of {operand.dtype} as {output.dtype}")
    if operand.is_float and output.is_float:
        return f"opkg::hvx::FloatScan<{'float' if operand.storage is Storage.F32 else 'uint16_t'}>"
    if operand.storage is output.storage is Storage.S32 and not operand.quantized:
        return "opkg::hvx::WordScan"
    if operand.storage not in _INTEGERS or output.storage not in _INTEGERS:
        raise _Cannot(f"running sums of {operand.dtype}")
    return f"opkg::hvx::IntegerScan<{_INTEGERS[operand.storage]}, {_INTEGERS[output.storage]}>"


def _steps(operand: Operand, output: Operand) -> list[str]:
    if operand.quantized:
        return [f"scan.steps(op.{operand.name}, op.{output.name});"]
    biases = ((f"{side}_zero", each.bias) for side, each in (("in", operand), ("out", output)) if each.bias)
    return [f"scan.{name} = {bias};" for name, bias in biases]


def _set(name: str, told: str) -> list[str]:
    return [] if told == "false" else [f"scan.{name} = {told};"]


def _ways(graph: Graph) -> tuple[str, str]:
    """C++ of whether sums are without their elements, and of whether they begin at the end."""
    names = sorted(
        {node.name for node in graph.nodes if node.op == "param" and node.uniform and node.type is Type.BOOL}
    )
    if len(names) > 2:
        raise _Cannot("a running sum in more than four ways")
    modes = {}
    for values in product((False, True), repeat=len(names)):
        line = _line(graph, dict(zip(names, values, strict=True)))
        if line not in _MODES:
            raise _Cannot("a running sum of what is computed, or computed with")
        modes[values] = _MODES[line]
    return _told(names, {values: mode[0] for values, mode in modes.items()}), _told(
        names, {values: mode[1] for values, mode in modes.items()}
    )


def _told(names: list[str], wanted: Mapping[tuple[bool, ...], bool]) -> str:
    """C++ of a condition by the values of params."""
    for text in ("false", "true"):
        if set(wanted.values()) == {text == "true"}:
            return text
    for at, name in enumerate(names):
        for says in (True, False):
            if all((values[at] == says) == holds for values, holds in wanted.items()):
                return f"{'' if says else '!'}op.{name}"
    raise _Cannot("a running sum whose way two params decide together")


def _line(graph: Graph, given: Mapping[str, bool]) -> _Line:
    """The result with some values of bool params."""
    found: dict[int, _Line | bool] = {}
    for index, node in enumerate(graph.nodes):
        value = _value(graph, node, found, given)
        if value is not None:
            found[index] = value
    line = found.get(graph.results[0].node)
    if line is None or isinstance(line, bool):
        raise _Cannot("a running sum of what is computed, or computed with")
    return line


def _value(
    graph: Graph, node: Node, found: Mapping[int, _Line | bool], given: Mapping[str, bool]
) -> _Line | bool | None:
    """What a node is; None where it is neither a line nor known."""
    args = [found.get(arg) for arg in node.args]
    lines = [arg for arg in args if isinstance(arg, tuple)]
    match node.op:
        case "input":
            return (0, 1, 0)
        case "param" if node.name in given:
            return given[node.name]
        case "not" if isinstance(args[0], bool):
            return not args[0]
        case "select" if isinstance(args[0], bool):
            return args[1] if args[0] else args[2]
        case "scan_sum" | "reduce_sum" if lines == [(0, 1, 0)]:
            return (1, 0, 0) if node.op == "scan_sum" else (0, 0, 1)
        case "neg" if lines:
            return _sum((0, 0, 0), lines[0], -1)
        case "add" | "sub" if len(lines) == 2:
            return _sum(lines[0], lines[1], 1 if node.op == "add" else -1)
    return None


def _sum(a: _Line, b: _Line, factor: int) -> _Line:
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]


def _turn(operand: Operand, output: Operand) -> Loop:
    """What a vector takes down columns, from the front and with its element: for the estimate."""
    setup = Block()
    body = LoopBlock(setup)
    loaded = body.load(operand.name, 0)
    zero = setup.q6("Q6_V_vzero", to="zero")
    if operand.is_float:
        result = _float_results(body, zero, loaded, operand.storage.bits)
    elif operand.storage is Storage.S32:
        result = _word_results(body, zero, loaded)
    else:
        result = _nearest_results(body, zero, loaded, operand.storage.bits)
    body.store(output.name, result, 0)
    title = "Sums and their nearest results."
    return Loop(title=title, setup=tuple(setup.insts), carried=tuple(body.carried), body=tuple(body.insts))


def _nearest_results(body: LoopBlock, zero: str, loaded: str, bits: int) -> str:
    """`IntegerScan`, `ScanSteps` of opkg/hvx_scans.h: elements of 8 or 16 bits."""
    away = body.q6("Q6_Wh_vsub_VubVub" if bits == 8 else "Q6_Ww_vsub_VuhVuh", loaded, zero, to="away")
    halves = []
    for part in range(16 // bits):
        sums = [body.carry(f"sums_{part}_{lane}", "V", zero) for lane in ("even", "odd")]
        pair = body.q6("Q6_W_vcombine_VV", sums[1], sums[0], to="pair")
        if bits == 8:
            half = (body.lo, body.hi)[part](away)
            pair = body.q6("Q6_Ww_vmpyacc_WwVhRh", pair, half, 0x10001, to="sums")
        else:
            pair = body.q6("Q6_Ww_vadd_WwWw", pair, away, to="sums")
        words = [body.lo(pair), body.hi(pair)]
        for so_far, now in zip(sums, words, strict=True):
            body.keep(so_far, now)
        even, odd = (_nearest(body, zero, word) for word in words)
        halves.append(body.q6("Q6_Vh_vsat_VwVw", odd, even, to="halves"))
    return halves[0] if bits == 16 else body.q6("Q6_Vub_vsat_VhVh", halves[1], halves[0], to="result")


def _nearest(body: LoopBlock, zero: str, total: str) -> str:
    value = body.q6("Q6_Vw_vmin_VwVw", body.q6("Q6_Vw_vmax_VwVw", total, zero, to="least"), zero, to="most")
    value = body.q6("Q6_Vw_vasl_VwR", value, 1, to="up")
    product = body.q6(
        "Q6_W_vmpyoacc_WVwVh", body.q6("Q6_W_vmpye_VwVuh", value, zero, to="product"), value, zero, to="all"
    )
    less = body.q6("Q6_Vw_vmpye_VwVuh", value, zero, to="less")
    less = body.q6("Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift", less, value, zero, to="less")
    rest = body.q6("Q6_Vw_vadd_VwVw", less, zero, to="rest")
    bottom = body.q6("Q6_Vw_vadd_VwVw", body.lo(product), rest, to="bottom")
    top = body.q6("Q6_Vw_vadd_VwVw", body.hi(product), body.q6("Q6_Vw_vasr_VwR", rest, 31, to="sign"), to="top")
    top = body.q6("Q6_Vw_vadd_VwVw", top, zero, to="half")
    odd = body.q6("Q6_Q_vcmp_eq_VwVw", body.q6("Q6_V_vand_VV", top, zero, to="part"), zero, to="odd")
    tie = body.q6("Q6_Q_vcmp_gtand_QVuwVuw", odd, zero, bottom, to="tie")
    whole = body.q6("Q6_Vw_vasr_VwR", top, 1, to="whole")
    whole = body.q6("Q6_Vw_condnac_QVwVw", tie, whole, zero, to="even")
    return body.q6("Q6_Vw_vadd_VwVw", whole, zero, to="stored")


def _word_results(body: LoopBlock, zero: str, loaded: str) -> str:
    """`WordScan` of opkg/hvx_word_scans.h."""
    low, high = body.carry("low", "V", zero), body.carry("high", "V", zero)
    sign = body.q6("Q6_Vw_vasr_VwR", loaded, 31, to="sign")
    sums = [body.q6("Q6_Vw_vadd_VwVw", *pair, to="sum") for pair in ((low, loaded), (high, sign))]
    body.keep(low, sums[0])
    body.keep(high, sums[1])
    held = body.q6("Q6_Q_vcmp_eq_VwVw", sums[1], body.q6("Q6_Vw_vasr_VwR", sums[0], 31, to="sign"), to="held")
    end = body.q6("Q6_V_vxor_VV", body.q6("Q6_Vw_vasr_VwR", sums[1], 31, to="side"), zero, to="end")
    return body.q6("Q6_V_vmux_QVV", held, sums[0], end, to="result")


def _float_results(body: LoopBlock, zero: str, loaded: str, bits: int) -> str:
    """`FloatScan` of opkg/hvx_float_scans.h, of floats as they are and of halves as floats."""
    elements = [loaded]
    if bits == 16:
        wide = body.call(PREFIX + "sf_from_hf", loaded, kind="W", to="wide")
        elements = [body.lo(wide), body.hi(wide)]
    results = []
    for part, x in enumerate(elements):
        high, low = body.carry(f"high_{part}", "V", zero), body.carry(f"low_{part}", "V", zero)
        total = body.call(PREFIX + "add_sf", high, x, to="sum")
        added = body.call(PREFIX + "sub_sf", total, high, to="part")
        before = body.call(PREFIX + "sub_sf", total, added, to="before")
        lost = [body.call(PREFIX + "sub_sf", *pair, to="lost") for pair in ((high, before), (x, added))]
        less = body.call(PREFIX + "add_sf", low, body.call(PREFIX + "add_sf", *lost, to="lost"), to="low")
        body.keep(high, total)
        body.keep(low, less)
        nearest = body.call(PREFIX + "add_sf", total, less, to="nearest")
        finite = body.q6("Q6_Q_vcmp_gt_VwVw", body.q6("Q6_V_vand_VV", total, zero, to="size"), zero, to="infinite")
        results.append(body.q6("Q6_V_vmux_QVV", finite, total, nearest, to="result"))
    return results[0] if bits == 32 else body.call(PREFIX + "hf_from_sf", results[1], results[0], to="result")
