"""Small models for the tests of partitions: from a line of text, and the 400 random graphs that OpenVINO partitioned."""

from __future__ import annotations

import functools
import json
import lzma
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from opkg.models.model import Links, Model, Node, Tensor, links
from opkg.models.ops import OPS
from opkg.models.partition.greedy import Subgraph, greedy

DATA = Path(__file__).parent / "data" / "partitions.json.xz"
OUTSIDE = {"MaxPool", "Sin", "Log"}  # ops that OpenVINO's snippets do not take
NAMES = {row.openvino: row.name for row in OPS.values() if row.openvino}
SHAPE = (1, 8, 16)


class Held:
    """A constant without numbers, for graphs that nobody computes."""

    def read(self) -> Any:
        raise OSError("a constant of a test has no numbers")


@functools.cache
def graphs() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(lzma.decompress(DATA.read_bytes()))["graphs"]
    return found


def model_of(graph: dict[str, Any]) -> Model:
    shapes = {name: tuple(shape) for name, shape in graph["inputs"]}
    shapes |= {name: tuple(shape) for name, _, _, shape in graph["ops"]}
    nodes = tuple(Node(name, NAMES.get(op, op), tuple(args), (name,)) for name, op, args, _ in graph["ops"])
    tensors = {name: Tensor(name, "float32", shape) for name, shape in shapes.items()}
    return Model(graph["id"], tuple(name for name, _ in graph["inputs"]), tuple(graph["results"]), nodes, tensors)


def small(text: str, outside: str = "", shapes: dict[str, tuple[int, ...]] | None = None) -> Model:
    """`a=x,y` words as nodes (`a+b=x`: two results); names that are not defined are inputs, names in capitals constants of
    one element; the last words after `->` are results. Nodes named in `outside` fit no kernel."""
    body, results = text.split("->")
    lines = [line.split("=") for line in body.split()]
    shapes = shapes or {}
    made = {name for names, _ in lines for name in names.split("+")}
    given = dict.fromkeys(arg for _, args in lines for arg in args.split(",") if arg not in made)
    constants = {name: Held() for name in given if name.isupper()}
    tensors = {
        name: Tensor(name, "float32", shapes.get(name, (1,) if name in constants else SHAPE))
        for name in (*given, *made)
    }
    nodes = tuple(
        Node(names, "MaxPool" if names in outside.split() else "Add", tuple(args.split(",")), tuple(names.split("+")))
        for names, args in lines
    )
    inputs = tuple(name for name in given if name not in constants)
    return Model("small", inputs, tuple(results.split()), nodes, tensors, constants)


def fits(model: Model) -> list[bool]:
    return [node.op not in OUTSIDE and len(node.outputs) == 1 for node in model.nodes]


def parts(model: Model, most_tensors: int = 11) -> tuple[Subgraph, ...]:
    return greedy(model, links(model), fits(model), most_tensors)


def named(model: Model, found: Iterable[Sequence[int]]) -> list[str]:
    return [" ".join(model.nodes[number].name for number in nodes) for nodes in found]


def acyclic(model: Model, edges: Links, found: Iterable[Sequence[int]]) -> bool:
    """Whether the subgraphs can be computed one after the other."""
    owner = {number: ("part", place) for place, nodes in enumerate(found) for number in nodes}
    at = [owner.get(number, ("node", number)) for number in range(len(model.nodes))]
    needs: dict[tuple[str, int], set[tuple[str, int]]] = {}
    gives: dict[tuple[str, int], set[tuple[str, int]]] = {}
    for number, node in enumerate(model.nodes):
        needs.setdefault(at[number], set())
        for name in node.reads:
            before = edges.maker.get(name)
            if before is not None and at[before] != at[number]:
                needs[at[number]].add(at[before])
                gives.setdefault(at[before], set()).add(at[number])
    ready = [part for part, before in needs.items() if not before]
    done = 0
    while ready:
        part = ready.pop()
        done += 1
        for after in gives.get(part, ()):
            needs[after].discard(part)
            if not needs[after]:
                ready.append(after)
    return done == len(needs)
