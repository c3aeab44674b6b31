"""`opkg validate --fix`: slips are mended word by word, nothing else changes, and what is not clear stays a finding."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opkg.cli.main import run
from opkg.project.fix import fixed

GOOD = (
    """\
# a comment: inputs, outputs, ufixed8
opkg: 1
package:
  name: acme.slips
  version: 1.2.0
  targets: [qnn-htp-qhpi, qnn-htp-classic]
ops:
  Gate:
    summary: outputs of inputs      # summary
    types: {T: [float32, 'ufixed8']}
    inputs:
      x: {dtype: T, rank: 1..4}
      slope: {dtype: T, shape: [C], optional: true}
    params:
      alpha: {dtype: float32, default: 1.0, range: 0 .. 8}
    outputs:
      y: {dtype: T, shape: x.shape}
    constraints:
      - {require: rank(x) > 1, message: "two"}
    compute: y = maximum(x, 0) * sigmoid(alpha * x)
""".replace("maximum", "max")
    .replace(", optional: true", "")
    .replace("      slope: {dtype: T, shape: [C]}\n", "")
)
WORDS = ["version", "targets", "qnn-htp-qhpi", "types", "float32", "ufixed8", "inputs", "dtype", "params", "default", "outputs",
         "constraints", "require", "message", "compute", "sigmoid", "alpha", "range", "shape"]  # fmt: skip

SLIPS = st.tuples(st.sampled_from(WORDS), st.integers(0, 2), st.integers(0, 9), st.integers(0, 3))


def slip(word: str, how: int, at: int) -> str:
    """A letter left out, doubled, or two exchanged."""
    at = 1 + at % (len(word) - 2)
    if how == 0:
        return word[:at] + word[at + 1 :]
    if how == 1:
        return word[:at] + word[at] + word[at:]
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def put(text: str, word: str, other: str, which: int) -> str:
    """Another word in the place of one of its places outside of comments and summaries; the text as it is where there is none."""
    places = [m.start() for m in re.finditer(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text)]
    places = [p for p in places if not re.search(r"#|summary: ", text[text.rfind("\n", 0, p) + 1 : p])]
    if not places:
        return text
    place = places[which % len(places)]
    return text[:place] + other + text[place + len(word) :]


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "specs").mkdir()
    path = tmp_path / "specs" / "slips.yaml"
    path.write_text(GOOD)
    return path


def test_several_at_once(spec: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["validate"]) == 0
    bad = GOOD
    for word, other in (
        ("outputs", "ouputs"),
        ("ufixed8", "ufixd8"),
        ("sigmoid", "sigmoyd"),
        ("qnn-htp-qhpi", "qnn-htp-qphi"),
    ):
        bad = put(bad, word, other, 0)
    bad = bad.replace("1.2.0", "1.2")
    spec.write_bytes(bad.replace("\n", "\r\n").encode())
    assert run(["validate"]) == 1
    capfd.readouterr()
    assert run(["validate", "--fix"]) == 0
    out, err = capfd.readouterr()
    assert spec.read_bytes() == GOOD.replace("\n", "\r\n").encode()
    assert out == ""
    assert "opkg: specs/slips.yaml:10:27: ufixd8 -> ufixed8\n" in err
    assert err.count(" -> ") == 5
    assert run(["validate", "--fix"]) == 0
    assert " -> " not in capfd.readouterr().err


def test_two_letters_that_are_swapped_in_a_short_word(spec: Path) -> None:
    spec.write_text(GOOD.replace("max(x, 0)", "mxa(x, 0)"))
    assert run(["validate", "--fix"]) == 0
    assert spec.read_text() == GOOD


def test_what_is_not_clear_stays(spec: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for word, other in (("sigmoid", "sgd"), ("alpha: {", "a: {"), ("x.shape", "x.shape + 1")):
        bad = GOOD.replace(word, other, 1)
        spec.write_text(bad)
        assert run(["validate", "--fix"]) == 1
        assert spec.read_text() == bad
    capfd.readouterr()


@settings(max_examples=60, deadline=None)
@given(st.lists(SLIPS, min_size=1, max_size=3))
def test_only_words_that_were_wrong_change(
    tmp_path_factory: pytest.TempPathFactory, slips: list[tuple[str, int, int, int]]
) -> None:
    """Whatever is misspelt: each change is of one such word, and the rest of the file is as it was."""
    bad, words = GOOD, set()
    for word, how, at, which in slips:
        words.add(slip(word, how, at))
        bad = put(bad, word, slip(word, how, at), which)
    folder = tmp_path_factory.getbasetemp() / "slips" / "specs"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "a.yaml").write_text(bad)
    found = fixed([str(folder)])
    text = bad
    for change in found:
        text = change.data.decode()
        assert {fix.old for fix in change.fixes} <= words
        assert len(text.split("\n")) == len(bad.split("\n"))
    assert [line for line in text.split("\n") if "#" in line] == [line for line in bad.split("\n") if "#" in line]
