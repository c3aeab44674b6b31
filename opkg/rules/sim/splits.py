"""Replacements that repeat: AUTOSPLIT and its variants, OP_ITER, the slices of inputs, and split history."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from opkg.rules import core
from opkg.rules.core import HtpType, SplitMethod
from opkg.rules.sim.arithmetic import Fault
from opkg.rules.sim.builder import CONCAT, PACK, RESHAPE, SLICE, Builder, Described
from opkg.rules.sim.data import Listed
from opkg.rules.sim.evaluate import evaluate_int
from opkg.rules.sim.frame import MAX_SPENT, MAX_SPLITS, Split
from opkg.rules.sim.model import CONST, SHAPE, Node, Output, SplitRecord
from opkg.rules.sim.shapefns import split_size, split_start

# Option that says how many parts AUTOTHREAD_* may make, and how many when it is not set (ours: the sources do not say).
THREADS = {SplitMethod.THREAD_HVX: ("hvx_threads", 6), SplitMethod.THREAD_HMX: ("hmx_threads", 1)}


@contextmanager
def _open(builder: Builder, tag: str, split: Split, at: core.At) -> Iterator[None]:
    """The split is open under its tag. Raises Fault when too many are."""
    builder.frame.spend()
    splits = builder.frame.splits
    if len(splits) >= MAX_SPLITS and tag not in splits:
        raise Fault(f"more than {MAX_SPLITS} splits are open", at)
    before = splits.get(tag)
    splits[tag] = split
    try:
        yield
    finally:
        if before is None:
            del splits[tag]
        else:
            splits[tag] = before


def _chunk(builder: Builder, repl: core.AutoSplit, size: int) -> int:
    """Size of the parts (but the last)."""
    if repl.method is SplitMethod.REDUCE:
        return 1
    if repl.method in THREADS:
        option, threads = THREADS[repl.method]
        given = builder.frame.graph.options.get(option, builder.frame.settings.options.get(option, threads))
        return -(-size // max(int(given or 1), 1))
    if repl.chunk is None:
        raise Fault(f"{repl.method} without a chunk size", repl.at)
    return evaluate_int(repl.chunk, builder.frame)


def autosplit(builder: Builder, repl: core.AutoSplit, described: Described) -> Node:
    """The body once per slice, joined. Raises Fault for a dimension that is not there, a chunk below 1."""
    dim, dims = evaluate_int(repl.dim, builder.frame), described.output.dims
    if not 0 <= dim < len(dims):
        raise Fault(f"{repl.method}: no dimension {dim} in an output of rank {len(dims)}", repl.at)
    chunk = _chunk(builder, repl, dims[dim])
    if chunk < 1:
        raise Fault(f"{repl.method}: parts of {chunk}", repl.at)
    starts = range(0, dims[dim], chunk)
    if len(starts) > MAX_SPENT:
        raise Fault(f"{repl.method}: {len(starts)} slices", repl.at)
    record = builder.frame.graph.add_split(SplitRecord(described.origin, dim, len(starts), chunk))
    reduced = repl.method is SplitMethod.REDUCE
    parts = []
    for index, start in enumerate(starts):
        size = min(chunk, dims[dim] - start)
        shape = dims[:dim] + (() if reduced else (size,)) + dims[dim + 1 :]
        part = replace(described, output=described.output.shaped(shape), history=(*described.history, (record, index)))
        with _open(builder, repl.split, Split(dim, start, size), repl.at):
            parts.append(builder.build(repl.body, part).id)
    if len(parts) == 1 and not reduced:
        return builder.frame.graph.nodes[parts[0]]
    axis = builder.const(Output(HtpType.Int32, (1, 1, 1, 1)), Listed((dim,)), described)
    return (
        builder.op(PACK, (*parts, axis.id), described) if reduced else builder.op(CONCAT, (axis.id, *parts), described)
    )


def typical_slice(builder: Builder, repl: core.TypicalSlice, described: Described) -> Node:
    """The part of the input that goes with the current slice; `reduce`: without the dimension (by Reshape)."""
    input = builder.build(repl.input, described)
    split = builder.frame.split(repl.split, repl.at)
    dim, dims = repl.dim if repl.dim >= 0 else split.dim, input.output.dims
    try:
        start, size = split_start(dims, dim, split), split_size(dims, dim, split)
    except Fault as fault:
        raise Fault(fault.message, repl.at) from None
    begin = builder.shape(start, described, repl.at)
    extent = builder.shape(size, described, repl.at)
    part = builder.op(SLICE, (input.id, begin.id, extent.id), described, input.output.shaped(size))
    if not repl.reduce:
        return part
    return builder.op(RESHAPE, (part.id,), described, input.output.shaped(size[:dim] + size[dim + 1 :]))


def steps(builder: Builder, repl: core.OpIter, described: Described) -> Iterator[Node]:
    """The body of an OP_ITER for each step."""
    low, high = evaluate_int(repl.low, builder.frame), evaluate_int(repl.high, builder.frame)
    if high - low > MAX_SPENT:
        raise Fault(f"OP_ITER of {high - low} steps", repl.at)
    for index in range(low, high):
        with _open(builder, repl.split, Split(0, index, 1), repl.at):
            yield builder.build(repl.body, described)


def with_history(builder: Builder, repl: core.Modified, reference: Node, described: Described) -> Node:
    """WITH_SPLIT_HISTORY: the reference's history, or (with a dimension) a new record whose parts are the body's inputs."""
    copied = replace(described, history=reference.history)
    if not repl.scalars:
        return builder.build(repl.body, copied)
    dim = evaluate_int(repl.scalars[0], builder.frame)
    node = builder.build(repl.body, copied)
    graph = builder.frame.graph
    parts = [part for part in graph.inputs(node.id) if part.op not in (CONST, SHAPE)]
    if parts:
        dims = parts[0].output.dims
        if not 0 <= dim < len(dims):
            raise Fault(f"WITH_SPLIT_HISTORY: no dimension {dim} in parts of rank {len(dims)}", repl.at)
        record = graph.add_split(SplitRecord(reference.origin, dim, len(node.inputs), dims[dim]))
        for index, part in enumerate(parts):
            if part.id in builder.built:
                graph.set(part.id, replace(part, history=(*part.history, (record, index))))
    return graph.nodes[node.id]
