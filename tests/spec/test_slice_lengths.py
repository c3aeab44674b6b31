"""Lengths of slices whose bounds are numbers that no sampled length reaches, or that are the same for all lengths."""

from __future__ import annotations

import pytest

from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import OpPackage
from opkg.spec.reader import read

TEXT = """\
opkg: 1
package: {name: test.slices}
ops:
  Part:
    inputs: {x: {dtype: float32, shape: [N, D]}}
    outputs: {y: {dtype: float32, shape: "[...]"}}
    constraints: ["D >= 3"]
    compute: 'y = %s'
"""


def _read(compute: str) -> tuple[OpPackage | None, list[Diagnostic]]:
    package, findings = read((TEXT % compute).encode(), "a.yaml")
    return package, list(findings)


@pytest.mark.parametrize("part", [": 2000000", "2097152:", "-2000000:"])
def test_a_bound_beyond_all_sampled_lengths_may_be_one(part: str) -> None:
    package, findings = _read(f"x[:, {part}]")
    assert package is not None
    assert findings == []


@pytest.mark.parametrize(("part", "shape"), [(":3", "[N, 3]"), ("D // 2 : D // 2 + 1", "[N, 1]"), ("-2:", "[N, 2]")])
def test_a_length_that_is_always_the_same_is_a_number(part: str, shape: str) -> None:
    package, findings = _read(f"x[:, {part}]")
    assert package is not None, findings
    assert package.ops[0].outputs[0].shape.text == shape
