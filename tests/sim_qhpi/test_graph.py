"""Rewrites, kernel flags, layouts and tiling."""

from collections import Counter

import numpy as np
import pytest
from simlib import Case

X = np.arange(16, dtype=np.float32).reshape(1, 1, 2, 8)


def unary(op, outputs=1, x=X, package="toy.graph", before=None, inputs=()):
    case = Case(op)
    case.input("x", "f32", x)
    if before:
        before(case)
    names = [case.output(f"y{i}", "f32", x.shape) for i in range(outputs)]
    return case.node("n0", package, op, ["x", *inputs], names)


def chain(first, second, *, show_middle):
    case = Case(f"{first}-{second}")
    case.input("x", "f32", X)
    (case.output if show_middle else case.native)("m", "f32", X.shape)
    case.output("y", "f32", X.shape)
    case.node("a", "toy.graph", first, ["x"], ["m"])
    return case.node("b", "toy.graph", second, ["m"], ["y"])


def test_early_rewrite_fuses_two_ops(machine):
    fused, kept = machine("toy_graph", [chain("Inner", "Outer", show_middle=show) for show in (False, True)]).values()
    np.testing.assert_array_equal(fused.outputs["y"], 2 * X + 1)
    np.testing.assert_array_equal(kept.outputs["y"], 2 * X + 1)
    np.testing.assert_array_equal(kept.outputs["m"], 2 * X)
    assert "producer toy.graph::Inner uses 1 for Outer 1" in fused.text
    assert "producer toy.graph::Inner uses 2 for Outer 1" in kept.text
    if machine.kind == "host":
        assert [k["kernel"] for k in fused.kernels] == ["fused"]
        assert [k["kernel"] for k in kept.kernels] == ["inner", "outer"]


def test_an_op_made_by_a_rewrite_is_rewritten_in_its_turn(machine):
    """What it replaced still counts as a user of its input at that moment."""
    result = machine.one("toy_graph", unary("Renamed"))
    np.testing.assert_array_equal(result.outputs["y0"], X + 1)
    assert "producer <internal> uses 2 for Outer 1" in result.text


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        ("Identity", X),
        ("Late", X + 7),
        ("Swap", 2 * np.roll(X, 4, axis=3)),
        ("Choice", X + 100),
        ("Options", X),
        ("InPlace", X + 5),
    ],
)
def test_rewrites_and_predicates(machine, op, expected):
    result = machine.one("toy_graph", unary(op))
    assert result.status == "ok", result.text
    np.testing.assert_array_equal(result.outputs["y0"], expected)


def test_the_predicate_decides(machine):
    odd = np.ones((1, 1, 2, 7), np.float32)
    np.testing.assert_array_equal(machine.one("toy_graph", unary("Choice", x=odd)).outputs["y0"], odd + 200)


def test_options(machine):
    text = machine.one("toy_graph", unary("Options")).text
    for line in ("tcm_size 0 16777216", "tcm_size_for_tiling 0 4194304", "hvx_threads 0 4", "no_such_option 1 -1"):
        assert f"option {line}" in text


def test_an_error_op_and_an_unknown_op(machine):
    refused, ghost = machine("toy_graph", [unary("Refuse"), unary("Ghost")]).values()
    assert (refused.stage, refused.code) == ("finalize", 1100)
    assert "toy refuses" in refused.text
    assert (ghost.stage, ghost.code) == ("finalize", 1002)
    assert "could not create op" in ghost.text


@pytest.mark.parametrize("op", ["Both", "ToTwo"])
def test_two_outputs(machine, op):
    result = machine.one("toy_graph", unary(op, 2))
    first, second = (X + 1, X + 2) if op == "Both" else (2 * X, 2 * X + 1)
    np.testing.assert_array_equal(result.outputs["y0"], first)
    np.testing.assert_array_equal(result.outputs["y1"], second)


def precomputed(*_):
    return unary("Pre", before=lambda c: c.static("g", "f32", [1, 2, 3, 4]), inputs=["g"])


def test_precomputed_data(machine):
    result = machine.one("toy_graph", precomputed())
    np.testing.assert_array_equal(result.outputs["y0"], X * np.array([1, 4, 9, 16] * 2) + 30)


def test_the_precompute_buffer_is_dirty(host):
    result = host.one("toy_graph", precomputed(), flags=("-DFORGET_TO_CLEAR",))
    assert not np.array_equal(result.outputs["y0"], X * np.array([1, 4, 9, 16] * 2) + 30)


def test_precompute_cannot_read_constants_in_tcm(host):
    """In the backend it reads whatever TCM held; the simulation shows poison."""
    result = host.one("toy_graph", precomputed(), flags=("-DPRE_PLACE=2",))
    assert not np.array_equal(result.outputs["y0"], X * np.array([1, 4, 9, 16] * 2) + 30)


def test_in_place_only_for_a_single_use(machine):
    both = Case("two-users")
    both.input("x", "f32", X)
    both.output("m", "f32", X.shape)
    both.output("y", "f32", X.shape)
    both.node("a", "toy.graph", "InPlace", ["x"], ["m"])
    both.node("b", "toy.graph", "Outer", ["x"], ["y"])
    alone, shared = machine("toy_graph", [unary("InPlace"), both]).values()
    assert "in place 1" in alone.text
    assert "in place 0" in shared.text
    np.testing.assert_array_equal(shared.outputs["y"], X + 1)


def test_slices(machine):
    result = machine.one("toy_graph", unary("Threads"), env={"OPKG_SIM_SLICES": "4"})
    np.testing.assert_array_equal(result.outputs["y0"], X + 3)
    assert f"slices {4 if machine.kind == 'host' else 1}" in result.text


