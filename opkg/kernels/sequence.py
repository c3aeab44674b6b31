"""What the strategy of reductions makes: loops over one row, one after another, with numbers computed between them."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.kernels.lowered import Inst, Member


@dataclass(frozen=True, slots=True)
class Carry:
    """A vector (kind V), pair (W) or predicate (Q) that a loop carries from step to step: `start` before the first one (a
    value of the loop's setup), `after` a step (a value of its body)."""

    name: str
    kind: str
    start: str
    after: str


@dataclass(frozen=True, slots=True)
class Loop:
    """One pass over the row in steps of `Sequence.step` elements.

    `body` is one step. Lanes of the last, partial step that hold no element are filled by the instructions
    `lanes.keep8/16/32(vector, neutral, part)`, which leave the vector of a whole step as it is. `declare`: C++ of the
    numbers that the loop finds, before it. `finish`: C++ after it, from the carried vectors; with `block`, after every
    `block` steps, for accumulators that hold no more; `last` at the very end. `when`: C++ of a condition for all of it;
    `usual`: whether it holds for most rows, so that the loop counts where costs are told. `once`: whole steps and the last one
    are one copy of a long step, which asks each time.

    Of several rows at a time (`Slots`): `spread` has vectors of the body that are numbers of rows, with C++ of their words;
    `joined` carried vectors, how their lanes are joined (a type of opkg/hvx_units.h), and the name of what is found.
    """

    title: str
    setup: tuple[Inst, ...]
    carried: tuple[Carry, ...]
    body: tuple[Inst, ...]
    declare: tuple[str, ...] = ()
    finish: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    when: str = ""
    usual: bool = True
    once: bool = False
    block: int = 0
    unroll: int = 1
    spread: tuple[tuple[str, str], ...] = ()
    joined: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Numbers:
    """C++ between two loops: scalars of the row. `return false;` in it: the portable code computes this row."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Buffer:
    """Room on the stack for what a loop keeps of every step for a later one: `load` and `store` name it as an operand.
    A step has step * size / 128 vectors in it, in an order that is the loops' own."""

    name: str
    type: str
    elements: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A sum or extreme of columns, or of rows that are folded. `type`: of opkg/hvx_columns_parts.h; `name`: of its number in C++.
    Of each element a sum has `low` to `high`, the stored number and `offset`; an extreme is in that range. `short`: rows
    whose number 16 bits without sign hold, less `low`. `unit`: what C++ counts a number as; `table`: the member whose entries
    are summed up, or another function of elements; `of`: its type."""

    type: str
    name: str
    adds: bool
    low: int
    high: int
    offset: int = 0
    short: int = 0
    unit: int = 1
    table: str = ""
    of: str = "opkg::hvx::ColumnTable"


@dataclass(frozen=True, slots=True)
class SpreadLine:
    """A result of columns that is a line of a variance or of its root. `type`: of opkg/hvx_variance.h; `lines`: C++ that returns
    its value, of `variance` in stored numbers."""

    type: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Norm:
    """Results that are lines of the elements of their columns (opkg/columns_norm.h). `each`: types of the inputs that have a
    number for each column; `lines`: C++ that makes lines of what was found of 32 columns, of floats what makes results of 32
    elements; `most`: elements of a column, C++. `numbers`: of a column of floats that elements ask for
    (opkg/columns_float_norm.h). `limits`: members with the least and the largest stored number of results that are
    clamped. `table`, `exponential`: the member with a function of distances from the largest element (`largest`) or the
    smallest one, which lines are of, or with `of_elements` what is found of columns (opkg/columns_distance.h); `fine`: C++ of
    when sums of entries always ask for their fractions."""

    each: tuple[str, ...]
    lines: tuple[str, ...]
    most: str
    numbers: int = 0
    limits: tuple[str, ...] = ()
    table: str = ""
    exponential: str = ""
    largest: bool = False
    of_elements: bool = False
    fine: str = "false"


@dataclass(frozen=True, slots=True)
class Folds:
    """How many rows at a time become results, one for each: opkg/folds.h joins neighbouring lanes. Fields as in `Columns`;
    `headers`: what `vectors` need. `floats`: the same rows as columns of floats, where lanes are sums of these."""

    parts: tuple[Part, ...]
    line: tuple[str, ...]
    results: str
    bias: int
    wide: str = ""
    vectors: tuple[str, ...] = ()
    floats: Columns | None = None
    headers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Slots:
    """How up to 32 rows at a time are computed (opkg/slots.h): stages over all of them, numbers being vectors with a word for
    each row. `patterns`: inputs that are the same for all rows. `most`: elements of a row. `call`: a member with numbers of
    the call as rows have theirs; `numbers`: these, C++ in double. `text`: C++ of all of it where a header has the loops, of
    `kept` vectors at most; `slow`: inputs whose rows may stand for several. `buffers`: what loops keep of every
    vector for a later one, with how many vectors of each; `floats`: numbers are sums of two floats, of at least `fewest` rows."""

    stages: tuple[Loop | Numbers, ...]
    patterns: frozenset[str]
    most: int
    call: str = ""
    numbers: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    kept: int = 0
    slow: frozenset[str] = frozenset()
    buffers: tuple[tuple[str, int], ...] = ()
    floats: bool = False
    fewest: int = 1


@dataclass(frozen=True, slots=True)
class Sequence:
    """A kernel with reductions: stages over one row of n elements, in order. Other fields as in `Lowered`.

    An output of the reduced shape has one element per row; `Numbers` store it. `vector` may return false, so that the
    portable code computes the row, before it wrote a full result. Rows are independent of each other. `counted`: statements of
    `prepare` that ask for the number of elements of a row. `settled`: its decisions are right. `panels`: the elements of a row
    are brought together first (opkg/panels.h).
    """

    strategy: str
    title: str
    error: str
    step: int
    members: tuple[Member, ...]
    prepare: tuple[str, ...]
    stages: tuple[Loop | Numbers, ...]
    reduced: frozenset[str] = frozenset()  # outputs with one element per row
    read: frozenset[str] = frozenset()  # inputs with one that `Numbers` read
    buffers: tuple[Buffer, ...] = ()
    headers: tuple[str, ...] = ()
    arch: int = 62
    float_unit: bool = False
    folds: Folds | None = None  # several rows at a time, where these loops are not needed
    slots: Slots | None = None  # the same, for full results
    counted: tuple[str, ...] = ()
    settled: bool = False
    panels: bool = False

    @property
    def loops(self) -> tuple[Loop, ...]:
        return tuple([stage for stage in self.stages if isinstance(stage, Loop)])

    @property
    def unroll(self) -> int:
        return max([loop.unroll for loop in self.loops], default=1)


@dataclass(frozen=True, slots=True)
class Made:
    """Numbers of 32 columns of floats, made of sums, means and extremes. `lines`: C++ that makes `count` vectors; `inverses`:
    bits of those that divide; `leaves`: what they are made of, as `FloatNumbers.results`; `members`, `prepare`: of the struct."""

    lines: tuple[str, ...]
    count: int
    inverses: int
    leaves: tuple[tuple[int, bool, bool, bool], ...]
    members: tuple[Member, ...]
    prepare: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class About:
    """A function of 32 elements of a column, `elements`, and of its number `place`, `number`. Others: as of a
    ValueFunction."""

    place: int
    elements: str
    number: str
    lines: tuple[str, ...]
    large: bool


@dataclass(frozen=True, slots=True)
class ValueFunction:
    """A function of 32 elements of a column of floats, `elements`. `lines`: its C++; `large`: it is called, not made part of
    loops."""

    name: str
    elements: str
    lines: tuple[str, ...]
    large: bool


@dataclass(frozen=True, slots=True)
class FloatNumbers:
    """What is found of columns of floats (opkg/hvx_columns_float.h): `count` numbers, two for a sum. `parts`: C++ types of the
    first pass, `functions` those that they are of; `again`: squares about the mean, or sums of `about`, in a second one.
    `direct`: results are numbers themselves. `results`, or what others are made of: which number, whether it is a sum, divided
    by the number of elements, rounded again, to halves. `made`: what makes other results of 32 columns; without, they are made
    one by one."""

    element: str
    parts: tuple[str, ...]
    again: bool
    direct: bool
    results: tuple[tuple[int, bool, bool, bool], ...]
    count: int
    made: Made | None = None
    functions: tuple[ValueFunction, ...] = ()
    about: About | None = None


@dataclass(frozen=True, slots=True)
class Places(Sequence):
    """A kernel that finds the places of extremes along a dimension, whichever it is (opkg/places.h). `order`: the C++ type that
    makes numbers of elements. Its one loop is what a vector of elements takes."""

    order: str = ""


@dataclass(frozen=True, slots=True)
class Scans(Sequence):
    """A kernel that finds running sums along a dimension, whichever it is (opkg/scans.h). `scan`: the C++ type that finds them.
    Its one loop is what a vector of elements takes."""

    scan: str = ""


@dataclass(frozen=True, slots=True)
class Columns(Sequence):
    """A kernel whose results lie one after another, in lanes: opkg/columns.h goes down the columns of its one input.

    Its one loop is what two rows of a vector of columns take. `parts`: what is found of each column. `column`: C++ that
    stores the results of one column. `line`: C++ that returns the value of the only output, where it is a line of the only
    number: fixed point then. `wide`: that number, where elements or results have 32 bits; `spread`: the same of a variance.
    `vectors`: C++ that makes words of all outputs of words of the numbers. `found`: the C++ type that finds all parts
    together, where it is not one for each. `results`: how they come of the numbers (opkg/hvx_finish.h); `bias`: of a
    stored number."""

    parts: tuple[Part, ...] = ()
    found: str = ""
    column: tuple[str, ...] = ()
    line: tuple[str, ...] = ()
    vectors: tuple[str, ...] = ()
    wide: str = ""
    spread: SpreadLine | None = None
    floats: FloatNumbers | None = None
    norm: Norm | None = None
    results: str = "single"
    bias: int = 0
