"""Cost functions: expressions in cycles over the sizes of tensors, which HTP asks for before there is data."""

from __future__ import annotations

import re
from dataclasses import dataclass

from opkg.spec.axis_params import fixed_rank
from opkg.spec.expr import Expression, Tree, Type
from opkg.spec.model import Op, TensorSpec
from opkg.targets.qnn_common.kernel_frame import KernelFrame
from opkg.targets.qnn_common.printer import Printed, Unprintable, show
from opkg.targets.qnn_htp_classic.unpack import Unpacker


class CostFrame(KernelFrame):
    """Names of a cost expression: the inputs' sizes are known, values of params are not."""

    def __init__(self, op: Op, unpack: Unpacker | None = None) -> None:
        super().__init__(op, padded=True)
        self._names = {param.name for param in op.params}
        self._unpack = unpack

    def name(self, id: str) -> Printed:
        self._refuse(id)
        return super().name(id)

    def item(self, name: str, index: Tree) -> Printed:
        self._refuse(name)
        return super().item(name, index)

    def call(self, function: str, tensor: str) -> Printed:
        self._refuse(tensor)
        spec = self._tensors.get(tensor)
        if spec is not None and function in ("present", "count") and not spec.variadic:
            return self._presence(function, spec)
        return super().call(function, tensor)

    def _presence(self, function: str, tensor: TensorSpec) -> Printed:
        """Views have no data yet that could be asked: whether a tensor is there follows from the form of the call."""
        there = "true"
        if self._unpack is not None and self._unpack.may_be_absent(tensor):
            there = f"({self._unpack.place(tensor.name)} >= 0)"
        return Printed(there, Type.BOOL) if function == "present" else Printed(f"int64_t{{{there}}}", Type.INT)

    def _refuse(self, name: str) -> None:
        if name in self._names:
            raise Unprintable(f"the value of the param '{name}' is not known when costs are asked for")


@dataclass(frozen=True, slots=True)
class Cost:
    """A generated cost function."""

    name: str
    lines: tuple[str, ...]
    value: str


def cost_function(unpack: Unpacker) -> Cost | None:
    """The cost function of a kernel whose cost is an expression; None for a named cost."""
    cost = unpack.kernel.cost
    if not isinstance(cost, Expression):
        return None
    value = show(cost.tree, CostFrame(unpack.op, unpack)).text
    asked = set(re.findall(r"\bop\.(\w+)", value))
    lines = [line for t in unpack.op.inputs if t.name in asked for line in _extents(unpack, t)]
    return Cost(f"cost_of_{unpack.kernel.function}", tuple(lines), value)


def _extents(unpack: Unpacker, tensor: TensorSpec) -> list[str]:
    place = unpack.place(tensor.name)
    if tensor.variadic:
        position = "i" if place == "0" else f"{place} + i"
        loop = f"for (uint32_t i = 0; i < op.{tensor.name}.count; ++i)"
        set_ = f"opkg::set_extents(op.{tensor.name}.items[i], *node->get_input({position}));"
        return [f"op.{tensor.name}.count = {unpack.count(tensor)};", f"{loop} {set_}"]
    rank = fixed_rank(tensor)
    own = f", {rank}" if 0 < rank < 4 else ""
    line = f"opkg::set_extents(op.{tensor.name}, *node->get_input({place}){own});"
    return [f"if constexpr ({place} >= 0) {line}"] if unpack.may_be_absent(tensor) else [line]
