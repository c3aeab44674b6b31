"""`opkg import` of C++ packages: what is read, what is carried, and what is said of the rest, with line and column."""

from __future__ import annotations

from pathlib import Path

import pytest
from cpp_kit import OWN, imported

from opkg.imports.form import Imported, ImportedOp
from opkg.imports.read import Options, read
from opkg.imports.save import draft
from opkg.spec.diagnostics import OpkgError
from opkg.spec.model import Op
from opkg.spec.reader import read as read_spec

HEAD = "BEGIN_PKG_OP_DEFINITION(PKG_A);\n"
PACKAGES = ("templates", "rows", "gates", "dotted", "pools", "clips", "activations", "legacy", "vectors")


def small(tmp_path: Path, text: str, name: str = "A.cpp") -> Imported:
    (tmp_path / name).write_text(text)
    return read([str(tmp_path)], Options("a.b"))


def op_of(made: Imported, name: str) -> ImportedOp:
    return next(op for op in made.ops if op.name == name)


def places(made: Imported) -> set[tuple[str, int, int]]:
    return {(f.id, f.span.line, f.span.column) for f in made.findings}


def specs(made: Imported) -> dict[str, Op]:
    written = draft(made, "a.b")
    assert written.ok, written.findings
    package, _ = read_spec(written.text.encode(), written.path)
    assert package is not None
    return {op.name: op for op in package.ops}


def counts(made: Imported) -> tuple[int, int, int, int]:
    """Ops, kernels, rules, TODOs."""
    rules = sum(not rule.reason for op in made.ops for rule in op.rules)
    return len(made.ops), sum(len(op.kernels) for op in made.ops), rules, sum(len(op.all_todos) for op in made.ops)


@pytest.mark.parametrize(
    ("name", "want"),
    [
        ("templates", (3, 9, 0, 3)),
        ("rows", (3, 3, 0, 6)),
        ("gates", (2, 5, 7, 4)),
        ("dotted", (2, 2, 1, 5)),
        ("clips", (2, 4, 0, 8)),
        ("activations", (2, 5, 2, 2)),
    ],
)
def test_what_is_carried(name: str, want: tuple[int, int, int, int]) -> None:
    assert counts(imported(name)) == want


@pytest.mark.parametrize("name", PACKAGES)
def test_every_package_gives_a_spec_that_validates(name: str) -> None:
    made = imported(name, *([str(OWN / "pools" / "Pools.xml")] if name == "pools" else []))
    ops = specs(made)
    assert set(ops) == {op.name for op in made.ops}
    files = dict(made.files)
    for op in ops.values():
        for kernel in op.kernels:
            assert f"opkg::Status {kernel.function}(const {op.identifier}Args".encode() in files[kernel.body]


def test_types_params_costs_and_shapes() -> None:
    ops = specs(imported("templates"))
    affine = ops["Affine"]
    assert [d.name for d in affine.type_vars[0].dtypes] == ["float32", "float16", "ufixed8", "ufixed16", "sfixed16"]
    assert [(p.name, p.dtype.name, p.default) for p in affine.params] == [
        ("gain", "float32", None),
        ("bias", "float32", -0.25),
    ]
    assert [str(getattr(k.cost, "text", k.cost)) for k in affine.kernels] == [
        "fast",
        "2147483648",
        "1200",
        "glacial",
        "glacial",
    ]
    assert [o.shape.text for o in ops["RowSum"].outputs] == ["[batch..., 1]"]
    assert [(t.name, t.shape.text) for t in ops["MatVec"].tensors] == [
        ("rows", "[B0, H0, W0, D0]"),
        ("matrix", "[B1, H1, W1, D1]"),
        ("out", "[B0, H0, W0, D1]"),
    ]


def test_registrations_and_rules_in_macros_of_the_file() -> None:
    made = imported("gates")
    assert [rule.name for rule in op_of(made, "Gate").rules] == ["gates_61", "gates_63", "gates_65", "gates_68"]
    assert not [f for f in made.findings if f.id in ("OPK354", "OPK514")]
    assert "inline bool isKnown(Constraint&, const OpRef& gate) {" in dict(made.files)["rules/gate.h"].decode()
    assert ("OPK358", 68, 1) in places(made)
    text = dict(made.files)["kernels/gates.cpp"].decode()
    assert "isKnown" not in text
    assert "DEF_PACKAGE" not in text
    assert "REGISTER" not in text


