"""Runs in the interpreter that has the wheel: builders of torch's own ops, with the stock builders behind them.

PYTHONPATH has test_mapped_executorch. Prints one line of JSON.
"""

from __future__ import annotations

import json
import warnings
from collections import defaultdict
from types import SimpleNamespace

import test_mapped_executorch as package
import torch
from executorch.backends.qualcomm.builders import node_visitor_manager
from executorch.backends.qualcomm.partition import qnn_partitioner
from executorch.backends.qualcomm.quantizer.annotators import htp_rules
from executorch.backends.qualcomm.quantizer.quantizer import QnnQuantizer
from executorch.exir import EdgeCompileConfig, to_edge, to_edge_transform_and_lower
from executorch.exir.backend.partitioner import Partitioner, PartitionResult
from test_mapped_executorch import backend, mapping, torch_calls
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

registry = node_visitor_manager._node_visitor_dict


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.LayerNorm(6)
        self.wide = torch.nn.LayerNorm((3, 6))

    def forward(self, x):
        f = torch.nn.functional
        x = f.hardswish(x) + f.relu(x) + f.relu6(x) + f.hardtanh(x, -2.0, 3.0)
        x = x + torch.clamp(x, -1.0, 1.0) + torch.clamp(x, min=0.5)
        x = f.elu(x, 0.5) + torch.ops.aten.elu(x, 0.5, 2.0)
        x = torch.softmax(f.rms_norm(x, (6,)), 1)
        return self.norm(x) + self.wide(x)


class Recorder:
    """Stands for an op of the adaptor."""

    def __init__(self, name: str, package: str, op_type: str) -> None:
        self.op_type, self.params, self.tensors = op_type, {}, []

    def AddInputTensors(self, tensors) -> None:
        self.tensors += named(tensors)
        if self.op_type == "RmsNorm":
            self.params["inputs"] = len(tensors)

    def AddOutputTensors(self, tensors) -> None:
        self.tensors += ["->", *named(tensors)]

    def AddScalarParam(self, name, dtype, values) -> None:
        self.params[name] = next(iter(values.values())).item()

    def AddTensorParam(self, name, dtype, rank, dims, values, copy) -> None:
        self.params[name] = values.tolist()


def named(tensors) -> list[str]:
    """Name, element type and dimensions of each tensor."""
    found = [backend.PyQnnManager.PyQnnTensorWrapper(tensor) for tensor in tensors]
    return [
        f"{each.GetName()} {each.GetDataType().name.removeprefix('QNN_DATATYPE_')} {each.GetDims().tolist()}"
        for each in found
    ]


class Probe(Partitioner):
    """Gives the nodes to the builders, as the Qualcomm partitioner does, and delegates nothing: that needs QNN."""

    ops_to_not_decompose = qnn_partitioner.QnnPartitioner.ops_to_not_decompose

    def __init__(self) -> None:
        super().__init__()
        self.found: list = []

    def partition(self, program) -> PartitionResult:
        if not self.found:
            self.found = built(program)
        return PartitionResult(tagged_exported_program=program, partition_tags={})


def built(edge) -> list:
    """What the builders make of the nodes they are registered for."""
    visitors = node_visitor_manager.get_node_visitors(edge)
    found = []
    for node in edge.graph.nodes:
        name = getattr(node.target, "__name__", "")
        if node.op != "call_function" or name not in package.TARGETS:
            continue
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            op = visitors[name].define_node(node, defaultdict(dict))
        said = [str(w.message).split("): ")[1] for w in caught if "test.mapped" in str(w.message)]
        ours = isinstance(op, Recorder)
        found.append([name, op.op_type if ours else "stock" if op else "", op.params if ours else said])
    return found


def lowered() -> list:
    probe = Probe()
    program = torch.export.export(Model().eval(), (torch.randn(2, 3, 6),))
    config = EdgeCompileConfig(_check_ir_validity=False, _skip_dim_order=True)
    try:
        to_edge_transform_and_lower(program, partitioner=[probe], compile_config=config)
    except RuntimeError as failure:
        if "not decompose" not in str(failure):  # what the probe has kept, and nobody delegates
            raise
    return probe.found


class Product(torch.nn.Module):
    def forward(self, x, y):
        return torch.relu(torch.mm(torch.relu(x), torch.relu(y)))


def several(columns: int) -> list:
    """The ops that one node becomes, in order; where the spec does not allow one of them, why."""
    program = torch.export.export(Product(), (torch.randn(2, 3), torch.randn(3, columns)))
    edge = to_edge(program).exported_program()
    node = next(node for node in edge.graph.nodes if "mm" in node.name)
    users = [len(each.users) for each in edge.graph.nodes]
    builder = node_visitor_manager.get_node_visitors(edge)["aten.mm.default"]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        twice = [builder.define_node(node, defaultdict(dict)) for _ in range(2)]
    if caught:
        return [str(each.message) for each in caught]
    assert len(twice[0]) == len(twice[1])
    assert users == [len(each.users) for each in edge.graph.nodes]
    return [[op.op_type, *op.tensors, op.params] for op in twice[1]]


def quantized() -> list[str]:
    """Which nodes have quantized inputs in a model that the quantizer has annotated by our rules."""
    program = torch.export.export(Model().eval(), (torch.randn(2, 3, 6),), strict=True)
    prepared = prepare_pt2e(program.module(), QnnQuantizer())
    prepared(torch.randn(2, 3, 6))
    found = set()
    for node in convert_pt2e(prepared).graph.nodes:
        if str(node.target) in {"aten.hardswish.default", "aten.layer_norm.default", "aten.elu.default"}:
            source = node.args[0]
            assert "dequantize" in str(source.target), node
            found.add(str(node.target))
    return sorted(found)


def wrong() -> list[str]:
    """Mappings that the torch op does not have."""
    found = []
    relu = torch.ops.aten.relu.default
    for call, overload in (
        (mapping.TorchCall("aten.relu.default", ("x",), {"x": "input"}), relu),
        (
            mapping.TorchCall("aten.elu.default", ("x",), {"x": "self"}, read=frozenset({"alfa"})),
            torch.ops.aten.elu.default,
        ),
        (mapping.TorchCall("aten._softmax.default", ("x", "axis")), torch.ops.aten._softmax.default),
    ):
        try:
            call.check(overload)
        except ValueError as failure:
            found.append(str(failure))
    return found


def main() -> None:
    stock = dict(registry), dict(htp_rules.get_rules())
    package.register()
    kept = [str(op) for op in qnn_partitioner.get_skip_decomp_table()]
    backend.PyQnnManager = SimpleNamespace(**{**vars(backend.PyQnnManager), "PyQnnOpWrapper": Recorder})
    found = {
        "calls": sorted(call.op for calls in torch_calls.CALLS.values() for call in calls),
        "layer_norm kept": kept.count("aten.layer_norm.default"),
        "built": lowered(),
        "several": several(5),
        "too many": several(50),
        "quantized": quantized(),
        "wrong": wrong(),
    }
    package.unregister()
    found["restored"] = (dict(registry), dict(htp_rules.get_rules())) == stock
    found["kept after"] = [str(op) for op in qnn_partitioner.get_skip_decomp_table()].count("aten.layer_norm.default")
    print(json.dumps(found))


main()
