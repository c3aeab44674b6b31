"""What the text of an IR file (OpenVINO's .xml) already shows to be wrong, with its line."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from opkg.spec.diagnostics import Diagnostic, Span, error


@dataclass(slots=True)
class _Seen:
    """`layers`: name and line of the last layer; `data`: end in bytes, layer, line of every constant."""

    path: str
    root: str = ""
    layer: str = ""
    has_layers: bool = False
    data: list[tuple[int, str, int, int]] = field(default_factory=list)
    wrong: list[Diagnostic] = field(default_factory=list)


def text_problems(path: str, data: bytes) -> tuple[Diagnostic, ...]:
    """Findings of a file that cannot be a model: no XML, no IR, constants whose data are missing or cut off."""
    seen = _Seen(path)
    parser = expat.ParserCreate()

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        _element(seen, tag, attributes, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)

    parser.StartElementHandler = start
    try:
        parser.Parse(data, True)
    except expat.ExpatError as failure:
        message = f"not OpenVINO's IR, or cut off: {expat.errors.messages[failure.code]}"
        return (error("OPK705", message, _span(path, failure.lineno, failure.offset + 1)),)
    except (LookupError, ValueError) as failure:
        return (error("OPK705", f"not OpenVINO's IR: {failure}", Span(path)),)
    if seen.root != "net" or not seen.has_layers:
        return (error("OPK705", "not OpenVINO's IR: there is no net with layers in it", Span(path)),)
    return tuple(seen.wrong) or _weights(seen)


def _span(path: str, line: int, column: int) -> Span:
    return Span(path, line, column, line, column)


def _element(seen: _Seen, tag: str, attributes: Mapping[str, str], line: int, column: int) -> None:
    seen.root = seen.root or tag
    if tag == "layer":
        seen.layer, seen.has_layers = attributes.get("name", ""), True
    elif tag == "data" and "offset" in attributes and "size" in attributes:
        try:
            end = int(attributes["offset"]) + int(attributes["size"])
        except ValueError:
            message = f"the data of {seen.layer}: offset or size is no number"
            seen.wrong.append(error("OPK705", message, _span(seen.path, line, column)))
            return
        seen.data.append((end, seen.layer, line, column))


def _weights(seen: _Seen) -> tuple[Diagnostic, ...]:
    """Constants beyond the end of the file of weights: the first of them."""
    if not seen.data:
        return ()
    name = os.path.splitext(seen.path)[0] + ".bin"
    try:
        there = os.path.getsize(name)
    except OSError as failure:
        message = f"the data of {seen.data[0][1]}: {os.path.basename(name)}: {failure.strerror}"
        return (error("OPK704", message, _span(seen.path, *seen.data[0][2:])),)
    for end, layer, line, column in seen.data:
        if end > there:
            message = f"the data of {layer}: {os.path.basename(name)} has {there} bytes, {end} are needed"
            return (error("OPK704", message, _span(seen.path, line, column)),)
    return ()
