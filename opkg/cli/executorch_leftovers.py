"""Entries in a checkout's lists that are ours by nothing but what the checkout says: no record, no mark."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from opkg.spec.diagnostics import Diagnostic, Severity, Span, error
from opkg.targets.executorch_builder import TARGET, intree, intree_stock
from opkg.targets.executorch_builder.intree_stock import BUILDERS
from opkg.targets.foreign import MARK
from opkg.trees import entries
from opkg.verify.machines.executorch.packages import has_builders

if TYPE_CHECKING:
    from opkg.project.read import ReadProject
    from opkg.spec.model import OpPackage
    from opkg.targets.foreign import Insertion
    from opkg.trees.checkout import Checkout
    from opkg.trees.record import Laid

# Torch ops that upstream's lists have although no builder and no quantizer rule of ExecuTorch 1.2 to 1.5 serves them.
_UPSTREAMS = frozenset(
    {
        "aten.col2im.default",
        "aten.im2col.default",
        "aten.leaky_relu.default",
        "aten.lt.Scalar",
        "aten.ne.Scalar",
        "aten.pow.Tensor_Scalar",
        "aten.upsample_bicubic2d.default",
        "torchao.dequantize_affine.default",
        "torchao.quantize_affine.default",
    }
)


def left_over(
    tree: Checkout, read: ReadProject, remembered: Mapping[str, Laid], ours: Collection[str]
) -> list[Diagnostic]:
    """Findings on torch ops in lists that nothing in the checkout has a use for but a package, whose mark is not behind them.

    `remembered`: what the record has, `ours`: files and quantizer rules that are opkg's.
    """
    found = []
    for package in read.packages:
        if not has_builders(package) or any(each.severity is Severity.ERROR for each in TARGET.check(package)):
            continue
        laid = remembered.get(package.name)
        recorded = {(put.path, put.key) for put in laid.entries} if laid is not None else set()
        for each in _unserved(tree, package, ours):
            line = None if (each.path, each.key) in recorded else _line(tree, each)
            if line is not None:
                mark = intree.mark_of(package).strip()
                message = f"'{each.key}' was left over: neither the record nor a mark has it, and no builder but {package.name}'s"
                hint = f"take the line out, or put '{mark}' behind it"
                found.append(error("OPK364", message, Span(tree.prefix + each.path, line), hint))
    return found


def _unserved(tree: Checkout, package: OpPackage, ours: Collection[str]) -> Iterator[Insertion]:
    """The package's entries with a mark for torch ops that nothing else in the checkout serves."""
    folder = f"{tree.root}/{BUILDERS}"
    modules = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    held = intree_stock.stock([package], modules, tree.read, ours).targets
    for each in intree.tree(package).insertions:
        op = each.key.removeprefix("torch.ops.").removeprefix("exir_ops.edge.")
        if each.place.kind == "list" and MARK in each.text and op not in held | _UPSTREAMS:
            yield each


def _line(tree: Checkout, each: Insertion) -> int | None:
    """Where an entry stands without anybody's mark, None where it does not."""
    text = tree.as_it_is(each.path)
    if text is None or entries.obstacle(text, each.place, each.key):
        return None
    there = entries.find(text, each.place, each.key)
    if there is None or MARK in text.splitlines()[there.line - 1]:
        return None
    return there.line
