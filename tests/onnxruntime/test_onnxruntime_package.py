"""The generated package in ONNX Runtime: the example passes, docs/onnxruntime.md is right, and nothing goes wrong silently."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from opkg.cli.main import run as main
from opkg.spec.diagnostics import Severity
from opkg.spec.reader import read
from opkg.targets.onnxruntime import TARGET
from opkg.verify.machines.onnxruntime.machine import OnnxruntimeMachine

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "onnxruntime.md").read_text("utf-8")
SPEC = """\
opkg: 1
package: {{name: test.names, version: 1.0.0, targets: [qnn-htp-qhpi, onnxruntime]}}
ops:
  {name}:
    types: {{T: [{types}]}}
    inputs: {{x: {{dtype: T, rank: 1..4}}}}
    params: {{{params}}}
    outputs: {{y: {{dtype: T, shape: x.shape}}}}
    compute: y = {compute}
"""
pytestmark = pytest.mark.xdist_group("onnxruntime")


@pytest.fixture(scope="module")
def verified(project: Path) -> str:
    """What `opkg verify` of the page printed; the library is built then."""
    command = [sys.executable, "-m", "opkg", "-C", str(project), "verify", "--on", "onnxruntime", "--cases", "4"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run(project: Path, program: str) -> str:
    """Runs a program with the generated package beside it; LIBRARY is the built library."""
    library = project / "build" / "nn_vision" / "qhpi-x86" / "libnn_vision.so"
    folder = project / "generated" / "nn_vision" / "onnxruntime"
    text = f"LIBRARY = {str(library)!r}\n{program}"
    done = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, check=False, cwd=project,
        env={**os.environ, "PYTHONPATH": str(folder)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_run_of_the_page(verified: str) -> None:
    """The table is what the page shows, but for versions, errors and times."""

    def rows(text: str) -> list[list[str]]:
        row = re.compile(r" (f32|f16|u8|s8|u16) +[\d.e-]+(ulp|lsb|abs)?(?: of [\d.e-]+)? ")
        lines = [line.split() for line in text.splitlines() if row.search(line)]
        return [[word for word in line if not re.match(r"[\d.e-]+(ulp|lsb|abs)?$", word)] for line in lines]

    shown = rows("\n".join(line for line in PAGE.splitlines() if line.startswith("    ")))
    assert rows(verified) == shown
    assert len(shown) == 11
    assert re.search(r"\n4 ops, 11 kernels, 11 cases, 0 failures", verified)


def test_conversions_of_the_page(verified: str) -> None:
    """What HTP puts around each op is what the page says: by records of prepared graphs, which do not vary."""
    head = "between convolutions, in a model in NCHW, one op adds"
    counted = [text.split(head)[1].split("\n\n")[0].split() for text in (verified, PAGE)]
    assert counted[0] == counted[1]


def test_the_program_of_the_page(verified: str, project: Path) -> None:
    (program,) = re.findall(r"<!-- run by tests/onnxruntime -->\n```python\n(.*?)```", PAGE, re.S)
    run(project, program)


def test_a_model_that_exists(verified: str, project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The page's model gets two ops, which run in the package; so do those of the same model in QDQ form."""
    (program,) = re.findall(r"<!-- run by tests/onnxruntime: before -->\n```python\n(.*?)```", PAGE, re.S)
    run(project, program)
    (shown,) = re.findall(r"```\n\$ opkg onnx patch small.onnx .*?\n(.*?)```", PAGE, re.S)
    patch = ["-C", str(project), "onnx", "patch", "--op", "Bounded,RootMean", "--spec", "specs"]
    capfd.readouterr()
    assert main([*patch, "small.onnx"]) == 0
    printed = capfd.readouterr().out
    assert printed == shown
    run(project, _QUANTIZE)
    assert main([*patch, "small.qdq.onnx"]) == 0
    assert "Bounded   Clip                 u8" in capfd.readouterr().out
    assert main(["-C", str(project), "onnx", "patch", "--op", "ChannelGate", "--spec", "specs", "gated.qdq.onnx"]) == 0
    said = run(project, _PATCHED).splitlines()
    assert [line for line in said if line.startswith("said")] == [
        "said small: 2 of 2 nodes of nn.vision run in the op package, near",
        "said small.qdq: 2 of 2 nodes of nn.vision run in the op package, near",
        "said gated.qdq: 1 of 1 nodes of nn.vision run in the op package, near",
    ]


