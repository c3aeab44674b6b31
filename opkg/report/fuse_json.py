"""Which ops of a model become one kernel, as JSON."""

from __future__ import annotations

import json
from typing import Any

from opkg.models.model import Model
from opkg.models.partition.plan import Kernel, Plan


def render(plan: Plan) -> str:
    """One object: `kernels` (ops by name, tensors, bytes), `left` (node -> reason), `alone`, totals."""
    nodes = plan.model.nodes
    made: dict[str, Any] = {
        "model": plan.model.name,
        "target": plan.limits.name,
        "ops": {"before": len(nodes), "after": plan.ops_after},
        "bytes": {"before": plan.before, "after": plan.after},
        "kernels": [_kernel(plan.model, kernel) for kernel in plan.kernels],
        "alone": [nodes[number].name for number in plan.singles],
        "left": {nodes[number].name: reason for number, reason in plan.left.items()},
    }
    return json.dumps(made, indent=1) + "\n"


def _kernel(model: Model, kernel: Kernel) -> dict[str, Any]:
    return {
        "nodes": [model.nodes[number].name for number in kernel.nodes],
        "ops": [model.nodes[number].op for number in kernel.nodes],
        "inputs": [_tensor(model, name) for name in kernel.inputs],
        "outputs": [_tensor(model, name) for name in kernel.outputs],
        "bytes": {"before": kernel.before, "after": kernel.after},
    }


def _tensor(model: Model, name: str) -> dict[str, Any]:
    tensor = model.tensor(name)
    return {"name": name, "dtype": tensor.dtype, "shape": list(tensor.fixed or ())}
