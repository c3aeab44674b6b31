"""What rewrites see of the graph around them and what they may do to it, core ops included."""

import numpy as np
import pytest
from simlib import Case, scalar, tensor_param

CORE = "qti.aisw"
PKG = "toy.rewrite"
X = np.arange(-8, 8, dtype=np.float32).reshape(1, 1, 2, 8)
S8 = np.arange(-8, 8, dtype=np.int8).reshape(1, 1, 2, 8)
needs_core = pytest.mark.htp  # core ops are in the real backend only


def behind(core, params=(), inputs=("x",), shape=X.shape, dtype="f32", so=None, add=lambda case: None):
    """x -> core op -> Look -> y."""
    case = Case(core)
    case.input("x", "f32", X)
    add(case)
    case.native("m", dtype, shape, so)
    case.output("y", dtype, shape, so)
    case.node("n0", CORE, core, list(inputs), ["m"], params)
    return case.node("n1", PKG, "Look", ["m"], ["y"])


def made(op="Make", dtype="f32", so=None, data=X, out=None, before=None):
    """x, z -> Make or Make2 -> y; `before`: a node between."""
    case = Case(op)
    case.input("x", dtype, data, so)
    case.input("z", dtype, data + 100 if dtype == "f32" else data, so)
    case.output("y", *(out or (dtype, data.shape, so)))
    names = ["x"] if op == "Make" else ["x", "z"]
    if before is not None:
        names = before(case)
    return case.node("n1", PKG, op, names, ["y"])


def make(machine, wish, case, *options):
    return machine.one("toy_rewrite", case, *options, env={"TOY_MAKE": wish})


def static(name, dtype, values):
    return lambda case: case.static(name, dtype, np.array(values))


INTERNAL = "<internal> #0 uses 1 | type 4 zero 0 [1,1,2,8]"
I4 = "$Const #0 uses 1 constant | type 5 zero 0 [1,1,1,1]"


@needs_core
@pytest.mark.parametrize(
    ("case", "early"),
    [
        (behind("Relu"), ["q::QNN_Relu", INTERNAL]),
        (behind("ElementWiseNeg"), ["q::QNN_ElementWiseNeg", INTERNAL]),
        (behind("ElementWiseAdd", inputs="xx"), ["q::QNN_ElementWiseAdd", INTERNAL, INTERNAL]),
        (behind("Concat", [scalar("axis", "ui32", 3)], "xx", (1, 1, 2, 16)), ["q::QNN_Concat", INTERNAL, INTERNAL, f"{I4} 3"]),
        (behind("Cast", dtype="f16"), ["q::QNN_Cast", INTERNAL]),
        (behind("Quantize", dtype="s8", so=(0.5, -10)), ["q::QNN_Quantize #0 uses 1 | type 1 zero 138", INTERNAL]),
        (behind("Reshape", shape=(1, 2, 1, 8)), ["q::QNN_Reshape", INTERNAL]),
        (behind("Softmax", [scalar("axis", "ui32", 3), scalar("beta", "f32", 1.0)]),
         ["q::QNN_Softmax", INTERNAL, "$Const #0 uses 1 constant | type 4", f"{I4} 3"]),
        (behind("Transpose", [tensor_param("perm", "p")], shape=(1, 2, 1, 8), add=static("p", "ui32", [0, 2, 1, 3])),
         ["q::QNN_Transpose", INTERNAL, "$Const #0 uses 1 constant | type 5 zero 0 [1,1,1,4] 0"]),
        (behind("StridedSlice", [tensor_param("ranges", "p")], shape=(1, 1, 2, 4),
                add=static("p", "i32", [[0, 1, 1], [0, 1, 1], [0, 2, 1], [0, 4, 1]])),
         ["q::QNN_StridedSlice", INTERNAL, "$Const #0 uses 1 constant | type 5 zero 0 [1,1,4,3] 0", *[f"{I4} 0"] * 4]),
    ],
    ids=lambda value: value.name if isinstance(value, Case) else "",
)  # fmt: skip
def test_early_sees_core_ops_under_their_qnn_names(htp, case, early):
    """q::QNN_ and the op type; then inputs, then params, absent ones as constants with their defaults."""
    lines = [line["text"] for line in htp.one("toy_rewrite", case).log if line["text"].startswith("early")][1:]
    assert len(lines) == len(early)
    for number, (line, wanted) in enumerate(zip(lines, early, strict=True)):
        assert line.startswith(f"early {1 if number == 0 else 2} {wanted}")


@needs_core
def test_late_sees_only_slices_concats_and_constants(htp):
    relu = htp.one("toy_rewrite", behind("Relu")).text
    assert "late 1 <internal>" in relu
    assert "late 1 q::" not in relu
    ranges = static("p", "i32", [[0, 1, 1], [0, 1, 1], [0, 2, 1], [0, 4, 1]])
    cut = behind("StridedSlice", [tensor_param("ranges", "p")], shape=(1, 1, 2, 4), add=ranges)
    assert "late 1 q::Slice_shape #0 uses 1 | type 4 zero 0 [1,1,2,4]" in htp.one("toy_rewrite", cut).text
    joined = htp.one("toy_rewrite", behind("Concat", [scalar("axis", "ui32", 3)], "xx", (1, 1, 2, 16))).text
    at = joined.index("late 1 q::Concat")
    assert joined.index("late 2 $Const", at) < joined.index("late 2 <internal>", at)  # the axis stands first


