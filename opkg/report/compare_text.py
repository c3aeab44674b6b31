"""A comparison of a model on a terminal: a table of counts and differences, and names of everything that is different."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.report import compare_rows as rows
from opkg.report.paint import Paint, plain
from opkg.report.verify_words import clean, plural
from opkg.verify.machines.executorch.compare import Comparison

GAP = "   "
WIDEST = 48  # column of names; longer ones push the rest of their line


def render(found: Comparison, paint: Paint = plain) -> str:
    """All of it. Empty when no run got as far as a program."""
    sections = rows.sections(found)
    if not sections:
        return ""
    parts = [f"{found.model} with {', '.join(rows.facts(found))}", table(found, sections, paint)]
    parts += [_replaced(found, paint), _listed(found, paint)]
    return "\n\n".join(part for part in parts if part) + "\n"


def table(found: Comparison, sections: Sequence[rows.Section], paint: Paint = plain) -> str:
    """Two columns a mode: stock, and with the packages."""
    labels = max(len(row.label) + 2 * bool(section.title) for section in sections for row in section.rows)
    width = max(5, *(len(cell) for section in sections for row in section.rows for pair in row.cells for cell in pair))
    both = 2 * width + 2
    lines = [
        " " * labels + "".join(GAP + paint(f"{pair.mode:>{both}}", "head") for pair in found.pairs),
        " " * labels + "".join(f"{GAP}{'stock':>{width}}  {'ours':>{width}}" for _ in found.pairs),
    ]
    for section in sections:
        if section.title:
            lines.append(paint(section.title, "head"))
        for row in section.rows:
            label = f"{'  ' if section.title else ''}{row.label}"
            cells = "".join(f"{GAP}{stock:>{width}}  {ours:>{width}}" for stock, ours in row.cells)
            lines.append(f"{label:{labels}}{cells}")
    return "\n".join(lines)


def _replaced(found: Comparison, paint: Paint) -> str:
    listed = rows.replaced(found)
    if not listed:
        return ""
    every = tuple(pair.mode for pair in found.pairs)
    lines = [("ours", "where", "in place of", "")]
    lines += [(e.ours, e.where, e.stock, "" if e.modes == every else ", ".join(e.modes)) for e in listed]
    widths = [min(WIDEST, max(len(line[i]) for line in lines)) for i in range(3)]
    texts = [GAP.join([*(f"{cell:{width}}" for cell, width in zip(line, widths, strict=False)), line[3]]).rstrip()
             for line in lines]  # fmt: skip
    return "\n".join([paint(texts[0], "head"), *texts[1:]])


def _listed(found: Comparison, paint: Paint) -> str:
    """Kernels that were called, operators of QNN that are other ones, what is on the CPU, and what builders refused."""
    lines = []
    for pair in found.pairs:
        mine: list[str] = []
        if pair.ours is not None:
            cut = {name: f" in {count} slices" for name, count in found.cut(pair.ours).items()}
            calls = [f"{name} {plural(n, 'call')}{cut.get(name, '')}" for name, n in found.calls(pair.ours).items()]
            mine += [f"kernels: {', '.join(calls)}"] if calls else []
        mine += [f"operators of QNN: {', '.join(rows.changes(pair))}"] if rows.changes(pair) else []
        mine += [f"stock has the torch calls of compute: for {names}" for names in [rows.decomposed(pair)] if names]
        mine += [f"on the CPU, {side}: {names}" for side, names in rows.on_cpu(pair)]
        if pair.ours is not None:
            mine += [f"not taken: {clean(text)}" for text in pair.ours.warnings]
            mine += [f"nearly: {clean(text)}" for text in pair.ours.nearly]
        lines += [paint(pair.mode, "head"), *(f"  {line}" for line in mine)] if mine else []
    return "\n".join(lines)
