"""ONNX models run by onnxruntime on the CPU, without its own fusions, so that every tensor can be seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from opkg.fuse.values import Values
from opkg.models.onnx_values import first_line
from opkg.spec.diagnostics import Diagnostic, MissingTool, OpkgError, Severity, Span, error


class OnnxRuntime:
    """A ModelProto in onnxruntime; `path` is the file that it was read from."""

    name = "onnxruntime"

    def __init__(self, proto: Any, path: str) -> None:
        self._proto, self._path = proto, path

    def values(self, inputs: Values, wanted: Sequence[str]) -> Values:
        import onnx

        copy = onnx.ModelProto()
        copy.CopyFrom(self._proto)
        given = {value.name for value in copy.graph.output}
        made = {name for node in copy.graph.node for name in node.output}
        kept = {tensor.name: tensor for tensor in copy.graph.initializer}
        copy.graph.output.extend(
            onnx.ValueInfoProto(name=name) for name in dict.fromkeys(wanted) if name in made and name not in given
        )
        found = dict(run(copy, self._path, inputs))
        for name in wanted:
            if name in inputs:
                found[name] = inputs[name]
            elif name in kept and name not in found:
                found[name] = onnx.numpy_helper.to_array(kept[name])
        return found


def run(proto: Any, path: str, inputs: Values) -> Values:
    """All outputs of a model. Raises MissingTool without onnxruntime, OpkgError (OPK762) when it does not run the model."""
    ort: Any = _onnxruntime()
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    try:
        session = ort.InferenceSession(proto.SerializeToString(), options, providers=["CPUExecutionProvider"])
        names = [output.name for output in session.get_outputs()]
        return dict(zip(names, session.run(names, dict(inputs)), strict=True))
    except Exception as failure:  # the package's own kinds of errors
        message = f"onnxruntime does not run the model: {first_line(failure)}"
        raise OpkgError([error("OPK762", message, Span(path))]) from None


def _onnxruntime() -> Any:
    try:
        import onnxruntime
    except ImportError:
        hint = "pip install 'opkg[onnx]'"
        raise MissingTool(
            [Diagnostic("OPK762", "the package onnxruntime is not installed", Span(""), hint, Severity.ERROR)]
        ) from None
    return onnxruntime
