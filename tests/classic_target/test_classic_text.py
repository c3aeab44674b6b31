"""What the target writes: files, registrations, defaults, properties."""

from __future__ import annotations

import pytest
from targetlib import findings, package

from opkg.spec.model import OpPackage
from opkg.spec.reader import read
from opkg.targets.qnn_htp_classic import TARGET
from opkg.targets.qnn_htp_classic.profiles import nearest_profile, profile_of


def files(made: OpPackage) -> dict[str, str]:
    """The generated files by their path below the interface's folder."""
    base = f"generated/{made.cpp_namespace}/classic/"
    return {a.path.removeprefix(base).removeprefix("generated/"): a.text for a in TARGET.render(made)}


def source(body: str) -> str:
    """The op source of a spec with one op, Op1."""
    head = "opkg: 1\npackage: {name: t.t, version: 1.0.0}\nops:\n  Op1:\n"
    made, found = read((head + body).encode(), "specs/t.yaml")
    assert made is not None, found
    assert TARGET.check(made) == []
    return files(made)["src/op1.cpp"]


def test_files() -> None:
    found = files(package("odd"))
    files_of_the_build = [path for path in found if "/" not in path]
    assert [path for path in found if not path.startswith(("kernels/", "opkg/"))] == [
        "include/opkg/signed.h",
        "include/opkg/qnn_types.h",
        "include/opkg/htp_tensor.h",
        *(f"include/odd_ops/{op}.h" for op in ("blocks", "in_tcm", "join", "scale", "turn", "fold")),
        *(f"src/{op}.cpp" for op in ("blocks", "in_tcm", "join", "scale", "turn", "fold")),
        "src/package.h",
        "src/interface.cpp",
        *files_of_the_build,
    ]
    assert {"Makefile", "CMakeLists.txt", ".clang-format"} <= set(files_of_the_build)
    shared = {path.removeprefix("opkg/") for path in found if path.startswith("opkg/")}
    assert {"kernel.h", "op_config.h", "op_info.h", "op_values.h", "param_default.h", "hexagon/finish.py"} <= shared
    assert "qnn_abi.h" not in shared
    assert '#include "QnnOpPackage.h"' in found["include/opkg/qnn_types.h"]
    assert "using SFixed8 = int8_t;" in found["include/opkg/signed.h"]


def test_headers_stand_in_the_order_that_compiles() -> None:
    for path in ("src/turn.cpp", "src/interface.cpp", "include/opkg/htp_tensor.h"):
        text = files(package("odd"))[path]
        assert text.index("HTP/core/constraints.h") < text.index("HTP/core/optimize.h")


def test_defaults() -> None:
    text = files(package("odd"))["src/turn.cpp"]
    assert '"axis", false, &odd_ops::g_turn_axis, "weights", false, &odd_ops::g_turn_weights, "places", true' in text
    assert 'g_turn_axis = opkg::scalar_default<uint32_t>("axis", QNN_DATATYPE_UINT_32, 2u);' in text
    assert "static int32_t g_turn_weights_values[] = {1, -1};" in text


def test_a_pinned_default_is_computed_by_the_kernel() -> None:
    text = files(package("math"))["src/softmax.cpp"]
    assert "op.axis = static_cast<decltype(op.axis)>(int64_t{op.x.rank} - 1);" in text
    assert 'g_softmax_axis = opkg::scalar_default<uint32_t>("axis", QNN_DATATYPE_UINT_32, 0u);' in text


ONE = (
    "    types: {T: [float32]}\n    inputs: {x: {dtype: T, rank: 1..4}}\n    outputs: {y: {dtype: T, shape: x.shape}}\n"
)


def test_an_op_of_flat_kernels_declares_no_properties() -> None:
    assert "DEF_TENSOR_PROPERTIES" not in source(ONE)


def test_mixed_layouts_name_the_tensors_and_constrain_nothing() -> None:
    text = files(package("activations"))["src/hard_swish.cpp"]
    assert 'DEF_TENSOR_PROPERTIES(Op("HardSwish", "x"), Outputs("y"))\n' in text
    assert "<QUint8CroutonTensor_TCM, QUint8CroutonTensor_TCM>" in text
    assert "<PlainFloatTensor_TCM, PlainFloatTensor_TCM>" in text


