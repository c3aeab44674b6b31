"""Lookups in tables of 16-bit entries as one call: found where they are whole, left alone where they are not."""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.block import Block
from opkg.kernels.emit.phrases import phrased
from opkg.kernels.lowered import Inst
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
