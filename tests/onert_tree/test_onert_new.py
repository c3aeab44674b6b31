"""`opkg onert new`: a project with target onert, one more op in it, and both into a tree."""

from __future__ import annotations

from pathlib import Path

import pytest
from onert_lib import done, onert
from onert_mini import mini, tree

from opkg.spec.diagnostics import OpkgError


@pytest.mark.usefixtures("by_hand")
def test_new_and_apply(tmp_path: Path) -> None:
    output = done(tmp_path, "new", "HardSwish", "--package", "acme.nn")
    assert output == "HardSwish (elementwise) is in nn/specs/nn.yaml in the new project nn\n"
    spec = tmp_path / "nn/specs/nn.yaml"
    assert "targets: [onert]" in spec.read_text()
    assert "RowSum (reduction)" in done(tmp_path / "nn", "new", "RowSum", "--kind", "reduction")
    root = mini(tmp_path / "ONE")
    before = tree(root)
    done(tmp_path / "nn", "apply", root)
    assert b"OP(HardSwish)\nOP(HashtableLookup)\n" in tree(root)["runtime/onert/core/include/ir/Operations.lst"]
    done(tmp_path, "audit", root, "--op", "HardSwish,RowSum", "--require")
    done(tmp_path / "nn", "remove", root)
    assert tree(root) == before
    with pytest.raises(OpkgError, match="op 'RowSum' exists already"):
        raise onert(tmp_path / "nn", "new", "RowSum").exception or AssertionError
