"""Records what ExecuTorch's own builders make of its operator tests: opkg/verify/machines/executorch/upstream_tests.tsv.

Options: -k WORD keeps tests whose names have it (several: any), --skip WORD leaves tests out, --missing runs those that are
not recorded yet, or unknown. The table is written after each test. See docs/judged.md.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from opkg.verify.machines.executorch import upstream_tests
from opkg.verify.machines.executorch.environment import Missing, find


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-k", action="append", default=[], metavar="WORD")
    parser.add_argument("--skip", action="append", default=[], metavar="WORD")
    parser.add_argument("--missing", action="store_true")
    options = parser.parse_args()
    found = find(Path())
    if isinstance(found, Missing):
        print(f"{found.reason}: {found.install}", file=sys.stderr)
        return 3
    known = upstream_tests.stock()
    tests = [
        test
        for test in upstream_tests.every(found)
        if (not options.k or any(word in test for word in options.k))
        and not any(word in test for word in options.skip)
        and not (options.missing and test in known and known[test].outcome != "unknown")
    ]
    print(f"{len(tests)} tests", flush=True)
    ran: list[upstream_tests.Ran] = []

    def told(each: upstream_tests.Ran) -> None:
        ran.append(each)
        print(f"{each.test} {each.outcome} {each.seconds:.1f} s {each.message}", flush=True)
        upstream_tests.STOCK.write_text("\n".join(upstream_tests.stock_lines(ran, known)) + "\n", encoding="utf-8")

    _, said = upstream_tests.run(found, (), (), tests, "", told)
    print(said)
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
