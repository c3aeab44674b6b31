"""Which ranks the tensors of an op can have together; HTP keeps rank 5 apart from rank 4 and below."""

from __future__ import annotations

from itertools import product

from opkg.spec.expr import Call, Expression, Member, Name, Rest, Select, ShapeList, Tree, Truth
from opkg.spec.model import Op, TensorSpec

FLAT = 4  # every rank up to 4 is padded to 4 in front


def rank_class(rank: int) -> int:
    """4 for ranks up to 4, else the rank."""
    return max(rank, FLAT)


def rank_classes(op: Op, highest: int) -> list[dict[str, int]]:
    """Every combination of rank classes the op's tensors can take together, by tensor name; ranks up to `highest`."""
    if all(t.ranks.high <= FLAT for t in op.tensors):
        return [{t.name: FLAT for t in op.tensors}]
    found: dict[tuple[int, ...], dict[str, int]] = {}
    for inputs in _input_ranks(op, highest):
        options = [_possible(t, inputs, highest) for t in op.outputs]
        for outputs in product(*options):
            ranks = inputs | {t.name: r for t, r in zip(op.outputs, outputs, strict=True)}
            classes = {name: rank_class(rank) for name, rank in ranks.items()}
            found.setdefault(tuple(classes.values()), classes)
    return list(found.values())


def _input_ranks(op: Op, highest: int) -> list[dict[str, int]]:
    """Assignments of ranks to the inputs: free ones range, others follow. Ranks 1..4 count as one, so 4 stands for them
    unless the tensor must be smaller."""
    results: list[dict[str, int]] = [{}]
    for tensor in op.inputs:
        grown = []
        for ranks in results:
            grown += [ranks | {tensor.name: rank} for rank in _possible(tensor, ranks, highest)]
        results = grown
    return results


def _possible(tensor: TensorSpec, known: dict[str, int], highest: int) -> list[int]:
    high = min(tensor.ranks.high, highest)
    allowed = range(tensor.ranks.low, high + 1)
    ranks = _ranks_of(tensor.shape.tree, tensor, known, allowed)
    return [r for r in ranks if r in allowed] or [min(high, FLAT)]


def _ranks_of(tree: Tree, tensor: TensorSpec, known: dict[str, int], allowed: range) -> list[int]:
    match tree:
        case ShapeList(items):
            if not any(isinstance(item, Rest) for item in items):
                return [len(items)]
            return list(dict.fromkeys(max(r, min(FLAT, allowed.stop - 1)) for r in allowed))
        case Member(name, "shape"):
            return [known[name]] if name in known else list(allowed)
        case Name(name):
            return [known[name]] if name in known else list(allowed)
        case Call("broadcast", args):
            ranks = [_ranks_of(arg, tensor, known, allowed)[0] for arg in args]
            return [max(ranks)]
        case Call("reduce", (shape, axes, keep)):
            return _reduced(shape, axes, keep, tensor, known, allowed)
        case Call("concat", (_, Name(name))):
            return [known.get(name, FLAT)]
        case Select(_, then, other):
            both = _ranks_of(then, tensor, known, allowed) + _ranks_of(other, tensor, known, allowed)
            return list(dict.fromkeys(both))
    return list(allowed)


def _reduced(
    shape: Tree, axes: Tree, keep: Tree, tensor: TensorSpec, known: dict[str, int], allowed: range
) -> list[int]:
    base = _ranks_of(shape, tensor, known, allowed)[0]
    if keep == Truth(True):
        return [base]
    dropped = len(axes.items) if isinstance(axes, ShapeList) else 1
    lower = max(base - dropped, 0)
    return [lower] if keep == Truth(False) else [base, lower]


def single_rank(expression: Expression) -> int:
    """The rank a shape expression fixes, or 0."""
    tree = expression.tree
    if isinstance(tree, ShapeList) and not any(isinstance(item, Rest) for item in tree.items):
        return len(tree.items)
    return 0
