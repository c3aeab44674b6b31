"""The snippet of one kernel: its canonical graph and the tensors and params that the graph reads, as they lie in memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from opkg.kernels.graphs.build import build
from opkg.kernels.graphs.canonical import canonical
from opkg.kernels.graphs.graph import Graph
from opkg.kernels.portable.pieces import across_rows, along_rows, condition, scattered
from opkg.kernels.snippet import Operand, Scalar, Snippet, Storage
from opkg.spec.compute.extents import of_param, of_tensor
from opkg.spec.compute.printing import text_of
from opkg.spec.compute.whole import leaves_of
from opkg.spec.dtypes import DType, Kind
from opkg.spec.expr import Expression, Num, Unary
from opkg.spec.model import Combination, Kernel, Op, ParamSpec, TensorSpec

_Dims = tuple[int | str, ...] | None


def make_snippet(
    op: Op,
    kernel: Kernel,
    args: str,
    elements: Mapping[str, str],
    signed_as_unsigned: bool,
    present: Collection[str],
) -> Snippet:
    """What one kernel computes, for the strategies.

    `args`: the argument struct. `elements`: C++ element type of each tensor and tensor param by name.
    `signed_as_unsigned`: signed elements of 8 and 16 bits lie in memory as unsigned ones (QHPI). `present`: the optional
    inputs that are given. Raises AbsentInput (`opkg.kernels.graphs.build`).

    The snippet's inputs are the tensors and tensor params that the graph reads and, so that a kernel can be named after
    them, the optional ones that are absent; `read_inputs` leaves those out.
    """
    given = frozenset(present)
    graph = graph_of(op, kernel.combination, given)
    broadcasts = broadcastable(op, graph)
    absent = {t.name for t in op.inputs if t.optional} - given
    inputs = [
        operand(tensor, kernel.combination, elements, signed_as_unsigned, tensor.name in broadcasts)
        for tensor in op.inputs
        if tensor.name in graph.inputs or tensor.name in absent
    ]
    named = names_of_params(graph)
    tensors = [param for param in op.params if param.shape is not None and param.name in named]
    return Snippet(
        function=kernel.function,
        args=args,
        graph=graph,
        inputs=(*inputs, *(_tensor_param(param, elements, broadcasts) for param in tensors)),
        outputs=tuple(operand(t, kernel.combination, elements, signed_as_unsigned) for t in op.outputs),
        params=tuple(_scalar(param) for param in op.params if param.shape is None and param.name in named),
        layout=kernel.layout,
        text=text_of(op.compute) if op.compute is not None else "",
        present=given,
        slice_field=_slice_field(op) if kernel.multithreaded else "",
        scattered=scattered(op, graph),
        condition=condition(op, graph),
        along=along_rows(op, graph),
        across=across_rows(op, graph),
    )


def graph_of(op: Op, combination: Combination, present: Collection[str]) -> Graph:
    """The canonical graph of an op under one combination. Raises AbsentInput."""
    finite = frozenset(t.name for t in op.inputs if t.dtype.of(combination).kind is not Kind.FLOAT)
    return canonical(build(op, combination, frozenset(present)), finite)


def read_inputs(snippet: Snippet) -> tuple[Operand, ...]:
    """The inputs whose elements the graph reads, tensor params among them (but for lists of dimensions), in the order of
    the spec."""
    read = {node.name for node in snippet.graph.nodes if node.op in ("input", "param")}
    return tuple(o for o in snippet.inputs if o.name in read)


def names_of_params(graph: Graph) -> frozenset[str]:
    """The params that a graph reads: as values, and as dimensions or `keepdims` of a reduction."""
    names = {node.name for node in graph.nodes if node.op == "param"}
    for node in graph.nodes:
        names |= {text for text in (node.axes, node.keepdims) if isinstance(text, str)}
        names |= {leaf for part in node.parts for leaf in leaves_of(part) if isinstance(leaf, str)}
    return frozenset(names)


def storage_of(dtype: DType, signed_as_unsigned: bool) -> tuple[Storage, int]:
    """How elements lie in memory, and their bias: what must be taken from a stored integer to get its value."""
    if dtype.kind is Kind.FLOAT:
        return Storage(f"f{dtype.bits}"), 0
    bits = max(8, dtype.bits)  # 4-bit numbers have a byte each
    moved = signed_as_unsigned and dtype.signed and bits in (8, 16)
    bias = 1 << (bits - 1) if moved and not dtype.quantized else 0  # a quantized one has its zero point moved
    return Storage(f"{'s' if dtype.signed and not moved else 'u'}{bits}"), bias


def operand(
    tensor: TensorSpec,
    combination: Combination,
    elements: Mapping[str, str],
    signed_as_unsigned: bool,
    may_broadcast: bool = False,
) -> Operand:
    """A tensor as a kernel sees it."""
    dtype = tensor.dtype.of(combination)
    storage, bias = storage_of(dtype, signed_as_unsigned)
    return Operand(tensor.name, dtype, storage, elements[tensor.name], bias, may_broadcast, tensor.optional)


def broadcastable(op: Op, graph: Graph) -> frozenset[str]:
    """The inputs and tensor params whose shape may differ from that of the loop over elements.

    An input has the loop's shape when its shape expression is the output's (`x.shape`, the same named dimensions). Where
    dimensions are reduced the loop runs over the inputs: then it is the one whose last dimensions all others have.
    """
    params = names_of_params(graph)
    dims: dict[str, _Dims] = {t.name: of_tensor(t, op).dims for t in op.inputs if t.name in graph.inputs}
    dims |= {p.name: of_param(p, op).dims for p in op.params if p.shape is not None and p.name in params}
    domains = {of_tensor(t, op).dims for t in op.outputs}
    if len(domains) > 1 or graph.reductions:
        domains = {_largest([found for name, found in dims.items() if name in graph.inputs])}
    if graph.reductions and len(dims) == 1:
        return frozenset()
    (domain,) = domains
    return frozenset(name for name, found in dims.items() if domain is None or found != domain)


def _largest(shapes: list[_Dims]) -> _Dims:
    """The shape that all others are the last dimensions of, or None."""
    for big in shapes:
        if big is not None and all(small is not None and _ends_in(big, small) for small in shapes):
            return big
    return None


def _ends_in(big: tuple[int | str, ...], small: tuple[int | str, ...]) -> bool:
    if len(small) > len(big):
        return False
    pairs = zip(reversed(big), reversed(small), strict=False)
    return all(b == s or s == 1 for b, s in pairs)


def _tensor_param(param: ParamSpec, elements: Mapping[str, str], broadcasts: frozenset[str]) -> Operand:
    """A tensor param: float elements, or integers as `opkg::Tensor` of the argument struct holds them."""
    if param.dtype.kind is Kind.FLOAT:
        storage = Storage.F32
    elif param.dtype.bits == 32:
        storage = Storage.S32
    else:
        storage = storage_of(param.dtype, signed_as_unsigned=False)[0]
    return Operand(param.name, param.dtype, storage, elements[param.name], 0, param.name in broadcasts, is_param=True)


def _scalar(param: ParamSpec) -> Scalar:
    limits = param.range
    low, high = (None, None) if limits is None else (_number(limits.low), _number(limits.high))
    return Scalar(param.name, param.dtype, low, high)


def _number(end: Expression | None) -> float | None:
    """The end of a range, where the spec gives a number."""
    match end.tree if end is not None else None:
        case Num(value=value):
            return value
        case Unary(op="-", operand=Num(value=value)):
            return -value
    return None


def _slice_field(op: Op) -> str:
    """The member with the slice of a multithreaded kernel: `slice`, unless a tensor or param has that name."""
    taken = {tensor.name for tensor in op.tensors} | {param.name for param in op.params}
    name = "slice"
    while name in taken:
        name += "_"
    return name
