"""The verification table on a terminal, and the list of failures below it."""

from __future__ import annotations

from opkg.report.paint import Paint, plain
from opkg.report.verify_words import clean, plural
from opkg.verify.judge.outcome import CaseOutcome, Cell, Column, VerifyResult, amount

MOST_FAILURES = 10  # shown in full; the report files hold all
MOST_LOG_LINES = 4
GAP = "   "


def render(result: VerifyResult, paint: Paint = plain, report: str = "") -> str:
    """Table, failures and the summary line. `report`: path of the HTML page, to be named in the summary."""
    parts = [
        table(result, paint),
        skipped(result, paint),
        failures(result, paint),
        bounds(result),
        layouts(result),
        summary(result, paint, report),
    ]
    return "\n\n".join(part for part in parts if part)


def _mark(cell: Cell | None, width: int, paint: Paint) -> tuple[str, int]:
    """The text of one cell and its printed width."""
    if cell is None:
        return paint("-", "dim"), 1
    name = f"{cell.combination:{width}} "
    code = f" {cell.code}" if cell.code else ""
    if cell.ok:
        return name + paint(cell.text(), "good") + paint(code, "dim"), len(name) + len(cell.text()) + len(code)
    failed = f"{cell.text()} FAIL {len(cell.failures)}/{len(cell.outcomes)}"
    if any(o.status != "failed" for o in cell.failures):
        failed = f"FAIL {cell.text()}"
    return name + paint(failed, "bad") + paint(code, "dim"), len(name) + len(failed) + len(code)


def table(result: VerifyResult, paint: Paint = plain) -> str:
    """One line per op and combination of element types, one column per machine."""
    columns = [c for c in result.columns if c.ran]
    if not result.cells or not columns:
        return ""
    rows: dict[tuple[str, str, str], dict[Column, Cell]] = {}
    for cell in result.cells:
        rows.setdefault((cell.package, cell.op, cell.combination), {})[cell.column] = cell
    short = max(len(cell.combination) for cell in result.cells)
    marks = [[_mark(cells.get(c), short, paint) for c in columns] for cells in rows.values()]
    widths = [max([len(c.label), *(row[i][1] for row in marks)]) for i, c in enumerate(columns)]
    first = max([4, *(len(op) for _, op, _ in rows)])
    padded = [c.label.ljust(w) for c, w in zip(columns[:-1], widths, strict=False)] + [columns[-1].label]
    lines = [" " * first + GAP + GAP.join(paint(label, "head") for label in padded)]
    several = len({package for package, _, _ in rows}) > 1
    last = ("", "")
    for (package, op, _), row in zip(rows, marks, strict=True):
        if several and package != last[0]:
            lines.append(paint(package, "dim"))
        name = op if (package, op) != last else ""
        last = (package, op)
        texts = [text + " " * (w - n) for (text, n), w in zip(row[:-1], widths, strict=False)] + [row[-1][0]]
        lines.append(name.ljust(first) + GAP + GAP.join(texts))
    return "\n".join(lines)


def skipped(result: VerifyResult, paint: Paint = plain) -> str:
    """The machines that did not run, and why."""
    lines = []
    for column in result.columns:
        if not column.ran:
            how = f"  ({column.install})" if column.install else ""
            lines.append(paint(f"{column.label}: skipped, {column.reason}{how}", "warn"))
    return "\n".join(lines)


def failures(result: VerifyResult, paint: Paint = plain) -> str:
    """The failing cases: what happened, the worst element, log lines, and the command that repeats it. Of several cases that
    an op fails for one reason on one machine, the first."""
    alike: dict[tuple[str, str, str], list[tuple[Cell, CaseOutcome]]] = {}
    for cell, outcome in _spread(result):
        alike.setdefault((cell.op, cell.column.label, outcome.reason()), []).append((cell, outcome))
    shown = []
    for (cell, outcome), *others in list(alike.values())[:MOST_FAILURES]:
        text = failure(result, cell, outcome, paint)
        cases = f"{plural(len(others), 'case')} more {'fails' if len(others) == 1 else 'fail'} for the same reason"
        shown.append(f"{text}\n  {paint(cases, 'dim')}" if others else text)
    left = sum(len(cases) for cases in list(alike.values())[MOST_FAILURES:])
    if left:
        shown.append(paint(f"... and {plural(left, 'more failing case')}", "dim"))
    return "\n\n".join(shown)


