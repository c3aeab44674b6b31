"""Loops of a row in integer vectors: the pass that finds extremes and sums, and the one that sums tables up."""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.block import Block
from opkg.kernels.sequence import Loop
from opkg.kernels.snippet import Operand, Storage
from opkg.kernels.strategies import table8
from opkg.kernels.strategies.rows.errors import ENTRIES_DO
from opkg.kernels.strategies.rows.factors import product_lanes
from opkg.kernels.strategies.rows.loop_block import Gathered, LoopBlock, parts, power_below, splat, zero_vector
from opkg.kernels.strategies.rows.plan import Cannot, Corner, Extreme, Index, Plan, Smooth, Table, Total
from opkg.kernels.strategies.rows.predicates import Predicates
from opkg.kernels.strategies.rows.products import products, products16

_LETTER = {Storage.U8: "ub", Storage.S8: "b", Storage.U16: "uh", Storage.S16: "h", Storage.S32: "w", Storage.U32: "w"}
LANE = {
    Storage.U8: "uint8_t", Storage.S8: "int8_t", Storage.U16: "uint16_t", Storage.S16: "int16_t",
    Storage.S32: "int32_t", Storage.U32: "int32_t",
}  # fmt: skip
_ONES = 0x01010101
_TOP = "static_cast<int32_t>(0x80000000u)"


def first_loop(plan: Plan, totals: list[Total], extremes: list[Extreme], step: int, several: bool = False) -> Loop:
    """Extremes, sums and products of stored elements, in one pass."""
    setup = Block()
    body = LoopBlock(setup, several, step)
    found = Gathered([], [])
    masked = any(extreme.where >= 0 for extreme in extremes)
    predicates = Predicates(plan, body, step) if plan.tests or masked else None
    for extreme in extremes:
        _extreme(plan, body, found, extreme, step, predicates)
    for total in totals:
        _total(plan, body, found, total, step, predicates)
    if predicates is not None:
        plan.decided = predicates.decided()
    wanted = list(dict.fromkeys(plan.products.values()))
    for product in wanted:
        product_lanes(body, found, plan.snippet.operand(product.operand), product.name, step)
    words = [e.name for e in extremes] + [t.name for t in totals] + [p.name for p in wanted]
    return Loop(
        title=f"Over the row: {', '.join(words)}.",
        setup=tuple(setup.insts),
        carried=tuple(body.carried),
        body=tuple(body.insts),
        declare=tuple(found.declare),
        finish=found.finished(body),
        last=tuple(found.last),
        block=found.block,
        joined=tuple(found.joined),
    )


def _extreme(
    plan: Plan, body: LoopBlock, found: Gathered, extreme: Extreme, step: int, predicates: Predicates | None
) -> None:
    operand = plan.snippet.operand(extreme.operand)
    storage, verb = operand.storage, "vmax" if extreme.largest else "vmin"
    letter = _LETTER[storage]
    low, high = Storage.S32.limits if storage is Storage.U32 else storage.limits
    start = body.setup.q6(
        "Q6_V_vsplat_R", splat(low if extreme.largest else high, storage.bits), to=f"no_{extreme.name}"
    )
    after = name = body.carry(f"{extreme.name}_lanes", "V", start)
    where = predicates.holds(extreme.where) if predicates is not None and extreme.where >= 0 else []
    for part, value in enumerate(_ordered(body, operand, step)):
        if where:
            value = body.q6("Q6_V_vmux_QVV", where[part], value, start, to="chosen")
        live = body.masked(value, start, storage.bits, part)
        after = body.q6(f"Q6_V{letter}_{verb}_V{letter}V{letter}", after, live, to=name)
    body.keep(name, after)
    found.joined.append((name, f"{'Largest' if extreme.largest else 'Smallest'}Of<{LANE[storage]}>", extreme.name))
    text = f"opkg::hvx::{'largest' if extreme.largest else 'smallest'}<{LANE[storage]}>({name})"
    moved = storage is Storage.U32
    # Long rows are summed in blocks, so that this runs several times.
    kind, end, sign = "int64_t" if moved else "int32_t", *(("min", ">") if extreme.largest else ("max", "<"))
    found.declare.append(f"{kind} {extreme.stored} = std::numeric_limits<{kind}>::{end}();")
    value = f"{text}{' + (int64_t{1} << 31)' if moved else ''}"
    found.finish.append(f"if (const {kind} found = {value}; found {sign} {extreme.stored}) {extreme.stored} = found;")


