"""The files of a bundle for one SoC, as values: contexts, inputs, expected outputs, libraries, scripts, README."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from opkg.device.socs import Soc
from opkg.resources import plain, render
from opkg.spec.model import OpPackage, Tolerance
from opkg.verify.bundle.contexts import Kept, Prepared
from opkg.verify.cases.case import Case, CaseTensor
from opkg.verify.judge.tolerance import tolerance_for
from opkg.verify.judge.verdict import generated
from opkg.verify.machines.device import ANDROID
from opkg.verify.meaning.numbers import encode, storage

NET_RUN, ONNXRUNTIME, EXECUTORCH = "qnn-net-run", "onnxruntime", "executorch"
SCRIPTS = ("endpoint.sh", "push.sh", "run.sh", "compare.sh", "compare.py")


@dataclass(frozen=True, slots=True)
class Part:
    """One package of a bundle: its contexts, and both halves of it."""

    package: OpPackage
    prepared: tuple[Prepared, ...]
    arm: bytes
    dsp: bytes

    def dsp_name(self, purpose: str) -> str:
        """The name of the half with the kernels: programs of ExecuTorch hold another one than the ARM half's."""
        return self.package.dsp_library if purpose == EXECUTORCH else self.package.library


def files(
    soc: Soc, qnn: str, parts: Sequence[Part], runtime: Sequence[tuple[str, bytes]], purpose: str, system: str
) -> dict[str, bytes]:
    """Path in the bundle -> content. `qnn`: of the backend that prepared the contexts; `runtime`: QNN's own libraries;
    `purpose`: NET_RUN, ONNXRUNTIME or EXECUTORCH; `system`: LINUX or ANDROID."""
    found: dict[str, bytes] = {}
    runs: list[dict[str, Any]] = []
    for part in parts:
        found[f"arm/{part.package.library}"] = part.arm
        found[f"dsp/{part.dsp_name(purpose)}"] = part.dsp
        for each in part.prepared:
            run, own = _run(part.package, each, purpose)
            runs.append(run)
            found |= own
    for name, content in runtime:
        found[f"{'dsp' if name.endswith('Skel.so') else 'arm'}/{name}"] = content
    facts = {
        "for": purpose, "system": system, "soc": soc.name, "soc_model": soc.model, "arch": soc.arch, "qnn": qnn,
        "packages": [{"library": p.package.library, "provider": _provider(p.package, purpose)} for p in parts],
        "runs": runs,
    }  # fmt: skip
    found["bundle.json"] = (json.dumps(facts, indent=1) + "\n").encode()
    halves = [{"name": p.package.name, "arm": p.package.library, "dsp": p.dsp_name(purpose)} for p in parts]
    words = {"soc": soc, "qnn": qnn, "packages": [part.package for part in parts], "halves": halves, "runs": runs}
    words |= {"runtime": bool(runtime), "arch": soc.arch.upper(), "purpose": purpose, "android": system == ANDROID}
    found["settings.sh"] = render("bundle/settings.sh.j2", **words).encode()
    found["README.md"] = render("bundle/README.md.j2", **words).encode()
    scripts = (*SCRIPTS, "run_models.py") if purpose == ONNXRUNTIME else SCRIPTS
    return found | {name: plain(f"bundle/{name}").encode() for name in scripts}


def _provider(package: OpPackage, purpose: str) -> str:
    """ONNX Runtime's provider takes the package's name from the symbol."""
    return package.named_provider if purpose == ONNXRUNTIME else package.interface_provider


def _run(package: OpPackage, prepared: Prepared, purpose: str) -> tuple[dict[str, Any], dict[str, bytes]]:
    """One case: what bundle.json says of it, and its files."""
    case = prepared.case
    label = re.sub(r"[^A-Za-z0-9_.-]", "_", f"{case.op.name}-{case.id}")
    folder = f"cases/{label}"
    own = {f"{folder}/{prepared.name}": prepared.binary}
    own |= {f"{folder}/model.onnx": prepared.model} if prepared.model else {}
    given = prepared.inputs or _inputs(case)
    own |= {f"{folder}/inputs/{each.name}.raw": each.data for each in given}
    called = "" if purpose == EXECUTORCH else "{name}:="
    line = " ".join(f"{called.format(name=each.name)}{folder}/inputs/{each.name}.raw" for each in given)
    own[f"{folder}/input_list.txt"] = f"{line}\n".encode()
    outputs = []
    for place, each in enumerate(prepared.outputs or _outputs(case)):
        record: dict[str, Any] = {
            "name": each.name,
            "type": each.type,
            "dims": list(each.dims),
            "allowed": each.allowed,
        }
        own[f"{folder}/expected/{each.name}.raw"] = each.data
        if purpose == EXECUTORCH:  # as its runner calls the outputs of its first inputs
            record["file"] = f"output_0_{place}.raw"
        if each.ends is not None:
            record["bounded"] = True
            ends = zip(("low", "high"), each.ends, strict=True)
            own |= {f"{folder}/expected/{each.name}.{end}.raw": data for end, data in ends}
        outputs.append(record)
    run = {
        "name": label, "op": case.op.name, "case": case.id, "library": package.library, "call": case.describe(),
        "kernels": list(prepared.kernels), "outputs": outputs,
        "inputs": [{"name": each.name, "type": each.type, "dims": list(each.dims)} for each in given],
    }  # fmt: skip
    return run, own


def _numpy(tensor: CaseTensor) -> str:
    return "bool" if tensor.dtype.name == "bool8" else str(storage(tensor.dtype))


def _inputs(case: Case) -> list[Kept]:
    """What a graph is given: constants are in it."""
    return [
        Kept(t.name, _numpy(t), t.shape, np.ascontiguousarray(t.stored).tobytes())
        for t in case.inputs
        if t.stored is not None and not t.spec.static
    ]


def _outputs(case: Case) -> list[Kept]:
    """What the outputs must be, and for generated kernels of floats the ends between which each lies."""
    found = []
    for place, tensor in enumerate(case.outputs):
        values = np.ascontiguousarray(encode(case.expected[place], tensor.dtype, tensor.quant), storage(tensor.dtype))
        bound = case.bounds[place] if case.bounds and generated(case, ()) else None
        ends = None if bound is None else (_wide(bound.low, tensor), _wide(bound.high, tensor))
        allowed = limits(tolerance_for(case.op, tensor.dtype))
        found.append(Kept(tensor.name, _numpy(tensor), tensor.shape, values.tobytes(), allowed, ends))
    return found


def limits(tolerance: Tolerance) -> dict[str, float]:
    """A tolerance as compare.py reads it."""
    found = {"lsb": tolerance.lsb, "ulp": tolerance.ulp, "abs": tolerance.abs, "rel": tolerance.rel}
    return {name: value for name, value in found.items() if value is not None}


def _wide(end: Any, tensor: CaseTensor) -> bytes:
    return np.ascontiguousarray(np.broadcast_to(np.asarray(end, np.float64), tensor.shape)).tobytes()
