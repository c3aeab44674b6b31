"""The runners themselves: faults of a kernel, limits, resuming, damaged files, headers."""

import json
import subprocess

import numpy as np
import pytest
import simlib
from simlib import Case, scalar

X = np.arange(16, dtype=np.float32).reshape(1, 1, 2, 8)


def fault(mode, op="Fault"):
    case = Case(f"mode-{mode}")
    case.input("x", "f32", X)
    case.output("y", "f32", X.shape)
    return case.node("n0", "toy.faults", op, ["x"], ["y"], [scalar("mode", "i32", mode)])


FAULTS = [
    (0, "ok", 0, ""),
    (1, "guard", 0, "tensor y: wrote at byte offset 64, past its end (size 64)"),
    (2, "guard", 11, "tensor y: write at byte offset -4, before its start in n0"),
    (3, "guard", 11, "tensor y: write at byte offset 20064, past its end (size 64) in n0"),
    (4, "guard", 0, "tensor x: the kernel wrote to its input"),
    (5, "crash", 11, "segmentation fault in n0"),
    (6, "timeout", 0, "no end after 0.5 s in n0"),
    (7, "crash", 6, "abort in n0"),
    (8, "error", 1100, "returned 2"),
    (9, "crash", 0, "the package ended the process"),
    (0, "ok", 0, ""),
]


def test_faults_of_a_kernel_are_results_on_the_host(host):
    """Every case is reported, and the cases after a dead one run."""
    results = host("toy_faults", [fault(mode) for mode, *_ in FAULTS], "--timeout", "0.5")
    assert len(results) == len(FAULTS)
    for result, (_, status, code, text) in zip(results.values(), FAULTS, strict=True):
        assert (result.status, result.code) == (status, code)
        assert text in result.message
    np.testing.assert_array_equal(results[10].outputs["y"], X)


@pytest.mark.htp
def test_faults_of_a_kernel_are_results_on_htp(htp):
    """A crash or hang ends the process with 4; running again from the next case goes on."""
    modes = [0, 5, 0, 6, 7, 8, 0]
    results = htp("toy_faults", [fault(mode) for mode in modes], "--timeout", "1")
    assert [r.status for _, r in sorted(results.items())] == ["ok", "crash", "ok", "timeout", "crash", "error", "ok"]
    assert (results[1].stage, results[1].code) == ("execute", 11)
    np.testing.assert_array_equal(results[6].outputs["y"], X)


def test_faults_of_a_kernel_with_precomputed_data(machine):
    """It is guarded as others are: it gets handles, and memory of its tensors by the runtime's functions."""
    modes = [0, 1, 2, 4, 8]
    results = machine("toy_faults", [fault(mode, "KeptFault") for mode in modes])
    found = [r for _, r in sorted(results.items())]
    assert [r.status for r in found] == ["ok", "guard", "guard", "guard", "error"]
    assert "past its end" in found[1].message
    assert "before its start" in found[2].message
    assert "the kernel wrote to its input" in found[3].message
    np.testing.assert_array_equal(found[0].outputs["y"], X)


def test_a_missing_package_or_provider(machine, tmp_path):
    case = [fault(0)]
    missing = simlib.run(machine.runner, tmp_path / "none.so", case, tmp_path)
    assert (missing[-1].status, set(missing)) == ("error", {-1})
    wrong = simlib.run(machine.runner, machine.package("toy_faults"), case, tmp_path, provider="nobody")
    assert (wrong[-1].stage, wrong[-1].code) == ("register", 4006)


def test_from_appends_to_what_is_there(host, tmp_path):
    package = host.package("toy_faults")
    cases = [fault(0) for _ in range(4)]
    simlib.run(host.runner, package, cases, tmp_path)
    paths = [tmp_path / n for n in ("t.cases", "t.bin", "r.jsonl", "r.bin")]
    flags = ["--package", package, "--provider", "toyProvider", "--from", "3"]
    for name, path in zip(("--cases", "--data", "--results", "--out"), paths, strict=True):
        flags += [name, path]
    assert subprocess.run([host.runner, *flags], check=False).returncode == 0
    indices = [json.loads(line)["case"] for line in paths[2].read_text().splitlines()]
    assert indices == [0, 1, 2, 3, 3]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("case 0 a\nend\n", "first line must be 'opkg-cases 1'"),
        ("opkg-cases 2\n", "unknown version"),
        ("opkg-cases 1\ncase 0 a\ntensor x inputt 0x232 1 4 none - -\nend\n", "unknown tensor kind 'inputt'"),
        ("opkg-cases 1\ncase 0 a\ntensor x input 0x232 1 4 none 0 99999\nend\n", "lies outside the data file"),
        ("opkg-cases 1\ncase 0 a\ntensor x input 0x232 1 4 none - -\nend\n", "needs data"),
        ("opkg-cases 1\ncase 0 a\nnode n p Op 1 q 0 0\nend\n", "no tensor 'q'"),
        ("opkg-cases 1\ncase 0 a\nnode n p Op 99999999 q 0 0\nend\n", "is too large"),
        ("opkg-cases 1\ncase 0 a\n", "has no 'end'"),
        ("opkg-cases 1\ntensor x\n", "outside a case"),
    ],
)
def test_damaged_case_files_are_refused(host, tmp_path, text, complaint):
    (tmp_path / "c").write_text(text)
    (tmp_path / "d").write_bytes(b"\0" * 16)
    flags = ["--package", "p", "--provider", "q", "--cases", tmp_path / "c", "--data", tmp_path / "d",
             "--results", tmp_path / "r", "--out", tmp_path / "o"]  # fmt: skip
    done = subprocess.run([host.runner, *flags], check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert complaint in done.stderr


def test_bad_arguments(machine):
    for arguments in ([], ["--nonsense", "1"], ["--package"]):
        assert subprocess.run([machine.runner, *arguments], check=False, capture_output=True).returncode == 2


HEADERS = ["QnnTypes.h", "QnnCommon.h", "QnnError.h", "QnnLog.h", "QnnOpPackage.h", "QnnInterface.h", "QnnSdkBuildId.h",
           "QnnBackend.h", "QnnContext.h", "QnnGraph.h", "QnnTensor.h", "HTP/QnnHtpCommon.h", "HTP/core/qhpi.h",
           "opkg/qnn_abi.h", "opkg/qhpi_abi.h", "opkg/qnn_interface_abi.h"]  # fmt: skip


@pytest.mark.parametrize("language", ["c", "c++"])
def test_headers_compile_alone_and_together(language):
    standard = "-std=c11" if language == "c" else "-std=c++17"
    for headers in ([h] for h in HEADERS):
        text = "".join(f'#include "{h}"\n' for h in headers)
        command = [
            simlib.CXX,
            standard,
            "-x",
            language,
            "-Wall",
            "-Wextra",
            "-Werror",
            "-fsyntax-only",
            f"-I{simlib.INCLUDE}",
            "-",
        ]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{headers}: {done.stderr}"


def test_a_package_in_the_usual_style_compiles_unchanged(machine):
    """toy_usual.cpp uses the vendor's header names and macros only, in the older spelling."""
    case = Case("t")
    case.input("x", "f32", X - 8)
    case.output("y", "f32", X.shape)
    case.node("n0", "toy.usual", "Relu", ["x"], ["y"])
    np.testing.assert_array_equal(
        machine.one("toy_usual", case, flags=("-DTHIS_PKG_NAME=toy.usual",)).outputs["y"], np.maximum(X - 8, 0)
    )
