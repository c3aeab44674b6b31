"""The text of generated packages: deterministic, compiles, clean for ruff and mypy, also for hand-made models."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from executorch_lib import SPECS, load, write

from opkg.spec import model
from opkg.spec.diagnostics import Span
from opkg.spec.dtypes import DTYPES
from opkg.spec.expr import Expression, Rest, ShapeList, Type
from opkg.spec.model import Combination, Op, OpPackage, ParamSpec, Ranks, TensorSpec, Text, TypeRef
from opkg.spec.torch_calls import TorchCall
from opkg.targets.executorch_builder import TARGET

NOWHERE = Span("hand.yaml")
ANY = Expression("[...]", ShapeList((Rest(),)), Type.SHAPE, NOWHERE)


def hand_made(**changes: object) -> OpPackage:
    """One op, built without a spec file."""
    x = TensorSpec("x", TypeRef(None, DTYPES["float32"]), ANY, Ranks(1, 5))
    op = Op(
        name="Plain", summary="", description="", type_vars=(), combinations=(Combination(()),), inputs=(x,), params=(),
        outputs=(replace(x, name="y"),), dims=(), rests=(), constraints=(), kernels=(), tensor_properties=(), rules=(),
        reference=None, tests=model.Tests(), spans={"": NOWHERE},
    )  # fmt: skip
    op = replace(op, **changes)  # type: ignore[arg-type]
    return OpPackage("hand.made", (1, 0, 0), "", (), "", (op,), "hand.yaml")


def test_the_same_bytes_twice() -> None:
    package = load(SPECS[0])
    assert TARGET.render(package) == TARGET.render(load(SPECS[0]))
    paths = [a.path for a in TARGET.render(package)]
    assert len(set(paths)) == len(paths)
    assert all(p.startswith("generated/test_everything/executorch/test_everything_executorch/") for p in paths)


def test_ruff_and_mypy(tmp_path: Path) -> None:
    """All specs, and an op without params, type variables and fixed shapes, in one folder."""
    assert TARGET.check(hand_made()) == []
    together = tmp_path / "all"
    together.mkdir()
    for package in [*(load(path) for path in SPECS), hand_made()]:
        for folder in write(package, tmp_path).iterdir():
            folder.rename(together / folder.name)
    bin_ = Path(sys.executable).parent
    ruff = [str(bin_ / "ruff")]
    select = ["--select", "E4,E7,E9,F,I,B,UP,SIM,C4", "--ignore", "SIM300"]
    _run([*ruff, "check", "--isolated", "--no-cache", "--line-length", "100", *select, "."], together)
    _run([*ruff, "format", "--isolated", "--no-cache", "--line-length", "100", "--diff", "."], together)
    config = together / "mypy.ini"
    config.write_text("[mypy]\nstrict = True\n[mypy-executorch.*,torch.*,torchao.*]\nignore_missing_imports = True\n")
    packages = [word for folder in together.iterdir() if folder.is_dir() for word in ("-p", folder.name)]
    _run([sys.executable, "-m", "mypy", "--config-file", "mypy.ini", *packages], together)


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_importable_without_the_wheel(tmp_path: Path) -> None:
    """Constants and shapes need nothing; the rest says what is missing."""
    folder = write(load(SPECS[0]), tmp_path)
    code = (
        "import test_everything_executorch as p\n"
        "from test_everything_executorch import checks, constants, shapes\n"
        "assert constants.OpConcat().op_name == 'Concat' and constants.OpConcat.param_axis == 'axis'\n"
        "assert constants.OpAllParams.MODE_CUBIC == 2\n"
        "t = checks.Tensor((2, 3), 'float32')\n"
        "from test_everything_executorch.torch_calls import CALLS; assert CALLS == {}\n"
        "assert shapes.check_concat(xs=[t, t]).y == (2, 6)\n"
        "import sys; assert not {'torch', 'numpy', 'executorch'} & set(sys.modules)\n"
        "try:\n    p.register()\n"
        "except ImportError as e:\n    assert 'executorch==1.5.1' in str(e), e\n"
        "else:\n    raise AssertionError\n"
    )
    python = shutil.which("python3") if shutil.which("python3") else sys.executable
    _run([str(python), "-S", "-c", code], folder)


def _ids(package: OpPackage) -> list[tuple[str, str]]:
    return [(d.id, d.severity.value) for d in TARGET.check(package)]


def test_diagnostics() -> None:
    base = hand_made().ops[0]
    int64 = ParamSpec("n", DTYPES["int64"])
    assert _ids(hand_made(params=(int64,))) == [("OPK242", "error")]
    assert _ids(hand_made(params=(replace(int64, dtype=DTYPES["ufixed8"]),))) == [("OPK242", "error")]
    wide = replace(base.inputs[0], dtype=TypeRef(None, DTYPES["ufixed32"]))
    assert _ids(hand_made(inputs=(wide,))) == [("OPK241", "error")]
    assert _ids(load(SPECS[0])) == [("OPK241", "info")]
    several = replace(base.outputs[0], name="z", variadic=(1, 4))
    assert _ids(hand_made(outputs=(*base.outputs, several))) == [("OPK243", "error")]
    assert _ids(hand_made(outputs=(replace(base.outputs[0], optional=True),))) == [("OPK244", "info")]
    relu = TorchCall("aten.relu.default", None, (), (), NOWHERE)
    both = (replace(base, torch=(relu,)), replace(base, name="Other", torch=(relu,)))
    assert _ids(replace(hand_made(), ops=both)) == [("OPK245", "error")]
    stock = replace(hand_made(), name="qti.aisw", targets=(Text("executorch-builder", NOWHERE),))
    assert _ids(stock) == []
    assert _ids(replace(stock, targets=(Text("qnn-htp-qhpi", NOWHERE),))) == [("OPK246", "error")]
    two = replace(hand_made(), ops=(base, replace(base, name="plain")))
    assert _ids(two) == [("OPK240", "error")]
