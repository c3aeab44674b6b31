"""One run of a comparison: a model lowered in one mode, with the op packages or without, executed and measured."""

from __future__ import annotations

import importlib
import json
import logging
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import torch

from opkg_executorch import compare_errors, compare_model, decompose, lowering, observe
from opkg_executorch.compare_model import Fault, Model, guarded
from opkg_executorch.compare_nodes import Recorder

NOT_TAKEN = "is not delegated"  # in the warnings of generated builders
LEFT = "is left to the backend's own builder"
NEARLY = (" is nearly at ", " is not fused ")  # in the logs of generated fusions


class Nearly(logging.Handler):
    """Keeps what fusions say of places that nearly have a pattern, each once."""

    def __init__(self, modules: Iterable[str]) -> None:
        super().__init__(logging.INFO)
        self.said: dict[str, None] = {}
        for name in modules:
            logger = logging.getLogger(name)
            logger.setLevel(logging.INFO)
            logger.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if any(words in text for words in NEARLY):
            self.said[text] = None


class Stages:
    """What a run is doing, kept in its file, so that a process that dies leaves its last words."""

    def __init__(self, file: Path, mode: str, side: str) -> None:
        self.file = file
        self.found: dict[str, Any] = {"mode": mode, "side": side, "status": "died", "stage": "", "seconds": {}}
        self._since = time.monotonic()

    def begin(self, stage: str) -> None:
        self._end()
        self.found["stage"] = stage
        self.save()

    def _end(self) -> None:
        now = time.monotonic()
        if self.found["stage"]:
            self.found["seconds"][self.found["stage"]] = round(now - self._since, 2)
        self._since = now

    def finish(self, status: str, **more: Any) -> None:
        self._end()
        self.found |= {"status": status, **more}
        self.save()

    def save(self) -> None:
        fresh = self.file.with_suffix(".new")
        fresh.write_text(json.dumps(self.found), "utf-8")
        os.replace(fresh, self.file)


def run(request: Mapping[str, Any], mode: str, side: str, file: Path) -> None:
    """Runs and writes what was found to `file`; what fails is written there, too.

    `status`: ok, fault (of the model file: `message`, `line`, `hint`), failed (in a stage: `message`), or died, which
    stays there when the process ends before it can say more.
    """
    stages = Stages(file, mode, side)
    try:
        _run(request, mode, side, stages)
    except Fault as fault:
        stages.finish("fault", message=str(fault), line=fault.line, hint=fault.hint)
    except Exception as error:
        line = compare_model.line_in(error, Path(request["model"]))
        refused = [note for note in getattr(error, "__notes__", ()) if NOT_TAKEN in note]
        stages.finish("failed", message=compare_model.said(error), line=line, hint="; ".join(dict.fromkeys(refused)))


def _run(request: Mapping[str, Any], mode: str, side: str, stages: Stages) -> None:
    path = Path(request["model"])
    stages.begin("register")
    infos = _packages(request, path, side)
    nearly = Nearly(record["module"] for record in request["packages"])
    stages.begin("load")
    model = compare_model.load(path)
    wanted = guarded(path, "the model fails in PyTorch", lambda: _eager(model.module, model))
    stages.found["samples"] = len(wanted)
    stages.found["outputs"] = [float(each.double().sum()) for each in wanted[0]]  # is it the same model on both sides?
    stages.begin("export")
    exported = guarded(path, "torch.export fails", lambda: lowering.exported(model.module, model.inputs))
    program, quantized = model.module, wanted
    if side == "stock":
        program = _without(exported, request, model, stages)
    if mode != "float":
        stages.begin("quantize")
        program = lowering.quantize(program, model.inputs, mode, model.calibration)
        quantized = _eager(program, model)
        stages.found["quantization"] = compare_errors.differences(quantized, wanted)
    stages.begin("lower")
    recorder = Recorder(path, [record["module"] for record in request["packages"]])
    pte = _lowered(program, model, mode, infos, stages, recorder)
    stages.found["nearly"] = list(nearly.said)
    stages.begin("execute")
    before, cut = observe.counts(), observe.slices()
    got = [lowering.execute(pte, model.inputs)]
    stages.found["kernels"], stages.found["slices"] = observe.since(before), observe.slices_since(cut)
    got += [lowering.execute(pte, sample) for sample in model.evaluation]
    stages.found |= {
        "against_float": compare_errors.differences(got, wanted),
        "against_quantized": compare_errors.differences(got, quantized),
    }
    stages.finish("ok")


def _without(exported: Any, request: Mapping[str, Any], model: Model, stages: Stages) -> Any:
    """The model without the packages: their ops, where it calls them by name, are what `compute:` says."""
    called = [record["module"] for record in request["packages"] if f"{record['module']}.ops" in sys.modules]
    found, stages.found["decomposed"] = decompose.decomposed(exported, called)
    return found if stages.found["decomposed"] else model.module


def _eager(module: Any, model: Model) -> list[list[torch.Tensor]]:
    return [compare_model.run(module, sample) for sample in model.samples]


def _packages(request: Mapping[str, Any], path: Path, side: str) -> list[Any]:
    """Registers the packages for our side; the other one only gets the torch ops that the model calls by name."""
    text = path.read_text("utf-8", errors="replace")
    infos = []
    for record in request["packages"]:
        package = importlib.import_module(record["module"])
        if side == "ours":
            package.register()
            if record["library"]:
                infos += package.package_info(record["library"])
        elif f"torch.ops.{record['namespace']}." in text:
            importlib.import_module(f"{record['module']}.ops").define()
    return infos


def _lowered(program: Any, model: Model, mode: str, infos: list[Any], stages: Stages, recorder: Recorder) -> bytes:
    recorder.install()
    lowered = lowering.lower(program, model.inputs, mode, infos)
    stages.found |= {
        "delegates": lowered.delegates,
        "delegated": dict(Counter(lowered.delegated)),
        "on_cpu": dict(Counter(lowered.on_cpu)),
        "nodes": recorder.nodes,
        "bytes": len(lowered.pte),
        "warnings": [text for text in dict.fromkeys(lowered.warnings) if NOT_TAKEN in text or LEFT in text],
    }
    pte: bytes = lowered.pte
    return pte
