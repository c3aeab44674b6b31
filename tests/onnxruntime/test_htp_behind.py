"""What HTP computes with the convolution or matrix product before it: records of prepared contexts, and opkg's table of it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from opkg.models.partition.limits import BIAS, HTP

HERE = Path(__file__).parent
TYPES = ("float32", "float16", "uint8", "uint16")
TAILS = ("Relu", "Clip", BIAS)


@pytest.mark.xdist_group("onnxruntime")
@pytest.mark.parametrize(
    ("kind", "dtype"),
    [
        pytest.param(kind, dtype, marks=() if (kind, dtype) == ("Conv", "float32") else pytest.mark.sweep)
        for kind in ("Conv", "MatMul")
        for dtype in TYPES
    ],
)
def test_what_is_computed_with_what_is_before_it(kind: str, dtype: str) -> None:
    """One process prepares the op alone, and with each of the others behind it."""
    command = [sys.executable, str(HERE / "htp_contexts.py"), kind, dtype, "", *TAILS]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    counts = json.loads(done.stdout.splitlines()[-1])
    assert counts[""] > 2
    assert {tail for tail in TAILS if counts[tail] == counts[""]} == HTP.behind[dtype]
