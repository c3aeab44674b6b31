"""What the target wants of the example's operations, in a tree of each era: everything has a place, and comes out again."""

from __future__ import annotations

import posixpath
import re
import shutil
from pathlib import Path

import pytest
from onert_lib import done, refused
from onert_mini import CORE, CPU, DATES, mini, tree

EXAMPLE = Path(__file__).parents[2] / "examples/onert"
NAMES = "ScaledAdd,LogSumExp,ChannelShuffle,Moments,HardSwish"


@pytest.mark.parametrize("era", [era for era in DATES if era != "oldest"])
def test_example(tmp_path: Path, era: str) -> None:
    root, own = mini(tmp_path / "ONE", era), example(tmp_path)
    before = tree(root)
    shown = done(own, "apply", root)
    lacks = "generated tests of the core (it has no CompilerFactory) and of the API for CUSTOM operators"
    assert (f"warning: {lacks} (CircleGen makes none) are left out" in shown) == (era == "classic")
    done(own, "apply", root, "--check")
    required = "core" if era == "classic" else "core,one-op-test,untrainable-test"
    done(own, "audit", root, "--op", NAMES, "--require", required)
    after = {name: data.decode() for name, data in tree(root).items()}
    layer = after[f"{CPU}/ops/ScaledAddLayer.cc"]
    visit = "void KernelGenerator::visit(const ir::operation::ScaledAdd &"
    assert (visit in layer) == (era == "oplist")
    assert (visit in after.get(f"{CPU}/KernelGenerator.cc", "")) == (era != "oplist")
    validator = after.get(f"{CPU}/Validator.h", "")
    assert ("void visit(const ir::operation::ScaledAdd &) override { _supported = true; }" in validator) == (
        era == "between"
    )
    nested = "namespace onert::ir::operation\n" in after[f"{CORE}/include/ir/operation/ScaledAdd.h"]
    assert nested == (DATES[era] > "2025-02")
    loader = next(text for name, text in after.items() if "::loadScaledAdd(" in text)
    assert "BuiltinOP::ScaledAdd}," in loader
    _tests_of(after, era)
    done(own, "remove", root)
    assert tree(root) == before


def _tests_of(after: dict[str, str], era: str) -> None:
    """Tests are where the tree has its own, as it can compile them; what they include is there."""
    api, core = ("runtime/tests" if DATES[era] > "2025-02" else "tests"), f"{CORE}/src/ir/operation"
    paths = [f"{api}/nnfw_api/src/GenModelTests/one_op_tests/Moments.test.cc", f"{core}/Moments.test.cc"]
    if era == "classic":  # its tests make no CUSTOM operators, and its core no compilers of packages
        assert not any("Moments.test" in name or (name.endswith("/Moments.cc") and "test" in name) for name in after)
        return
    for path in paths:
        for include in re.findall(r'#include "(\.\./.*)"', after[path]):
            assert posixpath.normpath(f"{posixpath.dirname(path)}/{include}") in after, (path, include)
        assert f'{CPU.removeprefix("runtime/")}/ops/MomentsKernel.h"' in after[path].replace(
            "../backend", "../onert/backend"
        )
    listed = "options.push_back(compiler::CompilerOptions::fromGlobalConfig());" in after[paths[1]]
    assert listed == (era == "2023")


def test_kernels_by_hand(tmp_path: Path) -> None:
    """The user's file goes in beside the layer, which includes it; an edit of it goes there with the next apply."""
    root, own = mini(tmp_path / "ONE"), example(tmp_path)
    done(own, "apply", root)
    carried = root / CPU / "ops/ChannelShuffleKernel.cpp"
    body = own / "kernels/channel_shuffle.cpp"
    assert carried.read_text() == body.read_text().replace("nn_edge/channel_shuffle.h", "ChannelShuffleKernel.h")
    assert '#include "ChannelShuffleKernel.cpp"\n' in (root / CPU / "ops/ChannelShuffleLayer.cc").read_text()
    assert "struct Given" in (root / CPU / "ops/nn_edge_kernel.h").read_text()
    body.write_text(body.read_text() + "// more\n")
    assert "ChannelShuffleKernel.cpp: error" in refused(own, "apply", root, "--check")
    done(own, "apply", root)
    assert carried.read_text().endswith("// more\n")
    carried.write_text("// edited in the tree\n")
    body.write_text(body.read_text() + "// and more\n")
    assert "ChannelShuffleKernel.cpp: error: the file that opkg put in here was edited [OPK363]" in refused(
        own, "apply", root
    )
    assert carried.read_text() == "// edited in the tree\n"


