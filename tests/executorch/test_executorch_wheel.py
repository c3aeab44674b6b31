"""The generated package with the real wheel, in the interpreter that scripts/setup-executorch.sh makes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from executorch_lib import HERE, write

from opkg.spec.model import OpPackage

pytestmark = pytest.mark.executorch


def test_real_graphs(interpreter: str, everything: OpPackage, tmp_path: Path) -> None:
    """Registered beside the stock builders, and define_node builds (or rejects) every node of an exported model."""
    library = tmp_path / "libtest_everything.so"
    library.write_bytes(b"\0test_everythingInterfaceProvider\0")
    script = [interpreter, str(HERE / "wheel_script.py"), str(write(everything, tmp_path)), str(library)]
    done = subprocess.run(script, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    count = len(everything.ops)
    assert len(found["registered"]) == count
    assert found["grown"] == [count, count, 0]  # builders, quantizer rules, layout-agnostic ops
    assert found["undone"]
    assert found["stock"] > 100
    assert found["ours"]
    ops = [target.split(".")[1] for target in found["built"]]
    assert ops == ["halves", "concat", "all_params", "pieces", "weighted", "weighted"]
    assert len(found["rejected"]) == 2
    consequence = "the runtime has no kernel of it, and a program with it does not load (0x14)"
    assert found["rejected"][1].endswith(f"input 'weight' must be a constant; {consequence}")
    assert found["outputs"][-2:] == [2, 3]
