"""The rows struct of one kernel and one choice of optional inputs: its members, portable code and vector code."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from opkg.kernels.emit.between import between_of
from opkg.kernels.emit.columns import (
    LINE_MEMBER,
    WIDE_MEMBER,
    column_lines,
    fold_lines,
    line_lines,
    line_prepare,
    spread_lines,
    spread_member,
    spread_prepare,
    wide_prepare,
)
from opkg.kernels.emit.elements import elements
from opkg.kernels.emit.one_row import counting, numbers_of
from opkg.kernels.emit.parts import reduces
from opkg.kernels.emit.row_calls import counted_prepare, in_panels, lanes_of, reduced_lines, way_of
from opkg.kernels.emit.rows import aligned, member_lines, runs, shifted, turn, vector_lines
from opkg.kernels.emit.rows_code import RowsCode
from opkg.kernels.emit.sequence import same_inputs, sequence_lines
from opkg.kernels.emit.slots import slot_lines
from opkg.kernels.emit.steps import common_step
from opkg.kernels.emit.views import copied, views_of
from opkg.kernels.lowered import Lowered
from opkg.kernels.portable.axes import Axes, axes_of
from opkg.kernels.portable.common import common_rows
from opkg.kernels.portable.reduce import axes_arguments, portable_rows
from opkg.kernels.portable.rows import moved, portable
from opkg.kernels.sequence import Columns, Places, Scans
from opkg.kernels.sequence import Sequence as Loops
from opkg.kernels.snippet import Snippet
from opkg.kernels.snippets import read_inputs
from opkg.spec.model import Op

_HVX = "OPKG_HVX"
_OLDEST = 66  # the oldest architecture with HTP
NO_NUMBERS: Mapping[str, float] = MappingProxyType({})


@dataclass(slots=True)
class _Lines:
    """The lines of a struct's parts while they are made."""

    members: list[str]
    prepare: list[str]
    vector: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)  # portable members that vector code calls


def rows_code(
    op: Op,
    snippet: Snippet,
    lowered: Lowered | Loops | None,
    filled: Mapping[str, float] = NO_NUMBERS,
    kept: bool = False,
) -> RowsCode:
    """The rows struct of one snippet. `filled`: inputs of which a number may stand for all elements. `kept`: only prepared
    graphs make it."""
    read = replace(snippet, inputs=read_inputs(snippet))
    op = snippet.passing.op if snippet.passing is not None else op
    axes = axes_of(op, snippet.graph) if reduces(snippet) else None
    part = portable(snippet) if axes is None else portable_rows(snippet, axes)
    lines = _Lines([f"{m.type} {m.name};" for m in part.members], list(part.prepare))
    copies = copied(snippet, read.inputs)
    if copies is not None:
        lines.members.append("bool copies;  // elements as they are stored")
        lines.prepare.append(f"copies = {copies.alike};")
    if lowered is None:
        lines.prepare.append("return false;")
    else:
        _add_vectors(lines, read, lowered, filled, kept, {member.name.partition("[")[0] for member in part.members})
        _add_lines(lines, snippet, lowered, axes)
    return RowsCode(
        snippet.struct,
        _notes(snippet, lowered),
        0 if isinstance(lowered, Columns | Places | Scans) else lowered.step if lowered is not None else 128,
        read.inputs,
        snippet.outputs,
        sum(1 << i for i, o in enumerate(read.inputs) if o.may_broadcast),
        tuple(aligned(lines.members)),
        tuple(aligned(lines.prepare)),
        (*_beside(lowered, (*part.element, *(elements(snippet) if axes is None else ()))), *lines.beside),
        _guard(lowered),
        tuple(aligned(lines.vector)),
        _run(snippet) if axes is None else _reduce(snippet, axes, way_of(lowered), in_panels(lowered)),
        ", ".join(["op", *(axes_arguments(snippet, axes) if axes is not None else ()), _operands(snippet)]),
        way_of(lowered),
        axes is not None,
        axes.bits if axes is not None else "",
        isinstance(lowered, Columns) and lowered.norm is not None,
        turn=turn(read, lowered) if isinstance(lowered, Lowered) else 0,
        shifted=shifted(lowered) if isinstance(lowered, Lowered) else 0,
        common=common_rows(snippet, axes) if axes is not None else (),
        views=views_of(snippet) if snippet.views else None,
        runs=runs(snippet, lowered) if snippet.views and isinstance(lowered, Lowered) else "",
        copied=copies,
        between=between_of(snippet),
        panels=in_panels(lowered),
        fills=snippet.fills,
    )


