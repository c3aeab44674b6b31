"""Which core ops compute what a torch function computes: the table behind rules that are made from a `pattern:`.

Core ops go by the short names that classic rules use, where QHPI's rewrites know the same op; else by their QNN name.
"""

from __future__ import annotations

from opkg.spec.pattern_graph import Build, Core, Form, Kind, NoForm, Number, Option, Part

LAST = 3  # the last dimension, counted from the first, of a graph's tensors of rank 4


def _core(op: str, either: bool = False) -> Build:
    """A core op on its operands. A literal stands behind the tensor where order means nothing, as torch's graphs have it."""

    def build(parts: tuple[Part, ...]) -> Part:
        if either and isinstance(parts[0], Number):
            parts = parts[::-1]
        return Core(op, parts, either and not isinstance(parts[-1], Number))

    return build


def _unary(op: str, options: tuple[Option, ...] = ()) -> Form:
    return Form(("input",), _core(op), options)


def _binary(op: str, either: bool = False, options: tuple[Option, ...] = ()) -> Form:
    return Form(("input", "other"), _core(op, either), options)


def _times(a: Part, b: Part) -> Part:
    return Core("Mul", (a, b), True)


def _param(part: Part) -> Number:
    """An operand as the float32 param of a core op."""
    if not isinstance(part, Number):
        raise NoForm("with a limit or factor that is a tensor")
    return Number(part.value, Kind.FLOAT)


def _clipped(parts: tuple[Part, ...]) -> Part:
    return Core("ReluMinMax", (parts[0], _param(parts[1]), _param(parts[2])))


def _alpha(op: str) -> Build:
    return lambda parts: Core(op, (parts[0], _param(parts[1])))


def _last(op: str, *params: tuple[float, Kind]) -> Build:
    """A core op over the last dimension; of a tensor of rank 4, since the graph counts from the first."""

    def build(parts: tuple[Part, ...]) -> Part:
        if not isinstance(parts[1], Number) or parts[1].value != -1:
            raise NoForm("over another dimension than -1")
        return Core(op, (parts[0], *(Number(value, kind) for value, kind in params)))

    return build


def _matmul(parts: tuple[Part, ...]) -> Part:
    return Core("MatMul", (*parts, Number(0, Kind.FLAG), Number(0, Kind.FLAG)))


def _table() -> dict[str, Form]:
    alpha, inplace, keep = (("alpha", 1, 1),), (("inplace", False, False),), (("keepdim", True, False),)
    unary = {
        "relu": "Relu", "neg": "Neg", "abs": "Abs", "exp": "Exp", "sqrt": "Sqrt", "sigmoid": "Sigmoid", "tanh": "Tanh",
        "rsqrt": "ElementWiseRsqrt", "log": "ElementWiseLog", "floor": "ElementWiseFloor", "ceil": "ElementWiseCeil",
        "sign": "ElementWiseSign", "sin": "ElementWiseSin", "cos": "ElementWiseCos",
    }  # fmt: skip
    compare = {
        "eq": "Equal", "ne": "NotEqual", "gt": "Greater", "ge": "GreaterEqual", "lt": "Less", "le": "LessEqual",
    }  # fmt: skip
    reduce = {"mean": "ReduceMean", "sum": "ReduceSum", "amax": "ReduceMax", "amin": "ReduceMin"}
    axis, one = (LAST, Kind.INDEX), (1.0, Kind.FLOAT)
    return {
        **{name: Form(("input", "dim"), _last(op, axis, (1, Kind.FLAG)), keep) for name, op in reduce.items()},
        **{name: _unary(op) for name, op in unary.items()},
        **{name: _binary(f"ElementWise{op}") for name, op in compare.items()},
        "add": _binary("Add", True, alpha),
        "sub": _binary("Sub", False, alpha),
        "mul": _binary("Mul", True),
        "div": _binary("Div", False, (("rounding_mode", None, None),)),
        "maximum": _binary("Maximum", True),
        "minimum": _binary("Minimum", True),
        "pow": Form(("input", "exponent"), _core("ElementWisePower")),
        "square": Form(("input",), lambda parts: _times(parts[0], parts[0])),
        "reciprocal": Form(("input",), lambda parts: Core("Div", (Number(1.0), parts[0]))),
        "silu": Form(("input",), lambda parts: _times(parts[0], Core("Sigmoid", parts)), inplace),
        "hardswish": _unary("HardSwish", inplace),
        "gelu": _unary("Gelu", (("approximate", "none", "none"),)),
        "elu": Form(("input", "alpha"), _alpha("Elu"), inplace),
        "leaky_relu": Form(("input", "negative_slope"), _core("Prelu"), inplace),
        "clamp": Form(("input", "min", "max"), _clipped),
        "hardtanh": Form(("input", "min_val", "max_val"), _clipped, inplace),
        "relu6": Form(("input",), lambda parts: _clipped((*parts, Number(0.0), Number(6.0))), inplace),
        "softmax": Form(("input", "dim"), _last("Softmax", one, axis), (("dtype", None, None),)),
        "matmul": Form(("input", "other"), _matmul),
        "where": Form(("condition", "input", "other"), _core("ElementWiseSelect")),
    }


FORMS = _table()
# Core ops that QHPI's rewrites know by the name that classic rules use; the others are seen as `QNN_` and their QNN name.
_SEEN = frozenset(
    (
        *("Add", "Sub", "Mul", "Div", "Maximum", "Minimum", "Neg", "Abs", "Exp", "Sqrt"),
        *("Relu", "Sigmoid", "Tanh", "HardSwish", "Prelu"),
        *(f"ElementWise{name}" for name in ("Rsqrt", "Log", "Floor", "Ceil", "Sign", "Sin", "Cos", "Power")),
    )
)


def core_name(op: str, qhpi: bool) -> str:
    """How a rule names a core op. `qhpi`: for a package with QHPI's interface."""
    return f"QNN_{op}" if qhpi and op not in _SEEN else op
