"""`opkg verify --on openvino` and the extension ops that it runs, inside OpenVINO's CPU device."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from openvinoprojects import Project

from opkg.verify.machines.openvino import ir

pytestmark = pytest.mark.xdist_group("openvino")


@pytest.fixture(scope="module")
def core(project: Project) -> Any:
    import openvino

    found = openvino.Core()
    found.add_extension(str(project.library))
    return found


def model(
    core: Any, folder: Path, op: str, attributes: Mapping[str, ir.Value], *inputs: ir.Tensor, outputs: int = 1
) -> Any:
    """A model of one op, as OpenVINO reads it."""
    made = [ir.Tensor(f"y{n}", "FP32", inputs[0].shape) for n in range(outputs)]
    text, constants = ir.model(op, "nn.blocks", attributes, inputs, made)
    (folder / "m.xml").write_text(text)
    (folder / "m.bin").write_bytes(constants)
    return core.read_model(folder / "m.xml")


def tensor(name: str, *shape: int, kind: str = "FP32") -> ir.Tensor:
    return ir.Tensor(name, kind, shape)


def test_every_case_is_right(project: Project) -> None:
    result = project.result
    assert result.ok, [outcome.reason() for _, outcome in result.failures]
    found = {(cell.op, cell.combination) for cell in result.cells}
    wanted = {(op.name, c.suffix) for op in project.package.ops for c in op.combinations}
    assert found == wanted
    texts = [outcome.description for cell in result.cells for outcome in cell.outcomes]
    ranks = {text.split(";")[0].split()[2].count("x") + 1 for text in texts}
    assert ranks == {1, 2, 3, 4, 5}
    assert {"gamma: absent" in text for text in texts if "gamma" in text} == {True, False}
    assert any("axis=3 (default)" in text for text in texts)


@pytest.mark.parametrize(
    ("op", "attributes", "inputs", "message"),
    [
        ("ScaledAdd", {"alpha": 5}, [(2, 3), (3,)], "param 'alpha' must be <= 4"),
        ("ScaledAdd", {}, [(2, 3)], "1 inputs given, expected 2"),
        ("ScaledAdd", {}, [(2, 3), (4,)], "shapes [2,3] and [4] do not broadcast"),
        ("ScaledAdd", {}, [(1, 1, 1, 1, 2, 3), (4,)], "'a' has rank 6, allowed is 1 to 5"),
        ("MaskedFill", {}, [(2,), (2,)], "attribute 'value' is missing"),
        ("SwiGlu", {}, [(2, 3), (2, 4)], "'up' has shape [2,4], expected [2,3]"),
        ("LogSumExp", {"axis": 4}, [(1, 2, 3, 4)], "param 'axis' numbers no dimension"),
        ("LogSumExp", {"beta": 0.1}, [(1, 2, 3, 4)], "param 'beta' must be >= 0.125"),
        ("LogSumExp", {"x_scale": 0.0}, [(1, 2, 3, 4)], "the scale of 'x' must be positive"),
        ("Moments", {}, [(3, 1)], "one number has no variance"),
        ("Moments", {}, [(3, 4), (5,)], "dimension 0 of 'gamma' is 5, expected 4 (C)"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_the_spec_does_not_allow_is_refused_in_its_words(
    core: Any, tmp_path: Path, op: str, attributes: dict[str, ir.Value], inputs: list[tuple[int, ...]], message: str
) -> None:
    given = [tensor(f"x{n}", *shape) for n, shape in enumerate(inputs)]
    if op == "MaskedFill":
        given[1] = tensor("x1", *inputs[1], kind="BOOL")
    with pytest.raises(RuntimeError) as refused:
        model(core, tmp_path, op, attributes, *given, outputs=2 if op == "Moments" else 1)
    assert message in str(refused.value)


def test_element_types_without_a_kernel_are_refused(core: Any, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="no kernel for these element types: f32 i32"):
        model(core, tmp_path, "ScaledAdd", {}, tensor("a", 2), tensor("b", 2, kind="I32"))


def test_dimensions_that_are_unknown_stay_so_as_far_as_they_are(core: Any, tmp_path: Path) -> None:
    import openvino as ov

    added = model(core, tmp_path, "ScaledAdd", {}, tensor("a", -1, -1), tensor("b", -1))
    assert str(added.output(0).partial_shape) == "[?,?]"
    added.reshape({"a": ov.PartialShape([ov.Dimension(2, 5), 1]), "b": ov.PartialShape([ov.Dimension(3, 4)])})
    assert str(added.output(0).partial_shape) == "[2..5,3..4]"
    moments = model(core, tmp_path, "Moments", {}, tensor("x", -1, -1, 7), outputs=2)
    assert [str(port.partial_shape) for port in moments.outputs] == ["[?,?,1]", "[?,?,1]"]
    moments.reshape({"x": ov.PartialShape.dynamic()})
    assert [str(port.partial_shape) for port in moments.outputs] == ["[...]", "[...]"]
    with pytest.raises(RuntimeError, match="one number has no variance"):
        moments.reshape({"x": ov.PartialShape([2, ov.Dimension(0, 1)])})


def test_attributes_survive_writing_and_cloning(core: Any, tmp_path: Path) -> None:
    import numpy as np
    import openvino as ov

    first = model(core, tmp_path, "ScaledAdd", {"alpha": -3, "rectified": True}, tensor("a", 4), tensor("b", 4)).clone()
    ov.serialize(first, tmp_path / "again.xml")
    assert 'alpha="-3"' in (tmp_path / "again.xml").read_text()
    compiled = core.compile_model(core.read_model(tmp_path / "again.xml"), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    a, b = np.array([1, -1, 2, -2], np.float32), np.array([1, 1, 7, -9], np.float32)
    assert compiled([a, b])[0].tolist() == [0, 4, 1, 0]


def test_the_table_of_the_page(project: Project) -> None:
    """docs/openvino.md shows every row of the run, with the same errors or larger ones (it has more cases)."""
    page = (Path(__file__).parents[2] / "docs" / "openvino.md").read_text("utf-8")
    rows = [line.split()[-3:] for line in page.splitlines() if line.endswith(" portable")]
    assert [row[0] for row in rows] == [cell.combination for cell in project.result.cells]
    assert all(row[1] in ("0", "1ulp") for row in rows)
