"""The typed tree of a rule, operands and scalars: what the checker makes of the syntax tree (see `core` for the rest).

Macros are expanded, strings have become operands or op names, every SELECT is resolved to what it selects, names carry
their package, and every scalar has a type with C++'s conversions written out as `Cast`. `at` is the place in the rule's
text (start, end) of what was written; it takes no part in comparison.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from opkg.rules.core_match import At, Type, at_field

# ---- existing operands ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tag:
    """The node a tag of the match bound; "*" is the root."""

    name: str
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class InputOf:
    """The node that makes input `index` of the node."""

    operand: Operand
    index: Expr
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class OutputOf:
    """Output `index` of a multi-output op (or of any of its $Out nodes); index 0 of a single-output op is the op."""

    operand: Operand
    index: Expr
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class SelectOperand:
    """One of two existing operands."""

    condition: Expr
    then: Operand
    otherwise: Operand
    at: At = at_field()


Operand = Tag | InputOf | OutputOf | SelectOperand


# ---- scalars -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Const:
    """A constant. DTYPE: an int, the tag's number."""

    type: Type
    value: bool | int | float
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class ChunkSize:
    """LAYOUT_CHUNKSIZE(class, index): a size constant of a tensor class's layout; `value` None: class not known to us."""

    tensor_class: str
    index: int
    value: int | None
    type: Type = Type.SIZE
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class NamedConst:
    """A C++ name whose value the checker does not know (a user's constant); type as far as it can be told."""

    name: str
    type: Type
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class Option:
    """A graph option read as `type` (BOOL, INT, SIZE or FLOAT)."""

    name: str
    type: Type
    at: At = at_field()


class PropertyKind(StrEnum):
    """Properties of an operand's output; the value is the construct that reads it."""

    RANK = "RANK_OF"  # size
    DIM = "DIM_OF"  # size; index: a literal
    STEPSIZE = "STEPSIZE_OF"  # float
    ZERO_OFFSET = "ZERO_OFFSET_OF"  # int
    DTYPE = "DTYPE_OF"  # dtype
    ELEMENT_SIZE = "ELEMENTSIZE_OF"  # size, bytes
    INPUTS = "INPUTS_OF"  # size
    OUTPUTS = "OUTPUTS_OF"  # int
    DATA_SIZE = "DATA_SIZE"  # int64, bytes


@dataclass(frozen=True, slots=True)
class Property:
    """A property of an operand. `index`: the dimension of DIM (else None)."""

    kind: PropertyKind
    operand: Operand
    index: int | None
    type: Type
    at: At = at_field()


class ConstValKind(StrEnum):
    INT = "CONSTVAL_INT"  # int; INT_MIN when it fails
    INT_VALID = "CONSTVAL_INT_VALID"  # bool
    FLOAT = "CONSTVAL_FLOAT"  # float; NaN when it fails
    FLOAT_VALID = "CONSTVAL_FLOAT_VALID"  # bool


@dataclass(frozen=True, slots=True)
class ConstVal:
    """An element of a constant operand: `index` has one expression (flat), or two (row, column; the int forms only)."""

    kind: ConstValKind
    operand: Operand
    index: tuple[Expr, ...]
    type: Type
    at: At = at_field()


class RelationKind(StrEnum):
    SAME_OP = "SAME_OP"  # node identity
    SAME_ENCODING = "SAME_ENCODING"  # dtype and, if quantized, quantization
    SAME_SHAPE = "SAME_SHAPE"  # rank and all dimensions
    IS_OP = "IS_OP"  # op name
    PRODUCER_FOR = "PRODUCER_FOR"  # some consumer has that op name


@dataclass(frozen=True, slots=True)
class Relation:
    """A BOOL about one or two operands, or an operand and a full op name (`name`)."""

    kind: RelationKind
    operands: tuple[Operand, ...]
    name: str = ""
    type: Type = Type.BOOL
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator on scalars, by its construct's name.

    NOT NEG ABS IS_POW2 | AND OR XOR (BOOL) | ADD SUB MUL MIN MAX DIV REM MOD ROUNDUP ROUNDDOWN CEILDIV LCM BIT_AND BIT_OR |
    EQ NE LT GT LE GE. All args have the type the operation is made in (casts are written out); `type` is the result's.
    AND and OR take their args from left to right and stop early. ADD and the like with n args associate to the left.
    """

    operator: str
    args: tuple[Expr, ...]
    type: Type
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class Cast:
    """A conversion as by C++'s static_cast; `implicit`: not written, C++ makes it."""

    operand: Expr
    type: Type
    implicit: bool = True
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class SelectScalar:
    """One of two scalars of one type; only the chosen one is evaluated."""

    condition: Expr
    then: Expr
    otherwise: Expr
    type: Type
    at: At = at_field()


class SplitKind(StrEnum):
    DIM = "SPLIT_DIM"
    START = "SPLIT_START"  # also ITER_VAR
    SIZE = "SPLIT_SIZE"


@dataclass(frozen=True, slots=True)
class SplitVar:
    """A variable (INT) of the AUTOSPLIT or OP_ITER with that split tag."""

    kind: SplitKind
    split: str
    type: Type = Type.INT
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class ExternalScalar:
    """EXTERNAL_CONSTRAINT: a C++ function of (operand, scalars). `type`: taken to be BOOL unless annotated."""

    function: str
    operand: Tag
    args: tuple[Expr, ...]
    type: Type = Type.BOOL
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class Message:
    """MESSAGE, MESSAGE_IF, MESSAGE_IFNOT, MESSAGE_VALUE: logs `text` and passes `operand` (MESSAGE: true)."""

    kind: str
    text: str
    operand: Expr | None
    type: Type
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class OpaqueScalar:
    """A macro of the SDK's headers whose expansion is not known: its name, arguments and type are all there is."""

    name: str
    args: tuple[Operand | Expr, ...]
    type: Type
    at: At = at_field()


Expr = (
    Const
    | ChunkSize
    | NamedConst
    | Option
    | Property
    | ConstVal
    | Relation
    | Apply
    | Cast
    | SelectScalar
    | SplitVar
    | ExternalScalar
    | Message
    | OpaqueScalar
)
