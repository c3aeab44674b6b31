"""`opkg kernel show`: what becomes of a computation, stage by stage."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from opkg.cli.options import completed, ops_here
from opkg.cli.output import paint
from opkg.spec.diagnostics import OpkgError

if TYPE_CHECKING:
    from opkg.cli.kernel_load import Found
    from opkg.kernels.emit.parts import Source
    from opkg.kernels.show.stages import Shown

STAGES = ("graph", "canonical", "linear", "registers", "code")
_ARCH = re.compile(r"v[67][0-9]|v8[01]")


def _shapes(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    """`x=1,8,8,32`, also repeated."""
    found = {}
    for text in values:
        name, _, dims = text.partition("=")
        words = dims.split(",")
        if not name or not all(re.fullmatch(r"[1-9][0-9]{0,8}", word.strip()) for word in words):
            raise click.BadParameter(f"'{text}' is no shape; write x=1,8,8,32", ctx, param)
        found[name.strip()] = tuple(int(word) for word in words)
    return found


def _arch(ctx: click.Context, param: click.Parameter, value: str) -> str:
    if not _ARCH.fullmatch(value):
        raise click.BadParameter(f"'{value}' is no architecture; write v66", ctx, param)
    return value


@click.command("show")
@click.argument("op", metavar="OP", shell_complete=completed(ops_here))
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option("--package", default="", metavar="P", help="The package, where several have an op of that name.")
@click.option(
    "--when", multiple=True, metavar="T=TYPE", help="Only kernels with this element type: A=T,B=U, or repeated."
)
@click.option("--stage", type=click.Choice(STAGES), help="One stage in full. [all in short]")
@click.option("--dot", is_flag=True, help="The graph as Graphviz text (with --stage graph or canonical).")
@click.option("--shape", multiple=True, callback=_shapes, metavar="X=DIMS", help="Shape of a tensor: x=1,8,8,32.")
@click.option("--arch", default="v66", callback=_arch, metavar="V", show_default=True, help="Architecture for costs.")
@click.option(
    "--target", default="", metavar="T", help="As this target hands tensors over. [QHPI, where the spec has it]"
)
@click.option("--format", "format", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(
    op: str, paths: tuple[str, ...], package: str, when: tuple[str, ...], stage: str | None, dot: bool,
    shape: dict[str, tuple[int, ...]], arch: str, target: str, format: str,
) -> int:  # fmt: skip
    """Show how what OP computes becomes a kernel: graph, canonical form, memory operations and loops, registers, code.

    Without --stage: all in short, with the strategies that were tried and what they would cost.
    """
    from opkg.cli.kernel_load import find_op, kernels_of, signed_as_unsigned, source_of
    from opkg.kernels.graphs.shapes import ShapeError

    if dot and stage not in (None, "graph", "canonical"):
        raise click.UsageError(f"--dot draws a graph: --stage graph or canonical, not {stage}.")
    if format == "json" and (stage is not None or dot):
        raise click.UsageError("--format json is for all stages in short, without --stage and --dot.")
    found = find_op(op, paths, package)
    unsigned = signed_as_unsigned(found.package, target)
    unknown = [name for name in shape if name not in _tensors(found)]
    if unknown:
        raise click.UsageError(f"{op} has no tensor '{unknown[0]}'. It has {', '.join(_tensors(found))}.")
    sources = [source_of(found.op, kernel) for kernel in kernels_of(found.op, when)]
    try:
        if dot:
            print("".join(_pictures(found, sources, unsigned, stage or "canonical")), end="")
        elif format == "json":
            print("\n".join(_objects(found, sources, unsigned, shape, arch)))
        else:
            print("\n".join(_texts(found, sources, unsigned, stage, shape, arch)))
    except ShapeError as failure:
        raise click.UsageError(f"--shape: {failure}.") from None
    return 0


def _tensors(found: Found) -> list[str]:
    op = found.op
    return [tensor.name for tensor in op.tensors] + [param.name for param in op.params if param.shape is not None]


def _shown(
    found: Found, sources: list[Source], unsigned: bool, shape: dict[str, tuple[int, ...]], arch: str
) -> Iterator[Shown]:
    from opkg.cli.kernel_load import in_the_way
    from opkg.kernels.emit.filled import served
    from opkg.kernels.emit.passes import kernel_parts, op_of
    from opkg.kernels.show.stages import Shown

    for source in sources:
        refused = "; ".join(finding.message for finding in in_the_way(found, source.kernel))
        groups, numbers = served(list(kernel_parts(found.op, source, unsigned)))
        for snippets in groups:
            filled = tuple(numbers.items()) if snippets is groups[-1] else ()
            for snippet in snippets:
                yield Shown(op_of(found.op, snippet), source.kernel.combination, snippet, shape, arch, refused, filled)


def _texts(
    found: Found, sources: list[Source], unsigned: bool, stage: str | None, shape: dict[str, tuple[int, ...]], arch: str
) -> Iterator[str]:
    """Lines of all kernels; code has no headings, for it is a file."""
    from opkg.kernels.show.stages import Stage, heading, stage_lines, summary_lines

    if stage == Stage.CODE:
        yield _code(found, sources, unsigned)
        return
    colour = paint()
    for number, shown in enumerate(_shown(found, sources, unsigned, shape, arch)):
        if number:
            yield ""
        yield colour(heading(shown), "head")
        lines = summary_lines(shown) if stage is None else stage_lines(shown, Stage(stage))
        yield from lines


def _objects(
    found: Found, sources: list[Source], unsigned: bool, shape: dict[str, tuple[int, ...]], arch: str
) -> Iterator[str]:
    """One line of JSON per kernel."""
    import json

    from opkg.kernels.show.summary import kernel_object

    for shown in _shown(found, sources, unsigned, shape, arch):
        yield json.dumps(kernel_object(shown, found.package.name))


def _pictures(found: Found, sources: list[Source], unsigned: bool, stage: str) -> Iterator[str]:
    """One picture per graph; kernels that differ in nothing that a graph shows have one."""
    from opkg.kernels.show.dot import dot

    drawn = set()
    for shown in _shown(found, sources, unsigned, {}, "v66"):
        names = [operand.name for operand in shown.snippet.inputs if operand.may_broadcast]
        graph = shown.written if stage == "graph" else shown.snippet.graph
        text = dot(graph, shown.snippet.function, names)
        body = text.partition("\n")[2]
        if body not in drawn:
            yield text
        drawn.add(body)


def _code(found: Found, sources: list[Source], unsigned: bool) -> str:
    """The kernel file with the chosen kernels; OpkgError when one cannot be generated."""
    from opkg.cli.kernel_load import in_the_way
    from opkg.kernels.emit.file import kernel_file
    from opkg.targets.qnn_common.kernel_api import header_path

    findings = [finding for source in sources for finding in in_the_way(found, source.kernel)]
    if findings:
        raise OpkgError(list(dict.fromkeys(findings)))
    package = found.package
    file = kernel_file(found.op, header_path(package, found.op), package.cpp_namespace, sources, unsigned, {})
    return file.text.rstrip("\n")
