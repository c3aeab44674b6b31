"""What judging is made of, without ExecuTorch: verdicts, the recorded table, counts of nodes, crashes, stand-ins."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from opkg.report.executorch_upstream import as_json, short, summary, table
from opkg.spec.reader import read, read_file
from opkg.targets.executorch_builder import TARGET
from opkg.verify.machines.executorch import upstream_tests
from opkg.verify.machines.executorch.environment import HARNESS, Environment
from opkg.verify.machines.executorch.upstream_tests import Ran, Stock

ROOT = Path(__file__).resolve().parents[2]
KNOWN = {
    "F.test_a": Stock("passed", {"aten.relu.default": 1}),
    "F.test_b": Stock("failed", {"aten.relu.default": 1}),
    "F.test_c": Stock("passed", {"aten.cat.default": 2}),
    "F.test_d": Stock("crashed", {"aten.relu.default": 1}),
}
OPS = {"aten.relu.default": "Relu", "aten.elu.default": "Elu"}


def ran(test: str, outcome: str, ours: int = 0, left: int = 0) -> Ran:
    made = {"aten.relu.default": ours} if ours else {}
    others = {"aten.relu.default": left} if left else {}
    return Ran(test, outcome, "", 1.0, made, others, ())


@pytest.mark.parametrize(
    ("each", "word", "worse"),
    [
        (ran("F.test_a", "passed", ours=2), "passed", False),
        (ran("F.test_a", "passed", ours=1, left=1), "left over", True),
        (ran("F.test_a", "passed", left=1), "not used", True),
        (ran("F.test_a", "passed"), "not used", True),
        (ran("F.test_a", "failed", ours=1), "failed", True),
        (ran("F.test_a", "crashed"), "crashed", True),
        (ran("F.test_a", "skipped"), "skipped", False),
        (ran("F.test_b", "failed", ours=1), "failed", False),
        (ran("F.test_c", "passed"), "not ours", False),
        (ran("F.test_d", "failed", ours=1), "failed", False),
        (ran("F.test_d", "crashed", ours=1), "crashed", False),
        (ran("F.test_new", "passed"), "not ours", False),
        (ran("F.test_new", "passed", left=1), "not used", True),
        (ran("F.test_new", "passed", ours=1), "passed", False),
    ],
)
def test_verdicts(each: Ran, word: str, worse: bool) -> None:
    verdict = upstream_tests.verdict(each, OPS, KNOWN)
    assert (verdict.word, verdict.worse) == (word, worse)


def test_the_page_tells_the_record() -> None:
    """docs/judged.md has the numbers of examples/qnn/judged.tsv, and that has what is known of stock builders."""
    sys.path.insert(0, str(ROOT / "scripts"))
    import record_judged

    rows, known = record_judged.recorded(), upstream_tests.stock()
    page = record_judged.PAGE.read_text("utf-8")
    assert record_judged.told(rows) in page, "python scripts/record_judged.py"
    unknown = sum(each.outcome == "unknown" for each in known.values())
    measured = f"{len(known)} of the 374 operator tests: {len(known) - unknown} measured, and {unknown} whose"
    assert measured in page
    assert [row.stock for row in rows] == [known[row.test].outcome if row.test in known else "unknown" for row in rows]
    assert sorted({row.test for row in rows}) == [row.test for row in rows]
    assert sum(row.ours == "passed" for row in rows) >= 320
    assert not any(row.left for row in rows if row.ours == "passed")


def test_the_recorded_table_is_complete() -> None:
    known = upstream_tests.stock()
    assert len(known) > 200
    assert sum(each.outcome == "passed" for each in known.values()) > 190
    package, findings = read_file(ROOT / "examples" / "qnn" / "specs" / "qnn.yaml")
    assert package is not None, findings
    ops = upstream_tests.torch_ops([package])
    assert ops["aten._softmax.default"] == "Softmax"
    assert ops["qti_aisw.layer_norm.default"] == "LayerNorm"
    tests = upstream_tests.concerning(ops, known)
    for name in ("relu", "hardswish", "layer_norm", "softmax", "elu", "prelu"):
        assert f"TestQNNFloatingPointOperator.test_qnn_backend_{name}" in tests
        assert f"TestQNNQuantizedOperator.test_qnn_backend_{name}" in tests
    assert "TestQNNFloatingPointOperator.test_qnn_backend_max_pool2d" in tests


SAME = """opkg: 1
package: {name: acme.same, targets: [executorch-builder]}
ops:
  Pack:
    inputs: {xs: {dtype: ufixed8, shape: [C], variadic: 1..4, quantization: same as y}}
    outputs: {y: {dtype: ufixed8, shape: [...]}}
  Both:
    inputs:
      a: {dtype: ufixed8, quantization: same as y}
      b: {dtype: ufixed8, quantization: same as y}
      c: {dtype: ufixed8}
    outputs: {y: {dtype: ufixed8, shape: a.shape}}
  Fixed:
    inputs: {a: {dtype: ufixed8, quantization: same as y}}
    outputs: {y: {dtype: ufixed8, shape: a.shape, quantization: {scale: 0.5}}}
