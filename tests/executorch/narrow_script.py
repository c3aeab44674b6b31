"""Runs in an interpreter with torch: float64 as float16, rounded once, as numpy does it. PYTHONPATH has test_fused_executorch."""

from __future__ import annotations

import numpy as np
import torch
from test_fused_executorch import torch_values as tv

torch.manual_seed(1)
halves = torch.arange(0, 0x7C01, dtype=torch.int32).to(torch.int16).view(torch.float16).double()
between = (halves[:-1] + halves[1:]) / 2
special = [float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 65520.0, 65519.999999999, 1e300, -1e300, 1e-300]
values = [halves, -halves, between, between * (1 + 2**-52), between * (1 - 2**-52), -between - 2.0**-60]
values += [torch.randn(50000, dtype=torch.float64) * 10.0**e for e in range(-12, 7)]
values += [torch.tensor(special, dtype=torch.float64), torch.randn(40, 30, dtype=torch.float64).t()]
for value in values:
    with np.errstate(over="ignore"):
        wanted = torch.from_numpy(value.numpy().astype(np.float16))
    got = tv.narrow(value, torch.float16)
    number = ~value.isnan()
    assert torch.equal(got.isnan(), value.isnan())
    assert torch.equal(got[number].view(torch.int16), wanted[number].view(torch.int16))
print("equal")
