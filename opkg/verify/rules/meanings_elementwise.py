"""Meanings of element-wise core ops: activations, arithmetic, comparisons, conversions between element types."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from opkg.rules.core import HtpType
from opkg.verify.cases.rng import Rng
from opkg.verify.meaning.numbers import Array
from opkg.verify.rules.meaning import Call, Meaning, Shape, Typing, Unfit, Want, bounded, const
from opkg.verify.rules.tensors import FLOATS, WHOLE, real_of, stored

Draw = Callable[[], Shape]


def scalar(value: float, dtype: HtpType) -> Want:
    """A constant of one element in the form in which HTP has them, [1,1,1,1]."""
    kind = np.int64 if dtype in WHOLE else np.float64
    return const(np.full((1, 1, 1, 1), value, kind), dtype)


def one(*params: Callable[[Rng, Shape], Want]) -> Callable[[Rng, Sequence[Shape | None], Draw], list[Want]]:
    """One tensor, then params as the functions draw them."""

    def propose(rng: Rng, known: Sequence[Shape | None], draw: Draw) -> list[Want]:
        shape = known[0] if known and known[0] is not None else draw()
        return [Want(shape), *(param(rng, shape) for param in params)][: max(len(known), 1)]

    return propose


def broadcastable(rng: Rng, leader: Shape) -> Shape:
    """The shape itself, mostly, or one that is stretched to it."""
    way = rng.uniform()
    if way < 0.55:
        return leader
    if way < 0.75:
        return (*(1 for _ in leader[:-1]), leader[-1]) if leader else leader
    if way < 0.85:
        return tuple(1 for _ in leader)
    return tuple(1 if rng.chance(0.5) else d for d in leader)


def many(rng: Rng, known: Sequence[Shape | None], draw: Draw) -> list[Want]:
    """Tensors that broadcast against each other."""
    given = [shape for shape in known if shape is not None]
    leader = max(given, key=math.prod) if given else draw()
    found = []
    led = bool(given)
    for shape in known:
        found.append(Want(shape if shape is not None else broadcastable(rng, leader) if led else leader))
        led = True
    if not given and len(found) > 1 and rng.chance(0.15):
        found[0], found[-1] = found[-1], found[0]
    return found


def _fitting(arrays: list[Array]) -> None:
    try:
        bounded(np.broadcast_shapes(*(a.shape for a in arrays)))
    except ValueError:
        raise Unfit(f"shapes {', '.join(str(list(a.shape)) for a in arrays)} do not broadcast") from None


def _unary(function: Callable[[Array], Array]) -> Callable[[Call], Array]:
    return lambda call: np.asarray(function(call.args[0].array))


def _binary(function: Callable[[Array, Array], Array]) -> Callable[[Call], Array]:
    def compute(call: Call) -> Array:
        arrays = [arg.array for arg in call.args[:2]]
        _fitting(arrays)
        return np.asarray(function(*arrays))

    return compute


def _real(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    return lambda x: np.asarray(function(x.astype(np.float64)))


def _divide(a: Array, b: Array) -> Array:
    if a.dtype.kind == "f" or b.dtype.kind == "f":
        return np.asarray(a.astype(np.float64) / b)
    whole = np.trunc(a.astype(np.float64) / np.where(b == 0, 1, b))
    return np.where(b == 0, 0, whole).astype(np.int64)


def _sigmoid(x: Array) -> Array:
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * x)))


def erf(x: Array) -> Array:
    """The error function, element by element."""
    return np.asarray(np.vectorize(math.erf, otypes=[np.float64])(x)) if x.size else x


def gelu(x: Array) -> Array:
    """x times the normal distribution's cumulative function."""
    with np.errstate(invalid="ignore"):
        return np.where(np.isneginf(x), 0.0, x * 0.5 * (1.0 + erf(x / math.sqrt(2.0))))


def _clip(call: Call) -> Array:
    x = call.args[0].array
    return np.minimum(np.maximum(x, call.number(1, -math.inf)), call.number(2, math.inf))


def _prelu(call: Call) -> Array:
    x, slope = call.args[0].array, call.args[1].array
    _fitting([x, slope])
    return np.where(x < 0, x * slope, x)


def _elu(call: Call) -> Array:
    x = call.args[0].array
    return np.where(x > 0, x, call.number(1, 1.0) * np.expm1(np.minimum(x, 0)))


def _hard_swish(x: Array) -> Array:
    return np.asarray(x * np.clip(x + 3.0, 0.0, 6.0) / 6.0)


def _select(call: Call) -> Array:
    arrays = [arg.array for arg in call.args[:3]]
    _fitting(arrays)
    return np.where(arrays[0] != 0, arrays[1], arrays[2])


def _identity(call: Call) -> Array:
    x = call.args[0].array
    return np.trunc(x) if call.dtype in WHOLE and x.dtype.kind == "f" else x


def _on_stored(source: HtpType, made: HtpType) -> bool:
    """Whether a cast works on stored numbers: of bytes with bytes, floats and integers; of 16 bits among themselves and from
    integers. tests/qhpi_target/test_core_casts.py asks the backend."""
    byte, pair = HtpType.QUInt8, HtpType.QUInt16
    plain = FLOATS | WHOLE | {byte}
    if byte in (source, made):
        return source in plain and made in plain
    return made is pair and (source is pair or source in WHOLE)


