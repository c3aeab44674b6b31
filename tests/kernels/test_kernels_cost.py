"""Floors of instruction lists: units of intrinsics as the machine has them, and the floors of known algorithms."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

import pytest

from opkg.kernels.block import Block
from opkg.kernels.cost import body_packets, cycles_per_element, packets
from opkg.kernels.hvx.names import intrinsics
from opkg.kernels.hvx.units import KINDS, by_syntax, kind, syntax, table
from opkg.kernels.lowered import Lowered
from opkg.kernels.sequence import Carry, Loop, Sequence

ROOT = Path(__file__).resolve().parents[2]


def lowered(body: Block, step: int = 128, setup: Block | None = None) -> Lowered:
    return Lowered("test", "", "", step, (), (), tuple(setup.insts if setup else ()), tuple(body.insts))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("Q6_Vub_vadd_VubVub_sat", "any", "any"),
        ("Q6_Wh_vadd_WhWh_sat", "two", "two"),
        ("Q6_Vub_vasr_VhVhR_rnd_sat", "shift", "shift"),
        ("Q6_V_vror_VR", "permute", "permute"),
        ("Q6_Vub_vpack_VhVh_sat", "permute", "permute"),
        ("Q6_V_valign_VVR", "permute", "permute"),
        ("Q6_Vb_vlut32_VbVbI", "permute", "permute"),
        ("Q6_Vb_vlut32or_VbVbVbI", "shift+permute", "shift+permute"),
        ("Q6_Wh_vlut16_VbVhI", "shift+permute", "shift+permute"),
        ("Q6_W_vshuff_VVR", "shift+permute", "shift+permute"),
        ("Q6_W_vdeal_VVR", "shift+permute", "shift+permute"),
        ("Q6_Wuh_vunpack_Vub", "shift+permute", "shift+permute"),
        ("Q6_Vb_vshuffe_VbVb", "any", "any"),
        ("Q6_Wuh_vzxt_Vub", "two", "two"),
        ("Q6_Vub_vsat_VhVh", "any", "any"),
        ("Q6_V_vmux_QVV", "any", "any"),
        ("Q6_Q_vcmp_gt_VubVub", "any", "any"),
        ("Q6_Wuh_vmpy_VubVub", "multiply2", "multiply2"),
        ("Q6_Wh_vmpa_WubRb", "multiply2", "multiply2"),
        ("Q6_Vub_vabsdiff_VubVub", "multiply", "multiply"),
        ("Q6_Vh_vdmpy_VubRb", "multiply", "multiply"),
        ("Q6_Vuw_vrmpy_VubRub", "multiply", "multiply"),
        ("Q6_Vw_vdmpy_VhRh_sat", "multiply2", "multiply"),  # one unit since v69
        ("Q6_Vh_vmpy_VhRh_s1_rnd_sat", "multiply2", "multiply"),
        ("Q6_Vuw_vrmpyacc_VuwVubVub", "multiply2", "multiply"),
        ("Q6_W_vcombine_VV", "none", "none"),
    ],
)
def test_units(name: str, old: str, new: str) -> None:
    assert (kind(name, 66), kind(name, 68), kind(name, 69), kind(name, 73)) == (old, old, new, new)


def test_every_intrinsic_has_units() -> None:
    assert table().keys() == intrinsics().keys()
    assert all(kinds for kinds in table().values())
    assert {k for kinds in table().values() for k in kinds.values()} <= set(KINDS)
    assert kind("Q6_Vqf32_vmpy_VsfVsf", 66), "older than the intrinsic: that of its first architecture"
    with pytest.raises(KeyError):
        kind("Q6_V_nothing_V", 66)


def test_table_is_what_the_assembler_says(tmp_path: Path) -> None:
    if shutil.which("clang-19") is None or shutil.which("llvm-objdump-19") is None:
        pytest.skip("clang-19 and llvm-objdump-19 are not installed")
    spec = importlib.util.spec_from_file_location("hvx_units", ROOT / "scripts" / "hvx_units.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    sys.modules["hvx_units"] = script
    spec.loader.exec_module(script)
    found = script.units(69, tmp_path)
    assert {name: kind for name, (kind, _) in found.items()} == {n: k[69] for n, k in table().items() if 69 in k}


def test_syntax() -> None:
    assert by_syntax()[syntax("v7:6.h += vmpa(v3:2.ub,r1.b)")] == "Q6_Wh_vmpaacc_WhWubRb"
    assert by_syntax()[syntax("v2.b |= vlut32(v3.b,v1.b,#0x7)")] == "Q6_Vb_vlut32or_VbVbVbI"


# Floors ---------------------------------------------------------------------------------------------------------------


def add_sat() -> Lowered:
    b = Block()
    b.store("y", b.q6("Q6_Vub_vadd_VubVub_sat", b.load("a"), b.load("b")))
    return lowered(b)


def clip() -> Lowered:
    s = Block()
    low, high = s.q6("Q6_Vb_vsplat_R", "low_"), s.q6("Q6_Vb_vsplat_R", "high_")
    b = Block(s)
    b.store("y", b.q6("Q6_Vub_vmin_VubVub", b.q6("Q6_Vub_vmax_VubVub", b.load("x"), low), high))
    return lowered(b, setup=s)


def add_q() -> Lowered:
    b = Block()
    pair = b.pair(b.load("b"), b.load("a"))
    high, low = b.q6("Q6_Wh_vmpa_WubRb", pair, "high"), b.q6("Q6_Wh_vmpa_WubRb", pair, "low")
    even = b.q6("Q6_Vh_vasracc_VhVhR", b.lo(high), b.lo(low), "shift")
    odd = b.q6("Q6_Vh_vasracc_VhVhR", b.hi(high), b.hi(low), "shift")
    b.store("y", b.q6("Q6_Vub_vasr_VhVhR_rnd_sat", odd, even, "narrow"))
    return lowered(b)


def mul_q() -> Lowered:
    s = Block()
    center, start = s.q6("Q6_V_vsplat_R", "center_"), s.q6("Q6_V_vsplat_R", "start_")
    center = s.pair(center, center)
    b = Block(s)
    x, y = b.load("a"), b.load("b")
    zeros = b.q6("Q6_Wh_vmpaacc_WhWubRub", center, b.pair(y, x), "zeros_")
    product = b.q6("Q6_Wh_vsub_WhWh", b.q6("Q6_Wuh_vmpy_VubVub", x, y), zeros)
    halves = [b.q6("Q6_Vh_vmpy_VhRh_s1_rnd_sat", h, "factor_") for h in (b.lo(product), b.hi(product))]
    sums = [b.q6("Q6_Vh_vadd_VhVh_sat", h, start) for h in halves]
    b.store("y", b.q6("Q6_Vub_vasr_VhVhR_rnd_sat", sums[1], sums[0], "narrow_"))
    return lowered(b, setup=s)


def abs_diff() -> Lowered:
    b = Block()
    b.store("y", b.q6("Q6_Vub_vabsdiff_VubVub", b.load("a"), b.load("b")))
    return lowered(b)


def table8() -> Lowered:
    s = Block()
    tables = [s.q6("Q6_V_vsplat_R", f"table{i}_") for i in range(2)]
    b = Block(s)
    x = b.load("x")
    found = b.q6("Q6_Vb_vlut32_VbVbI", x, tables[0], 0)
    for part in range(1, 8):
        found = b.q6("Q6_Vb_vlut32or_VbVbVbI", found, x, tables[part // 4], part)
    b.store("y", found)
    return lowered(b, setup=s)


def table16() -> Lowered:
    s = Block()
    tables = [s.q6("Q6_V_vsplat_R", f"table{i}_") for i in range(4)]
    b = Block(s)
    x = b.q6("Q6_Vb_vshuff_Vb", b.load("x"))
    found = b.q6("Q6_Wh_vlut16_VbVhI", x, tables[0], 0)
    for part in range(1, 16):
        found = b.q6("Q6_Wh_vlut16or_WhVbVhI", found, x, tables[part // 4], part)
    b.store("y", b.lo(found))
    b.store("y", b.hi(found), 1)
    return lowered(b, setup=s)


def widen() -> Lowered:
    b = Block()
    pair = b.q6("Q6_Wuh_vunpack_Vub", b.load("x"))
    b.store("y", b.lo(pair))
    b.store("y", b.hi(pair), 1)
    return lowered(b)


def add_relu() -> Lowered:
    s = Block()
    zero = s.q6("Q6_V_vzero")
    b = Block(s)
    b.store("y", b.q6("Q6_Vb_vmax_VbVb", b.q6("Q6_Vb_vadd_VbVb_sat", b.load("a"), b.load("b")), zero))
    return lowered(b, setup=s)


@pytest.mark.parametrize(
    ("kernel", "v66", "v73", "limit"),
    [
        (add_sat, 2, 2, "loads"),
        (clip, 1, 1, "loads"),
        (add_q, 3, 3, "shift"),
        (mul_q, 4, 3.25, "multiply"),
        (abs_diff, 2, 2, "loads"),
        (table8, 8, 8, "permute"),
        (table16, 8.5, 8.5, "permute"),
        (widen, 1, 1, "stores"),
        (add_relu, 2, 2, "loads"),
    ],
)
def test_floors_of_known_algorithms(kernel, v66: float, v73: float, limit: str) -> None:  # type: ignore[no-untyped-def]
    """The floors of docs/bench.md, per 128 output bytes."""
    made = kernel()
    assert packets(made, "v66").per_128 == v66
    assert packets(made, "v73").per_128 == v73
    assert packets(made, "v66").limit == limit


def test_maximum_over_everything() -> None:
    s = Block()
    least = s.q6("Q6_V_vzero")
    b = Block(s)
    most = b.q6("Q6_Vub_vmax_VubVub", b.load("x"), least)
    loop = Loop("", tuple(s.insts), (Carry("most", "V", least, most),), tuple(b.insts))
    found = packets(Sequence("test", "", "", 128, (), (), (loop,)))
    assert (found.per_128, found.limit, found.stores) == (1, "loads", 0)


def test_loops_one_after_another_add_up() -> None:
    first, second = clip(), add_sat()
    loops = tuple(Loop("", (), (), made.body) for made in (first, second))
    found = packets(Sequence("test", "", "", 128, (), (), loops))
    assert found.packets == packets(first).packets + packets(second).packets
    assert found.stores == 2


def test_inputs_that_are_patterns_cost_nothing() -> None:
    assert packets(add_sat(), 66, {"b"}).per_128 == 1
    assert packets(mul_q(), 66, {"a", "b"}).limit == "stores", "the store of what was computed once"


def test_loads_and_stores_that_take_units() -> None:
    b = Block()
    x = b.load("x")
    b.store("y", x)
    assert body_packets(b.insts).packets == 1
    for part in range(1, 4):  # every store of a loaded vector takes a unit, and so does every load
        b.store("y", b.load("x", part), part)
    assert body_packets(b.insts).packets == 4


def test_cycles_per_element() -> None:
    assert cycles_per_element(add_sat()) < cycles_per_element(mul_q()) < cycles_per_element(table16())
    assert 1 / 64 < cycles_per_element(add_sat()) < 0.03


def test_functions_of_headers_count() -> None:
    b = Block()
    b.store("y", b.call("opkg::hvx::exp_sf", b.load("x")))
    assert body_packets(b.insts, 68).packets > 10
    b = Block()
    b.store("y", b.call("opkg::hvx::nobody_knows", b.load("x")))
    assert body_packets(b.insts, 68).packets > 1
