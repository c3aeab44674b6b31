"""Ops of torch as the form of models has them: ONNX's attributes in place of torch's, and the call as text for a `pattern:`.

Attributes: `lacks`: why the node is not what ONNX's op of the name is; `torch`: the call as Python, in which {0}, {1} ... stand
for the node's inputs (missing where it cannot be written).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from opkg.models.model import Attribute
from opkg.spec.pattern_names import FUNCTIONAL, FUNCTIONS

Attributes = Mapping[str, Attribute]
_OPERATORS = {
    "add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "div": "{} / {}", "pow": "{} ** {}", "eq": "{} == {}",
    "ne": "{} != {}", "lt": "{} < {}", "le": "{} <= {}", "gt": "{} > {}", "ge": "{} >= {}",
}  # fmt: skip
_MOST_POSITIONS = 2  # of a call by torch.nn.functional's name: behind them its arguments are others than aten's


def call_text(target: str, arguments: Sequence[str]) -> str:
    """The call of an op of aten: `{0} * 0.5` of aten.mul.Tensor; "" without arguments, or of another library's op."""
    space, _, rest = target.partition(".")
    base = rest.partition(".")[0]
    if space != "aten" or not arguments:
        return ""
    plain = all("=" not in each for each in arguments)
    if base in _OPERATORS and len(arguments) == 2 and plain:
        return _OPERATORS[base].format(*arguments)
    if base == "rsub" and len(arguments) == 2 and plain:
        return f"{arguments[1]} - {arguments[0]}"
    if base == "neg":
        return f"-{arguments[0]}"
    listed = ", ".join(arguments)
    if base in FUNCTIONS:
        return f"torch.{base}({listed})"
    if base in FUNCTIONAL and len(arguments) <= _MOST_POSITIONS:
        return f"F.{base}({listed})"
    return f"torch.ops.{target}({listed})"


def renumbered(text: str, numbers: Sequence[int]) -> str:
    """The text with {0} for {numbers[0]} and so on."""
    return re.sub(r"\{(\d+)\}", lambda match: f"{{{numbers[int(match[1])]}}}", text)


def attributes_of(op: str, target: str, given: Attributes) -> dict[str, Attribute]:
    """ONNX's attributes of an op that has ONNX's name."""
    rule = _RULES.get(op)
    return dict(given) if rule is None else rule(target.split(".")[1] if "." in target else target, given)


def _number(given: Attributes, name: str, otherwise: float) -> float:
    value = given.get(name, otherwise)
    return float(value) if isinstance(value, (int, float)) else otherwise


def _sum(base: str, given: Attributes) -> dict[str, Attribute]:
    return {"lacks": "a factor alpha"} if _number(given, "alpha", 1.0) != 1.0 else {}


def _div(base: str, given: Attributes) -> dict[str, Attribute]:
    return {"lacks": "its result is rounded to whole numbers"} if given.get("rounding_mode") is not None else {}


def _clip(base: str, given: Attributes) -> dict[str, Attribute]:
    if "lacks" in given:
        return {"lacks": given["lacks"]}
    if base == "relu6":
        return {"min": 0.0, "max": 6.0}
    if base == "hardtanh":
        return {"min": _number(given, "min_val", -1.0), "max": _number(given, "max_val", 1.0)}
    found: dict[str, Attribute] = {name: given[name] for name in ("min", "max") if given.get(name) is not None}
    return found or {"lacks": "its ends are tensors"}


def _gelu(base: str, given: Attributes) -> dict[str, Attribute]:
    return {"approximate": given.get("approximate", "none")}


def _elu(base: str, given: Attributes) -> dict[str, Attribute]:
    if _number(given, "scale", 1.0) != 1.0 or _number(given, "input_scale", 1.0) != 1.0:
        return {"lacks": "a scale"}
    return {"alpha": _number(given, "alpha", 1.0)}


def _softplus(base: str, given: Attributes) -> dict[str, Attribute]:
    other = _number(given, "beta", 1.0) != 1.0 or _number(given, "threshold", 20.0) != 20.0
    return {"lacks": "another beta or threshold than torch's own"} if other else {}


def _round(base: str, given: Attributes) -> dict[str, Attribute]:
    return {"lacks": "it rounds to decimals"} if given.get("decimals") else {}


def _reduced(base: str, given: Attributes) -> dict[str, Attribute]:
    axes = given.get("dim")
    found: dict[str, Attribute] = {"keepdims": int(bool(given.get("keepdim", False)))}
    if given.get("dtype") is not None:
        found["lacks"] = "it computes in another type"
    if isinstance(axes, int) and not isinstance(axes, bool):
        axes = (axes,)
    return found | ({"axes": axes} if isinstance(axes, tuple) and axes else {})


def _softmax(base: str, given: Attributes) -> dict[str, Attribute]:
    if given.get("dtype") is not None or given.get("half_to_float"):
        return {"lacks": "it computes in another type"}
    return {"axis": given.get("dim")}


def _normalized(epsilon: float) -> Callable[[str, Attributes], dict[str, Attribute]]:
    def rule(base: str, given: Attributes) -> dict[str, Attribute]:
        sizes = given.get("normalized_shape")
        count = len(sizes) if isinstance(sizes, tuple) else 1
        return {"axis": -count, "epsilon": _number(given, "eps", epsilon)}

    return rule


_RULES: dict[str, Callable[[str, Attributes], dict[str, Attribute]]] = {
    "Add": _sum, "Sub": _sum, "Div": _div, "Clip": _clip, "Gelu": _gelu, "Elu": _elu, "Softplus": _softplus, "Round": _round,
    "HardSigmoid": lambda base, given: {"alpha": 1 / 6, "beta": 0.5},
    "LeakyRelu": lambda base, given: {"alpha": _number(given, "negative_slope", 0.01)},
    "ReduceMean": _reduced, "ReduceSum": _reduced, "ReduceMax": _reduced, "ReduceMin": _reduced, "Softmax": _softmax,
    "LayerNormalization": _normalized(1e-5), "RMSNormalization": _normalized(1.1920928955078125e-07),
}  # fmt: skip
