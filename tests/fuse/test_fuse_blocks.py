"""Fused ops of blocks of real networks, floats and QDQ: what they are, what they save, what they compute."""

from __future__ import annotations

import importlib.util
import os
import resource
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

if importlib.util.find_spec("onnx") is None or importlib.util.find_spec("onnxruntime") is None:
    if os.environ.get("CI"):
        raise RuntimeError("the package onnx or onnxruntime is missing")
    pytest.skip("the package onnx or onnxruntime is missing", allow_module_level=True)
import onnx
from fuse_models import BLOCKS, Maker, quantized

from opkg.cli.main import run
from opkg.fuse import api
from opkg.fuse.find import Found, find
from opkg.fuse.onnx_run import OnnxRuntime
from opkg.fuse.onnx_write import rewritten
from opkg.fuse.proof import cases, read_op, wrong
from opkg.fuse.values import drawn
from opkg.models.onnx_reader import of_proto
from opkg.models.partition.limits import HTP

# Ops of each block: name, places, nodes of one place.
OPS = {
    "mobilenet_v3": [("Hswish2", 1, 5), ("Hswish", 1, 4)],
    "resnet_se": [("Se", 1, 3)],
    "convnext": [("Act", 1, 5), ("Norm", 1, 9)],
    "transformer": [("Rope", 2, 6), ("Swiglu", 2, 3), ("Norm2", 3, 7), ("Norm", 1, 6), ("Attn", 2, 2)],
}
# Kernels of 8 bits reduce nothing in vector code, and a table of 256 is cheaper than what reads a second tensor.
QDQ = {
    "mobilenet_v3": [("Hswish", 2, 4)],
    "resnet_se": [("Se", 1, 3)],
    "convnext": [("Act", 1, 5), ("Down", 1, 2), ("Norm", 1, 2)],
    "transformer": [("Rope", 2, 6), ("Swiglu", 2, 3), ("AddPow", 3, 2), ("Norm", 4, 2)],
}
# Times fewer bytes, float and QDQ, as docs/fuse.md has them.
SAVED = {"mobilenet_v3": (2.28, 1.95), "resnet_se": (1.35, 1.20), "convnext": (2.11, 1.65), "transformer": (1.38, 1.21)}


def of_block(name: str, form: str) -> tuple[Any, Found]:
    proto = BLOCKS[name]()
    proto = quantized(proto) if form == "qdq" else proto
    model, findings = of_proto(proto, "m.onnx", {})
    assert model is not None, findings
    return proto, api.usable(find(model, HTP), "m.onnx")


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("transformer", "float"),
        ("transformer", "qdq"),
        ("mobilenet_v3", "qdq"),
        ("resnet_se", "qdq"),
        *(pytest.param(name, "float", marks=pytest.mark.sweep) for name in ("mobilenet_v3", "resnet_se", "convnext")),
        pytest.param("convnext", "qdq", marks=pytest.mark.sweep),
    ],
)
def test_blocks(name: str, form: str) -> None:
    """Every place is computed as onnxruntime does, and the model with the ops gives the same numbers."""
    proto, found = of_block(name, form)
    ops = [(op.name, len(op.places), len(op.ops)) for op in found.ops]
    assert ops == (OPS if form == "float" else QDQ)[name]
    packets = [op.packets for op in found.ops if not op.numbers]
    assert form == "qdq" or all(after < before for before, after in packets)
    assert round(found.before / found.after, 2) == SAVED[name][form == "qdq"]
    inputs = drawn(found.model, 3)
    values = OnnxRuntime(proto, "m.onnx").values(inputs, api.bordering(found))
    for op in found.ops:
        held = cases(found.model, op, read_op(found.model, op, "m.onnx"), values)
        assert held.cases
        assert len(held.against) == len(op.places) * len(op.outputs)
        assert wrong(held.against, "onnxruntime", "m.onnx") == []
    after = rewritten(proto, found.model, found.fold, found.ops, "a.b", "m.onnx")
    assert len(after.functions) == len(found.ops)
    was = OnnxRuntime(proto, "m.onnx").values(inputs, [])
    now = OnnxRuntime(after, "m.onnx").values(inputs, [])
    for output in proto.graph.output:
        assert abs(was[output.name]).max() > 0.1
        assert (was[output.name] == now[output.name]).all()


def test_what_a_quantized_tensor_in_between_cannot_hold() -> None:
    """Scales of both places differ: the ends are params, and the runtime's own rounding is told from ours."""
    _, found = of_block("transformer", "qdq")
    (squares,) = (op for op in found.ops if op.ops == ("Add", "Pow"))
    assert squares.compute.splitlines() == ["y = x + x2", "y2 = clip(y, low, high) ** 2"]
    text = api.lines_of(found, "m.onnx")[found.ops.index(squares)][1]
    assert 'range: "< 0"' in text
    assert text.count("      - {name: ") == 3
    assert all(operand.dtype == "ufixed8" for operand in squares.pattern.inputs)


def test_packets_and_bytes_decide() -> None:
    """A GELU in 8 bits is a table of 256; with the sum before it, which has a second tensor, it is not. Where bytes cost more,
    the sum is in the kernel all the same."""
    proto = quantized(BLOCKS["convnext"]())
    model, _ = of_proto(proto, "m.onnx", {})
    assert model is not None
    found, other = find(model, HTP), find(model, replace(HTP, near=4))
    table, whole = (next(op for op in each.ops if "Erf" in op.ops) for each in (found, other))
    assert (len(table.ops), len(whole.ops)) == (5, 6)
    assert table.packets[1] < table.packets[0] < whole.packets[1]
    assert whole.after < table.after + table.before
    reasons = {found.model.nodes[number].op: why for number, why in found.left.items() if "packets more for" in why}
    assert reasons["Add"].startswith("not profitable: ")


