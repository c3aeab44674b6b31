"""What is claimed of generated kernels, which code computes them, beside what was counted when they ran."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.kernels.choose import choose
from opkg.kernels.emit.parts import parts
from opkg.spec.model import Kernel, Op, OpPackage
from opkg.targets.qnn_common.generated import sources_of
from opkg.verify.outcome import Cell, VerifyResult
from opkg.verify.paths import BY_HAND

# Of the elements of a cell: what prepare() and rows may turn down, as scales a factor of a million apart.
LEAST = 0.6


def claim(op: Op, kernel: Kernel, arch: int | None, unsigned: bool) -> str:
    """`vector`, `portable`, `vector, portable` by the optional inputs, or `by hand`. `arch` None: the host, which has all
    instructions; else an architecture of qemu, which has no floating point."""
    if kernel.body:
        return BY_HAND
    found = set()
    for snippets in parts(op, sources_of(op, [kernel])[0], unsigned):
        for snippet in snippets:
            chosen = choose(snippet)
            lowered = chosen.lowered if chosen is not None else None
            able = lowered is not None and (arch is None or (not lowered.float_unit and lowered.arch <= arch))
            found.add("vector" if able else "portable")
    return ", ".join(sorted(found, reverse=True))


def differing(packages: list[OpPackage], result: VerifyResult) -> Iterator[str]:
    """The cells of which something else was counted than claimed."""
    ops = {(package.name, op.name): op for package in packages for op in package.ops}
    for cell in result.cells:
        if cell.rule or cell.column.machine == "executorch":
            continue
        arch = cell.column.machine.removeprefix("hexagon-v") if cell.column.machine.startswith("hexagon") else ""
        op = ops[cell.package, cell.op]
        kernels = [kernel for kernel in op.kernels if str(kernel.combination) == cell.types]
        unsigned = cell.column.interface == "qhpi"
        claims = {claim(op, kernel, int(arch) if arch else None, unsigned) for kernel in kernels}
        if not any(_holds(each, cell) for each in claims):
            yield f"{cell.op} {cell.types} on {cell.column.label}: claimed {claims}, ran {cell.code}"


def _holds(claimed: str, cell: Cell) -> bool:
    if claimed == BY_HAND:
        return cell.paths.total == 0
    if claimed == "portable":
        return cell.paths.total > 0 and cell.paths.vector == 0
    return cell.paths.share >= (LEAST if claimed == "vector" else 0.01)
