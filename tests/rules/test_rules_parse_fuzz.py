"""Hostile rule text: no exception, no hang, findings inside the text, however broken, deep or long it is."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opkg.rules.text.cpp import parse_cpp
from opkg.rules.text.expanded import parse_expanded
from opkg.rules.text.lexer import MOST_FINDINGS, tokenize
from opkg.rules.text.parse import parse_expression
from opkg.rules.text.parse_rule import parse_macro_call
from opkg.rules.text.printer import to_text
from opkg.spec.source_text import SourceText

PIECES = (
    *("Op(", "AND(", "MESSAGE(", '"A"', '"a b"', '""', '"', "'", "(", ")", "[", "]", "{", "}", "<", ">", ",", ";", "::"),
    *("+", "-", "*", "&", "|", "!", "?", ":", "=", ".", "->", "<<<", "f<T>", "(int)", "size_t(", "OK", "EARLY"),
    *("1", "010", "2L", "1.5f", "0x", "1e", "\\", "\\\n", "\n", "\r", "\t", " ", "@", "é", "\0", "\udcff"),
    *("#", "#if 0\n", "#define A(x) DEF_OPT(\n", "//", "/*", "*/", 'R"(', 'R"x(', '<<<"f", 1>>>', "A("),
    *("DEF_PACKAGE_OPTIMIZATION(", "DEF_TENSOR_PROPERTIES(", "DEF_AUTOSPLIT(", "__def_opt__("),
)  # fmt: skip


def check(text: str) -> None:
    """All front doors take the text; their findings stand in it."""
    source = SourceText("f", text)
    node, findings = parse_expression(source)
    assert node is not None or findings
    if node is not None:
        again, _ = parse_expression(SourceText("f", to_text(node)))
        assert again == node
    tokens, comments = tokenize(text)
    covered = sorted([*tokens, *comments], key=lambda token: token.start)
    assert all(a.end <= b.start for a, b in pairwise(covered))
    assert all(token.text == text[token.start : token.end] for token in covered)
    document, more = parse_cpp(text, "f")
    parse_macro_call(source, "r")
    parse_expanded(text, "no such file")
    lines = text.split("\n")
    for finding in [*findings, *more]:
        line, column, end_line, end_column = finding.span[1:]
        assert 1 <= line <= end_line <= len(lines)
        assert 1 <= column <= len(lines[line - 1]) + 1
        assert (end_line, end_column) > (line, column)
    for item in document.items:
        assert text[item.start :].startswith(item.macro or "DEF")


@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    check("".join(char for char in text if not 0xD800 <= ord(char) < 0xDC80))


@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_pieces_of_rules_in_any_order(pieces: list[str]) -> None:
    check("".join(pieces))


RULE = """DEF_PACKAGE_OPTIMIZATION(EARLY + 2,
    Op("q::Conv2d", "In", LET("W", OpVarIn("Const" ".x", "Z")), OPCONST("B")), // match
    AND(GT(DIM_HEIGHT("In"), TILE_HEIGHT), NOT(IS_FLOAT16("W")), MESSAGE_IF(OK, "a\\n \\"b\\"")),
    AUTOSPLIT(1, "I", 0x20u, WITH_OUTPUT_TYPE(DType::QUInt8, -3, 1.5e-2f,
        Op("Conv2d", TYPICAL_SLICE("In", "I"), "W", gen_Shape(1, (size_t)2, size_t(3), f<int>(4))))))
"""


@given(st.integers(0, 2**32), st.integers(1, 6))
def test_mutations_of_a_rule(seed: int, times: int) -> None:
    draw = random.Random(seed)
    text = RULE
    for _ in range(times):
        at, length = draw.randrange(len(text) + 1), draw.randrange(12)
        piece = draw.choice((*PIECES, text[at : at + 20], ""))
        text = text[:at] + piece + text[at + length :]
    check(text)


BIG = 10_000


@pytest.mark.parametrize(
    "text",
    [
        "(" * BIG,
        "f(" * BIG,
        "f(" * BIG + ")" * BIG,
        "f(a," * BIG,
        ")" * BIG,
        "[" * BIG,
        "{" * BIG + "}" * BIG,
        "f<" * BIG,
        "f<" * BIG + ">" * BIG,
        "<" * BIG,
        "-" * BIG + "1",
        "- " * BIG + "x",
        "a+" * BIG + "a",
        "a?" * BIG,
        "((a b) c) " * BIG,
        "f(" + "a b," * BIG + ")",
        "f(" + "@é" * BIG + ")",
        '"' * (BIG + 1),
        '"a" ' * BIG,
        '"' + "x" * 10 * BIG + '"',
        '"' + "x" * 10 * BIG,
        '"' + "\\" * BIG,
        '"' + "\\x" * BIG + '"',
        "9" * 10 * BIG,
        "0x" + "f" * BIG,
        "1e" + "9" * BIG,
        "1." * BIG,
        "a" * 10 * BIG,
        "a::" * BIG,
        "/*" * BIG,
        "/* */" * BIG,
        "//\\\n" * BIG,
        "\\\n" * BIG,
        'R"(' * BIG,
        "#" * BIG,
        "#if 0\n" * BIG,
        "#/*\n" * BIG,
        "#define a(x) DEF_OPT\na(" * (BIG // 100),
        "'" * BIG,
        "const " * BIG,
        "(const " * BIG,
        "(int)" * BIG + "x",
        "DEF_OPT(" * BIG,
        "DEF_OPT() " * (BIG // 10),
        "__def_opt__(" * BIG,
        ")<<<" * BIG,
        ")" + " " * BIG + "<<<",
        "__def_opt__(a)<<<f,1>>>" * (BIG // 100),
        RULE * 100,
        "f(" * 100_000 + ")" * 100_000,
        "[" * 100_000,
    ],
    ids=lambda text: f"{text[:12]!r}-{len(text)}",
)
def test_big_texts(text: str) -> None:
    check(text)
    assert len(parse_expression(SourceText("f", text))[1]) <= MOST_FINDINGS
