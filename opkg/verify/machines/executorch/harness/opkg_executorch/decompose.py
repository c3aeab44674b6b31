"""Calls of the packages' ops as the torch calls that their `compute:` says, in float32: a model without the packages."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterable
from typing import Any

import torch
from torch.fx import Graph, GraphModule, Node
from torch.fx.experimental.proxy_tensor import make_fx

KEPT = ("nn_module_stack", "source_fn_stack", "stack_trace")  # of the call: where in the model it is
_NARROW = {torch.float64: torch.float32}


def decomposed(module: GraphModule, packages: Iterable[str]) -> tuple[GraphModule, dict[str, int]]:
    """An exported model, changed in place, and how often each op was taken apart. Ops without `compute:` stay."""
    ops: dict[str, tuple[Any, str]] = {}
    for name in packages:
        known = importlib.import_module(f"{name}.ops")
        space = importlib.import_module(f"{name}.constants").TORCH_NAMESPACE
        ops |= {f"{space}.{op.name}.default": (op, name) for op in known.OPS if op.compute is not None}
    found: Counter[str] = Counter()
    for node in list(module.graph.nodes):
        if node.op == "call_function" and str(node.target) in ops:
            _replace(module, node, *ops[str(node.target)])
            found[str(node.target).removesuffix(".default")] += 1
    module.graph.eliminate_dead_code()
    module.recompile()
    return module, dict(found)


def _replace(module: GraphModule, node: Node, op: Any, package: str) -> None:
    """The traced computation in place of the call."""
    eager = importlib.import_module(f"{package}.torch_eager").Eager(op, None, None)
    planned = importlib.import_module(f"{package}.torch_planning").planned
    given = op.arguments(node)
    inputs = [each for name in op.inputs for each in _listed(given[name])]

    def compute(*tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        left = list(tensors)
        for name in op.inputs:
            value = given[name]
            several = isinstance(value, list | tuple)
            taken = [left.pop(0) for _ in _listed(value)]
            now[name] = taken if several else taken[0] if taken else None
        return tuple(eager.whole(now, planned(op, now)))

    now = dict(given)
    examples = [torch.zeros(tuple(each.meta["val"].shape), dtype=each.meta["val"].dtype) for each in inputs]
    with torch.no_grad():
        traced = make_fx(compute)(*examples)
    _narrowed(traced)
    results = _copied(module, traced, node, inputs)
    if len(results) == 1:
        node.replace_all_uses_with(results[0])
    for user in list(node.users):  # getitem
        user.replace_all_uses_with(results[user.args[1]])
        module.graph.erase_node(user)
    module.graph.erase_node(node)


def _listed(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, list | tuple) else [value]


def _narrowed(traced: GraphModule) -> None:
    """Everything that is float64 as float32, which the backend knows; conversions between these are gone."""

    def narrow(value: Any) -> Any:
        return _NARROW.get(value, value) if isinstance(value, torch.dtype) else value

    for node in traced.graph.nodes:
        if node.op == "get_attr":
            value = getattr(traced, node.target)
            setattr(traced, node.target, value.to(_NARROW.get(value.dtype, value.dtype)))
        node.args, node.kwargs = torch.fx.node.map_aggregate((node.args, node.kwargs), narrow)
        if node.target is torch.ops.aten._to_copy.default and _dtype(node) == _dtype(node.args[0]):
            node.replace_all_uses_with(node.args[0])
    traced.graph.eliminate_dead_code()


def _dtype(node: Node) -> torch.dtype:
    made: torch.dtype = node.meta["val"].dtype
    return _NARROW.get(made, made)


def _copied(module: GraphModule, traced: GraphModule, node: Node, inputs: list[Node]) -> list[Node]:
    """The traced calls before a node of a graph; the results."""
    graph: Graph = module.graph
    held: dict[Node, Node] = {}
    given = iter(inputs)
    with graph.inserting_before(node):
        for each in traced.graph.nodes:
            if each.op == "placeholder":
                held[each] = next(given)
            elif each.op == "get_attr":
                name = f"_opkg_{node.name}_{each.target}"
                module.register_buffer(name, getattr(traced, each.target))
                held[each] = graph.get_attr(name)
            elif each.op == "output":
                return [held[result] for result in each.args[0]]
            else:
                held[each] = graph.node_copy(each, held.__getitem__)
                kept = {key: node.meta[key] for key in KEPT if key in node.meta}
                held[each].meta = kept | {"val": each.meta["val"]}
    raise AssertionError("a traced graph has an output")
