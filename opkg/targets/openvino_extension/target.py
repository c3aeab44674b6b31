"""The target `openvino-extension`: ops that OpenVINO loads from a library, computed by portable C++."""

from __future__ import annotations

from opkg.kernels.portable.check import check_plain as kernel_check
from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import OpPackage
from opkg.targets.artifact import Artifact
from opkg.targets.openvino_extension.files import cpp_files
from opkg.targets.openvino_extension.lint import fits, lint
from opkg.targets.openvino_extension.python_files import python_files
from opkg.targets.openvino_extension.x64 import emitter_files


class OpenvinoTarget:
    """See `opkg.targets.artifact.Target`."""

    name = "openvino-extension"
    summary = "OpenVINO: extension ops in C++ and Python, and passes that put them into models"

    def check(self, package: OpPackage) -> list[Diagnostic]:
        return [found for op in package.ops for found in (*lint(op), *(kernel_check(op) if fits(op) else ()))]

    def render(self, package: OpPackage) -> list[Artifact]:
        ops = [op for op in package.ops if fits(op)]
        return [*cpp_files(package, ops), *python_files(package, ops), *emitter_files(package, ops)] if ops else []
