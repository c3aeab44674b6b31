"""Replacements: modifiers, splits, iterations, slices."""

from __future__ import annotations

from typing import Any

from opkg.rules import core
from opkg.rules.constructs import Construct, ContextKind
from opkg.rules.core_match import Type
from opkg.rules.core_scalar import Const
from opkg.rules.elaborate.operators import cast
from opkg.rules.elaborate.replacing import below_root
from opkg.rules.elaborate.state import State, at, name_at
from opkg.rules.elaborate.take import SPLITS, builds
from opkg.rules.elaborate.values import value_of
from opkg.rules.syntax import Call

REPLACEMENT = ContextKind.REPLACEMENT
_REFERENCES = ("WITH_SIZE", "WITH_TYPE", "WITH_SAME_OUTPUT", "WITH_SAME_ID", "WITH_MEMOS", "INHERIT_MEMOS_FROM")
_NO_OUTPUT = (
    core.ModifierKind.SAME_ID,
    core.ModifierKind.SPLIT_HISTORY,
    core.ModifierKind.MEMOS,
    core.ModifierKind.INHERIT_MEMOS,
)
MOST_DIMS = 8


def _made(
    state: State, call: Call, reference: core.Repl | None, scalars: tuple[core.Expr, ...], body: core.Repl
) -> core.Repl:
    made = core.Modified(core.ModifierKind(call.name), reference, scalars, body, at=at(call))
    inner = body
    while isinstance(inner, core.Wrap):
        inner = inner.inner
    if isinstance(body, core.Wrap) and isinstance(inner, core.Existing) and made.kind not in _NO_OUTPUT:
        message = f"{call.name} changes nothing: a wrapped node that is there already keeps its output"
        state.warning("OPK539", message, name_at(call), "write Op instead of WrapOp")
    return made


@builds(REPLACEMENT, *_REFERENCES)
def _by_reference(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    return _made(state, call, values[0], (), values[1])


@builds(REPLACEMENT, "WITH_OUTPUT_TYPE")
def _output_type(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    element, zero, step, body = values
    _check_quantization(state, call, value_of(element), value_of(zero), value_of(step))
    return _made(state, call, None, (element, cast(zero, Type.INT), step), body)


_FIXED = {core.HtpType.QUInt8: (0, 255), core.HtpType.QUInt16: (0, 65535), core.HtpType.QInt8: (-128, 127),
          core.HtpType.QInt16: (-32768, 32767), core.HtpType.QInt32: (-(2**31), 2**31 - 1)}  # fmt: skip


def _check_quantization(
    state: State, call: Call, element: float | None, zero: float | None, step: float | None
) -> None:
    """Zero offset and step size that do not go with the element type (OPK542)."""
    if element is None or element not in {int(one) for one in core.HtpType}:
        return
    type = core.HtpType(int(element))
    if type not in _FIXED:
        if zero not in (None, 0) or step not in (None, 1):
            message = f"{type.name} is not quantized: zero offset and step size are 0 and 1.0f for it"
            state.warning("OPK542", message, call.args[1] if zero not in (None, 0) else call.args[2])
        return
    least, most = _FIXED[type]
    if zero is not None and not least <= zero <= most:
        state.warning("OPK542", f"{type.name} has no zero offset {zero}: {least} to {most}", call.args[1])
    if step is not None and not step > 0:
        state.warning("OPK542", f"a step size is greater than 0, not {step}", call.args[2])


def _number(call: Call, number: int, value: int) -> Const:
    return Const(Type.INT, value, at=at(call.args[number]))


@builds(REPLACEMENT, "WITH_MULTI_OUT")
def _multi_out(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    if state.complete and values[0] < 1:
        state.error("OPK542", f"an op cannot have {values[0]} outputs", call.args[0])
    return _made(state, call, None, (_number(call, 0, values[0]),), values[1])


@builds(REPLACEMENT, "ResizeDim")
def _resize(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    _check_dim(state, call, 0, values[0])
    if state.complete and values[1] < 0:
        state.error("OPK542", f"a dimension cannot be {values[1]}", call.args[1])
    return _made(state, call, None, (_number(call, 0, values[0]), _number(call, 1, values[1])), values[2])


@builds(REPLACEMENT, "WITH_SPLIT_HISTORY")
def _history(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    if len(values) == 3:
        _check_dim(state, call, 1, values[1])
        return _made(state, call, values[0], (_number(call, 1, values[1]),), values[2])
    return _made(state, call, values[0], (), values[1])


def _check_dim(state: State, call: Call, number: int, dim: int | None) -> None:
    if dim is not None and not 0 <= dim < MOST_DIMS and state.complete:
        hint = f"dimensions count from 0 to {MOST_DIMS - 1}"
        state.error("OPK542", f"there is no dimension {dim}", call.args[number], hint)


# ---- splits --------------------------------------------------------------------------------------------------------


def _constant(expr: core.Expr) -> int | None:
    value = value_of(expr)
    return None if value is None else int(value)


@builds(REPLACEMENT, *SPLITS)
def _split(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    below_root(state, call)
    method = core.SplitMethod(row.name)
    dim, tag, body = values[0], values[1], values[-1]
    if isinstance(dim, int):
        dim = _number(call, 0, dim)
    chunk = values[2] if len(values) == 4 else None
    _check_dim(state, call, 0, _constant(dim))
    size = None if chunk is None else _constant(chunk)
    if size is not None and size <= 0:
        state.error("OPK542", f"a part cannot be {size} long", call.args[2])
    return core.AutoSplit(method, dim, tag, chunk, body, at=at(call))


@builds(REPLACEMENT, "OP_ITER")
def _iterate(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    base, tag, low, high, body = values
    first, last = _constant(low), _constant(high)
    if first is not None and last is not None and first >= last:
        state.warning("OPK542", f"nothing lies between {first} and {last}: the iteration adds no inputs", call.args[3])
    return core.OpIter(base, tag, low, high, body, at=at(call))


@builds(REPLACEMENT, "ITER_INPUT_OF")
def _iter_input(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    return core.IterInputOf(values[0], values[1], at=at(call))


# ---- slices --------------------------------------------------------------------------------------------------------


@builds(REPLACEMENT, "AUTOSPLIT_SLICE")
def _slice(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    source, start, size = values
    return core.Slice(source, start, size, at=at(call))


@builds(REPLACEMENT, "TYPICAL_SLICE", "TYPICAL_SLICE_REDUCE")
def _typical(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    reduce = row.name == "TYPICAL_SLICE_REDUCE"
    split = state.open_split(values[1])
    if split is not None and reduce != (split.construct == "AUTOSPLIT_REDUCE"):
        other = "TYPICAL_SLICE" if reduce else "TYPICAL_SLICE_REDUCE"
        message = f"{row.name} does not fit {split.construct}: the ranks of part and output differ"
        state.warning("OPK540", message, name_at(call), f"write {other}")
    return core.TypicalSlice(values[0], values[1], -1, reduce, at=at(call))


@builds(REPLACEMENT, "CHANGEDIM_SLICE")
def _change_dim(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    dim = values[2]
    if dim != -1:  # the split's own dimension
        _check_dim(state, call, 2, dim)
    return core.TypicalSlice(values[0], values[1], dim, at=at(call))
