"""Expressions of the rule language: tokens to the syntax tree. Reads what C++ reads, says where the language does not.

Never raises and never hangs: nesting and height of a tree are at most `DEEPEST`, work is linear in the text.
"""

from __future__ import annotations

from collections.abc import Sequence

from opkg.rules.lexer import Faults, Token, shown, tokenize
from opkg.rules.literals import read_number, read_string
from opkg.rules.opaque import BRACKETS, CLOSERS, TYPE_WORDS, find_angle, flat_text, is_type, run_end
from opkg.rules.syntax import Binary, Call, Name, Node, Opaque, Paren, Str, Unary
from opkg.spec.diagnostics import Diagnostic
from opkg.spec.source_text import AnyText

DEEPEST = 100
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


class Unreadable(Exception):
    """What stands here cannot be read (the finding is made): go on at the next argument."""


class EndReached(Exception):
    """The text ended inside brackets (the finding is made)."""


class Parser:
    """Reads nodes from tokens by recursive descent; operators by precedence."""

    def __init__(self, tokens: Sequence[Token], text: AnyText, faults: Faults) -> None:
        self.tokens = tokens
        self.text = text
        self.faults = faults
        self.at = 0
        self.depth = 0
        self.height = 0  # of the node read last
        self.failed = False  # a node could not be read
        self.in_macro = False  # arguments of the outermost call are the preprocessor's

    # ---- errors ----------------------------------------------------------------------------------------------------

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
                    raise self._not_a_comma(args[-1])
            except Unreadable:
                self.skip()
            token = self.tokens[self.at]
            if token.kind == "end" or token.kind.startswith("open_"):
                raise self.unclosed(opener)
            self.at += 1
            if token.text == ")":
                self.height = height
                return tuple(args)

    def _not_a_comma(self, before: Node) -> Exception:
        token = self.tokens[self.at]
        if token.kind in ("string", "name", "number", "char", "raw") or token.text == "(":
            hint = "is a ',' missing before it?"
            if (isinstance(before, Str) and token.kind == "name") or (
                isinstance(before, Name) and token.kind == "string"
            ):
                hint = "a ',' is missing; or, if the name is a macro that gives a string, use --preprocess"
            return self.fail(f"'{shown(token.text)}' cannot follow what stands before it", token, hint)
        return self.unexpected(token, "',' or ')'")

    def call(self, name: Token) -> Call:
        """`NAME(...)`, from the opening bracket on."""
        opener = self.tokens[self.at]
        self.enter(opener)
        self.at += 1
        args = self.arguments(opener, name.text)
        self.depth -= 1
        self.grow(name)
        return Call(name.text, args, start=name.start, end=self.tokens[self.at - 1].end, name_end=name.end)

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
            return self.bracketed(token)
        if token.text in ("[", "{") and kind == "punct":
            return self.opaque(self.at)
        if kind == "char" or kind == "raw":
            self.at += 1
            what = "a character constant" if kind == "char" else "a raw string"
            self.faults.add("OPK502", f"{what} is not in the rule language", token.start, token.end)
            return Opaque(token.text, start=token.start, end=token.end)
        raise self.unexpected(token, "an expression")

    @staticmethod
    def _long_is_fine(owner: str) -> bool:
        return owner in _LONG_IS_FINE or is_type(owner)

    def string(self, owner: str) -> Str:
        """Adjacent string constants as one."""
        token = self.tokens[self.at]
        start, end, free = token.start, token.end, owner in FREE_TEXT
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

    def template(self, end: int) -> Node:
        """`f<T>`, `f<T>(...)`, `a<T>::b(...)` as C++ text; `end` is after the `>`."""
        first = self.at - 1
        self._commas(self.at, end)
        self.at = end
        while (token := self.tokens[self.at]).text == "(" or (token.kind == "name" and token.text.startswith("::")):
            if token.text == "(":
                stop = run_end(self.tokens, self.at + 1, inside=True)
                if self.tokens[stop].text != ")":
                    self.at = stop
                    raise self.unclosed(token)
                self.at = stop + 1
            else:
                self.at += 1
        return self._opaque_node(first)

    def _commas(self, first: int, stop: int) -> None:
        """The preprocessor takes commas in <>, [] and {} for ends of arguments."""
        if not self.in_macro or self.depth != 1:
            return
        rounds = 0
        for token in self.tokens[first:stop]:
            rounds += (token.text == "(") - (token.text == ")")
            if token.text == "," and token.kind == "punct" and rounds == 0:
                message = "the preprocessor ends the macro's argument at this ','"
                self.faults.add("OPK510", message, token.start, token.end, "put the argument in round brackets")
                return

    def bracketed(self, opener: Token) -> Node:
        """`(x)`; `(type)x`, which the language does not have."""
        first = self.at
        self.enter(opener)
        self.at += 1
        words = self._type_words()
        if words and self.tokens[self.at + words].text == ")" and self._operand_follows(self.at + words + 1):
            return self._cast(first, words)
        try:
            inner = self._inner(opener, words)
        except Unreadable:
            self._leave_bracket(opener)
            raise
        closer = self.tokens[self.at]
        self.at += 1
        if isinstance(inner, Name | Opaque) and is_type(inner.text) and self._operand_follows(self.at):
            self.at = first + 1
            return self._cast(first, 1)
        self.depth -= 1
        self.grow(opener)
        return Paren(inner, start=opener.start, end=closer.end)

    def _inner(self, opener: Token, words: int) -> Node:
        """What stands in brackets, up to the closing one."""
        if words > 1 and self.tokens[self.at + words].text == ")":
            self.at += words
            return self._opaque_node(self.at - words)
        inner = self.expression("(")
        closer = self.tokens[self.at]
        if closer.text == ")":
            return inner
        if closer.kind == "end":
            raise self.unclosed(opener)
        if closer.text == ",":
            raise self.fail("a ',' cannot stand here: these brackets hold one expression", closer)
        raise self._not_a_comma(inner)

    def _type_words(self) -> int:
        """How many tokens from here are words of a C++ type such as `unsigned long`."""
        words = 0
        while ((token := self.tokens[self.at + words]).kind == "name" and token.text in TYPE_WORDS) or (
            words and token.text in ("*", "&")
        ):
            words += 1
        return words

    def _leave_bracket(self, opener: Token) -> None:
        """Past the closing bracket of the brackets at hand."""
        while True:
            self.skip()
            token = self.tokens[self.at]
            if token.kind == "end" or token.kind.startswith("open_"):
                raise self.unclosed(opener)
            self.at += 1
            if token.text == ")":
                return

    def _operand_follows(self, at: int) -> bool:
        token = self.tokens[at]
        return token.kind in ("name", "number", "string", "char") or (
            token.kind == "punct" and token.text in ("(", "-", "!", "~")
        )

    def _cast(self, first: int, words: int) -> Node:
        """The whole cast as C++ text, with its finding; `first` is the bracket."""
        self.at += words + 1
        type_ = flat_text(self.tokens[first + 1 : self.at - 1])
        span = self.tokens[first], self.tokens[self.at - 1]
        self.depth -= 1
        self.prefixed("size_t")
        whole = self._opaque_node(first)
        hint = f"write {type_}(...)" if words == 1 else "give the constant the right suffix instead"
        self.faults.add("OPK509", f"the language has no cast '({type_})'", span[0].start, span[1].end, hint)
        return whole

    def opaque(self, first: int) -> Opaque:
        """C++ text from token `first` up to the end of the argument."""
        end = run_end(self.tokens, self.at)
        stopped = self.tokens[end]
        if stopped.text not in (",", ")", ""):
            self.at = end
            raise self.unexpected(stopped, "',' or ')'")
        self._commas(first, end)
        self.at = end
        return self._opaque_node(first)

    def _opaque_node(self, first: int) -> Opaque:
        tokens = self.tokens[first : self.at]
        self.height = 1
        return Opaque(flat_text(tokens), start=tokens[0].start, end=tokens[-1].end)
