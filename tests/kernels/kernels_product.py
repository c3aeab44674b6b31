"""Whole packages with generated kernels, verified on the host: specs from texts, random computations."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from opkg.kernels import choose
from opkg.spec.model import OpPackage
from opkg.spec.reader import read
from opkg.targets.qnn_htp_classic import TARGET as CLASSIC
from opkg.targets.qnn_htp_qhpi import TARGET as QHPI
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.judge.outcome import VerifyResult

TARGETS = {"qnn-htp-qhpi": QHPI, "qnn-htp-classic": CLASSIC}
ALL_TYPES = False  # `make test-all` has ops with all their element types (conftest.py)
_TYPES = re.compile(r"    types: \{T: \[(.*?)\]\}\n")


def package_of(ops: str, *targets: str) -> OpPackage:
    """The package of the `ops:` part of a spec; without targets for both QNN interfaces."""
    wanted = ", ".join(targets or TARGETS)
    text = f"opkg: 1\npackage: {{name: t.made, version: 1.0.0, targets: [{wanted}]}}\nops:\n{ops}"
    package, findings = read(text.encode(), "specs/made.yaml")
    assert package is not None, text + "\n".join(map(str, findings))
    return package


def half_the_types(ops: str) -> str:
    """The same ops, each with every other one of the element types that nothing else names; neighbours have different ones."""
    found = []
    for place, text in enumerate(re.split(r"^(?=  \w+:)", ops, flags=re.M)):
        listed = _TYPES.search(text)
        types = listed[1].split(", ") if listed else []
        rest = text.replace(listed[0], "") if listed else text
        if len(types) > 1 and not any(re.search(rf"\b{name}\b", rest) for name in types):
            text = _TYPES.sub(f"    types: {{T: [{', '.join(types[place % 2 :: 2])}]}}\n", text)
        found.append(text)
    return "".join(found)


def generated(root: Path, ops: str, *targets: str, types: str = "half") -> OpPackage:
    """The package, with all generated files below `root`. Without targets for QHPI: kernels are the same in both. With half of
    the types, but for `types="all"` and `make test-all`."""
    targets = targets or ("qnn-htp-qhpi",)
    package = package_of(ops if ALL_TYPES or types == "all" else half_the_types(ops), *targets)
    for name in targets:
        errors = [finding for finding in TARGETS[name].check(package) if finding.is_error]
        assert not errors, "\n".join(map(str, errors))
        for artifact in TARGETS[name].render(package):
            path = root / artifact.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(artifact.text)
    return package


def verified(root: Path, ops: str, *targets: str, cases: int = 10) -> VerifyResult:
    """Generates, builds and verifies on the host."""
    package = generated(root, ops, *targets)
    return verify(root, [package], VerifyOptions(on=("host",), cases=cases, check_current=False))


def failures(result: VerifyResult) -> str:
    """What went wrong, as text; empty when all is well."""
    lines = [str(finding) for finding in result.diagnostics if finding.is_error]
    for cell in result.cells:
        for case in cell.outcomes:
            if not case.ok:
                lines.append(
                    f"{cell.op} {cell.types} {case.case} on {cell.column.label}: {case.reason()} {case.description}"
                )
    return "\n".join(lines)


def only_portable(monkeypatch: pytest.MonkeyPatch) -> None:
    """No strategy can do anything."""
    monkeypatch.setattr(choose, "STRATEGIES", {})
    monkeypatch.setattr(choose, "table", dict)


# Random computations -------------------------------------------------------------------------------------------------

_NUMBERS = ("0", "1", "-1", "2", "3", "0.5", "-0.25", "1.75", "6")
_WHOLE = ("0", "1", "-1", "2", "3", "7", "-5", "100", "255")
# Forms of expressions: R, B and I stand for real, bool and integer operands, X for a leaf, N for a number.
_REALS = (
    "(R + R)", "(R - R)", "(R * R)", "min(R, R)", "max(R, R)", "abs(R)", "sign(R)", "erf(R)", "tanh(R)", "sigmoid(R)",
    "clip(R, -2, R)", "exp(min(R, 3))", "log(abs(R) + 1)", "sqrt(abs(R))", "rsqrt(abs(R) + 0.5)",
    "(R / (abs(R) + 1))", "(-R)", "(R) ** 2", "(R) ** 3", "(R if B else R)", "X", "X", "N",
)  # fmt: skip
_BOOLS = ("(X > N)", "(X <= N)", "(X == N)", "(X != N)", "(B and B)", "(B or B)", "(not B)")
_INTEGERS = (
    "(I + I)", "(I - I)", "(I * I)", "(I // X)", "(I % X)", "(I // 3)", "(I % -4)", "(I // 16)", "(I % 2)", "min(I, I)",
    "max(I, I)", "abs(I)", "sign(I)", "(-I)", "(I) ** 2", "(I) ** 3", "cast(R, int8)", "cast(R, int32)",
    "cast(R, uint16)", "(I if B else I)", "X", "X", "N",
)  # fmt: skip


def expression(rng: random.Random, kind: str, leaves: Sequence[str], depth: int = 3) -> str:
    """A random expression: `kind` R (real, finite for operands of moderate size), I (integer) or B (bool)."""
    forms = {"R": _REALS, "I": _INTEGERS, "B": _BOOLS}[kind]
    simple = [form for form in forms if not set(form) & set("RIB")]
    form = rng.choice(forms if depth else simple)
    out = []
    for char in form:
        if char in "RIB":
            out.append(expression(rng, char, leaves, depth - 1 if depth else 0))
        elif char == "X":
            out.append(rng.choice(leaves))
        elif char == "N":
            out.append(rng.choice(_WHOLE if kind == "I" else _NUMBERS))
        else:
            out.append(char)
    return "".join(out)


def op_text(name: str, types: str, value: str, output: str = "T") -> str:
    """An op of a spec with the input x, one that is broadcast along rows, params p and k, and one output of x's shape."""
    whole = f"(x > 90) or {value}" if output == "bool8" else f"x if x > 90 else {value}"
    return f"""\
  {name}:
    types: {{T: [{types}]}}
    inputs:
      x: {{dtype: T, shape: [batch..., C], rank: 1..4}}
      b: {{dtype: T, shape: [C]}}
    params:
      p: {{dtype: float32, default: 1.5, range: -4 .. 4}}
      k: {{dtype: int32, default: 3, range: -9 .. 9}}
    outputs:
      y: {{dtype: {output}, shape: x.shape}}
    compute: y = {whole}
"""
