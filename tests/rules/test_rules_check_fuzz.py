"""The checker takes any syntax tree: no exception, findings with places inside the text, no typed rule beside an error."""

from hypothesis import example, given, settings
from hypothesis import strategies as st
from rules_check_kit import checked, own

from opkg.rules.check import Context, check
from opkg.rules.constructs import CONSTRUCTS
from opkg.rules.elaborate.rule import elaborate
from opkg.rules.syntax import Binary, Call, Document, Float, Front, Int, Name, Opaque, Paren, Rule, Str, Unary
from opkg.rules.text.parse import DEEPEST, parse_expression
from opkg.spec.source_text import SourceText

TEXT = SourceText("fuzz", "x" * 50)
AT = {"start": 3, "end": 9}
STRINGS = st.sampled_from(["X", "Y", "*", "I", "J", "Relu", "q::Add", "$Const", "", "::", "no such"])
NUMBERS = st.one_of(st.integers(-10, 10), st.sampled_from([2**31, 2**63, 2**64 - 1, -(2**63)]))
LEAVES = st.one_of(
    st.builds(lambda value: Str(value, **AT), STRINGS),
    st.builds(lambda value, unsigned: Int(str(value), value, unsigned, **AT), NUMBERS, st.booleans()),
    st.builds(
        lambda value: Float(str(value), value, **AT), st.sampled_from([0.0, -1.5, 1e300, float("inf"), float("nan")])
    ),
    st.builds(
        lambda text: Name(text, **AT), st.sampled_from([*CONSTRUCTS, "OKAY", "DType::No", "DType::", "EARLY", "f"])
    ),
    st.builds(lambda text: Opaque(text, **AT), st.sampled_from(["f<int>", "(int)x", "[]{}"])),
)
CALLS = st.sampled_from(
    [*CONSTRUCTS, "oExp::CEILDIV", "SHAPE_FROM_X", "CAST_TO_X", "NOPE", "int", "DType", "size_t", "std::size_t", ""]
)


def grown(inner: st.SearchStrategy) -> st.SearchStrategy:
    return st.one_of(
        st.builds(lambda name, args: Call(name, tuple(args), **AT, name_end=5), CALLS, st.lists(inner, max_size=5)),
        st.builds(lambda operator, node: Unary(operator, node, **AT), st.sampled_from("-+!~*&"), inner),
        st.builds(
            lambda operator, a, b: Binary(operator, a, b, **AT),
            st.sampled_from(["+", "|", "&&", "/", "%", "<<"]),
            inner,
            inner,
        ),
        st.builds(lambda node: Paren(node, **AT), inner),
    )


TREES = st.recursive(LEAVES, grown, max_leaves=25)


@settings(max_examples=400)
@given(
    TREES,
    TREES,
    TREES,
    st.one_of(st.none(), TREES),
    st.sampled_from(list(Front)),
    st.sampled_from(["2.13", "2.25", "2.43", ""]),
)
def test_any_tree_is_checked(match, when, replace, pass_, front, sdk):
    rule = Rule("r", "", pass_, pass_, match, when, replace, TEXT)
    made, findings = elaborate(rule, front, Context("p", sdk))
    assert made is None or not any(finding.is_error for finding in findings)
    assert all(finding.span.line == 1 and 1 <= finding.span.column <= 50 for finding in findings)
    assert all(finding.message and finding.id.startswith("OPK5") for finding in findings)


@settings(max_examples=400)
@given(st.sampled_from(sorted(CONSTRUCTS)), st.lists(st.one_of(LEAVES, TREES), max_size=6))
def test_any_construct_with_any_arguments_as_constraint_and_replacement(name, args):
    call = Call(name, tuple(args), **AT, name_end=5)
    match = Call("Op", (Str("A"), Str("X"), Str("Y")))
    for when, replace in (
        (call, Call("Op", (Str("B"),))),
        (Name("OK"), call),
        (Name("OK"), Call("AUTOSPLIT", (Int("1", 1, False), Str("I"), Int("2", 2, False), call))),
    ):
        made, findings = elaborate(Rule("r", "", None, None, match, when, replace, TEXT), Front.CPP, Context())
        assert made is not None or findings


@given(
    st.sampled_from(
        ["NOT", "NEG", "INT", "IS_NOT_SCALAR", "WITH_SAME_ID", "SELECT", "Op", "AUTOSPLIT", "LET", "INPUT_OF"]
    ),
    st.integers(1, DEEPEST),
)
@example("NOT", DEEPEST)
def test_deep_trees(name, depth):
    heads = {
        "INPUT_OF": ("INPUT_OF(", ", 0)"),
        "SELECT": ("SELECT(OK, ", ', "X")'),
        "Op": ('Op("A", ', ")"),
        "LET": ('LET("L", ', ")"),
    }
    heads["AUTOSPLIT"], heads["WITH_SAME_ID"] = ('AUTOSPLIT(1, "I", 2, ', ")"), ('WITH_SAME_ID("X", ', ")")
    head, tail = heads.get(name, (f"{name}(", ")"))
    source = SourceText("deep", head * depth + '"X"' + tail * depth)
    node, _ = parse_expression(source)
    if node is None:
        return
    rule = Rule("r", "", None, None, node, node, node, source)
    document = Document("deep", Front.YAML, "p", (rule,))
    assert check(document, Context()).findings


def test_macros_in_macros_do_not_multiply_without_end():
    condition = "OK"
    for _ in range(40):  # each level has its argument four times
        condition = f'IS_SCALAR(SELECT({condition}, "X", "Y"))'
    found = checked(when=condition)
    assert [one.id for one in own(found)] == ["OPK528"]
    cast = '"X"'
    for _ in range(60):
        cast = f"CAST_TO_FP16({cast})"
    assert {one.id for one in own(checked(replace=cast)) if one.is_error} == {"OPK528"}


def test_long_rules():
    many = ", ".join(["1", 'DIM_OF("X", 0)', "OK"] * 2000)
    assert {one.id for one in own(checked(when=f"EQ(ADD({many}), 1)"))} == set()
    assert {one.id for one in own(checked(replace=f"gen_ConstArr_vals_i32({many})"))} == set()


def test_macros_do_not_nest_without_end():
    cast = '"X"'
    for _ in range(95):
        cast = f"CAST_TO_FP32({cast})"
    assert {one.id for one in own(checked(replace=cast)) if one.is_error} == {"OPK528"}
