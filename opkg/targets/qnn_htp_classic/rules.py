"""Optimization rules as macro calls: the spec's text as written, in the form that the SDK's parser reads after -E."""

from __future__ import annotations

from opkg.spec.model import Op, Rule, Text

MACROS = {"DEF_PACKAGE_OPTIMIZATION": 4, "DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS": 5}  # number of arguments
DEFAULT_PASS, ALWAYS = "EARLY", "OK"


def rule_calls(op: Op) -> list[tuple[str, str]]:
    """(name, macro call) of each rule, in order."""
    return [(rule.name, _call(rule)) for rule in op.rules]


def _call(rule: Rule) -> str:
    if rule.macro is not None:
        return rule.macro.text.rstrip("; \n")
    flags = [rule.flags.text] if rule.flags is not None else []
    parts = [_text(rule.pass_, DEFAULT_PASS), *flags, _text(rule.match, ""), _text(rule.when, ALWAYS)]
    arguments = ",\n".join(_indented(part) for part in [*parts, _text(rule.replace, "")])
    macro = "DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS" if flags else "DEF_PACKAGE_OPTIMIZATION"
    return f"{macro}(\n{arguments})"


def _text(part: Text | None, otherwise: str) -> str:
    return part.text if part is not None else otherwise


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.split("\n"))


def split_arguments(text: str) -> list[str]:
    """The arguments of a call's inside: parts between commas that no bracket and no quote holds."""
    parts, depth, quote, begun = [], 0, "", 0
    for i, char in enumerate(text):
        if quote:
            quote = "" if char == quote and text[i - 1] != "\\" else quote
        elif char in "\"'":
            quote = char
        elif char in "()[]{}":
            depth += 1 if char in "([{" else -1
        elif char == "," and depth == 0:
            parts.append(text[begun:i])
            begun = i + 1
    return [part.strip() for part in [*parts, text[begun:]]]
