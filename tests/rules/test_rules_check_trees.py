"""Typed trees of patterns and replacements, and checks of whole documents and packages."""

import dataclasses

import pytest
from rules_check_kit import checked, own, replace, short

from opkg.rules import core
from opkg.rules.check import Context, check, check_package
from opkg.rules.core import Const, Existing, MatchOp, MatchTag, Tag, Type
from opkg.rules.syntax import Front
from opkg.rules.text.cpp import parse_cpp
from opkg.spec.reader import read

X, Y = MatchTag("X"), MatchTag("Y")
AT_X, AT_Y = Existing(Tag("X")), Existing(Tag("Y"))
ROWS = core.Property(core.PropertyKind.DIM, Tag("X"), 0, Type.SIZE)


def pattern(text: str, replace: str = 'Op("B")') -> MatchOp:
    return checked(match=text, replace=replace).rules[0].match


def test_op_names_get_their_prefix():
    assert pattern('Op("A", Op("q::B"), Op("$Const"), Op("*Input"), Op(FROM_DEFAULT_PACKAGE("C")))') == MatchOp(
        "p::A", (MatchOp("q::B", ()), MatchOp("$Const", ()), MatchOp("*Input", ()), MatchOp("q::C", ()))
    )
    assert checked(package="").rules[0].match.op == "A"
    assert checked().rules[0].root == "p::A"


def test_patterns():
    assert pattern('OpVarIn("A", "X", "Y", "X")') == MatchOp("p::A", (X, Y, X), open=True)
    assert pattern('Op("A", LET("L", OpVarIn("B", "X")), "L")') == MatchOp(
        "p::A", (MatchOp("p::B", (X,), open=True, tag="L"), MatchTag("L"))
    )
    assert pattern('Op("A", OPCONST("C"))') == MatchOp("p::A", (MatchOp("$Const", (), tag="C"),))


def test_a_let_around_a_let_is_one_op_with_two_names():
    found = checked(match='Op("A", LET("L", LET("K", Op("B"))))', replace='Op("B", "L", "K")')
    assert short(own(found)) == [("warning", "OPK526", 2, 9)]
    rule = found.rules[0]
    assert rule.match == MatchOp("p::A", (MatchOp("p::B", (), tag="K"),))
    assert rule.replace == core.Build("p::B", (Existing(Tag("K")), Existing(Tag("K"))))


def test_a_let_at_the_root():
    found = checked(match='LET("L", Op("A"))', replace='Op("B", "L")')
    assert short(own(found)) == [("warning", "OPK526", 2, 1)]
    assert found.rules[0].match == MatchOp("p::A", (), tag="L")


def test_patterns_have_a_limit():
    tags = ", ".join(f'"T{i}"' for i in range(79))
    assert own(checked(match=f'Op("A", {tags})', replace='Op("B")')) == []
    found = checked(match=f'Op("A", {tags}, "U")', replace='Op("B")')
    assert short(own(found)) == [("error", "OPK528", 2, 1)]
    again = ", ".join(['"X"'] * 200)  # one tag
    assert own(checked(match=f'Op("A", {again})', replace='Op("B")')) == []


def test_select_is_what_its_arms_are():
    condition = Const(Type.BOOL, True)
    assert replace('SELECT(OK, "X", Op("B"))') == core.SelectRepl(condition, AT_X, core.Build("p::B", ()))
    assert replace('Op("B", SELECT(OK, "X", "Y"))') == core.Build("p::B", (core.SelectRepl(condition, AT_X, AT_Y),))
    dims = replace('gen_Shape(SELECT(OK, DIM_OF(SELECT(OK, "X", "Y"), 0), 1))').dims
    chosen = core.Property(core.PropertyKind.DIM, core.SelectOperand(condition, Tag("X"), Tag("Y")), 0, Type.SIZE)
    assert dims == (core.SelectScalar(condition, chosen, core.Cast(Const(Type.INT, 1), Type.SIZE), Type.SIZE),)
    args = replace('Op("B", SHAPEFN_APPLY(f, SELECT(OK, "X", "Y"), SELECT(OK, 1, 2), 3, "X"))').inputs[0].args
    assert [type(arg) for arg in args] == [core.SelectRepl, core.SelectScalar, Const, Existing]