"""


def test_inputs_that_are_quantized_as_the_output() -> None:
    package, findings = read(SAME.encode(), "same.yaml")
    assert package is not None, findings
    text = next(each.text for each in TARGET.render(package) if each.path.endswith("/ops.py"))
    found = re.findall(r"quantization=\{(.*)\}", text)
    assert found == [
        '"xs": Wanted(same_as="xs"), "y": Wanted(same_as="xs")',
        '"a": Wanted(), "b": Wanted(same_as="a"), "y": Wanted(same_as="a")',
        '"a": Wanted(scale=0.5), "y": Wanted(scale=0.5, same_as="a")',
    ]


def test_lines_of_the_table_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text("\n".join(upstream_tests.stock_lines([ran("F.test_b", "passed", left=3)], KNOWN)) + "\n")
    known = upstream_tests.stock(path)
    assert known == {**KNOWN, "F.test_b": Stock("passed", {"aten.relu.default": 3})}


def test_table_and_json() -> None:
    verdicts = [
        upstream_tests.verdict(
            ran("TestQNNFloatingPointOperator.test_qnn_backend_relu", "passed", ours=2, left=1), OPS, {}
        ),
        upstream_tests.verdict(ran("TestQNNQuantizedOperator.test_qnn_backend_relu", "passed", ours=2), OPS, {}),
    ]
    lines = table(verdicts, OPS).splitlines()
    assert lines[0].split() == ["op", "upstream", "test", "stock", "ours", "nodes"]
    assert lines[1].split() == ["Relu", "float", "relu", "unknown", "left", "over", "2", "of", "3"]
    assert lines[2].split() == ["Relu", "quantized", "relu", "unknown", "passed", "2"]
    assert lines[-1] == "2 tests: 1 passed, 1 left over; 1 worse than with ExecuTorch's own builders"
    assert summary([]).startswith("0 tests: none ran")
    first, second = (json.loads(line) for line in as_json(verdicts, OPS).splitlines())
    assert first["others"] == {}
    assert (first["worse"], first["nodes"], first["left"]) == (True, {"Relu": 2}, {"aten.relu.default": 1})
    assert second["ours"] == "passed"
    assert short("TestQNNFloatingPointOperator.test_qnn_conv1d_batch_norm") == "float qnn_conv1d_batch_norm"


# An interpreter that answers as Python with the wheel does: the second of three tests ends the process.
FAKE = """#!{python}
import json, os, signal, sys, time
if "-c" in sys.argv:
    print("/nowhere/executorch")
    raise SystemExit
report = next(a for a in sys.argv if a.startswith("--opkg-report=")).partition("=")[2]
found = []
for place in (a for a in sys.argv if "::" in a):
    test = place.partition("::")[2].replace("::", ".")
    found.append({{"test": test, "outcome": "", "message": ""}})
    open(report, "w").write(json.dumps({{"tests": found}}))
    if test.endswith("two"):
        os.kill(os.getpid(), signal.SIGSEGV)
    if test.endswith("never"):
        time.sleep(300)
    if test.endswith("skipped"):
        found[-1] |= {{"outcome": "skipped", "seconds": 0.0}}
        continue
    found[-1] |= {{"outcome": "passed", "seconds": 0.5, "ours": {{"aten.relu.default": 1}}, "left": {{}}, "reasons": []}}
    open(report, "w").write(json.dumps({{"tests": found}}))
