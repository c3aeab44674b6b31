"""The better partition: acyclic, complete, within the limits, and never worse than the greedy one."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models_kit import Held, acyclic, fits, graphs, model_of, named, small

from opkg.models.model import Model, Node, Tensor, links
from opkg.models.partition.best import allower, best
from opkg.models.partition.border import Border, domain, refused, registers
from opkg.models.partition.greedy import Subgraph, greedy
from opkg.models.partition.limits import HTP, OPENVINO, Limits
from opkg.models.partition.line import Line
from opkg.models.partition.moved import borders, is_number

SHAPES = ((1, 8, 16), (1, 1, 16), (8, 1), (1, 8, 1))


def moved(model: Model, parts: Sequence[Subgraph]) -> int:
    """Bytes, each tensor of a subgraph once."""
    tensors = (name for part in parts for name in {*part.inputs, *part.outputs} if not is_number(model, name))
    return sum(model.tensor(name).bytes for name in tensors)


def check(model: Model, limits: Limits) -> tuple[list[Subgraph], list[Subgraph]]:
    """Both partitions, of which the second holds what is promised."""
    edges, which = links(model), fits(model)
    first = list(greedy(model, edges, which, limits.tensors, allower(model, edges, limits)))
    found = list(best(model, edges, which, limits))
    assert acyclic(model, edges, [part.nodes for part in found])
    covered = sorted(number for part in found for number in part.nodes)
    assert covered == [number for number, fit in enumerate(which) if fit]
    for part in found:
        inputs, outputs = borders(model, edges, part.nodes)
        assert (set(part.inputs), set(part.outputs)) == (set(inputs), set(outputs))
        border = Border(inputs, outputs, domain(model, outputs))
        assert len(part.nodes) == 1 or not refused(model, edges, part.nodes, border, limits)
    return first, found


@pytest.mark.parametrize("limits", [OPENVINO, HTP], ids=lambda limits: limits.name)
@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.sweep)])
def test_never_worse_on_400_graphs(limits: Limits, every: int) -> None:
    counts, sizes = [0, 0], [0, 0]
    for graph in graphs()[::every]:
        model = model_of(graph)
        first, found = check(model, limits)
        bytes_ = [moved(model, first), moved(model, found)]
        assert len(found) <= len(first), graph["id"]
        assert bytes_[1] <= bytes_[0], graph["id"]
        counts = [counts[0] + len(first), counts[1] + len(found)]
        sizes = [sizes[0] + bytes_[0], sizes[1] + bytes_[1]]
    assert counts[1] < 0.6 * counts[0]
    assert sizes[1] < 0.75 * sizes[0]


def drawn(choose: random.Random, count: int, near: int, outside: float) -> Model:
    """A random model whose nodes read the last `near` tensors; some give two results, some read constants."""
    tensors = {name: Tensor(name, "float32", SHAPES[0]) for name in ("x", "y")}
    tensors |= {"TWO": Tensor("TWO", "float32", (1,)), "ROW": Tensor("ROW", "float32", (1, 1, 16))}
    names, nodes = ["x", "y"], []
    for number in range(count):
        reads = [choose.choice(names[-near:]) for _ in range(choose.choice((1, 2)))]
        if choose.random() < 0.2:
            reads[-1] = choose.choice(("TWO", "ROW"))
        gives = (f"n{number}",)
        if choose.random() < outside:
            gives = (f"n{number}", f"m{number}")[: choose.choice((1, 2))]
        pointwise = len(gives) == 1 and choose.random() >= outside
        op = choose.choice(("Add", "Mul") if len(reads) > 1 else ("Relu", "Exp")) if pointwise else "MaxPool"
        nodes.append(Node(gives[0], op, tuple(reads), gives))
        for name in gives:
            tensors[name] = Tensor(name, "float32", choose.choice(SHAPES) if choose.random() < 0.3 else SHAPES[0])
            names.append(name)
    read = {name for node in nodes for name in node.inputs}
    results = tuple(name for name in names[2:] if name not in read)
    return Model("drawn", ("x", "y"), results, tuple(nodes), tensors, {"TWO": Held(), "ROW": Held()})


def test_random_models() -> None:
    @settings(max_examples=25)
    @given(st.integers(0, 2**32), st.integers(0, 40), st.integers(2, 30), st.sampled_from((0.0, 0.1, 0.4)))
    def run(seed: int, count: int, near: int, outside: float) -> None:
        model = drawn(random.Random(seed), count, near, outside)
        for limits in (OPENVINO, HTP):
            edges = links(model)
            first, found = check(model, limits)
            if acyclic(model, edges, [part.nodes for part in first]):
                assert len(found) <= len(first)
                assert moved(model, found) <= moved(model, first)

    run()


def plain(choose: random.Random, count: int) -> Model:
    """A random model of one shape, whose nodes read some of the last 20 tensors."""
    names, nodes = ["x", "y"], []
    for number in range(count):
        reads = tuple(choose.choice(names[-20:]) for _ in range(choose.choice((1, 2))))
        op = "MaxPool" if choose.random() < 0.15 else "Add"
        nodes.append(Node(f"n{number}", op, reads, (f"n{number}",)))
        names.append(f"n{number}")
    read = {name for node in nodes for name in node.inputs}
    tensors = {name: Tensor(name, "float32", SHAPES[0]) for name in names}
    return Model("plain", ("x", "y"), tuple(name for name in names[2:] if name not in read), tuple(nodes), tensors)


def test_a_cycle_of_greedy_numbers_is_opened() -> None:
    """The numbers of OpenVINO's cycle test are no order of what subgraphs have become: of larger graphs some have a cycle."""
    model = plain(random.Random(23), 300)
    first, _ = check(model, OPENVINO)
    assert not acyclic(model, links(model), [part.nodes for part in first])


