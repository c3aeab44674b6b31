"""A verification as one self-contained HTML page: tables, error histograms (SVG), worst elements, logs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import opkg
from opkg.report.verify_svg import Chart, chart
from opkg.report.verify_words import plural
from opkg.resources import data_folder
from opkg.verify.judge.outcome import CaseOutcome, Cell, Column, VerifyResult, amount

MOST_CASES = 40  # failing cases in full, per op and column
MOST_ELEMENTS = 8


@dataclass(frozen=True, slots=True)
class ElementRow:
    """One of the worst elements of a cell."""

    case: str
    place: str
    expected: str
    got: str
    off: str
    failed: bool


@dataclass(frozen=True, slots=True)
class FailureView:
    case: str
    command: str
    reason: str
    outcome: CaseOutcome


@dataclass(frozen=True, slots=True)
class CellView:
    """One op, combination and column."""

    cell: Cell
    chart: Chart | None
    elements: tuple[ElementRow, ...]
    failures: tuple[FailureView, ...]
    more: int
    text: str
    microseconds: str


@dataclass(frozen=True, slots=True)
class RowView:
    """One line of the summary table."""

    combination: str
    types: str
    cells: tuple[CellView | None, ...]


@dataclass(frozen=True, slots=True)
class OpView:
    package: str
    name: str
    anchor: str
    ok: bool
    rows: tuple[RowView, ...]

    @property
    def words(self) -> str:
        """What the page's filter looks in: package, op and element types, in small letters."""
        return " ".join((self.package, self.name, *(f"{row.combination} {row.types}" for row in self.rows))).lower()


def _elements(cell: Cell) -> tuple[ElementRow, ...]:
    found = []
    for outcome in cell.outcomes:
        for stats in outcome.outputs:
            for element in stats.worst_elements:
                found.append((not stats.ok, element.error, outcome.case, stats, element))
    found.sort(key=lambda item: (not item[0], -item[1]))
    rows = []
    for failed, error, case, stats, e in found[:MOST_ELEMENTS]:
        place = f"{stats.name}[{', '.join(str(i) for i in e.index)}]"
        expected, got = f"{e.expected:.7g}", f"{e.got:.7g}"
        if stats.unit == "lsb":
            expected, got = f"{expected} ({e.expected_stored})", f"{got} ({e.got_stored})"
        rows.append(ElementRow(case, place, expected, got, amount(error, stats.unit), failed))
    return tuple(rows)


def _cell(result: VerifyResult, cell: Cell | None) -> CellView | None:
    if cell is None:
        return None
    failures = [FailureView(o.case, result.command(cell, o), o.reason(), o) for o in cell.failures[:MOST_CASES]]
    worst = cell.worst
    drawn = chart(cell.histogram(), worst.unit if worst else "", cell.least_failed) if cell.outputs else None
    times = sorted(o.microseconds for o in cell.outcomes if o.ok)
    middle = f"{times[len(times) // 2]} \N{MICRO SIGN}s" if times else ""
    return CellView(
        cell, drawn, _elements(cell), tuple(failures), len(cell.failures) - len(failures), cell.text(), middle
    )


def _ops(result: VerifyResult, columns: tuple[Column, ...]) -> list[OpView]:
    rows: dict[tuple[str, str], dict[tuple[str, str], dict[Column, Cell]]] = {}
    for cell in result.cells:
        op = rows.setdefault((cell.package, cell.op), {})
        op.setdefault((cell.combination, cell.types), {})[cell.column] = cell
    views = []
    for number, ((package, name), combinations) in enumerate(rows.items()):
        lines = [
            RowView(short, types, tuple(_cell(result, cells.get(c)) for c in columns))
            for (short, types), cells in combinations.items()
        ]
        lines.sort(key=_passed)  # what failed comes first
        views.append(OpView(package, name, f"op{number}", all(map(_passed, lines)), tuple(lines)))
    return sorted(views, key=lambda view: view.ok)


def _passed(row: RowView) -> bool:
    return all(view is None or view.cell.ok for view in row.cells)


@cache
def _environment() -> Any:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(data_folder("templates")),
        undefined=jinja2.StrictUndefined,
        autoescape=True,  # everything that comes from a spec, a compiler or a log is text, never markup
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render(result: VerifyResult, title: str = "opkg verify") -> str:
    """The page."""
    columns = tuple(c for c in result.columns if c.ran)
    kernels = {(cell.package, cell.op, cell.combination) for cell in result.cells if not cell.rule}
    facts = (
        plural(len(result.ops), "op"), plural(len(kernels), "kernel"),
        *([plural(len(result.rules), "rule")] if result.rules else []), plural(result.cases, "case"),
        plural(len(result.failures), "failure"), f"{result.seconds:.1f} s", f"seed {result.seed}",
    )  # fmt: skip
    text: str = _environment().get_template("report/verify.html.j2").render(
        title=title, result=result, columns=columns, ops=_ops(result, columns), facts=facts,
        skipped=[c for c in result.columns if not c.ran], version=opkg.__version__,
    )  # fmt: skip
    return text
