"""Imported packages of C++ compute what the packages computed: originals and imports on seeded inputs, on the host."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from cpp_kit import OWN, Case, Pair, one_op, pair, scalar

SHAPES = ((1,), (17,), (2, 100), (3, 1, 5), (1, 3, 5, 17), (2, 1, 1, 1000))
U8, U16, S8, S16 = (0.05, -10), (0.001, -20000), (0.05, 3), (0.002, -5)


def values(dtype: str, shape: tuple[int, ...], seed: int = 7) -> np.ndarray:
    """Seeded stored numbers over all of a type, with zeros and both ends."""
    random = np.random.default_rng(seed)
    if dtype in ("f32", "f16"):
        return (random.standard_normal(shape) * 3).astype(np.float32 if dtype == "f32" else np.float16)
    kind = {"u8": np.uint8, "u16": np.uint16, "s8": np.int8, "s16": np.int16, "i32": np.int32}[dtype]
    limits = np.iinfo(kind)
    low, high = (-1000, 1000) if dtype == "i32" else (limits.min, limits.max)
    return random.integers(low, high, shape, dtype=kind, endpoint=True)


def two(op: str, dtype: str, shape: tuple[int, ...], so: tuple[float, int] | None = None, name: str = "") -> Case:
    case = Case(name or f"{op}-{dtype}-{'x'.join(map(str, shape))}")
    case.input("a", dtype, values(dtype, shape), so)
    case.input("b", dtype, values(dtype, shape, 8), so)
    case.output("y", dtype, shape, so)
    return case.node(op, ["a", "b"], ["y"])


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Pair]:
    made: dict[str, Pair] = {}

    def get(name: str) -> Pair:
        if name not in made:
            beside = [str(OWN / "pools" / "Pools.xml")] if name == "pools" else []
            made[name] = pair(name, tmp_path_factory.mktemp(name), *beside)
        return made[name]

    return get


def same(pair: Pair, *cases: Case) -> None:
    """Equal numbers; with QHPI those of signed 16-bit types to the last place: it moves their zero point by 32768."""
    for case, row in zip(cases, pair.compare(*cases), strict=True):
        want = row.pop("original")
        for machine, got in row.items():
            for a, b in zip(want, got, strict=True):
                most = 1 if machine != "classic" and a.dtype == np.int16 else 0
                assert np.max(np.abs(a.astype(np.float64) - b.astype(np.float64))) <= most, f"{case.name} on {machine}"


@pytest.mark.sweep
def test_templates(built: Callable[..., Pair]) -> None:
    cases = []
    for shape in SHAPES:
        tag = "x".join(map(str, shape))
        for dtype, so in (("f32", None), ("f16", None), ("u8", U8), ("u16", U16), ("s16", S16)):
            cases.append(
                one_op(
                    "Affine", dtype, values(dtype, shape), scalar("gain", "f32", 1.5), so=so, name=f"a-{dtype}-{tag}"
                )
            )
        both = (scalar("gain", "f32", -0.5), scalar("bias", "f32", 2.0))
        cases.append(one_op("Affine", "u8", values("u8", shape), *both, so=U8, name=f"bias-{tag}"))
        rows = (*shape[:-1], 1)
        for dtype, so, out in (("f32", None, "f32"), ("u8", U8, "f32"), ("i32", None, "i32")):
            case = one_op("RowSum", dtype, values(dtype, shape), so=so, out=(out, rows, None), name=f"r-{dtype}-{tag}")
            cases.append(case)
    for rows, depth, width in ((1, 1, 1), (3, 17, 5), (2, 100, 33)):
        case = Case(f"m-{rows}-{depth}-{width}")
        case.input("a", "f32", values("f32", (1, rows, 2, depth)))
        case.input("b", "f32", values("f32", (1, 1, depth, width), 9))
        case.output("y", "f32", (1, rows, 2, width))
        cases.append(case.node("MatVec", ["a", "b"], ["y"]))
    same(built("templates"), *cases)


@pytest.mark.sweep
def test_vectors_with_prefetch(built: Callable[..., Pair]) -> None:
    cases = [
        two(op, dtype, shape, so)
        for shape in (*SHAPES, (1, 8, 8, 32), (1, 2, 3, 133))
        for op, dtype, so in (("AddI32", "i32", None), ("MaxU8", "u8", U8), ("MulF32", "f32", None))
    ]
    same(built("rows"), *cases)


@pytest.mark.sweep
def test_gates(built: Callable[..., Pair]) -> None:
    cases = [
        two(op, dtype, shape, so)
        for shape in SHAPES
        for op, dtype, so in (
            ("Gate", "f32", None),
            ("Gate", "f16", None),
            ("Gate", "u8", U8),
            ("GateRelu", "f32", None),
            ("GateRelu", "u8", U8),
        )
    ]
    same(built("gates"), *cases)


def test_names_with_dots(built: Callable[..., Pair]) -> None:
    cases = []
    for shape in SHAPES:
        tag = "x".join(map(str, shape))
        case = Case(f"mix-{tag}")
        for seed, name in enumerate("xks"):
            case.input(name, "f32", values("f32", shape, seed))
        case.output("y", "f32", shape)
        case.output("z", "f32", shape)
        cases.append(case.node("mix.f32.flat.tcm", ["x", "k", "s"], ["y", "z"], scalar("decay", "f32", 0.75)))
        out = ("u8", (*shape[:-1], 1), U8)
        cases.append(one_op("Pool_valid.tcm", "u8", values("u8", shape), so=U8, out=out, name=f"pool-{tag}"))
    same(built("dotted"), *cases)


@pytest.mark.sweep
def test_the_style_of_the_sdk(built: Callable[..., Pair]) -> None:
    cases = []
    for shape in SHAPES:
        tag = "x".join(map(str, shape))
        for dtype, so in (("f32", None), ("u8", U8)):
            cases.append(one_op("Relu", dtype, values(dtype, shape), so=so, name=f"relu-{dtype}-{tag}"))
        for dtype, so in (("f32", None), ("f16", None), ("s8", S8)):
            cases.append(one_op("ReluMinMax", dtype, values(dtype, shape), so=so, name=f"minmax-{dtype}-{tag}"))
            both = (scalar("min_value", "f32", -1.0), scalar("max_value", "f32", 1.0))
            cases.append(one_op("ReluMinMax", dtype, values(dtype, shape), *both, so=so, name=f"given-{dtype}-{tag}"))
    same(built("activations"), *cases)


@pytest.mark.sweep
def test_types_and_params_of_an_xml_beside(built: Callable[..., Pair]) -> None:
    cases = []
    for shape in [(1, 1, 1, 1), (2, 3, 1, 17), (1, 5, 3, 100)]:
        tag = "x".join(map(str, shape))
        for dtype in ("f32", "f16"):
            out = (dtype, (*shape[:-1], 1), None)
            cases.append(one_op("SumPool", dtype, values(dtype, shape), out=out, name=f"sum-{dtype}-{tag}"))
            given = scalar("factor", "f32", 0.125)
            cases.append(one_op("SumPool", dtype, values(dtype, shape), given, out=out, name=f"given-{dtype}-{tag}"))
        for dtype, so in (("f32", None), ("u8", U8)):
            case = Case(f"bias-{dtype}-{tag}")
            case.input("a", dtype, values(dtype, shape), so)
            case.input("b", dtype, values(dtype, shape[3:], 8), so)
            case.output("y", dtype, shape, so)
            cases.append(case.node("Bias", ["a", "b"], ["y"]))
    same(built("pools"), *cases)


@pytest.mark.sweep
def test_qhpi_with_slices_and_blocks(built: Callable[..., Pair]) -> None:
    cases = []
    for shape in SHAPES:
        tag = "x".join(map(str, shape))
        for dtype, so in (("f32", None), ("u8", U8)):
            both = (scalar("low", "f32", -1.0), scalar("high", "f32", 1.5))
            cases.append(one_op("Clip", dtype, values(dtype, shape), *both, so=so, name=f"clip-{dtype}-{tag}"))
        cases.append(one_op("Double", "u8", values("u8", shape), so=U8, name=f"double-{tag}"))
    same(built("clips"), *cases)


@pytest.mark.sweep
def test_blocks_beside_flat_tensors(built: Callable[..., Pair]) -> None:
    cases = []
    for shape in SHAPES:
        tag = "x".join(map(str, shape))
        cases.append(one_op("Half", "f16", values("f16", shape), name=f"half-{tag}"))
        for dtype, so in (("f16", None), ("u16", U16)):
            cases.append(one_op("Mirror", dtype, values(dtype, shape), so=so, name=f"mirror-{dtype}-{tag}"))
    same(built("vectors"), *cases)


@pytest.mark.sweep
def test_plain_functions_axes_and_params_as_tensors(built: Callable[..., Pair]) -> None:
    cases = []
    for shape in [(1, 1, 1, 1), (2, 3, 1, 17), (1, 5, 3, 100)]:
        tag = "x".join(map(str, shape))
        for dtype, so in (("f32", None), ("u8", U8)):
            out = ("i32", (*shape[:-1], 1), None)
            axis = scalar("axis", "i32", 3)
            cases.append(one_op("ArgMax", dtype, values(dtype, shape), axis, so=so, out=out, name=f"arg-{dtype}-{tag}"))
        cases.append(one_op("AddInt", "i32", values("i32", shape), scalar("bias", "i32", -7), name=f"add-{tag}"))
    same(built("legacy"), *cases)
