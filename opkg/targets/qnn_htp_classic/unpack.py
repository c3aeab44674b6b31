"""The statements that turn a kernel's HTP tensors into the argument struct of the user's function."""

from __future__ import annotations

from dataclasses import dataclass, field

from opkg.spec.axis_params import pinned
from opkg.spec.expr import Expression
from opkg.spec.model import Kernel, Op, ParamSpec, TensorSpec
from opkg.targets.qnn_common.kernel_api import param_element, view
from opkg.targets.qnn_common.kernel_frame import KernelFrame
from opkg.targets.qnn_common.names import local
from opkg.targets.qnn_common.printer import show
from opkg.targets.qnn_common.ranks import single_rank
from opkg.targets.qnn_htp_classic.calls import Call, Slot


def computed(op: Op, param: ParamSpec) -> bool:
    """Whether the kernel computes a param from ranks instead of reading it: a constraint leaves one value."""
    return pinned(op, param) is not None and (param.axis_of is not None or isinstance(param.default, Expression))


@dataclass
class Unpacker:
    """Lines for one kernel. `used` collects the tensors and params they read.

    With a tensor parameter each, `packed` is false and a tensor goes by its name; else all come in one pack and are
    taken from `call` by position, where `slots` name the positions that differ between calls.
    """

    op: Op
    kernel: Kernel
    call: Call
    slots: tuple[Slot, ...]
    packed: bool
    used: set[str] = field(default_factory=set)

    def inputs(self) -> list[str]:
        """Lines for inputs and params."""
        out = []
        for tensor in self.op.inputs:
            out += self._tensor(tensor)
        for param in self.op.params:
            out += self._param(param)
        return out

    def outputs(self) -> list[str]:
        """Lines for outputs."""
        return [line for tensor in self.op.outputs for line in self._tensor(tensor)]

    def place(self, name: str) -> str:
        """Position of a tensor's first item or of a param: a template parameter or a number."""
        for slot in self.slots:
            if slot.name == name and not slot.counts:
                return slot.parameter
        return str(self.call.position(name))

    def count(self, tensor: TensorSpec) -> str:
        """How many items a variadic tensor has: a template parameter or a number."""
        for slot in self.slots:
            if slot.name == tensor.name and slot.counts:
                return slot.parameter
        return str(dict(self.call.inputs + self.call.outputs).get(tensor.name, 0))

    def tensor(self, name: str, item: str = "") -> str:
        """The HTP tensor of that name; `item`: number of a variadic one's item."""
        self.used.add(name)
        if not self.packed:
            return local(name)
        place = self.place(name)
        side = "out" if any(t.name == name for t in self.op.outputs) else "in"
        where = place if not item else item if place == "0" else f"{place} + {item}"
        return f"call.{side}({where})"

    def may_be_absent(self, tensor: TensorSpec) -> bool:
        """Whether some calls leave the tensor out."""
        return tensor.optional and bool(self.slots)

    def _tensor(self, tensor: TensorSpec) -> list[str]:
        if tensor.variadic:
            items = f"op.{tensor.name}.items[i] = {view(self.op, self.kernel, tensor, self.tensor(tensor.name, 'i'))}"
            loop = f"for (uint32_t i = 0; i < op.{tensor.name}.count; ++i) {items};"
            return [f"op.{tensor.name}.count = {self.count(tensor)};", loop]
        line = f"op.{tensor.name} = {view(self.op, self.kernel, tensor, self.tensor(tensor.name))};"
        if self.may_be_absent(tensor):
            return [f"if constexpr ({self.place(tensor.name)} >= 0) {line}"]
        return [line]

    def _param(self, param: ParamSpec) -> list[str]:
        fixed = pinned(self.op, param)
        if fixed is not None and computed(self.op, param):
            value = show(fixed, KernelFrame(self.op, padded=True)).text
            return [f"op.{param.name} = static_cast<decltype(op.{param.name})>({value});"]
        return [f"op.{param.name} = {self._read(param, self.tensor(param.name))};"]

    def _read(self, param: ParamSpec, value: str) -> str:
        if param.shape is not None:
            return f"opkg::flat<const {param_element(param)}>({value}, {single_rank(param.shape) or 1})"
        if param.enum:
            return f"static_cast<decltype(op.{param.name})>(opkg::scalar<int32_t>({value}))"
        return f"opkg::scalar<decltype(op.{param.name})>({value})"
