"""Trees to text and back: parsing what is printed gives the tree again, on one line and laid out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opkg.rules.syntax import Binary, Call, Float, Int, Name, Node, Opaque, Paren, Rule, Str, Unary
from opkg.rules.text.lexer import tokenize
from opkg.rules.text.literals import quoted
from opkg.rules.text.parse import LEVELS, parse_expression
from opkg.rules.text.parse_rule import parse_macro_call
from opkg.rules.text.printer import call_text, layout, rule_text, to_text
from opkg.spec.source_text import SourceText

CONSTRUCTS = (
    "Op",
    "OpVarIn",
    "AND",
    "GT",
    "DIM_OF",
    "WITH_SIZE",
    "AUTOSPLIT",
    "size_t",
    "gen_Shape",
    "MESSAGE",
    "oExp::LCM",
)
NAMES = ("OK", "EARLY", "DType::QUInt8", "Flags::RESOURCE_HVX", "x", "NEG_INF", "_a1", "::std::f")
INTS = ("0", "7", "32", "4u", "0x1F", "-3", "+12", "1'000", "0b11", "2UL", "-0x10u", "010")
FLOATS = ("1.0f", "-1.331e-2", ".5", "3.", "1e10", "0x1.8p-3")
INNER = ("static_cast<int>(x)", "f<A, B>(1, g(2))", "std::numeric_limits<int>::max()", "(int)x", "'c'", 'R"(a " b)"')
WHOLE = ("f<Tensor>", "a ? b : c", "x.y(1, 2)[3]", "[](int a) { return a; }", "{1, 2}", "p->q")

strings = st.text(st.characters(exclude_categories=("Cs",)), max_size=8).map(Str)
leaves = st.one_of(
    strings,
    st.sampled_from(INTS).map(lambda text: Int(text, 0, False)),
    st.sampled_from(FLOATS).map(lambda text: Float(text, 0.0)),
    st.sampled_from(NAMES).map(Name),
    st.sampled_from(INNER).map(Opaque),
)


def level_of(node: Node) -> int:
    return LEVELS[node.operator] if isinstance(node, Binary) else 20 if isinstance(node, Unary) else 21


def bracketed(node: Node, level: int) -> Node:
    """The node as an operand of an operator of that level."""
    return Paren(node) if level_of(node) < level else node


def binary(operator: str, left: Node, right: Node) -> Node:
    level = LEVELS[operator]
    if operator in ("<", ">"):  # a name before < may be a template's
        return Binary(operator, Paren(left), Paren(right))
    return Binary(operator, bracketed(left, level), bracketed(right, level + 1))


def unary(operator: str, operand: Node) -> Node:
    if operator in "+-" and isinstance(operand, Int | Float) and operand.text[0] not in "+-":
        operand = Paren(operand)
    return Unary(operator, bracketed(operand, 20))


def grown(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    args = st.lists(inner | st.sampled_from(WHOLE).map(Opaque), max_size=4).map(tuple)
    return st.one_of(
        st.builds(Call, st.sampled_from(CONSTRUCTS), args),
        st.builds(binary, st.sampled_from(sorted(LEVELS)), inner, inner),
        st.builds(unary, st.sampled_from("-+!~&*"), inner),
        st.builds(Paren, inner),
    )


trees: st.SearchStrategy[Node] = st.recursive(leaves, grown, max_leaves=25)


def parsed(text: str) -> Node | None:
    return parse_expression(SourceText("f", text))[0]


@given(trees)
def test_parsing_what_is_printed_gives_the_tree(tree: Node) -> None:
    text = to_text(tree)
    assert "\n" not in text
    assert parsed(text) == tree
    assert to_text(tree) == text


@given(trees, st.integers(20, 100), st.integers(0, 30))
def test_layout_changes_white_space_only(tree: Node, width: int, column: int) -> None:
    text = layout(tree, column, width)
    assert parsed(text) == tree
    tokens = [token.text for token in tokenize(text)[0]]
    assert tokens == [token.text for token in tokenize(to_text(tree))[0]]


@given(trees, st.data())
def test_white_space_and_comments_between_tokens_mean_nothing(tree: Node, data: st.DataObject) -> None:
    gaps = st.sampled_from((" ", "\n", "\t", " /* a, ( */ ", " // )\n", "\r\n", " \\\n "))
    calls = Call("Op", (tree,))
    tokens, _ = tokenize(to_text(calls))
    spaced = "".join(
        token.text + (data.draw(gaps) if token.text != ">" else "") for token in tokens
    )  # >> is two tokens
    node = parsed(spaced)
    assert node is not None
    if not any(token.text in "<>" for token in tokens):  # C++ that is kept as written keeps its blanks
        assert _without_opaque(node) == _without_opaque(calls)


def _without_opaque(node: Node) -> object:
    """A tree in which C++ text has lost its blanks."""
    if isinstance(node, Opaque):
        return "".join(node.text.split())
    if isinstance(node, Call):
        return node.name, [_without_opaque(arg) for arg in node.args]
    if isinstance(node, Binary):
        return node.operator, _without_opaque(node.left), _without_opaque(node.right)
    if isinstance(node, Unary):
        return node.operator, _without_opaque(node.operand)
    return ("()", _without_opaque(node.inner)) if isinstance(node, Paren) else node


@given(st.text(max_size=20))
def test_strings_keep_what_they_mean(value: str) -> None:
    value = "".join(char for char in value if not 0xD800 <= ord(char) < 0xE000)
    assert parsed(f"MESSAGE({quoted(value)})") == Call("MESSAGE", (Str(value),))


def test_bytes_that_are_no_text_go_back_as_they_came() -> None:
    text = b'"a\xffb"'.decode("utf-8", "surrogateescape")
    node = parsed(text)
    assert node is not None
    assert to_text(node) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("EARLY+2", "EARLY + 2"),
        ("EARLY-  2", "EARLY - 2"),
        ("a|b", "a | b"),
        ('Op ( "A" "B" ,X)', 'Op("AB", X)'),
        ("EQ(0X10u,-  1.50F)", "EQ(0X10u, -1.50F)"),
        ('MESSAGE("\\x09\\"")', 'MESSAGE("\\t\\"")'),
        ("(f< Tensor >)", "(f< Tensor >)"),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    node = parsed(text)
    assert node is not None
    assert to_text(node) == canonical


def test_trees_that_no_parser_made_get_their_brackets() -> None:
    x, one = Name("x"), Int("1", 1, False)
    assert to_text(Binary("*", Binary("+", x, one), one)) == "(x + 1) * 1"
    assert to_text(Binary("-", one, Binary("-", x, one))) == "1 - (x - 1)"
    assert to_text(Unary("-", one)) == "-(1)"
    assert to_text(Unary("-", Binary("+", x, one))) == "-(x + 1)"


RULE = (
    'DEF_PACKAGE_OPTIMIZATION(EARLY+1,Op("Conv2d","In","Weights",LET("B",OpVarIn("Bias","X"))),'
    'AND(GT(DIM_HEIGHT("In"),TILE_HEIGHT),EQ(DTYPE_OF("In"),DType::QUInt8),NOT(IS_FLOAT16("Weights"))),'
    'AUTOSPLIT(1,"I",TILE_HEIGHT,Op("Conv2d",TYPICAL_SLICE("In","I"),"Weights","B")))'
)
LAID_OUT = """DEF_PACKAGE_OPTIMIZATION(
    EARLY + 1,
    Op("Conv2d", "In", "Weights",
        LET("B", OpVarIn("Bias", "X"))),
    AND(
        GT(DIM_HEIGHT("In"), TILE_HEIGHT),
        EQ(DTYPE_OF("In"), DType::QUInt8),
        NOT(IS_FLOAT16("Weights"))),
    AUTOSPLIT(1, "I", TILE_HEIGHT,
        Op("Conv2d",
            TYPICAL_SLICE("In", "I"),
            "Weights",
            "B")))"""


def rule_of(text: str) -> Rule:
    rule, findings = parse_macro_call(SourceText("f", text), "r")
    assert findings == []
    assert isinstance(rule, Rule)
    return rule


def test_a_rule_laid_out() -> None:
    rule = rule_of(RULE)
    text = rule_text(rule, 45)
    assert text == LAID_OUT
    assert rule_of(text) == rule
    assert rule_of(rule_text(rule)) == rule
    assert "\n" not in rule_text(rule, 1000)


@given(trees, trees, trees, trees, st.booleans(), st.integers(30, 120))
def test_rules_keep_their_parts(pass_: Node, match: Node, when: Node, replace: Node, flags: bool, width: int) -> None:
    macro = "DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS" if flags else "DEF_PACKAGE_OPTIMIZATION"
    parts = (pass_, pass_, match, when, replace) if flags else (pass_, match, when, replace)
    text = SourceText("f", call_text(macro, parts, width))
    rule, _ = parse_macro_call(text, "r")
    assert isinstance(rule, Rule)
    assert (rule.match, rule.when, rule.replace) == (match, when, replace)
    again, _ = parse_macro_call(SourceText("f", rule_text(rule, width)), "r")
    assert again == rule


def test_what_is_left_out_has_its_default() -> None:
    rule = rule_of('DEF_OPT(LATE, Op("A"), OK, "*")')
    assert rule_text(rule) == 'DEF_OPT(LATE, Op("A"), OK, "*")'
    bare = Rule("r", "", None, None, rule.match, None, rule.replace, rule.text)
    assert rule_text(bare) == 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A"), OK, "*")'
    flagged = Rule("r", "", None, Name("fold_relu_flag"), rule.match, None, rule.replace, rule.text)
    assert rule_text(flagged) == 'DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(EARLY, fold_relu_flag, Op("A"), OK, "*")'


def test_long_arguments_that_cannot_be_broken_stay_whole() -> None:
    rule = rule_of('DEF_PACKAGE_OPTIMIZATION(EARLY, Op("' + "a" * 60 + '"), OK, "*")')
    assert rule_of(rule_text(rule, 40)) == rule
