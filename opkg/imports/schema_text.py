"""The text of a torch schema: `ns::op.overload(Tensor x, int[2] k=1, *, bool flag=False) -> (Tensor y, Tensor(a!))` to a tree.

Written from the grammar as torch documents it; torch itself is not needed. Every fault has its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from opkg.spec.diagnostics import Diagnostic, Span, error, nearest
from opkg.spec.source_text import SourceText

TENSOR = "Tensor"
# what a type may be called -> what it is
TYPES = (
    "Tensor", "int", "SymInt", "float", "SymFloat", "bool", "SymBool", "Scalar", "str", "ScalarType", "Layout", "Device",
    "DeviceIndex", "MemoryFormat", "Generator", "Dimname", "complex", "Storage", "Stream", "QScheme", "t", "Any", "Dict",
    "Future", "AnyEnumType",
)  # fmt: skip
_CLASS = "__torch__"
MAX_TEXT = 8000
MAX_ARGUMENTS = 256

Value = None | bool | int | float | str | tuple["Value", ...]


@dataclass(frozen=True, slots=True)
class Name:
    """A word that stands as a default and is no literal: `Mean`, `contiguous_format`."""

    text: str


@dataclass(frozen=True, slots=True)
class SchemaType:
    """`Tensor(a!)?[]`: `base` Tensor, `mutated`, `optional_item`, `list`; `size` of `int[2]`, `optional` the whole."""

    base: str
    list: bool = False
    size: int | None = None
    optional: bool = False
    optional_item: bool = False
    alias: str = ""

    @property
    def mutated(self) -> bool:
        return "!" in self.alias

    def __str__(self) -> str:
        size = "" if self.size is None else str(self.size)
        inner = f"{self.base}{f'({self.alias})' if self.alias else ''}{'?' if self.optional_item else ''}"
        return f"{inner}{f'[{size}]' if self.list else ''}{'?' if self.optional else ''}"


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument or (with `name` "" where it has none) a result. `default`: given when `has_default`."""

    name: str
    type: SchemaType
    span: Span
    has_default: bool = False
    default: Value | Name = None
    keyword: bool = False


@dataclass(frozen=True, slots=True)
class Schema:
    """One operator."""

    namespace: str
    name: str
    overload: str
    arguments: tuple[Argument, ...]
    returns: tuple[Argument, ...]
    span: Span


