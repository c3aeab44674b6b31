"""What expressions of `torch:` compute in generated packages, and ops that share a torch op. Without torch."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from opkg.spec.model import OpPackage
from opkg.spec.reader import read
from opkg.targets.executorch_builder import TARGET

SPEC = """opkg: 1
package: {name: test.shared, targets: [executorch-builder]}
ops:
  First:
    inputs: {x: {dtype: float32, rank: 4}}
    outputs: {y: {dtype: float32, shape: x.shape}}
    torch: {op: aten.relu.default, LOWERED}
  Second:
    inputs: {x: {dtype: float32}}
    params:
      pads: {dtype: uint32, shape: "[rank(x), 2]", DIMS}
    outputs: {y: {dtype: float32, shape: x.shape}}
    torch: {op: aten.relu.default, args: {x: self}, params: {pads: "[[0, n] for n in shape(self)]"}, lowered: true}
"""


def shared(lowered: str = "lowered: true", dims: str = "dims_of: x") -> tuple[OpPackage | None, list[Any]]:
    package, found = read(SPEC.replace("LOWERED", lowered).replace("DIMS", dims).encode(), "shared.yaml")
    return package, list(found)


def test_ops_that_share_a_torch_op_are_asked_in_order() -> None:
    package, found = shared()
    assert package is not None, found
    assert TARGET.check(package) == []
    texts = {artifact.path.rpartition("/")[2]: artifact.text for artifact in TARGET.render(package)}
    head = texts["__init__.py"]
    assert head.index("        FirstVisitor,") < head.index("        SecondVisitor,")
    assert head.count('"aten.relu.default"') == 1
    assert "self.moved_rows(node, call.pads, x)" in texts["op_second.py"]


def test_only_in_the_lowered_graph() -> None:
    package, _ = shared("ignore: []")
    assert package is not None
    (found,) = TARGET.check(package)
    assert (found.id, found.span.line, found.span.column) == ("OPK245", 13, 17)
    assert "lowered: true" in found.hint


@pytest.mark.parametrize(
    ("dims", "message", "column"),
    [
        ("dims_of: z", "there is no tensor 'z'", 61),
        ("dims_of: [x]", "", 61),
    ],
)
def test_dims_of_nothing(dims: str, message: str, column: int) -> None:
    _, found = shared(dims=dims)
    assert [(each.span.line, each.span.column) for each in found] == [(11, column)]
    assert message in found[0].message


def test_dims_of_one_number() -> None:
    text = SPEC.replace("LOWERED", "lowered: true").replace('shape: "[rank(x), 2]", DIMS', "dims_of: x")
    _, found = read(text.encode(), "shared.yaml")
    assert [(each.id, each.span.line, each.span.column) for each in found] == [("OPK191", 11, 38)]


def test_functions(generated: Callable[[OpPackage], ModuleType]) -> None:
    package, found = shared()
    assert package is not None, found
    mapping = importlib.import_module(f"{generated(package).__name__}.mapping")
    assert [mapping.bound(at, 7, 5) for at in (None, 0, -1, -9, 3, 9223372036854775807)] == [7, 0, 4, 0, 3, 5]
    assert [mapping.repeated(value, 2) for value in (3, [3], [3, 4])] == [[3, 3], [3, 3], [3, 4]]
    places = mapping.grid([range(2), [5, 7, 9]])
    assert places.shape == (2, 3, 2)
    assert places.numbers == (0, 5, 0, 7, 0, 9, 1, 5, 1, 7, 1, 9)
    assert (mapping.constant([[1, 2, 3], [4, 5, 6]]).shape, mapping.constant([1.5]).numbers) == ((2, 3), (1.5,))
    with pytest.raises(ValueError, match="rows of one length"):
        mapping.constant([[1, 2], [3]])
    assert mapping.full([2, 3], 0.5) == mapping.Constant((2, 3), (0.5,))
    x = SimpleNamespace(meta={"val": SimpleNamespace(shape=(1, 3, 8, 8))})
    for order, wanted in ((None, 1), ((0, 2, 3, 1), 3), ((0, 2, 1), 1)):
        assert mapping.Call({"x": x}, order=order).place(x, -3) == wanted
    assert mapping.sqrt(2.25) == 1.5
    assert [mapping.kind(each) for each in ("torch.int64", None)] == ["int64", "None"]


def test_fewer_scales(generated: Callable[[OpPackage], ModuleType]) -> None:
    """Of a bias with a scale for each of its six numbers, those of the weight's three; asked again, no fewer."""
    package, found = shared()
    assert package is not None, found
    mapping = importlib.import_module(f"{generated(package).__name__}.mapping")
    attributes = {"scales": [1, 1, 2, 2, 3, 3], "zero_points": [0] * 6, "axis": 0}
    thinned = mapping.fewer_scales("bias", 2)
    for _ in range(2):
        thinned.thin(attributes, 6)
        assert attributes == {"scales": [1, 2, 3], "zero_points": [0] * 3, "axis": 0}
    mapping.reshape("bias", [6]).thin(attributes, 3)
    assert attributes["scales"] == [1, 2, 3]


