"""Makes a call large: dimensions of a draft are multiplied until its largest tensor has a number of bytes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator

from opkg.kernels.coupling import Uncut
from opkg.kernels.tileable import (
    LARGEST,
    MOST_RANK,
    SIGNED_IMAGES,
    converted,
    converted_whole,
    cut_places,
    find_coupling,
    folds,
    groups,
)
from opkg.spec.axis_params import from_end
from opkg.spec.expr import Name, Rest, ShapeList
from opkg.spec.model import TensorSpec
from opkg.verify.cases.draft import Draft
from opkg.verify.cases.rng import Rng
from opkg.verify.cases.sizes import broadcast_group
from opkg.verify.meaning.numbers import storage

LABEL = "large"
MACHINE, INTERFACE = "htp", "qhpi"  # where TCM is what it is, and tensors are cut
_ROUNDS = 3  # dimensions that are multiplied
MOST_IMAGES = 4096  # with tens of thousands the backend takes minutes to prepare a graph


def grow(draft: Draft, wanted: int, rng: Rng) -> bool:
    """Multiplies dimensions along which the op is cut into tiles until the largest input has `wanted` bytes (up to twice
    that); of an op that is not tiled, any dimensions up to what such an op takes. Whether there was one to multiply."""
    if len(_largest(draft)[1]) > MOST_RANK and not folds(draft.op):
        return False
    places = cut_places(draft.op, draft.combination, _axes(draft))
    if places is None or _in_one_piece(draft):
        places, wanted = places or frozenset(range(4)), min(wanted, LARGEST // 2 if _lies_twice(draft) else LARGEST)
    grown = False
    for left in range(_ROUNDS, 0, -1):
        spec, shape, size = _largest(draft)
        factor = wanted / size
        options = [p for p in places if p < len(shape) and _is_free(draft, spec, len(shape), p)]
        if factor <= 1 or not options:
            break
        inner = [p for p in options if p > 0] or options  # rows of a usual length
        part = factor ** (1 / min(left, len(inner)))
        times = math.ceil(part) if wanted > LARGEST else math.floor(part)
        if times > 1:
            _multiply(draft, spec, shape, rng.choice(inner), times)
            grown = True
    return grown and _images_fit(draft) and (wanted <= LARGEST or _takes(draft))


def _in_one_piece(draft: Draft) -> bool:
    """Whether the backend does something to the tensors themselves that it does not cut (OPK277)."""
    rank = len(_largest(draft)[1])
    types = [draft.dtype(spec) for spec in draft.op.tensors]
    return any(map(converted_whole, types)) or (rank == 1 and any(map(converted, types)))


def _lies_twice(draft: Draft) -> bool:
    """Whether signed elements of 16 bits lie beside their unsigned copies: of five dimensions, where a param says which of
    them are reduced (OPK277)."""
    wide = any(converted_whole(draft.dtype(spec)) for spec in draft.op.tensors)
    return wide and len(_largest(draft)[1]) > MOST_RANK and bool(_axes(draft))


def _images_fit(draft: Draft) -> bool:
    """Whether what has many images is prepared in time, and within what the backend takes of signed elements."""
    for spec, shape, size in _tensors(draft, draft.op.tensors):
        if len(shape) == MOST_RANK and shape[0] > MOST_IMAGES:
            return False
        if converted(draft.dtype(spec)) and len(shape) == MOST_RANK:
            many, most = SIGNED_IMAGES[storage(draft.dtype(spec)).itemsize]
            if shape[0] >= many and size > most:
                return False
    return True


def _takes(draft: Draft) -> bool:
    """Whether what has more than four dimensions can be laid out in four, and what is not cut fits in one piece."""
    shapes = [info.shape or () for infos in draft.env().tensors.values() for info in infos]
    if not _narrower_fit(draft, max(map(len, shapes))):
        return False
    if max(map(len, shapes)) <= MOST_RANK:
        return True
    coupling = find_coupling(draft.op)
    coupled = set(coupling.coupled)
    if coupling.axes:
        coupled |= {-1 - axis if axis < 0 else coupling.rank - 1 - axis for axis in _axes(draft) or ()}
    return groups(shapes, max(coupled, default=-1) + 1) <= MOST_RANK


def _narrower_fit(draft: Draft, rank: int) -> bool:
    """Whether rows of inputs without the dimension that the op reduces and drops fit: each is one row where ranks are joined."""
    if not find_coupling(draft.op).dropped:
        return True
    for spec, shape, size in _inputs(draft):
        row = size if rank > MOST_RANK else (shape[-1] if shape else 1) * storage(draft.dtype(spec)).itemsize
        if len(shape) < rank and row > LARGEST:
            return False
    return True


def _axes(draft: Draft) -> tuple[int, ...] | None:
    """What the param says that numbers the dimensions which are reduced."""
    try:
        name = find_coupling(draft.op).axes
    except Uncut:
        return None
    env = draft.env()
    value = env.params.get(name)
    numbers = [int(n) for n in (value if isinstance(value, tuple) else (value,)) if isinstance(n, int)]
    param = next((p for p in draft.op.params if p.name == name), None)
    owners = env.tensors.get(param.axis_of or "", ()) if param is not None else ()
    if owners and owners[0].shape is not None:
        numbers = [from_end(n, len(owners[0].shape)) for n in numbers]
    return tuple(numbers) or None


def _largest(draft: Draft) -> tuple[TensorSpec, tuple[int, ...], int]:
    return max(_inputs(draft), key=lambda item: item[2])


def _inputs(draft: Draft) -> Iterator[tuple[TensorSpec, tuple[int, ...], int]]:
    """Every input tensor with its shape and its bytes."""
    return _tensors(draft, draft.op.inputs)


def _tensors(draft: Draft, specs: Iterable[TensorSpec]) -> Iterator[tuple[TensorSpec, tuple[int, ...], int]]:
    env = draft.env()
    for spec in specs:
        for info in env.tensors.get(spec.name, ()):
            shape = info.shape or ()
            yield spec, shape, math.prod(shape) * storage(draft.dtype(spec)).itemsize


def _at(draft: Draft, spec: TensorSpec, rank: int, place: int) -> tuple[str, Callable[[int], None]] | None:
    """What a dimension of a tensor is called, and how its extent is multiplied; None where the spec computes it."""
    tree = spec.shape.tree
    if not isinstance(tree, ShapeList):
        other = next((t for t in draft.op.inputs if t.name == getattr(tree, "tensor", getattr(tree, "id", ""))), None)
        return None if other is None or other is spec else _at(draft, other, rank, place)
    at = rank - 1 - place
    named = [item for item in tree.items if not isinstance(item, Rest)]
    run = next((i for i, item in enumerate(tree.items) if isinstance(item, Rest)), None)
    length = rank - len(named)
    if run is not None and run <= at < run + length:
        item = tree.items[run]
        assert isinstance(item, Rest)
        dims = draft.rests[item.name] if item.name else draft.loose[spec.name]
        return item.name or "", lambda times: dims.__setitem__(at - run, dims[at - run] * times)
    chosen = tree.items[at if run is None or at < run else at - length + 1]
    if not isinstance(chosen, Name) or chosen.id not in draft.dims:
        return None
    name = chosen.id
    return name, lambda times: draft.dims.__setitem__(name, draft.dims[name] * times)


def _is_free(draft: Draft, spec: TensorSpec, rank: int, place: int) -> bool:
    return _at(draft, spec, rank, place) is not None


def _multiply(draft: Draft, spec: TensorSpec, shape: tuple[int, ...], place: int, times: int) -> None:
    """Multiplies one dimension, in all tensors that are broadcast with this one."""
    found = _at(draft, spec, len(shape), place)
    assert found is not None
    name, multiply = found
    multiply(times)
    if name:
        return
    group = broadcast_group(draft.op)
    for other in group if spec.name in group else ():
        dims = draft.loose.get(other, [])
        if other != spec.name and place < len(dims) and dims[-1 - place] == shape[-1 - place] != 1:
            dims[-1 - place] *= times
