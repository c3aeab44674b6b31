"""The error that `kernel show` states, and the bound that verify judges by, against the vector code of every float kernel of the
examples on both models of qfloat; and that neither is idle."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from kernels_floating_host import MODELS
from kernels_floating_samples import EDGES, ulps
from kernels_kit import ELEMENTS, NUMPY, Call, Kit, Unit, snippets_of
from kernels_sequence_kit import Row, RowKit

from opkg.kernels.lowered import Lowered
from opkg.kernels.sequence import Sequence
from opkg.kernels.snippet import Snippet
from opkg.kernels.snippets import make_snippet
from opkg.kernels.strategies.floating.halves import suits
from opkg.kernels.strategies.floating.strategy import lower
from opkg.kernels.strategies.rows.strategy import lower as lower_rows
from opkg.spec.reader import read_file
from opkg.verify.meaning.bounds import Given, Unbounded, of_graph, stored
from opkg.verify.meaning.interval import Interval, hull, point

ROOT = Path(__file__).resolve().parents[2]
LENGTHS = (1, 3, 17, 100, 1000)
STATED = re.compile(r"([\d.]+) ulp of single precision(?! \(.*, results)")
LARGE = np.array(
    [np.inf, -np.inf, np.nan, 1e30, -1e30, 3.4e38, -3.4028235e38, 1e-40, -1e-44, 1e-30, 0.0, -0.0], np.float32
)


@dataclass(frozen=True)
class Made:
    name: str
    snippet: Snippet
    lowered: Lowered | Sequence


@cache
def made() -> tuple[Made, ...]:
    """The vector code of float kernels, those with equal code once."""
    found: dict[tuple[object, ...], Made] = {}
    for path in sorted(ROOT.glob("examples/*/specs/*.yaml")):
        package, _ = read_file(path, str(path))
        assert package is not None, path
        for op in package.ops:
            for kernel in op.kernels if op.compute is not None else ():
                types = {t.name: t.dtype.of(kernel.combination) for t in op.tensors}
                if not all(dtype.kind == "float" for dtype in types.values()) or any(t.variadic for t in op.inputs):
                    continue
                elements = {name: ELEMENTS.get(dtype.name, dtype.cpp) for name, dtype in types.items()}
                elements |= {p.name: p.dtype.cpp for p in op.params}
                present = frozenset(t.name for t in op.inputs if t.optional)
                snippet = make_snippet(op, kernel, "Args", elements, False, present)
                if any(o.is_param for o in snippet.inputs):
                    continue
                code = (lower_rows if snippet.graph.reductions else lower)(snippet)
                if not isinstance(code, str):
                    found.setdefault(
                        (snippet.text, *map(str, types.values())), Made(f"{path.stem}-{op.name}", snippet, code)
                    )
    return tuple(found.values())


PLAIN = tuple(m for m in made() if isinstance(m.lowered, Lowered))
ROWS = tuple(m for m in made() if isinstance(m.lowered, Sequence))


def inputs(snippet: Snippet, rng: np.random.Generator, n: int, kind: str) -> dict[str, np.ndarray]:
    """Numbers of one kind: usual, of any size, or special ones among usual ones."""
    found = {}
    for operand in snippet.inputs:
        x = rng.normal(size=n) * rng.choice([0.3, 2.0, 8.0])
        if kind == "any":
            x = rng.choice([-1.0, 1.0], n) * np.exp2(rng.uniform(-120, 120, n))
        with np.errstate(over="ignore"):
            array = x.astype(NUMPY[operand.storage])
            if kind == "special":
                places = rng.permutation(n)[: max(1, n // 3)]
                array[places] = rng.choice(np.concatenate([LARGE, EDGES]), len(places)).astype(array.dtype)
            if kind == "masked":
                array[rng.permutation(n)[: n // 2]] = -np.inf
        found[operand.name] = array
    return found


def params(snippet: Snippet, rng: np.random.Generator) -> dict[str, float]:
    real = {p.name for p in snippet.params if p.dtype.kind == "float"}
    kept = {node.keepdims for node in snippet.graph.nodes}
    found = {
        p.name: float(np.float32(rng.uniform(0.25, 1.5))) if p.name in real else float(p.name in kept)
        for p in snippet.params
    }
    names = [node.name for node in snippet.graph.nodes if node.op == "param"]
    if len(names) == 2 and names[0].startswith("min"):
        found = {names[0]: -1.0, names[1]: 2.5}
    return found


def bounds(each: Made, given: dict[str, np.ndarray], numbers: dict[str, float]) -> dict[str, Interval]:
    values = {name: np.asarray(array, np.float64) for name, array in given.items()}
    values |= {name: np.asarray(value) for name, value in numbers.items()}
    found = of_graph(each.snippet.graph, Given(values, halves=suits(each.snippet)))
    return {o.name: stored(found[o.name], o.dtype) for o in each.snippet.outputs}


def exact(each: Made, given: dict[str, np.ndarray], numbers: dict[str, float]) -> dict[str, np.ndarray]:
    """In double precision."""
    values = {name: np.asarray(array, np.float64) for name, array in given.items()}
    values |= {name: np.asarray(value) for name, value in numbers.items()}
    found = of_graph(each.snippet.graph, Given(values, exact=True))
    with np.errstate(all="ignore"):
        return {name: np.where(a.nan, np.nan, (a.low + a.high) / 2) for name, a in found.items()}


@pytest.fixture(scope="module", params=MODELS, ids=[f"v{model}" for model in MODELS])
def model(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture(scope="module")
def plain(model: int, tmp_path_factory: pytest.TempPathFactory) -> Kit:
    units = [Unit(each.snippet, each.lowered) for each in PLAIN if isinstance(each.lowered, Lowered)]
    return Kit(tmp_path_factory.mktemp("plain"), units, model=model)


@pytest.fixture(scope="module")
def rows(model: int, tmp_path_factory: pytest.TempPathFactory) -> RowKit:
    pairs = [(each.snippet, each.lowered) for each in ROWS if isinstance(each.lowered, Sequence)]
    return RowKit(tmp_path_factory.mktemp("rows"), pairs, model=model)


def check(each: Made, given: dict[str, np.ndarray], numbers: dict[str, float], got: dict[str, np.ndarray]) -> float:
    """Every output within its bound and, where a number of ulp is stated, within that; the largest error in ulp."""
    worst = 0.0
    limits, wanted = bounds(each, given, numbers), exact(each, given, numbers)
    for operand in each.snippet.outputs:
        value = got[operand.name].astype(np.float64)
        shape = value.shape
        ends = limits[operand.name]
        limit = Interval(
            *(np.broadcast_to(np.ravel(a) if np.size(a) > 1 else a, shape) for a in (ends.low, ends.high, ends.nan))
        )
        good = limit.holds(value)
        at = int(np.argmin(good))
        assert good.all(), (each.name, {k: v[at] for k, v in given.items()}, value[at], limit.low[at], limit.high[at])
        if operand.storage.bits == 16 or not (found := STATED.match(each.lowered.error)):
            continue
        right = np.broadcast_to(np.ravel(wanted[operand.name]), shape)
        usual = np.isfinite(right) & (np.abs(right) > 2.0**-100) & (np.abs(right) < 2.0**100)
        usual &= all(((np.abs(x) > 2.0**-60) & (np.abs(x) < 2.0**60)).all() for x in given.values())
        off = ulps(got[operand.name], right)[usual]
        worst = max(worst, float(off.max(initial=0.0)))
        assert worst <= float(found[1]), (each.name, worst)
    return worst


def test_there_are_kernels_of_all_kinds() -> None:
    names = {each.name.partition("-")[2] for each in made()}
    assert {"HardSwish", "Gelu", "ElementWiseDivide", "Softmax", "LayerNorm", "ElementWiseExp"} <= names
    assert len(PLAIN) > 25
    assert len(ROWS) >= 5
    assert any(o.storage.bits == 16 for each in made() for o in each.snippet.outputs)


def test_elementwise_kernels_of_the_examples(plain: Kit) -> None:
    rng = np.random.default_rng(12)
    calls, given = [], []
    for unit, each in enumerate(PLAIN):
        for n in LENGTHS:
            for kind in ("usual", "any", "special"):
                data, numbers = inputs(each.snippet, rng, n, kind), params(each.snippet, rng)
                calls.append(Call(unit, data, params=numbers))
                given.append((each, data, numbers))
    worst: dict[str, float] = {}
    for case, got in zip(given, plain.run(calls), strict=True):
        assert got is not None, case
        worst[case[0].name] = max(worst.get(case[0].name, 0.0), check(*case, got))
    assert worst["qnn-ElementWiseExp"] > 0.7  # of 1 ulp
    assert worst["qnn-ElementWiseDivide"] > 0.7  # of 1.6


def test_rows_of_the_examples(rows: RowKit) -> None:
    rng = np.random.default_rng(13)
    calls, given = [], []
    for unit, each in enumerate(ROWS):
        for n in LENGTHS:
            for kind in ("usual", "masked", "special"):
                data, numbers = inputs(each.snippet, rng, n, kind), params(each.snippet, rng)
                calls.append(Row(unit, data, params=numbers))
                given.append((each, data, numbers))
    ran = 0
    for case, got in zip(given, rows.run_rows(calls), strict=True):
        if got is not None:
            ran += 1
            check(*case, got)
    assert ran > len(calls) / 2


SPEC = """
  Op:
    inputs: {a: {dtype: float32, rank: 1..4}, b: {dtype: float32, shape: a.shape}}
    outputs: {y: {dtype: float32, shape: a.shape}}
    compute: y = TEXT
