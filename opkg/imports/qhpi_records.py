"""Static records of QHPI packages, read from their C++ text: signatures of tensors, kernels, ops."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from opkg.imports.cpp_definitions import closing, expanded, macros

_SIGNATURE = ("element_type", "layout", "storage", "mem_placement")
_KERNEL = (
    "function_name", "function", "resources", "source_destructive", "multithreaded", "variable_inputs", "variable_outputs",
    "min_inputs", "input_signature", "min_outputs", "output_signature", "cost_function", "sync_block_size",
    "precomputed_data_size", "do_precomputation_function", "function_with_precomputed_data", "predicate",
)  # fmt: skip
_OP = ("name", "num_kernels", "kernels", "early_rewrite", "shape_required", "shape_legalized", "tile_output", "build_tile",
       "late_rewrite")  # fmt: skip
FIELDS: Mapping[str, tuple[str, ...]] = {"Tensor_Signature": _SIGNATURE, "Kernel": _KERNEL, "OpInfo": _OP}
_NULLS = ("", "0", "NULL", "nullptr", "{}", "false")


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its fields as written ("" where none is given), and where it begins in the text."""

    fields: Mapping[str, str]
    offset: int

    def __getitem__(self, name: str) -> str:
        """A field; "" for null, zero, false and what is not given."""
        text = self.fields.get(name, "")
        return "" if text in _NULLS else text


@dataclass(frozen=True, slots=True)
class Array:
    """A named array of records (or one record), and its place in the text."""

    name: str
    records: tuple[Record, ...]
    start: int
    end: int


def arrays(code: str, kind: str) -> list[Array]:
    """The definitions of records of a kind (`Kernel`) in code without comments."""
    named = rf"QHPI_{kind}(?:_v\d+)?"
    pattern = re.compile(
        rf"^[ \t]*(?:(?:static|const|constexpr|inline|extern\s+\"C\")\s+)*"
        rf"(?:{named}\s+(\w+)\s*(?:\[[^\]]*\])?|std::(?:array|vector)\s*<\s*{named}[^>]*>\s+(\w+))\s*=?\s*(?=\{{)",
        re.MULTILINE,
    )
    known = macros(code)
    code = _without_branches(code)
    out: list[Array] = []
    for found in pattern.finditer(code):
        end = closing(code, found.end())
        items = [(expanded(code[at:stop], known), at) for at, stop, _ in _items(code, found.end() + 1, end - 1)]
        single = {array.name: array.records[0] for array in out if len(array.records) == 1}
        if items and all(text in single for text, _ in items):  # records of their own, by their names
            named_ones = tuple(single[text] for text, _ in items)
            out.append(Array(found[1] or found[2], named_ones, found.start(), end))
            continue
        if not all(text.startswith("{") for text, _ in items):
            items = [(expanded(code[found.end() : end], known), found.end())]  # one record, no array
        while len(items) == 1:  # braces that std::array may have besides
            text, offset = items[0]
            inner = [text[at:stop] for at, stop, _ in _items(text, 1, len(text) - 1)]
            if not inner or not all(each.startswith("{") for each in inner):
                break
            items = [(each, offset) for each in inner]
        records = tuple(_record(text, offset, FIELDS[kind]) for text, offset in items)
        semicolon = code.find(";", end)
        out.append(Array(found[1] or found[2], records, found.start(), semicolon + 1 if semicolon >= 0 else end))
    return out


_BRANCHES = re.compile(
    r"^[ \t]*#[ \t]*if(?P<test>[^\n]*)\n(?P<first>(?:(?![ \t]*#)[^\n]*\n)*)[ \t]*#[ \t]*else[^\n]*\n", re.MULTILINE
)


def _without_branches(code: str) -> str:
    """The code without directives: of two branches the second is kept where a macro that no file defines asks for the first."""

    def second(found: re.Match[str]) -> str:
        macro = re.search(r"(?:def\s+|defined\s*\(?\s*)(\w+)", found["test"])
        asked = macro is not None and "!" not in found["test"] and not found["test"].startswith("ndef")
        known = macro is not None and re.search(rf"#[ \t]*define[ \t]+{macro[1]}\b", code) is not None
        return re.sub(r"[^\n]", " ", found[0]) if asked and not known else found[0]

    code = _BRANCHES.sub(second, code)
    return re.sub(
        r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif)\b[^\n]*",
        lambda m: " " * len(m[0]),
        code,
        flags=re.MULTILINE,
    )


def _items(code: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The parts of an initializer between commas: place, and the field that a designator names."""
    at = begun = start
    quoted = False
    while at <= end:
        letter = code[at] if at < end else ","
        if letter == '"':
            quoted = not quoted
        elif letter in "({" and not quoted:
            at = closing(code, at)
            continue
        elif letter == "," and not quoted:
            text = code[begun:at]
            if text.strip():
                name = re.match(r"\s*\.\s*(\w+)\s*=\s*", text)
                first = begun + (name.end() if name is not None else len(text) - len(text.lstrip()))
                yield first, begun + len(text.rstrip()), name[1] if name is not None else ""
            begun = at + 1
        at += 1


def _record(text: str, offset: int, names: Sequence[str]) -> Record:
    fields: dict[str, str] = {}
    for number, (at, stop, name) in enumerate(_items(text, 1, len(text) - 1)):
        field = name or (names[number] if number < len(names) else "")
        fields[field] = " ".join(text[at:stop].split())
    return Record(fields, offset)


def text_value(text: str, constants: Mapping[str, str]) -> str:
    """The value of adjacent string literals and names of them: `PACKAGE "::Relu"`."""
    parts = re.findall(r'"((?:\\.|[^"\\])*)"|(\w+)', text)
    return "".join(literal or text_value(constants.get(name, ""), {}) for literal, name in parts)


def text_constants(code: str) -> dict[str, str]:
    """Macros and variables that stand for string literals."""
    defined = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+([^\n]*\"[^\n]*)$", code, re.MULTILINE)
    variables = re.findall(r"\bchar\s*(?:const\s*)?\*?\s*(?:const\s+)?(\w+)\s*(?:\[\s*\])?\s*=\s*([^;]*\"[^;]*);", code)
    return dict([*defined, *variables])
