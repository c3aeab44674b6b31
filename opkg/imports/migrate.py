"""`opkg rules migrate`: the spec alone of what `opkg import` makes of a package's C++ files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from opkg.imports.cpp import read_with_notes
from opkg.imports.read import Options
from opkg.imports.writer import spec_text
from opkg.spec.diagnostics import Diagnostic, OpkgError, Span, error, sort_key
from opkg.spec.names import package_faults


@dataclass(frozen=True, slots=True)
class Migration:
    """A spec that was made: its text, where it goes, the package's name, what the report says, how many ops and rules.

    `findings` stand at places of the C++ files; those about the spec itself have `path` as theirs.
    """

    spec: str
    path: str
    package: str
    findings: tuple[Diagnostic, ...]
    ops: int
    rules: int


def migrate(
    paths: Sequence[str], package: str = "", expand: Sequence[str] | None = None, output: str = ""
) -> Migration:
    """A spec for the package whose C++ files (or folders with them) are given. Nothing is written here.

    `package`: its name in the spec; without it THIS_PKG_NAME of the source, in lower case. `expand`: take the rules from
    the compiler's -E, with these options (-I, -D). `output`: where the spec will go, else specs/PACKAGE.yaml.

    Raises OpkgError when a file cannot be read, when there is nothing to migrate, or when the package's name is not
    known; MissingTool when `expand` is given and there is no compiler.
    """
    hint = "dotted lower-case words: --package acme.vision"
    if package and package_faults(package):
        raise OpkgError([error("OPK350", f"'{package}' is no package name", Span(paths[0] if paths else ""), hint)])
    made, notes = read_with_notes(paths, Options(package, expand))
    if not made.package:
        message = "the package's name is not in these files (THIS_PKG_NAME comes from the build), or is none of a spec"
        raise OpkgError([error("OPK350", message, Span(made.sources[0]), f"give it: {hint}")])
    path = output or f"specs/{made.package.replace('.', '_')}.yaml"
    findings = tuple(sorted((*made.findings, *notes), key=sort_key))
    count = sum(not rule.reason for op in made.ops for rule in op.rules)
    return Migration(spec_text(made, made.package), path, made.package, findings, len(made.ops), count)


def save(migration: Migration, path: str = "") -> None:
    """Writes the spec. Raises OpkgError when something stands there already, or it cannot be written."""
    path = path or migration.path
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            file.write(migration.spec)
    except FileExistsError:
        hint = "migrate overwrites nothing: give another --output"
        raise OpkgError([error("OPK356", f"'{path}' exists", Span(path), hint)]) from None
    except OSError as failure:
        message = f"cannot write '{path}': {failure.strerror or failure}"
        raise OpkgError([error("OPK356", message, Span(path))]) from None
