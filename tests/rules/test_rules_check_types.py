"""Types and values of scalar expressions are C++'s: random expressions against a compiled program; typed trees."""

import math
import os
import shutil
import struct
import subprocess
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules_check_kit import checked, own, when
from rules_expression_kit import HEADER, LEAVES, TYPES, VALUES, Maker

from opkg.rules import core
from opkg.rules.core import Apply, Cast, Const, SelectScalar, Type
from opkg.rules.sim.arithmetic import convert, operate, round_float

TRAPS = {"OPK527", "OPK534", "OPK535", "OPK542"}
NAMES = {text: name for leaves in LEAVES.values() for text, name in leaves}
CXX = next(filter(None, (shutil.which(name) for name in (os.environ.get("CXX", "c++"), "g++", "clang++"))), "")


def typed(text: str) -> core.Expr:
    """A scalar of any type, as the constraint's first SELECT arm would see it: by way of an external function."""
    found = checked(when=f'EXTERNAL_CONSTRAINT(f, "X", {text})')
    assert {one.id for one in own(found)} <= TRAPS, own(found)
    expr = found.rules[0].when
    assert isinstance(expr, core.ExternalScalar)
    return expr.args[0]


def value(expr: core.Expr):
    """The value of an expression whose leaves are those of the kit."""
    match expr:
        case Const():
            return round_float(expr.value) if expr.type is Type.FLOAT else expr.value
        case Cast():
            return convert(value(expr.operand), expr.type)
        case SelectScalar():
            return value(expr.then if value(expr.condition) else expr.otherwise)
        case Apply(operator="EQ", args=(core.Property(kind=core.PropertyKind.DTYPE), _)):
            return VALUES["b1"]
        case Apply():
            return operate(expr.operator, expr.args[0].type, [value(arg) for arg in expr.args])
        case core.Option():
            return VALUES["b0"]
        case core.ConstVal():
            return VALUES["five" if expr.type is Type.INT else "val"]
    assert isinstance(expr, core.Property)
    name = {
        "STEPSIZE_OF": "step",
        "ZERO_OFFSET_OF": "zero",
        "OUTPUTS_OF": "one",
        "RANK_OF": "rank",
        "DIM_OF": f"d{expr.index}",
    }
    found = VALUES[name[expr.kind]]
    return round_float(found) if expr.type is Type.FLOAT else found


@given(st.randoms(use_true_random=False), st.sampled_from(list(LEAVES)), st.integers(0, 4))
def test_random_expressions_have_the_type_they_were_made_for(random, type, depth):
    text, _ = Maker(random).make(type, depth)
    expr = typed(text)
    assert expr.type is Type(type)
    check_casts(expr)


def check_casts(expr: core.Expr) -> None:
    """Operands of an operator have one type, and an implicit cast changes the type."""
    if isinstance(expr, Cast):
        assert not expr.implicit or expr.type is not expr.operand.type
        check_casts(expr.operand)
    if isinstance(expr, Apply):
        assert len({arg.type for arg in expr.args}) == 1
        for arg in expr.args:
            check_casts(arg)
    if isinstance(expr, SelectScalar):
        assert (expr.condition.type, expr.then.type, expr.otherwise.type) == (Type.BOOL, expr.type, expr.type)
        for arm in (expr.condition, expr.then, expr.otherwise):
            check_casts(arm)


@pytest.mark.skipif(not CXX, reason="needs a C++ compiler")
def test_types_and_values_are_those_of_cpp(tmp_path):
    maker = Maker(Random(20))
    pairs = [maker.make(type, depth) for depth in range(5) for type in LEAVES for _ in range(15)]
    variables = "".join(f"volatile {TYPES[name[0]]} v_{name} = {spelled(name)};\n" for name in VALUES)
    reads = "".join(f"{TYPES[name[0]]} {name} = v_{name};\n" for name in VALUES)
    shows = "".join(f"show({cpp});\n" for _, cpp in pairs)
    source = tmp_path / "expressions.cpp"
    source.write_text(f"{HEADER}{variables}int main() {{\n{reads}{shows}}}\n", "utf-8")
    program = tmp_path / "expressions"
    subprocess.run([CXX, "-std=c++17", "-O0", "-fwrapv", "-w", str(source), "-o", str(program)], check=True)
    lines = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(lines) == len(pairs)
    for (text, _), line in zip(pairs, lines, strict=True):
        expr = typed(text)
        name, shown = line.split()
        assert (str(expr.type), text) == (name, text)
        assert same(value(expr), int(shown), name), (text, value(expr), line)


