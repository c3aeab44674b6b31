"""Patterns of torch become ops: passes over graphs, programs that run with the ops' kernels, text of the generated modules."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from executorch_lib import HERE, ROOT, load, write

from opkg.cli.main import run
from opkg.spec.model import Op
from opkg.targets.executorch_builder import TARGET
from opkg.targets.executorch_builder.fusion import fused_ops
from opkg.targets.executorch_builder.fusion_samples import samples
from opkg.targets.executorch_builder.profiles import DEFAULT
from opkg.verify.machines.executorch import environment, observer

SPEC = HERE / "specs/fused.yaml"


def op(name: str) -> Op:
    return next(each for each in load(SPEC).ops if each.name == name)


def test_text(tmp_path: Path) -> None:
    """Modules of fusions are there for packages with patterns only; the pattern is a typed function."""
    folder = write(load(SPEC), tmp_path) / "test_fused_executorch"
    text = (folder / "patterns.py").read_text()
    assert "def pattern_blend(x: torch.Tensor, w: torch.Tensor, slope: float = 0.3) -> torch.Tensor:\n" in text
    assert "    y: torch.Tensor = torch.exp(-(x**2))\n    return y\n" in text
    assert "    return s, d\n" in text
    other = {Path(a.path).name for a in TARGET.render(load(HERE / "specs/mapped.yaml"))}
    assert other.isdisjoint({"patterns.py", "fusion.py", "fusing.py", "pipeline.py", "matching.py", "tracing.py"})
    ops = [each.name for each in fused_ops(load(SPEC), DEFAULT)]
    assert ops.index("Blend") < ops.index("AddRelu")
    assert {"Coarse", "Fine"}.isdisjoint(ops)


def test_samples() -> None:
    """The least and the highest rank; of one rank, two sizes. All of them are calls that the spec allows."""
    assert samples(op("AddRelu")) == [((4,), (4,)), ((4, 6, 8, 12), (4, 6, 8, 12))]
    assert [tuple(map(len, each)) for each in samples(op("Blend"))] == [(1, 1), (5, 1)]
    assert all(x[-1] == w[0] for x, w in samples(op("Blend")))
    first, second = samples(op("Doubled"))
    assert len(first[0]) == len(second[0]) == 2
    assert first != second


NO_SHAPES = """
opkg: 1
package: {name: test.shapes, targets: [executorch-builder]}
ops:
  Mixed:
    inputs:
      x: {dtype: float32, rank: 2..3}
      z: {dtype: float32, rank: 4}
    outputs:
      y: {dtype: float32, shape: z.shape}
    pattern: torch.relu(x).sum() * z
  Params:
    inputs:
      x: {dtype: float32, shape: [N, C]}
      z: {dtype: float32, shape: "[N, k]"}
    params:
      k: {dtype: int32, default: C * 2}
    outputs:
      y: {dtype: float32, shape: x.shape}
    pattern: torch.relu(x) + z.mean()
"""


def test_no_shapes(tmp_path: Path) -> None:
    """A pattern that cannot be traced is a warning; ranks that differ between inputs can be."""
    path = tmp_path / "shapes.yaml"
    path.write_text(NO_SHAPES)
    package = load(path)
    assert [(found.id, found.span.line) for found in TARGET.check(package)] == [("OPK247", 20)]
    assert [tuple(map(len, each)) for each in samples(package.ops[0])] == [(2, 4), (3, 4)]


@pytest.fixture(scope="module")
def found(interpreter: str, tmp_path_factory: pytest.TempPathFactory) -> dict:
    """What the script says, which runs once."""
    here = environment.find(ROOT)
    if isinstance(here, environment.Missing):
        message = f"{here.reason}: {here.install}"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    root = tmp_path_factory.mktemp("fused")
    (root / "specs").mkdir()
    for spec in (SPEC, HERE / "specs/left.yaml"):
        (root / "specs" / spec.name).write_text(spec.read_text())
    assert run(["-C", str(root), "generate"]) == 0
    assert run(["-C", str(root), "build"]) == 0
    library = root / "build/test_fused/qhpi-x86/libtest_fused.so"
    script = [here.python, HERE / "fusion_script.py", observer.library(ROOT), library]
    variables = here.variables([root / f"generated/{name}/executorch" for name in ("test_fused", "test_left")])
    done = subprocess.run(
        list(map(str, script)), capture_output=True, text=True, errors="replace", timeout=600, env=variables
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    result: dict = json.loads(done.stdout.strip().splitlines()[-1])
    return result


pytestmark = [pytest.mark.executorch, pytest.mark.xdist_group("executorch")]


def test_example_of_the_documentation(found: dict) -> None:
    """One op in place of two; traced again, the two; an out variant for programs without a backend."""
    fused = (
        "executorch.exir.dialects.edge._ops.test_fused.add_relu.default](args = (%inputs_0, %inputs_1), kwargs = {})"
    )
    assert found["seed"] == {
        "before": ["add.Tensor", "relu.default"],
        "graph": [
            f"    %test_fused_add_relu_default : [num_users=1] = call_function[target={fused}",
            "    return (test_fused_add_relu_default,)",
        ],
        "equal": True,
        "kept": ["add_relu.default"],
        "again": ["add.Tensor", "relu.default"],
        "size": True,
    }


def test_neighbours(found: dict) -> None:
    """What is fused in a graph with many candidates, and what is left alone."""
    assert found["neighbours"] == {
        "commuted": ["add_relu"],
        "two": ["add_relu", "add_relu"],
        "same": ["add_relu"],
        "used inside": ["add", "relu"],
        "factor": ["add", "relu"],
        "number": ["add", "relu"],
        "rank": ["add", "relu"],
        "shapes": ["slice_copy", "add", "relu"],
        "integers": ["add", "relu"],
        "gate": ["gate"],
        "gate by hand": ["gate"],
        "gate of others": ["sigmoid", "mul"],
        "gates overlap": ["sigmoid", "mul", "mul"],
        "blend": ["blend"],
        "blend commuted": ["blend"],
        "larger": ["blend"],
        "other slope": ["blend"],
        "swirl": ["swirl", "getitem", "getitem"],
        "half a swirl": ["tanh", "mul"],
        "doubled": ["doubled"],
        "not doubled": ["view_copy", "mul", "relu", "view_copy"],
        "called": ["blend"],
    }


def test_dynamic_shapes(found: dict) -> None:
    """A dynamic dimension stays one."""
    assert found["dynamic"] == ["select_copy", "blend"]


def test_the_op_is_its_pattern(found: dict) -> None:
    """Values and gradients are torch's; the spec says which calls are allowed; register() can be taken back."""
    assert found["eager"] == {
        "gradient": True,
        "said": "add_relu: 'b' has shape [3], not [2]",
        "opcheck": ["SUCCESS"],
    }
    assert (found["restored"], found["again"]) == (True, ["add.Tensor", "relu.default"])


