"""The part of `opkg fuse` that runs whole models: the rewritten file, and both forms of the model on HTP."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from opkg.cli.output import log, replace_file

if TYPE_CHECKING:
    from opkg.cli.fuse_request import FuseRequest
    from opkg.fuse.ends import EndToEnd
    from opkg.fuse.find import Found
    from opkg.fuse.values import Values
    from opkg.spec.diagnostics import Diagnostic

End = tuple["EndToEnd | None", "list[Diagnostic]"]


def ended(found: Found, spec: str, inputs: Values, asked: FuseRequest) -> End:
    """The model with its fused ops, run; and what there is to say of that."""
    if asked.path.endswith(".py"):
        return _torch(found, spec, asked) if asked.on_htp else (None, [])
    if asked.path.lower().endswith(".xml"):
        return _openvino(found, spec, inputs, asked)
    return _onnx(found, spec, inputs, asked)


def _torch(found: Found, spec: str, asked: FuseRequest) -> End:
    from opkg.cli.executorch_env import found_environment
    from opkg.fuse import torch_end

    environment = found_environment([])
    return torch_end.run(found, spec, environment, asked.path, lambda text: log(f"ExecuTorch: {text}", 1))


def _onnx(found: Found, spec: str, inputs: Values, asked: FuseRequest) -> End:
    from opkg.fuse import api

    data, end = api.rewrite_onnx(found, asked.path, asked.dims, spec, inputs, asked.on_htp)
    replace_file(asked.rewritten, data)
    return replace(end, file=asked.rewritten), []


def _openvino(found: Found, spec: str, inputs: Values, asked: FuseRequest) -> End:
    from opkg.fuse import openvino_end

    written = openvino_end.run(found, asked.path, spec, inputs)
    for path, data in zip(asked.written, (written.xml, written.weights), strict=True):
        replace_file(path, data)
    return replace(written.end, file=asked.rewritten), []


def torch_folder(path: str) -> Path:
    """Where what is made of a torch file goes: of its own, in the cache."""
    import hashlib

    from opkg.verify.machines.runners import cache_folder

    name = hashlib.sha256(str(Path(path).resolve()).encode()).hexdigest()[:12]
    return cache_folder(Path()).absolute() / f"model-{name}"
