"""Arithmetic on parts of tensors: what moves elements is a view of an input, or a part of the output (opkg/seen.h)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from kernels_kit import need_arch
from kernels_product import failures, generated, only_portable, package_of, verified
from kernels_seen import OPS, TYPES, random_last, random_op

from opkg.kernels.emit.parts import Source, parts
from opkg.kernels.portable.check import check
from opkg.kernels.snippet import Snippet
from opkg.spec.kept import keeps
from opkg.spec.model import Op
from opkg.verify.api import VerifyOptions, verify


def snippets(op: Op) -> list[Snippet]:
    names = (*(t.name for t in op.tensors), *(p.name for p in op.params))
    source = Source(op.kernels[0], "Args", dict.fromkeys(names, "float"))
    return [snippet for group in parts(op, source, False) for snippet in group]


def op_of(compute: str, inputs: str = "x: {dtype: float32, shape: [6, 8]}", output: str = "[6, 8]") -> Op:
    text = (
        f"  Op:\n    inputs: {{{inputs}}}\n    outputs: {{y: {{dtype: float32, shape: {output}}}}}\n"
        f"    compute: {compute}\n"
    )
    return package_of(text).ops[0]


@pytest.mark.parametrize(
    ("compute", "output", "views"),
    [
        ("y = tile(x[:, ::2], (1, 2))", "[6, 8]", (".range(1, opkg::kOpen, opkg::kOpen, 2).tiled({1, 2})", ".again(")),
        ("y = reshape(transpose(x, (1, 0)) * 2, (-1,))", "[48]", (".transposed({1, 0})", ".shaped(")),
        ("y = pad(x, ((0, 0), (1, 2)), 0.5)", "[6, 11]", ("", ".amid({0, 0, 1, 2})")),
    ],
)
def test_results_are_seen_as_what_is_moved_last(compute: str, output: str, views: tuple[str, str]) -> None:
    op = op_of(compute, output=output)
    (found,) = snippets(op)
    assert not found.graph.moves
    (_, _, read), *written = found.views
    assert read == f"opkg::view(op.x){views[0]}"
    assert written[0][2].startswith(f"opkg::view(op.y){views[1]}")
    assert keeps(op, op.kernels[0])


@pytest.mark.parametrize(
    ("part", "range_"),
    [
        ("D // 2:", "int64_t{op.x.dim(-1)} / 2, opkg::kOpen, 1"),
        ("-(D // 2)::2", "-(int64_t{op.x.dim(-1)} / 2), opkg::kOpen, 2"),
        (":D // 2 - 1:k", "opkg::kOpen, (int64_t{op.x.dim(-1)} / 2) - 1, static_cast<int64_t>(op.k)"),
        ("(k // 2 + 1) * 2:9 - (k // 2 + 1)", "(opkg::floor_div(static_cast<int64_t>(op.k), 2) + 1) * 2, "
         "9 - (opkg::floor_div(static_cast<int64_t>(op.k), 2) + 1), 1"),
        ("k - 1:-D // k", "static_cast<int64_t>(op.k) - 1, opkg::floor_div(-int64_t{op.x.dim(-1)}, "
         "static_cast<int64_t>(op.k)), 1"),
    ],
)  # fmt: skip
def test_ends_are_calculated_from_sizes(part: str, range_: str) -> None:
    text = (
        "  Op:\n    inputs: {x: {dtype: float32, shape: [N, D]}}\n    outputs: {y: {dtype: float32, shape: [...]}}\n"
        f"    params: {{k: {{dtype: int32, range: '>= 1'}}}}\n    compute: 'y = x[..., {part}] * 2'\n"
    )
    (found,) = snippets(package_of(text).ops[0])
    assert [view for _, _, view in found.views] == [f"opkg::view(op.x).range(-1, {range_})"]


def test_one_tensor_seen_twice_is_two_operands() -> None:
    (found,) = snippets(op_of("y = x[:, :4] * x[:, 4:]", output="[6, 4]"))
    assert not found.graph.moves
    assert [view for _, _, view in found.views] == [
        "opkg::view(op.x).range(1, opkg::kOpen, 4, 1)",
        "opkg::view(op.x).range(1, 4, opkg::kOpen, 1)",
    ]


def test_what_is_joined_is_computed_part_by_part() -> None:
    found = snippets(op_of("y = x + concat(-x[:, 3:], x[:, :3], axis=1)"))
    assert [snippet.outputs[0].name for snippet in found] == ["y_part", "y_part_2"]
    assert [node.op for node in found[0].graph.nodes if node.op != "input"] == ["sub"]
    assert [node.op for node in found[1].graph.nodes if node.op != "input"] == ["add"]


def test_what_is_joined_twice_along_a_dimension_is_joined_once() -> None:
    text = "concat(concat(x[:, :2], x[:, 2:5], axis=1), x[:, 5:] * 2, axis=1)"
    found = snippets(op_of(f"y = {text}"))
    assert [o.name for snippet in found for o in snippet.outputs] == ["y_part", "y_part_2", "y_part_3"]


@pytest.mark.parametrize(
    ("compute", "message"),
    [
        ("y = max(pad(x[1:-1], ((1, 1), (0, 0)), 0.1), 0)", "pad and arithmetic in one op"),
        ("y = x - take(x, 0, axis=0)", "take and arithmetic in one op"),
        ("y = x - max((x + 1)[:, :4], axis=-1, keepdims=True)", "it reduces dimensions and moves elements"),
        ("y = concat(x[:, 1:], x[:, :1], axis=1)[::-1] * 2", "slice of what is joined in the same op"),
        ("y = concat(x[:, 1:], x[:, :1], axis=1) * concat(x[:, 3:], x[:, :3], axis=1)", "several results of concat"),
    ],
)
def test_what_has_no_kernel_is_said(compute: str, message: str) -> None:
    op = op_of(compute)
    (finding,) = check(op)
    assert finding.id == "OPK600"
    assert message in finding.message
    assert not keeps(op, op.kernels[0])


@pytest.mark.parametrize(
    "compute", ["x[::-1] * 2", "concat(max(x, axis=-1, keepdims=True), x[:, :-1], axis=-1)", "take(x, i, axis=0)"]
)
def test_an_output_over_an_input_is_refused(compute: str) -> None:
    text = (
        "  Op:\n    inputs: {x: {dtype: ufixed8, shape: [6, 8]}, i: {dtype: int32, shape: [6]}}\n"
        "    outputs: {y: {dtype: ufixed8, shape: x.shape}}\n"
        f"    compute: y = {compute}\n    kernels: [{{source_destructive: true}}]\n"
    )
    assert any("overwrite" in finding.message for finding in check(package_of(text).ops[0]))


def test_what_is_kept_has_rows() -> None:
    """The text says what a prepared graph keeps, and the graph what is made: they agree."""
    rng = random.Random(7)
    for number in range(300):
        op = package_of((random_op if number % 3 else random_last)(rng, number)).ops[0]
        moved = [snippet for snippet in snippets(op) if snippet.graph.moves]
        assert not (moved and keeps(op, op.kernels[0]))


@pytest.mark.parametrize("types", ["ufixed8", pytest.param(TYPES, marks=pytest.mark.sweep)])
def test_on_the_host(tmp_path: Path, types: str) -> None:
    chosen = OPS.replace("TYPES", types)
    result = verified(tmp_path, chosen, cases=4 if types != TYPES else 60)
    assert failures(result) == ""


@pytest.mark.sweep
def test_without_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_portable(monkeypatch)
    assert failures(verified(tmp_path, OPS.replace("TYPES", TYPES), cases=20)) == ""


@pytest.mark.sweep
@pytest.mark.parametrize("arch", ["v66", "v68", "v73"])
def test_in_the_emulator(tmp_path: Path, arch: str) -> None:
    need_arch(arch)
    package = generated(tmp_path, OPS.replace("TYPES", TYPES))
    options = VerifyOptions(on=(f"hexagon-{arch}",), cases=40, check_current=False)
    assert failures(verify(tmp_path, [package], options)) == ""


@pytest.mark.parametrize("count", [4, pytest.param(200, marks=pytest.mark.sweep)])
def test_random_computations(tmp_path: Path, count: int) -> None:
    rng = random.Random(count)
    made: list[str] = []
    while len(made) < count:
        text = (random_op if len(made) % 2 else random_last)(rng, len(made))
        if not check(package_of(text).ops[0]):
            made.append(text)
    for first in range(0, count, 25):
        result = verified(tmp_path / str(first), "".join(made[first : first + 25]), cases=4)
        assert failures(result) == ""


_SHORT = """\
  Cat:
    types: {T: [ufixed8]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}, z: {dtype: T, shape: [N, H, W, D]}}
    outputs: {y: {dtype: T, shape: [N, H, W, C + D], quantization: same as x}}
    compute: y = concat(x, z, axis=-1)
    tests: {cases: [{x: {shape: [7, 2, 9, 4]}, z: {shape: [7, 2, 9, 7]}}, {x: {shape: [1, 9, 9, 17]}, z: {shape: [1, 9, 9, 33]}}]}
"""


def test_threads_write_nothing_between_their_rows(tmp_path: Path) -> None:
    """What lies there may be another slice's, which has more of the other part. There was a race (ThreadSanitizer)."""
    package = generated(tmp_path, _SHORT, types="all")
    options = VerifyOptions(on=("host",), cases=2, check_current=False, sanitize=True)
    assert failures(verify(tmp_path, [package], options)) == ""
