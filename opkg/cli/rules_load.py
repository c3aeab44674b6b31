"""From files to rules: front door by kind, checker, and all findings in order. What every `opkg rules` verb starts from."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from opkg.cli.rules_files import STDIN, Given, gather
from opkg.spec.diagnostics import Diagnostic, OpkgError, sort_key

if TYPE_CHECKING:
    from opkg.rules.core import TypedRule
    from opkg.rules.syntax import Document
    from opkg.spec.model import OpPackage

_SDK = re.compile(r"v?[0-9]+\.[0-9]+[0-9A-Za-z._+-]*")


@dataclass(frozen=True, slots=True)
class How:
    """How files are to be read: what the options of `opkg rules check` say."""

    as_: str | None = None
    sdk: str = ""
    package: str = ""
    preprocess: bool = False
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Loaded:
    """One file. `document`: what is written in it; `rules`: those that can work; `package`: of a spec without errors."""

    given: Given
    document: Document | None
    rules: tuple[TypedRule, ...]
    findings: tuple[Diagnostic, ...]
    package: OpPackage | None = None

    @property
    def count(self) -> int:
        """Rules written in the file."""
        return len(self.document.rules) if self.document is not None else 0


def _version(ctx: click.Context, param: click.Parameter, value: str) -> str:
    if value and not _SDK.fullmatch(value):
        raise click.BadParameter("an SDK version is wanted: 2.25", ctx, param)
    return value


def reading_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of `How`, on a command."""
    options = (
        click.option("--as", "as_", type=click.Choice(("cpp", "yaml")), help="What the files are, whatever their suffix."),
        click.option("--sdk", default="", metavar="V", callback=_version, help="SDK to check for: 2.25. [the spec's, or newest]"),
        click.option("--package", default="", metavar="NAME", help="Package of bare op names in C++. [THIS_PKG_NAME, or none]"),
        click.option("--preprocess", is_flag=True, help="Read C++ as the compiler's -E gives it: macros of yours expanded."),
        click.option("-I", "include", multiple=True, metavar="DIR", help="Include folder, for --preprocess."),
        click.option("-D", "define", multiple=True, metavar="NAME[=VALUE]", help="Macro, for --preprocess."),
    )  # fmt: skip
    for option in reversed(options):
        function = option(function)
    return function


def load_all(paths: Sequence[str], how: How) -> tuple[list[Loaded], list[Diagnostic]]:
    """The files of `paths`, checked, and the findings of all of them in order."""
    given, findings = gather(paths, how.as_)
    loaded = [load(one, how) for one in given]
    findings += [finding for one in loaded for finding in one.findings]
    return loaded, sorted(findings, key=sort_key)


def load(given: Given, how: How) -> Loaded:
    """One file, checked."""
    return _spec(given, how) if given.is_spec else _cpp(given, how)


def _spec(given: Given, how: How) -> Loaded:
    """A spec: its own findings, and those of its rules. A broken spec has no rules to check."""
    from opkg.rules.check import Context, check, check_package
    from opkg.rules.from_spec import document_of
    from opkg.spec import reader

    package, findings = reader.read(given.data, given.path)
    if package is None:
        return Loaded(given, None, (), tuple(findings))
    document, _ = document_of(package)
    checked = check_package(package)
    if how.sdk:
        document, found = document_of(package)
        own = check(document, Context(package.name, how.sdk))
        return Loaded(given, document, own.rules, (*findings, *found, *own.findings), package)
    return Loaded(given, document, checked.rules, (*findings, *checked.findings), package)


def _cpp(given: Given, how: How) -> Loaded:
    """A C++ file, as written or after the preprocessor."""
    from opkg.rules.check import Context, check

    document, findings = _document(given, how)
    checked = check(document, Context(how.package or document.package, how.sdk))
    return Loaded(given, document, checked.rules, (*findings, *checked.findings))


def _document(given: Given, how: How) -> tuple[Document, Sequence[Diagnostic]]:
    if how.preprocess:
        from opkg.rules.expanded import parse_expanded, preprocess

        if given.path == STDIN:
            raise click.UsageError("--preprocess needs files, not standard input.")
        text = preprocess(given.path, [*(f"-I{d}" for d in how.include), *(f"-D{d}" for d in how.define)])
        return parse_expanded(text, given.path)
    from opkg.rules.cpp import parse_cpp

    return parse_cpp(given.text(), given.path, how.package)


def chosen(loaded: Sequence[Loaded], names: Sequence[str]) -> list[TypedRule]:
    """The rules of those names (all without names) that can work: `fuse`, or `Relu.fuse` in a spec.

    UsageError for a name that no rule has, broken ones included.
    """
    rules = [rule for one in loaded for rule in one.rules]
    known = [rule.name for one in loaded if one.document is not None for rule in one.document.rules]
    for name in names:
        if not any(is_named(rule, name) for rule in known):
            from opkg.spec.diagnostics import nearest

            near = nearest(name, [*known, *(rule.rpartition(".")[2] for rule in known)])
            raise click.UsageError(f"no rule '{name}'." + (f" Did you mean '{near}'?" if near else ""))
    return [rule for rule in rules if not names or any(is_named(rule.name, name) for name in names)]


def is_named(rule: str, name: str) -> bool:
    """Whether a rule's name is `name`, with or without the op before it."""
    return rule == name or rule.rpartition(".")[2] == name


def write(path: str, text: str) -> None:
    """A report to a file; OpkgError when it cannot be written. Folders are made."""
    from opkg.spec.diagnostics import Span, error

    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="\n", errors="backslashreplace") as file:
            file.write(text)
    except OSError as failure:
        raise OpkgError([error("OPK324", f"cannot write: {failure.strerror}", Span(path))]) from None
