"""From a model to its fused ops: kernels, one op per distinct pattern, what each gains, and why other nodes are not fused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from opkg.fuse import canonical, language, naming
from opkg.fuse.candidates import Candidate, Candidates, fused_op
from opkg.fuse.fused import FusedOp
from opkg.fuse.grow import grown
from opkg.models.decompressed import decompressed
from opkg.models.fold import Fold, fold
from opkg.models.model import Links, Model, Node, links
from opkg.models.partition.limits import BIAS, Limits, why_not
from opkg.models.partition.moved import alone
from opkg.models.partition.plan import Plan, plan
from opkg.spec.shapes import product

_BEFORE = frozenset(("Conv", "ConvTranspose", "Gemm", "MatMul"))


@dataclass(frozen=True, slots=True)
class Found:
    """`model`: with quantized tensors where it was in QDQ form (`fold`). `ops`: those that save most first. `left`: why a node
    is in none, by its number. `before`, `after`: bytes that the whole model moves, with all ops in place."""

    model: Model
    fold: Fold
    plan: Plan
    ops: tuple[FusedOp, ...]
    left: dict[int, str]
    before: int
    after: int


def find(model: Model, limits: Limits) -> Found:
    """The fused ops of a model; of one in QDQ form, quantized ones."""
    model, folded = fold(decompressed(model))
    edges = links(model)
    others = _with_convolutions(model, edges, limits) | _unread(model, edges)
    planned = plan(model, limits, lambda model, node: others.get(node.name, "") or language.lacks(model, node))
    left = dict(planned.left)
    rows = [
        number for number, node in enumerate(model.nodes) if node.name not in others and _is_row(model, node, limits)
    ]
    parts: list[Sequence[int]] = [kernel.nodes for kernel in planned.kernels]
    parts += [(number,) for number in planned.singles]
    candidates = Candidates(model, edges, limits)
    kept: list[Candidate] = []
    for nodes in grown(model, edges, parts, rows, limits):
        for listed, candidate in _taken(candidates, nodes, parts):
            for number in listed:
                left.pop(number, None)
                if candidate.why:
                    left[number] = candidate.why
            if not candidate.why:
                kept.append(candidate)
    ops = _ops(model, edges, kept)
    before = alone(model, range(len(model.nodes)))
    return Found(model, folded, planned, ops, dict(sorted(left.items())), before, before - sum(op.saved for op in ops))


def _with_convolutions(model: Model, edges: Links, limits: Limits) -> dict[str, str]:
    """Nodes that the target computes with the convolution or product before them, by name: what `limits.behind` has of a bias and
    bounds (Relu, Clip), as long as nothing else reads what is in between."""
    found: dict[str, str] = {}
    firsts: dict[str, str] = {}
    for node in model.nodes:
        for name in node.inputs:
            before = model.nodes[edges.maker[name]] if name in edges.maker else None
            if before is None or len(edges.used(name)) != 1 or name in edges.results:
                continue
            first = firsts.get(before.name, before.name if before.op in _BEFORE else "")
            taken = limits.behind.get(model.tensor(name).dtype, frozenset())
            bound = node.op in taken and name == node.inputs[0]
            if first and (bound or (BIAS in taken and before.name == first and _is_bias(model, before, node))):
                firsts[node.name] = first
                found[node.name] = f"computed with {first}, which fuses it already"
    return found


def _unread(model: Model, edges: Links) -> dict[str, str]:
    """Nodes of which no result of the model comes, by name."""
    needed: set[int] = set()
    waiting = [edges.maker[name] for name in model.outputs if name in edges.maker]
    while waiting:
        number = waiting.pop()
        if number not in needed:
            needed.add(number)
            waiting += [edges.maker[name] for name in model.nodes[number].reads if name in edges.maker]
    return {node.name: "nothing needs its result" for number, node in enumerate(model.nodes) if number not in needed}


def _is_bias(model: Model, first: Node, node: Node) -> bool:
    """Whether a sum adds one constant per channel to a convolution or product without a bias."""
    shape = model.tensor(first.outputs[0]).fixed
    if node.op != "Add" or first.op == "Gemm" or len(first.inputs) > 2 or not shape or len(shape) < 2:
        return False
    at = len(shape) - 1 if first.op == "MatMul" else 1
    channels = (shape[at], *(1,) * (len(shape) - 1 - at))
    others = [model.tensor(name).fixed or () for name in node.inputs if name in model.constants]
    return len(others) == 1 and others[0][-len(channels) :] == channels and product(others[0]) == shape[at]


def _is_row(model: Model, node: Node, limits: Limits) -> bool:
    """Whether a node is a reduction or normalization that a kernel can have."""
    if node.op not in language.REDUCING or language.lacks(model, node):
        return False
    return not why_not(model, node, replace(limits, ops=limits.ops | {node.op}))


Parts = Iterator[tuple[tuple[int, ...], Candidate]]


def _taken(candidates: Candidates, nodes: frozenset[int], parts: Sequence[Sequence[int]]) -> Parts:
    """What becomes of a part with its reductions: one op; else of each part that it is made of; else of fewer nodes."""
    listed = tuple(sorted(nodes))
    whole = candidates.of(listed)
    inside = [tuple(sorted(part)) for part in parts if len(part) > 1 and nodes.issuperset(part)]
    if not whole.why:
        yield listed, whole
        return
    if inside and listed not in inside:
        yield tuple(sorted(nodes.difference(*inside))), whole
        for part in inside:
            yield from _taken(candidates, frozenset(part), [part])
        return
    found = candidates.smaller(listed)
    yield listed, whole
    if found is not None:
        yield found


def _ops(model: Model, edges: Links, kept: Sequence[Candidate]) -> tuple[FusedOp, ...]:
    groups: dict[canonical.Pattern, list[Candidate]] = {}
    for candidate in kept:
        if candidate.pattern is not None:
            groups.setdefault(candidate.pattern, []).append(candidate)
    taken: set[str] = set()
    made = []
    for pattern, found in groups.items():
        places = [candidate.place for candidate in found if candidate.place is not None]
        scopes = [[model.nodes[number].name for number in place.nodes] for place in places]
        name = naming.op_name(scopes, [step.op for step in pattern.steps], taken)
        taken.add(name)
        packets = (sum(candidate.packets[0] for candidate in found), sum(candidate.packets[1] for candidate in found))
        numbers = any(candidate.numbers for candidate in found)
        made.append(replace(fused_op(model, edges, name, pattern, places), packets=packets, numbers=numbers))
    return tuple(sorted(made, key=lambda op: -op.saved))


def best(found: Found, most: int) -> Found:
    """The ops that save most bytes, `most` of them (0: all)."""
    return (
        without(found, {op.name: f"{op.name} saves less than the first {most}" for op in found.ops[most:]})
        if most
        else found
    )


def without(found: Found, refused: Mapping[str, str]) -> Found:
    """Without ops, by name and the reason that their nodes get."""
    gone = [op for op in found.ops if op.name in refused]
    left = dict(found.left)
    for op in gone:
        left |= {number: refused[op.name] for place in op.places for number in place.nodes}
    ops = tuple(op for op in found.ops if op.name not in refused)
    return replace(found, ops=ops, left=dict(sorted(left.items())), after=found.before - sum(op.saved for op in ops))
