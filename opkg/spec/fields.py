"""Reads one record by its table of keys: unknown, missing, null and wrongly typed values become findings."""

from __future__ import annotations

from typing import Any

from opkg.spec.diagnostics import Span, nearest
from opkg.spec.kinds import Key, Record
from opkg.spec.model import Spans
from opkg.spec.nodes import Mapping, Node, Scalar
from opkg.spec.scalars import Findings, is_null, take_bool, take_int, take_number, take_text, take_word, wrong_type


class Fields:
    """The values of one record that was read. A key that was absent or wrong has no value."""

    def __init__(self, span: Span, findings: Findings) -> None:
        self.findings = findings
        self.values: dict[str, Any] = {}
        self.nodes: dict[str, Node] = {}
        self.spans: Spans = {"": span}

    @property
    def span(self) -> Span:
        return self.spans[""]

    def node(self, key: str) -> Node | None:
        return self.nodes.get(key)

    def text(self, key: str) -> str:
        value = self.values.get(key, "")
        assert isinstance(value, str)
        return value

    def flag(self, key: str) -> bool:
        return self.values.get(key) is True

    def said(self, key: str) -> bool | None:
        """A flag, or None where it is left out."""
        return self.flag(key) if key in self.values else None

    def word(self, key: str, default: str) -> str:
        value = self.values.get(key, default)
        assert isinstance(value, str)
        return value

    def whole(self, key: str) -> int | None:
        value = self.values.get(key)
        return value if isinstance(value, int) else None

    def number(self, key: str) -> float | None:
        value = self.values.get(key)
        return float(value) if isinstance(value, int | float) else None

    def at(self, key: str) -> Span:
        """Span of a key's value; of the record when the key is absent."""
        return self.spans.get(key) or self.spans[""]


def read_record(node: Node, record: Record, findings: Findings, span: Span | None = None) -> Fields | None:
    """The fields of a mapping; None when it is none. `span`: where findings on the record itself point (its name)."""
    if not isinstance(node, Mapping):
        wrong_type(node, "a mapping", f"{record.name} is a mapping of keys", findings)
        return None
    fields = Fields(span or node.span, findings)
    known = record.by_name
    meant: set[str] = set()  # keys that are there, but misspelt: no second finding says that they are missing
    for name, (key_scalar, value) in node.entries.items():
        key = known.get(name)
        if key is None:
            null = node.flow and is_null(value)
            if not null or not (_cut(key_scalar.span, node, fields) or _cut_list(key_scalar, record, node, fields)):
                near = known.get(_unknown_key(name, key_scalar.span, record, findings))
                if near is not None and near.name not in {*node.entries, *meant}:
                    meant.add(near.name)
                    if not is_null(value) and near.kind.form == "node":
                        _take(near, value, fields)
            continue
        fields.spans[name] = value.span
        if is_null(value):
            findings.error("OPK123", f"'{name}' has no value", _null_span(value, key_scalar), _null_hint(key))
            continue
        _take(key, value, fields)
    for key in record.keys:
        if key.required and key.name not in node.entries and key.name not in meant:
            message = f"'{key.name}' is missing in {record.name}"
            findings.error("OPK121", message, fields.span, f"{key.name}: {key.doc}")
    return fields


def _null_span(value: Node, key: Scalar) -> Span:
    return value.span if isinstance(value, Scalar) and value.text else key.span


def _null_hint(key: Key) -> str:
    return f"give a value or delete the key ({key.doc})"


def _cut(span: Span, node: Mapping, fields: Fields) -> bool:
    """Whether `{shape: f(a, b)}` left the key `b)` behind; the value before it is then taken back."""
    for key, (_, before) in node.entries.items():
        if isinstance(before, Scalar) and any(before.text.count(a) > before.text.count(b) for a, b in ("()", "[]")):
            fields.nodes.pop(key, None)
            message = "a comma inside { } ends the value: this text was cut in two"
            fields.findings.error("OPK116", message, span, f"put the value of '{key}' in quotes")
            return True
    return False


def _cut_list(key: Scalar, record: Record, node: Mapping, fields: Fields) -> bool:
    """The same of `{shape: N, C}`: a list without its brackets."""
    names, name = list(node.entries), key.text
    before = names[names.index(name) - 1] if names[0] != name else ""
    if before not in fields.nodes or nearest(name, tuple(record.by_name)):
        return False
    value = fields.nodes.pop(before)
    text = value.text if isinstance(value, Scalar) else "..."
    message = "a comma inside { } ends the value: this list was cut in two"
    fields.findings.error("OPK116", message, key.span, f"a list stands in brackets: {before}: [{text}, {name}]")
    return True


def _unknown_key(name: str, span: Span, record: Record, findings: Findings) -> str:
    """Says that there is no such key; the one that it is likely meant to be, or nothing."""
    known = tuple(record.by_name)
    near = nearest(name, known)
    hint = f"did you mean '{near}'?" if near else "keys: " + ", ".join(known)
    findings.error("OPK120", f"{record.name} has no key '{name}'", span, hint)
    return near or ""


def _take(key: Key, value: Node, fields: Fields) -> None:
    """Put one value, converted as its kind says, into the fields."""
    form = key.kind.form
    findings = fields.findings
    if form == "node":
        fields.nodes[key.name] = value
        return
    taken: Any
    if form == "text" or form == "line":
        taken = take_text(value, findings, key.name, one_line=form == "line")
    elif form == "bool":
        taken = take_bool(value, findings)
    elif form == "int":
        taken = take_int(value, findings, key.name)
    elif form == "number":
        taken = take_number(value, findings, key.name)
    else:
        taken = take_word(value, key.kind.words, key.kind.name, findings)
    if taken is not None:
        fields.values[key.name] = taken
