"""Numbers in front of a last loop as a member function: words of several rows in vectors, and of one row in registers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from opkg.kernels.sequence import Loop, Numbers, Slots
from opkg.kernels.sequence import Sequence as Loops
from opkg.kernels.strategies.rows.numbers import COUNT_INVERSE

_OF = "opkg::hvx::"
_WORDS = (  # what stands for vectors: what stands for either (opkg/hvx_row_words.h)
    ("HVX_VectorPred", f"{_OF}Truth<Word>"),
    ("HVX_Vector", "Word"),
    ("Q6_V_vzero()", f"{_OF}in_all<Word>(0)"),
    ("Q6_V_vsplat_R(", f"{_OF}in_all<Word>("),
    ("Q6_Q_vcmp_gt_VwVw(", f"{_OF}word::more("),
    ("Q6_Q_vcmp_eq_VwVw(", f"{_OF}word::same("),
    ("Q6_Q_and_QQ(", f"{_OF}word::both("),
    ("Q6_Q_or_QQ(", f"{_OF}word::held_or("),
    ("Q6_V_vand_QR(", f"{_OF}word::where("),
    (f"{_OF}Products<", f"{_OF}ProductsOf<Word, "),
    (f"{_OF}Lines<", f"{_OF}LinesOf<Word, "),
    (f"{_OF}Singles ", f"{_OF}SinglesOf<Word> "),
)
_ANY = frozenset((  # of opkg::hvx: what takes either
    "Truth", "Holds", "in_all", "word", "ProductsOf", "LinesOf", "SinglesOf", "entries", "entries_sum", "variance", "less_zeros",
    "squares_less_zeros", "reaches_of", "most_from", "for_all",
))  # fmt: skip
_HELD = re.compile(rf"{_OF}Truth<Word> (near|enough) = ({_OF}word::held_or\(\w+, )?{_OF}word::more\(")
_CALLED = re.compile(rf"\b{_OF}(\w+)")
_MANY, _MOST_GIVEN = 8, 3  # lines of numbers; values that put_all of opkg/hvx_units.h takes
_DECLARED = re.compile(r"(?:const )?([\w:]+(?:<\d+(?:, \d+)*>)?) (\w+)(?:\(| = )")
_HOLDS = re.compile(r"if \(!(opkg::hvx::for_all\(slots, .*\))\) return false;$")
_PARTS = (
    ("_fraction_words", "static_cast<int32_t>({}_total & 0xffff)"),
    ("_words", "static_cast<int32_t>({}_total >> 16)"),
)


def of_any(lines: Sequence[str]) -> list[str] | None:
    """The statements of numbers in vectors (`HVX_Vector`, `Numbers`) for any type `Word`; None where something in them is made
    for vectors alone."""
    text = "\n".join(lines)
    for vectors, word in _WORDS:
        text = text.replace(vectors, word)
    text = re.sub(rf"\b{_OF}reaches_of\((?=[^,()]*(?:\([^()]*\)[^,()]*)*\))", f"{_OF}reaches_of<Word>(", text)
    text = _HELD.sub(rf"{_OF}Holds<Word> \1 = \2{_OF}word::held_more(", text)
    alone = "Q6_" in text or not set(_CALLED.findall(text)) <= _ANY
    return None if alone else text.split("\n")


class RowNumbers:
    """The numbers in front of the last loop: what they take of the stages before, and what they give to the loop. `any_found`:
    calls with other inputs, which give something else, may share the functions."""

    def __init__(self, sequence: Loops, slots: Slots, any_found: bool) -> None:
        *before, numbers, loop = slots.stages
        assert isinstance(numbers, Numbers)
        assert isinstance(loop, Loop)
        self._lines = [line for line in numbers.lines if not line.startswith("using ")]
        found = {name: None for stage in before for name in _found(stage)}
        used = _words(self._lines)
        self._takes = [name for name in found if name in used]
        self._count = "size_t n" if "n" in used else "size_t"
        self._gives = [(kind, name) for kind, name in _declared(self._lines) if name in _asked(loop)]
        any_word = of_any(self._lines) if self._takes and len(self._gives) <= _MOST_GIVEN else None
        self._alone = _alone(sequence, [name for _, name in self._gives]) if any_word is not None else None
        self.in_loops = self._alone is not None  # whether the loops of one row make theirs in registers
        self._any_found = any_found or self.in_loops
        if any_word is not None and self.in_loops:
            self._lines = any_word

    def lines(self) -> list[str]:
        """The function, and that of one row in double."""
        word = "Word" if self.in_loops else "HVX_Vector"
        slots = f"{_OF}SlotsOf<Word>" if self.in_loops else f"{_OF}Slots"
        taken = [f"const {slots}& slots", self._count, *(f"{word} {name}" for name in self._takes)]
        given = [f"{_OF}Room<{kind}>& {name}_found" for kind, name in self._gives]
        puts = [f"{name}_found.put({name});" for _, name in self._gives]
        if self._any_found:
            given, puts = ["Found&... found"], [self._put_all()]
        types = [*(["typename Word"] if self.in_loops else []), *(["typename... Found"] if self._any_found else [])]
        of_one = ", in vectors or, of one row, in registers" if self.in_loops else ""
        attribute = "" if self.in_loops else "__attribute__((noinline)) "
        return [
            f"/// The numbers that the last loop asks for{of_one}. False: {'other numbers do' if of_one else 'row by row'}.",
            *([f"template <{', '.join(types)}>"] if types else []),
            f"{attribute}bool between({', '.join([*taken, *given])}) const {{",
            f"  using Numbers = {_OF}NumbersOf<Word>;" if self.in_loops else f"  using {_OF}Numbers;",
            *(f"  {line}" for line in self._told(puts)),
            "}",
            "",
            *self._in_double(),
        ]

    def call(self) -> list[str]:
        """Its call. The loop sees copies, which nothing that it writes can change."""
        given = ", ".join(["slots", "n", *self._takes, *(f"{name}_found" for _, name in self._gives)])
        return [
            *(f"{_OF}Room<{kind}> {name}_found;" for kind, name in self._gives),
            f"if (!between({given})) return false;",
            *(f"const {kind} {name} = {name}_found.get();" for kind, name in self._gives),
        ]

    def of_one_row(self) -> list[str]:
        """What the loops of one row do in the place of its numbers."""
        assert self._alone is not None
        given = [name for _, name in self._gives]
        words = ", ".join([COUNT_INVERSE, "n", *map(_word, self._takes), *given])
        doubles = ", ".join(["n", *(name for _, name in self._alone[1]), *given])
        return [
            *(f"{_kind_of_one(kind)} {name};" for kind, name in self._gives),
            f"if (!(n == {COUNT_INVERSE}.in_words && between({words})) && !in_double({doubles})) return false;",
        ]

    def _told(self, puts: list[str]) -> list[str]:
        """All statements. Of one row what is found is put before it is known whether it holds: the compiler moves nothing
        behind that decision then, which hangs on as many packets as the rest."""
        holds = [match for line in self._lines if (match := _HOLDS.match(line))] if self.in_loops else []
        if not holds:
            return [*self._lines, *puts, "return true;"]
        return [*(line for line in self._lines if line != holds[0][0]), *puts, f"return {holds[0][1]};"]

    def _put_all(self) -> str:
        return f"{_OF}put_all({', '.join(name for _, name in self._gives)}, found...);"

    def _in_double(self) -> list[str]:
        if self._alone is None:
            return []
        numbers, takes = self._alone
        taken = ["size_t n", *(f"{kind} {name}" for kind, name in takes), "Found&... found"]
        return [
            "/// The same of one row in double. False: the portable code has to.",
            "template <typename... Found>",
            f"OPKG_RARE bool in_double({', '.join(taken)}) const {{",
            *(f"  {line}" for line in [*numbers.lines, self._put_all()]),
            "  return true;",
            "}",
            "",
        ]


def numbers_of(sequence: Loops, any_found: bool) -> RowNumbers | None:
    """Those of a sequence; None where they are not a function of their own: there are few, or a header has them."""
    slots = sequence.slots
    if (
        slots is None
        or not slots.stages
        or slots.floats
        or sequence.reduced
        or not isinstance(slots.stages[-2], Numbers)
    ):
        return None
    return RowNumbers(sequence, slots, any_found) if len(slots.stages[-2].lines) >= _MANY else None


def counting(vector: Iterable[str], members: Iterable[str]) -> list[str]:
    """The member that knows how many elements a row has, where vector code asks for it and it is not among `members`."""
    asked = any(COUNT_INVERSE in line for line in vector) and not any(f" {COUNT_INVERSE};" in line for line in members)
    return [f"{_OF}CountInverse {COUNT_INVERSE};  // elements of a row"] if asked else []


def found_in(numbers: Numbers) -> list[str]:
    """The vectors that numbers declare for stages behind them."""
    return [found[1] for line in numbers.lines if (found := re.match(r"HVX_Vector (\w+) = ", line))]


def _alone(sequence: Loops, given: list[str]) -> tuple[Numbers, list[tuple[str, str]]] | None:
    """The numbers of one row in double, and what they take of the stages before: types and names. None where later loops ask
    them for more than `given`."""
    at = max(index for index, stage in enumerate(sequence.stages) if isinstance(stage, Numbers))
    numbers, loops = sequence.stages[at], sequence.stages[at + 1 :]
    assert isinstance(numbers, Numbers)
    before = [
        line for stage in sequence.stages[:at] for line in (stage.declare if isinstance(stage, Loop) else stage.lines)
    ]
    used, asked = _words(numbers.lines), {name for loop in loops if isinstance(loop, Loop) for name in _asked(loop)}
    if sequence.reduced or not loops or {name for _, name in _declared(numbers.lines)} & asked - set(given):
        return None
    return numbers, [(kind, name) for kind, name in _declared(before) if name in used]


def _declared(lines: Iterable[str]) -> list[tuple[str, str]]:
    """Types and names of what statements declare."""
    return [(match[1], match[2]) for line in lines if (match := _DECLARED.match(line))]


def _asked(loop: Loop) -> set[str]:
    return _words(
        [loop.when, *(words for _, words in loop.spread), *(arg for i in (*loop.setup, *loop.body) for arg in i.args)]
    )


def _word(name: str) -> str:
    """What loops of one row have found, as a word: sums of tables have 16 bits behind the point."""
    for end, text in _PARTS:
        if name.endswith(end):
            return text.format(name.removesuffix(end))
    return f"static_cast<int32_t>({name})"


def _kind_of_one(kind: str) -> str:
    """The type of numbers of one row."""
    return re.sub(r"(Lines|Products)<(\d+)>", r"\1Of<int32_t, \2>", kind.replace("Singles", "SinglesOf<int32_t>"))


def _found(stage: Loop | Numbers) -> list[str]:
    """Vectors that a stage declares for those behind it."""
    return [name for _, _, name in stage.joined] if isinstance(stage, Loop) else found_in(stage)


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in re.findall(r"(?<![.\w])[A-Za-z_]\w*", text)}
