"""Expressions of the rule language: tokens to the syntax tree. Reads what C++ reads, says where the language does not.

Never raises and never hangs: nesting and height of a tree are at most `DEEPEST`, work is linear in the text.
"""

from __future__ import annotations

from collections.abc import Sequence

from opkg.rules.syntax import Binary, Call, Name, Node, Opaque, Str, Unary
from opkg.rules.text.lexer import Faults, Token, tokenize
from opkg.rules.text.literals import read_number, read_string
from opkg.rules.text.opaque import find_angle, is_type
from opkg.rules.text.parse_foreign import ForeignReader
from opkg.rules.text.parse_state import DEEPEST, EndReached, Unreadable
from opkg.spec.diagnostics import Diagnostic
from opkg.spec.source_text import AnyText

FREE_TEXT = frozenset(("MESSAGE", "MESSAGE_IF", "MESSAGE_IFNOT", "MESSAGE_VALUE"))
# Calls whose numbers are C++ integers of any type, so that an L suffix compiles.
_LONG_IS_FINE = frozenset(
    ("gen_Shape", "ResizeDim", "WITH_MULTI_OUT", "OpMultiOut", "CHANGEDIM_SLICE", "WITH_SPLIT_HISTORY", "")
)
_PREFIX = frozenset("-+!~&*")
LEVELS = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip
_ENDS = frozenset((",", ")", "]", "}", ""))


def parse_expression(text: AnyText, start: int = 0, end: int | None = None) -> tuple[Node | None, list[Diagnostic]]:
    """The expression that text.text[start:end] is, and what is wrong with it.

    None when it is no expression; a tree with findings when only a name or number in it is at fault. Ids: OPK500 to
    OPK509.
    """
    faults = Faults(text)
    tokens, _ = tokenize(text.text, start, end)
    return parse_tokens(tokens, text, faults), faults.found


def parse_tokens(tokens: Sequence[Token], text: AnyText, faults: Faults) -> Node | None:
    """The one expression the tokens (with `end` as the last) are; None after a finding."""
    parser = Parser(tokens, text, faults)
    try:
        node = parser.expression("")
        parser.expect_end()
    except (Unreadable, EndReached):
        return None
    return None if parser.failed else node


