"""Shapes of a spec: lists of dimensions or expressions; which names they bind; the ranks they allow."""

from __future__ import annotations

import re
from typing import NamedTuple

from opkg.spec.diagnostics import Span
from opkg.spec.expr import Call, Expression, Member, Name, Num, Rest, ShapeList, Tree, Type, Unary
from opkg.spec.model import Ranks, TensorSpec
from opkg.spec.names import name_fault
from opkg.spec.nodes import Node, Piece, Scalar, Sequence
from opkg.spec.parse_expr import parse, parse_tree
from opkg.spec.scalars import Findings, take_scalar, wrong_type
from opkg.spec.scope import Scope, Symbol, What

MAX_RANK = 8
ANY_RANK = Ranks(1, 5)
_REST = re.compile(r"\*\s*([A-Za-z_][A-Za-z0-9_]*)|([A-Za-z_][A-Za-z0-9_]*)\s*\.\.\.")


class ShapeText(NamedTuple):
    """A shape before its expressions are read: the items of a list with their columns in `text`, or one expression."""

    text: str
    span: Span
    items: tuple[tuple[Piece, int], ...] | None
    whole: Piece | None = None

    @property
    def names(self) -> list[tuple[str, bool, Piece]]:
        """Bare names among the items: (name, whether it is a run, piece)."""
        found: list[tuple[str, bool, Piece]] = []
        for piece, _ in self.items or ():
            if piece.text.isidentifier():
                found.append((piece.text, False, piece))
            elif piece.text.endswith("...") or piece.text.startswith("*"):
                match = _REST.fullmatch(piece.text)
                if match is not None:
                    found.append((match.group(1) or match.group(2), True, piece))
        return found


def any_shape(span: Span) -> ShapeText:
    """`[...]`, the shape of an input that does not give one."""
    return ShapeText("[...]", span, ((Piece("...", span, False), 1),))


def take_shape(node: Node, findings: Findings) -> ShapeText | None:
    """The text of a shape; None after a finding."""
    if isinstance(node, Sequence):
        return _from_list(node, findings)
    scalar = take_scalar(node, "a shape", findings)
    if scalar is None:
        return None
    piece = scalar.piece
    stripped = piece.text.strip()
    if not (stripped.startswith("[") and stripped.endswith("]")):
        return ShapeText(piece.text, piece.span, None, piece)
    items = _split(piece)
    if items is None:  # brackets that do not pair: let the expression parser say where
        return ShapeText(piece.text, piece.span, None, piece)
    return ShapeText(piece.text, piece.span, tuple(items))


def _from_list(node: Sequence, findings: Findings) -> ShapeText | None:
    items: list[tuple[Piece, int]] = []
    column = 1
    for item in node.items:
        if not isinstance(item, Scalar):
            wrong_type(item, "a dimension", "a shape is a flat list", findings)
            return None
        scalar = take_scalar(item, "a dimension", findings)
        if scalar is None:
            return None
        piece = scalar.piece
        items.append((piece, column))
        column += len(piece.text) + 2
    text = "[" + ", ".join(piece.text for piece, _ in items) + "]"
    return ShapeText(text, node.span, tuple(items))


def _split(piece: Piece) -> list[tuple[Piece, int]] | None:
    """The parts of `[a, b]` between commas outside of inner brackets; None when brackets do not pair."""
    text = piece.text
    start, end = text.index("[") + 1, text.rindex("]")
    parts: list[tuple[Piece, int]] = []
    depth, at = 0, start
    for i in range(start, end):
        char = text[i]
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
            if depth < 0:
                return None
        elif char == "," and depth == 0:
            parts.append(_part(piece, at, i))
            at = i + 1
    if depth != 0:
        return None
    if text[at:end].strip() or parts:
        parts.append(_part(piece, at, end))
    return parts


def _part(piece: Piece, start: int, end: int) -> tuple[Piece, int]:
    lead = len(piece.text[start:end]) - len(piece.text[start:end].lstrip(" "))
    return piece.part(start, end), min(start + lead, end)


def bind_names(shape: ShapeText, scope: Scope, dims: list[str], rests: list[str], findings: Findings) -> None:
    """Add the names that an input's or param's shape binds for the first time to the scope."""
    for name, is_rest, piece in shape.names:
        symbol = scope.get(name)
        if symbol is not None:
            continue
        fault = name_fault(name)
        if fault is not None:
            id_, message, hint = fault
            findings.error(id_, message, piece.span, hint)
        scope.symbols[name] = Symbol(What.REST if is_rest else What.DIM, Type.INT)
        (rests if is_rest else dims).append(name)


