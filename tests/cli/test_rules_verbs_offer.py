"""`opkg rules offer` from the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from opkg.rules.from_pattern_catalog import ENTRIES

if TYPE_CHECKING:
    from tests.cli.conftest import Done

Opkg = Callable[..., "Done"]
ROOT = Path(__file__).parent.parent.parent
GATED = ROOT / "examples" / "rules" / "specs" / "gated.yaml"
SPEC = """\
opkg: 1
package: {name: acme.fused}
ops:
  AddRelu:
    types: &t {T: [float32]}
    inputs: &two {a: {dtype: T}, b: {dtype: T, shape: a.shape}}
    outputs: &one {y: {dtype: T, shape: a.shape}}
    pattern: torch.relu(a + b)
    compute: y = max(a + b, 0)
  Plain:
    types: *t
    inputs: *two
    outputs: *one
    compute: y = a + b
  Sum:
    types: *t
    inputs: *two
    outputs: *one
    pattern: torch.cumsum(a + b, 0)
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPKG_DEBUG", raising=False)
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "fused.yaml").write_text(SPEC)
    return tmp_path


def test_all_ops(opkg: Opkg, here: Path) -> None:
    done = opkg("rules", "offer")
    assert done.code == 1
    assert "specs/fused.yaml:19:14: error: no core op of QNN computes torch.cumsum [OPK570]\n" in done.out
    _, _, rules = done.out.partition("1 error in 1 file\n")
    assert rules.startswith("# AddRelu\n    rules:\n      - name: fuse\n        pass: EARLY\n        match: Op(")
    assert "\n\n// AddRelu.fuse\nDEF_PACKAGE_OPTIMIZATION(\n    EARLY,\n" in done.out
    assert "Sum" not in rules


def test_one_op_pasted(opkg: Opkg, here: Path) -> None:
    done = opkg("rules", "offer", "specs", "--op", "AddRelu", "--only", "yaml")
    assert (done.code, done.err) == (0, "")
    head, rules = done.out.split("\n", 1)
    assert head == "# AddRelu"
    (here / "specs" / "fused.yaml").write_text(SPEC.partition("  Plain:")[0] + rules)
    assert opkg("validate").code == 0
    assert opkg("rules", "format", "--check").code == 0
    tested = opkg("rules", "test", "--cases", "4")
    assert tested.code == 0
    assert tested.out.endswith("1 rule: 1 equivalent\n")


def test_json(opkg: Opkg, here: Path) -> None:
    (rule,) = opkg("rules", "offer", "--op", "AddRelu", "--format", "json", "--only", "cpp").objects()
    assert (rule["op"], rule["name"], rule["pass"]) == ("AddRelu", "fuse", "EARLY")
    assert rule["replace"] == 'Op("AddRelu", "A", "B")'
    assert "cpp" in rule
    assert "yaml" not in rule
    lines = opkg("rules", "offer", "--format", "json").out.splitlines()
    assert [json.loads(line)["id"] for line in lines if "OPK" in line] == ["OPK570"]


def test_misuse(opkg: Opkg, here: Path) -> None:
    assert opkg("rules", "offer", "--op", "AddRelo").code == 2
    assert "Did you mean 'AddRelu'?" in opkg("rules", "offer", "--op", "AddRelo").err
    assert "op 'Plain' has no pattern" in opkg("rules", "offer", "--op", "Plain").err
    assert opkg("rules", "offer", "none.yaml").code == 1
    (here / "specs" / "fused.yaml").write_text(SPEC.replace("torch.relu", "torch.rleu"))
    broken = opkg("rules", "offer")
    assert broken.code == 1
    assert "OPK173" in broken.out
    assert "rules:" not in broken.out


def test_no_pattern(opkg: Opkg, here: Path) -> None:
    (here / "specs" / "fused.yaml").write_text(re.sub(r"(?m)^    pattern: .*\n", "", SPEC))
    done = opkg("rules", "offer")
    assert (done.code, done.out) == (0, "")
    assert "no op in these files has a pattern" in done.err


def test_the_example_is_what_is_offered(opkg: Opkg) -> None:
    done = opkg("rules", "offer", str(GATED), "--only", "cpp")
    assert done.out == (GATED.parent.parent / "cpp" / "gated.cpp").read_text("utf-8")


def test_findings_are_explained(opkg: Opkg) -> None:
    for entry in ENTRIES:
        assert opkg("explain", entry.id).code == 0