def test_static_tensors_stay_in_main_memory_unless_a_kernel_wants_them_in_tcm() -> None:
    body = ONE.replace("{x: {", "{w: {dtype: T, static: true}, x: {").replace("float32", "ufixed8")
    crouton = "    kernels:\n      - {layout: crouton}\n"
    declared = 'Op("Op1", "w", "x"), Outputs("y"), Crouton("x", "y"), Flat("w"), MainMemory("w"))'
    assert declared in source(body.replace("static: true", "static: true, rank: 1") + crouton)
    tcm = "      - {layout: flat, placement: tcm, function: op1_flat}\n"
    assert 'Outputs("y"), Flat("w"))' in source(body.replace("static: true", "static: true, rank: 1") + crouton + tcm)


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ('Flat("x", "y")', 'DEF_TENSOR_PROPERTIES(Op("Op1", "x"), Outputs("y"), Flat("x", "y"))'),
        ('Outputs("*")', 'DEF_TENSOR_PROPERTIES(Op("Op1", "x"), Outputs("*"))'),
        ('Op("Op1", "in"), Tcm("in")', 'DEF_TENSOR_PROPERTIES(Op("Op1", "in"), Tcm("in"))'),
        ('"Op1", Flat("*")', 'DEF_TENSOR_PROPERTIES("Op1", Flat("*"))'),
        ('DEF_TENSOR_PROPERTIES(Op("Op1"), Flat("*"));', 'DEF_TENSOR_PROPERTIES(Op("Op1"), Flat("*"))'),
    ],
)
def test_properties_as_written(entry: str, expected: str) -> None:
    text = source(ONE + f"    tensor_properties: ['{entry}']\n")
    assert f"\n{expected}\n" in text


def test_costs_and_flags() -> None:
    kernels = "    kernels: [{cost: glacial, resources: [], flags: [is_const]}]\n"
    assert '"Op1", GLACIAL, Flags::IS_CONST)' in source(ONE + kernels)
    assert '"Op1", SNAIL, Flags::RESOURCE_HVX)' in source(ONE)
    text = source(ONE + "    kernels: [{cost: 3 * rank(x)}]\n")
    assert (
        '_AND_COST_F_AND_FLAGS((t_t::op1_f32_kernel<PlainFloatTensor, PlainFloatTensor>), "Op1", t_t::cost_of' in text
    )
    assert "return static_cast<float>(3 * int64_t{op.x.rank});" in text


def test_per_channel_ops_are_listed() -> None:
    body = ONE.replace("rank: 1..4}", "rank: 1..4, quantization: {axis: 0}}").replace("float32", "sfixed8")
    head = "opkg: 1\npackage: {name: t.t, version: 1.0.0}\nops:\n  Op1:\n"
    made, found = read((head + body).encode(), "specs/t.yaml")
    assert made is not None, found
    assert 'LIST_PACKAGE_PER_CHANNEL_QUANTIZED_OPS("Op1")' in files(made)["src/interface.cpp"]


def test_profiles() -> None:
    named = {sdk: getattr(profile_of(sdk), "name", None) for sdk in ("", "2.13", "v2.25.0.240728", "2.30", "new", "2")}
    assert named == {"": "2.43", "2.13": "2.13", "v2.25.0.240728": "2.25", "2.30": None, "new": None, "2": None}
    nearest = {sdk: nearest_profile(sdk).name for sdk in ("2.30", "2.5", "2.99", "3.0", "1.9", "newest")}
    assert nearest == {"2.30": "2.25", "2.5": "2.13", "2.99": "2.43", "3.0": "2.43", "1.9": "2.13", "newest": "2.43"}


def test_examples_are_free_of_findings() -> None:
    for name in ("activations", "layout", "math", "odd"):
        assert TARGET.check(package(name)) == []
    assert findings(ONE)[0] == []
