"""Writes docs/hvx-coverage.md, the table of what is covered: `python -m opkg.kernels.hvx.coverage`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from opkg.kernels.hvx.names import UNMODELLED, comparable, intrinsics, obstacle
from opkg.kernels.hvx.table import table

DOCUMENT = Path(__file__).parents[3] / "docs" / "hvx-coverage.md"

_TOP = """\
# HVX intrinsics on the host

<!-- made by: python -m opkg.kernels.hvx.coverage -->

The headers under `opkg/sim/include` let code written with HVX intrinsics run on a computer without HVX. This page lists
every intrinsic of clang-19's `hvx_hexagon_protos.h` (architectures v60 to v69; v73 adds none there) and whether the host's
version is proved: `tests/hvx` runs each of those marked **yes** on random and extreme operands on the host and in
qemu-hexagon and compares every bit (those of v68 and v69 where qemu has version 10 or newer; Debian 12 has 7.2). The others
say why they are not compared. Floating point on the host is a model: IEEE operations are those of the host, qfloat keeps
IEEE numbers in the vector and is right within a tolerance only.

*Made from* is `table` for code generated from `opkg/kernels/hvx/table.py`, `hand` for code written by hand (memory
accesses, floating point and the result in a scalar register), `missing` where the host has no such intrinsic. Gather and
scatter are compared on offsets inside their region that are multiples of the element: qemu does not check the region.
Their address is a 32-bit number, so on the host it has to be below 4 GiB.
"""


def coverage() -> str:
    """Text of the page."""
    everything, compared = intrinsics().values(), {i.name for i in comparable()}
    lines = [_TOP, "| since | integer | compared with qemu | float and qfloat |", "| --- | --- | --- | --- |"]
    since = sorted({i.since for i in everything})
    integer = Counter(i.since for i in everything if i.family == "integer")
    proved = Counter(i.since for i in everything if i.name in compared)
    total = Counter(i.since for i in everything)
    lines += [f"| v{v} | {integer[v]} | {proved[v]} | {total[v] - integer[v]} |" for v in since]
    both = integer.total(), proved.total(), total.total() - integer.total()
    lines += [f"| all | {both[0]} | {both[1]} | {both[2]} |", ""]
    lines += [f"{len(table())} are generated from the table; {len(UNMODELLED)} are missing.", ""]
    lines += ["| intrinsic | since | kind | compared | made from |", "| --- | --- | --- | --- | --- |"]
    for i in everything:
        why = obstacle(i)
        made = "table" if i.name in table() else "missing" if i.name in UNMODELLED else "hand"
        lines.append(f"| `{i.name}` | v{i.since} | {i.family} | {'no: ' + why if why else '**yes**'} | {made} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    DOCUMENT.write_text(coverage(), "utf-8")
