"""Functions and members that other languages have, and how a computation says the same: for hints."""

from __future__ import annotations

import ast

_SOFTMAX = "e = exp(x - max(x, axis=-1, keepdims=True)); y = e / sum(e, axis=-1, keepdims=True)"
_LOG_SOFTMAX = "s = x - max(x, axis=-1, keepdims=True); y = s - log(sum(exp(s), axis=-1, keepdims=True))"
_NORM = "sqrt(sum(x * x, axis=-1, keepdims=True))"
_LAYER_NORM = "d = x - mean(x, axis=-1, keepdims=True); y = d * rsqrt(mean(d * d, axis=-1, keepdims=True) + 1e-5)"
_PRODUCT = "y = sum(x * w, axis=-1, keepdims=True)"

FORMS: dict[str, str] = {
    "relu": "max(x, 0)", "relu6": "clip(x, 0, 6)", "leaky_relu": "max(x, 0) + p * min(x, 0)",
    "prelu": "max(x, 0) + w * min(x, 0)", "elu": "max(x, 0) + exp(min(x, 0)) - 1",
    "hardsigmoid": "clip(x / 6 + 0.5, 0, 1)", "hard_sigmoid": "clip(x / 6 + 0.5, 0, 1)",
    "hardtanh": "clip(x, -1, 1)", "swish": "silu(x)", "clamp": "clip(x, 0, 1)", "softsign": "x / (1 + abs(x))",
    "softmax": _SOFTMAX, "log_softmax": _LOG_SOFTMAX, "layer_norm": _LAYER_NORM, "norm": _NORM,
    "rms_norm": "y = x * rsqrt(mean(x * x, axis=-1, keepdims=True) + 1e-6)",
    "matmul": _PRODUCT, "dot": _PRODUCT,
    "square": "x * x", "reciprocal": "1 / x", "exp2": "2 ** x", "expm1": "exp(x) - 1", "tan": "sin(x) / cos(x)",
    "log2": "log(x) * 1.4426950408889634", "log10": "log(x) * 0.4342944819032518", "neg": "-x", "negative": "-x",
    "add": "x + w", "sub": "x - w", "mul": "x * w", "multiply": "x * w", "div": "x / w", "mod": "x % w",
    "floor_divide": "x // w", "cat": "concat(x, w, axis=-1)", "permute": "transpose(x, (1, 0))",
    "float": "cast(x, float32)", "isnan": "x != x", "ifelse": "x if x > 0 else w",
}  # fmt: skip
ARGUMENTS = {"dim": "axis", "dims": "axis", "axes": "axis", "keepdim": "keepdims", "keep_dims": "keepdims"}
_NO_PRODUCT = "there is no matrix product; of rows there is "
_MODULES = frozenset(("np", "numpy", "torch", "math", "F", "nn", "jnp", "tf", "mx"))
_SIZES = frozenset(("shape", "size", "ndim", "rank"))


def written(name: str) -> str:
    """The hint for a function that another library has; empty for others."""
    form = FORMS.get(name) or FORMS.get(name.lower())
    if form is None:
        return ""
    return f"{_NO_PRODUCT}{form.removeprefix('y = ')}" if form is _PRODUCT else f"write {form}"


def member(node: ast.Attribute, known: frozenset[str]) -> str:
    """The hint for `np.exp` and `x.sum`; `known`: functions that there are."""
    if node.attr == "T":
        return "write transpose(x)"
    if node.attr in _SIZES:
        return "dimensions are no values: mean() divides by the number of elements; else declare a param"
    if node.attr not in known:
        return written(node.attr)
    root: ast.expr = node
    while isinstance(root, ast.Attribute):
        root = root.value
    if isinstance(root, ast.Name) and root.id in _MODULES:
        return f"write {node.attr}(...)"
    return f"write {node.attr}({node.value.id if isinstance(node.value, ast.Name) else '...'}, ...)"
