"""What moves in front of arithmetic and is no view: passes of their own, which leave moved elements (opkg/between.h)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from struct import pack, unpack

from opkg.kernels.emit.between import free_name, tensor_of
from opkg.kernels.emit.values import value_extent
from opkg.kernels.graphs.canonical import canonical
from opkg.kernels.graphs.graph import MOVES, REDUCE, Graph, Node, Result
from opkg.kernels.graphs.nodes import needed, with_inputs
from opkg.kernels.portable.axes import Refused
from opkg.kernels.portable.moves import Moves, axis_text, numbers_text, plan_moves
from opkg.kernels.portable.pieces import across_rows, along_rows, condition, scattered
from opkg.kernels.snippet import Number, Operand, Passing, Snippet
from opkg.kernels.snippets import broadcastable, names_of_params
from opkg.spec.compute.extents import of_tensor
from opkg.spec.compute.text import Fault
from opkg.spec.model import Op, TensorSpec

_VIEWS = frozenset(("move_slice", "move_transpose", "move_reshape"))
_MOST_ONES = 16  # bits of integers whose kernels of either sign are one function


@dataclass(frozen=True, slots=True)
class Front:
    """Passes that move, the rest of the snippet, the op whose inputs that has, and the tensors between."""

    passes: tuple[Snippet, ...]
    rest: Snippet
    op: Op
    numbers: tuple[Number, ...]


def moved_front(op: Op, snippet: Snippet, args: str) -> Front | None:
    """A snippet that moves elements of its inputs and computes with them, in passes; None for any other one. `args`: the struct
    of the tensors between."""
    graph = snippet.graph
    roots = list(_roots(graph))
    if not roots or any(graph[index].op in MOVES and not _below(graph, index, roots) for index in range(len(graph))):
        return None
    specs: dict[int, TensorSpec] = {}
    for index in roots:
        spec = _spec(op, snippet, index, [t.name for t in (*op.tensors, *specs.values())] + [p.name for p in op.params])
        if spec is None:
            return None
        specs[index] = spec
    try:
        moving = [_moving(op, snippet, index, spec, args) for index, spec in specs.items()]
        numbers = [_number(each) for each in moving]
    except (Refused, Fault):
        return None
    own = replace(op, inputs=(*op.inputs, *specs.values()))
    rest = _rest(own, snippet, specs, args)
    passes = [each for each, number in zip(moving, numbers, strict=True) if not number.alias]
    return Front(tuple(passes), rest, own, tuple(numbers))


def moved_result(op: Op, snippet: Snippet) -> tuple[Snippet, ...]:
    """A snippet that only moves quantized elements to one output, in two passes: they are moved as they are stored, and then
    take the output's scale where they are. Empty for any other one."""
    if len(snippet.graph.results) != 1 or snippet.slice_field:
        return ()
    (result,) = snippet.graph.results
    source, (written,) = _source(snippet.graph, result.node), snippet.outputs
    if source is None or not written.quantized or _pads(snippet.graph, result.node):
        return ()
    stored = snippet.operand(source.name)
    tensor, output = (next(t for t in op.tensors if t.name == name) for name in (source.name, result.name))
    if (stored.element, stored.dtype, stored.is_param) != (written.element, written.dtype, False) or tensor.optional:
        return ()
    args = f"{snippet.struct.removesuffix('Rows')}Passes"
    taken = [t.name for t in op.tensors] + [p.name for p in op.params]
    spec = replace(output, name=free_name(f"{result.name}_moved", taken), dtype=tensor.dtype)
    moving = _moving(op, snippet, result.node, spec, args)
    own = replace(op, inputs=(*op.inputs, spec))
    rest = _rest(own, snippet, {result.node: spec}, args)
    numbers = (Number(spec.name, stored.element, "", source.name, result=written.name),)
    found = ((moving, op), (rest, own))
    return tuple(replace(each, passing=Passing(of, snippet.args, numbers)) for each, of in found)


def _pads(graph: Graph, index: int) -> bool:
    node = graph[index]
    return node.op == "move_pad" or any(_pads(graph, arg) for arg in node.args)


def _roots(graph: Graph) -> Iterator[int]:
    """Movements of inputs whose elements something is computed with."""
    results = {result.node for result in graph.results}
    for index, users in enumerate(graph.users()):
        if graph[index].op in MOVES and any(graph[user].op not in MOVES for user in users):
            if index in results:
                return
            yield index


def _below(graph: Graph, index: int, roots: list[int]) -> bool:
    """Whether a node is part of one of the movements."""
    todo = list(roots)
    while todo:
        at = todo.pop()
        if at == index:
            return True
        todo += graph[at].args
    return False


def _source(graph: Graph, index: int) -> Node | None:
    """The input whose elements a movement has; None where there are several."""
    node = graph[index]
    if node.op == "input":
        return node
    if node.op not in MOVES or node.op == "move_concat":
        return None
    return _source(graph, node.args[0])


def _pads_with(graph: Graph, index: int, stored: Operand) -> bool:
    """Whether elements of an input hold all that they are padded with: 0, and constants of the type where it is not quantized."""
    node = graph[index]
    if node.op == "input":
        return True
    value = graph[node.args[1]].value if node.op == "move_pad" else 0
    if value is None or isinstance(value, bool) or not (value == 0 or _holds(stored, value)):
        return False
    return _pads_with(graph, node.args[0], stored)


def _holds(stored: Operand, value: float) -> bool:
    if stored.is_float:
        code = "e" if stored.dtype.bits == 16 else "f"
        try:
            return bool(unpack(code, pack(code, value))[0] == value)
        except OverflowError:
            return False
    low, high = stored.dtype.limits if stored.dtype.integral else (0, 0)
    return value == int(value) and low <= value <= high


