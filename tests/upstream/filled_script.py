"""Runs in the interpreter that has the wheel: constants that the example of QNN's operators makes, read back as real values."""

from __future__ import annotations

import json

import torch
from executorch.backends.qualcomm.builders.utils import deduce_dtype
from qti_aisw_executorch.filled import STORED, filled
from qti_aisw_executorch.mapping import full

graph = torch.fx.Graph()
node = graph.placeholder("x")
found = []
for dtype in ("float32", "float16", "int32", "bool8", *STORED):
    for value in (1.0, 0.0, -2.5, 1e-6):
        source, tensor = filled(node, "gamma", full([2, 3], value), dtype)
        real = tensor.to(torch.float64)
        attributes = source.meta.get("quant_attrs")
        if attributes:
            low, high = attributes["quant_min"], attributes["quant_max"]
            assert low <= int(tensor.min()) <= int(tensor.max()) <= high
            assert low <= attributes["zero_point"] <= high
            real = (real - attributes["zero_point"]) * attributes["scale"]
        kind = deduce_dtype(tensor, attributes)
        found.append([dtype, value, source.name, list(tensor.shape), str(kind), float(real[0, 0]), float(real.std())])
print(json.dumps(found))
