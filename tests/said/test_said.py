"""QNN's operators that `compute:` says: their specs compute what numpy does, and the page with the count is current."""

from __future__ import annotations

import importlib.util
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from opkg.spec.dtypes import DType, Kind
from opkg.spec.expr import Name, Num, Rest, ShapeList
from opkg.spec.model import Op, ParamSpec, TensorSpec
from opkg.verify.meaning.compute import evaluate

from .said_numpy import PART, WHOLE

ROOT = Path(__file__).resolve().parent.parent.parent


def _script() -> ModuleType:
    place = importlib.util.spec_from_file_location("said", ROOT / "scripts" / "said.py")
    assert place is not None
    assert place.loader is not None
    script = importlib.util.module_from_spec(place)
    place.loader.exec_module(script)
    return script


SCRIPT = _script()
SIZES = {"N": 2, "H": 3, "W": 4, "C": 5, "A": 2, "B": 3, "K": 4, "M": 6}
SPECS: dict[str, Op] = SCRIPT.specs("qnn.yaml")
PARTS: dict[str, Op] = SCRIPT.specs("in_part.yaml")


def test_each_operator_is_said_or_has_a_reason() -> None:
    operators, why = SCRIPT.operators(), SCRIPT.reasons()
    assert len(operators) == 158
    assert sorted([*SPECS, *PARTS, *why]) == operators
    assert set(SPECS) == set(WHOLE)
    assert set(PARTS) == set(PART)
    assert all(op.summary for op in PARTS.values())


def test_the_page_is_current() -> None:
    page = (ROOT / "docs" / "qnn-operators.md").read_text(encoding="utf-8")
    assert page == SCRIPT.page(), "python scripts/said.py --write"
    assert f"{len(SPECS)} are said whole" in page


def _shape(tensor: TensorSpec) -> tuple[int, ...]:
    """Some dimensions: by their names, else four of them, of second operands two."""
    tree = tensor.shape.tree
    items = tree.items if isinstance(tree, ShapeList) else ()
    if items and all(isinstance(item, Num | Name) or (isinstance(item, Rest) and item.name) for item in items):
        dims: list[int] = []
        for item in items:
            dims += [int(item.value) if isinstance(item, Num) else SIZES[item.id] if isinstance(item, Name) else 3]
        return tuple(dims)
    if tensor.name == "x" or tensor.ranks.low == 4:
        return (2, 3, 4, 5)[-tensor.ranks.high :]
    return (4, 5)


def _tensor(dtype: DType, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    """Numbers with ties, and of floats NaN and infinities now and then."""
    if dtype.kind is Kind.BOOL:
        return rng.random(shape) < 0.5
    if dtype.integral:
        return rng.integers(-9, 10, shape)
    values = np.round(rng.normal(0, 2, shape), 1)
    if dtype.quantized:
        return np.abs(values)
    return np.where(rng.random(shape) < 0.04, rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0], shape), values)


def _param(param: ParamSpec, rank: int, rng: np.random.Generator) -> Any:
    if param.name == "perm":
        return rng.permutation(rank)
    if param.name == "axes":
        return np.sort(rng.permutation(rank)[: rng.integers(1, rank + 1)])
    if param.name in ("multiples", "pad_amount"):
        return rng.integers(param.name == "multiples", 4, (rank,) if param.name == "multiples" else (rank, 2))
    if param.name in ("shape", "num_groups", "group"):
        return np.asarray([4, -1, 6]) if param.name == "shape" else int(rng.choice([1, 2, 3, 6]))
    if param.name == "axis":
        return int(rng.integers(0, rank))
    if param.enum:
        return int(rng.integers(0, len(param.enum)))
    if param.dtype.kind is Kind.BOOL:
        return bool(rng.random() < 0.5)
    assert isinstance(param.default, float)
    return param.default * float(rng.choice([1.0, 0.5, 2.0]))


def _compared(op: Op, function: Any) -> None:
    assert op.compute is not None
    rng = np.random.default_rng(18)
    for combination in op.combinations * 12:
        given = {t.name: _tensor(t.dtype.of(combination), _shape(t), rng) for t in op.inputs}
        if "finite" in op.summary:
            given = {name: np.nan_to_num(value, posinf=1.5, neginf=-2.5) for name, value in given.items()}
        given |= {t.name: None for t in op.inputs if t.optional and rng.random() < 0.4}
        rank = np.ndim(given[op.inputs[0].name])
        given |= {param.name: _param(param, rank, rng) for param in op.params}
        values = {name: None if value is None else np.asarray(value) for name, value in given.items()}
        if op.name == "Cast":
            given["dtype"] = combination.dtype("U").name
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = function(*given.values())
        found = evaluate(op.compute, values, combination)
        for tensor, want in zip(op.outputs, wanted if isinstance(wanted, list) else [wanted], strict=True):
            got = np.asarray(found[tensor.name])
            assert got.shape == np.shape(want)
            np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-9, err_msg=f"{op.name} {given}")


@pytest.mark.parametrize("name", list(SPECS))
def test_numpy_says_the_same(name: str) -> None:
    _compared(SPECS[name], WHOLE[name])


@pytest.mark.parametrize("name", list(PARTS))
def test_numpy_says_the_same_of_a_part(name: str) -> None:
    _compared(PARTS[name], PART[name])
