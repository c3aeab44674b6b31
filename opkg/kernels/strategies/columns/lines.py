"""Which results are lines of one sum or extreme: factor * number + constant, with numbers of the call."""

from __future__ import annotations

from opkg.kernels.snippet import Operand, Storage
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.plan import Plan
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import Kind


def is_line(plan: Plan, output: Operand, node: int) -> bool:
    """Whether an output, quantized or whole numbers of up to 16 bits, is a line of the only number that is found of a column."""
    stepped = output.quantized or (output.dtype.kind in (Kind.INT, Kind.UINT) and output.storage.bits <= 16)
    return stepped and _line(plan, node)


def _line(plan: Plan, at: int) -> bool:
    node = plan.graph[at]
    if plan.rank[at] == "uniform":
        return node.type is not Type.BOOL
    if node.op in ("reduce_sum", "reduce_mean"):
        return all(len(atoms) <= 1 for atoms in poly.split(plan.polys[node.args[0]], plan.is_element))
    if node.op in ("reduce_max", "reduce_min", "neg"):
        return node.op != "neg" or _line(plan, node.args[0])
    if node.op in ("add", "sub"):
        return all(_line(plan, arg) for arg in node.args)
    if node.op == "mul":
        varying = [arg for arg in node.args if plan.rank[arg] != "uniform"]
        return len(varying) == 1 and all(_line(plan, arg) for arg in node.args)
    return (
        node.op == "div"
        and node.type is Type.REAL
        and plan.rank[node.args[1]] == "uniform"
        and _line(plan, node.args[0])
    )


def whole(found: Plan, output: Operand, node: int) -> str:
    """How a sum or extreme of plain integers becomes a 32-bit integer: as it is; "single" for anything else."""
    reduction = found.graph[node]
    if (
        output.storage is not Storage.S32
        or output.quantized
        or reduction.op not in ("reduce_sum", "reduce_max", "reduce_min", "reduce_prod")
    ):
        return "single"
    source = found.graph[reduction.args[0]]
    if source.op != "input" or source.type is not Type.INTEGER:
        return "single"
    if reduction.op == "reduce_prod":
        return "product"
    return (
        "halves" if reduction.op == "reduce_sum" and found.snippet.operand(source.name).storage.bits == 32 else "whole"
    )
