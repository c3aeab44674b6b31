"""What the target wants of the example's operations, in a tree of each era: everything has a place, and comes out again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from onert_lib import done
from onert_mini import CORE, CPU, mini, tree

EXAMPLE = Path(__file__).parents[2] / "examples/onert"
NAMES = "ScaledAdd,LogSumExp,Moments,HardSwish"


@pytest.mark.parametrize("era", ["oplist", "between", "classic"])
def test_example(tmp_path: Path, era: str) -> None:
    root, own = mini(tmp_path / "ONE", era), tmp_path / "project"
    shutil.copytree(EXAMPLE / "specs", own / "specs")
    before = tree(root)
    output = done(own, "apply", root)
    assert "warning: ChannelShuffle says nothing that it computes (compute:), and is not put in [OPK372]" in output
    done(own, "apply", root, "--check")
    required = "core" if era == "classic" else "core,untrainable-test"
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
    assert nested == (era != "classic")
    loader = next(text for name, text in after.items() if "::loadScaledAdd(" in text)
    assert "BuiltinOP::ScaledAdd}," in loader
    done(own, "remove", root)
    assert tree(root) == before


def test_copyright(tmp_path: Path) -> None:
    root, own = mini(tmp_path / "ONE"), tmp_path / "project"
    shutil.copytree(EXAMPLE / "specs", own / "specs")
    done(own, "apply", root, "--copyright", "2026 Acme Ltd.")
    header = (root / CORE / "include/ir/operation/ScaledAdd.h").read_text()
    assert header.startswith(
        "/*\n * Copyright (c) 2026 Acme Ltd.\n *\n * Licensed under the Apache License, Version 2.0"
    )
    done(own, "apply", root, "--copyright", "2026 Acme Ltd.", "--check")