def _spec(op: Op, snippet: Snippet, index: int, taken: list[str]) -> TensorSpec | None:
    """The tensor that a movement leaves: elements of its input as they are."""
    source = _source(snippet.graph, index)
    tensor = next((t for t in op.inputs if source is not None and t.name == source.name), None)
    if tensor is None or (isinstance(snippet.graph[index].axes, str)):
        return None
    stored = snippet.operand(tensor.name)
    if not _pads_with(snippet.graph, index, stored) or (stored.dtype.integral and stored.dtype.bits <= _MOST_ONES):
        return None
    return tensor_of(free_name(f"{tensor.name}_moved", taken), tensor.dtype, value_extent(op, snippet.graph, index))


def _moving(op: Op, snippet: Snippet, index: int, spec: TensorSpec, args: str) -> Snippet:
    """The pass that moves. Raises Refused where there is no such kernel."""
    graph = needed(snippet.graph.nodes, [Result(spec.name, index)])
    source = _source(snippet.graph, index)
    assert source is not None
    written = replace(snippet.operand(source.name), name=spec.name, may_broadcast=False)
    return moving_pass(
        replace(op, outputs=(spec,)), replace(snippet, graph=graph), spec.name, args, written, source.name
    )


def moving_pass(op: Op, snippet: Snippet, name: str, args: str, written: Operand, of: str) -> Snippet:
    """A pass that only moves, of a snippet with its graph and all inputs that there are. `op`: has its tensors; `name`: what is
    added to the function's; `args`: the struct of the tensors between; `of`: where elements are, for the text. Raises Refused
    where there is no such kernel."""
    read = {*snippet.graph.inputs, *names_of_params(snippet.graph)}
    made = replace(
        snippet,
        function=f"{snippet.function}_{name}",
        args=args,
        inputs=tuple([o for o in snippet.inputs if o.name in read]),
        outputs=(written,),
        params=tuple([p for p in snippet.params if p.name in read]),
        text=f"{written.name} = elements of {of}",
        scattered="",
        condition="",
        passing=Passing(op, snippet.args),
    )
    plan_moves(made)
    return made


def _number(moving: Snippet) -> Number:
    """The tensor between, with C++ of its shape. What is only reshaped is its input in other dimensions."""
    (output,), (result,) = moving.outputs, moving.graph.results
    source = _source(moving.graph, result.node)
    assert source is not None
    alias = all(node.op in ("input", "move_reshape") for node in moving.graph.nodes)
    element = f"const {output.element}" if alias else output.element
    return Number(output.name, element, _shape(moving, result.node), source.name, alias)


def _shape(moving: Snippet, index: int) -> str:
    graph = moving.graph
    node = graph[index]
    if node.op in _VIEWS or node.op == "input":
        view = Moves(moving).view_text(index)
        if not view:
            raise Refused("a movement whose shape is not told", node)
        return f"opkg::shape_of({view})"
    inner = _shape(moving, node.args[0])
    match node.op:
        case "move_take":
            return f"{inner}.taken({axis_text(node)}, {_shape(moving, node.args[1])})"
        case "move_tile":
            return f"{inner}.tiled({numbers_text(node)})"
        case "move_pad":
            return f"{inner}.padded({numbers_text(node)})"
    raise Refused("a movement whose shape is not told", node)


def fit(own: Op, graph: Graph) -> bool:
    """Whether all that is reduced has the same dimensions, so that a row has one length: what meets element by element, or is
    said to have one shape."""
    if not graph.reductions:
        return True
    tensors = {t.name: of_tensor(t, own).dims for t in own.inputs}
    groups: list[set[str]] = []
    leaves: list[frozenset[str]] = []
    for node in graph.nodes:
        if node.op in ("input", "param") and not node.uniform:
            leaves.append(frozenset((node.name,)))
            groups.append({node.name})
            continue
        leaves.append(frozenset() if node.op in REDUCE else frozenset[str]().union(*(leaves[arg] for arg in node.args)))
        met = [group for group in groups if group & leaves[-1]]
        groups = [group for group in groups if group not in met] + ([set().union(*met)] if met else [])
    shapes = {frozenset(str(tensors.get(name)) for name in group) for group in groups}
    return len(groups) == 1 or (len(shapes) == 1 and all(len(shape) == 1 and "None" not in shape for shape in shapes))


def _rest(own: Op, snippet: Snippet, specs: dict[int, TensorSpec], args: str) -> Snippet:
    """What is computed with moved elements."""
    elements = {}
    for index, spec in specs.items():
        source = _source(snippet.graph, index)
        assert source is not None
        elements[spec.name] = source.name
    finite = snippet.finite | {name for name, source in elements.items() if source in snippet.finite}
    names = {index: spec.name for index, spec in specs.items()}
    graph = canonical(with_inputs(snippet.graph, names, snippet.graph.results), finite)
    broadcasts, read = broadcastable(own, graph), {*graph.inputs, *names_of_params(graph)}
    known = {o.name: o for o in snippet.inputs}
    known |= {name: replace(snippet.operand(source), name=name) for name, source in elements.items()}
    inputs = [replace(o, may_broadcast=o.name in broadcasts) for o in known.values() if o.name in read]
    return replace(
        snippet,
        function="_".join([snippet.function, *(result.name for result in graph.results)]),
        args=args,
        graph=graph,
        inputs=tuple(inputs) + tuple([o for o in snippet.inputs if o.name in snippet.missing]),
        params=tuple([p for p in snippet.params if p.name in read]),
        scattered=scattered(own, graph),
        condition=condition(own, graph),
        along=along_rows(own, graph),
        across=across_rows(own, graph),
        passing=Passing(own, snippet.args),
    )
