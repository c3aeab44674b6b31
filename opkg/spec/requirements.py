"""Which names an expression cannot do without: what must be present for a constraint to be checked at all."""

from __future__ import annotations

from opkg.spec.expr import Binary, Call, Item, Member, Name, Rest, Select, ShapeList, Tree, Unary


def requirements(tree: Tree) -> tuple[str, ...]:
    """Names in `tree`, in order, that it reads without a guard of `present()` before them.

    A guard is the left side of `present(g) and ...`, `not present(g) or ...`, or the condition of `... if present(g)
    else ...`. A constraint is checked exactly when every optional tensor among these names is present and every
    dimension among them is bound; generated C++ wraps the check in the same test.
    """
    found: dict[str, None] = {}
    _collect(tree, frozenset(), found)
    return tuple(found)


def _collect(tree: Tree, safe: frozenset[str], found: dict[str, None]) -> None:
    if isinstance(tree, Name):
        if tree.id not in safe:
            found.setdefault(tree.id)
    elif isinstance(tree, Member):
        if tree.tensor not in safe:
            found.setdefault(tree.tensor)
    elif isinstance(tree, Rest):
        if tree.name is not None and tree.name not in safe:
            found.setdefault(tree.name)
    elif isinstance(tree, Call):
        if tree.function not in ("present", "count"):
            for arg in tree.args:
                _collect(arg, safe, found)
    elif isinstance(tree, Select):
        _collect(tree.test, safe, found)
        _collect(tree.then, safe | implied(tree.test, True), found)
        _collect(tree.other, safe | implied(tree.test, False), found)
    elif isinstance(tree, Binary):
        _collect(tree.left, safe, found)
        if tree.op in ("and", "or"):
            safe = safe | implied(tree.left, tree.op == "and")
        _collect(tree.right, safe, found)
    elif isinstance(tree, Unary):
        _collect(tree.operand, safe, found)
    elif isinstance(tree, Item):
        _collect(tree.base, safe, found)
        _collect(tree.index, safe, found)
    elif isinstance(tree, ShapeList):
        for item in tree.items:
            _collect(item, safe, found)


def implied(tree: Tree, truth: bool) -> frozenset[str]:
    """Tensors that are certainly present when `tree` has the value `truth`."""
    if isinstance(tree, Call) and tree.function == "present" and truth and isinstance(tree.args[0], Name):
        return frozenset((tree.args[0].id,))
    if isinstance(tree, Unary) and tree.op == "not":
        return implied(tree.operand, not truth)
    if isinstance(tree, Binary) and tree.op == ("and" if truth else "or"):
        return implied(tree.left, truth) | implied(tree.right, truth)
    return frozenset()
