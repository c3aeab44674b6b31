"""What a strategy is given: one kernel to make, with its graph and the tensors as they lie in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from opkg.kernels.graphs.graph import Graph
from opkg.spec.dtypes import DType, Kind
from opkg.spec.model import Layout, Op


class Storage(StrEnum):
    """Elements in memory: what HVX lanes are loaded with."""

    U8 = "u8"
    S8 = "s8"
    U16 = "u16"
    S16 = "s16"
    U32 = "u32"
    S32 = "s32"
    S64 = "s64"
    U64 = "u64"
    F16 = "f16"
    F32 = "f32"

    @property
    def bits(self) -> int:
        return int(self.value[1:])

    @property
    def bytes(self) -> int:
        return self.bits // 8

    @property
    def signed(self) -> bool:
        return self.value[0] != "u"

    @property
    def limits(self) -> tuple[int, int]:
        """Smallest and largest stored number of an integer storage."""
        low = -(1 << (self.bits - 1)) if self.signed else 0
        return low, low + (1 << self.bits) - 1


@dataclass(frozen=True, slots=True)
class Operand:
    """A tensor of a kernel. In C++ it is `op.<name>`: data, dims, and scale and zero where it is quantized.

    Real value of a quantized element: (q - op.x.zero) * op.x.scale. An integer element is q - bias: interfaces that hand
    signed integers over as unsigned have them moved by half of the range (128 or 32768).
    """

    name: str
    dtype: DType
    storage: Storage
    element: str  # C++ type of an element: "uint8_t", "float", "opkg::Float16"
    bias: int = 0
    may_broadcast: bool = False  # an input whose shape may differ from the output's
    optional: bool = False
    is_param: bool = False  # a tensor param: int32 or float elements

    @property
    def quantized(self) -> bool:
        return self.dtype.quantized

    @property
    def is_float(self) -> bool:
        return self.dtype.kind is Kind.FLOAT


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar param. In C++ it is `op.<name>`: float, bool, an integer, or an enumeration (cast it)."""

    name: str
    dtype: DType
    low: float | None = None  # allowed range, where the spec gives numbers
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Number:
    """A tensor between passes: its name, the C++ type of an element, C++ of its shape; `source`: the tensor whose elements it
    has, elsewhere, or with `alias` in the same memory; `result`: the output whose memory it has."""

    name: str
    element: str
    shape: str
    source: str = ""
    alias: bool = False
    result: str = ""


@dataclass(frozen=True, slots=True)
class Passing:
    """What a snippet is that is one of several passes: an op whose tensors are those of the pass, the argument struct of the
    kernel, and the numbers between all of its passes."""

    op: Op
    base: str
    numbers: tuple[Number, ...] = ()


@dataclass(frozen=True, slots=True)
class Snippet:
    """One kernel to make: the canonical graph of an op under one combination of element types.

    `present`: the optional inputs that this kernel has (the graph is built for them; others are absent).
    `text`: the computation as one line per statement, for comments.
    """

    function: str  # of the whole kernel: "add_u8"
    args: str  # its argument struct: "AddArgsU8"
    graph: Graph
    inputs: tuple[Operand, ...]
    outputs: tuple[Operand, ...]
    params: tuple[Scalar, ...]
    layout: Layout
    text: str
    present: frozenset[str] = frozenset()
    slice_field: str = ""  # member with the opkg::Slice of a multithreaded kernel
    scattered: str = ""  # why no row of reduced dimensions lies in one piece; empty where rows may
    condition: str = ""  # when they do; empty: always
    along: frozenset[str] = frozenset()  # tensors that are known to have elements along a reduced dimension
    across: frozenset[str] = frozenset()  # inputs and outputs that are known to have one element for each row
    brought: bool = False  # rows are brought into panels, with that element for each of theirs
    views: tuple[tuple[str, str, str], ...] = ()  # operands that are parts of tensors: name, tensor, C++ (opkg/seen.h)
    joints: tuple[str, ...] = ()  # C++ of objects that these name
    filling: tuple[str, ...] = ()  # statements that make what lies around the output's part; the last one sets a member
    base: str = ""  # the argument struct of the op, of which `args` is one with such parts
    moved: Graph | None = None  # what the graph was before such operands took the place of movements
    passing: Passing | None = field(default=None, compare=False)  # of one pass of several

    @property
    def finite(self) -> frozenset[str]:
        """The inputs whose elements are finite numbers, whatever they are."""
        return frozenset(o.name for o in self.inputs if o.dtype.kind is not Kind.FLOAT)

    def operand(self, name: str) -> Operand:
        return next(o for o in (*self.inputs, *self.outputs) if o.name == name)

    @property
    def struct(self) -> str:
        """Name of the C++ struct with the kernel's row functions: `AddU8Rows`."""
        words = self.function.split("_") + (["without", *sorted(self.missing)] if self.missing else [])
        return "".join(word[:1].upper() + word[1:] for word in words) + "Rows"

    @property
    def fills(self) -> str:
        """The member with what lies around the output's part; empty where nothing does."""
        return self.filling[-1].split()[0] if self.filling else ""

    @property
    def missing(self) -> frozenset[str]:
        """Optional inputs that are absent."""
        return frozenset(o.name for o in self.inputs if o.optional) - self.present
