"""Sums of several quantized inputs rounded to whole numbers, exactly (templates/qnn/hvx_whole_sum.h).

floor, ceil, trunc and round of c1 * x1 + c2 * x2 + ... + k, c and k constants, as a result of its own.
"""

from __future__ import annotations

from fractions import Fraction
from math import isfinite

from opkg.kernels.block import Block
from opkg.kernels.graphs.graph import Graph
from opkg.kernels.lowered import Lowered, Member
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.fixed.cache import HEADERS as CACHE_HEADERS
from opkg.kernels.strategies.fixed.cache import kept_lines
from opkg.kernels.strategies.fixed.halves_of import halves_of, legal, result_numbers, store_halves
from opkg.kernels.strategies.fixed.numbers import text

HEADERS = ("opkg/hvx_whole_sum.h", *CACHE_HEADERS)
# Packets of 128 sums of two inputs, rounded down: what others take is more.
PACKETS = {"opkg::hvx::WholeSumOf": 25.0}
_MEMBER = "sum_"
_ROUNDINGS = ("floor", "ceil", "trunc", "round")
_MOST = 4  # terms: opkg::fixed::kMostDecided
_CONSTANT = ""
_Sum = dict[str, Fraction]  # factors by input, the constant by `_CONSTANT`


def lower(snippet: Snippet) -> Lowered | None:
    """The kernel of a result that is such a whole number."""
    graph = snippet.graph
    if len(graph.results) != 1 or graph[graph.results[0].node].op not in _ROUNDINGS:
        return None
    node = graph[graph.results[0].node]
    total = _sum(graph, node.args[0])
    if total is None or any(Fraction(float(number)) != number for number in total.values()):
        return None
    constant = float(total.pop(_CONSTANT, Fraction(0)))
    if not 2 <= len(total) <= _MOST or 0 in total.values():
        return None
    inputs, output = [snippet.operand(name) for name in total], snippet.outputs[0]
    setup = Block()
    body = Block(setup)
    split = any(o.storage.bits == 8 for o in (*inputs, output))
    halves = [halves_of(setup, body, operand, split, signed=True) for operand in inputs]
    function = f"opkg::hvx::WholeSumOf<opkg::fixed::Rounding::{node.op}>{{{_MEMBER}}}"
    store_halves(setup, body, output, body.call(function, *halves, kind="W", to=output.name), split)
    terms, lines = [], legal((*inputs, output))
    for operand in inputs:
        stored = f"opkg::fixed::stored<{operand.element}>(op.{operand.name}.scale, op.{operand.name}.zero)"
        terms.append(f"{{{stored}, {text(float(total[operand.name]))}}}")
    numbers = f"{{{', '.join(terms)}}}, {text(constant)}, {result_numbers(output)}"
    lines.append(f"if (!{_MEMBER}.fit(opkg::fixed::Rounding::{node.op}, {numbers})) return false;")
    members = (Member("opkg::fixed::WholeSum", _MEMBER, "factors in words of 14 bits, and the step of the result"),)
    return Lowered(
        strategy="fixed",
        title="sums in three words, rounded to whole numbers",
        error="whole numbers are exact, results within 1 step of the correctly rounded one",
        step=128,
        members=members,
        prepare=kept_lines(snippet, members, lines),
        setup=tuple(setup.insts),
        body=tuple(body.insts),
        headers=HEADERS,
        arch=65,
    )


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
