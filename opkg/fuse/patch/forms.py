"""Which ONNX ops compute what a torch function computes, in the forms that exporters write: the table of `opkg onnx patch`.

Names, attributes and defaults are ONNX's (opset 13 to 24). Several forms of one function are a `CHOICE` of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from opkg.spec.pattern_graph import Build, Core, Form, Kind, NoForm, Number, Option, Part

CHOICE = "|"  # the op of a Core whose operands are forms of one value
COMMUTATIVE = frozenset(("Add", "Mul", "Max", "Min", "And", "Or", "Xor", "Equal"))
# Attributes that say what an op computes, with ONNX's defaults, in the order of a Core's numbers behind its tensors.
SETTINGS: dict[str, tuple[tuple[str, float], ...]] = {
    "Elu": (("alpha", 1.0),),
    "LeakyRelu": (("alpha", 0.01),),
    "HardSigmoid": (("alpha", 0.2), ("beta", 0.5)),
    "Swish": (("alpha", 1.0),),
    "Gelu": (("approximate", 0.0),),  # "none"
    "Softmax": (("axis", -1.0),),
    "LogSoftmax": (("axis", -1.0),),
    **{f"Reduce{name}": (("keepdims", 1.0),) for name in ("Mean", "Sum", "Max", "Min")},
}
# Attributes that change nothing where the tensors are what patterns have.
IGNORED = frozenset(("noop_with_empty_axes",))


def _op(op: str) -> Build:
    return lambda parts: Core(op, parts)


def _choice(*forms: Core) -> Core:
    return Core(CHOICE, forms)


def _two(op: str) -> Callable[[Part, Part], Core]:
    return lambda a, b: Core(op, (a, b))


_add, _sub, _mul, _div, _pow = map(_two, ("Add", "Sub", "Mul", "Div", "Pow"))


def _float(value: float) -> Number:
    return Number(value, Kind.FLOAT)


def _number(part: Part) -> float:
    """The value of an operand that must be a literal."""
    if not isinstance(part, Number):
        raise NoForm("with a limit or factor that is a tensor")
    return part.value


# ---- functions of one tensor


def _relu(parts: tuple[Part, ...]) -> Part:
    (x,) = parts
    return _choice(Core("Relu", (x,)), Core("Max", (x, Number(0.0))), _clip(x, 0.0, math.inf))


def _clip(x: Part, low: float, high: float) -> Core:
    return Core("Clip", (x, Number(low), Number(high)))


def _clamp(parts: tuple[Part, ...]) -> Part:
    x, low, high = parts[0], _number(parts[1]), _number(parts[2])
    least, most = Number(low), Number(high)
    return _choice(
        _clip(x, low, high), Core("Min", (Core("Max", (x, least)), most)), Core("Max", (Core("Min", (x, most)), least))
    )


def _six(x: Part) -> Core:
    """relu6(x + 3), which hard functions are made of."""
    shifted = _add(x, Number(3.0))
    return _choice(_clip(shifted, 0.0, 6.0), Core("Min", (Core("Relu", (shifted,)), Number(6.0))))


def _sixth(x: Part) -> tuple[Core, Core]:
    return _div(x, Number(6.0)), _mul(x, Number(1 / 6))


def _hardsigmoid(parts: tuple[Part, ...]) -> Core:
    return _choice(Core("HardSigmoid", (parts[0], _float(1 / 6), _float(0.5))), *_sixth(_six(parts[0])))


def _hardswish(parts: tuple[Part, ...]) -> Part:
    (x,) = parts
    return _choice(Core("HardSwish", (x,)), _mul(x, _hardsigmoid(parts)), *_sixth(_mul(x, _six(x))))


def _silu(parts: tuple[Part, ...]) -> Part:
    (x,) = parts
    return _choice(Core("Swish", (x, _float(1.0))), _mul(x, Core("Sigmoid", (x,))))


def _mish(parts: tuple[Part, ...]) -> Part:
    (x,) = parts
    return _choice(Core("Mish", (x,)), _mul(x, Core("Tanh", (Core("Softplus", (x,)),))))


def _gelu(parts: tuple[Part, ...]) -> Part:
    (x,) = parts
    root, half = math.sqrt(2.0), Number(0.5)
    scaled = _choice(_div(x, Number(root)), _mul(x, Number(1 / root)))
    inner = _add(Core("Erf", (scaled,)), Number(1.0))
    written = (_mul(_mul(x, inner), half), _mul(_mul(x, half), inner), _mul(x, _mul(inner, half)))
    return _choice(Core("Gelu", (x, _float(0.0))), *written)


def _rsqrt(parts: tuple[Part, ...]) -> Part:
    root = Core("Sqrt", parts)
    return _choice(Core("Reciprocal", (root,)), _div(Number(1.0), root), _pow(parts[0], Number(-0.5)))


def _is_rsqrt(part: Part) -> bool:
    first = part.operands[0] if isinstance(part, Core) and part.op == CHOICE else None
    return isinstance(first, Core) and first.op == "Reciprocal"


def _root(part: Part) -> Part:
    """The square root in what `_rsqrt` makes."""
    assert isinstance(part, Core)
    assert isinstance(part.operands[0], Core)
    return part.operands[0].operands[0]


# ---- functions of two


def _times(parts: tuple[Part, ...]) -> Part:
    """a * b; a * a is written as a power, too, a * rsqrt(b) as a / sqrt(b), and a * (1 / n) as a / n."""
    a, b = parts
    forms = [_mul(a, b)]
    forms += [_pow(a, Number(2.0))] if a is b else []
    forms += [_div(x, _root(y)) for x, y in ((a, b), (b, a)) if _is_rsqrt(y)]
    forms += [_div(x, Number(1 / y.value)) for x, y in ((a, b), (b, a)) if isinstance(y, Number) and y.value]
    return _choice(*forms) if len(forms) > 1 else forms[0]


def _by(parts: tuple[Part, ...]) -> Part:
    a, b = parts
    if isinstance(b, Number) and b.value:
        return _choice(_div(a, b), _mul(a, Number(1 / b.value)))
    return _div(a, b)


def _minus(parts: tuple[Part, ...]) -> Part:
    a, b = parts
    return _choice(_sub(a, b), _add(a, Number(-b.value))) if isinstance(b, Number) else _sub(a, b)


def _power(parts: tuple[Part, ...]) -> Part:
    x, exponent = parts
    forms = [_pow(x, exponent)]
    if isinstance(exponent, Number):
        forms += [_mul(x, x)] if exponent.value == 2 else []
        forms += [Core("Sqrt", (x,))] if exponent.value == 0.5 else []
    return _choice(*forms) if len(forms) > 1 else forms[0]


def _along(op: str, *settings: float) -> Build:
    """An op along one dimension, which the pattern counts from the end or from the first."""

    def build(parts: tuple[Part, ...]) -> Part:
        axis = parts[1]
        if not isinstance(axis, Number):
            raise NoForm("without a number for the dimension")
        return Core(op, (parts[0], Number(axis.value, Kind.INDEX), *map(_float, settings)))

    return build


def _one(build: Build, *options: Option) -> Form:
    return Form(("input",), build, options)


def _pair(build: Build, *options: Option) -> Form:
    return Form(("input", "other"), build, options)


def _table() -> dict[str, Form]:
    alpha, inplace, keep = ("alpha", 1, 1), ("inplace", False, False), ("keepdim", True, False)
    plain = "neg abs exp sqrt sigmoid tanh log floor ceil sign sin cos asin atan erf round reciprocal softsign"
    compare = {"eq": "Equal", "gt": "Greater", "ge": "GreaterOrEqual", "lt": "Less", "le": "LessOrEqual"}
    logic = {"logical_and": "And", "logical_or": "Or", "logical_xor": "Xor"}
    reduce = {"mean": "ReduceMean", "sum": "ReduceSum", "amax": "ReduceMax", "amin": "ReduceMin"}
    return {
        **{name: _one(_op(name.capitalize())) for name in plain.split()},
        **{name: _pair(_op(op)) for name, op in {**compare, **logic, "maximum": "Max", "minimum": "Min"}.items()},
        **{name: Form(("input", "dim"), _along(op, 1.0), (keep,)) for name, op in reduce.items()},
        "ne": _pair(lambda parts: Core("Not", (Core("Equal", parts),))),
        "neg": _one(lambda parts: _choice(Core("Neg", parts), _mul(parts[0], Number(-1.0)))),
        "reciprocal": _one(lambda parts: _choice(Core("Reciprocal", parts), _div(Number(1.0), parts[0]))),
        "sqrt": _one(lambda parts: _choice(Core("Sqrt", parts), _pow(parts[0], Number(0.5)))),
        "logical_not": _one(_op("Not")),
        "rsqrt": _one(_rsqrt),
        "square": _one(lambda parts: _power((parts[0], Number(2.0)))),
        "relu": _one(_relu, inplace),
        "relu6": _one(lambda parts: _clamp((*parts, Number(0.0), Number(6.0))), inplace),
        "silu": _one(_silu, inplace),
        "hardswish": _one(_hardswish, inplace),
        "hardsigmoid": _one(_hardsigmoid, inplace),
        "mish": _one(_mish, inplace),
        "softplus": _one(_op("Softplus"), ("beta", 1, 1), ("threshold", 20, 20)),
        "gelu": _one(_gelu, ("approximate", "none", "none")),
        "add": _pair(_op("Add"), alpha),
        "sub": _pair(_minus, alpha),
        "mul": _pair(_times),
        "div": _pair(_by, ("rounding_mode", None, None)),
        "matmul": _pair(_op("MatMul")),
        "pow": Form(("input", "exponent"), _power),
        "elu": Form(("input", "alpha"), lambda p: Core("Elu", (p[0], _float(_number(p[1])))), (inplace,)),
        "leaky_relu": Form(
            ("input", "negative_slope"), lambda p: Core("LeakyRelu", (p[0], _float(_number(p[1])))), (inplace,)
        ),
        "clamp": Form(("input", "min", "max"), _clamp),
        "hardtanh": Form(("input", "min_val", "max_val"), _clamp, (inplace,)),
        "softmax": Form(("input", "dim"), _along("Softmax"), (("dtype", None, None),)),
        "log_softmax": Form(("input", "dim"), _along("LogSoftmax"), (("dtype", None, None),)),
        "where": Form(("condition", "input", "other"), _op("Where")),
    }


FORMS = _table()
