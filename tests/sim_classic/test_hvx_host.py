"""The host's scalar intrinsics against qemu-hexagon, bit by bit, on random and extreme operands."""

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
def test_scalar_intrinsics_equal_qemu(host_bytes: bytes, tmp_path: Path) -> None:
    for tool in ("clang-19", "ld.lld-19", "qemu-hexagon"):
        classiclib.need(tool)
    table = hvx_program.intrinsics()
    assert len(table) == 14
    hexagon = hvx_program.on_hexagon(hvx_program.source(table), tmp_path)
    assert len(host_bytes) == len(hexagon) == sum(i.size for i in table) * hvx_program.ROUNDS
    assert hvx_program.differences(table, host_bytes, hexagon) == []


def test_every_intrinsic_gives_more_than_one_value(host_bytes: bytes) -> None:
    at = 0
    for intrinsic in hvx_program.intrinsics():
        size = intrinsic.size * hvx_program.ROUNDS
        assert len(set(host_bytes[at : at + size])) > 1, intrinsic.name
        at += size


@pytest.mark.hexagon
def test_headers_give_way_to_the_compilers_own_on_hexagon(tmp_path: Path) -> None:
    compiler = classiclib.need("clang++-19")
    source = tmp_path / "kernel.cpp"
    source.write_text(
        '#include "hvx_internal.h"\n'
        "void f(uint8_t* y, const uint8_t* x, int n) {\n"
        "  vmem(y) = Q6_Vub_vadd_VubVub_sat(vmemu(x), Q6_Vb_vsplat_R(3));\n"
        "  q6op_vstu_variable_ARV(y + 128, n, vmem(x));\n"
        "}\n"
    )
    target = ["--target=hexagon-unknown-none-elf", "-mcpu=hexagonv66", "-mhvx", "-mhvx-length=128B"]
    flags = ["-std=c++17", "-O1", "-ffreestanding", "-Wall", "-Wextra", "-Werror", f"-I{classiclib.INCLUDE}"]
    assert hvx_program.run([compiler, *target, *flags, "-S", str(source), "-o", "-"]).count(b"vadd") == 1
