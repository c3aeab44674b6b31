"""Sums of several quantized inputs rounded to whole numbers, exactly (templates/qnn/hvx_whole_sum.h).

floor, ceil, trunc and round of c1 * x1 + c2 * x2 + ... + k, c and k constants, as a result of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isfinite

from opkg.kernels.graphs.graph import Graph, Node
from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.fixed.code import NAMESPACE, Code
from opkg.kernels.strategies.fixed.halves_of import halves_of, in_memory, result_numbers
from opkg.kernels.strategies.fixed.numbers import text

HEADER = "opkg/hvx_whole_sum.h"
FUNCTION = "opkg::hvx::WholeSumOf"
# Packets of 128 sums of two inputs, rounded down: what others take is more.
PACKETS = {FUNCTION: 25.0}
_ROUNDINGS = ("floor", "ceil", "trunc", "round")
_MOST = 4  # terms: opkg::fixed::kMostDecided
_CONSTANT = ""
_Sum = dict[str, Fraction]  # factors by input, the constant by `_CONSTANT`


@dataclass(frozen=True, slots=True)
class RoundedSum:
    """A sum of factors times inputs and a constant, and how it is rounded."""

    rounding: str
    factors: tuple[tuple[str, float], ...]
    constant: float


def rounded_sum(graph: Graph, node: Node) -> RoundedSum | None:
    """What a node is of two to four inputs; None where it is something else."""
    total = _sum(graph, node.args[0]) if node.op in _ROUNDINGS else None
    if total is None or any(Fraction(float(number)) != number for number in total.values()):
        return None
    constant = float(total.pop(_CONSTANT, Fraction(0)))
    if not 2 <= len(total) <= _MOST or 0 in total.values():
        return None
    return RoundedSum(node.op, tuple((name, float(number)) for name, number in total.items()), constant)


def stored(code: Code, output: Operand, rounded: RoundedSum) -> list[str]:
    """The vectors of an output, in the order of memory."""
    inputs = [code.operands[name] for name, _ in rounded.factors]
    for operand in (*inputs, output):
        code.require(operand)
    split = any(o.storage.bits == 8 for o in (*inputs, output))
    halves = [halves_of(code.setup, code.body, operand, split, signed=True) for operand in inputs]
    member = code.member(f"{NAMESPACE}::WholeSum", "rounded", "factors in words of 14 bits, and the step of the result")
    terms = ", ".join(f"{{{code.stored(name)}, {text(factor)}}}" for name, factor in rounded.factors)
    rounding = f"{NAMESPACE}::Rounding::{rounded.rounding}"
    numbers = f"{{{terms}}}, {text(rounded.constant)}, {result_numbers(output)}"
    code.say(f"if (!{member}.fit({rounding}, {numbers})) return false;")
    results = code.body.call(f"{FUNCTION}<{rounding}>{{{member}}}", *halves, kind="W", to=output.name)
    return in_memory(code, output, results, split)


def _sum(graph: Graph, index: int) -> _Sum | None:
    """A node as a sum; None where it is something else."""
    node = graph[index]
    if node.op == "input":
        return {node.name: Fraction(1)}
    if node.op == "const":
        value = node.value
        known = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
        return {_CONSTANT: Fraction(value)} if known and value is not None else None
    if node.op not in ("neg", "add", "sub", "mul", "div"):
        return None
    found = [_sum(graph, arg) for arg in node.args]
    args = [each for each in found if each is not None]
    if len(args) < len(found):
        return None
    if node.op == "neg":
        return _scaled(args[0], Fraction(-1))
    if node.op in ("add", "sub"):
        other = args[1] if node.op == "add" else _scaled(args[1], Fraction(-1))
        return {name: args[0].get(name, Fraction(0)) + other.get(name, Fraction(0)) for name in {**args[0], **other}}
    if node.op == "mul" and set(args[0]) == {_CONSTANT}:
        args.reverse()
    factor = args[1].get(_CONSTANT, Fraction(0))
    if set(args[1]) != {_CONSTANT} or not factor:
        return None
    return _scaled(args[0], factor if node.op == "mul" else 1 / factor)


def _scaled(total: _Sum, factor: Fraction) -> _Sum:
    return {name: number * factor for name, number in total.items()}
