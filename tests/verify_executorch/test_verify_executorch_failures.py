"""What goes wrong between a model and our kernel is said in one sentence; every message is provoked on the real backend."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opkg.spec.model import OpPackage
from opkg.verify.judge.results import RawResult
from opkg.verify.machines import build, execute
from opkg.verify.machines.executorch import column, messages, observer
from opkg.verify.machines.executorch import environment as env
from opkg.verify.machines.executorch.environment import Environment

pytestmark = pytest.mark.xdist_group("executorch")

HERE = Path(__file__).resolve().parent
X = {"name": "x", "tensors": [{"dtype": "float32", "shape": [1, 4, 4, 8], "offset": 0}]}
CASE: dict[str, Any] = {
    "op": "Swish",
    "torch": "acme_models.swish.default",
    "kernels": "acme.models::Swish/",
    "mode": "float",
    "around": "alone",
    "outputs": ["y"],
    "arguments": [X],
}
LAST = {"name": "gamma", "tensors": [{"dtype": "float32", "shape": [8], "offset": 0}]}
CASES = [
    {**CASE, "id": "good"},
    {**CASE, "id": "target"},
    {**CASE, "id": "platform"},
    {**CASE, "id": "provider"},
    {**CASE, "id": "uncalled", "kernels": "acme.models::Centered/"},
    {**CASE, "id": "inlined", "torch": "acme_broken.inlined.default"},
    {**CASE, "id": "bare", "torch": "acme_broken.bare.default"},
    {
        **CASE,
        "id": "refused",
        "op": "Scaled",
        "torch": "acme_models.scaled.default",
        "kernels": "acme.models::Scaled/",
        "arguments": [X, LAST],
    },
    {
        **CASE,
        "id": "unprepared",  # without its builder the constant's dequantize is alone in a delegate
        "op": "Scaled",
        "torch": "acme_models.scaled.default",
        "kernels": "acme.models::Scaled/",
        "mode": "8a8w",
        "arguments": [X, {**LAST, "constant": True}],
    },
    {**CASE, "id": "crash"},
    {**CASE, "id": "after"},
    {**CASE, "id": "missing"},  # the last one: the backend remembers a library that it could not load
]


@pytest.fixture(scope="module")
def run(
    environment: Environment, project: tuple[Path, OpPackage], tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., list[RawResult]]:
    """Runs cases on the small project's library, with a module in place of its generated package."""
    root, package = project
    built = build.build(root, package, "qhpi")
    assert built.library is not None

    def runs(
        cases: list[dict[str, Any]], where: Environment = environment, module: str = "broken_models"
    ) -> list[RawResult]:
        files = column.Files(tmp_path_factory.mktemp("run"))
        described = {"module": module, "library": str(built.library), "observer": str(observer.library(root))}
        files.data.write_bytes(np.linspace(-3, 3, 128, dtype="<f8").tobytes())
        files.cases.write_text(json.dumps({**described, "data": str(files.data), "cases": cases}))
        variables = column.variables(where, root, package, files.folder)
        variables["PYTHONPATH"] += f":{HERE}"
        job = execute.Job(column.command(where, files), files.folder, "results", len(cases), 120, variables=variables)
        return [column.with_log(result, files) for result in execute.run(job)]

    return runs


@pytest.fixture(scope="module")
def results(run: Callable[..., list[RawResult]]) -> dict[str, RawResult]:
    return dict(zip((case["id"] for case in CASES), run(CASES), strict=True))


def test_a_good_case_names_its_kernel(results: dict[str, RawResult]) -> None:
    assert results["good"].status == "ok", results["good"]
    assert [name for _, name in results["good"].kernels] == ["swish_f32__r4"]


@pytest.mark.parametrize(
    ("case", "status", "wanted"),
    [
        ("target", "rejected", "names the target HTP; on x86 it must be CPU"),
        ("platform", "rejected", r"QNN knows no op package 'acme\.models'.*another platform than X86_64"),
        ("provider", "rejected", "the library exports no acme_otherInterfaceProvider"),
        ("missing", "rejected", r"/nowhere/libacme_models\.so cannot be loaded.*No such file.*opkg build"),
        ("uncalled", "error", "is in a delegate, but no kernel of Swish was called"),
        ("inlined", "error", r"acme_broken\.inlined\.default was decomposed: the program has .*aten\.mul"),
        ("bare", "error", r"'acme_broken::bare' has no out variant"),
        ("unprepared", "error", r"QNN found no kernel for the node \S*dequantize\S* when it prepared the graph"),
        ("refused", "rejected", r"\[acme\.models\] Scaled is not delegated.*'gamma' must be a constant"),
    ],
)
def test_the_message_says_what_is_wrong(results: dict[str, RawResult], case: str, status: str, wanted: str) -> None:
    result = results[case]
    assert result.status == status, result
    assert re.search(wanted, messages.explained(result)), (messages.explained(result), result.log)


def test_a_crash_costs_one_case_and_leaves_its_log(results: dict[str, RawResult]) -> None:
    assert results["crash"].status == "crash"
    assert any("about to fall" in line.text for line in results["crash"].log)
    assert results["after"].status == "ok"


def test_libraries_that_do_not_read_the_configuration(
    run: Callable[..., list[RawResult]], environment: Environment, tmp_path: Path
) -> None:
    found = importlib.util.find_spec("onnxruntime_qnn")
    if found is None or not found.submodule_search_locations:
        pytest.skip("no onnxruntime-qnn beside this interpreter")
    folder = Path(found.submodule_search_locations[0])
    if not env.qnn_version(folder).startswith(env.REFUSES):
        pytest.skip("the onnxruntime-qnn here reads it")
    wrong = replace(environment, sdk=env._sdk(tmp_path, folder))
    result = run([{**CASE, "id": "good"}], wrong, "acme_models_executorch")[0]
    assert result.status != "ok"
    assert "onnxruntime-qnn==2.5.0" in messages.explained(result), (result, result.log)


def test_a_package_that_was_not_generated(run: Callable[..., list[RawResult]]) -> None:
    result = run([{**CASE, "id": "good"}], module="acme_gone_executorch")[0]
    assert (result.status, result.stage) == ("error", "register")
    assert "acme_gone_executorch is missing: run `opkg generate`" in messages.explained(result)
