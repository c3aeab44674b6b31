"""Runs in the interpreter with torch: model files that are wrong, and how processes of runs end. Prints one line of JSON."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import torch
from opkg_executorch import compare, compare_errors, compare_model, lowering

HEAD = "import torch\n\n\n"
MODEL = "def model():\n    return torch.nn.ReLU()\n\n\n"
INPUTS = "def inputs():\n    return (torch.ones(1, 4),)\n"
FILES = {
    "good": HEAD + MODEL + INPUTS,
    "no_model": HEAD + INPUTS,
    "syntax": HEAD + "def model(:\n",
    "raises_on_import": HEAD + "x = 1 / 0\n",
    "exits": HEAD + "raise SystemExit(3)\n",
    "raises": HEAD + "def model():\n    layers = []\n    return layers[1]\n\n\n" + INPUTS,
    "no_module": HEAD + "def model():\n    return None\n\n\n" + INPUTS,
    "bare_tensor": HEAD + MODEL + "def inputs():\n    return torch.ones(1, 4)\n",
    "number": HEAD + MODEL + "def inputs():\n    return (torch.ones(1), 3)\n",
    "nothing": HEAD + MODEL + "def inputs():\n    return ()\n",
    "other_shapes": HEAD + MODEL + INPUTS + "\n\ndef calibration():\n    return [(torch.ones(2, 4),)]\n",
    "no_list": HEAD + MODEL + INPUTS + "\n\ndef evaluation():\n    return torch.ones(1, 4)\n",
    "fails_in_torch": HEAD
    + "class M(torch.nn.Module):\n    def forward(self, x):\n        return x @ x\n\n\ndef model():\n    return M()\n\n\n"
    + INPUTS,
    "not_exportable": HEAD
    + "class M(torch.nn.Module):\n    def forward(self, x):\n        if x.sum() > 0:\n            return x\n        return -x\n"
    + "\n\ndef model():\n    return M()\n\n\n"
    + INPUTS,
    "no_tensor": HEAD
    + "class M(torch.nn.Module):\n    def forward(self, x):\n        return x, 3\n\n\ndef model():\n    return M()\n\n\n"
    + INPUTS,
}


def used(path: Path) -> dict[str, Any]:
    try:
        model = compare_model.load(path)
        compare_model.guarded(path, "fails", lambda: compare_model.run(model.module, model.inputs))
        compare_model.guarded(path, "export", lambda: lowering.exported(model.module, model.inputs))
    except compare_model.Fault as fault:
        return {"message": str(fault), "line": fault.line, "hint": fault.hint}
    return {"samples": len(model.samples)}


def errors() -> dict[str, Any]:
    wanted = torch.tensor([0.0, 1.0, 2.0, -2.0])
    nan = torch.tensor([0.0, float("nan"), 2.0, -2.0])
    return {
        "off": compare_errors.difference(wanted + torch.tensor([0.0, 0.0, 0.3, 0.0]), wanted),
        "same": compare_errors.difference(wanted, wanted),
        "nan": compare_errors.difference(nan, wanted),
        "both_nan": compare_errors.difference(nan, nan),
        "whole": compare_errors.difference(torch.tensor([1, 2, 3]), torch.tensor([1, 2, 4])),
        "shape": compare_errors.difference(wanted[:2], wanted),
        "type": compare_errors.difference(torch.tensor([1, 2]), wanted[:2]),
        "samples": compare_errors.differences([[wanted], [wanted + 1]], [[wanted], [wanted]]),
    }


def ending(child: Any, timeout: float) -> str:
    pid = os.fork()
    if pid == 0:
        child()
        os._exit(0)
    return compare._wait(pid, timeout)


def main() -> None:
    folder = Path(sys.argv[1])
    found: dict[str, Any] = {"files": {}, "errors": errors()}
    for name, text in FILES.items():
        path = folder / f"{name}.py"
        path.write_text(text, "utf-8")
        found["files"][name] = used(path)
    found["ends"] = {
        "itself": ending(lambda: None, 60),
        "signal": ending(lambda: os.kill(os.getpid(), signal.SIGABRT), 60),
        "late": ending(lambda: time.sleep(600), 0.2),
    }
    noted = folder / "noted.json"
    compare._note(noted, "float", "ours", "signal SIGABRT")
    found["noted"] = json.loads(noted.read_text("utf-8"))
    print("FOUND " + json.dumps(found))


main()