def test_splits():
    sliced = core.TypicalSlice(AT_X, "I")
    assert replace('AUTOSPLIT(3, "I", 32, Op("B", TYPICAL_SLICE("X", "I")))') == core.AutoSplit(
        core.SplitMethod.CHUNK, Const(Type.INT, 3), "I", Const(Type.INT, 32), core.Build("p::B", (sliced,))
    )
    assert replace('AUTOTHREAD_HVX(1, "I", Op("B", CHANGEDIM_SLICE("X", "I", 2)))') == core.AutoSplit(
        core.SplitMethod.THREAD_HVX,
        Const(Type.INT, 1),
        "I",
        None,
        core.Build("p::B", (core.TypicalSlice(AT_X, "I", 2),)),
    )
    body = core.Existing(core.InputOf(Tag("X"), core.SplitVar(core.SplitKind.START, "I")))
    assert replace('OP_ITER(Op("C"), "I", 0, INPUTS_OF("X"), INPUT_OF("X", ITER_VAR("I")))') == core.OpIter(
        core.Build("p::C", ()),
        "I",
        Const(Type.INT, 0),
        core.Property(core.PropertyKind.INPUTS, Tag("X"), None, Type.SIZE),
        body,
    )
    applied = replace('AUTOSPLIT(1, "I", 8, Op("B", AUTOSPLIT_SHAPEFN_APPLY((f<int>), "I", "X", 2)))').body.inputs[0]
    assert applied == core.ShapeFn("f<int>", (AT_X, Const(Type.INT, 2)), "I")


def test_modifiers():
    built = core.Build("p::B", (AT_X,))
    kind = core.ModifierKind
    assert replace('WITH_SIZE("Y", WITH_TYPE("X", Op("B", "X")))') == core.Modified(
        kind.SIZE, AT_Y, (), core.Modified(kind.TYPE, AT_X, (), built)
    )
    assert replace('WITH_OUTPUT_TYPE(DType::QUInt8, true, 1, Op("B", "X"))') == core.Modified(
        kind.OUTPUT_TYPE,
        None,
        (Const(Type.DTYPE, 1), core.Cast(Const(Type.BOOL, True), Type.INT), core.Cast(Const(Type.INT, 1), Type.FLOAT)),
        built,
    )
    assert replace('ResizeDim(3, 2*16, Op("B", "X"))').scalars == (Const(Type.INT, 3), Const(Type.INT, 32))
    assert replace('WITH_SPLIT_HISTORY("X", 1, Op("B", "X"))').scalars == (Const(Type.INT, 1),)
    assert replace('WITH_SPLIT_HISTORY("X", Op("B", "X"))').scalars == ()
    assert replace('OpMultiOut(2, SUB(2, 1), "B", "X")') == core.BuildMulti(2, 1, "p::B", (AT_X,))


def test_constants_and_shapes():
    kind = core.GenKind
    assert replace("gen_ConstScalar_f32(1)") == core.GenConst(
        kind.SCALAR_F32, (core.Cast(Const(Type.INT, 1), Type.FLOAT),)
    )
    assert replace('gen_ConstArr_i32(DIM_OF("X", 0), 4)') == core.GenConst(
        kind.ARRAY_I32, (core.Cast(ROWS, Type.INT), Const(Type.INT, 4))
    )
    assert replace('gen_Shape(DIM_OF("X", 0), 1)') == core.GenShape((ROWS, Const(Type.INT, 1)))
    assert replace('gen_ShapeOf("X")') == core.GenShape(of=AT_X)
    assert replace('WrapOp("B", "X")') == core.Wrap("p::B", AT_X, always=False)


