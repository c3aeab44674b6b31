"""Loops with several steps in flight: stages, and results for every number of steps around the least, on host and in qemu."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from kernels_integers import IntegerOp, call_of, wanted
from kernels_kit import Kit, Unit

from opkg.kernels.emit.pipeline import deepest, good_depth, levels, stages
from opkg.kernels.lowered import Inst, Lowered
from opkg.kernels.strategies.integer import strategy as integer

OPS = [
    IntegerOp("y = clip(a, 3, 200)", {"a": "uint8"}, {"y": "uint8"}),
    IntegerOp("y = a * b + c", {"a": "uint8", "b": "int8", "c": "int16"}, {"y": "int32"}),
    IntegerOp("y = (c if a > b else 7) + 1\nz = a == b", {"a": "int16", "b": "int16", "c": "int8"},
              {"y": "int8", "z": "bool8"}),
]  # fmt: skip
FORMS = ((2, 1), (2, 2), (3, 1), (3, 2), (5, 2))  # depth, unroll


def _lowered(op: IntegerOp) -> Lowered:
    found = integer.lower(op.snippet())
    assert not isinstance(found, str), found
    return found


def _cases() -> list[tuple[IntegerOp, Unit]]:
    return [
        (op, Unit(op.snippet(), replace(_lowered(op), depth=depth, unroll=unroll)))
        for op in OPS
        for depth, unroll in FORMS
    ]


def _check(folder: Path, arch: str, steps: Sequence[int]) -> None:
    cases = _cases()
    kit = Kit(folder, [unit for _, unit in cases], arch)
    calls = [
        call_of(number, op, unit.snippet, 128 * count + rest, 7 * number + count)
        for number, (op, unit) in enumerate(cases)
        for count in steps
        for rest in (0, 37)
        if count + rest
    ]
    for call, got in zip(calls, kit.run(calls), strict=True):
        op, unit = cases[call.unit]
        assert got is not None
        for name, numbers in wanted(op, unit.snippet, call).items():
            assert np.array_equal(got[name], numbers), (op.body, FORMS[call.unit % len(FORMS)], call.n, name)


def test_every_number_of_steps_on_the_host(tmp_path: Path) -> None:
    _check(tmp_path, "", range(10))


@pytest.mark.hexagon
@pytest.mark.parametrize("arch", ["v66", "v73"])
def test_every_number_of_steps_in_qemu(arch: str, tmp_path: Path) -> None:
    _check(tmp_path, arch, range(10))


def _body(*texts: str) -> Lowered:
    """A kernel of chained instructions "dest op arg arg"; l is a load, s a store."""
    insts = []
    for text in texts:
        dest, op, *args = text.split()
        if op == "l":
            insts.append(Inst(dest, "V", "load", ("x", "0")))
        elif op == "s":
            insts.append(Inst("", "", "store", ("y", "0", *args)))
        else:
            insts.append(Inst(dest, "W" if dest.startswith("w") else "V", op, tuple(args)))
    return Lowered("test", "", "", 128, (), (), (), tuple(insts))


CHAIN = ("x l", "a Q6_V_vand_VV x k", "b Q6_V_vor_VV a x", "c Q6_V_vxor_VV b a", "- s c")


def test_stages_hold_all_instructions_in_order() -> None:
    lowered = _body(*CHAIN)
    assert levels(lowered.body) == {"x": 0, "a": 1, "b": 2, "c": 3}
    assert deepest(lowered) == 4
    found = stages(lowered, 4)
    assert [[inst.dest for inst in stage.insts] for stage in found] == [["a"], ["b"], ["c"]]
    assert [stage.takes for stage in found] == [("x",), ("x", "a"), ("a", "b")]
    assert [stage.leaves for stage in found] == [("x", "a"), ("a", "b"), ()]


def test_halves_of_a_pair_are_taken_where_they_are_used() -> None:
    lowered = _body("x l", "w Q6_Wuh_vzxt_Vub x", "low Q6_V_lo_W w", "high Q6_V_hi_W w", "a Q6_V_vand_VV low k",
                    "b Q6_V_vor_VV a high", "- s b")  # fmt: skip
    first, second = stages(lowered, 3)
    assert [inst.dest for inst in first.insts] == ["w", "low", "a"]
    assert [inst.dest for inst in second.insts] == ["high", "b"]
    assert first.leaves == second.takes == ("w", "a")


def test_depths() -> None:
    assert good_depth(_lowered(OPS[0])) == 3
    assert good_depth(_body("x l", "z l", "a Q6_V_vand_VV x z", "- s a")) == 1  # loads fill the packets
    assert good_depth(_body("x l", "a Q6_V_vand_VV x k", "- s a")) == 2
    assert good_depth(_body("x l", "- s x")) == 1
    long = [f"v{i} Q6_V_vxor_VV v{i - 1} k" for i in range(1, 20)]
    assert good_depth(_body("v0 l", *long, "- s v19")) == 1
