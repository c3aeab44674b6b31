"""What `opkg executorch intree` does with the builders that a checkout has of an op: refuse, come before them, stand beside."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from opkg.targets.executorch_builder import intree, intree_stock
from opkg.targets.executorch_builder.intree_stock import BUILDERS, RULES, Stock
from opkg.targets.executorch_builder.names import BACKENDS_OWN
from opkg.trees import aside

if TYPE_CHECKING:
    from opkg.spec.model import OpPackage
    from opkg.trees.checkout import Checkout


def _modules(tree: Checkout) -> list[str]:
    place = f"{tree.root}/{BUILDERS}"
    return sorted(os.listdir(place)) if os.path.isdir(place) else []


def put_back(tree: Checkout, names: Collection[str]) -> bool:
    """Lines that packages of these names have set aside are what they were; whether there were any."""
    found = False
    for path in (*(f"{BUILDERS}/{n}" for n in _modules(tree) if n.startswith("op_") and n.endswith(".py")), RULES):
        text = tree.read(path) if _marked(f"{tree.root}/{path}") else None
        for owner in aside.owners(text or "") & {*names}:
            tree.after[path] = aside.restored(tree.read(path) or "", owner)
            found = True
    return found


def _marked(place: str) -> bool:
    try:
        with open(place, "rb") as file:
            return b"# opkg " in file.read()
    except OSError:
        return False


def fuses(tree: Checkout) -> bool:
    """Whether the checkout has the functions that fusions are installed by: since ExecuTorch 1.4."""
    return all(f"def {name.rpartition('.')[2]}(" in (tree.read(path) or "") for path, name in intree.STARTS)


def let_in(
    tree: Checkout, packages: Sequence[OpPackage], existing: str, ours: Collection[str]
) -> tuple[dict[str, intree.Tree], Stock]:
    """What the packages add, by name, and what others have of their torch ops; OPK362 for that when it is refused."""
    held, passes = intree_stock.stock(packages, _modules(tree), tree.read, ours), fuses(tree)
    if existing == "refuse":
        for found in intree_stock.conflicts(packages, held):
            tree.fault(found.id, found.message, found.span.path, found.span.line, found.hint)
        return {package.name: intree.tree(package, fuses=passes) for package in packages}, held
    if existing == "beside":
        left = [(package, _beside(package, held)) for package in packages]
        return {p.name: intree.tree(p, None if p is before else Stock(), passes) for before, p in left if p.ops}, held
    return {p.name: intree.tree(p, held if _meets(p, held) else None, passes) for p in packages}, held


def _meets(package: OpPackage, held: Stock) -> bool:
    return any(call.op in held.targets for op in package.ops for call in op.torch)


def _beside(package: OpPackage, held: Stock) -> OpPackage:
    """The package without the torch ops that others build; QNN's own ops are there for nothing else."""
    if not _meets(package, held):
        return package
    ops = [replace(op, torch=tuple(call for call in op.torch if call.op not in held.targets)) for op in package.ops]
    return replace(package, ops=tuple(op for op in ops if op.torch or package.name != BACKENDS_OWN))


def set_aside(tree: Checkout, packages: Sequence[OpPackage], held: Stock, ours: Collection[str]) -> None:
    """Builders and rules of others serve no torch op of the packages any more; marks say how they did."""
    for package in packages:
        wanted = {call.op for op in package.ops for call in op.torch}
        for path in sorted({each.path for each in (*held.builders.values(), *held.rules.values())}):
            text = tree.read(path) or ""
            targets = wanted & {*(held.rules if path == RULES else held.builders)}
            spans = [*_spans(intree_stock.aside(text, path, targets, ours))]
            if spans:
                tree.after[path] = aside.set_aside(text, package.name, spans)


def _spans(found: Iterator[tuple[int, int, str]]) -> Iterator[aside.Span]:
    for first, last, instead in found:
        yield aside.Span(first, last, (instead,) if instead else ())
