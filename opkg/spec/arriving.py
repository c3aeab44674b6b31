"""Which of an op's kernels QHPI calls: one for all combinations of element types that arrive alike (docs/measured-qhpi.md)."""

from __future__ import annotations

from opkg.spec.dtypes import DType, Kind
from opkg.spec.model import Combination, Kernel, Op
from opkg.spec.once import once


def qhpi_types(op: Op, combination: Combination) -> tuple[str, ...]:
    """Element types of all tensors as they reach a kernel: combinations that agree share one kernel."""
    return tuple(tensor.dtype.of(combination).qhpi for tensor in op.tensors)


@once
def distinct_kernels(op: Op) -> tuple[Kernel, ...]:
    """One kernel per signature: where combinations arrive alike, the generated one that takes most stands, and of these one
    for unsigned elements."""
    chosen: dict[tuple[object, ...], Kernel] = {}
    for kernel in sorted(op.kernels, key=lambda k: (_narrowness(k), _has_moved_elements(k))):
        key = (qhpi_types(op, kernel.combination), kernel.layout, kernel.storage, kernel.placement)
        chosen.setdefault(key, kernel)
    kept = set(map(id, chosen.values()))
    return tuple(kernel for kernel in op.kernels if id(kernel) in kept)


def signed_alike(op: Op, kernel: Kernel) -> tuple[Kernel, ...]:
    """Generated kernels that another one of unsigned integers serves, because theirs differ from these in their signs alone:
    the zero of a tensor tells which one a call is of. Those with most signed types first."""
    key = (qhpi_types(op, kernel.combination), kernel.layout, kernel.storage, kernel.placement)
    chosen = distinct_kernels(op)
    found = [
        other
        for other in op.kernels
        if other not in chosen
        and not (other.body or kernel.body)
        and (qhpi_types(op, other.combination), other.layout, other.storage, other.placement) == key
        and _narrowness(other) == _narrowness(kernel)
        and all(narrow(dtype) == 1 for dtype in _differing(kernel, other))
    ]
    return tuple(sorted(found, key=lambda other: -len(_differing(kernel, other))))


def _differing(kernel: Kernel, other: Kernel) -> list[DType]:
    """The element types of a kernel that another one has otherwise."""
    pairs = zip(kernel.combination.types, other.combination.types, strict=True)
    return [one for (_, one), (_, two) in pairs if one != two]


def _narrowness(kernel: Kernel) -> int:
    """Of a generated kernel: how much less than all numbers it takes."""
    return sum(narrow(dtype) for _, dtype in kernel.combination.types) if not kernel.body else 0


def narrow(dtype: DType) -> int:
    """Quantized elements are any numbers, integers are of one step, bools are 0 and 1."""
    return 2 if dtype.kind is Kind.BOOL else 0 if dtype.quantized else 1


def _has_moved_elements(kernel: Kernel) -> bool:
    """Whether signed elements reach the kernel as unsigned ones."""
    return any(
        dtype.signed and dtype.bits in (8, 16) and dtype.kind is not Kind.FLOAT for _, dtype in kernel.combination.types
    )
