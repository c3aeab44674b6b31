"""scripts/hvx_float_accuracy.py measures what it says: known errors of qfloat, functions that are exact, wrong references."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "hvx_float_accuracy.py"


def measured(*arguments: str) -> dict[str, tuple[float, int, str]]:
    """Worst ulp, how many results were measured, and the rest of the line, by function; one model at a time."""
    command = [sys.executable, str(SCRIPT), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    found = {}
    for line in done.stdout.splitlines():
        parts = re.fullmatch(r"(\S+): worst ([\d.]+) ulp at (.*); (\d+) measured(.*)", line)
        if parts:
            found[parts[1]] = float(parts[2]), int(parts[4]), parts[5]
    return found


@pytest.mark.parametrize(("model", "worst"), [("68", 1.0), ("79", 0.5)])
def test_single_operations_are_as_the_model_says(model: str, worst: float) -> None:
    names = ("mul", "add", "sub", "trunc", "mul_hf", "neg_hf")
    through_qfloat = "--flag=-DOPKG_HVX_IEEE=0"
    found = measured(*names, "--count", "200000", "--model", model, "--redo", through_qfloat)
    for name in ("mul", "add", "sub", "mul_hf"):
        assert 0.9 * worst < found[name][0] <= worst, name
        assert found[name][1] > 60000
    assert found["trunc"][0] == found["neg_hf"][0] == 0
    assert found["neg_hf"][1] > 50000  # all halves but subnormal, infinite ones and NaN


def test_a_wrong_reference_and_wrong_specials_are_seen() -> None:
    found = measured("neg", "--exact", "-x + fabsl(x) * 0x1p-23L", "--count", "50000", "--model", "79")
    assert 1 <= found["neg"][0] <= 2
    found = measured("neg", "--exact", "std::isinf(x) ? x : -x", "--count", "50000", "--model", "79")
    assert found["neg"][0] == 0
    assert "wrong for infinite or NaN operands, first at inf" in found["neg"][2]


def test_halves_through_single_precision() -> None:
    found = measured("sqrt@hf", "--model", "79", "--redo")
    assert found["sqrt@hf"][0] <= 0.501
    assert 25000 < found["sqrt@hf"][1] < 32000


@pytest.mark.parametrize(
    ("arguments", "why"),
    [(["nothing"], "--exact"), (["exp@w"], "no function"), (["nothing", "--exact", "x"], "do not compile")],
)
def test_misuse(arguments: list[str], why: str) -> None:
    done = subprocess.run([sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert why in done.stderr
    assert "Traceback" not in done.stderr