def test_kernels_by_hand_that_cannot_go_in(tmp_path: Path) -> None:
    root, own = mini(tmp_path / "ONE"), example(tmp_path)
    before = tree(root)
    body = own / "kernels/channel_shuffle.cpp"
    text = body.read_text()
    body.write_text(f'#include "helpers.h"\n{text}')
    assert (
        "kernels/channel_shuffle.cpp: error: this kernel file includes helpers.h, which does not go into the tree [OPK374]"
    ) in refused(own, "apply", root)
    body.unlink()
    message = "the kernel file kernels/channel_shuffle.cpp of ChannelShuffle cannot be read: No such file or directory"
    assert f"specs/edge.yaml:39:3: error: {message} [OPK374]" in refused(own, "apply", root)
    body.write_text(text)
    (root / "infra/nnfw").mkdir(parents=True)
    (root / "infra/nnfw/CMakeLists.txt").write_text("set(CMAKE_CXX_STANDARD 14)\n")
    assert "by hand, in C++17: this tree is compiled as C++14 [OPK374]" in refused(own, "apply", root)
    (root / "infra/nnfw/CMakeLists.txt").unlink()
    assert tree(root) == before
    done(own, "apply", root)
    body.unlink()
    done(own, "remove", root, "specs/edge.yaml")
    assert tree(root) == before


BUILTIN = """\
opkg: 1
package: {name: acme.nn, targets: [onert]}
ops:
  CumSum:
    inputs: {x: {dtype: float32, rank: 1..4}}
    params:
      exclusive: {dtype: bool8, default: false}
    outputs: {y: {dtype: float32, shape: x.shape}}
    compute: y = where(exclusive, x, x * 2)
    onert: {builtin: CUMSUM, options: CumsumOptions}
  Roll:
    inputs: {x: {dtype: float32, rank: 1..4}}
    outputs: {y: {dtype: float32, shape: x.shape}}
    compute: y = x * 2
    onert: {builtin: ROLL, circle: true}
"""


# A table in place of CumsumOptions, and what is said.
WHERE, TABLE = "nn.yaml:7:7: error:", "table CumsumOptions of this tree's schema"
FIELDS = {
    "exclusiv: bool;": f"{WHERE} {TABLE} has no field 'exclusive' [OPK373]",
    "exclusive: [bool];": f"{WHERE} param 'exclusive' is one value, its field a list, in {TABLE} [OPK376]",
    "exclusive: float;": f"{WHERE} param 'exclusive' is bool8, its field float, in {TABLE} [OPK376]",
    "exclusive: Way = OFF;": f"{WHERE} param 'exclusive' has no enum:, its field is the enum Way, in {TABLE} [OPK376]",
    "exclusive: string;": f"{WHERE} param 'exclusive' is a number, its field a string, in {TABLE} [OPK376]",
}


@pytest.mark.parametrize("era", ["oplist", "between", "2023", "classic"])
def test_operators_of_the_schema(tmp_path: Path, era: str) -> None:
    """A case, a declaration and a definition each, in the loader of both schemas or in that of Circle alone."""
    root, own = mini(tmp_path / "ONE", era), tmp_path / "project"
    (own / "specs").mkdir(parents=True)
    (own / "specs/nn.yaml").write_text(BUILTIN)
    before = tree(root)
    done(own, "apply", root)
    done(own, "apply", root, "--check")
    done(own, "audit", root, "--op", "CumSum,Roll", "--require", "core")
    after = {name: data.decode() for name, data in tree(root).items()}
    base = next(text for name, text in after.items() if name.lower().endswith(("baseloader.h", "base_loader.h")))
    circle = next(
        text for name, text in after.items() if name.lower().endswith(("circleloader.cc", "circle_loader.cc"))
    )
    case = "    case BuiltinOperator::BuiltinOperator_CUMSUM:\n      loadCumSum(op, subg);\n      return;\n"
    assert base.count(case) == base.count("  void loadCumSum(const Operator *op, ir::Graph &subg);\n") == 1
    assert "op->builtin_options_as_CumsumOptions()" in base
    assert "BuiltinOperator_ROLL" not in base
    case = "      case circle::BuiltinOperator::BuiltinOperator_ROLL:\n        loadRoll(op, subg);\n        return;\n"
    assert circle.count(case) == circle.count("void CircleLoader::loadRoll(const Operator *op, ir::Graph &subg)\n") == 1
    assert "CumSum" not in circle
    done(own, "remove", root)
    assert tree(root) == before
    schema = root / "nnpackage/schema/circle_schema.fbs"
    schema.parent.mkdir(parents=True)
    schema.write_text("enum BuiltinOperator : int32 {\n  ROLL = 1,\n  CUMSUM = 128,\n}\ntable CumsumOptionsX {}\n")
    text = refused(own, "apply", root)
    assert "nn.yaml:10:22: error: Circle's schema of this tree has no table CumsumOptions [OPK373]" in text
    schema.write_text("  CUMSUM = 128,\n}\ntable CumsumOptions {\n")
    assert "nn.yaml:15:22: error: Circle's schema of this tree has no operator ROLL [OPK373]" in refused(
        own, "apply", root
    )
    roll = "enum BuiltinOperator : int32 {\n  ROLL = 1,\n  CUMSUM = 128,\n}\nenum Way : byte { ON, OFF = 4 }\n"
    union = "union BuiltinOptions {\n  AddOptions,\n  CumsumOptions,\n}\n"
    for table, words in FIELDS.items():
        schema.write_text(f"{roll}{union}table CumsumOptions {{\n  // exclusive: bool;\n  {table}\n}}\n")
        assert words in refused(own, "apply", root), table
    schema.write_text(f"{roll}{union.replace('Cumsum', 'Other')}table CumsumOptions {{ exclusive: bool; }}\n")
    assert "has no CumsumOptions in the union BuiltinOptions [OPK373]" in refused(own, "apply", root)
    schema.write_text(f"{roll}{union}table CumsumOptions {{ exclusive:bool = false (id: 0); }}\n")
    done(own, "apply", root)
    done(own, "remove", root)
    schema.unlink()
    assert tree(root) == before
    (own / "specs/nn.yaml").write_text(BUILTIN.replace("ROLL", "INSTANCE_NORM"))
    assert "'INSTANCE_NORM' here already" in refused(own, "apply", root)
    assert tree(root) == before