class Parser(ForeignReader):
    """Reads nodes from tokens by recursive descent; operators by precedence."""

    # ---- calls -----------------------------------------------------------------------------------------------------

    def arguments(self, opener: Token, owner: str) -> tuple[Node, ...]:
        """Arguments up to the closing bracket, which is taken too; `self.at` is after the opening one."""
        args: list[Node] = []
        height = 0
        if self.tokens[self.at].text == ")":
            self.at += 1
            self.height = 0
            return ()
        while True:
            try:
                args.append(self.expression(owner))
                height = max(height, self.height)
                if self.tokens[self.at].text not in (",", ")"):
                    raise self.not_a_comma(args[-1])
            except Unreadable:
                self.skip()
            if self.closed(opener):
                self.height = height
                return tuple(args)

    def call(self, name: Token) -> Call:
        """`NAME(...)`, from the opening bracket on."""
        opener = self.tokens[self.at]
        self.enter(opener)
        self.at += 1
        args = self.arguments(opener, "" if self.in_macro and self.depth == 1 else name.text)
        self.depth -= 1
        self.grow(name)
        return Call(name.text, args, start=name.start, end=self.tokens[self.at - 1].end, name_end=name.end)

    # ---- expressions -----------------------------------------------------------------------------------------------

    def expression(self, owner: str, level: int = 1) -> Node:
        """One expression whose operators bind at least as strongly as `level`; `owner`: the call it is in."""
        first = self.at
        depth = self.depth
        try:
            left = self.prefixed(owner)
        finally:
            self.depth = depth
        while True:
            token = self.tokens[self.at]
            if token.kind != "punct" or token.text in _ENDS:
                return left
            operator = self._operator(token)
            strength = LEVELS.get(operator)
            if strength is None:
                return self.opaque(first) if token.text != "(" else left
            if strength < level:
                return left
            self.at += len(operator) - len(token.text) + 1
            height = self.height
            right = self.expression(owner, strength + 1)
            self.height = max(height, self.height)
            self.grow(token)
            left = Binary(operator, left, right, start=left.start, end=right.end)

    def _operator(self, token: Token) -> str:
        """`>>` is two tokens, because `f<g<T>>` closes two brackets by it."""
        after = self.tokens[self.at + 1]
        return ">>" if token.text == ">" and after.text == ">" and after.start == token.end else token.text

    def prefixed(self, owner: str) -> Node:
        """A number with its sign, another prefix operator, or an operand; prefixes are taken in a loop."""
        first = self.tokens[self.at]
        if first.kind != "punct" or first.text not in _PREFIX:
            return self.operand(owner)
        prefixes: list[Token] = []
        while (token := self.tokens[self.at]).kind == "punct" and token.text in _PREFIX:
            prefixes.append(token)
            self.at += 1
            if len(prefixes) > DEEPEST:
                raise self.fail(f"more than {DEEPEST} operators in a row", token, id="OPK508")
        node: Node
        if token.kind == "number" and prefixes[-1].text in "-+":
            sign = prefixes.pop()
            self.at += 1
            self.height = 1
            node = read_number(token, sign.text, sign.start, self.faults, self._long_is_fine(owner))
        else:
            node = self.operand(owner)
        for sign in reversed(prefixes):
            self.grow(sign)
            node = Unary(sign.text, node, start=sign.start, end=node.end)
        return node

    def operand(self, owner: str) -> Node:
        """What stands between operators."""
        token = self.tokens[self.at]
        kind = token.kind
        self.height = 1
        if kind == "name":
            return self.named(token)
        if kind == "string":
            return self.string(owner)
        if kind == "number":
            self.at += 1
            return read_number(token, "", token.start, self.faults, self._long_is_fine(owner))
        if token.text == "(" and kind == "punct":
            return self.bracketed(token, owner)
        if token.text in ("[", "{") and kind == "punct":
            return self.opaque(self.at)
        if kind == "char" or kind == "raw":
            self.at += 1
            what = "a character constant" if kind == "char" else "a raw string"
            if not self.plain:
                self.faults.add("OPK502", f"{what} is not in the rule language", token.start, token.end)
            return Opaque(token.text, start=token.start, end=token.end)
        raise self.unexpected(token, "an expression")

    def _long_is_fine(self, owner: str) -> bool:
        return self.plain or owner in _LONG_IS_FINE or is_type(owner)

    def string(self, owner: str) -> Str:
        """Adjacent string constants as one."""
        token = self.tokens[self.at]
        start, end, free = token.start, token.end, self.plain or owner in FREE_TEXT
        parts: list[str] = []
        while token.kind == "string":
            parts.append(read_string(token, self.faults, free))
            end = token.end
            self.at += 1
            token = self.tokens[self.at]
        value = parts[0] if len(parts) == 1 else "".join(parts)
        if not value and not free:
            self.faults.add("OPK507", "an empty string names nothing", start, end)
        return Str(value, start=start, end=end)

    def named(self, token: Token) -> Node:
        """A name, a call, or a name with template arguments."""
        self.at += 1
        after = self.tokens[self.at]
        if after.kind == "punct":
            if after.text == "(":
                return self.call(token)
            if after.text == "<":
                end = find_angle(self.tokens, self.at)
                if end:
                    return self.template(end)
        elif after.kind == "string" and token.end == after.start and token.text in ("L", "u", "U", "u8"):
            raise self.fail(f"strings with the prefix {token.text} are not in the rule language", token, id="OPK502")
        return Name(token.text, start=token.start, end=token.end)
