"""Which cases become models, in which mode and with which neighbours."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from modelprojects import SPEC

from opkg.spec.model import Op
from opkg.spec.reader import read_file
from opkg.verify.cases.case import Case
from opkg.verify.cases.generate import Plan, generate
from opkg.verify.cases.reference import References
from opkg.verify.machines.executorch.plan import AROUND, modes, select

HEAD = SPEC.partition("ops:\n")[0] + "ops:\n"
ODD = """\
  Odd:
    summary: element types of all kinds
    types: {T: [float32, float16, ufixed8, ufixed16, sfixed8, int32, uint16], W: [sfixed8, ufixed8]}
    inputs:
      x: {dtype: T, rank: 1..5}
      w: {dtype: T, shape: [C], static: true, optional: true}
    outputs:
      y: {dtype: T, shape: x.shape}
    compute: y = x
"""
WEIGHTS = """\
  Weighted:
    summary: two combinations of one mode
    inputs:
      x: {dtype: A, rank: 1..4}
      w: {dtype: W, shape: [3], static: true}
      b: {dtype: W, shape: [3], static: true, optional: true}
      c: {dtype: W, shape: [3], static: true, optional: true}
    outputs:
      y: {dtype: A, shape: x.shape}
    types: {A: [float32, ufixed8], W: [float32, sfixed8, ufixed8]}
    combinations:
      - {A: float32, W: float32}
      - {A: ufixed8, W: sfixed8}
      - {A: ufixed8, W: ufixed8}
      - {A: float32, W: ufixed8}
    compute: y = x
"""


def op_of(folder: Path, ops: str) -> Op:
    path = folder / "models.yaml"
    path.write_text(HEAD + ops, encoding="utf-8")
    package, findings = read_file(path, "models.yaml")
    assert package is not None, findings
    return package.ops[0]


def cases_of(folder: Path, op: Op, count: int = 24) -> list[Case]:
    cases, findings = generate(op, References(folder).load(op, folder / "models.yaml"), Plan(count))
    assert not findings
    return cases


def test_modes_follow_from_element_types(tmp_path: Path) -> None:
    op = op_of(tmp_path, ODD.replace(", W: [sfixed8, ufixed8]", ""))
    found, reasons = modes(op)
    assert {c.suffix: mode for c, mode in found.items()} == {
        "f32": "float",
        "u8": "8a8w",
        "u16": "16a8w",
        "i32": "float",
    }
    assert {c.suffix: reason for c, reason in reasons.items()} == {
        "f16": "models for ExecuTorch have no float16 tensors",
        "s8": "the quantizer's modes make no sfixed8 activations",
        "ui16": "models for ExecuTorch have no uint16 tensors",
    }


def test_the_first_combination_of_a_mode_is_taken(tmp_path: Path) -> None:
    found, reasons = modes(op_of(tmp_path, WEIGHTS))
    assert list(found.values()) == ["float", "8a8w"]
    assert sorted(reasons.values()) == [
        "in 8a8w models u8_s8 is taken",
        "the quantizer stores constants only beside quantized activations",
    ]


@pytest.fixture
def swish(tmp_path: Path) -> list[Case]:
    return cases_of(tmp_path, op_of(tmp_path, SPEC.partition("ops:\n")[2]))


def test_few_cases_that_differ_are_chosen(swish: list[Case]) -> None:
    planned = select(swish, 24, only=False)
    assert Counter(each.mode for each in planned) == {"float": 5, "8a8w": 5, "16a8w": 5}
    for mode in ("float", "8a8w", "16a8w"):
        mine = [each for each in planned if each.mode == mode]
        assert {len(each.case.inputs[0].shape) for each in mine} == {1, 2, 3, 4, 5}
        assert len({each.around for each in mine}) >= 4
    assert len(select(swish, 1, only=False)) == 3
    assert len(select(swish, 48, only=False)) == 30


def test_a_case_has_the_same_neighbours_whatever_else_is_run(swish: list[Case]) -> None:
    every = {each.case.id: each.around for each in select(swish, 1000, only=False)}
    for case in swish[:20]:
        for alone in select([case], 24, only=True):
            assert alone.around == every[case.id]
    assert set(every.values()) >= {*AROUND[4], "pools"}


def test_neighbours_stay_within_float16(swish: list[Case]) -> None:
    from dataclasses import replace

    case = next(case for case in swish if case.id == "f32-000")
    assert select([case], 24, only=True)[0].around == "convolutions"
    huge = replace(case, expected=(case.expected[0] + 1e5,))
    assert select([huge], 24, only=True)[0].around == "alone"


def test_jumps_stand_alone_in_float_models(tmp_path: Path) -> None:
    text = SPEC.partition("ops:\n")[2]
    start = text.index("compute:")
    line = text[start : text.index("\n", start)]
    jumps = cases_of(tmp_path, op_of(tmp_path, text.replace(line, "compute: y = x % 3 - x // 2")))
    planned = select(jumps, 24, only=False)
    assert {each.around for each in planned if each.mode == "float"} == {"alone"}
    assert len({each.around for each in planned if each.mode == "8a8w"}) >= 4


def test_calls_with_a_gap_or_special_numbers_are_left_out(tmp_path: Path, swish: list[Case]) -> None:
    weighted = cases_of(tmp_path, op_of(tmp_path, WEIGHTS))
    gaps = [case for case in weighted if case.inputs[2].absent and not case.inputs[3].absent]
    assert gaps
    assert not select(gaps, 24, only=True)
    special = [case for case in swish if case.id == "f32-special"]
    assert special
    assert not select(special, 24, only=True)
