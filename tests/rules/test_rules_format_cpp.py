"""The formatter on C++ files: layout, comments, what it leaves alone; hypothesis over random layouts of random rules."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opkg.rules.text import formatter
from opkg.rules.text.cpp import parse_cpp
from opkg.rules.text.formatter import format_cpp


def formatted(source: str) -> str:
    """The formatted source, which formatting once more leaves as it is."""
    out, _ = format_cpp(source, "a.cpp")
    assert format_cpp(out, "a.cpp")[0] == out
    return out


def test_a_rule_that_fits_is_one_line() -> None:
    source = 'DEF_PACKAGE_OPTIMIZATION ( EARLY+1 ,\n   Op( "A","X" ),OK,\n  Op("B" , "X") )\n'
    assert formatted(source) == 'DEF_PACKAGE_OPTIMIZATION(EARLY + 1, Op("A", "X"), OK, Op("B", "X"))\n'


LONG = """\
DEF_PACKAGE_OPTIMIZATION(
    LATE + 20,
    Op("Relu", "X"),
    AND(
        GT(DIM_HEIGHT("*"), TILE_HEIGHT),
        OR(IS_QUINT8("X"), IS_QUINT16("X"), IS_FLOAT16("X"), EQ(ELEMENTSIZE_OF("X"), 4)),
        NOT(EQ(DIM_WIDTH("X"), 1))),
    AUTOSPLIT(1, "I", TILE_HEIGHT, Op("Relu", TYPICAL_SLICE("X", "I"))))
