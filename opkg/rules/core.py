"""The typed tree of a rule, replacement and whole: what simulator, equivalence and targets read.

All names of `core_match` and `core_scalar` (operands, scalars) can be taken from here too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from opkg.rules import syntax
from opkg.rules.core_match import At as At
from opkg.rules.core_match import HtpType as HtpType
from opkg.rules.core_match import Match as Match
from opkg.rules.core_match import MatchOp as MatchOp
from opkg.rules.core_match import MatchTag as MatchTag
from opkg.rules.core_match import Type as Type
from opkg.rules.core_match import at_field as at_field
from opkg.rules.core_scalar import Apply as Apply
from opkg.rules.core_scalar import Cast as Cast
from opkg.rules.core_scalar import ChunkSize as ChunkSize
from opkg.rules.core_scalar import Const as Const
from opkg.rules.core_scalar import ConstVal as ConstVal
from opkg.rules.core_scalar import ConstValKind as ConstValKind
from opkg.rules.core_scalar import Expr as Expr
from opkg.rules.core_scalar import ExternalScalar as ExternalScalar
from opkg.rules.core_scalar import InputOf as InputOf
from opkg.rules.core_scalar import Message as Message
from opkg.rules.core_scalar import NamedConst as NamedConst
from opkg.rules.core_scalar import OpaqueScalar as OpaqueScalar
from opkg.rules.core_scalar import Operand as Operand
from opkg.rules.core_scalar import Option as Option
from opkg.rules.core_scalar import OutputOf as OutputOf
from opkg.rules.core_scalar import Property as Property
from opkg.rules.core_scalar import PropertyKind as PropertyKind
from opkg.rules.core_scalar import Relation as Relation
from opkg.rules.core_scalar import RelationKind as RelationKind
from opkg.rules.core_scalar import SelectOperand as SelectOperand
from opkg.rules.core_scalar import SelectScalar as SelectScalar
from opkg.rules.core_scalar import SplitKind as SplitKind
from opkg.rules.core_scalar import SplitVar as SplitVar
from opkg.rules.core_scalar import Tag as Tag

# ---- replacement ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Existing:
    """A node that is already there."""

    operand: Operand
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class Build:
    """A new op; its output is described by the nearest modifier, else by the replaced root."""

    op: str
    inputs: tuple[Repl, ...]
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class BuildMulti:
    """OpMultiOut(count, index, op, inputs): output `index` of a new op with `count` outputs."""

    count: int
    index: int
    op: str
    inputs: tuple[Repl, ...]
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class Wrap:
    """WrapOp (not when `inner` already is that op) and WrapOpAlways: `op` on `inner`, described as `inner`."""

    op: str
    inner: Repl
    always: bool
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class GenShape:
    """A node that is only a shape: of integers, or (`of`) the shape of an operand or shape construction."""

    dims: tuple[Expr, ...] = ()
    of: Repl | None = None
    at: At = at_field()


class GenKind(StrEnum):
    SCALAR_F32 = "gen_ConstScalar_f32"  # [1,1,1,1]
    SCALAR_I32 = "gen_ConstScalar_i32"
    ARRAY_F32 = "gen_ConstArr_f32"  # (value, n): [1,1,1,n]
    ARRAY_I32 = "gen_ConstArr_i32"
    VALUES_I32 = "gen_ConstArr_vals_i32"  # (values...): [1,1,1,n]
    MATRIX_I32 = "gen_ConstMat_i32"  # (w, values...): [1,1,w,n/w]


@dataclass(frozen=True, slots=True)
class GenConst:
    """A new constant."""

    kind: GenKind
    args: tuple[Expr, ...]
    at: At = at_field()


class SplitMethod(StrEnum):
    """How the parts of an AUTOSPLIT are chosen; the value is the construct."""

    CHUNK = "AUTOSPLIT"  # parts of `chunk`, a shorter last one
    FIRST = "AUTOSPLIT_FIRST"
    REDUCE = "AUTOSPLIT_REDUCE"  # parts of 1, without the dimension
    THREAD_HVX = "AUTOTHREAD_HVX"  # at most as many parts as there are threads (option)
    THREAD_HMX = "AUTOTHREAD_HMX"


@dataclass(frozen=True, slots=True)
class AutoSplit:
    """`body` once per slice of the output's dimension `dim`, joined by Concat. `chunk` None for methods that choose."""

    method: SplitMethod
    dim: Expr
    split: str
    chunk: Expr | None
    body: Repl
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class OpIter:
    """OP_ITER: `base`'s op with base's inputs and then `body` for low <= i < high."""

    base: Repl
    split: str
    low: Expr
    high: Expr
    body: Repl
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class IterInputOf:
    """ITER_INPUT_OF: the input of an operand that the iteration is at."""

    operand: Operand
    split: str
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class SelectRepl:
    """One of two replacements; only the chosen one is built."""

    condition: Expr
    then: Repl
    otherwise: Repl
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class Slice:
    """AUTOSPLIT_SLICE: Slice_shape(input, start, size), typed as `input`, shaped by `size`."""

    input: Repl
    begin: Repl
    size: Repl
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class TypicalSlice:
    """TYPICAL_SLICE, CHANGEDIM_SLICE (`dim` >= 0: that dimension instead of the split's), TYPICAL_SLICE_REDUCE: the part
    of `input` that goes with the current slice of the output."""

    input: Repl
    split: str
    dim: int = -1
    reduce: bool = False
    at: At = at_field()


