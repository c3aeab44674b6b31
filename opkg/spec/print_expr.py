"""A typed expression tree back to text; `parse` of the text gives the same tree."""

from __future__ import annotations

from opkg.spec.expr import Binary, Call, Item, Member, Name, Num, Rest, Select, ShapeList, Tree, Truth, Unary

# Binding strength, weakest first: select, or, and, not, comparison, sum, product, sign, atom.
_LEVEL = {
    "or": 1, "and": 2, "not": 3, "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4,
    "+": 5, "-": 5, "*": 6, "/": 6, "//": 6, "%": 6,
}  # fmt: skip
_SIGN = 7
_ATOM = 8


def to_text(tree: Tree) -> str:
    """The expression as text, with no more brackets than needed."""
    return _print(tree)[0]


def _print(tree: Tree) -> tuple[str, int]:
    """Text and how strongly its outermost operator binds."""
    if isinstance(tree, Num):
        return (repr(tree.value), _ATOM) if tree.value >= 0 else (repr(tree.value), _SIGN)
    if isinstance(tree, Truth):
        return "true" if tree.value else "false", _ATOM
    if isinstance(tree, Name):
        return tree.id, _ATOM
    if isinstance(tree, Member):
        return f"{tree.tensor}.{tree.member}", _ATOM
    if isinstance(tree, Item):
        return f"{_at_least(tree.base, _ATOM)}[{to_text(tree.index)}]", _ATOM
    if isinstance(tree, Call):
        return f"{tree.function}({', '.join(map(to_text, tree.args))})", _ATOM
    if isinstance(tree, Rest):
        return ("..." if tree.name is None else f"{tree.name}..."), _ATOM
    if isinstance(tree, ShapeList):
        return f"[{', '.join(map(to_text, tree.items))}]", _ATOM
    if isinstance(tree, Unary):
        if tree.op == "not":
            return f"not {_at_least(tree.operand, 3)}", 3
        return f"-{_at_least(tree.operand, _SIGN)}", _SIGN
    if isinstance(tree, Select):
        test, then = _at_least(tree.test, 1), _at_least(tree.then, 1)
        return f"{then} if {test} else {_at_least(tree.other, 0)}", 0
    return _print_binary(tree)


def _print_binary(tree: Binary) -> tuple[str, int]:
    level = _LEVEL[tree.op]
    # Comparisons chain in the text but not in the tree: both sides of one get brackets.
    left = _at_least(tree.left, level + 1 if level == 4 else level)
    return f"{left} {tree.op} {_at_least(tree.right, level + 1)}", level


def _at_least(tree: Tree, level: int) -> str:
    text, own = _print(tree)
    return text if own >= level else f"({text})"
