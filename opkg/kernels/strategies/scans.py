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
    return Scans(
        strategy="scans",
        title="1 pass in registers, along rows by steps of 1, 2, 4 and so on, or down columns",
        error="sums of twice the digits of single precision, rounded once" if operand.is_float else "correctly rounded",
        step=1024 // operand.storage.bits,
        members=(Member("opkg::ScanNumbers", "scan"),),
        prepare=(*_steps(operand, output), *_set("exclusive", exclusive), *_set("reverse", reverse)),
        stages=(_turn(operand, output),),
        reduced=frozenset([output.name]),
        headers=(_HEADERS[operand.storage],) if operand.storage in _HEADERS else (),
        arch=65,
        float_unit=operand.is_float,
        scan=_type(operand, output),
    )


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
    """What a vector takes down columns, for the estimate: additions and results of words."""
    setup = Block()
    body = LoopBlock(setup)
    zero = setup.q6("Q6_V_vzero", to="zero")
    element = body.load(operand.name, 0)
    results = []
    for part in range(32 // operand.storage.bits):
        so_far = body.carry("sum", "V", zero)
        total = body.q6("Q6_Vw_vadd_VwVw", so_far, element, to="sum")
        body.keep(so_far, total)
        wide = body.q6("Q6_W_vmpye_VwVuh", total, zero, to="product")
        wide = body.q6("Q6_W_vmpyoacc_WVwVh", wide, total, zero, to="product")
        less = body.q6("Q6_Vw_vmpye_VwVuh", total, zero, to="less")
        less = body.q6("Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift", less, total, zero, to="less")
        value = body.q6("Q6_Vw_vadd_VwVw", less, body.hi(wide), to="value")
        for step in range(8):
            value = body.q6("Q6_Vw_vadd_VwVw", value, body.lo(wide) if step % 2 else less, to="value")
        results.append(body.q6("Q6_Vw_vasr_VwR", value, str(part), to="result"))
    body.store(output.name, results[-1], 0)
    title = "Sums and their nearest results."
    return Loop(title=title, setup=tuple(setup.insts), carried=tuple(body.carried), body=tuple(body.insts))
