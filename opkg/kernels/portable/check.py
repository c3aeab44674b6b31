"""Computations from which no kernel can be generated, said at their place in the text."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.kernels.emit.parts import Source, asked, reduces
from opkg.kernels.emit.passes import kernel_parts, op_of
from opkg.kernels.graphs.build import AbsentInput
from opkg.kernels.graphs.graph import LEAVES, MOVES
from opkg.kernels.graphs.graph import Node as Operation
from opkg.kernels.portable.axes import Refused, axes_of
from opkg.kernels.portable.moved_axes import check_moved_axes
from opkg.kernels.portable.moves import only_moves, plan_moves
from opkg.kernels.portable.seen import check_seen
from opkg.kernels.snippet import Snippet
from opkg.spec.compute.directions import in_passes
from opkg.spec.compute.moves import moves
from opkg.spec.compute.tree import Compute, Move, Reduce
from opkg.spec.compute.walk import walk
from opkg.spec.diagnostics import Diagnostic, Span, error
from opkg.spec.model import Kernel, Layout, Op

MOST_OPTIONAL = 4  # optional inputs: there is code for every set of them
_INSTEAD = "or write the kernel by hand: kernels: [{body: kernels/op.cpp}]"


def check(op: Op) -> list[Diagnostic]:
    """What stands in the way of generating the kernels of an op that have no `body` (OPK600); each thing once."""
    found: dict[tuple[str, Span], Diagnostic] = {}
    for kernel in op.kernels:
        if not kernel.body:
            for finding in _check(op, kernel):
                found.setdefault((finding.message, finding.span), finding)
    return list(found.values())


def check_plain(op: Op) -> list[Diagnostic]:
    """The same for functions of plain C++ in other houses, which move nothing (OPK600)."""
    if op.compute is not None and moves(op.compute):
        return [
            _finding("it moves elements, which functions of plain C++ do not", op.compute.span, "leave the target out")
        ]
    if op.compute is not None and in_passes(op):
        message = "reductions over different dimensions, which functions of plain C++ do not have"
        return [_finding(message, op.compute.span, "leave the target out")]
    return check(op)


def _check(op: Op, kernel: Kernel) -> Iterator[Diagnostic]:
    assert op.compute is not None
    for tensor in op.outputs:
        if tensor.variadic is not None:
            yield _finding(f"'{tensor.name}' stands for several tensors", op.compute.span)
            return
    if len(asked(op)) > MOST_OPTIONAL:
        yield _finding(f"{len(asked(op))} optional inputs, at most {MOST_OPTIONAL} can be served", op.compute.span)
        return
    elements = dict.fromkeys((*(t.name for t in op.tensors), *(p.name for p in op.params)), "")
    try:
        groups = list(kernel_parts(op, Source(kernel, "", elements), False, strict=True))
        if kernel.source_destructive and len(op.outputs) > 1 and any(len(g) > 1 or reduces(g[0]) for g in groups):
            span = kernel.spans.get("source_destructive", kernel.spans.get("", op.span))
            yield _finding("an output may overwrite the input before the others are computed", span)
        if kernel.multithreaded and any(snippet.passing is not None for group in groups for snippet in group):
            span = kernel.spans.get("multithreaded", kernel.spans.get("", op.span))
            yield _finding("passes that run one after another, in slices", span, "leave multithreaded out")
        for snippet in (snippet for group in groups for snippet in group):
            if snippet.moved is not None:
                check_moved_axes(op, snippet.moved)
                if kernel.source_destructive:
                    yield _finding("an output may overwrite elements that others are computed from", op.compute.span)
            if snippet.graph.moves or snippet.views:
                own = {tensor.name for tensor in op.inputs}
                if kernel.source_destructive and snippet.passing is not None and own & {*snippet.graph.inputs}:
                    yield _finding("an output may overwrite elements that others are moved from", op.compute.span)
                if not snippet.views:
                    _check_moves(op_of(op, snippet), snippet)
                if kernel.layout is Layout.CROUTON:
                    yield _finding("elements of tensors in croutons are not moved", op.compute.span, "use layout: flat")
                continue
            if not reduces(snippet):
                continue
            if kernel.layout is Layout.CROUTON:
                span = kernel.spans.get("layout", kernel.spans.get("", op.span))
                yield _finding("reductions of tensors in croutons", span, "use layout: flat")
            axes_of(op_of(op, snippet), snippet.graph)
    except AbsentInput as failure:
        yield _finding(f"'{failure.name}' is read where it may be absent", failure.span)
    except Refused as failure:
        yield _finding(failure.message, _place(op.compute, failure.node), failure.hint)


def _check_moves(op: Op, snippet: Snippet) -> None:
    """Raises Refused where a graph has movements that no kernel does."""
    if not only_moves(snippet) and any(node.op not in (*LEAVES, *MOVES) for node in snippet.graph.nodes):
        check_seen(snippet, (*(t.name for t in op.tensors), *(p.name for p in op.params)))
    plan_moves(snippet)
    check_moved_axes(op, snippet.graph)


def _finding(message: str, span: Span, hint: str = "") -> Diagnostic:
    text = f"{hint}, {_INSTEAD}" if hint else _INSTEAD.removeprefix("or ")
    return error("OPK600", f"no kernel can be generated: {message}", span, text)


def _place(compute: Compute, operation: Operation | None) -> Span:
    """The place of a reduction or movement in the text, as far as it can be told; else that of the text."""
    if operation is not None and operation.op.startswith(("reduce_", "scan_", "move_")):
        for statement in compute.statements:
            for node in walk([statement.expr]):
                if isinstance(node, Reduce | Move) and _is(node, operation):
                    return node.span
    return compute.span


def _is(node: Reduce | Move, operation: Operation) -> bool:
    if isinstance(node, Move):
        return f"move_{node.op}" == operation.op and (node.axes, node.parts) == (operation.axes, operation.parts)
    same = f"reduce_{node.op}" == operation.op and node.keepdims == operation.keepdims
    return same and node.axes == operation.axes
