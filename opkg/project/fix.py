"""Mends in specs what is a slip of the pen: words that a finding knows the right form of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from opkg.project.discover import discover
from opkg.project.edit import replaced
from opkg.project.files import read
from opkg.project.read import read_spec, rule_findings, targets_of
from opkg.project.scaffold import like, text_of
from opkg.spec.diagnostics import Diagnostic, Span
from opkg.spec.source import MAX_BYTES

ALIKE = 0.7  # of two words, as difflib has it: hints are given from 0.6 on
# Words of opkg's own, which a spec cannot have meant otherwise: keys, choices, element types, versions, functions, members,
# targets. Names that the spec itself gives are its author's: of two that differ, either may be the slip.
CLOSED = frozenset(("OPK120", "OPK126", "OPK127", "OPK130", "OPK143", "OPK164", "OPK165", "OPK302"))
MOST_ROUNDS = 20  # a finding may hide others
_NEAR = re.compile(r"did you mean ['\"]([^'\"]+)['\"]\?")
_WRONG = re.compile(r"'([^']+)'")
_VERSION = re.compile(r"write MAJOR\.MINOR\.PATCH: (\S+)")


class Fix(NamedTuple):
    """One word that was put in the place of another. The path of the span is as people see it."""

    span: Span
    old: str
    new: str


class Fixed(NamedTuple):
    """A spec with its slips mended: its path as people see it, absolute, its bytes before and now, and what was done."""

    shown: str
    path: str
    before: bytes
    data: bytes
    fixes: tuple[Fix, ...]


def fixed(paths: Sequence[str]) -> list[Fixed]:
    """The specs of `paths` that have slips, mended; nothing is written. Raises OpkgError when there is no spec."""
    found = []
    for project in discover(paths):
        for spec in project.specs:
            before = read(f"{project.root}/{spec}", limit=MAX_BYTES)
            text, fixes = _mended(project.root, spec, text_of(before, project.prefix + spec))
            if fixes:
                shown = tuple(f._replace(span=f.span._replace(path=project.prefix + spec)) for f in fixes)
                path = f"{project.root}/{spec}"
                found.append(Fixed(project.prefix + spec, path, before, like(before, text), shown))
    return found


def _mended(root: str, spec: str, text: str) -> tuple[str, list[Fix]]:
    """Round by round, as long as there are fewer errors, or others than before."""
    done: list[Fix] = []
    findings = _findings(root, spec, text)
    for _ in range(MOST_ROUNDS):
        fixes = _apart([fix for finding in findings if (fix := fix_of(finding, text)) is not None])
        if not fixes:
            break
        changed = replaced(text, [(fix.span, fix.new) for fix in fixes])
        after = _findings(root, spec, changed)
        if {(f.id, f.message) for f in after} >= {(f.id, f.message) for f in findings}:
            break  # it made nothing better
        done += fixes
        text, findings = changed, after
    return text, done


def _findings(root: str, spec: str, text: str) -> list[Diagnostic]:
    package, found, _ = read_spec(root, spec, text.encode())
    if package is None:
        return found
    return [*found, *rule_findings(package), *targets_of(package)[1]]


def fix_of(finding: Diagnostic, text: str) -> Fix | None:
    """The word that a finding's hint names, for the one that its message names, where that stands alone in its span."""
    version = _VERSION.match(finding.hint)
    near = _NEAR.match(finding.hint)
    wrong = _WRONG.search(finding.message)
    if finding.id not in CLOSED or wrong is None or not (version or near):
        return None
    old, new = wrong[1], version[1].rstrip() if version else near[1] if near else ""
    if not version and not _alike(old.lower(), new.lower()):
        return None
    lines = text.split("\n")
    span = finding.span
    if span.line > len(lines):
        return None
    line = lines[span.line - 1]
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    places = [m.start() for m in re.finditer(rf"(?<!\w){re.escape(old)}(?!\w)", line[span.column - 1 : end])]
    if len(places) != 1:
        return None
    column = span.column + places[0]
    return Fix(Span(span.path, span.line, column, span.line, column + len(old)), old, new)


def _alike(old: str, new: str) -> bool:
    """Whether one word is a slip of the other: close, or with two letters in each other's place, as in `mxa`."""
    swapped = [at for at in range(min(len(old), len(new))) if old[at] != new[at]]
    if len(old) == len(new) and len(swapped) == 2 and sorted(old) == sorted(new):
        return True
    return SequenceMatcher(None, old, new).ratio() >= ALIKE


def _apart(fixes: list[Fix]) -> list[Fix]:
    """Those that do not overlap, each once, in order."""
    kept: list[Fix] = []
    for fix in sorted(set(fixes), key=lambda fix: fix.span[1:3]):
        if not kept or fix.span[1:3] >= (kept[-1].span.line, kept[-1].span.end_column):
            kept.append(fix)
    return kept
