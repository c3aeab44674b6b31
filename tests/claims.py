"""What is claimed of generated kernels, which code computes them, beside what was counted when they ran."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from opkg.kernels.choose import choose
from opkg.kernels.emit.parts import parts
from opkg.kernels.lowered import Lowered
from opkg.kernels.sequence import Sequence as Loops
from opkg.spec.model import Kernel, Op, OpPackage
from opkg.targets.qnn_common.generated import sources_of
from opkg.verify.judge.paths import BY_HAND, Paths

# Of the cases of a cell, large and small alike, those that vector code computes. Kernels in fixed point turn down quantized
# operands whose products or sums may be several times as large as what the output holds: 16 bits have no fraction left then.
# The most among the examples: 8 of 35 cases of Prelu s8.
LEAST = 0.65


def claim(op: Op, kernel: Kernel, arch: int | None, unsigned: bool) -> str:
    """`vector`, `portable`, `vector, portable` by the optional inputs, or `by hand`. `arch` None: the host, which has all
    instructions; else an architecture of qemu, which has no floating point: v66 computes floats in whole numbers."""
    if kernel.body:
        return BY_HAND
    found: set[str] = set()
    for snippets in parts(op, sources_of(op, [kernel])[0], unsigned):
        for snippet in snippets:
            chosen = choose(snippet)
            found |= _codes(chosen.lowered if chosen is not None else None, arch)
    return ", ".join(sorted(found, reverse=True))


def _codes(lowered: Lowered | Loops | None, arch: int | None) -> set[str]:
    if lowered is None or (arch is not None and not lowered.float_unit and lowered.arch > arch):
        return {"portable"}
    if arch is None or not lowered.float_unit or arch < lowered.arch:
        return {"vector"}
    in_fixed_point = isinstance(lowered, Loops) and lowered.slots is not None and bool(lowered.slots.text)
    return {"vector", "portable"} if in_fixed_point else {"portable"}  # long rows are floats


def differing(packages: list[OpPackage], cells: list[dict[str, Any]]) -> Iterator[str]:
    """The cells (of the JSON report) of which something else was counted than claimed."""
    ops = {(package.name, op.name): op for package in packages for op in package.ops}
    for cell in cells:
        if cell["rule"]:
            continue
        machine, _, arch = cell["column"].partition(" v")
        number = int(arch) if machine == "hexagon" else None
        op = ops[cell["package"], cell["op"]]
        kernels = [kernel for kernel in op.kernels if str(kernel.combination) == cell["types"]]
        claims = {claim(op, kernel, number, "classic" not in cell["column"]) for kernel in kernels}
        counted = [Paths(**case["elements"]) for case in cell["cases"]]
        if not any(_holds(each, counted) for each in claims):
            yield f"{cell['op']} {cell['types']} on {cell['column']}: claimed {claims}, ran {cell['elements']}"


def _holds(claimed: str, counted: list[Paths]) -> bool:
    ran = [each for each in counted if each.total]
    if claimed == BY_HAND:
        return not ran
    vector = sum(each.vector > 0 for each in ran)
    if claimed == "portable":
        return bool(ran) and vector == 0
    return bool(ran) and vector >= (LEAST * len(ran) if claimed == "vector" else 1)