def spelled(name: str) -> str:
    found = VALUES[name]
    return f"{found}f" if isinstance(found, float) else str(found).lower()


def same(ours, shown: int, type: str) -> bool:
    if type != "float":
        return int(ours) == shown
    theirs = struct.unpack("f", struct.pack("I", shown))[0]
    return theirs == ours or (math.isnan(theirs) and math.isnan(ours))


def test_conversions_are_written_out():
    size = core.Property(core.PropertyKind.DIM, core.Tag("X"), 0, Type.SIZE)
    assert when('GT(DIM_OF("X", 0), 3)') == Apply("GT", (size, Cast(Const(Type.INT, 3), Type.SIZE)), Type.BOOL)
    assert typed('ADD(1, 2, DIM_OF("X", 0))') == Apply(
        "ADD", (Cast(Apply("ADD", (Const(Type.INT, 1), Const(Type.INT, 2)), Type.INT), Type.SIZE), size), Type.SIZE
    )
    assert typed('INT(DIM_OF("X", 0))') == Cast(size, Type.INT, implicit=False)
    assert typed('DATA_SIZE("X")').type is Type.INT64
    assert typed('ADD(DATA_SIZE("X"), 1)').type is Type.INT64
    assert typed('ADD(DATA_SIZE("X"), 1u)').type is Type.SIZE
    assert typed("4294967296").type is Type.INT64


def test_constants():
    assert typed("2*16+1") == Apply(
        "ADD", (Apply("MUL", (Const(Type.INT, 2), Const(Type.INT, 16)), Type.INT), Const(Type.INT, 1)), Type.INT
    )
    assert typed("size_t(4)") == Const(Type.SIZE, 4)
    assert typed("CHANNEL_SPLIT_SIZE") == Const(Type.INT, 256)
    assert typed("TILE_HEIGHT") == core.Option("tile_height", Type.SIZE)
    assert typed("INF") == Const(Type.FLOAT, math.inf)
    assert typed("0.1") == Const(Type.FLOAT, round_float(0.1))
    assert typed("LAYOUT_CHUNKSIZE(QUint8CroutonTensor, 3)") == core.ChunkSize("QUint8CroutonTensor", 3, 32)


def test_macros_are_expanded():
    assert when('IS_QUINT8("X")') == when('EQ(DTYPE_OF("X"), DType::QUInt8)')
    assert when('IS_FLOAT16_BOTH("X", "Y")') == when('AND(IS_FLOAT16("X"), IS_FLOAT16("Y"))')
    assert when('EQ(DIM_DEPTH(INPUT_OF("X", 0)), DIM_HEIGHT("*"))') == when(
        'EQ(DIM_OF(INPUT_OF("X", 0), 3), DIM_OF("*", 1))'
    )
    assert when('IS_FLOAT16_ALL("X", "Y")') == when('AND(IS_FLOAT16("X"), IS_FLOAT16("Y"))')
    assert when('IS_DTYPE_ALL(DTYPE_OF("*"), "X")') == when('AND(EQ(DTYPE_OF("X"), DTYPE_OF("*")))')
    assert isinstance(when('SAME_SHAPE("X", "Y")'), core.Relation)  # a primitive, no macro of four dimensions
    assert when('SHOULD_TILE("X", 3)') == core.OpaqueScalar(
        "SHOULD_TILE", (core.Tag("X"), Const(Type.INT, 3)), Type.BOOL
    )


def test_the_type_an_annotation_gives():
    found = checked(when='EQ(EXTERNAL_CONSTRAINT(g, "X"), 3)', externals=(("g", "{ int g(OpRef); }"),))
    assert not own(found)
    assert found.rules[0].when.args[0].type is Type.INT
    assert when('EXTERNAL_CONSTRAINT(g, "X")').type is Type.BOOL
