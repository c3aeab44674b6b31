"""Chooses ranks and dimensions: small, odd, and around the widths of vectors and croutons."""

from __future__ import annotations

from opkg.spec.expr import Name, Rest, ShapeList
from opkg.spec.model import Op, TensorSpec
from opkg.verify.cases.draft import Draft, anonymous_rest, calls_of, tensor_of
from opkg.verify.cases.rng import Rng

# Element budget of a case; larger ones cost time and find no more.
MOST_ELEMENTS = 1 << 13
SMALL = (1, 2, 3, 4, 5, 6, 7, 8, 9)
INTERESTING = (
    1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 96, 127, 128, 129, 130, 255, 256, 257, 384,
)  # fmt: skip
MOST_RANK = 5  # of ranges without an end in sight: what HTP knows
STYLES = ("random", "channel", "random", "small", "random", "channel", "long", "random")


class Sizes:
    """Draws dimensions within a budget of elements that a case shares."""

    def __init__(self, rng: Rng, style: str, budget: int = MOST_ELEMENTS, length: int = 0) -> None:
        self._rng = rng
        self._style = style
        self._length = length
        self._left = budget

    def dim(self, last: bool = False) -> int:
        """The next dimension; `last`: the fastest one, where vectors lie."""
        style = self._style
        if style == "exact":
            return self._length if last else 1
        allowed: tuple[int, ...] = SMALL
        if style == "ones":
            allowed = (1,)
        elif style == "long" and last:
            allowed = tuple(d for d in range(1, 1025, 33))
        elif style == "random" or (style == "channel" and last):
            allowed = INTERESTING if last or self._rng.chance(0.4) else SMALL
        if style == "channel" and last:
            allowed = tuple(d for d in INTERESTING if d >= 31)
        fitting = [d for d in allowed if d <= self._left] or [1]
        chosen = self._rng.choice(fitting)
        self._left = max(1, self._left // chosen)
        return chosen

    def run(self, length: int, last: bool) -> list[int]:
        """Dimensions of a run, the fastest drawn first."""
        if length <= 0:
            return []
        drawn = [self.dim(last and i == 0) for i in range(length)]
        return drawn[::-1]


def _lengths(spec: TensorSpec) -> tuple[int, int]:
    """Allowed lengths of the run in a tensor's shape list."""
    tree = spec.shape.tree
    others = sum(not isinstance(i, Rest) for i in tree.items) if isinstance(tree, ShapeList) else 0
    high = min(spec.ranks.high, max(MOST_RANK, spec.ranks.low))
    return max(0, spec.ranks.low - others), max(0, high - others)


def _pick(rng: Rng, low: int, high: int, turn: int) -> int:
    """A length: cases take turns, the longest and commonest first; later ones are random."""
    if high <= low:
        return low
    order = sorted(range(low, high + 1), key=lambda n: (n != min(4, high), -n))
    return order[turn] if turn < len(order) else rng.between(low, high)


def _rest_names(spec: TensorSpec) -> list[str]:
    tree = spec.shape.tree
    items = tree.items if isinstance(tree, ShapeList) else ()
    return [i.name for i in items if isinstance(i, Rest) and i.name is not None]


def choose_sizes(draft: Draft, rng: Rng, style: str, turn: int, budget: int, length: int = 0) -> None:
    """Gives every name and run of the draft that has no value one. Style "exact": the last dimension is `length`."""
    sizes = Sizes(rng, style, budget, length)
    op = draft.op
    last = {name for spec in op.inputs for name in _last_names(spec)}
    for name in rng.shuffled(list(op.dims)):
        if name not in draft.dims:
            draft.dims[name] = sizes.dim(name in last)
    for name in op.rests:
        users = [spec for spec in op.inputs if name in _rest_names(spec)]
        if name not in draft.rests:
            low = max((_lengths(s)[0] for s in users), default=0)
            high = min((_lengths(s)[1] for s in users), default=3)
            draft.rests[name] = sizes.run(_pick(rng, low, high, turn), name in last)
    group = broadcast_group(op)
    for spec in op.inputs:
        if anonymous_rest(spec) and spec.name not in draft.loose and draft.count(spec.name):
            leader = next((draft.loose[n] for n in group if n in draft.loose), None) if spec.name in group else None
            if leader is not None:
                draft.loose[spec.name] = _broadcastable(rng, leader, spec, style)
            else:
                low, high = _lengths(spec)
                draft.loose[spec.name] = sizes.run(_pick(rng, low, high, turn), spec.name in last)
    _swap_leader(draft, rng, group)


def _last_names(spec: TensorSpec) -> list[str]:
    """What the fastest dimension of a tensor is called: a name, a run, or the tensor itself for `...`."""
    tree = spec.shape.tree
    if not isinstance(tree, ShapeList) or not tree.items:
        return []
    item = tree.items[-1]
    if isinstance(item, Name):
        return [item.id]
    return [item.name or spec.name] if isinstance(item, Rest) else []


def broadcast_group(op: Op) -> tuple[str, ...]:
    """The inputs `[...]` that some expression of the op broadcasts against each other."""
    trees = [t.shape.tree for t in op.tensors] + [c.require.tree for c in op.constraints]
    names = [tensor_of(arg) for tree in trees for call in calls_of(tree, "broadcast") for arg in call.args]
    free = {s.name for s in op.inputs if anonymous_rest(s) and len(getattr(s.shape.tree, "items", ())) == 1}
    return tuple(dict.fromkeys(n for n in names if n in free))


def _broadcastable(rng: Rng, leader: list[int], spec: TensorSpec, style: str) -> list[int]:
    """A shape that broadcasts with the leader's: the same, with ones, or of lower rank."""
    shape = list(leader)
    way = rng.uniform()
    if way < 0.35 or style in ("ones", "exact"):
        return shape
    low, high = _lengths(spec)
    if way > 0.6 and len(shape) > low:
        shape = shape[rng.between(1, len(shape) - low) :]
    if way < 0.8:
        shape = [1 if rng.chance(0.5) else d for d in shape]
    return shape[-high:] if high else []


def _swap_leader(draft: Draft, rng: Rng, group: tuple[str, ...]) -> None:
    """Now and then it is the first of a broadcast group that is stretched."""
    here = [n for n in group if n in draft.loose and n not in draft.fixed]
    if len(here) < 2 or not rng.chance(0.4):
        return
    other = rng.choice(here[1:])
    first, second = draft.loose[here[0]], draft.loose[other]
    ranks = {spec.name: spec.ranks for spec in draft.op.inputs}
    if len(second) in ranks[here[0]] and len(first) in ranks[other]:
        draft.loose[here[0]], draft.loose[other] = second, first
