"""Bools and integers that choose between quantized tensors: fixed point, and right in a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from kernels_kit import snippets_of

from opkg.cli.main import run
from opkg.kernels.lowered import Lowered
from opkg.kernels.strategies.fixed import strategy as fixed

HEAD = "opkg: 1\npackage: {name: test.masks}\nops:\n"
BLEND = """\
  Blend:
    types: {T: [ufixed8, ufixed16]}
    inputs:
      a: {dtype: T, shape: "[B..., C]", rank: 1..4}
      b: {dtype: T, shape: [C]}
      m: {dtype: bool8, shape: a.shape}
      k: {dtype: bool8, shape: "[B..., 1]"}
    outputs:
      y: {dtype: T, shape: a.shape}
      z: {dtype: bool8, shape: a.shape}
    compute: |
      y = where(m and not k, a, b)
      z = m and (a > b)
"""
NUMBERS = """\
  Numbers:
    types: {N: [int8, uint8, uint16]}
    inputs:
      a: {dtype: ufixed8, rank: 1..4}
      n: {dtype: N, shape: a.shape}
      m: {dtype: N, shape: a.shape}
    outputs:
      y: {dtype: ufixed8, shape: a.shape}
    compute: y = where(n <= -3, a * 0.5, where(cast(m, bool8) and n > m, a, -8.0))
"""


def chosen(text: str) -> list[Lowered | str]:
    return [fixed.lower(snippet) for snippet in snippets_of(HEAD + text)]


def test_they_are_computed_with_as_bytes_or_halves() -> None:
    found = [*chosen(BLEND), *chosen(NUMBERS)]
    assert [type(one) for one in found] == [Lowered] * 5, found


def test_integers_that_are_computed_with_are_none() -> None:
    found = chosen(NUMBERS.replace("n > m", "n + 1 > m"))
    assert set(found) == {f"n is {dtype}, not quantized of 8 or 16 bits" for dtype in ("int8", "uint8", "uint16")}


def test_what_is_chosen_is_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "masks.yaml").write_text(HEAD + BLEND + NUMBERS)
    code = run(["-C", str(tmp_path), "verify", "--on", "host", "--generate", "--cases", "8"])
    said = capsys.readouterr().out
    assert code == 0, said
    assert "2 ops, 5 kernels" in said
    assert said.count(" vector") == 5
