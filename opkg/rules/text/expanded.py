"""Rules as the compiler's -E shows them: user macros are expanded then. The SDK's headers have switches for it.

With -DDEF_OPT_COMPILE a rule becomes `__def_opt__(priority, flags, match, constraint, replacement)<<<file, line>>>`, with
-DDTP_COMPILE tensor properties `__dtp__(...)<<<...>>>`, with -DOP_REG_COMPILE a kernel `__reg_op__(function, "op")<<<...>>>`
(facts/rules.md, section 3).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path, PurePath

from opkg.rules.passes import pass_name, pass_value
from opkg.rules.syntax import Binary, Declaration, Document, Float, Front, Int, Item, Name, Node, Paren, Rule, Unary
from opkg.rules.text.cpp import Names, external_functions
from opkg.rules.text.lexer import Faults, Token, tokenize
from opkg.rules.text.parse_rule import read_macro
from opkg.spec.diagnostics import Diagnostic, MissingTool, OpkgError, Severity, Span, error, sort_key
from opkg.spec.source_text import MappedText, SourceText

SWITCHES = ("-DDEF_OPT_COMPILE", "-DDTP_COMPILE", "-DOP_REG_COMPILE")
HEADERS = Path(__file__).resolve().parents[2] / "sim" / "include"
_SECONDS = 60
_PACKAGE = "__opkg_package__"
_BEGIN = re.compile(r"(?<![A-Za-z0-9_])__(?:def_opt|dtp|reg_op)__\s*\(")
_END = re.compile(r"\)\s*+<<<\s*+(?:\"((?:[^\"\n\\]|\\.){0,4096})\"|([^\"\n,<>]{0,4096}+))\s*+,\s*+([0-9]{1,9})\s*+>>>")
# What FROM_DEFAULT_PACKAGE("Relu") becomes with the SDK's own headers.
_CORE_NAME = re.compile(
    r"(?:::)?(?:hnnx\s*::\s*)?\bget_opname_with_default_pkg_prefix\s*\(\s*(\"[^\"\n]*\")\s*\)\s*\.\s*c_str\s*\(\s*\)"
)
_NAMES = {"__dtp__": "DEF_TENSOR_PROPERTIES", "__reg_op__": "DEF_PACKAGE_OP"}
_MARKER = re.compile(r"^[ \t]*#(?: |line)[^\n]*\n", re.MULTILINE)  # a line marker
_MOST_BYTES = 16 * 1024 * 1024  # of a source file
_MOST_CALLS = 20  # of a line that are compared with an expansion
_MOST_TOKENS = 1500  # of a call that is compared with its source token by token


# ---- running the compiler ------------------------------------------------------------------------------------------


def preprocess(path: str, options: Sequence[str] = ()) -> str:
    """What $CXX, g++ or clang++ make of a C++ file with -E; `options` are the compiler's (-I, -D). Folders given come
    before opkg's own headers. Raises MissingTool without a compiler, OpkgError when it fails (both OPK515).
    """
    wanted = os.environ.get("CXX")
    names = (wanted,) if wanted else ("g++", "clang++")
    compiler = next((found for name in names if (found := shutil.which(name))), None)
    if compiler is None:
        what = f"$CXX ({wanted})" if wanted else "C++ compiler (g++ or clang++)"
        raise MissingTool([error("OPK515", f"no {what} found", Span(path), "apt-get install g++")])
    whole = os.path.abspath(path)
    quoted = whole.replace("\\", "\\\\")
    source = f'#include "{quoted}"\n{_PACKAGE} THIS_PKG_NAME\n'
    if '"' in whole or "\n" in whole:
        raise OpkgError([error("OPK515", "a path with quotes or line breaks cannot be preprocessed", Span(path))])
    command = [compiler, "-x", "c++", "-std=c++17", "-E", "-P", *SWITCHES, *options, "-idirafter", str(HEADERS), "-"]
    try:
        ran = subprocess.run(command, input=source.encode(), capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, ValueError, subprocess.TimeoutExpired) as failure:
        raise OpkgError([error("OPK515", f"the preprocessor did not run: {failure}", Span(path))]) from failure
    if ran.returncode != 0:
        raise OpkgError([_failure(ran.stderr.decode("utf-8", "replace"), path, whole)])
    return ran.stdout.decode("utf-8", "surrogateescape")


def _failure(output: str, path: str, whole: str) -> Diagnostic:
    """The compiler's first error, at its place."""
    found = re.search(r"^(.*?):([0-9]+)(?::([0-9]+))?: (?:fatal )?error: (.*)$", output, re.MULTILINE)
    if found is None:
        last = output.strip().splitlines()
        return error("OPK515", f"the preprocessor failed: {last[-1] if last else 'it says nothing'}", Span(path))
    line, column = int(found.group(2)), int(found.group(3) or 1)
    where = path if os.path.abspath(found.group(1)) == whole else found.group(1)
    if where == "<stdin>":
        return error("OPK515", f"the preprocessor says: {found.group(4)}", Span(path))
    hint = "give the folders of your headers with -I" if "No such file" in found.group(4) else ""
    return error(
        "OPK515", f"the preprocessor says: {found.group(4)}", Span(where, line, column, line, column + 1), hint
    )


