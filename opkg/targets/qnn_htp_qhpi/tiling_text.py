"""The C++ that says how an op is tiled: one constant, or a function of the call where params or element types decide."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.kernels.coupling import Coupling
from opkg.spec.model import Op
from opkg.targets.qnn_common.names import camel, snake
from opkg.targets.qnn_htp_qhpi.plan import Plan
from opkg.targets.qnn_htp_qhpi.tiles import Tile, Tiles, axis_default

_BLOCKS = (1, 1, 1, 128)  # of `opkg::Tiling`


@dataclass(frozen=True, slots=True)
class TilingText:
    """`lines` define what `value` names; `headers` are those of ours that they need. `folds`: there is an early rewrite."""

    comment: str
    lines: tuple[str, ...]
    value: str
    headers: tuple[str, ...]
    folds: bool


def tiling_text(plan: Plan) -> TilingText | None:
    """None for an op that is not tiled."""
    op, tiles = plan.op, plan.tiles
    if not tiles.tiles:
        return None
    stem = snake(op.name)
    lines = [*_coupling(plan, tiles.coupling), *_splits(tiles)]
    all_types = {tile.element for tile in tiles.tiles} == set(plan.output_types)
    alike = len({(tile.multiples, tile.blocks) for tile in tiles.tiles}) == 1
    if alike and all_types:
        lines += _extents(tiles.tiles[0])
    else:
        lines += _by_type(tiles.tiles, all_types)
    if tiles.coupling.keep and any(any(tile.multiples) for tile in tiles.tiles):
        lines.append("if (tiling.dropped) opkg::drop_multiples(&tiling);")
    params = _reads_call(op, tiles.coupling)
    headers = ("opkg/tiling_params.h",) if params else ("opkg/fold.h",) if tiles.folds else ("opkg/tiling.h",)
    comment = _comment(op, tiles)
    if not lines:
        name = f"k{camel(op.name)}Tiling"
        return TilingText(comment, (f"constexpr opkg::Tiling {name} = {{}};",), name, headers, tiles.folds)
    unused = "" if params or not (alike and all_types) else "*"
    head = (
        f"opkg::Tiling {stem}_tiling(const QHPI_Op* op) {{"
        if not unused
        else f"constexpr opkg::Tiling {stem}_tiling() {{"
    )
    body = (head, "  opkg::Tiling tiling;", *(f"  {line}" for line in lines), "  return tiling;", "}")
    return TilingText(comment, body, f"{stem}_tiling({'' if unused else 'op'})", headers, tiles.folds)


def _comment(op: Op, tiles: Tiles) -> str:
    coupling = tiles.coupling
    if coupling.axes:
        return f"Tiles have the dimensions whole that {coupling.axes} names."
    if not coupling.coupled:
        return "Tiles may be cut along every dimension."
    places = sorted(coupling.coupled)
    if places == list(range(len(places))):
        which = "last dimension" if len(places) == 1 else f"last {len(places)} dimensions"
        return f"Tiles have the {which} whole: {coupling.reason(0)}."
    shown = ", ".join(str(-1 - place) for place in places)
    return f"Tiles have the dimensions {shown} whole: {coupling.reason(places[0])}."


def _coupling(plan: Plan, coupling: Coupling) -> list[str]:
    bits = sum(1 << place for place in coupling.coupled)
    lines = [f"tiling.coupled = {bits:#x};"] if bits else []
    if coupling.dropped and not coupling.keep:
        lines.append("tiling.dropped = true;")
    names = [tensor.name for tensor in plan.op.inputs]
    aligned = sum(1 << names.index(name) for name in coupling.aligned if name in names)
    if aligned:
        lines.append(f"tiling.aligned = {aligned:#x};")
    return lines + _of_params(plan, coupling)


def _uncut(op: Op, coupling: Coupling) -> list[str]:
    """Tensor params that every tile needs whole: lists of dimensions, and all those that kernels written by hand read."""
    return [p.name for p in op.params if p.shape is not None and (op.compute is None or p.name == coupling.axes)]


def _reads_call(op: Op, coupling: Coupling) -> bool:
    """Whether it takes a call's params to know its tiles."""
    return bool(coupling.axes or coupling.keep or _uncut(op, coupling))


