"""Runs one model of the bundle with ONNX Runtime on the device. Needs onnxruntime, onnxruntime-qnn and numpy there.

usage: python3 run_models.py CASE      (writes out/CASE/Result_0/OUTPUT.raw)
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime as ort
import onnxruntime_qnn

HERE = Path(__file__).resolve().parent
PROVIDER = "QNNExecutionProvider"


def op_packages(facts: dict, run: dict) -> str:
    """Both halves: the ARM one by its path, the one with the kernels by its file name, which the DSP looks for."""
    package = next(each for each in facts["packages"] if each["library"] == run["library"])
    arm, dsp = HERE / "arm" / run["library"], run["library"]
    return ",".join(f"{run['op']}:{path}:{package['provider']}:{target}" for path, target in ((arm, "CPU"), (dsp, "HTP")))


def main() -> int:
    facts = json.loads((HERE / "bundle.json").read_text(encoding="utf-8"))
    run = next(each for each in facts["runs"] if each["name"] == sys.argv[1])
    folder = HERE / "cases" / run["name"]
    ort.register_execution_provider_library(PROVIDER, onnxruntime_qnn.get_library_path())
    device = next(each for each in ort.get_ep_devices() if each.ep_name == PROVIDER)
    options = ort.SessionOptions()
    options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
    given = {"backend_path": onnxruntime_qnn.get_qnn_htp_path(), "op_packages": op_packages(facts, run)}
    options.add_provider_for_devices([device], given)
    session = ort.InferenceSession(str(folder / "model.onnx"), options)
    inputs = {
        each["name"]: np.fromfile(folder / "inputs" / f"{each['name']}.raw", each["type"]).reshape(each["dims"])
        for each in run["inputs"]
    }
    names = [each["name"] for each in run["outputs"]]
    result = HERE / "out" / run["name"] / "Result_0"
    result.mkdir(parents=True, exist_ok=True)
    for name, value in zip(names, session.run(names, inputs)):
        value.tofile(result / f"{name}.raw")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
