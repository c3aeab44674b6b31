"""The part of `opkg fuse` that writes: the project, its verification, the rewritten model, the page."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from opkg.cli.fuse_end import ended, torch_folder
from opkg.cli.fuse_request import FuseRequest
from opkg.cli.output import exit_code, log, opkg_in, paint, show_findings, write_file

if TYPE_CHECKING:
    from opkg.fuse.api import Proof
    from opkg.fuse.ends import EndToEnd
    from opkg.fuse.find import Found
    from opkg.fuse.values import Runtime, Values
    from opkg.models.model import Model
    from opkg.spec.diagnostics import Diagnostic

CASES = 8  # generated ones per op, beside those of the model


def fuse(model: Model, asked: FuseRequest) -> int:
    """Finds the ops, and unless it is a dry run writes and proves them."""
    from opkg.fuse import api, find
    from opkg.models.partition.limits import TARGETS
    from opkg.report import fuse_ops

    found = find.best(api.usable(find.find(model, TARGETS[asked.target]), asked.path), asked.top)
    if asked.dry_run or not found.ops:
        return _shown(found, asked, None, None)
    if asked.format == "text":
        click.echo(fuse_ops.render(found, paint()))
    for path in asked.written:
        if os.path.lexists(path):
            raise api.in_the_way(path)
    inputs, runtime = _runtime(found, asked)
    values = runtime.values(inputs, api.bordering(found))
    made = api.write_project(found, asked.path, asked.folder, asked.package, asked.default_package)
    log(f"wrote {made.spec} and what is generated from it", 1)
    proof = _proved(found, made.spec, runtime, values, asked)
    end, findings = ended(found, made.spec, inputs, asked) if proof.ok else (None, [])
    return _shown(found, asked, proof, end, made.spec, findings)


def _runtime(found: Found, asked: FuseRequest) -> tuple[Values, Runtime]:
    """Inputs, and the runtime that the model is for."""
    from opkg.fuse.onnx_run import OnnxRuntime
    from opkg.fuse.onnx_write import prepared
    from opkg.fuse.openvino_run import OpenvinoRuntime
    from opkg.fuse.values import drawn

    if asked.path.endswith(".py"):
        from opkg.cli.executorch_env import found_environment
        from opkg.fuse.torch_run import TorchRuntime

        return {}, TorchRuntime(found_environment([]), asked.path, torch_folder(asked.path))
    if asked.path.lower().endswith(".xml"):
        return drawn(found.model, 0), OpenvinoRuntime(asked.path, found.model.constants)
    return drawn(found.model, 0), OnnxRuntime(prepared(asked.path, asked.dims), asked.path)


def _proved(found: Found, spec: str, runtime: Runtime, values: Values, asked: FuseRequest) -> Proof:
    from opkg.fuse import api
    from opkg.project.interrupt import interruptible
    from opkg.report.verify_progress import progress_bar
    from opkg.verify.options import VerifyOptions

    options = VerifyOptions(on=asked.on, cases=CASES, large=0)
    with interruptible(), progress_bar() as report:
        return api.prove(found, spec, runtime, values, options, asked.path, report)


def _shown(
    found: Found,
    asked: FuseRequest,
    proof: Proof | None,
    end: EndToEnd | None,
    spec: str = "",
    findings: Sequence[Diagnostic] = (),
) -> int:
    """The report, and the exit code; `findings`: of the whole model."""
    from opkg.report import fuse_ops, fuse_ops_json

    page = asked.html or (os.path.join(asked.folder, "build", "fuse.html") if proof is not None else "")
    if page:
        from opkg.report import fuse_html

        write_file(page, fuse_html.render(found, proof, end))
    if asked.format == "json":
        click.echo(fuse_ops_json.render(found, proof, end, findings), nl=False)
        return int((proof is not None and not proof.ok) or exit_code(findings) != 0)
    if proof is None:
        click.echo(fuse_ops.render(found, paint()), nl=False)
        return 0
    _show_proof(proof)
    if end is not None:
        click.echo("\n" + fuse_ops.ended(end, proof.runtime))
    show_findings(findings)
    log(f"the spec is {spec}, the page {page}; next: {opkg_in(asked.folder)} verify", 1)
    return int(not proof.ok or exit_code(findings) != 0)


def _show_proof(proof: Proof) -> None:
    from opkg.report import fuse_ops, verify_text

    if findings := [*proof.findings, *proof.verified.diagnostics]:
        show_findings(findings)
    click.echo(fuse_ops.proved(proof))
    click.echo(fuse_ops.kernels(proof))
    if not proof.verified.ok:
        click.echo("\n" + verify_text.render(proof.verified, paint(), ""))
