"""Rule text to trees: what is read, and the id, message and place of what is not."""

from __future__ import annotations

import pytest

from opkg.rules.syntax import Binary, Call, Declaration, Float, Int, Name, Node, Opaque, Paren, Rule, Str, Unary
from opkg.rules.text.parse import parse_expression
from opkg.rules.text.parse_rule import parse_macro_call
from opkg.spec.diagnostics import Diagnostic, Severity
from opkg.spec.source_text import SourceText


def read(text: str) -> tuple[Node | None, list[Diagnostic]]:
    return parse_expression(SourceText("f", text))


def clean(text: str) -> Node:
    node, findings = read(text)
    assert findings == []
    assert node is not None
    return node


def faults(text: str) -> list[tuple[str, int, int, str]]:
    """(id, column, end column, message) of each finding."""
    return [(d.id, d.span.column, d.span.end_column, d.message) for d in read(text)[1]]


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ('"X"', Str("X")),
        ('"X"\n  "Y" /* and */ "Z"', Str("XYZ")),
        ('MESSAGE("a \\"b\\"\\n\\x41\\102\\u00e9\\\\")', Call("MESSAGE", (Str('a "b"\nABé\\'),))),
        ("OK", Name("OK")),
        ("DType::QUInt8", Name("DType::QUInt8")),
        ("gen_Shape()", Call("gen_Shape", ())),
        ('Op("A", "X")', Call("Op", (Str("A"), Str("X")))),
        ('OpVarIn ( "A" , LET ( "L" , Op ( "B" ) ) )', None),
        ("EARLY+2", Binary("+", Name("EARLY"), Int("2", 2, False))),
        ("EARLY - 2", Binary("-", Name("EARLY"), Int("2", 2, False))),
        ("EARLY + 1 - 1", Binary("-", Binary("+", Name("EARLY"), Int("1", 1, False)), Int("1", 1, False))),
        ("5 + EARLY", Binary("+", Int("5", 5, False), Name("EARLY"))),
        ("(EARLY + 1)", Paren(Binary("+", Name("EARLY"), Int("1", 1, False)))),
        ("a|b", Binary("|", Name("a"), Name("b"))),
        ("a | b & c", Binary("|", Name("a"), Binary("&", Name("b"), Name("c")))),
        ("1 << 2 >> 3", Binary(">>", Binary("<<", Int("1", 1, False), Int("2", 2, False)), Int("3", 3, False))),
        ("2*16+1", Binary("+", Binary("*", Int("2", 2, False), Int("16", 16, False)), Int("1", 1, False))),
        ("a == 1 && !b", Binary("&&", Binary("==", Name("a"), Int("1", 1, False)), Unary("!", Name("b")))),
        ("-EARLY", Unary("-", Name("EARLY"))),
        ("- 3", Int("-3", -3, False)),
        ("- -3", Unary("-", Int("-3", -3, False))),
        ("a -3", Binary("-", Name("a"), Int("3", 3, False))),
        ("size_t(4)", Call("size_t", (Int("4", 4, False),))),
        ("(f<Tensor>)", Paren(Opaque("f<Tensor>"))),
        ("f<Tensor>", Opaque("f<Tensor>")),
        ("f<A, g<B> >", Opaque("f<A, g<B> >")),
        ("a < b", Binary("<", Name("a"), Name("b"))),
        ("static_cast<int>(x)", Opaque("static_cast<int>(x)")),
        ("std::numeric_limits<int>::max() + 1", None),
        ("[](int a) { return a; }", Opaque("[](int a) { return a; }")),
        ("x.y(1, 2)[3]", Opaque("x.y(1, 2)[3]")),
        ("a ? b : c", Opaque("a ? b : c")),
    ],
)
def test_what_is_read(text: str, tree: Node | None) -> None:
    node = clean(text)
    assert tree is None or node == tree


@pytest.mark.parametrize(
    ("text", "value", "unsigned"),
    [
        ("0", 0, False),
        ("1230u", 1230, True),
        ("0x10", 16, False),
        ("0X1fU", 31, True),
        ("0b101", 5, False),
        ("07", 7, False),
        ("-12", -12, False),
        ("+12", 12, False),
        ("1'000'000", 1000000, False),
        ("18446744073709551615u", 2**64 - 1, True),
    ],
)
def test_integers(text: str, value: int, unsigned: bool) -> None:
    node = clean(text)
    assert isinstance(node, Int)
    assert (node.value, node.unsigned) == (value, unsigned)


