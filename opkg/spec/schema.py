"""The JSON Schema of a spec (draft 2020-12), generated from the table of keys that the reader uses."""

from __future__ import annotations

from typing import Any

from opkg.spec.kinds import Key, Kind, Record
from opkg.spec.records import OP, RECORDS, SPEC

URL = "https://opkg.dev/schemas/opspec.schema.json"


def key_schema(key: Key) -> dict[str, Any]:
    """The schema of one key's value, with its documentation."""
    text = key.doc + (f" Default: {key.default}." if key.default else "")
    return {"title": key.name, "description": text, **key.kind.schema}


def record_schema(record: Record) -> dict[str, Any]:
    """The schema of one record."""
    schema: dict[str, Any] = {
        "title": record.name,
        "description": record.doc,
        "type": "object",
        "properties": {key.name: key_schema(key) for key in record.keys},
        "additionalProperties": False,
    }
    required = [key.name for key in record.keys if key.required]
    if required:
        schema["required"] = required
    return schema


def _rule(schema: dict[str, Any]) -> None:
    """A rule is one macro call, or a match and its replacement."""
    parts = ["pass", "flags", "match", "when", "replace"]
    schema["oneOf"] = [
        {"required": ["macro"], "not": {"anyOf": [{"required": [part]} for part in parts]}},
        {"required": ["match", "replace"], "not": {"required": ["macro"]}},
    ]


def _cases(schema: dict[str, Any]) -> None:
    """A test case names tensors and params of its op freely; the shapes of their values are known."""
    tensor = {"$ref": "#/$defs/case_tensor"}
    param = {"type": ["number", "boolean", "string"]}
    schema["properties"]["cases"]["items"] = {
        "type": "object",
        "properties": {
            "name": {"title": "name", "description": "Name of the case in reports.", "type": "string"},
            "when": {"title": "when", "description": "Element types of the case.", **_when()},
        },
        "additionalProperties": {"anyOf": [tensor, param, {"type": "array", "items": {"anyOf": [tensor, param]}}]},
    }


def _when() -> dict[str, Any]:
    from opkg.spec.kinds import COMBINATION

    return COMBINATION.schema


def build() -> dict[str, Any]:
    """The whole schema as a value."""
    definitions = {record.name: record_schema(record) for record in RECORDS}
    _rule(definitions["rule"])
    _cases(definitions["tests"])
    schema = record_schema(SPEC)
    schema["title"] = "opkg spec, version 1"
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": URL,
        **schema,
        "$defs": definitions,
    }


def text() -> str:
    """The schema as the committed file has it."""
    import json

    return json.dumps(build(), indent=2, ensure_ascii=False) + "\n"


def reference() -> str:
    """The tables of keys as Markdown, for docs/spec.md."""
    lines: list[str] = []
    for record in (SPEC, *RECORDS):
        lines += [
            f"### {record.name}",
            "",
            record.doc,
            "",
            "| key | value | meaning | default |",
            "| --- | --- | --- | --- |",
        ]
        for key in record.keys:
            default = "required" if key.required else f"`{key.default}`" if key.default else ""
            lines.append(f"| `{key.name}` | {_kind(key.kind)} | {key.doc.replace('|', chr(92) + '|')} | {default} |")
        lines.append("")
    return "\n".join(lines)


def _kind(kind: Kind) -> str:
    if kind.form == "word":
        return ", ".join(f"`{word}`" for word in kind.words)
    return kind.name


__all__ = ["OP", "URL", "build", "key_schema", "record_schema", "reference", "text"]
