"""Parts of OpDef XML that ops, params and quantization read alike: names, supplements, constraints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from opkg.imports import opdef_values as values
from opkg.imports.form import Todo
from opkg.imports.prose import one_line
from opkg.imports.xml_tree import Element
from opkg.spec.diagnostics import Diagnostic, Severity, Span, error, nearest


@dataclass(frozen=True, slots=True)
class Added:
    """A supplement of an op: the backend it is for, and its element."""

    backend: str
    element: Element

    def parts(self, kind: str, name: str) -> Iterator[Element]:
        """What it says of an input, output or param."""
        return (part for part in self.element.all(kind) if tensor_name(part) == name)


def tensor_name(part: Element) -> str:
    """The name of a tensor or param, as QNN's reader takes it: up to the first blank."""
    return part.words("Name").split(" ")[0]


def dropped(what: str, why: str, span: Span) -> Diagnostic:
    """Something of the source that has no place in a spec."""
    return Diagnostic("OPK627", what, span, why, Severity.INFO)


def constraint_todo(element: Element, findings: list[Diagnostic]) -> Todo:
    """A constraint of the XML: free text."""
    kind = element.attributes.get("Type", "")
    if kind and kind not in values.CONSTRAINTS:
        near = nearest(kind, values.CONSTRAINTS)
        hint = f"did you mean '{near}'?" if near else f"one of {', '.join(values.CONSTRAINTS)}"
        span = element.attribute_spans["Type"]
        findings.append(error("OPK625", f"'{kind}' is no type of a constraint", span, hint))
    if not re.fullmatch(r"[-+]?\d+", element.attributes.get("id", "0")):
        span = element.attribute_spans["id"]
        findings.append(error("OPK625", f"'{element.attributes['id']}' is no number", span, "ids count from 0"))
    if not element.text:
        findings.append(error("OPK625", "this constraint has no text", element.span, "say what must hold"))
    code = element.words("Code")
    words = one_line(element.text + (f" ({code})" if code else ""), 160)
    return Todo("constraint", f"'{words}' ({kind}) is free text: write it under constraints:", element.place)
