"""Results of 16 bits of products of smooth functions and sums: within 1 step of the correctly rounded result, at many scales."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from kernels_fixed import Case, case_of, distances, exact, refusal_of
from kernels_kit import NUMPY, Call, Kit

OPS = {
    "swiglu": case_of("y = a * sigmoid(a) * b", "a:u16 b:u16", "y:u16"),
    "geglu": case_of("y = 0.5 * a * (1 + erf(0.7071067811865476 * a)) * b", "a:s16 b:u16", "y:s16"),
    "channels": case_of("y = mish(a) * s", "a:u16 s:u16[C]", "y:u16"),
    "gates": case_of("y = tanh(a) * sigmoid(p * b)", "a:u16 b:s16", "y:s16", "p"),
    "sum": case_of("y = a * sigmoid(a) * b + 0.5 * c", "a:s16 b:s16 c:u16", "y:u16"),
    "hard": case_of("y = a * clip(a + 3, 0, 6) / 6", "a:u16", "y:u16"),
    "square": case_of("y = (a * sigmoid(-a)) ** 2 - b", "a:u16 b:u16", "y:u16"),
    "sums": case_of("y = (a + b) * max(c, a - b)", "a:u16 b:s16 c:u16", "y:u16"),
    "wave": case_of("y = sin(a) * b", "a:u16 b:u16", "y:u16"),
    "far_wave": case_of("y = cos(0.01 * a - 3000000.0) * b", "a:u16 b:u16", "y:u16"),
    "turns": case_of("y = (1 - cos(p * a + 0.3) ** 2) * b - a * sin(a)", "a:s16 b:u16", "y:s16", "p"),
    "waves": case_of(
        "y = (sin(max(a, 0)) + cos(max(b, 0)) + sin(max(c, 0)) + cos(max(d, 0))) * e",
        "a:u16 b:u16 c:u16 d:u16 e:u16",
        "y:s16",
    ),
    "power": case_of("y = a ** 1.7 * b", "a:u16 b:s16", "y:s16"),
    "root": case_of("y = a ** 1.5 * b", "a:u16 b:u16", "y:u16"),
    "bent": case_of("y = 0.5 * a * (1 + tanh(0.79788456 * (a + 0.044715 * a ** 3))) * b", "a:u16 b:u16", "y:u16"),
    "elu": case_of("y = where(a > 0, a, p * (exp(min(a, 0)) - 1)) * b", "a:s16 b:u16", "y:s16", "p"),
    "sides": case_of("y = where(a < 0, exp(a) - 1, a * sigmoid(a)) * b + sigmoid(max(a, 0))", "a:u16 b:u16", "y:u16"),
    "of_sum": case_of("y = sigmoid(a + b) * c", "a:u16 b:s16 c:u16", "y:u16"),
    "bias": case_of("y = (a + b) * sigmoid(1.7 * (a + b)) * c - a", "a:s16 b:u16[C] c:s16", "y:s16"),
    "softplus": case_of("y = log(1 + exp(p * a - b)) + tanh(a * b + 1)", "a:u16 b:u16", "y:u16", "p"),
    "of_bytes": case_of("y = tanh(a - b) * c", "a:u8 b:s8 c:u8", "y:u8"),
    "bytes": case_of("y = exp(a) * b", "a:u16 b:s8", "y:s8"),
}
NAMES, CASES = list(OPS), list(OPS.values())
ENDS = [name for name in NAMES if name != "bytes"]  # an exponential goes beyond all scales
N = 65536


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Kit:
    return Kit(tmp_path_factory.mktemp("words"), [case.unit for case in CASES])


def call_of(name: str, rng: np.random.Generator, scales: tuple[float, float], shrink: float = 1.0) -> Call:
    """All elements of the first input, some or an end of the others; the output covers the range of random elements, or
    `shrink` of that. `scales`: powers of 2 between which those of 16-bit inputs are."""
    case = OPS[name]
    snippet, lowered = case.unit.snippet, case.unit.lowered
    assert lowered is not None
    inputs, spread, found = {}, {}, {}
    fixed = frozenset(o.name for o in snippet.inputs if o.may_broadcast)
    for at, o in enumerate(snippet.inputs):
        low, high = o.storage.limits
        middle, n = (low + high + 1) // 2, lowered.step if o.name in fixed else N
        power = rng.uniform(*scales) + 16 - o.storage.bits
        zeros = [low] if name in ("power", "root") and at == 0 else [low, high, middle, middle, middle + 77]
        found[o.name] = (float(np.float32(2.0**power)), int(rng.choice(zeros)))
        spread[o.name] = rng.integers(low, high + 1, n).astype(NUMPY[o.storage])
        some = np.full(n, rng.choice([low, high, found[o.name][1]])) if rng.random() < 0.6 else spread[o.name]
        inputs[o.name] = (np.resize(np.arange(low, high + 1), n) if at == 0 else some).astype(NUMPY[o.storage])
    call = Call(NAMES.index(name), spread, -1, found, {p.name: 0.75 for p in snippet.params}, fixed)
    values = exact(case, call)["y"]
    least, most = min(float(values.min()), 0.0), max(float(values.max()), 1e-30)
    low, high = snippet.outputs[0].storage.limits
    scale = float(np.float32(max((most - least) * shrink / (high - low), 1e-30)))
    found["y"] = (scale, int(np.clip(round(low - least * shrink / scale), low, high)))
    return replace(call, inputs=inputs)


def taken_of(kit: Kit, name: str, calls: list[Call]) -> int:
    case: Case = OPS[name]
    taken = 0
    for call, got in zip(calls, kit.run(calls), strict=True):
        if got is not None:
            taken += 1
            assert distances(case, call, got)["y"].max() <= 1, (call.scales, call.params)
    return taken


@pytest.mark.parametrize("name", NAMES)
def test_scales_of_models(kit: Kit, name: str) -> None:
    """Nearly all calls are taken, of outputs that end before the results do, too; of what bends without end at 0, as long as
    these are no finer than half of that."""
    rng = np.random.default_rng(len(name))
    calls = [call_of(name, rng, (-14, -11), shrink) for shrink in (1.0, 0.5, 0.125) for _ in range(3)]
    assert taken_of(kit, name, calls) >= {"root": 6}.get(name, 8)


@pytest.mark.parametrize("name", ENDS)
def test_wide_inputs(kit: Kit, name: str) -> None:
    """Functions go on as lines, or end."""
    rng = np.random.default_rng(20 + len(name))
    calls = [call_of(name, rng, (-9, -3)) for _ in range(8)]
    taken = taken_of(kit, name, calls)
    assert taken >= {"waves": 0, "gates": 7, "hard": 4, "square": 1, "softplus": 0, "of_bytes": 4}.get(name, 7)


@pytest.mark.parametrize("name", ["swiglu", "geglu", "channels", "gates", "sum", "bent", "sides"])
def test_steps_of_more_than_a_piece(kit: Kit, name: str) -> None:
    """Of a function that ends within 256 elements each one has its own result, however coarse they are."""
    rng = np.random.default_rng(60 + len(name))
    calls = [call_of(name, rng, (-4, 6), shrink) for shrink in (1.0, 0.3) for _ in range(4)]
    assert taken_of(kit, name, calls) >= 7


@pytest.mark.parametrize("name", ENDS)
def test_extreme_scales(kit: Kit, name: str) -> None:
    rng = np.random.default_rng(40 + len(name))
    calls = [call_of(name, rng, (-25, 6), shrink) for shrink in (1e-4, 0.1, 1.0, 50.0) for _ in range(2)]
    taken_of(kit, name, calls)


def test_sums_of_coarse_curves_stay_in_words(kit: Kit) -> None:
    """Where pieces are so long that cubics rise above what they stand for, at the largest other factor."""
    rng, scale = np.random.default_rng(1), float(np.float32(2.0**-7.3))
    angles = np.arange(65536) * scale
    peaks = {name: np.argsort(-np.sin(angles) if name in "ac" else -np.cos(angles))[:20000] for name in "abcd"}
    inputs = {name: rng.choice(peak, N).astype(np.uint16) for name, peak in peaks.items()}
    inputs["e"] = np.full(N, 65535, np.uint16)
    scales = {**dict.fromkeys("abcd", (scale, 0)), "e": (2.0**-16, 0), "y": (0.4, 0)}
    assert taken_of(kit, "waves", [Call(NAMES.index("waves"), inputs, -1, scales)]) == 1


@pytest.mark.parametrize(
    ("compute", "why"),
    [
        ("sin(a - a ** 3) * b", "'sin' has no"),  # falls, rises and falls
        ("sigmoid(a * exp(min(a, 0))) * b", "of others"),  # of more than a part of the input
        ("where(a > 0, exp(a), a * sigmoid(a)) * b", "differ where the choice changes"),
        ("sin(a + b) * b", "'sin' has no"),  # comes back to its results
        ("tanh(max(a, b)) * b", "of extremes"),
        ("tanh(a + sigmoid(b)) * b", "of others"),
        ("where(a > 0, exp(p * a), 1 + a) * b", "of params"),
    ],
)
def test_other_functions_are_no_curves(compute: str, why: str) -> None:
    params = "p" if "p *" in compute else ""
    assert why in refusal_of(f"y = {compute}", "a:u16 b:u16", "y:u16", params)


@pytest.mark.parametrize("compute", ["a * sigmoid(p) + b", "a * p ** 2.5 - b"])
def test_functions_of_params_are_factors(compute: str) -> None:
    made = case_of(f"y = {compute}", "a:u16 b:u16", "y:u16", "p").unit.lowered
    assert made is not None
    assert {member.type.rpartition("::")[2] for member in made.members} == {"WideSum", "int32_t"}


def test_bytes_of_curves_are_said_to_be_made_in_words() -> None:
    made = OPS["bytes"].unit.lowered
    assert made is not None
    assert made.title == "fixed point in 32-bit lanes, smooth functions in cubics of 128 pieces"


@pytest.mark.parametrize("arch", ["v66", "v73"])
def test_hexagon_computes_what_the_host_does(kit: Kit, tmp_path_factory: pytest.TempPathFactory, arch: str) -> None:
    names = ["swiglu", "channels", "gates", "hard", "sums", "sides", "bias", "of_bytes", "turns"]
    hexagon = Kit(tmp_path_factory.mktemp("words_hexagon"), [OPS[name].unit for name in names], arch=arch)
    rng = np.random.default_rng(9)
    calls = [call_of(name, rng, (-14, -11)) for name in names for _ in range(2)]
    calls = [
        replace(c, inputs={o: a if o in c.fixed else a[::61] for o, a in c.inputs.items()}, shift=s)
        for c, s in zip(calls, [0, 2] * len(names), strict=True)
    ]
    there = [replace(call, unit=names.index(NAMES[call.unit])) for call in calls]
    for wanted, got in zip(kit.run(calls), hexagon.run(there), strict=True):
        assert wanted is not None
        assert got is not None
        np.testing.assert_array_equal(wanted["y"], got["y"])
