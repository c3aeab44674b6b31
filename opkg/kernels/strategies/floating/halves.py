"""The float strategy on halves as they are, 64 at a time: where nothing is computed, or one sum or product.

Selecting, comparing and changing the sign is exact in half precision, and one rounding is the one that the store would do
anyway; whatever rounds more than once is computed in single precision (floating.py).
"""

from __future__ import annotations

import struct

from opkg.kernels.block import Block
from opkg.kernels.graphs.graph import Graph, Node
from opkg.kernels.lowered import Lowered, Member
from opkg.kernels.snippet import Operand, Snippet, Storage
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.floating.ops import BOOLS, HEADER, PREFIX, Operation, comparison, function, label
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import Kind

ROUNDS = frozenset(("add", "sub", "mul"))
_OPERATIONS: dict[str, Operation] = {
    **{name: function(f"{name}_hf") for name in ("add", "sub", "mul", "neg", "abs", "min", "max")},
    "gt": comparison("gt_hf"),
    "lt": comparison("gt_hf", swapped=True),
    "ge": comparison("ge_hf"),
    "le": comparison("ge_hf", swapped=True),
    "eq": comparison("eq_hf"),
    "ne": comparison("eq_hf", inverse=True),
    "select": Operation(lambda block, args, to: block.q6("Q6_V_vmux_QVV", *args, to=to)),
}
_COMPARISONS = frozenset(("gt", "lt", "ge", "le", "eq", "ne"))


def halves(snippet: Snippet) -> Lowered | None:
    """A kernel on 64 halves; None where it is not for this form."""
    return _Maker(snippet).lowered() if suits(snippet) else None


def suits(snippet: Snippet) -> bool:
    """Whether a kernel is computed in half precision."""
    graph, inputs = snippet.graph, read_inputs(snippet)
    if not all(o.storage is Storage.F16 for o in inputs) or not all(_written(o) for o in snippet.outputs):
        return False
    if sum(node.op in ROUNDS and not node.uniform for node in graph.nodes) > 1:
        return False
    return all(_node_suits(graph, node) for node in graph.nodes)


def _written(operand: Operand) -> bool:
    return operand.storage is Storage.F16 or operand.dtype.kind is Kind.BOOL


def _node_suits(graph: Graph, node: Node) -> bool:
    args = [graph[arg] for arg in node.args]
    if node.op == "const":
        return node.type is Type.BOOL or half_bits(node.value) is not None
    if node.op == "param":
        return node.type is Type.REAL
    if node.uniform:
        return False
    if node.type is Type.INTEGER or any(arg.type is Type.INTEGER and arg.op != "const" for arg in args):
        return False
    if node.op in ("and", "or", "not"):
        return True
    if (
        node.op in _COMPARISONS
    ):  # a param is no half: what lies between it and the nearest half would be decided wrongly
        return all(arg.type is not Type.BOOL and arg.op != "param" for arg in args)
    reals = args[1:] if node.op == "select" else args
    return node.op == "input" or (
        node.op in _OPERATIONS and node.type is Type.REAL and all(arg.type is not Type.BOOL for arg in reals)
    )


def half_bits(value: bool | int | float | None) -> int | None:
    """The bits of a number that half precision holds exactly and normally; None of another one."""
    number = float(value or 0)
    try:
        bits = struct.pack("<e", number)
    except (OverflowError, ValueError):
        return None
    (word,) = struct.unpack("<H", bits)
    normal = number == 0 or 0 < (word >> 10 & 31) < 31
    return word if normal and struct.unpack("<e", bits)[0] == number else None


class _Maker:
    def __init__(self, snippet: Snippet) -> None:
        self.snippet, self.graph = snippet, snippet.graph
        self.bools = any(o.dtype.kind is Kind.BOOL for o in snippet.outputs)
        self.groups = 2 if self.bools else 1
        self.setup = Block()
        self.body = Block(self.setup)
        self.members: list[Member] = []
        self.prepare: list[str] = []
        self.values: dict[int, list[str]] = {}

    def lowered(self) -> Lowered:
        for index, node in enumerate(self.graph.nodes):
            self.values[index] = [self._node(node, group) for group in range(self.groups)]
        for result in self.graph.results:
            self._store(self.snippet.operand(result.name), self.values[result.node])
        rounds = any(node.op in ROUNDS for node in self.graph.nodes)
        shared = any(node.op == "param" for node in self.graph.nodes)
        given = "params rounded to half precision" if shared else ""
        error = ", then ".join(filter(None, (given, "0.5 ulp of half precision" if rounds else ""))) or "exact"
        return Lowered(
            strategy="floating",
            title="Half precision, 64 elements at a time",
            error=error,
            step=64 * self.groups,
            members=tuple(self.members),
            prepare=tuple(self.prepare),
            setup=tuple(self.setup.insts),
            body=tuple(self.body.insts),
            headers=(HEADER,),
            arch=68,
            unroll=4,
            float_unit=True,
        )

    def _node(self, node: Node, group: int) -> str:
        if node.op == "const":
            if node.type is Type.BOOL:
                return self._test(bool(node.value))
            return self._splat(f"0x{half_bits(node.value) or 0:04x}")
        if node.op == "param" and node.uniform:
            return self._param(node.name)
        if node.op in ("input", "param"):
            return self.body.load(node.name, group)
        operands = tuple([self.values[arg][group] for arg in node.args])
        table = BOOLS if node.type is Type.BOOL and node.op in ("and", "or", "not") else _OPERATIONS
        return table[node.op].make(self.body, operands, label(node))

    def _splat(self, bits: str) -> str:
        return self.setup.call(PREFIX + "splat_hf", bits, to="number")

    def _test(self, value: bool) -> str:
        zero, other = self._splat("0x0000"), self._splat("0x0000" if value else "0x0001")
        return self.setup.q6("Q6_Q_vcmp_eq_VhVh", zero, other, to="test")

    def _param(self, name: str) -> str:
        member = f"{name}_hf"
        if member not in {m.name for m in self.members}:
            self.members.append(Member("uint16_t", member))
            self.prepare += [
                f"if (!(std::fabs(op.{name}) <= 65504.0f)) return false;",
                f"{member} = opkg::Float16(op.{name}).bits();",
            ]
        return self._splat(member)

    def _store(self, operand: Operand, values: list[str]) -> None:
        if operand.dtype.kind is not Kind.BOOL:
            for group, value in enumerate(values):
                self.body.store(operand.name, value, group)
            return
        one, none = self._splat("0x0001"), self._splat("0x0000")
        words = [self.body.q6("Q6_V_vmux_QVV", value, one, none) for value in values]
        self.body.store(operand.name, self.body.q6("Q6_Vb_vpacke_VhVh", words[1], words[0], to=operand.name))