def test_a_kernel_that_costs_more_is_none() -> None:
    """A mean in 8 bits; what stands before it is fused by itself."""
    _, found = of_block("transformer", "qdq")
    means = [why for number, why in found.left.items() if found.model.nodes[number].op == "ReduceMean"]
    assert len(means) == 4
    assert all(why.startswith("not profitable: ") and " packets more for " in why for why in means)


def test_a_kernel_without_vector_code_is_none() -> None:
    """Of a product in 8 bits, portable code alone knows the floor."""
    m = Maker()
    x, y = m.input("x", 2, 64), m.input("y", 2, 64)
    model, _ = of_proto(quantized(m.model("floors", [m.op("Floor", "f", m.op("Mul", "p", x, y))])), "m.onnx", {})
    assert model is not None
    found = find(model, HTP)
    assert not found.ops
    reasons = [why for why in found.left.values() if why != "quantizing op"]
    assert len(reasons) == 2
    assert all(why.startswith("not profitable: its kernel would have no vector code (") for why in reasons)


def test_a_row_that_does_not_fit_is_not_reduced_with_others() -> None:
    """Rows stay whole: one of 1 MiB in two tensors is more than a tile."""
    m = Maker()
    x = m.input("x", 2, 1 << 17)
    y = m.op("ReduceMax", "top", m.op("Neg", "n", x), m.constant("axes", [-1], "int64"))
    for sizes, places in ((HTP.tile, []), (4 << 20, [["n", "top"]])):
        model, _ = of_proto(m.model("rows", [y]), "m.onnx", {})
        assert model is not None
        found = find(model, replace(HTP, tile=sizes))
        assert [sorted(model.nodes[n].name for n in place.nodes) for op in found.ops for place in op.places] == places


def test_a_cycle_is_not_made() -> None:
    """A reduction does not join the sum behind it when a convolution stands between them."""
    _, found = of_block("resnet_se", "float")
    assert found.left[2] == "heavy op"
    (op,) = found.ops
    pool = next(n for n, node in enumerate(found.model.nodes) if node.op == "GlobalAveragePool")
    assert found.left[pool] == "no neighbour to join"
    assert pool not in op.places[0].nodes


def test_a_sum_between_reductions_that_go_through_a_convolution() -> None:
    """x joins neither the mean of what a product makes of it, for that would be a cycle, nor what nothing needs."""
    m = Maker()
    axes = m.constant("axes", [-1], "int64")
    a = m.op("Neg", "a", m.input("x", 1, 8, 64))
    b = m.op("Sub", "b", a, m.op("ReduceMax", "top", a, axes))
    c = m.op("MatMul", "c", b, m.weight("w", 64, 64))
    m.op("Tanh", "dead", m.op("Abs", "dead_too", c))
    d = m.op("Mul", "d", m.op("ReduceMean", "mean", c, axes), a)
    model, findings = of_proto(m.model("cycle", [m.op("Add", "e", d, b)]), "m.onnx", {})
    assert model is not None, findings
    found = api.usable(find(model, HTP), "m.onnx")
    places = sorted(sorted(model.nodes[n].name for n in place.nodes) for op in found.ops for place in op.places)
    assert places == [["a", "b", "top"], ["d", "e", "mean"]]
    reasons = {model.nodes[number].name: why for number, why in found.left.items()}
    assert reasons == {"c": "heavy op", "dead": "nothing needs its result", "dead_too": "nothing needs its result"}


@pytest.mark.sweep
@pytest.mark.parametrize("form", ["float", "qdq"])
@pytest.mark.parametrize("name", BLOCKS)
def test_kernels_of_blocks(
    name: str, form: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """All of it, on every machine that is here."""
    monkeypatch.chdir(tmp_path)
    proto, _ = of_block(name, form)
    onnx.save(proto, "m.onnx")
    assert run(["fuse", "m.onnx"]) == 0, capfd.readouterr().out


@pytest.mark.sweep
def test_ten_thousand_nodes(tmp_path: Any) -> None:
    """The whole verb, in a process of its own, within 5 s of CPU time."""
    onnx.save(BLOCKS["transformer"](232), tmp_path / "m.onnx")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "opkg", "fuse", str(tmp_path / "m.onnx"), "--dry-run"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert "9976 nodes: 5799 become 1160 nodes of 5 fused ops" in done.stdout
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime <= 5


@pytest.mark.parametrize(
    ("shape", "limited"), [((2, 3, 17, 17), True), ((1, 3, 17, 17), False), ((2, 1, 3, 17, 17), False)]
)
def test_constants_have_four_dimensions_at_most(shape: tuple[int, ...], limited: bool) -> None:
    """HTP prepares no graph with a constant of five: a place that has one is left out."""
    m = Maker(22)
    weight = m.weight("gain", *shape[:-2], 1, 1)
    y = m.op("Tanh", "/a.b/c.0/Tanh", m.op("Mul", "/a.b/c.0/Mul", m.input("x", *shape), weight))
    model, _ = of_proto(m.model("five", [y]), "m.onnx", {})
    assert model is not None
    found = api.usable(find(model, HTP), "m.onnx")
    if len(shape) == 5:
        assert found.ops == ()
        assert {why.partition(": ")[2] for why in found.left.values()} == {
            "gain is a constant of five dimensions with elements of 32 bits, whose graph HTP does not prepare"
        }
        return
    ((_, text),) = api.lines_of(found, "m.onnx")
    assert ("  constraints: [gain.rank <= 4]\n" in text) == limited
