"""The kernel file of an op: the rows structs of its kernels, and the functions that the op's header declares."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from opkg.kernels.choose import choose
from opkg.kernels.cost import cycles_per_element
from opkg.kernels.emit.between import HEADER as BETWEEN
from opkg.kernels.emit.between import MovingCode, moving_code
from opkg.kernels.emit.common import CommonRow, told_once, with_common_rows
from opkg.kernels.emit.filled import FILL, HEADER, served
from opkg.kernels.emit.merged import merged
from opkg.kernels.emit.parts import Source, asked, reduces
from opkg.kernels.emit.passes import kernel_parts
from opkg.kernels.emit.rows import aligned
from opkg.kernels.emit.rows_code import RowsCode
from opkg.kernels.emit.scopes import flat
from opkg.kernels.emit.signed import joined, signed_snippets
from opkg.kernels.emit.struct import NO_NUMBERS, rows_code
from opkg.kernels.lowered import Lowered
from opkg.kernels.portable.moves import Moves
from opkg.kernels.sequence import Sequence as Loops
from opkg.kernels.snippet import Snippet
from opkg.resources import render
from opkg.spec.compute.parts import pixels
from opkg.spec.kept import KEPT, moves_blocks
from opkg.spec.model import Layout, Op
from opkg.spec.names import snake

_SCALAR, _EXACT, _ROWS, _REDUCE = "opkg/scalar.h", "opkg/exact.h", "opkg/rows.h", "opkg/reduce.h"
_MOVE = "opkg/move.h"
Tuned = Callable[[str, Lowered], int | None]  # name of a rows struct, its loop -> steps of one turn


@dataclass(frozen=True, slots=True)
class KernelFile:
    """A kernel file. `headers`: the headers of opkg that it includes, beyond the op's own."""

    text: str
    headers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FunctionCode:
    """One kernel function. `cases`: (condition, rows) in order; the last condition is empty. Rows run one after another.

    `structs`: what is written of the rows; `shared`: another function has the rows, too, with arguments of another type;
    `defines`: the rows stand with this one;
    `blocks`: its tensors are in blocks, or may be.
    """

    name: str
    args: str
    cases: tuple[tuple[str, tuple[RowsCode | MovingCode, ...]], ...]
    structs: tuple[RowsCode, ...] = ()
    kept: bool = False
    blocks: bool = False
    shared: bool = False
    defines: bool = True
    lines: tuple[str, ...] = ()  # statements of a function that moves elements, and has no rows
    fills: tuple[tuple[str, str], ...] = ()  # of the last case: absent inputs, and functions of opkg/filled.h for them

    @property
    def in_passes(self) -> bool:
        """Whether its rows are passes, with numbers between them."""
        return any(rows.between is not None for _, several in self.cases for rows in several)

    @property
    def sees(self) -> bool:
        """Whether it has kernels of parts of tensors."""
        return any(rows.views is not None for _, several in self.cases for rows in several)

    @property
    def bytes(self) -> list[str]:
        """Types of the calls of each case, which need room together."""
        return [", ".join(rows.kept for rows in _structs_of(several)) for _, several in self.cases]


def kernel_file(
    op: Op,
    header: str,
    namespace: str,
    sources: Sequence[Source],
    signed_as_unsigned: bool,
    unroll: Mapping[str, int],
    tuned: Tuned = lambda struct, lowered: None,
    kept: Collection[str] = (),
) -> KernelFile:
    """The kernel file of an op. `header`: declares the functions. `unroll`: steps of one turn of the loop by struct;
    `tuned`: what is known of the others. `kept`: functions of which prepared graphs keep what they can (opkg/kept.h)."""
    making = _Making(op, sources, signed_as_unsigned, unroll, tuned, frozenset(kept))
    functions, headers = making.functions(), making.headers
    shared_rows, functions = _with_common(op, functions)
    text = render(
        "qnn/kernels.cpp.j2",
        rows=shared_rows,
        op=op,
        headers=sorted((header, *headers)),
        namespace=namespace,
        functions=[functions[source.kernel.function] for source in sources],
        kept=[functions[source.kernel.function] for source in sources if functions[source.kernel.function].kept],
        stem=snake(op.name),
        kept_namespace=KEPT,
        parted=next(
            (functions[s.kernel.function] for s in sources if s.kernel.function in kept and moves_blocks(op, s.kernel)),
            None,
        ),
    )
    return KernelFile(text, tuple(sorted(headers)))


