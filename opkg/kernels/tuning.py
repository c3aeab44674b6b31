"""`tuning.json`: how many steps a turn of each kernel's loop does, as `opkg kernel tune` found them best.

    {
      "opkg": 1,
      "kernels": [
        {"package": "nn.math", "kernel": "AddUfixed8Rows", "digest": "0f3c...", "unroll": 4}
      ]
    }

A row holds for one form of a kernel: `digest` is that of its instructions. A kernel has two where the interfaces hand over
signed elements in two ways. When the computation or a strategy changes, its rows no longer match and the strategy's own
choice counts again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace

from opkg.kernels.lowered import Lowered

FILE = "tuning.json"
MOST = 16


class TuningError(ValueError):
    """The text is no tuning file; the message says why."""


@dataclass(frozen=True, slots=True, order=True)
class Row:
    """One form of a kernel. `kernel`: name of its rows struct."""

    package: str
    kernel: str
    digest: str
    unroll: int


@dataclass(frozen=True, slots=True)
class Tuning:
    """All rows of a project, in order."""

    rows: tuple[Row, ...] = ()

    def unroll(self, package: str, kernel: str, lowered: Lowered) -> int | None:
        """Steps of one turn; None when nothing is known of this form of the kernel."""
        wanted = (package, kernel, digest(lowered))
        return next((row.unroll for row in self.rows if (row.package, row.kernel, row.digest) == wanted), None)

    def with_rows(self, rows: Iterable[Row]) -> Tuning:
        """These rows in place of all those of the same kernels; of two for one form the last one counts."""
        new = {(row.package, row.kernel, row.digest): row for row in rows}
        named = {key[:2] for key in new}
        kept = [row for row in self.rows if (row.package, row.kernel) not in named]
        return Tuning(tuple(sorted([*kept, *new.values()])))

    def text(self) -> str:
        """The file: a row a line, in order, so that two people's changes merge."""
        rows = [
            json.dumps({"package": r.package, "kernel": r.kernel, "digest": r.digest, "unroll": r.unroll})
            for r in sorted(self.rows)
        ]
        body = "".join(f"\n    {row}{',' if number < len(rows) else ''}" for number, row in enumerate(rows, 1))
        return f'{{\n  "opkg": 1,\n  "kernels": [{body}\n  ]\n}}\n' if rows else '{\n  "opkg": 1,\n  "kernels": []\n}\n'


def parse(text: str) -> Tuning:
    """Reads a tuning file. Raises TuningError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as failure:
        raise TuningError(f"no JSON: {failure}") from None
    if not isinstance(data, dict) or data.get("opkg") != 1:
        raise TuningError('no tuning of this format: "opkg" is not 1')
    kernels = data.get("kernels")
    if not isinstance(kernels, list):
        raise TuningError('"kernels" is no list')
    return Tuning().with_rows([_row(item, number) for number, item in enumerate(kernels)])


def _row(item: object, number: int) -> Row:
    if not isinstance(item, dict):
        raise TuningError(f"kernels[{number}] is no mapping")
    package, kernel, form, unroll = (item.get(key) for key in ("package", "kernel", "digest", "unroll"))
    if not isinstance(package, str) or not isinstance(kernel, str) or not isinstance(form, str):
        raise TuningError(f'kernels[{number}]: "package", "kernel" and "digest" are texts')
    if isinstance(unroll, bool) or not isinstance(unroll, int) or not 1 <= unroll <= MOST:
        raise TuningError(f'kernels[{number}]: "unroll" is a number from 1 to {MOST}')
    return Row(package, kernel, form, unroll)


def digest(lowered: Lowered) -> str:
    """What identifies the loop of a kernel: all but the number of turns and texts for people."""
    same = replace(lowered, unroll=1, title="", error="", members=(), prepare=())
    bare = [(i.dest, i.kind, i.op, i.args) for i in (*same.setup, *same.body)]
    # The empty text stood for something that is no more; files of tuning stay valid.
    parts = (same.strategy, same.step, bare, "", getattr(same, "depth", 1))
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]