# ---- reading what it gives -----------------------------------------------------------------------------------------


def parse_expanded(text: str, path: str) -> tuple[Document, list[Diagnostic]]:
    """The rules and declarations in the preprocessor's output, in order, and findings (OPK500 to OPK511).

    Places are those of the source that the output names, token by token when that file can be read, else its line.
    `path`: the file that was preprocessed.
    """
    text = _CORE_NAME.sub(r"FROM_DEFAULT_PACKAGE(\1)", text)
    sources = _Sources(path)
    items: list[Item] = []
    findings: list[Diagnostic] = []
    names = Names()
    begins = [found.start() for found in _BEGIN.finditer(text)]
    for end in _END.finditer(text):
        number = bisect_right(begins, end.start()) - 1
        if number < 0:
            continue
        call = text[begins[number] : end.start() + 1]
        del begins[number]
        file = end.group(1) if end.group(1) is not None else end.group(2).strip()
        mapped, line = sources.mapped(call, file, int(end.group(3)))
        item = _item(mapped, names.fresh(f"{PurePath(mapped.path).stem}_{line}"), findings)
        items.extend([] if item is None else [item])
    if begins:
        message = f"{len(begins)} macro calls in the preprocessor's output are not followed by <<<file, line>>>"
        findings.append(error("OPK515", message, Span(path), "the include folders may be of two different SDKs"))
    package = re.search(rf"^{_PACKAGE} \"?([A-Za-z_][\w.-]*)", text, re.MULTILINE)
    name = package.group(1) if package is not None and package.group(1) != "THIS_PKG_NAME" else ""
    document = Document(path, Front.EXPANDED, name, tuple(items), (), tuple(sources.external()))
    return document, sorted(findings, key=sort_key)


def _item(text: MappedText, name: str, findings: list[Diagnostic]) -> Item | None:
    """The call, under the name of the macro it came from; the flags 0 of a rule without flags are left out."""
    faults = Faults(text)
    tokens, _ = tokenize(text.text)
    item = read_macro(tokens, text, name, faults)
    findings.extend(faults.found)
    if isinstance(item, Declaration):
        return replace(item, macro=_NAMES[item.macro])
    if not isinstance(item, Rule):
        return item
    no_flags = isinstance(item.flags, Int) and item.flags.text == "0"
    return replace(item, flags=None if no_flags else item.flags, pass_=_named(item.pass_))


def _named(node: Node | None) -> Node | None:
    """A pass that -E made a number of, by its name again."""
    if node is None or _has_names(node):
        return node
    value = pass_value(node)
    if value.priority is None or any(problem.severity is Severity.ERROR for problem in value.problems):
        return node
    name, _, offset = pass_name(value.priority).partition(" + ")
    at = {"start": node.start, "end": node.end}
    known = Name(name, **at)
    return Binary("+", known, Int(offset, int(offset), False, **at), **at) if offset else known


def _has_names(node: Node) -> bool:
    match node:
        case Binary():
            return _has_names(node.left) or _has_names(node.right)
        case Unary():
            return _has_names(node.operand)
        case Paren():
            return _has_names(node.inner)
    return not isinstance(node, Int | Float)


