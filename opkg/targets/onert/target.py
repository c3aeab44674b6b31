"""The target `onert`: new files of an operation in Samsung's runtime, and its kernel as plain C++."""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.portable.check import check_plain as kernel_check
from opkg.resources import plain
from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import OpPackage
from opkg.targets.artifact import Artifact
from opkg.targets.foreign import Era
from opkg.targets.onert.custom import custom_files
from opkg.targets.onert.files import files
from opkg.targets.onert.kernel import kernel_header
from opkg.targets.onert.layout import Option
from opkg.targets.onert.lint import in_tree, lint
from opkg.targets.onert.types import usable


class OnertTarget:
    """See `opkg.targets.artifact.Target`."""

    name = "onert"
    summary = "Samsung ONE's runtime: a new operation in its tree, and as a custom kernel of its API"

    def check(self, package: OpPackage) -> list[Diagnostic]:
        return [
            found
            for op in package.ops
            for found in (*lint(op), *(kernel_check(op) if op.compute is not None and usable(op) else ()))
        ]

    def render(self, package: OpPackage) -> list[Artifact]:
        base = f"generated/{package.cpp_namespace}/onert"
        options = Option()
        computed = [op for op in package.ops if op.compute is not None and usable(op)]
        kernels = [Artifact(f"{base}/kernels/{op.identifier}Kernel.h", kernel_header(op, options)) for op in computed]
        made = {
            artifact.path: replace(artifact, path=f"{base}/tree/{artifact.path}")
            for op in package.ops
            if in_tree(op)
            for artifact in files(package, op, Era(), options)
        }
        style = Artifact(f"{base}/.clang-format", plain("portable_kernel/clang-format"), comment="#")
        return [*kernels, *made.values(), *([style] if made or computed else []), *custom_files(package)]
