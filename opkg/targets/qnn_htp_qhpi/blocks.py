"""Records in blocks ("croutons") beside flat ones: what of a package has them, and what is said of the rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opkg.spec.arriving import distinct_kernels, qhpi_types
from opkg.spec.diagnostics import Diagnostic, Severity, place
from opkg.spec.model import Op, OpPackage
from opkg.targets.qnn_htp_qhpi.plan import Plan, Record

_LATE = "a rule of the package looks for ops after tiling, when some stand there in another's place"


def with_blocks(package: OpPackage) -> OpPackage:
    """The package with `also_blocks` at no kernel but those that have records in blocks."""
    if not any(kernel.also_blocks for op in package.ops for kernel in op.kernels):
        return package
    from opkg.kernels.blocks import settled

    late = rewrites_late(package)
    return replace(package, ops=tuple(_registered(op if late else settled(op), late) for op in package.ops))


def _registered(op: Op, late: bool) -> Op:
    """The op with `also_blocks` at none but kernels that are registered; at none at all in a package with late rules."""
    chosen = () if late else distinct_kernels(op)
    kernels = (k if not k.also_blocks or k in chosen else replace(k, also_blocks=False) for k in op.kernels)
    return replace(op, kernels=tuple(kernels))


def with_twins(op: Op) -> Op:
    """An op of with_blocks() with a kernel in blocks in front of each flat one that has `also_blocks`."""
    if not any(kernel.also_blocks for kernel in op.kernels):
        return op
    from opkg.kernels.blocks import with_twins as twins

    return twins(op)


def has_flat(op: Op) -> bool:
    """Whether `Op.flat` stands in an op's place where its tensors are better flat. `op`: of with_blocks()."""
    return any(kernel.also_blocks for kernel in op.kernels)


def by_pixels(op: Op) -> bool:
    """Whether the kernels of an op with `Op.flat` take the pixels of blocks as rows."""
    from opkg.kernels.blocks import reduces

    return reduces(op)


def by_columns(op: Op) -> bool:
    """Whether the kernels of an op with `Op.flat` reduce the height, the width or both of tensors in blocks."""
    from opkg.kernels.blocks import reduces_pixels

    return reduces_pixels(op)


def has_beside(package: OpPackage, op: Op) -> bool:
    """Whether `Op.blocks` stands in an op's place among convolutions. Rules look for ops by their names."""
    return has_flat(op) and not any(other.rules for other in package.ops)


def beside(package: OpPackage, plan: Plan) -> list[Record]:
    """The records of `Op.blocks`: those of the element types that have kernels for both."""
    if not has_beside(package, plan.op):
        return []
    types = plan.block_types
    both = (r for r in plan.records if qhpi_types(plan.op, r.kernel.combination) in types)
    return [replace(record, name=f"{record.name}__blocks") for record in both]


def lint_blocks(package: OpPackage) -> Iterator[Diagnostic]:
    """Kernels that the spec wants in blocks, too, and that stay flat."""
    for op in package.ops:
        for kernel in op.kernels:
            if not kernel.also_blocks or "layout" not in kernel.spans:
                continue
            from opkg.kernels.blocks import why_flat

            why = why_flat(op, kernel) or (_LATE if rewrites_late(package) else "")
            if why:
                span = place(kernel.spans, "layout", op.span)
                yield Diagnostic("OPK278", f"{kernel.function} stays flat: {why}", span, "", Severity.INFO)


def rewrites_late(package: OpPackage) -> bool:
    """Whether a rule looks for ops after tiling."""
    if not any(op.rules for op in package.ops):
        return False
    from opkg.rules.check import check_package
    from opkg.targets.qnn_htp_qhpi.rewrite_limits import is_early

    return any(not is_early(rule) for rule in check_package(package).rules)