def test_nested_lists_are_rows(generated: Callable[[OpPackage], ModuleType]) -> None:
    package, found = shared()
    assert package is not None, found
    name = generated(package).__name__
    shapes, checks = (importlib.import_module(f"{name}.{part}") for part in ("shapes", "checks"))
    x = checks.Tensor((1, 3, 4), "float32")
    call = shapes.check_second(x=x, pads=[[0, 1], [0, 3], (2, 4)])
    assert (call.pads, call.dims_) == ((0, 1, 0, 3, 2, 4), {"pads": (3, 2)})
    with pytest.raises(checks.Rejected, match="5 elements, not 6"):
        shapes.check_second(x=x, pads=[[0, 1], [0, 3], [2]])


STEPS = """opkg: 1
package: {name: test.steps, targets: [executorch-builder]}
ops:
  Turn:
    inputs: {x: {dtype: float32}}
    params: {perm: {dtype: uint32, shape: [rank(x)]}}
    outputs: {y: {dtype: float32, shape: [...]}}
  Join:
    inputs: {xs: {dtype: float32, variadic: 1..4}}
    outputs: {y: {dtype: float32, shape: [...]}}
  Dot:
    inputs: {a: {dtype: float32}, b: {dtype: float32}}
    outputs: {y: {dtype: float32, shape: [...]}}
    torch: {op: aten.mm.default, args: {a: self}, inputs: {b: "EXPRESSION"}, LOWERED}
"""


@pytest.mark.parametrize(
    ("expression", "lowered", "message", "hint"),
    [
        ("Turn(mat2, perm=[1, 0])", "lowered: true", "", ""),
        ("Turn(Turn(mat2, perm=[0, 1]), perm=[1, 0], dims=[1, 2], dtype='float32')", "lowered: true", "", ""),
        ("Turns(mat2)", "lowered: true", "the package has no op 'Turns'", "did you mean 'Turn'?"),
        ("Turn(mat2)", "lowered: true", "'Turn' needs its param 'perm'", "perm=..."),
        ("Turn(mat2, axis=1)", "lowered: true", "'Turn' has no param 'axis'", "it has perm, dims, dtype"),
        ("Turn(mat2, mat2, perm=[1, 0])", "lowered: true", "'Turn' has 1 inputs, not 2", "inputs by position"),
        ("Join(mat2)", "lowered: true", "'Join' has several outputs, or takes any number", "call ops of one output"),
        ("Turn(mat2, perm=[1, 0])", "ignore: []", "several ops for one node are made of the lowered", "lowered: true"),
    ],
)
def test_ops_that_make_inputs(expression: str, lowered: str, message: str, hint: str) -> None:
    text = STEPS.replace("EXPRESSION", expression).replace("LOWERED", lowered)
    package, found = read(text.encode(), "steps.yaml")
    assert package is not None, found
    found = TARGET.check(package)
    assert [(each.id, each.span.line, each.span.column) for each in found] == ([("OPK494", 14, 63)] if message else [])
    assert all(each.message.startswith(message) and each.hint.startswith(hint) for each in found)


@pytest.mark.parametrize("text", ["params: {perm: 'Turn(self)'}", "when: Turn(self)"])
def test_ops_make_inputs_only(text: str) -> None:
    spec = STEPS.replace('inputs: {b: "EXPRESSION"}', text.replace("perm:", "b:")).replace("LOWERED", "lowered: true")
    _, found = read(spec.encode(), "steps.yaml")
    assert ("OPK158", "'Turn' makes a tensor, which is no number or condition") in [(f.id, f.message) for f in found]
