"""A rule's graph as a case that runners read: nodes of the package and of the core, docs/design/case-format.md."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from opkg.rules.core import HtpType
from opkg.rules.sim.model import CONST, INPUT, OUT, SHAPE, Graph, Node, Output
from opkg.spec.model import OpPackage
from opkg.verify.cases.casefile import Data, param_text, quant_text, scalar_bits
from opkg.verify.meaning.numbers import Array, encode
from opkg.verify.rules.execute import leaf_value
from opkg.verify.rules.machine_ops import CORE_PACKAGE, CoreParam, split_operands
from opkg.verify.rules.meaning import Arg, Call, Shape, Unfit
from opkg.verify.rules.meanings import bare
from opkg.verify.rules.own_ops import OwnOp
from opkg.verify.rules.sampler import Sample
from opkg.verify.rules.tensors import Value, dtype_of, quant_of, stored
from opkg.verify.rules.world import World

# Element types that tensors of a QNN graph may have here: signed quantized ones arrive unsigned (docs/measured-qhpi.md).
CARRIED = frozenset({HtpType.QUInt8, HtpType.QUInt16, HtpType.Float32, HtpType.Float16, HtpType.Int32})


class NotCarried(Exception):
    """The graph cannot be written as a QNN graph; the text says why."""


@dataclass(slots=True)
class GraphCase:
    """Writes one sample. Node ids are tensor names (`t7`); graph outputs have their own."""

    sample: Sample
    world: World
    package: OpPackage
    values: dict[int, Value]  # of all nodes
    data: Data
    shapes: dict[int, Shape] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    declared: set[int] = field(default_factory=set)

    def text(self, index: int, name: str) -> list[str]:
        """The lines of the case. Raises NotCarried."""
        graph = self.sample.graph
        self.lines = [f"case {index} {name}"]
        if graph.options:
            raise NotCarried("graph options cannot be set")
        self.shapes = self._shapes(graph)
        nodes = [n for n in graph.order() if n.op not in (INPUT, CONST, SHAPE, OUT)]
        made = [self._node(graph, node, number) for number, node in enumerate(nodes)]
        return [*self.lines, *made, "end"]

    # ---- tensors

    def _own_calls(self, graph: Graph) -> dict[int, tuple[OwnOp, Call]]:
        found = {}
        for node in graph.order():
            own = self.world.own(node.op)
            if own is not None:
                args = tuple(
                    Arg(self.values[i], graph.nodes[i].output, graph.nodes[i].op in (CONST, SHAPE)) for i in node.inputs
                )
                shape = None if node.output.is_multi else node.output.shape
                found[node.id] = own, Call(node.op, args, node.output.dtype, shape, node.output)
        return found

    def _shapes(self, graph: Graph) -> dict[int, Shape]:
        """Shapes of tensors in the ranks of their specs, which must not contradict each other or what core ops see."""
        found: dict[int, Shape] = {}
        calls = self._own_calls(graph)
        ops = [n for n in graph.nodes.values() if n.op not in (INPUT, CONST, SHAPE, OUT)]
        for id, (own, call) in calls.items():
            try:
                bound = own.bind(call)
            except Unfit as unfit:
                raise NotCarried(str(unfit)) from None
            for (spec, info, arg), input in zip(bound.inputs, graph.nodes[id].inputs, strict=False):
                if spec.dtype.of(bound.combination) != dtype_of(arg.output):
                    raise NotCarried(f"{spec.name} of {own.op.name} is {info.dtype}")
                self._agree(found, input, info.shape or ())
            for spec in own.op.outputs:
                shape = bound.call.outputs[spec.name]
                if len(own.op.outputs) == 1 and shape is not None and not (shape and isinstance(shape[0], tuple)):
                    self._agree(found, id, shape)  # type: ignore[arg-type]
        if len(ops) > len(calls) or len(ops) > 1:
            for id, shape in found.items():
                if not graph.nodes[id].output.is_multi and graph.nodes[id].output.shape != shape:
                    raise NotCarried(f"a tensor of rank {len(shape)} among others of rank 4")
        return found

    @staticmethod
    def _agree(found: dict[int, Shape], id: int, shape: Shape) -> None:
        if found.setdefault(id, shape) != shape:
            raise NotCarried("a tensor that two ops see in two ranks")

    def _tensor(self, name: str, kind: str, output: Output, shape: Shape, values: Array | None) -> None:
        dtype = dtype_of(output)
        if dtype is None or output.dtype not in CARRIED:
            raise NotCarried(f"a tensor of {output.dtype.name}")
        place = "- -"
        if values is not None:
            place = self.data.add(np.ascontiguousarray(stored(values, output)).tobytes())
        dims = "".join(f" {d}" for d in shape)
        quant = quant_text(quant_of(output))
        self.lines.append(f"tensor {name} {kind} {dtype.qnn_value:#x} {len(shape)}{dims} {quant} {place}")

    def _name(self, node: Node) -> str:
        return next((name for name, id in self.sample.graph.outputs if id == node.id), f"t{node.id}")

    def _input(self, graph: Graph, id: int) -> str:
        """The name of an operand's tensor; leaves are declared when first used."""
        node = graph.nodes[id]
        if id not in self.declared and node.op in (INPUT, CONST):
            values = self.sample.inputs.get(id) if node.op == INPUT else leaf_value(node)
            kind = "input" if node.op == INPUT else "static"
            self._tensor(f"t{id}", kind, node.output, self.shapes.get(id, node.output.shape), values)
            self.declared.add(id)
        if node.op == SHAPE:
            raise NotCarried("a shape as an operand")
        return self._name(node)

    def _result(self, node: Node) -> str:
        is_output = self.sample.graph.is_output(node.id)
        shape = self.shapes.get(node.id, node.output.shape)
        self._tensor(self._name(node), "output" if is_output else "native", node.output, shape, None)
        return self._name(node)

    # ---- nodes

    def _node(self, graph: Graph, node: Node, number: int) -> str:
        own = self.world.own(node.op)
        if own is not None:
            return self._own_node(graph, node, own, number)
        name = bare(node.op)
        if name is None:
            raise NotCarried(f"{node.op} is no op of this package")
        try:
            tensors, params = split_operands(name, len(node.inputs))
        except ValueError as wrong:
            raise NotCarried(str(wrong)) from None
        inputs = [self._input(graph, id) for id in node.inputs[:tensors]]
        given = [
            self._core_param(param, graph.nodes[id], f"p{number}.{param.name}")
            for param, id in zip(params, node.inputs[tensors:], strict=True)
        ]
        return _node_line(number, CORE_PACKAGE, name, inputs, self._results(graph, node), given)

    def _results(self, graph: Graph, node: Node) -> list[str]:
        if not node.output.is_multi:
            return [self._result(node)]
        names = []
        value = self.values[node.id]
        chosen = {graph.nodes[n.inputs[1]].output.shape[3]: n for n in graph.nodes.values()
                  if n.op == OUT and n.inputs[0] == node.id}  # fmt: skip
        some = next(iter(chosen.values()))
        for index in range(node.output.count):
            if index in chosen:
                names.append(self._result(chosen[index]))
                continue
            name = f"t{node.id}.{index}"
            self._tensor(name, "native", some.output, value[index].shape, None)
            names.append(name)
        return names

    def _own_node(self, graph: Graph, node: Node, own: OwnOp, number: int) -> str:
        _, call = self._own_calls(graph)[node.id]
        bound = own.bind(call)
        count = len(bound.inputs)
        inputs = [self._input(graph, id) for id in node.inputs[:count]]
        params = [
            param_text(own.case_param(p, bound), self.data, self.lines, f"p{number}.{p.name}")
            for p in own.op.params
            if p.name in bound.giving.params
        ]
        if any(graph.nodes[id].op != CONST for id in node.inputs[count:]):
            raise NotCarried("a param that is no constant")
        return _node_line(number, self.package.name, own.op.name, inputs, self._results(graph, node), params)

    def _core_param(self, param: CoreParam, node: Node, name: str) -> str:
        values = leaf_value(node)
        if node.op != CONST or values is None:
            raise NotCarried("a param that is no constant")
        if param.rank == 0:
            return f"scalar {param.name} {param.dtype.qnn_value:#x} {scalar_bits(values.reshape(-1)[0], param.dtype)}"
        shape = (values.size,) if param.rank == 1 else (values.size // param.wide, param.wide)
        place = self.data.add(encode(values.reshape(shape), param.dtype, None).tobytes())
        dims = "".join(f" {d}" for d in shape)
        self.lines.append(f"tensor {name} static {param.dtype.qnn_value:#x} {param.rank}{dims} none {place}")
        return f"tensor {param.name} {name}"


def _node_line(number: int, package: str, op: str, inputs: list[str], outputs: list[str], params: list[str]) -> str:
    parts = [str(len(inputs)), *inputs, str(len(outputs)), *outputs, str(len(params)), *params]
    return f"node n{number} {package} {op} " + " ".join(parts)
