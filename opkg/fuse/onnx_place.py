"""Puts nodes into an ONNX model in the place of others, whose border they keep; models in QDQ form keep their steps at it."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from opkg.models.fold import Fold
from opkg.models.model import Model


class Place(Protocol):
    """Nodes of the folded model, and the tensors that go in and out."""

    @property
    def nodes(self) -> tuple[int, ...]: ...
    @property
    def inputs(self) -> tuple[str, ...]: ...
    @property
    def outputs(self) -> tuple[str, ...]: ...


def put(graph: Any, model: Model, fold: Fold, places: Sequence[tuple[Place, Sequence[Any]]]) -> None:
    """Nodes of places go; the new ones stand behind what they need."""
    gone = {name for place, _ in places for number in place.nodes for name in model.nodes[number].outputs}
    gone = {fold.quantized.get(name, name) for name in gone}
    fresh = [node for _, nodes in places for node in nodes]
    kept = [node for node in graph.node if not any(name in gone for name in node.output)]
    ordered = _ordered([*kept, *fresh], {name for node in [*kept, *fresh] for name in node.output})
    del graph.node[:]
    graph.node.extend(ordered)
    inner = gone - {fold.quantized.get(name, name) for place, _ in places for name in place.outputs}
    values = [value for value in graph.value_info if value.name not in inner]
    del graph.value_info[:]
    graph.value_info.extend(values)
    without_dead(graph)


def makers_of(graph: Any) -> dict[str, Any]:
    """The node that gives a tensor, by the tensor's name."""
    return {name: node for node in graph.node for name in node.output}


def border(makers: Mapping[str, Any], model: Model, fold: Fold, place: Place) -> tuple[list[str], list[str]]:
    """The names in the file of what goes in and out: floats, as all nodes of models in QDQ form have them."""
    real = {}
    for number in place.nodes:
        name = model.nodes[number].outputs[0]
        for read in makers[fold.quantized.get(name, name)].input:
            real[fold.floats.get(read, read)] = read
    return [real[name] for name in place.inputs], [fold.quantized.get(name, name) for name in place.outputs]


def steps_apart(graph: Any) -> None:
    """Each reader of a DequantizeLinear gets one of its own. ONNX Runtime's QNN provider ends the process on a model in which
    two nodes share one, once a node of a package is there, too ("Processed 7 nodes. Expected to process 30", 2.7.0)."""
    readers: dict[str, list[tuple[Any, int]]] = {}
    for node in graph.node:
        for at, name in enumerate(node.input):
            readers.setdefault(name, []).append((node, at))
    taken = {name for node in graph.node for name in node.output}
    results = {value.name for value in graph.output}  # whoever runs the model reads these
    ordered = []
    for node in graph.node:
        ordered.append(node)
        if node.op_type != "DequantizeLinear":
            continue
        first = 0 if node.output[0] in results else 1
        for number, (reader, at) in enumerate(readers.get(node.output[0], ())[first:], 1):
            own = type(node)()
            own.CopyFrom(node)
            own.output[0] = f"{node.output[0]}_{number}"
            while own.output[0] in taken:
                own.output[0] += "_"
            taken.add(own.output[0])
            own.name = own.output[0]
            reader.input[at] = own.output[0]
            ordered.append(own)
    copies = [type(node).FromString(node.SerializeToString()) for node in ordered]
    del graph.node[:]
    graph.node.extend(copies)


def _ordered(nodes: Sequence[Any], made: set[str]) -> list[Any]:
    """Nodes behind those that give what they read, else as they stand."""
    from opkg.models.onnx_reader import read_within

    needs = [{n for n in (*node.input, *read_within(node)) if n in made} for node in nodes]
    readers: dict[str, list[int]] = {}
    for at, names in enumerate(needs):
        for name in names:
            readers.setdefault(name, []).append(at)
    ready = [at for at, names in enumerate(needs) if not names]
    heapq.heapify(ready)
    found = []
    while ready:
        at = heapq.heappop(ready)
        found.append(nodes[at])
        for name in nodes[at].output:
            for reader in readers.get(name, ()):
                needs[reader].discard(name)
                if not needs[reader]:
                    heapq.heappush(ready, reader)
    return found


def without_dead(graph: Any) -> None:
    """Without nodes, and initializers, that nobody needs."""
    from opkg.models.onnx_reader import read_within

    needed = {value.name for value in graph.output}
    kept = []
    for node in reversed(graph.node):
        if any(name in needed for name in node.output):
            kept.append(node)
            needed.update(name for name in (*node.input, *read_within(node)) if name)
    kept.reverse()
    del graph.node[:]
    graph.node.extend(kept)
    constants = [tensor for tensor in graph.initializer if tensor.name in needed]
    del graph.initializer[:]
    graph.initializer.extend(constants)
