"""Reads `onert:` of an op: the operator of Circle's schema that stands for it in models."""

from __future__ import annotations

import re

from opkg.spec.diagnostics import nearest
from opkg.spec.fields import read_record
from opkg.spec.model import Builtin, ParamSpec
from opkg.spec.names import IDENTIFIER, name_fault
from opkg.spec.nodes import Node
from opkg.spec.records import ONERT
from opkg.spec.scalars import Findings, take_entries, take_plain_text

_OPERATOR, _TABLE, _FIELD = (re.compile(p) for p in ("[A-Z][A-Z0-9_]{0,63}", "[A-Z][A-Za-z0-9]{0,63}", IDENTIFIER))


def read(node: Node, params: tuple[ParamSpec, ...], findings: Findings) -> Builtin | None:
    """The operator; findings: OPK285 and OPK286."""
    before = len(findings.list)
    fields = read_record(node, ONERT, findings)
    if fields is None:
        return None
    operator = _word(fields.node("builtin"), _OPERATOR, "operator of the schema", "CUMSUM", findings)
    options = _word(fields.node("options"), _TABLE, "table of the schema", "CumsumOptions", findings)
    known = [param.name for param in params]
    renamed: dict[str, str] = {}
    for name, (key, value) in take_entries(fields.node("fields"), "fields", findings).items():
        if name not in known:
            near = nearest(name, tuple(known))
            hint = f"did you mean '{near}'?" if near else f"params: {', '.join(known) or 'none'}"
            findings.error("OPK286", f"'{name}' is no param of the op", key.span, hint)
        renamed[name] = text = _word(value, _FIELD, "field of a table", "axis", findings)
        fault = name_fault(text) if text else None
        if fault is not None:
            findings.error(fault[0], fault[1], value.span, fault[2])
    if params and fields.node("options") is None:
        message = "the op has params, and no table of options to read them from"
        findings.error("OPK286", message, fields.span, "name it: options: CumsumOptions")
    if len(findings.list) > before:
        return None
    return Builtin(operator, options, tuple(renamed.items()), fields.flag("circle"), fields.at("builtin"))


def _word(node: Node | None, like: re.Pattern[str], what: str, example: str, findings: Findings) -> str:
    """A name of the schema, or empty text."""
    scalar = take_plain_text(node, f"a {what}", findings) if node is not None else None
    if scalar is None:
        return ""
    if not like.fullmatch(scalar.text):
        findings.error("OPK285", f"'{scalar.text[:40]}' is no {what}", scalar.span, f"for example {example}")
    return scalar.text
