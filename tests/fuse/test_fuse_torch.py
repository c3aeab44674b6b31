"""`opkg fuse` on torch's models: the spec with its pattern, the proof beside torch, and the model with the ops in ExecuTorch."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from opkg.cli.fuse_end import torch_folder
from opkg.cli.main import run
from opkg.fuse import torch_end
from opkg.fuse.api import lines_of, usable
from opkg.fuse.find import find
from opkg.models.partition.limits import HTP
from opkg.models.torch_reader import read_exported
from opkg.verify.machines.executorch import exported
from opkg.verify.machines.executorch.environment import Environment, Missing
from opkg.verify.machines.executorch.environment import find as environments

pytestmark = pytest.mark.xdist_group("executorch")
ROOT = Path(__file__).resolve().parents[2]

# What torch does that ONNX has not: alpha, 1 - x, changes in place, a parameter of one element, results that drop dimensions.
ODD = """
import torch
from torch import nn
from torch.nn import functional as F


class Scores(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(17, 17)
        self.slope = nn.Parameter(torch.full((1,), 0.25))
        self.register_buffer("mask", torch.full((17, 17), -torch.inf).triu(1))

    def forward(self, x):
        s = torch.softmax(x * 0.125 + self.mask, -1)
        s.mul_(self.slope)
        y = self.mix(torch.where(s > 0.1, 2.0**s, 1 - s))
        z = F.layer_norm(y + x, [17])
        return torch.add(z, x, alpha=2), z.amax(-1)


def model():
    return nn.Sequential(Scores())


def inputs():
    return (torch.randn(3, 17, 17),)
"""


@pytest.fixture(scope="module")
def environment() -> Environment:
    found = environments(ROOT)
    if isinstance(found, Missing):
        if os.environ.get("CI"):
            pytest.fail(f"{found.reason}: {found.install}")
        pytest.skip(f"{found.reason}: {found.install}")
    return found


@pytest.fixture(scope="module")
def fused(environment: Environment, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, Any]]]:
    folder = tmp_path_factory.mktemp("torch")
    before = Path.cwd()
    os.chdir(folder)
    try:
        Path("odd.net.py").write_text(ODD)
        with open("said.json", "w") as file, pytest.MonkeyPatch.context() as patch:
            patch.setattr("click.echo", lambda text, nl=True: file.write(text))
            assert run(["fuse", "odd.net.py", "--on", "host", "--format", "json"]) == 0
        yield folder, json.loads(Path("said.json").read_text())
    finally:
        os.chdir(before)


def test_it_is_proved_beside_torch(fused: tuple[Path, dict[str, Any]]) -> None:
    _, said = fused
    assert {op["name"] for op in said["ops"]} == {"AddLayerNormalization", "MulAdd", "PowSubWhere"}
    proof = said["proof"]
    assert (proof["runtime"], proof["ok"], proof["findings"]) == ("torch", True, [])
    assert all(each["error"] < each["allowed"] for each in proof["against"])
    assert all(kernel["failures"] == 0 and kernel["cases"] > 0 for kernel in proof["kernels"])
    why = "torch's call has what ONNX's Add has not: a factor alpha"
    assert (said["left"]["add_2"], said["left"]["amax"]) == (why, "reduction op")


def test_the_spec_has_the_pattern(fused: tuple[Path, dict[str, Any]]) -> None:
    text = (fused[0] / "odd.net-ops" / "specs" / "odd_net.yaml").read_text()
    assert "targets: [qnn-htp-qhpi, executorch-builder]" in text
    assert "y = (input * 0.125) + b_0_mask" in text
    assert "torch.where(" in text


def test_sizes_in_a_pattern(fused: tuple[Path, dict[str, Any]]) -> None:
    """A size that a call names is a size of the spec; the others have names, shared where tensors do. Memory is slow here, so
    that everything pays."""
    model, findings = read_exported(torch_folder(str(fused[0] / "odd.net.py")) / "model.json", "odd.net.py")
    assert model is not None, findings
    texts = dict(lines_of(usable(find(model, replace(HTP, near=1)), "odd.net.py"), "odd.net.py"))
    norm, masked = texts["AddLayerNormalization"], texts["MulAdd"]
    assert "y = torch.layer_norm(x + input, [17], None, None, 1e-05, False)" in norm
    assert norm.count("{dtype: T, shape: [batch..., 17]}") == 3
    assert "input: {dtype: T, shape: [batch..., L, C]}" in masked
    assert "b_0_mask: {dtype: T, shape: [L, C], static: true}" in masked
    assert "{name: add, input: {shape: [3, 17, 17]}, b_0_mask: {shape: [17, 17]}}" in masked
    assert "{name: layer_norm, x: {shape: [3, 17, 17]}, input: {shape: [3, 17, 17]}}" in norm


@pytest.mark.sweep
def test_the_model_with_its_ops_in_executorch(
    fused: tuple[Path, dict[str, Any]], environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Float alone; `opkg fuse` does 8 bits, too."""
    folder, _ = fused
    monkeypatch.setattr(torch_end, "MODES", ("float",))
    place = exported.export(environment, folder / "odd.net.py", folder / "made")
    model, findings = read_exported(place, "odd.net.py")
    assert model is not None, findings
    found = usable(find(model, HTP), "odd.net.py")
    end, findings = torch_end.run(found, "odd.net-ops/specs/odd_net.yaml", environment, "odd.net.py", lambda _: None)
    assert [finding for finding in findings if finding.is_error] == []
    (mode,) = end.runs
    assert mode.placed == (3, 3)
    assert {name.partition("/")[0] for name in mode.kernels} == {
        "fused.odd_net::AddLayerNormalization",
        "fused.odd_net::MulAdd",
        "fused.odd_net::PowSubWhere",
    }
    (before, after), (was, now) = mode.operators, mode.errors
    assert after < before
    assert was is not None
    assert now is not None
    assert now <= 1.5 * was + 0.001


def test_a_model_that_fails_in_torch(environment: Environment, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(ODD.replace("x * 0.125", "x[:, 99] * 0.125"))
    place = exported.values(environment, tmp_path / "bad.py", tmp_path / "made", ["add"])
    found, (finding,) = read_exported(place, "bad.py")
    assert found is None
    assert finding.id == "OPK706"
