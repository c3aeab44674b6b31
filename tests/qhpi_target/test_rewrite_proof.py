"""The rules of examples/rewrites inside Qualcomm's backend: each fires where it should, and the graph computes the same."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
import qlib

from opkg.verify.machines.runners import runner
from opkg.verify.machines.table import MACHINES

sys.path.append(str(qlib.ROOT / "tests" / "sim_qhpi"))
import simlib
from simlib import Case, scalar

EXAMPLE = qlib.ROOT / "examples" / "rewrites"
PKG, CORE = "nn.rewrites", "qti.aisw"
SHAPE = (1, 20, 6, 16)
X = np.random.default_rng(7).uniform(-3, 3, SHAPE).astype(np.float32)
Z = np.random.default_rng(8).uniform(-3, 3, SHAPE).astype(np.float32)


@dataclass
class Graph:
    """A small graph: x (and z) through nodes to y. `fires`: the rules that must fire, once each; `tolerance`: absolute."""

    name: str
    nodes: list[tuple[str, str, tuple[str, ...], tuple[str, ...]]]
    expected: Callable[[], np.ndarray]
    fires: tuple[str, ...] = ()
    tolerance: float = 1e-5
    output: tuple[str, tuple[int, ...], tuple[float, int] | None] = ("f32", SHAPE, None)
    input: tuple[str, np.ndarray, tuple[float, int] | None] = ("f32", X, None)
    inner: dict[str, tuple[str, tuple[float, int] | None]] = field(default_factory=dict)
    needs_core: bool = True

    def case(self) -> Case:
        case = Case(self.name)
        dtype, data, so = self.input
        case.input("x", dtype, data, so)
        case.input("z", "f32", Z)
        case.static("k", "f32", np.full((1,), 2.5))
        case.static("ks", "f32", np.linspace(1, 2, 16))
        case.output("y", self.output[0], self.output[1], self.output[2])
        for number in range(len(self.nodes) - 1):
            name = f"m{number}"
            kind, quant = self.inner.get(name, ("f32", None))
            case.native(name, kind, data.shape, quant)
        for number, (package, op, inputs, params) in enumerate(self.nodes):
            last = number == len(self.nodes) - 1
            case.node(f"n{number}", package, op, list(inputs), ["y" if last else f"m{number}"], params)
        return case


def relu(x: np.ndarray) -> np.ndarray:
    return np.maximum(x, 0)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def quantized(x: np.ndarray, scale: float, offset: int, largest: int = 255) -> np.ndarray:
    return (np.clip(np.round(x / scale) - offset, 0, largest) + offset) * scale


def rotate(steps: int, source: str) -> tuple[str, str, tuple[str, ...], tuple[str, ...]]:
    return PKG, "Rotate", (source,), (scalar("steps", "i32", steps),)


def scale(factor: float, source: str) -> tuple[str, str, tuple[str, ...], tuple[str, ...]]:
    return PKG, "Scale", (source,), (scalar("factor", "f32", factor),)


NEG = (CORE, "ElementWiseNeg", ("m1",), ())
U8 = ("u8", (0.05, -128))
Q = np.random.default_rng(9).integers(0, 256, SHAPE).astype(np.uint8)
REAL = (Q.astype(np.float32) - 128) * np.float32(0.05)
GATE = [
    (CORE, "Dequantize", ("x",), ()),
    (PKG, "Gate", ("m0",), ()),
    (CORE, "Quantize", ("m1",), ()),
]

GRAPHS = [
    Graph("fuse", [(CORE, "ElementWiseAdd", ("x", "z"), ()), (CORE, "Relu", ("m0",), ())],
          lambda: relu(X + Z), ("AddRelu.fuse",)),
    Graph("fuse-refused", [(CORE, "ElementWiseAdd", ("x", "ks"), ()), (CORE, "Relu", ("m0",), ())],
          lambda: relu(X + np.linspace(1, 2, 16, dtype=np.float32))),
    Graph("stay-quantized", GATE, lambda: quantized(REAL * sigmoid(REAL), 0.04, -16), ("Gate.stay_quantized",), 0.0401,
          ("u8", SHAPE, (0.04, -16)), ("u8", Q, U8[1])),
    Graph("stay-quantized-refused", GATE, lambda: quantized(REAL * sigmoid(REAL), 0.0002, -2000, 65535), (), 0.0002,
          ("u16", SHAPE, (0.0002, -2000)), ("u8", Q, U8[1])),
    Graph("half", [(CORE, "Sigmoid", ("x",), ()), (PKG, "Bell", ("m0",), ())], lambda: np.exp(-(sigmoid(X[:, :8]) ** 2)),
          ("Bell.half_after_sigmoid",), 2e-3, ("f32", (1, 8, 6, 16), None), ("f32", X[:, :8], None)),
    Graph("half-refused", [(CORE, "Tanh", ("x",), ()), (PKG, "Bell", ("m0",), ())], lambda: np.exp(-(np.tanh(X[:, :8]) ** 2)),
          (), 1e-5, ("f32", (1, 8, 6, 16), None), ("f32", X[:, :8], None)),
    Graph("rows", [(CORE, "Relu", ("x",), ()), (PKG, "Bell", ("m0",), ())], lambda: np.exp(-(relu(X) ** 2)), ("Bell.in_rows",)),
    Graph("rows-alone", [(PKG, "Bell", ("x",), ())], lambda: np.exp(-(X**2)), ("Bell.in_rows",), needs_core=False),
    Graph("rows-refused", [(PKG, "Bell", ("x",), ())], lambda: np.exp(-(X[:, :8] ** 2)), (), 1e-5,
          ("f32", (1, 8, 6, 16), None), ("f32", X[:, :8], None), needs_core=False),
    Graph("undo", [rotate(5, "x"), rotate(11, "m0"), NEG], lambda: -X, ("Rotate.undo",)),
    Graph("undo-alone", [rotate(5, "x"), rotate(11, "m0")], lambda: X, ("Rotate.undo",), needs_core=False),
    Graph("undo-refused", [rotate(15, "x"), rotate(11, "m0"), NEG], lambda: -np.roll(X, 26, axis=-1)),
    Graph("join", [rotate(5, "x"), rotate(4, "m0"), NEG], lambda: -np.roll(X, 9, axis=-1), ("Rotate.join",)),
    Graph("join-alone", [rotate(5, "x"), rotate(4, "m0")], lambda: np.roll(X, 9, axis=-1), ("Rotate.join",), needs_core=False),
    Graph("undo-of-a-join", [rotate(5, "x"), rotate(4, "m0"), rotate(7, "m1")], lambda: X, ("Rotate.join", "Rotate.undo"),
          needs_core=False),
    Graph("fold", [(CORE, "ElementWiseMultiply", ("x", "k"), ()), scale(1.5, "m0")], lambda: X * 3.75, ("Scale.fold_constant",)),
    Graph("fold-refused", [(CORE, "ElementWiseMultiply", ("x", "ks"), ()), scale(1.5, "m0")],
          lambda: X * np.linspace(1, 2, 16, dtype=np.float32) * 1.5),
    Graph("by-one", [scale(1.0, "x"), rotate(3, "m0")], lambda: np.roll(X, 3, axis=-1), ("Scale.by_one",), needs_core=False),
    Graph("negated", [scale(-1.0, "x"), rotate(3, "m0")], lambda: -np.roll(X, 3, axis=-1), ("Scale.negated",)),
    Graph("fold-to-one", [(CORE, "ElementWiseMultiply", ("x", "k"), ()), scale(0.4, "m0")], lambda: X,
          ("Scale.fold_constant", "Scale.by_one")),
    Graph("undo-u8", [rotate(5, "x"), rotate(11, "m0")], lambda: REAL, ("Rotate.undo",), 0.0,
          ("u8", SHAPE, (0.05, -128)), ("u8", Q, (0.05, -128)), {"m0": U8}, needs_core=False),
]  # fmt: skip


def kernels() -> dict[str, str]:
    return {p.relative_to(EXAMPLE).as_posix(): p.read_text("utf-8") for p in sorted(EXAMPLE.glob("kernels/*"))}


def run(machine: str, graphs: list[Graph], directory: Path) -> dict[str, simlib.Result]:
    """Results by name of the graph."""
    state = MACHINES[machine].available()
    if not state.ok:
        qlib.missing(f"machine {machine}: {state.reason}")
    project = qlib.built(qlib.spec_of(EXAMPLE / "specs" / "rewrites.yaml"), kernels())
    binary = runner(MACHINES[machine].runner("qhpi"), qlib.ROOT)
    interface = [] if machine == "htp" else ["--interface", "qhpi"]
    results = simlib.run(binary, qlib.library(project), [graph.case() for graph in graphs], directory, *interface,
                         provider=project.package.interface_provider)  # fmt: skip
    return {result.record["name"]: result for number, result in results.items() if number >= 0}


def check(graph: Graph, result: simlib.Result) -> None:
    assert result.status == "ok", result.text
    fired = [line for line in result.trace if line.startswith("rule ")]
    assert sorted(line.split()[1] for line in fired) == sorted(graph.fires), fired
    assert all(" on " in line and "#" in line for line in fired)
    made = result.outputs["y"].astype(np.float64)
    if graph.output[2] is not None:
        made = (made + graph.output[2][1]) * graph.output[2][0]
    np.testing.assert_allclose(made, graph.expected(), rtol=1e-5, atol=graph.tolerance)


@pytest.fixture(scope="module")
def htp(tmp_path_factory: pytest.TempPathFactory) -> dict[str, simlib.Result]:
    return run("htp", GRAPHS, tmp_path_factory.mktemp("htp"))


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> dict[str, simlib.Result]:
    return run("host", [graph for graph in GRAPHS if not graph.needs_core], tmp_path_factory.mktemp("host"))


@pytest.mark.htp
@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.name)
def test_inside_the_backend(graph: Graph, htp: dict[str, simlib.Result]) -> None:
    check(graph, htp[graph.name])


@pytest.mark.parametrize("graph", [g for g in GRAPHS if not g.needs_core], ids=lambda graph: graph.name)
def test_on_the_host(graph: Graph, host: dict[str, simlib.Result]) -> None:
    check(graph, host[graph.name])
    kernels_run = [use["op"] for use in host[graph.name].kernels]
    if graph.name == "rows-alone":
        assert kernels_run == ["nn.rewrites::Bell"] * 3
    if graph.fires == ("Rotate.undo",):
        assert kernels_run == []


@pytest.mark.htp
def test_half_precision_is_what_ran(htp: dict[str, simlib.Result]) -> None:
    """The result has the error of float16: the casts were made."""
    graph = next(g for g in GRAPHS if g.name == "half")
    difference = np.abs(htp["half"].outputs["y"] - graph.expected())
    assert 1e-5 < difference.max() < 2e-3


def test_every_rule_has_a_graph_where_it_fires() -> None:
    package = qlib.spec_of(EXAMPLE / "specs" / "rewrites.yaml")
    names = {f"{op.name}.{rule.name}" for op in package.ops for rule in op.rules}
    assert {name for graph in GRAPHS for name in graph.fires} == names
