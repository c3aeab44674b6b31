"""Constants of rank 5: with elements of 32 bits HTP prepares no graph (1002), so validators refuse them before."""

from __future__ import annotations

from pathlib import Path

import pytest

from opkg.cli.main import run

SPEC = """\
opkg: 1
package: {name: test.constants, version: 1.0.0, targets: [qnn-htp-qhpi]}
ops:
  Over:
    types: {T: [float32, int32, ufixed8, float16]}
    inputs: {x: {dtype: T, rank: 1..5}, w: {dtype: T, shape: x.shape, static: true}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = max(x, w)
    tests:
      cases:
        - {x: {shape: [2, 1, 3, 4, 5]}, name: five}
        - {x: {shape: [1, 3, 4, 5]}, name: four}
"""


def test_validators_refuse_what_htp_does_not_prepare(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("specs").mkdir()
    Path("specs/s.yaml").write_text(SPEC)
    assert run(["generate"]) == 0
    capfd.readouterr()
    assert run(["verify", "--on", "htp", "--cases", "6"]) == 1
    said = capfd.readouterr()
    text = said.out + said.err
    assert "1002" not in text
    assert [line.split(" on htp")[0] for line in text.splitlines() if line.startswith("FAIL ")] == [
        "FAIL Over f32-five"
    ]
    assert text.count("'w' is a constant of rank 5 with elements of 32 bits, whose graph HTP does not prepare") == 1
    assert "1 case more fails for the same reason" in text
    rows = {(words := line.split("Over")[-1].split())[0]: words[1] for line in text.splitlines() if "vector" in line}
    assert {element for element, said in rows.items() if said == "FAIL"} == {"f32", "i32"}, text
