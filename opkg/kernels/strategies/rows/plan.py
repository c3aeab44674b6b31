"""What is known of a row: its extremes, sums and tables, and the values of a graph in terms of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from opkg.kernels.graphs.graph import Graph
from opkg.kernels.lowered import Member
from opkg.kernels.portable.rows import Shared
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.curved import Curve
from opkg.kernels.strategies.rows.poly import Poly


def passes(count: int) -> str:
    """ "1 pass", "2 passes"."""
    return f"{count} pass{'es' if count != 1 else ''}"


class Cannot(Exception):
    """Why a graph cannot be done in these loops."""


@dataclass(frozen=True, slots=True)
class Extreme:
    """The largest or smallest element of an input in the row."""

    operand: str
    largest: bool
    where: int = -1  # the mask that chooses its elements; -1: all of them

    @property
    def name(self) -> str:
        of = f"chosen_{self.operand}" if self.where >= 0 else self.operand
        return f"{of}_{'most' if self.largest else 'least'}"

    @property
    def stored(self) -> str:
        """The number as it is stored, with the zero point."""
        return f"{self.name}_stored"


@dataclass(frozen=True, slots=True)
class Corner:
    """Of a 16-bit element what is above zero, or its size: whole numbers of 16 bits without sign, in stored steps."""

    operand: str
    size: bool

    @property
    def atom(self) -> str:
        return f"{self.operand}_{'size' if self.size else 'above'}"

    @property
    def member(self) -> str:
        """The member that makes it of elements."""
        return f"{self.atom}_of"


@dataclass(frozen=True, slots=True)
class Smooth:
    """A smooth function of one 16-bit element. In a polynomial: `<name>.low + <name>.unit * <name>_q`. `argument`: the node
    that it takes sigmoid, tanh, exp and so on of."""

    name: str
    node: int
    operand: str
    argument: int

    @property
    def atom(self) -> str:
        return f"{self.name}_q"

    @property
    def member(self) -> str:
        """The member that makes it of elements."""
        return self.name


@dataclass(frozen=True, slots=True)
class Exponential:
    """exp() of minus a number of the call times how far a 16-bit element is from the extreme of its column. In a polynomial:
    2^-30 * <name>_q. `factor`: C++ of that number times the scale."""

    name: str
    operand: str
    extreme: Extreme
    factor: str

    @property
    def atom(self) -> str:
        return f"{self.name}_q"


@dataclass(frozen=True, slots=True)
class Total:
    """The sum over the row of an element atom, or of the product of two. Loops sum stored numbers up; then the zero points
    are taken off. `of`: what is summed up in the place of 16-bit elements, the only atom."""

    atoms: tuple[str, ...]
    of: Corner | Smooth | Exponential | None = None

    @property
    def name(self) -> str:
        words = [name.removesuffix("_q") for name in self.atoms]
        squared = len(words) == 2 and words[0] == words[1]
        return f"{words[0]}_squares" if squared else f"{'_'.join(words)}_total"


@dataclass(frozen=True, slots=True)
class Product:
    """The product of an input's elements in the row, whole numbers; it wraps as int64_t does."""

    operand: str

    @property
    def name(self) -> str:
        return f"{self.operand}_product"


@dataclass(frozen=True, slots=True)
class Index:
    """What a table is indexed with: the byte of a stored element, or its distance from an extreme of the row."""

    operand: str
    extreme: Extreme | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """The values of a node for the 256 indices. In a polynomial: `low + <name>_spread.unit * <name>_q`."""

    name: str
    node: int
    index: Index
    where: int = -1  # a mask, beyond which values are 0; -1: there is none
    or_one: bool = False  # whether all values of a row are 1 where its mask holds nowhere

    @property
    def atom(self) -> str:
        return f"{self.name}_q"

    @property
    def low(self) -> str:
        """The value that an entry of 0 stands for; `or_one`: a number of the row, as 0 is that of the call."""
        return f"{self.name}_or_one" if self.or_one else f"{self.name}_spread.low"


@dataclass(slots=True)
class Decided:
    """What decisions of the first loop add to the struct."""

    members: list[Member] = field(default_factory=list)
    prepare: list[str] = field(default_factory=list)
    headers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Test:
    """Whether a bool node holds for an element: 1 or 0."""

    name: str
    node: int

    @property
    def atom(self) -> str:
        return f"{self.name}_q"