def test_copyright(tmp_path: Path) -> None:
    """Who is named once is named in the next files, too, with and without the project's record."""
    root, own = mini(tmp_path / "ONE"), example(tmp_path)
    done(own, "apply", root, "--copyright", "2026 Acme Ltd.")
    header = (root / CORE / "include/ir/operation/ScaledAdd.h").read_text()
    assert header.startswith(
        "/*\n * Copyright (c) 2026 Acme Ltd.\n *\n * Licensed under the Apache License, Version 2.0"
    )
    before = tree(root)
    done(own, "apply", root, "--check")
    spec = own / "specs/edge.yaml"
    text = spec.read_text()
    spec.write_text(
        f"{text}\n  Twice:\n    inputs: {{x: {{dtype: float32}}}}\n"
        "    outputs: {y: {dtype: float32, shape: x.shape}}\n    compute: y = x * 2\n"
    )
    done(own, "apply", root)
    assert "Copyright (c) 2026 Acme Ltd." in (root / CORE / "include/ir/operation/Twice.h").read_text()
    spec.write_text(text)
    done(own, "apply", root)
    assert tree(root) == before
    (own / "intree.json").unlink()
    done(own, "apply", root, "--check")  # the tree says it
    done(own, "remove", root)
    assert not (root / CORE / "include/ir/operation/ScaledAdd.h").exists()
    done(own, "apply", root, "--copyright", "2026 Acme Ltd.")
    done(own, "apply", root, "--copyright", "")
    assert "Copyright" not in (root / CORE / "include/ir/operation/ScaledAdd.h").read_text()
    done(own, "apply", root, "--check")


def example(folder: Path) -> Path:
    """The project of the example, without what is generated."""
    for part in ("specs", "kernels"):
        shutil.copytree(EXAMPLE / part, folder / "project" / part)
    return folder / "project"


def test_an_enum_of_the_schema(tmp_path: Path) -> None:
    """Its numbers are those of the param's; the generator of test models casts to it."""
    root, own = mini(tmp_path / "ONE", "2024"), tmp_path / "project"
    (own / "specs").mkdir(parents=True)
    text = BUILTIN.replace("{dtype: bool8, default: false}", "{dtype: int32, enum: {PLUS: 0, MINUS: 4}}")
    (own / "specs/nn.yaml").write_text(text.replace("where(exclusive, x, x * 2)", "x * exclusive"))
    schema = root / "nnpackage/schema/circle_schema.fbs"
    schema.parent.mkdir(parents=True)
    roll = "enum BuiltinOperator : int32 { ROLL = 1, CUMSUM = 128 }\ntable CumsumOptions { exclusive: Way; }\n"
    schema.write_text(f"{roll}enum Way : byte {{ PLUS, MINUS }}\n")
    assert "has MINUS: 4, and the enum Way no such number" in refused(own, "apply", root)
    schema.write_text(f"{roll}enum Way : byte {{ PLUS, MAYBE = 0x3, MINUS, }}\n")
    done(own, "apply", root)
    made = (root / "tests/nnfw_api/lib/CircleGen.cc").read_text()
    type_ = "decltype(std::declval<const circle::CumsumOptions &>().exclusive())"
    assert (
        f"  using ExclusiveEnum = {type_};\n  options.add_exclusive(static_cast<ExclusiveEnum>(exclusive));\n" in made
    )