def _ordered(body: LoopBlock, operand: Operand, step: int) -> list[str]:
    """Vectors whose lanes compare as the stored numbers do."""
    if operand.storage.bits == 16:
        return body.halves(operand, step)
    values = [body.load(operand.name, part) for part in range(parts(operand, step))]
    if operand.storage is Storage.U32:
        top = body.setup.q6("Q6_V_vsplat_R", "INT32_MIN", to="top")
        return [body.q6("Q6_V_vxor_VV", value, top, to="moved") for value in values]
    return values


def _total(
    plan: Plan, body: LoopBlock, found: Gathered, total: Total, step: int, predicates: Predicates | None
) -> None:
    tests = plan.tests_of(total.atoms)
    operands = [plan.elements.get(name) for name in total.atoms if name not in tests]
    where = predicates.of(tests) if predicates is not None and tests else []
    if any(isinstance(operand, Table) for operand in operands):
        raise Cannot("a table among the sums of stored elements")
    stored = [operand for operand in operands if isinstance(operand, Operand)]
    member = total.name
    found.declare.append(f"int64_t {member} = 0;")
    if isinstance(total.of, Smooth):
        _smooth(body, found, plan.snippet.operand(total.of.operand), member, step, total.of)
    elif isinstance(total.of, Corner):
        _sum16(body, found, plan.snippet.operand(total.of.operand), member, step, where, total.of)
    elif not stored:
        _count(body, found, where, member, step)
    elif len(stored) == 2 and stored[0].storage.bits == 16:
        products16(body, found, (stored[0], stored[1]), member, step, where)
    elif len(stored) == 2:
        products(body, found, (stored[0], stored[1]), member, step, where)
    elif stored[0].storage.bits == 8:
        _sum8(body, found, stored[0], member, step, where)
    elif stored[0].storage.bits == 16:
        _sum16(body, found, stored[0], member, step, where)
        if where and not stored[0].storage.signed:  # with 32768 taken off each of those that are chosen
            found.last.append(f"{member} += {Total(tests).name} << 15;")
    else:
        _sum32(body, found, stored[0], member, step)


