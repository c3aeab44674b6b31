"""How the shapes of a kernel's tensors go together: names for dimensions, so that one op serves every size of them.

The space of a kernel is the shape to which all of its tensors broadcast. Seen from the end, a tensor has each dimension of the
space whole, or has one element there, or does not have it. Leading dimensions that every tensor has whole are `batch...`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from opkg.spec.shapes import EvaluationError, Shape, broadcast

_NAMES = {4: "NCHW", 3: "NLC", 2: "LC", 1: "C", 5: "NDCHW"}


@dataclass(frozen=True, slots=True)
class Extent:
    """The dimensions of a tensor: `batch...` or not, then for each of the last ones whether it is whole."""

    batch: bool
    whole: tuple[bool, ...]

    def dims(self, names: Sequence[str]) -> tuple[str, ...]:
        """As a spec has them; `names` of the last dimensions of the space."""
        last = names[len(names) - len(self.whole) :]
        own = tuple(name if whole else "1" for name, whole in zip(last, self.whole, strict=True))
        return ("batch...", *own) if self.batch else own


def space_of(shapes: Sequence[Shape]) -> Shape | None:
    """The shape to which all broadcast, None when they do not."""
    try:
        return broadcast(list(shapes))
    except EvaluationError:
        return None


def named(shapes: Sequence[Shape], inputs: int, space: Shape) -> int:
    """How many of the last dimensions need names, for tensors of these shapes, the first `inputs` of which are inputs. A size
    of 0 is one element even where the space has one."""
    needed = 0
    for shape in shapes:
        if len(shape) < len(space):
            needed = max(needed, len(shape))
            continue
        narrow = [at for at, (own, whole) in enumerate(zip(shape, space, strict=True)) if own != whole]
        needed = max(needed, len(space) - narrow[0] if narrow else 0)
    if needed < len(space) and not any(len(shape) == len(space) for shape in shapes[:inputs]):
        return len(space)  # no input says what `batch...` is
    return needed


def extent(shape: Shape, space: Shape, names: int) -> Extent:
    """The dimensions of a tensor where `names` of the last ones have names."""
    last = shape[max(len(shape) - names, 0) :] if names else ()
    whole = space[len(space) - len(last) :] if last else ()
    return Extent(names < len(space) == len(shape), tuple(own == all_ for own, all_ in zip(last, whole, strict=True)))


def names_of(count: int, rank: int) -> tuple[str, ...]:
    """Names for the last dimensions of a space."""
    letters = _NAMES.get(rank, "")
    return tuple(letters[len(letters) - count :]) if count <= len(letters) else tuple(f"D{at}" for at in range(count))
