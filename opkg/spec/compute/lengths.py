"""How long the parts of dimensions are that a computation cuts, for all lengths of a named dimension that constraints allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from opkg.spec.check_op import names_in
from opkg.spec.compute.extents import COMPUTED, Dim, Extent, Mismatch, is_rest, of_tensor
from opkg.spec.compute.whole import (
    Calculated,
    Leaf,
    Range,
    Size,
    Whole,
    calculated,
    leaves_of,
    less,
    value_of,
    whole_text,
)
from opkg.spec.evaluate import Env, Unknown, evaluate
from opkg.spec.expr import Tree
from opkg.spec.model import Op
from opkg.spec.shapes import EvaluationError

# Lengths that stand for all; what must hold from some length on is asked of the last quarter.
_TRIED = (
    *range(1, 130), 191, 192, 255, 256, 257, 383, 384, 500, 511, 512, 513, 640, 767, 768, 1000, 1001, 1023, 1024, 1025,
    1280, 1535, 1536, 2047, 2048, 2049, 3000, 3072, 4095, 4096, 4097, 5120, 6144, 8191, 8192, 10007, 11008, 14336, 16384,
    32767, 32768, 50000, 65535, 65536, 65537, 100003, 131072, 1 << 20,
)  # fmt: skip
_MOST_FACTOR = 16


class Nothing(Exception):
    """A part that no length of a dimension has."""


@dataclass(frozen=True, slots=True)
class _Length:
    """A dimension for each tried length of the one that it hangs on (empty: of none). `whole`: its formula, where it has one."""

    of: str
    at: tuple[int, ...]
    whole: Whole | None = None


class Dimensions:
    """The dimensions of one op that hang on named ones. Each gets a name, which begins with COMPUTED; equal ones get the same."""

    def __init__(self, op: Op) -> None:
        self.op = op
        self.inputs = {tensor.name: of_tensor(tensor, op) for tensor in op.inputs}
        self.tried: dict[str, tuple[int, ...]] = {"": (0,)}
        self._tied: dict[str, bool] = {}
        self._known: dict[str, _Length] = {}

    def cut(self, dim: Dim, part: Range) -> Dim | None:
        """What is left of a dimension; None where that is not told. Raises Nothing."""
        of = self._of(dim, part)
        if part == Range() or of is None:
            return dim if part == Range() else None
        size = Size("", -1, dim) if isinstance(dim, str) else dim
        plain = Range(*[end if end is None else self._plain(end) for end in part.ends])
        if (
            of
            and max(self.tried[of]) == _TRIED[-1]
            and any(isinstance(e, int) and abs(e) > _TRIED[-1] for e in plain.ends)
        ):
            return None
        _check_ends(size, plain, self.tried[of])
        at = []
        for n in self.tried[of]:
            ends = [end if end is None else _value(end, n) for end in plain.ends]
            at.append(0 if ends[2] == 0 else len(range(*slice(*ends).indices(_value(size, n)))))
        if not any(at):
            raise Nothing(f"there is nothing in '{part}' of a dimension of {shown(dim)}")
        if len(set(at)) == 1:
            return at[0]
        formulas = _formulas(size, plain)
        whole = next((f for f in formulas if [_value(f, n) for n in self.tried[of]] == at), None)
        return self._named(_Length(of, tuple(at), whole), f"{shown(dim)}[{part}]")

    def check_place(self, dim: Dim, place: Whole) -> None:
        """Raises Nothing where a dimension never has a place."""
        of = self._of(dim, place)
        if of is None:
            return
        plain, size = self._plain(place), Size("", -1, dim) if isinstance(dim, str) else dim
        if not any(-_value(size, n) <= _value(plain, n) < _value(size, n) for n in self.tried[of]):
            raise Nothing(f"there is no place {place} in a dimension of {shown(dim)}")

    def joined(self, dims: Sequence[Dim]) -> Dim | None:
        """Dimensions one after another; None where that is not told."""
        lengths = [length for dim in dims if (length := self._length(dim)) is not None]
        of = {length.of for length in lengths} - {""}
        if len(lengths) < len(dims) or len(of) != 1:
            return None
        columns = [length.at if length.of else length.at * len(self.tried[next(iter(of))]) for length in lengths]
        made = _Length(of.pop(), tuple(map(sum, zip(*columns, strict=True))))
        return self._named(made, " + ".join(map(shown, dims)))

    def check(self, a: Extent, b: Extent) -> None:
        """Raises Mismatch where dimensions do not meet, however long they are from some length on."""
        for one, other in zip(reversed(a.dims or ()), reversed(b.dims or ()), strict=False):
            if is_rest(one) or is_rest(other):
                return
            pairs = list(self._pairs(one, other))
            apart = next(((n, x, y) for n, x, y in pairs if x != y and 1 not in (x, y)), None)
            if apart is None:
                continue
            n, x, y = apart
            of = self._together(one, other)
            fitting = (k for k in range(2, _MOST_FACTOR) if all(x == y for n, x, y in pairs if n % k == 0))
            factor = next(fitting, None)
            hint = f'constraints: ["{of} % {factor} == 0"]' if factor is not None else ""
            raise Mismatch(f"dimensions {shown(one)} and {shown(other)} ({x} and {y} where {of} is {n})", hint)

    def differ(self, value: Dim, output: Dim) -> bool:
        """Whether a dimension of a value is another one than that of an output, from some length on."""
        return any(x != y for _, x, y in self._pairs(value, output))

    def formula(self, dim: Dim) -> Whole | None:
        """How a dimension is calculated from a named one, where that is told."""
        return self._known[dim].whole if isinstance(dim, str) and dim in self._known else None

    def _pairs(self, one: Dim, other: Dim) -> Iterator[tuple[int, int, int]]:
        """Long lengths of what both hang on, with what they are there; nothing where constraints may tie them."""
        of = self._together(one, other)
        if not of or self._tied[of] or not {one, other} & self._known.keys():
            return
        tried = self.tried[of]
        for place in range(3 * len(tried) // 4, len(tried)):
            x, y = (length.at[place if length.of else 0] for dim in (one, other) if (length := self._length(dim)))
            yield tried[place], x, y

    def _together(self, one: Dim, other: Dim) -> str | None:
        """The one dimension that two hang on; None where they hang on two, or that is open."""
        lengths = (self._length(one), self._length(other))
        of = {length.of for length in lengths if length is not None}
        return max(of) if None not in lengths and len(of - {""}) == 1 else None

    def _length(self, dim: Dim) -> _Length | None:
        if isinstance(dim, int):
            return _Length("", (dim,))
        if dim in self._known:
            return self._known[dim]
        return None if is_rest(dim) or dim.startswith("?") or not self._try(dim) else _Length(dim, self.tried[dim])

    def _named(self, length: _Length, text: str) -> Dim:
        """The name of a dimension: that of an equal one, if there is one."""
        if length.at == self.tried[length.of]:
            return length.of
        for name, known in self._known.items():
            if (known.of, known.at) == (length.of, length.at):
                return name
        name = f"{COMPUTED}{text if length.whole is None else whole_text(length.whole)}"
        self._known[name] = length
        return name

    def _of(self, dim: Dim, part: Range | Whole) -> str | None:
        """The named dimension that a part of one hangs on, empty for none; None where that is open."""
        dims = {dim, *(self._dim(leaf) for leaf in leaves_of(part))}
        names = {name for name in dims if isinstance(name, str)}
        if len(names) > 1 or any(name.startswith("?") or is_rest(name) or not self._try(name) for name in names):
            return None
        return names.pop() if names else ""

    def _dim(self, leaf: Leaf) -> Dim:
        """The dimension that a size is of."""
        dims = self.inputs[leaf.name].dims if isinstance(leaf, Size) else None
        if isinstance(leaf, Size) and dims is not None and not any(map(is_rest, dims[leaf.axis :])):
            return dims[leaf.axis] if len(dims) >= -leaf.axis else "?"
        return "?"

    def _plain(self, whole: Whole) -> Whole:
        """A number of sizes that the text asks for in one way or another, with their dimensions."""
        match whole:
            case Calculated():
                return calculated(whole.op, self._plain(whole.left), self._plain(whole.right))
            case Size():
                dim = self._dim(whole)
                return Size("", -1, dim) if isinstance(dim, str) else dim
        return whole

    def _try(self, name: str) -> bool:
        """Whether there are lengths of a named dimension that the constraints allow which speak of it alone."""
        if name not in self.tried:
            trees = [constraint.require.tree for constraint in self.op.constraints]
            alone = [tree for tree in trees if set(names_in(tree)) == {name}]
            owners = {n for n, extent in self.inputs.items() if extent.dims is None or name in extent.dims}
            others = (set(names_in(tree)) for tree in trees if tree not in alone)
            self._tied[name] = any(name in names or names & owners for names in others)
            self.tried[name] = tuple([n for n in _TRIED if all(_holds(tree, name, n) for tree in alone)])
        return bool(self.tried[name])


def _value(whole: Whole, n: int) -> int:
    """A number of one dimension, which is `n` long."""
    return value_of(whole, lambda _: n)


def _check_ends(size: Whole, part: Range, tried: Sequence[int]) -> None:
    """Raises Nothing where an end lies beyond each length of a dimension. A step below 0 ends in front of all."""
    for end in (part.start, part.stop):
        if end is not None and not any(-_value(size, n) - 1 <= _value(end, n) <= _value(size, n) for n in tried):
            raise Nothing(f"'{end}' lies beyond a dimension of {size}")


def shown(dim: Dim) -> str:
    return str(dim).removeprefix(COMPUTED)


def _holds(tree: Tree, name: str, n: int) -> bool:
    try:
        return bool(evaluate(tree, Env(dims={name: n})))
    except (EvaluationError, Unknown):
        return True


def _formulas(size: Whole, part: Range) -> Iterator[Whole]:
    """What the length of a part may be: these differ in whether ends count from the end."""
    start, stop, step = part.ends
    stops = (size,) if stop is None else (stop, _from_end(size, stop))
    starts = (0,) if start is None else (start, _from_end(size, start))
    for end in stops:
        for begin in starts:
            length = less(end, begin)
            if step is None:
                yield length
            elif isinstance(step, int) and step > 0:
                yield calculated("//", calculated("+", length, step - 1), step)


def _from_end(size: Whole, end: Whole) -> Whole:
    """The place of an end below 0."""
    return less(size, less(0, end))
