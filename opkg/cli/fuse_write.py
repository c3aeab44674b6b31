"""The part of `opkg fuse` that writes: the project, its verification, the rewritten model, the page."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from opkg.cli.fuse_end import ended, torch_folder
from opkg.cli.output import exit_code, log, paint, show_findings, write_file

if TYPE_CHECKING:
    from opkg.fuse.api import Proof
    from opkg.fuse.ends import EndToEnd
    from opkg.fuse.find import Found
    from opkg.fuse.values import Runtime, Values
    from opkg.models.model import Model
    from opkg.spec.diagnostics import Diagnostic

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
    def on_htp(self) -> bool:
        """Whether the whole model is to run on HTP, too."""
        return not self.on or bool({"htp", "onnxruntime", "executorch"} & set(self.on))

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
    if wish.format == "text":
        click.echo(fuse_ops.render(found, paint()))
    if os.path.lexists(wish.rewritten):
        raise api.in_the_way(wish.rewritten)
    inputs, runtime = _runtime(found, wish)
    values = runtime.values(inputs, api.bordering(found))
    made = api.write_project(found, wish.path, wish.folder, wish.package, wish.default_package)
    log(f"wrote {made.spec} and what is generated from it", 1)
    proof = _proved(found, made.spec, runtime, values, wish)
    end, findings = ended(found, made.spec, inputs, wish) if proof.ok else (None, [])
    return _shown(found, wish, proof, end, made.spec, findings)


def _runtime(found: Found, wish: Wish) -> tuple[Values, Runtime]:
    """Inputs, and the runtime that the model is for."""
    from opkg.fuse.onnx_run import OnnxRuntime
    from opkg.fuse.onnx_write import prepared
    from opkg.fuse.openvino_run import OpenvinoRuntime
    from opkg.fuse.values import drawn

    if wish.path.endswith(".py"):
        from opkg.cli.executorch_env import found_environment
        from opkg.fuse.torch_run import TorchRuntime

        return {}, TorchRuntime(found_environment([]), wish.path, torch_folder(wish.path))
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


def _shown(
    found: Found,
    wish: Wish,
    proof: Proof | None,
    end: EndToEnd | None,
    spec: str = "",
    findings: Sequence[Diagnostic] = (),
) -> int:
    """The report, and the exit code; `findings`: of the whole model."""
    from opkg.report import fuse_ops, fuse_ops_json

    page = wish.html or (os.path.join(wish.folder, "build", "fuse.html") if proof is not None else "")
    if page:
        from opkg.report import fuse_html

        write_file(page, fuse_html.render(found, proof, end))
    if wish.format == "json":
        click.echo(fuse_ops_json.render(found, proof, end, findings), nl=False)
        return int((proof is not None and not proof.ok) or exit_code(findings) != 0)
    if proof is None:
        click.echo(fuse_ops.render(found, paint()), nl=False)
        return 0
    _show_proof(proof)
    if end is not None:
        click.echo("\n" + fuse_ops.ended(end, proof.runtime))
    show_findings(findings)
    log(f"the spec is {spec}, the page {page}; next: opkg -C {wish.folder} verify", 1)
    return int(not proof.ok or exit_code(findings) != 0)


def _show_proof(proof: Proof) -> None:
    from opkg.report import fuse_ops, verify_text

    if findings := [*proof.findings, *proof.verified.diagnostics]:
        show_findings(findings)
    click.echo(fuse_ops.proved(proof))
    click.echo(fuse_ops.kernels(proof))
    if not proof.verified.ok:
        click.echo("\n" + verify_text.render(proof.verified, paint(), ""))
