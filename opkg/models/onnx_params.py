"""How a call in ONNX gives an op its params: as attributes, or as constants behind the inputs.

ONNX Runtime's provider keeps no order of attributes, and kernels know params by their place alone (docs/onnxruntime.md). So
attributes serve where every order can be told apart by element types: one param, or one real and one whole number. (Bools
arrive like either.)
"""

from __future__ import annotations

from opkg.spec.compute.tree import Reduce
from opkg.spec.compute.walk import walk
from opkg.spec.dtypes import Kind
from opkg.spec.expr import Num, Rest, ShapeList
from opkg.spec.model import Op, ParamSpec


def as_inputs(op: Op) -> bool:
    """Whether the params of an op stand behind its inputs."""
    if not op.params or any(tensor.variadic for tensor in op.inputs):
        return False
    if any(_rank(param) > 1 for param in op.params):
        return True
    if len(op.params) == 1:
        return False
    kinds = {param.dtype.kind for param in op.params}
    return len(op.params) > 2 or Kind.BOOL in kinds or Kind.FLOAT not in kinds or len(kinds) == 1


def _rank(param: ParamSpec) -> int:
    """The rank of a tensor param; attributes have one dimension."""
    tree = param.shape.tree if param.shape is not None else None
    return len(tree.items) if isinstance(tree, ShapeList) else 0 if tree is None else 2


def several_dims(param: ParamSpec) -> tuple[int, ...]:
    """The shape of a param with several dimensions, -1 for a named one; nothing where two of them have to be told."""
    tree = param.shape.tree if param.shape is not None else None
    if not isinstance(tree, ShapeList) or len(tree.items) < 2 or any(isinstance(item, Rest) for item in tree.items):
        return ()
    dims = tuple(int(item.value) if isinstance(item, Num) else -1 for item in tree.items)
    return dims if dims.count(-1) <= 1 else ()


def deciding_dimensions(op: Op) -> tuple[str, ...]:
    """Params that say whether reduced dimensions stay: as inputs they would leave ONNX without the rank of the result."""
    nodes = walk(statement.expr for statement in op.compute.statements) if op.compute else ()
    deciding = (node.keepdims for node in nodes if isinstance(node, Reduce) and isinstance(node.keepdims, str))
    return tuple(dict.fromkeys(deciding))
