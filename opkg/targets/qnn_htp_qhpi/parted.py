"""The function that says of an op's shapes whether it moves whole blocks: what a graph's op tells of a call, for its views."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.spec.compute.parts import read_params
from opkg.spec.kept import moves_blocks
from opkg.targets.qnn_common.kernel_api import KernelApi
from opkg.targets.qnn_htp_qhpi.plan import Plan


@dataclass(frozen=True, slots=True)
class PartedCall:
    """The struct of a kernel's arguments, and the lines that give `given`, one of these, its shapes and what says where parts
    begin."""

    args: str
    lines: tuple[str, ...]


def parted_call(plan: Plan, api: KernelApi) -> PartedCall | None:
    """How an op that moves whole blocks is looked at before it has tensors; None for others."""
    kernel = next((k for k in plan.kernels if moves_blocks(plan.op, k) and not k.is_twin), None)
    if kernel is None or plan.op.compute is None:
        return None
    args = next(function.args for function in api.functions if function.name == kernel.function)
    lines = [
        *(
            f"opkg::set_shape(given.{t.name}, opkg::definition(qhpi_op_input(op, {at})));"
            for at, t in enumerate(plan.op.inputs)
        ),
        *(f"opkg::set_shape(given.{t.name}, qhpi_op_output(op, {at}));" for at, t in enumerate(plan.op.outputs)),
    ]
    for name in sorted(read_params(plan.op.compute)):
        at = plan.records[0].positions[name]
        lines.append(f"if (!opkg::read_number(op, {at}, given.{name})) return false;")
    return PartedCall(args, tuple(lines))
