"""Packages of C++ as they are beside what `opkg import` makes of them: both built, run on the same inputs, compared."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "sim_classic"))

from classiclib import Case, Machine, Result, build, one_op, scalar  # noqa: E402

from opkg.imports.form import Imported  # noqa: E402
from opkg.imports.read import Options, read  # noqa: E402
from opkg.imports.save import draft, save  # noqa: E402
from opkg.verify.machines import htp, runners  # noqa: E402

OWN = Path(__file__).resolve().parent / "packages"
OTHERS = ROOT / "tests" / "sim_classic" / "packages"
__all__ = ["Case", "Machine", "Result", "one_op", "scalar"]


def folder_of(name: str) -> Path:
    """Where the C++ files of a test package lie."""
    return OWN / name if (OWN / name).is_dir() else OTHERS / name


def imported(name: str, *more: str) -> Imported:
    """What is read of a package."""
    return read([str(folder_of(name)), *more], Options(f"acme.{name}"))


@dataclass(frozen=True)
class Pair:
    """A package as it is, and the imported one on each interface of the host."""

    original: Machine
    new: dict[str, Machine]  # classic, qhpi; htp is Qualcomm's own backend, where it is installed
    project: Path

    def compare(self, *cases: Case) -> list[dict[str, list[np.ndarray]]]:
        """Outputs of all cases by machine; that of the original is "original". Every run must be ok."""
        every = {"original": self.original, **self.new}
        results = {name: machine.run(*cases) for name, machine in every.items()}
        out: list[dict[str, list[np.ndarray]]] = []
        for number, case in enumerate(cases):
            row = {}
            for name, found in results.items():
                result = next(r for r in found if r.record["case"] == number)
                assert result.status == "ok", (name, case.name, result.record)
                row[name] = [result.outputs[key] for key in sorted(result.outputs)]
            out.append(row)
        return out


class Backend(Machine):
    """Qualcomm's own backend with the package of another machine."""

    def __init__(self, other: Machine, folder: Path) -> None:
        self.package, self.folder = other.package, folder
        options = other.command[1 : other.command.index("--interface")]
        runner = runners.runner(runners.HTP, ROOT)
        self.command = [str(runner), "--backend", str(htp.library()), "--target", "CPU", *options]


def edited(spec: str, edits: dict[str, str]) -> str:
    """The spec with TODOs answered by hand; each edit must find its place."""
    for old, new in edits.items():
        assert old in spec, old
        spec = spec.replace(old, new)
    return spec


def pair(name: str, folder: Path, *more: str, edits: dict[str, str] | None = None) -> Pair:
    """Imports, generates and builds a package of C++; `edits`: what is stated by hand in the spec."""
    made = imported(name, *more)
    written = draft(made, f"acme.{name}")
    assert written.ok, written.findings
    project = folder / "project"
    save(written, str(project))
    if edits:
        spec = project / written.path
        spec.write_text(edited(spec.read_text(), edits))
        subprocess.run([sys.executable, "-m", "opkg", "-C", str(project), "generate"], check=True)
    runner = runners.runner(runners.HOST, ROOT)
    machines = {}
    interfaces = [target.rpartition("-")[2] for target in made.targets]
    for interface in interfaces:
        out = folder / interface
        command = ["make", "-s", "-C", str(project / "generated" / f"acme_{name}" / interface), "x86", f"OUT={out}"]
        command += [f"OPKG_SIM_INCLUDE={ROOT / 'opkg' / 'sim' / 'include'}", "CXXFLAGS=-O0"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        machines[interface] = machine(
            runner, out / f"libacme_{name}.so", f"acme_{name}", f"acme.{name}", folder, interface
        )
    if "qhpi" in machines and htp.library() is not None:
        machines["htp"] = Backend(machines["qhpi"], folder / "run_htp")
    library = build(name, folder, "-Wno-missing-field-initializers", "-O0", packages=folder_of(name).parent)
    provider = f"{name}InterfaceProvider"
    own = "classic" if "classic" in interfaces else "qhpi"
    original = Machine(runner, library, provider, name.capitalize(), folder / "original", own)
    return Pair(original, machines, project)


def machine(runner: Path, library: Path, stem: str, package: str, folder: Path, interface: str) -> Machine:
    """The runner with an imported package."""
    provider = f"{stem}InterfaceProvider"
    return Machine(runner, library, provider, package, folder / f"run_{interface}", interface)
