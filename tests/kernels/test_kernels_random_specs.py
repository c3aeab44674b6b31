"""Random ops, their calls on random numbers: kernels, opkg's reference and one of the tests' own say the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml
from kernels_kit import need_arch
from kernels_own_reference import Value
from kernels_product import failures, generated
from kernels_random_calls import Text, own_values, random_case
from kernels_random_specs import random_ops

from opkg.spec.model import Op
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.cases.case import Case, CaseTensor

NAN = "OPK417"  # a quantized result is NaN: of a call that verify has drawn
V66 = "-O1 -D__HVX_ARCH__=66"
MACHINES = ("host", "host v66", "host sanitized", "hexagon-v66", "hexagon-v73")


def _same(tensor: CaseTensor, expected: Value, own: Value) -> np.ndarray:
    """Where both references say the same, but for what their arithmetic rounds."""
    own = np.broadcast_to(own, tensor.shape)
    if tensor.dtype.integral:
        return np.asarray(expected == own)
    a, b = np.asarray(expected, np.float64), own.astype(np.float64)
    known = np.abs(b[np.isfinite(b)])
    return np.isclose(a, b, rtol=1e-9, atol=1e-12 * float(known.max(initial=0.0)), equal_nan=True)


def _differs(case: Case, text: Text) -> str:
    """Where opkg's reference and the tests' own differ, in doubles and in what is more precise; empty: nowhere."""
    with np.errstate(all="ignore"):
        values = [own_values(case, text, real) for real in (np.longdouble, np.float64)]
        for place, tensor in enumerate(case.outputs):
            right = [expected[place] for expected in (case.expected, *case.others)]
            good = [_same(tensor, expected, own[tensor.spec.name]) for expected in right for own in values]
            if not np.all(np.logical_or.reduce(good)):
                return f"{case.op.name} {case.id}: {case.describe()}"
    return ""


def _check(root: Path, seed: int, machine: str, ops: int, calls: int) -> None:
    text = random_ops(seed, ops)
    texts: dict[str, Text] = yaml.safe_load(text)
    package = generated(root, text, types="all")
    drawn: list[Case] = []

    def more(op: Op) -> list[Case]:
        cases = [
            case for number in range(calls) if (case := random_case(op, texts[op.name], f"{seed}-{number}")) is not None
        ]
        drawn.extend(cases)
        return cases

    on, _, kind = machine.partition(" ")
    options = VerifyOptions(
        on=(on,), cases=3, seed=seed, check_current=False, large=0, timeout=120, sanitize=kind == "sanitized"
    )
    result = verify(root, [package], options, more=more)
    assert len(drawn) > ops * calls // 3
    said = [
        failures(result),
        *(d.message for d in result.diagnostics if d.id != NAN),
        *(_differs(case, texts[case.op.name]) for case in drawn),
    ]
    assert not any(said), "\n".join(filter(None, [text, *said]))


def test_random_specs(tmp_path: Path) -> None:
    _check(tmp_path, 1, "host", 5, 24)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(100, 125))
def test_many_random_specs(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = MACHINES[seed % len(MACHINES)]
    if machine.startswith("hexagon"):
        need_arch(machine.removeprefix("hexagon-"))
    if machine == "host v66":
        monkeypatch.setenv("CXXFLAGS", V66)
    _check(tmp_path, seed, machine, 8, 24)
