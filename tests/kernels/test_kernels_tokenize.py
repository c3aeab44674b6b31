"""Partitions of graphs of ops: those of 400 random graphs as OpenVINO made them, and each rule on a small graph."""

from __future__ import annotations

import functools
import json
import lzma
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from opkg.kernels.graphs.tokenize import CycleTest, Kind, Subgraph, Token, tokenize, visiting_order

DATA = Path(__file__).parent / "data" / "partitions.json.xz"
OUTSIDE = {"MaxPool", "Sin", "Log"}  # ops that its snippets do not take


@functools.cache
def graphs() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(lzma.decompress(DATA.read_bytes()))["graphs"]
    return found


def tokens_of(graph: dict[str, Any]) -> list[Token]:
    tokens = [Token(name, Kind.INPUT, (), tuple(shape)) for name, shape in graph["inputs"]]
    for name, op, args, shape in graph["ops"]:
        tokens.append(Token(name, Kind.OP, tuple(args), tuple(shape), op not in OUTSIDE))
    return tokens + [Token(f"res{n}", Kind.RESULT, (name,)) for n, name in enumerate(graph["results"])]


def acyclic(tokens: Sequence[Token], parts: Sequence[Subgraph]) -> bool:
    """Whether the subgraphs can be computed one after the other."""
    owner = {op: part.name for part in parts for op in part.ops}
    needs: dict[str, set[str]] = {}
    for token in tokens:
        at = owner.get(token.name, token.name)
        needs.setdefault(at, set()).update({owner.get(arg, arg) for arg in token.args} - {at})
    done: set[str] = set()
    while len(done) < len(needs):
        ready = {at for at, before in needs.items() if before <= done} - done
        if not ready:
            return False
        done |= ready
    return True


def test_400_random_graphs() -> None:
    assert len(graphs()) == 400
    for graph in graphs():
        found = tokenize(visiting_order(tokens_of(graph)))
        got = sorted([sorted(part.ops), len(part.inputs), len(part.outputs)] for part in found)
        assert got == sorted([sorted(ops), ins, outs] for ops, ins, outs in graph["subgraphs"]), graph["id"]


def test_the_order_of_visits() -> None:
    for graph in graphs():
        assert [token.name for token in visiting_order(tokens_of(graph))] == graph["order"], graph["id"]


def test_paths_make_fewer_subgraphs_and_no_cycles() -> None:
    counts = {CycleTest.NUMBERS: 0, CycleTest.PATHS: 0}
    for graph in graphs():
        tokens = visiting_order(tokens_of(graph))
        for kind in counts:
            parts = tokenize(tokens, cycle_test=kind)
            assert acyclic(tokens, parts), (graph["id"], kind)
            counts[kind] += len(parts)
    fewer = 1 - counts[CycleTest.PATHS] / counts[CycleTest.NUMBERS]
    assert 0.03 < fewer < 0.08


SHAPE = (1, 8, 16)


def model(text: str, outside: str = "", shapes: dict[str, tuple[int, ...]] | None = None) -> list[Token]:
    """`a=x,y` lines as ops; names that are not defined are inputs, names in capitals one-element constants; the last
    words after `->` are results."""
    body, results = text.split("->")
    lines = [line.split("=") for line in body.split()]
    names = [name for name, _ in lines]
    shapes = shapes or {}
    tokens: list[Token] = []
    for arg in dict.fromkeys(arg for _, args in lines for arg in args.split(",")):
        if arg not in names:
            constant = arg.isupper()
            shape = shapes.get(arg, (1,) if constant else SHAPE)
            tokens.append(Token(arg, Kind.CONSTANT if constant else Kind.INPUT, (), shape))
    for name, args in lines:
        shape = shapes.get(name, SHAPE)
        tokens.append(Token(name, Kind.OP, tuple(args.split(",")), shape, name not in outside.split()))
    tokens += [Token(f"-{n}", Kind.RESULT, (name,)) for n, name in enumerate(results.split())]
    return list(visiting_order(tokens))


def parts(tokens: list[Token], **more: Any) -> list[str]:
    return [" ".join(part.ops) for part in tokenize(tokens, **more)]


def test_a_chain_is_one_subgraph_with_constants_inside() -> None:
    (part,) = tokenize(model("a=x b=a,TWO c=b,y d=c,WIDE -> d", shapes={"WIDE": (8, 16)}))
    assert part == Subgraph(("a", "b", "c", "d"), ("x", "y", "WIDE"), ("d",))


def test_an_op_that_does_not_fit_ends_a_subgraph() -> None:
    assert parts(model("a=x p=a b=p c=b -> c", outside="p")) == ["a", "b c"]


def test_a_path_out_and_back_is_no_subgraph() -> None:
    tokens = model("a=x p=a b=a,p -> b", outside="p")
    for kind in CycleTest:
        assert parts(tokens, cycle_test=kind) == ["a", "b"]


def test_numbers_refuse_what_paths_allow() -> None:
    tokens = model("a=x p=a b=y c=b,a -> c p", outside="p")  # p is visited between a and c
    found = {kind: sorted(parts(tokens, cycle_test=kind)) for kind in CycleTest}
    assert found == {CycleTest.NUMBERS: ["a", "b c"], CycleTest.PATHS: ["b a c"]}


def test_results_of_two_parts_stay_apart() -> None:
    assert sorted(parts(model("a=x b=a,y -> a b"))) == ["a", "b"]
    assert sorted(parts(model("a=x b=a c=b -> c b"))) == ["a b", "c"]


def test_too_many_tensors() -> None:
    chain = model("a=x0,x1 b=a,x2 c=b,x3 d=c,x4 -> d")
    assert parts(chain) == ["a b c d"]
    assert parts(chain, most_tensors=5) == ["a b c", "d"]


def test_results_that_do_not_broadcast() -> None:
    text = "a=x b=a p=a -> b p"
    assert parts(model(text, outside="p")) == ["a b"]
    assert parts(model(text, outside="p", shapes={"a": (2, 3), "b": (5, 3)})) == ["a", "b"]


@pytest.mark.parametrize("kind", list(CycleTest))
def test_nothing_to_do(kind: CycleTest) -> None:
    assert tokenize([], cycle_test=kind) == ()
    assert tokenize(model("a=x -> a", outside="a"), cycle_test=kind) == ()
