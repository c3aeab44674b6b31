"""C++ that refuses calls of which more would pass through TCM in one piece than it holds (OPK277): HTP does not prepare them."""

from __future__ import annotations

from dataclasses import dataclass, field

from opkg.kernels.tileable import MOST_RANK, converted, converted_whole
from opkg.spec.dtypes import DType
from opkg.spec.model import TensorSpec
from opkg.targets.qnn_common.names import local
from opkg.targets.qnn_htp_qhpi.plan import Plan
from opkg.targets.qnn_htp_qhpi.tiles import tiled_type
from opkg.targets.qnn_htp_qhpi.tiling_limits import whole_places

EVERY = "check_.kEveryPlace"
_ANY = "const uint32_t whole_ = 0x0;"  # tiles may be cut anywhere


@dataclass(frozen=True, slots=True)
class Pieces:
    """Statements, of each tensor the set of its dimensions that stay whole, and for which types several images of a tensor
    have a limit ("": for all that it may have), as `Validation` takes them."""

    lines: tuple[str, ...] = ()
    of: dict[str, str] = field(default_factory=dict)
    images: dict[str, str] = field(default_factory=dict)


def pieces(plan: Plan) -> Pieces:
    """Of an op without rules of its own, which may cut it in ways that nobody else knows. Pure."""
    lines = _whole(plan) if plan.tiles.tiles else ()
    found = {tensor.name: _of_tensor(plan, tensor, "whole_" if lines else EVERY) for tensor in plan.op.inputs}
    if lines == (_ANY,) and set(found.values()) == {"whole_"}:
        lines, found = (), {}
    return Pieces(lines, found, _images(plan))


def _whole(plan: Plan) -> tuple[str, ...]:
    """The dimensions that tiles of a call have whole."""
    op, tiles = plan.op, plan.tiles
    written = whole_places(tiles)
    joined = f"{sum(1 << place for place in written):#x}"
    axes = tiles.coupling.axes
    rows = bool(written or axes or not tiles.splits)  # what is cut along the last dimension cannot be joined
    value = f"{sum(1 << place for place in written | ({0} if rows else set())):#x}"
    if axes:
        param = next(p for p in op.params if p.name == axes)
        named = f"{local(axes)}.elements()" if param.shape is not None else f"opkg::Integers{{{local(axes)}}}"
        named = f" | check_.places({named}, {tiles.coupling.rank})"
        value, joined = value + named, joined + named
    changes = _types(plan)
    if max(tensor.ranks.high for tensor in op.tensors) > MOST_RANK:
        cut = f"check_.joins({joined})" if tiles.folds else "check_.at_most_four()"
        changes.insert(0, f"if (!{cut}) whole_ = {EVERY};")
    return (f"{'' if changes else 'const '}uint32_t whole_ = {value};", *changes)


def _types(plan: Plan) -> list[str]:
    """Element types of the first output that are not tiled."""
    tiled = {tile.element for tile in plan.tiles.tiles}
    output = plan.op.outputs[0]
    rest = [kernel.combination for kernel in plan.op.kernels if tiled_type(plan.op, kernel) not in tiled]
    names = dict.fromkeys(output.dtype.of(combination).qnn for combination in rest)
    test = " || ".join(f"{local(output.name)}.dtype() == {name}" for name in names)
    return [f"if ({test}) whole_ = {EVERY};"] if names else []


def _of_tensor(plan: Plan, tensor: TensorSpec, whole: str) -> str:
    """The backend makes signed elements unsigned: those of 16 bits in one piece, those of 8 bits in rows."""
    types = dict.fromkeys(tensor.dtype.of(combination) for combination in plan.op.combinations)
    wide = [dtype for dtype in types if converted_whole(dtype)]
    narrow = [dtype for dtype in types if converted(dtype) and dtype not in wide]
    value = whole
    if narrow:
        test = _any(narrow) if not plan.tiles.splits else f"({_any(narrow)}) && {{0}}.rank() <= {MOST_RANK}"
        value = f"{test} ? check_.whole_of_signed({{0}}, {whole}) : {whole}"
    # Beside a tensor of rank 5 whose last dimension goes, what lacks that dimension becomes one row when they are joined.
    narrower = tensor.ranks.low <= MOST_RANK < max(each.ranks.high for each in plan.op.inputs)
    if plan.tiles.coupling.dropped and narrower and len(plan.op.inputs) > 1 and whole != EVERY:
        value = f"{{0}}.rank() <= {MOST_RANK} && !check_.at_most_four() ? {EVERY} : {value}"
    if not wide or whole == EVERY:
        return value
    beside = plan.tiles.coupling.axes and tensor.ranks.high > MOST_RANK
    return f"{_any(wide)} ? {f'check_.whole_of_wide({{0}}, {whole})' if beside else EVERY} : {value}"


def _images(plan: Plan) -> dict[str, str]:
    """For which element types the images of a tensor are counted: those of a graph's tensors that become unsigned ones."""
    found = {}
    for tensor in plan.op.tensors:
        types = list(dict.fromkeys(tensor.dtype.of(combination) for combination in plan.op.combinations))
        signed = [dtype for dtype in types if converted(dtype)]
        if signed and tensor.ranks.low <= MOST_RANK <= tensor.ranks.high:
            found[tensor.name] = "" if signed == types else _any(signed)
    return found


def _any(types: list[DType]) -> str:
    return " || ".join(f"{{0}}.dtype() == {dtype.qnn}" for dtype in types)