"""


def test_a_coefficient_that_is_a_little_wrong_is_found(tmp_path: Path) -> None:
    """By some units in the last place."""
    texts = ("exp(a)", "a * sigmoid(a)", "tanh(a) + b", "erf(a) * b")
    snippets = [snippets_of(SPEC.replace("TEXT", text))[0] for text in texts]
    codes = [code for code in map(lower, snippets) if isinstance(code, Lowered)]
    units = [Unit(snippet, code) for snippet, code in zip(snippets, codes, strict=True)]
    rng = np.random.default_rng(2)
    data = {name: rng.uniform(-3, 3, 4000).astype(np.float32) for name in "ab"}
    calls = [Call(i, {name: data[name] for name in s.graph.inputs}) for i, s in enumerate(snippets)]
    for kind, least, most in ((Kit, 1.0, 1.0), (Spoiled, 0.0, 0.98)):
        folder = tmp_path / kind.__name__
        folder.mkdir()
        for call, got in zip(calls, kind(folder, units).run(calls), strict=True):
            assert got is not None
            each = Made(texts[call.unit], snippets[call.unit], codes[call.unit])
            share = bounds(each, dict(call.inputs), {})["y"].holds(got["y"].astype(np.float64)).mean()
            assert least <= share <= most, (texts[call.unit], kind)


class Spoiled(Kit):
    """With a constant of every polynomial off by 1e-5: functions by some units in the last place."""

    def _compile(self, source: Path) -> None:
        header = self.folder / "include" / "opkg" / "hvx_math.h"
        text = header.read_text()
        wrong = re.sub(r"(\[\] = \{)([-\d.e]+)f", lambda m: f"{m[1]}{float(m[2]) * (1 + 1e-5):.9g}f", text)
        assert wrong.count("f,") == text.count("f,")
        assert wrong != text
        header.write_text(wrong)
        super()._compile(source)


def test_what_has_no_bound_is_said() -> None:
    (snippet,) = snippets_of(SPEC.replace("y = TEXT", "y = prod(a, axis=-1, keepdims=True) * b"))
    with pytest.raises(Unbounded):
        of_graph(snippet.graph, Given({"a": np.ones(3), "b": np.ones(3)}))
    assert hull([point(np.ones(1)), point(np.zeros(1))]).low[0] == 0
