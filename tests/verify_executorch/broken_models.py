"""Stands for the generated package of `modelprojects.SPEC`, and breaks what its cases are named after.

Imported inside the interpreter that has ExecuTorch, by opkg_executorch.run_cases.
"""

from __future__ import annotations

import copy
import os
import sys
import warnings
from typing import Any

import acme_models_executorch as real
import torch

PACKAGE_NAME = real.PACKAGE_NAME
package_info = real.package_info


def register() -> None:
    """The package, and a runner that looks at the name of each case."""
    from executorch.backends.qualcomm.builders.node_visitor_manager import _node_visitor_dict as registry
    from executorch.backends.qualcomm.serialization import qc_schema

    real.register()
    runner: Any = sys.modules["__main__"]
    plain = runner.Runner._result
    variants = {
        "target": {"target": qc_schema.QnnExecuTorchOpPackageTarget.HTP},
        "platform": {"platform": qc_schema.QnnExecuTorchOpPackagePlatform.AARCH64_ANDROID},
        "missing": {"op_package_path": "/nowhere/libacme_models.so"},
        "provider": {"interface_provider": "acme_otherInterfaceProvider"},
    }
    library = torch.library.Library("acme_broken", "FRAGMENT")
    library.define("inlined(Tensor x) -> Tensor")
    library.impl("inlined", lambda x: x * 2.0, "CompositeImplicitAutograd")
    library.define("bare(Tensor x) -> Tensor")
    library.impl("bare", lambda x: x * 2.0, "CompositeExplicitAutograd")
    torch.library.register_fake("acme_broken::bare", lambda x: torch.empty_like(x), lib=library)
    register.library = library  # type: ignore[attr-defined]

    def result(self: Any, number: int, case: Any, stage: Any, said: Any) -> Any:
        held, self.infos = self.infos, [copy.copy(self.infos[0])]
        for name, value in variants.get(case["id"], {}).items():
            setattr(self.infos[0], name, value)
        builder = registry.pop("acme_models.scaled.default") if case["id"] == "unprepared" else None
        try:
            if case["id"] == "crash":
                os.write(2, b"[ERROR] about to fall\n")
                os.abort()
            return plain(self, number, case, stage, said)
        finally:
            self.infos = held
            if builder is not None:
                registry["acme_models.scaled.default"] = builder

    runner.Runner._result = result
    warnings.simplefilter("ignore")
