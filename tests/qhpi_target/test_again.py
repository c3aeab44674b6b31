"""A package in a process that makes its backend anew: still loaded after it was closed, and initialized again."""

from __future__ import annotations

import subprocess
import sys

import qlib
from kernels import KERNELS

# Runs in a process of its own: `provider` is the function that fills the interface, whose first function is initialize.
SCRIPT = """
import _ctypes, ctypes, os, sys
path, provider = sys.argv[1:]
found = []
for turn in range(2):
    library = ctypes.CDLL(path, mode=os.RTLD_LAZY)
    interface = (ctypes.c_uint64 * 32)()
    assert getattr(library, provider)(interface) == 0
    initialize = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)(interface[2])
    found.append((interface[2], initialize(None)))
    _ctypes.dlclose(library._handle)
assert found[0] == found[1] and found[0][1] == 0, found
print("mapped" if os.path.basename(path) in open("/proc/self/maps").read() else "gone")
"""


def test_a_backend_that_is_made_anew() -> None:
    """The backend closes a package without `terminate`, keeps its callbacks, and loads it again (docs/measured-qhpi.md)."""
    project = qlib.built(qlib.spec_of(qlib.HERE / "specs" / "struct.yaml"), KERNELS)
    command = [sys.executable, "-c", SCRIPT, str(qlib.library(project)), project.package.interface_provider]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "mapped"), done.stderr
