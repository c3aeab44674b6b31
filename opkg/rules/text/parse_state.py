"""What every reader of rule text shares: the tokens, where it is, its findings, and how it goes on after one."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.rules.syntax import Name, Node, Str
from opkg.rules.text.lexer import Faults, Token, shown
from opkg.rules.text.opaque import BRACKETS, CLOSERS
from opkg.spec.source_text import AnyText

DEEPEST = 100


class Unreadable(Exception):
    """What stands here cannot be read (the finding is made): go on at the next argument."""


class EndReached(Exception):
    """The text ended inside brackets (the finding is made)."""


class Reader:
    """Tokens and a place in them. `in_macro`: arguments of the outermost call are the preprocessor's; `plain`: they are
    C++, not rules, so that casts, blanks in strings and the like are in order."""

    def __init__(
        self, tokens: Sequence[Token], text: AnyText, faults: Faults, in_macro: bool = False, plain: bool = False
    ) -> None:
        self.tokens = tokens
        self.text = text
        self.faults = faults
        self.in_macro = in_macro
        self.plain = plain
        self.at = 0
        self.depth = 0  # of brackets
        self.height = 0  # of the node read last
        self.failed = False  # a node could not be read

    def fail(self, message: str, token: Token, hint: str = "", id: str = "OPK500") -> Unreadable:
        """Makes the finding; to be raised."""
        self.failed = True
        self.faults.add(id, message, token.start, max(token.end, token.start + 1), hint)
        return Unreadable()

    def unexpected(self, token: Token, wanted: str) -> Exception:
        """The finding for a token that can begin or follow nothing here."""
        kind = token.kind
        if kind == "end":
            if self.depth:  # the bracket that is open is reported
                return Unreadable()
            return self.fail(f"the text ends where {wanted} is expected", token)
        if kind.startswith("open_"):
            what = {"open_string": "string", "open_comment": "comment"}.get(kind, "raw string")
            self.fail(f"this {what} is not closed", Token(kind, "", token.start, token.start + 1), id="OPK501")
            return EndReached()
        if kind == "bad":
            what = "this" if not token.text.isprintable() else f"'{shown(token.text)}'"
            return self.fail(f"{what} is no character of the language", token, id="OPK502")
        if kind == "directive":
            return self.fail("a preprocessor directive cannot stand inside a rule", token, id="OPK502")
        if token.text == ")" and self.depth:
            return self.fail(f"{wanted} is expected before this ')'", token)
        if token.text in ("]", "}", ")"):
            return self.fail(f"this '{token.text}' closes nothing", token, id="OPK501")
        return self.fail(f"{wanted} is expected, not '{shown(token.text)}'", token)

    def expect_end(self) -> None:
        """Nothing may follow."""
        token = self.tokens[self.at]
        if token.kind == "end":
            return
        if token.text == ",":
            raise self.fail("a ',' cannot stand here: this is one expression", token)
        raise self.unexpected(token, "the end")

    def unclosed(self, opener: Token) -> EndReached:
        """The finding for a bracket that the text does not close."""
        self.failed = True
        token = self.tokens[self.at]
        if token.kind.startswith("open_"):
            self.unexpected(token, "")
        else:
            message = f"this '{opener.text}' is not closed"
            closer = BRACKETS.get(opener.text, ")")
            self.faults.add("OPK501", message, opener.start, opener.end, f"a '{closer}' is missing")
        return EndReached()

    def skip(self) -> None:
        """To the `,` or closing bracket that ends the argument at hand, over whole brackets."""
        depth = 0
        while True:
            token = self.tokens[self.at]
            text = token.text if token.kind == "punct" else ""
            if token.kind == "end" or token.kind.startswith("open_") or (depth == 0 and text in (",", ")")):
                return
            if text in BRACKETS:
                depth += 1
            elif text in CLOSERS and depth > 0:
                depth -= 1
            self.at += 1

    def leave_bracket(self, opener: Token) -> None:
        """Past the closing bracket of the brackets at hand."""
        self.skip()
        while not self.closed(opener):
            self.skip()

    def closed(self, opener: Token) -> bool:
        """Past the comma or closing bracket at hand; whether it was the bracket."""
        token = self.tokens[self.at]
        if token.kind == "end" or token.kind.startswith("open_"):
            raise self.unclosed(opener)
        self.at += 1
        return token.text == ")"

    def not_a_comma(self, before: Node) -> Exception:
        token = self.tokens[self.at]
        if token.kind in ("string", "name", "number", "char", "raw") or token.text == "(":
            hint = "is a ',' missing before it?"
            if (isinstance(before, Str) and token.kind == "name") or (
                isinstance(before, Name) and token.kind == "string"
            ):
                hint = "a ',' is missing; or, if the name is a macro that gives a string, use --preprocess"
            return self.fail(f"'{shown(token.text)}' cannot follow what stands before it", token, hint)
        return self.unexpected(token, "',' or ')'")

    def enter(self, token: Token) -> None:
        """One level of brackets more, if there may be one."""
        if self.depth >= DEEPEST:
            raise self.fail(f"brackets are nested deeper than {DEEPEST}", token, id="OPK508")
        self.depth += 1

    def grow(self, token: Token) -> None:
        """The node made is one higher than what is in it."""
        self.height += 1
        if self.height > DEEPEST:
            raise self.fail(f"more than {DEEPEST} operators or brackets in each other", token, id="OPK508")
