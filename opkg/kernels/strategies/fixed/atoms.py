"""Atoms of forms in 16-bit lanes: inputs, extremes, products, tables of 256 entries."""

from __future__ import annotations

from collections.abc import Callable

from opkg.kernels.portable.expressions import Names, Writer, scalar_params
from opkg.kernels.strategies.fixed.code import NAMESPACE, Code
from opkg.kernels.strategies.fixed.numbers import Atom, Form, Value
from opkg.kernels.strategies.fixed.quotients import lanes_of as lanes_of_quotient
from opkg.kernels.strategies.fixed.whole_lanes import lanes_of
from opkg.kernels.strategies.table8 import lookup16_apart, table_member, table_name, table_values
from opkg.spec.compute.types import Type


def input_(code: Code, atom: Atom) -> Value:
    if not code.is_byte(atom):
        return Value(code.half(atom), code.stored(atom.name, atom.part))
    pair = code.body.q6("Q6_Wuh_vzxt_Vub", code.byte(atom), to=f"{atom.name}_wide")
    return Value((code.body.lo(pair), code.body.hi(pair)), code.stored(atom.name, atom.part))


def extreme(code: Code, atom: Atom) -> Value:
    fits = [code.fit(arg, kind) for arg, kind in zip(atom.args, ("left", "right"), strict=True)]
    a, b = fits
    code.say(
        f"if (!{NAMESPACE}::fit_both({a.member}, {a.terms}, {a.constant}, {b.member}, {b.terms}, {b.constant})) "
        "return false;"
    )
    values = [code.sum(arg, fit.member) for arg, fit in zip(atom.args, fits, strict=True)]
    name = "Q6_Vh_vmax_VhVh" if atom.kind == "max" else "Q6_Vh_vmin_VhVh"
    local = code.local(atom.kind + "_lanes")
    function = f"{NAMESPACE}::{'greatest' if atom.kind == 'max' else 'least'}_of"
    code.say(f"const {NAMESPACE}::Lanes {local} = {function}({a.member}.lanes, {b.member}.lanes);")
    return Value(code.each(name, *values, to=atom.kind), local)


def magnitude(code: Code, atom: Atom) -> Value:
    value = code.fitted(atom.args[0], "whole")
    local = code.local("abs_lanes")
    code.say(f"const {NAMESPACE}::Lanes {local} = {NAMESPACE}::magnitude_of({value.lanes});")
    return Value(code.each("Q6_Vh_vabs_Vh", value, to="magnitude"), local)


def product(code: Code, atom: Atom) -> Value:
    if code.is_byte_product(atom):
        return _byte_product(code, atom)
    a, b = (as_factor(code, arg) for arg in atom.args)
    local = code.local("product_lanes")
    code.say(f"const {NAMESPACE}::Lanes {local} = {NAMESPACE}::product({a.lanes}, {b.lanes});")
    return Value(code.each("Q6_Vh_vmpy_VhVh_s1_rnd_sat", a, b, to="product"), local)


def _byte_product(code: Code, atom: Atom) -> Value:
    first, second = (single for arg in atom.args if (single := code.single(arg)) is not None)
    a, b = code.byte(first), code.byte(second)
    member = code.member(f"{NAMESPACE}::ByteProduct", "product")
    stored = f"{code.stored(first.name, first.part)}, {code.stored(second.name, second.part)}"
    code.say(f"{member}.set({stored});")
    pair = code.body.pair(b, a, to="pair")
    zeros = code.body.q6("Q6_Wh_vmpa_WubRub", pair, f"{member}.zeros", to="zeros")
    start = code.splat(f"{member}.start")  # one vector at a time: the compiler schedules that better than pairs
    rest = [
        code.body.q6("Q6_Vh_vsub_VhVh", start, half, to="rest") for half in (code.body.lo(zeros), code.body.hi(zeros))
    ]
    product = code.body.q6("Q6_Wuh_vmpyacc_WuhVubVub", code.body.pair(rest[1], rest[0], to="rest"), a, b, to="product")
    return Value((code.body.lo(product), code.body.hi(product)), f"{member}.lanes")


def as_factor(code: Code, form: Form) -> Value:
    """A factor of a product: in lanes without an offset, as fine as 16 bits allow."""
    single = code.single(form)
    if single is None:
        return code.fitted(form, "factor")
    byte = code.is_byte(single)
    member = code.member(f"{NAMESPACE}::{'ByteFactor' if byte else 'HalfFactor'}", "factor")
    code.say(f"{member}.set({code.stored(single.name, single.part)});")
    if not byte:
        halves = Value(code.half(single), "")
        other = code.splat(f"{member}.other")
        return Value(code.each("Q6_Vh_vavg_VhVh_rnd", halves, other, to=single.name), f"{member}.lanes")
    pair = code.body.pair(code.splat(f"{member}.zero"), code.byte(single), to="pair")
    wide = code.body.q6("Q6_Wh_vmpa_WubRb", pair, f"{member}.kMultipliers", to=f"{single.name}_wide")
    return Value((code.body.lo(wide), code.body.hi(wide)), f"{member}.lanes")


def table(code: Code, atom: Atom) -> Value:
    """Any function of a byte: 256 entries of 16 bits, made in `prepare` by the portable code's expressions."""
    operand, name = code.operands[atom.name], code.local("table")
    code.tables += 1
    code.require(operand)
    _function(code, int(atom.part), atom.name, f"{name}_of")
    code.members.append(table_member(name, 16))
    code.names.add(table_name(name))
    where = f"op.{operand.name}.scale, op.{operand.name}.zero"
    code.say(
        f"{NAMESPACE}::Lanes {name}_lanes;",
        f"int16_t {name}_entries[256];",
        f"if (!{NAMESPACE}::tabulate<{operand.element}>({name}_of, {where}, {name}_entries, {name}_lanes)) return false;",
        f"for (uint32_t q = 0; q < 256; ++q) opkg::hvx::put_entry({table_name(name)}, q, {name}_entries[q]);",
    )
    values = table_values(code.setup, name, 16)
    return Value(lookup16_apart(code.body, values, code.body.load(operand.name)), f"{name}_lanes")


def _function(code: Code, node: int, source: str, name: str) -> None:
    """A lambda in `prepare` that computes a node from the real value of its only input."""
    graph = code.forms.graph
    real = f"{name}_x"
    given = {i: real for i, n in enumerate(graph.nodes) if n.op == "input" and n.name == source}
    given |= scalar_params(graph)
    writer = Writer(graph, given, Names((*code.names, real)), {})
    writer.write([node])
    lines = [f"  {line}" for line in writer.lines]
    code.say(f"const auto {name} = [&](double {real}) {{", *lines, f"  return {writer.value(node, Type.REAL)};", "};")


# What makes lanes of each kind of atom; can be extended.
ATOMS: dict[str, Callable[[Code, Atom], Value]] = {
    "input": input_, "product": product, "max": extreme, "min": extreme, "abs": magnitude, "table": table,
    "whole": lanes_of, "quotient": lanes_of_quotient,
}  # fmt: skip
