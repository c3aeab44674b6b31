"""The table of core ops that have a meaning here, by name."""

from __future__ import annotations

from functools import cache

from opkg.verify.rules import meanings_blocks, meanings_elementwise, meanings_layout, meanings_linear
from opkg.verify.rules.meaning import Meaning

# Prefixes under which a core op is written: rules (`q::`), QHPI's early graphs (`q::QNN_`), QNN itself.
PREFIXES = ("q::QNN_", "q::", "qti.aisw::")
# The core's own short names for the same computation.
ALIASES = {
    "Add": "ElementWiseAdd", "Sub": "ElementWiseSubtract", "Mul": "ElementWiseMultiply", "Div": "ElementWiseDivide",
    "Minimum": "ElementWiseMinimum", "Maximum": "ElementWiseMaximum", "Neg": "ElementWiseNeg", "Abs": "ElementWiseAbs",
    "Exp": "ElementWiseExp", "Sqrt": "ElementWiseSquareRoot", "Rsqrt": "ElementWiseRsqrt", "Round": "ElementWiseRound",
    "RSqrt": "ElementWiseRsqrt", "Log": "ElementWiseLog", "Floor": "ElementWiseFloor", "Ceil": "ElementWiseCeil",
    "Sin": "ElementWiseSin", "Cos": "ElementWiseCos", "Power": "ElementWisePower", "PRelu": "Prelu",
    "SquaredDifference": "ElementWiseSquaredDifference",
    "ReluMinMaxLimits": "ReluMinMax", "IntToFloat": "Dequantize", "FloatToInt": "Quantize", "Add_flat": "ElementWiseAdd",
    "Mul_flat": "ElementWiseMultiply", "Sub_flat": "ElementWiseSubtract", "Requantize": "Convert",
}  # fmt: skip


@cache
def table() -> dict[str, Meaning]:
    """All meanings by QNN name."""
    rooms = (meanings_elementwise, meanings_layout, meanings_blocks, meanings_linear)
    return {name: meaning for room in rooms for name, meaning in room.meanings().items()}


def bare(op: str) -> str | None:
    """The QNN name of a core op, None for an op of another package."""
    for prefix in PREFIXES:
        if op.startswith(prefix):
            name = op[len(prefix) :]
            return ALIASES.get(name, name)
    return None


def meaning_of(op: str) -> Meaning | None:
    """The meaning of an op by its full name; None when it has none."""
    name = bare(op)
    return None if name is None else table().get(name)