@dataclass(slots=True)
class Plan:
    """`elements`, `functions`: atoms that vary along the row. `row`: nodes with one value per row, in order."""

    snippet: Snippet
    shared: Shared
    polys: dict[int, Poly] = field(default_factory=dict)
    rank: dict[int, str] = field(default_factory=dict)  # of a node: uniform, row, element
    elements: dict[str, Operand | Table] = field(default_factory=dict)
    given: dict[str, int] = field(default_factory=dict)  # inputs with one number for each column: their nodes
    functions: dict[str, Corner | Smooth | Exponential] = field(default_factory=dict)  # summed up in place of elements
    integers: set[str] = field(default_factory=set)  # names of int64_t numbers
    extremes: dict[str, Extreme] = field(default_factory=dict)
    totals: dict[tuple[str, ...], Total] = field(default_factory=dict)
    products: dict[int, Product] = field(default_factory=dict)  # by the node that asks for it
    varying: set[str] = field(default_factory=set)  # elements of 16 bits whose squares about the mean are summed up
    guarded: set[int] = field(default_factory=set)  # sums whose terms may cancel beyond what double holds
    tables: dict[str, Table] = field(default_factory=dict)
    indices: dict[int, Index] = field(default_factory=dict)
    row: list[int] = field(default_factory=list)
    inverses: dict[str, int] = field(default_factory=dict)  # name of 1 / node -> node
    why: dict[int, str] = field(default_factory=dict)  # why an element's value is no polynomial
    locals: dict[int, str] = field(default_factory=dict)  # names of the row's numbers in C++
    count: str = "count"  # name of the number of elements
    chooses: bool = False  # whether choices between elements are sums of what is chosen
    tests: dict[str, Test] = field(default_factory=dict)  # by atom
    or_one: bool = False  # of all tables with masks: as in Table
    decided: Decided = field(default_factory=Decided)
    curve: Curve | None = None  # that makes bytes of the only result

    @property
    def graph(self) -> Graph:
        return self.snippet.graph

    def is_element(self, name: str) -> bool:
        return name in self.elements or name in self.functions or name in self.tests

    def tests_of(self, atoms: tuple[str, ...]) -> tuple[str, ...]:
        """The atoms that are tests."""
        return tuple([name for name in atoms if name in self.tests])

    def copied(self, output: Operand, node: int) -> Extreme | None:
        """The extreme that an output holds as it is stored; a quantized one, where its steps are those of the input."""
        for extreme in self.extremes.values():
            source = self.snippet.operand(extreme.operand)
            if (output.storage, output.quantized, output.bias) != (source.storage, source.quantized, source.bias):
                continue
            scale = (f"{self.shared.steps[source.name]}.scale",) if source.quantized else ()
            if self.polys.get(node) == {(extreme.name, *scale): 1}:
                return extreme
        return None

    def sign(self, factor: Poly) -> int:
        """1 or -1 when a factor is a number times scales and params that are not negative; 0 when that is not known."""
        if len(factor) != 1:
            return 0
        ((key, value),) = factor.items()
        positive = {f"{steps}.scale" for steps in self.shared.steps.values()}
        positive |= {self.shared.params[p.name] for p in self.snippet.params if p.low is not None and p.low >= 0}
        if any(name not in positive for name in key):
            return 0
        return 1 if value > 0 else -1

    def zero(self, operand: str) -> str:
        """C++ of what is taken from a stored number; empty when nothing is. An interface that moves plain integers
        otherwise than the snippet says is none of ours (the kernel's `prepare` asks)."""
        found = self.snippet.operand(operand)
        if found.quantized:
            return f"{self.shared.steps[operand]}.zero"
        return str(found.bias) if found.bias else ""


def once(plan: Plan, value: Poly) -> Poly:
    """The polynomial with each test once in a product: its square is itself."""
    if not plan.tests:
        return value
    found: Poly = {}
    for key, factor in value.items():
        kept = [name for at, name in enumerate(key) if name not in plan.tests or name not in key[:at]]
        found = poly.add(found, {tuple(kept): factor})
    return found


def by_distance(value: Poly, element: str, extreme: Extreme) -> Poly | None:
    """The polynomial in `d`, the distance of an element from the extreme; None when it needs more than that."""
    by = poly.add(poly.atom(extreme.name), poly.atom("d"), -1 if extreme.largest else 1)
    moved = poly.substitute(value, element, by)
    return moved if moved is not None and extreme.name not in poly.names(moved) else None
