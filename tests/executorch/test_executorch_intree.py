"""Packages in a checkout: the wheel's Python tree stands in for one; its own import finds the builders, and a model runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from executorch_lib import HERE, ROOT

from opkg.verify.machines.executorch import environment

pytestmark = [pytest.mark.executorch, pytest.mark.xdist_group("executorch")]

SOFTPLUS = ROOT / "tests/intree/specs/softplus.yaml"


def _linked(source: Path, target: Path, but: str) -> None:
    """A folder of links to everything in another but one."""
    target.mkdir(parents=True)
    for path in source.iterdir():
        if path.name not in (but, "__pycache__"):
            (target / path.name).symlink_to(path)


def stand_in(interpreter: str, folder: Path) -> Path:
    """`folder/executorch`: the wheel's tree, with the Qualcomm backend copied."""
    ask = [interpreter, "-c", "import executorch; print(list(executorch.__path__)[0])"]
    wheel = Path(subprocess.run(ask, capture_output=True, text=True, check=True, timeout=60).stdout.strip())
    root = folder / "executorch"
    _linked(wheel, root, "backends")
    _linked(wheel / "backends", root / "backends", "qualcomm")
    ignore = shutil.ignore_patterns("__pycache__", "tests")
    shutil.copytree(wheel / "backends/qualcomm", root / "backends/qualcomm", ignore=ignore)
    return root


def project(folder: Path) -> Path:
    """The example's package of activations, and an operator of QNN for aten.softplus."""
    shutil.copytree(ROOT / "examples/activations", folder, ignore=shutil.ignore_patterns("build"))
    shutil.copy(SOFTPLUS, folder / "specs")
    return folder