@pytest.mark.parametrize(("names", "same"), [(["x", "x"], "yes"), (["x", "z"], "no")])
def test_an_operand_is_its_op_and_its_output_number(machine, names, same):
    """Graph inputs are outputs of one op; how often it is used is how many there are."""
    case = Case("two")
    case.input("x", "f32", X)
    case.input("z", "f32", X)
    case.output("y", "f32", X.shape)
    case.output("w", "f32", X.shape)
    case.node("n0", PKG, "Look2", names, ["y"])
    text = machine.one("toy_rewrite", case.node("n1", PKG, "Look", ["z"], ["w"])).text
    assert f"inputs same {same}" in text
    assert "<internal> #1 uses 2" in text


@needs_core
def test_uses(htp):
    """Consumers count once each; an op with several outputs counts its outputs."""
    case = behind("Relu")
    for i in range(2):
        case.output(f"y{i}", "f32", X.shape)
        case.node(f"s{i}", CORE, "Sigmoid", ["m"], [f"y{i}"])
    assert "q::QNN_Relu #0 uses 3" in htp.one("toy_rewrite", case).text

    def split(case):
        case.static("at", "ui32", np.array([1]))
        case.native("b", "f32", (1, 1, 1, 8))

    params = [scalar("axis", "ui32", 2), tensor_param("split_index", "at")]
    two = behind("Split", params, shape=(1, 1, 1, 8), add=split)
    two.lines = [
        line.replace("1 m 2 axis", "2 m b 2 axis") if line.startswith("node n0") else line for line in two.lines
    ]
    two.lines = [line.replace("1 x 1 m", "1 x 2 m b") if line.startswith("node n0") else line for line in two.lines]
    assert "q::QNN_Split #0 uses 2" in htp.one("toy_rewrite", two).text


@needs_core
@pytest.mark.parametrize(
    ("wish", "case", "expected"),
    [
        ("op q::QNN_Relu", made(), np.maximum(X, 0)),
        ("op q::QNN_ElementWiseNeg", made(), -X),
        ("op q::QNN_Relu6", made(), np.clip(X, 0, 6)),
        ("op q::QNN_Relu1", made(), np.clip(X, -1, 1)),
        ("op q::QNN_ElementWiseAsin", made(data=X / 16), np.arcsin(X / 16)),
        ("op q::QNN_ElementWiseRsqrt", made(data=np.abs(X) + 1), 1 / np.sqrt(np.abs(X) + 1)),
        ("op q::QNN_Reshape", made(), X),
        ("op q::QNN_ElementWiseAdd", made("Make2"), 2 * X + 100),
        ("op q::QNN_Cast", made(out=("i32", X.shape)), X),
        ("op q::QNN_Quantize", made(out=("u8", X.shape, (0.5, -10))), np.clip(X / 0.5 + 10, 0, 255)),
        ("op q::QNN_Dequantize", made(dtype="u8", so=(0.5, -10), data=X + 8, out=("f32", X.shape)), (X - 2) / 2),
        ("split", made(), np.roll(X, 4, axis=3)),
        ("halves q::QNN_ElementWiseNeg", made(), -X),
    ],
)
def test_early_can_make_core_ops(htp, wish, case, expected):
    result = make(htp, f"early {wish}", case)
    assert result.status == "ok", result.text
    np.testing.assert_allclose(result.outputs["y"], expected, rtol=2e-7)
    late = make(htp, f"late {wish}", case)
    assert (late.stage, late.code) == ("finalize", 1002)
    assert "could not create op: q::QNN_" in late.text


@pytest.mark.parametrize("when", ["early", "late"])
def test_internal_names_are_refused(machine, when):
    result = make(machine, f"{when} op q::Relu", made())
    assert (result.stage, result.code) == ("finalize", 1100)
    assert "internal package prefix is not allowed: q::Relu" in result.text


@pytest.mark.parametrize("when", ["early", "late"])
@pytest.mark.parametrize("verb", ["bypass", "slice", "concat"])
@pytest.mark.parametrize("number", [0, 1])
def test_bypass_of_an_input(machine, when, verb, number):
    """What a rewrite returns stands for its output 0: early, when graph inputs are outputs of one op, the first of them."""
    result = make(machine, f"{when} {verb} {number}", made("Make2"))
    wrong = when == "early" and verb == "bypass" and number == 1
    np.testing.assert_array_equal(result.outputs["y"], X if wrong else X + 100 * number)


@pytest.mark.parametrize("when", ["early", "late"])
def test_multi_output_of_one_fails(machine, when):
    result = make(machine, f"{when} multi 0", made("Make2"))
    assert (result.stage, result.code) == ("finalize", 1002)
    assert "could not create op: $MultiTemp" in result.text


