"""C++ source to a document: finds the macro calls of op packages, as the published text's external tool does."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import PurePath

from opkg.rules.syntax import Comment, Document, Front, Item
from opkg.rules.text.lexer import Faults, Token, tokenize
from opkg.rules.text.parse_rule import MACROS, RULE_MACROS, read_macro
from opkg.spec.diagnostics import Diagnostic, sort_key
from opkg.spec.source_text import SourceText

_PUBLISHED = ("DEF_PACKAGE_OPTIMIZATION", "DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS")
_KNOWN = frozenset(name for name in MACROS if not name.startswith("__"))
_DEFINE = re.compile(r"#\s*define\s+([A-Za-z_]\w*)(\(?)([\s\S]*)")
_IF_ZERO = re.compile(r"#\s*if\s+(?:0|false)\b")
_CONDITIONAL = re.compile(r"#\s*(if|ifdef|ifndef|elif|else|endif)\b")
_MACRO_NAME = re.compile(r"[A-Z][A-Z0-9_]+")
_WORD = re.compile(r"[A-Za-z_]\w*")
_PACKAGE_NAME = re.compile(r"[A-Za-z_][\w.-]*")
_EXTERNAL = re.compile(r":::EXTERNAL_SHAPEFN:::[ \t]*\{?[ \t]*([^\n}]*)")
_FUNCTION = re.compile(r"([A-Za-z_]\w*)\s*\(")
MOST_NOTES = 1000  # of one file


def parse_cpp(source: str, path: str, package: str = "") -> tuple[Document, list[Diagnostic]]:
    """The rules and declarations in C++ source, in order, and findings (OPK500 to OPK514), sorted by place.

    What stands between macro calls is ignored, so are comments, strings, directives and what `#if 0` leaves out. A
    call that cannot be read gives findings and is left out; reading goes on at the next macro. `package` is the
    package's name when the source does not define THIS_PKG_NAME.
    """
    scan = _Scan(source, path, package)
    scan.run()
    findings = sorted(scan.findings + scan.faults.found, key=sort_key)
    document = Document(
        path, Front.CPP, scan.package, tuple(scan.items), tuple(scan.inner_comments()), tuple(scan.external())
    )
    return document, findings


class Names:
    """Names given so far: `a_3`, `a_3_2`."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    def fresh(self, base: str) -> str:
        """The base, numbered from its second use on."""
        number = self.counts[base] = self.counts.get(base, 0) + 1
        return base if number == 1 else f"{base}_{number}"


