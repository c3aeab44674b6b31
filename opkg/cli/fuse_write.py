"""The part of `opkg fuse` that writes: the project, its verification, the rewritten model, the page."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from opkg.cli.output import log, paint, replace_file, show_findings, write_file
from opkg.spec.diagnostics import OpkgError, Span, error

if TYPE_CHECKING:
    from opkg.fuse.api import EndToEnd, Proof
    from opkg.fuse.find import Found
    from opkg.fuse.values import Runtime, Values
    from opkg.models.model import Model

CASES = 8  # generated ones per op, beside those of the model


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asked for."""

    path: str
    dry_run: bool
    dims: dict[str, int]
    top: int
    directory: str | None
    package: str | None
    on: tuple[str, ...]
    html: str | None
    format: str

    @property
    def stem(self) -> str:
        return re.sub(r"[^a-z0-9]+", "_", Path(self.path).stem.lower()).strip("_") or "model"

    @property
    def folder(self) -> str:
        return self.directory or f"{Path(self.path).stem}-ops"

    @property
    def default_package(self) -> str:
        return f"fused.{self.stem}" if self.stem[0].isalpha() else f"fused.m{self.stem}"

    @property
    def rewritten(self) -> str:
        return os.path.join(self.folder, f"{Path(self.path).stem}.fused.onnx")


def fuse(model: Model, wish: Wish) -> int:
    """Finds the ops, and unless it is a dry run writes and proves them."""
    from opkg.fuse import api, find
    from opkg.models.partition.limits import HTP
    from opkg.report import fuse_ops

    found = find.best(api.usable(find.find(model, HTP), wish.path), wish.top)
    if wish.dry_run or not found.ops:
        return _shown(found, wish, None, None)
    if wish.path.endswith(".py"):
        hint = "--dry-run shows what would be fused"
        raise OpkgError([error("OPK760", "fused ops of torch models are not written", Span(wish.path), hint)])
    if wish.format == "text":
        click.echo(fuse_ops.render(found, paint()))
    if os.path.lexists(wish.rewritten):
        raise api.in_the_way(wish.rewritten)
    inputs, runtime = _runtime(found, wish)
    values = runtime.values(inputs, api.bordering(found))
    made = api.write_project(found, wish.path, wish.folder, wish.package, wish.default_package)
    log(f"wrote {made.spec} and what is generated from it", 1)
    proof = _proved(found, made.spec, runtime, values, wish)
    end = None
    if proof.ok and wish.path.lower().endswith(".onnx"):
        data, end = api.rewrite_onnx(found, wish.path, wish.dims, api.domain_of(made.spec), inputs)
        replace_file(wish.rewritten, data)
        end = replace(end, file=wish.rewritten)
    return _shown(found, wish, proof, end, made.spec)


def _runtime(found: Found, wish: Wish) -> tuple[Values, Runtime]:
    """Inputs, and the runtime that the model is for."""
    from opkg.fuse.onnx_run import OnnxRuntime
    from opkg.fuse.onnx_write import prepared
    from opkg.fuse.openvino_run import OpenvinoRuntime
    from opkg.fuse.values import drawn

    if wish.path.lower().endswith(".xml"):
        return drawn(found.model, 0), OpenvinoRuntime(wish.path, found.model.constants)
    return drawn(found.model, 0), OnnxRuntime(prepared(wish.path, wish.dims), wish.path)


def _proved(found: Found, spec: str, runtime: Runtime, values: Values, wish: Wish) -> Proof:
    from opkg.fuse import api
    from opkg.project.interrupt import interruptible
    from opkg.report.verify_progress import progress_bar
    from opkg.verify.options import VerifyOptions

    options = VerifyOptions(on=wish.on, cases=CASES, large=0)
    with interruptible(), progress_bar() as report:
        return api.prove(found, spec, runtime, values, options, wish.path, report)


def _shown(found: Found, wish: Wish, proof: Proof | None, end: EndToEnd | None, spec: str = "") -> int:
    """The report, and the exit code."""
    from opkg.report import fuse_ops, fuse_ops_json

    page = wish.html or (os.path.join(wish.folder, "build", "fuse.html") if proof is not None else "")
    if page:
        from opkg.report import fuse_html

        write_file(page, fuse_html.render(found, proof, end))
    if wish.format == "json":
        click.echo(fuse_ops_json.render(found, proof, end), nl=False)
        return int(proof is not None and not proof.ok)
    if proof is None:
        click.echo(fuse_ops.render(found, paint()), nl=False)
        return 0
    _show_proof(proof)
    if end is not None:
        click.echo("\n" + fuse_ops.ended(end, proof.runtime))
    log(f"the spec is {spec}, the page {page}; next: opkg -C {wish.folder} verify", 1)
    return int(not proof.ok)


def _show_proof(proof: Proof) -> None:
    from opkg.report import fuse_ops, verify_text

    if findings := [*proof.findings, *proof.verified.diagnostics]:
        show_findings(findings)
    click.echo(fuse_ops.proved(proof))
    click.echo(fuse_ops.kernels(proof))
    if not proof.verified.ok:
        click.echo("\n" + verify_text.render(proof.verified, paint(), ""))
