"""Compilers run at fixed addresses: clang for Hexagon makes other code at other addresses.

Measured with clang-19, v68, -O2: a file of `math/Greater`'s kernels gave 6 different objects in 6 compiles under address
space layout randomization, and one without. `setarch -R` switches it off for a process; a container may forbid that.
"""

from __future__ import annotations

import functools
import shutil
import subprocess

from opkg.spec.diagnostics import Diagnostic, Severity, Span


@functools.cache
def _allowed(path: str) -> bool:
    try:
        done = subprocess.run([path, "-R", "true"], capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def prefix() -> tuple[str, ...]:
    """What a compiler's command begins with; empty where addresses cannot be fixed."""
    path = shutil.which("setarch")
    return (path, "-R") if path is not None and _allowed(path) else ()


def warning() -> Diagnostic | None:
    """What is to be said where addresses cannot be fixed (OPK437)."""
    if prefix():
        return None
    found = shutil.which("setarch") is not None
    hint = "allow personality(ADDR_NO_RANDOMIZE): docker run --security-opt seccomp=unconfined"
    return Diagnostic(
        "OPK437",
        "clang for Hexagon may give different code from run to run here: "
        + ("`setarch -R` is not permitted" if found else "there is no setarch"),
        Span(""),
        hint if found else "apt-get install util-linux",
        Severity.WARNING,
    )
