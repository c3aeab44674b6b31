"""Which nodes a target computes together with the convolution, matrix product or reduction before them.

As OpenVINO 2026.4.1's CPU plugin keeps them out of its snippets, measured (`get_runtime_model()` of small models, one feature
each): a chain begins at such a node, goes on through activations, and through sums, products, differences and quotients with one
constant per channel or for all, as long as nothing else reads what is in between. Next to a convolution, or to the bias
after it, a sum with another tensor belongs to it too. What is claimed is not always fused in the end; no snippet takes it.
"""

from __future__ import annotations

from opkg.models.model import Links, Model, Node
from opkg.models.ops import OPS, Group
from opkg.models.partition.moved import is_number
from opkg.models.partition.rms import rms_norms

_CONVOLUTIONS = frozenset(("Conv", "ConvTranspose"))
_PRODUCTS = frozenset(("MatMul", "Gemm"))
_OTHERS = frozenset(("AveragePool", "MaxPool", "MeanVarianceNormalization", "LpNormalization", "Resize"))
_BOUNDED = ("Clip", "FakeQuantize", "HSigmoid", "HardSwish", "Relu", "Round", "Sigmoid", "Tanh")
_ACTIVATIONS = frozenset((*_BOUNDED, "Abs", "Elu", "Gelu", "Mish", "Softplus", "Sqrt", "Swish"))
_SCALINGS = frozenset(["Add", "Div", "Mul", "PRelu", "Sub"])


def claimed(model: Model, edges: Links) -> dict[int, str]:
    """The numbers of such nodes, and the name of the node with which each is computed."""
    found: dict[int, str] = {}
    for nodes in rms_norms(model, edges):
        found.update(dict.fromkeys(nodes, f"{model.nodes[nodes[-1]].name}, as one normalization"))
    for number, node in enumerate(model.nodes):
        if number in found:
            continue
        if _in_rows(model, node):
            _weight(model, edges, number, found)
        elif begins_chain(node):
            _follow(model, edges, number, found)
    return found


def begins_chain(node: Node) -> bool:
    """Whether what follows a node can be computed with it."""
    row = OPS.get(node.op)
    return node.op in _CONVOLUTIONS | _PRODUCTS | _OTHERS or (row is not None and row.group is Group.REDUCTION)


def _in_rows(model: Model, node: Node) -> bool:
    """A normalization of the last dimension alone of four: the plugin makes a mean, a difference and an RMS norm of it."""
    shape = model.tensor(node.outputs[0]).fixed if node.outputs else None
    if node.op != "MeanVarianceNormalization" or shape is None or len(shape) < 4:
        return False
    axes = model.constants[node.inputs[1]].read().reshape(-1).tolist() if node.inputs[1] in model.constants else None
    return axes in ([-1], [len(shape) - 1])


def _weight(model: Model, edges: Links, number: int, found: dict[int, str]) -> None:
    """The product with a weight per element of the row, which an RMS norm takes."""
    reader = _only_reader(edges, model.nodes[number])
    if reader is None or model.nodes[reader].op != "Mul":
        return
    if _scaling(model, edges, model.nodes[reader], model.nodes[number], -1):
        found[reader] = model.nodes[number].name


def _follow(model: Model, edges: Links, start: int, found: dict[int, str]) -> None:
    """Goes down one chain."""
    first = model.nodes[start]
    at, plain = first, True  # so far nothing but a bias
    while (number := _only_reader(edges, at)) is not None:
        node = model.nodes[number]
        constant = _scaling(model, edges, node, at, -1 if first.op in _PRODUCTS else 1)
        total = first.op in _CONVOLUTIONS and plain and node.op == "Add" and not constant
        if not (node.op in _ACTIVATIONS or constant or total):
            return
        found.setdefault(number, first.name)
        at, plain = node, plain and constant and node.op == "Add"


def _only_reader(edges: Links, node: Node) -> int | None:
    """The one node that reads a node's result."""
    if len(node.outputs) != 1 or node.outputs[0] in edges.results:
        return None
    users = edges.used(node.outputs[0])
    return users[0] if len(users) == 1 else None


def _scaling(model: Model, edges: Links, node: Node, before: Node, axis: int) -> bool:
    """Whether a node adds, multiplies, ... a constant per channel, or one for all, to what is before it."""
    others = [name for name in node.inputs if name not in before.outputs]
    if node.op not in _SCALINGS or len(others) != 1 or others[0] not in model.constants:
        return False
    if node.op == "Div" and node.inputs[0] == others[0]:
        return False
    if is_number(model, others[0]):
        return True
    shape, whole = model.tensor(others[0]).fixed, model.tensor(node.outputs[0]).fixed
    if shape is None or whole is None or len(whole) < 2:
        return False
    at = axis % len(whole)
    if node.op == "PRelu" and len(shape) == 1:
        return shape[0] == whole[1]
    full = (1,) * (len(whole) - len(shape)) + shape
    return all(size == (whole[place] if place == at else 1) for place, size in enumerate(full))
