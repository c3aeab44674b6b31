"""Whole packages with generated kernels, verified on the host: specs from texts, random computations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import strategies as st

from opkg.kernels import choose
from opkg.spec.model import OpPackage
from opkg.spec.reader import read
from opkg.targets.qnn_htp_classic import TARGET as CLASSIC
from opkg.targets.qnn_htp_qhpi import TARGET as QHPI
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.outcome import VerifyResult

TARGETS = {"qnn-htp-qhpi": QHPI, "qnn-htp-classic": CLASSIC}


def package_of(ops: str, *targets: str) -> OpPackage:
    """The package of the `ops:` part of a spec; without targets for both QNN interfaces."""
    wanted = ", ".join(targets or TARGETS)
    text = f"opkg: 1\npackage: {{name: t.made, version: 1.0.0, targets: [{wanted}]}}\nops:\n{ops}"
    package, findings = read(text.encode(), "specs/made.yaml")
    assert package is not None, text + "\n".join(map(str, findings))
    return package


def generated(root: Path, ops: str, *targets: str) -> OpPackage:
    """The package, with all generated files below `root`."""
    package = package_of(ops, *targets)
    for name in targets or tuple(TARGETS):
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

Draw = Callable[[st.SearchStrategy[str]], str]
_NUMBERS = st.sampled_from(("0", "1", "-1", "2", "3", "0.5", "-0.25", "1.75", "6"))
_WHOLE = st.sampled_from(("0", "1", "-1", "2", "3", "7", "-5", "100", "255"))


def _joined(*parts: st.SearchStrategy[str] | str) -> st.SearchStrategy[str]:
    fixed = [st.just(part) if isinstance(part, str) else part for part in parts]
    return st.tuples(*fixed).map("".join)


def reals(leaves: tuple[str, ...], depth: int = 3) -> st.SearchStrategy[str]:
    """Real expressions that are finite for all operands of moderate size."""
    leaf = st.one_of(st.sampled_from(leaves), st.sampled_from(leaves), _NUMBERS)
    if depth == 0:
        return leaf
    inner = st.deferred(lambda: reals(leaves, depth - 1))
    calls = ("abs", "sign", "erf", "tanh", "sigmoid")
    return st.one_of(
        _joined("(", inner, st.sampled_from((" + ", " - ", " * ")), inner, ")"),
        _joined(st.sampled_from(("min(", "max(")), inner, ", ", inner, ")"),
        _joined(st.sampled_from(calls), "(", inner, ")"),
        _joined("clip(", inner, ", -2, ", inner, ")"),
        _joined("exp(min(", inner, ", 3))"),
        _joined("log(abs(", inner, ") + 1)"),
        _joined("sqrt(abs(", inner, "))"),
        _joined("rsqrt(abs(", inner, ") + 0.5)"),
        _joined("(", inner, " / (abs(", inner, ") + 1))"),
        _joined("(-", inner, ")"),
        _joined("(", inner, ")", st.sampled_from((" ** 2", " ** 3"))),
        _joined("(", inner, " if ", bools(leaves, depth - 1), " else ", inner, ")"),
        leaf,
    )


def bools(leaves: tuple[str, ...], depth: int = 2) -> st.SearchStrategy[str]:
    """Bool expressions of real or integer leaves."""
    leaf = _joined("(", st.sampled_from(leaves), st.sampled_from((" > ", " <= ", " == ", " != ")), _NUMBERS, ")")
    if depth == 0:
        return leaf
    inner = st.deferred(lambda: bools(leaves, depth - 1))
    return st.one_of(
        leaf, _joined("(", inner, st.sampled_from((" and ", " or ")), inner, ")"), _joined("(not ", inner, ")")
    )


def integers(leaves: tuple[str, ...], depth: int = 3) -> st.SearchStrategy[str]:
    """Integer expressions."""
    leaf = st.one_of(st.sampled_from(leaves), st.sampled_from(leaves), _WHOLE)
    if depth == 0:
        return leaf
    inner = st.deferred(lambda: integers(leaves, depth - 1))
    return st.one_of(
        _joined("(", inner, st.sampled_from((" + ", " - ", " * ")), inner, ")"),
        _joined("(", inner, st.sampled_from((" // ", " % ")), st.sampled_from(leaves), ")"),
        _joined("(", inner, st.sampled_from((" // ", " % ")), st.sampled_from(("2", "3", "-4", "16")), ")"),
        _joined(st.sampled_from(("min(", "max(")), inner, ", ", inner, ")"),
        _joined(st.sampled_from(("abs(", "sign(", "-(")), inner, ")"),
        _joined("(", inner, " ** ", st.sampled_from(("0", "2", "3")), ")"),
        _joined("cast(", reals(leaves, 1), ", ", st.sampled_from(("int8", "int32", "uint16")), ")"),
        _joined("(", inner, " if ", bools(leaves, 1), " else ", inner, ")"),
    )


def op_text(name: str, types: str, compute: str, output: str = "T", inputs: str = "x: {dtype: T, rank: 1..4}") -> str:
    """An op of a spec with the input x and one that broadcasts, params p and k, and one output."""
    lines = "\n".join(f"      {line}" for line in compute.splitlines())
    return f"""\
  {name}:
    types: {{T: [{types}]}}
    inputs:
      {inputs}
      b: {{dtype: T, rank: 1..4}}
    params:
      p: {{dtype: float32, default: 1.5, range: -4 .. 4}}
      k: {{dtype: int32, default: 3, range: -9 .. 9}}
    outputs:
      y: {{dtype: {output}, shape: "broadcast(x, b)"}}
    compute: |
{lines}
"""
