"""`opkg fuse`: which ops of a model can become one kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from opkg.cli.files import Source
from opkg.cli.output import paint, show_findings
from opkg.cli.rules_apply import sizes

if TYPE_CHECKING:
    from opkg.models.model import Model
    from opkg.spec.diagnostics import Diagnostic


@click.command("fuse")
@click.argument("path", metavar="MODEL", type=Source())
@click.option(
    "--dry-run", is_flag=True, required=True, help="Say what would be fused; write nothing. (All there is so far.)"
)
@click.option("--target", "target", type=click.Choice(("htp", "openvino")), default="htp", show_default=True,
              help="Whose limits hold: opkg's kernels on HTP, or OpenVINO's tokenization.")  # fmt: skip
@click.option("--dim", "dims", metavar="NAME=SIZE", multiple=True, callback=sizes, help="Size of a named dimension.")
@click.option("--top", type=click.IntRange(1), metavar="N", help="Show the N kernels that save most.")
@click.option("--format", "format", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(path: str, dry_run: bool, target: str, dims: dict[str, int], top: int | None, format: str) -> int:
    """Find the subgraphs of MODEL that can be computed as one kernel, what they save, and why others cannot.

    MODEL is an ONNX file, OpenVINO's IR (.xml), or a Python file that defines model(), a torch.nn.Module, and inputs(), a
    tuple of tensors.
    """
    from opkg.models.partition.limits import TARGETS
    from opkg.models.partition.plan import plan
    from opkg.models.read import read_model
    from opkg.report import fuse_json, fuse_text
    from opkg.spec.diagnostics import Severity

    if dims and not path.lower().endswith(".onnx"):
        raise click.UsageError("--dim is for ONNX files: others have no named dimensions.")
    model, findings = _exported(path) if path.endswith(".py") else read_model(path, dims)
    if model is None:
        show_findings(findings, format)
        return 1
    found = plan(model, TARGETS[target])
    if format == "json":
        click.echo(fuse_json.render(found), nl=False)
        return 0
    if any(finding.severity is Severity.WARNING for finding in findings):
        show_findings(findings)
        click.echo()
    click.echo(fuse_text.render(found, top or 0, paint()), nl=False)
    return 0


def _exported(path: str) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    """The model of a Python file, through the interpreter that has torch."""
    import hashlib
    from pathlib import Path

    from opkg.cli.executorch_env import found_environment
    from opkg.models.torch_reader import read_exported
    from opkg.verify.machines.executorch.exported import export
    from opkg.verify.machines.runners import cache_folder

    place = Path(path).resolve()
    folder = cache_folder(Path()).absolute() / f"model-{hashlib.sha256(str(place).encode()).hexdigest()[:12]}"
    return read_exported(export(found_environment([]), Path(path), folder), path)
