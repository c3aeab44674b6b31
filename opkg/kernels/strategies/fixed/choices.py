"""Choices between sums of bytes as one sum: of bytes that are their zero points where they are not chosen."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.kernels.strategies.fixed.byte_decisions import ByteDecisions
from opkg.kernels.strategies.fixed.code import Code
from opkg.kernels.strategies.fixed.numbers import Atom, Form

_MOST = 4  # bytes of a sum: more of them leave the coefficients too few bits (docs/design/fixed-point.md)
Guards = tuple[tuple[int, bool], ...]  # nodes of choices, and whether they take their first branch


class Choices:
    """The choices of one kernel."""

    def __init__(self, code: Code, decisions: ByteDecisions) -> None:
        self._code, self._decisions = code, decisions
        self._graph = code.forms.graph

    def form(self, node: int) -> Form | None:
        """A choice as a sum; None where it is none, or not of bytes alone."""
        if not self._divides(node):
            return None
        leaves = list(self._leaves(node, ()))
        forms = self._code.forms
        if any(leaf not in forms for leaf, _ in leaves):
            return None
        parts = [(forms[leaf], guards) for leaf, guards in leaves]
        terms = [forms.atoms[index] for form, _ in parts for index, _ in form.terms]
        same = len({form.constant for form, _ in parts}) == 1
        if not same or not terms or len(terms) > _MOST or not all(map(self._code.is_byte, terms)):
            return None
        total = Form((), parts[0][0].constant)
        for form, guards in parts:
            for index, factor in form.terms:
                total = forms.add(total, forms.scale(self._guarded(forms.atoms[index], guards), factor))
        return total

    def _guarded(self, atom: Atom, guards: Guards) -> Form:
        part = "_".join([atom.part or "chosen", *(f"{'then' if held else 'else'}{node}" for node, held in guards)])
        tests = [(self._decisions.test(self._graph[node].args[0]), held) for node, held in reversed(guards)]
        self._code.guarded[part] = (atom.part, tuple(tests))
        return self._code.forms.of_atom(Atom("input", atom.name, part))

    def _leaves(self, node: int, guards: Guards) -> Iterator[tuple[int, Guards]]:
        """The nodes that are chosen between."""
        if not self._divides(node):
            yield node, guards
            return
        for held, arg in zip((True, False), self._graph[node].args[1:], strict=True):
            yield from self._leaves(arg, (*guards, (node, held)))

    def _divides(self, node: int) -> bool:
        made = self._graph[node]
        return made.op == "select" and node not in self._code.forms and self._decisions.can(made.args[0])
