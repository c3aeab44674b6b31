"""Smooth functions of halves as cubics of pieces: all 65,536 halves against double precision, on the host and in qemu."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np
import pytest
from kernels_kit import Call, Kit, Unit, snippets_of

from opkg.kernels.choose import choose
from opkg.kernels.cost import packets
from opkg.kernels.lowered import Lowered
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.cubics.strategy import lower
from opkg.verify.meaning.bounds import Given, of_graph, stored

_erfc = np.vectorize(math.erfc, otypes=[float])
_erf = np.vectorize(math.erf, otypes=[float])


def _logistic(x: np.ndarray) -> np.ndarray:
    return np.where(x < 0, np.exp(x) / (1 + np.exp(x)), 1 / (1 + np.exp(-x)))


Exact = Callable[[np.ndarray], np.ndarray]
FUNCTIONS: dict[str, tuple[str, Exact]] = {
    "gelu": ("gelu(x)", lambda x: x / 2 * _erfc(-x / math.sqrt(2))),
    "sigmoid": ("sigmoid(x)", _logistic),
    "elu": ("x if x > 0 else exp(x) - 1", lambda x: np.where(x > 0, x, np.expm1(x))),
    "silu": ("x * sigmoid(x)", lambda x: x * _logistic(x)),
    "tanh": ("tanh(x)", np.tanh),
    "gelu_tanh": (
        "x * 0.5 * (1 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)))",
        lambda x: x * _logistic(2 * 0.7978845608 * (x + 0.044715 * x**3)),
    ),
    "quick": ("x * sigmoid(1.702 * x)", lambda x: x * _logistic(1.702 * x)),
    "mish": ("x * tanh(log(1 + exp(x)))", lambda x: x * np.tanh(np.logaddexp(0, x))),
    "falling": ("1 - sigmoid(x - 1)", lambda x: _logistic(1 - x)),
    "erf": ("erf(x)", _erf),
}
COMPILED = {"": len(FUNCTIONS), "v66": 3, "v73": 5}  # the first ones have all that differs
NAMES = tuple(FUNCTIONS)
X = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
STATED = re.compile(r"([\d.]+) ulp of half precision")


def snippet_of(text: str) -> Snippet:
    tensors = "inputs: {x: {dtype: float16, rank: 1..4}}, outputs: {y: {dtype: float16, shape: x.shape}}"
    return snippets_of(f"  Function: {{{tensors}, compute: '{'y = ' + text}'}}")[0]


SNIPPETS = [snippet_of(text) for text, _ in FUNCTIONS.values()]


def made(number: int) -> Lowered:
    found = lower(SNIPPETS[number])
    assert isinstance(found, Lowered), found
    return found


@pytest.fixture(scope="module", params=["", "v66", "v73"], ids=["host", "v66", "v73"])
def kit(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Kit:
    units = [Unit(SNIPPETS[number], made(number)) for number in range(COMPILED[request.param])]
    return Kit(tmp_path_factory.mktemp("cubics"), units, arch=request.param)


def wanted(number: int) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.asarray(FUNCTIONS[NAMES[number]][1](X.astype(np.float64)))


def errors(number: int, got: np.ndarray) -> np.ndarray:
    """In units of the last place of the exact result; infinite where one of both is NaN, infinite or of another sign."""
    exact, found = wanted(number), got.astype(np.float64)
    with np.errstate(all="ignore"):
        exponent = np.maximum(np.floor(np.log2(np.maximum(np.abs(exact), 2.0**-30))), -14)
        off = np.abs(found - exact) / 2.0 ** (np.where(np.isfinite(exponent), exponent, 0) - 10)
    off[(found == exact) | (np.isnan(found) & np.isnan(exact))] = 0
    off[(np.signbit(found) != np.signbit(exact)) & ~np.isnan(found)] = np.inf
    return np.nan_to_num(off, nan=np.inf)


def test_all_halves(kit: Kit) -> None:
    """The largest error is the one that is stated, and no bound of verify is left; rows of any length give the same."""
    for number in range(len(kit.units)):
        all_halves(kit, number)


def all_halves(kit: Kit, number: int) -> None:
    (got,) = kit.run([Call(number, {"x": X})])
    assert got is not None
    worst = errors(number, got["y"]).max()
    (stated,) = STATED.findall(made(number).error)
    assert float(stated) - 0.011 <= worst <= float(stated) <= 1
    given = Given({"x": X.astype(np.float64)}, cubics=float(stated))
    bound = stored(of_graph(SNIPPETS[number].graph, given)["y"], SNIPPETS[number].outputs[0].dtype)
    within = (bound.low <= got["y"]) & (got["y"] <= bound.high) | (np.isnan(got["y"]) & bound.nan)
    assert within.all(), X[~within][:5]
    starts = [(at, n, shift) for at, n, shift in ((11000, 1, 0), (9000, 63, 2), (40000, 129, 30), (300, 1000, 126))]
    again = kit.run([Call(number, {"x": X[at : at + n]}, shift=shift) for at, n, shift in starts])
    for (at, n, _), part in zip(starts, again, strict=True):
        assert part is not None
        assert np.array_equal(part["y"], got["y"][at : at + n], equal_nan=True)


def test_infinities(kit: Kit) -> None:
    """Sides of infinity: what the functions are there, NaN where the formula is."""
    ends = np.array([-np.inf, np.inf, np.nan, 0.0, -0.0], np.float16)
    expected = {
        "gelu": "nan inf nan 0.0 -0.0", "silu": "nan inf nan 0.0 -0.0", "tanh": "-1.0 1.0 nan 0.0 -0.0",
        "sigmoid": "0.0 1.0 nan 0.5 0.5",
    }  # fmt: skip
    for number in range(len(kit.units)):
        (got,) = kit.run([Call(number, {"x": ends})])
        assert got is not None
        if NAMES[number] in expected:
            assert " ".join(map(str, got["y"])) == expected[NAMES[number]], NAMES[number]


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_chosen_and_at_most_two_thirds_of_the_bar(number: int) -> None:
    """Strategies choose it, on all architectures; its floor leaves room below 45 packets per 128 bytes."""
    chosen = choose(SNIPPETS[number])
    assert chosen is not None
    assert chosen.strategy == "cubics"
    lowered = made(number)
    assert lowered.arch < 66
    assert not lowered.float_unit
    for arch in ("v66", "v73"):
        assert packets(lowered, arch).per_128 < 30


REFUSED = {
    "exp(x)": "0.9 ulp",
    "log(1 + exp(x))": "over too many halves",
    "x * clip(x + 3, 0, 6) / 6": "no function of one half with exp",
    "sqrt(x)": "no function of one half with exp",
    "tanh(x) * (x - 1)": "its sign",
    "tanh(x) - 0.5": "its sign",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    """Steep functions, those that go on changing, and those with zeros elsewhere stay with single precision."""
    why = lower(snippet_of(text))
    assert isinstance(why, str)
    assert REFUSED[text] in why
    chosen = choose(snippet_of(text))
    assert chosen is not None
    assert chosen.strategy == "floating"
