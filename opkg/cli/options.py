"""Options that several verbs have, the same everywhere; lists may be written `a,b` or repeated, and complete by <TAB>."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from opkg.report.findings import FORMATS

if TYPE_CHECKING:
    from opkg.spec.model import OpPackage

Option = Callable[[Any], Any]
Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def words(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Callback of an option that takes `host,htp`, also repeated."""
    return tuple(dict.fromkeys(word.strip() for part in value for word in part.split(",") if word.strip()))


def known_op(names: tuple[str, ...], known: list[str], what: str = "op", where: str = "") -> None:
    """UsageError for the first name that is not known, with the nearest one that is."""
    from opkg.spec.diagnostics import nearest

    for name in names:
        if name not in known:
            near = nearest(name, known)
            raise click.UsageError(f"no {what} '{name}'{where}." + (f" Did you mean '{near}'?" if near else ""))


def completed(names: Callable[[click.Context], Sequence[str]]) -> Completer:
    """Completes the last word of `a,b` with the names; nothing when they cannot be read just now."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        before, comma, last = incomplete.rpartition(",")
        taken = set(before.split(","))
        found = [name for name in names(ctx) if name.startswith(last) and name not in taken]
        return [CompletionItem(before + comma + name) for name in found]

    return complete


def ops_here(ctx: click.Context) -> list[str]:
    """Names of the ops in the specs of the command line's paths (else those of the current folder)."""
    return sorted({op.name for package in _packages(ctx) for op in package.ops})


def _packages(ctx: click.Context) -> list[OpPackage]:
    from opkg.project.discover import discover
    from opkg.project.read import read_spec
    from opkg.spec.diagnostics import OpkgError

    try:
        projects = discover(ctx.params.get("paths") or ())
    except OpkgError:
        return []
    packages = [read_spec(project.root, spec)[0] for project in projects for spec in project.specs]
    return [package for package in packages if package is not None]


def packages_here(ctx: click.Context) -> list[str]:
    """Names of the packages there."""
    return sorted({package.name for package in _packages(ctx)})


def socs_known(ctx: click.Context) -> list[str]:
    """The SoCs whose DSP is known."""
    from opkg.device.socs import socs

    return list(socs())


def _targets(ctx: click.Context) -> list[str]:
    from opkg.targets.registry import listing

    return [line.name for line in listing()[0]]


def _machines(ctx: click.Context) -> list[str]:
    from opkg.verify.machines.table import GROUPS, MACHINES

    return [*MACHINES, *GROUPS]


paths_argument: Option = click.argument("paths", nargs=-1, type=click.Path(exists=True))
format_option: Option = click.option(
    "--format",
    "format",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How findings are printed.",
)
target_option: Option = click.option(
    "--target", "targets", metavar="TARGETS", multiple=True, callback=words, shell_complete=completed(_targets),
    help="Only these targets: a,b, or repeated.",
)  # fmt: skip
ops_option: Option = click.option(
    "--op", "ops", metavar="OPS", multiple=True, callback=words, shell_complete=completed(ops_here),
    help="Only these ops: a,b, or repeated.",
)  # fmt: skip


def on_option(help: str) -> Option:
    """`--on host,htp`."""
    return click.option(
        "--on", multiple=True, callback=words, metavar="MACHINES", shell_complete=completed(_machines), help=help
    )


def cluster_option(what: str) -> Option:
    """`--on-cluster tcp://...`: what runs there."""
    return click.option(
        "--on-cluster", "cluster", default="", metavar="ADDRESS",
        help=f"Run {what} on the workers of this Dask scheduler: tcp://...",
    )  # fmt: skip
