"""Tests of elements in the first loop of a row, as predicates: masks, and comparisons that are exact."""

from __future__ import annotations

from opkg.kernels.graphs.graph import COMPARE
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.fixed.atoms import ATOMS
from opkg.kernels.strategies.fixed.byte_decisions import HEADER as BYTES_HEADER
from opkg.kernels.strategies.fixed.byte_decisions import ByteDecisions
from opkg.kernels.strategies.fixed.code import Code
from opkg.kernels.strategies.fixed.decisions import HEADER, JOINED, Decisions
from opkg.kernels.strategies.fixed.forms import Forms
from opkg.kernels.strategies.fixed.numbers import Unfit
from opkg.kernels.strategies.rows.loop_block import LoopBlock
from opkg.kernels.strategies.rows.plan import Cannot, Decided, Plan
from opkg.spec.compute.types import Type

_HEADERS = ("opkg/hvx_fixed.h", "opkg/hvx_fixed_sum.h", "opkg/hvx_fixed_parts.h")


class Predicates:
    """Predicates of a loop's step: of its 8-bit or 16-bit elements, one for each vector of these, in the order of memory."""

    def __init__(self, plan: Plan, body: LoopBlock, step: int) -> None:
        inputs = read_inputs(plan.snippet)
        self._masks = {o.name for o in inputs if not o.quantized}
        widths = {o.storage.bits for o in inputs if o.quantized}
        if len(widths) != 1 or not widths <= {8, 16}:
            raise Cannot("choices between elements of other types than quantized ones of 8, or of 16 bits")
        (self.bits,) = widths
        self._plan, self._body, self._step = plan, body, step
        self._parts = step * self.bits // 1024
        self._made: dict[int, list[str]] = {}
        self._code: Code | None = None
        self._decisions: Decisions | None = None
        self._of_bytes: ByteDecisions | None = None

    def of(self, tests: tuple[str, ...]) -> list[str]:
        """Where all of some tests hold."""
        first, *others = [self.holds(self._plan.tests[test].node) for test in tests]
        for other in others:
            first = [self._body.q6("Q6_Q_and_QQ", *pair, to="both") for pair in zip(first, other, strict=True)]
        return first

    def decided(self) -> Decided:
        """What the decisions add to the struct."""
        if self._code is None:
            return Decided()
        headers = (HEADER, BYTES_HEADER) if self.bits == 8 else (HEADER,)
        return Decided(self._code.members, self._code.prepare, (*_HEADERS, *headers))

    def holds(self, at: int) -> list[str]:
        """Where a bool node holds."""
        if at not in self._made:
            self._made[at] = self._predicates(at)
        return self._made[at]

    def _predicates(self, at: int) -> list[str]:
        node, body = self._plan.graph[at], self._body
        if node.op == "input" and node.name in self._masks:
            return self._mask(node.name)
        if node.op == "not":
            return [body.q6("Q6_Q_not_Q", q, to="inverse") for q in self.holds(node.args[0])]
        if node.op in JOINED:
            pairs = zip(*map(self.holds, node.args), strict=True)
            return [body.q6(JOINED[node.op], *pair, to="both" if node.op == "and" else "either") for pair in pairs]
        if node.op not in COMPARE or any(self._plan.graph[arg].type is Type.BOOL for arg in node.args):
            raise Cannot(f"the sum of what a '{node.op}' chooses")
        return self._compared(at)

    def _mask(self, name: str) -> list[str]:
        body = self._body
        zero = body.setup.q6("Q6_V_vzero", to="zero")
        mask = body.load(name)
        if self.bits == 8:
            return [body.q6("Q6_Q_vcmp_gt_VubVub", mask, zero, to=f"{name}_set")]
        wide = body.q6("Q6_Wuh_vunpack_Vub", mask, to=f"{name}_wide")
        return [body.q6("Q6_Q_vcmp_gt_VuhVuh", end, zero, to=f"{name}_set") for end in (body.lo(wide), body.hi(wide))]

    def _compared(self, at: int) -> list[str]:
        try:
            of_bytes = self._deciding()
            if self.bits == 16 and self._decisions is not None:
                return list(self._decisions.test(at))
            if not of_bytes.can(at):
                raise Unfit("a comparison of more than two bytes, or of two and a constant")
            return [of_bytes.test(at)]
        except Unfit as reason:
            raise Cannot(f"the sum of what hangs on {reason}") from reason

    def _deciding(self) -> ByteDecisions:
        if self._of_bytes is None:
            snippet = self._plan.snippet
            names = frozenset(o.name for o in snippet.inputs if o.quantized and o.storage.bits == 8)
            code = Code(snippet, Forms(snippet.graph, names), ATOMS)
            code.setup, code.body = self._body.setup, self._body
            code.split, code.step, code.parts = self.bits == 8, self._step, self._step // 64
            self._code, self._decisions = code, Decisions(code)
            self._of_bytes = ByteDecisions(self._decisions)
        return self._of_bytes
