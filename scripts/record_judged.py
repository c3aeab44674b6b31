"""Takes results of `opkg executorch judge --format json` into the record of the example, and tells it in docs/judged.md.

    opkg -C examples/qnn executorch judge --format json > results
    python scripts/record_judged.py results --commit $(git rev-parse --short HEAD)

The record is examples/qnn/judged.tsv. Rows of other tests stay, each with the commit whose builders it ran with; `stock` is what
upstream_tests.tsv says now. Without results the page alone is written.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from opkg.verify.machines.executorch import upstream_tests

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "examples" / "qnn" / "judged.tsv"
PAGE = ROOT / "docs" / "judged.md"
MARKS = "<!-- results -->\n", "<!-- end of results -->\n"
TESTS = 374  # operator tests of the wheel
COMMAND = "opkg -C examples/qnn executorch judge"


class Row(NamedTuple):
    """A line of the record; `commit`: whose builders the test ran with, `earlier` where nobody wrote it down."""

    test: str
    stock: str
    ours: str
    nodes: str
    left: str
    commit: str

    @property
    def worse(self) -> bool:
        return upstream_tests.is_worse(self.stock, self.ours)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="*", type=Path)
    parser.add_argument("--commit", default="")
    options = parser.parse_args()
    known = upstream_tests.stock()
    rows = {row.test: row for row in recorded()}
    for path in options.results:
        for line in path.read_text("utf-8").splitlines():
            found = json.loads(line)
            if "test" in found:
                rows[found["test"]] = taken(found, options.commit)
    updated = [rows[test]._replace(stock=known[test].outcome if test in known else "unknown") for test in sorted(rows)]
    RECORD.write_text("\n".join("\t".join(row) for row in (Row._fields, *updated)) + "\n", encoding="utf-8")
    before, _, rest = PAGE.read_text("utf-8").partition(MARKS[0])
    PAGE.write_text(before + MARKS[0] + told(updated) + MARKS[1] + rest.partition(MARKS[1])[2], encoding="utf-8")
    print(f"{len(updated)} tests:", counted(row.ours for row in updated))


def recorded() -> list[Row]:
    """The lines of the record."""
    return [Row(*line.split("\t")) for line in RECORD.read_text("utf-8").splitlines()[1:]]


def taken(found: dict[str, Any], commit: str) -> Row:
    """A result of judging as a line."""
    return Row(found["test"], found["stock"], found["ours"], pairs(found["nodes"]), pairs(found["left"]), commit)


def pairs(counts: dict[str, int]) -> str:
    return " ".join(f"{name}={count}" for name, count in sorted(counts.items()))


def counted(words: Iterable[str]) -> str:
    return ", ".join(f"{count} {word}" for word, count in Counter(words).most_common())


def told(rows: list[Row]) -> str:
    """What the page says of the record."""
    floats = sum("Floating" in row.test for row in rows)
    passed = sum(row.ours == "passed" for row in rows)
    worse = [row for row in rows if row.worse]
    runs = "in parts" if len({row.commit for row in rows}) > 1 else "with builders of one commit"
    lines = [
        f"Measured with executorch 1.5.1 and QNN 2.49.40 on x86: **{len(rows)} of the {TESTS} tests have run** ({floats} float, "
        f"{len(rows) - floats} quantized), {runs}. In **{passed}**",
        "our builders made all nodes of their ops and the test passes. "
        + (
            f"{len(worse)} worse than with the wheel's own builders."
            if worse
            else "None is worse than with the wheel's own."
        ),
        "",
        "| ours | stock | tests | |",
        "| --- | --- | --- | --- |",
    ]
    for (ours, stock), count in sorted(Counter((row.ours, row.stock) for row in rows).items()):
        named = [short(row) for row in rows if (row.ours, row.stock) == (ours, stock) and ours != "passed"]
        lines.append(f"| {ours} | {stock} | {count} | {', '.join(named)} |")
    lines += [
        "",
        f"Tests by the commit whose builders they ran with, `earlier` where it was not noted: {by_commit(rows)}. `{COMMAND}`",
        "runs what has not run with the builders as they are, and exits with 1 as long as one is worse. Test by test:",
        "[examples/qnn/judged.tsv](../examples/qnn/judged.tsv).",
    ]
    return "\n".join(lines) + "\n"


def by_commit(rows: list[Row]) -> str:
    """`153 c623df78, 16 earlier`"""
    return counted(row.commit for row in rows)


def short(row: Row) -> str:
    """`float asin`"""
    group, _, name = row.test.partition(".")
    kind = "quantized" if "Quantized" in group else "float"
    return f"{kind} {name.removeprefix('test_qnn_backend_').removeprefix('test_')}"


if __name__ == "__main__":
    main()
