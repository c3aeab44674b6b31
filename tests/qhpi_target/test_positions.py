"""Every set of optional inputs and params that a caller may give: the right numbers, or a refusal that says why."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import qlib
from qlib import Call, P, Project, T

from opkg.spec.dtypes import DTYPES

F32, U8 = DTYPES["float32"], DTYPES["ufixed8"]
EPSILON = 0.5  # far from the default: a wrong one shows in every element
QUANT = (0.0625, -128)
MACHINES = ["host", pytest.param("htp", marks=pytest.mark.htp)]
# Inputs given (x, gamma, beta), whether epsilon is: what a float kernel takes for another call.
ALIKE = {(True, True, False), (True, False, False)}


@cache
def project() -> Project:
    return qlib.built(qlib.spec_of(qlib.ROOT / "examples" / "math" / "specs" / "math.yaml"))


def reference(x: np.ndarray, gamma: np.ndarray | None, beta: np.ndarray | None, epsilon: float) -> np.ndarray:
    centered = x - x.mean(-1, keepdims=True)
    y = centered / np.sqrt((centered**2).mean(-1, keepdims=True) + epsilon)
    return y * (1 if gamma is None else gamma) + (0 if beta is None else beta)


def tensor(real: np.ndarray | None, quantized: bool, static: bool = False) -> T:
    dtype, quant = (U8, QUANT) if quantized else (F32, None)
    if real is None:
        return T(dtype, (), null=True)
    data = real / QUANT[0] - QUANT[1] if quantized else real
    return T(dtype, real.shape, quant, static, data=data.astype(dtype.numpy))


@pytest.mark.parametrize("channels", [2, 17])
@pytest.mark.parametrize("machine", MACHINES)
def test_layer_norm_of_every_subset(machine: str, channels: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(channels)
    x, gamma, beta = (rng.integers(-100, 100, shape) * QUANT[0] for shape in ((5, channels), channels, channels))
    calls, wanted = [], []
    for quantized, *given in product((False, True), repeat=4):
        g, b = (real if here else None for real, here in zip((gamma, beta), given, strict=False))
        inputs = [tensor(x, quantized), tensor(g, quantized, True), tensor(b, quantized, True)]
        while inputs[-1].null:
            inputs.pop()
        params = (P("epsilon", F32, EPSILON),) if given[2] else ()
        calls.append(Call("LayerNorm", tuple(inputs), (tensor(np.zeros_like(x), quantized),), params))
        alike = not quantized and tuple(given) in ALIKE
        wanted.append(None if alike else reference(x, g, b, EPSILON if given[2] else 1e-6))
    for call, real, result in zip(calls, wanted, qlib.run(project(), calls, tmp_path, machine), strict=True):
        if real is None:
            assert (result.status, result.stage) == ("rejected", "validate"), call
            assert "params () can not be told apart" in qlib.reason(result), call
            assert "give (epsilon)" in qlib.reason(result), call
            continue
        y = qlib.output(result, 0, call.outputs[0])
        if call.inputs[0].dtype is F32:
            np.testing.assert_allclose(y, real, rtol=2e-5, atol=2e-5)
        else:
            steps = y.astype(int) - np.clip(real / QUANT[0] - QUANT[1], 0, 255)
            assert np.abs(steps).max() <= 1, call
