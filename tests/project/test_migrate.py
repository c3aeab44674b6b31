"""`opkg rules migrate`: a hand-written classic package becomes a spec that validates, generates and has the same rules."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opkg.imports.migrate import Migration, migrate, save
from opkg.project.generate import generate
from opkg.project.read import read as read_projects
from opkg.rules.syntax import Rule
from opkg.rules.text.cpp import parse_cpp
from opkg.rules.text.from_spec import document_of
from opkg.rules.text.printer import to_text
from opkg.spec.diagnostics import OpkgError
from opkg.spec.model import Op, OpPackage
from opkg.spec.reader import read

HERE = Path(__file__).parent
CLASSIC = HERE / "classic" / "src"
PACKAGES = HERE.parent / "sim_classic" / "packages"


def model(made: Migration) -> OpPackage:
    package, findings = read(made.spec.encode(), made.path)
    assert package is not None, findings
    return package


@pytest.fixture(scope="module")
def made() -> Migration:
    return migrate([str(CLASSIC)])


def op(made: Migration, name: str) -> Op:
    return next(op for op in model(made).ops if op.name == name)


def parts(rule: Rule) -> tuple[str, ...]:
    given = (rule.pass_, rule.flags, rule.match, rule.when, rule.replace)
    return tuple("" if part is None else to_text(part) for part in given)


def test_the_spec_has_what_the_files_say(made: Migration) -> None:
    assert made.package == "examples.norm_ops"
    assert made.path == "specs/examples_norm_ops.yaml"
    norm = op(made, "Norm")
    assert [t.name for t in norm.inputs] == ["x", "gain"]
    assert [t.name for t in norm.outputs] == ["y"]
    assert [d.name for d in norm.type_vars[0].dtypes] == ["float32", "ufixed8"]
    assert [(p.name, p.dtype.name, p.default) for p in norm.params] == [
        ("epsilon", "float32", 1e-6),
        ("centre", "bool8", False),
    ]
    assert [d.name for d in op(made, "Gate").type_vars[0].dtypes] == ["float32", "float16"]
    assert "body: kernels/norm.cpp" in made.spec


def test_rules_hang_below_the_op_they_match_or_build(made: Migration) -> None:
    assert [rule.name for rule in op(made, "Norm").rules] == ["norm_40", "norm_48"]
    assert [rule.name for rule in op(made, "Gate").rules] == ["norm_53", "gate_20", "gate_26", "gate_28"]
    assert made.rules == 6


def test_constants_and_names_of_the_package_are_written_out(made: Migration) -> None:
    first, second = op(made, "Norm").rules
    assert first.when is not None
    assert second.match is not None
    assert 'GT(DIM_WIDTH("*"), 64)' in first.when.text
    assert 'LE(DIM_DEPTH("X"), 4096)' in first.when.text
    assert second.match.text.startswith('Op("Norm", Op("Norm", ')
    assert "      # only wide ones\n      # the width\n      - name: norm_40\n" in made.spec


def test_the_report_says_what_is_not_carried(made: Migration) -> None:
    found = {(f.id, Path(f.span.path).name, f.span.line) for f in made.findings}
    assert {
        ("OPK351", "Norm.cpp", 1),  # the package's new name
        ("OPK353", "Norm.cpp", 53),  # #ifdef WITH_RELU
        ("OPK354", "Gate.cpp", 29),  # a tag that no part of the pattern has
        ("OPK358", "Gate.cpp", 26),  # isSmall
    } <= found
    assert not any(f.is_error for f in made.findings)
    assert "      # not carried: " in made.spec
    assert '      #   when: GT(DIM_DEPTH("Y"), 1)\n' in made.spec


def test_the_spec_validates_and_generates_both_interfaces(made: Migration, tmp_path: Path) -> None:
    save(made, str(tmp_path / made.path))
    assert all(project.ok for project in read_projects([str(tmp_path)]))
    result = generate([str(tmp_path)])
    assert result.ok, result.findings
    base = tmp_path / "generated" / "examples_norm_ops"
    assert {p.name for p in (base / "qhpi" / "src").iterdir()} >= {"norm.cpp", "gate.cpp"}
    emitted = []
    for stem in ("norm", "gate"):
        text = (base / "classic" / "src" / f"{stem}.cpp").read_text()
        document, findings = parse_cpp(text, stem)
        assert not findings
        emitted += [parts(rule) for rule in document.rules]
    assert emitted == [parts(rule) for rule in document_of(model(made))[0].rules]


@pytest.mark.parametrize("name", ["activations", "legacy", "vectors"])
def test_rules_of_the_spec_are_those_of_the_source(name: str) -> None:
    made = migrate([str(PACKAGES / name)], package="some.ops")
    wanted: Counter[tuple[str, ...]] = Counter()
    for path in sorted((PACKAGES / name).glob("*.cpp")):
        document, _ = parse_cpp(path.read_text(), str(path))
        wanted.update(parts(rule) for rule in document.rules)
    got = Counter(parts(rule) for rule in document_of(model(made))[0].rules)
    bad = sum(f.id == "OPK354" for f in made.findings)
    assert sum(wanted.values()) == made.rules + bad
    constant = {("RELU_CHUNK", "32")}
    for written, value in constant:
        wanted = Counter({tuple(t.replace(written, value) for t in rule): n for rule, n in wanted.items()})
    assert not got - wanted
    assert sum(got.values()) == made.rules


def test_the_list_of_the_interface_gives_the_order(tmp_path: Path) -> None:
    shutil.copytree(CLASSIC, tmp_path / "src")
    interface = tmp_path / "src" / "NormInterface.cpp"
    lines = interface.read_text().replace("(PKG_Norm)", "(PKG_1)").replace("(PKG_Gate)", "(PKG_Norm)")
    interface.write_text(lines.replace("(PKG_1)", "(PKG_Gate)"))
    assert [op.name for op in model(migrate([str(tmp_path / "src")])).ops] == ["Gate", "Gate.blocks", "Norm"]
    interface.write_text(interface.read_text().replace("DECLARE_PKG_OPS_OPTS_LIST(PKG_Gate)\n", ""))
    made = migrate([str(tmp_path / "src")])
    assert [op.name for op in model(made).ops] == ["Norm", "Gate", "Gate.blocks"]
    assert any("'PKG_Gate' is not in the package's list" in f.message for f in made.findings)


SMALL = """\
#define THIS_PKG_NAME tiny
BEGIN_PKG_OP_DEFINITION(PKG_A);
"""


def small(tmp_path: Path, text: str) -> Migration:
    path = tmp_path / "A.cpp"
    path.write_text(SMALL + text)
    return migrate([str(path)])


def test_defaults_that_cannot_be_read_are_marked(tmp_path: Path) -> None:
    made = small(
        tmp_path,
        'DEF_PACKAGE_PARAM_ORDER("A", "n", false, nullptr, "m", true, nullptr, "k", false, &lost, "int", true, nullptr)\n'
        'DEF_PACKAGE_OP(f, "A")\n',
    )
    assert "      n: {dtype: int32, default: 0}  # TODO element type; default\n" in made.spec
    assert "      m: {dtype: int32}  # TODO element type\n" in made.spec
    ids = Counter(f.id for f in made.findings)
    assert (ids["OPK359"], ids["OPK352"], ids["OPK355"]) == (2, 1, 1)


def test_kernels_of_several_arities_and_types(tmp_path: Path) -> None:
    made = small(
        tmp_path,
        "static GraphStatus f(Int32Tensor& out, Int32Tensor& most, const PlainFloatTensor& a) {}\n"
        "static GraphStatus g(Int32Tensor& out, Int32Tensor& most, const QuantUint8Tensor& a, const Int32Tensor& b) {}\n"
        'DEF_PACKAGE_OP(f, "A")\nDEF_PACKAGE_OP(g, "A")\n',
    )
    found = op(made, "A")
    assert [(t.name, t.optional) for t in found.inputs] == [("a", False), ("b", True)]
    assert [t.name for t in found.outputs] == ["out", "most"]
    assert any("differ in their number of inputs" in f.message for f in made.findings)


def test_names_of_all_kinds_are_made_usable(tmp_path: Path) -> None:
    made = small(
        tmp_path,
        "int f(PlainFloatTensor& y, const PlainFloatTensor& class_, const PlainFloatTensor& T) {}\n"
        'DEF_PACKAGE_OP(f, "A")\nDEF_PACKAGE_OP(f, "class")\nDEF_PACKAGE_OP(f, "a")\n'
        'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X", "Y"), OK, Op("a", "X", "Y"))\n',
    )
    assert [o.name for o in model(made).ops] == ["A"]
    assert {f.id for f in made.findings if f.severity == "warning"} >= {"OPK352"}
    assert [t.name for t in op(made, "A").inputs] == ["class_", "in1"]


def test_macros_that_are_not_for_packages_are_left_out(tmp_path: Path) -> None:
    made = small(tmp_path, 'DEF_PACKAGE_OP(f, "A")\nDEF_OPT(EARLY, Op("A", "X"), OK, Op("A", "X"))\n')
    assert made.rules == 0
    assert [(f.id, f.span.line) for f in made.findings if f.id == "OPK354"] == [("OPK354", 4)]


@pytest.mark.parametrize(
    ("text", "package", "id"),
    [
        ('DEF_PACKAGE_OP(f, "A")', "", "OPK350"),
        ('DEF_PACKAGE_OP(f, "A")', "Not A Name", "OPK350"),
        ("int x;", "a.b", "OPK357"),
        ("\0\1", "a.b", "OPK357"),
    ],
)
def test_what_cannot_be_migrated(tmp_path: Path, text: str, package: str, id: str) -> None:
    path = tmp_path / "A.cpp"
    path.write_text(text)
    with pytest.raises(OpkgError) as raised:
        migrate([str(path)], package)
    assert raised.value.diagnostics[-1].id == id


def test_missing_files_and_empty_folders(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.cpp"):
        with pytest.raises(OpkgError) as raised:
            migrate([str(path)], "a.b")
        assert raised.value.diagnostics[0].id == "OPK357"


def test_nothing_is_overwritten(made: Migration, tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("mine")
    with pytest.raises(OpkgError) as raised:
        save(made, str(path))
    assert raised.value.diagnostics[0].id == "OPK356"
    assert path.read_text() == "mine"


def test_macros_of_the_package_are_expanded_by_the_compiler(tmp_path: Path) -> None:
    made = migrate([str(CLASSIC)], expand=["-DWITH_RELU"])
    assert not any(f.id in ("OPK353", "OPK514") for f in made.findings)
    gate = {rule.name: rule for rule in op(made, "Gate").rules}
    assert gate["gate_20"].match is not None
    assert gate["gate_20"].match.text == 'Op("Gate", Op("Ungate", "X"))'
    assert set(gate) == {"norm_53", "gate_20", "gate_26", "gate_28"}
    without = migrate([str(CLASSIC)], expand=[])
    assert "norm_53" not in {rule.name for rule in op(without, "Gate").rules}
    assert [p.name for p in op(without, "Norm").params] == ["epsilon", "centre"]


def test_macros_of_expressions_and_names_of_ops_in_variables(tmp_path: Path) -> None:
    """What needs no compiler to be expanded: macros of the files that stand for expressions, and `const char*`."""
    made = small(
        tmp_path,
        'static const char* kPool = "MaxPool_valid.tcm";\n#define TILE 8UL\n#define TALL(x) GT(DIM_HEIGHT(x), TILE)\n'
        '#define LAID Flat("*", "in"), MainMemory("...")\n'
        "int f(PlainFloatTensor& out, const PlainFloatTensor& in) {}\n"
        'DEF_PACKAGE_OP(f, "MaxPool_valid.tcm")\nDEF_TENSOR_PROPERTIES(Op(kPool, "in"), LAID)\n'
        'DEF_PACKAGE_OPTIMIZATION(EARLY, Op(kPool, "X"), TALL("*"), '
        'AUTOSPLIT(1, "I", TILE, Op(kPool, TYPICAL_SLICE("X", "I"))))\n',
    )
    assert [f.id for f in made.findings if f.severity != "info"] == []
    pool = op(made, "MaxPool_valid.tcm")
    assert [text.text for text in pool.tensor_properties] == [
        'DEF_TENSOR_PROPERTIES(Op("MaxPool_valid.tcm", "in"), Flat("*", "in"), MainMemory("..."))'
    ]
    (rule,) = pool.rules
    assert [part.text for part in (rule.match, rule.when, rule.replace) if part is not None] == [
        'Op("MaxPool_valid.tcm", "X")',
        'GT(DIM_HEIGHT("*"), 8UL)',
        'AUTOSPLIT(1, "I", 8UL, Op("MaxPool_valid.tcm", TYPICAL_SLICE("X", "I")))',
    ]


def test_a_call_that_does_not_parse_is_reported_and_the_rest_is_carried(tmp_path: Path) -> None:
    made = small(
        tmp_path,
        'DEF_PACKAGE_OP(f, "A")\nDEF_PACKAGE_OPTIMIZATION(EARLY, Op("A",, "X"), OK, "X")\n'
        'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", Op("A", "X")), OK, Op("A", "X"))\n',
    )
    assert made.rules == 1
    assert [(f.severity, f.span.line, f.span.column) for f in made.findings if f.id == "OPK500"] == [("warning", 4, 40)]


def test_names_that_collide_in_snake_case_and_twice(tmp_path: Path) -> None:
    made = small(
        tmp_path,
        "int f(PlainFloatTensor& out, const PlainFloatTensor& minValue, const PlainFloatTensor& x) {}\n"
        'DEF_PACKAGE_OP(f, "A")\n'
        'DEF_PACKAGE_PARAM_ORDER("A", "min_value", true, nullptr, "minValue", true, nullptr)\n'
        'DEF_PACKAGE_OP(g, "NoInput")\n',
    )
    assert [p.name for p in op(made, "A").params] == ["min_value"]
    assert [t.name for t in op(made, "A").inputs] == ["in0"]
    assert len(op(made, "NoInput").inputs) == 1


SOURCES = [path.read_text() for path in sorted(CLASSIC.rglob("*.cpp"))]
PIECES = ["(", ")", ",", '"', "/*", "*/", "//", "\n", "#if 0\n", "#endif\n", "\\", "'", "{", "}", "<", ">", "\r\n", "é"]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damaged_files_give_a_spec_that_reads_or_an_error(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(SOURCES))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 20))
        text = text[:at] + data.draw(st.sampled_from(["", *PIECES])) + text[at + cut :]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.cpp"
        path.write_text(text, encoding="utf-8")
        try:
            made = migrate([str(path)], "a.b")
        except OpkgError:
            return
    assert not any(f.is_error for f in made.findings)
    model(made)


def test_qhpi_has_the_rules_it_can_carry_and_the_report_says_which_it_cannot(made: Migration, tmp_path: Path) -> None:
    left_out = {(Path(f.span.path).name, f.span.line) for f in made.findings if f.id == "OPK265"}
    assert left_out == {("Gate.cpp", 26)}
    save(made, str(tmp_path / made.path))
    assert generate([str(tmp_path)]).ok
    folder = tmp_path / "generated" / "examples_norm_ops" / "qhpi"
    text = "".join(path.read_text() for path in (folder / "src").glob("*.cpp"))
    for rule in ("norm_40", "norm_48", "norm_53", "gate_28"):
        assert rule in text
    assert "gate_26" not in text
    include = HERE.parents[1] / "opkg" / "sim" / "include"
    for source in ("norm", "gate"):
        command = ["g++", "-std=c++17", "-fsyntax-only", f"-isystem{include}"]
        command += [f"-I{place}" for place in (folder / "include", folder / "src", folder.parents[1])]
        command += ["-DTHIS_PKG_NAME=examples.norm_ops", str(folder / "src" / f"{source}.cpp")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
