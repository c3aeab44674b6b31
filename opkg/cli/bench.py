"""`opkg bench`: what a generated kernel costs on Hexagon, counted in the emulator."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from opkg import SHARED_FOLDER
from opkg.cli.files import Source
from opkg.cli.options import cluster_option, completed, ops_here
from opkg.cli.output import log, paint, write_file
from opkg.report.verify_progress import progress_bar

if TYPE_CHECKING:
    from opkg.verify.bench.record import Record
    from opkg.verify.bench.suite import Suite

ARCHS = ("v66", "v68", "v73")
LARGEST = 16384
MOST_DIMS = 5
QHPI = "qnn-htp-qhpi"


def archs_of(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """`--arch v66,v73`, also repeated."""
    found = tuple(dict.fromkeys(word.strip() for value in values for word in value.split(",") if word.strip()))
    unknown = [word for word in found if word not in ARCHS]
    if unknown:
        raise click.BadParameter(f"'{unknown[0]}' is none of {', '.join(ARCHS)}.", ctx, param)
    return found


def shapes_of(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """`--shape 1x56x56x64`, repeated."""
    found = []
    for value in values:
        words = value.split("x")
        if not all(word.isdecimal() and int(word) > 0 for word in words) or len(words) > MOST_DIMS:
            raise click.BadParameter(f"'{value}' is no shape like 1x56x56x64.", ctx, param)
        found.append(tuple(int(word) for word in words))
    return tuple(dict.fromkeys(found))


@click.command("bench")
@click.argument("op", metavar="OP", required=False, shell_complete=completed(ops_here))
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option("--suite", is_flag=True, help="Measure the kernels whose cost is known, and compare.")
@click.option("--call", "whole", is_flag=True, help="Measure whole calls of the registered functions at real shapes.")
@click.option("--shape", "shapes", multiple=True, callback=shapes_of, metavar="1x56x56x64",
              help="Shapes of the first input, with --call.")  # fmt: skip
@click.option("--ddr", is_flag=True, help="With --call: flat tensors are in DDR, else in TCM.")
@click.option(
    "--arch", "archs", multiple=True, callback=archs_of, metavar="ARCHS", shell_complete=completed(lambda _: ARCHS),
    help="v66, v68, v73. [all that run here]",
)  # fmt: skip
@click.option("--size", "sizes", multiple=True, type=click.IntRange(1, LARGEST), help="Elements. [8192 and 8229]")
@click.option("--against", type=Source(path_type=Path), metavar="FILE.c",
              help="Measure a function of yours, too: see docs/bench.md.")  # fmt: skip
@cluster_option("the kernels")
@click.option("--package", default="", metavar="NAME", help="The package, if several have the op.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write a page with bars.")
@click.option("--format", "format", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(
    op: str | None, paths: tuple[str, ...], suite: bool, whole: bool, shapes: tuple[tuple[int, ...], ...], ddr: bool,
    archs: tuple[str, ...], sizes: tuple[int, ...], against: Path | None, cluster: str, package: str, html: Path | None,
    format: str,
) -> int:  # fmt: skip
    """Count packets, stalls and instructions of the generated kernels of OP per 128 output bytes."""
    if suite == (op is not None):
        raise click.UsageError("name an op, or ask for --suite.")
    if (shapes or ddr) and not whole:
        raise click.UsageError("--shape and --ddr go with --call; --size says how long a row is without.")
    if whole:
        if suite or sizes or against is not None or html is not None:
            raise click.UsageError("--call goes with --shape, --ddr, --arch, --package and --format only.")
        return _calls(str(op), paths, package, archs, shapes, format, ddr, cluster)
    if suite and (against is not None or package):
        raise click.UsageError("--suite measures its own ops: without --against and --package.")
    from opkg.verify.bench.record import SIZES

    wanted, lengths = runnable(archs), sizes or SIZES
    if suite:
        return _suite(wanted, lengths, html, format, cluster)
    from opkg.cli.kernel_load import find_op
    from opkg.verify.bench.record import Options, bench
    from opkg.verify.bench.tune import load

    found = find_op(str(op), paths, package)
    options = Options(wanted, lengths, against, load(Path()))
    if cluster:
        from opkg.verify.bench.cluster import bench_on

        with progress_bar() as report:
            records = bench_on(cluster, found.package.name, [found.op], options, Path(), report)
    else:
        records = bench(found.package.name, [found.op], options, Path())
    if not records:
        raise click.UsageError(f"{op} has no generated flat kernel: its kernels are files of yours.")
    return _show(records, None, html, format)


def _calls(
    name: str, paths: tuple[str, ...], package: str, archs: tuple[str, ...], shapes: tuple[tuple[int, ...], ...],
    format: str, ddr: bool, cluster: str,
) -> int:  # fmt: skip
    """Whole calls of an op's kernels, as its QHPI package registers them."""
    from opkg.cli.kernel_load import find_op
    from opkg.report import bench_call
    from opkg.spec.diagnostics import OpkgError, Span
    from opkg.targets.registry import load
    from opkg.verify.bench.call import SHAPES, Sources, bench_calls

    found = find_op(name, paths, package)
    if QHPI not in [target.text for target in found.package.targets]:
        raise click.UsageError(f"{found.package.name} has no target {QHPI}, whose calls are measured.")
    target = load(QHPI, Span("")).target
    if broken := [finding for finding in target.check(found.package) if finding.is_error]:
        raise OpkgError(found.project.shown(broken))
    wanted = runnable(archs, ("v66", "v73"))
    files = {}
    for artifact in target.render(found.package):
        _, cut, inside = artifact.path.partition("/qhpi/")
        if artifact.path.startswith(SHARED_FOLDER):
            files[f"include/opkg/{artifact.path[len(SHARED_FOLDER) :]}"] = artifact.text
        elif cut and artifact.path.startswith("generated/"):
            files[inside] = artifact.text
    root = Path(found.project.root).resolve()
    bodies = dict.fromkeys(root / kernel.body for kernel in found.op.kernels if kernel.body)
    sources = Sources(found.package, found.op, files, tuple(bodies), root)
    if cluster:
        from opkg.verify.bench.cluster import bench_calls_on

        with progress_bar() as report:
            records = bench_calls_on(cluster, sources, wanted, shapes or SHAPES, ddr, report)
    else:
        records = bench_calls(sources, wanted, shapes or SHAPES, ddr)
    text = bench_call.as_json(records) if format == "json" else bench_call.as_text(records, paint())
    click.echo(text, nl=False)
    return 0


