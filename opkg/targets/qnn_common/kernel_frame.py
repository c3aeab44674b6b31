"""Names of an expression inside a kernel's wrapper, where tensors are views and ranks may be padded to 4."""

from __future__ import annotations

from opkg.spec.axis_params import fixed_rank, is_hidden
from opkg.spec.dtypes import Kind
from opkg.spec.expr import Member, Name, Num, Rest, ShapeList, Tree, Type, Unary
from opkg.spec.model import Op, ParamSpec, TensorSpec
from opkg.targets.qnn_common.printer import Printed, Unprintable, show
from opkg.targets.qnn_common.ranks import FLAT


class KernelFrame:
    """Expressions over the argument struct `op` of a kernel (defaults, costs), of which the inputs are known.

    `padded`: ranks as the kernel sees them serve (axes, costs); else a rank that padding hides is Unprintable.
    """

    def __init__(self, op: Op, padded: bool = True) -> None:
        self._params = {param.name: param for param in op.params}
        self._tensors = {tensor.name: tensor for tensor in op.inputs}
        self._inputs = op.inputs
        self._padded = padded

    def name(self, id: str) -> Printed:
        if id in self._params:
            param = self._params[id]
            if param.shape is not None:
                raise Unprintable(f"all of the tensor param '{id}' is no shape inside a kernel")
            return Printed(f"op.{id}", _type_of(param))
        for tensor in self._inputs:
            place = _bound_at(tensor, id)
            if place is not None and not tensor.variadic and not tensor.optional:
                return Printed(f"int64_t{{op.{tensor.name}.dim({place})}}", Type.INT)
        raise Unprintable(f"'{id}' has no place in a kernel whose ranks are padded to 4")

    def rest(self, id: str) -> str:
        raise Unprintable(f"the run of dimensions *{id} is not known inside a kernel")

    def member(self, tensor: str, member: str) -> Printed:
        if member not in ("rank", "size"):
            raise Unprintable(f"'{tensor}.{member}' is not known inside a kernel")
        return self.call(member, tensor)

    def shape_item(self, shape: Tree, index: Tree) -> Printed:
        at = index_of(index)
        if isinstance(shape, Member) and shape.member == "shape" and at is not None:
            tensor = self._tensors.get(shape.tensor)
            if tensor is not None and tensor.variadic is None and (at < 0 or fixed_rank(tensor)):
                return Printed(f"int64_t{{op.{tensor.name}.dim({at})}}", Type.INT)
        raise Unprintable("of a shape, only the last dimensions by negative numbers are known inside a kernel")

    def item(self, name: str, index: Tree) -> Printed:
        if name not in self._params:
            raise Unprintable(f"'{name}' is not known inside a kernel")
        at = index_of(index)
        where = f"op.{name}.size() - {-at}" if at is not None and at < 0 else show(index, self).text
        kind = _type_of(self._params[name])
        return Printed(f"int64_t{{op.{name}[{where}]}}" if kind is Type.INT else f"op.{name}[{where}]", kind)

    def call(self, function: str, tensor: str) -> Printed:
        if tensor not in self._tensors:
            raise Unprintable(f"{function}({tensor}) is not known inside a kernel")
        spec = self._tensors[tensor]
        view = f"op.{tensor}"
        if function == "count":
            text = f"int64_t{{{view}.count}}" if spec.variadic else f"({view} ? 1 : 0)"
            return Printed(text, Type.INT)
        if function == "present":
            return Printed("true" if spec.variadic else f"static_cast<bool>({view})", Type.BOOL)
        if function == "rank" and not self._padded and not fixed_rank(spec) and spec.ranks.low < FLAT:
            raise Unprintable(f"the rank of '{tensor}' is padded to 4 there")
        if spec.variadic:
            view += ".items[0]"
        text = f"int64_t{{{view}.rank}}" if function == "rank" else f"static_cast<int64_t>({view}.size())"
        return Printed(text, Type.INT)

    def concat(self, axis: str, tensor: str) -> Printed:
        raise Unprintable(f"concat({axis}, {tensor}) is not known inside a kernel")

    def shape_call(self, function: str, args: str) -> str:
        raise Unprintable(f"{function}() is not known inside a kernel")

    def integer_call(self, function: str, args: str) -> str:
        return f"opkg::{function}({args})"


def _type_of(param: ParamSpec) -> Type:
    kind = param.dtype.kind
    return Type.FLOAT if kind is Kind.FLOAT else Type.BOOL if kind is Kind.BOOL else Type.INT


def index_of(tree: Tree) -> int | None:
    """The value of a literal index."""
    if isinstance(tree, Num) and isinstance(tree.value, int):
        return tree.value
    if isinstance(tree, Unary) and tree.op == "-" and isinstance(tree.operand, Num):
        return -int(tree.operand.value)
    return None


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


def axis_fault(op: Op, param: ParamSpec) -> tuple[str, str] | None:
    """What is said of a param of which a kernel cannot tell the dimension, message and hint; None where it can."""
    if not is_hidden(op, param):
        return None
    padded = f"'{param.name}' numbers a dimension of '{param.axis_of}', whose rank varies below 4: "
    if not param.dtype.signed:
        pin = f"{param.name} == rank({param.axis_of}) - 1"
        return (
            f"{padded}kernels see such ranks padded to 4 and cannot know which dimension is meant",
            f"count from the end (dtype: int32), give '{param.axis_of}' one rank, or pin the param: constraints: [{pin}]",
        )
    default = param.default
    numbers = default if isinstance(default, tuple) else (default,)
    if default is None or all(isinstance(number, int) and number < 0 for number in numbers):
        return None
    return f"{padded}its default must be counted from the end", "default: -1 is the last dimension"
