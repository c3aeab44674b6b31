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
from opkg.spec.model import OpPackage
from opkg.verify.bundle.contexts import Prepared
from opkg.verify.cases.case import Case, CaseTensor
from opkg.verify.judge.compare import tolerance_for
from opkg.verify.judge.verdict import generated
from opkg.verify.meaning.numbers import encode, storage

NET_RUN, ONNXRUNTIME = "qnn-net-run", "onnxruntime"
SCRIPTS = ("endpoint.sh", "push.sh", "run.sh", "compare.sh", "compare.py")


@dataclass(frozen=True, slots=True)
class Part:
    """One package of a bundle: its contexts, and both halves of it."""

    package: OpPackage
    prepared: tuple[Prepared, ...]
    arm: bytes
    dsp: bytes


def files(
    soc: Soc, qnn: str, parts: Sequence[Part], runtime: Sequence[tuple[str, bytes]], purpose: str
) -> dict[str, bytes]:
    """Path in the bundle -> content. `qnn`: of the backend that prepared the contexts; `runtime`: QNN's own libraries;
    `purpose`: NET_RUN or ONNXRUNTIME."""
    found: dict[str, bytes] = {}
    runs: list[dict[str, Any]] = []
    for part in parts:
        found[f"arm/{part.package.library}"] = part.arm
        found[f"dsp/{part.package.library}"] = part.dsp
        for each in part.prepared:
            run, own = _run(part.package, each)
            runs.append(run)
            found |= own
    for name, content in runtime:
        found[f"{'dsp' if name.endswith('Skel.so') else 'arm'}/{name}"] = content
    facts = {
        "for": purpose, "soc": soc.name, "soc_model": soc.model, "arch": soc.arch, "qnn": qnn,
        "packages": [{"library": p.package.library, "provider": _provider(p.package, purpose)} for p in parts],
        "runs": runs,
    }  # fmt: skip
    found["bundle.json"] = (json.dumps(facts, indent=1) + "\n").encode()
    words = {"soc": soc, "qnn": qnn, "packages": [part.package for part in parts], "runs": runs}
    words |= {"runtime": bool(runtime), "arch": soc.arch.upper(), "purpose": purpose}
    found["settings.sh"] = render("bundle/settings.sh.j2", **words).encode()
    found["README.md"] = render("bundle/README.md.j2", **words).encode()
    scripts = (*SCRIPTS, "run_models.py") if purpose == ONNXRUNTIME else SCRIPTS
    return found | {name: plain(f"bundle/{name}").encode() for name in scripts}


def _provider(package: OpPackage, purpose: str) -> str:
    """ONNX Runtime's provider takes the package's name from the symbol."""
    return package.named_provider if purpose == ONNXRUNTIME else package.interface_provider


def _run(package: OpPackage, prepared: Prepared) -> tuple[dict[str, Any], dict[str, bytes]]:
    """One case: what bundle.json says of it, and its files."""
    case = prepared.case
    label = re.sub(r"[^A-Za-z0-9_.-]", "_", f"{case.op.name}-{case.id}")
    folder = f"cases/{label}"
    own = {f"{folder}/{prepared.name}": prepared.binary}
    own |= {f"{folder}/model.onnx": prepared.model} if prepared.model else {}
    given = [tensor for tensor in case.inputs if tensor.stored is not None and not tensor.spec.static]
    for tensor in given:
        assert tensor.stored is not None
        own[f"{folder}/inputs/{tensor.name}.raw"] = np.ascontiguousarray(tensor.stored).tobytes()
    line = " ".join(f"{tensor.name}:={folder}/inputs/{tensor.name}.raw" for tensor in given)
    own[f"{folder}/input_list.txt"] = f"{line}\n".encode()
    inputs = [{"name": t.name, "type": _numpy(t), "dims": list(t.shape)} for t in given]
    outputs = []
    for place, tensor in enumerate(case.outputs):
        record, more = _expected(case, place, tensor, folder)
        outputs.append(record)
        own |= more
    run = {
        "name": label, "op": case.op.name, "case": case.id, "library": package.library, "call": case.describe(),
        "kernels": list(prepared.kernels), "inputs": inputs, "outputs": outputs,
    }  # fmt: skip
    return run, own


def _numpy(tensor: CaseTensor) -> str:
    return "bool" if tensor.dtype.name == "bool8" else str(storage(tensor.dtype))


def _expected(case: Case, place: int, tensor: CaseTensor, folder: str) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What an output must be: the stored numbers, how far off they may be, and for generated kernels of floats the ends
    between which each lies."""
    values = encode(case.expected[place], tensor.dtype, tensor.quant)
    own = {f"{folder}/expected/{tensor.name}.raw": np.ascontiguousarray(values, storage(tensor.dtype)).tobytes()}
    tolerance = tolerance_for(case.op, tensor.dtype)
    record: dict[str, Any] = {"name": tensor.name, "type": _numpy(tensor), "dims": list(tensor.shape)}
    limits = {"lsb": tolerance.lsb, "ulp": tolerance.ulp, "abs": tolerance.abs, "rel": tolerance.rel}
    record["allowed"] = {name: value for name, value in limits.items() if value is not None}
    bound = case.bounds[place] if case.bounds and generated(case, ()) else None
    if bound is not None:
        record["bounded"] = True
        for end, array in (("low", bound.low), ("high", bound.high)):
            wide = np.broadcast_to(np.asarray(array, np.float64), tensor.shape)
            own[f"{folder}/expected/{tensor.name}.{end}.raw"] = np.ascontiguousarray(wide).tobytes()
    return record, own
