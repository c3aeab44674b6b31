"""`opkg executorch env`: prints the variables with which a Python script uses the packages, for a shell."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from opkg.cli.output import paths_argument

if TYPE_CHECKING:
    from pathlib import Path

    from opkg.project.read import ReadProject
    from opkg.verify.machines.executorch.environment import Environment


@click.command("env")
@paths_argument
def command(paths: tuple[str, ...]) -> int:
    """Print shell commands that set up the environment of the projects at PATHS: eval "$(opkg executorch env)".

    They name the interpreter ($OPKG_EXECUTORCH_PYTHON), QNN's libraries, and the generated Python packages.
    """
    from opkg.project.read import read

    projects = read(paths)
    environment = found_environment(projects)
    folders = [folder for project in projects for folder in generated_packages(project)]
    variables = environment.variables(folders, base={})
    variables["OPKG_EXECUTORCH_PYTHON"] = str(environment.python)
    for name, value in sorted(variables.items()):
        print(f"export {name}={shlex.quote(value)}")
    return 0


def found_environment(projects: list[ReadProject]) -> Environment:
    """The environment of the projects; MissingTool (exit 3) without one."""
    from pathlib import Path

    from opkg.spec.diagnostics import MissingTool, Span, error
    from opkg.verify.machines.executorch.environment import Missing, find

    found = find(Path(projects[0].project.root) if projects else Path())
    if isinstance(found, Missing):
        hint = f"install it: {found.install}" if found.install else ""
        raise MissingTool([error("OPK430", f"ExecuTorch is not available: {found.reason}", Span(""), hint)])
    return found


def generated_packages(project: ReadProject) -> list[Path]:
    """Folders to put on PYTHONPATH: those of the packages that have Python builders."""
    from pathlib import Path

    from opkg.verify.machines.executorch.packages import package_folder

    root = Path(project.project.root).resolve()
    folders = [package_folder(root, package) for package in project.packages]
    return [folder for folder in folders if folder.is_dir()]
