"""An IR of OpenVINO end to end: written with the fused ops, read back with their library, and run beside the model as it was."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from opkg.fuse import openvino_write
from opkg.fuse.ends import EndToEnd, OnMachine
from opkg.fuse.find import Found
from opkg.fuse.values import Values, off, share
from opkg.project.read import read
from opkg.spec.diagnostics import OpkgError, Span, error
from opkg.spec.model import OpPackage
from opkg.verify.machines.openvino import library, whole


@dataclass(frozen=True, slots=True)
class Written:
    """The two files of the model with its ops, and what came of running it."""

    xml: bytes
    weights: bytes
    end: EndToEnd


def run(found: Found, path: str, spec: str, inputs: Values) -> Written:
    """Raises MissingTool without a compiler, OpkgError (OPK762, OPK764) when the model with the ops cannot be."""
    import openvino

    (project,) = read((spec,))
    root, package = Path(project.project.root), project.packages[0]
    if not any(target.text == "openvino-extension" for target in package.targets):
        message = f"the package {package.name} has not the target openvino-extension: its ops cannot stand in an IR"
        raise OpkgError([error("OPK764", message, Span(spec), "add it: targets: [..., openvino-extension]")])
    built, why = whole.library_of(root, package)
    if built is None:
        raise OpkgError([error("OPK764", f"the library of {package.name} was not built: {why}", Span(spec))])
    needs = {"extension": built.name, "package": package.name, "ops": " ".join(op.name for op in found.ops)}
    after = openvino_write.rewritten(path, found, openvino_write.twins(_twins(root, package)), needs)
    counts = (openvino_write.count(openvino.Core().read_model(path)), openvino_write.count(after))
    with TemporaryDirectory() as folder:
        made = Path(folder) / "fused.xml"
        openvino.serialize(after, str(made), str(made.with_suffix(".bin")))
        both = whole.run(root, package, (Path(path), made), built, [inputs[name] for name in found.model.inputs])
        texts = made.read_bytes(), made.with_suffix(".bin").read_bytes()
    if both.fault:
        message = f"openvino does not run the model with the fused ops: {both.fault}"
        raise OpkgError([error("OPK762", message, Span(path))])
    return Written(*texts, EndToEnd("", counts, _outputs(found, both), (_machine(found, both),)))


def _twins(root: Path, package: OpPackage) -> Path:
    space = package.cpp_namespace
    return root / "generated" / space / "openvino" / "python" / f"{space}_openvino"


def _outputs(found: Found, both: whole.WholeRun) -> tuple[tuple[str, float, float, float], ...]:
    import numpy as np

    rows = []
    for name, old, new in zip(found.model.outputs, *both.outputs, strict=True):
        largest = float(np.max(np.abs(np.asarray(old, np.float64)), initial=0.0))
        rows.append((name, off(old, new), off(old, new), largest))
    return tuple(rows)


def _machine(found: Found, both: whole.WholeRun) -> OnMachine:
    """The run; the reshaped one is in the note."""
    places = sum(len(op.places) for op in found.ops)
    note = "the model as it was takes no inputs twice as long"
    if both.wider:
        note = f"with inputs twice as long off by {100 * _worst(found, both.wider):.2g}% of the range"
    return OnMachine(
        f"openvino {library.version()} on CPU",
        both.operators,
        (0.0, _worst(found, both.outputs)),
        (both.ops, places),
        None,
        note,
    )


def _worst(found: Found, outputs: Any) -> float:
    named = [dict(zip(found.model.outputs, side, strict=True)) for side in outputs]
    worst = share(named[0], named[1])
    return float("inf") if worst is None else worst
