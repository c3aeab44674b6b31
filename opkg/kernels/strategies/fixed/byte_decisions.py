"""Comparisons and signs of one or two stored bytes, exactly: predicates of bytes (templates/qnn/hvx_fixed_bytes.h)."""

from __future__ import annotations

from fractions import Fraction

from opkg.kernels.graphs.graph import COMPARE
from opkg.kernels.strategies.fixed.code import NAMESPACE
from opkg.kernels.strategies.fixed.decisions import JOINED, Decisions, Linear, sizes_joined
from opkg.kernels.strategies.fixed.numbers import Atom, Unfit

HEADER = "opkg/hvx_fixed_bytes.h"
_ABOVE, _AT_LEAST, _SIGN = "kAbove", "kAtLeast", "kSign"
_OPPOSITE = {"lt": "gt", "le": "ge"}


class ByteDecisions:
    """The decisions of one kernel that bytes alone make, elements in the order of memory."""

    def __init__(self, decisions: Decisions) -> None:
        self._decisions, self._code = decisions, decisions.code
        self._graph = decisions.graph
        self._made: dict[tuple[Linear, str], str] = {}

    @property
    def used(self) -> bool:
        return bool(self._made)

    def can(self, node: int) -> bool:
        """Whether a bool node is made of such comparisons."""
        made = self._graph[node]
        if made.op == "not" or made.op in JOINED:
            return all(self.can(arg) for arg in made.args)
        compares = made.op in COMPARE and not self._decisions.of_bools(node)
        return compares and (self._fits(self._decisions.difference(node)) or bool(self._sizes(node)))

    def _sizes(self, node: int) -> list[list[tuple[str, Linear]]] | None:
        """The comparisons that one of two absolute values hangs on; None where it is none of these, or bytes are not enough."""
        try:
            found = self._decisions.sizes(self._graph[node])
        except Unfit:
            return None
        return found if found and all(self._fits(sum_) for pair in found for _, sum_ in pair) else None

    def difference(self, node: int) -> Linear | None:
        """A node, where it is a difference or sum of two bytes."""
        sum_ = self._decisions.sum_of(node)
        return sum_ if sum_ is not None and len(sum_.inputs) == 2 and self._fits(sum_) else None

    def _fits(self, sum_: Linear | None) -> bool:
        if sum_ is None or not self._code.split:
            return False
        bytes_ = all(self._code.operands[name].storage.bits == 8 for name, _ in sum_.inputs)
        plain = not sum_.params and not sum_.constant
        return bytes_ and (len(sum_.inputs) == 1 or (len(sum_.inputs) == 2 and plain))

    def test(self, node: int) -> str:
        """The predicate of a bool node. Raises Unfit."""
        made, body = self._graph[node], self._code.body
        if made.op == "not":
            return body.q6("Q6_Q_not_Q", self.test(made.args[0]), to="inverse")
        if made.op in JOINED:
            both = [self.test(arg) for arg in made.args]
            return body.q6(JOINED[made.op], *both, to="both" if made.op == "and" else "either")
        name = made.origin or "test"
        sizes = self._sizes(node)
        if sizes is not None:
            inner, outer = sizes_joined(made.op)
            pairs = [
                body.q6(JOINED[inner], *[self._compared(*test, name) for test in pair], to="both") for pair in sizes
            ]
            return pairs[0] if len(pairs) == 1 else body.q6(JOINED[outer], *pairs, to=name)
        difference = self._decisions.difference(node)
        if difference is None:
            raise Unfit("a comparison of no sum")
        return self._compared(made.op, difference, name)

    def _compared(self, op: str, difference: Linear, name: str) -> str:
        if op in ("eq", "ne"):
            same = self._same(difference, name)
            return self._code.body.q6("Q6_Q_not_Q", same, to=name) if op == "ne" else same
        if op in _OPPOSITE:
            difference = Linear().plus(difference, Fraction(-1))
        return self.above(difference, _OPPOSITE.get(op, op) == "ge", name)

    def above(self, sum_: Linear, at_least: bool, name: str) -> str:
        """Where a sum is above 0, or at least 0."""
        body = self._code.body
        if len(sum_.inputs) == 2:
            lanes = self._lanes(sum_, _AT_LEAST if at_least else _ABOVE)
            return body.q6("Q6_Q_vcmp_gt_VubVub", lanes, self._code.splat("0"), to=name)
        if sum_.inputs[0][1] < 0:
            inverse = self.above(Linear().plus(sum_, Fraction(-1)), not at_least, f"{name}_not")
            return body.q6("Q6_Q_not_Q", inverse, to=name)
        member = self._limit(sum_, at_least)
        x = self._code.byte(Atom("input", sum_.inputs[0][0]))
        least = body.q6("Q6_Vub_vmax_VubVub", x, self._code.splat(f"{member}.least"), to="at_least")
        return body.q6("Q6_Q_vcmp_gt_VubVub", least, self._code.splat(f"{member}.most"), to=name)

    def _limit(self, sum_: Linear, at_least: bool) -> str:
        """The member with what a byte is compared with."""
        kind = _AT_LEAST if at_least else _ABOVE
        if (sum_, kind) not in self._made:
            (term,), constant = self._decisions.terms(sum_)
            member = self._code.member(f"{NAMESPACE}::ByteAbove", "limit", "of a byte that is moved to 0..255")
            self._code.say(f"if (!{member}.fit({term}, {constant}, {str(at_least).lower()})) return false;")
            self._made[sum_, kind] = member
        return self._made[sum_, kind]

    def _same(self, sum_: Linear, name: str) -> str:
        body = self._code.body
        if len(sum_.inputs) == 2:
            return body.q6("Q6_Q_vcmp_eq_VbVb", self.side(sum_), self._code.splat("0"), to=name)
        above, below = self.above(sum_, False, "above"), self.above(Linear().plus(sum_, Fraction(-1)), False, "below")
        return body.q6("Q6_Q_not_Q", body.q6("Q6_Q_or_QQ", above, below, to="apart"), to=name)

    def side(self, sum_: Linear) -> str:
        """A vector of bytes with the sign of a sum of two inputs."""
        return self._lanes(sum_, _SIGN)

    def _lanes(self, sum_: Linear, kind: str) -> str:
        """Bytes that are above 0 where the sum is (kAbove, kAtLeast), or have its sign."""
        if (sum_, kind) not in self._made:
            self._made[sum_, kind] = self._two(sum_, kind)
        return self._made[sum_, kind]

    def _two(self, sum_: Linear, kind: str) -> str:
        code, body = self._code, self._code.body
        terms, _ = self._decisions.terms(sum_)
        member = code.member(f"{NAMESPACE}::SignOfBytes", "decided", "factors of two bytes")
        code.say(f"if (!{member}.fit({', '.join(terms)}, {member}.{kind})) return false;")
        x, y = (code.byte(Atom("input", name)) for name, _ in sum_.inputs)
        pair = body.pair(y, x, to="pair")
        high, low = (body.q6("Q6_Wh_vmpa_WubRb", pair, f"{member}.{half}", to=half) for half in ("high", "low"))
        halves = []
        for part, of in (("odd", body.hi), ("even", body.lo)):
            rest = body.q6("Q6_Vh_vadd_VhVh", of(low), code.splat(f"{member}.low_start"), to="low_part")
            whole = body.q6("Q6_Vh_vasracc_VhVhR", of(high), rest, f"{member}.kBits", to=part)
            whole = body.q6("Q6_Vh_vadd_VhVh_sat", whole, code.splat(f"{member}.start"), to=part)
            if kind == _SIGN:
                rest = body.q6("Q6_V_vand_VV", rest, code.splat(f"{member}.kRest"), to="rest")
                whole = body.q6("Q6_V_vor_VV", whole, rest, to="side")
            halves.append(whole)
        if kind == _SIGN:
            return body.q6("Q6_Vb_vasr_VhVhR_sat", *halves, "0", to="side")
        return body.q6("Q6_Vub_vsat_VhVh", *halves, to="above")