def test_macros_of_replacements():
    halved = 'WITH_OUTPUT_TYPE(DType::Float16, 0, 1.0f, WITH_SIZE("X", Op("q::QNN_Cast", "X")))'
    assert replace('CAST_TO_FP16("X")') == replace(halved)
    cast = replace('CAST_TO_FP32("X")')
    assert cast == replace('WITH_OUTPUT_TYPE(DType::Float32, 0, 1.0f, Op("q::QNN_Cast", "X"))')
    assert replace('MAKE_OP_FP16_AND_INSERT_CAST(Op("B", "X"))').body.op == "q::QNN_Cast"
    assert replace('Op("B", CONST_ZERO_OFF("X"))') == replace('Op("B", gen_ConstScalar_i32(ZERO_OFFSET_OF("X")))')
    assert replace('REARRANGE_HWC("X", 3)') == core.OpaqueRepl("REARRANGE_HWC", (AT_X, Const(Type.INT, 3)))


def test_places_are_those_of_the_text():
    rule = checked(replace='Op("B", "X")').rules[0]
    text = rule.syntax.text
    start, end = rule.replace.inputs[0].at
    assert text.text[start:end] == '"X"'
    assert text.span(start, end)[1:3] == (4, 9)
    macro = checked(when='AND(OK, IS_QUINT8("X"))').rules[0]
    start, end = macro.when.args[1].at
    assert text.path == "rule"
    assert macro.syntax.text.text[start:end] == 'IS_QUINT8("X")'


def test_all_errors_of_a_rule_are_told():
    found = checked(
        match='Op("A", LET("L", "X"), "Y")', when='GT(DIM_OF("Q", 0), IS_IT("X"))', replace='Op("B", 1, "R")'
    )
    ids = [(one[1], one[2]) for one in short(own(found))]
    assert ids == [("OPK526", 2), ("OPK525", 3), ("OPK520", 3), ("OPK522", 4), ("OPK525", 4)]
    assert found.rules == ()


def test_a_finding_of_a_macro_s_argument_is_told_once():
    assert short(own(checked(when='IS_SCALAR("Q")'))) == [("error", "OPK525", 3, 11)]


SOURCE = """\
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), GT(DIM_OF("X", 3), CHUNK),
                         ResizeDim(3, CHUNK, Op("B", "X")))
DEF_PACKAGE_OPTIMIZATION(EARLY + 1, Op(NAME, "X"), OK, Op("B", "X"))
DEF_PACKAGE_OPTIMIZATION(EARLY + 2, Op("A", "X"), GT(BYTES("X"), 4), Op("B", "X"))
"""
DEFINES = """\
static constexpr size_t CHUNK = 4 * 8;
#define NAME "A" ".b"  // what
/* of more than one line */
#define BYTES(x) MUL(ELEMENTSIZE_OF(x), \\
                     DIM_OF(x, 0))
"""


def checked_source(source: str, constants: tuple[tuple[str, int], ...] = ()):
    document, findings = parse_cpp(source, "rules.cpp", "p")
    assert not findings
    return check(document, Context(constants=constants))


def test_cpp_names_of_other_files():
    found = checked_source(SOURCE)
    assert short(own(found)) == [
        ("info", "OPK544", 1, 66),
        ("info", "OPK544", 2, 39),
        ("info", "OPK544", 3, 40),
        ("warning", "OPK520", 4, 54),
    ]
    assert found.rules == ()  # the size, the op's name and the macro are not known
    found = checked_source(SOURCE, (("CHUNK", 32),))
    assert short(own(found)) == [("info", "OPK544", 3, 40), ("warning", "OPK520", 4, 54)]
    assert found.rules[0].replace.scalars == (Const(Type.INT, 3), Const(Type.INT, 32))


def test_cpp_names_of_the_same_file():
    found = checked_source(DEFINES + SOURCE)
    assert own(found) == []
    first, second, third = found.rules
    assert first.replace.scalars == (Const(Type.INT, 3), Const(Type.INT, 32))
    assert first.when.args[1] == Const(Type.SIZE, 32)
    assert second.root == "p::A.b"
    assert third.when == checked(when='GT(MUL(ELEMENTSIZE_OF("X"), DIM_OF("X", 0)), 4)').rules[0].when
    assert third.syntax.when.args[0].name == "BYTES"  # what was written