"""


def test_a_long_rule_has_an_argument_a_line_and_breaks_only_where_it_must() -> None:
    assert formatted(" ".join(LONG.split()) + "\n") == LONG


def test_words_and_numbers_in_front_stay_on_the_line_of_the_name() -> None:
    slices = ", ".join(f'TYPICAL_SLICE("{c * 12}", "I")' for c in "XYZ")
    tags = ", ".join(f'"{c * 12}"' for c in "XYZ")
    deep = f'AUTOSPLIT(1, "I", 8, Op("A", {slices}))'
    out = formatted(f'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", {tags}), OK, {deep})\n')
    assert '    AUTOSPLIT(1, "I", 8,\n        Op("A",\n            TYPICAL_SLICE("XXXXXXXXXXXX", "I"),\n' in out


COMMENTS = """\
// in front
DEF_PACKAGE_OPTIMIZATION(
    // the pass
    EARLY,  // right after cleanup
    Op("A", "X"),
    /* always */ OK,
    Op("B",
        "X",  // unchanged
        /* twice */ "X"
        // nothing else
    )
    /* the
       end */
)  // behind
"""


def test_comments_stay_at_their_argument() -> None:
    assert formatted(COMMENTS) == COMMENTS
    squeezed = (
        "// in front\nDEF_PACKAGE_OPTIMIZATION( // the pass\nEARLY, // right after cleanup\n"
        'Op("A","X"), /* always */ OK, Op("B", "X", // unchanged\n/* twice */ "X"\n// nothing else\n)\n'
        "/* the\n       end */\n)  // behind\n"
    )
    assert formatted(squeezed).replace("(  // the pass", "(\n    // the pass") == COMMENTS


def test_everything_between_rules_stays_to_the_byte() -> None:
    before = (
        '\t int  x=1 ;  // DEF_PACKAGE_OPTIMIZATION(\n#define R DEF_PACKAGE_OPTIMIZATION(EARLY,Op("A"),OK,"X")\n\r\n'
    )
    after = ';;\n\n  char const *s = "DEF_PACKAGE_OPTIMIZATION(";\n  DEF_PACKAGE_OP( f ,"A" )\n /* no line end */'
    rule = 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A","X"), OK, Op("B","X"))'
    assert formatted(before + rule + after) == before + rule.replace('","', '", "') + after


def test_line_ends_of_windows_stay() -> None:
    source = LONG.replace("\n", "\r\n").replace("    ", "\t")
    assert formatted("int a;\r\n" + source) == "int a;\r\n" + LONG.replace("\n", "\r\n")


def test_an_indented_rule_moves_to_the_first_column() -> None:
    source = 'void f();\n   DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), OK, Op("B", "X"))\nint a;'
    assert formatted(source) == source.replace("   DEF", "DEF")


def test_tensor_properties_are_formatted_and_registrations_are_not() -> None:
    source = 'DEF_TENSOR_PROPERTIES(Op("A","x"),Flat("x" ,"*"))\nDEF_PACKAGE_OP( f ,"A" )\n'
    assert formatted(source) == 'DEF_TENSOR_PROPERTIES(Op("A", "x"), Flat("x", "*"))\nDEF_PACKAGE_OP( f ,"A" )\n'


@pytest.mark.parametrize(
    "broken",
    [
        'DEF_PACKAGE_OPTIMIZATION(EARLY,  Op("A","X"), OK)\n',
        'DEF_PACKAGE_OPTIMIZATION(EARLY,  Op("A",,"X"), OK, "X")\n',
        'DEF_PACKAGE_OPTIMIZATION(EARLY,  Op("A","X"), OK, Op("B", "X")\nint x;\n',
    ],
)
def test_a_call_that_does_not_parse_stays_as_it_is(broken: str) -> None:
    good = 'DEF_PACKAGE_OPTIMIZATION(EARLY,Op("A","X"),OK,Op("B","X"))\n'
    out, findings = format_cpp(good + broken, "a.cpp")
    assert out == good.replace(",", ", ") + broken
    assert any(f.is_error and f.span.line >= 2 for f in findings)


TAGS = ("X", "Y", "*", "in.0")


def expressions() -> st.SearchStrategy[str]:
    leaves = st.sampled_from(["OK", '"X"', '"Y"', "-3", "0x10u", "1.5f", "DType::QUInt8", "TILE_HEIGHT", '"A" "B"'])
    calls = st.sampled_from(["AND", "Op", "GT", "DIM_OF", "AUTOSPLIT", "WITH_SAME_OUTPUT"])

    def nest(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.builds(lambda n, a: f"{n}({','.join(a)})", calls, st.lists(inner, min_size=1, max_size=4))

    return st.recursive(leaves, nest, max_leaves=25)


GAPS = ["", " ", "\n", "\t", "  \n\n ", " // why\n", "/* x */", " /* a\n  b */ ", "// 1\n// 2\n", "/**/\n", "\r\n"]


@st.composite
def laid_out(draw: st.DrawFn) -> str:
    """A rule with white space and comments between any two tokens."""
    parts = [draw(expressions()) for _ in range(3)]
    text = f"DEF_PACKAGE_OPTIMIZATION(EARLY+1,{','.join(parts)})"
    tokens = re.findall(r'"[^"]*"|[-\w:.]+|.', text)
    gaps = draw(st.lists(st.sampled_from(GAPS), min_size=len(tokens), max_size=len(tokens)))
    sparse = draw(st.integers(0, 3))
    gaps = [gap if i % (sparse + 1) == 0 else "" for i, gap in enumerate(gaps)]
    inside = "".join(token + gap for token, gap in zip(tokens[1:-1], gaps[1:-1], strict=True))
    end = draw(st.sampled_from(["", "\n", "; x\n"]))
    return f"int a; \n{tokens[0]}{inside}){end}"


@settings(max_examples=300, deadline=None)
@given(laid_out())
def test_formatting_is_idempotent_and_keeps_meaning_and_comments(source: str) -> None:
    out, findings = format_cpp(source, "a.cpp")
    assert not [f for f in findings if f.id in ("OPK516", "OPK517")], findings
    before, after = parse_cpp(source, "a.cpp")[0], parse_cpp(out, "a.cpp")[0]
    assert len(before.rules) == len(after.rules) == 1
    for part in ("pass_", "flags", "match", "when", "replace"):
        assert getattr(before.rules[0], part) == getattr(after.rules[0], part)
    words = [" ".join(c.text.split()) for c in before.comments]
    assert sorted(words) == sorted(" ".join(c.text.split()) for c in after.comments)
    assert format_cpp(out, "a.cpp")[0] == out
    assert out.startswith("int a; \n")


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='DEF_PACKAGE_OPTIMIZATION(),"XO p\n\r/*#\\;', max_size=120))
def test_any_text_is_formatted_without_a_traceback(text: str) -> None:
    out, _ = format_cpp("DEF_PACKAGE_OPTIMIZATION(EARLY, " + text, "a.cpp")
    assert format_cpp(out, "a.cpp")[0] == out


def test_a_comment_inside_an_argument_moves_in_front_of_it() -> None:
    source = 'DEF_PACKAGE_OPTIMIZATION(EARLY,Op("A","X"),EXTERNAL_CONSTRAINT((f<int, /* why */ 2>),"X"),Op("B","X"))\n'
    assert "        /* why */ (f<int, 2>),\n" in formatted(source)
    source = 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A"  // first half\n"B", "X"), OK, Op("B", "X"))\n'
    assert '    Op(\n        // first half\n        "AB",\n        "X"),\n' in formatted(source)


def test_text_that_would_read_differently_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Should the layout ever lose something, the call stays, and so does the file if that is not enough."""
    source = 'DEF_PACKAGE_OPTIMIZATION(EARLY,Op("A","X"),OK,Op("B","X"))\n'
    wrong = 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), OK, Op("C", "X"))'
    monkeypatch.setattr(formatter, "_item_text", lambda *_: wrong)
    out, findings = format_cpp(source, "a.cpp")
    assert out == source
    assert [(f.id, f.span.line, f.span.column) for f in findings] == [("OPK516", 1, 1)]
    monkeypatch.setattr(formatter, "_same_meaning", lambda *_: True)
    out, findings = format_cpp(source, "a.cpp")
    assert out == source
    assert [f.id for f in findings] == ["OPK517"]
