"""Mistakes in what a package registers: which of them cost a kernel, an op, the package, or nothing."""

import numpy as np
import pytest
from simlib import Case, scalar

X = np.arange(32, dtype=np.float32)


def cases():
    made = []
    for op in ("Copy", "Other"):
        case = Case(op)
        case.input("x", "f32", X)
        case.output("y", "f32", X.shape)
        made.append(case.node("n0", "toy.bad", op, ["x"], ["y"]))
    return made


def verdict(result):
    if result.status != "ok":
        return f"{result.status} {result.code}"
    return "first kernel" if np.array_equal(result.outputs["y"], X) else "second kernel"


# toy_bad's number: what becomes of op Copy (its second kernel adds 1), and a word the host's log explains it with
MISTAKES = {
    0: ("first kernel", None),
    1: ("second kernel", "sets both function"),
    2: ("second kernel", "has no name"),
    3: ("error 1002", "lacks signatures"),
    4: ("second kernel", "flat layout cannot be stored indirectly"),
    5: ("second kernel", "precomputed_data_size is 0"),
    7: ("second kernel", "no element type 77"),
    8: ("second kernel", "no layout 99"),
    9: ("second kernel", "unknown storage"),
    10: ("second kernel", "unknown storage or placement"),
    11: ("error 1100", "has no function"),
    12: ("first kernel", "lacks the prefix"),
    13: ("first kernel", "registered twice"),
    14: ("first kernel", "invalid resource flag 1"),
    15: ("first kernel", "invalid resource flag 6"),
    16: ("first kernel", "invalid resource flag 0"),
    17: ("first kernel", "reserved pointers are not null"),
    19: ("error 1002", "belongs to another package"),
    20: ("error 1002", None),
    21: ("error 1002", None),
    22: ("second kernel", None),
    23: ("error 1100", None),
    24: ("first kernel", "reserved pointers are not null"),
    26: ("first kernel", None),
    27: ("second kernel", None),
    28: ("error 1002", "has no name"),
    29: ("error 1002", "lacks signatures"),
    30: ("crash 11", "should be 0"),
    31: ("second kernel", "no do_precomputation_function"),
}


@pytest.mark.parametrize("bad", MISTAKES)
def test_mistake(machine, bad):
    results = machine("toy_bad", cases(), flags=(f"-DBAD={bad}",))
    expected, word = MISTAKES[bad]
    assert verdict(results[0]) == expected
    assert verdict(results[1]) == ("error 1002" if bad == 13 else "first kernel")
    if machine.kind == "host" and word:
        assert word in results[-1].text


@pytest.mark.parametrize("bad", [6, 18])
def test_kernel_names_are_unique_in_a_package(machine, bad):
    """6: twice in one op; 18: in two ops."""
    results = machine("toy_bad", cases(), flags=(f"-DBAD={bad}",))
    assert set(results) == {-1}
    assert (results[-1].status, results[-1].stage, results[-1].code) == ("error", "register", 1100)


def test_no_match_says_why_for_every_kernel(host):
    case = Case("t")
    case.input("x", "i32", np.arange(4))
    case.output("y", "i32", (4,))
    case.node("n0", "toy.basic", "Twice", ["x"], ["y"])
    result = host.one("toy_basic", case)
    assert (result.stage, result.code) == ("finalize", 1002)
    assert "twice_f32: input 0 wants Float32, is Int32" in result.message
    assert "twice_u8: input 0 wants QUInt8, is Int32" in result.message


def test_two_ops_with_two_kernels_each(machine):
    x = np.arange(256, dtype=np.float32).reshape(1, 1, 8, 32)
    f32, u8, add, bad = (Case(name) for name in ("f32", "u8", "add", "bad"))
    f32.input("x", "f32", x)
    f32.output("y", "f32", x.shape)
    f32.node("n0", "toy.basic", "Twice", ["x"], ["y"])
    u8.input("x", "u8", x.astype(np.uint8) // 4, so=(0.5, -10))
    u8.output("y", "u8", x.shape, so=(1.0, -20))
    u8.node("n0", "toy.basic", "Twice", ["x"], ["y"])
    add.input("x", "f32", x)
    add.input("z", "f32", x + 1)
    add.output("y", "f32", x.shape)
    add.node("n0", "toy.basic", "AddScaled", ["x", "z"], ["y"], [scalar("scale", "f32", 0.5)])
    bad.input("x", "f32", x)
    bad.output("y", "f32", x.shape)
    bad.node("n0", "toy.basic", "AddScaled", ["x"], ["y"], [scalar("scale", "f32", 0.5)])
    results = machine("toy_basic", [f32, u8, add, bad])
    np.testing.assert_array_equal(results[0].outputs["y"], 2 * x)
    np.testing.assert_array_equal(results[1].outputs["y"], np.rint(x.astype(np.uint8) // 4 - 10.0) + 20)
    np.testing.assert_array_equal(results[2].outputs["y"], x + 0.5 * (x + 1))
    assert (results[3].status, results[3].stage, results[3].code) == ("rejected", "validate", 3110)
    assert "AddScaled takes 2 inputs, not 1" in results[3].text
    if machine.kind == "host":
        assert results[1].kernels == [{"node": "n0", "op": "toy.basic::Twice", "kernel": "toy.basic::twice_u8"}]


def test_resource_exclusive_hangs(machine):
    result = machine("toy_bad", cases()[:1], "--timeout", "1", flags=("-DBAD=32",))[0]
    assert (result.status, result.stage) == ("timeout", "execute")


@pytest.mark.parametrize(("extra", "code"), [(0, 0), (1, 1002), (2, 1002)])
def test_variable_inputs_do_not_help(machine, extra, code):
    case = Case("t")
    names = [case.input(f"x{i}", "f32", X + i) for i in range(1 + extra)]
    case.output("y", "f32", X.shape)
    case.node("n0", "toy.bad", "Copy", names, ["y"])
    assert machine("toy_bad", [case], flags=("-DBAD=33",))[0].code == code