def test_headers_come_along_and_files_without_kernels_are_named(tmp_path: Path) -> None:
    made = imported("templates")
    assert set(dict(made.files)) == {
        "kernels/affine.cpp", "kernels/common.h", "kernels/htp_tensors.h", "kernels/mat_vec.cpp", "kernels/row_sum.cpp",
    }  # fmt: skip
    (tmp_path / "helper.cpp").write_text("int twice(int x) { return 2 * x; }\n")
    kernel = "static int f(PlainFloatTensor& y, const PlainFloatTensor& x) { return 0; }\n"
    made = small(tmp_path, f'#include "lost.h"\n{HEAD}{kernel}DEF_PACKAGE_OP(f, "A")\n')
    assert ("OPK647", 1, 1) in places(made)
    assert {(f.id, Path(f.span.path).name) for f in made.findings} >= {("OPK646", "helper.cpp"), ("OPK647", "A.cpp")}


def test_costs_that_are_not_registered_stay_behind(tmp_path: Path) -> None:
    """As the SDK's generator writes them: declared, marked as unused, of a node of the SDK's own graph."""
    made = small(
        tmp_path,
        HEAD + "template <typename T> GraphStatus copyImpl(T& out_0, const T& in_0);\n"
        "static float copyCost(const Op *op);\n"
        'DEF_PACKAGE_OP((copyImpl<PlainFloatTensor>), "Copy")\n'
        "template <typename T> GraphStatus copyImpl(T& out_0, const T& in_0) {\n"
        "  out_0.set_dims(in_0);\n  return GraphStatus::Success;\n}\n"
        "__attribute__((unused)) static float copyCost(const Op *op)\n{\n  return 1.5f * op->get_output(0)->dim(3);\n}\n"
        "END_PKG_OP_DEFINITION(PKG_A);\n",
    )
    (kernel,) = (data.decode() for path, data in made.files if path.endswith(".cpp"))
    assert "copyImpl" in kernel
    assert "Cost" not in kernel
    assert "const Op" not in kernel


def test_what_is_said_of_kernels(tmp_path: Path) -> None:
    made = small(
        tmp_path,
        HEAD + "static float cost(const Op* op) { return op->get_output(0)->dim(3); }\n"
        "static int f(QuantInt8Tensor& y, const QuantInt8Tensor& x) { y.raw_data(); return qurt_sleep(1); }\n"
        "static int g(PlainFloatTensor& y, const PlainFloatTensor& x, const Tensor& p) { return p(0, 0, 0, 0); }\n"
        "static int h(F16CroutonTensor& y, const PlainFloat16Tensor& x) { return 0; }\n"
        'DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS(f, "F", cost, Flags::RESOURCE_HVX)\n'
        'DEF_PACKAGE_PARAM_ORDER("G", "p", true, nullptr)\n'
        'DEF_PACKAGE_OP(g, "G")\nDEF_PACKAGE_OP(lost, "Lost")\nDEF_PACKAGE_OP(h, "H")\n',
    )
    assert places(made) >= {
        ("OPK643", 3, 83),  # qurt_sleep
        ("OPK644", 6, 1),
        ("OPK645", 6, 1),
        ("OPK355", 9, 1),
        ("OPK642", 9, 1),
        ("OPK641", 10, 1),
    }
    assert "Blocked<F16CroutonTensor, " in dict(made.files)["kernels/a.cpp"].decode()
    assert [(p.name, p.dtype) for p in op_of(made, "G").params] == [("p", "int32")]


def record(name: str, signature: str, more: str = "") -> str:
    both = f".min_inputs = 1, .input_signature = {signature}, .min_outputs = 1, .output_signature = {signature}"
    return f'    {{.function_name = "{name}", .function = {name}, {both}{more}}},\n'


