"""From the command line to kernels: the op by its name, its kernels by their element types, as a target sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from opkg.spec.diagnostics import Diagnostic, OpkgError, error, nearest

if TYPE_CHECKING:
    from opkg.kernels.emit.parts import Source
    from opkg.project.discover import Project
    from opkg.spec.model import Combination, Kernel, Op, OpPackage

CLASSIC = "qnn-htp-classic"


@dataclass(frozen=True, slots=True)
class Found:
    """An op and where it is from."""

    project: Project
    package: OpPackage
    op: Op


def find_op(name: str, paths: Sequence[str], package: str) -> Found:
    """The op of that name, which has a computation. As `find_any`, and OpkgError where it has none (OPK601)."""
    found = find_any(name, paths, package)
    if found.op.compute is None:
        hint = "say what it computes: compute: y = ..."
        raise OpkgError(found.project.shown([error("OPK601", f"op {name} has no computation", found.op.span, hint)]))
    return found


def find_any(name: str, paths: Sequence[str], package: str) -> Found:
    """The op of that name. click.UsageError when there is none or more than one, OpkgError when specs have errors."""
    from opkg.project.read import read

    projects = read(paths)
    found = [(project, p, op) for project in projects for p in project.packages for op in p.ops if op.name == name]
    found = [(project, p, op) for project, p, op in found if package in ("", p.name)]
    if not found:
        errors = [finding for project in projects for finding in project.findings if finding.is_error]
        if errors:
            raise OpkgError(errors)
        raise click.UsageError(_no_op(name, package, [p for project in projects for p in project.packages]))
    if len(found) > 1:
        names = ", ".join(sorted(p.name for _, p, _ in found))
        raise click.UsageError(f"op '{name}' is in several packages: {names}. Choose one with --package.")
    project, owner, op = found[0]
    return Found(project.project, owner, op)


def _no_op(name: str, package: str, packages: Sequence[OpPackage]) -> str:
    if package and package not in [p.name for p in packages]:
        near = nearest(package, [p.name for p in packages])
        return f"no package '{package}'." + (f" Did you mean '{near}'?" if near else "")
    known = [op.name for p in packages if package in ("", p.name) for op in p.ops]
    near = nearest(name, known)
    where = f" in {package}" if package else ""
    return f"no op '{name}'{where}." + (f" Did you mean '{near}'?" if near else f" Ops: {', '.join(known)}.")


def kernels_of(op: Op, when: Sequence[str]) -> list[Kernel]:
    """The kernels of an op with these element types (`T=ufixed8,U=int8`), in order of the spec; click.UsageError for none."""
    wanted = [_pair(op, text.strip()) for given in when for text in given.split(",")]
    found = [kernel for kernel in op.kernels if all(_has(kernel.combination, *pair) for pair in wanted)]
    if not found:
        known = "; ".join(dict.fromkeys(str(kernel.combination) for kernel in op.kernels))
        raise click.UsageError(f"{op.name} has no kernel with {', '.join(when)}. It has: {known}.")
    return found


def _pair(op: Op, text: str) -> tuple[str, str]:
    name, equals, dtype = text.partition("=")
    names = [var.name for var in op.type_vars]
    if not equals or not dtype:
        raise click.UsageError(f"--when wants NAME=TYPE: {names[0] if names else 'T'}=ufixed8.")
    if name not in names:
        near = nearest(name, names)
        hint = f" Did you mean '{near}'?" if near else f" It has {', '.join(names)}." if names else ""
        raise click.UsageError(f"{op.name} has no element type '{name}'.{hint}")
    return name, dtype


def _has(combination: Combination, name: str, dtype: str) -> bool:
    return combination.dtype(name).name == dtype


def in_the_way(found: Found, kernel: Kernel) -> list[Diagnostic]:
    """Why a kernel cannot be generated, also one whose body is a file."""
    from dataclasses import replace

    from opkg.kernels.portable.check import check

    return found.project.shown(check(replace(found.op, kernels=(replace(kernel, body=""),))))


def source_of(op: Op, kernel: Kernel) -> Source:
    """A kernel with its argument struct and element types."""
    from opkg.targets.qnn_common.generated import sources_of

    return sources_of(op, [kernel])[0]


def signed_as_unsigned(package: OpPackage, target: str) -> bool:
    """Whether signed elements of 8 and 16 bits arrive as unsigned ones: for all but the classic interface."""
    names = [text.text for text in package.targets]
    if target and target not in names:
        near = nearest(target, names)
        hint = f" Did you mean '{near}'?" if near else f" It has {', '.join(names)}."
        raise click.UsageError(f"{package.name} has no target '{target}'.{hint}")
    if not target:
        target = CLASSIC if CLASSIC in names and not any(name.endswith("-qhpi") for name in names) else ""
    return target != CLASSIC
