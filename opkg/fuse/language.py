"""What ops of models are in the language of `compute:`: one function per op, from trees of operands to a tree.

Names and attributes are ONNX's (opset 22), which all readers give.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from opkg.models.model import Attribute, Model, Node
from opkg.models.partition.moved import is_number
from opkg.spec.compute import tree
from opkg.spec.compute.tree import (
    Binary,
    BinaryOp,
    Call,
    Compare,
    CompareOp,
    Const,
    Function,
    Reduce,
    Reduction,
    Select,
)

Value = tree.Node
Numbers = Mapping[str, Value]  # attributes that are numbers, as trees: constants or params
F, B = Function, BinaryOp


def call(function: Function, *args: Value) -> Value:
    return Call(function, args)


def binary(op: BinaryOp, left: Value, right: Value) -> Value:
    return Binary(op, left, right)


def _select(op: CompareOp, x: Value, border: float, then: Value, other: Value) -> Value:
    return Select(Compare(op, x, Const(border)), then, other)


def _mul(a: Value, b: Value) -> Value:
    return binary(B.MUL, a, b)


def _add(a: Value, b: Value) -> Value:
    return binary(B.ADD, a, b)


def _sub(a: Value, b: Value) -> Value:
    return binary(B.SUB, a, b)


def _div(a: Value, b: Value) -> Value:
    return binary(B.DIV, a, b)


def _clip(x: Value, low: Value, high: Value) -> Value:
    return call(F.CLIP, x, low, high)


Rule = Callable[[Sequence[Value], Numbers], Value]
Axes = tuple[int, ...]  # from the end: (-1,)


def _unary(function: Function) -> Rule:
    return lambda args, _: call(function, args[0])


def _two(op: BinaryOp) -> Rule:
    return lambda args, _: binary(op, args[0], args[1])


def _compared(op: CompareOp) -> Rule:
    return lambda args, _: Compare(op, args[0], args[1])


def _many(function: Function) -> Rule:
    return lambda args, _: call(function, *args) if len(args) > 1 else args[0]


def _bounded(args: Sequence[Value], numbers: Numbers) -> Value:
    low = args[1] if len(args) > 1 else numbers.get("min")
    high = args[2] if len(args) > 2 else numbers.get("max")
    if low is not None and high is not None:
        return _clip(args[0], low, high)
    if low is not None:
        return call(F.MAX, args[0], low)
    return call(F.MIN, args[0], high) if high is not None else args[0]


def _gelu(args: Sequence[Value], numbers: Numbers) -> Value:
    x = args[0]
    if "tanh" in numbers:
        cube = _add(x, _mul(Const(0.044715), _mul(_mul(x, x), x)))
        return _mul(_mul(Const(0.5), x), _add(Const(1.0), call(F.TANH, _mul(Const(math.sqrt(2 / math.pi)), cube))))
    return _mul(_mul(Const(0.5), x), _add(Const(1.0), call(F.ERF, _div(x, Const(math.sqrt(2))))))


def _softplus(x: Value) -> Value:
    small = call(F.LOG, _add(Const(1.0), call(F.EXP, tree.Unary(tree.UnaryOp.NEG, call(F.ABS, x)))))
    return _add(call(F.MAX, x, Const(0.0)), small)


def _swish(args: Sequence[Value], numbers: Numbers) -> Value:
    inside = _mul(args[1], args[0]) if len(args) > 1 else args[0]
    return _mul(args[0], call(F.SIGMOID, inside))


def _fake_quantize(args: Sequence[Value], numbers: Numbers) -> Value:
    """Steps of the interval that the inputs name, in the interval of the results."""
    x, low, high, to_low, to_high = args
    last = _sub(numbers["levels"], Const(1.0))
    steps = call(F.ROUND, _mul(_div(_sub(_clip(x, low, high), low), _sub(high, low)), last))
    return _add(_mul(_div(steps, last), _sub(to_high, to_low)), to_low)


POINTWISE: dict[str, Rule] = {
    "Abs": _unary(F.ABS), "Ceil": _unary(F.CEIL), "Erf": _unary(F.ERF), "Exp": _unary(F.EXP), "Floor": _unary(F.FLOOR),
    "Log": _unary(F.LOG), "Round": _unary(F.ROUND), "Rsqrt": _unary(F.RSQRT), "Sigmoid": _unary(F.SIGMOID),
    "Sign": _unary(F.SIGN), "Sqrt": _unary(F.SQRT), "Tanh": _unary(F.TANH),
    "Add": _two(B.ADD), "Sub": _two(B.SUB), "Mul": _two(B.MUL), "Div": _two(B.DIV), "Pow": _two(B.POW),
    "And": _two(B.AND), "Or": _two(B.OR), "Max": _many(F.MAX), "Min": _many(F.MIN), "Clip": _bounded,
    "Equal": _compared(CompareOp.EQ), "NotEqual": _compared(CompareOp.NE), "Greater": _compared(CompareOp.GT),
    "GreaterOrEqual": _compared(CompareOp.GE), "Less": _compared(CompareOp.LT), "LessOrEqual": _compared(CompareOp.LE),
    "Not": lambda a, _: tree.Unary(tree.UnaryOp.NOT, a[0]),
    "Neg": lambda a, _: tree.Unary(tree.UnaryOp.NEG, a[0]),
    "Relu": lambda a, _: call(F.MAX, a[0], Const(0.0)),
    "Reciprocal": lambda a, _: _div(Const(1.0), a[0]),
    "SquaredDifference": lambda a, _: _mul(_sub(a[0], a[1]), _sub(a[0], a[1])),
    "Softsign": lambda a, _: _div(a[0], _add(Const(1.0), call(F.ABS, a[0]))),
    "Softplus": lambda a, _: _softplus(a[0]),
    "Mish": lambda a, _: _mul(a[0], call(F.TANH, _softplus(a[0]))),
    "Swish": _swish, "Gelu": _gelu,
    "HardSwish": lambda a, _: _div(_mul(a[0], _clip(_add(a[0], Const(3.0)), Const(0.0), Const(6.0))), Const(6.0)),
    "HSigmoid": lambda a, _: _div(_clip(_add(a[0], Const(3.0)), Const(0.0), Const(6.0)), Const(6.0)),
    "HardSigmoid": lambda a, n: _clip(
        _add(_mul(a[1] if len(a) > 1 else n["alpha"], a[0]), a[2] if len(a) > 2 else n["beta"]), Const(0.0), Const(1.0)
    ),
    "LeakyRelu": lambda a, n: _select(CompareOp.GT, a[0], 0.0, a[0], _mul(n["alpha"], a[0])),
    "PRelu": lambda a, _: _select(CompareOp.GT, a[0], 0.0, a[0], _mul(a[1], a[0])),
    "Elu": lambda a, n: _select(
        CompareOp.GT, a[0], 0.0, a[0], _mul(n["alpha"], _sub(call(F.EXP, call(F.MIN, a[0], Const(0.0))), Const(1.0)))
    ),
    "Where": lambda a, _: Select(a[0], a[1], a[2]), "FakeQuantize": _fake_quantize,
}  # fmt: skip
# Attributes that are numbers, with their values where a node has none.
NUMBERS: dict[str, dict[str, float]] = {
    "HardSigmoid": {"alpha": 0.2, "beta": 0.5}, "LeakyRelu": {"alpha": 0.01}, "Elu": {"alpha": 1.0},
    "FakeQuantize": {"levels": 256.0}, "LayerNormalization": {"epsilon": 1e-5}, "RMSNormalization": {"epsilon": 1e-5},
}  # fmt: skip
COMMUTATIVE = frozenset(("Add", "Mul", "Max", "Min", "And", "Or", "Equal", "NotEqual", "SquaredDifference"))
# Where the number says which function it is: x ** 2 is a product.
EXACT = frozenset(("Pow",))


def _reduced(op: Reduction, x: Value, axes: Axes) -> Value:
    return Reduce(op, x, axes, True)


def softmax_top(x: Value, axes: Axes) -> Value:
    """The exponentials, of which Softmax is then computed."""
    return call(F.EXP, _sub(x, _reduced(Reduction.MAX, x, axes)))


def centred(x: Value, axes: Axes) -> Value:
    """The differences from the mean, of which LayerNormalization is then computed."""
    return _sub(x, _reduced(Reduction.MEAN, x, axes))


def _softmax(args: Sequence[Value], _: Numbers, axes: Axes) -> Value:
    return _div(args[0], _reduced(Reduction.SUM, args[0], axes))


def _layer_norm(args: Sequence[Value], numbers: Numbers, axes: Axes) -> Value:
    d = args[0]
    n = _mul(d, call(F.RSQRT, _add(_reduced(Reduction.MEAN, _mul(d, d), axes), numbers["epsilon"])))
    scaled = _mul(n, args[1]) if len(args) > 1 else n
    return _add(scaled, args[2]) if len(args) > 2 else scaled


def _rms_norm(args: Sequence[Value], numbers: Numbers, axes: Axes) -> Value:
    squares = _reduced(Reduction.MEAN, _mul(args[0], args[0]), axes)
    n = _mul(args[0], call(F.RSQRT, _add(squares, numbers["epsilon"])))
    return _mul(n, args[1]) if len(args) > 1 else n


def _plain(op: Reduction) -> Callable[[Sequence[Value], Numbers, Axes], Value]:
    return lambda args, _, axes: _reduced(op, args[0], axes)


REDUCING: dict[str, Callable[[Sequence[Value], Numbers, Axes], Value]] = {
    "ReduceMean": _plain(Reduction.MEAN), "ReduceSum": _plain(Reduction.SUM), "ReduceMax": _plain(Reduction.MAX),
    "ReduceMin": _plain(Reduction.MIN),
    "ReduceSumSquare": lambda a, _, axes: _reduced(Reduction.SUM, _mul(a[0], a[0]), axes),
    "ReduceL2": lambda a, _, axes: call(F.SQRT, _reduced(Reduction.SUM, _mul(a[0], a[0]), axes)),
    "ReduceL1": lambda a, _, axes: _reduced(Reduction.SUM, call(F.ABS, a[0]), axes),
    "GlobalAveragePool": _plain(Reduction.MEAN), "GlobalMaxPool": _plain(Reduction.MAX),
    "Softmax": _softmax, "LayerNormalization": _layer_norm, "RMSNormalization": _rms_norm,
}  # fmt: skip


def lacks(model: Model, node: Node) -> str:
    """Why a node cannot be written in the language of `compute:`; "" when it can."""
    if why := node.attributes.get("lacks"):
        return f"torch's call has what ONNX's {node.op} has not: {why!s}"
    if model.exact and not node.attributes.get("torch"):
        return "its call cannot be written as a pattern"
    if node.op not in POINTWISE and node.op not in REDUCING:
        return f"{node.op} is not in the language of compute:"
    if node.op == "Round" and "away" in str(node.attributes.get("mode", "")).lower():
        return "it rounds halves away from zero, which is not in the language of compute:"
    if node.op == "FakeQuantize" and not all(is_number(model, name) for name in node.inputs[1:]):
        return "its ends are not one number each"
    if node.op == "PRelu" and not _in_place(model, node):
        return "its slopes are not where numpy broadcasts them"
    if "" in node.inputs:
        return "an operand in the middle is left out"
    kinds = {model.tensor(name).dtype for name in node.reads} - {"bool8"}
    if any("int" in kind for kind in kinds if not _real(model, node, kind)) and node.op not in REDUCING:
        return "integers without a quantization stay with the runtime"
    if node.op in REDUCING:
        if not axes_of(model, node):
            return "its axes are not known"
        if not node.attributes.get("keepdims", node.attributes.get("keep_dims", 1)):
            return "it drops the dimensions that it reduces"
    return ""


def _in_place(model: Model, node: Node) -> bool:
    """Whether the slopes of a PRelu have all dimensions, or are one number: others are per channel, or as numpy has them."""
    x, slopes = (model.tensor(name).fixed or () for name in node.inputs[:2])
    return len(slopes) == len(x) or all(size == 1 for size in slopes)


def _real(model: Model, node: Node, kind: str) -> bool:
    """Whether all tensors of an integer type that a node reads are quantized."""
    return all(model.tensor(name).quantization is not None for name in node.reads if model.tensor(name).dtype == kind)


def axes_of(model: Model, node: Node) -> Axes:
    """The dimensions that a node reduces, from the end and in order; () when they are not known."""
    shape = model.tensor(node.inputs[0]).fixed if node.inputs else None
    if shape is None:
        return ()
    rank = len(shape)
    if node.op.startswith("Global"):
        found: tuple[int, ...] = tuple(range(2, rank))
    elif node.op in ("LayerNormalization", "RMSNormalization"):
        first = node.attributes.get("axis", -1)
        start = first % rank if isinstance(first, int) and rank else 0
        found = tuple(range(start, rank))
    elif node.op == "Softmax":
        axis = node.attributes.get("axis", -1)
        found = (axis,) if isinstance(axis, int) else ()
    else:
        found = _given_axes(model, node, rank)
    if any(not -rank <= axis < rank for axis in found):
        return ()
    return tuple(sorted({axis % rank - rank for axis in found}))


def _given_axes(model: Model, node: Node, rank: int) -> tuple[int, ...]:
    """Of an attribute (older opsets) or a constant; all of them without either."""
    given = node.attributes.get("axes")
    if isinstance(given, tuple):
        return tuple(int(axis) for axis in given)
    if len(node.inputs) < 2 or not node.inputs[1]:
        return () if node.attributes.get("noop_with_empty_axes") else tuple(range(rank))
    values = model.constants.get(node.inputs[1])
    return () if values is None else tuple(int(axis) for axis in values.read().reshape(-1))


def numbers_of(node: Node) -> dict[str, float]:
    """The attributes of a node that are numbers of its computation."""
    found: dict[str, float] = {}
    wanted = {} if node.op == "HardSigmoid" and len(node.inputs) > 1 else NUMBERS.get(node.op, {})
    for name, value in wanted.items():
        given = node.attributes.get(name, value)
        found[name] = float(given) if isinstance(given, (int, float)) else value
    if node.op == "Clip":
        found |= {
            k: float(v) for k, v in node.attributes.items() if k in ("min", "max") and isinstance(v, (int, float))
        }
    return found


def words_of(node: Node) -> tuple[tuple[str, Attribute], ...]:
    """The attributes that say which function a node is; of torch's, the call."""
    if "torch" in node.attributes:
        return (*_words(node), ("torch", node.attributes["torch"]))
    return _words(node)


def _words(node: Node) -> tuple[tuple[str, Attribute], ...]:
    if node.op == "Gelu":
        given = node.attributes.get("approximate", node.attributes.get("approximation_mode", "none"))
        return (("approximate", str(given).lower()),)
    return ()


def expression(
    op: str, args: Sequence[Value], numbers: Numbers, axes: Axes, words: Sequence[tuple[str, object]]
) -> Value:
    """What an op computes."""
    if op in REDUCING:
        return REDUCING[op](args, numbers, axes)
    if op == "Gelu" and str(dict(words).get("approximate")).lower() == "tanh":
        numbers = {**numbers, "tanh": Const(1.0)}
    return POINTWISE[op](args, numbers)
