"""`opkg onnx patch`: a model with ops of a spec in the place of the nodes that their patterns describe."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from opkg.cli.files import Source
from opkg.cli.output import log, paint, replace_file, show_findings, words
from opkg.cli.rules_apply import sizes

if TYPE_CHECKING:
    from opkg.spec.diagnostics import Diagnostic
    from opkg.spec.model import Op, OpPackage


@click.command("patch")
@click.argument("path", metavar="MODEL", type=Source())
@click.option("--op", "names", metavar="NAME", multiple=True, required=True, callback=words,
              help="An op with a pattern (may be repeated, or a list with commas).")  # fmt: skip
@click.option("-o", "--output", "out", type=click.Path(dir_okay=False), metavar="OUT",
              help="The patched model. [MODEL.patched.onnx, which must not be there]")  # fmt: skip
@click.option("--spec", "specs", type=click.Path(exists=True), multiple=True, help="Where the ops' specs are. [.]")
@click.option("--package", default="", metavar="P", help="The package, if several have the op.")
@click.option("--dim", "dims", metavar="NAME=SIZE", multiple=True, callback=sizes, help="Size of a named dimension.")
@click.option("--layout", type=click.Choice(("NCHW", "NHWC")), default="NCHW", show_default=True,
              help="Of the model: ops that mean NHWC then stand between transposes.")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Do everything but write.")
@click.option("--format", "format", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(
    path: str, names: tuple[str, ...], out: str | None, specs: tuple[str, ...], package: str, dims: dict[str, int],
    layout: str, dry_run: bool, format: str,
) -> int:  # fmt: skip
    """Replace nodes and subgraphs of an ONNX model by ops of a spec, where the model computes what an op's pattern says.

    The functions of the ops go into the model, so that it runs everywhere; both models are run on ONNX Runtime's CPU
    provider with the same inputs. Exit code 1 when no op has a place, or the numbers are others; then nothing is
    written.
    """
    from opkg.cli.kernel_load import find_any
    from opkg.fuse.patch.api import patch
    from opkg.report import patch_json, patch_text

    target = out or f"{os.path.splitext(path)[0]}.patched.onnx"
    _not_in_the_way(path, target, out is not None or dry_run)
    found = [find_any(name, specs, package) for name in names]
    refused = [finding for each in found for finding in each.project.shown(_refused(each.package, each.op))]
    if refused:
        show_findings(refused, format)
        return 1
    result = patch(path, dims, [(each.op, each.package.name) for each in found], layout == "NCHW")
    written = bool(result.data) and result.ok and not dry_run
    if written:
        replace_file(target, result.data)
    if format == "json":
        click.echo(patch_json.render(result, path, target if written else ""), nl=False)
        return int(not result.ok)
    if result.findings:
        show_findings(result.findings)
    click.echo(patch_text.render(result, paint()), nl=False)
    if written:
        log(f"wrote {target}")
    return int(not result.ok)


def _not_in_the_way(path: str, target: str, named: bool) -> None:
    """UsageError for the model itself; OpkgError (OPK795) for a file that nobody named."""
    from opkg.spec.diagnostics import OpkgError, Span, error

    if os.path.exists(target) and os.path.samefile(path, target):
        raise click.UsageError("-o names the model itself, which is not overwritten.")
    if not named and os.path.lexists(target):
        raise OpkgError([error("OPK795", "the file exists, and is not overwritten", Span(target), "name it: -o FILE")])


def _refused(package: OpPackage, op: Op) -> list[Diagnostic]:
    """What ONNX Runtime's provider cannot carry of an op, whether or not its package asks for that target."""
    from dataclasses import replace

    from opkg.targets.onnxruntime import TARGET

    return [finding for finding in TARGET.check(replace(package, ops=(op,))) if finding.is_error]
