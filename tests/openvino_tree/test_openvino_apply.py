"""`opkg openvino apply` and `remove` on a small tree in three eras: twice is once, remove restores, conflicts stop it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from openvino_mini import ERAS, EXTENSION, GENERATOR, SHAPES, TOKENIZE, mini, tree

from opkg.cli.main import cli

SPEC = """\
opkg: 1
package: {name: acme.nn, targets: [openvino-extension]}
ops:
  Gate:
    inputs: {a: {dtype: float32}, b: {dtype: float32, shape: a.shape}}
    params: {alpha: {dtype: float32, default: 0.5}, n: {dtype: int32, default: 3}}
    outputs: {y: {dtype: float32, shape: a.shape}}
    compute: y = alpha * a * sigmoid(b) + n
  Gelu:
    inputs: {x: {dtype: float32}}
    outputs: {y: {dtype: float32, shape: x.shape}}
    compute: y = 0.5 * x * (1 + erf(x * 0.7071067811865476))
  Halves:
    inputs: {x: {dtype: float32}}
    outputs: {y: {dtype: float32, shape: x.shape}, z: {dtype: float32, shape: x.shape}}
    compute: |
      y = x * 0.5
      z = x - y
  Centred:
    inputs: {x: {dtype: float32, rank: 1..4}}
    outputs: {y: {dtype: float32, shape: x.shape}}
    compute: y = x - mean(x, axis=-1, keepdims=True)
