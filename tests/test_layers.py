"""Data flows one way: what each room of the house may import, kept so by reading every import statement."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "opkg"

# room -> rooms it may import from (its own is always allowed)
ALLOWED: dict[str, set[str]] = {
    "__init__": set(),
    "__main__": {"cli"},
    "resources": set(),
    "spec": {"__init__", "resources"},
    "rules": {"__init__", "spec", "models", "resources"},
    "targets": {"__init__", "spec", "rules", "kernels", "models", "resources"},
    "trees": {"__init__", "spec", "targets", "project", "resources"},
    "project": {"__init__", "spec", "rules", "kernels", "targets", "resources"},
    "verify": {"__init__", "spec", "rules", "kernels", "project", "device", "resources"},
    "kernels": {"__init__", "spec", "resources"},
    "models": {"__init__", "spec", "kernels", "resources"},
    "fuse": {"__init__", "spec", "kernels", "models", "project", "verify", "resources"},
    "imports": {"__init__", "spec", "rules", "models", "fuse", "project", "resources"},
    "device": {"__init__", "spec"},
    "report": {"__init__", "spec", "rules", "kernels", "models", "fuse", "trees", "verify", "resources"},
    "cli": {
        "__init__",
        "spec",
        "rules",
        "kernels",
        "models",
        "fuse",
        "imports",
        "targets",
        "trees",
        "project",
        "verify",
        "device",
        "report",
        "resources",
    },
}
# The floors of `verify`: each may know those before it; `options` and `catalog` are open to all, what stands beside them
# (`bench`, `graphs`, `rules`) knows all but `run`.
FLOORS = ("meaning", "cases", "judge", "machines", "run")
# What other rooms may know of targets: the value types and the list of names, never one of them.
TARGET_DOORS = {"opkg.targets.artifact", "opkg.targets.foreign", "opkg.targets.registry"}
# Modules a target may share with others.
SHARED_TARGETS = {"artifact", "foreign", "registry", "qnn_common", "portable_kernel", "catalog", "__init__"}


@cache
def _modules() -> list[Path]:
    return sorted(p for p in ROOT.rglob("*.py") if "_data" not in p.parts and p.relative_to(ROOT).parts[0] != "sim")


def _imports(path: Path) -> set[str]:
    """Full names of everything a module imports from opkg, at any depth of its code."""
    return _read(path)[1]


@cache
def _read(path: Path) -> tuple[str | None, set[str]]:
    """A module's docstring and what it imports. Its tree is not kept: all of them are a lot."""
    tree = ast.parse(path.read_text("utf-8"))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(node.module or "")
            if node.module in ("opkg", "opkg.targets", "opkg.project", "opkg.spec", "opkg.verify", "opkg.report"):
                found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return ast.get_docstring(tree), {name for name in found if name == "opkg" or name.startswith("opkg.")}


@cache
def _room(name: str) -> str:
    parts = name.split(".")
    if len(parts) == 1 or not ((ROOT / parts[1]).is_dir() or (ROOT / f"{parts[1]}.py").is_file()):
        return "__init__"
    return parts[1]


def _name(path: Path) -> str:
    return ".".join(("opkg", *path.relative_to(ROOT).with_suffix("").parts))


def test_imports_flow_one_way() -> None:
    assert _modules()
    assert [fault for path in _modules() for fault in _against_the_flow(path)] == []


def _against_the_flow(path: Path) -> list[str]:
    """What a module imports and must not."""
    own = path.relative_to(ROOT).parts[0].removesuffix(".py")
    if own not in ALLOWED:
        return [f"a new room '{own}': add it to ALLOWED"]
    found = []
    for name in sorted(_imports(path)):
        room = _room(name)
        if room != own and room not in ALLOWED[own]:
            found.append(f"{_name(path)} imports {name}: '{own}' must not know '{room}'")
        if own != "targets" and room == "targets" and own != "cli":
            door = any(name == d or name.startswith(d + ".") for d in TARGET_DOORS) or name == "opkg.targets"
            if not door:
                found.append(f"{_name(path)} imports {name}: only {sorted(TARGET_DOORS)} are open to '{own}'")
    return found


@pytest.mark.parametrize("floor", FLOORS)
def test_the_floors_of_verify_know_only_those_below(floor: str) -> None:
    above = FLOORS[FLOORS.index(floor) + 1 :]
    modules = [path for path in _modules() if path.relative_to(ROOT).parts[:2] == ("verify", floor)]
    assert modules
    for path in modules:
        for name in _imports(path):
            assert not name.startswith(tuple(f"opkg.verify.{other}" for other in above)), (
                f"{_name(path)} imports {name}"
            )


def test_what_stands_beside_the_floors_of_verify_does_not_run_them() -> None:
    for path in _modules():
        if path.relative_to(ROOT).parts[:2] in (("verify", "bench"), ("verify", "graphs"), ("verify", "rules")):
            assert not any(name.startswith("opkg.verify.run") for name in _imports(path)), _name(path)


# Words that mean one thing: the only modules whose names may begin with them. What a command is called, its modules are.
WORDS = {
    "compare": (
        "cli/executorch_compare",
        "report/compare_",
        "verify/machines/executorch/",
    ),  # models with and without ops
    "judge": ("cli/executorch_judge", "verify/judge/"),  # the command; how far off an answer is
}
OURS = ("inside", "wishes", "ways", "drawing_own")  # once names here, and no words of the field


@pytest.mark.parametrize("word", WORDS)
def test_a_word_in_names_of_modules_means_one_thing(word: str) -> None:
    for path in _modules():
        name = path.relative_to(ROOT).as_posix()
        if word in name:
            assert name.startswith(WORDS[word]), f"{name}: '{word}' means something else"


def test_names_are_the_fields() -> None:
    for path in _modules():
        assert not {part.removesuffix(".py") for part in path.relative_to(ROOT).parts} & {*OURS}, path


def _in_targets() -> list[Path]:
    """Modules inside the folder of one target."""
    parts = {path: path.relative_to(ROOT).parts for path in _modules()}
    return [path for path in _modules() if parts[path][0] == "targets" and len(parts[path]) > 2]


def test_targets_do_not_know_each_other() -> None:
    found = []
    for path in _in_targets():
        own = path.relative_to(ROOT).parts[1]
        others = {name: name.split(".")[2] for name in _imports(path) if name.startswith("opkg.targets.")}
        found += [f"{_name(path)} imports {n}" for n, other in others.items() if other not in {own, *SHARED_TARGETS}]
    assert found == []


def test_a_module_says_what_it_is_for() -> None:
    lines = {path: len(path.read_text("utf-8").splitlines()) for path in _modules()}
    assert [path for path in lines if not _read(path)[0]] == []
    assert {path: count for path, count in lines.items() if count > 330} == {}, "about 300 lines are the most"