def _count(body: LoopBlock, found: Gathered, where: list[str], member: str, step: int) -> None:
    """How many elements are chosen."""
    zero = zero_vector(body)
    after = sums = body.carry(f"{member}_sums", "V", zero)
    bits = 1024 * len(where) // step
    for part, test in enumerate(where):
        live = body.masked(body.q6("Q6_V_vand_QR", test, splat(1, bits), to="one"), zero, bits, part)
        if bits == 8:
            after = body.q6("Q6_Vuw_vrmpyacc_VuwVubRub", after, live, _ONES, to="sums")
        else:
            after = body.q6("Q6_Vw_vdmpyacc_VwVhRb", after, live, _ONES, to="sums")
    body.keep(sums, after)
    found.joined.append((sums, "SumOf", member))
    found.finish.append(f"{member} += opkg::hvx::total<uint32_t>({sums});")
    found.limit(power_below((1 << 32) // (255 * step)))


def _sum8(body: LoopBlock, found: Gathered, operand: Operand, member: str, step: int, where: list[str]) -> None:
    zero = zero_vector(body)
    sums = body.carry(f"{operand.name}_sums", "V", zero)
    live = body.masked(body.where(where, 0, body.load(operand.name)), zero, 8, 0)
    if operand.storage is Storage.U8:
        after = body.q6("Q6_Vuw_vrmpyacc_VuwVubRub", sums, live, _ONES, to="sums")
        found.finish.append(f"{member} += opkg::hvx::total<uint32_t>({sums});")
        found.limit(power_below((1 << 32) // (255 * step)))
    else:
        ones = body.setup.q6("Q6_V_vsplat_R", _ONES, to="ones")
        after = body.q6("Q6_Vw_vrmpyacc_VwVbVb", sums, live, ones, to="sums")
        found.finish.append(f"{member} += opkg::hvx::total<int32_t>({sums});")
        found.limit(power_below((1 << 31) // (128 * step)))
    body.keep(sums, after)
    found.joined.append((sums, "SumOf", member))


def _sum16(
    body: LoopBlock,
    found: Gathered,
    operand: Operand,
    member: str,
    step: int,
    where: list[str],
    corner: Corner | None = None,
) -> None:
    """`corner`: what is summed up in the elements' place."""
    zero = zero_vector(body)
    after = sums = body.carry(f"{member}_sums" if corner else f"{operand.name}_sums", "V", zero)
    signed = operand.storage is Storage.S16 and corner is None
    for part, value in enumerate(body.halves(operand, step)):
        if corner is not None:
            value = body.call(f"{corner.member}.of", value, to=corner.atom)
        if not signed:
            top = body.setup.q6("Q6_V_vsplat_R", splat(0x8000, 16), to="top16")
            value = body.q6("Q6_V_vxor_VV", value, top, to="moved")
        live = body.masked(body.where(where, part, value), zero, 16, part)
        after = body.q6("Q6_Vw_vdmpyacc_VwVhRb", after, live, _ONES, to="sums")
    body.keep(sums, after)
    found.joined.append((sums, "SumOf", member))
    found.finish.append(f"{member} += opkg::hvx::total<int32_t>({sums});")
    if (
        not signed and not where
    ):  # its elements were summed up with 32768 taken off; the row's n of them are put back once
        found.declare[-1] = f"int64_t {member} = static_cast<int64_t>(n) << 15;"
    found.limit(power_below((1 << 31) // (32768 * step)))


def _smooth(body: LoopBlock, found: Gathered, operand: Operand, member: str, step: int, function: Smooth) -> None:
    """Sums of low and of high halves of a function's values, moved up by 2^31."""
    zero = zero_vector(body)
    ones = body.setup.q6("Q6_V_vsplat_R", -1, to="ones")
    after = sums = body.carry(f"{member}_sums", "W", body.setup.q6("Q6_W_vcombine_VV", zero, zero, to="none"))
    for part, value in enumerate(body.halves(operand, step)):
        live = body.masked(ones, zero, 16, part)
        values = body.call(f"{function.member}.sums", value, live, kind="W", to="values")
        after = body.q6("Q6_Ww_vadd_WwWw", after, values, to="sums")
    body.keep(sums, after)
    found.declare[-1] = f"int64_t {member} = -(static_cast<int64_t>(n) << 31);"
    found.finish.append(f"{member} += opkg::hvx::total_of_halves({sums});")
    found.limit(power_below((1 << 32) // (131070 * step)))


def _sum32(body: LoopBlock, found: Gathered, operand: Operand, member: str, step: int) -> None:
    zero = zero_vector(body)
    halves = body.setup.q6("Q6_V_vsplat_R", 0xFFFF, to="low_half")
    low_after = low = body.carry(f"{operand.name}_low", "V", zero)
    high_after = high = body.carry(f"{operand.name}_high", "V", zero)
    signed = operand.storage is Storage.S32
    for part in range(parts(operand, step)):
        live = body.masked(body.load(operand.name, part), zero, 32, part)
        low_after = body.q6("Q6_Vw_vadd_VwVw", low_after, body.q6("Q6_V_vand_VV", live, halves, to="half"), to="sums")
        shift = "Q6_Vw_vasr_VwR" if signed else "Q6_Vuw_vlsr_VuwR"
        high_after = body.q6("Q6_Vw_vadd_VwVw", high_after, body.q6(shift, live, 16, to="upper"), to="sums")
    body.keep(low, low_after)
    body.keep(high, high_after)
    lane = "int32_t" if signed else "uint32_t"
    found.finish.append(
        f"{member} += int64_t{{opkg::hvx::total<{lane}>({high})}} * 65536 + opkg::hvx::total<uint32_t>({low});"
    )
    found.limit(power_below((1 << (31 if signed else 32)) // ((32768 if signed else 65536) * step)))
    found.limit(power_below((1 << 32) // (65536 * step)))


# Tables ----------------------------------------------------------------------------------------------------------------


def table_index(plan: Plan, body: LoopBlock, index: Index) -> str:
    """128 indices of a table: the elements, or their distances from the row's extreme."""
    value = body.load(index.operand)
    if index.extreme is None:
        return value
    words = f"opkg::hvx::in_all_bytes({index.extreme.name})"
    most = body.number("Q6_Vb_vsplat_R", index.extreme.stored, f"all_{index.extreme.name}", words)
    far = (most, value) if index.extreme.largest else (value, most)
    return body.q6("Q6_Vb_vsub_VbVb", *far, to="distance")


def entries(
    plan: Plan, body: LoopBlock, table: Table, values: tuple[str, ...], index: str, live: bool = False
) -> tuple[str, str]:
    """A table's entries at even places of a step, and those at odd ones: 0 where its mask does not hold, or, if only `live`
    ones count, where there is no element."""
    even, odd = table8.lookup16_apart(body, values, index)
    if table.where < 0:
        return even, odd
    (holds,) = Predicates(plan, body, 128).holds(table.where)
    chosen = body.q6("Q6_V_vand_QR", holds, -1, to="chosen")
    if live:
        chosen = body.masked(chosen, zero_vector(body), 8, 0)
    lanes = [body.q6(f"Q6_Vb_vshuff{end}_VbVb", chosen, chosen, to="lanes") for end in "eo"]
    first, second = [body.q6("Q6_V_vand_VV", *pair, to="masked") for pair in zip((even, odd), lanes, strict=True)]
    return first, second


KEPT = 2048  # elements of a row whose entries are kept on the stack


def kept(table: Table) -> str:
    """Name of the buffer with a table's entries for the elements of a row: even ones of a step, then odd ones."""
    return f"{table.name}_kept"


def table_loops(plan: Plan, tables: list[Table], step: int, skippable: bool, keep: frozenset[str]) -> list[Loop]:
    """Sums of tables: of the entries, and of what they miss, which `skippable` leaves out where it does not matter.
    `keep`: names of the tables whose entries are kept, for rows that are short."""
    when = ""
    if skippable:
        when = " || ".join([f"{sum_of(table)} < static_cast<int64_t>(n) << {ENTRIES_DO}" for table in tables])
    missed = replace(table_loop(plan, tables, step, True, frozenset()), when=when, usual=not when)
    return [table_loop(plan, tables, step, False, keep), missed]


def sum_of(table: Table) -> str:
    """Name of a table's sum, in units of 2^-16 entries."""
    return Total((table.atom,)).name


def table_loop(
    plan: Plan, tables: list[Table], step: int, fractions: bool, keep: frozenset[str], several: bool = False
) -> Loop:
    """Lanes without element count the first entry, which is taken off again; with a mask, nothing."""
    setup = Block()
    body = LoopBlock(setup, several)
    found = Gathered([], [])
    found.declare = [f"int64_t {sum_of(table)} = 0;" for table in tables if not fractions]
    for table in tables:
        zero = zero_vector(body)
        index = table_index(plan, body, table.index)
        name = f"{table.name}_fraction" if fractions else table.name
        values = table8.table_values(setup, name, 16)
        if table.where < 0:
            index = body.masked(index, zero, 8, 0)
        even, odd = entries(plan, body, table, values, index, live=True)
        if table.name in keep:
            body.store(kept(table), even, 0)
            body.store(kept(table), odd, 1)
        none = setup.q6("Q6_W_vcombine_VV", zero, zero, to="none")
        sums = body.carry(f"{name}_sums", "W", none)
        add = "Q6_Ww_vaddacc_WwVhVh" if fractions else "Q6_Ww_vaddacc_WwVuhVuh"
        body.keep(sums, body.q6(add, sums, even, odd, to="sums"))
        found.joined.append((sums, "SumOf", f"{name}_words"))
        text = f"opkg::hvx::total<{'int32_t' if fractions else 'uint32_t'}>({sums})"
        found.finish.append(f"{sum_of(table)} += {text if fractions else f'int64_t{{{text}}} * 65536'};")
    first = "first_fraction" if fractions else "first"
    missing = "opkg::hvx::missing(n, kStep)"
    return Loop(
        title=f"Over the row: {'what the sums miss' if fractions else 'sums'} of {', '.join(t.name for t in tables)}.",
        setup=tuple(setup.insts),
        carried=tuple(body.carried),
        body=tuple(body.insts),
        declare=tuple(found.declare),
        finish=tuple(found.finish),
        last=tuple(
            [f"{sum_of(table)} -= {missing} * {table.name}_spread.{first};" for table in tables if table.where < 0]
        ),
        block=power_below((1 << 32) // (65536 * step)),
        spread=tuple(body.spread.items()),
        joined=tuple(found.joined),
    )
