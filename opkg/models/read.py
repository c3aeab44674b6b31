"""The door for files of models: which reader a file is for."""

from __future__ import annotations

import os
from collections.abc import Mapping

from opkg.models.model import Model
from opkg.spec.diagnostics import Diagnostic, Span, error

SUFFIXES = {".onnx": "ONNX", ".xml": "OpenVINO's IR"}


def read_model(path: str, dims: Mapping[str, int]) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    """The model of a file, None with what is wrong with it. Raises MissingTool without the package that reads it."""
    suffix = os.path.splitext(path)[1].lower()
    known = ", ".join(f"{name} ({what})" for name, what in {**SUFFIXES, ".py": "torch"}.items())
    if suffix not in SUFFIXES:
        message = f"the name of a model file ends in {known}; this one ends in '{suffix}'"
        return None, (error("OPK700", message, Span(path)),)
    try:
        if os.path.isdir(path):
            return None, (error("OPK700", "this is a folder, and no model file", Span(path)),)
        if os.path.getsize(path) == 0:
            return None, (error("OPK700", "the file is empty", Span(path)),)
        if suffix == ".xml":
            from opkg.models.openvino_reader import read_openvino

            return read_openvino(path)
        from opkg.models.onnx_reader import read_onnx

        return read_onnx(path, dims)
    except OSError as failure:
        return None, (error("OPK700", f"cannot be read: {failure.strerror or failure}", Span(path)),)
