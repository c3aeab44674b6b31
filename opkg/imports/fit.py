"""What HTP has no place for, changed to what it has: element types, optional tensors. Each change is a Todo with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from opkg.imports.form import Imported, ImportedOp, ImportedTensor, Todo
from opkg.spec.dtypes import DTYPES

HTP_TARGETS = ("qnn-htp-qhpi", "qnn-htp-classic")
# what carries the values of a type that HTP hands to no kernel
_INSTEAD = {
    "int64": "int32", "uint64": "uint32", "sfixed4": "sfixed8", "ufixed4": "ufixed8", "ufixed32": "sfixed32",
}  # fmt: skip


def fitted(imported: Imported) -> Imported:
    """The import as its targets can have it."""
    targets = [target for target in imported.targets if target in HTP_TARGETS]
    if not targets:
        return imported
    return replace(imported, ops=tuple(_op(op, targets) for op in imported.ops))


def _op(op: ImportedOp, targets: Sequence[str]) -> ImportedOp:
    op = _types(op)
    inputs = _in_order(op.inputs)
    outputs = op.outputs
    if "qnn-htp-qhpi" in targets:
        outputs = tuple(_always(t, "QHPI cannot leave an output out") for t in outputs)
    return replace(op, inputs=inputs, outputs=outputs)


def _fits(dtype: str) -> bool:
    """Whether HTP hands tensors of the type to kernels."""
    return dtype not in DTYPES or DTYPES[dtype].flat_class != ""


def _types(op: ImportedOp) -> ImportedOp:
    types, todos = [], list(op.todos)
    for name, dtypes in op.types:
        kept = tuple(dtype for dtype in dtypes if _fits(dtype))
        left = [dtype for dtype in dtypes if not _fits(dtype)]
        if not kept:
            kept = tuple(dict.fromkeys(_INSTEAD[dtype] for dtype in left))
        if left:
            why = f"{', '.join(left)} there, too: HTP hands no such tensors to a kernel"
            todos.append(Todo(f"types of {name}", why, op.span))
        types.append((name, kept))
    known = dict(types)
    rows = tuple(row for row in op.combinations if all(dtype in known.get(name, (dtype,)) for name, dtype in row))
    return replace(
        op,
        types=tuple(types),
        combinations=rows,
        inputs=tuple(_tensor(tensor) for tensor in op.inputs),
        outputs=tuple(_tensor(tensor) for tensor in op.outputs),
        todos=tuple(todos),
    )


def _tensor(tensor: ImportedTensor) -> ImportedTensor:
    if _fits(tensor.dtype):
        return tensor
    instead = _INSTEAD[tensor.dtype]
    why = f"{tensor.dtype} there, which HTP hands to no kernel: {instead} is a guess"
    return replace(tensor, dtype=instead, todos=(*tensor.todos, Todo("element type", why, tensor.span)))


def _in_order(inputs: Sequence[ImportedTensor]) -> tuple[ImportedTensor, ...]:
    """Optional inputs only at the end: a kernel tells by position which are there."""
    last = max((i for i, tensor in enumerate(inputs) if not tensor.optional), default=0)
    why = "a mandatory one stands behind it, and HTP's kernels tell inputs by position: mandatory here"
    return tuple(_always(t, why) if i < last else t for i, t in enumerate(inputs))


def _always(tensor: ImportedTensor, why: str) -> ImportedTensor:
    if not tensor.optional:
        return tensor
    return replace(tensor, optional=False, todos=(*tensor.todos, Todo("optional", why, tensor.span)))
