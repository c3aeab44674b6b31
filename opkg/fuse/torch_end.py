"""A torch model end to end: lowered by ExecuTorch as it is and with its fused ops (`pattern:` puts them in place), run on HTP."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from opkg.fuse.ends import EndToEnd, OnMachine
from opkg.fuse.find import Found
from opkg.project.read import read
from opkg.spec.diagnostics import Diagnostic
from opkg.verify.machines.executorch import compare, observer
from opkg.verify.machines.executorch.built import built
from opkg.verify.machines.executorch.compare_findings import findings as findings_of
from opkg.verify.machines.executorch.environment import Environment
from opkg.verify.machines.executorch.packages import package_folder

MODES = ("float", "8a8w")


def run(
    found: Found, spec: str, environment: Environment, path: str, report: Callable[[str], None]
) -> tuple[EndToEnd, list[Diagnostic]]:
    """Both programs in each mode, and what there is to say of them. Raises MissingTool without a compiler."""
    (project,) = read((spec,))
    root = Path(project.project.root).resolve()
    packages, findings = built(root, project.packages)
    findings = list(project.project.shown(findings))
    after = len(found.model.nodes) - sum(len(op.places) * (len(op.ops) - 1) for op in found.ops)
    end = EndToEnd("", (len(found.model.nodes), after), ())
    if any(finding.is_error for finding in findings):
        return end, findings
    pairs = compare.compare(
        environment, Path(path), packages, [package_folder(root, each) for each in project.packages],
        observer.library(root), root / "build" / "compare" / Path(path).stem, MODES, done=report,
    )  # fmt: skip
    result = compare.Comparison(path, tuple(package.name for package in packages), environment, pairs)
    places = sum(len(op.places) for op in found.ops)
    runs = tuple(_on_machine(result, pair, places) for pair in pairs)
    return EndToEnd("", end.nodes, (), runs), findings + findings_of(result)


def _on_machine(result: compare.Comparison, pair: compare.Pair, places: int) -> OnMachine:
    sides = (pair.stock, pair.ours)
    operators = tuple(len(run.nodes) if run is not None and run.lowered else None for run in sides)
    errors = tuple(_error(run) for run in sides)
    ours = pair.ours
    placed = sum(node.ours for node in ours.nodes) if ours is not None else 0
    kernels = result.calls(ours) if ours is not None else {}
    note = "; ".join(f"{run.side} failed: {run.message}" for run in sides if run is not None and not run.ok)
    return OnMachine(
        f"ExecuTorch on HTP, {pair.mode}", (operators[0], operators[1]), (errors[0], errors[1]), (placed, places), kernels, note
    )  # fmt: skip


def _error(run: compare.Run | None) -> float | None:
    """The worst of the outputs, against float PyTorch."""
    figures: Sequence[compare.Figures] = run.against_float if run is not None and run.ok else ()
    shares = [each.relative for each in figures if each.relative is not None]
    return max(shares) if shares and len(shares) == len(figures) else None
