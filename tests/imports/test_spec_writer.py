"""The writer of imported specs: texts of other worlds read back from YAML as they were, and fmt finds nothing to lay out."""

from __future__ import annotations

from pathlib import Path

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from opkg.cli.main import run
from opkg.imports.prose import lines, one_line
from opkg.imports.writer import line_of
from opkg.spec.safe_text import text_fault

WORDS = st.text(alphabet="abyesnoYES01 :#-,[]{}&*!|>'\"%@`?=<~\\/.\té", max_size=24)


@given(WORDS)
@settings(max_examples=500, deadline=None)
def test_a_line_reads_back_as_it_was(text: str) -> None:
    line = one_line(text)
    assert text_fault(line, one_line=True) is None
    if line:
        assert yaml.safe_load(f"a: {line_of(line, flow=False)}") == {"a": line}
        assert yaml.safe_load(f"{{a: {line_of(line)}, b: 1}}") == {"a": line, "b": 1}


@given(st.text(alphabet='ab */\\\n\t"?=\r\x00', max_size=60))
@settings(max_examples=300, deadline=None)
def test_texts_of_several_lines_are_safe_in_cpp(text: str) -> None:
    assert text_fault(lines(text), one_line=False) is None


def test_an_imported_spec_is_laid_out_as_fmt_does(tmp_path: Path) -> None:
    xml = Path(__file__).parent / "xml"
    for name in ("sound_kit", "blend"):
        assert run(["-q", "import", str(xml / f"{name}.xml"), "--out", str(tmp_path)]) == 0
    assert run(["-C", str(tmp_path), "fmt", "--check"]) == 0
