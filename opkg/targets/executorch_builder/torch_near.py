"""What float32 steps have one function of torch for, as calls."""

from __future__ import annotations

from collections.abc import Callable

from opkg.spec.compute.tree import Call, Const, Function, Node, Reduce
from opkg.spec.compute.types import Type
from opkg.targets.executorch_builder.torch_formulas import complement, deviation, log_sum
from opkg.targets.executorch_builder.torch_half import gated
from opkg.targets.executorch_builder.torch_known import Known, Printed


def near_half(node: Node, show: Callable[[Node], Printed]) -> Printed | None:
    """The same of float16 steps alone."""
    parts = gated(node)
    return None if parts is None else Printed(f"tm.gated({', '.join(show(part).text for part in parts)})")


def near(node: Node, known: Known, show: Callable[[Node], Printed], reduced: Callable[[Reduce], str]) -> Printed | None:
    """The call for a formula, None for any other node. `show`: prints an operand, `reduced`: the arguments of a reduction."""
    if (operand := complement(node)) is not None:
        return Printed(f"torch.special.erfc({show(operand).text})")
    if (mean := deviation(node)) is not None:
        return Printed(f"tm.deviation({reduced(mean)})")
    if (total := log_sum(node)) is not None:
        return Printed(f"tm.log_sum({reduced(total)})")
    match node:
        case Call(Function.MAX, (x, Const(0)) | (Const(0), x)) if known.kinds(x) == {Type.REAL} and not known.is_scalar(
            x
        ):
            return Printed(f"torch.relu({show(x).text})")
        case _:
            return None
