"""OpenVINO's IR run by OpenVINO on the CPU, in float32, with the tensors that are asked for as further results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from opkg.fuse.values import Values
from opkg.models.model import Values as Constant
from opkg.models.openvino_reader import outputs_of
from opkg.spec.diagnostics import OpkgError, Span, error


class OpenvinoRuntime:
    """A file of OpenVINO's; `constants` by the names that its reader gives."""

    name = "openvino"

    def __init__(self, path: str, constants: Mapping[str, Constant]) -> None:
        self._path, self._constants = path, constants

    def values(self, inputs: Values, wanted: Sequence[str]) -> Values:
        found: dict[str, Any] = {name: inputs[name] for name in wanted if name in inputs}
        found |= {name: self._constants[name].read() for name in wanted if name in self._constants}
        made = [name for name in dict.fromkeys(wanted) if name not in found]
        try:
            return found | self._run(inputs, made)
        except RuntimeError as failure:
            lines = str(failure).strip().splitlines() or ["?"]
            message = f"openvino does not run the model: {lines[-1][:300]}"
            raise OpkgError([error("OPK762", message, Span(self._path))]) from None

    def _run(self, inputs: Values, wanted: Sequence[str]) -> dict[str, Any]:
        import openvino
        from openvino import opset13

        model = openvino.Core().read_model(self._path)
        outputs = outputs_of(model)
        results = [opset13.result(outputs[name]) for name in wanted]
        seen = openvino.Model(results, model.get_parameters(), "seen")
        compiled = openvino.Core().compile_model(seen, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        given = [inputs[parameter.get_friendly_name()] for parameter in model.get_parameters()]
        got = compiled(given)
        return {name: got[number].copy() for number, name in enumerate(wanted)}
