"""Migration: C++ files of a classic op package become a spec, with a report of what could not be carried."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from opkg.project import files
from opkg.project.migrate_facts import Facts, gather
from opkg.project.migrate_place import place_rules
from opkg.project.migrate_report import PROPERTIES, Key, Source, of_facts, of_rules, of_text
from opkg.project.migrate_rewrite import constants_of, macros_of, rewritten, without_macros
from opkg.project.migrate_source import branches, without_comments
from opkg.project.migrate_spec import MigratedOp, spec_text
from opkg.rules.syntax import Document
from opkg.rules.text.cpp import parse_cpp
from opkg.spec.diagnostics import Diagnostic, OpkgError, Span, error, sort_key, warning
from opkg.spec.names import MAX_NAME, PACKAGE_NAME, RESERVED, name_fault, op_name_fault, snake

SUFFIXES = (".cpp", ".cc", ".cxx", ".c", ".h", ".hpp", ".inc")
_NAME = re.compile(r"#[ \t]*define[ \t]+THIS_PKG_NAME(?:_STR)?[ \t]+\"?([\w.-]+)")
_MAX_BYTES = 16 * 1024 * 1024


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
    """A spec for the classic package whose C++ files (or folders with them) are given.

    `package`: its name in the spec; without it THIS_PKG_NAME of the source, in lower case. `expand`: take the rules from
    the compiler's -E, with these options (-I, -D), so that the package's own macros are expanded. `output`: where the
    spec will go, else specs/PACKAGE.yaml; nothing is written here.

    Raises OpkgError when a file cannot be read, when there is nothing to migrate, or when the package's name is not
    known; MissingTool when `expand` is given and there is no compiler.
    """
    sources = _ordered([_source(path, expand) for path in _listed(paths)])
    constants = constants_of([s.code for s in sources])
    macros = macros_of([s.text for s in sources], constants)
    sources = [replace(s, document=without_macros(s.document, macros)) for s in sources]
    old = next((named[1] for s in sources if (named := _NAME.search(s.code))), "")
    name, findings = _package(package, old, sources)
    prefixes = tuple(dict.fromkeys(p for p in (old, name) if p))
    facts = gather([s.document for s in sources], [s.code for s in sources], prefixes)
    findings += [_softened(f) for s in sources for f in s.findings]
    facts, found = _usable(facts, sources)
    findings += found + of_facts(facts)
    for op in facts.ops.values():
        op.params = [param for param in op.params if name_fault(param.name) is None]
    if not facts.ops:
        message = "no op is registered in these files"
        hint = "name the files that have DEF_PACKAGE_OP and DEF_PACKAGE_OPTIMIZATION"
        raise OpkgError([*findings, error("OPK357", message, Span(sources[0].path), hint)])
    rules, found = of_rules(sources)
    findings += found
    bare = [replace(placed, rule=rewritten(placed.rule, prefixes, constants)) for placed in rules]
    ops = place_rules(facts, bare, prefixes)
    path = output or f"specs/{name.replace('.', '_')}.yaml"
    ops, text, found = _checked(name, path, sources, ops)
    count = sum(not rule.reason for op in ops for rule in op.rules)
    return Migration(text, path, name, tuple(sorted(findings + found, key=sort_key)), len(ops), count)


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


def _softened(finding: Diagnostic) -> Diagnostic:
    """A macro call that cannot be read is not carried; that does not stop the others."""
    if not finding.is_error:
        return finding
    return warning(finding.id, f"not carried: {finding.message}", finding.span, finding.hint)


def _listed(paths: Sequence[str]) -> list[str]:
    """The files; those of a folder in order of their paths."""
    out: list[str] = []
    for path in paths:
        if not os.path.isdir(path):
            out.append(path)
            continue
        for folder, folders, names in os.walk(path):
            folders.sort()
            out += [os.path.join(folder, name) for name in sorted(names) if name.endswith(SUFFIXES)]
    if not out:
        place = paths[0] if paths else ""
        raise OpkgError([error("OPK357", "no C++ file to migrate", Span(place), "opkg rules migrate src/*.cpp")])
    return list(dict.fromkeys(out))


def _source(path: str, expand: Sequence[str] | None) -> Source:
    shown = path.replace(os.sep, "/")
    try:
        data = files.read(path, limit=_MAX_BYTES)
    except OSError as failure:
        message = f"cannot read the file: {failure.strerror or failure}"
        raise OpkgError([error("OPK357", message, Span(shown))]) from None
    if len(data) > _MAX_BYTES or b"\0" in data:
        raise OpkgError([error("OPK357", "this is no C++ source", Span(shown))])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    document, findings = parse_cpp(text, shown)
    code, conditions = without_comments(text), branches(text)
    if expand is not None and not path.endswith((".h", ".hpp", ".inc")):
        document, found = _expanded(document, path, shown, expand)
        findings = [finding for finding in findings if finding.id not in _HIDDEN] + found
        conditions = []  # the preprocessor has decided
    return Source(shown, text, code, document, tuple(findings), conditions)


_HIDDEN = ("OPK513", "OPK514")  # macros that are not at the start of a line, and those that hide rules


def _expanded(document: Document, path: str, shown: str, options: Sequence[str]) -> tuple[Document, list[Diagnostic]]:
    """The document with the rules that the compiler's -E shows of this file."""
    from opkg.rules.text.expanded import parse_expanded, preprocess

    expanded, found = parse_expanded(preprocess(path, options), shown)
    own = tuple(rule for rule in expanded.rules if rule.text.span(rule.start, rule.end).path == shown)
    return replace(document, items=(*document.declarations, *own), comments=()), found