@pytest.mark.parametrize(
    ("text", "value"),
    [("-1.331e-2", -0.01331), ("1.0f", 1.0), (".5", 0.5), ("5.", 5.0), ("1e3", 1000.0), ("0x1.8p1", 3.0),
     ("1e999", float("inf")), ("2.L", 2.0)],
)  # fmt: skip
def test_floats(text: str, value: float) -> None:
    node = clean(text)
    assert isinstance(node, Float)
    assert node.value == value


def test_places_of_nodes() -> None:
    node = clean('Op( "A" "B",\n  LET("L", -3) , a + (b))')
    assert isinstance(node, Call)
    assert (node.start, node.end, node.name_end) == (0, 38, 2)
    first, second, third = node.args
    assert (first.start, first.end) == (4, 11)
    assert isinstance(second, Call)
    assert (second.start, second.end, second.name_end) == (15, 27, 18)
    assert (second.args[1].start, second.args[1].end) == (24, 26)
    assert (third.start, third.end) == (30, 37)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # OPK500: something is missing or stands where it cannot
        ("", [("OPK500", 1, 2, "the text ends where an expression is expected")]),
        ("EARLY +", [("OPK500", 8, 9, "the text ends where an expression is expected")]),
        ('Op("A" X)', [("OPK500", 8, 9, "'X' cannot follow what stands before it")]),
        ('Op("A" Op("B"))', [("OPK500", 8, 10, "'Op' cannot follow what stands before it")]),
        ("f(a b, c, d e)", [("OPK500", 5, 6, "'b' cannot follow what stands before it"),
                          ("OPK500", 13, 14, "'e' cannot follow what stands before it")]),
        ("f((a b), c d)", [("OPK500", 6, 7, "'b' cannot follow what stands before it"),
                          ("OPK500", 12, 13, "'d' cannot follow what stands before it")]),
        ("f(a,)", [("OPK500", 5, 6, "an expression is expected before this ')'")]),
        ("f(,a)", [("OPK500", 3, 4, "an expression is expected, not ','")]),
        ("f(<)", [("OPK500", 3, 4, "an expression is expected, not '<'")]),
        ("a b", [("OPK500", 3, 4, "the end is expected, not 'b'")]),
        ("a, b", [("OPK500", 2, 3, "a ',' cannot stand here: this is one expression")]),
        ("(a, b)", [("OPK500", 3, 4, "a ',' cannot stand here: these brackets hold one expression")]),
        ("f(a; b)", [("OPK500", 4, 5, "',' or ')' is expected, not ';'")]),
        ("f(x)(y)", [("OPK500", 5, 6, "the end is expected, not '('")]),
        # OPK501: not closed, or closes nothing
        ("(", [("OPK501", 1, 2, "this '(' is not closed")]),
        ("f(a, g(b)", [("OPK501", 2, 3, "this '(' is not closed")]),
        ("f(g(a, ", [("OPK501", 4, 5, "this '(' is not closed")]),
        ("f(a))", [("OPK501", 5, 6, "this ')' closes nothing")]),
        ("f(a])", [("OPK501", 4, 5, "this ']' closes nothing")]),
        ('f("A, b)', [("OPK501", 3, 4, "this string is not closed")]),
        ("f(a /* b)", [("OPK501", 5, 6, "this comment is not closed")]),
        ('f(R"(a)', [("OPK501", 3, 4, "this raw string is not closed")]),
        # OPK502: not in the language
        ("f(@, $)", [("OPK502", 3, 4, "'@' is no character of the language"),
                    ("OPK502", 6, 7, "'$' is no character of the language")]),
        ("f(é)", [("OPK502", 3, 4, "'é' is no character of the language")]),
        ("'8'", [("OPK502", 1, 4, "a character constant is not in the rule language")]),
        ('R"x(a)x"', [("OPK502", 1, 9, "a raw string is not in the rule language")]),
        ('u8"x"', [("OPK502", 1, 3, "strings with the prefix u8 are not in the rule language")]),
        ("f(a\n#if 1\n)", [("OPK502", 1, 6, "a preprocessor directive cannot stand inside a rule")]),
        # OPK503 to OPK505: numbers
        ("08", [("OPK503", 1, 3, "'08' is no number")]),
        ("12abc", [("OPK503", 1, 6, "'12abc' is no number")]),
        ("1.5e", [("OPK503", 1, 5, "'1.5e' is no number")]),
        ("-0x", [("OPK503", 1, 4, "'0x' is no number")]),
        ("18446744073709551616", [("OPK503", 1, 21, "18446744073709551616 does not fit in 64 bits")]),
        ("EQ(x, 010)", [("OPK504", 7, 10, "'010' is octal: its value is 8")]),
        ("-017u", [("OPK504", 1, 6, "'017u' is octal: its value is 15")]),
        ("EQ(x, 3L)", [("OPK505", 7, 9, "an L suffix does not compile here: expressions know int and size_t only")]),
        ("gen_Shape(3L, 3ull)", []),
        ("size_t(3L)", []),
        ("(EARLY + 2L)", []),
        # OPK506 and OPK507: strings
        ('Op("a b")', [("OPK506", 6, 7, "the name has a blank")]),
        ('Op("a\\x41")', [("OPK506", 6, 7, "the name has an escape")]),
        ('Op("a\tb")', [("OPK506", 6, 7, "the name has a blank")]),
        ('Op("a\x01")', [("OPK506", 6, 7, "the name has an unprintable character")]),
        ('MESSAGE_IF(OK, "a b\\n")', []),
        ('MESSAGE("\\q")', [("OPK506", 10, 12, "C++ knows no escape '\\q'")]),
        ('MESSAGE("\\x1234")', [("OPK503", 10, 16, "the escape '\\x1234' is out of range")]),
        ('Op("*Input", "$Const", "a.b::c", "...")', []),
        ('Op("", "X")', [("OPK507", 4, 6, "an empty string names nothing")]),
        ('MESSAGE("")', []),
        # OPK509: casts
        ("GT(x, (int)y)", [("OPK509", 7, 12, "the language has no cast '(int)'")]),
        ("(unsigned long)3", [("OPK509", 1, 16, "the language has no cast '(unsigned long)'")]),
        ("(size_t)-1", [("OPK509", 1, 9, "the language has no cast '(size_t)'")]),
        ("(T *)p", [("OPK509", 1, 6, "the language has no cast '(T *)'")]),
    ],
)  # fmt: skip
def test_faults_and_their_places(text: str, expected: list[tuple[str, int, int, str]]) -> None:
    assert faults(text) == expected


