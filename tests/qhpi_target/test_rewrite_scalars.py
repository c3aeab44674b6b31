"""Random scalar expressions: what the generated C++ computes is what the simulator of rules says."""

from __future__ import annotations

import math
import struct
import subprocess
from pathlib import Path
from random import Random

import pytest
import qlib

from opkg.rules.core import (
    Apply,
    Cast,
    Const,
    ConstVal,
    ConstValKind,
    Expr,
    Property,
    PropertyKind,
    SelectScalar,
    Tag,
    Type,
)  # fmt: skip
from opkg.rules.sim.arithmetic import Fault, Scalar, convert, operate
from opkg.targets.qnn_htp_qhpi.rewrite_frame import Frame
from opkg.targets.qnn_htp_qhpi.rewrite_scalars import CPP, refusals, scalar

X, K = Tag("X"), Tag("K")
LEAVES: list[tuple[Expr, Scalar]] = [
    *((Property(PropertyKind.DIM, X, i, Type.SIZE), size) for i, size in enumerate((1, 5, 6, 48))),
    (Property(PropertyKind.DIM, X, 7, Type.SIZE), 0),
    (Property(PropertyKind.RANK, X, None, Type.SIZE), 4),
    (Property(PropertyKind.ZERO_OFFSET, X, None, Type.INT), 7),
    (Property(PropertyKind.STEPSIZE, X, None, Type.FLOAT), 0.25),
    (Property(PropertyKind.DTYPE, X, None, Type.DTYPE), 1),
    (Property(PropertyKind.ELEMENT_SIZE, X, None, Type.SIZE), 1),
    (Property(PropertyKind.DATA_SIZE, X, None, Type.INT64), 1440),
    (Property(PropertyKind.INPUTS, X, None, Type.SIZE), 0),
    (Property(PropertyKind.OUTPUTS, X, None, Type.INT), 1),
    (ConstVal(ConstValKind.FLOAT, K, (Const(Type.INT, 0),), Type.FLOAT), 2.5),
    (ConstVal(ConstValKind.INT, K, (Const(Type.INT, 1),), Type.INT), -3),
    (ConstVal(ConstValKind.INT, K, (Const(Type.INT, 0),), Type.INT), -(1 << 31)),
    (ConstVal(ConstValKind.INT, K, (Const(Type.INT, 0), Const(Type.INT, 1)), Type.INT), -3),
    (ConstVal(ConstValKind.INT_VALID, K, (Const(Type.INT, 1),), Type.BOOL), True),
    (ConstVal(ConstValKind.INT_VALID, K, (Const(Type.INT, 0),), Type.BOOL), False),
    (ConstVal(ConstValKind.FLOAT_VALID, K, (Const(Type.INT, 2),), Type.BOOL), False),
    (ConstVal(ConstValKind.FLOAT_VALID, X, (Const(Type.INT, 0),), Type.BOOL), False),
]
CONSTANTS = {
    Type.BOOL: (True, False), Type.INT: (0, 1, 2, 3, -1, -7, 100, 4096, 2147483647, -2147483648), Type.INT64: (0, 5, 1440),
    Type.SIZE: (0, 1, 2, 7, 64, 1 << 40, (1 << 64) - 1), Type.FLOAT: (0.0, 1.5, -2.75, 0.1, 1e30, math.inf, -math.inf, 1.7e7),
    Type.DTYPE: (1, 2, 4, 8),
}  # fmt: skip
NUMBERS = (Type.INT, Type.INT64, Type.SIZE, Type.FLOAT)
INTEGERS = (Type.INT, Type.SIZE, Type.INT64)
VALUES = {id(leaf): value for leaf, value in LEAVES}


