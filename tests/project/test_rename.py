"""`opkg rename` and `opkg remove`: everything that has the op's name follows, or nothing does; nobody's file is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opkg.cli.main import run
from opkg.project.remove import without_op

RULES = """\
opkg: 1
package: {name: acme.graphs, version: 1.0.0, targets: [qnn-htp-qhpi]}
ops:
  # adds and clamps
  AddRelu:
    summary: max(a + b, 0)
    types: {T: [float32]}
    inputs: {a: {dtype: T, shape: [N, C]}, b: {dtype: T, shape: [N, C]}}
    outputs: {y: {dtype: T, shape: a.shape}}
    compute: y = max(a + b, 0)
    rules:
      - name: fuse
        match: Op(FROM_DEFAULT_PACKAGE("Relu"), Op(FROM_DEFAULT_PACKAGE("Add"), "AddRelu", "B"))
        replace: Op("AddRelu", "AddRelu", "B")      # the operand is called so, too

  # doubles
  Twice:
    summary: a + a
    types: {T: [float32]}
    inputs: {a: {dtype: T, shape: [N, C]}}
    outputs: {y: {dtype: T, shape: a.shape}}
    compute: y = a + a
    rules:
      - name: gone
        macro: |-
          DEF_PACKAGE_OPTIMIZATION(
              EARLY,
              Op("acme.graphs::AddRelu", "A", "A"),
              OK,
              Op("Twice", "A"))
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def graphs(here: Path, text: str = RULES) -> Path:
    spec = here / "specs" / "graphs.yaml"
    spec.parent.mkdir()
    spec.write_text(text)
    return spec


def tree(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def test_rules_follow_operands_do_not(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = graphs(here)
    assert run(["generate"]) == 0
    assert run(["rename", "AddRelu", "Sum.clamped"]) == 0
    wanted = RULES.replace("  AddRelu:", "  Sum.clamped:").replace('replace: Op("AddRelu"', 'replace: Op("Sum.clamped"')
    assert spec.read_text() == wanted.replace("acme.graphs::AddRelu", "acme.graphs::Sum.clamped")
    assert run(["check"]) == 0
    assert not list(here.rglob("add_relu*"))
    assert list(here.rglob("sum_clamped*"))
    capsys.readouterr()


def test_line_ends_and_quotes_stay(here: Path) -> None:
    spec = graphs(here)
    spec.write_bytes(RULES.replace("  Twice:", '  "Twice":').replace("\n", "\r\n").encode())
    assert run(["rename", "Twice", "Doubled"]) == 0
    after = spec.read_bytes().decode()
    assert '  "Doubled":\r\n' in after
    assert after.count("\r\n") == after.count("\n") == RULES.count("\n")
    assert 'Op("Doubled", "A")' in after


def test_a_kernel_file_moves_and_still_builds(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "Boxy", "--kind", "custom", "--dir", "."]) == 0
    (here / "notes.md").write_text("first\nsee Boxy, not Boxyard\n")
    (here / "kernels" / "boxy.cpp").write_text((here / "kernels" / "boxy.cpp").read_text() + "// Boxy: tuned by hand\n")
    capsys.readouterr()
    assert run(["rename", "Boxy", "Framed"]) == 0
    assert "notes.md:2:5: warning: 'Boxy' is still named here [OPK345]" in capsys.readouterr().out
    assert not (here / "kernels" / "boxy.cpp").exists()
    kernel = (here / "kernels" / "framed.cpp").read_text()
    assert kernel.endswith("// Framed: tuned by hand\n")
    assert "boxy" not in kernel.lower()
    assert run(["verify", "--on", "host", "--cases", "3"]) == 0
    assert run(["check"]) == 0


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["rename", "AddRelu", "Twice"], 1, "op 'Twice' exists already in package 'acme.graphs' [OPK342]"),
        (["rename", "AddRelu", "class"], 1, "'class' is a C++ keyword [OPK151]"),
        (["rename", "AddRelu", "twice"], 1, "collide: both become 'twice' [OPK152]"),
        (["rename", "AddRel", "X"], 2, "no op 'AddRel'. Did you mean 'AddRelu'?"),
        (["remove", "Twic"], 2, "no op 'Twic'. Did you mean 'Twice'?"),
        (["remove", "Twice", "--package", "acme.grphs"], 2, "Did you mean 'acme.graphs'?"),
    ],
)
def test_refused(here: Path, capsys: pytest.CaptureFixture[str], args: list[str], code: int, said: str) -> None:
    graphs(here)
    assert run(["generate"]) == 0
    before = tree(here)
    capsys.readouterr()
    assert run(args) == code
    out, err = capsys.readouterr()
    assert said in out + err
    assert tree(here) == before


def test_a_dry_run_writes_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graphs(here)
    assert run(["generate"]) == 0
    before = tree(here)
    capsys.readouterr()
    assert run(["rename", "Twice", "Doubled", "--dry-run"]) == 0
    assert "would update specs/graphs.yaml\n" in capsys.readouterr().out
    assert run(["remove", "Twice", "--dry-run"]) == 0
    assert "would update specs/graphs.yaml\n" in capsys.readouterr().out
    assert tree(here) == before


def test_remove_takes_the_op_and_its_comment(here: Path) -> None:
    spec = graphs(here)
    assert run(["generate"]) == 0
    assert run(["remove", "Twice"]) == 0
    assert spec.read_text() == RULES[: RULES.index("\n  # doubles")]
    assert run(["check"]) == 0
    assert not list((here / "generated").rglob("twice*"))


def test_the_only_op_stays(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graphs(here, RULES[: RULES.index("\n  # doubles")])
    capsys.readouterr()
    assert run(["remove", "AddRelu"]) == 1
    assert "specs/graphs.yaml:5:3: error: 'AddRelu' is the only op of 'acme.graphs' [OPK346]" in capsys.readouterr().out


def test_what_the_user_wrote_stays(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "Boxy", "--kind", "custom", "--dir", "."]) == 0
    spec = next((here / "specs").iterdir())
    before = spec.read_text()
    assert run(["new", "Other", "--dir", "."]) == 0
    capsys.readouterr()
    assert run(["remove", "Boxy"]) == 0
    assert "kernels/boxy.cpp: warning: no op uses this file after Boxy [OPK347]" in capsys.readouterr().out
    assert (here / "kernels" / "boxy.cpp").exists()
    assert "Boxy" in before
    assert "Boxy" not in spec.read_text()


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.booleans()), min_size=2, max_size=6),
    st.integers(0, 5),
)
def test_all_other_lines_stay(ops: list[tuple[int, int, bool]], which: int) -> None:
    """Ops with comments above, blank lines between and comments inside: those of the others are left as they are."""
    blocks = []
    for number, (comments, blanks, inner) in enumerate(ops):
        above = "".join(f"  # about Op{number}, {line}\n" for line in range(comments))
        body = f"  Op{number}:\n" + (f"      # inside Op{number}\n" if inner else "") + f"    summary: s{number}\n"
        blocks.append("\n" * blanks + above + body)
    gone = which % len(ops)
    text = "opkg: 1\nops:\n" + "".join(blocks) + "# end\n"
    left = without_op(text, f"Op{gone}", "a.yaml")
    kept = [line for line in text.split("\n") if line.strip() and f"Op{gone}" not in line and f"s{gone}" not in line]
    assert [line for line in left.split("\n") if line.strip()] == kept