@pytest.mark.parametrize("when", ["early", "late"])
def test_halves(machine, when):
    result = make(machine, f"{when} halves {PKG}::Look", made())
    np.testing.assert_array_equal(result.outputs["y"], X)
    assert f"{when} 1 q::Slice_shape #0 uses 1 | type 4 zero 0 [1,1,2,4]" in result.text
    assert f"{when} 2 $Shape #0 uses 1 | type 5 zero 0 [0,0,0,4]" in result.text


@pytest.mark.parametrize("when", ["early", "late"])
def test_an_op_of_a_signed_type_stays_signed(machine, when):
    """Nothing converts what a rewrite makes: the kernel's unsigned bytes are taken for signed ones."""
    result = make(machine, f"{when} signed {PKG}::Look", made(dtype="s8", so=(0.5, 0), data=S8))
    np.testing.assert_array_equal(result.outputs["y"], (S8.view(np.uint8) ^ 0x80).view(np.int8))


def test_slices_of_a_signed_graph_input(machine):
    """Early they are signed and cannot be made; after a reshape to the unsigned type, or late, they work."""
    case = made(dtype="s8", so=(0.5, 0), data=S8)
    early = make(machine, f"early halves {PKG}::Look", case)
    assert (early.stage, early.code) == ("finalize", 1002)
    np.testing.assert_array_equal(make(machine, f"late halves {PKG}::Look", case).outputs["y"], S8)
    np.testing.assert_array_equal(make(machine, f"early reshaped {PKG}::Look", case).outputs["y"], S8)


@pytest.mark.parametrize("when", ["early", "late"])
def test_an_op_that_becomes_itself_never_ends(machine, when):
    result = make(machine, f"{when} op {PKG}::Make", made(), "--timeout", "5")
    assert result.stage == "finalize"
    assert result.status == ("timeout" if machine.kind == "htp" else "error")


OPTIONS = {
    "tcm_size": 16777216, "tcm_size_for_tiling": 4194304, "hvx_threads": 4, "tile_height": 8, "central_tiler": 1,
    "can_fine_split": 0, "big_width_split": 256, "enable_autothread": 0, "quant_is_updateable": 0, "force_conv_fusion": 0,
    "fold_relu_flag": 1, "relaxed_precision_flag": 0, "hmx_short_conv_flag": 1,
}  # fmt: skip


@pytest.mark.parametrize("when", ["early", "late"])
def test_options_and_the_trace(machine, when):
    """A line that begins with "rule " is kept as trace, whatever its level."""
    names = " ".join([*OPTIONS, "fold_relu", "hmx_threads", "autothread_size_kb"])
    result = make(machine, f"{when} ask {names}", made())
    for name, value in OPTIONS.items():
        assert f"option {name} 0 {value}" in result.text
    for name in ("fold_relu", "hmx_threads", "autothread_size_kb"):
        assert f"option {name} 1 -1" in result.text
    assert result.trace[-1] == f"rule toy on {PKG}::Make"
    assert "rule toy" not in result.text


@needs_core
@pytest.mark.parametrize(
    ("wish", "expected"),
    [("op q::QNN_Sigmoid", 1 / (1 + np.exp(-X))), ("op toy.rewrite::Look", X), ("bypass 0", X)],
)
def test_a_record_of_a_core_op_rewrites_it(htp, wish, expected):
    """Its early_rewrite is called for the core ops of the graph; late_rewrite is not, under that name."""
    flags = ('-DCORE="q::QNN_Relu"',)
    case = Case("relu")
    case.input("x", "f32", X)
    case.output("y", "f32", X.shape)
    case.node("n0", CORE, "Relu", ["x"], ["y"])
    result = htp.one("toy_rewrite", case, flags=flags, env={"TOY_MAKE": f"early {wish}"})
    np.testing.assert_allclose(result.outputs["y"], expected, atol=1e-6)
    assert "late 0 q::QNN_Relu" not in result.text


@needs_core
def test_a_record_of_an_internal_op_sees_nothing(htp):
    case = Case("relu")
    case.input("x", "f32", X)
    case.output("y", "f32", X.shape)
    case.node("n0", CORE, "Relu", ["x"], ["y"])
    result = htp.one("toy_rewrite", case, flags=('-DCORE="q::Relu"',), env={"TOY_MAKE": "early bypass 0"})
    np.testing.assert_array_equal(result.outputs["y"], np.maximum(X, 0))
    assert "late 0 <internal>" in result.text


@needs_core
@pytest.mark.parametrize("when", ["early", "late"])
def test_no_op_has_fewer_than_four_dimensions(htp, when):
    result = make(htp, f"{when} thin {PKG}::Look", made())
    assert (result.stage, result.code) == ("finalize", 1002)


@pytest.mark.parametrize("when", ["early", "late"])
def test_a_replacement_cannot_have_what_it_replaces_as_input(machine, when):
    """Every user of the replaced op is given the new one, the new one itself too."""
    result = make(machine, f"{when} wrap {PKG}::Look", made())
    assert (result.stage, result.code) == ("finalize", 1002)
    assert "Cannot order graph - loop detected" in result.text
