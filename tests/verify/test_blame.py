"""What compilers and sanitizers say points to the line of the user's: of a kernel file, or of the spec."""

from __future__ import annotations

from pathlib import Path

import pytest

from opkg.report.verify_json import faults
from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import OpPackage
from opkg.verify.api import BuildOptions, VerifyOptions, build, verify
from opkg.verify.judge.results import RawResult
from opkg.verify.machines.build import compiler_findings
from opkg.verify.machines.sanitize import explained
from opkg.verify.machines.sanitizers import Checker, checker

from .projects import generated, read, relu_kernel, relu_project

SCALED = """\
  Scaled:
    inputs:
      x: {dtype: float32, rank: 1..4}
    params:
      alpha: {dtype: float32, default: 0.5}
    outputs:
      y: {dtype: float32, shape: x.shape}
    compute: |
      doubled = x * 2
      y = max(doubled, 0) * alpha
"""


def line_of(root: Path, path: str, text: str) -> int:
    """The line of a file that has a text."""
    return 1 + next(at for at, line in enumerate((root / path).read_text().splitlines()) if text in line)


def errors(root: Path, package: OpPackage) -> list[Diagnostic]:
    result = build(root, [package], BuildOptions(check_current=False))
    return [finding for finding in result.diagnostics if finding.is_error]


def test_an_error_in_a_header_stands_at_the_kernels_line_that_asks_for_it(tmp_path: Path) -> None:
    kernel = relu_kernel(extra="std::vector<Args&> wrong;").replace("#include", "#include <vector>\n#include", 1)
    found = errors(tmp_path, relu_project(tmp_path, kernel))
    places = {(finding.id, finding.span.path) for finding in found}
    assert places == {("OPK400", "kernels/relu.cpp")}
    lines = {line_of(tmp_path, "kernels/relu.cpp", text) for text in ("wrong", "relu_f32(", "relu_u8(")}
    assert {finding.span.line for finding in found} <= lines
    assert all(finding.hint.startswith("/usr/") for finding in found)  # the compiler's words, and its own place


@pytest.fixture
def scaled(tmp_path: Path) -> OpPackage:
    package = read(tmp_path, SCALED)
    generated(tmp_path, package)
    return package


@pytest.mark.parametrize(
    ("file", "old", "new", "place", "what"),
    [
        ("src/scaled.cpp", '"alpha"', '"alpha" nonsense', "alpha:", "param 'alpha'"),
        ("src/scaled_kernels.cpp", "opkg::", "opkg::nowhere::", "y = max", "`compute:` of Scaled"),
        ("src/scaled.cpp", "check_.count_inputs", "check_.counts_inputs", "Scaled:", "Scaled"),
    ],
)
def test_broken_generated_code_stands_at_the_spec(
    tmp_path: Path, scaled: OpPackage, file: str, old: str, new: str, place: str, what: str
) -> None:
    path = tmp_path / "generated" / "acme_test" / "qhpi" / file
    text = path.read_text()
    assert old in text
    head, cut, rest = text.rpartition(old)
    path.write_text(head + new + rest if cut else text)
    found = errors(tmp_path, scaled)
    assert {finding.id for finding in found} == {"OPK466"}, found
    spec = {finding.span.line for finding in found if what in finding.message}
    assert line_of(tmp_path, "specs/test.yaml", place) in spec, found
    assert all(finding.span.path == "specs/test.yaml" for finding in found)
    assert all(f"generated/acme_test/qhpi/{file}:" in finding.hint for finding in found)


def test_an_assignment_is_found_by_its_name(tmp_path: Path, scaled: OpPackage) -> None:
    said = "src/scaled_kernels.cpp:1:1: error: 'doubled_' was not declared in this scope\n"
    (found,) = compiler_findings(said, tmp_path / "generated" / "acme_test" / "qhpi", tmp_path, scaled)
    assert (found.id, found.span.line) == ("OPK466", line_of(tmp_path, "specs/test.yaml", "doubled = x"))


