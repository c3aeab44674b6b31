"""Operations of the float strategy: what each becomes, and its error.

Values of a group are 32 lanes of 32 bits: floats (real), int32 (integer) or predicates (bool).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from opkg.kernels.block import Block
from opkg.kernels.graphs.graph import Node

PREFIX = "opkg::hvx::"
HEADER = "opkg/hvx_float.h"
# Functions of 50 instructions and more.
LARGE = (
    "div_sf",
    "quotient_sf",
    "sqrt_sf",
    "rsqrt_sf",
    "exp_sf",
    "log_sf",
    "sigmoid_sf",
    "tanh_sf",
    "erf_sf",
    "pow_sf",
    "log1p_sf",
    "sin_sf",
    "cos_sf",
    "atan_sf",
    *(f"{name}_quotient" for name in ("floor", "ceil", "trunc", "round")),
    "round_quotient_from",
    "modulo_sf",
    "modulo_steps",
    "modulo_long",
    "quotient_down_sf",
    "quotient_down_long",
)
# Packets per vector: of a loop of four turns around the function alone (clang-19, v73, -O2), without loads and stores, on
# floats or on halves through single precision, whichever is less. Functions of a few instructions: the units that they take.
PACKETS: dict[str, float] = {
    "abs_sf": 0.25, "neg_sf": 0.25, "min_sf": 0.5, "max_sf": 0.5, "gt_sf": 1.5, "ge_sf": 1.75, "eq_sf": 2.0,
    "sign_sf": 1.25, "add_sf": 0.5, "sub_sf": 0.5, "mul_sf": 1.0, "mul_add_sf": 1.5, "mul_sub_sf": 1.5,
    "add_hf": 0.25, "sub_hf": 0.25, "mul_hf": 0.25, "neg_hf": 0.25, "abs_hf": 0.25, "min_hf": 0.5, "max_hf": 0.5,
    "gt_hf": 1.5, "ge_hf": 1.75, "eq_hf": 2.0, "scaled_hf": 0.75,
    "sf_from_hf": 0.75, "hf_from_sf": 0.5, "sf_from_stored": 0.75, "stored_from_sf": 1.5, "sf_from_w": 5.25,
    "sf_from_sum_w": 8.0, "sf_from_difference_w": 8.0,
    "w_from_sf": 4.25, "trunc_sf": 2.25, "floor_sf": 4.25, "ceil_sf": 4.75, "round_sf": 6.25, "rsqrt_sf": 14.5,
    "log_sf": 18.75, "exp_sf": 15.5, "sqrt_sf": 19.75, "div_sf": 35.5, "quotient_sf": 19.25, "sigmoid_sf": 28.5,
    "erf_sf": 37.25, "tanh_sf": 40.75, "pow_sf": 90.5, "log1p_sf": 30.25, "sin_sf": 47.5, "cos_sf": 47.5, "atan_sf": 43.5,
    "product_parts": 6.5, "sum_parts": 2.5, "difference_parts": 2.5, "more_parts": 10.0, "neg_parts": 0.5, "abs_parts": 0.75,
    "compared_product": 14.0, "compared_more": 11.5,
    "gt_parts": 3.0, "lt_parts": 3.5, "ge_parts": 5.0, "le_parts": 5.5, "eq_parts": 2.5, "floor_parts": 4.5, "ceil_parts": 4.5,
    "trunc_parts": 4.5, "round_parts": 8.5, "floor_steps": 18.0, "ceil_steps": 18.0, "trunc_steps": 18.0, "round_steps": 22.0,
    "floor_quotient": 49.0, "ceil_quotient": 49.0, "trunc_quotient": 49.0, "round_quotient": 54.0, "modulo_sf": 57.0,
    "round_steps_from": 23.0, "round_quotient_from": 55.0,
    "modulo_steps": 26.0, "quotient_down_sf": 57.0, "modulo_one": 10.0,
    "modulo_long": 45.0, "quotient_down_long": 45.0,
}  # fmt: skip


_NAMES = {"not": "inverse", "and": "both", "or": "either"}  # what C++ has words for


def label(node: Node) -> str:
    """How a node's value is called in the code."""
    return node.origin or _NAMES.get(node.op, node.op)


@dataclass(frozen=True, slots=True)
class Operation:
    """`make(block, args, name)` gives the result's name. `ulp`: error in units of the last place, on top of that of the
    operands: the bounds that templates/qnn/hvx_math.h states and a test holds."""

    make: Callable[[Block, tuple[str, ...], str], str]
    ulp: float = 0.0


def function(name: str, ulp: float = 0.0) -> Operation:
    """An operation that is one inline function of opkg/hvx_float.h."""
    return Operation(lambda block, args, to: block.call(PREFIX + name, *args, to=to), ulp)


def comparison(name: str, swapped: bool = False, inverse: bool = False) -> Operation:
    """A comparison of floats by the function `name`."""

    def make(block: Block, args: tuple[str, ...], to: str) -> str:
        found = block.call(PREFIX + name, *(reversed(args) if swapped else args), kind="Q", to="" if inverse else to)
        return block.q6("Q6_Q_not_Q", found, to=to) if inverse else found

    return Operation(make)


