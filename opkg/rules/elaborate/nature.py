"""What a replacement makes: an op, a shape, a constant, or a node that is there already."""

from __future__ import annotations

from enum import StrEnum

from opkg.rules import core
from opkg.rules.constructs import ContextKind, row_of


class Nature(StrEnum):
    OP = "an op"
    SHAPE = "a shape"
    CONSTANT = "a constant"
    NODE = "a node that is there already"


def nature(repl: core.Repl) -> Nature:
    """What the published text calls the replacement: op construction, shape construction, existing operand; or a constant.

    A SELECT builds an op when one of its arms does, and makes a shape when both do.
    """
    match repl:
        case core.Existing() | core.IterInputOf():
            return Nature.NODE
        case core.MarkReplaceable(inner=inner):
            return nature(inner)
        case core.GenShape() | core.ShapeFn():
            return Nature.SHAPE
        case core.GenConst():
            return Nature.CONSTANT
        case core.OpaqueRepl(name=name):
            row = row_of(name, ContextKind.REPLACEMENT)
            return Nature.SHAPE if row is not None and row.result == "shape" else Nature.OP
        case core.SelectRepl(then=then, otherwise=otherwise):
            natures = (nature(then), nature(otherwise))
            if Nature.OP in natures:
                return Nature.OP
            return natures[0] if natures[0] is natures[1] else Nature.NODE
    return Nature.OP
