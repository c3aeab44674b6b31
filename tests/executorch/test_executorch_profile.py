"""Rows of profiles.py against what the wheels have: the names that generated packages import, and a wheel that runs."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from executorch_graphs import build, call, tensor
from executorch_lib import HERE, ROOT, SPECS, load, write

from opkg.spec.model import OpPackage
from opkg.targets.executorch_builder import TARGET
from opkg.targets.executorch_builder.profiles import DEFAULT, KNOWN, PROFILES, profile_of
from opkg.verify.machines.executorch import environment

QUALCOMM = "executorch.backends.qualcomm."
TABLE: dict[str, dict[str, dict[str, list[str] | None]]] = json.loads((HERE / "executorch_api.json").read_text())
RELEASES = {".".join(version.split(".")[:2]): version for version in TABLE}
OLD = "1.0.0"


def test_every_row_is_read_from_wheels() -> None:
    assert sorted(KNOWN) == sorted(RELEASES)
    assert profile_of("") is DEFAULT
    assert [profile_of(version) for version in ("1.5", "1.5.1", "1.4.0")] == [DEFAULT] * 3
    assert profile_of("1.0.1") is PROFILES["executorch-1.0"]
    assert [profile_of(version) for version in ("0.6", "2.0", "1", "1.5x", "latest")] == [None] * 5


def imported(module: ast.Module) -> dict[str, str]:
    """Names of the backend that a module takes from it, and what they stand for there."""
    aliases: dict[str, str] = {}
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(QUALCOMM):
            aliases |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            aliases |= {a.asname: a.name for a in node.names if a.asname and a.name.startswith(QUALCOMM)}
    return aliases


def used(package: OpPackage) -> Iterator[tuple[str, str]]:
    """Names of the backend that the generated modules use: (module, name). Modules take most from `wheel.py`."""
    modules = {a.path.rpartition("/")[2]: ast.parse(a.text) for a in TARGET.render(package) if a.path.endswith(".py")}
    wheel = imported(modules["wheel.py"])
    for module in modules.values():
        aliases = imported(module)
        for node in ast.walk(module):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(QUALCOMM):
                yield from ((str(node.module).removeprefix(QUALCOMM), alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and (node.level, node.module) == (1, "wheel"):
                aliases |= {alias.name: wheel[alias.name] for alias in node.names if alias.name in wheel}
        for node in ast.walk(module):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in aliases:
                owner, _, name = aliases[node.value.id].removeprefix(QUALCOMM).rpartition(".")
                if name[:1].isupper() and "Adaptor" not in name:  # an attribute of a class
                    yield owner, f"{name}.{node.attr}"
                elif not name.startswith("_node_visitor"):
                    yield f"{owner}.{name}" if owner else name, node.attr


@pytest.mark.parametrize("release", KNOWN)
def test_names_exist_in_the_wheel(release: str) -> None:
    """Of every spec, generated for a release: each name of the backend is there in the wheel of that release."""
    wheel = TABLE[RELEASES[release]]
    found = {pair for path in SPECS for pair in used(replace(load(path), executorch=release))}
    assert len(found) > 25
    modules = {f"{owner}.{name}" for owner, name in found}
    lacking = sorted(
        f"{owner}.{name}"
        for owner, name in found
        if name not in wheel.get(owner, {})
        and f"{owner}.{name}" not in wheel
        and not (owner.startswith("python.") and not wheel.get(owner) and owner in wheel["adaptor of the builders"])
    )
    assert lacking == [], "not in the wheel, or not asked for in scripts/executorch_api.py"
    adaptor = next(owner for owner, _ in found if owner.startswith("python."))
    assert list(wheel["adaptor of the builders"]) == [adaptor]
    assert ("_passes.qnn_pass_manager.get_qnn_pass_manager_cls" in modules) == bool(profile_of(release).passes)  # type: ignore[union-attr]


@pytest.mark.parametrize("release", KNOWN)
def test_parameters_that_builders_rely_on(release: str) -> None:
    """The stand-in that define_node is tested with has the parameters of every release."""
    wheel = TABLE[RELEASES[release]]
    sys.path.insert(0, str(HERE / "fake"))
    try:
        for name in [n for n in sys.modules if n.split(".")[0] == "executorch"]:
            del sys.modules[name]
        visitor = importlib.import_module(f"{QUALCOMM}builders.node_visitor").NodeVisitor
    finally:
        sys.path.remove(str(HERE / "fake"))
    for method in ("define_tensor", "get_node", "get_tensor", "get_quant_encoding_conf", "get_data_type"):
        ours = [name for name in inspect.signature(getattr(visitor, method)).parameters if name != "self"]
        assert wheel["builders.node_visitor"][f"NodeVisitor.{method}"] == ours
    made = wheel["builders.node_visitor"]["NodeVisitor.__init__"] or []
    assert made[:3] == ["external_ids", "edge_program", "enable_tensor_dump"]
    rules = profile_of(release).rules  # type: ignore[union-attr]
    where = "quantizer.annotators.htp_rules" if rules else "quantizer.annotators"
    assert wheel[where]["register_annotator"] == (["aten_ops", "qnn_op"] if rules else ["ops"])
    assert wheel["builders.utils"] == {
        "get_parameter": ["node", "edge_program"],
        "is_parameter": ["node", "edge_program"],
    }


@pytest.mark.parametrize("release", KNOWN)
def test_define_node(generated: Callable[[OpPackage], ModuleType], everything: OpPackage, release: str) -> None:
    package = generated(replace(everything, executorch=release))
    adaptor = importlib.import_module(f"{package.__name__}.backend").PyQnnManager.__name__
    assert adaptor == profile_of(release).adaptor  # type: ignore[union-attr]
    visitors = {v.__name__.removesuffix("Visitor"): v for v in package.visitors()}
    op = build(visitors["Concat"], call([tensor("a", 2, 1), tensor("b", 2, 2)], -1, out=(2, 3)))
    assert [w.dims for w in op.inputs] == [(2, 1), (2, 2)]
    assert op.params == [("axis", "INT_32", -1, None)]


def test_ruff_of_every_row(tmp_path: Path, everything: OpPackage) -> None:
    for release in KNOWN:
        write(replace(everything, executorch=release), tmp_path / release.replace(".", "_"))
    ruff = [str(Path(sys.executable).parent / "ruff")]
    select = [
        "--isolated",
        "--no-cache",
        "--line-length",
        "100",
        "--select",
        "E4,E7,E9,F,I,B,UP,SIM,C4",
        "--ignore",
        "SIM300",
    ]
    for words in (["check", *select], ["format", "--isolated", "--no-cache", "--line-length", "100", "--diff"]):
        done = subprocess.run([*ruff, *words, "."], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_findings(everything: OpPackage) -> None:
    def ids(package: OpPackage) -> list[str]:
        return [found.id for found in TARGET.check(package) if found.id.startswith("OPK36")]

    assert ids(everything) == []
    assert ids(replace(everything, executorch="0.4")) == ["OPK367"]
    fused = [p for p in map(load, SPECS) if any(op.pattern is not None for op in p.ops)]
    assert fused
    for package in fused:
        assert ids(package) == ids(replace(package, executorch="1.4")) == []
        assert ids(replace(package, executorch="1.3")) == ["OPK368"]


def _wheel(folder: Path) -> Path:
    """The old wheel, unpacked; from PyPI once, then from the cache."""
    where = Path(os.environ.get("OPKG_CACHE_DIR") or folder) / f"executorch-{OLD}"
    if not (where / "executorch").is_dir():
        words = ["--no-deps", "--python-version", "3.11", "--only-binary", ":all:", "-d", str(folder)]
        fetch = [sys.executable, "-m", "pip", "download", "-q", *words, f"executorch=={OLD}"]
        done = subprocess.run(fetch, capture_output=True, text=True, timeout=300)
        if done.returncode:
            message = f"executorch {OLD} cannot be downloaded: {done.stderr.strip()[-300:]}"
            if os.environ.get("CI"):
                pytest.fail(message)
            pytest.skip(message)
        fresh = folder / "unpacked"
        subprocess.run([sys.executable, "-m", "zipfile", "-e", *map(str, folder.glob("*.whl")), str(fresh)], check=True)
        where.parent.mkdir(parents=True, exist_ok=True)
        os.rename(fresh, where)
    return where


@pytest.mark.executorch
@pytest.mark.xdist_group("executorch")
def test_an_old_wheel(interpreter: str, tmp_path: Path) -> None:
    """1.0.0, the last one with PyQnnWrapperAdaptor: registered, built, quantized, and taken out again."""
    found = environment.find(ROOT)
    if isinstance(found, environment.Missing):
        if os.environ.get("CI"):
            pytest.fail(found.reason)
        pytest.skip(found.reason)
    package = write(replace(load(ROOT / "examples/activations/specs/activations.yaml"), executorch=OLD), tmp_path)
    script = [interpreter, str(HERE / "profile_script.py"), str(package)]
    variables = found.variables([_wheel(tmp_path / "download")])
    done = subprocess.run(script, capture_output=True, text=True, timeout=300, env=variables)
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(done.stdout.strip().splitlines()[-1])
    assert result["wheel"] == OLD
    assert result["undone"]
    assert result["grown"] == [4, 4, 3, 4]  # builders, quantizer rules, layout-agnostic ops, ops the quantizer supports
    assert result["built"] == ["nn_activations.hard_swish.default", "nn_activations.relu_min_max.default"]
    assert result["between"] == [True, True]
    assert result["warnings"] == []