def test_trace_shows_the_order_of_callbacks(host):
    trace = host.one(
        "toy_tile", unary("Tiled", x=np.ones((1, 16, 8, 32), np.float32), package="toy.tile"), "--trace"
    ).trace
    assert trace[0].startswith("shape_required n0")
    assert trace[1] == "build_tile(trial) n0 [0,0,0,0] + [1,8,2,32]"
    assert [line.split()[0] for line in trace[2:]] == [
        "build_tile(trial)",
        "build_tile",
        "build_tile",
        "execute",
        "execute",
    ]


# ---- layouts


def mark_case(dtype, shape):
    case = Case(f"{dtype}-{len(shape)}")
    so = (0.5, -3) if dtype[0] == "u" else None
    case.input("x", dtype, np.arange(np.prod(shape)).reshape(shape) % 251, so=so)
    case.output("y", dtype, shape, so=so)
    return case.node("n0", "toy.crouton", "Mark", ["x"], ["y"])


@pytest.mark.parametrize(("dtype", "shape"), [("u8", (1, 9, 10, 40)), ("u8", (2, 8, 8, 32)), ("u8", (3, 5)),
                                              ("u16", (1, 9, 10, 40)), ("i32", (1, 9, 10, 40))])  # fmt: skip
def test_croutons_are_addressed_by_their_descriptor(machine, dtype, shape):
    y = machine.one("toy_crouton", mark_case(dtype, shape)).outputs["y"]
    full = (1,) * (4 - len(shape)) + shape
    _, h, w, d = np.indices(full)
    expected = (np.arange(y.size).reshape(full) % 251 + 64 * h + 8 * w + d).astype(y.dtype)
    np.testing.assert_array_equal(y.reshape(full), expected)


def test_there_is_no_float_crouton_of_32_bits(machine):
    assert machine.one("toy_crouton", mark_case("f32", (1, 8, 8, 32))).code == 1002


@pytest.mark.parametrize(
    ("layout", "dtype", "padded", "block", "blocks"),
    [(9, "u8", "4[1,16,16,64]", "4[1,8,8,32]", 8), (10, "u16", "4[1,16,12,64]", "4[1,8,2,32]", 12),
     (10, "f16", "4[1,16,12,64]", "4[1,8,2,32]", 12), (11, "i32", "4[1,16,10,64]", "4[1,8,2,32]", 20)],
)  # fmt: skip
def test_padding_and_blocks(machine, layout, dtype, padded, block, blocks):
    case = Case("t")
    so = (0.5, -3) if dtype in ("u8", "u16") else None
    case.input("x", dtype, np.arange(3600).reshape(1, 9, 10, 40) % 100, so=so)
    case.output("y", dtype, (1, 9, 10, 40), so=so)
    case.node("n0", "toy.probe", "Dump1", ["x"], ["y"])
    kind = {"u8": 1, "u16": 2, "f16": 8, "i32": 5}[dtype]
    flags = (f"-DPROBE_LAYOUT={layout}", "-DPROBE_STORAGE=1", f"-DPROBE_TYPE={kind}")
    text = machine.one("toy_probe", case, flags=flags).text
    assert (
        f"layout={layout} place=1 shape=4[1,9,10,40] padded={padded} padding=4[0,0,0,0] block={block} blocks={blocks}"
        in text
    )


@pytest.mark.parametrize(("storage", "status", "code"), [(0, "crash", 11), (2, "crash", 11), (1, "error", 1002)])
def test_layout_any_for_an_output_kills_the_backend(machine, storage, status, code):
    result = machine.one(
        "toy_probe", unary("Dump1", package="toy.probe"), flags=("-DPROBE_LAYOUT=0", f"-DPROBE_STORAGE={storage}")
    )
    assert (result.status, result.code) == (status, code)


# ---- tiling


@pytest.mark.parametrize(
    ("shape", "flags", "tiles"),
    [
        ((1, 1, 8, 32), (), {"1,1,8,32": 1}),
        ((1, 16, 8, 32), ("-DTILE_LEGALIZE",), {"1,8,8,32": 2}),
        ((1, 20, 16, 40), (), {"1,8,16,32": 2, "1,8,16,8": 2, "1,4,16,32": 1, "1,4,16,8": 1}),
        ((3, 16, 16, 32), (), {"1,8,16,32": 6}),
        ((1, 64, 256, 128), (), {"1,8,128,32": 64}),
        ((1, 128, 128, 128), (), {"1,8,128,32": 64}),
        ((1, 64, 64, 64), ("-DTILE_REQUIRED=0,0,0,0",), {"1,8,64,64": 8}),
        ((1, 64, 64, 128), ("-DTILE_REQUIRED=0,0,0,0",), {"1,8,32,128": 16}),
    ],
)
def test_tiles(machine, shape, flags, tiles):
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    result = machine.one("toy_tile", unary("Tiled", x=x, package="toy.tile"), flags=flags)
    np.testing.assert_array_equal(result.outputs["y0"], 2 * x)
    assert Counter(line["text"].split()[1] for line in result.log if line["text"].startswith("run")) == tiles


@pytest.mark.parametrize(("width", "code"), [(128, 0), (129, 1002)])
def test_four_mebibytes_are_the_limit_without_tiles(machine, width, code):
    result = machine.one("toy_tile", unary("Whole", x=np.zeros((1, 64, 128, width), np.float32), package="toy.tile"))
    assert result.code == code
    assert ("not sufficiently tiled" in result.text) == (code != 0)
