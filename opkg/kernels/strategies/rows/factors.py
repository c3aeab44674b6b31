"""Products of the elements of a row, whole numbers: what has vector code, and its part of the first loop."""

from __future__ import annotations

from opkg.kernels.graphs.graph import Node
from opkg.kernels.snippet import Operand, Storage
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.loop_block import Gathered, LoopBlock, parts, splat, zero_vector
from opkg.kernels.strategies.rows.plan import Cannot, Plan, Product
from opkg.spec.compute.types import Type

_LANE = {
    Storage.U8: "uint8_t", Storage.S8: "int8_t", Storage.U16: "uint16_t", Storage.S16: "int16_t", Storage.S32: "int32_t",
}  # fmt: skip


def product_of(plan: Plan, node: Node) -> Product:
    """What a node that reduces is the product of. Raises Cannot."""
    if node.type is not Type.INTEGER:
        raise Cannot("'prod' of real numbers")
    value = plan.polys.get(node.args[0], {})
    names = poly.names(value)
    if len(names) != 1 or value != poly.atom(*names) or not plan.is_element(*names):
        raise Cannot("'prod' of anything but elements")
    operand = plan.elements.get(next(iter(names)))  # none of functions of elements
    if not isinstance(operand, Operand) or operand.storage not in _LANE or plan.zero(operand.name):
        raise Cannot("'prod' of elements that are no signed words as they are stored")
    return Product(operand.name)


def product_lanes(body: LoopBlock, found: Gathered, operand: Operand, name: str, step: int) -> None:
    """Lanes of 64 bits, which wrap as int64_t does, so that the order does not matter."""
    bits = operand.storage.bits
    ones = {width: body.setup.q6("Q6_V_vsplat_R", splat(1, width), to=f"ones{width}") for width in (bits, 32)}
    start = body.setup.q6("Q6_W_vcombine_VV", zero_vector(body), ones[32], to="one")
    after = lanes = body.carry(f"{name}_lanes", "W", start)
    for part in range(parts(operand, step)):
        live = body.masked(body.load(operand.name, part), ones[bits], bits, part)
        after = body.call(f"opkg::hvx::times<{_LANE[operand.storage]}>", after, live, kind="W", to=name)
    body.keep(lanes, after)
    found.declare.append(f"int64_t {name} = 1;")
    found.finish.append(f"{name} = opkg::wrap_mul({name}, opkg::hvx::product({lanes}));")