def _ordered(sources: list[Source]) -> list[Source]:
    """In order of the interface's list, which is the order of registration; files it does not list come last."""
    listed = [found for s in sources for found in re.findall(r"DECLARE_PKG_OPS_OPTS_LIST\s*\(\s*(\w+)", s.code)]

    def rank(source: Source) -> int:
        begun = re.findall(r"BEGIN_PKG_OP_DEFINITION\s*\(\s*(\w+)", source.code)
        return min((listed.index(name) for name in begun if name in listed), default=len(listed))

    if not listed:
        return sources
    for i, source in enumerate(sources):
        begun = re.search(r"BEGIN_PKG_OP_DEFINITION\s*\(\s*(\w+)", source.code)
        if begun is not None and rank(source) == len(listed):
            line = source.code.count("\n", 0, begun.start()) + 1
            message = f"'{begun[1]}' is not in the package's list, so nothing of this file was registered"
            hint = "DECLARE_PKG_OPS_OPTS_LIST names it; in the migrated package its ops and rules are registered"
            span = Span(source.path, line, 1, line, 2)
            sources[i] = replace(source, findings=(*source.findings, warning("OPK351", message, span, hint)))
    return sorted(sources, key=rank)


def _package(wanted: str, old: str, sources: Sequence[Source]) -> tuple[str, list[Diagnostic]]:
    """The package's name in the spec."""
    span = Span(sources[0].path)
    if wanted:
        if not _is_package(wanted):
            message = f"'{wanted}' is no package name"
            raise OpkgError([error("OPK350", message, span, "dotted lower-case words: --package acme.vision")])
        return wanted, []
    if not old:
        message = "the package's name is not in these files (THIS_PKG_NAME comes from the build)"
        raise OpkgError([error("OPK350", message, span, "give it: --package acme.vision")])
    name = ".".join(part for part in (snake(word) for word in old.split(".")) if part)
    if not _is_package(name):
        message = f"the package's name '{old}' cannot be one of a spec"
        raise OpkgError([error("OPK350", message, span, "dotted lower-case words: --package acme.vision")])
    if name == old:
        return name, []
    hint = "graphs name the package: convert models with the new name"
    return name, [warning("OPK351", f"package '{old}' is called '{name}' in the spec", span, hint)]


def _is_package(name: str) -> bool:
    fits = re.fullmatch(PACKAGE_NAME, name) is not None and len(name) <= MAX_NAME and "__" not in name
    return fits and not any(word in RESERVED for word in name.split("."))


def _usable(facts: Facts, sources: Sequence[Source]) -> tuple[Facts, list[Diagnostic]]:
    """The ops that can be ops of a spec: registered (or all, when nothing is), with a name that C++ and Python take."""
    registered = any(op.registered for op in facts.ops.values())
    kept = Facts()
    findings: list[Diagnostic] = []
    stems: dict[str, str] = {}
    for name, op in facts.ops.items():
        if registered and not op.registered:
            continue
        fault = op_name_fault(name)
        other = stems.setdefault(snake(name), name)
        if fault is None and other == name:
            kept.ops[name] = op
            continue
        why = fault[1] if fault is not None else f"it becomes '{snake(name)}', as '{other}' does"
        place = op.registered[0].place.rpartition(":") if op.registered else (sources[0].path, "", "1")
        span = Span(place[0], int(place[2]), 1, int(place[2]), 2)
        message = f"op '{name}' cannot be an op of a spec: {why}"
        findings.append(warning("OPK352", message, span, "rename it in the package first, or write it by hand"))
    return kept, findings


def _checked(
    name: str, path: str, sources: Sequence[Source], ops: list[MigratedOp]
) -> tuple[list[MigratedOp], str, list[Diagnostic]]:
    """The spec's text, without the rules that would keep it from validating; and the findings about these."""
    findings: list[Diagnostic] = []
    text = spec_text(name, [s.path for s in sources], ops)
    for _ in range(sum(len(op.rules) for op in ops) + 1):
        found, bad = of_text(text, path, ops)
        findings += found
        if not bad:
            break
        ops = [_without(op, bad) for op in ops]
        text = spec_text(name, [s.path for s in sources], ops)
    return ops, text, findings


def _without(op: MigratedOp, bad: dict[Key, str]) -> MigratedOp:
    """An op without what cannot be carried."""
    name = op.facts.name
    rules = tuple(replace(rule, reason=bad.get((name, rule.name), rule.reason)) for rule in op.rules)
    return replace(op, rules=rules, no_properties=bad.get((name, PROPERTIES), op.no_properties))