def make(random: Random, type_: Type, depth: int) -> Expr:
    """A random expression of a type."""
    if depth == 0 or random.random() < 0.15:
        leaves = [leaf for leaf, _ in LEAVES if leaf.type is type_]
        if leaves and random.random() < 0.6:
            return random.choice(leaves)
        return Const(type_, random.choice(CONSTANTS[type_]))
    form = random.random()
    if form < 0.15 and type_ is not Type.DTYPE:
        of = random.choice(tuple(t for t in CPP if t is not type_))
        return Cast(make(random, of, depth - 1), type_)
    if form < 0.25:
        return SelectScalar(make(random, Type.BOOL, depth - 1), *(make(random, type_, depth - 1) for _ in "ab"), type_)
    if type_ is Type.DTYPE:
        return make(random, type_, 0)
    if type_ is Type.BOOL:
        return condition(random, depth - 1)
    if form < 0.35 and type_ is not Type.SIZE:
        return Apply(random.choice(("NEG", "ABS")), (make(random, type_, depth - 1),), type_)
    operators = ["ADD", "SUB", "MUL", "MIN", "MAX", "DIV"]
    if type_ is not Type.FLOAT:
        operators += ["REM", "MOD", "ROUNDDOWN", "CEILDIV", "BIT_AND", "BIT_OR"]
    operator = random.choice(operators)
    count = random.choice((2, 2, 3)) if operator in ("ADD", "MUL", "MIN", "MAX") else 2
    return Apply(operator, tuple(make(random, type_, depth - 1) for _ in range(count)), type_)


def condition(random: Random, depth: int) -> Expr:
    form = random.random()
    if form < 0.5:
        of = random.choice((*NUMBERS, Type.DTYPE, Type.BOOL))
        names = ("EQ", "NE") if of in (Type.DTYPE, Type.BOOL) else ("EQ", "NE", "LT", "GT", "LE", "GE")
        return Apply(random.choice(names), (make(random, of, depth), make(random, of, depth)), Type.BOOL)
    if form < 0.6:
        return Apply("IS_POW2", (make(random, random.choice(INTEGERS), depth),), Type.BOOL)
    if form < 0.7:
        return Apply("NOT", (make(random, Type.BOOL, depth),), Type.BOOL)
    terms = tuple(make(random, Type.BOOL, depth) for _ in range(random.choice((2, 3))))
    return Apply(random.choice(("AND", "OR", "XOR")), terms, Type.BOOL)


def value_of(expr: Expr) -> Scalar:
    """What the simulator's arithmetic makes of it. Raises Fault for a division by zero."""
    if isinstance(expr, Const):
        return convert(expr.value, expr.type)
    if isinstance(expr, Cast):
        return convert(value_of(expr.operand), expr.type)
    if isinstance(expr, SelectScalar):
        return value_of(expr.then if value_of(expr.condition) else expr.otherwise)
    if isinstance(expr, Apply):
        if expr.operator == "AND":
            return all(value_of(arg) for arg in expr.args)
        if expr.operator == "OR":
            return any(value_of(arg) for arg in expr.args)
        return operate(expr.operator, expr.args[0].type, [value_of(arg) for arg in expr.args])
    return VALUES[id(expr)]


def outcome(expr: Expr) -> str | None:
    """As the program prints it; None for what would trap in any C++ (the smallest int by -1)."""
    try:
        value = value_of(expr)
    except Fault as fault:
        return "fault" if "zero" in fault.message else None
    return shown(value, expr.type)


def shown(value: Scalar, type_: Type) -> str:
    if type_ is not Type.FLOAT:
        return str(int(value))
    return "nan" if math.isnan(value) else str(struct.unpack("<I", struct.pack("<f", value))[0])


