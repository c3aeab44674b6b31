#!/usr/bin/env bash
# Makes (or completes) a virtual environment with PyTorch for CPU and ExecuTorch 1.5.1, just enough for its Qualcomm
# backend's builders. Usage: scripts/setup-executorch.sh [FOLDER]   (default: .venv-executorch at the top of the checkout)
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
venv="${1:-$root/.venv-executorch}"
python="${PYTHON:-python3.11}"

command -v "$python" > /dev/null || python=python3
if [ ! -x "$venv/bin/python" ]; then
    "$python" -m venv "$venv"
fi
pip() { "$venv/bin/python" -m pip --disable-pip-version-check --quiet "$@"; }

# Always pinned: an unpinned torch (or torchvision) may bring CUDA, several gigabytes of it.
pip install "torch==2.13.0"
# ExecuTorch names many packages that only other backends need.
pip install --no-deps "executorch==1.5.1"
# Of QNN's builds on PyPI only this one reads the device configuration that ExecuTorch writes; onnxruntime itself is not needed.
pip install --no-deps "onnxruntime-qnn==2.5.0"
pip install numpy packaging flatbuffers py-cpuinfo "pytest>=8" pyyaml ruamel.yaml ruamel.yaml.clib tabulate "torchao>=0.18,<0.19" 2>&1 |
    grep -v "^executorch 1.5.1 requires\|dependency resolver" >&2 || true

"$venv/bin/python" - 2> /dev/null << 'PY'
from executorch.backends.qualcomm.builders.node_visitor_manager import _node_visitor_dict

print(f"ExecuTorch's Qualcomm backend: {len(_node_visitor_dict)} builders")
PY
echo "$venv/bin/python"
