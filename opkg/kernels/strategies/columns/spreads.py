"""Which results of columns are lines of one variance or of its root: fixed point then (opkg/hvx_variance.h)."""

from __future__ import annotations

from opkg.kernels.sequence import SpreadLine
from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.columns.found import LANES, Number
from opkg.kernels.strategies.rows.numbers import spread_lines
from opkg.kernels.strategies.rows.plan import Cannot, Plan, Total
from opkg.kernels.strategies.rows.variances import about_mean
from opkg.spec.compute.types import Type

HEADERS = ("opkg/hvx_linear.h", "opkg/hvx_variance.h")
NAME = "variance"


def spread_of(plan: Plan, operand: Operand, numbers: list[Number], output: Operand, node: int) -> SpreadLine | None:
    """The only result of columns of bytes or of 16 bits as one; None where it is something else."""
    if operand.storage.bits > 16 or output.storage.bits > 16 or not output.quantized:
        return None
    if [isinstance(number, Total) and len(number.atoms) for number in numbers] != [1, 2]:
        return None
    found = _line(plan, node)
    if found is None:
        return None
    at, root = found
    try:
        lines = spread_lines(plan, node, at, NAME)
    except Cannot:
        return None
    types = f"{LANES[operand.storage]}, {LANES[output.storage]}, {str(root).lower()}"
    return SpreadLine(f"opkg::hvx::VarianceLine<{types}>", tuple(lines))


def _line(plan: Plan, at: int) -> tuple[int, bool] | None:
    """The variance that a node is a line of, and whether of its root."""
    node = plan.graph[at]
    if node.type is not Type.REAL or plan.rank[at] == "uniform":
        return None
    if node.op in ("reduce_sum", "reduce_mean"):
        return (at, False) if about_mean(plan, plan.polys[node.args[0]]) is not None else None
    if node.op == "sqrt":
        found = _line(plan, node.args[0])
        return (found[0], True) if found is not None and not found[1] and _scaled(plan, node.args[0]) else None
    varying = [arg for arg in node.args if plan.rank[arg] != "uniform"]
    if (
        len(varying) != 1
        or node.op not in ("add", "sub", "mul", "neg", "div")
        or (node.op == "div" and varying[0] != node.args[0])
    ):
        return None
    return _line(plan, varying[0])


def _scaled(plan: Plan, at: int) -> bool:
    """Whether a line has nothing but a factor."""
    node = plan.graph[at]
    if node.op in ("reduce_sum", "reduce_mean"):
        return True
    varying = [arg for arg in node.args if plan.rank[arg] != "uniform"]
    return node.op in ("mul", "div") and _scaled(plan, varying[0])
