"""Random ops of a spec: expressions over inputs of all kinds of shapes, with reductions, params and several outputs."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from opkg.spec.reader import read
from opkg.targets.qnn_htp_qhpi import TARGET

BYTES, HALVES = ("ufixed8", "sfixed8"), ("ufixed16", "sfixed16")
FLOATS, WHOLE = ("float32", "float16"), ("int32", "int8", "uint8", "int16", "uint16")
KINDS = (BYTES, BYTES, HALVES, (*BYTES, *HALVES), FLOATS, WHOLE)
# The shape of x, shapes of other inputs, and what is reduced.
SHAPES = (
    ("[batch..., C]", ("[C]", "[batch..., 1]", "[1]", "[batch..., C]"), ("-1",)),
    ("[N, H, W, C]", ("[C]", "[N, 1, 1, C]", "[N, H, W, 1]", "[H, 1, 1]", "[1, 1, 1, 1]", "[1, H, W, 1]"),
     ("-1", "(1, 2)", "1", "2", "(1, 2, 3)", "0", "(2, 3)", "(1, 3)")),
    ("[B, L, C]", ("[C]", "[B, L, 1]", "[L, C]", "[B, 1, C]", "[L, 1]"), ("-1", "1", "(1, 2)", "0")),
)  # fmt: skip
# Forms: R is an operand, B a bool, X an input or param, N a number; K reduces, and the dimensions are A.
REALS = (
    "(R + R)", "(R - R)", "(R * R)", "(R * X)", "(R / (abs(R) + 0.1))", "min(R, R)", "max(R, R)", "clip(R, -1, 6)",
    "(R if B else R)", "where(B, R, R)", "abs(R)", "(-R)", "floor(R)", "round(R)", "(R ** 2)", "(X % 0.75)", "tanh(R)",
    "sigmoid(R)", "silu(R)", "gelu(R)", "erf(R)", "exp(min(R, 3))", "log(abs(R) + 1)", "sqrt(abs(R))", "sin(clip(X, -9, 9))", "N",
    "rsqrt(abs(R) + 0.01)", "K(R, axis=A, keepdims=True)", "K(R, axis=A, keepdims=True)", "X", "X",
)  # fmt: skip
WHOLES = (
    "(R + R)", "(R - R)", "(R * X)", "(R // X)", "(R % X)", "(R & R)", "(R | N)", "(R ^ R)", "(R >> 3)", "(R << 2)",
    "min(R, R)", "max(R, R)", "clip(R, -100, 200)", "(R if B else R)", "abs(R)", "(X ** 2)", "X", "N", "(~R)",
    "K(R, axis=A, keepdims=True)", "X",
)  # fmt: skip
BOOLS = ("(R > X)", "(X <= N)", "(R != X)", "(X == X)", "(B and B)", "(B or B)", "(not B)", "(N < X <= R)")
WHOLE_ROWS = (
    "exp(X - max(X, axis=A, keepdims=True)) / sum(exp(X - max(X, axis=A, keepdims=True)), axis=A, keepdims=True)",
    "(X - mean(X, axis=A, keepdims=True)) * rsqrt(var(X, axis=A, keepdims=True) + 1e-3)",
    "X / max(sqrt(sum(X * X, axis=A, keepdims=True)), 1e-3)",
)
ENDS = "RBXNKA"


@dataclass
class Drawing:
    """Draws expressions of one op. `reductions`: how many more there may be."""

    rng: random.Random
    leaves: list[str]
    whole: bool
    axes: str
    reductions: int = 2
    used: set[str] = field(default_factory=set)

    def expression(self, kind: str, depth: int) -> str:
        forms = BOOLS if kind == "B" else WHOLES if self.whole else REALS
        fit = [
            form for form in forms if (depth > 0 or not {"R", "B"} & set(form)) and ("K" not in form or self.reductions)
        ]
        return self.filled(self.rng.choice(fit), depth)

    def filled(self, form: str, depth: int) -> str:
        self.reductions -= "K" in form
        return "".join(self.part(char, depth - 1) if char in ENDS else char for char in form)

    def part(self, char: str, depth: int) -> str:
        match char:
            case "X":
                self.used.add(name := self.rng.choice(self.leaves))
                return name
            case "N":
                return self.rng.choice(("0", "1", "3", "-5", "100") if self.whole else ("0.5", "2", "-1", "0.1", "6"))
            case "K":
                return self.rng.choice(("sum", "max", "min") if self.whole else ("sum", "mean", "max", "min", "var"))
            case "A":
                return self.axes
        return self.expression(char, max(depth, 0))


def random_ops(seed: int, count: int) -> str:
    """The `ops:` part of a spec."""
    rng = random.Random(seed)
    return "".join(random_op(rng, f"Op{number}") for number in range(count))


def random_op(rng: random.Random, name: str) -> str:
    """The text of an op that is right, and of which kernels can be generated."""
    while True:
        text = _drawn(rng, name)
        package, findings = read(
            f"opkg: 1\npackage: {{name: t.made, version: 1.0.0}}\nops:\n{text}".encode(), "made.yaml"
        )
        if package is not None and not any(f.is_error for f in (*findings, *TARGET.check(package))):
            return text


def _drawn(rng: random.Random, name: str) -> str:
    types = rng.choice(KINDS)
    shape, others, reduced = rng.choice(SHAPES)
    drawing = Drawing(rng, [], types is WHOLE, rng.choice(reduced))
    inputs = {"x": ("T", shape)}
    for place, other in enumerate(rng.sample(others, rng.choice((0, 1, 1, 2, 3)))):
        mixed = rng.random() < 0.2 and not drawing.whole
        inputs["abcd"[place]] = (rng.choice(types) if mixed else "T", other)
    drawing.leaves = [*inputs, *(["p"] if rng.random() < 0.3 else [])]
    values = [_value(drawing) for _ in range(rng.choice((1, 1, 2)))]
    values[0] = " + ".join([values[0], *(each for each in drawing.leaves if each not in drawing.used)])
    values = [value if re.search(r"\b[xabcd]\b", value) else f"{value} + x" for value in values]
    outputs = {output: "T" if rng.random() < 0.7 else rng.choice(types) for output in "yz"[: len(values)]}
    texts = [f"cast({v}, {kind})" if drawing.whole else v for v, kind in zip(values, outputs.values(), strict=True)]
    lines = [f"  {name}:", f"    types: {{T: [{', '.join(rng.sample(types, rng.choice((1, 2))))}]}}", "    inputs:"]
    lines += [f'      {each}: {{dtype: {kind}, shape: "{dims}"}}' for each, (kind, dims) in inputs.items()]
    if "p" in drawing.leaves:
        kind = "int32" if drawing.whole else "float32"
        lines.append(f"    params: {{p: {{dtype: {kind}, default: 2, range: -8 .. 8}}}}")
    lines += ["    outputs:", *(f"      {each}: {{dtype: {kind}, shape: [...]}}" for each, kind in outputs.items())]
    lines += ["    compute: |", *(f"      {each} = {text}" for each, text in zip(outputs, texts, strict=True))]
    return "\n".join(lines) + "\n"


def _value(drawing: Drawing) -> str:
    drawing.reductions = 2
    if drawing.rng.random() < 0.2 and not drawing.whole:
        text = drawing.filled(drawing.rng.choice(WHOLE_ROWS).replace("X", "x"), 0)
        drawing.used.add("x")
        return f"{text} * {drawing.part('X', 0)}"
    text = drawing.expression("R", drawing.rng.choice((1, 2, 3)))
    fold = drawing.part("K", 0)
    return f"{fold}({text}, axis={drawing.axes}, keepdims=True)" if drawing.rng.random() < 0.1 else text
