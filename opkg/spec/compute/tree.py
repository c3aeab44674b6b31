"""The tree of a `compute:` text: expressions on whole tensors, element by element or reduced over dimensions.

Values are real, integer or bool, by the element types of the operands (`opkg.spec.compute.types`); quantized tensors are
real. Elementwise nodes broadcast their operands as numpy does. Spans are places in the spec file and do not count when
trees are compared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from opkg.spec.compute.whole import Part
from opkg.spec.diagnostics import Span

NOWHERE = Span("")


class UnaryOp(StrEnum):
    NEG = "-"
    NOT = "not"
    INVERT = "~"


class BinaryOp(StrEnum):
    """`/` is real; `//` floors and `%` has the sign of the divisor, as in Python; `**` is real unless the base is integer
    and the exponent an integer number that is not negative. Bits are those of int64; a shift is a product with 2**n or a
    division by it that rounds down, of n below 0 nothing."""

    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "/"
    FLOOR_DIV = "//"
    MOD = "%"
    POW = "**"
    AND = "and"
    OR = "or"
    BIT_AND = "&"
    BIT_OR = "|"
    BIT_XOR = "^"
    SHIFT_LEFT = "<<"
    SHIFT_RIGHT = ">>"


BITWISE = frozenset(
    (BinaryOp.BIT_AND, BinaryOp.BIT_OR, BinaryOp.BIT_XOR, BinaryOp.SHIFT_LEFT, BinaryOp.SHIFT_RIGHT)
)  # of integers only


class CompareOp(StrEnum):
    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="


class Function(StrEnum):
    """Elementwise functions. MIN and MAX take two operands or more (NaN if one is), CLIP (x, low, high), ROUND rounds
    half to even, RSQRT is 1 / sqrt(x), SIGMOID 1 / (1 + exp(-x)), SIGN -1, 0 or 1, LOG1P log(1 + x), SOFTPLUS
    log(1 + exp(x)), SILU x * sigmoid(x), GELU x * (1 + erf(x / sqrt(2))) / 2, MISH x * tanh(softplus(x)), HARDSWISH
    x * clip(x + 3, 0, 6) / 6; all of these without the overflow that the formulas have."""

    MIN = "min"
    MAX = "max"
    CLIP = "clip"
    ABS = "abs"
    FLOOR = "floor"
    CEIL = "ceil"
    ROUND = "round"
    TRUNC = "trunc"
    SIGN = "sign"
    EXP = "exp"
    LOG = "log"
    SQRT = "sqrt"
    RSQRT = "rsqrt"
    ERF = "erf"
    TANH = "tanh"
    SIGMOID = "sigmoid"
    SIN = "sin"
    COS = "cos"
    ASIN = "asin"
    ATAN = "atan"
    LOG1P = "log1p"
    SOFTPLUS = "softplus"
    SILU = "silu"
    GELU = "gelu"
    MISH = "mish"
    HARDSWISH = "hardswish"


REAL_FUNCTIONS = frozenset(
    (
        Function.EXP,
        Function.LOG,
        Function.SQRT,
        Function.RSQRT,
        Function.ERF,
        Function.TANH,
        Function.SIGMOID,
        Function.SIN,
        Function.COS,
        Function.ASIN,
        Function.ATAN,
        Function.LOG1P,
        Function.SOFTPLUS,
        Function.SILU,
        Function.GELU,
        Function.MISH,
        Function.HARDSWISH,
    )
)  # of real numbers, which integers become


class Reduction(StrEnum):
    """`min` and `max` of one operand and `axis=` are reductions too. ARGMAX and ARGMIN give the place of the first largest
    or smallest element, of NaN where there is one; CUMSUM keeps all dimensions: the sums up to each element."""

    SUM = "sum"
    MEAN = "mean"
    PROD = "prod"
    MIN = "min"
    MAX = "max"
    ARGMAX = "argmax"
    ARGMIN = "argmin"
    CUMSUM = "cumsum"


PLACES = frozenset((Reduction.ARGMAX, Reduction.ARGMIN))


@dataclass(frozen=True, slots=True)
class Const:
    """A number (an int is integer, a float real) or a bool; numbers may be negative."""

    value: bool | int | float
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Input:
    """An input tensor."""

    name: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Param:
    """A param: a scalar, or a tensor param as the array that it is."""

    name: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Assigned:
    """The value of a temporary or output that an earlier statement assigned."""

    name: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Present:
    """Whether an optional input is given in this call: a bool scalar."""

    name: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Unary:
    op: UnaryOp
    operand: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    op: BinaryOp
    left: Node
    right: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Compare:
    """One comparison; a chain a < b < c is (a < b) and (b < c)."""

    op: CompareOp
    left: Node
    right: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Select:
    """`then if test else other`, element by element.

    When `test` asks for the presence of an input and is one bool in a call, the value is that of the chosen branch alone,
    and the other one is not evaluated.
    """

    test: Node
    then: Node
    other: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    function: Function
    args: tuple[Node, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Cast:
    """The value as an element type holds it. To an integer type: rounded towards zero, saturated, NaN gives 0; to a float
    type: rounded half to even; to bool8: whether it is not 0. `dtype` is the name of a type that is not quantized, or a
    type variable whose types are not."""

    operand: Node
    dtype: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Reduce:
    """A reduction. `axes`: literals (negative: from the end), the name of an integer param, or None for all dimensions.

    `keepdims`: the dimensions stay as 1; or the name of a bool param that says so.
    """

    op: Reduction
    operand: Node
    axes: tuple[int, ...] | str | None
    keepdims: bool | str = False
    span: Span = field(default=NOWHERE, compare=False)


class Movement(StrEnum):
    """What moves elements and computes nothing, as numpy's functions do. TAKE(x, i): numbers below 0 count from the end, those
    beyond the ends are the nearest that there is. PAD(x, value): numbers before and behind."""

    CONCAT = "concat"
    TRANSPOSE = "transpose"
    TAKE, SLICE = "take", "slice"
    RESHAPE, TILE, PAD = "reshape", "tile", "pad"


@dataclass(frozen=True, slots=True)
class Move:
    """Elements elsewhere. `axes`: of CONCAT and TAKE the dimension, a number or the name of a param; of TRANSPOSE all of
    them in their new order, or a tensor param, None: reversed; of the last three a tensor param with all numbers.
    `parts`: what stands in the brackets of a SLICE, or the numbers of RESHAPE, TILE and PAD."""

    op: Movement
    args: tuple[Node, ...]
    axes: tuple[int, ...] | str | None = None
    parts: tuple[Part, ...] = ()
    span: Span = field(default=NOWHERE, compare=False)


Node = Const | Input | Param | Assigned | Present | Unary | Binary | Compare | Select | Call | Cast | Reduce | Move


@dataclass(frozen=True, slots=True)
class Assign:
    """`name = expr`: an output or a temporary. `span` is the name's."""

    name: str
    expr: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Compute:
    """All statements, in order; each output is assigned exactly once."""

    statements: tuple[Assign, ...]
    span: Span = field(default=NOWHERE, compare=False)


def children(node: Node) -> tuple[Node, ...]:
    """The operands of a node, in order."""
    match node:
        case Unary() | Cast() | Reduce():
            return (node.operand,)
        case Binary() | Compare():
            return (node.left, node.right)
        case Select():
            return (node.test, node.then, node.other)
        case Call() | Move():
            return node.args
        case _:
            return ()


def asks_presence(node: Node) -> bool:
    """Whether `present()` stands in a node."""
    return isinstance(node, Present) or any(asks_presence(child) for child in children(node))