def chain(count: int) -> Model:
    """As transformers go: eight ops in a row, a sum with what came before, now and then an op that no kernel takes."""
    names, nodes = ["x"], []
    for number in range(count):
        residual = number % 8 == 7 and number > 8
        op = "MaxPool" if number % 21 == 20 else "Add" if residual else "Relu"
        nodes.append(Node(f"n{number}", op, (names[-1], names[-9]) if residual else (names[-1],), (f"n{number}",)))
        names.append(f"n{number}")
    tensors = {name: Tensor(name, "float32", SHAPES[0]) for name in names}
    return Model("chain", ("x",), (names[-1],), tuple(nodes), tensors)


def seconds(model: Model, limits: Limits) -> float:
    start = time.process_time()
    best(model, links(model), fits(model), limits)
    return time.process_time() - start


def test_10000_nodes() -> None:
    assert seconds(chain(10_000), HTP) <= 5


@pytest.mark.sweep
@pytest.mark.parametrize("limits", [OPENVINO, HTP], ids=lambda limits: limits.name)
@pytest.mark.parametrize(("near", "outside"), [(20_000, 0.0), (20_000, 0.1), (20, 0.12), (2, 0.0)])
def test_10000_random_nodes(limits: Limits, near: int, outside: float) -> None:
    assert seconds(drawn(random.Random(1), 10_000, near, outside), limits) <= 5


def words(model: Model, limits: Limits) -> list[str]:
    return sorted(named(model, [part.nodes for part in best(model, links(model), fits(model), limits)]))


def test_what_numbers_refuse() -> None:
    assert words(small("a=x p=a b=y c=b,a -> c p", outside="p"), OPENVINO) == ["a b c"]
    assert words(small("a=x p=a b=a,p -> b", outside="p"), OPENVINO) == ["a", "b"]


def test_what_reads_the_same_tensor_is_one() -> None:
    model = small("a=x b=x p=a q=b -> p q", outside="p q")
    assert words(model, OPENVINO) == ["a b"]


def test_limits_of_a_target() -> None:
    model = small("a=x0,x1 b=a,x2 c=b,x3 d=c,x4 -> d")
    assert words(model, HTP) == ["a b c d"]
    assert words(model, replace(HTP, tensors=5)) in (["a", "b c d"], ["a b c", "d"])
    assert words(model, replace(HTP, inputs=3)) == ["a b", "c d"]
    assert len(words(model, replace(HTP, nodes=2))) == 2
    assert len(words(model, replace(HTP, tile=128 * 4))) == 2
    two = small("a=x b=a c=a p=b q=c -> p q", outside="p q")
    assert words(two, HTP) == ["a b c"]
    assert len(words(two, replace(HTP, outputs=1))) > 1


def test_registers() -> None:
    """A diamond needs the value that both of its sides read, and one of each side."""
    model = small("a=x b=a c=b d=a,c -> d")
    edges = links(model)
    assert registers(model, edges, (0, 1, 2, 3), ("x",)) == 2
    wide = small("a=x b=a c=a d=a e=b,c f=d,e g=f,a -> g")
    assert registers(wide, links(wide), range(7), ("x",)) == 4
    assert words(wide, replace(HTP, registers=4)) == ["a b c d e f g"]
    assert len(words(wide, replace(HTP, registers=3))) > 1
    number = small("a=x,TWO b=a,TWO -> b")
    assert registers(number, links(number), (0, 1), ("x",)) == 2


def test_a_kernel_that_would_compute_more_is_none() -> None:
    """A long computation of a row is not repeated for every row of what reads it."""
    shapes = {"r": (1, 1, 16), "x": (1, 64, 16), "a": (1, 1, 16), "b": (1, 64, 16)}
    model = small("a=r b=a,x p=a -> b p", outside="p", shapes=shapes)
    exp = replace(model, nodes=(replace(model.nodes[0], op="Exp"), *model.nodes[1:]))
    assert words(exp, replace(HTP, tensors=3)) == ["a", "b"]  # the greedy one may not, and merging does not pay
    assert "a" in words(replace(exp, outputs=("b", "p")), replace(HTP, tensors=3))


def test_a_line() -> None:
    choose = random.Random(3)
    listed = list(range(20))
    line = Line(listed)
    for _ in range(3000):
        thing, other = choose.sample(listed, 2)
        line.take(thing)
        listed.remove(thing)
        at = listed.index(other)
        if choose.random() < 0.5:
            line.before(thing, other)
            listed.insert(at, thing)
        else:
            line.behind(thing, other)
            listed.insert(at + 1, thing)
        assert sorted(line.place, key=line.place.__getitem__) == listed
    for _ in range(100):  # always into the same gap
        line.take(listed[2])
        line.before(listed[2], listed[1])
        listed[1], listed[2] = listed[2], listed[1]
        assert sorted(line.place, key=line.place.__getitem__) == listed