PROGRAM = """
#include <cstdio>
#include <cinttypes>
#include "opkg/rewrite_build.h"
struct QHPI_Op { const char* name; QHPI_OutputDef output; const void* data; };
extern "C" {
const char* qhpi_op_name(const QHPI_Op* op) { return op->name; }
uint32_t qhpi_op_num_inputs(const QHPI_Op*) { return 0; }
uint32_t qhpi_op_num_outputs(const QHPI_Op*) { return 1; }
QHPI_OutputDef qhpi_op_output(const QHPI_Op* op, uint32_t) { return op->output; }
uint32_t qhpi_op_is_constant(const QHPI_Op* op) { return op->data != nullptr; }
const void* qhpi_op_constant_data(const QHPI_Op* op) { return op->data; }
uint32_t qhpi_element_type_size(QHPI_Element_Type type) { return type == QHPI_QINT8 ? 1 : type == QHPI_QUINT8 ? 1 : 4; }
}
namespace {
const float kData[] = {2.5f, -3.0f};
// as a graph input of a signed type shows: what rules see is the unsigned one
const QHPI_Op kX = {"pkg::X", {QHPI_QINT8, {7 - 128, 0.25f}, {4, {1, 5, 6, 48, 0, 0, 0, 0}}}, nullptr};
const QHPI_Op kK = {"$Const", {QHPI_FLOAT32, {0, 1.0f}, {4, {1, 1, 1, 2, 0, 0, 0, 0}}}, kData};
void show(bool v) { printf("%d\\n", v); }
void show(int32_t v) { printf("%" PRId32 "\\n", v); }
void show(int64_t v) { printf("%" PRId64 "\\n", v); }
void show(uint32_t v) { printf("%" PRIu32 "\\n", v); }
void show(uint64_t v) { printf("%" PRIu64 "\\n", v); }
void show(float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  if (std::isnan(v)) { puts("nan"); } else { printf("%" PRIu32 "\\n", bits); }
}
FUNCTIONS
}
int main() {
CALLS
}
"""


def program(expressions: list[Expr]) -> str:
    functions, calls = [], []
    for number, expr in enumerate(expressions):
        frame = Frame(early=True, tags={"X": "x", "K": "k"})
        head = (
            "  opkg::Rewrite rewrite(nullptr);\n  const QHPI_OpRef x = {&kX, 0}, k = {&kK, 0};\n  (void)x, (void)k;\n"
        )
        text = scalar(expr, frame)
        functions.append(
            f"void f{number}() {{\n{head}  const {CPP[expr.type]} value = {text};\n"
            '  if (rewrite.failed()) { puts("fault"); } else { show(value); }\n}'
        )
        if expr.type is Type.BOOL:
            tests = "".join(f"  if ({refusal}) return false;\n" for refusal in refusals(expr, frame))
            functions.append(f"bool g{number}() {{\n{head}{tests}  return !rewrite.failed();\n}}")
            calls.append(f'  printf("%d ", g{number}());')
        calls.append(f"  f{number}();")
    return PROGRAM.replace("FUNCTIONS", "\n".join(functions)).replace("CALLS", "\n".join(calls))


@pytest.mark.parametrize("seed", range(3))
def test_the_same_value_as_in_the_simulator(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    made = [make(random, random.choice(list(CPP)), random.choice((1, 2, 3, 4))) for _ in range(500)]
    expressions = [expr for expr in made if outcome(expr) is not None]
    assert len(expressions) > 400
    headers = tmp_path / "opkg"
    headers.mkdir()
    for name in ("rewrite.h", "rewrite_build.h"):
        (headers / name).write_text((qlib.ROOT / "templates" / "qnn_htp_qhpi" / name).read_text("utf-8"))
    (tmp_path / "t.cpp").write_text(program(expressions))
    command = [qlib.tool("g++"), "-std=c++17", "-O0", "-fwrapv", "-w", f"-I{tmp_path}", f"-I{qlib.INCLUDE}"]
    subprocess.run([*command, "-o", str(tmp_path / "t"), str(tmp_path / "t.cpp")], check=True)
    lines = subprocess.run([str(tmp_path / "t")], capture_output=True, text=True, check=True).stdout.splitlines()
    for expr, line in zip(expressions, lines, strict=True):
        *fits, value = line.split()
        assert value == outcome(expr), (expr, scalar(expr, Frame(True, {"X": "x", "K": "k"})))
        if expr.type is Type.BOOL and value != "fault":
            assert fits == [value], refusals(expr, Frame(True, {"X": "x", "K": "k"}))
