"""Integer outputs: whole numbers of quantized inputs, `cast(a // b, int32)`, and choices between them, exactly."""

from __future__ import annotations

from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.fixed import quotients, whole_sums
from opkg.kernels.strategies.fixed.code import NAMESPACE, Code
from opkg.kernels.strategies.fixed.numbers import Unfit
from opkg.kernels.strategies.fixed.questions import Question, question

_BITS = (8, 16, 32)


def is_integer(operand: Operand) -> bool:
    """Whether an output may hold such numbers."""
    return operand.dtype.kind in ("int", "uint") and operand.dtype.bits in _BITS and operand.dtype.name != "uint32"


def number(code: Code, operand: Operand, node: int) -> list[str]:
    """The stored vectors of a number that is no choice, in the order of memory. Raises Unfit."""
    graph = code.forms.graph
    made = graph[node]
    if made.op == "cast" and made.dtype == operand.dtype.name:
        made = graph[made.args[0]]
    low, high = operand.dtype.limits
    if made.op == "const" and isinstance(made.value, int | float):
        value = min(max(int(made.value), low), high) + operand.bias
        spread = {8: "all_bytes", 16: "both_halves"}.get(operand.storage.bits, "")
        text = f"{NAMESPACE}::{spread}({value})" if spread else str(value) if value > low else "INT32_MIN"
        return [code.splat(text)] * (code.step * operand.storage.bits // 1024)
    asked, rounded = question(graph, made), whole_sums.rounded_sum(graph, made)
    if operand.storage.bits == 32 and asked is not None and asked.asked != "rest":
        return _words(code, asked)
    if operand.storage.bits < 32 and asked is not None and asked.asked != "rest":
        return quotients.stored(code, operand, asked)
    if operand.storage.bits < 32 and rounded is not None:
        return whole_sums.stored(code, operand, rounded)
    raise Unfit(f"{operand.name} is {operand.dtype.name}, and a '{made.op}' no whole number of two inputs")


def _words(code: Code, asked: Question) -> list[str]:
    """Whole numbers that 16 bits hold, as words."""
    body, value = code.body, quotients.lanes_of(code, code.forms.quotient(asked), limited=False)
    member = code.member("int32_t", "least", "what the lane 0 stands for")
    code.say(f"{member} = static_cast<int32_t>({value.lanes}.offset);")
    words = [body.q6("Q6_Ww_vunpack_Vh", half, to="words") for half in code.in_order(value.vectors, "whole")]
    parts = [part for word in words for part in (body.lo(word), body.hi(word))]
    return [body.q6("Q6_Vw_vadd_VwVw", part, code.splat(member), to="whole") for part in parts]
