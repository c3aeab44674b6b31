"""The target `onert`: new files of an operation in Samsung's runtime, and its kernel as plain C++."""

from __future__ import annotations

from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import OpPackage
from opkg.targets.artifact import Artifact
from opkg.targets.onert.custom import custom_files
from opkg.targets.onert.kernel import kernel_header
from opkg.targets.onert.layout import Option


class OnertTarget:
    """See `opkg.targets.artifact.Target`."""

    name = "onert"
    summary = "Samsung ONE's runtime: a new operation in its tree, and as a custom kernel of its API"

    def check(self, package: OpPackage) -> list[Diagnostic]:
        return []

    def render(self, package: OpPackage) -> list[Artifact]:
        base = f"generated/{package.cpp_namespace}/onert"
        options = Option()
        kernels = [
            Artifact(f"{base}/kernels/{op.name}Kernel.h", kernel_header(op, options))
            for op in package.ops
            if op.compute is not None
        ]
        return [*kernels, *custom_files(package)]
