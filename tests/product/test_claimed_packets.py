"""What `kernel show` claims a kernel of the examples costs, beside the packets that the emulator counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from opkg.spec.model import Op
from opkg.spec.reader import read_file
from opkg.verify.bench.record import Options, Record, bench
from opkg.verify.machines.hexagon import toolchain

ROOT = Path(__file__).parent.parent.parent
SPECS = sorted(path for path in (ROOT / "examples").glob("*/specs/*.yaml") if path.parts[-3] not in ("qnn", "openvino"))
ARCH, ELEMENTS = "v66", 8192
ABOVE = 1.6  # of the claim, which is the least that a schedule can reach
ROW = 2000  # packets of a row for its numbers in double precision, which the claim leaves out

pytestmark = pytest.mark.hexagon


def measured(path: Path, names: frozenset[str] = frozenset()) -> list[tuple[Op, Record]]:
    if toolchain.missing() or ARCH not in toolchain.runnable():
        pytest.skip("no Hexagon tools")
    package, _ = read_file(path, path.relative_to(path.parents[1]).as_posix())
    assert package is not None
    ops = [op for op in package.ops if not names or op.name in names]
    found = [(op, bench(package.name, [op], Options((ARCH,), (ELEMENTS,)), path.parents[1])) for op in ops]
    return [(op, record) for op, records in found for record in records]


def check(found: list[tuple[Op, Record]]) -> None:
    for op, record in found:
        assert not record.problem, (record.kernel, record.problem)
        if (
            record.floor is None
        ):  # portable (OPK602 says so), or floats: nothing is claimed of whole numbers in their place
            assert record.strategy in ("portable", "floating", "rows"), record
        else:
            assert record.total > 0
            rows = ROW if record.strategy == "rows" else 0
            claimed = record.total / record.cost * record.floor
            assert 0.9 * claimed <= record.total <= ABOVE * claimed + rows, (op.name, record)


def test_an_addition_costs_what_is_claimed() -> None:
    found = measured(ROOT / "examples" / "math" / "specs" / "math.yaml", frozenset(["Add"]))
    assert sum(not record.problem for _, record in found) == 4
    check(found)


@pytest.mark.sweep
@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_every_kernel_of_the_examples_costs_what_is_claimed(path: Path) -> None:
    check(measured(path))