"""
NEW = {
    "src/common/snippets/include/snippets/op/acme_nn/extension_op.hpp",
    "src/common/snippets/include/snippets/op/acme_nn/gate.hpp",
    "src/common/snippets/include/snippets/op/acme_nn/gate_kernel.hpp",
    "src/common/snippets/include/snippets/op/acme_nn/gelu.hpp",
    "src/common/snippets/include/snippets/op/acme_nn/gelu_kernel.hpp",
    "src/common/snippets/include/snippets/op/acme_nn/shape_rules.hpp",
    "src/common/snippets/src/op/acme_nn/gate.cpp",
    "src/common/snippets/src/op/acme_nn/gelu.cpp",
    *(
        f"src/plugins/intel_cpu/src/emitters/plugin/x64/acme_nn/{name}.hpp"
        for name in (
            "gate_emitter",
            "gelu_emitter",
            "jit_gate_emitter",
            "jit_gelu_emitter",
            "snippets_emitter",
            "x64_emitter",
            "x64_functions",
        )
    ),
}


@pytest.fixture(params=ERAS)
def places(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path, str]:
    """A tree, a project, the era."""
    return placed(tmp_path, request.param)


@pytest.fixture
def newest(tmp_path: Path) -> tuple[Path, Path, str]:
    """A tree of the last era, a project."""
    return placed(tmp_path, ERAS[-1])


def placed(folder: Path, era: str) -> tuple[Path, Path, str]:
    own = folder / "own"
    (own / "specs").mkdir(parents=True)
    (own / "specs" / "acme.yaml").write_text(SPEC)
    return mini(folder / "openvino", era), own, era


def openvino(where: Path, *words: str | Path) -> Result:
    before = os.getcwd()
    os.chdir(where)
    try:
        return CliRunner().invoke(cli, ["-q", "openvino", *(str(word) for word in words)], standalone_mode=False)
    finally:
        os.chdir(before)


def done(where: Path, *words: str | Path) -> str:
    result = openvino(where, *words)
    assert result.return_value == 0, (result.output, result.exception)
    return result.output


def refused(where: Path, *words: str | Path) -> str:
    result = openvino(where, *words)
    assert result.return_value == 1, (result.output, result.exception)
    return result.output


def test_every_place(places: tuple[Path, Path, str]) -> None:
    root, own, era = places
    before = tree(root)
    said = done(own, "apply", root)
    after = tree(root)
    assert set(after) - set(before) == NEW
    shapes = SHAPES[era == "2026"]
    assert {name for name in before if before[name] != after[name]} == {EXTENSION, GENERATOR, TOKENIZE, shapes}
    assert "Halves is not put in: Snippets takes ops with one output [OPK378]" in said
    assert "Centred is not put in: it has no emitter of x64 code: it reduces dimensions [OPK378]" in said

    text = {name: after[name].decode() for name in (EXTENSION, GENERATOR, TOKENIZE, shapes)}
    assert f"{'    OP_EXTENSION(acme_nn::Gate)':<56}\\\n" in text[EXTENSION]
    made = "emitter_factory.from_node<{}>()" if era == "2026" else "CREATE_CPU_EMITTER({})"
    line = f"    jitters[acme_nn::Gate::get_type_info_static()] = {made.format('acme_nn::JitGateEmitter')};\n"
    assert line in text[GENERATOR]
    assert text[GENERATOR].index(line) < text[GENERATOR].index("snippets::op::Fill")
    listed = "            || ov::is_type<{}>(n)\n" if era == "2024" else " " * 34 + "{},\n"
    both = text[TOKENIZE].index("is_supported_unary_eltwise_op =")
    assert listed.format("acme_nn::Gate") in text[TOKENIZE][:both]
    assert listed.format("acme_nn::Gelu") in text[TOKENIZE][both:]
    if era == "2026":
        assert "        {acme_nn::Gelu::get_type_info_static(),\n" in text[shapes]
    else:
        assert "    SHAPE_INFER_PREDEFINED(acme_nn::Gelu, PassThroughShapeInfer),\n" in text[shapes]
        assert "    SHAPE_INFER_PREDEFINED(acme_nn::Gate, NumpyBroadcastShapeInfer),\n" in text[shapes]
    for name in (EXTENSION, TOKENIZE, shapes):
        assert '#include "snippets/op/acme_nn/gate.hpp"\n' in text[name]
    assert '#include "emitters/plugin/x64/acme_nn/jit_gate_emitter.hpp"\n' in text[GENERATOR]
    continued = text[EXTENSION].partition("#define CPU_EXTENSIONS")[2].partition("\n\n")[0].split("\n")[1:]
    assert all(line.endswith("\\") for line in continued[:-1])
    assert len({line.rindex("\\") for line in continued if line.endswith("\\")}) == 1


def test_twice_is_once_and_remove_restores(places: tuple[Path, Path, str]) -> None:
    root, own, _ = places
    before = tree(root)
    stale = refused(own, "apply", root, "--check")
    assert f"{EXTENSION}: error: the checkout is not what the specs say: is out of date [OPK364]" in stale
    assert "snippets/op/acme_nn/gate.hpp: error: the checkout is not what the specs say: is missing [OPK364]" in stale
    shown = done(own, "apply", root, "--diff")
    assert f"--- a/{root}/{EXTENSION}\n+++ b/{root}/{EXTENSION}\n" in shown
    assert tree(root) == before
    done(own, "apply", root)
    after, record = tree(root), (own / "intree.json").read_bytes()
    done(own, "apply", root)
    done(own, "apply", root, "--check")
    assert (tree(root), (own / "intree.json").read_bytes()) == (after, record)
    done(own, "remove", root)
    assert tree(root) == before
    assert not (own / "intree.json").exists()


def test_removed_without_the_record_and_between_others(places: tuple[Path, Path, str]) -> None:
    """What others put in stays, in whatever order; without intree.json what stands there as the specs want it goes."""
    root, own, _ = places
    other = own.parent / "other"
    (other / "specs").mkdir(parents=True)
    (other / "specs" / "other.yaml").write_text(SPEC.replace("acme.nn", "zebra.nn").replace("Gate", "Mixed"))
    before = tree(root)
    done(own, "apply", root)
    only = tree(root)
    done(other, "apply", root)
    both = tree(root)
    done(own, "remove", root)
    done(own, "apply", root)
    assert tree(root) == both
    (other / "intree.json").unlink()
    done(other, "remove", root)
    assert tree(root) == only
    done(own, "remove", root)
    assert tree(root) == before


@pytest.mark.parametrize(
    ("path", "old", "new", "where", "why"),
    [
        (EXTENSION, "#define CPU_EXTENSIONS", "#define OUR_EXTENSIONS", 9, "there is no macro CPU_EXTENSIONS"),
        (
            TOKENIZE,
            "is_supported_unary_eltwise_op = ",
            "is_supported_one_op = ",
            0,
            "there is no 'is_supported_unary_eltwise_op = ' with a body",
        ),
        (
            GENERATOR,
            "jitters[",
            "table[",
            17,
            "there is no line like 'jitters[ov::op::v0::Name::get_type_info_static()] = ...;'",
        ),
    ],
    ids=["macro", "list", "table"],
)
def test_anchors_that_are_missing(
    newest: tuple[Path, Path, str], path: str, old: str, new: str, where: int, why: str
) -> None:
    root, own, _ = newest
    file = root / path
    file.write_text(file.read_text().replace(old, new))
    before = tree(root)
    said = refused(own, "apply", root)
    at = f":{where}:" if where else ":"  # a file without the list has no line to show
    assert said.count(f"{root}/{path}{at}") == 1, said
    assert f"error: does not look as expected: {why} [OPK361]" in said
    assert "this opkg knows trees of openvinotoolkit/openvino" in said
    assert tree(root) == before
    assert not (own / "intree.json").exists()


def test_conflicts_and_edits(newest: tuple[Path, Path, str]) -> None:
    root, own, era = newest
    file = root / EXTENSION
    as_it_was = file.read_text()
    file.write_text(as_it_was.replace("    OP_EXTENSION(ov::op::internal::RMS)  ", "    OP_EXTENSION(acme_nn::Gate)  "))
    (root / "src/common/snippets/src/op/acme_nn").mkdir(parents=True)
    (root / "src/common/snippets/src/op/acme_nn/gate.cpp").write_text("// somebody's\n")
    before = tree(root)
    said = refused(own, "apply", root)
    assert "gate.cpp: error: there is a file of this name here already, and opkg did not put it in [OPK360]" in said
    assert tree(root) == before
    (root / "src/common/snippets/src/op/acme_nn/gate.cpp").unlink()
    file.write_text(as_it_was)
    done(own, "apply", root)
    shapes = root / SHAPES[era == "2026"]
    shapes.write_text(shapes.read_text().replace("acme_nn::Gelu::get", "acme_nn::Gelu ::get"))
    header = root / "src/common/snippets/include/snippets/op/acme_nn/gate.hpp"
    header.write_text(header.read_text() + "// mine\n")
    before = tree(root)
    assert "the file that opkg put in here was edited [OPK363]" in refused(own, "remove", root)
    assert tree(root) == before


def test_no_tree(tmp_path: Path, newest: tuple[Path, Path, str]) -> None:
    root, own, _ = newest
    said = openvino(own, "apply", root / "src")
    assert f"it has no {EXTENSION}. Its top is {root}." in str(said.exception)
    (own / "specs" / "acme.yaml").write_text(SPEC.replace("openvino-extension", "qnn-htp-qhpi"))
    assert "no spec here has the target openvino-extension [OPK370]" in refused(own, "apply", root)
