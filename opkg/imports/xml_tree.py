"""XML as a tree of elements with places; nothing is expanded, nothing is fetched: a document type or an entity is refused."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from opkg.imports.read import source_bytes
from opkg.spec.diagnostics import Diagnostic, Span, error

MAX_DEPTH = 32
MAX_ELEMENTS = 200_000
MAX_TEXT = 20_000


@dataclass(slots=True)
class Element:
    """One element: `text` is all text directly inside it, without blanks at its ends; `raw` with them.

    `span`: its name in the start tag; `place`: where its text begins, else `span`.
    """

    name: str
    attributes: dict[str, str]
    span: Span
    children: list[Element] = field(default_factory=list)
    raw: str = ""
    place: Span = Span("")
    attribute_spans: dict[str, Span] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return " ".join(self.raw.split())

    def all(self, name: str) -> Iterator[Element]:
        return (child for child in self.children if child.name == name)

    def first(self, name: str) -> Element | None:
        return next(self.all(name), None)

    def words(self, name: str) -> str:
        """The text of the first child of that name."""
        found = self.first(name)
        return found.text if found is not None else ""


class _Refused(Exception):
    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


def read_xml(path: str) -> Element | Diagnostic:
    """The root element of a file, or why there is none (OPK623). Raises OpkgError for a file that cannot be read."""
    return parse_xml(source_bytes(path), path.replace(os.sep, "/"))


def parse_xml(data: bytes, path: str) -> Element | Diagnostic:
    """As `read_xml`, of bytes."""
    builder = _Builder(data, path)
    parser = builder.parser
    try:
        parser.Parse(data, True)
    except _Refused as refused:
        return error("OPK623", refused.message, builder.here(1), refused.hint)
    except expat.ExpatError as failure:
        line, column = failure.lineno, failure.offset + 1
        words = expat.errors.messages.get(failure.code, "no XML")
        return error("OPK623", f"this is no XML: {words}", Span(path, line, column, line, column + 1))
    except (ValueError, LookupError) as failure:  # an encoding that Python does not know
        return error("OPK623", f"this is no XML: {failure}", Span(path))
    assert builder.root is not None
    return builder.root


class _Builder:
    """What expat tells, as a tree."""

    def __init__(self, data: bytes, path: str) -> None:
        self.data, self.path = data, path
        self.root: Element | None = None
        self.stack: list[Element] = []
        self.count = 0
        parser = self.parser = expat.ParserCreate()
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.StartDoctypeDeclHandler = self.doctype
        parser.EntityDeclHandler = self.doctype

    def here(self, width: int) -> Span:
        line, column = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        return Span(self.path, line, column, line, column + width)

    def doctype(self, *_: object) -> None:
        hint = "delete the <!DOCTYPE ...>: entities are never expanded"
        raise _Refused("a document type: such files can stand for more than they hold", hint)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > MAX_ELEMENTS:
            raise _Refused(f"more than {MAX_ELEMENTS} elements")
        if len(self.stack) >= MAX_DEPTH:
            raise _Refused(f"nested more than {MAX_DEPTH} levels deep")
        span = self.here(len(name) + 1)
        span = span._replace(column=span.column + 1)
        element = Element(name, attributes, span, attribute_spans=self.attribute_places(attributes))
        if self.stack:
            self.stack[-1].children.append(element)
        else:
            self.root = element
        self.stack.append(element)

    def attribute_places(self, attributes: dict[str, str]) -> dict[str, Span]:
        """Where attributes stand: their names, looked for in the start tag as it is written."""
        if not attributes:
            return {}
        at = self.parser.CurrentByteIndex
        tag = self.data[at : self.data.find(b">", at) + 1 or len(self.data)].decode("utf-8", "replace")
        out = {}
        for name in attributes:
            offset = max(tag.find(f"{name}="), tag.find(f"{name} "), 0)
            before = tag[:offset]
            line = self.parser.CurrentLineNumber + before.count("\n")
            first = self.parser.CurrentColumnNumber + 1 if "\n" not in before else 1
            column = first + len(before.rpartition("\n")[2])
            out[name] = Span(self.path, line, column, line, column + len(name))
        return out

    def end(self, name: str) -> None:
        element = self.stack.pop()
        if not element.place.path:
            element.place = element.span

    def characters(self, text: str) -> None:
        element = self.stack[-1]
        if len(element.raw) + len(text) > MAX_TEXT:
            raise _Refused(f"<{element.name}> has more than {MAX_TEXT} characters")
        if not element.place.path and text.strip():
            blank = len(text) - len(text.lstrip())
            here = self.here(len(text.strip()))
            element.place = here._replace(column=here.column + blank, end_column=here.end_column + blank)
        element.raw += text