class _Fault(Exception):
    def __init__(self, message: str, start: int, end: int, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.start, self.end, self.hint = message, start, end, hint


_TOKEN = re.compile(
    r"""\s*(?P<text>->|::|[A-Za-z_]\w*|-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[()\[\],=*?!|.:])""",
    re.ASCII,
)
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def parse_schema(source: SourceText) -> Schema | Diagnostic:
    """The schema that a text is, or its first fault (OPK630)."""
    try:
        return _Parser(source).schema()
    except _Fault as fault:
        return error("OPK630", fault.message, source.span(fault.start, fault.end), fault.hint)


class _Parser:
    def __init__(self, source: SourceText) -> None:
        self.source = source
        text = source.text
        if len(text) > MAX_TEXT:
            raise _Fault(f"a schema has at most {MAX_TEXT} characters", MAX_TEXT, MAX_TEXT + 1)
        self.tokens: list[tuple[str, int, int]] = []
        at = 0
        while at < len(text.rstrip()):
            found = _TOKEN.match(text, at)
            if found is None:
                start = at + len(text[at:]) - len(text[at:].lstrip())
                raise _Fault(f"'{text[start]}' has no place in a schema", start, start + 1)
            self.tokens.append((found["text"], found.start("text"), found.end("text")))
            at = found.end()
        self.at = 0
        self.end = len(text.rstrip())

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead][0] if self.at + ahead < len(self.tokens) else ""

    def place(self) -> tuple[int, int]:
        """The next token's extent; behind the last one, the text's end."""
        if self.at < len(self.tokens):
            return self.tokens[self.at][1], self.tokens[self.at][2]
        return self.end, self.end + 1

    def take(self, wanted: str) -> str:
        if self.peek() != wanted:
            raise self.fault(f"expected '{wanted}'")
        self.at += 1
        return wanted

    def word(self, what: str) -> str:
        word = self.peek()
        if not _WORD.fullmatch(word):
            raise self.fault(f"expected {what}")
        self.at += 1
        return word

    def fault(self, message: str, hint: str = "") -> _Fault:
        found = self.peek()
        return _Fault(f"{message}, found '{found}'" if found else f"{message}, the text ends", *self.place(), hint)

    def schema(self) -> Schema:
        name, namespace, overload = self.word("the op's name"), "", ""
        if self.peek() == "::":
            self.at += 1
            namespace, name = name, self.word("the op's name")
        if self.peek() == ".":
            self.at += 1
            overload = self.word("the overload's name")
        arguments = self.arguments()
        if self.peek() != "->":
            raise self.fault("expected '->'", "what it returns: -> Tensor")
        self.at += 1
        returns = self.returns()
        if self.at < len(self.tokens):
            raise self.fault("expected the end of the schema")
        return Schema(namespace, name, overload, arguments, returns, self.source.span(0, self.end))

    def arguments(self) -> tuple[Argument, ...]:
        self.take("(")
        found: list[Argument] = []
        keyword = False
        while self.peek() != ")":
            if found or keyword:
                self.take(",")
            if self.peek() == "*" and not keyword:
                self.at += 1
                keyword = True
                continue
            found.append(self.argument(keyword))
            if len(found) > MAX_ARGUMENTS:
                raise self.fault(f"more than {MAX_ARGUMENTS} arguments")
            if any(other.name == found[-1].name for other in found[:-1]):
                self.at -= 1
                raise _Fault(f"'{found[-1].name}' stands twice", *self.place(), "arguments have different names")
        self.at += 1
        return tuple(found)

    def argument(self, keyword: bool) -> Argument:
        type_ = self.type()
        start, end = self.place()
        name = self.word("the argument's name")
        if self.peek() != "=":
            return Argument(name, type_, self.source.span(start, end), keyword=keyword)
        self.at += 1
        return Argument(name, type_, self.source.span(start, end), True, self.default(), keyword)

    def returns(self) -> tuple[Argument, ...]:
        if self.peek() != "(":
            return (self.result(),)
        self.at += 1
        found: list[Argument] = []
        while self.peek() != ")":
            if found:
                self.take(",")
            found.append(self.result())
        self.at += 1
        return tuple(found)

    def result(self) -> Argument:
        start, _ = self.place()
        type_ = self.type()
        name = self.word("a name") if _WORD.fullmatch(self.peek()) else ""
        return Argument(name, type_, self.source.span(start, self.tokens[self.at - 1][2]))

    def type(self) -> SchemaType:
        """`Tensor(a!)?`, `int[2]?`, `Tensor?[]`."""
        start, end = self.place()
        base = self.word("a type")
        while base.startswith(_CLASS) and self.peek() == ".":  # __torch__.torch.classes.xnnpack.LinearOpContext
            self.at += 1
            base = f"{base}.{self.word('a name')}"
        if base not in TYPES and not base.startswith(_CLASS):
            near = nearest(base, TYPES)
            hint = (
                f"did you mean '{near}'?"
                if near
                else "Tensor, Tensor?, Tensor[], int, float, bool, int[2], Scalar, str"
            )
            raise _Fault(f"'{base}' is no type of a schema", start, end, hint)
        if base == "Dict":
            self.dict_types()
        alias = self.alias()
        optional_item = optional = listed = False
        size: int | None = None
        if self.peek() == "?":
            self.at += 1
            optional = True
        if self.peek() == "[":
            self.at += 1
            if self.peek() != "]":
                size = self.size()
            self.take("]")
            listed, optional_item, optional = True, optional, False
            alias = alias or self.alias()
            if self.peek() == "?":
                self.at += 1
                optional = True
        return SchemaType(base, listed, size, optional, optional_item, alias)

    def dict_types(self) -> None:
        """`(Tensor, t)`: types of keys and values, of which nothing is made."""
        self.take("(")
        self.type()
        self.take(",")
        self.type()
        self.take(")")

    def size(self) -> int:
        if not re.fullmatch(r"[0-9]{1,4}", self.peek()) or int(self.peek()) == 0:
            raise self.fault("expected the length of the list", "int[2], or int[] for any length")
        self.at += 1
        return int(self.tokens[self.at - 1][0])

    def alias(self) -> str:
        """`(a!)`, `(a -> *)`, `(a|b)`: what stands in the brackets."""
        if self.peek() != "(" or not re.fullmatch(r"[A-Za-z]\w*|\*", self.peek(1)):
            return ""
        start = self.at
        while self.peek() != ")":
            if self.at >= len(self.tokens) or (self.at > start and not re.fullmatch(r"\w+|[*!|]|->", self.peek())):
                raise self.fault("expected ')'", "an alias is written Tensor(a!)")
            self.at += 1
        self.at += 1
        return " ".join(token for token, _, _ in self.tokens[start + 1 : self.at - 1]).replace(" !", "!")

    def default(self) -> Value | Name:
        word = self.peek()
        if word == "[":
            return self.list_default()
        if not word or word in "(),]=*?!|.:" or word in ("->", "::"):
            raise self.fault("expected a default")
        self.at += 1
        if word in ("True", "False"):
            return word == "True"
        if word == "None":
            return None
        if _NUMBER.fullmatch(word):
            return int(word) if re.fullmatch(r"-?\d+", word) else float(word)
        return word[1:-1] if word[0] in "'\"" else Name(word)

    def list_default(self) -> tuple[Value, ...]:
        self.take("[")
        items: list[Value] = []
        while self.peek() != "]":
            if items:
                self.take(",")
            item = self.default()
            if isinstance(item, Name | tuple):
                raise self.fault("expected numbers in a list")
            items.append(item)
        self.at += 1
        return tuple(items)