def read_shape(shape: ShapeText, scope: Scope, findings: Findings) -> Expression | None:
    """The shape as an expression; None after findings."""
    if shape.items is None:
        assert shape.whole is not None
        return parse(shape.whole, scope, (Type.SHAPE,), findings.list, "a shape")
    items: list[Tree] = []
    good = True
    for piece, column in shape.items:
        tree = _item(piece, column, scope, findings)
        if tree is None:
            good = False
            continue
        if isinstance(tree, Rest) and any(isinstance(other, Rest) for other in items):
            findings.error("OPK169", "a shape has at most one run of dimensions", piece.span, "delete one")
            good = False
        items.append(tree)
    if len(items) > MAX_RANK:
        findings.error(
            "OPK187", f"a tensor has at most {MAX_RANK} dimensions", shape.span, f"this one has {len(items)}"
        )
        good = False
    return Expression(shape.text, ShapeList(tuple(items)), Type.SHAPE, shape.span) if good else None


def _item(piece: Piece, column: int, scope: Scope, findings: Findings) -> Tree | None:
    text = piece.text
    if text == "...":
        return Rest(None, column)
    symbol = scope.symbols.get(text)
    if symbol is not None and symbol.what is What.DIM:
        return Name(text, column)
    if text.isdecimal() and text.isascii() and text[0] != "0" and len(text) < 10:
        return Num(int(text), column)
    match = _REST.fullmatch(text)
    if match is not None:
        name = match.group(1) or match.group(2)
        symbol = scope.symbols.get(name)
        if symbol is not None and symbol.what is What.REST:
            return Rest(name, column)
        is_ = f"is {_a(symbol.what)}" if symbol is not None else "is named by no input"
        hint = "one dimension and a run of dimensions need two names" if symbol is not None else "write ..., or a name"
        findings.error("OPK169", f"'{name}' {is_}, no run of dimensions", piece.span, hint)
        return None
    typed = parse_tree(piece, scope, (Type.INT,), findings.list, "a dimension", column)
    if typed is None:
        return None
    negative = isinstance(typed[0], Unary) and isinstance(typed[0].operand, Num)
    if negative or (isinstance(typed[0], Num) and typed[0].value < 1):
        findings.error("OPK187", "a dimension is at least 1", piece.span)
        return None
    return typed[0]


def _a(what: What) -> str:
    return f"an {what}" if what[0] in "aeiou" else f"a {what}"


_RANKS = re.compile(r"\s*([0-9]+)\s*(?:\.\.\s*([0-9]+)\s*)?$")


def take_ranks(node: Node, findings: Findings) -> Ranks | None:
    """`4` or `1..5`; None after a finding."""
    scalar = take_scalar(node, "a rank", findings)
    if scalar is None:
        return None
    match = _RANKS.match(scalar.text)
    hint = f"write 4 or 1..5; ranks go from 0 to {MAX_RANK}"
    if match is None or len(scalar.text) > 20:
        findings.error("OPK136", f"'{scalar.text[:40]}' is no rank", scalar.span, hint)
        return None
    low = int(match.group(1))
    high = int(match.group(2)) if match.group(2) is not None else low
    if low > high or high > MAX_RANK:
        findings.error("OPK136", f"'{scalar.text}' is no range of ranks", scalar.span, hint)
        return None
    return Ranks(low, high)


def ranks_of(shape: Expression, tensors: dict[str, TensorSpec], rests: dict[str, Ranks]) -> Ranks:
    """The ranks that a shape expression allows, as far as the spec tells; `rests`: lengths of the bound runs."""
    tree = shape.tree
    if isinstance(tree, ShapeList):
        fixed = sum(not isinstance(item, Rest) for item in tree.items)
        run = next((item for item in tree.items if isinstance(item, Rest)), None)
        if run is None:
            return Ranks(fixed, fixed)
        length = rests.get(run.name) if run.name is not None else None
        if length is not None:
            return Ranks(fixed + length.low, fixed + length.high)
        return Ranks(max(1, fixed), max(ANY_RANK.high, fixed))
    if isinstance(tree, Member) and tree.tensor in tensors:
        return tensors[tree.tensor].ranks
    if isinstance(tree, Call) and tree.function == "broadcast":
        parts = [ranks_of(Expression("", _as_shape(arg), Type.SHAPE, shape.span), tensors, rests) for arg in tree.args]
        return Ranks(max(part.low for part in parts), max(part.high for part in parts))
    return Ranks(1, MAX_RANK) if isinstance(tree, Name) else ANY_RANK


def _as_shape(tree: Tree) -> Tree:
    return Member(tree.id, "shape") if isinstance(tree, Name) else tree