def _structs_of(several: Sequence[RowsCode | MovingCode]) -> list[RowsCode]:
    """The rows among some passes."""
    return [rows for rows in several if isinstance(rows, RowsCode)]


@dataclass(slots=True)
class _Making:
    """Makes the functions of a file, as kernel_file() is asked for them, and gathers the headers that they need."""

    op: Op
    sources: Sequence[Source]
    signed_as_unsigned: bool
    unroll: Mapping[str, int]
    tuned: Tuned
    kept: frozenset[str]
    headers: dict[str, None] = field(default_factory=lambda: {_SCALAR: None})

    def functions(self) -> dict[str, FunctionCode]:
        """By name; those that borrow the rows of another one come after it."""
        made: dict[str, FunctionCode] = {}
        lenders = {source.kernel.function: _lender(source, self.sources) for source in self.sources}
        for source in sorted(self.sources, key=lambda s: lenders[s.kernel.function] is not None):
            name, lender = source.kernel.function, lenders[source.kernel.function]
            if lender is not None:
                kept = name in self.kept
                made[name] = replace(made[lender], name=name, args=source.args, kept=kept, defines=False)
                continue
            moved = next(kernel_parts(self.op, source, self.signed_as_unsigned))
            if any(snippet.graph.moves and snippet.passing is None for snippet in moved):
                made[name] = FunctionCode(name, source.args, (), lines=_moves(moved))
                self._include(_MOVE)
                continue
            made[name] = self._function(source, [user for user, lender in lenders.items() if lender == name])
        return made

    def _function(self, source: Source, borrowers: Collection[str]) -> FunctionCode:
        name = source.kernel.function
        kept = name in self.kept
        blocks = source.kernel.layout is not Layout.FLAT or (source.kernel.also_blocks and kept)
        all_kept = self.kept.issuperset((name, *borrowers))
        groups, numbers = served(list(kernel_parts(self.op, source, self.signed_as_unsigned)))
        cases = []
        for snippets in groups:
            filled = numbers if snippets is groups[-1] else NO_NUMBERS
            given = "given" if any(each.views or each.passing is not None for each in snippets) else "op"
            rows = self._rows(snippets, filled, all_kept, blocks)
            cases.append((_condition(self.op, snippets[0], given), rows))
        signed = [
            (told, tuple(_structs_of(self._rows(snippets, NO_NUMBERS, all_kept, blocks))))
            for told, snippets in signed_snippets(self.op, source)
        ]
        last = cases[-1][1]
        cases = [*joined(signed, tuple(_structs_of(last)))] if signed else [*cases[:-1], ("", last)]
        made = [rows for _, several in cases for rows in _structs_of(several)]
        written = made if signed else _structs(groups, made)
        structs = tuple([replace(code, vector=tuple(aligned(flat(code.vector)))) for code in written])
        if numbers:
            self._include(HEADER)
        between = [code.between for code in made if code.between is not None]
        if between:
            self._include(
                BETWEEN, *([_MOVE] if any("opkg::view(" in line for b in between for line in b.lines) else [])
            )
        if kept:
            self._include(*(header for rows in made for header in rows.kept_headers))
        fills = tuple((missing, FILL[number]) for missing, number in numbers.items())
        lends = bool(borrowers)
        return FunctionCode(name, source.args, tuple(cases), structs, kept, blocks, lends, fills=fills)

    def _rows(
        self, snippets: Sequence[Snippet], filled: Mapping[str, float], all_kept: bool, blocks: bool
    ) -> tuple[RowsCode | MovingCode, ...]:
        """The rows of one case of a function."""
        rows: list[RowsCode | MovingCode] = []
        for snippet in snippets:
            if snippet.graph.moves:
                rows.append(moving_code(snippet))
                self._include(_MOVE)
                continue
            lowered = self._lowered(snippet)
            moved = blocks and self.op.compute is not None and pixels(self.op.compute)
            code = replace(rows_code(self.op, snippet, lowered, filled, all_kept), in_blocks=blocks, pixels=moved)
            rows.append(code)
            seen = "opkg/seen_around.h" if snippet.fills else "opkg/rows_seen.h" if snippet.views else _ROWS
            rest = _REDUCE if reduces(snippet) else seen
            self._include(code.header or rest, *([_EXACT] if code.decides else []))
            if lowered is not None:
                walk = ("opkg/hvx_walk.h",) if isinstance(lowered, Lowered) else ()
                self._include("opkg/hvx.h", *walk, *lowered.headers)
        return tuple(rows)

    def _lowered(self, snippet: Snippet) -> Lowered | Loops | None:
        """The vector code of a snippet, with the turns of its loop that were found best."""
        chosen = choose(snippet)
        lowered = chosen.lowered if chosen is not None else None
        if isinstance(lowered, Lowered):
            turns = self.unroll.get(snippet.struct) or self.tuned(snippet.struct, lowered)
            return replace(lowered, unroll=turns) if turns else lowered
        return lowered

    def _include(self, *headers: str) -> None:
        self.headers |= dict.fromkeys(headers)


