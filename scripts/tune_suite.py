"""Tunes the kernels of `opkg bench --suite` that have changed and writes opkg/verify/bench/suite-tuning.json.

    python scripts/tune_suite.py

Without, the suite tunes them whenever it runs on a machine that has not yet done so. Needs clang-19, lld-19, qemu-hexagon 10.
"""

from __future__ import annotations

from pathlib import Path

from opkg.kernels.lowered import Lowered
from opkg.kernels.tuning import Tuning, digest
from opkg.verify.bench.subject import forms, subjects
from opkg.verify.bench.suite import TUNING, package, tuned


def main() -> None:
    suite = package()
    known = tuned(suite, Path())
    current = {digest(form) for op in suite.ops for subject in subjects(op) for form in forms(subject)}
    made = [s.snippet.struct for op in suite.ops for s in subjects(op) if isinstance(s.lowered, Lowered)]
    TUNING.write_text(Tuning(tuple(row for row in known.rows if row.digest in current)).text())
    print(f"{TUNING.name}: {len(made)} kernels")


if __name__ == "__main__":
    main()
