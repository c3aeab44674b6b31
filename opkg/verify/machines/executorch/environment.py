"""Finds what a model needs to run through ExecuTorch's Qualcomm backend here: an interpreter that has it, and QNN's libraries.

ExecuTorch 1.5.1 writes the device configuration of QNN 2.37. Of QNN's builds on PyPI only 2.49.40, onnxruntime-qnn 2.5.0, reads
it so; the others refuse the device with error 14001 (measured on 2.47, 2.48.40, 2.49.40, 2.50.40 and 2.51).
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path

import opkg
from opkg.verify.machines.htp import LIBRARY
from opkg.verify.machines.runners import cache_folder

REQUIREMENT = "executorch==1.5.1"
NEWEST = (1, 5)  # release that the builders are known for
QNN_REQUIREMENT = "onnxruntime-qnn==2.5.0"
READS = ("2.49",)  # of the builds that onnxruntime-qnn brings, those that read ExecuTorch's configuration
REFUSES = ("2.47", "2.48", "2.50", "2.51")
INSTALL = (
    "pip install 'opkg[executorch] @ file:///CLONE' in an environment of its own, and OPKG_EXECUTORCH_PYTHON=<its python> "
    "(in a checkout of opkg: scripts/setup-executorch.sh)"
)
QNN_INSTALL = f"pip install --no-deps '{QNN_REQUIREMENT}'"
VENV = ".venv-executorch"
HARNESS = Path(__file__).resolve().parent / "harness"
_LIBRARIES = Path("lib/x86_64-linux-clang")
_ASK = """
import importlib.metadata as m, importlib.util as u, json
def version(name):
    try: return m.version(name)
    except m.PackageNotFoundError: return ""
found = u.find_spec("onnxruntime_qnn")
print(json.dumps({"torch": version("torch"), "executorch": version("executorch"), "qnn": version("onnxruntime-qnn"),
    "folder": list(found.submodule_search_locations)[0] if found and found.submodule_search_locations else ""}))
"""


@dataclass(frozen=True, slots=True)
class Missing:
    """Why no model can be run here, and what would help."""

    reason: str
    install: str


@dataclass(frozen=True, slots=True)
class Environment:
    """An interpreter with ExecuTorch, and a folder with QNN's libraries as an SDK has them."""

    python: Path
    sdk: Path
    executorch: str  # versions
    torch: str
    qnn: str  # empty when nobody says

    def variables(
        self, pythonpath: Sequence[Path | str] = (), base: Mapping[str, str] | None = None, scratch: Path | None = None
    ) -> dict[str, str]:
        """The whole environment of a process: this one's, with the libraries, `pythonpath` and what opkg runs inside.

        `scratch`: where torch keeps its compiled code, which else stays among the temporary files.
        """
        found = dict(os.environ if base is None else base)
        if scratch is not None:
            found.setdefault("TORCHINDUCTOR_CACHE_DIR", str(scratch / "inductor"))
        found["QNN_SDK_ROOT"] = str(self.sdk)
        found["LD_LIBRARY_PATH"] = str(self.sdk / _LIBRARIES)
        found["PYTHONPATH"] = os.pathsep.join([str(path) for path in pythonpath] + [str(HARNESS)])
        found.pop("PYTHONHOME", None)
        return found


def interpreters(root: Path) -> Iterator[Path]:
    """Where to look: $OPKG_EXECUTORCH_PYTHON alone, or this interpreter and `.venv-executorch` of the project or a checkout."""
    wanted = os.environ.get("OPKG_EXECUTORCH_PYTHON")
    if wanted:
        yield Path(os.path.expanduser(wanted))
        return
    yield Path(sys.executable)
    for folder in (root, *root.parents, Path(opkg.__file__).resolve().parents[1]):
        yield folder / VENV / "bin" / "python"


def _versions(python: Path) -> dict[str, str]:
    """Versions that an interpreter has; empty when it does not run. One in somebody's folder is read, not run."""
    return _installed(python.parents[1]) if python.parents[1].name == VENV else _asked(python)


def _installed(venv: Path) -> dict[str, str]:
    """What the metadata in a virtual environment says: to look for it, nothing of it may run (`opkg doctor` anywhere)."""
    folders = [str(path) for path in sorted(venv.glob("lib/python3*/site-packages"))]

    def version(name: str) -> str:
        return next((found.version for found in distributions(name=name, path=folders)), "")

    qnn = next((place for folder in folders if os.path.isdir(place := f"{folder}/onnxruntime_qnn")), "")
    names = {"torch": "torch", "executorch": "executorch", "qnn": "onnxruntime-qnn"}
    return {**{key: version(name) for key, name in names.items()}, "folder": qnn}


