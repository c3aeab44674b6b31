"""The places of a model where ops of a spec can stand: matches of their patterns that the spec allows, and why others do not.

A match is a place when nothing but its own nodes reads what lies within, and the op's spec takes the tensors at its border:
element types of one combination, shapes, quantization, constraints, with the defaults of all params.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from opkg.fuse.canonical import spec_type
from opkg.fuse.patch.forms import FORMS
from opkg.fuse.patch.layout import MIXING, NHWC_IN_NCHW, SAME, Step, bound, seen, step
from opkg.fuse.patch.match import Match, Matcher
from opkg.models.model import Links, Model, Tensor, links
from opkg.models.partition.moved import alone
from opkg.spec.diagnostics import Diagnostic, OpkgError, error
from opkg.spec.dtypes import DTYPES
from opkg.spec.evaluate import TensorInfo
from opkg.spec.infer import check_call
from opkg.spec.model import Combination, Op, Value
from opkg.spec.pattern_graph import Core, graph_of, missing_name
from opkg.spec.shapes import product


@dataclass(frozen=True, slots=True)
class Place:
    """One place of an op, tensors in the op's order. `nodes`: numbers of the model's, the last one gives the output.
    `params`: all values of a call with the defaults. `steps`: what is between the op and its tensors, inputs first.
    `before`, `after`: bytes moved by the nodes, and by the op with these steps."""

    op: Op
    nodes: tuple[int, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    combination: Combination
    params: Mapping[str, Value]
    steps: tuple[Step, ...]
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Left:
    """A match that is no place. `node`: the name of its last one."""

    op: str
    node: str
    reason: str


@dataclass(frozen=True, slots=True)
class Found:
    """`near`: op without any match -> what came nearest."""

    model: Model
    places: tuple[Place, ...]
    left: tuple[Left, ...]
    near: Mapping[str, str]


def find(model: Model, ops: Sequence[Op], nchw: bool = True) -> Found:
    """All places of ops that have a pattern, larger patterns first; a node belongs to one place. `model`: folded
    (`opkg.models.fold`); `nchw`: its tensors of rank 4 are NCHW, which ops in NHWC are told by transposes. Raises OpkgError
    (OPK791) for a pattern that no ONNX op computes."""
    edges = links(model)
    matchers = [(op, Matcher(model, edges, _root(op), NHWC_IN_NCHW if nchw and bound(op) else SAME)) for op in ops]
    matched = {op.name: [m for at in range(len(model.nodes)) for m in matcher.at(at)] for op, matcher in matchers}
    by_name = {op.name: op for op in ops}
    every = [(name, match) for name, found in matched.items() for match in found]
    every.sort(key=lambda each: (-len(each[1].nodes), -each[1].nodes[-1]))
    places: list[Place] = []
    left: dict[tuple[str, str], Left] = {}
    taken: set[int] = set()
    for name, match in every:
        if not taken.isdisjoint(match.nodes):
            continue
        place = _place(model, edges, by_name[name], match, nchw)
        if isinstance(place, Place):
            taken.update(match.nodes)
            places.append(place)
        else:
            label = model.nodes[match.nodes[-1]].name
            left.setdefault((name, label), Left(name, label, place))
    ended = {(place.op.name, model.nodes[place.nodes[-1]].name) for place in places}
    places.sort(key=lambda place: place.nodes[-1])
    near = {op.name: _why(model, matcher) for op, matcher in matchers if not matched[op.name]}
    return Found(model, tuple(places), tuple(one for key, one in left.items() if key not in ended), near)


def _root(op: Op) -> Core:
    assert op.pattern is not None
    root, missing, at = graph_of(op.pattern.for_call(), op.outputs[0].name, FORMS)
    if root is None:
        message = f"no op of ONNX computes {missing_name(missing)}, as far as opkg knows"
        raise OpkgError([error("OPK791", message, at, "put the op into the model with make_node of its package")])
    return root


def _why(model: Model, matcher: Matcher) -> str:
    """Why nothing matches."""
    if matcher.nearest[0]:
        return f"the nearest fits in {matcher.nearest[0]} of its nodes: {matcher.nearest[1]}"
    names = " or ".join(sorted(matcher.roots))
    if any(node.op in matcher.roots for node in model.nodes):
        return f"its last node would be {names}; those of the model have other attributes"
    return f"its last node would be {names}, and the model has none"


def _place(model: Model, edges: Links, op: Op, match: Match, nchw: bool) -> Place | str:
    """The place of a match, or why it is none."""
    inside = set(match.nodes)
    if nchw and bound(op) and any(model.nodes[number].op in MIXING for number in match.nodes):
        return "a matrix product means the last two dimensions, and the op NHWC"
    for number in match.nodes:
        (name,) = model.nodes[number].outputs
        if name != match.output and (name in edges.results or any(user not in inside for user in edges.used(name))):
            return f"{name} is read by others, too"
    inputs = tuple(match.bound[tensor.name] for tensor in op.inputs)
    for tensor, name in zip(op.inputs, inputs, strict=True):
        if tensor.static and name not in model.constants:
            return f"'{tensor.name}' must be constant, and {name} is not"
    names = dict(zip((tensor.name for tensor in op.tensors), (*inputs, match.output), strict=True))
    steps = tuple(
        step(spec, model.tensor(name), name in model.constants) if nchw and bound(op) else Step.NONE
        for spec, name in zip(op.tensors, names.values(), strict=True)
    )
    if nchw and bound(op):
        for name, how in zip(inputs, steps, strict=False):
            if how is Step.NONE and product(model.tensor(name).fixed or ()) > 1:
                return f"{name} goes along another dimension than the op's, which means NHWC"
    tensors = {name: seen(model.tensor(names[name]), how) for name, how in zip(names, steps, strict=True)}
    if model.tensor(match.output).fixed:  # the provider gives a package [1] for a tensor without dimensions
        tensors = {name: replace(each, shape=(1,)) if each.fixed == () else each for name, each in tensors.items()}
    fitting = _fitting(model, op, tensors)
    if isinstance(fitting, str):
        return fitting
    moved = sum({tensor.name: tensor.bytes for tensor in tensors.values()}.values())
    moved += sum(2 * tensors[name].bytes for name, how in zip(tensors, steps, strict=True) if how is Step.TRANSPOSE)
    nodes = tuple(sorted(inside))
    return Place(op, nodes, inputs, (match.output,), *fitting, steps, alone(model, nodes), moved)


def _fitting(model: Model, op: Op, tensors: Mapping[str, Tensor]) -> tuple[Combination, Mapping[str, Value]] | str:
    """The combination of element types under which the spec allows the call, or its complaint."""
    for tensor in tensors.values():
        if tensor.fixed is None:
            return f"the shape of {tensor.name} is not known"
        if spec_type(model, tensor.name) not in DTYPES:
            return f"{tensor.name} is {tensor.dtype}, which a spec has not"
        if tensor.quantization is not None and tensor.quantization.axis is not None:
            return f"{tensor.name} is quantized per channel"
    types = {name: spec_type(model, tensor.name) for name, tensor in tensors.items()}
    complaint = ""
    for combination in op.combinations:
        if any(tensor.dtype.of(combination).name != types[tensor.name] for tensor in op.tensors):
            continue
        infos = {name: _info(tensor, types[name]) for name, tensor in tensors.items()}
        call = check_call(op, combination, infos, {})
        if call.ok:
            return combination, call.params
        complaint = complaint or call.violations[0]
    shown = ", ".join(f"{name} {dtype}" for name, dtype in types.items())
    return complaint or f"{op.name} has no combination of element types {shown}"


def _info(tensor: Tensor, dtype: str) -> TensorInfo:
    quant = tensor.quantization
    scale, offset = (quant.scales[0], -quant.zeros[0]) if quant is not None else (None, None)
    return TensorInfo(tensor.fixed, DTYPES[dtype], scale, offset)


def unfit(op: Op) -> Diagnostic | None:
    """Why an op cannot be put into models at all."""
    if op.pattern is None:
        hint = "write what it replaces: pattern: torch.relu(a + b)"
        return error("OPK790", f"{op.name} has no pattern", op.span, hint)
    if op.compute is None:
        hint = "write compute:, which its function in the model is made from"
        return error("OPK790", f"{op.name} has no compute, and so no function that runs everywhere", op.span, hint)
    if len(op.outputs) != 1:
        message = f"{op.name} has {len(op.outputs)} outputs; what is replaced has one"
        return error("OPK790", message, op.pattern.span)
    return None