_QUANTIZE = """
import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static

random = np.random.default_rng(3)
constants = {"w": random.standard_normal((8, 3, 1, 1)), "slope": np.linspace(-1, 2, 8).reshape(8, 1, 1)}
nodes = [helper.make_node("Conv", ["x", "w"], ["c"], "/conv"), helper.make_node("Mul", ["slope", "c"], ["p"], "/gate/Mul"),
         helper.make_node("Sigmoid", ["p"], ["s"], "/gate/Sigmoid"), helper.make_node("Mul", ["c", "s"], ["g"], "/gate/Mul_1"),
         helper.make_node("Add", ["c", "g"], ["y"], "/sum")]
graph = helper.make_graph(nodes, "gated", [helper.make_tensor_value_info("x", 1, [1, 3, 6, 10])],
                          [helper.make_tensor_value_info("y", 1, [1, 8, 6, 10])],
                          [numpy_helper.from_array(value.astype(np.float32), name) for name, value in constants.items()])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8), "gated.onnx")

class Reader(CalibrationDataReader):
    def __init__(self, shape):
        self.left = [{"x": random.standard_normal(shape).astype(np.float32)} for _ in range(4)]
    def get_next(self):
        return self.left.pop() if self.left else None

for name, shape in (("small", (1, 64, 32)), ("gated", (1, 3, 6, 10))):
    quantize_static(f"{name}.onnx", f"{name}.qdq.onnx", Reader(shape), activation_type=QuantType.QUInt8,
                    weight_type=QuantType.QUInt8, extra_options={"QDQKeepRemovableActivations": True},
                    op_types_to_quantize=["MatMul", "Clip", "Pow", "ReduceMean", "Sqrt", "Conv", "Mul", "Sigmoid", "Add"])
"""
_PATCHED = """
import numpy as np, onnx, onnxruntime as ort
from nn_vision_onnxruntime.session import create_session, placement

# What outputs may be off: of gated.qdq two steps of its output, whose range is 28.
for name, most, shape in (("small", 1e-5, (1, 64, 32)), ("small.qdq", 0.03, (1, 64, 32)), ("gated.qdq", 0.22, (1, 3, 6, 10))):
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    before = ort.InferenceSession(f"{name}.onnx", providers=["CPUExecutionProvider"]).run(None, {"x": x})[0]
    session = create_session(f"{name}.patched.onnx", LIBRARY)
    found = placement(session, onnx.load(f"{name}.patched.onnx"))
    off = np.abs(session.run(None, {"x": x})[0] - before).max()
    print(f"said {name}: {found}, {'near' if 0 < off < most else off}")
"""


def test_what_goes_wrong_is_said(verified: str, project: Path) -> None:
    """One process: a wrong path and symbol, a refused node (params outside of the spec, an unknown attribute), open dims."""
    assert verified
    (project / "other.so").write_bytes(b"\x7fELF nothing")
    told = run(project, _WRONG).splitlines()
    assert [line for line in told if line.startswith("said")] == [
        "said FileNotFoundError: nowhere.so: no such library; it is built by: opkg build",
        "said ValueError: other.so exports no nn.visionInterfaceProvider",
        "said ValueError: the provider's syntax takes no ','",
        "said ValueError: Bounded has no param 'lower'",
        "said ValueError: RootMean takes 1 to 1 inputs, 2 are given",
        "said NotPlaced: 0 of 1 nodes of nn.vision run in the op package; not: y",
        "said NotPlaced: 0 of 1 nodes of nn.vision run in the op package; not: y",
        "said NotPlaced: 0 of 1 nodes of nn.vision run in the op package; not: y",
        "said NotPlaced: the backend cannot prepare the graph",
        "said NotPlaced: 1 of 2 nodes of nn.vision run in the op package; not: first",
        "said computed by the function: 0",
        "said transposed: Transpose ChannelGate Transpose",
        "said inferred: [2, 8, 8, 1]",
    ]


