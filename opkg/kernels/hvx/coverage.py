"""Writes docs/hvx-coverage.md, the table of what is covered: `python -m opkg.kernels.hvx.coverage`."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

from opkg.kernels.hvx.names import UNMODELLED, Intrinsic, comparable, every, obstacle
from opkg.kernels.hvx.table import table

_ROOT = Path(__file__).parents[3]
DOCUMENT = _ROOT / "docs" / "hvx-coverage.md"
ROWS = _ROOT / "tests" / "hvx" / "data" / "float_rows.tsv.gz"

_TOP = """\
# HVX intrinsics on the host

<!-- made by: python -m opkg.kernels.hvx.coverage -->

The headers under `opkg/sim/include` let code written with HVX intrinsics run on a computer without HVX. This page lists
every intrinsic of clang-19's `hvx_hexagon_protos.h` (architectures v60 to v69) and the floating-point ones of v73 that it
does not know, and what proves the host's version, bit by bit (`tests/hvx`):

- **qemu**: run on random and extreme operands on the host and in qemu-hexagon (v68 and v69 where qemu has version 10 or
  newer; Debian 12 has 7.2);
- **rows**: so many rows of operands and result that the vendor's published architecture model for v68 to v75 gave
  (`tests/hvx/data/float_rows.tsv.gz`; `python scripts/hvx_float_oracle.py FILE` runs such a file). No row was compared with
  silicon, and qemu has no HVX floating point;
- **nothing**, with the reason.

*Made from* is `table` for code generated from `opkg/kernels/hvx/table.py`, `hand` for code written by hand (memory
accesses, floating point and the result in a scalar register), `missing` where the host has no such intrinsic. Gather and
scatter are compared on offsets inside their region that are multiples of the element: qemu does not check the region.
Their address is a 32-bit number, so on the host it has to be below 4 GiB.

## Two models of qfloat

`-DOPKG_HVX_QFLOAT=68` (the default) is the qfloat of v68 to v75 with its own bit patterns in the vectors, the one that the
rows prove. `-DOPKG_HVX_QFLOAT=79` stands for v79 and later, whose qfloat has more bits, infinity and NaN: each operation
gives the IEEE result rounded to nearest even. What the inner format of v79 keeps in a chain of operations is not modelled
(a register that is spilled loses it), so its chains are checked with a tolerance and **nothing** proves its bits. All code
of a program has to use one model. IEEE instructions are the same in both. A generated package is built for a model with
`make x86 OPKG_SIM_INCLUDE=... OPKG_HVX_QFLOAT=79`. `python scripts/hvx_float_accuracy.py exp log pow` measures the functions
of the runtime header on both; `--all` on all 2^32 operands.

Sources disagree on `Q6_Vsf_vdmpyacc_VsfVhfVhf`: the host rounds the sum of the accumulator and both products once, as the
rows do; another description rounds the sum of the products first.

"""


def coverage() -> str:
    """Text of the page."""
    everything, rows = every().values(), row_counts()
    lines = [_TOP + "| since | integer | compared with qemu | float and qfloat | proved by rows |"]
    lines.append("| --- | --- | --- | --- | --- |")
    since = sorted({i.since for i in everything})
    integer = Counter(i.since for i in everything if i.family == "integer")
    compared = Counter(i.since for i in comparable())
    total = Counter(i.since for i in everything)
    by_rows = Counter(i.since for i in everything if i.name in rows and i.family != "integer")
    lines += [f"| v{v} | {integer[v]} | {compared[v]} | {total[v] - integer[v]} | {by_rows[v]} |" for v in since]
    both = integer.total(), compared.total(), total.total() - integer.total(), by_rows.total()
    lines += ["| all | " + " | ".join(map(str, both)) + " |", ""]
    lines += [f"{len(table())} are generated from the table; {len(UNMODELLED)} are missing.", ""]
    lines += ["| intrinsic | since | kind | proved by | made from |", "| --- | --- | --- | --- | --- |"]
    for i in everything:
        made = "table" if i.name in table() else "missing" if i.name in UNMODELLED else "hand"
        lines.append(f"| `{i.name}` | v{i.since} | {i.family} | {proof(i, rows)} | {made} |")
    return "\n".join(lines) + "\n"


def row_counts() -> Counter[str]:
    """How many rows there are of each floating-point intrinsic."""
    with gzip.open(ROWS, "rt", encoding="utf-8") as lines:
        return Counter(line.partition("\t")[0] for line in lines if line.startswith("Q6_"))


def proof(intrinsic: Intrinsic, rows: Counter[str]) -> str:
    """What was compared with the host's version."""
    why = obstacle(intrinsic)
    parts = ["qemu"] if not why else []
    parts += [f"{rows[intrinsic.name]:,} rows"] if rows[intrinsic.name] else []
    return " and ".join(parts) or f"nothing: {why}"


if __name__ == "__main__":
    DOCUMENT.write_text(coverage(), "utf-8")