@pytest.mark.parametrize(
    "definition",
    [
        'static const char *NAME = "A.b";',
        'const char* const NAME = "A.b";',
        'constexpr char const *NAME = "A.b";',
        'static constexpr const char NAME[] = "A.b";',
        'inline constexpr char NAME[4] = {"A" ".b"};',
        'constexpr auto NAME = "A.b";',
    ],
)
def test_op_names_in_variables(definition):
    found = checked_source(definition + "\n" + SOURCE.splitlines()[2])
    assert own(found) == []
    assert found.rules[0].root == "p::A.b"


@pytest.mark.parametrize("name", ["OK", "DType::Float16", "64"])
def test_op_names_that_cpp_does_not_take(name):
    source = f'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), OK, Op({name}, "X"))\n'
    assert short(own(checked_source(source))) == [("error", "OPK522", 1, 54)]


def test_size_t_has_a_suffix():
    source = 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), GT(DIM_OF("X", 3), 3{}), Op("B", "X"))\n'
    for suffix in ("u", "UL", "ul", "LU"):
        found = checked_source(source.format(suffix))
        assert own(found) == []
        assert found.rules[0].when.args[1] == Const(Type.SIZE, 3)
    for suffix in ("L", "ULL", "ll"):
        _, findings = parse_cpp(source.format(suffix), "rules.cpp", "p")
        assert [f.id for f in findings] == ["OPK505"]


def test_macros_of_a_file_in_tensor_properties():
    """A macro may stand for one term, for several, and take arguments; what is wrong in one stands at its call."""
    source = """\
#define PLAIN Flat("*"), MainMemory("...")
#define LAID(x) Crouton(x)
#define BOTH(x, y) LAID(x), Tcm(y)
static const char *NAME = "A";
DEF_TENSOR_PROPERTIES(Op(NAME, "x"), PLAIN)
DEF_TENSOR_PROPERTIES(Op("B", "x", "y"), BOTH("x", "y"), LAID("*"))
DEF_TENSOR_PROPERTIES(Op("C", "x"), BOTH("z", "x"))
DEF_TENSOR_PROPERTIES(Op("D", "x"), BOTH("x"))
DEF_TENSOR_PROPERTIES(Op("D", "x"), ELSEWHERE)
DEF_TENSOR_PROPERTIES(Op("D", "x"), Flatt("x"))
"""
    assert short(checked_source(source).findings) == [
        ("error", "OPK556", 7, 42),
        ("warning", "OPK555", 8, 37),
        ("warning", "OPK555", 9, 37),
        ("error", "OPK555", 10, 37),
    ]


def test_each_file_has_its_own_names():
    rule = 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), OK, ResizeDim(3, N, Op("B", "X")))\n'
    files = [parse_cpp(text + rule, "rules.cpp", "p")[0] for text in ("#define N 1\n", "#define N 2\n", "")]
    together = dataclasses.replace(files[0], items=tuple(item for file in files for item in file.items))
    found = check(together, Context())
    assert [one.replace.scalars[1].value for one in found.rules] == [1, 2]
    assert short(own(found)) == [("info", "OPK544", 1, 64)]


def test_a_finding_in_a_macro_stands_at_its_call_or_argument():
    source = DEFINES + 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), GT(BYTES("Q"), -1), Op("B", "X"))\n'
    assert short(own(checked_source(source))) == [("error", "OPK525", 6, 56)]
    source = (
        DEFINES + 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), GT(4, SUB(BYTES("X"), BYTES("X"))), Op("B", "X"))\n'
    )
    assert short(own(checked_source(source))) == [("warning", "OPK535", 6, 53)]


