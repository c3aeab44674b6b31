"""The host's HVX intrinsics against qemu-hexagon, bit by bit, on random and extreme operands."""

from __future__ import annotations

from pathlib import Path

import classiclib
import hvx_program
import pytest


@pytest.fixture(scope="module")
def host_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    classiclib.need("g++")
    text = hvx_program.source(hvx_program.intrinsics())
    return hvx_program.on_host(text, tmp_path_factory.mktemp("hvx"), classiclib.INCLUDE)


@pytest.mark.hexagon
def test_integer_intrinsics_equal_qemu(host_bytes: bytes, tmp_path: Path) -> None:
    for tool in ("clang-19", "ld.lld-19", "qemu-hexagon"):
        classiclib.need(tool)
    table = hvx_program.intrinsics()
    assert len(table) >= 250
    hexagon = hvx_program.on_hexagon(hvx_program.source(table), tmp_path)
    assert len(host_bytes) == len(hexagon) == sum(i.size for i in table) * hvx_program.ROUNDS
    assert hvx_program.differences(table, host_bytes, hexagon) == []


def test_every_intrinsic_gives_more_than_one_value(host_bytes: bytes) -> None:
    at = 0
    for intrinsic in hvx_program.intrinsics():
        size = intrinsic.size * hvx_program.ROUNDS
        assert intrinsic.name == "Q6_V_vzero" or len(set(host_bytes[at : at + size])) > 1, intrinsic.name
        at += size