def opkg(*words: str | Path) -> None:
    done = subprocess.run([sys.executable, "-m", "opkg", *map(str, words)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_a_checkout_runs(interpreter: str, tmp_path: Path) -> None:
    found = environment.find(ROOT)
    if isinstance(found, environment.Missing):
        if os.environ.get("CI"):
            pytest.fail(found.reason)
        pytest.skip(found.reason)
    root, own = stand_in(interpreter, tmp_path / "tree"), project(tmp_path / "project")
    qualcomm = root / "backends/qualcomm"
    before = files(qualcomm)
    opkg("-C", own, "executorch", "intree", root)
    after = files(qualcomm)
    opkg("-C", own, "executorch", "intree", root)
    assert files(qualcomm) == after
    opkg("-C", own, "build", "--interface", "qhpi", "specs/activations.yaml")
    library = own / "build/nn_activations/qhpi-x86/libnn_activations.so"
    script = [interpreter, str(HERE / "intree_script.py"), str(library)]
    variables = found.variables([root.parent])
    done = subprocess.run(script, capture_output=True, text=True, timeout=300, env=variables)
    assert done.returncode == 0, done.stdout + done.stderr
    _judge(json.loads(done.stdout.strip().splitlines()[-1]), qualcomm)
    opkg("-C", own, "executorch", "intree", root, "--remove")
    assert files(qualcomm) == before


def _judge(result: dict, qualcomm: Path) -> None:  # type: ignore[type-arg]
    builders = "executorch.backends.qualcomm.builders"
    assert result["folder"] == str(qualcomm / "builders/__init__.py")
    assert result["visitors"] == {
        "nn_activations.hard_swish.default": f"{builders}.op_nn_activations_hard_swish",
        "aten.softplus.default": f"{builders}.op_element_wise_neuron",
        "aten.relu.default": f"{builders}.op_relu",
    }
    assert {"op_nn_activations_prelu", "op_element_wise_neuron"} <= {*result["modules"]}
    assert result["constants"] == ["max_value", "ElementWiseNeuron"]
    assert result["rules"] == [True, True]
    assert [name.split(":")[1].strip(" >") for name in result["layout"]] == [
        "aten.softplus.default", "nn_activations.hard_swish.default",
    ]  # fmt: skip
    assert result["whole"]
    assert result["generated"] == []  # nothing comes from a generated package
    assert result["decomposed"]
    assert not any("softplus" in name for name in result["decomposed"])
    for mode in ("fp16", "8a8w"):
        run = result[mode]
        assert run["operators"] == ["executorch_call_delegate", "getitem"]
        assert run["warnings"] == []
        assert run["error"] <= 0.02 * run["range"]


@pytest.mark.sweep
def test_fusions_in_a_checkout(interpreter: str, tmp_path: Path) -> None:
    """A model without calls of the ops: their patterns are found by the tree itself, in a lowering and by the quantizer."""
    found = environment.find(ROOT)
    if isinstance(found, environment.Missing):
        if os.environ.get("CI"):
            pytest.fail(found.reason)
        pytest.skip(found.reason)
    root, own = stand_in(interpreter, tmp_path / "tree"), tmp_path / "project"
    (own / "specs").mkdir(parents=True)
    shutil.copy(HERE / "specs/choices.yaml", own / "specs")
    qualcomm = root / "backends/qualcomm"
    before = files(qualcomm)
    opkg("-C", own, "executorch", "intree", root)
    opkg("-C", own, "generate")
    opkg("-C", own, "build", "--interface", "qhpi")
    library = own / "build/test_choices/qhpi-x86/libtest_choices.so"
    script = [interpreter, str(HERE / "intree_fusion_script.py"), str(library)]
    done = subprocess.run(script, capture_output=True, text=True, timeout=500, env=found.variables([root.parent]))
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(done.stdout.strip().splitlines()[-1])
    assert result["folder"] == str(qualcomm / "builders/__init__.py")
    assert result["float"]["ours"] == ["gelu", "norm", "residual"]
    assert result["8a8w"]["ours"] == ["residual"]
    for mode in ("float", "8a8w"):
        run = result[mode]
        assert (run["delegates"], run["cpu"]) == (1, [])
        assert run["off"] < (0.002 if mode == "float" else 0.05)
    opkg("-C", own, "executorch", "intree", root, "--remove")
    assert files(qualcomm) == before


def test_ours_before_a_checkouts_own(interpreter: str, tmp_path: Path) -> None:
    """All of QNN's operators that the example has, before the wheel's builders of the same torch ops; and out again."""
    found = environment.find(ROOT)
    if isinstance(found, environment.Missing):
        if os.environ.get("CI"):
            pytest.fail(found.reason)
        pytest.skip(found.reason)
    root, own = stand_in(interpreter, tmp_path / "tree"), tmp_path / "project"
    shutil.copytree(ROOT / "examples/qnn", own, ignore=shutil.ignore_patterns("build", "generated"))
    qualcomm = root / "backends/qualcomm"
    before = files(qualcomm)
    opkg("-C", own, "executorch", "intree", root, "--existing", "replace")
    script = [interpreter, str(HERE / "existing_script.py")]
    done = subprocess.run(script, capture_output=True, text=True, timeout=300, env=found.variables([root.parent]))
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(done.stdout.strip().splitlines()[-1])
    _judge_before(result)
    opkg("-C", own, "executorch", "intree", root, "--remove")
    assert files(qualcomm) == before


def _judge_before(result: dict) -> None:  # type: ignore[type-arg]
    """Ours build everything; behind each torch op stands upstream's builder of it; a convolution goes along ours."""
    assert result["ours"] > 200
    assert result["rules"] > 120
    last = {target: module for target, module in result["last"].items() if "qti_aisw" not in module}
    assert set(result["last"]) == set(result["stock"])
    assert len(last) > 100  # the others are calls of ATen with a quantizer rule, and no builder upstream
    assert (last["aten.relu.default"], last["aten.convolution.default"]) == ("op_relu", "op_conv")
    made = [(target, module) for target, module, op in result["made"] if op]
    assert ("aten.convolution.default", "op_qti_aisw_conv2d") in made
    assert ("aten._softmax.default", "op_qti_aisw_softmax") in made
    assert all("qti_aisw" in module for target, module in made)
    for mode in ("fp16", "8a8w"):
        run = result[mode]
        assert run["operators"] == ["executorch_call_delegate", "getitem"]
        assert [text for text in run["warnings"] if "DepthWiseConv2d is left to another op" not in text] == []
        assert run["error"] <= 0.005
