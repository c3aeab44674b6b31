"""The layout of specs: however they are laid out, `opkg fmt` makes one thing of it, and it says what it said."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from opkg.cli.main import run
from opkg.spec.layout import laid_out

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*/specs/*.yaml"))
MESSY = """\
# top


opkg:   1
package: { name: acme.messy ,version: 1.0.0 }   # a package
ops:
    Gate:
          # what it is
          summary:   'x * y'  # said
          types: {T: [ float32,ufixed8 ]}


          inputs:
            # the first
            x: {dtype: T,
                  shape: [N, C]}
            y:
                dtype:  T
                shape: x.shape
          outputs: {y_out: {dtype: T, shape: x.shape}} # one
          compute: |
              a = x * y

              y_out = max(a, 0)
          tests:
              cases:
              - {name: one}
              -   name: two # second
                  when:
                      T: float32
              -
                  name: three
    # the last
    Other: {summary: s}
"""
NEAT = """\
# top

opkg: 1
package: {name: acme.messy, version: 1.0.0}     # a package
ops:
  Gate:
    # what it is
    summary: 'x * y'          # said
    types: {T: [float32, ufixed8]}

    inputs:
      # the first
      x: {dtype: T,
        shape: [N, C]}
      y:
        dtype: T
        shape: x.shape
    outputs: {y_out: {dtype: T, shape: x.shape}}       # one
    compute: |
      a = x * y

      y_out = max(a, 0)
    tests:
      cases:
        - {name: one}
        - name: two         # second
          when:
            T: float32
        -
          name: three

  # the last
  Other: {summary: s}
"""


def test_one_layout() -> None:
    made = laid_out(MESSY)
    assert made is not None
    assert made.split("\n") == NEAT.split("\n")
    assert laid_out(made) == made
    assert yaml.safe_load(made) == yaml.safe_load(MESSY)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_laid_out(path: Path) -> None:
    assert laid_out(path.read_text()) == path.read_text()


@pytest.mark.parametrize("text", ["a: &one [b]\nops: *one\n", "{opkg: 1}\n", "- a\n", "just text\n"])
def test_left_alone(text: str) -> None:
    assert laid_out(text) is None


WORDS = st.sampled_from(["a", "b c", "'q: #'", '"d\\n"', "1.0", "x.shape", "[p, {q: r}]", "{s: [t], u: }", "[]", ""])
VALUES = st.recursive(
    WORDS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3), st.dictionaries(st.sampled_from("klmn"), inner, min_size=1, max_size=3)
    ),
    max_leaves=8,
)


def written(value: object, indent: int, draw: st.DataObject) -> list[str]:
    """Block YAML of a value, with steps, comments and blank lines as they come."""
    extra = draw.draw(st.sampled_from(["", "", "   # c", " # one: {d}"]))
    if isinstance(value, str):
        return [f" {value}{extra}" if value else extra]
    step = draw.draw(st.integers(1, 4))
    lines = [extra]
    for key in value if isinstance(value, dict) else range(len(value)):  # type: ignore[arg-type]
        lines += draw.draw(st.sampled_from([[], [], [""], ["# lead"], ["", "", "      # far"]]))
        head = f"{key}:" if isinstance(value, dict) else "-"
        first, *rest = written(value[key], indent + step, draw)  # type: ignore[index]
        lines += [" " * (indent + step) + head + first, *rest]
    return lines


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from(["opkg", "package", "ops"]), VALUES, min_size=1), st.data())
def test_whatever_stands_there(values: dict[str, object], data: st.DataObject) -> None:
    lines = [line for key in values for line in _headed(key, written(values[key], 0, data))]
    text = "\n".join(lines) + "\n"
    made = laid_out(text)
    assert made is not None, text
    assert yaml.safe_load(made) == yaml.safe_load(text)
    assert laid_out(made) == made
    assert comments(made) == comments(text)


def comments(text: str) -> list[str]:
    """What follows the first # of each line, however far away the rest stands."""
    return [" ".join(line.partition("#")[2].split()) for line in text.split("\n") if "#" in line]


def _headed(key: str, lines: list[str]) -> list[str]:
    return [f"{key}:{lines[0]}", *lines[1:]]


def test_the_verb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    spec = tmp_path / "specs" / "a.yaml"
    spec.parent.mkdir()
    spec.write_bytes(MESSY.replace("\n", "\r\n").encode())
    assert run(["fmt", "--check"]) == 1
    assert capsys.readouterr().out == "would format specs/a.yaml\n"
    assert run(["fmt", "--diff"]) == 0
    shown = capsys.readouterr().out
    assert "\n-    Gate:\n" in shown
    assert "\n+  Gate:\n" in shown
    assert spec.read_bytes() == MESSY.replace("\n", "\r\n").encode()
    assert run(["fmt"]) == 0
    made = spec.read_bytes()
    assert made.count(b"\r\n") == made.count(b"\n")
    assert run(["fmt", "--check"]) == 0
    spec.write_text("a: &x [1]\nb: *x\n")
    capsys.readouterr()
    assert run(["fmt"]) == 0
    assert "specs/a.yaml: warning: left as it is" in capsys.readouterr().out
    spec.write_text("a: [1\n")
    assert run(["fmt"]) == 1
    assert spec.read_text() == "a: [1\n"
    (tmp_path / "k.cpp").write_text("")
    assert run(["fmt", "k.cpp"]) == 2