def runnable(archs: tuple[str, ...], usual: tuple[str, ...] = ARCHS) -> tuple[str, ...]:
    """The architectures to measure: those asked for, else the usual ones that the emulator runs. Raises MissingTool
    (OPK430) when one cannot run here."""
    from opkg.spec.diagnostics import MissingTool, Span, error
    from opkg.verify.machines.hexagon import runtime, steady, toolchain

    runtime.require()
    if (unsteady := steady.warning()) is not None:
        log(f"warning: {unsteady.message} ({unsteady.hint}) [{unsteady.id}]")
    here = toolchain.runnable()
    lacking = [arch for arch in archs if arch not in here]
    if lacking:
        message = f"this qemu-hexagon does not run {', '.join(lacking)}"
        raise MissingTool([error("OPK430", message, Span(""), toolchain.NEWER_QEMU)])
    return archs or tuple(arch for arch in usual if arch in here)


def _suite(archs: tuple[str, ...], sizes: tuple[int, ...], html: Path | None, format: str, cluster: str) -> int:
    from functools import partial

    from opkg.verify.bench.cluster import bench_on
    from opkg.verify.bench.record import bench
    from opkg.verify.bench.suite import run

    with progress_bar() as report:
        measure = partial(bench_on, cluster, report=report) if cluster else bench
        found = run(archs, sizes, Path(), measure)
    return _show(list(found.records), found, html, format)


def _show(records: list[Record], suite: Suite | None, html: Path | None, format: str) -> int:
    if html is not None:
        from opkg.report import bench_html

        write_file(str(html), bench_html.render(records, suite))
        log(f"wrote {html}")
    if format == "json":
        from opkg.report import bench_json

        click.echo(bench_json.render(records), nl=False)
        return 0
    from opkg.report import bench_text

    click.echo(
        bench_text.suite(suite, paint()) if suite is not None else bench_text.records(records, paint()), nl=False
    )
    return 0
