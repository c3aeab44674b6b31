"""Takes single values from YAML nodes; what YAML readers disagree about is a finding."""

from __future__ import annotations

import re

from opkg.spec.diagnostics import Diagnostic, Span, error, nearest
from opkg.spec.nodes import Mapping, Node, Scalar, Sequence
from opkg.spec.safe_text import text_fault

_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_YES_NO = frozenset(("yes", "no", "on", "off", "true", "false"))
_INT = re.compile(r"-?(0|[1-9][0-9]*|0x[0-9a-fA-F]+)$")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$")
# Plain scalars that some YAML reader takes for a number or a date, although they are written as text.
_SURPRISE = re.compile(
    r"[-+]?(0o?[0-7]+|0[0-9]+|0b[01_]+|[0-9][0-9_]*_[0-9_]*|[0-9]+(:[0-5]?[0-9])+(\.[0-9]*)?|\.[0-9]+|[0-9]+\.|\.(inf|nan)"
    r"|\.(Inf|NaN|INF|NAN))$|\+[0-9]"
)
_PLAIN_NUMBER = re.compile(r"[-+]?[0-9][0-9_]*(\.[0-9_]*)?([eE][+-]?[0-9]+)?$|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}$")


class Findings:
    """Collects the diagnostics of one file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.list: list[Diagnostic] = []

    def error(self, id: str, message: str, span: Span, hint: str = "") -> None:
        self.list.append(error(id, message, span, hint))

    @property
    def errors(self) -> int:
        """How many there are; with warnings alone a spec is read."""
        return sum(finding.is_error for finding in self.list)


def is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.plain and node.text in _NULLS


def wrong_type(node: Node, wanted: str, hint: str, findings: Findings) -> None:
    """The finding of a list where text must be, and so on."""
    found = "a list" if isinstance(node, Sequence) else "a mapping" if isinstance(node, Mapping) else "text"
    if isinstance(node, Scalar):
        found = "nothing" if is_null(node) else f"'{_short(node.text)}'"
    span = node.span
    findings.error("OPK122", f"{wanted} must stand here, not {found}", span, hint)


def _short(text: str) -> str:
    text = text.replace("\n", " ")
    return text if len(text) <= 40 else text[:37] + "..."


def take_scalar(node: Node, what: str, findings: Findings) -> Scalar | None:
    """A scalar that is not null."""
    if isinstance(node, Scalar):
        if is_null(node):
            findings.error("OPK123", f"{what} has no value", node.span, "give a value or delete the key")
            return None
        return node
    wrong_type(node, what, "", findings)
    return None


def take_plain_text(node: Node, what: str, findings: Findings) -> Scalar | None:
    """A scalar that every YAML reader takes for text."""
    scalar = take_scalar(node, what, findings)
    if scalar is None or not scalar.plain:
        return scalar
    text = scalar.text
    if text.lower() in _YES_NO or _SURPRISE.match(text) or _PLAIN_NUMBER.match(text):
        as_ = "a bool" if text.lower() in _YES_NO else "a number"
        findings.error("OPK124", f"YAML reads '{text}' as {as_}, not as text", scalar.span, f'write "{text}" in quotes')
        return None
    return scalar


def take_text(node: Node, findings: Findings, key: str, one_line: bool) -> str | None:
    """Text that is safe inside a comment and, when `one_line`, inside a C++ string."""
    if not isinstance(node, Scalar):
        wrong_type(node, f"text ({key})", "", findings)
        return None
    scalar = take_plain_text(node, f"the {key}", findings)
    if scalar is None:
        return None
    text = scalar.text.strip()
    fault = text_fault(text, one_line)
    if fault is None:
        return text
    id_, message, at, hint = fault
    start = at + len(scalar.text) - len(scalar.text.lstrip())
    findings.error(id_, f"the {key} {message}", scalar.piece.at(start, start + 1), hint)
    return None


def is_loose_bool(text: str) -> bool:
    """Whether text is a bool for some YAML readers: yes, On, TRUE; but not true and false."""
    return text.lower() in _YES_NO and text not in ("true", "false")


def take_bool(node: Node, findings: Findings) -> bool | None:
    if isinstance(node, Scalar) and node.plain:
        if node.text in ("true", "false"):
            return node.text == "true"
        if node.text.lower() in ("true", "yes", "on", "y", "false", "no", "off", "n"):
            right = "true" if node.text.lower() in ("true", "yes", "on", "y") else "false"
            message = f"'{node.text}' is a bool for some YAML readers and text for others"
            findings.error("OPK124", message, node.span, f"write {right}")
            return None
    wrong_type(node, "true or false", "without quotes" if isinstance(node, Scalar) and not node.plain else "", findings)
    return None


def surprising_number(node: Scalar, findings: Findings) -> bool:
    """Whether a plain scalar is a number that YAML readers disagree about; then there is a finding."""
    if not node.plain or not _SURPRISE.match(node.text):
        return False
    message = f"YAML readers disagree about the number '{node.text}'"
    findings.error("OPK124", message, node.span, "write decimal numbers: 8, 0.5, 1e-5")
    return True


def take_int(node: Node, findings: Findings, what: str) -> int | None:
    if isinstance(node, Scalar) and node.plain:
        if _INT.match(node.text) and len(node.text) <= 20:
            return int(node.text, 0)
        if surprising_number(node, findings):
            return None
    hint = "without quotes" if isinstance(node, Scalar) and not node.plain else ""
    wrong_type(node, f"a whole number ({what})", hint, findings)
    return None


def take_number(node: Node, findings: Findings, what: str) -> float | None:
    if isinstance(node, Scalar) and node.plain:
        if _NUMBER.match(node.text) and len(node.text) <= 40:
            value = float(node.text)
            if abs(value) < 3.5e38:
                return value
            findings.error("OPK125", f"{what} {node.text} does not fit in a float32", node.span)
            return None
        if surprising_number(node, findings):
            return None
    wrong_type(node, f"a number ({what})", "", findings)
    return None


def take_word(node: Node, words: tuple[str, ...], what: str, findings: Findings) -> str | None:
    """One word of a fixed set."""
    scalar = take_scalar(node, f"the {what}", findings)
    if scalar is None:
        return None
    if scalar.text in words:
        return scalar.text
    near = nearest(scalar.text, words)
    hint = f"did you mean '{near}'?" if near else "one of: " + ", ".join(words)
    findings.error("OPK126", f"there is no {what} '{_short(scalar.text)}'", scalar.span, hint)
    return None


def take_list(node: Node, what: str, findings: Findings, or_one: bool = False) -> tuple[Node, ...]:
    """The items of a list; with `or_one` a single scalar is a list of one."""
    if isinstance(node, Sequence):
        return node.items
    if or_one and isinstance(node, Scalar) and not is_null(node):
        return (node,)
    wrong_type(node, f"a list ({what})", "", findings)
    return ()


def take_words(node: Node | None, words: tuple[str, ...], what: str, findings: Findings) -> tuple[str, ...]:
    """A list of different words of a fixed set."""
    result: list[str] = []
    for item in take_list(node, what, findings) if node is not None else ():
        word = take_word(item, words, what, findings)
        if word is None:
            continue
        if word in result:
            findings.error("OPK135", f"{what} '{word}' stands twice", item.span)
            continue
        result.append(word)
    return tuple(result)


def take_entries(node: Node | None, what: str, findings: Findings) -> dict[str, tuple[Scalar, Node]]:
    """The entries of a mapping of names."""
    if node is None:
        return {}
    if isinstance(node, Mapping):
        return node.entries
    wrong_type(node, f"a mapping ({what})", "", findings)
    return {}
