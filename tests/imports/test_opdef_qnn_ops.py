"""All 151 documented ops of QNN, as OpDef XML and imported: types, ranks, params, defaults, enums are the table's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opkg.cli.main import run
from opkg.imports.form import Imported
from opkg.imports.read import Options, read
from opkg.imports.save import Draft, draft
from opkg.spec.dtypes import DTYPES
from opkg.spec.expr import Expression
from opkg.spec.model import Op, ParamSpec, TensorSpec
from opkg.spec.reader import read as read_spec
from tests.imports.opdef_writer import Row, document, parts, tables

REFUSED = {"If": "its inputs are graphs: params of STRING, and a tensor of any number and kind"}
# params whose default the table gives in a form that no spec has; each has its Todo
DEFAULTS = {
    ("ElementWiseNeuron", "alpha"): "one default per operation",
    ("ElementWiseNeuron", "beta"): "one default per operation",
}
TABLES = tables()


@pytest.fixture(scope="module")
def carried(tmp_path_factory: pytest.TempPathFactory) -> Draft:
    """One import of 151 files."""
    folder = tmp_path_factory.mktemp("qnn")
    paths = []
    for op, rows in TABLES.items():
        paths.append(folder / f"{op}.xml")
        paths[-1].write_text(document(op, rows))
    made = read([str(path) for path in paths], Options())
    assert made.package == "acme_twin"
    return draft(made, "acme.twin")


@pytest.fixture(scope="module")
def ops(carried: Draft) -> dict[str, Op]:
    package, _ = read_spec(carried.text.encode(), carried.path)
    assert package is not None
    return {op.name: op for op in package.ops}


def test_all_come_over_but_one(carried: Draft, ops: dict[str, Op]) -> None:
    assert carried.ok, carried.findings
    assert len(TABLES) == 151
    assert set(TABLES) - set(ops) == set(REFUSED)


@pytest.mark.parametrize("name", [op for op in TABLES if op not in REFUSED])
def test_an_op_has_the_facts_of_the_table(name: str, carried: Draft, ops: dict[str, Op]) -> None:
    op, rows = ops[name], parts(TABLES[name])
    inputs = [row for row in rows if row.kind == "input"]
    outputs = [row for row in rows if row.kind == "output"]
    params = [row for row in rows if row.kind == "param"]
    assert (len(op.inputs), len(op.outputs)) == (len(inputs), len(outputs))
    left = todos(carried.imported, name)
    for row, tensor in [*zip(inputs, op.inputs, strict=True), *zip(outputs, op.outputs, strict=True)]:
        check_tensor(op, row, tensor, left)
    given = {param.name: param for param in op.params}
    kept = [row for row in params if "string" not in row.types]
    assert list(given) == [row.name for row in kept]
    for row in kept:
        check_param(row, given[row.name], left)


def todos(imported: Imported, name: str) -> set[tuple[str, str]]:
    (op,) = (op for op in imported.ops if op.name == name)
    return {(part, todo.what) for part, todo in op.all_todos}


def check_tensor(op: Op, row: Row, tensor: TensorSpec, left: set[tuple[str, str]]) -> None:
    expected = {each for each in (*row.declared, *row.on_htp) if DTYPES[each].flat_class}
    actual = {tensor.dtype.of(combination).name for combination in op.combinations}
    if expected:
        assert actual == expected, row.name
    else:
        assert actual == {"float32"}
        assert (tensor.name, "element types") in left
    if row.types == "backend" and not row.on_htp:
        assert (tensor.name, "element types") in left
    if row.rank in ("1", "2", "3", "4", "5"):
        assert (tensor.ranks.low, tensor.ranks.high) == (int(row.rank), int(row.rank))
    elif row.rank == "0":
        assert (tensor.ranks.low, tensor.ranks.high) == (1, 1)
        assert (tensor.name, "rank") in left
    else:
        assert (tensor.ranks.low, tensor.ranks.high) == (1, 5)
    assert (tensor.variadic is not None) == row.position.endswith("..")
    assert tensor.optional == (row.mandatory == "no" and (tensor.name, "optional") not in left)


def check_param(row: Row, param: ParamSpec, left: set[tuple[str, str]]) -> None:
    if row.types != "backend":
        assert param.dtype.name == row.types
    elif row.on_htp != [param.dtype.name]:
        assert (param.name, "element type") in left
    assert [name for name, _ in param.enum] == row.values
    assert [number for _, number in param.enum] == list(range(len(row.values)))
    assert (param.shape is None) == (row.rank == "0")
    guessed = (param.name, "default") in left
    if row.default == "unset" or (row.op, row.name) in DEFAULTS or "..," in row.default:
        assert guessed
    elif row.default in ("N", "N-1"):
        assert guessed or (isinstance(param.default, Expression) and param.default.text.startswith("rank(in0)"))
    else:
        assert not guessed
        assert param.default == wanted_default(row, param)


def wanted_default(row: Row, param: ParamSpec) -> object:
    """The table's default as a value; None for a mandatory param."""
    if row.mandatory == "yes":
        return None
    numbers = re.findall(r"-?[\d.]+(?:e-?\d+)?", row.default)
    kind = param.dtype.kind.value
    values = [bool(int(n)) if kind == "bool" else float(n) if kind == "float" else int(float(n)) for n in numbers]
    return values[0] if param.shape is None else tuple(values)


@pytest.mark.sweep
def test_all_of_them_build_as_one_package(tmp_path: Path) -> None:
    paths = []
    for op, rows in TABLES.items():
        paths.append(tmp_path / f"{op}.xml")
        paths[-1].write_text(document(op, rows))
    project = tmp_path / "project"
    assert run(["-q", "import", *map(str, paths), "--out", str(project)]) == 0
    assert run(["-C", str(project), "build"]) == 0
    assert list((project / "build").rglob("libacme_twin.so"))
