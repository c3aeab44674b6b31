"""The rows struct of one kernel and one choice of optional inputs: its members, portable code and vector code."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from opkg.kernels.emit.between import Between, between_of
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
from opkg.kernels.emit.rows import aligned, member_lines, shifted, turn, vector_lines
from opkg.kernels.emit.sequence import same_inputs, sequence_lines
from opkg.kernels.emit.slots import slot_lines
from opkg.kernels.emit.steps import common_step
from opkg.kernels.emit.views import Copied, Views, copied, views_of
from opkg.kernels.lowered import Lowered
from opkg.kernels.portable.axes import Axes, axes_of
from opkg.kernels.portable.common import common_rows
from opkg.kernels.portable.reduce import axes_arguments, portable_rows
from opkg.kernels.portable.rows import moved, portable
from opkg.kernels.sequence import Columns, Places, Scans
from opkg.kernels.sequence import Sequence as Loops
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.snippets import read_inputs
from opkg.spec.model import Op

_KEPT_ROWS = "opkg/rows_kept.h"
_HVX = "OPKG_HVX"
_OLDEST = 66  # the oldest architecture with HTP
NO_NUMBERS: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Fewer:
    """Of a struct template: its parameter, the names of its two instances (true, false), and the inputs of the second."""

    flag: str
    names: tuple[str, str]
    inputs: int


@dataclass(frozen=True, slots=True)
class RowsCode:
    """A rows struct for the template: lines of its parts, without the struct's indentation."""

    name: str
    notes: tuple[str, ...]
    step: int  # 0: `vector` is not there
    inputs: tuple[Operand, ...]
    outputs: tuple[Operand, ...]
    may_broadcast: int
    members: tuple[str, ...]
    prepare: tuple[str, ...]
    portable: tuple[str, ...]
    condition: str  # of the preprocessor, for the vector code; empty: there is none
    vector: tuple[str, ...]
    run: str  # the call that computes the op
    keep: str  # what a prepared graph keeps of it: the arguments of its constructor
    way: str  # Columns, Folds, Slots, Places or Scans: how the vector code takes rows; empty: one after another, or elements
    by_rows: bool  # reduces dimensions
    axes: str = ""  # C++ of the set of these
    norm: bool = False  # results of columns are all of their elements
    in_blocks: bool = False  # whose tensors may lie in blocks
    fewer: Fewer | None = None  # it is a template for calls with fewer inputs, too
    turn: int = 0  # steps of a turn where what repeats is in memory
    shifted: int = 0  # steps of a turn of rows at any address, if they have a loop of their own beside that
    common: tuple[str, ...] = ()  # the portable row of any type of elements; empty where it hangs on them
    views: Views | None = None  # what it reads and writes are parts of tensors
    copied: Copied | None = None  # it only moves elements
    between: Between | None = None  # it is a pass of several
    panels: bool = False  # rows are brought into panels
    fills: str = ""  # the argument with what lies around what it computes
    pixels: bool = False  # of tensors in blocks it moves pixels

    @property
    def input_count(self) -> str:
        """C++ of the number of inputs."""
        count = str(len(self.inputs))
        return count if self.fewer is None else f"{self.fewer.flag} ? {count} : {self.fewer.inputs}"

    @property
    def given(self) -> Views | Between | None:
        """The struct that takes the place of the op's arguments."""
        return self.views or self.between

    @property
    def columns_in_blocks(self) -> bool:
        """Whether columns are read in blocks."""
        return self.in_blocks and self.way == "Columns"

    @property
    def header(self) -> str:
        """Where the call of its rows is; empty where that is the same for all kinds of rows."""
        if self.panels:
            return f"opkg/panels{f'_{self.way.lower()}' if self.way else ''}.h"
        return f"opkg/{self.way.lower()}.h" if self.way else ""

    @property
    def _floats(self) -> bool:
        return any(o.is_float for o in self.inputs)

    @property
    def kept(self) -> str:
        """The type of a kept call."""
        if not self.by_rows:
            seen = f"opkg::{'KeptAmid' if self.fills else 'KeptSeen'}<{self.name}>"
            moved = f"opkg::KeptPixels<{seen}>" if self.pixels else seen
            return moved if self.views is not None else f"opkg::KeptElementwise<{self.name}>"
        if self.columns_in_blocks and self.norm:
            return f"opkg::KeptNorm<{self.name}>"
        if self.columns_in_blocks:
            return f"opkg::KeptColumns<{self.name}, {self.axes}>"
        if self.panels:
            return f"opkg::KeptReduction<{self.name}, opkg::ByPanels<opkg::panels::{self.way or 'Rows'}>>"
        call = "KeptStaged" if self.in_blocks else "KeptReduction"
        return f"opkg::{call}<{self.name}{f', opkg::By{self.way}' if self.way else ''}>"

    @property
    def kept_headers(self) -> tuple[str, ...]:
        """Where that type is."""
        if not self.by_rows:
            seen = "seen_pixels" if self.pixels else "seen_around" if self.fills else "rows_seen"
            return (f"opkg/{seen}_kept.h" if self.views is not None else _KEPT_ROWS,)
        if self.columns_in_blocks and self.norm:
            return "opkg/columns_kept.h", f"opkg/columns_{'float_' if self._floats else ''}norm_blocks.h"
        if self.columns_in_blocks:
            return (
                "opkg/columns_blocks.h",
                *(["opkg/columns_float_blocks.h"] if self._floats else []),
            )
        if self.panels:
            return ("opkg/panels_kept.h",)
        return f"opkg/{self.way.lower() or 'reduce'}_kept.h", *(["opkg/reduce_staged.h"] if self.in_blocks else [])

    @property
    def operands(self) -> str:
        """C++ of the operands, as what a prepared graph keeps is given them."""
        return self.keep.removeprefix("op, ").removesuffix(f", op.{self.fills}")

    @property
    def reads_args(self) -> bool:
        """Whether `prepare` needs its argument."""
        return any("op." in line for line in self.prepare)

    @property
    def decides(self) -> bool:
        """Whether decisions on real values need opkg/exact.h."""
        return any("opkg::decide(" in line for line in (*self.prepare, *self.portable, *self.vector))


