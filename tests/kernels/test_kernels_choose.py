"""The choice among strategies: the cheapest one, integers before floating point, decisions that stay exact."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import ModuleType

import pytest
from kernels_kit import snippets_of

from opkg.kernels import choose
from opkg.kernels.block import Block
from opkg.kernels.in_single import decides_in_single
from opkg.kernels.lowered import Lowered
from opkg.kernels.snippet import Snippet

COPY = """\
  Copy:
    types: {T: [ufixed8]}
    inputs: {x: {dtype: T}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * 0.5
"""
COMPARE = """\
  Op:
    types: {T: [float32, ufixed8]}
    inputs: {x: {dtype: T}, b: {dtype: T, shape: x.shape}}
    outputs: {y: {dtype: bool8, shape: x.shape}}
    compute: y = @
"""


def lowered(name: str, turns: int) -> Lowered:
    """A kernel of some length."""
    body = Block()
    value = body.load("x")
    for _ in range(turns):
        value = body.q6("Q6_Vub_vavg_VubVub", value, value)
    body.store("y", value)
    return Lowered(name, "title", "exact", 128, (), (), (), tuple(body.insts))


@pytest.fixture
def strategies(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module with strategies `long`, `short`, `float_` and `cannot`, as the whole table."""
    module = ModuleType("strategies_of_a_test")
    module.long = lambda snippet: lowered("long", 30)  # type: ignore[attr-defined]
    module.short = lambda snippet: lowered("short", 3)  # type: ignore[attr-defined]
    module.float_ = lambda snippet: replace(lowered("float_", 1), float_unit=True)  # type: ignore[attr-defined]
    module.cannot = lambda snippet: "it is too hard"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    names = ("long", "short", "float_", "cannot")
    monkeypatch.setattr(choose, "table", lambda: {name: f"{module.__name__}:{name}" for name in names})
    choose._load.cache_clear()
    choose._candidates.cache_clear()
    return module


def test_the_cheapest_is_chosen_and_all_are_told(strategies: ModuleType) -> None:
    (snippet,) = snippets_of(COPY)
    found = {candidate.strategy: candidate for candidate in choose.candidates(snippet)}
    assert found["cannot"].lowered is None
    assert found["cannot"].why == "it is too hard"
    assert (found["short"].estimate or 0) < (found["long"].estimate or 0)
    chosen = choose.choose(snippet)
    assert chosen is not None
    assert chosen.strategy == "short"  # although floating point would take less: older machines have none


def test_floating_point_is_better_than_none(strategies: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    (snippet,) = snippets_of(COPY)
    places = {name: f"{strategies.__name__}:{name}" for name in ("float_", "cannot")}
    monkeypatch.setattr(choose, "table", lambda: places)
    chosen = choose.choose(snippet)
    assert chosen is not None
    assert chosen.strategy == "float_"
    monkeypatch.setattr(choose, "table", dict)
    assert choose.choose(snippet) is None


def test_strategies_of_others_join_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = choose.table()
    monkeypatch.setattr(
        choose, "_others", lambda path: {"theirs": "kernels_kit:op_of", "table8": "kernels_kit:nothing"}
    )
    joined = choose.table()
    assert joined == {**ours, "theirs": "kernels_kit:op_of"}  # a name of ours stays ours


@pytest.mark.parametrize(
    ("compute", "floats", "quantized"),
    [
        ("x > b", False, True),
        ("x > 0", False, False),
        ("x + b > 0", True, True),
        ("x > 0.1", True, True),
        ("not (x == 2)", False, True),
    ],
)
def test_what_single_precision_would_decide(compute: str, floats: bool, quantized: bool) -> None:
    def ask(snippet: Snippet) -> bool:
        return decides_in_single(snippet)

    assert list(map(ask, snippets_of(COMPARE.replace("@", compute)))) == [floats, quantized]


@pytest.mark.parametrize(("dtype", "right"), [("int16", True), ("uint8", True), ("int32", False), ("uint32", False)])
def test_integers_that_floats_are_compared_with(dtype: str, right: bool) -> None:
    op = f"""\
  Op:
    inputs: {{x: {{dtype: float32}}, i: {{dtype: {dtype}, shape: x.shape}}}}
    outputs: {{y: {{dtype: float32, shape: x.shape}}}}
    compute: y = where(x > i, x, 0)
"""
    (snippet,) = snippets_of(op)
    assert decides_in_single(snippet) is not right  # 16777219 becomes 16777220.0
    assert (choose.choose(snippet) is not None) is right


@pytest.mark.parametrize(("inner", "best"), [("x + b", "fixed"), ("x * b", "floating")])
def test_functions_of_two_bytes(inner: str, best: str) -> None:
    """A fifth of the scales of products of bytes is too coarse for fixed point: their calls would be portable."""
    text = (
        COMPARE.replace("[float32, ufixed8]", "[ufixed8]").replace("bool8", "T").replace("@", f"x * sigmoid({inner})")
    )
    (snippet,) = snippets_of(text)
    chosen = choose.choose(snippet)
    assert chosen is not None
    assert chosen.strategy == best
