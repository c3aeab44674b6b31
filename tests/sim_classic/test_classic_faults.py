"""What goes wrong in a kernel or a package is reported, with the case and the tensor, and ends nothing else."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import classiclib
import numpy as np
import pytest
from classiclib import Machine, Result, one_op

Get = Callable[[str], Machine]
X = np.arange(48, dtype=np.float32)


@pytest.fixture(scope="module")
def results(machine: Get) -> dict[str, Result]:
    """All faults in one run: each is contained in its case."""
    outside = ["Overrun", "FarOverrun", "Underrun", "ChangeInput"]
    ops = ["Crash", "Hang", *outside, "WrongDims", "Bigger", "ReturnBad", "Throw", "Silent"]
    cases = [one_op(op, "f32", X) for op in ops]
    found = machine("faulty").run(*cases, timeout=0.5)
    return {"package": found[0], **dict(zip(ops, found[1:], strict=True))}


def test_crash(results: dict[str, Result]) -> None:
    assert (results["Crash"].status, results["Crash"].record["code"]) == ("crash", signal.SIGSEGV)
    assert results["Crash"].record["stage"] == "execute"


def test_hang(results: dict[str, Result]) -> None:
    assert results["Hang"].status == "timeout"


def test_write_outside_the_buffer(results: dict[str, Result]) -> None:
    for op in ("Overrun", "Underrun"):
        assert results[op].status == "guard", results[op].record
        assert "y" in results[op].message
    assert results["FarOverrun"].status in ("guard", "crash")
    assert "y" in results["FarOverrun"].message


def test_write_into_an_input(results: dict[str, Result]) -> None:
    assert results["ChangeInput"].status == "guard"
    assert results["ChangeInput"].message == "x: the kernel changed its input at byte 0"


def test_wrong_dims(results: dict[str, Result]) -> None:
    assert results["WrongDims"].status == "error"
    assert results["WrongDims"].message == "n0: wrongDims set y to [1,1,1,24]; the graph says [1,1,1,48]"
    assert "set_dims on y for more than its 48 elements" in results["Bigger"].message


def test_status_and_exceptions(results: dict[str, Result]) -> None:
    bad = results["ReturnBad"]
    assert (bad.status, bad.record["code"]) == ("error", 3)
    assert bad.message == "n0: returnBad returned ErrorPrecision (3)"
    assert ("warn", "about to fail with 3") in bad.log
    assert results["Throw"].message == "n0: throwIt threw no such table"


def test_unwritten_output_is_visible(results: dict[str, Result]) -> None:
    assert results["Silent"].outputs["y"].view(np.uint8).tolist() == [0xA5] * 192


def test_listed_op_without_kernel(machine: Get, results: dict[str, Result]) -> None:
    assert any("Faulty::NoKernel" in text for _, text in results["package"].log)
    missing, unknown = machine("faulty").run(one_op("NoKernel", "f32", X), one_op("Nowhere", "f32", X))[1:]
    assert "no kernel is registered for Faulty::NoKernel" in missing.message
    assert unknown.status == "error"


def test_unsupported_types(machine: Get) -> None:
    package, no_kernel, no_type = machine("faulty").run(
        one_op("FloatOnly", "u8", X, so=(1, 0)), one_op("FloatOnly", "f64", X)
    )
    assert package.record["case"] == -1
    assert (no_kernel.status, no_kernel.record["stage"], no_kernel.record["code"]) == ("error", "finalize", 1002)
    assert "y: QUInt8 flat in main memory" in no_kernel.message
    assert "floatOnly takes (Float32 flat <- Float32 flat)" in no_kernel.message
    assert "HTP has no element type" in no_type.message


def test_rank_5(machine: Get) -> None:
    [result] = machine("activations").run(one_op("Relu", "f32", np.ones((1, 2, 1, 2, 1))))
    assert result.message == "x: rank 5; HTP tensors have rank 1 to 4"


def test_unregistered_ops(host_runner: Path, tmp_path: Path) -> None:
    library = classiclib.build("legacy", tmp_path, "-DFORGET_TO_REGISTER")
    machine = Machine(host_runner, library, "legacyInterfaceProvider", "Legacy", tmp_path / "run")
    [result] = machine.run(one_op("AddInt", "i32", X))
    assert (result.record["case"], result.record["stage"]) == (-1, "register")
    assert "REGISTER_PACKAGE_OPS()" in result.message


def test_index_checks_are_a_build_option(host_runner: Path, machine: Get, tmp_path: Path) -> None:
    library = classiclib.build("faulty", tmp_path, "-DOPKG_SIM_CHECK_INDEX")
    checked = Machine(host_runner, library, "faultyInterfaceProvider", "Faulty", tmp_path / "run")
    case = one_op("WrongIndex", "f32", X.reshape(4, 12))
    unchecked = machine("faulty").run(case)[1]
    assert (unchecked.status, "past its end" in unchecked.message) == ("guard", True)
    message = "n0: wrongIndex threw index 4 in dimension 2 of a tensor with 4"
    assert checked.run(case)[1].message == message
