"""The types of a computation's values under one combination of element types: real, integer or bool."""

from __future__ import annotations

from enum import StrEnum

from opkg.spec.compute.text import fault
from opkg.spec.compute.tree import (
    BITWISE,
    PLACES,
    Assign,
    Assigned,
    Binary,
    BinaryOp,
    Call,
    Cast,
    Compare,
    Compute,
    Const,
    Function,
    Input,
    Move,
    Movement,
    Node,
    Param,
    Present,
    Reduce,
    Reduction,
    Select,
    Unary,
    UnaryOp,
)
from opkg.spec.dtypes import DTYPES, DType, Kind
from opkg.spec.model import Combination, Op


class Type(StrEnum):
    """Quantized tensors hold real values."""

    REAL = "real"
    INTEGER = "integer"
    BOOL = "bool"


_SAME = frozenset(
    (Function.MIN, Function.MAX, Function.CLIP, Function.ABS, Function.SIGN, Function.FLOOR, Function.CEIL,
     Function.ROUND, Function.TRUNC)
)  # fmt: skip


def value_type(dtype: DType) -> Type:
    """What an element of this type is in a computation."""
    if dtype.kind is Kind.BOOL:
        return Type.BOOL
    return Type.INTEGER if dtype.integral else Type.REAL


def signature(op: Op, combination: Combination) -> tuple[Type, ...]:
    """What a combination is to a computation: combinations that agree in this, and in `unsigned`, have the same findings."""
    tensors = [tensor.dtype.of(combination) for tensor in op.tensors]
    return tuple([value_type(dtype) for dtype in (*tensors, *(dtype for _, dtype in combination.types))])


def unsigned(op: Op, combination: Combination) -> tuple[bool, ...]:
    """Which outputs are integers without a sign."""
    dtypes = [tensor.dtype.of(combination) for tensor in op.outputs]
    return tuple([dtype.integral and not dtype.signed for dtype in dtypes])


def is_whole_power(exponent: Node) -> bool:
    """Whether integers to this exponent stay integers: a number that is whole and not negative."""
    return isinstance(exponent, Const) and type(exponent.value) is int and exponent.value >= 0


def cast_type(node: Cast, combination: Combination) -> DType:
    """The element type that a cast makes: a fixed one, or that of a type variable."""
    return DTYPES.get(node.dtype) or combination.dtype(node.dtype)


