"""`opkg graph`: what HTP puts around an op that stands among convolutions."""

from __future__ import annotations

import click

from opkg.cli.options import completed, ops_here
from opkg.cli.output import exit_code, log, paint, show_findings

MOST_PAIRS = 100
LARGEST = 1 << 24  # elements


def _numbers(ctx: click.Context, param: click.Parameter, text: str | None) -> tuple[int, ...]:
    """`1,3,8`: positive numbers."""
    if text is None:
        return ()
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() and 0 < int(word) <= LARGEST for word in words):
        raise click.BadParameter(f"'{text}' is no list of positive numbers.", ctx, param)
    return tuple(map(int, words))


@click.command("graph")
@click.argument("op", metavar="OP", shell_complete=completed(ops_here))
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option("--pairs", callback=_numbers, metavar="K,...", help="How often op and convolution alternate. [1,3,8]")
@click.option("--shape", callback=_numbers, metavar="N,H,W,C", help="Of the op's inputs. [1,32,32,32]")
@click.option("--most", type=click.IntRange(0), metavar="N", help="Fail if one op adds more conversions than N.")
@click.option("--package", default="", metavar="NAME", help="The package, if several have the op.")
@click.option("--format", "format", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(
    op: str, paths: tuple[str, ...], pairs: tuple[int, ...], shape: tuple[int, ...], most: int | None, package: str,
    format: str,
) -> int:  # fmt: skip
    """Prepare Conv2d -> OP -> Conv2d with Qualcomm's HTP backend, and count what OP adds.

    For every combination of element types that Conv2d takes; with K pairs, OP and Conv2d follow each other K times. Counted
    are the records of the context binary: conversions of layout, the package's kernels, whatever else the backend adds.
    """
    if shape and len(shape) != 4:
        raise click.UsageError("--shape wants four dimensions: 1,32,32,32.")
    if pairs and max(pairs) > MOST_PAIRS:
        raise click.UsageError(f"--pairs: at most {MOST_PAIRS}.")
    elements = 1
    for extent in shape:
        elements *= extent
    if elements > LARGEST:
        raise click.UsageError(f"--shape: at most {LARGEST} elements.")
    from pathlib import Path

    from opkg.cli.kernel_load import find_any
    from opkg.report import graph_json, graph_text
    from opkg.verify.graphs.measure import PAIRS, SHAPE, measure
    from opkg.verify.machines import current

    found = find_any(op, paths, package)
    root = Path(found.project.root).resolve()
    findings = current.findings(root, [found.package])
    if exit_code(findings):
        show_findings(found.project.shown(findings), "text")
        return 1
    rows = measure(root, found.package, found.op, pairs or PAIRS, (shape or SHAPE,))
    text = graph_json.render(rows) if format == "json" else graph_text.render(rows, paint())
    click.echo(text, nl=False)
    failed = [row for row in rows if row.pairs and (row.problem or (most is not None and row.per_op > most))]
    for row in failed if most is not None else []:
        log(f"{row.types or op}, {row.pairs} pairs: {row.problem or f'{row.per_op:.2g} conversions per op'}")
    return int(bool(failed))
