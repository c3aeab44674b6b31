"""Element types as OpenVINO has them, and which combinations of an op it can tell apart."""

from __future__ import annotations

from opkg.spec.dtypes import DTYPES, DType, Kind
from opkg.spec.expr import Expression
from opkg.spec.model import Combination, Op, ParamSpec, TensorSpec

# What a kernel reads: OpenVINO has no type of a quantized number, so these are whole numbers with a scale as attributes.
# What the CPU device computes with in place of a type of whole numbers.
_DEVICE = {"boolean": "u8", **dict.fromkeys(("i16", "u16", "u32", "i64", "u64"), "i32")}
HELD = frozenset(name for name, dtype in DTYPES.items() if dtype.openvino and dtype.bits >= 8)


def element(dtype: DType) -> str:
    """The name in ov::element: `f32`, `boolean`."""
    return dtype.openvino


def usable(op: Op) -> tuple[Combination, ...]:
    """The combinations all of whose element types OpenVINO has; of several that look alike to it, the first."""
    found: dict[tuple[str, ...], Combination] = {}
    for combination in op.combinations:
        types = [t.dtype.of(combination) for t in op.tensors]
        if all(dtype.name in HELD for dtype in types):
            found.setdefault(tuple(map(element, types)), combination)
    return tuple(found.values())


def alike(op: Op) -> bool:
    """Whether whole numbers of one combination may become those of another one on the CPU device, which makes int32 of most."""
    rows = {tuple(element(t.dtype.of(c)) for t in op.inputs) for c in usable(op)}
    return len({tuple(_DEVICE.get(held, held) for held in row) for row in rows}) < len(rows)


def cpp(dtype: DType) -> str:
    """The C++ type of an element."""
    return "ov::float16" if dtype.name == "float16" else dtype.cpp


def quantized(op: Op) -> tuple[TensorSpec, ...]:
    """The tensors that have a scale as attribute: those that are quantized in some combination."""
    return tuple(t for t in op.tensors if any(t.dtype.of(c).quantized for c in usable(op)))


def computed(param: ParamSpec) -> bool:
    """Whether a param's default hangs on shapes."""
    return isinstance(param.default, Expression)


def marked(param: ParamSpec) -> bool:
    """Whether a number stands for the scalar param where it was not given: it has no default, or one that is computed."""
    return param.shape is None and param.dtype.kind is not Kind.BOOL and (param.default is None or computed(param))


def unset(param: ParamSpec) -> str:
    """C++ of the number that stands for a scalar param which was not given."""
    held = "float" if param.dtype.kind is Kind.FLOAT else param.dtype.cpp
    return f"std::numeric_limits<{held}>::{'max' if param.dtype.kind is Kind.UINT else 'lowest'}()"


def lowest(param: ParamSpec) -> int | float:
    """The same number in Python."""
    if param.dtype.kind is Kind.FLOAT:
        return -3.4028234663852886e38
    low, high = param.dtype.limits
    return high if param.dtype.kind is Kind.UINT else low
