"""The shape functions that come with the language, in Python: what TYPICAL_SLICE, TYPICAL_CONV_SLICE and their kin stand for."""

from __future__ import annotations

from opkg.rules.sim.arithmetic import Fault
from opkg.rules.sim.frame import Split
from opkg.rules.sim.model import Node
from opkg.rules.splitters import HEIGHT, OPERANDS, Splitter, dimension_of


def split_start(dims: tuple[int, ...], dim: int, split: Split, stride: int = 1) -> tuple[int, ...]:
    """Where a slice begins: 0 but in the split dimension. Raises Fault when there is no such dimension."""
    _check(dims, dim)
    return tuple(split.start * stride if i == dim else 0 for i in range(len(dims)))


def split_size(dims: tuple[int, ...], dim: int, split: Split, stride: int = 1, window: int = 1) -> tuple[int, ...]:
    """What a slice measures: the whole but in the split dimension. `window`: from its first element to its last, so with
    what dilation skips. Raises Fault for a slice that is not inside."""
    _check(dims, dim)
    start, size = split.start * stride, stride * (split.size - 1) + window
    if start + size > dims[dim]:
        raise Fault(f"slice {start}..{start + size} of dimension {dim} goes beyond its {dims[dim]} elements")
    return tuple(size if i == dim else whole for i, whole in enumerate(dims))


def _check(dims: tuple[int, ...], dim: int) -> None:
    if not 0 <= dim < len(dims):
        raise Fault(f"no dimension {dim} to slice in a tensor of rank {len(dims)}")


def apply_splitter(row: Splitter, split: Split, args: list[Node | int]) -> tuple[int, ...]:
    """What one of the SDK's functions gives for the part that `split` is at. Raises Fault."""
    input, *rest = args
    if not isinstance(input, Node) or len(rest) != len(row.roles):
        raise Fault(f"takes an operand and {len(row.roles)} arguments behind it: {', '.join(row.roles) or 'none'}")
    given = dict(zip(row.roles, rest, strict=True))
    dim = HEIGHT if row.height else split.dim
    if "dim" in given:
        dim = _number(given["dim"], "dim")
    values = {role: _value(role, arg, dim) for role, arg in given.items() if role != "dim"}
    stride = values.get("stride", 1)
    if not row.size:
        return split_start(input.output.dims, dim, split, stride)
    window = values.get("weights") or values.get("window") or values.get("extent") or 1
    spread = values.get("dilation") or values.get("spread") or 1
    return split_size(input.output.dims, dim, split, stride, (window - 1) * spread + 1)


def _value(role: str, arg: Node | int, dim: int) -> int:
    """The number that an argument stands for."""
    if role not in OPERANDS:
        return _number(arg, role)
    if not isinstance(arg, Node):
        raise Fault(f"its {role} is an operand")
    dims, at = arg.output.dims, dimension_of(role, dim)
    if at >= len(dims):
        raise Fault(f"its {role} has rank {len(dims)}, and its dimension {at} is asked for")
    return dims[at]


def _number(arg: Node | int, role: str) -> int:
    if isinstance(arg, Node):
        raise Fault(f"its {role} is a number")
    return int(arg)
