"""What `opkg onnx patch` does with a model: finds places, puts ops there, runs both on the CPU. Writes and prints nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from opkg.fuse import onnx_run
from opkg.fuse.patch.find import Found, find, unfit
from opkg.fuse.patch.write import patched
from opkg.fuse.values import drawn, off
from opkg.models.fold import fold
from opkg.models.model import Model
from opkg.models.onnx_reader import load, of_proto, sized
from opkg.models.partition.moved import alone
from opkg.spec.diagnostics import Diagnostic, OpkgError, Span, error, warning
from opkg.spec.model import Op

# How far outputs of a model may move, of their largest value; what rounds to steps in between may move further.
ALLOWED = {"float32": 1e-4, "float16": 1e-2, "float64": 1e-4}


@dataclass(frozen=True, slots=True)
class Difference:
    """An output of the model before and after, by onnxruntime's CPU provider: the largest difference and the largest value;
    `steps`: of an output of integers, whose step is 1."""

    name: str
    largest: float
    value: float
    steps: bool
    allowed: float | None

    @property
    def ok(self) -> bool:
        return self.allowed is None or self.largest <= self.allowed * max(self.value, 1e-30)


@dataclass(frozen=True, slots=True)
class Patched:
    """`data`: the file's new content, empty when there is no place. `nodes`, `bytes`: before and after, of the whole model in
    the form that HTP has it (without the steps between floats and quantized tensors)."""

    found: Found
    data: bytes
    nodes: tuple[int, int]
    bytes: tuple[int, int]
    outputs: tuple[Difference, ...]
    findings: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        return not any(finding.is_error for finding in self.findings)


def patch(path: str, dims: Mapping[str, int], ops: Sequence[tuple[Op, str]], nchw: bool = True) -> Patched:
    """The model of a file with ops in the places of their patterns. `ops`: with the names of their packages; `nchw`: what the
    model's tensors of rank 4 are, for ops that mean NHWC.

    Findings: OPK792 for an op that is put nowhere, OPK794 when the numbers are others. Raises OpkgError, MissingTool.
    """
    wrong = [finding for op, _ in ops if (finding := unfit(op)) is not None]
    if wrong:
        raise OpkgError(wrong)
    proto = load(path)
    model, findings = of_proto(proto, path, dims, inlined=False)
    known = {f"{each.domain}::{each.name}" for each in proto.functions}
    findings = tuple(each for each in findings if each.id != "OPK703" or each.message.split(" ")[0] not in known)
    if model is None:
        raise OpkgError(findings)
    proto = sized(proto, dims) if dims else proto
    folded, steps = fold(model)
    found = find(folded, [op for op, _ in ops], nchw)
    findings += tuple(_nowhere(found, [op for op, _ in ops], path))
    before = alone(folded, range(len(folded.nodes)))
    after = before + sum(place.after - place.before for place in found.places)
    count = len(proto.graph.node)
    if not found.places:
        return Patched(found, b"", (count, count), (before, after), (), findings)
    made = patched(proto, folded, steps, found.places, {op.name: domain for op, domain in ops}, path)
    outputs = tuple(_differences(folded, proto, made, path))
    findings += tuple(_moved(each, path) for each in outputs if not each.ok)
    return Patched(found, _bytes(made, path), (count, len(made.graph.node)), (before, after), outputs, findings)


def _nowhere(found: Found, ops: Sequence[Op], path: str) -> Iterator[Diagnostic]:
    """Ops without a place, and why: a warning where others have one."""
    placed = {place.op.name for place in found.places}
    for op in ops:
        if op.name in placed:
            continue
        why = found.near.get(op.name, "")
        refused = [each for each in found.left if each.op == op.name]
        if refused:
            more = f" ({len(refused) - 1} more like it)" if len(refused) > 1 else ""
            why = f"at {refused[0].node}{more}, {refused[0].reason}"
        elif not why:
            why = "all nodes that it would replace belong to places of the other ops"
        kind = warning if found.places else error
        yield kind("OPK792", f"{op.name} can be put nowhere: {why}", Span(path))


def _differences(model: Model, before: Any, after: Any, path: str) -> Iterator[Difference]:
    import numpy as np

    inputs = drawn(model, 0)
    was, now = (onnx_run.run(proto, path, inputs) for proto in (before, after))
    rounds = any(tensor.quantization is not None for tensor in model.tensors.values())
    for name, value in was.items():
        largest = float(np.max(np.abs(np.asarray(value, np.float64)), initial=0.0))
        allowed = None if rounds else ALLOWED.get(str(value.dtype), 0.0)
        yield Difference(name, off(value, now[name]), largest, value.dtype.kind in "iu", allowed)


def _moved(output: Difference, path: str) -> Diagnostic:
    message = f"{output.name} moves by {output.largest:.3g} (largest value {output.value:.3g})"
    hint = "is the op's compute: what its pattern: says? opkg verify holds each against its reference"
    return error("OPK794", f"the patched model computes something else: {message}", Span(path), hint)


def _bytes(proto: Any, path: str) -> bytes:
    try:
        data: bytes = proto.SerializeToString()
    except Exception as failure:  # protobuf's own kinds of errors: more than 2 GiB
        raise OpkgError(
            [error("OPK795", f"the patched model cannot be written as one file: {failure}", Span(path))]
        ) from None
    return data
