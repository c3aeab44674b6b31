"""Generated files that are missing or stale stop a verification; edited ones are a warning."""

from __future__ import annotations

from pathlib import Path

from opkg.project.generate import generate
from opkg.report.check_text import by_cause
from opkg.report.paint import plain
from opkg.verify.api import build
from opkg.verify.machines import current

from .projects import RELU, RELU_REFERENCE, read, relu_kernel, write_spec


def _project(root: Path) -> Path:
    write_spec(root, RELU, RELU_REFERENCE)
    (root / "kernels").mkdir()
    (root / "kernels" / "relu.cpp").write_text(relu_kernel())
    return root


def test_nothing_generated_is_one_finding(tmp_path: Path) -> None:
    package = read(_project(tmp_path), RELU)
    result = build(tmp_path, [package])
    assert not result.ok
    assert [d.id for d in result.diagnostics] == ["OPK403"]
    assert result.diagnostics[0].hint == "run: opkg generate"


def test_current_edited_and_stale(tmp_path: Path) -> None:
    package = read(_project(tmp_path), RELU)
    generate([str(tmp_path)])
    assert current.findings(tmp_path, [package]) == []
    source = tmp_path / "generated" / "acme_test" / "qhpi" / "src" / "relu.cpp"
    source.write_text(source.read_text() + "// mine\n")
    found = current.findings(tmp_path, [package])
    assert [(d.id, d.is_error, d.span.path) for d in found] == [
        ("OPK312", False, "generated/acme_test/qhpi/src/relu.cpp")
    ]
    source.unlink()
    changed = read(tmp_path, RELU.replace("Relu:", "Rely:"))
    assert any(d.is_error for d in current.findings(tmp_path, [changed]))


def test_many_files_of_one_cause_are_one_finding(tmp_path: Path) -> None:
    package = read(_project(tmp_path), RELU)
    generate([str(tmp_path)])
    folder = tmp_path / "generated" / "acme_test" / "qhpi"
    names = ["CMakeLists.txt", "Makefile", "src/interface.cpp", "src/relu.cpp"]
    for name in names:
        (folder / name).write_text((folder / name).read_text() + "# mine\n")
    found = current.findings(tmp_path, [package])
    lines = by_cause(found, plain).splitlines()
    assert lines[0].startswith("warning: 4 files: ")
    assert lines[1:5] == [f"    generated/acme_test/qhpi/{name}" for name in names]
    assert lines[5].startswith("    hint: ")
    assert lines[6:] == ["4 warnings in 4 files"]
    few = by_cause(found[:2], plain).splitlines()
    assert [line.partition(": ")[0].split("/")[-1] for line in few if "warning: " in line] == names[:2]