def _of_params(plan: Plan, coupling: Coupling) -> list[str]:
    """What params say in each call, by where the chosen kernel record has them."""
    names = [name for name in (coupling.axes, coupling.keep) if name]
    names += [name for name in _uncut(plan.op, coupling) if name not in names]
    if not names:
        return []
    rows = [[record.positions[name] for name in names] for record in plan.records]
    table = ", ".join("{" + ", ".join(map(str, row)) + "}" for row in rows)
    lines = [
        f"// Of {', '.join(names)}, by kernel record; -1: left out.",
        f"constexpr int kPlaces[][{len(names)}] = {{{table}}};",
        f"const int record = opkg::record_of(op, k{plan.op.identifier}Kernels, {len(rows)});",
        "if (record < 0) return opkg::nothing_to_cut();",
    ]
    for column, name in enumerate(names):
        may_be_absent = any(row[column] < 0 for row in rows)
        if name == coupling.axes:
            lines += _axes(plan.op, coupling, may_be_absent)
        elif name == coupling.keep:
            lines += _keep(plan.op, name, column, may_be_absent)
        else:
            lines.append(
                f"if (kPlaces[record][{column}] >= 0) tiling.uncut |= uint64_t{{1}} << kPlaces[record][{column}];"
            )
    return lines


def _axes(op: Op, coupling: Coupling, may_be_absent: bool) -> list[str]:
    given = f"opkg::places_in(op, axes, {coupling.rank})"
    lines = ["const int axes = kPlaces[record][0];"]
    if not may_be_absent:
        lines.append(f"tiling.coupled |= {given};")
    else:
        default = axis_default(op, coupling.axes)
        place = None if default is None else -1 - default if default < 0 else coupling.rank - 1 - default
        absent = "opkg::kEveryPlace" if place is None else f"{1 << place:#x}"
        lines.append(f"tiling.coupled |= axes >= 0 ? {given} : {absent};")
    if next(p for p in op.params if p.name == coupling.axes).shape is not None:
        lines.append("if (axes >= 0) tiling.uncut |= uint64_t{1} << axes;")
    return lines


def _keep(op: Op, name: str, column: int, may_be_absent: bool) -> list[str]:
    default = next(p for p in op.params if p.name == name).default
    value = "opkg::flag_in(op, keep)"
    if may_be_absent:
        value = f"(keep >= 0 ? {value} : {'true' if default is True else 'false'})"
    return [f"const int keep = kPlaces[record][{column}];", f"tiling.dropped = !{value};"]


def _splits(tiles: Tiles) -> list[str]:
    decided = tiles.coupling.coupled or tiles.coupling.axes  # rows that stay whole are not split
    return ["tiling.splits = false;"] if tiles.folds and not tiles.splits and not decided else []


def _extents(tile: Tile) -> list[str]:
    lines = []
    if tile.blocks != _BLOCKS:
        lines += [f"tiling.blocks[{i}] = {n};" for i, n in enumerate(tile.blocks) if n != _BLOCKS[i]]
    return lines + [
        f"tiling.multiples[{i}] = {'QHPI_DO_NOT_TILE' if n < 0 else n};" for i, n in enumerate(tile.multiples) if n
    ]


def _by_type(tiles: tuple[Tile, ...], all_types: bool) -> list[str]:
    """One branch for each element type that differs; those that are not tiled have nothing to cut."""
    lines = ["const uint32_t type = opkg::arriving(qhpi_op_output(op, 0)).type;"]
    if not all_types:
        known = " && ".join(f"type != QHPI_{tile.element.upper()}" for tile in tiles)
        lines.append(f"if ({known}) return opkg::nothing_to_cut();")
    for tile in tiles:
        extents = _extents(tile)
        if extents:
            lines += [f"if (type == QHPI_{tile.element.upper()}) {{", *(f"  {line}" for line in extents), "}"]
    return lines
