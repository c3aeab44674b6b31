"""rows.h: elementwise kernels over whole tensors, on the host and in qemu, between unmapped pages, against numpy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kernels_rows_kit import (
    FIVE,
    HALF,
    KERNELS,
    MIXED,
    MIXED_TURNS,
    NOTHING,
    PLAIN,
    STRICT,
    THREE,
    TRAPPED,
    TWO,
    WORD,
    Case,
    Kernel,
    Program,
)

SIZES = (1, 2, 127, 128, 129, 255, 256, 257, 4096 + 37)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Program:
    return Program(tmp_path_factory.mktemp("rows"))


@pytest.fixture(scope="module", params=["v66", "v73"])
def hexagon(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Program:
    return Program(tmp_path_factory.mktemp("rows"), request.param)


def lines() -> Iterator[Case]:
    """Rows of every size, aligned and not, at both ends of the memory, whole and in slices."""
    rng = np.random.default_rng(3)
    for kernel in KERNELS:
        count = len(kernel.inputs) + len(kernel.outputs)
        for size in SIZES:
            shapes = ((size,),) * (len(kernel.inputs) + 1)
            for high in (False, True):
                yield Case(kernel, shapes, high=high)
                shift = tuple(4 * int(x) for x in rng.integers(0, 32, count))
                yield Case(kernel, shapes, shift, high=high, slices=int(rng.integers(1, 5)))
                yield Case(kernel, shapes, shift, high=high, vectors=False)
    for shift in range(1, 128):  # bytes at every address
        yield Case(THREE, ((301,),) * 4, (shift, 127 - shift, 3 * shift % 128, 5 * shift % 128), high=shift % 2 == 0)


def test_rows_of_any_size_and_place(host: Program) -> None:
    host.check(list(lines()))


def test_rows_of_any_size_and_place_on_hexagon(hexagon: Program) -> None:
    hexagon.check(list(lines()))


@st.composite
def broadcasts(draw: st.DrawFn) -> Case:
    """Shapes of ranks 1 to 6 whose inputs broadcast to the output."""
    kernel: Kernel = draw(st.sampled_from(KERNELS))
    rank = draw(st.integers(1, 6))
    extent = st.sampled_from((1, 2, 3, 5, 8, 32, 33, 100, 128, 256, 600))
    shape = draw(st.lists(extent, min_size=rank, max_size=rank))
    while np.prod(shape) > 60000:
        shape[shape.index(max(shape))] = draw(st.sampled_from((1, 2, 3, 4)))
    shapes = []
    for _ in kernel.inputs:
        kept = draw(st.lists(st.booleans(), min_size=rank, max_size=rank))
        own = [e if keep else 1 for e, keep in zip(shape, kept, strict=True)]
        while own and own[0] == 1 and draw(st.booleans()):
            own.pop(0)
        shapes.append(tuple(own))
    count = len(kernel.inputs) + len(kernel.outputs)
    shift = tuple(4 * x for x in draw(st.lists(st.integers(0, 31), min_size=count, max_size=count)))
    return Case(
        kernel, (*shapes, tuple(shape)), shift if draw(st.booleans()) else (), (), draw(st.integers(0, 9)) > 0,
        draw(st.booleans()), draw(st.integers(1, 4)), False, draw(st.integers(0, 99)),
    )  # fmt: skip


@settings(deadline=None, max_examples=12, suppress_health_check=list(HealthCheck))
@given(cases=st.lists(broadcasts(), min_size=1, max_size=60))
def test_broadcasting(host: Program, cases: list[Case]) -> None:
    host.check(cases)


def test_patterns_that_stay_where_they_are_without_vectors(hexagon: Program) -> None:
    """Patterns of a power of two are read from their tensors in an aligned row: also when it is done again, or not by
    vector code at all."""
    cases = [
        Case(kernel, ((rows, period), (period,), own, (rows, period)), vectors=vectors, seed=1, slices=slices)
        for kernel in (THREE, TRAPPED, HALF, WORD)
        for period, rows in ((1, 2), (1, 300), (2, 7), (32, 9), (64, 33), (128, 3))
        for own in ((1,), (rows, period), (period,))
        for vectors in (True, False)
        for slices in (1, 3)
    ]
    hexagon.check(cases)


@settings(deadline=None, max_examples=3, suppress_health_check=list(HealthCheck))
@given(cases=st.lists(broadcasts(), min_size=20, max_size=60))
def test_broadcasting_on_hexagon(hexagon: Program, cases: list[Case]) -> None:
    hexagon.check(cases)


def all_forms() -> Iterator[Case]:
    """Every way in which three inputs of ranks 1 to 4 broadcast or do not, in every dimension."""
    for rank, extents in enumerate(((200,), (7, 96), (3, 5, 33), (2, 3, 4, 32)), 1):
        for mask in range(1 << min(3 * rank, 10)):
            shapes = [tuple(1 if mask >> (i * rank + k) & 1 else e for k, e in enumerate(extents)) for i in range(3)]
            yield Case(THREE, (*shapes, extents))


def test_all_forms_of_broadcasting(host: Program) -> None:
    found = host.check(list(all_forms()))
    assert all(got.vector_calls for got in found), "the vector code serves them all"
    assert not any(got.portable_calls for got in found)


def test_all_forms_of_broadcasting_on_hexagon(hexagon: Program) -> None:
    hexagon.check(list(all_forms()))


def channels() -> Iterator[Case]:
    """One or two inputs with a number for each channel, few rows of them and more, all tensors at any place."""
    for kernel, of_bytes in ((THREE, 1), (HALF, 2), (WORD, 4)):
        for number, c in enumerate((1, 2, 3, 4, 7, 8, 16, 17, 32, 64, 96, 100, 128, 200, 256, 1000, 1001, 1280, 4100)):
            for rows in (1, 5, 3000 // c + 2):
                shape, places = (rows, c), tuple([of_bytes * (7 * number + 5 * i) % 128 for i in range(4)])
                for shapes in ((shape, (c,), shape, shape), ((1, c), shape, (c,), shape)):
                    alone = tuple([0 if of == shape else place for of, place in zip(shapes, places, strict=True)])
                    for shift in ((), places, (*places[:3], 0), (16, 16, 0, 16), alone):
                        yield Case(kernel, (*shapes,), shift=shift, slices=1 + number % 2)
                yield Case(kernel, (shape, (c,), (1,), shape), shift=places, slices=1 + number % 3, in_place=True)


def one_of_two_repeats() -> Iterator[Case]:
    """Numbers for each channel as one of two inputs, read from memory in turns, all tensors at any place."""
    for number, c in enumerate((1, 3, 17, 32, 96, 100, 160, 256, 1000, 1280, 2500)):
        for rows in (1, 5, 9000 // c + 2):
            shape, places = (rows, c), tuple([(7 * number + 5 * i) % 128 for i in range(3)])
            for shapes in ((shape, (c,), shape), ((1,), shape, shape)):
                for shift in ((), places, (0, places[1], 0), (16, 16, 16)):
                    yield Case(TWO, shapes, shift=shift, slices=1 + number % 2, seed=c)
            yield Case(TWO, (shape, (c,), shape), shift=places, slices=1 + number % 3, in_place=True)
            yield Case(MIXED_TURNS, (shape, (c,), shape), shift=(places[0], 18, 2 * places[1] % 128, 5))
            yield Case(MIXED_TURNS, ((c,), shape, shape))


@st.composite
def strips(draw: st.DrawFn) -> Case:
    """Rows of patterns of any period, all operands at any place, also with the result in place of an input."""
    kernel: Kernel = draw(st.sampled_from((THREE, HALF, WORD, FIVE, MIXED)))
    c = draw(st.one_of(st.integers(1, 300), st.integers(1, 3000)))
    rows = draw(st.integers(1, max(2, 20000 // c)))
    shape = draw(st.sampled_from(((rows, c), (2, rows, c), (rows, 2, c))))
    kinds = [shape, (c,), (1,), (1, c), (shape[-2], c)[-len(shape) :]]
    shapes = [shape, *(draw(st.sampled_from(kinds)) for _ in kernel.inputs[1:])]
    in_place = kernel is not MIXED and draw(st.booleans())
    widest = max(np.dtype(t).itemsize for t in (*kernel.inputs, *kernel.outputs))
    count = len(kernel.inputs) + len(kernel.outputs)
    places = st.lists(st.integers(0, 127 // widest), min_size=count, max_size=count)
    shift = tuple(widest * x for x in draw(places)) if draw(st.booleans()) else ()
    slices, seed = draw(st.integers(1, 4)), draw(st.integers(0, 99))
    return Case(kernel, (*shapes, shape), shift, slices=slices, high=draw(st.booleans()), in_place=in_place, seed=seed)


@settings(deadline=None, max_examples=8, suppress_health_check=list(HealthCheck))
@given(cases=st.lists(strips(), min_size=1, max_size=60))
def test_strips(host: Program, cases: list[Case]) -> None:
    assert not any(got.portable_calls for got in host.check(cases))


def test_strips_of_long_rows_on_hexagon(hexagon: Program) -> None:
    """Rows that are longer than what is gone through at a time (256 KB), in whole periods of it and not."""
    shapes = (THREE, (600, 1000)), (THREE, (4000, 100)), (THREE, (900, 384)), (WORD, (600, 130)), (HALF, (3000, 65))
    cases = [
        Case(kernel, (shape, shape[1:], (1,), shape), shift=(4 * k, 8, 0, 12 * k), slices=1 + 2 * k)
        for kernel, shape in shapes
        for k in (0, 1)
    ]
    assert not any(got.portable_calls for got in hexagon.check(cases))


@settings(deadline=None, max_examples=2, suppress_health_check=list(HealthCheck))
@given(cases=st.lists(strips(), min_size=20, max_size=60))
def test_strips_on_hexagon(hexagon: Program, cases: list[Case]) -> None:
    assert not any(got.portable_calls for got in hexagon.check(cases))


def test_one_of_two_repeats(host: Program) -> None:
    assert not any(got.portable_calls for got in host.check(list(one_of_two_repeats())))


def test_one_of_two_repeats_on_hexagon(hexagon: Program) -> None:
    assert not any(got.portable_calls for got in hexagon.check(list(one_of_two_repeats())))


def test_channels(host: Program) -> None:
    found = host.check(list(channels()))
    assert not any(got.portable_calls for got in found)


def test_channels_on_hexagon(hexagon: Program) -> None:
    found = hexagon.check(list(channels()))
    assert not any(got.portable_calls for got in found)


@pytest.mark.parametrize(
    ("shapes", "calls"),
    [
        (((8, 8, 8, 32), (8, 8, 8, 32), (1,), (8, 8, 8, 32)), 1),  # all dimensions become one row
        (((8, 8, 8, 32), (32,), (1, 1, 1, 32), (8, 8, 8, 32)), 1),  # a run of channels is a pattern
        (((64, 512), (64, 1), (512,), (64, 512)), 64),  # long rows as they are
        (((100, 3), (3,), (1,), (100, 3)), 1),  # three channels: a strip of 42 rows and what is left
        (((9, 1000), (1000,), (1,), (9, 1000)), 8),  # a thousand channels: eight strips
        (((2, 4000), (4000,), (4000,), (2, 4000)), 3),  # too few rows for strips; one has elements in front of a vector
        (((4, 640), (4, 1), (4, 1), (4, 640)), 4),
        (((4, 600), (4, 1), (4, 1), (4, 600)), 4),  # at any address
        (((5000, 4), (5000, 1), (5000, 4), (5000, 4)), 2),  # short rows: copied, in two parts
    ],
)
def test_number_of_calls(host: Program, shapes: tuple[tuple[int, ...], ...], calls: int) -> None:
    (got,) = host.check([Case(THREE, shapes)])
    assert (got.vector_calls, got.portable_calls) == (calls, 0)


def test_more_patterns_than_instances(host: Program) -> None:
    shapes = ((9, 9000), (9, 1), (1,), (9, 9000), (1, 1), (9, 9000))
    (got,) = host.check([Case(FIVE, shapes)])
    assert got.vector_calls > 9, "what is no pattern is copied in parts"
    host.check([Case(STRICT, (shapes[0], shapes[1], shapes[2], shapes[0]))])


def test_a_kernel_without_vectors(host: Program) -> None:
    (got,) = host.check([Case(PLAIN, ((4, 300), (4, 1), (4, 300)))])
    assert (got.vector_calls, got.portable_calls) == (0, 4)
    (got,) = host.check([Case(THREE, ((4, 300),) * 4, vectors=False)])
    assert (got.vector_calls, got.portable_calls) == (0, 1)


def test_rows_that_are_computed_again(host: Program) -> None:
    cases = [
        Case(TRAPPED, ((5, size), (5, size), (size,), (5, size)), seed=seed)
        for size in (100, 1000, 3000)
        for seed in range(4)
    ]
    found = host.check(cases)
    for case, got in zip(cases, found, strict=True):
        assert (got.portable_calls > 0) == (255 in case.arrays[0])


def test_in_place(host: Program) -> None:
    cases = [
        Case(kernel, (shape, (1,), shape, shape), slices=slices, in_place=True)
        for kernel in (THREE, STRICT, HALF, WORD)
        for shape in ((1000,), (3, 700), (20, 33), (2, 2, 2, 64))
        for slices in (1, 3)
    ]
    host.check(cases)


def test_nothing_to_do(host: Program) -> None:
    found = host.check([Case(THREE, ((0,), (1,), (0,), (0,))), Case(THREE, ((3, 0), (3, 1), (1, 1), (3, 0)))])
    assert all(got.vector_calls + got.portable_calls == 0 for got in found)
    host.check([Case(NOTHING, ((),)), Case(WORD, ((), (), (), ()))])


def test_slices_end_at_whole_lines(host: Program) -> None:
    """Threads never write to the same 128 bytes: 2000 bytes are 16 lines, at most 4 slices of 4 lines."""
    (got,) = host.check([Case(THREE, ((2000,),) * 4, slices=4)])
    assert got.vector_calls == 4
    (got,) = host.check([Case(THREE, ((100,),) * 4, slices=4)])
    assert got.vector_calls == 1, "one line is one slice"


def test_shapes_that_do_not_broadcast(host: Program) -> None:
    bad = [
        Case(THREE, ((3, 4), (2, 4), (4,), (3, 4))),
        Case(THREE, ((5, 3, 4), (3, 4), (4,), (3, 4))),
        Case(THREE, ((8, 8, 8, 32), (1, 1, 1, 16), (1,), (8, 8, 8, 32)), crouton=(True, True, False, True)),
    ]
    assert [got.status for got in host.run(bad)] == [1, 1, 1]
    assert [got.vector_calls + got.portable_calls for got in host.run(bad)] == [0, 0, 0]


def croutons() -> Iterator[Case]:
    every = (True,) * 5
    for shape in ((1, 8, 8, 32), (2, 8, 8, 64), (1, 9, 5, 33), (1, 1, 1, 1), (1, 17, 12, 100)):
        channels, one = (1, 1, 1, shape[3]), (1, 1, 1, 1)
        for kernel in (THREE, HALF, WORD, TRAPPED):
            for b in (shape, channels, one, (1, shape[1], 1, shape[3]), (*shape[:3], 1), (shape[0], 1, 1, shape[3])):
                base = Case(kernel, (shape, b, shape, shape), crouton=every[:4])
                yield base
                yield replace(base, slices=3, vectors=False)
                yield replace(base, shapes=(shape, b, channels, shape), in_place=True)
        yield Case(THREE, (shape, (shape[3],), (), shape), crouton=(True, False, False, True))
        yield Case(THREE, (shape, shape, shape, shape), crouton=(False, True, False, True))
        yield Case(THREE, (shape, shape, shape, shape), crouton=(True, True, False, False), slices=2)
        for kernel in (THREE, HALF, WORD):
            yield Case(kernel, (shape, (1, *shape[1:]), (1, 1, *shape[2:]), shape), crouton=every[:4], slices=2)
            yield Case(kernel, (shape, (*shape[1:3], 1), shape[2:], shape), crouton=(True, False, False, True))
            yield Case(kernel, (shape, (*shape[:2], 1, 1), (1, 1, shape[2], 1), shape), crouton=every[:4])
            yield Case(
                kernel,
                (shape, (*shape[:2], 1, shape[3]), (shape[0], 1, 1, 1), shape),
                crouton=(True, False, False, True),
            )
        yield Case(MIXED, (shape, shape, shape), crouton=every[:4])
        yield Case(MIXED, (shape, channels, shape), crouton=(True, False, True, False))


def test_croutons(host: Program) -> None:
    host.check(list(croutons()))


def test_croutons_on_hexagon(hexagon: Program) -> None:
    hexagon.check(list(croutons())[::4])


def test_croutons_are_computed_block_by_block(host: Program, hexagon: Program) -> None:
    """All blocks take one call, or one for each depth where numbers differ by channel, or for each place where they differ by
    pixel; on the host each is a row."""
    shape = (1, 16, 16, 64)
    for b, calls in ((shape, 1), ((1, 1, 1, 64), 2), ((1, 1, 1, 1), 1), ((1, 16, 16, 1), 4), ((1, 16, 1, 64), 8)):
        for program, wanted in ((hexagon, calls), (host, 8)):
            (got,) = program.check([Case(THREE, (shape, b, shape, shape), crouton=(True,) * 4)])
            assert (got.vector_calls, got.portable_calls) == (wanted, 0)