def _spread(result: VerifyResult) -> list[tuple[Cell, CaseOutcome]]:
    """Failures in an order that shows one of each cell before a second of any."""
    ranked = [(i, cell, o) for cell in result.cells for i, o in enumerate(cell.failures)]
    return [(cell, outcome) for _, cell, outcome in sorted(ranked, key=lambda item: item[0])]


def failure(result: VerifyResult, cell: Cell, outcome: CaseOutcome, paint: Paint = plain) -> str:
    """One failing case."""
    lines = [paint("FAIL", "bad") + f" {cell.op} {outcome.case} on {cell.column.label}: {clean(outcome.reason())}"]
    lines.append(f"  {clean(outcome.description)}")
    for stats in outcome.outputs:
        if stats.ok or not stats.worst_elements:
            continue
        worst = stats.worst_elements[0]
        at = ", ".join(str(i) for i in worst.index)
        values = f"expected {worst.expected:.9g} ({worst.expected_stored}), got {worst.got:.9g} ({worst.got_stored})"
        lines.append(f"  {stats.name}[{at}]: {values}, off by {amount(worst.error, stats.unit)}")
    for line in outcome.log[:MOST_LOG_LINES]:
        lines.append(paint(f"  log: {line.level}: {clean(line.text)}", "dim"))
    if outcome.kernels:
        code = outcome.paths.text()
        lines.append(f"  kernel: {', '.join(outcome.kernels)}" + (f" ({code} code)" if code else ""))
    lines.append(f"  {result.command(cell, outcome)}")
    return "\n".join(lines)


def bounds(result: VerifyResult) -> str:
    """How float results of generated kernels compare with the bounds of their errors; empty where there are none."""
    judged = [(stats, cell) for cell in result.cells for stats in cell.outputs if stats.bounded]
    if not judged:
        return ""
    stats, cell = max(judged, key=lambda pair: pair[0].share)
    text = f"floats of generated kernels: worst error {stats.share:.2f} of its bound"
    text += f" ({cell.op} {cell.combination} on {cell.column.label})" if stats.share else ""
    unknown, elements = (sum(getattr(s, name) for s, _ in judged) for name in ("unknown", "elements"))
    return text + (f"; {unknown} of {elements} elements may be any number" if unknown else "")


def layouts(result: VerifyResult) -> str:
    """What the backend adds around ops between convolutions; empty where nobody counted it."""
    counted = [(cell, each) for cell in result.cells for each in cell.around]
    if not counted:
        return ""
    wide = max(len(cell.op) for cell, _ in counted), max(len(cell.combination) for cell, _ in counted)
    lines = [f"  {cell.op:{wide[0]}} {cell.combination:{wide[1]}} {clean(str(each))}" for cell, each in counted]
    return "\n".join(["between convolutions, in a model in NCHW, one op adds", *lines])


def summary(result: VerifyResult, paint: Paint = plain, report: str = "") -> str:
    """`4 ops, 14 kernels, 612 cases, 0 failures, 2.9 s   report: build/verify.html`"""
    kernels = {(cell.package, cell.op, cell.combination) for cell in result.cells if not cell.rule}
    failed = len(result.failures)
    errors = sum(d.is_error for d in result.diagnostics)
    parts = [plural(len(result.ops), "op"), plural(len(kernels), "kernel")]
    parts += [plural(len(result.rules), "rule")] if result.rules else []
    parts.append(plural(result.cases, "case"))
    parts.append(paint(plural(failed, "failure"), "bad" if failed else "good"))
    if errors:
        parts.append(paint(plural(errors, "error"), "bad"))
    text = ", ".join(parts) + f", {result.seconds:.1f} s"
    return text + (f"   report: {report}" if report else "")