def _with_common(op: Op, functions: dict[str, FunctionCode]) -> tuple[list[CommonRow], dict[str, FunctionCode]]:
    """The functions with what their structs have in common written once, and the rows that these call."""
    structs = [code for function in functions.values() if function.defines for code in function.structs]
    rows, calling = with_common_rows(structs, f"{snake(op.name)}_row")
    changed = told_once(calling.get(code.name, code) for code in structs)
    return rows, {
        name: replace(function, structs=tuple([changed.get(code.name, code) for code in function.structs]))
        for name, function in functions.items()
    }


def _structs(groups: Sequence[tuple[Snippet, ...]], made: Sequence[RowsCode]) -> tuple[RowsCode, ...]:
    """The structs that are written: one for calls with and without optional inputs, where these have most in common."""
    if len(groups) == len(made) == 2 and groups[0][0].passing is None:
        few, many = sorted((0, 1), key=lambda i: len(groups[i][0].present))
        absent = [o.name for o in groups[many][0].inputs if o.name in groups[few][0].missing]
        one = merged(made[few], made[many], absent)
        return tuple(made) if one is None else (one,)
    return tuple(made)


def _moves(snippets: Sequence[Snippet]) -> tuple[str, ...]:
    """The statements of a function that moves elements, whatever shapes its outputs have."""
    *front, last = (Moves(snippet).lines() for snippet in snippets)
    return (*(line for lines in front for line in ["{", *(f"  {line}" for line in lines[:-1]), "}"]), *last)


def _lender(source: Source, sources: Sequence[Source]) -> str | None:
    """The function of the flat kernel whose rows a kernel in blocks has, too: elements are computed alike wherever they
    lie."""
    kernel = source.kernel
    if kernel.layout is Layout.FLAT:
        return None
    wanted = (kernel.combination, Layout.FLAT, kernel.multithreaded, kernel.source_destructive)
    others = (s.kernel for s in sources)
    alike = (k for k in others if (k.combination, k.layout, k.multithreaded, k.source_destructive) == wanted)
    return next((k.function for k in alike), None)


def cycles(op: Op, source: Source, signed_as_unsigned: bool) -> float | None:
    """Estimated cycles per element of the largest tensor, all optional inputs given; None for portable code."""
    chosen = [choose(snippet) for snippet in next(kernel_parts(op, source, signed_as_unsigned))]
    found = [c.lowered for c in chosen if c is not None and c.lowered is not None]
    return sum(cycles_per_element(lowered) for lowered in found) if len(found) == len(chosen) else None


def _condition(op: Op, snippet: Snippet, given: str) -> str:
    """When the optional inputs that are given are those of the snippet. `given`: C++ of the arguments."""
    return " && ".join(f"{'' if name in snippet.present else '!'}{given}.{name}" for name in asked(op))
