"""`opkg rules test` and `opkg rules migrate` from the command line."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Done

Opkg = Callable[..., "Done"]
EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "rules"
NEG = 'Op(FROM_DEFAULT_PACKAGE("ElementWiseNeg"), '
SUB = 'Op(FROM_DEFAULT_PACKAGE("ElementWiseSubtract"), '
RIGHT = f'DEF_PACKAGE_OPTIMIZATION(EARLY, {NEG}{SUB}"A", "B")), IS_FLOAT32("*"), {SUB}"B", "A"))\n'
WRONG = RIGHT.replace('"B", "A"', '"A", "B"')
UNKNOWN = 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Odd", "X"), OK, Op("Even", "X"))\n'
CALLS = RIGHT.replace('IS_FLOAT32("*")', 'AND(IS_FLOAT32("*"), EXTERNAL_CONSTRAINT(nice, "*"))')
CLASSIC = """\
#include "QnnOpPackage.h"
BEGIN_PKG_OP_DEFINITION(PKG_Relu);
template <typename T> int reluImpl(T& out, const T& in);
DEF_PACKAGE_OP(reluImpl<Tensor>, "Relu")
DEF_PACKAGE_OPTIMIZATION(EARLY, Op(FROM_DEFAULT_PACKAGE("Relu"), "X"), IS_FLOAT32("X"), Op("Relu", "X"))
END_PKG_OP_DEFINITION(PKG_Relu);
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPKG_DEBUG", raising=False)
    for name, text in (("right.cpp", RIGHT), ("wrong.cpp", WRONG), ("odd.cpp", UNKNOWN), ("calls.cpp", CALLS)):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_rules_that_keep_the_result(opkg: Opkg, here: Path) -> None:
    done = opkg("rules", "test", "right.cpp", "--cases", "5")
    assert done.code == 0
    assert done.out.splitlines()[1].startswith("right_1  equivalent  5 graphs agreed")
    assert done.out.endswith("\n1 rule: 1 equivalent\n")


def test_a_counterexample(opkg: Opkg, here: Path) -> None:
    done = opkg("rules", "test", "right.cpp", "wrong.cpp", "--cases", "3")
    assert done.code == 1
    assert "DIFFERENT wrong_1  wrong.cpp:1:1\n" in done.out
    assert "  worst elements:\n    y[" in done.out
    assert done.out.endswith("\n2 rules: 1 equivalent, 1 different\n")
    assert opkg("rules", "test", "right.cpp", "wrong.cpp", "--rule", "right_1", "--cases", "3").code == 0


def test_json(opkg: Opkg, here: Path) -> None:
    done = opkg("rules", "test", "wrong.cpp", "odd.cpp", "--format", "json", "--cases", "2")
    assert done.code == 1
    wrong, odd = done.objects()
    assert (wrong["id"], wrong["severity"], wrong["path"], wrong["line"]) == ("OPK450", "error", "wrong.cpp", 1)
    assert wrong["counterexample"]["worst"]
    assert (odd["id"], odd["severity"], odd["status"]) == ("OPK452", "info", "skipped")


def test_the_seed_decides(opkg: Opkg, here: Path) -> None:
    words = ("rules", "test", "wrong.cpp", "--cases", "1", "--seed")
    first = opkg(*words, "1").out
    assert first == opkg(*words, "1").out
    assert first != opkg(*words, "2").out


def test_functions_in_python(opkg: Opkg, here: Path) -> None:
    done = opkg("rules", "test", "calls.cpp", "--cases", "2")
    assert done.code == 0
    assert "1 rule: 1 skipped" in done.out
    (here / "f.py").write_text("def nice(context, node):\n    return True\n")
    assert "1 rule: 1 equivalent" in opkg("rules", "test", "calls.cpp", "--cases", "2", "--external", "f.py").out


def test_ops_of_a_spec_mean_what_they_compute(opkg: Opkg, here: Path) -> None:
    """Also from another folder than the project's."""
    shutil.copytree(EXAMPLE, here / "one", ignore=shutil.ignore_patterns("build", "generated"))
    done = opkg("rules", "test", "one/specs", "--cases", "3")
    assert done.code == 0, done.out
    assert "AddRelu.fuse  equivalent  3 graphs agreed" in done.out
    spec = here / "one" / "specs" / "fused.yaml"
    spec.write_text(spec.read_text().replace("max(a + b, 0)", "max(a - b, 0)"))
    done = opkg("rules", "test", "one/specs", "--cases", "3")
    assert done.code == 1
    assert "AddRelu.fuse  different" in done.out


def test_rules_of_cpp_with_the_ops_of_a_spec(opkg: Opkg, here: Path) -> None:
    shutil.copytree(EXAMPLE, here / "one", ignore=shutil.ignore_patterns("build", "generated"))
    done = opkg("rules", "test", "one/cpp/fuse.cpp", "one/specs", "--package", "nn.fused", "--cases", "2")
    assert done.code == 0, done.out
    assert "2 rules: 2 equivalent" in done.out


def test_errors_come_first(opkg: Opkg, here: Path) -> None:
    (here / "right.cpp").write_text(RIGHT.replace('"B", "A"', '"B", "C"'))
    (found,) = opkg("rules", "test", "right.cpp", "--format", "json").objects()
    assert found["id"] == "OPK525"


def test_nothing_to_test(opkg: Opkg, here: Path) -> None:
    (here / "right.cpp").write_text("int x;\n")
    done = opkg("rules", "test", "right.cpp")
    assert (done.code, done.out, done.err) == (0, "", "opkg: there is no rule in these files\n")


def test_migrate(opkg: Opkg, here: Path) -> None:
    (here / "relu.cpp").write_text(CLASSIC)
    done = opkg("rules", "migrate", "relu.cpp", "--package", "acme.vision", "--format", "json")
    assert done.code == 0, done.out
    assert done.err.startswith("opkg: wrote specs/acme_vision.yaml: 1 op, 1 rule\n")
    text = (here / "specs" / "acme_vision.yaml").read_text()
    assert 'Op("Relu", "X")' in text
    assert opkg("rules", "check", "specs").code == 0
    again = opkg("rules", "migrate", "relu.cpp", "--package", "acme.vision", "--format", "json")
    assert again.code == 1
    assert [f["id"] for f in again.objects() if f["severity"] == "error"] == ["OPK356"]
    assert (here / "specs" / "acme_vision.yaml").read_text() == text


def test_migrate_needs_a_package_name(opkg: Opkg, here: Path) -> None:
    (here / "relu.cpp").write_text(CLASSIC)
    done = opkg("rules", "migrate", "relu.cpp")
    assert done.code == 1
    assert "OPK350" in done.out
    assert opkg("rules", "migrate").code == 2
    assert opkg("rules", "migrate", "none.cpp", "--package", "a.b").code == 1
