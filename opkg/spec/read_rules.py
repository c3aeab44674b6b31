"""Optimization rules and tensor properties: text that is kept, checked to stay inside its macro call."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from opkg.spec.fields import Fields, read_record
from opkg.spec.model import Rule, Text
from opkg.spec.names import name_fault
from opkg.spec.nodes import Node, Scalar
from opkg.spec.records import RULE
from opkg.spec.safe_text import code_fault
from opkg.spec.scalars import Findings, take_list, take_scalar

if TYPE_CHECKING:
    from opkg.spec.source_text import SourceText

MAX_CODE = 20_000
_MACRO = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\s*\(")
_PARTS = ("pass", "flags", "match", "when", "replace")


def take_code(node: Node | None, what: str, findings: Findings) -> Text | None:
    """C++ text with balanced brackets and quotes and without comments; None after a finding."""
    if node is None:
        return None
    scalar = take_scalar(node, what, findings)
    if scalar is None:
        return None
    text = scalar.text.strip()
    if len(text) > MAX_CODE:
        findings.error("OPK137", f"{what} has {len(text)} characters; at most {MAX_CODE} are allowed", scalar.span)
        return None
    fault = code_fault(text)
    if fault is not None:
        start = fault[2] + len(scalar.text) - len(scalar.text.lstrip())
        findings.error(fault[0], f"{what} {fault[1]}", scalar.piece.at(start, start + 1), fault[3])
        return None
    return Text(text, scalar.piece.span, source_of(text, scalar))


def source_of(text: str, scalar: Scalar) -> SourceText:
    """Where each character of a scalar's text (stripped) stands in the file."""
    from opkg.spec.source_text import SourceText  # only for specs with rules

    span = scalar.piece.span
    if scalar.raw is not None:
        return SourceText(span.path, text, scalar.raw.line, scalar.raw.column, scalar.raw.text)
    return SourceText(span.path, text, span.line, span.column + len(scalar.text) - len(scalar.text.lstrip()))


def read_properties(node: Node | None, findings: Findings) -> tuple[Text, ...]:
    """The `tensor_properties:` of an op."""
    if node is None:
        return ()
    texts = [
        take_code(item, "the tensor property", findings) for item in take_list(node, "tensor_properties", findings)
    ]
    return tuple([text for text in texts if text is not None])


def read_rules(node: Node | None, findings: Findings) -> tuple[Rule, ...]:
    """The `rules:` of an op, in order."""
    if node is None:
        return ()
    rules: list[Rule] = []
    names: set[str] = set()
    for number, item in enumerate(take_list(node, "rules", findings), 1):
        fields = read_record(item, RULE, findings)
        if fields is None:
            continue
        rule = _rule(fields, f"rule_{number}", findings)
        if rule.name in names:
            findings.error("OPK152", f"two rules are called '{rule.name}'", fields.at("name"), "rename one")
        names.add(rule.name)
        rules.append(rule)
    return tuple(rules)


def _rule(fields: Fields, default_name: str, findings: Findings) -> Rule:
    name = default_name
    node = fields.node("name")
    scalar = take_scalar(node, "a name", findings) if node is not None else None
    if scalar is not None:
        name = scalar.text
        fault = name_fault(name)
        if fault is not None:
            findings.error(fault[0], fault[1], scalar.span, fault[2])
    parts = {part: take_code(fields.node(part), f"the '{part}' of the rule", findings) for part in _PARTS}
    macro = take_code(fields.node("macro"), "the macro", findings)
    _check_parts(fields, macro, findings)
    return Rule(
        name, parts["pass"], parts["flags"], parts["match"], parts["when"], parts["replace"], macro, fields.spans
    )


def _check_parts(fields: Fields, macro: Text | None, findings: Findings) -> None:
    """Either one macro call or a match and its replacement."""
    given = [part for part in _PARTS if part in fields.spans]
    if "macro" in fields.spans:
        if given:
            message = f"'macro' is the whole rule; '{given[0]}' cannot stand beside it"
            findings.error("OPK133", message, fields.at(given[0]), "delete one of them")
        if macro is not None and not _is_call(macro.text):
            message = "this is not one macro call"
            findings.error("OPK129", message, macro.span, "DEF_PACKAGE_OPTIMIZATION(EARLY, ..., ...)")
        return
    for part in ("match", "replace"):
        if part not in fields.spans:
            findings.error("OPK121", f"'{part}' is missing in rule", fields.span, "or give the whole call as 'macro'")


def _is_call(text: str) -> bool:
    """Whether the text is `NAME(...)` and its last bracket closes the first."""
    text = text.rstrip(";").rstrip()
    opened = _MACRO.match(text)
    if opened is None or not text.endswith(")"):
        return False
    return code_fault(text[opened.end() : -1]) is None
