"""Rules to check in tests: a frame whose parts a test replaces, and findings as short tuples."""

from opkg.rules.check import Checked, Context, check
from opkg.rules.syntax import Document, Front, Rule
from opkg.rules.text.parse import parse_expression
from opkg.spec.diagnostics import Diagnostic
from opkg.spec.source_text import JoinedText, SourceText

FRAME = {"pass": "EARLY", "match": 'Op("A", "X", "Y")', "when": "OK", "replace": 'Op("B", "X", "Y")'}


def checked(front: Front = Front.YAML, sdk: str = "2.43", package: str = "p", externals=(), **parts: str) -> Checked:
    """The frame with these parts (`pass_` for pass), checked; part n stands in line n + 1 (pass, match, when, replace)."""
    texts = {**FRAME, **{name.rstrip("_"): text for name, text in parts.items()}}
    joined = JoinedText.of(*(SourceText("rule", text, line + 1) for line, text in enumerate(texts.values())))
    nodes, found = {}, []
    for name, start in zip(texts, joined.starts, strict=True):
        nodes[name], findings = parse_expression(joined, start, start + len(texts[name]))
        found.extend(findings)
    assert not found, found
    rule = Rule("r", "", nodes["pass"], None, nodes["match"], nodes["when"], nodes["replace"], joined)
    return check(Document("rule", front, package, (rule,)), Context(sdk=sdk, externals=externals))


def short(findings: tuple[Diagnostic, ...]) -> list[tuple[str, str, int, int]]:
    """Severity, id, line, column of findings."""
    return [(str(one.severity), one.id, one.span.line, one.span.column) for one in findings]


def own(found: Checked) -> list[Diagnostic]:
    """Findings of the elaborator, without lints and remarks about passes."""
    return [one for one in found.findings if "OPK520" <= one.id <= "OPK544"]


def when(text: str, **more: str) -> object:
    """The typed constraint; there must be no finding of the elaborator."""
    found = checked(when=text, **more)
    assert not own(found), own(found)
    return found.rules[0].when


def replace(text: str, **more: str) -> object:
    """The typed replacement; there must be no finding of the elaborator."""
    found = checked(replace=text, **more)
    assert not own(found), own(found)
    return found.rules[0].replace