class ModifierKind(StrEnum):
    SIZE = "WITH_SIZE"  # reference
    TYPE = "WITH_TYPE"  # reference
    SAME_OUTPUT = "WITH_SAME_OUTPUT"  # reference
    OUTPUT_TYPE = "WITH_OUTPUT_TYPE"  # scalars: dtype, zero offset (INT), step size (FLOAT)
    MULTI_OUT = "WITH_MULTI_OUT"  # scalars: count (Const)
    RESIZE_DIM = "ResizeDim"  # scalars: dim, size (Const)
    SAME_ID = "WITH_SAME_ID"  # reference
    SPLIT_HISTORY = "WITH_SPLIT_HISTORY"  # reference[, scalars: dim (Const)]
    MEMOS = "WITH_MEMOS"  # reference (2.43)
    INHERIT_MEMOS = "INHERIT_MEMOS_FROM"  # reference (2.43)


@dataclass(frozen=True, slots=True)
class Modified:
    """A modifier around a replacement: changes the output descriptor of every Build inside that has no nearer modifier."""

    kind: ModifierKind
    reference: Repl | None
    scalars: tuple[Expr, ...]
    body: Repl
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class ExternalRepl:
    """EXTERNAL_REPLACE(f)."""

    function: str
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class ShapeFn:
    """SHAPEFN_APPLY(f, args) or, with a split tag, AUTOSPLIT_SHAPEFN_APPLY."""

    function: str
    args: tuple[Repl | Expr, ...]
    split: str = ""
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class MarkReplaceable:
    """MARK_REPLACEABLE_QCONST(x)."""

    inner: Repl
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class OpaqueRepl:
    """A macro of the SDK's headers whose expansion is not known: its name and arguments are all there is."""

    name: str
    args: tuple[Repl | Expr, ...]
    at: At = at_field()


Repl = (
    Existing
    | Build
    | BuildMulti
    | Wrap
    | GenShape
    | GenConst
    | AutoSplit
    | OpIter
    | IterInputOf
    | SelectRepl
    | Slice
    | TypicalSlice
    | Modified
    | ExternalRepl
    | ShapeFn
    | MarkReplaceable
    | OpaqueRepl
)


# ---- the rule ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TypedRule:
    """A rule that can work. `priority`: 0..65535; `flags`: names in order (`relaxed_precision_flag`); `when`: BOOL.

    `package`: the prefix its bare op names got. `syntax` gives text and places.
    """

    name: str
    priority: int
    pass_text: str  # as written in canonical form: `EARLY + 2`
    flags: tuple[str, ...]
    match: MatchOp
    when: Expr
    replace: Repl
    package: str
    syntax: syntax.Rule = field(compare=False, repr=False)

    @property
    def root(self) -> str:
        """Full name of the op the rule is tried on."""
        return self.match.op