def test_records_that_no_spec_can_have(tmp_path: Path) -> None:
    signatures = {
        "any": "QHPI_Any_Element_Type, QHPI_Layout_Flat4, 0, 2",
        "wide": "QHPI_QUInt8, QHPI_Layout_WideCrouton_8, 1, 2",
        "plain": "QHPI_Float32, QHPI_Layout_Flat4, 0, QHPI_MemLoc_DDR_OR_TCM",
    }
    kernels = [record("a", "any"), record("b", "wide"), record("c", "gone"), record("d", "plain", ", .predicate = p")]
    made = small(
        tmp_path,
        "".join(f"QHPI_Tensor_Signature_v1 {name}[] = {{{{{text}}}}};\n" for name, text in signatures.items())
        + "".join(["QHPI_Kernel_v1 ks[] = {\n", *kernels, record("e", "plain"), "};\n"])
        + 'QHPI_OpInfo_v1 ops[] = {\n    {.name = "p::E", .num_kernels = 5, .kernels = ks, .early_rewrite = fuse},\n'
        "    {make(), 1, ks}};\n",
    )
    assert {place for place in places(made) if place[0] != "OPK628"} == {
        ("OPK650", 5, 5),
        ("OPK650", 6, 5),
        ("OPK649", 7, 5),
        ("OPK650", 8, 5),
        ("OPK648", 12, 5),
        ("OPK649", 13, 5),
    }
    assert [len(op.kernels) for op in made.ops] == [1]
    assert specs(made)["E"].kernels[0].function == "e_f32"


def test_records_as_generators_and_people_write_them(tmp_path: Path) -> None:
    (tmp_path / "hvx_own.h").write_text("#pragma once\nstatic inline int one() { return 1; }\n")
    made = small(
        tmp_path,
        '#include "hvx_own.h"\n'
        "static uint32_t run(QHPI_RuntimeHandle*, uint32_t, QHPI_Tensor**, uint32_t, const QHPI_Tensor* const*) {\n"
        "  return one() - 1;\n}\n"
        "static QHPI_Tensor_Signature_v1 sig[] = {\n"
        "    {QHPI_Float32, QHPI_Layout_Flat4, QHPI_Storage_Direct, QHPI_MemLoc_DDR_OR_TCM}};\n"
        'static QHPI_Kernel_v1 first = {.function_name = P "::run", .function = run, .min_inputs = 1, .input_signature = sig,\n'
        "    .min_outputs = 1, .output_signature = sig};\n"
        "static QHPI_Kernel_v1 all[] = {\n\n    first\n};\n"
        'static QHPI_Kernel_v1 other[] = {{\n#if defined(WITH_DATA)\n    P "::o", nullptr,\n#else\n    P "::o", run,\n#endif\n'
        "    QHPI_RESOURCE_HVX, false, true, false, false, 1, sig, 1, sig, NULL, 0, 0, NULL, NULL, NULL}};\n"
        'QHPI_OpInfo_v1 firstInfo = {.name = THIS_PKG_NAME_STR "::" "First", .num_kernels = 1, .kernels = all};\n'
        'static QHPI_OpInfo_v1 ops[] = {{THIS_PKG_NAME_STR "::Other", 1, other, NULL, NULL, NULL, 0, NULL, NULL}};\n',
    )
    assert [(op.name, len(op.kernels)) for op in made.ops] == [("First", 1), ("Other", 1)]
    assert ("multithreaded", "true") in made.ops[1].kernels[0].fields
    assert set(dict(made.files)) == {"kernels/a.cpp", "kernels/hvx_own.h", "kernels/qhpi_views.h"}
    assert "finished(::run(&handle_, 1, outputs_, 1, inputs_))" in dict(made.files)["kernels/a.cpp"].decode()
    assert set(specs(made)) == {"First", "Other"}


def test_a_file_in_the_way_of_kernels(tmp_path: Path) -> None:
    from opkg.imports.save import save

    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "rows.cpp").write_text("mine")
    with pytest.raises(OpkgError) as raised:
        save(draft(imported("rows"), "acme.rows"), str(tmp_path))
    assert [(d.id, d.span.path.rpartition("/")[2]) for d in raised.value.diagnostics] == [("OPK621", "rows.cpp")]
    assert (tmp_path / "kernels" / "rows.cpp").read_text() == "mine"
    assert not (tmp_path / "specs").exists()