def _cast(call: Call) -> Array:
    """Real values, but where HTP takes stored numbers: as numbers of another type, toward zero and saturated, whatever they are
    quantized with (measured, QNN 2.51: bytes 0 10 200 of step 0.5 become 0.0 10.0 200.0, and 2.6 becomes byte 2 of any step)."""
    source, made = call.args[0], call.output
    if made is None or not _on_stored(source.output.dtype, made.dtype):
        return _identity(call)
    numbers = stored(source.array, source.output) if source.output.quantized else source.array
    if made.quantized:
        whole = np.trunc(numbers) if numbers.dtype.kind == "f" else numbers
        return real_of(stored(np.nan_to_num(whole), replace(made, step_size=1.0, zero_offset=0)), made)
    return numbers.astype(np.float64 if made.dtype in FLOATS else np.int64)


def _floor_div(a: Array, b: Array) -> Array:
    return np.asarray(np.floor(_divide(a.astype(np.float64), b.astype(np.float64))))


def _none(rng: Rng, shape: Shape) -> Want:
    return scalar(0, HtpType.Int32)


def _low(rng: Rng, shape: Shape) -> Want:
    return scalar(rng.choice((0.0, 0.0, -1.0, -0.5)), HtpType.Float32)


def _high(rng: Rng, shape: Shape) -> Want:
    return scalar(rng.choice((6.0, 6.0, 1.0, 2.5)), HtpType.Float32)


def _alpha(rng: Rng, shape: Shape) -> Want:
    return scalar(rng.choice((1.0, 0.5, 0.1)), HtpType.Float32)


def _slope(rng: Rng, known: Sequence[Shape | None], draw: Draw) -> list[Want]:
    shape = known[0] if known[0] is not None else draw()
    slope = known[1] if len(known) > 1 and known[1] is not None else (1, 1, 1, shape[-1])
    return [Want(shape), Want(slope)]


def _unaries() -> dict[str, Meaning]:
    same, real = Typing.SAME, Typing.FLOAT
    rows: tuple[tuple[str, Callable[[Array], Array], Typing], ...] = (
        ("Relu", lambda x: np.maximum(x, 0), same),
        ("Relu1", lambda x: np.clip(x, -1, 1), same),
        ("Relu6", lambda x: np.clip(x, 0, 6), same),
        ("ElementWiseNeg", np.negative, same),
        ("ElementWiseAbs", np.abs, same),
        ("ElementWiseFloor", _real(np.floor), real),
        ("ElementWiseCeil", _real(np.ceil), real),
        ("ElementWiseRound", _real(np.rint), real),
        ("ElementWiseSign", np.sign, same),
        ("ElementWiseExp", _real(np.exp), real),
        ("ElementWiseLog", _real(np.log), real),
        ("ElementWiseSquareRoot", _real(np.sqrt), real),
        ("ElementWiseRsqrt", _real(lambda x: 1.0 / np.sqrt(x)), real),
        ("ElementWiseSquare", np.square, same),
        ("ElementWiseSin", _real(np.sin), real),
        ("ElementWiseCos", _real(np.cos), real),
        ("ElementWiseSoftplus", _real(lambda x: np.logaddexp(0.0, x)), real),
        ("Sigmoid", _real(_sigmoid), real),
        ("Tanh", _real(np.tanh), real),
        ("HardSwish", _real(_hard_swish), real),
        ("Gelu", _real(gelu), real),
        ("Swish", _real(lambda x: x * _sigmoid(x)), real),
    )
    return {name: Meaning(_unary(f), one(), 1, 1, 1, typing) for name, f, typing in rows}


def _binaries() -> dict[str, Meaning]:
    rows: tuple[tuple[str, Callable[[Array, Array], Array], Typing], ...] = (
        ("ElementWiseAdd", np.add, Typing.SAME),
        ("ElementWiseSubtract", np.subtract, Typing.SAME),
        ("ElementWiseMultiply", np.multiply, Typing.SAME),
        ("ElementWiseDivide", _divide, Typing.SAME),
        ("ElementWiseFloorDiv", _floor_div, Typing.SAME),
        ("ElementWiseMinimum", np.minimum, Typing.SAME),
        ("ElementWiseMaximum", np.maximum, Typing.SAME),
        ("ElementWisePower", lambda a, b: np.power(a.astype(np.float64), b), Typing.FLOAT),
        ("ElementWiseSquaredDifference", lambda a, b: np.square(a - b), Typing.SAME),
        ("ElementWiseEqual", np.equal, Typing.COMPARE),
        ("ElementWiseNotEqual", np.not_equal, Typing.COMPARE),
        ("ElementWiseGreater", np.greater, Typing.COMPARE),
        ("ElementWiseGreaterEqual", np.greater_equal, Typing.COMPARE),
        ("ElementWiseLess", np.less, Typing.COMPARE),
        ("ElementWiseLessEqual", np.less_equal, Typing.COMPARE),
    )
    return {name: Meaning(_binary(f), many, 2, 2, 2, typing) for name, f, typing in rows}


def meanings() -> dict[str, Meaning]:
    """The element-wise ops by QNN name without prefix; `aliases` of the HTP core's own short names are added elsewhere."""
    return {
        **_unaries(),
        **_binaries(),
        "ReluMinMax": Meaning(_clip, one(_low, _high), 1, 3, 1),
        "Elu": Meaning(_elu, one(_alpha), 1, 2, 1, Typing.FLOAT),
        "Prelu": Meaning(_prelu, _slope, 2, 2, 2, Typing.FLOAT),
        "ElementWiseSelect": Meaning(_select, many, 3, 3, 3),
        "Cast": Meaning(_cast, one(), 1, 1, 1, Typing.CAST),
        "Convert": Meaning(_identity, one(_none, _none), 1, 3, 1, Typing.CAST),
        "Quantize": Meaning(_identity, one(), 1, 1, 1, Typing.QUANTIZE),
        "Dequantize": Meaning(_identity, one(), 1, 1, 1, Typing.DEQUANTIZE),
        "Identity": Meaning(_identity, one(), 1, 1, 1, Typing.KEPT),
    }
