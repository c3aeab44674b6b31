"""Kernel files in packages: when they are made, what they are, costs and tuning, and what cannot be generated."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from kernels_kit import absent
from kernels_product import package_of

from opkg.kernels.catalog import ENTRIES
from opkg.kernels.choose import choose
from opkg.kernels.emit.parts import Source, parts
from opkg.kernels.lowered import Lowered
from opkg.kernels.portable.check import check
from opkg.kernels.tuning import Row, Tuning, digest
from opkg.project.bodies import shadowed
from opkg.project.read import read_spec
from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import Op
from opkg.targets.artifact import Ownership
from opkg.targets.qnn_htp_classic import TARGET as CLASSIC
from opkg.targets.qnn_htp_qhpi import TARGET as QHPI

RELU = """\
  Relu:
    types: {T: [float32, ufixed8, int8]}
    inputs: {x: {dtype: T, rank: 1..4}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = max(x, 0)
"""
MIXED = RELU + "    kernels: [{when: {T: [float32, int8]}}, {when: {T: ufixed8}, cost: fast, body: kernels/mine.cpp}]\n"


def texts(ops: str, target: object = QHPI) -> dict[str, str]:
    """The generated files by the end of their paths."""
    made = target.render(package_of(ops))  # type: ignore[attr-defined]
    return {a.path.split("/", 1 if a.ownership is Ownership.SHARED else 3)[-1]: a.text for a in made}


def test_a_generated_kernel_has_its_file_headers_and_place_in_the_builds() -> None:
    for target in (QHPI, CLASSIC):
        found = texts(RELU, target)
        assert "ReluU8Rows" in found["src/relu_kernels.cpp"]
        included = {line.split('"')[1] for line in found["src/relu_kernels.cpp"].splitlines() if "#include" in line}
        assert {name if name.startswith("opkg/") else f"include/{name}" for name in included} <= set(found)
        assert "src/relu_kernels.cpp" in found["Makefile"]
        assert "src/relu_kernels.cpp" in found["CMakeLists.txt"]
        assert not [a for a in target.render(package_of(RELU)) if a.ownership is Ownership.YOURS]


def test_a_kernel_with_a_body_stays_the_users() -> None:
    yours = [a.path for a in QHPI.render(package_of(MIXED)) if a.ownership is Ownership.YOURS]
    assert yours == ["kernels/mine.cpp"]
    made = texts(MIXED)["src/relu_kernels.cpp"]
    assert "relu_f32" in made
    assert "relu_u8" not in made


def test_packages_without_computations_do_not_load_the_kernels() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from opkg.spec.reader import read\n"
        "from opkg.targets.qnn_htp_qhpi import TARGET\n"
        "ops = b'ops: {A: {inputs: {x: {dtype: float32}}, outputs: {y: {dtype: float32, shape: x.shape}}}}'\n"
        "package, _ = read(b'opkg: 1\\npackage: {name: a.b, targets: [qnn-htp-qhpi]}\\n' + ops, 'f.yaml')\n"
        "assert [d.id for d in TARGET.check(package)] == ['OPK277'] and TARGET.render(package)\n"
        "print([name for name in sys.modules if name.startswith('opkg.kernels')])\n"
    )
    done = subprocess.run([sys.executable, "-c", code, "."], capture_output=True, text=True, check=True)
    of_tiles = ["opkg.kernels", "opkg.kernels.coupling", "opkg.kernels.tileable"]  # no graphs, no strategies
    assert done.stdout.strip() == str(of_tiles)


def test_files_are_formatted(tmp_path: Path) -> None:
    tool = Path(sys.executable).parent / "clang-format"
    if not tool.is_file():
        absent("no clang-format")
    ops = RELU + RELU.replace("Relu", "Far").replace("max(x, 0)", "x - min(x, axis=-1, keepdims=True)")
    paths = []
    for name, text in texts(ops).items():
        if name.startswith("src/") and name.endswith("_kernels.cpp"):
            paths.append(tmp_path / Path(name).name)
            paths[-1].write_text(text)
    (tmp_path / ".clang-format").write_text("BasedOnStyle: Google\nColumnLimit: 0\n")
    assert len(paths) == 2
    done = subprocess.run([str(tool), "--dry-run", "-Werror", *map(str, paths)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:3000]


# Costs and tuning ----------------------------------------------------------------------------------------------------


def test_a_cost_that_is_left_out_is_estimated() -> None:
    found = texts(RELU)["src/relu.cpp"]
    assert "float cost_of_relu_u8(" in found
    assert "opkg::elements(in[0])" in found
    named = texts(RELU + "    kernels: [{cost: fast}]\n")["src/relu.cpp"]
    assert "cost_of_relu" not in named
    assert "opkg::cost_fast" in named


def _project(root: Path, tuning: str) -> list[Diagnostic]:
    (root / "specs").mkdir()
    head = "opkg: 1\npackage: {name: t.made, version: 1.0.0, targets: [qnn-htp-classic]}\nops:\n"
    (root / "specs" / "made.yaml").write_text(head + RELU)
    (root / "tuning.json").write_text(tuning)
    package, findings, _ = read_spec(str(root), "specs/made.yaml")
    assert package is not None
    found = {artifact.path.rpartition("/")[2]: artifact.text for artifact in CLASSIC.render(package)}
    (root / "kernels.cpp").write_text(found["relu_kernels.cpp"])
    return findings


def test_tuning_decides_how_loops_are_unrolled(tmp_path: Path) -> None:
    op = package_of(RELU).ops[0]
    rows = []
    for kernel in op.kernels:
        (snippet,) = next(parts(op, Source(kernel, "", {"x": "", "y": ""}), False))
        chosen = choose(snippet)
        if chosen is not None and isinstance(chosen.lowered, Lowered) and chosen.lowered.depth == 1:
            form = digest(chosen.lowered) if not rows else "of an older form"
            rows.append(Row("t.made", snippet.struct, form, 16))
    assert len(rows) > 1
    assert _project(tmp_path, Tuning(tuple(rows)).text()) == []
    made = (tmp_path / "kernels.cpp").read_text()
    assert made.count("each_step<kWalk, 16>") == 1
    assert f"struct {rows[0].kernel}" in made[: made.index("each_step<kWalk, 16>")]


def test_a_broken_tuning_is_a_finding(tmp_path: Path) -> None:
    (finding,) = _project(tmp_path, "{]")
    assert (finding.id, finding.span.path) == ("OPK612", "tuning.json")


def test_a_kernel_file_that_nothing_uses_is_said(tmp_path: Path) -> None:
    package = package_of(RELU)
    (tmp_path / "kernels").mkdir()
    assert shadowed(str(tmp_path), package) == []
    (tmp_path / "kernels" / "relu.cpp").write_text("// by hand\n")
    (finding,) = shadowed(str(tmp_path), package)
    assert (finding.id, finding.is_error) == ("OPK317", False)
    named = RELU + "    kernels: [{when: {T: float32}, body: kernels/relu.cpp}, {when: {T: [ufixed8, int8]}}]\n"
    assert shadowed(str(tmp_path), package_of(named)) == []


# What cannot be generated --------------------------------------------------------------------------------------------


def op_of(text: str) -> Op:
    return package_of(text).ops[0]


BAD = {
    "an axis counted from the front": ("rank: 1..4", "y = x - max(x, axis=0, keepdims=True)", "max(x, axis=0"),
    "with and without the reduced dimensions": ("shape: [N, N]", "y = x - max(x, axis=-1)", "y = x"),
}


@pytest.mark.parametrize("message", BAD)
def test_what_cannot_be_generated_is_said_at_its_place(message: str) -> None:
    shape, compute, place = BAD[message]
    text = f"  Op:\n    inputs: {{x: {{dtype: float32, {shape}}}}}\n    outputs: {{y: {{dtype: float32, shape: x.shape}}}}\n"
    op = op_of(f"{text}    compute: {compute}\n")
    (finding,) = check(op)
    assert finding.id == "OPK600"
    assert message in finding.message
    assert finding.span.column == len("    compute: ") + compute.index(place) + 1
    assert check(op_of(f"{text}    compute: {compute}\n    kernels: [{{body: kernels/mine.cpp}}]\n")) == []


def test_croutons_are_not_reduced() -> None:
    op = op_of(
        "  Op:\n    inputs: {x: {dtype: ufixed8, shape: [N, H, W, C]}}\n    outputs: {y: {dtype: ufixed8, shape: x.shape}}\n"
        "    compute: y = x - max(x, axis=-1, keepdims=True)\n    kernels: [{layout: crouton}]\n"
    )
    (finding,) = check(op)
    assert "croutons" in finding.message
    assert finding.span.line == 8


@pytest.mark.parametrize(("type_", "extreme"), [("float32", "max"), ("int32", "argmax")])
def test_an_input_is_not_overwritten_while_it_is_needed(type_: str, extreme: str) -> None:
    op = op_of(
        f"  Op:\n    inputs: {{x: {{dtype: {type_}, shape: [N, C]}}}}\n"
        f"    outputs: {{y: {{dtype: {type_}, shape: x.shape}}, z: {{dtype: {type_}, shape: [N, 1]}}}}\n"
        f"    compute: y = x - 1; z = {extreme}(x, axis=-1, keepdims=True)\n    kernels: [{{source_destructive: true}}]\n"
    )
    (finding,) = check(op)
    assert "overwrite" in finding.message
    assert finding.span.line == 8


def test_the_example_of_the_catalog_has_what_it_shows() -> None:
    entry = next(entry for entry in ENTRIES if entry.id == "OPK600")
    found = []
    for example in (entry.wrong, entry.right):
        tensor, _, compute = example.partition("\n...\n")
        text = f"  Op:\n    types: {{T: [float32]}}\n    inputs:\n      {tensor}\n"
        text += "    outputs: {y: {dtype: T, shape: x.shape}}\n"
        found.append([finding.id for finding in check(op_of(f"{text}    {compute}\n"))])
    assert found == [[entry.id], []]
