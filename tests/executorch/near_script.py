"""Runs in the interpreter that has the wheel: what is said of patterns that nearly match, and of a QNN build that will fail.

PYTHONPATH has test_fused_executorch. Argument: a folder to write in. Prints one line of JSON.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import warnings
from pathlib import Path

import test_fused_executorch as package
import torch
from executorch.exir import EdgeCompileConfig, to_edge


class Function(torch.nn.Module):
    def __init__(self, function) -> None:
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def used_inside(x, w):
    inner = torch.relu(x + w)
    return torch.tanh(inner * 0.3 + x), inner


CASES = {
    "slope": lambda x, w: torch.tanh(torch.relu(x + w) * 0.5 + x),
    "other call": lambda x, w: torch.tanh(torch.sigmoid(x + w) * 0.3 + x),
    "other tensor": lambda x, w: torch.tanh(torch.relu(x + w) * 0.3 + w),
    "used inside": used_inside,
    "factor": lambda x, w: torch.tanh(torch.add(torch.relu(x + w) * 0.3, x, alpha=2)),
    "matches": lambda x, w: torch.tanh(torch.relu(x + w) * 0.3 + x),
    "far": lambda x, w: torch.tanh(x) + w,
}


class Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


def near() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """What the log says of Blend in each graph, and what is warned of."""
    from test_fused_executorch.fusion import FuseBlend

    log, kept = logging.getLogger("test_fused_executorch"), Kept()
    log.setLevel(logging.INFO)
    log.addHandler(kept)
    found, warned = {}, {}
    for name, function in CASES.items():
        inputs = (torch.randn(2, 3, 4), torch.randn(4))
        exported = torch.export.export(Function(function), inputs)
        program = to_edge(exported, compile_config=EdgeCompileConfig(_check_ir_validity=False))
        kept.said.clear()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            program.transform([FuseBlend(program.exported_program())])
        found[name] = list(dict.fromkeys(kept.said))
        said = [str(each.message) for each in caught]
        warned[name] = list(dict.fromkeys(each for each in said if "[test.fused]" in each))
    return found, warned


def builds(folder: Path) -> dict[str, list[str]]:
    """Warnings of register() by the build that QNN_SDK_ROOT has."""
    libraries = folder / "lib" / "x86_64-linux-clang"
    libraries.mkdir(parents=True)
    found = {}
    for build in ("2.51.0", "2.49.40", "3.0.0"):
        (libraries / "libQnnHtp.so").write_bytes(b"\0" * 5000 + f"v{build}.260810".encode() + b"\0" * 5000)
        os.environ["QNN_SDK_ROOT"] = str(folder)
        package.unregister()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            package.register()
        found[build] = [str(each.message) for each in caught if "QNN" in str(each.message)]
    return found


def main() -> None:
    told = builds(Path(sys.argv[1]))  # registers the package
    said, warned = near()
    found = {"builds": told, "near": said, "warned": warned}
    print(json.dumps(found))


main()
