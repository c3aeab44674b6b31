"""Generated operations inside the stand-in of onert: classes, validators, both shape inferers and layers agree with the spec."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onert_graph import TYPES, Graphs
from onert_kit import package_of

from opkg.spec.evaluate import TensorInfo
from opkg.spec.infer import Call, check_call
from opkg.spec.model import Op, Value
from opkg.targets.foreign import Era
from opkg.targets.onert.types import usable
from opkg.verify.cases.case import Case, CaseParam, CaseTensor
from opkg.verify.cases.computed import Computed
from opkg.verify.cases.generate import Plan, generate
from opkg.verify.judge.verdict import judge
from opkg.verify.meaning.numbers import Quant, storage

PACKAGE = package_of(Path(__file__).with_name("ops.yaml").read_text())
pytestmark = pytest.mark.xdist_group("onert_graphs")  # compiled once


CLASSIC = Era(
    operation_lst=False,
    nested_namespaces=False,
    layout=True,
    circle_custom=False,
    specific_loader=True,
    own_operands=True,
    zero_point=False,
    output_constraint=False,
    attr_map=False,
    same_quant=False,
    validator_operands=False,
    compiler_factory=False,
)
IN_2023 = Era(
    operation_lst=False, nested_namespaces=False, layout=True, unused_release=True, circle_custom=False, cxx17=False,
    options_list=True,
)  # fmt: skip


@pytest.mark.parametrize("era", [CLASSIC, IN_2023], ids=["2021", "2023"])
def test_older_trees(tmp_path: Path, era: Era) -> None:
    """Entries and files of an older tree compile, its loaders load models (custom operators in BaseLoader, the schema's
    own in both), and the tests pass that it can compile."""
    names = ("Clipped", "SumOver", "Shifted") if era is CLASSIC else ("MinMaxRow",)
    ops = tuple(op for op in PACKAGE.ops if op.name in names)
    built = Graphs(tmp_path, replace(PACKAGE, ops=ops), era)
    for op in ops:
        for case in _cases(op, 4):
            got = built.run(case)
            assert got.stage == 0, f"{case.describe()}: {got.message}"
            assert judge(case, got.result).status == "passed", case.describe()
    shown = built.tests()
    assert all(f"ok GenModelTest.OneOp_{op.name}\n" in shown for op in ops)
    for name in ("static_shape", "dynamic_shape", "neg_type", "neg_rank"):
        assert all((f"ok {op.name}.{name}\n" in shown) == era.compiler_factory for op in ops)


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> Graphs:
    return Graphs(tmp_path_factory.mktemp("graphs"), PACKAGE)


def _cases(op: Op, count: int = 8) -> list[Case]:
    assert op.compute is not None
    cases, findings = generate(op, Computed(op, op.compute), Plan(count))
    assert not findings
    assert {case.combination for case in cases} == set(usable(op))
    return cases


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("op", PACKAGE.ops, ids=lambda op: op.name)
def test_shapes_and_results(graphs: Graphs, op: Op, dynamic: bool) -> None:
    for case in _cases(op):
        got = graphs.run(case, dynamic)
        assert got.stage == 0, f"{case.describe()}: {got.message}"
        assert got.shapes == tuple(tensor.shape for tensor in case.outputs), case.describe()
        outcome = judge(case, got.result)
        assert outcome.status == "passed", f"{case.id} {case.describe()}: {outcome.message} {outcome.outputs}"


@pytest.mark.parametrize("op", PACKAGE.ops, ids=lambda op: op.name)
def test_other_element_types_are_refused(graphs: Graphs, op: Op) -> None:
    case = _cases(op, 1)[0]
    for tensor in case.tensors:
        if not tensor.absent:
            got = graphs.run(case, changed={tensor.name: {"type": TYPES.index("FLOAT16")}})
            assert got.stage == 1, f"{tensor.name}: {got.message}"


@pytest.mark.parametrize("op", PACKAGE.ops, ids=lambda op: op.name)
def test_other_ranks_are_refused(graphs: Graphs, op: Op) -> None:
    case = _cases(op, 1)[0]
    for tensor in case.inputs:
        if not tensor.absent:
            got = graphs.run(case, changed={tensor.name: {"dims": (1,) * (tensor.spec.ranks.high + 1)}})
            assert got.stage == 2, f"{tensor.name}: {got.stage} {got.message}"


def test_generated_tests(graphs: Graphs) -> None:
    """Those of the core: static and dynamic shapes, refusals. Those of the API: a model that is written, loaded and run."""
    shown = graphs.tests()
    for op in PACKAGE.ops:
        for name in ("static_shape", "dynamic_shape", "neg_type", "neg_rank"):
            assert f"ok {op.name}.{name}\n" in shown
        if op.name != "Bits":  # Circle has no plain uint8
            assert f"ok GenModelTest.OneOp_{op.name}\n" in shown
            assert f"ok GenModelTest.neg_OneOp_{op.name}_type\n" in shown


def test_quantization_is_asked(graphs: Graphs) -> None:
    """`same as x` where elements are quantized."""
    op = next(op for op in PACKAGE.ops if op.name == "Shifted")
    case = next(case for case in _cases(op, 4) if case.combination.suffix == "u8_i32")
    assert graphs.run(case).stage == 0
    assert graphs.run(case, changed={"y": {"scale": 0.75}}).stage == 1
    assert graphs.run(case, changed={"y": {"zero_point": 77}}).stage == 1


SHAPES = st.lists(st.integers(1, 3), min_size=0, max_size=5).map(tuple)


def _random_case(op: Op, data: st.DataObject) -> tuple[Case, Call]:
    """A call with random shapes and params, and what the spec says of it. Dimensions are small, so that many fit."""
    combination = data.draw(st.sampled_from(usable(op)))
    shapes = {t.name: data.draw(SHAPES) for t in op.inputs}
    if data.draw(st.booleans()):  # alike more often than chance would have it
        shapes = dict.fromkeys(shapes, data.draw(SHAPES))
    absent = {t.name for t in op.inputs if t.optional and data.draw(st.booleans())}
    params: dict[str, Value] = {}
    for param in op.params:
        count = data.draw(st.integers(1, 3))
        number = st.integers(-3, 3) if param.dtype.integral and param.dtype.signed else st.integers(0, 3)
        value = data.draw(st.booleans() if param.dtype.name == "bool8" else number)
        value = value if param.dtype.integral else float(value)
        params[param.name] = (value,) * count if param.shape is not None else value
    infos = {
        t.name: None if t.name in absent else TensorInfo(shapes[t.name], t.dtype.of(combination), 0.5, 0)
        for t in op.inputs
    }
    call = check_call(op, combination, infos, params)
    tensors = []
    for tensor in op.tensors:
        dtype = tensor.dtype.of(combination)
        quant = Quant((0.5,), (0,)) if dtype.quantized else None
        found = call.outputs.get(tensor.name)
        shape = shapes.get(tensor.name) or (found if isinstance(found, tuple) else ())
        stored = np.ones(shape, storage(dtype)) if tensor in op.inputs else None
        tensors.append(CaseTensor(tensor.name, tensor, dtype, shape, quant, stored, tensor.name in absent))
    count = len(op.inputs)
    given = tuple(CaseParam(p, params[p.name], (1,) if p.shape is not None else None, True) for p in op.params)
    case = Case(op, combination, "random", op.span, tuple(tensors[:count]), given, tuple(tensors[count:]))
    return case, call


@pytest.mark.parametrize("op", PACKAGE.ops, ids=lambda op: op.name)
@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@settings(max_examples=60, derandomize=True)
@given(data=st.data())
def test_random_calls(graphs: Graphs, op: Op, dynamic: bool, data: st.DataObject) -> None:
    """What the spec allows runs, with the spec's shapes; what it does not allow is refused when shapes are known."""
    case, call = _random_case(op, data)
    if call.violations and dynamic:
        return
    got = graphs.run(case, dynamic)
    if call.violations:
        assert got.stage in (1, 2), f"{case.describe()}: {call.violations}"
    else:
        assert got.stage == 0, f"{case.describe()}: {got.stage} {got.message}"
        assert got.shapes == tuple(tensor.shape for tensor in case.outputs), case.describe()
