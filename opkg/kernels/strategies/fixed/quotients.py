"""Whole quotients of quantized tensors by others, and what they leave, exactly (templates/qnn/hvx_quotient.h).

`a // b`, `a % b`, and a / b rounded to a whole number: as a stored result, or as 16-bit lanes of a larger expression.
"""

from __future__ import annotations

from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.fixed.code import NAMESPACE, Code
from opkg.kernels.strategies.fixed.halves_of import halves_of, in_memory, result_numbers
from opkg.kernels.strategies.fixed.numbers import Atom, Value
from opkg.kernels.strategies.fixed.questions import Question

HEADER = "opkg/hvx_quotient.h"
FUNCTION = "opkg::hvx::QuotientOf"
# Packets of 128 quotients, of one digit; measured are 87 of 8 and 108 of 16.
PACKETS = {FUNCTION: 65.0}


def stored(code: Code, output: Operand, asked: Question) -> list[str]:
    """The vectors of an output, in the order of memory."""
    code.require(output)
    operands = [code.operands[asked.first], code.operands[asked.second]]
    split = any(o.storage.bits == 8 for o in (*operands, output))
    member = code.member(f"{NAMESPACE}::Quotient", "quotient", "the quotient of the scales, and the step of the result")
    code.say(f"if (!{member}.fit({_asked(asked)}, {_numbers(code, asked)}, {result_numbers(output)})) return false;")
    return in_memory(code, output, _made(code, asked, member, split, output.name), split)


def lanes_of(code: Code, atom: Atom, limited: bool = True) -> Value:
    """Whole numbers in 16-bit lanes; `limited`: saturated there, where sums see to it that this is no matter."""
    assert atom.asked is not None
    asked = atom.asked
    member = code.member(f"{NAMESPACE}::Quotient", "quotient", "the quotient of the scales, and the least whole number")
    lanes = code.local("quotient_lanes")
    how = ", ".join("true" if flag else "false" for flag in (asked.flipped, limited))
    numbers = _numbers(code, asked)
    fit = f"fit_rest({numbers}" if asked.asked == "rest" else f"fit_whole({_asked(asked)}, {numbers}, {how}"
    code.say(f"{NAMESPACE}::Lanes {lanes};")
    code.say(f"if (!{member}.{fit}, {lanes})) return false;")
    made = _made(code, asked, member, code.split, "quotient")
    return Value((code.body.lo(made), code.body.hi(made)), lanes)


def _numbers(code: Code, asked: Question) -> str:
    """C++ of the numbers of both operands."""
    operands = [code.operands[asked.first], code.operands[asked.second]]
    for operand in operands:
        code.require(operand)
    return ", ".join(map(result_numbers, operands))


def _asked(asked: Question) -> str:
    return f"{NAMESPACE}::Asked::{asked.asked}"


def _made(code: Code, asked: Question, member: str, split: bool, name: str) -> str:
    halves = [halves_of(code.setup, code.body, code.operands[o], split) for o in (asked.first, asked.second)]
    function = f"{FUNCTION}<{_asked(asked)}{', true' if asked.flipped else ''}>{{{member}}}"
    return code.body.call(function, *halves, kind="W", to=name)