"""


def test_a_crash_is_the_outcome_of_one_test(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(FAKE.format(python=sys.executable))
    python.chmod(0o755)
    environment = Environment(python, tmp_path, "1.5.1", "2.13.0", "2.49")
    told: list[str] = []
    tests = ["F.test_skipped", "F.test_one", "F.test_two", "F.test_three"]
    found, said = upstream_tests.run(environment, [], ["a_executorch"], tests, done=lambda each: told.append(each.test))
    assert [(each.test, each.outcome) for each in found] == [
        ("F.test_skipped", "skipped"),
        ("F.test_one", "passed"),
        ("F.test_two", "crashed"),
        ("F.test_three", "passed"),
    ]
    assert found[2].message == "the process ended with signal 11"
    assert told == tests
    assert said == ""


def test_a_test_without_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upstream_tests, "LIMIT", 2)
    python = tmp_path / "python"
    python.write_text(FAKE.format(python=sys.executable))
    python.chmod(0o755)
    environment = Environment(python, tmp_path, "1.5.1", "2.13.0", "2.49")
    found, _ = upstream_tests.run(environment, [], ["a_executorch"], ["F.test_one", "F.test_never"])
    assert [(each.outcome, each.message) for each in found] == [("passed", ""), ("crashed", "no end after 2 s")]


def test_nodes_are_counted_for_who_made_them() -> None:
    sys.path.insert(0, str(HARNESS))
    try:
        from opkg_executorch.upstream_watch import Watch
    finally:
        sys.path.remove(str(HARNESS))

    class Stock:
        def define_node(self, node: SimpleNamespace, wrappers: object) -> object:
            return "op"

    class Ours:
        def rejected(self, node: SimpleNamespace, wrappers: object, op: str, reason: Exception) -> object:
            return Stock().define_node(node, wrappers) if node.stock else None

        def define_node(self, node: SimpleNamespace, wrappers: object) -> object:
            return "op" if node.allowed else self.rejected(node, wrappers, "Relu", ValueError("rank 7"))

    Ours.__module__ = "a_executorch.op_relu"
    watch = Watch(["a_executorch"])
    for visitor in (Ours, Stock, Ours):
        watch._wrap(visitor)

    def node(allowed: bool, stock: bool = True) -> SimpleNamespace:
        return SimpleNamespace(target=SimpleNamespace(__name__="aten.relu.default"), allowed=allowed, stock=stock)

    define = watch._during(lambda each, visitor: visitor().define_node(each, {}))
    Ours().define_node(node(True), {})  # the partitioner asks: not a part of the program yet
    assert watch.counts() == ({}, {}, [])
    define(node(True), Ours)
    define(node(False), Ours)
    define(node(False, stock=False), Ours)
    define(node(True), Stock)
    assert watch.counts() == (
        {"aten.relu.default": 1},
        {"aten.relu.default": 2},
        ["Relu (aten.relu.default): rank 7"],
    )
    watch.clear()
    assert watch.counts() == ({}, {}, [])


def test_stand_ins_are_for_what_is_missing() -> None:
    program = """
import opkg_executorch.upstream_stubs as stubs
stubs.install(); stubs.install()
import graphviz.dot, json, torchsr.models
from torchsr.models import edsr
def f(x: torchsr.core.frame.DataFrame): pass
class Mine(edsr): pass
assert json.dumps({}) == "{}"
try:
    edsr()
except ImportError as failure:
    print(failure)
try:
    import opkg_no_such_module
except ModuleNotFoundError:
    print("missing")
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env={"PYTHONPATH": str(HARNESS)}
    )
    assert done.stdout.splitlines() == ["torchsr.models.edsr is not installed", "missing"], done.stderr


def opkg(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "opkg", *words]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "NO_COLOR": "1", **variables}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)


SPEC = """opkg: 1
package: {name: acme.one, targets: [TARGET]}
ops:
  Relu:
    inputs: {x: {dtype: float32}}
    outputs: {y: {dtype: float32, shape: x.shape}}
    compute: y = max(x, 0)
    torch: aten.relu.default
"""


def test_what_must_be_there(tmp_path: Path) -> None:
    spec = tmp_path / "specs" / "one.yaml"
    spec.parent.mkdir()
    spec.write_text(SPEC.replace("TARGET", "qnn-htp-qhpi"))
    done = opkg(tmp_path, "executorch", "judge")
    assert done.returncode == 1
    assert "OPK307" in done.stdout
    spec.write_text(SPEC.replace("TARGET", "executorch-builder"))
    done = opkg(tmp_path, "executorch", "judge")
    assert done.returncode == 1
    assert "OPK446" in done.stdout
    assert "run opkg generate" in done.stdout
    assert opkg(tmp_path, "generate").returncode == 0
    done = opkg(tmp_path, "executorch", "judge", OPKG_EXECUTORCH_PYTHON=str(tmp_path / "python"))
    assert done.returncode == 3, done.stderr
    assert "OPK430" in done.stdout + done.stderr
    assert "install" in done.stdout + done.stderr