def _notes(snippet: Snippet, lowered: Lowered | Loops | None) -> tuple[str, ...]:
    """The comment over the struct: what it computes, and how."""
    notes = [f"{snippet.function}:" + (" without " + " and ".join(sorted(snippet.missing)) if snippet.missing else "")]
    if not snippet.missing:  # else the text stands with the struct of all inputs
        notes += [f"  {line}" for line in snippet.text.split("\n")]
    notes = [" ".join((notes[0], notes[1].strip()))] if len(notes) == 2 else notes
    notes.append(f"{lowered.title}: {lowered.error}." if lowered is not None else "Portable code only.")
    if _reads_rounded(snippet):
        notes.append(
            "Numbers of passes before are float32, also those of portable code: results are less exact where they cancel."
        )
    return tuple(notes)


def _reads_rounded(snippet: Snippet) -> bool:
    """Whether a pass on its way to quantized tensors reads numbers that one before has rounded."""
    numbers = snippet.passing.numbers if snippet.passing is not None else ()
    rounded = {number.name for number in numbers if not number.source and not number.result}
    quantized = any(operand.quantized for operand in (*snippet.inputs, *snippet.outputs))
    return quantized and any(operand.name in rounded for operand in snippet.inputs)


def _add_vectors(
    lines: _Lines,
    read: Snippet,
    lowered: Lowered | Loops,
    filled: Mapping[str, float],
    kept: bool,
    names: set[str],
) -> None:
    """Adds vector code, and the numbers that it takes. `names`: of the members that portable code has."""
    lines.members += [line for line in member_lines(lowered) if line not in lines.members]
    off = [o for o in (*read.inputs, *read.outputs) if moved(o)]
    lines.prepare += [f"if (op.{o.name}.zero != {o.bias}) return false;" for o in off]
    numbers = lowered.once if kept and isinstance(lowered, Lowered) and lowered.once else lowered.prepare
    lines.prepare += [*(line for line in numbers if line not in lines.prepare), "return true;"]
    names = names | {member.name.partition("[")[0] for member in lowered.members}
    lines.vector = _vector(read, lowered, filled, names, bool(filled or read.missing))
    lines.members += counting(lines.vector, lines.members)
    same_members, same_lines = same_inputs(read, lowered, filled)
    lines.members += same_members
    lines.prepare[:0] = same_lines


def _add_lines(lines: _Lines, snippet: Snippet, lowered: Lowered | Loops, axes: Axes | None) -> None:
    """Adds what only some loops over reduced dimensions have: lines of a few columns, their spread, counts of rows."""
    if axes is None:
        return
    read = replace(snippet, inputs=read_inputs(snippet))
    first = read.inputs[0].name
    lanes = lanes_of(lowered)
    if lanes is not None and lanes.line:
        lines.members.append(WIDE_MEMBER if lanes.wide else LINE_MEMBER)
        lines.prepare[-1:] = [*(wide_prepare if lanes.wide else line_prepare)(first, lanes, axes.bits), "return true;"]
        lines.beside = line_lines(read, lanes)
    if isinstance(lowered, Columns) and lowered.spread is not None:
        lines.members.append(spread_member(lowered.spread))
        lines.prepare[-1:] = [*spread_prepare(first, axes.bits), "return true;"]
        lines.beside = spread_lines(read, lowered.spread)
    if isinstance(lowered, Loops) and lowered.counted:
        lines.prepare[-1:] = [*counted_prepare(snippet, lowered, axes), "return true;"]


