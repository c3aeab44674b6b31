"""`opkg device check`: says of a library what a device would refuse, and why."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import click

from opkg.cli.files import Source
from opkg.cli.options import completed, socs_known
from opkg.cli.output import exit_code, plural, show_findings, words
from opkg.spec.diagnostics import Diagnostic, Span, error, nearest

if TYPE_CHECKING:
    from opkg.device.library import Checked
    from opkg.device.socs import Soc

OLDEST_QNN = 47  # 2.47
_FORMATS = ("text", "json", "sarif", "github")


@click.command("check")
@click.argument("libraries", nargs=-1, required=True, type=Source(), metavar="LIBRARY...")
@click.option("--soc", "names", metavar="NAME", multiple=True, callback=words, shell_complete=completed(socs_known),
              help="For these SoCs (SM8650, ...).")  # fmt: skip
@click.option("--qnn", metavar="VERSION", default="", help="The oldest QNN that it has to run with (2.47).")
@click.option(
    "--load", is_flag=True, help="Load it in the emulator, too, as the device would, and say what it registers."
)
@click.option("--runtime", type=click.Path(exists=True, file_okay=False), metavar="DIR",
              help="With --load: QNN's libraries for ARM, in which the ARM half is registered. [$OPKG_QNN_ARM]")  # fmt: skip
@click.option("--format", "format", type=click.Choice(_FORMATS), default="text", show_default=True)
def command(
    libraries: tuple[str, ...], names: tuple[str, ...], qnn: str, load: bool, runtime: str | None, format: str
) -> int:
    """Judge each LIBRARY: the Hexagon half of a package, or the ARM half.

    Form, names that it imports against those that DSPs and QNN export, QNN versions, the SWIV record, constructors, the
    provider. Exit code 1 when a device would refuse one.
    """
    from opkg.device.checks import load_tables
    from opkg.device.library import Wanted, check
    from opkg.device.socs import TABLES

    if qnn and (not re.fullmatch(r"2\.\d{1,3}", qnn) or int(qnn[2:]) < OLDEST_QNN):
        raise click.UsageError(f"--qnn wants a version from 2.{OLDEST_QNN} on, where the tables begin, not '{qnn}'.")
    wanted, tables = Wanted(find_socs(names), qnn), load_tables(TABLES)
    findings: list[Diagnostic] = []
    for path in libraries:
        with open(path, "rb") as file:
            checked = check(path, file.read(), wanted, tables)
        more, lines = _loaded(path, checked, runtime) if load and not exit_code(checked.findings) else ([], [])
        findings += [*checked.findings, *more]
        if format == "text" and checked.summary:
            print("\n".join((f"{path}: {checked.summary}", *lines)))
        elif format == "json":
            facts = {"arch": checked.arch, "qnn": checked.needs, "providers": checked.providers}
            print(json.dumps({"path": path, **facts, "ok": not exit_code([*checked.findings, *more])}))
    show_findings(findings, format)
    return exit_code(findings)


def find_socs(names: tuple[str, ...]) -> tuple[Soc, ...]:
    """SoCs by name. UsageError for one that is not known."""
    from opkg.device.socs import socs

    known = socs()
    for name in names:
        if name.upper() not in known:
            near = nearest(name.upper(), list(known))
            hint = f"Did you mean {near}?" if near else f"There are {', '.join(known)}."
            raise click.UsageError(f"--soc: no SoC '{name}' is known. {hint}")
    return tuple(known[name.upper()] for name in names)


def _loaded(path: str, checked: Checked, runtime: str | None) -> tuple[list[Diagnostic], list[str]]:
    """What a strict loader in the emulator says of a Hexagon library, or QNN's backend of one for ARM: findings, and lines of
    what it registers. Raises MissingTool.
    """
    if checked.arch == "aarch64":
        return _registered(path, checked, runtime)
    import tempfile
    from pathlib import Path

    from opkg.spec.diagnostics import MissingTool
    from opkg.verify.machines.hexagon import loading, toolchain

    lacking = toolchain.missing()
    if lacking:
        raise MissingTool([error("OPK430", f"--load needs {lacking}", Span(path), "opkg doctor says how to get them")])
    if checked.arch not in toolchain.runnable():
        return [], [f"  not loaded: no emulator here runs {checked.arch}"]
    with tempfile.TemporaryDirectory() as folder:
        program = loading.build(checked.arch, Path(folder), Path(folder))
        got = loading.load(program, Path(path), checked.providers[0])
    if got.refused:
        return [error("OPK483", f"a strict loader refuses it: {got.refused}", Span(path))], []
    lines = [f"  loaded: package {got.package}, {plural(len(got.operations), 'op')}"]
    for op, kernels in (got.kernels or {}).items():
        lines.append(f"  {op}: {', '.join(kernels)}")
    return [], lines


def _registered(path: str, checked: Checked, runtime: str | None) -> tuple[list[Diagnostic], list[str]]:
    """What QNN's backend for ARM says of a package."""
    from pathlib import Path

    from opkg.verify.machines import arm

    folder = Path(runtime) if runtime else arm.runtime_folder()
    lacking = arm.missing(folder)
    if lacking or folder is None or not checked.providers:
        return [], [f"  not registered: there is no {lacking or 'provider'}"]
    told = arm.register(Path(path), checked.providers[0], folder, Path())
    if told.ok:
        return [], [f"  registered in {arm.BACKEND} for ARM (emulated)"]
    said = told.log[0] if told.log and told.stage != "crash" else told.message
    message = f"QNN's backend for ARM does not take it: {told.stage} gives {told.code}: {said}"
    return [error("OPK483", message, Span(path))], []