def test_pipeline(found: dict) -> None:
    """After what is redundant, before everything else; the last pass stays the last."""
    first, *ours, last = found["order"]
    assert (first, last) == ("RemoveRedundancy", "ResolveDebugHandle")
    assert ours[0] == "FuseRms"
    assert ours.index("FuseBlend") < ours.index("FuseAddRelu")
    assert ours[-1] == "ExpandUndelegated"


def functions(calls: dict[str, int]) -> dict[str, int]:
    """Calls by function: an op has records for ranks, flat and in blocks."""
    found: dict[str, int] = {}
    for record, count in calls.items():
        name = record.partition("__")[0].removesuffix("_crouton")
        found[name] = found.get(name, 0) + count
    return found


@pytest.mark.parametrize(("mode", "suffix"), [("float", "f32"), ("8a8w", "u8")])
def test_programs_call_the_kernels(found: dict, mode: str, suffix: str) -> None:
    """One delegate, every pattern in one call of its kernel, near the (quantized) model in PyTorch."""
    done = found[mode]
    assert (done["delegates"], done["cpu"], done["said"]) == (1, [], [])
    kernels = {f"{name}_{suffix}": 1 for name in ("add_relu", "bell", "gate")}
    kernels |= {f"blend_{suffix}": 2, f"rms_{suffix}": 1}
    if mode == "float":
        kernels |= {"swirl": 1}
    assert functions(done["kernels"]) == kernels
    assert max(done["steps"]) < (1 if mode == "float" else 10)


def test_without_a_kernel_the_parts_are_quantized(found: dict) -> None:
    """16 bits, which one op has a kernel for: the other patterns are left to the backend, a call becomes its torch ops."""
    done = found["16a8w"]
    assert functions(done["kernels"]) == {"add_relu_u16": 1}
    assert done["ours"] == ["test_fused.add_relu.default"]
    assert done["said"] == []  # the quantizer has told of it
    assert max(done["steps"]) < 0.5


def test_without_the_op_package(found: dict) -> None:
    """What the backend does not take becomes the torch ops of the pattern, and these are delegated."""
    done = found["alone"]
    assert (done["delegates"], done["ours"], done["cpu"], done["kernels"]) == (1, [], [], {})
    assert max(done["steps"]) < 1


def test_two_ops_ask_for_different_scales(found: dict) -> None:
    """Each gets what it asks for; both are delegated and within a step of what they asked for (1/16, five of the output)."""
    assert found["asked"] == {"coarse": [0.0625, 0.0625], "fine": [0.03125, 0.03125]}
    done = found["asks"]
    assert functions(done["kernels"]) == {"coarse_u8": 2, "fine_u8": 2}
    assert (done["delegates"], done["cpu"], done["said"]) == (1, [], [])
    assert max(done["steps"]) < 8


def test_calls_that_cannot_be_the_op(found: dict) -> None:
    """Known early, they are what the model would be without the op, quantized with all else; known late, on the CPU
    in ops that the runtime has, not in those that the backend's passes make or keep whole (prelu, elu, powers of tensors).
    """
    done = found["left"]
    gap = "becomes the torch calls of its pattern (leaky): input 'w' is given, but 'z' before it is not"
    assert done["early"] == [
        ["aten.select.int", "aten.leaky_relu.default", "aten.add.Tensor"],
        True,
        [f"[test.left] leaky {gap}"],
    ]
    leaky, level = done["early"][0][1:], ["aten.layer_norm.default", "aten.add.Tensor"]
    whole = [done["early"][0][0], "test_left._whole_level.default"]  # a size that the pattern has is not known
    found = [[leaky, True, True, 1], [leaky, True, True, 1], [level, True, True, 1], [whole, True, True, 0]]
    assert done["early_dynamic"] == found
    assert done["sums"] == []
    names = ("leaky", "elu", "root", "both")
    becomes = "becomes the torch calls of its pattern"
    assert done["warned"] == [f"[test.left] {name} {becomes} ({name}): no kernel for ufixed8" for name in names]
    assert {name.partition(".")[2].partition(".")[0] for name in done["cpu"]} == {
        *("add", "mul", "mean", "rsqrt", "pow", "gt", "where", "expm1", "tanh")
    }
    assert "aten.pow.Tensor_Scalar" in done["cpu"]
    late = "is not delegated (test_left_{}_default): 'x' has element type ufixed8, not float32"
    assert done["said"][1:] == [f"[test.left] {name.capitalize()} {late.format(name)}" for name in names]
    assert max(done["steps"]) < 6