_WRONG = """
import os, shutil
import numpy as np, onnx
from nn_vision_onnxruntime import add_functions, make_node
from nn_vision_onnxruntime import schemas
from nn_vision_onnxruntime.session import create_session
from onnx import helper

def model(op, inputs=("x",), shape=(2, 8, 8, 4), out=None, change=None, **given):
    call = make_node(op, inputs, ["y"], **given)
    if change:
        change(call.nodes[0])
    values = [helper.make_tensor_value_info("x", 1, shape)]
    graph = helper.make_graph(call.nodes, "g", values, [helper.make_tensor_value_info("y", 1, out or shape)], call.initializers)
    return add_functions(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10))

def tell(what):
    try:
        what()
    except Exception as failure:
        text = str(failure).replace(os.getcwd() + "/", "").replace("a,b/lib.so: ", "")
        for end in ("; is it", ". the ", " in a path", " (1002). A node that the package refuses"):
            text = text.split(end)[0]
        print("said", type(failure).__name__ + ":", text)

plain = model("Bounded")
tell(lambda: create_session(plain, "nowhere.so"))
tell(lambda: create_session(plain, "other.so"))
os.makedirs("a,b", exist_ok=True)
shutil.copy(LIBRARY, "a,b/lib.so")
tell(lambda: create_session(plain, "a,b/lib.so"))
tell(lambda: make_node("Bounded", ["x"], ["y"], lower=1.0))
tell(lambda: make_node("RootMean", ["x", "x"], ["y"]))
refused = model("Bounded", low=-1000.0, high=-2.0)
tell(lambda: create_session(refused, LIBRARY))
unknown = lambda node: node.attribute.append(helper.make_attribute("unknown", 1.5))
tell(lambda: create_session(model("RootMean", out=(2, 8, 8, 1), change=unknown), LIBRARY))
tell(lambda: create_session(model("ScaledSum", alpha=100.0, rectified=True), LIBRARY))
late = model("Bounded", low=-1000.0, high=-2.0)
late.graph.node[0].output[0] = "between"
late.graph.node.append(helper.make_node("Atan", ["between"], ["y"]))
tell(lambda: create_session(add_functions(late), LIBRARY))
pair = model("Bounded", low=-1000.0, high=-2.0)
pair.graph.node[0].output[0], pair.graph.node[0].name = "between", "first"
make_node("Bounded", ["between"], ["y"], name="second").add_to(pair.graph)
tell(lambda: create_session(add_functions(pair), LIBRARY))
session = create_session(refused, LIBRARY, required=False)
x = np.ones((2, 8, 8, 4), np.float32)
print("said computed by the function:", np.count_nonzero(session.run(None, {"x": x})[0] != -2.0))
gate = make_node("ChannelGate", ["x", "slope"], ["y"], layout="NCHW")
print("said transposed:", *(node.op_type for node in gate.nodes))
schemas.register_schemas()
bare = model("RootMean", out=("a", "b", "c", "d"))
del bare.functions[:]
found = onnx.shape_inference.infer_shapes(bare, strict_mode=True).graph
print("said inferred:", [d.dim_value for d in found.output[0].type.tensor_type.shape.dim] if found.output else "")
"""


def found(
    name: str = "OfMine", types: str = "float32", params: str = "", compute: str = "x + x"
) -> list[tuple[str, Severity]]:
    package, findings = read(SPEC.format(name=name, types=types, params=params, compute=compute).encode(), "names.yaml")
    assert package is not None, [finding.message for finding in findings]
    return [(finding.id, finding.severity) for finding in TARGET.check(package)]


def test_names_of_onnx_are_refused() -> None:
    assert found() == []
    for name in ("Relu", "Neg", "RMSNormalization", "CastLike"):
        assert found(name) == [("OPK720", Severity.ERROR)], name


def test_params_that_cannot_be_passed_are_refused() -> None:
    assert found(params="n: {dtype: int64, default: 1}", compute="x * n") == [("OPK722", Severity.ERROR)]
    assert found(params="n: {dtype: uint32, default: rank(x)}", compute="x * n") == [("OPK723", Severity.INFO)]


def test_it_needs_its_target_and_its_packages(monkeypatch: pytest.MonkeyPatch, project: Path) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    missing = OnnxruntimeMachine().available()
    assert not missing.ok
    assert "onnx" in missing.reason
    assert "opkg[onnxruntime]" in missing.install
