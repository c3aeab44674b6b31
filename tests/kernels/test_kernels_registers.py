"""Linear scan: no two live values in one register, the counts of a machine that executes the code, known graphs."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from kernels_graphs import graph_of

from opkg.kernels.graphs.canonical import canonical
from opkg.kernels.graphs.graph import Graph, Node, Result
from opkg.kernels.linear.memory import linear
from opkg.kernels.linear.registers import Allocation, allocate, of_linear, of_loop, of_lowered
from opkg.kernels.lowered import Inst, Lowered
from opkg.kernels.sequence import Carry, Loop
from opkg.spec.compute.types import Type

SHAPE = (4, 128)


def of_text(body: str, apart: bool = False) -> Allocation:
    graph = canonical(graph_of(body))
    return of_linear(linear(graph, dict.fromkeys([*graph.inputs, "out"], SHAPE)), apart)


def chain(inputs: int) -> Graph:
    """((a0 + a1) + a2) + ..."""
    nodes = [Node("input", name="a0")]
    last = 0
    for number in range(1, inputs):
        nodes.append(Node("input", name=f"a{number}"))
        nodes.append(Node("add", (last, len(nodes) - 1), Type.REAL))
        last = len(nodes) - 1
    return Graph(tuple(nodes), (Result("out", last),))


def test_the_diamond_of_the_snippets_guide() -> None:
    diamond = "sum = x + y\nbent = max(sum + i, sum)\nout = sum * bent"
    assert of_text(diamond, apart=True).vectors == 3
    assert of_text(diamond).vectors == 2


def test_a_chain_of_ten_inputs() -> None:
    graph = chain(10)
    code = linear(graph, dict.fromkeys([*graph.inputs, "out"], SHAPE))
    assert len(graph.inputs) == 10
    assert of_linear(code).vectors == 2
    assert of_linear(code, apart=True).vectors == 3 <= 4


def test_what_is_made_before_the_loop_stays() -> None:
    assert of_text("out = x * 2").vectors == 2
    assert of_text("out = x * 2 + 3").vectors == 3
    assert of_text("out = x * p + p").vectors == 2


def test_pairs_are_even_neighbours_and_halves_cost_nothing() -> None:
    insts = [
        Inst("a", "V", "load", ("a", "0")),
        Inst("w", "W", "Q6_Wh_vmpy_VubVub", ("a", "a")),
        Inst("low", "V", "Q6_V_lo_W", ("w",)),
        Inst("high", "V", "Q6_V_hi_W", ("w",)),
        Inst("y", "V", "Q6_Vb_vpacko_VhVh", ("high", "low")),
        Inst("", "", "store", ("y", "0", "y")),
    ]
    found = allocate(insts)
    assert found.registers == {"a": "v0", "w": "v1:0", "low": "v0", "high": "v1", "y": "v0"}
    assert found.vectors == 2
    assert allocate(insts, apart=True).registers["w"] == "v3:2"


def test_what_accumulates_stays_in_its_register() -> None:
    insts = [
        _inst("x"), _inst("y"), _inst("w", "x", "y", kind="W"),
        Inst("sum", "W", "Q6_Wh_vmpyacc_WhVubRb", ("w", "x", "1")),
        Inst("more", "W", "Q6_Wh_vmpyacc_WhVubRb", ("sum", "y", "1")), _inst("z", "more"),
    ]  # fmt: skip
    found = allocate(insts)
    assert found.registers["w"] == found.registers["sum"] == found.registers["more"]


def test_predicates_are_counted_apart() -> None:
    insts = [
        Inst("x", "V", "load", ("x", "0")),
        Inst("q", "Q", "Q6_Q_vcmp_gt_VubVub", ("x", "x")),
        Inst("y", "V", "Q6_V_vmux_QVV", ("q", "x", "x")),
        Inst("", "", "store", ("y", "0", "y")),
    ]
    found = allocate(insts)
    assert (found.vectors, found.predicates, found.registers["q"]) == (1, 1, "q0")


def _inst(dest: str, *args: str, kind: str = "V") -> Inst:
    return Inst(dest, kind, "op", args)


def test_more_values_than_registers_are_spilled() -> None:
    many = [_inst(f"a{n}") for n in range(40)]
    uses = [_inst(f"b{n}", f"a{n}") for n in range(40)]
    found = allocate([*many, *uses])
    assert found.vectors == 40
    assert len(found.spills) == 40 - 32
    assert all(name.startswith("a") for name in found.spills)
    assert allocate([*many, *uses], vectors=64).spills == ()


def test_a_kernels_setup_stays() -> None:
    lowered = Lowered(
        "s", "t", "e", 128, (), (),
        setup=(_inst("k"), _inst("unused")),
        body=(Inst("x", "V", "load", ("x", "0")), _inst("y", "x", "k"), Inst("", "", "store", ("y", "0", "y"))),
    )  # fmt: skip
    found = of_lowered(lowered)
    assert (found.vectors, found.predicates) == (2, 0)


def test_a_loop_carries_its_vectors() -> None:
    loop = Loop(
        "sum", (_inst("zero"),), (Carry("sum", "V", "zero", "next"),),
        (Inst("x", "V", "load", ("x", "0")), _inst("next", "sum", "x")),
    )  # fmt: skip
    assert of_loop(loop).vectors == 2


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 60), st.integers(4, 16), st.booleans())
def test_random_code_runs_in_its_registers(seed: int, size: int, vectors: int, apart: bool) -> None:
    """A machine with these registers finds in each of them the value that the instruction wants."""
    rng = random.Random(seed)
    insts: list[Inst] = []
    kinds: dict[str, str] = {}
    for number in range(size):
        args = tuple(rng.choice(list(kinds)[-8:]) for _ in range(rng.randint(0, 3)) if kinds)
        kind = rng.choice("VVVVWQ")
        insts.append(Inst(f"n{number}", kind, "op", args))
        kinds[f"n{number}"] = kind
    last = [name for name in kinds if rng.random() < 0.1]
    found = allocate(insts, last, vectors, apart)
    held: dict[str, str] = {}
    for inst in insts:
        for arg in inst.args:
            if arg in found.registers:
                assert all(held[place] == arg for place in _places(found.registers[arg]))
        if inst.dest in found.registers:
            places = _places(found.registers[inst.dest])
            assert len(places) == (2 if inst.kind == "W" else 1)
            assert all(int(place[1:]) < (4 if inst.kind == "Q" else vectors) for place in places)
            if apart:
                assert not set(places) & {
                    p for a in inst.args if a in found.registers for p in _places(found.registers[a])
                }
            held.update(dict.fromkeys(places, inst.dest))
    for name in last:
        if name in found.registers:
            assert all(held[place] == name for place in _places(found.registers[name]))
    assert set(found.spills) | set(found.registers) == set(kinds)
    assert not set(found.spills) & set(found.registers)
    if found.vectors + 1 < vectors and found.predicates < 4 and "W" not in kinds.values():
        assert not found.spills


def _places(text: str) -> list[str]:
    return [f"{text[0]}{number}" for number in text[1:].split(":")]
