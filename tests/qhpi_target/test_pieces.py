"""What does not fit the TCM in one piece: validators refuse what the backend does not finalize, and nothing else."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import qlib
from qlib import Call, P, Project, T

from opkg.spec.dtypes import DTYPES
from opkg.verify.judge.results import RawResult

MOST = 4 << 20
CHECKS = (
    "void expect_piece(const char* name, const TensorInfo& tensor, uint32_t whole) {\n",
    "void expect_images(const char* name, const TensorInfo& tensor) {\n",
)


@cache
def project() -> Project:
    return qlib.built(qlib.spec_of(qlib.HERE / "specs" / "pieces.yaml"))


@cache
def unchecked() -> Project:
    """The same package, whose validators do not look at sizes."""
    unseen = "    if (name != nullptr || tensor) return;\n"
    return qlib.unchecked(project(), [("op_pieces.h", check, f"{check}{unseen}") for check in CHECKS])


def tensor(dtype: str, shape: tuple[int, ...], static: bool = False) -> T:
    return T(DTYPES[dtype], shape, (0.5, 0) if "fixed" in dtype else None, static)


def call(op: str, dtype: str, *shapes: tuple[int, ...], keep: bool = True) -> Call:
    inputs = tuple(tensor(dtype, shape) for shape in shapes)
    if op == "Rank":
        shape = shapes[0][:-1] + (1,) * keep or (1,)
        return Call(op, inputs, (tensor("int32", shape),), (P("keep", DTYPES["bool8"], keep),))
    return Call(op, inputs, (tensor(dtype, tuple(np.broadcast_shapes(*shapes))),))


def above(*shape: int) -> Call:
    """With an input that lacks the last dimension, which is reduced."""
    tensors = [tensor("float32", dims) for dims in (shape, shape[:-1], shape[:-1])]
    return Call("Above", tuple(tensors[:2]), (tensors[2],))


def outcome(result: RawResult) -> str:
    """Kernels by hand are stubs, which refuse to compute: a graph that was finalized ends in execute."""
    if result.status == "rejected":
        assert "cannot be cut into tiles" in qlib.reason(result)
        return "refused"
    if result.stage == "finalize":
        assert (result.status, result.code) == ("error", 1002), (result.status, result.message)
        return "1002"
    return "prepared"


def disagreements(calls: list[Call], tmp: Path) -> tuple[list[str], set[str]]:
    """Calls that are accepted and not prepared, or refused and prepared all the same."""
    found, seen = [], set()
    checked, real = (qlib.run(p, calls, tmp / p.root.name, "htp") for p in (project(), unchecked()))
    for each, said, done in zip(calls, map(outcome, checked), map(outcome, real), strict=True):
        seen.add(f"{each.op} {said}")
        if (said, done) not in (("prepared", "prepared"), ("refused", "1002")):
            found.append(f"{each.op} {[(str(t.dtype), t.shape) for t in each.inputs]} {each.params}: {said}, {done}")
    return found, seen


K = 1024
AROUND = [
    *(call("Shuffle", "float32", s) for s in ((K * K,), (K * K + 1,), (2, 64, 64, 128), (1, 65, 128, 127))),
    *(call("Shuffle", "ufixed8", s) for s in ((2, 2, 64, 128, 128), (2, 2, 65, 128, 128), (4096, K), (4097, K))),
    call("Shuffle", "float16", (1, 129, 128, 128)),
    call("Shuffle", "int32", (3, 350, 999)),
    call("Blend", "float32", (8, 128, K), (8, 128, K)),
    call("Blend", "float32", (8, 1, K), (129, K)),  # the output alone is large
    call("Blend", "ufixed16", (8, 1, K), (8, 257, K)),
    *(
        call("Rank", "ufixed8", s, keep=False)
        for s in ((110, 7, 44, 257), (4200000, 1), (76, 69000), (2, 4 * K * K + 1))
    ),
    *(call("Rank", "float32", s) for s in ((3, K * K), (3, K * K + 1), (5, 3, 7, 11, 1000), (5, 3, 7, 11, 1001))),
    *(call("Soften", "ufixed8", s) for s in ((9, 17, 33, 1000), (1, 5, 3, 1000, 280), (2, 5, 3, 1000, 150))),
    *(call("Lower", "float32", s, (1,)) for s in ((5, 2, 3, 400, 200), (K * K + 77,), (3, 2100000))),
    call("Lower", "float32", (1, 3, 1, 4, 1), (64, 1, 64, 1, 256)),
    call("Lower", "float32", (1, 3, 1, 4, 1), (64, 1, 65, 1, 256)),
    *(above(*s) for s in ((1156500, 2), (2, 578250, 2), (2, 3, 192750, 2), (2, 25, 3, 7710, 2), (2, 5, 4, 19, 99))),
]


@pytest.mark.htp
def test_validators_agree_with_the_backend(tmp_path: Path) -> None:
    found, seen = disagreements(AROUND, tmp_path)
    assert not found
    ops = {each.op for each in AROUND}
    assert seen >= {f"{op} {said}" for op in ops for said in ("prepared", "refused")}


IMAGES = [  # shape, element type, whether it is taken
    ((7, 9, 13, 640), "sfixed16", True),
    ((7, 9, 13, 641), "sfixed16", False),
    ((1, 9, 13, 9000), "sfixed16", True),
    ((3, 5, 7, 11, 500), "sfixed16", True),
    ((129, 16, 16, 127), "sfixed8", True),
    ((129, 16, 16, 128), "sfixed8", False),
    ((128, 16, 16, 130), "sfixed8", True),
    ((2050, 2, 2, 520), "sfixed8", False),
]


@pytest.mark.htp
def test_several_images_of_signed_elements_have_a_limit(tmp_path: Path) -> None:
    calls = [call("Halve", dtype, dims) for dims, dtype, _ in IMAGES]
    for (dims, dtype, taken), result in zip(IMAGES, qlib.run(project(), calls, tmp_path, "htp"), strict=True):
        if taken:
            assert result.status == "ok", (dims, dtype, result.message)
        else:
            bytes_ = np.prod(dims) * (DTYPES[dtype].bits // 8)
            text = f"{bytes_} bytes of 'x' in {dims[0]} images: of signed elements HTP takes at most"
            assert text in qlib.reason(result), (dims, dtype)
    (real,) = qlib.run(unchecked(), calls[-1:], tmp_path / "unchecked", "htp")
    assert (real.stage, real.code) == ("finalize", 1002)


BESIDE = [  # shape, axis, whether it is taken
    ((2, 24, 21, 7, 128), -5, True),
    ((2, 36, 21, 7, 128), -5, False),
    ((2, 36, 21, 7, 128), -4, False),
    ((2, 49, 21, 7, 128), -3, True),
    ((1, 49, 147, 256), -1, True),
]


@pytest.mark.htp
def test_signed_elements_of_five_dimensions_lie_beside_their_copies(tmp_path: Path) -> None:
    calls = [
        replace(call("Centre", "sfixed16", dims), params=(P("axis", DTYPES["int32"], axis),))
        for dims, axis, _ in BESIDE
    ]
    for each, result in zip(BESIDE, qlib.run(project(), calls, tmp_path, "htp"), strict=True):
        assert outcome(result) == ("prepared" if each[2] else "refused"), (each, result.message)
    real = qlib.run(unchecked(), calls[1:3], tmp_path / "unchecked", "htp")
    assert [outcome(result) for result in real] == ["1002", "1002"]


def shape(draw: random.Random, rank: int, elements: float) -> tuple[int, ...]:
    dims = [1] * rank
    for at in draw.sample(range(1, rank), rank - 1) if rank > 1 else ():
        dims[at] = max(1, round(elements ** draw.uniform(0.1, 0.6)))
        elements /= dims[at]
    dims[0] = max(1, int(elements))
    if rank > 2 and dims[0] > 64:  # images are tiles of their own: thousands of them take the backend minutes
        dims[0], dims[-2] = 1, dims[-2] * dims[0]
    return tuple(dims)


@pytest.mark.htp
@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(3))
def test_random_sizes_around_the_limit(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    calls = []
    for number in range(40):
        op = ("Shuffle", "Blend", "Rank", "Soften", "Lower")[number % 5]
        dtype = draw.choice(("float32", "ufixed8" if op != "Blend" else "ufixed16"))
        size = DTYPES[dtype].bits // 8
        dims = shape(draw, draw.randint(1, 5), draw.uniform(0.7, 2.2) * MOST / size)
        others = [tuple(d if draw.random() < 0.6 else 1 for d in dims)] if op in ("Blend", "Lower") else []
        calls.append(call(op, dtype, dims, *others, keep=draw.random() < 0.5 or len(dims) == 1))
    found, _ = disagreements(calls, tmp_path)
    assert not found
