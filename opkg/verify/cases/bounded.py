"""The bounds of a case: what the outputs of generated kernels may be, element by element."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from opkg.kernels.emit.parts import split
from opkg.kernels.emit.passes import passes
from opkg.kernels.graphs.build import AbsentInput
from opkg.kernels.graphs.graph import Graph
from opkg.kernels.portable.axes import Refused
from opkg.kernels.snippet import Snippet
from opkg.kernels.snippets import make_snippet
from opkg.kernels.strategies.columns.strategy import has_single_numbers
from opkg.kernels.strategies.cubics.strategy import error_of
from opkg.kernels.strategies.floating.halves import suits
from opkg.kernels.strategies.floating.steps import dequantizes
from opkg.spec.dtypes import Kind
from opkg.spec.model import Kernel, Op
from opkg.verify.cases.arguments import arguments_of
from opkg.verify.cases.case import Case, CaseTensor
from opkg.verify.meaning import interval
from opkg.verify.meaning.bounds import Given, Unbounded, of_graph, stored
from opkg.verify.meaning.interval import Interval
from opkg.verify.meaning.numbers import Array

Bounds = tuple[Interval | None, ...]


def of_case(case: Case) -> Bounds:
    """The bound of each output: None where the spec has its own tolerance, no kernel is generated, or none is known."""
    stated = {dtype.name for dtype, _ in case.op.tests.tolerance}
    kernels = [k for k in case.op.kernels if k.combination == case.combination and not k.body]
    wanted = [t.dtype.kind is Kind.FLOAT and t.dtype.name not in stated for t in case.outputs]
    if case.op.compute is None or not kernels or not any(wanted):
        return (None,) * len(case.outputs)
    try:
        found = of_graph(*_evaluated(case, kernels[0]))
    except (Unbounded, AbsentInput):
        return (None,) * len(case.outputs)
    return tuple(
        _of_output(case, place, found[tensor.spec.name]) if ask and tensor.spec.name in found else None
        for place, (tensor, ask) in enumerate(zip(case.outputs, wanted, strict=True))
    )


def _evaluated(case: Case, kernel: Kernel) -> tuple[Graph, Given]:
    op = case.op
    present = {t.spec.name for t in case.inputs if t.spec.optional and not t.absent}
    elements = dict.fromkeys([*(t.name for t in op.tensors), *(p.name for p in op.params)], "")
    snippet = make_snippet(op, kernel, "", elements, False, present)
    arguments = arguments_of(case)
    names = {node.name for node in snippet.graph.nodes if node.op in ("input", "param")}
    if any(isinstance(arguments[name], list) for name in names):
        raise Unbounded("lists of tensors")
    values = {name: np.asarray(value) for name, value in arguments.items() if value is not None}
    quantized = frozenset(t.spec.name for t in case.inputs if t.dtype.quantized)
    parts = split(op, snippet) if snippet.graph.moves else (snippet,)
    cubics, halves = max(map(error_of, parts)), any(map(suits, parts))
    bytes_ = any(map(dequantizes, parts))
    runs = _runs(op, kernel, snippet)
    columns = len(runs) > 1 or (not runs[0].graph.moves and has_single_numbers(runs[0]))
    return snippet.graph, Given(values, quantized, halves, bytes_, cubics=cubics, columns=columns)


def _runs(op: Op, kernel: Kernel, snippet: Snippet) -> tuple[Snippet, ...]:
    """The passes that compute a snippet."""
    try:
        return passes(op, kernel, snippet)
    except Refused:
        return (snippet,)


def _of_output(case: Case, place: int, found: Interval) -> Interval:
    """With the expectations and in the output's type and shape."""
    tensor: CaseTensor = case.outputs[place]
    right: list[Array] = [case.expected[place], *(other[place] for other in case.others)]
    with np.errstate(all="ignore"):
        whole = interval.hull([found, *map(interval.point, right)])
        ends = stored(whole, tensor.dtype)
    return replace(
        ends, **{name: np.broadcast_to(getattr(ends, name), tensor.shape) for name in ("low", "high", "nan")}
    )
