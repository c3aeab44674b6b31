"""Texts that know where each of their characters stands: in every style of YAML scalar, and joined."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opkg.spec import reader
from opkg.spec.model import Rule
from opkg.spec.source_text import JoinedText, MappedText, SourceText

FRAME = """opkg: 1
package: {{name: a.b, version: 1.0.0}}
ops:
  Relu:
    types: {{T: [float32]}}
    inputs:
      x: {{dtype: T, shape: [...]}}
    outputs:
      y: {{dtype: T, shape: x.shape}}
    reference: r:f
    rules:
      - match: Op("Relu", "A")
        when: {when}
        replace: Op("B", "A")
"""
STYLES = {
    "plain": 'AND(IS_FLOAT("A"), GT(DIM_OF("A", 1), 8))',
    "plain in two lines": 'AND(IS_FLOAT("A"),\n          GT(DIM_OF("A", 1), 8))',
    "single quotes": """'AND(IS_FLOAT("A"), GT(DIM_OF("A", 1), 8))'""",
    "double quotes": '"AND(IS_FLOAT(\\"A\\"), GT(DIM_OF(\\"A\\", 1), 8))"',
    "double quotes in two lines": '"AND(IS_FLOAT(\\"A\\"),\n\n          GT(DIM_OF(\\"A\\", 1), 8))"',
    "escaped line break": '"AND(IS_FLOAT(\\"A\\"), \\\n          GT(DIM_OF(\\"A\\", 1), 8))"',
    "literal": '|  # AND(\n          AND(IS_FLOAT("A"),\n              GT(DIM_OF("A", 1), 8))',
    "literal, stripped": '|-\n          AND(\n            IS_FLOAT("A"),\n            GT(DIM_OF("A", 1), 8)\n          )',
    "folded": '>\n          AND(IS_FLOAT("A"),\n          GT(DIM_OF("A", 1),\n\n          8))',
}


def _rule(text: str) -> Rule:
    package, _ = reader.read(text.encode(), "s.yaml")[:2]
    assert package is not None
    return package.ops[0].rules[0]


@pytest.mark.parametrize("style", STYLES)
def test_every_character_is_found_in_the_file(style: str) -> None:
    file = FRAME.format(when=STYLES[style])
    lines = file.split("\n")
    when = _rule(file).when
    assert when is not None
    assert when.source is not None
    seen = []
    for offset, char in enumerate(when.text):
        if not char.isspace():
            line, column = when.source.position(offset)
            assert lines[line - 1][column - 1] == char
            seen.append((line, column))
    assert seen == sorted(set(seen)), "places go forward and no two are one"
    start = when.text.index("GT")
    span = when.source.span(start, start + 2)
    assert lines[span.line - 1][span.column - 1 : span.end_column - 1] == "GT"


def test_a_joined_text_keeps_the_places_of_its_parts() -> None:
    first = SourceText("f", "abc\nde", 3, 5)
    second = SourceText("f", "xyz", 9, 2)
    joined = JoinedText.of(first, second)
    assert joined.text == "abc\nde\nxyz"
    assert joined.span(0, 3) == ("f", 3, 5, 3, 8)
    assert joined.span(4, 6) == ("f", 4, 1, 4, 3)
    assert joined.span(7, 10) == ("f", 9, 2, 9, 5)
    assert joined.span(5, 10) == ("f", 4, 2, 4, 3), "no further than its part"


def test_escapes_of_double_quotes_count_as_one_character() -> None:
    raw = r'''\x41\u0041 \\ \"A\\\"\tA/\/A"'''
    text = SourceText("f", 'AA \\ "A\\"\tA//A', 2, 10, raw)
    columns = [text.position(offset)[1] - 10 for offset, char in enumerate(text.text) if not char.isspace()]
    assert columns == [0, 4, 12, 15, 16, 18, 20, 23, 24, 26, 27]


def test_a_text_made_from_another_has_its_places() -> None:
    origin = SourceText("f", "AB(x,\n  yz)", 4)
    made = MappedText("C(x, yz, 1)", origin, ((0, 0, 2, False), (1, 2, 3, True), (2, 3, 4, True), (5, 8, 10, True)))
    assert made.span(0, 1) == ("f", 4, 1, 4, 3)
    assert made.span(2, 3) == ("f", 4, 4, 4, 5)
    assert made.span(6, 7) == ("f", 5, 4, 5, 5)
    assert made.span(2, 7) == ("f", 4, 4, 5, 5)
    assert made.position(5) == (5, 3)
    assert MappedText("x", SourceText("f", "", 7), ()).span(0, 1) == ("f", 7, 1, 7, 2)


@given(st.text(alphabet="ab(),\n ", max_size=60), st.integers(1, 5), st.integers(1, 5))
def test_plain_text_has_the_places_of_its_lines(text: str, line: int, column: int) -> None:
    source = SourceText("f", text, line, column)
    expected_line, expected_column = line, column
    for offset, char in enumerate(text):
        assert source.position(offset) == (expected_line, expected_column)
        if char == "\n":
            expected_line, expected_column = expected_line + 1, 1
        else:
            expected_column += 1
