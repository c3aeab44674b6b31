"""What an op that is tiled takes in one tile or row at most: sizes of calls, which no tiling of the op can change.

All of it was measured in QNN 2.51 (docs/measured-qhpi.md, "Tiling").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opkg.kernels.coupling import Coupling
from opkg.kernels.tileable import LARGEST, MOST_RANK, alternates, converted, converted_whole
from opkg.spec.dtypes import DType
from opkg.spec.model import Kernel, Op
from opkg.targets.qnn_htp_qhpi.facts import BYTES
from opkg.targets.qnn_htp_qhpi.tiles import Tiles


def limits(op: Op, kernels: Iterable[Kernel], tiles: Tiles) -> Iterator[str]:
    """One sentence for each limit of an op with tiles."""
    types = list(dict.fromkeys(t.dtype.of(kernel.combination) for kernel in kernels for t in op.tensors))
    whole = whole_places(tiles)
    if whole or tiles.coupling.axes:
        yield _of_whole(op, tiles.coupling, whole, types)
    cast = [dtype for dtype in types if converted_whole(dtype)]
    if cast:
        yield (
            f"signed tensors of 16 bits of {op.name} may have up to 4 MiB each ({_sizes(cast)}) where they are a graph's "
            "inputs or outputs (several images of them up to 1 MiB together): the backend makes them unsigned in one piece"
        )
    if not whole and not tiles.coupling.axes:
        yield from _of_rows(op, tiles, types)
    most = max(t.ranks.high for t in op.tensors)
    if most > MOST_RANK and tiles.folds:
        yield from _of_rank_5(op, tiles.coupling, types)


def whole_places(tiles: Tiles) -> frozenset[int]:
    """Places that tiles have whole, by what is computed or by what the spec says."""
    written = {MOST_RANK - 1 - dim for tile in tiles.tiles for dim, n in enumerate(tile.multiples) if n < 0}
    return tiles.coupling.coupled | written


def _of_whole(op: Op, coupling: Coupling, whole: frozenset[int], types: list[DType]) -> str:
    reasons = [coupling.reason(place) for place in sorted(whole & coupling.coupled)]
    why, together = reasons[0] if reasons else "its tiling says so", " together"
    if coupling.axes:
        which, why = f"the dimensions that '{coupling.axes}' names and the last one", coupling.reason(0)
    elif whole == {0}:
        which, together = "the last dimension", ""
    else:
        which = "dimensions " + ", ".join(str(-1 - place) for place in sorted(whole | {0}, reverse=True))
    return f"{which} of {op.name} may have up to 4 MiB{together} ({_sizes(types)}), which each tile has whole: {why}"


def _of_rows(op: Op, tiles: Tiles, types: list[DType]) -> Iterator[str]:
    signed = [dtype for dtype in types if converted(dtype) and not converted_whole(dtype)]
    if tiles.splits and not signed:
        return
    some = signed if tiles.splits else types
    why = "the backend cannot join what is cut along it"
    if tiles.splits:
        why = f"{why}, nor lay it out in other dimensions behind the conversion to unsigned elements"
    which = f"of {' and '.join(map(str, some))} tensors " if tiles.splits else ""
    yield f"the last dimension {which}of {op.name} may have up to 4 MiB ({_sizes(some)}): {why}"


def _of_rank_5(op: Op, coupling: Coupling, types: list[DType]) -> Iterator[str]:
    head = f"inputs of rank 5 of {op.name} may have up to 4 MiB each ({_sizes(types)})"
    why = "dimensions cannot be joined to the four that are cut into tiles"
    pinned = max(coupling.coupled, default=-1) + 1
    if coupling.axes and coupling.rank > MOST_RANK:
        wide = ", half as many of signed elements of 16 bits" if any(map(converted_whole, types)) else ""
        yield f"{head}{wide} where '{coupling.axes}' names one of the first two dimensions: {why}"
    elif pinned >= MOST_RANK:
        yield f"{head}: {why}"
    elif alternates(op, pinned):
        yield f"{head} where inputs are broadcast in turns, [1,n,1,m,1] with [k,1,l,1,p]: {why}"


def _sizes(types: list[DType]) -> str:
    return "; ".join(f"{LARGEST // BYTES.get(dtype.qhpi, 1):,} elements of {dtype}" for dtype in types)
