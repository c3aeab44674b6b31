"""Quantization that supplements of OpDef XML demand, as `quantization:` of a tensor."""

from __future__ import annotations

import re
from collections.abc import Sequence

from opkg.imports import opdef_values as values
from opkg.imports.form import Todo
from opkg.imports.opdef_parts import Added, tensor_name
from opkg.imports.xml_tree import Element
from opkg.spec.diagnostics import Diagnostic, error
from opkg.spec.dtypes import DType


def quantization_of(
    part: Element, kind: str, supplements: Sequence[Added], dtypes: Sequence[DType], findings: list[Diagnostic]
) -> tuple[str, tuple[Todo, ...]]:
    """`symmetric`, `{scale, offset}` or `{axis}` of the first QuantParam; the rest in words."""
    name = tensor_name(part)
    found = [quant for added in supplements for own in added.parts(kind, name) for quant in own.all("QuantParam")]
    if not found:
        return "", ()
    todos = [Todo("quantization", "there is another one; a spec has one", quant.span) for quant in found[1:]]
    first = found[0]
    for encoding in first.all("Encoding"):
        values.word(encoding, values.ENCODINGS, "encoding", findings)
    if not any(dtype.quantized for dtype in dtypes):
        return "", (Todo("quantization", "none of its types is quantized", first.span), *todos)
    todos += _without_key(first)
    if values.truth(first.first("Symmetric"), findings):
        return "symmetric", tuple(todos)
    axis = first.first("Axis")
    if axis is not None:
        return (f"{{axis: {axis.text}}}" if _is_int(axis, findings) else ""), tuple(todos)
    scale, offset = first.first("Scale"), first.first("Offset")
    if scale is None and offset is None:
        return "", tuple(todos)
    if scale is None or offset is None:
        findings.append(error("OPK625", "Scale and Offset stand both or not at all", first.span, "add the other one"))
        return "", tuple(todos)
    if not _is_number(scale, findings) or not _is_int(offset, findings):
        return "", tuple(todos)
    number = int(offset.text)
    if number > 0 and any(dtype.quantized and not dtype.signed for dtype in dtypes):
        todos.append(
            Todo("offset", f"{number} there; in QNN's sign of an unsigned type that is -{number}", offset.place)
        )
        number = -number
    return f"{{scale: {scale.text}, offset: {number}}}", tuple(todos)


def _without_key(quant: Element) -> list[Todo]:
    """What a spec does not say of quantization."""
    words = {"Min": "the least value", "Max": "the greatest value", "IsMathInvariant": "invariance"}
    out = [
        Todo("quantization", f"<{child.name}> {child.text} ({words[child.name]}) has no key in a spec", child.place)
        for child in quant.children
        if child.name in words
    ]
    for encoding in quant.all("Encoding"):
        if encoding.text.startswith("BW_"):
            out.append(Todo("quantization", f"{encoding.text} has no key in a spec", encoding.place))
    return out


def _is_int(element: Element, findings: list[Diagnostic]) -> bool:
    if re.fullmatch(r"[-+]?\d+", element.text):
        return True
    findings.append(error("OPK625", f"'{element.text}' is no whole number", element.place))
    return False


def _is_number(element: Element, findings: list[Diagnostic]) -> bool:
    if re.fullmatch(r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", element.text) and float(element.text) > 0:
        return True
    findings.append(error("OPK625", f"'{element.text}' is no scale", element.place, "a number above 0"))
    return False
