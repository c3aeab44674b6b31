"""What ops cost among convolutions: conversions of layout that HTP adds to Conv2d -> op -> Conv2d, for many shapes.

    python scripts/count_conversions.py specs/ops.yaml examples/math ... [--op NAME] [--channels 1,3,8,17,32,100,1000]
        [--places 1,7,28,56] [--batches 1,3] [--soc N] [--brief]

Prepares the graphs of `opkg graph` with the HTP backend, one for each op, combination of element types, and shape, and prints
a line of tab-separated words for each: package, op, types, shape, conversions, other records, kernels, problem. --brief prints
a line per op and types instead: graphs, those with no conversion, and the shapes of the others.

`--batches` other than the first one are taken at the second of `--places` only.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from opkg.project.read import read
from opkg.spec.diagnostics import OpkgError
from opkg.verify.graphs.measure import Row, measure

LARGEST = 1 << 22  # elements of a tensor


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def shapes(channels: list[int], places: list[int], batches: list[int]) -> list[tuple[int, ...]]:
    """The shapes, without those that are too large to be prepared in a moment."""
    found = [(batches[0], place, place, depth) for place in places for depth in channels]
    some = places[min(1, len(places) - 1)]
    found += [(batch, some, some, depth) for batch in batches[1:] for depth in channels]
    return [shape for shape in found if shape[0] * shape[1] * shape[2] * shape[3] <= LARGEST]


def rows(paths: list[str], op: str, wanted: list[tuple[int, ...]], soc: int) -> Iterator[tuple[str, Row]]:
    """The graphs of all ops, with the names of their packages. Those that have none stand once, with the reason."""
    for project in read(paths):
        for package in project.packages:
            for one in package.ops:
                if op in ("", one.name):
                    root = Path(project.project.root).resolve()
                    try:
                        found = measure(root, package, one, (1,), wanted, soc)
                    except OpkgError as failed:
                        found = [Row(one.name, "", (), 0, problem=failed.diagnostics[0].message)]
                    yield from ((package.name, row) for row in dict.fromkeys(found))


def line(package: str, row: Row) -> str:
    kernels = ",".join(f"{count} {name}" for name, count in row.kernels)
    others = ",".join(f"{count:+d} {name}" for name, count in row.added if not name.startswith("ForceFormat_"))
    count = "" if row.problem else str(row.conversions)
    shape = "x".join(map(str, row.shape))
    return "\t".join((package, row.op, row.types, shape, count, others, kernels, row.problem))


def brief(found: list[tuple[str, Row]]) -> Iterator[str]:
    """A line per op and types."""
    groups: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for package, row in found:
        groups[package, row.op, row.types].append(row)
    yield "\t".join(("package", "op", "types", "graphs", "with 0", "others"))
    for key, group in groups.items():
        counted = [row for row in group if not row.problem]
        fine = [row for row in counted if row.conversions <= 0]
        others: dict[str, list[str]] = defaultdict(list)
        for row in group:
            if row not in fine:
                others[row.problem or str(row.conversions)].append("x".join(map(str, row.shape)))
        said = "; ".join(f"{what}: {' '.join(where)}" for what, where in others.items())
        yield "\t".join((*key, str(len(counted)), str(len(fine)), said))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", metavar="SPECS")
    parser.add_argument("--op", default="")
    parser.add_argument("--channels", type=numbers, default=[1, 3, 8, 17, 32, 100, 1000])
    parser.add_argument("--places", type=numbers, default=[1, 7, 28, 56], metavar="N,...", help="height and width")
    parser.add_argument("--batches", type=numbers, default=[1, 3])
    parser.add_argument("--soc", type=int, default=0, help="QNN's number: 30 is a v68, 36 v69, 43 v73, 57 v75, 69 v79")
    parser.add_argument("--brief", action="store_true")
    args = parser.parse_args()
    found = rows(args.paths, args.op, shapes(args.channels, args.places, args.batches), args.soc)
    if args.brief:
        for text in brief(list(found)):
            print(text, flush=True)
        return
    print("\t".join(("package", "op", "types", "shape", "conversions", "other records", "kernels", "problem")))
    for package, row in found:
        print(line(package, row), flush=True)


if __name__ == "__main__":
    main()
