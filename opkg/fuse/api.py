"""What `opkg fuse` does with a model: fused ops into a project, their proof, the model with them. Prints nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from opkg.fuse.cost import of_code
from opkg.fuse.ends import EndToEnd
from opkg.fuse.find import Found, without
from opkg.fuse.fused import FusedOp
from opkg.fuse.spec_text import CONSTANT_RANK, op_lines, read_back
from opkg.spec.diagnostics import Diagnostic, OpkgError, Span, error
from opkg.verify.options import Report, VerifyOptions, silent

if TYPE_CHECKING:
    from opkg.fuse.proof import Against, LeftOut
    from opkg.fuse.values import Runtime, Values
    from opkg.project.scaffold import NewOp
    from opkg.spec.model import Op, OpPackage
    from opkg.verify.cases.case import Case
    from opkg.verify.judge.outcome import VerifyResult


# The target that the model with its ops needs.
ENDS = {".torch": ("executorch-builder",), ".onnx": ("onnxruntime",), ".xml": ("openvino-extension",)}


@dataclass(frozen=True, slots=True)
class Proof:
    """`against`: what the ops compute beside the runtime's values, one per place and result; `verified`: the kernels; `left`:
    places of which nothing is held."""

    runtime: str
    against: tuple[Against, ...]
    verified: VerifyResult
    findings: tuple[Diagnostic, ...]
    left: tuple[LeftOut, ...] = ()

    @property
    def ok(self) -> bool:
        return not any(finding.is_error for finding in self.findings) and self.verified.ok


def source_name(path: str) -> str:
    return os.path.basename(path)


def lines_of(found: Found, path: str) -> list[tuple[str, str]]:
    """Names and texts of the ops."""
    return [(op.name, op_lines(found.model, op, source_name(path))) for op in found.ops]


def usable(found: Found, path: str) -> Found:
    """Without the ops for which no kernel can be generated; what stands in the way is their nodes' reason."""
    refused = {op.name: why for op in found.ops if (why := _refused(found, op, path))}
    found = without(found, refused) if refused else found
    return replace(found, ops=tuple(_quantizable(found, op, path) for op in found.ops)) if found.model.exact else found


def _quantizable(found: Found, op: FusedOp, path: str) -> FusedOp:
    """An op of a torch model, which is quantized only later, with kernels for that where these have vector code."""
    types = {operand.dtype for operand in (*op.pattern.inputs, *(operand for _, operand in op.pattern.outputs))}
    wider = replace(op, also=("ufixed8",))
    if types != {"float32"} or _refused(found, wider, path):
        return op
    made, _ = read_back(found.model, wider, source_name(path))
    return wider if made is not None and not of_code(made, {}, 1).portable else op


def _refused(found: Found, op: FusedOp, path: str) -> str:
    from opkg.kernels.portable.check import check

    if wide := _wide_constant(found, op):
        return f"{op.name}: {wide} is a constant of five dimensions with elements of 32 bits, whose graph HTP does not prepare"
    made, wrong = read_back(found.model, op, source_name(path))
    if made is not None:
        wrong = [finding for finding in check(made) if finding.is_error]
    return f"{op.name}: {wrong[0].message}" if wrong else ""


def _wide_constant(found: Found, op: FusedOp) -> str:
    """The name of a constant that the validators of HTP packages refuse as an input; "" for none."""
    names = dict.fromkeys(name for place in op.places for name in place.inputs if name in found.model.constants)
    tensors = [(name, found.model.tensors[name]) for name in names]
    wide = [
        name
        for name, tensor in tensors
        if len(tensor.shape or ()) > CONSTANT_RANK
        and tensor.quantization is None
        and tensor.dtype in ("float32", "int32")
    ]
    return wide[0] if wide else ""


def write_project(found: Found, path: str, directory: str, package: str | None, default: str) -> NewOp:
    """The ops into the project in a folder, new or there already; all of it or nothing."""
    from opkg.project.add import add_ops

    ending = ".torch" if found.model.exact else os.path.splitext(path)[1].lower()
    return add_ops(lines_of(found, path), directory, package, default, ENDS.get(ending, ()))


def prove(
    found: Found,
    spec: str,
    runtime: Runtime,
    values: Values,
    options: VerifyOptions,
    path: str,
    report: Report = silent,
) -> Proof:
    """Holds the ops of a project's spec against the values of a run of the model."""
    from opkg.fuse.proof import cases, unproved, wrong
    from opkg.project.read import read
    from opkg.verify.api import verify

    (project,) = read((spec,))
    fused = {op.name: op for op in found.ops}
    against: list[Against] = []
    left: list[LeftOut] = []
    made: dict[str, list[Case]] = {}
    for op in _ops(project.packages):
        if op.name in fused:
            held = cases(found.model, fused[op.name], op, values)
            made[op.name] = list(held.cases)
            against += held.against
            left += held.left
    wanted = replace(options, ops=tuple(fused), prefix=project.project.prefix)
    result = verify(Path(project.project.root), project.packages, wanted, report, lambda op: made.get(op.name, []))
    findings = (*wrong(against, runtime.name, path), *unproved(left, runtime.name, path))
    return Proof(runtime.name, tuple(against), result, findings, tuple(left))


def _ops(packages: Sequence[OpPackage]) -> list[Op]:
    return [op for package in packages for op in package.ops]


def bordering(found: Found) -> list[str]:
    """The tensors that go into and out of all places."""
    return list(dict.fromkeys(n for op in found.ops for place in op.places for n in (*place.inputs, *place.outputs)))


def domain_of(spec: str) -> str:
    """The name of the package of a spec, which its ops have in models."""
    from opkg.project.read import read

    return read((spec,))[0].packages[0].name


def rewrite_onnx(
    found: Found, path: str, dims: Mapping[str, int], spec: str, inputs: Values, on_htp: bool
) -> tuple[bytes, EndToEnd]:
    """The ONNX model with the ops in place, run beside the model as it was; both also on HTP, if that is wanted."""
    import numpy as np

    from opkg.fuse import onnx_end, onnx_run, onnx_write
    from opkg.fuse.values import off

    domain = domain_of(spec)
    before = onnx_write.prepared(path, dict(dims))
    after = onnx_write.rewritten(before, found.model, found.fold, found.ops, domain, path)
    kernels = onnx_write.rewritten(before, found.model, found.fold, found.ops, domain, path, as_it_was=False)
    was, now, fused = (onnx_run.run(proto, path, inputs) for proto in (before, after, kernels))
    outputs = []
    for name, value in was.items():
        largest = float(np.max(np.abs(np.asarray(value, np.float64)), initial=0.0))
        outputs.append((name, off(value, now[name]), off(value, fused[name]), largest))
    data: bytes = after.SerializeToString()
    runs = (onnx_end.run(found, spec, before, kernels, inputs, was),) if on_htp else ()
    return data, EndToEnd("", (len(before.graph.node), len(after.graph.node)), tuple(outputs), runs)


def in_the_way(path: str) -> OpkgError:
    """A file that would be overwritten."""
    hint = "choose another folder (--dir), or move it"
    return OpkgError([error("OPK761", f"{path} exists, and is not overwritten", Span(path), hint)])