def _q6(name: str, swapped: bool = False, inverse: bool = False) -> Operation:
    """An operation that is one intrinsic, of swapped operands, or the inverse of it."""

    def make(block: Block, args: tuple[str, ...], to: str) -> str:
        found = block.q6(name, *(reversed(args) if swapped else args), to="" if inverse else to)
        return block.q6("Q6_Q_not_Q", found, to=to) if inverse else found

    return Operation(make)


def _select_bool(block: Block, args: tuple[str, ...], to: str) -> str:
    test, then, other = args
    taken = block.q6("Q6_Q_and_QQ", test, then)
    return block.q6("Q6_Q_or_QQ", taken, block.q6("Q6_Q_and_QQn", other, test), to=to)


def _bool_differs(block: Block, args: tuple[str, ...], to: str) -> str:
    return block.q6("Q6_Q_xor_QQ", *args, to=to)


def _bool_equals(block: Block, args: tuple[str, ...], to: str) -> str:
    return block.q6("Q6_Q_not_Q", block.q6("Q6_Q_xor_QQ", *args), to=to)


# By the name of the graph's operation; a third party may add to these.
LOWERING: dict[str, Operation] = {
    "add": function("add_sf", 0.5),
    "sub": function("sub_sf", 0.5),
    "mul": function("mul_sf", 0.5),
    "div": function("div_sf", 0.5),
    "quotient": function("quotient_sf", 1.6),
    "mul_add": function("mul_add_sf", 1.0),
    "mul_sub": function("mul_sub_sf", 1.0),
    "neg": function("neg_sf"),
    "abs": function("abs_sf"),
    "sign": function("sign_sf"),
    "min": function("min_sf"),
    "max": function("max_sf"),
    "floor": function("floor_sf"),
    "ceil": function("ceil_sf"),
    "round": function("round_sf"),
    "trunc": function("trunc_sf"),
    "sqrt": function("sqrt_sf", 0.5001),
    "rsqrt": function("rsqrt_sf", 1.5),
    "exp": function("exp_sf", 1.0),
    "log": function("log_sf", 1.7),
    "sigmoid": function("sigmoid_sf", 2.9),
    "tanh": function("tanh_sf", 1.5),
    "erf": function("erf_sf", 2.3),
    "log1p": function("log1p_sf", 1.9),
    "sin": function("sin_sf", 1.6),
    "cos": function("cos_sf", 1.6),
    "atan": function("atan_sf", 1.1),
    "pow": function("pow_sf", 3.2),
    "gt": comparison("gt_sf"),
    "lt": comparison("gt_sf", swapped=True),
    "ge": comparison("ge_sf"),
    "le": comparison("ge_sf", swapped=True),
    "eq": comparison("eq_sf"),
    "ne": comparison("eq_sf", inverse=True),
    "select": _q6("Q6_V_vmux_QVV"),
}
# On int32 lanes.
WORDS: dict[str, Operation] = {
    "add": _q6("Q6_Vw_vadd_VwVw"),
    "sub": _q6("Q6_Vw_vsub_VwVw"),
    "gt": _q6("Q6_Q_vcmp_gt_VwVw"),
    "lt": _q6("Q6_Q_vcmp_gt_VwVw", swapped=True),
    "ge": _q6("Q6_Q_vcmp_gt_VwVw", swapped=True, inverse=True),
    "le": _q6("Q6_Q_vcmp_gt_VwVw", inverse=True),
    "eq": _q6("Q6_Q_vcmp_eq_VwVw"),
    "ne": _q6("Q6_Q_vcmp_eq_VwVw", inverse=True),
    "min": _q6("Q6_Vw_vmin_VwVw"),
    "max": _q6("Q6_Vw_vmax_VwVw"),
    "select": _q6("Q6_V_vmux_QVV"),
}
# On predicates.
BOOLS: dict[str, Operation] = {
    "and": _q6("Q6_Q_and_QQ"),
    "or": _q6("Q6_Q_or_QQ"),
    "not": _q6("Q6_Q_not_Q"),
    "eq": Operation(_bool_equals),
    "ne": Operation(_bool_differs),
    "select": Operation(_select_bool),
}


def number(setup: Block, text: str) -> str:
    """A float, a C++ expression, in all lanes."""
    return setup.call(PREFIX + "splat_sf", text, to="number")


def word(setup: Block, text: str) -> str:
    """An int32, a C++ expression, in all lanes."""
    return setup.q6("Q6_V_vsplat_R", text, to="word")


def limited(body: Block, setup: Block, value: str, low: int, high: int) -> str:
    """int32 lanes within limits."""
    raised = body.q6("Q6_Vw_vmax_VwVw", value, word(setup, str(low)))
    return body.q6("Q6_Vw_vmin_VwVw", raised, word(setup, str(high)))