def test_clang_names_the_asking_line_behind_the_message(tmp_path: Path) -> None:
    said = (
        "src/a.cpp:3:1: error: unrelated\n"
        "/usr/include/c++/12/vector:5:9: error: forming pointer to reference\n"
        "../../../kernels/relu.cpp:9:3: note: in instantiation of template class 'vector<int&>' requested here\n"
    )
    found = compiler_findings(said, tmp_path / "generated" / "acme_test" / "qhpi", tmp_path)
    assert [(f.span.path, f.span.line, f.span.column) for f in found][1] == ("kernels/relu.cpp", 9, 3)
    assert found[1].hint == "/usr/include/c++/12/vector:5:9: forming pointer to reference"


def test_a_stray_access_stands_at_the_kernels_line(tmp_path: Path) -> None:
    found = checker("memory")
    if not isinstance(found, Checker) or not found.built_in:
        pytest.skip("the compiler has no sanitizer")
    stray = "volatile float* held = new float[4]; (void)held[4 + op.y.size() % 2]; delete[] held;"
    package = relu_project(tmp_path, relu_kernel(extra=stray))
    options = VerifyOptions(on=("host",), cases=2, sanitize=True, check_current=False, prefix="there/")
    result = verify(tmp_path, [package], options)
    assert result.failures
    seen = faults(result)
    assert {finding.id for finding in seen} == {"OPK467"}
    assert {(f.span.path, f.span.line) for f in seen} == {
        ("there/kernels/relu.cpp", line_of(tmp_path, "kernels/relu.cpp", "held"))
    }
    words = ("heap-buffer-overflow: read of 4 bytes", "load of address with insufficient space")  # ASan's, UBSan's
    (once,) = seen  # not for each sanitizer, nor for each case
    assert once.message.startswith(words)
    assert "--case" in seen[0].hint


def test_a_write_that_two_sanitizers_see_is_one_fault(tmp_path: Path) -> None:
    place = f"{tmp_path}/kernels/relu.cpp"
    frames = f"    #0 0x1 in fill(int*) {place}:5\n    #1 0x2 in main /elsewhere/runner.cpp:3\n\n"
    report = (
        f"{place}:5:36: runtime error: index 4 out of bounds for type 'int [4]'\n{frames}"
        f"{place}:5:38: runtime error: store to address 0x7f with insufficient space for an object of type 'int'\n{frames}"
        f"{place}:5:40: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented\n{frames}"
        "==7==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7f\nWRITE of size 4 at 0x7f thread T0\n"
        f"{frames}"
    )
    result = explained(RawResult(0, "crash", report=report), tmp_path, tmp_path)
    texts = [
        "index 4 out of bounds for type 'int [4]'",
        "signed integer overflow: 2147483647 + 1 cannot be represented",
    ]
    assert [fault.text for fault in result.faults] == texts


def test_a_stray_access_of_generated_code_stands_at_the_spec(tmp_path: Path, scaled: OpPackage) -> None:
    file = "generated/acme_test/qhpi/src/scaled_kernels.cpp"
    function = scaled.ops[0].kernels[0].function
    line = line_of(tmp_path, file, f" {function}(")
    report = (
        "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\nREAD of size 4 at 0x1 thread T0\n"
        f"    #0 0x1 in acme_test::{function}(acme_test::ScaledArgs const&) {tmp_path}/{file}:{line}:9\n"
        "    #1 0x2 in main /elsewhere/runner.cpp:3\n\n"
    )
    result = explained(RawResult(0, "crash", report=report), tmp_path, tmp_path, scaled)
    (fault,) = result.faults
    lines = [line_of(tmp_path, "specs/test.yaml", text) for text in ("compute:", "doubled = x", "y = max")]
    assert fault.span.path == "specs/test.yaml"
    assert fault.span.line in lines
    assert f"in {file}:{line}, the generated code of `compute:` of Scaled" in fault.text
