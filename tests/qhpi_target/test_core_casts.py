"""Casts of the core, in Qualcomm's backend: what `opkg rules test` takes them for."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import qlib
from rulezoo import run

from opkg.rules.core import HtpType
from opkg.rules.sim.output import Output
from opkg.verify.rules.meaning import Arg, Call
from opkg.verify.rules.meanings_elementwise import meanings
from opkg.verify.rules.tensors import real_of, rounded
from opkg.verify.rules.tensors import stored as numbers

sys.path.append(str(qlib.ROOT / "tests" / "sim_qhpi"))
from simlib import Case

# Pairs that QNN 2.51 takes, with the element types that stand for them in rules.
CASTS = {
    "u8": (HtpType.QUInt8, (0.5, -10)),
    "u16": (HtpType.QUInt16, (0.5, -10)),
    "f32": (HtpType.Float32, None),
    "i32": (HtpType.Int32, None),
}
CAST_PAIRS = [
    "u8-u8",
    "u8-f32",
    "u8-i32",
    "f32-u8",
    "i32-u8",
    "u16-u8",
    "u16-u16",
    "f32-u16",
    "i32-u16",
    "f32-i32",
    "i32-f32",
]


@pytest.mark.htp
def test_casts_of_the_core(tmp_path: Path) -> None:
    """What `opkg rules test` takes Cast for is what the backend computes, element type by element type."""
    stored = np.array([0, 1, 10, 100, 120, 2, 3, 7]).reshape(1, 1, 1, 8)
    cases, meant = [], []
    for pair in CAST_PAIRS:
        (given, (source, one)), (made, (wanted, other)) = ((k, CASTS[k]) for k in pair.split("-"))
        x = stored + (0.6 if given == "f32" else 0)
        out = None if other is None else (0.25, -11)
        described = [
            Output(dtype, (1, 1, 1, 8), *(() if so is None else (-so[1], so[0])))
            for dtype, so in ((source, one), (wanted, out))
        ]
        case = Case(pair)
        case.input("x", given, x, one)
        case.output("y", made, x.shape, out)
        cases.append(case.node("n0", "qti.aisw", "Cast", ["x"], ["y"]))
        value = rounded(x, described[0]) if given == "f32" else real_of(x, described[0])
        call = Call("Cast", (Arg(value, described[0]),), wanted, x.shape, described[1])
        meant.append(numbers(meanings()["Cast"].compute(call), described[1]))
    for pair, expected, result in zip(CAST_PAIRS, meant, run("htp", cases, tmp_path), strict=True):
        assert result.status == "ok", (pair, result.text)
        np.testing.assert_array_equal(result.outputs["y"], expected, err_msg=pair)
