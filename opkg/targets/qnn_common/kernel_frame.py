"""Names of an expression inside a kernel's wrapper, where tensors are views and ranks may be padded to 4."""

from __future__ import annotations

from opkg.spec.dtypes import Kind
from opkg.spec.expr import MEMBERS, Binary, Name, Rest, ShapeList, Tree, Type
from opkg.spec.model import Op, ParamSpec, TensorSpec
from opkg.targets.qnn_common.kernel_api import fixed_rank
from opkg.targets.qnn_common.printer import Printed, Unprintable
from opkg.targets.qnn_common.walk import names_in


class KernelFrame:
    """Expressions over the argument struct `op` of a kernel (defaults, costs)."""

    def __init__(self, op: Op) -> None:
        self._params = {param.name: param for param in op.params}
        self._tensors = {tensor.name: tensor for tensor in op.tensors}
        self._inputs = op.inputs

    def name(self, id: str) -> Printed:
        if id in self._params:
            kind = self._params[id].dtype.kind
            type_ = Type.FLOAT if kind is Kind.FLOAT else Type.BOOL if kind is Kind.BOOL else Type.INT
            return Printed(f"op.{id}", type_)
        for tensor in self._inputs:
            place = _bound_at(tensor, id)
            if place is not None and not tensor.variadic:
                return Printed(f"int64_t{{op.{tensor.name}.dim({place})}}", Type.INT)
        raise Unprintable(f"'{id}' has no place in a kernel whose ranks are padded to 4")

    def rest(self, id: str) -> str:
        raise Unprintable(f"the run of dimensions *{id} is not known inside a kernel")

    def member(self, tensor: str, member: str) -> Printed:
        if member not in ("rank", "size"):
            raise Unprintable(f"'{tensor}.{member}' is not known inside a kernel")
        return self.call(member, tensor)

    def item(self, name: str, index: str) -> Printed:
        if name in self._tensors:
            return Printed(f"int64_t{{op.{name}.dim({index})}}", Type.INT)
        if name not in self._params:
            raise Unprintable(f"'{name}' is not known inside a kernel")
        return Printed(f"op.{name}[{index}]", MEMBERS["rank"])

    def call(self, function: str, tensor: str) -> Printed:
        if tensor not in self._tensors:
            raise Unprintable(f"{function}({tensor}) is not known inside a kernel")
        view = f"op.{tensor}"
        text = {
            "rank": f"int64_t{{{view}.rank}}",
            "size": f"static_cast<int64_t>({view}.size())",
            "count": f"int64_t{{{view}.count}}",
            "present": f"static_cast<bool>({view})",
        }[function]
        return Printed(text, Type.BOOL if function == "present" else Type.INT)

    def concat(self, axis: str, tensor: str) -> Printed:
        raise Unprintable(f"concat({axis}, {tensor}) is not known inside a kernel")

    def integer_call(self, function: str, args: str) -> str:
        return f"opkg::{function}({args})"


def _bound_at(tensor: TensorSpec, dim: str) -> int | None:
    """Index by which `dim(...)` of the tensor's view finds a named dimension, also when the rank is padded."""
    tree = tensor.shape.tree
    if not isinstance(tree, ShapeList):
        return None
    rest = next((i for i, item in enumerate(tree.items) if isinstance(item, Rest)), None)
    for i, item in enumerate(tree.items):
        if item == Name(dim) and (rest is None or i > rest):
            return i if rest is None else i - len(tree.items)
    return None


def pinned(op: Op, param: ParamSpec) -> Tree | None:
    """The expression a constraint `axis == ...` fixes a param to, if it speaks of ranks and numbers only."""
    tensors = {tensor.name for tensor in op.tensors}
    for constraint in op.constraints:
        tree = constraint.require.tree
        if isinstance(tree, Binary) and tree.op == "==":
            for side, other in ((tree.left, tree.right), (tree.right, tree.left)):
                if side == Name(param.name) and set(names_in(other)[1]) <= tensors:
                    return other
    return None


def axis_is_ambiguous(op: Op, param: ParamSpec) -> bool:
    """Whether a kernel cannot tell which dimension a param means: its tensor has several ranks that all arrive as 4."""
    tensor = next((t for t in op.tensors if t.name == param.axis_of), None)
    if tensor is None or fixed_rank(tensor) or pinned(op, param) is not None:
        return False
    return tensor.ranks.low < 4
