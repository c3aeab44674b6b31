"""Building packages: what the compiler and nm say becomes findings at the user's files."""

from __future__ import annotations

from pathlib import Path

import pytest

from opkg.spec.diagnostics import MissingTool, Severity
from opkg.verify.api import BuildOptions, build
from opkg.verify.machines import build as builder
from opkg.verify.machines.build import compiler_findings

from .projects import RELU, RELU_REFERENCE, generated, read, relu_kernel, relu_project

GCC = """\
In file included from ../../../kernels/relu.cpp:1:
../../../kernels/relu.cpp:12:7: error: 'nonsense' was not declared in this scope; did you mean 'x'?
   12 |       nonsense;
../../../kernels/relu.cpp:12:7: error: 'nonsense' was not declared in this scope; did you mean 'x'?
src/relu.cpp:40:3: error: no matching function for call to 'f(int)'
../../../kernels/relu.cpp:3: warning: unused
src/relu.cpp:1:1: warning: generated and of no interest
/usr/include/c++/12/vector:5:1: error: inside the library
../../../kernels/relu.cpp:2:10: fatal error: nowhere.h: No such file or directory
make: *** [Makefile:60: x.o] Error 1
"""


def test_compiler_messages_get_their_places() -> None:
    root = Path("/project")
    found = compiler_findings(GCC, root / "generated" / "acme" / "qhpi", root)
    places = [(f.id, f.span.path, f.span.line, f.span.column) for f in found]
    assert places == [
        ("OPK400", "kernels/relu.cpp", 12, 7),
        ("OPK400", "generated/acme/qhpi/src/relu.cpp", 40, 3),
        ("OPK400", "/usr/include/c++/12/vector", 5, 1),
        ("OPK400", "kernels/relu.cpp", 2, 10),
        ("OPK405", "kernels/relu.cpp", 3, 1),
    ]
    assert found[0].message.startswith("'nonsense' was not declared")
    assert found[-1].severity is Severity.WARNING


def test_a_good_package_builds_once(tmp_path: Path) -> None:
    package = relu_project(tmp_path, relu_kernel())
    result = build(tmp_path, [package], BuildOptions(check_current=False))
    assert result.ok, result.diagnostics
    library = tmp_path / "build" / "acme_test" / "qhpi-x86" / "libacme_test.so"
    assert result.libraries == (library.resolve(),)
    made = library.stat().st_mtime_ns
    assert build(tmp_path, [package], BuildOptions(check_current=False)).ok
    assert library.stat().st_mtime_ns == made


def test_a_syntax_error_is_shown_at_the_kernel_file(tmp_path: Path) -> None:
    package = relu_project(tmp_path, relu_kernel("nonsense"))
    result = build(tmp_path, [package], BuildOptions(check_current=False))
    assert not result.ok
    first = next(d for d in result.diagnostics if d.is_error)
    assert (first.id, first.span.path, first.span.line) == ("OPK400", "kernels/relu.cpp", 7)
    assert "nonsense" in first.message
    kernel = (tmp_path / "kernels" / "relu.cpp").read_text().splitlines()
    assert kernel[first.span.line - 1][first.span.column - 1 :].startswith("nonsense")


def test_an_undefined_kernel_is_shown_at_the_spec(tmp_path: Path) -> None:
    text = relu_kernel().replace("opkg::Status relu_u8(", "opkg::Status relu_u9(")
    package = relu_project(tmp_path, text)
    result = build(tmp_path, [package], BuildOptions(check_current=False))
    assert not result.ok
    found = [d for d in result.diagnostics if d.id == "OPK401"]
    assert len(found) == 1
    assert found[0].span.path == "specs/test.yaml"
    assert "relu_u8" in found[0].message
    assert "relu_u8(const ReluArgsU8& op)" in found[0].hint


def test_a_missing_kernel_file(tmp_path: Path) -> None:
    package = relu_project(tmp_path, relu_kernel())
    (tmp_path / "kernels" / "relu.cpp").unlink()
    result = build(tmp_path, [package], BuildOptions(check_current=False))
    assert [d.id for d in result.diagnostics] == ["OPK404"]


def test_nothing_generated(tmp_path: Path) -> None:
    package = read(tmp_path, RELU, RELU_REFERENCE)
    result = build(tmp_path, [package], BuildOptions(check_current=False))
    assert [d.id for d in result.diagnostics] == ["OPK403"]
    assert result.diagnostics[0].hint == "run: opkg generate"


def test_make_failing_without_a_place(tmp_path: Path) -> None:
    package = relu_project(tmp_path, relu_kernel())
    generated(tmp_path, package)
    makefile = tmp_path / "generated" / "acme_test" / "qhpi" / "Makefile"
    makefile.write_text("x86:\n\t@echo something strange >&2; false\n")
    found = builder.build(tmp_path, package, "qhpi").findings
    assert [d.id for d in found] == ["OPK402"]
    assert "something strange" in found[0].message
    assert "make" in found[0].hint


def test_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = relu_project(tmp_path, relu_kernel())
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(MissingTool, match="no-such-compiler") as caught:
        build(tmp_path, [package], BuildOptions(check_current=False))
    assert caught.value.exit_code == 3
    assert "apt-get install" in caught.value.diagnostics[0].hint
