"""Findings about tiles: a `tiling:` that cuts what hangs together, and ops that take no large tensors."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.kernels.coupling import Coupling, Uncut
from opkg.kernels.tileable import LARGEST, find_coupling
from opkg.kernels.tileable import MOST_RANK as RANK
from opkg.spec.arriving import distinct_kernels
from opkg.spec.diagnostics import Diagnostic, Severity, error, place
from opkg.spec.model import Kernel, Op
from opkg.targets.qnn_htp_qhpi.facts import BYTES
from opkg.targets.qnn_htp_qhpi.tiles import Tiles, tiled_type, tiles_of
from opkg.targets.qnn_htp_qhpi.tiling_limits import limits


def lint_tiling(op: Op) -> list[Diagnostic]:
    """All findings about an op's tiles. Errors that other checks report are left to them."""
    try:
        coupling = find_coupling(op)
    except Uncut as reason:
        written = [kernel for kernel in op.kernels if kernel.tiling is not None]
        found = [_cannot(op, kernel, str(reason)) for kernel in written]
        return found or list(_announce(op, str(reason)))
    found = [finding for kernel in op.kernels for finding in _of_kernel(op, kernel, coupling)]
    tiles = tiles_of(op, distinct_kernels(op))
    return found or [
        *_announce(op, tiles.why, tuple(tile.element for tile in tiles.tiles)),
        *_announce_limits(op, tiles),
    ]


def _cannot(op: Op, kernel: Kernel, reason: str) -> Diagnostic:
    message = f"{op.name} cannot be tiled: {reason}"
    return error("OPK276", message, place(kernel.spans, "tiling", op.span), "leave tiling out")


def _of_kernel(op: Op, kernel: Kernel, coupling: Coupling) -> Iterator[Diagnostic]:
    if kernel.tiling is None:
        return
    span = place(kernel.spans, "tiling", op.span)
    if coupling.axes and any(m >= 0 for m in kernel.tiling.multiples):
        message = f"a tiling may cut what is reduced: {coupling.reason(0)}"
        yield error("OPK276", message, span, "leave tiling out: it is derived in each call")
        return
    most = max(tensor.ranks.high for tensor in op.outputs)
    for dim, multiple in enumerate(kernel.tiling.multiples):
        at = RANK - 1 - dim
        if multiple >= 0 and at in coupling.whole and at < most:
            message = f"tiles cannot be cut along dimension {dim} of '{op.outputs[0].name}': {coupling.reason(at)}"
            entries = ["whole" if RANK - 1 - i in coupling.whole else _shown(m) for i, m in _numbered(kernel)]
            yield error("OPK276", message, span, f"tiling: [{', '.join(entries)}]")
            return
    others = [k for k in op.kernels if k.tiling != kernel.tiling and tiled_type(op, k) == tiled_type(op, kernel)]
    if (others and others[0].spans[""].line < kernel.spans[""].line) or any(k.tiling is None for k in others):
        message = f"kernel '{others[0].function}' has the same output type and is tiled otherwise"
        yield error("OPK218", message, span, "give both the same tiling: tiles are chosen before kernels are")


def _numbered(kernel: Kernel) -> Iterator[tuple[int, int]]:
    assert kernel.tiling is not None
    return enumerate(kernel.tiling.multiples)


def _shown(multiple: int) -> str:
    return "whole" if multiple < 0 else str(multiple)


def _announce_limits(op: Op, tiles: Tiles) -> Iterator[Diagnostic]:
    """What an op that is tiled has limits for all the same. Signed element types have their own."""
    elements = {tile.element for tile in tiles.tiles}
    kernels = [kernel for kernel in op.kernels if tiled_type(op, kernel) in elements]
    for message in limits(op, kernels, tiles) if kernels else ():
        yield Diagnostic("OPK277", message, op.span, "", Severity.INFO)


def _announce(op: Op, why: str, tiled: tuple[str, ...] = ()) -> Iterator[Diagnostic]:
    """Once per op that is not tiled, or for some element types of its first output only."""
    if not why or not op.kernels:
        return
    sizes = []
    kernels = [kernel for kernel in distinct_kernels(op) if tiled_type(op, kernel) not in tiled]
    for kernel in kernels or distinct_kernels(op):
        widest = max((t.dtype.of(kernel.combination) for t in op.tensors), key=lambda d: BYTES.get(d.qhpi, 1))
        sizes.append(f"{LARGEST // BYTES.get(widest.qhpi, 1):,} elements of {widest}")
    which = "" if kernels else " of rank 5"
    message = f"tensors{which} of {op.name} may have up to 4 MiB each ({'; '.join(dict.fromkeys(sizes))}): {why}"
    hint = ""
    if op.compute is None and kernels:
        hint = "give its kernels a tiling: a multiple, 0 for any, or whole for each dimension that they need whole"
    yield Diagnostic("OPK277", message, op.span, hint, Severity.INFO)
