"""Nodes between a model in NCHW and an op in NHWC: transposes, which ONNX Runtime's provider cancels against its own.

In models in QDQ form each has steps behind it: the provider takes an op between DequantizeLinear and QuantizeLinear only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from opkg.fuse.patch.find import Place
from opkg.fuse.patch.layout import TO_NCHW, TO_NHWC, Step
from opkg.models.model import Model


class Around:
    """The nodes around one place. `first`, `last`: before and behind the op; `fresh`: makes a name that is free."""

    def __init__(
        self, model: Model, place: Place, label: str, makers: Mapping[str, Any], fresh: Callable[[str], str]
    ) -> None:
        self.model, self.place, self.label, self.makers, self.fresh = model, place, label, makers, fresh
        self.first: list[Any] = []
        self.last: list[Any] = []
        self.constants: list[Any] = []

    def before(self, at: int, name: str) -> str:
        """What the op reads for an input of the file."""
        from onnx import helper

        how, tensor = self.place.steps[at], self.place.inputs[at]
        if how is Step.NONE:
            return name
        if how is Step.FLATTEN:
            return self._flat(name, tensor)
        made = self.fresh(f"{self.label}_{name}_nhwc")
        self.first.append(helper.make_node("Transpose", [name], [made], made, perm=TO_NHWC))
        return self._stepped(self.first, made, tensor)

    def behind(self, name: str) -> str:
        """What the op gives for an output of the file."""
        from onnx import helper

        if self.place.steps[-1] is Step.NONE:
            return name
        made = self.fresh(f"{self.label}_{name}_nhwc")
        source = self._stepped(self.last, made, self.place.outputs[0])
        self.last.append(helper.make_node("Transpose", [source], [name], f"{made}_back", perm=TO_NCHW))
        return made

    def _stepped(self, nodes: list[Any], name: str, tensor: str) -> str:
        """A tensor behind QuantizeLinear and DequantizeLinear, where it is quantized."""
        import numpy as np
        from onnx import helper, numpy_helper

        found = self.model.tensor(tensor)
        if found.quantization is None:
            return name
        grid = [self.fresh(f"{name}_scale"), self.fresh(f"{name}_zero")]
        values = np.float32(found.quantization.scales[0]), np.asarray(found.quantization.zeros[0], found.dtype)
        self.constants += [numpy_helper.from_array(np.asarray(v), n) for n, v in zip(grid, values, strict=True)]
        made = [self.fresh(f"{name}_q"), self.fresh(f"{name}_dq")]
        nodes.append(helper.make_node("QuantizeLinear", [name, *grid], made[:1], made[0]))
        nodes.append(helper.make_node("DequantizeLinear", [made[0], *grid], made[1:], made[1]))
        return made[1]

    def _flat(self, name: str, tensor: str) -> str:
        """A constant per channel with one dimension."""
        from onnx import NodeProto, numpy_helper

        made = self.fresh(f"{self.label}_{name}_flat")
        self.constants.append(numpy_helper.from_array(self.model.constants[tensor].read().reshape(-1), made))
        if self.model.tensor(tensor).quantization is None:
            return made
        step = NodeProto()
        step.CopyFrom(self.makers[name])
        step.name, step.input[0], step.output[0] = f"{made}_dq", made, self.fresh(f"{made}_dq")
        self.first.append(step)
        return str(step.output[0])
