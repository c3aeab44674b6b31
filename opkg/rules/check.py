"""The checker: a document of syntax trees becomes typed rules and findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec

from opkg.rules.context import Context as Context
from opkg.rules.core import TypedRule
from opkg.rules.elaborate.defines import Define, defines, substitute, substitute_args
from opkg.rules.elaborate.rule import elaborate
from opkg.rules.syntax import Document, Front, Item
from opkg.spec.diagnostics import Diagnostic, sort_key
from opkg.spec.model import OpPackage


@dataclass(frozen=True, slots=True)
class Checked:
    """The rules that can work, in order of the document, and all findings in order of their places."""

    rules: tuple[TypedRule, ...]
    findings: tuple[Diagnostic, ...]


def check(document: Document, context: Context) -> Checked:
    """Every rule and declaration of a document. A rule with an error, or with something that is not known (a macro's
    value), is not among the rules; the package's name is the context's, else the document's."""
    context = replace(
        context,
        package=context.package or document.package,
        externals=(*document.external, *context.externals),
    )
    rules: list[TypedRule] = []
    findings: list[Diagnostic] = []
    known: dict[int, Mapping[str, Define]] = {}  # by text: a document may hold the rules of several files
    for rule in document.rules:
        made, found = elaborate(substitute(rule, _defines(rule, document.front, known)), document.front, context)
        findings.extend(found)
        rules.extend([] if made is None else [replace(made, syntax=rule)])
    if document.declarations:
        findings.extend(_declarations(document, context, known))
    if rules:
        findings.extend(_call("opkg.rules.lint", "lint", rules, context))
    return Checked(tuple(rules), tuple(sorted(findings, key=sort_key)))


def _defines(item: Item, front: Front, known: dict[int, Mapping[str, Define]]) -> Mapping[str, Define]:
    """What the file of a rule or declaration defines; `known` holds what was read already."""
    if front is not Front.CPP:
        return {}
    if id(item.text) not in known:
        known[id(item.text)] = defines(item.text.text)
    return known[id(item.text)]


def _declarations(document: Document, context: Context, known: dict[int, Mapping[str, Define]]) -> list[Diagnostic]:
    found = []
    for declaration in document.declarations:
        whole = substitute_args(declaration, _defines(declaration, document.front, known))
        found += _call("opkg.rules.declarations", "check_declaration", whole, document.front, context)
    return found


def _call(module: str, name: str, *args: object) -> list[Diagnostic]:
    if find_spec(module) is None:
        return []
    function = getattr(import_module(module), name, None)
    return [] if function is None else list(function(*args))


def check_package(package: OpPackage) -> Checked:
    """The rules of a spec, with what cannot be read of them; kept for the package asked about last."""
    return _check_package(_Identity(package))


@dataclass(frozen=True, slots=True, eq=False)
class _Identity:
    """A package that is compared by identity."""

    package: OpPackage

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and other.package is self.package

    def __hash__(self) -> int:
        return id(self.package)


@lru_cache(maxsize=1)
def _check_package(key: _Identity) -> Checked:
    from opkg.rules.text.from_spec import document_of

    package = key.package
    document, findings = document_of(package)
    known = frozenset(f"{package.name}::{op.name}" for op in package.ops)
    checked = check(document, Context(package.name, package.sdk, known))
    return Checked(checked.rules, tuple(sorted([*findings, *checked.findings], key=sort_key)))