def test_severities_and_hints() -> None:
    found = {d.id: d for text in ("010", "EQ(1L)", 'Op("a b")', 'Op("")', 'Op("A" N)', "(int)x") for d in read(text)[1]}
    assert {id_ for id_, d in found.items() if d.severity is Severity.WARNING} == {"OPK504", "OPK506"}
    assert found["OPK504"].hint == "write 8, or 10 if that is meant"
    assert found["OPK505"].hint == "write 1"
    assert found["OPK500"].hint == "a ',' is missing; or, if the name is a macro that gives a string, use --preprocess"
    assert found["OPK509"].hint == "write int(...)"


def test_a_tree_is_given_when_only_a_leaf_is_at_fault() -> None:
    assert read("EQ(x, 08)")[0] is not None
    assert read('Op("", "a b")')[0] is not None
    assert read("(int)x")[0] == Opaque("(int)x")
    assert read("f(a b)")[0] is None


def test_lines_and_columns_in_several_lines() -> None:
    text = SourceText("dir/f.cpp", 'AND(OK,\n  // GT(\n\tGT(DIM_OF("X", 3)\n      4))', 10, 5)
    findings = parse_expression(text)[1]
    assert [d.span for d in findings] == [("dir/f.cpp", 13, 7, 13, 8)]


def test_nesting_is_limited() -> None:
    deep = "f(" * 100 + "a" + ")" * 100
    assert read(deep[2:-1])[1] == []
    assert faults(f"f({deep})")[0] == ("OPK508", 202, 203, "brackets are nested deeper than 100")
    assert [d.id for d in read("+".join("a" * 200))[1]] == ["OPK508"]
    assert [d.id for d in read("!" * 200 + "a")[1]] == ["OPK508"]


MACRO = 'DEF_PACKAGE_OPTIMIZATION(EARLY + 1, Op("A", "X"), OK, Op("B", "X"))'