def _beside(lowered: Lowered | Loops | None, lines: Sequence[str]) -> list[str]:
    """Portable members; those that stand beside vector code are seldom called."""
    heads = ("void row(", "void portable(") if lowered is not None else ()
    return [f"OPKG_RARE {line}" if line.startswith(tuple(heads)) else line for line in lines]


def may_fill(lowered: Lowered | Loops | None) -> bool:
    """Whether numbers may stand for inputs of a kernel: where it goes through rows."""
    return lowered is None or (not isinstance(lowered, Lowered) and way_of(lowered) in ("", "Slots"))


def _vector(
    snippet: Snippet, lowered: Lowered | Loops, filled: Mapping[str, float], members: Collection[str], optional: bool
) -> list[str]:
    """The members with vector code. `members`: names of the others. `optional`: there are calls with other inputs."""
    if isinstance(lowered, Columns):
        return column_lines(snippet, lowered)
    if isinstance(lowered, Places):
        return [f"using PlacesOrder = {lowered.order};"]
    if isinstance(lowered, Scans):
        return [f"using Scan = {lowered.scan};"]
    if isinstance(lowered, Lowered):
        return vector_lines(snippet, lowered)
    step = common_step(lowered, members)
    between = numbers_of(lowered, optional)
    of_one = between if between is not None and between.in_loops else None
    loops = [*reduced_lines(snippet, lowered), *sequence_lines(snippet, lowered, filled, step, of_one)]
    if lowered.slots is not None and lowered.slots.text and lowered.float_unit:
        none = "bool vector(const void* const*, void* const*, size_t) const { return false; }"
        loops = ["#if OPKG_HVX_FLOAT", *loops, "#else", none, "#endif"]
    if lowered.slots is not None:
        lines = slot_lines(snippet, lowered, lowered.slots, filled, step, between)
        if lowered.slots.floats:  # in whole numbers, sums of two floats take longer than rows by themselves
            lines = ["#if OPKG_HVX_FLOAT_UNIT", *lines, "#endif"]
        return [*lines, "", *loops]
    return loops if lowered.folds is None else [*fold_lines(snippet, lowered.folds), "", *loops]


def _operands(snippet: Snippet) -> str:
    """Inputs and outputs, a list each."""
    call = "opkg::seen_operand" if snippet.views else "opkg::operand"
    sources = ", ".join(f"{call}(op.{o.name})" for o in read_inputs(snippet))
    results = ", ".join(f"{call}(op.{o.name})" for o in snippet.outputs)
    return f"{{{sources}}}, {{{results}}}" + (f", op.{snippet.fills}" if snippet.fills else "")


def _run(snippet: Snippet) -> str:
    slice_ = f", op.{snippet.slice_field}" if snippet.slice_field else ""
    call = "elementwise_amid" if snippet.fills else "elementwise_seen" if snippet.views else "elementwise"
    return f"opkg::{call}(rows, rows.prepare(op), {_operands(snippet)}{slice_})"


def _reduce(snippet: Snippet, axes: Axes, way: str, panels: bool) -> str:
    """The call for rows or columns of reduced dimensions."""
    function = f"reduce_{way.lower()}" if way else "reduce"
    function = f"reduce_panels<opkg::panels::{way or 'Rows'}>" if panels else function
    slice_ = f", op.{snippet.slice_field}" if snippet.slice_field else ""
    return f"opkg::{function}(rows, rows.prepare(op), {', '.join(axes_arguments(snippet, axes))}, {_operands(snippet)}{slice_})"


def _guard(lowered: Lowered | Loops | None) -> str:
    if lowered is None:
        return ""
    parts = [_HVX]
    slots = lowered.slots if isinstance(lowered, Loops) else None
    several = slots is not None and not slots.floats
    if lowered.float_unit and not several:
        parts.append("OPKG_HVX_FLOAT")
    elif lowered.arch > _OLDEST and not several:
        parts.append(f"(!defined(__HVX_ARCH__) || __HVX_ARCH__ >= {lowered.arch})")
    return " && ".join(parts)
