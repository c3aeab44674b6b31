"""`opkg fuse`: subgraphs of a model become fused ops, in a project, proved; and the model with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from opkg.cli.files import Source
from opkg.cli.options import on_option
from opkg.cli.output import paint, show_findings
from opkg.cli.rules_apply import sizes

if TYPE_CHECKING:
    from opkg.models.model import Model
    from opkg.spec.diagnostics import Diagnostic


@click.command("fuse")
@click.argument("path", metavar="MODEL", type=Source())
@click.option("--dry-run", is_flag=True, help="Say what would be fused; write nothing.")
@click.option("--target", "target", type=click.Choice(("htp", "openvino")), default="htp", show_default=True,
              help="Whose limits hold: opkg's kernels on HTP, or OpenVINO's tokenization (IR, or --dry-run).")  # fmt: skip
@click.option("--dim", "dims", metavar="NAME=SIZE", multiple=True, callback=sizes, help="Size of a named dimension.")
@click.option("--top", type=click.IntRange(1), metavar="N", help="Only the N ops that save most.")
@click.option("--dir", "directory", type=click.Path(file_okay=False), metavar="D",
              help="The project that the ops go to. [MODEL-ops, made new]")  # fmt: skip
@click.option("--package", metavar="P", help="Package the ops go to. [fused.MODEL]")
@on_option("Where to verify; default: host and htp.")
@click.option(
    "--html", type=click.Path(dir_okay=False), help="Write the page with the pictures here. [D/build/fuse.html]"
)
@click.option("--format", "format", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(
    path: str, dry_run: bool, target: str, dims: dict[str, int], top: int | None, directory: str | None,
    package: str | None, on: tuple[str, ...], html: str | None, format: str,
) -> int:  # fmt: skip
    """Find the subgraphs of MODEL that repeat or move many bytes, and make one op of each distinct one.

    Their spec goes to a project, is generated, and verified against what the model's own runtime computes; of an ONNX model,
    one with the ops in place is written beside it, a torch model gets them by `pattern:` in ExecuTorch. Nothing that exists is
    overwritten.

    MODEL is an ONNX file, OpenVINO's IR (.xml), or a Python file that defines model(), a torch.nn.Module, and inputs(), a
    tuple of tensors.
    """
    from opkg.models.read import read_model
    from opkg.spec.diagnostics import Severity

    if dims and not path.lower().endswith(".onnx"):
        raise click.UsageError("--dim is for ONNX files: others have no named dimensions.")
    if target == "openvino" and not (dry_run or path.lower().endswith(".xml")):
        raise click.UsageError(
            "--target openvino is for OpenVINO's IR (.xml); of other models it shows, with --dry-run, what OpenVINO does."
        )
    model, findings = _exported(path) if path.endswith(".py") else read_model(path, dims)
    if model is None:
        show_findings(findings, format)
        return 1
    if format == "text" and any(finding.severity is Severity.WARNING for finding in findings):
        show_findings(findings)
        click.echo()
    if target == "openvino" and dry_run:
        return _partition(model, top, format)
    from opkg.cli.fuse_request import FuseRequest
    from opkg.cli.fuse_write import fuse

    return fuse(model, FuseRequest(path, dry_run, target, dims, top or 0, directory, package, on, html, format))


def _partition(model: Model, top: int | None, format: str) -> int:
    """OpenVINO's subgraphs."""
    from opkg.models.partition.limits import OPENVINO
    from opkg.models.partition.plan import plan
    from opkg.report import fuse_json, fuse_text

    found = plan(model, OPENVINO)
    click.echo(fuse_json.render(found) if format == "json" else fuse_text.render(found, top or 0, paint()), nl=False)
    return 0


def _exported(path: str) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    """The model of a Python file, through the interpreter that has torch."""
    from pathlib import Path

    from opkg.cli.executorch_env import found_environment
    from opkg.cli.fuse_end import torch_folder
    from opkg.models.torch_reader import read_exported
    from opkg.verify.machines.executorch.exported import export

    return read_exported(export(found_environment([]), Path(path), torch_folder(path)), path)
