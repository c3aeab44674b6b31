"""What the template of a kernel file is told of a rows struct: lines of its parts, and the calls that run and keep it."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.kernels.emit.between import Between
from opkg.kernels.emit.views import Copied, Views
from opkg.kernels.snippet import Operand

_KEPT_ROWS = "opkg/rows_kept.h"


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
    runs: str = ""  # C++ of whether parts of rows may be computed as runs of whole rows, where they need not always
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
