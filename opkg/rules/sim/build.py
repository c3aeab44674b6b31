"""Building a rule's replacement in the graph: one function for each construct.

Every Op is described by the nearest modifier around it, else by the replaced root; everything is evaluated anew for each
slice of an AUTOSPLIT. What the sources leave open is decided here: an AUTOSPLIT of one slice makes no Concat; Concat gets
its axis as first input, a constant, as in the backend; AUTOSPLIT_FIRST is taken as AUTOSPLIT; AUTOSPLIT_REDUCE joins by Pack.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from opkg.rules import core
from opkg.rules.core import GenKind, HtpType, ModifierKind, Type
from opkg.rules.sim.arithmetic import Fault, convert, wrap_int
from opkg.rules.sim.builder import SLICE, Builder, Construct, Described
from opkg.rules.sim.context import Context, guarded
from opkg.rules.sim.data import Fill, Listed
from opkg.rules.sim.evaluate import evaluate, evaluate_int, resolve
from opkg.rules.sim.frame import Split
from opkg.rules.sim.model import OUT, Node, Output
from opkg.rules.sim.shapefns import apply_splitter
from opkg.rules.sim.splits import autosplit, steps, typical_slice, with_history
from opkg.rules.splitters import Splitter, splitter

# ---- operands and ops


def _existing(builder: Builder, repl: core.Existing, described: Described) -> Node:
    node = resolve(repl.operand, builder.frame)
    builder.risky |= node.op == OUT
    return node


def _inputs(builder: Builder, inputs: tuple[core.Repl, ...], described: Described) -> tuple[int, ...]:
    return tuple(builder.build(i, described).id for i in inputs)


def _op(builder: Builder, repl: core.Build, described: Described) -> Node:
    return builder.op(repl.op, _inputs(builder, repl.inputs, described), described)


def _multi(builder: Builder, repl: core.BuildMulti, described: Described) -> Node:
    if not 0 <= repl.index < repl.count:
        raise Fault(f"output {repl.index} of {repl.count}", repl.at)
    several = replace(described, output=Output(HtpType.Multi, (repl.count,)))
    op = builder.op(repl.op, _inputs(builder, repl.inputs, several), several)
    which = builder.shape((0, 0, repl.count, repl.index), described, repl.at)
    return builder.op(OUT, (op.id, which.id), described)


def _wrap(builder: Builder, repl: core.Wrap, described: Described) -> Node:
    inner = builder.build(repl.inner, described)
    if inner.op == repl.op and not repl.always:
        return inner
    return builder.op(repl.op, (inner.id,), described, inner.output)


def _select(builder: Builder, repl: core.SelectRepl, described: Described) -> Node:
    return builder.build(repl.then if evaluate(repl.condition, builder.frame) else repl.otherwise, described)


def _iter(builder: Builder, repl: core.OpIter, described: Described) -> Node:
    if isinstance(repl.base, core.Build):
        op, inputs = repl.base.op, _inputs(builder, repl.base.inputs, described)
    else:
        base = builder.build(repl.base, described)
        op, inputs = base.op, base.inputs
    return builder.op(op, inputs + tuple(node.id for node in steps(builder, repl, described)), described)


def _iter_input(builder: Builder, repl: core.IterInputOf, described: Described) -> Node:
    node = resolve(repl.operand, builder.frame)
    index = builder.frame.split(repl.split, repl.at).start
    if not 0 <= index < len(node.inputs):
        raise Fault(f"ITER_INPUT_OF: {node.op} has {len(node.inputs)} inputs, no input {index}", repl.at)
    return builder.frame.graph.nodes[node.inputs[index]]


# ---- shapes and constants


def _gen_shape(builder: Builder, repl: core.GenShape, described: Described) -> Node:
    if repl.of is not None:
        return builder.shape(builder.build(repl.of, described).output.dims, described, repl.at)
    return builder.shape(tuple(evaluate_int(dim, builder.frame) for dim in repl.dims), described, repl.at)


def _gen_const(builder: Builder, repl: core.GenConst, described: Described) -> Node:
    kind, frame = repl.kind, builder.frame
    if kind in (GenKind.SCALAR_F32, GenKind.ARRAY_F32):
        values: list[float | int] = [float(convert(evaluate(repl.args[0], frame), Type.FLOAT))]
        dtype = HtpType.Float32
    else:
        values, dtype = [wrap_int(evaluate_int(arg, frame)) for arg in repl.args], HtpType.Int32
    if kind in (GenKind.SCALAR_F32, GenKind.SCALAR_I32):
        return builder.const(Output(dtype, (1, 1, 1, 1)), Listed((values[0],)), described)
    if kind in (GenKind.ARRAY_F32, GenKind.ARRAY_I32):
        count = evaluate_int(repl.args[1], frame)
        if not 0 < count < (1 << 31):
            raise Fault(f"{kind} of {count} elements", repl.at)
        return builder.const(Output(dtype, (1, 1, 1, count)), Fill(values[0]), described)
    width = 1 if kind is GenKind.VALUES_I32 else int(values.pop(0))
    if width < 1 or len(values) % width:
        raise Fault(f"{kind}: {len(values)} values do not fill {width} rows", repl.at)
    return builder.const(Output(dtype, (1, 1, width, len(values) // width)), Listed(tuple(values)), described)


def _shape_fn(builder: Builder, repl: core.ShapeFn, described: Described) -> Node:
    args: list[Any] = []
    for arg in repl.args:
        built = type(arg) in BUILD
        args.append(builder.build(arg, described) if built else evaluate(arg, builder.frame))  # type: ignore[arg-type]
    if repl.split:
        split = builder.frame.split(repl.split, repl.at)
        if (row := splitter(repl.function)) is not None:
            return builder.adopt(_part(row, split, args, repl), repl.function, described, repl.at)
        args.insert(0, split)
    function = builder.frame.external(repl.function, repl.at)
    result = guarded(function, repl.function, repl.at, Context(builder.frame, builder, described), *args)
    return builder.adopt(result, repl.function, described, repl.at)


def _part(row: Splitter, split: Split, args: list[Any], repl: core.ShapeFn) -> tuple[int, ...]:
    try:
        return apply_splitter(row, split, args)
    except Fault as fault:
        raise Fault(f"{repl.function}: {fault.message}", repl.at) from None


def _external(builder: Builder, repl: core.ExternalRepl, described: Described) -> Node:
    function = builder.frame.external(repl.function, repl.at)
    context = Context(builder.frame, builder, described)
    return builder.adopt(
        guarded(function, repl.function, repl.at, context, builder.root), repl.function, described, repl.at
    )


def _mark(builder: Builder, repl: core.MarkReplaceable, described: Described) -> Node:
    return builder.build(repl.inner, described)


# ---- modifiers


def _modified(builder: Builder, repl: core.Modified, described: Described) -> Node:
    kind, output = repl.kind, described.output
    node = builder.build(repl.reference, described) if repl.reference is not None else None
    if node is not None:
        if kind is ModifierKind.SPLIT_HISTORY:
            return with_history(builder, repl, node, described)
        if kind is ModifierKind.SAME_ID:
            return builder.build(repl.body, replace(described, origin=node.origin))
        if kind is ModifierKind.SIZE:
            output = output.shaped(node.output.shape)
        elif kind is ModifierKind.TYPE:
            output = output.typed(node.output)
        elif kind is ModifierKind.SAME_OUTPUT:
            output = node.output
        return builder.build(repl.body, replace(described, output=output))
    return builder.build(repl.body, replace(described, output=_scalar_modifier(builder, repl, output)))


def _scalar_modifier(builder: Builder, repl: core.Modified, output: Output) -> Output:
    """The output that WITH_OUTPUT_TYPE, WITH_MULTI_OUT or ResizeDim asks for."""
    values = [evaluate(scalar, builder.frame) for scalar in repl.scalars]
    if repl.kind is ModifierKind.MULTI_OUT:
        if values[0] < 1:
            raise Fault(f"WITH_MULTI_OUT: {int(values[0])} outputs", repl.at)
        return Output(HtpType.Multi, (int(values[0]),))
    if repl.kind is ModifierKind.RESIZE_DIM:
        dim, size = int(values[0]), int(values[1])
        if not 0 <= dim < len(output.dims):
            raise Fault(f"ResizeDim: no dimension {dim} in a tensor of rank {len(output.dims)}", repl.at)
        if not 0 <= size < (1 << 31):
            raise Fault(f"ResizeDim: {size} is no size of a dimension", repl.at)
        return output.shaped((*output.dims[:dim], size, *output.dims[dim + 1 :]))
    try:
        dtype = HtpType(int(values[0]))
    except ValueError:
        raise Fault(f"{int(values[0])} is no element type", repl.at) from None
    typed = Output(dtype, output.shape, int(values[1]), float(values[2]))
    return typed if typed.quantized else Output(dtype, output.shape)


def _slice(builder: Builder, repl: core.Slice, described: Described) -> Node:
    input = builder.build(repl.input, described)
    begin, size = builder.build(repl.begin, described), builder.build(repl.size, described)
    _within(input.output.dims, begin.output.dims, size.output.dims, repl.at)
    return builder.op(SLICE, (input.id, begin.id, size.id), described, input.output.shaped(size.output.dims))


def _within(dims: tuple[int, ...], begin: tuple[int, ...], size: tuple[int, ...], at: core.At) -> None:
    """Raises Fault for a slice that is not a part of its input."""
    if not len(dims) == len(begin) == len(size):
        raise Fault(f"a slice of ranks {len(begin)} and {len(size)} of an input of rank {len(dims)}", at)
    for dim, (whole, start, length) in enumerate(zip(dims, begin, size, strict=True)):
        if start + length > whole:
            raise Fault(f"the slice ends at {start + length} of dimension {dim}, which has {whole}", at)


BUILD: dict[type, Construct] = {
    core.Existing: _existing,
    core.Build: _op,
    core.BuildMulti: _multi,
    core.Wrap: _wrap,
    core.GenShape: _gen_shape,
    core.GenConst: _gen_const,
    core.AutoSplit: autosplit,
    core.OpIter: _iter,
    core.IterInputOf: _iter_input,
    core.SelectRepl: _select,
    core.Slice: _slice,
    core.TypicalSlice: typical_slice,
    core.Modified: _modified,
    core.ExternalRepl: _external,
    core.ShapeFn: _shape_fn,
    core.MarkReplaceable: _mark,
}