def test_definitions_that_cannot_be_told():
    rule = 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), GT(DIM_OF("X", 3), N), ResizeDim(3, 2*N, Op("B", "X")))\n'
    for define in (
        "#define N 1\n#define N 2\n",
        "#define N 1\n#undef N\n",
        "#define N\n",
        "#define N N\n",
        "#define N(x) x\n",
    ):
        found = checked_source(define + rule)
        assert {one.id for one in own(found)} == {"OPK544"}, define
        assert found.rules == ()
    torn = checked_source("#define N 1 + 2\n" + rule)  # 2*1 + 2
    assert {one.id for one in own(torn)} == {"OPK544"}
    assert checked_source("#define N (1 + 2)\n" + rule).rules[0].replace.scalars[1] == Const(Type.INT, 6)
    endless = checked_source("#define N M(M(1))\n#define M(x) M(M(x))\n" + rule)
    assert own(endless)


def test_an_unknown_name_may_be_an_expression():
    found = checked(Front.CPP, when="AND(GT(HEIGHT, 8), EQ(CEILDIV(HEIGHT, 2), 4))")
    assert {one.id for one in own(found)} == {"OPK544"}


def test_a_likely_typing_error_is_a_warning_in_cpp_and_an_error_in_a_spec():
    assert short(own(checked(Front.CPP, when='GT(DIM_OF("X", 0), TILE_HIGHT)'))) == [("warning", "OPK544", 3, 20)]
    assert short(own(checked(Front.YAML, when='GT(DIM_OF("X", 0), TILE_HIGHT)'))) == [("error", "OPK520", 3, 20)]


SPEC = """\
opkg: 1
package:
  name: my.pkg
  version: 1.0.0
  sdk: "2.25"
ops:
  Relu:
    types: {T: [float32]}
    inputs:
      x: {dtype: T, rank: 4}
    outputs:
      y: {dtype: T, shape: x.shape}
    rules:
      - name: both
        match: Op("Relu", Op("Relu", "X"))
        when: |
          AND(IS_FLOAT("X"),
              GT(DIM_OF("Z", 0), 1))
        replace: Op("Relu", "X")
      - name: fine
        match: Op("Relu", Op("Relu", "X"))
        replace: Op("Relu", "X")
"""


def test_packages():
    package, findings = read(SPEC.encode(), "relu.yaml")
    assert package is not None, findings
    found = check_package(package)
    assert [(one.id, one.span[:3]) for one in own(found)] == [("OPK525", ("relu.yaml", 18, 25))]
    assert [rule.name for rule in found.rules] == ["Relu.fine"]
    assert found.rules[0].root == "my.pkg::Relu"
    assert check_package(package) is found


def test_functions_want_annotations_in_cpp():
    parts = {
        "when": 'EXTERNAL_CONSTRAINT(f, "X")',
        "replace": 'Op("B", SHAPEFN_APPLY(g, "X"), SHAPEFN_APPLY((h<int>), "X"))',
    }
    assert short(own(checked(Front.CPP, **parts))) == [
        ("info", "OPK544", 3, 21),
        ("info", "OPK544", 4, 23),
        ("info", "OPK544", 4, 46),
    ]
    externals = (("f", "bool f(OpRef);"), ("g", "OpRef g(OpRef);"), ("h", "OpRef h(OpRef);"))
    assert own(checked(Front.CPP, externals=externals, **parts)) == []
    assert own(checked(Front.YAML, **parts)) == []
    split = 'AUTOSPLIT(1, "I", 8, Op("B", AUTOSPLIT_SHAPEFN_APPLY(simple_split_start, "I", "X")))'
    assert own(checked(Front.CPP, replace=split)) == []


def test_splits_have_a_greatest_depth():
    text = 'Op("B", TYPICAL_SLICE("X", "I7"))'
    for level in reversed(range(8)):
        text = f'AUTOSPLIT(1, "I{level}", 8, {text})'
    assert [one.id for one in own(checked(replace=text)) if one.is_error] == []
    found = checked(replace=f'AUTOSPLIT(1, "J", 8, {text})')
    assert [one.id for one in own(found) if one.is_error] == ["OPK530"]
