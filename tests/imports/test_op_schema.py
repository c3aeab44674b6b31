"""`opkg import` from ONNX's OpSchemas: all ops of the installed onnx, what they compute, modules of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opkg.imports.read import Options, read
from opkg.imports.save import Draft, draft
from opkg.spec.diagnostics import Diagnostic, OpkgError
from opkg.spec.dtypes import DTYPES
from opkg.spec.model import Op
from opkg.spec.reader import read as read_spec
from opkg.verify.meaning.compute import evaluate

onnx = pytest.importorskip("onnx")
defs = onnx.defs

REASONS = (
    "it has no input", "it is deprecated", "is a graph", "no tensor of a spec is one", "is required and of STRING",
)  # fmt: skip


def names() -> list[str]:
    return sorted(schema.name for schema in defs.get_all_schemas() if schema.domain == "")


@pytest.fixture(scope="module")
def carried() -> Draft:
    return draft(read([f"::{name}" for name in names()], Options()), "acme.ops")


@pytest.fixture(scope="module")
def ops(carried: Draft) -> dict[str, Op]:
    package, _ = read_spec(carried.text.encode(), carried.path)
    assert package is not None
    return {op.name: op for op in package.ops}


def test_all_ops_of_the_installed_onnx_come_over_or_have_a_reason(carried: Draft) -> None:
    assert carried.ok, [finding for finding in carried.findings if finding.is_error]
    found = read([f"::{name}" for name in names()], Options()).findings
    refused = [finding for finding in (*found, *carried.findings) if finding.id == "OPK632"]
    assert len(carried.imported.ops) + len(refused) == len(names())
    assert [finding for finding in refused if not any(reason in finding.message for reason in REASONS)] == []
    assert len(carried.imported.ops) > 0.85 * len(names())


def test_inputs_types_and_defaults_are_the_schemas(ops: dict[str, Op]) -> None:
    gather = ops["Gather"]
    assert [tensor.name for tensor in gather.inputs] == ["data", "indices"]
    assert {c.dtype("T").name for c in gather.combinations} >= {"float32", "float16", "uint8", "bool8"}
    assert all(DTYPES[c.dtype("T").name].flat_class for c in gather.combinations)
    assert [(p.name, p.dtype.name, p.default) for p in gather.params] == [("axis", "int32", 0)]
    assert ops["Concat"].inputs[0].variadic == (1, 8)
    assert ops["Concat"].params[0].default is None
    assert [(t.name, t.optional) for t in ops["Clip"].inputs] == [("input", False), ("min", True), ("max", True)]


def test_every_computation_is_onnxs_own(ops: dict[str, Op]) -> None:
    computed = [op for op in ops.values() if op.compute is not None]
    assert len(computed) >= 40
    for op in computed:
        held(op)


def held(op: Op) -> None:
    """Held against onnx's reference implementation, with attributes that are not the defaults."""
    from onnx.reference import ReferenceEvaluator

    assert op.compute is not None
    kinds = {tensor.name: {tensor.dtype.of(c).name for c in op.combinations} for tensor in op.inputs}
    random = np.random.default_rng(7)
    arrays: dict[str, Any] = {}
    for tensor in op.inputs:
        if "float32" in kinds[tensor.name]:
            arrays[tensor.name] = (random.standard_normal((3, 17)) * 3).astype(np.float32)
        elif "int32" in kinds[tensor.name]:
            arrays[tensor.name] = random.integers(-9, 9, (3, 17)).astype(np.int32)
        else:
            arrays[tensor.name] = random.integers(0, 2, (3, 17)).astype(bool)
    first = op.inputs[0].name
    if op.name in ("Log", "Sqrt"):
        arrays[first] = np.abs(arrays[first])
    params = {param.name: 0.375 + i for i, param in enumerate(op.params)}
    expected = ReferenceEvaluator(node_model(op.name, arrays, params)).run(None, arrays)
    values = {n: a.astype({"f": np.float64, "i": np.int64, "b": bool}[a.dtype.kind]) for n, a in arrays.items()}
    values |= {param: np.float64(np.float32(value)) for param, value in params.items()}
    got = evaluate(op.compute, values)[op.outputs[0].name]
    np.testing.assert_allclose(
        np.asarray(got, np.float64), np.asarray(expected[0], np.float64), rtol=2e-5, atol=1e-6, err_msg=op.name
    )


def node_model(name: str, arrays: dict[str, Any], params: dict[str, float]) -> Any:
    from onnx import TensorProto, helper

    schema = defs.get_schema(name)
    order = [formal.name for formal in schema.inputs]
    node = helper.make_node(name, order, ["out"], **params)
    kinds = {"f": TensorProto.FLOAT, "i": TensorProto.INT32, "b": TensorProto.BOOL}
    inputs = [helper.make_tensor_value_info(n, kinds[a.dtype.kind], a.shape) for n, a in arrays.items()]
    outputs = [helper.make_tensor_value_info("out", TensorProto.UNDEFINED, None)]
    graph = helper.make_graph([node], "g", inputs, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", schema.since_version)])


MODULE = """
from onnx import defs

S = defs.OpSchema
F = S.FormalParameter
mine = S(
    "GatedPool", "com.acme", 1, doc="Pools and gates.",
    inputs=[F("x", "T"), F("gate", "T", param_option=S.FormalParameterOption.Optional)],
    outputs=[F("y", "T")],
    type_constraints=[("T", ["tensor(float)", "tensor(uint8)", "tensor(string)"], "")],
    attributes=[
        S.Attribute("alpha", S.AttrType.FLOAT, "slope", required=False),
        S.Attribute("kernel", S.AttrType.INTS, "extents", required=True),
    ],
)
"""


def test_a_module_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "schemas.py"
    path.write_text(MODULE)
    made = read([str(path)], Options())
    assert made.package == "com.acme"
    (op,) = made.ops
    assert (op.span.path, op.span.line, op.span.column) == (str(path), 7, 6)
    assert op.types == (("T", ("float32", "uint8")),)
    assert [(p.name, p.dtype, p.shape, p.default) for p in op.params] == [
        ("kernel", "int32", ("kernel_len",), None),
        ("alpha", "float32", None, None),
    ]
    assert "it may be left out there" in next(todo.why for part, todo in op.all_todos if part == "alpha")


def failure(source: str) -> Diagnostic:
    with pytest.raises(OpkgError) as raised:
        read([source], Options())
    return raised.value.diagnostics[0]


def test_faults_have_their_place_and_the_nearest_name(tmp_path: Path) -> None:
    assert failure("::Celuu").hint == "did you mean 'Celu'?"
    assert failure("ai.onnx::Celu@3").message == "'Celu' is there from version 12 on"
    path = tmp_path / "broken.py"
    path.write_text("import onnx\n\nraise ValueError('no schemas today')\n")
    found = failure(str(path))
    assert (found.id, found.span.line, found.message) == ("OPK631", 3, "the module raised ValueError: no schemas today")
    path.write_text("x = 1\n")
    assert failure(str(path)).message == "the module has no OpSchema"