def test_a_macro_call_becomes_a_rule() -> None:
    text = SourceText("f", f"  {MACRO} ;")
    rule, findings = parse_macro_call(text, "name")
    assert findings == []
    assert isinstance(rule, Rule)
    assert (rule.name, rule.macro, rule.flags) == ("name", "DEF_PACKAGE_OPTIMIZATION", None)
    assert rule.text.text[rule.start : rule.end] == MACRO
    assert rule.pass_ == clean("EARLY + 1")
    assert rule.replace == clean('Op("B", "X")')


def test_a_pass_is_any_cpp_integer() -> None:
    text = MACRO.replace("EARLY + 1", "(EARLY + 2L)")
    assert parse_macro_call(SourceText("f", text), "")[1] == []
    assert parse_macro_call(SourceText("f", text.replace("OK", "EQ((3L), x)")), "")[1][0].id == "OPK505"


def test_tilings_become_guarded_rules() -> None:
    rule, findings = parse_macro_call(SourceText("f", 'DEF_AUTOSPLIT(LATE, Op("A", "X"), OK, 3, "I", 32, "X")'), "")
    assert findings == []
    assert isinstance(rule, Rule)
    assert rule.when == clean('AND(GT(DIM_OF("*", 3), 32), OK)')
    assert rule.replace == clean('AUTOSPLIT(3, "I", 32, "X")')
    rule, findings = parse_macro_call(SourceText("f", 'DEF_AUTOSPLIT_TYPICAL(LATE, "A", 2, 1, 8)'), "")
    assert findings == []
    assert isinstance(rule, Rule)
    assert rule.match == clean('OpVarIn("A")')
    assert rule.replace == clean(
        'AUTOSPLIT(1, "I", 8, OP_ITER(Op("A"), "J", 0, INPUTS_OF("*"), SELECT(GE(SPLIT_START("J"), 2),'
        ' ITER_INPUT_OF("*", "J"), TYPICAL_SLICE(ITER_INPUT_OF("*", "J"), "I"))))'
    )
    ordered, _ = parse_macro_call(SourceText("f", 'DEF_AUTOSPLIT_ORDERED(LATE, Op("A"), OK, 3, "I", 32, "X")'), "")
    assert isinstance(ordered, Rule)
    assert ordered.flags == Name("ordered_autosplit_flag")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("OK", ("OPK511", 1, 3, "this is no macro call")),
        ("DEF_PACKAGE_OPTIMISATION(a)", ("OPK511", 1, 25, "'DEF_PACKAGE_OPTIMISATION' is no macro of rules")),
        (
            'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A"), Op("B"))',
            ("OPK511", 1, 25, "DEF_PACKAGE_OPTIMIZATION takes 4 (pass, match, when, replace) arguments, not 3"),
        ),
        ("DEF_PACKAGE_OP(f)", ("OPK511", 1, 15, "DEF_PACKAGE_OP takes 2 arguments, not 1")),
        ("DEF_PACKAGE_OP_AND_COST_AND_FLAGS(f)",
         ("OPK511", 1, 34, "DEF_PACKAGE_OP_AND_COST_AND_FLAGS takes at least 3 arguments, not 1")),
        (MACRO + " x", ("OPK500", 69, 70, "the end is expected, not 'x'")),
        ('DEF_PACKAGE_OP(f<A, B>, "A")', ("OPK510", 19, 20, "the preprocessor ends the macro's argument at this ','")),
    ],
)  # fmt: skip
def test_faults_of_macro_calls(text: str, expected: tuple[str, int, int, str]) -> None:
    findings = parse_macro_call(SourceText("f", text), "")[1]
    assert [(d.id, d.span.column, d.span.end_column, d.message) for d in findings] == [expected]


def test_commas_inside_brackets_of_an_argument_are_no_fault() -> None:
    for text in ('DEF_PACKAGE_OP((f<A, B>), "A")', 'DEF_TENSOR_PROPERTIES(Op("A", f<A, B>(1)), Flat("*"))'):
        item, findings = parse_macro_call(SourceText("f", text), "")
        assert findings == []
        assert isinstance(item, Declaration)


def test_arguments_of_registrations_are_plain_cpp() -> None:
    text = 'DEF_PACKAGE_PARAM_ORDER("Op", "a b", true, (Qnn_Param_t *)nullptr, \'c\', 3L, &def, R"(x)")'
    item, findings = parse_macro_call(SourceText("f", text), "")
    assert findings == []
    assert isinstance(item, Declaration)
    assert item.args[3] == Opaque("(Qnn_Param_t *)nullptr")
    assert item.args[6] == Unary("&", Name("def"))
