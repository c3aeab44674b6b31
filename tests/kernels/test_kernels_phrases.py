"""Lines of C++: lookups in tables of 16-bit entries as one call, and calls in calls where the order stays."""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.block import Block
from opkg.kernels.emit.phrases import nested, phrased, step_lines
from opkg.kernels.lowered import Inst
from opkg.kernels.sequence import Carry
from opkg.kernels.strategies.table8 import lookup16_apart


def looked_up(index: str = "index", entries: tuple[str, ...] = ("a", "b", "c", "d")) -> list[Inst]:
    parts = [Inst("f0", "W", "Q6_Wh_vlut16_VbVhI", (index, entries[0], "0"))]
    for part in range(1, 16):
        op = f"Q6_Wh_vlut16or_WhVbVh{'I' if part < 8 else 'R'}"
        parts.append(Inst(f"f{part}", "W", op, (f"f{part - 1}", index, entries[part // 4], str(part))))
    return parts


LOW = Inst("low", "V", "Q6_V_lo_W", ("f15",))


def test_a_whole_lookup_is_one_call() -> None:
    call = Inst("f15", "W", "opkg::hvx::lookup16", ("index", "a", "b", "c", "d"))
    assert phrased([*looked_up(), LOW]) == [call, LOW]


def test_the_strategy_writes_whole_lookups() -> None:
    body = Block()
    a, b, c, d, index = [body.load(name) for name in ("a", "b", "c", "d", "index")]
    lookup16_apart(body, (a, b, c, d), index)
    found = [inst for inst in phrased(body.insts) if inst.op != "load"]
    assert [inst.op for inst in found] == ["opkg::hvx::lookup16", "Q6_V_lo_W", "Q6_V_hi_W"]
    assert found[0].args == (index, a, b, c, d)


def test_other_chains_stay_as_they_are() -> None:
    whole = looked_up()
    used = Inst("other", "V", "Q6_V_lo_W", ("f7",))
    swapped = [*whole[:9], replace(whole[9], args=("f8", "index", "d", "9")), *whole[10:]]
    index = [*whole[:3], replace(whole[3], args=("f2", "elsewhere", "a", "3")), *whole[4:]]
    for insts in ([*whole, used], whole[:15], swapped, index, []):
        assert phrased(insts) == insts


def test_what_is_used_once_stands_in_its_place() -> None:
    wide = Inst("wide", "W", "Q6_Wuh_vzxt_Vub", ("x",))
    low, high = Inst("low", "V", "Q6_V_lo_W", ("wide",)), Inst("high", "V", "Q6_V_hi_W", ("wide",))
    more = Inst("more", "V", "Q6_Vh_vadd_VhVh", ("low", "a"))
    sums = Inst("sums", "V", "Q6_Vh_vadd_VhVh", ("more", "high"))
    stored = Inst("", "", "store", ("y", "0", "sums"))
    lines = step_lines([wide, low, high, more, sums, stored], lambda inst: f"put({inst.args[2]});")
    assert lines == [
        "const HVX_VectorPair wide = Q6_Wuh_vzxt_Vub(x);",
        "put(Q6_Vh_vadd_VhVh(Q6_Vh_vadd_VhVh(Q6_V_lo_W(wide), a), Q6_V_hi_W(wide)));",
    ]


def test_what_is_used_elsewhere_or_further_on_keeps_its_name() -> None:
    low = Inst("low", "V", "Q6_V_lo_W", ("wide",))
    first, second = (Inst(name, "V", "Q6_Vh_vabs_Vh", (of,)) for name, of in (("first", "a"), ("second", "b")))
    sums = Inst("sums", "V", "Q6_Vh_vadd_VhVh", ("second", "first"))  # the second one would be made before the first
    assert nested([low], ["low"]) == [low]
    assert nested([first, second, sums]) == [first, replace(sums, args=("Q6_Vh_vabs_Vh(b)", "first"))]
    assert nested([first, second, sums], ["second"]) == [first, second, sums]


def test_carried_values_are_set_where_they_are_made() -> None:
    larger = Inst("larger", "V", "Q6_Vub_vmax_VubVub", ("most", "x"))
    fewer = Inst("fewer", "V", "Q6_Vub_vsub_VubVub_sat", ("most", "x"))
    most, rest = Carry("most", "V", "zero", "larger"), Carry("rest", "V", "zero", "fewer")
    assert step_lines([larger], str, [most]) == ["most = Q6_Vub_vmax_VubVub(most, x);"]
    assert step_lines([larger, fewer], str, [most, rest]) == [
        "const HVX_Vector larger = Q6_Vub_vmax_VubVub(most, x);",
        "rest = Q6_Vub_vsub_VubVub_sat(most, x);",
        "most = larger;",
    ]


def test_lookups_stay_apart_where_their_header_is_not_included() -> None:
    lines = step_lines(looked_up(), str)
    assert not any("lookup16(" in line for line in lines)
    assert sum(line.count("Q6_Wh_vlut16") for line in lines) == 16