def rows_code(
    op: Op,
    snippet: Snippet,
    lowered: Lowered | Loops | None,
    filled: Mapping[str, float] = NO_NUMBERS,
    kept: bool = False,
) -> RowsCode:
    """The rows struct of one snippet. `filled`: inputs of which a number may stand for all elements. `kept`: only prepared
    graphs make it."""
    inputs = read_inputs(snippet)
    op = snippet.passing.op if snippet.passing is not None else op
    axes = axes_of(op, snippet.graph) if reduces(snippet) else None
    part = portable(snippet) if axes is None else portable_rows(snippet, axes)
    members = [f"{m.type} {m.name};" for m in part.members]
    prepare = list(part.prepare)
    copies = copied(snippet, inputs)
    if copies is not None:
        members.append("bool copies;  // elements as they are stored")
        prepare.append(f"copies = {copies.alike};")
    vector: list[str] = []
    lines: list[str] = []
    notes = [f"{snippet.function}:" + (" without " + " and ".join(sorted(snippet.missing)) if snippet.missing else "")]
    if not snippet.missing:  # else the text stands with the struct of all inputs
        notes += [f"  {line}" for line in snippet.text.split("\n")]
    notes = [" ".join((notes[0], notes[1].strip()))] if len(notes) == 2 else notes
    if lowered is None:
        prepare.append("return false;")
        notes.append("Portable code only.")
    else:
        members += [line for line in member_lines(lowered) if line not in members]
        prepare += [f"if (op.{o.name}.zero != {o.bias}) return false;" for o in (*inputs, *snippet.outputs) if moved(o)]
        numbers = lowered.once if kept and isinstance(lowered, Lowered) and lowered.once else lowered.prepare
        prepare += [*(line for line in numbers if line not in prepare), "return true;"]
        read = replace(snippet, inputs=inputs)
        names = {member.name.partition("[")[0] for member in (*part.members, *lowered.members)}
        vector = _vector(read, lowered, filled, names, bool(filled or snippet.missing))
        members += counting(vector, members)
        same_members, same_lines = same_inputs(read, lowered, filled)
        members += same_members
        prepare[:0] = same_lines
        lanes = lanes_of(lowered)
        if lanes is not None and lanes.line and axes is not None:
            if lanes.wide:
                member, given = WIDE_MEMBER, wide_prepare(inputs[0].name, lanes, axes.bits)
            else:
                member, given = LINE_MEMBER, line_prepare(inputs[0].name, lanes, axes.bits)
            members.append(member)
            prepare[-1:] = [*given, "return true;"]
            lines = line_lines(read, lanes)
        if isinstance(lowered, Columns) and lowered.spread is not None and axes is not None:
            members.append(spread_member(lowered.spread))
            prepare[-1:] = [*spread_prepare(inputs[0].name, axes.bits), "return true;"]
            lines = spread_lines(read, lowered.spread)
        if isinstance(lowered, Loops) and lowered.counted and axes is not None:
            prepare[-1:] = [*counted_prepare(snippet, lowered, axes), "return true;"]
        notes.append(f"{lowered.title}: {lowered.error}.")
    return RowsCode(
        snippet.struct,
        tuple(notes),
        0 if isinstance(lowered, Columns | Places | Scans) else lowered.step if lowered is not None else 128,
        inputs,
        snippet.outputs,
        sum(1 << i for i, o in enumerate(inputs) if o.may_broadcast),
        tuple(aligned(members)),
        tuple(aligned(prepare)),
        (*_beside(lowered, (*part.element, *(elements(snippet) if axes is None else ()))), *lines),
        _guard(lowered),
        tuple(aligned(vector)),
        _run(snippet) if axes is None else _reduce(snippet, axes, way_of(lowered), in_panels(lowered)),
        f"op, {_operands(snippet)}"
        if axes is None
        else f"op, {', '.join(axes_arguments(snippet, axes))}, {_operands(snippet)}",
        way_of(lowered),
        axes is not None,
        axes.bits if axes is not None else "",
        isinstance(lowered, Columns) and lowered.norm is not None,
        turn=turn(replace(snippet, inputs=inputs), lowered) if isinstance(lowered, Lowered) else 0,
        shifted=shifted(lowered) if isinstance(lowered, Lowered) else 0,
        common=common_rows(snippet, axes) if axes is not None else (),
        views=views_of(snippet) if snippet.views else None,
        copied=copies,
        between=between_of(snippet),
        panels=in_panels(lowered),
        fills=snippet.fills,
    )


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