class Types:
    """The type of every node of one computation under one combination; `types[node]` looks a node up by identity.

    Raises Fault OPK144 where a bool stands for a number, or the other way round, or an output cannot hold its value.
    """

    def __init__(self, compute: Compute, op: Op, combination: Combination) -> None:
        self.compute = compute  # keeps the nodes alive, whose identities are the keys
        self.op = op
        self.combination = combination
        self._names: dict[str, Type] = {t.name: value_type(t.dtype.of(combination)) for t in op.inputs}
        self._params = {param.name: value_type(param.dtype) for param in op.params}
        self._outputs = {t.name: t.dtype.of(combination) for t in op.outputs}
        self._varies = len({signature(op, other) for other in op.combinations}) > 1
        self._assigned: dict[str, Type] = {}
        self._found: dict[int, Type] = {}
        for statement in compute.statements:
            self._assign(statement)

    def __getitem__(self, node: Node) -> Type:
        return self._found[id(node)]

    def of_name(self, name: str) -> Type:
        """The type of an assigned name."""
        return self._assigned[name]

    def _assign(self, statement: Assign) -> None:
        type_ = self._of(statement.expr)
        self._assigned[statement.name] = type_
        dtype = self._outputs.get(statement.name)
        if dtype is None:
            return
        wanted = value_type(dtype)
        inverted = isinstance(statement.expr, Unary) and statement.expr.op is UnaryOp.INVERT
        if inverted and wanted is Type.INTEGER and dtype.limits[0] == 0:
            mixed = len({unsigned(self.op, other) for other in self.op.combinations}) > 1
            under = f" with {self.combination}" if mixed else self._under()
            message = f"'{statement.name}' is {dtype}{under}, and ~x is -x - 1, which it holds as 0"
            hint = f"write ~x & {dtype.limits[1]}" + (", in an op of its own" if mixed else "")
            raise fault("OPK144", message, statement.expr.span, hint)
        if type_ is wanted or (wanted is Type.REAL and type_ is Type.INTEGER):
            return
        hint = "write (a > 0), or another comparison" if wanted is Type.BOOL else f"write cast(..., {dtype})"
        message = f"'{statement.name}' is {dtype}{self._under()}, its value is {type_}"
        raise fault("OPK144", message, statement.expr.span, hint)

    def _under(self) -> str:
        return f" with {self.combination}" if self._varies else ""

    def _of(self, node: Node) -> Type:
        type_ = self._found[id(node)] = self._typed(node)
        return type_

    def _typed(self, node: Node) -> Type:
        match node:
            case Const():
                return Type.BOOL if isinstance(node.value, bool) else _number(node.value)
            case Input():
                return self._names[node.name]
            case Param():
                return self._params[node.name]
            case Assigned():
                return self._assigned[node.name]
            case Present():
                return Type.BOOL
            case Unary():
                if node.op is UnaryOp.INVERT:
                    return self._integer(node.operand, node.op)
                return self._bool(node.operand) if node.op is UnaryOp.NOT else self._number(node.operand)
            case Binary():
                return self._binary(node)
            case Compare():
                return self._compare(node)
            case Select():
                return self._select(node)
            case Call():
                both = self._joined(node.args)
                return both if node.function in _SAME else Type.REAL
            case Cast():
                self._of(node.operand)
                return value_type(cast_type(node, self.combination))
            case Move():
                return self._moved(node)
            case Reduce():
                type_ = self._number(node.operand)
                if node.op in PLACES:
                    return Type.INTEGER
                return Type.REAL if node.op is Reduction.MEAN else type_

    def _moved(self, node: Move) -> Type:
        if node.op is Movement.TAKE:
            if self._of(node.args[1]) is not Type.INTEGER:
                message = f"places are integers{self._varying(node.args[1])}"
                raise fault("OPK144", message, node.args[1].span, "write cast(..., int32)")
            return self._of(node.args[0])
        types = {self._of(arg): arg for arg in node.args}
        if node.op is Movement.PAD and node.args[1] == Const(0, node.args[1].span) and Type.BOOL in types:
            return Type.BOOL  # what pad() puts around bools without a value
        if len(types) > 1 and Type.BOOL in types:
            at = types[Type.BOOL]
            raise fault("OPK144", f"bools joined with numbers{self._varying(at)}", at.span, "write cast(test, int32)")
        return next(iter(types)) if len(types) == 1 else Type.REAL

    def _number(self, node: Node) -> Type:
        type_ = self._of(node)
        if type_ is Type.BOOL:
            message = f"a number must stand here, not a bool{self._varying(node)}"
            raise fault("OPK144", message, node.span, "write 1.0 if test else 0.0, or cast(test, int32)")
        return type_

    def _bool(self, node: Node) -> Type:
        type_ = self._of(node)
        if type_ is not Type.BOOL:
            message = f"a bool must stand here, not {'an' if type_ is Type.INTEGER else 'a'} {type_} number"
            raise fault("OPK144", message + self._varying(node), node.span, "write a comparison: x != 0")
        return type_

    def _integer(self, node: Node, op: UnaryOp | BinaryOp) -> Type:
        type_ = self._of(node)
        if type_ is not Type.INTEGER:
            words = {"&": "and", "|": "or", "^": "!=", "~": "not"}
            of_bools = f"write '{words[op]}'" if op in words else "write cast(test, int32)"
            hint = of_bools if type_ is Type.BOOL else "write cast(..., int32)"
            if op is BinaryOp.BIT_XOR and type_ is not Type.BOOL:
                hint = "a power is a ** b; on bits write cast(..., int32)"
            message = f"'{op}' needs integers, not {'bools' if type_ is Type.BOOL else 'real numbers'}"
            raise fault("OPK144", message + self._varying(node), node.span, hint)
        return type_

    def _varying(self, node: Node) -> str:
        """Under which element types, where the type hangs on them."""
        return self._under() if isinstance(node, Input | Assigned) else ""

    def _joined(self, nodes: tuple[Node, ...]) -> Type:
        types = [self._number(node) for node in nodes]
        return Type.REAL if Type.REAL in types else Type.INTEGER

    def _binary(self, node: Binary) -> Type:
        if node.op in (BinaryOp.AND, BinaryOp.OR):
            self._bool(node.left)
            return self._bool(node.right)
        if node.op in BITWISE:
            self._integer(node.left, node.op)
            return self._shift(node)
        both = self._joined((node.left, node.right))
        divides = node.op in (BinaryOp.DIV, BinaryOp.FLOOR_DIV, BinaryOp.MOD)
        if divides and isinstance(node.right, Const) and node.right.value == 0:
            raise fault("OPK144", "division by zero", node.right.span)
        if node.op is BinaryOp.DIV or (node.op is BinaryOp.POW and not is_whole_power(node.right)):
            return Type.REAL
        return both

    def _shift(self, node: Binary) -> Type:
        """Of the operand on the right; a count that is known is none below 0."""
        shifts = node.op in (BinaryOp.SHIFT_LEFT, BinaryOp.SHIFT_RIGHT)
        if shifts and isinstance(node.right, Const) and not isinstance(node.right.value, bool) and node.right.value < 0:
            other = ">>" if node.op is BinaryOp.SHIFT_LEFT else "<<"
            raise fault("OPK144", "a shift by less than 0", node.right.span, f"write {other} {-node.right.value}")
        return self._integer(node.right, node.op)

    def _compare(self, node: Compare) -> Type:
        left, right = self._of(node.left), self._of(node.right)
        if (left is Type.BOOL) is not (right is Type.BOOL):
            message = f"cannot compare {left} with {right}{self._varying(node.left) or self._varying(node.right)}"
            raise fault("OPK144", message, node.right.span)
        if left is Type.BOOL and node.op not in ("==", "!="):
            raise fault("OPK144", f"'{node.op}' needs numbers, not bools", node.left.span)
        return Type.BOOL

    def _select(self, node: Select) -> Type:
        self._bool(node.test)
        then, other = self._of(node.then), self._of(node.other)
        if then is other:
            return then
        if Type.BOOL in (then, other):
            message = f"one branch is {then}, the other {other}"
            raise fault(
                "OPK144", message + self._varying(node.other), node.other.span, "both are numbers or both bools"
            )
        return Type.REAL


def _number(value: int | float) -> Type:
    return Type.INTEGER if isinstance(value, int) else Type.REAL
