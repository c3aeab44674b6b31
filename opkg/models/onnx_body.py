"""The body of a function: a `compute:` tree in ONNX's own ops, on float32, int64 and bool tensors."""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.graphs.composed import COMPOSED, composed
from opkg.models.onnx_arithmetic import divided, divided_integers, shifted
from opkg.models.onnx_choices import Extent, extent, is_fixed, known
from opkg.models.onnx_moves import moved
from opkg.models.onnx_nodes import ONNX_TYPES, OWN, Held, Nodes, Unfit
from opkg.models.onnx_text import Kind, Ref, Value
from opkg.spec.compute.tree import (
    PLACES,
    REAL_FUNCTIONS,
    Assign,
    Assigned,
    Binary,
    BinaryOp,
    Call,
    Cast,
    Compare,
    CompareOp,
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
from opkg.spec.compute.types import Type, cast_type, is_whole_power
from opkg.spec.dtypes import Kind as Family

_PLAIN = {
    Function.ABS: "Abs", Function.FLOOR: "Floor", Function.CEIL: "Ceil", Function.ROUND: "Round",
    Function.SIGN: "Sign", Function.EXP: "Exp", Function.LOG: "Log", Function.SQRT: "Sqrt", Function.ERF: "Erf",
    Function.TANH: "Tanh", Function.SIGMOID: "Sigmoid", Function.MIN: "Min", Function.MAX: "Max",
    Function.SIN: "Sin", Function.COS: "Cos", Function.ASIN: "Asin", Function.ATAN: "Atan",
}  # fmt: skip
_WHOLE = frozenset((Function.FLOOR, Function.CEIL, Function.ROUND, Function.TRUNC))
_BINARY = {
    BinaryOp.ADD: "Add", BinaryOp.SUB: "Sub", BinaryOp.MUL: "Mul", BinaryOp.DIV: "Div", BinaryOp.AND: "And",
    BinaryOp.OR: "Or", BinaryOp.BIT_AND: "BitwiseAnd", BinaryOp.BIT_OR: "BitwiseOr", BinaryOp.BIT_XOR: "BitwiseXor",
}  # fmt: skip
_COMPARE = {
    CompareOp.EQ: "Equal", CompareOp.LT: "Less", CompareOp.LE: "LessOrEqual", CompareOp.GT: "Greater",
    CompareOp.GE: "GreaterOrEqual",
}  # fmt: skip
_REDUCE = {
    Reduction.SUM: "ReduceSum", Reduction.MEAN: "ReduceMean", Reduction.PROD: "ReduceProd",
    Reduction.MIN: "ReduceMin", Reduction.MAX: "ReduceMax",
}  # fmt: skip
BITS_OPSET = AXES_OPSET = 18  # Bitwise ops; axes of all reductions as inputs


class Body(Nodes):
    """The nodes of one function, from the statements of a computation."""

    def assign(self, statement: Assign) -> None:
        """A statement; what its last node computes gets its name, where that is free."""
        count = len(self.nodes)
        held, name = self.of(statement.expr), statement.name
        if len(self.nodes) > count and self.nodes[-1].output == held.name and name not in self.taken:
            self.made = {key: name if made == held.name else made for key, made in self.made.items()}
            self.nodes[-1], held = replace(self.nodes[-1], output=name), replace(held, name=name)
            self.taken[name] = None
        self.values["assigned", name] = held

    def of(self, node: Node, wanted: Type | None = None) -> Held:
        """The value of a node; `wanted`: real, where that is what the others are."""
        type_ = self.types[node]
        if isinstance(node, Const):
            type_ = wanted if wanted in (Type.REAL, Type.BOOL) and type_ is Type.INTEGER else type_
            return Held(self.number(node.value, type_), type_)
        held = self._of(node, type_)
        return Held(self.real(held), Type.REAL) if wanted is Type.REAL else held

    def _of(self, node: Node, type_: Type) -> Held:
        match node:
            case Input():
                return self.values["input", node.name]
            case Param():
                return self.values["param", node.name]
            case Assigned():
                return self.values["assigned", node.name]
            case Select():
                return self._select(node, type_)
            case Binary(BinaryOp.AND | BinaryOp.OR) if (decided := known(node.left, self.given)) is not None:
                ends = decided is (node.op is BinaryOp.OR)
                return Held(self.number(decided, Type.BOOL), Type.BOOL) if ends else self.of(node.right)
            case Present():
                return Held(self.number(node.name in self.given, Type.BOOL), Type.BOOL)
            case _:
                return Held(self._name(node, type_), type_)

    def _name(self, node: Node, type_: Type) -> str:
        match node:
            case Unary():
                return self._unary(node)
            case Binary():
                return self._binary(node, type_)
            case Compare():
                return self._compare(node)
            case Call():
                return self._call(node, type_)
            case Cast():
                return self._cast(node)
            case Reduce():
                return self._reduce(node)
            case Move():
                return moved(
                    self,
                    node,
                    [
                        self.of(arg, type_ if node.op in (Movement.CONCAT, Movement.PAD) else None).name
                        for arg in node.args
                    ],
                )
            case _:
                raise AssertionError(node)

    def _select(self, node: Select, type_: Type) -> Held:
        """Of branches of one shape, a test of params takes one by If: the HTP prepares no Where of float32 alone."""
        decided = known(node.test, self.given)
        if decided is not None:
            return self.of(node.then if decided else node.other)
        test = self.of(node.test).name
        then, other = (self.of(branch, type_).name for branch in (node.then, node.other))
        if is_fixed(node.test, self.params) and self._extent(node.then) == self._extent(node.other):
            return Held(self.choice(test, then, other, type_), type_)
        return Held(self.emit("Where", test, then, other), type_)

    def _extent(self, node: Node) -> Extent:
        return extent(node, self.inputs, self.params)

    def _unary(self, node: Unary) -> str:
        operand = self.of(node.operand).name
        if node.op is UnaryOp.INVERT:
            return self.emit("Sub", self.number(-1, Type.INTEGER), operand)
        return self.emit("Not" if node.op is UnaryOp.NOT else "Neg", operand)

    def _binary(self, node: Binary, type_: Type) -> str:
        match node.op:
            case BinaryOp.POW:
                return self._power(node, type_)
            case BinaryOp.SHIFT_LEFT | BinaryOp.SHIFT_RIGHT:
                return shifted(self, node.op, self.of(node.left).name, self.of(node.right).name)
            case BinaryOp.FLOOR_DIV | BinaryOp.MOD:
                left, right = (self.of(side, type_).name for side in (node.left, node.right))
                if type_ is Type.REAL:
                    return divided(self, node.op, left, right)
                return divided_integers(self, node.op, left, right, never_zero=isinstance(node.right, Const))
            case _:
                left, right = (self.of(side, type_).name for side in (node.left, node.right))
                if _BINARY[node.op].startswith("Bitwise"):
                    self.needs(BITS_OPSET, f"'{node.op}'")
                return self.emit(_BINARY[node.op], left, right)

    def _power(self, node: Binary, type_: Type) -> str:
        base = self.of(node.left, type_).name
        if isinstance(node.right, Const) and node.right.value == 2:
            return self.emit("Mul", base, base)
        whole = type_ is Type.INTEGER and is_whole_power(node.right)
        return self.emit("Pow", base, self.of(node.right, Type.INTEGER if whole else Type.REAL).name)

    def _compare(self, node: Compare) -> str:
        joined = Type.REAL if Type.REAL in (self.types[node.left], self.types[node.right]) else None
        left, right = (self.of(side, joined) for side in (node.left, node.right))
        if node.op is CompareOp.NE:
            return self.emit("Not", self.emit("Equal", left.name, right.name))
        if left.type is Type.BOOL and node.op is not CompareOp.EQ:
            left, right = (Held(self.cast(side.name, OWN[Type.INTEGER]), Type.INTEGER) for side in (left, right))
        return self.emit(_COMPARE[node.op], left.name, right.name)

    def _call(self, node: Call, type_: Type) -> str:
        args = [self.of(arg, Type.REAL if node.function in REAL_FUNCTIONS else type_).name for arg in node.args]
        if node.function in _WHOLE and type_ is not Type.REAL:
            return args[0]
        match node.function:
            case Function.CLIP if all(self._is_number(arg) for arg in node.args[1:]):
                return self.emit("Clip", *args)
            case Function.CLIP:
                return self.emit("Min", self.emit("Max", args[0], args[1]), args[2])
            case Function.RSQRT:
                return self.emit("Reciprocal", self.emit("Sqrt", args[0]))
            case Function.TRUNC:
                return self.emit("Mul", self.emit("Sign", args[0]), self.emit("Floor", self.emit("Abs", args[0])))
            case function if function in COMPOSED:
                return composed(function, self._emitted, lambda value: self.number(value, Type.REAL), args[0])
            case Function.LOG1P:
                return self._emitted("log1p", args[0])
            case _:
                return self.emit(_PLAIN[node.function], *args)

    def _emitted(self, op: str, *args: str) -> str:
        """An operation of real values by its name in graphs. ONNX has no log1p: near 0, with u = 1 + x, log(u) * x / (u - 1)
        is as good."""
        if op != "log1p":
            return self.emit(op.capitalize(), *args)
        (x,) = args
        one, half = self.number(1.0, Type.REAL), self.number(0.5, Type.REAL)
        u = self.emit("Add", x, one)
        log, rest = self.emit("Log", u), self.emit("Sub", u, one)
        near = self.emit("Where", self.emit("Equal", u, one), x, self.emit("Div", self.emit("Mul", log, x), rest))
        return self.emit("Where", self.emit("Less", self.emit("Abs", x), half), near, log)

    def _is_number(self, node: Node) -> bool:
        """Whether a value is one number, of rank 0, which is what Clip takes."""
        return isinstance(node, Const) or (isinstance(node, Param) and self.params[node.name].shape is None)

    def _cast(self, node: Cast) -> str:
        held, dtype = self.of(node.operand), cast_type(node, self.combinations[0])
        if dtype.kind is Family.BOOL:
            return self.cast(held.name, OWN[Type.BOOL]) if held.type is not Type.BOOL else held.name
        if dtype.kind is Family.FLOAT:
            value = self.real(held)
            single = all(cast_type(node, c).name == dtype.name for c in self.combinations)
            narrow = dtype.name == "float16" and single
            return self.cast(self.cast(value, ONNX_TYPES["float16"]), OWN[Type.REAL]) if narrow else value
        if held.type is not Type.REAL:
            return self.saturated(self.cast(held.name, 7) if held.type is Type.BOOL else held.name, dtype)
        known = self.emit("Where", self.emit("IsNaN", held.name), self.number(0.0, Type.REAL), held.name)
        ends = (max(dtype.limits[0], -(2**63)), min(dtype.limits[1], 2**63 - 2**39))  # float32 below int64's end
        low, high = (self.number(float(end), Type.REAL) for end in ends)
        return self.saturated(self.cast(self.emit("Clip", known, low, high), OWN[Type.INTEGER]), dtype)

    def _reduce(self, node: Reduce) -> str:
        operand = self.of(node.operand, Type.REAL if node.op is Reduction.MEAN else None).name
        keep: tuple[Kind, Value] = (Kind.INT, int(node.keepdims is True))
        if isinstance(node.keepdims, str):
            if node.keepdims in self.from_inputs:
                raise Unfit(f"'{node.keepdims}' decides about dimensions, so it must be an attribute")
            keep = (Kind.INT, Ref(node.keepdims))
        if node.op in PLACES or node.op is Reduction.CUMSUM:
            return self._along(node, operand, keep)
        op_type = _REDUCE[node.op]
        if node.axes is None:
            return self.emit(op_type, operand, keepdims=keep)
        if self.opset < AXES_OPSET and op_type != "ReduceSum":
            if isinstance(node.axes, str):
                raise Unfit(f"{op_type} with axes from a param needs opset {AXES_OPSET}")
            return self.emit(op_type, operand, axes=(Kind.INTS, node.axes), keepdims=keep)
        if op_type != "ReduceSum":
            self.needs(AXES_OPSET, op_type)
        return self.emit(op_type, operand, self._axes(node.axes), keepdims=keep)

    def _along(self, node: Reduce, operand: str, keep: tuple[Kind, Value]) -> str:
        """What goes along one dimension; `argmax` of everything goes along all elements in a line."""
        param = node.axes if isinstance(node.axes, str) else ""
        axis = node.axes[0] if isinstance(node.axes, tuple) else 0
        if node.op is Reduction.CUMSUM:
            return self.emit(
                "CumSum", operand, self.values["param", param].name if param else self.number(axis, Type.INTEGER)
            )
        if param in self.from_inputs:
            raise Unfit(f"'{param}' numbers a dimension, so it must be an attribute")
        if node.axes is None:
            if node.keepdims is not False:
                raise Unfit(f"{node.op} of all elements that keeps their dimensions")
            operand = self.emit("Reshape", operand, self.emit("Constant", value_ints=(Kind.INTS, (-1,))))
        name = "ArgMax" if node.op is Reduction.ARGMAX else "ArgMin"
        return self.emit(name, operand, axis=(Kind.INT, Ref(param) if param else axis), keepdims=keep)

    def _axes(self, axes: tuple[int, ...] | str) -> str:
        if isinstance(axes, tuple):
            return self.emit("Constant", value_ints=(Kind.INTS, axes))
        line = self.emit("Constant", value_ints=(Kind.INTS, (-1,)))
        return self.emit("Reshape", self.values["param", axes].name, line)
