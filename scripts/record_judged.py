"""Takes results of `opkg executorch judge --format json` into the record of the example: examples/qnn/judged.tsv.

    opkg -C examples/qnn executorch judge --format json > results
    python scripts/record_judged.py results --commit $(git rev-parse --short HEAD)

Rows of other tests stay, each with the commit whose builders it ran with. Prints how many tests came to which end.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

RECORD = Path(__file__).resolve().parents[1] / "examples" / "qnn" / "judged.tsv"
HEAD = "test\tstock\tours\tnodes\tleft\tcommit"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="*", type=Path)
    parser.add_argument("--commit", default="")
    options = parser.parse_args()
    rows = {line.split("\t")[0]: line for line in RECORD.read_text("utf-8").splitlines()[1:]}
    for path in options.results:
        for line in path.read_text("utf-8").splitlines():
            found = json.loads(line)
            if "test" in found:
                rows[found["test"]] = row(found, options.commit)
    RECORD.write_text("\n".join([HEAD, *(rows[test] for test in sorted(rows))]) + "\n", encoding="utf-8")
    cells = [line.split("\t") for line in rows.values()]
    print(f"{len(cells)} tests:", counted(ours for _, _, ours, *_ in cells))
    print("by commit:", counted(commit for *_, commit in cells))


def row(found: dict[str, Any], commit: str) -> str:
    """A line of the record."""
    cells = [found["test"], found["stock"], found["ours"], pairs(found["nodes"]), pairs(found["left"]), commit]
    return "\t".join(cells)


def pairs(counts: dict[str, int]) -> str:
    return " ".join(f"{name}={count}" for name, count in sorted(counts.items()))


def counted(words: Iterable[str]) -> str:
    return ", ".join(f"{count} {word}" for word, count in Counter(words).most_common())


if __name__ == "__main__":
    main()