class _Scan:
    """One walk over the tokens of a file."""

    def __init__(self, source: str, path: str, package: str) -> None:
        self.text = SourceText(path, source)
        self.source = source
        self.tokens, self.comments = tokenize(source)
        self.package = package
        self.stem = PurePath(path).stem or "rule"
        self.faults = Faults(self.text, MOST_NOTES)
        self.findings: list[Diagnostic] = []
        self.items: list[Item] = []
        self.names = Names()
        self.wrappers: dict[str, str] = {}  # macros of the file that hold one of ours -> which

    def run(self) -> None:
        at, depth, outer = 0, 0, -1  # outer: the name before the outermost open bracket
        while self.tokens[at].kind != "end":
            token = self.tokens[at]
            if token.kind == "directive":
                at = self._directive(at)
                continue
            if token.kind == "name":
                if token.text in _KNOWN:
                    at, depth, outer = self._call(at), 0, -1
                    continue
                if self.tokens[at + 1].text == "(":
                    outer = at if depth == 0 else outer
                    if token.text in self.wrappers or (outer >= 0 and self._is_match(at)):
                        self._hidden(self.tokens[at if token.text in self.wrappers else outer])
                        outer = -1
            elif token.kind == "punct":
                depth = max(depth + (token.text == "(") - (token.text == ")"), 0)
            at += 1

    def _is_match(self, at: int) -> bool:
        """Whether an op is matched or built here: `Op("..."`."""
        return self.tokens[at].text in ("Op", "OpVarIn") and self.tokens[at + 2].kind == "string"

    # ---- directives ------------------------------------------------------------------------------------------------

    def _directive(self, at: int) -> int:
        """Notes what a directive defines; index after it, and after what `#if 0` leaves out."""
        token = self.tokens[at]
        found = _DEFINE.match(token.text)
        if found is not None:
            self._define(found.group(1), found.group(3))
        if _IF_ZERO.match(token.text):
            return self._left_out(at + 1)
        return at + 1

    def _define(self, name: str, body: str) -> None:
        words = _WORD.findall(body)
        package = _PACKAGE_NAME.search(body) if name == "THIS_PKG_NAME" else None
        if package is not None:
            self.package = package.group()
        if name in _KNOWN:
            return
        for word in words:
            if word in _KNOWN or word in self.wrappers:
                self.wrappers[name] = self.wrappers.get(word, word)
                return
        self.wrappers.pop(name, None)

    def _left_out(self, at: int) -> int:
        """Index after the directive that ends what `#if 0` began."""
        depth = 0
        while (token := self.tokens[at]).kind != "end":
            at += 1
            found = _CONDITIONAL.match(token.text) if token.kind == "directive" else None
            if found is None:
                continue
            word = found.group(1)
            if word.startswith("if"):
                depth += 1
            elif depth == 0:
                return at
            elif word == "endif":
                depth -= 1
        return at

    def _hidden(self, token: Token) -> None:
        if token.text in self.wrappers:
            message = f"'{token.text}' is a macro that holds {self.wrappers[token.text]}: what it makes is not read"
        elif _MACRO_NAME.fullmatch(token.text):
            message = f"'{token.text}' may be a macro that makes a rule, and is not defined here: it is not read"
        else:
            return
        self.faults.info("OPK514", message, token.start, token.end, "use --preprocess to read the source after -E")

    # ---- macro calls -----------------------------------------------------------------------------------------------

    def _call(self, at: int) -> int:
        """Reads the macro call at `at`; index of the token to go on with."""
        head, opener = self.tokens[at], self.tokens[at + 1]
        if opener.text != "(":
            self.faults.add("OPK511", f"'(' is expected after {head.text}", head.start, head.end)
            return at + 1
        end, closed = self._end(at + 1)
        stop = self.tokens[end - 1].end
        tokens = [*self.tokens[at:end], Token("end", "", stop, stop)]
        self._layout(head, opener)
        faults = Faults(self.text)
        item = read_macro(tokens, self.text, self._name(head), faults)
        self.findings.extend(faults.found)
        if item is not None:
            self.items.append(item)
        if closed:
            self._follows(self.tokens[end], head)
        return end

    def _end(self, at: int) -> tuple[int, bool]:
        """Index after the bracket that closes the one at `at`, and True; else of the next macro or the end. The
        preprocessor counts round brackets only."""
        depth = 0
        while (token := self.tokens[at]).kind != "end":
            if token.kind == "punct":
                depth += (token.text == "(") - (token.text == ")")
                if depth == 0:
                    return at + 1, True
            elif token.kind == "name" and token.text in _KNOWN and self.tokens[at + 1].text == "(":
                return at, False
            at += 1
        return at, False

    def _layout(self, head: Token, opener: Token) -> None:
        """The published text wants rules at the start of a line, for tools that search lines."""
        if head.text not in _PUBLISHED:
            return
        at_start = head.start == 0 or self.source[head.start - 1] == "\n"
        if not at_start or "\n" in self.source[head.end : opener.start]:
            message = "the macro's name and its '(' do not stand at the start of one line"
            hint = "tools that search lines, as the published grammar allows them to, will not find this rule"
            self.faults.info("OPK513", message, head.start, head.end, hint)

    def _follows(self, token: Token, head: Token) -> None:
        if token.kind == "punct" and token.text in ("(", ","):
            message = f"'{token.text}' follows the ')' that closes {head.text}"
            self.faults.add("OPK512", message, token.start, token.end, "is a ')' too many before it?")

    def _name(self, head: Token) -> str:
        """A name for a rule: file and line, numbered when a line has several."""
        if head.text not in RULE_MACROS:
            return ""
        return self.names.fresh(f"{self.stem}_{self.text.position(head.start)[0]}")

    # ---- comments --------------------------------------------------------------------------------------------------

    def inner_comments(self) -> list[Comment]:
        """The comments inside declarations, in order."""
        starts = [comment.start for comment in self.comments]
        found: list[Comment] = []
        for item in self.items:
            first, last = bisect_left(starts, item.start), bisect_left(starts, item.end)
            found += [Comment(c.text, start=c.start, end=c.end) for c in self.comments[first:last]]
        return found

    def external(self) -> list[tuple[str, str]]:
        """Names and annotations of external functions, in order."""
        return external_functions(self.comments)


def external_functions(comments: Sequence[Token]) -> list[tuple[str, str]]:
    """Functions that `:::EXTERNAL_SHAPEFN::: { type name(types); }` comments annotate: (name, signature)."""
    found: dict[str, str] = {}
    for comment in comments:
        for annotation in _EXTERNAL.finditer(comment.text):
            signature = annotation.group(1).partition(";")[0].strip()
            function = _FUNCTION.search(signature)
            if function is not None:
                found.setdefault(function.group(1), signature)
    return list(found.items())
