"""Model files that cannot be used say so, with their line; differences are computed as they are defined."""

from __future__ import annotations

import math
from typing import Any

import pytest

pytestmark = pytest.mark.xdist_group("executorch")

WRONG = {
    "no_model": (1, "has no function model()"),
    "syntax": (4, "cannot be loaded: SyntaxError"),
    "raises_on_import": (4, "cannot be loaded: ZeroDivisionError: division by zero"),
    "exits": (4, "cannot be loaded: SystemExit"),
    "raises": (6, "model() failed: IndexError: list index out of range"),
    "no_module": (4, "model() returns None, not a torch.nn.Module"),
    "bare_tensor": (8, "inputs() returns a Tensor, not a tuple of tensors"),
    "number": (8, "inputs() returns an int in place 1, not a tensor"),
    "nothing": (8, "inputs() returns nothing"),
    "other_shapes": (12, "calibration()[0] has other shapes or types than inputs(): [2, 4] torch.float32"),
    "no_list": (12, "evaluation() returns a Tensor, not a list"),
    "fails_in_torch": (6, "fails: RuntimeError: mat1 and mat2 shapes cannot be multiplied"),
    "not_exportable": (6, "export: Unsupported: Data-dependent branching"),
    "no_tensor": (1, "the model's output has an int in it"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_model_file_is_a_message_at_its_line(inside: dict[str, Any], name: str) -> None:
    line, message = WRONG[name]
    found = inside["files"][name]
    assert message in found["message"]
    assert found["line"] == line
    assert "\n" not in found["message"]


def test_a_good_file_is_taken(inside: dict[str, Any]) -> None:
    assert inside["files"]["good"] == {"samples": 1}


def test_hints_say_what_to_return(inside: dict[str, Any]) -> None:
    assert inside["files"]["bare_tensor"]["hint"] == "return a tuple: (tensor,)"
    assert "calibration()" in inside["files"]["no_model"]["hint"]
    assert "data-dependent" in inside["files"]["not_exportable"]["hint"].lower()


def test_differences(inside: dict[str, Any]) -> None:
    errors = inside["errors"]
    off = errors["off"]
    assert off["max"] == pytest.approx(0.3)
    assert off["relative"] == pytest.approx(0.3 / 4)
    assert off["snr"] == pytest.approx(10 * math.log10(9 / 0.09), rel=1e-5)
    assert off["cosine"] == pytest.approx((1 + 2 * 2.3 + 4) / (3 * math.sqrt(1 + 2.3**2 + 4)))
    assert (off["unequal"], off["invalid"], off["fault"]) == (1, 0, None)
    assert (errors["same"]["max"], errors["same"]["snr"], errors["same"]["unequal"]) == (0.0, None, 0)
    assert (errors["nan"]["invalid"], errors["nan"]["max"]) == (1, 0.0)
    assert (errors["both_nan"]["invalid"], errors["both_nan"]["unequal"]) == (0, 0)
    assert (errors["whole"]["unequal"], errors["whole"]["max"]) == (1, None)
    assert errors["shape"]["fault"] == "its shape is [2], not [4]"
    assert "type" in errors["type"]["fault"]
    assert errors["samples"][0]["shape"] == [2, 4]
    assert errors["samples"][0]["unequal"] == 4


def test_how_a_process_ended(inside: dict[str, Any]) -> None:
    assert inside["ends"] == {"itself": "", "signal": "signal SIGABRT", "late": "it took longer than 0.2 s"}
    assert inside["noted"]["status"] == "died"
    assert inside["noted"]["message"] == "the process ended: signal SIGABRT"