@functools.cache
def _asked(python: Path) -> dict[str, str]:
    """Versions that an interpreter has; empty when it does not run."""
    try:
        done = subprocess.run(
            [str(python), "-P", "-c", _ASK], capture_output=True, text=True, timeout=60, check=False,
            env={key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")},
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        found = json.loads(done.stdout) if done.returncode == 0 else {}
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return {}
    return {str(key): str(value) for key, value in found.items()}


def find(root: Path) -> Environment | Missing:
    """The environment for a project at `root`; its SDK folder is made in the cache (`runners.cache_folder`)."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return Missing(f"QNN's libraries are for x86-64, this machine is {platform.machine()}", "")
    wanted = os.environ.get("OPKG_EXECUTORCH_PYTHON")
    for python in dict.fromkeys(interpreters(root.resolve())):
        if not python.is_file():
            continue
        versions = _versions(python)
        if versions.get("executorch") and versions.get("torch"):
            if _release(versions["executorch"]) > NEWEST:
                return _unknown(python, versions["executorch"])
            return _with_libraries(root, python, versions)
    if wanted:
        return Missing(f"OPKG_EXECUTORCH_PYTHON={wanted} is no interpreter with torch and {REQUIREMENT}", INSTALL)
    return Missing(f"no Python here has torch and {REQUIREMENT}", INSTALL)


def _release(version: str) -> tuple[int, ...]:
    """`(1, 5)` of `1.5.1+cpu`; nothing of what is no version."""
    found = re.match(r"(\d+)\.(\d+)", version)
    return tuple(map(int, found.groups())) if found else ()


def _unknown(python: Path, version: str) -> Missing:
    """A release with which nothing has been tried: its API may be another one."""
    newest = ".".join(map(str, NEWEST))
    return Missing(f"{python} has ExecuTorch {version}, newer than {newest}, the newest that this opkg knows", INSTALL)


def _with_libraries(root: Path, python: Path, versions: Mapping[str, str]) -> Environment | Missing:
    """The environment of an interpreter, with the libraries named by $OPKG_EXECUTORCH_QNN or those beside it."""
    wanted = os.environ.get("OPKG_EXECUTORCH_QNN")
    folder = (
        Path(os.path.expanduser(wanted)).resolve()
        if wanted
        else Path(versions["folder"])
        if versions["folder"]
        else None
    )
    if folder is None:
        return Missing(f"{python} has no {QNN_REQUIREMENT}", QNN_INSTALL)
    if (folder / _LIBRARIES / LIBRARY).is_file():
        return Environment(python, folder, versions["executorch"], versions["torch"], "")
    if not (folder / LIBRARY).is_file():
        what = f"OPKG_EXECUTORCH_QNN={wanted}" if wanted else str(folder)
        return Missing(f"{what} has no {LIBRARY}", QNN_INSTALL)
    number = qnn_version(folder)
    if number.startswith(REFUSES):
        reason = (
            f"{folder} has QNN {number}, which does not read the device configuration that ExecuTorch writes "
            "(it would fail with error 14001)"
        )
        return Missing(reason, QNN_INSTALL)
    return Environment(python, _sdk(root, folder), versions["executorch"], versions["torch"], number)


def qnn_version(folder: Path) -> str:
    """QNN's version as the wheel in a folder says it; empty when it does not."""
    from opkg.verify.machines.htp import version

    return version(folder / LIBRARY)


def _sdk(root: Path, folder: Path) -> Path:
    """A folder laid out as an SDK, of links to a wheel's libraries, which look for theirs in ../onnxruntime_qnn.libs."""
    sdk = cache_folder(root).absolute() / f"qnn-sdk-{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}"
    libraries = sdk / _LIBRARIES
    libraries.mkdir(parents=True, exist_ok=True)
    for path in sorted(folder.glob("*.so")):
        _link(libraries / path.name, path)
    private = folder.parent / "onnxruntime_qnn.libs"
    if private.is_dir():
        _link(sdk / "lib" / private.name, private)
    return sdk


def _link(link: Path, target: Path) -> None:
    """A symbolic link that leads to `target`, also when several processes make it at once."""
    if link.is_symlink() and link.readlink() == target:
        return
    fresh = link.with_name(f"{link.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(target)
    fresh.replace(link)
