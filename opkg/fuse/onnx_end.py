"""An ONNX model end to end on HTP: by ONNX Runtime's QNN provider, as it was and with the fused ops in their package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from opkg.fuse.ends import OnMachine
from opkg.fuse.find import Found
from opkg.fuse.values import Values, share
from opkg.project.read import read
from opkg.verify.machines.onnxruntime import whole
from opkg.verify.machines.onnxruntime.machine import TARGET, OnnxruntimeMachine


def run(found: Found, spec: str, before: Any, after: Any, inputs: Values, expected: Values) -> OnMachine:
    """Both models (`after`: with the ops as their kernels compute them) beside `expected`, the outputs of the model as it was on
    the CPU. A run that cannot be is one with a note. Raises MissingTool without a compiler."""
    (project,) = read((spec,))
    root = Path(project.project.root)
    places = sum(len(op.places) for op in found.ops)
    package = project.packages[0]
    there = OnnxruntimeMachine().available(root)
    note = "" if there.ok else there.reason
    if not any(target.text == TARGET for target in package.targets):
        note = f"the package {package.name} has not the target {TARGET}"
    if note:
        return OnMachine("onnxruntime on HTP", (None, None), (None, None), (0, places), {}, f"not run: {note}")
    was, now = whole.run(root, package, before.SerializeToString(), after.SerializeToString(), inputs)
    sides = ((was, "as it was"), (now, "with fused ops"))
    notes = [f"{words}: {each.fault}" for each, words in sides if each.fault]
    notes += [f"{each.elsewhere} nodes not on HTP {words}" for each, words in sides if each.elsewhere]
    if now.left:
        notes.append(f"computed by their functions: {', '.join(now.left[:8])}")
    counts = [None if each.fault else each.htp for each, _ in sides]
    errors = [None if each.fault else share(expected, each.outputs) for each, _ in sides]
    return OnMachine(
        f"onnxruntime-qnn {there.version} on HTP", (counts[0], counts[1]), (errors[0], errors[1]),
        (len(now.placed), places), now.kernels, "; ".join(notes),
    )  # fmt: skip
