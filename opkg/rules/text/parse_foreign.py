"""Reads what C++ puts into rules and the language does not have: casts, template arguments, any other C++ text."""

from __future__ import annotations

from opkg.rules.syntax import Name, Node, Opaque, Paren
from opkg.rules.text.lexer import Token
from opkg.rules.text.opaque import TYPE_WORDS, flat_text, is_type, run_end
from opkg.rules.text.parse_state import Reader, Unreadable


class ForeignReader(Reader):
    """The part of the parser that keeps C++ text as it is, in `Opaque` nodes."""

    def expression(self, owner: str, level: int = 1) -> Node:
        """One expression; the parser has it."""
        raise NotImplementedError

    def prefixed(self, owner: str) -> Node:
        """One operand with its prefix operators; the parser has it."""
        raise NotImplementedError

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

    def bracketed(self, opener: Token, owner: str) -> Node:
        """`(x)`; `(type)x`, which the language does not have."""
        first = self.at
        self.enter(opener)
        self.at += 1
        words = self._type_words()
        if words and self.tokens[self.at + words].text == ")" and self._operand_follows(self.at + words + 1):
            return self._cast(first, words)
        try:
            inner = self._inner(opener, owner, words)
        except Unreadable:
            self.leave_bracket(opener)
            raise
        closer = self.tokens[self.at]
        self.at += 1
        if isinstance(inner, Name | Opaque) and is_type(inner.text) and self._operand_follows(self.at):
            self.at = first + 1
            return self._cast(first, 1)
        self.depth -= 1
        self.grow(opener)
        return Paren(inner, start=opener.start, end=closer.end)

    def _inner(self, opener: Token, owner: str, words: int) -> Node:
        """What stands in brackets, up to the closing one."""
        if words > 1 and self.tokens[self.at + words].text == ")":
            self.at += words
            return self._opaque_node(self.at - words)
        inner = self.expression(owner)
        closer = self.tokens[self.at]
        if closer.text == ")":
            return inner
        if closer.kind == "end":
            raise self.unclosed(opener)
        if closer.text == ",":
            raise self.fail("a ',' cannot stand here: these brackets hold one expression", closer)
        raise self.not_a_comma(inner)

    def _type_words(self) -> int:
        """How many tokens from here are a C++ type such as `unsigned long` or `T *`, which is no operand."""
        at = self.at
        while self.tokens[at].kind == "name":
            at += 1
        named = at
        while named > self.at and self.tokens[at].text in ("*", "&"):
            at += 1
        if at == named and any(token.text not in TYPE_WORDS for token in self.tokens[self.at : named]):
            return 0
        return at - self.at

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
        self.prefixed("size_t")
        self.depth -= 1
        whole = self._opaque_node(first)
        hint = f"write {type_}(...)" if words == 1 else "give the constant the right suffix instead"
        if not self.plain:
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