class _Sources:
    """The files that rules came from, read once; the one that was preprocessed keeps the name it was given."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.files: dict[str, _File] = {}

    def file(self, name: str) -> _File:
        """A file; empty when it cannot be read."""
        if name not in self.files:
            path = self.path if os.path.abspath(name) == os.path.abspath(self.path) else name
            try:
                fits = os.path.isfile(name) and os.path.getsize(name) <= _MOST_BYTES  # no device, no pipe
                data = Path(name).read_bytes() if fits else b""
                source = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
            except (OSError, ValueError):
                source = ""
            self.files[name] = _File(SourceText(path, source))
        return self.files[name]

    def external(self) -> list[tuple[str, str]]:
        """External functions that comments of the files annotate."""
        return [found for file in self.files.values() for found in external_functions(file.comments)]

    def mapped(self, text: str, name: str, line: int) -> tuple[MappedText, int]:
        """An expanded call with the places of the call in the source it came from, and the line that one begins on."""
        text = _MARKER.sub("", text)
        file = self.file(name.replace("\\\\", "\\"))
        expanded, _ = tokenize(text)
        call = file.take(line, {token.text for token in expanded})
        if call is None:
            return MappedText(text, SourceText(file.text.path, "", line), ()), line
        tokens = file.tokens[call[0] : call[1]]
        return MappedText(text, file.text, _pieces(expanded, tokens)), file.text.position(tokens[0].start)[0]


class _File:
    """A source file and its calls `NAME(...)` that stand in no other brackets."""

    def __init__(self, text: SourceText) -> None:
        self.text = text
        self.tokens, self.comments = tokenize(text.text)
        self.calls: list[tuple[int, int]] = []  # first token, token after the last
        self.by_line: dict[int, list[int]] = {}  # calls that begin or end on a line
        self.lines_of: list[set[int]] = []
        begun, depth = -1, 0
        for index, token in enumerate(self.tokens):
            if token.kind != "punct" or token.text not in ("(", ")"):
                continue
            if token.text == "(":
                begun = index - 1 if depth == 0 else begun
                depth += 1
            elif depth > 0:
                depth -= 1
                if depth == 0 and begun >= 0 and self.tokens[begun].kind == "name":
                    self._add(begun, index)

    def _add(self, first: int, last: int) -> None:
        lines = {self.text.position(self.tokens[index].start)[0] for index in (first, last)}
        for line in lines:
            self.by_line.setdefault(line, []).append(len(self.calls))
        self.lines_of.append(lines)
        self.calls.append((first, last + 1))

    def take(self, line: int, words: set[str]) -> tuple[int, int] | None:
        """The call on a line that has most words in common, each taken once; compilers give a call the line of its name
        or of its last bracket."""
        numbers = self.by_line.get(line, [])
        best, most = None, 0
        for number in numbers[:_MOST_CALLS]:
            first, last = self.calls[number]
            common = sum(1 if token.text in words else -1 for token in self.tokens[first + 1 : last])
            if best is None or common > most:
                best, most = number, common
        if best is None:
            return None
        for other in self.lines_of[best]:
            self.by_line[other].remove(best)
        return self.calls[best]


def _pieces(expanded: list[Token], source: list[Token]) -> tuple[tuple[int, int, int, bool], ...]:
    """Where each token of an expansion came from: tokens that are in both at the same turn, and what is between them."""
    whole = source[0].start, source[-1].end
    if len(expanded) + len(source) > _MOST_TOKENS:
        return ((0, *whole, False),)
    matcher = SequenceMatcher(None, [t.text for t in source], [t.text for t in expanded], autojunk=False)
    pieces: list[tuple[int, int, int, bool]] = []
    for kind, first, last, start, stop in matcher.get_opcodes():
        if kind == "equal":
            pairs = zip(expanded[start:stop], source[first:last], strict=True)
            pieces += [(made.start, token.start, token.end, True) for made, token in pairs]
        elif start < stop:
            from_ = source[first:last] or source[first : first + 1] or source[-1:]
            pieces += [(made.start, from_[0].start, from_[-1].end, False) for made in expanded[start:stop]]
    return tuple(pieces)
