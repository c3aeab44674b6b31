"""From files to rules: front door by kind, checker, and all findings in order. What every `opkg rules` verb starts from."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from opkg.cli.rules_files import STDIN, Given, gather
from opkg.spec.diagnostics import Diagnostic, Span, sort_key, warning

if TYPE_CHECKING:
    from opkg.rules import syntax
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
class RuleSet:
    """What the files of a run hold. `written`: all rules that could be read; `rules`: those that can work.

    `packages`: of the specs that have no errors. `findings`: of everything, in order of place.
    """

    files: int
    written: tuple[syntax.Rule, ...]
    rules: tuple[TypedRule, ...]
    packages: tuple[OpPackage, ...]
    findings: tuple[Diagnostic, ...]

    @property
    def errors(self) -> list[Diagnostic]:
        return [finding for finding in self.findings if finding.is_error]


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


def load_all(paths: Sequence[str], how: How) -> RuleSet:
    """The files of `paths`, checked. C++ files of one package are checked together, in the order given."""
    given, findings = gather(paths, how.as_)
    written: list[syntax.Rule] = []
    rules: list[TypedRule] = []
    packages: list[OpPackage] = []
    sources: dict[str, list[Document]] = {}
    for one in given:
        if one.is_spec:
            package, document, checked, found = _spec(one, how)
            findings += found
            packages += [package] if package is not None else []
            rules += checked
        else:
            document, found = _document(one, how)
            findings += found
            sources.setdefault(how.package or document.package, []).append(document)
        written += document.rules if document is not None else ()
    whole = not all(one.named for one in given)
    for package_name, documents in sources.items():
        checked, found = _cpp(package_name, documents, how, whole)
        rules += checked
        findings += found
    return RuleSet(len(given), tuple(written), tuple(rules), tuple(packages), tuple(sorted(findings, key=sort_key)))


def _spec(
    given: Given, how: How
) -> tuple[OpPackage | None, Document | None, Sequence[TypedRule], Sequence[Diagnostic]]:
    """A spec: its own findings, and those of its rules. A broken spec has no rules to check."""
    from opkg.rules.check import check_package
    from opkg.rules.text.from_spec import document_of
    from opkg.spec import reader

    package, findings = reader.read(given.data, given.path)
    if package is None:
        return None, None, (), findings
    if how.sdk:
        package = replace(package, sdk=how.sdk)
    checked = check_package(package)
    return package, document_of(package)[0], checked.rules, (*findings, *checked.findings)


def _cpp(
    package: str, documents: Sequence[Document], how: How, whole: bool
) -> tuple[Sequence[TypedRule], Sequence[Diagnostic]]:
    """The C++ files of one package. `whole`: a folder was searched, so that its ops are known."""
    from opkg.rules.check import Context, check

    first = documents[0]
    together = replace(
        first,
        items=tuple(item for document in documents for item in document.items),
        external=tuple(function for document in documents for function in document.external),
    )
    known = registered(together, package) if whole else None
    checked = check(together, Context(package, how.sdk, known))
    return checked.rules, checked.findings


def registered(document: Document, package: str) -> frozenset[str] | None:
    """Full names of the ops that a document registers, None when it registers none."""
    from opkg.rules.syntax import Str

    names = set()
    for declaration in document.declarations:
        if declaration.macro.startswith("DEF_PACKAGE_OP") and len(declaration.args) > 1:
            op = declaration.args[1]
            if isinstance(op, Str):
                names.add(op.value if "::" in op.value or not package else f"{package}::{op.value}")
    return frozenset(names) or None


def _document(given: Given, how: How) -> tuple[Document, Sequence[Diagnostic]]:
    if how.preprocess:
        from opkg.rules.text.expanded import parse_expanded, preprocess

        if given.path == STDIN:
            raise click.UsageError("--preprocess needs files, not standard input.")
        text = preprocess(given.path, [*(f"-I{d}" for d in how.include), *(f"-D{d}" for d in how.define)])
        document, findings = parse_expanded(text, given.path)
        if not document.items and b"DEF_PACKAGE_OPTIMIZATION" in given.data:
            message = "the preprocessor leaves no rule of this file"
            hint = (
                "macros of rules come from HTP/core/optimize.h: include it, and look at the conditions around the rules"
            )
            findings = [*findings, warning("OPK515", message, Span(given.path), hint)]
        return document, findings
    from opkg.rules.text.cpp import parse_cpp

    return parse_cpp(given.text(), given.path, how.package)


def chosen(loaded: RuleSet, names: Sequence[str]) -> list[TypedRule]:
    """The rules of those names (all without names) that can work: `fuse`, or `Relu.fuse` in a spec.

    UsageError for a name that no rule has, broken ones included.
    """
    known = [rule.name for rule in loaded.written]
    for name in names:
        if not any(is_named(rule, name) for rule in known):
            from opkg.spec.diagnostics import nearest

            near = nearest(name, [*known, *(rule.rpartition(".")[2] for rule in known)])
            raise click.UsageError(f"no rule '{name}'." + (f" Did you mean '{near}'?" if near else ""))
    return [rule for rule in loaded.rules if not names or any(is_named(rule.name, name) for name in names)]


def is_named(rule: str, name: str) -> bool:
    """Whether a rule's name is `name`, with or without the op before it."""
    return rule == name or rule.rpartition(".")[2] == name
