"""Formulas as a spec has them, and as somebody would write them in torch: `compute:` texts and functions of x, z and w."""

from __future__ import annotations

_ROW = "axis=-1, keepdims=True"
FORMULAS = {
    "Mish": ("y = x * tanh(log(1 + exp(x)))", lambda t, x, z, w: x * t.tanh(t.nn.functional.softplus(x))),
    "Silu": ("y = x * sigmoid(x)", lambda t, x, z, w: x * t.sigmoid(x)),
    "Gated": ("y = x * sigmoid(z)", lambda t, x, z, w: x * t.sigmoid(z)),
    "Elu": ("y = where(x > 0, x, exp(x) - 1)", lambda t, x, z, w: t.where(x > 0, x, t.exp(x) - 1)),
    "Elus": (
        "e = exp(x) - 1; y = where(x > 0, x, 1.5 * e)",
        lambda t, x, z, w: t.where(x > 0, x, 1.5 * (t.exp(x) - 1)),
    ),
    "GeluTanh": (
        "y = 0.5 * x * (1 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)))",
        lambda t, x, z, w: 0.5 * x * (1 + t.tanh(0.7978845608 * (x + 0.044715 * x * x * x))),
    ),
    "GeluErf": ("y = 0.5 * x * (1 + erf(x * 0.70710678))", lambda t, x, z, w: 0.5 * x * (1 + t.erf(x * 0.70710678))),
    "HardSwish": ("y = x * clip(x + 3, 0, 6) / 6", lambda t, x, z, w: x * t.clip(x + 3, 0, 6) / 6),
    "Growth": ("y = exp(x) - 1", lambda t, x, z, w: t.exp(x) - 1),
    "Odds": ("s = clip(x, 0.001, 0.999); y = log(s / (1 - s))", lambda t, x, z, w: t.special.logit(x, 0.001)),
    "Steepness": ("y = 1 - tanh(x) ** 2", lambda t, x, z, w: 1 - t.tanh(x) ** 2),
    "Huber": (
        "d = x - z; y = where(abs(d) < 1, 0.5 * d * d, abs(d) - 0.5)",
        lambda t, x, z, w: t.where((x - z).abs() < 1, 0.5 * (x - z) ** 2, (x - z).abs() - 0.5),
    ),
    "Extremes": ("y = min(x, z) + max(x, w)", lambda t, x, z, w: t.minimum(x, z) + t.maximum(x, w)),
    "Below": ("y = x + softplus(-2 * x)", lambda t, x, z, w: x + t.nn.functional.softplus(-2 * x)),
    "Softmax": (f"e = exp(x - max(x, {_ROW})); y = e / sum(e, {_ROW})", lambda t, x, z, w: t.softmax(x, -1)),
    "LogSoftmax": (
        f"d = x - max(x, {_ROW}); y = d - log(sum(exp(d), {_ROW}))",
        lambda t, x, z, w: t.log_softmax(x, -1),
    ),
    "Norm": (
        f"d = x - mean(x, {_ROW}); y = d * rsqrt(mean(d * d, {_ROW}) + 1.0e-5) * z + w",
        lambda t, x, z, w: t.nn.functional.layer_norm(x, x.shape[-1:]) * z + w,
    ),
    "L2Norm": (
        f"y = x / max(sqrt(sum(x * x, {_ROW})), 1.0e-12)",
        lambda t, x, z, w: x / t.clamp(t.sqrt((x * x).sum(-1, keepdim=True)), min=1e-12),
    ),
    "Powers": ("y = abs(x) ** z", lambda t, x, z, w: t.pow(x.abs(), z)),
    "Roots": ("y = abs(x) ** 0.5 + abs(z) ** 2.2", lambda t, x, z, w: x.abs() ** 0.5 + z.abs() ** 2.2),
    "Logs": (
        "y = z * log(1 + abs(x)) + log(sigmoid(w))",
        lambda t, x, z, w: z * t.log1p(x.abs()) + t.nn.functional.logsigmoid(w),
    ),
    "Versine": ("y = (1 - cos(x)) * z", lambda t, x, z, w: 2 * t.sin(x / 2) ** 2 * z),
    "LogSum": (
        f"y = max(x, {_ROW}) + log(sum(exp(x - max(x, {_ROW})), {_ROW})) + z",
        lambda t, x, z, w: x.amax(-1, True) + t.log(t.exp(x - x.amax(-1, True)).sum(-1, True)) + z,
    ),
    "Rest": ("y = x % z + w", lambda t, x, z, w: x % z + w),
    "Ratio": (  # float64 as a whole
        "y = where(z > 0, x - floor(x / z) * z, sqrt(x))",
        lambda t, x, z, w: t.where(z > 0, x - t.floor(x / z) * z, t.where(z > 0, x.detach(), x).sqrt()),
    ),
}
OTHERS = {"Sign": "y = sign(x)", "Size": "y = sign(x) * x", "Pair": "y = exp(x); twice = y * 2"}
# A choice, a number of which it does not take the steep branch, and the slope there.
BRANCHES = {
    "Named": ("t = exp(x); e = t - 1; y = where(x > 0, x, e)", 1000.0, 1.0),
    "Rooted": ("a = sqrt(x); b = a + 1; c = b * 2; y = where(x > 0, c, 3 * x)", 0.0, 3.0),
    "Inner": ("a = log(x); b = where(x > 1, a * 2, x); y = where(x > -5, b, x)", 0.0, 1.0),
    "Cubed": ("y = where(abs(x) < 1, x * x * x, 2 * x)", 1.0e20, 2.0),
    "Squared": ("d = x * x; y = where(abs(x) < 1, d * x, x)", -1.0e20, 1.0),
    "Powered": ("y = where(abs(x) < 1, x ** 3, x)", 1.0e20, 1.0),
    "Converted": ("a = log(x); y = where(x > 0, cast(a, float32), x)", 0.0, 1.0),
}


def spec() -> str:
    """The package of these ops, all with inputs x, z and w."""
    lines = ["opkg: 1", "package: {name: test.slopes, version: 1.0.0, targets: [executorch-builder]}", "ops:"]
    texts = {name: text for name, (text, *_) in (FORMULAS | BRANCHES).items()} | OTHERS
    for name, compute in texts.items():
        given = [each for each in "xzw" if f" {each} " in f" {compute} ".translate(str.maketrans("(),*/;", "      "))]
        inputs = ", ".join(f'{n}: {{dtype: T, shape: "[batch..., C]"}}' for n in given)
        made = ("y", "twice") if " twice = " in compute else ("y",)
        lines += [
            f"  {name}:",
            "    types: {T: [float32, float16]}",
            f"    inputs: {{{inputs}}}",
            f"    outputs: {{{', '.join(f'{n}: {{dtype: T, shape: x.shape}}' for n in made)}}}",
            f"    compute: {compute}",
        ]
    return "\n".join(lines) + "\n"
