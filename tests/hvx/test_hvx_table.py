"""The HVX intrinsics of the host against qemu-hexagon, and the table, header and page made from the same data."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import hvxlib
import pytest

from opkg.kernels.hvx import coverage, headers, program
from opkg.kernels.hvx.names import MISREAD, UNMODELLED, comparable, intrinsics, obstacle
from opkg.kernels.hvx.row import accumulating
from opkg.kernels.hvx.table import table


@pytest.fixture(scope="module")
def host_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return hvxlib.on_host(program.source(comparable()), tmp_path_factory.mktemp("hvx"))


def _slices(everything: bytes) -> dict[str, bytes]:
    found, at = {}, 0
    for intrinsic in comparable():
        end = at + program.size(intrinsic) * program.ROUNDS
        found[intrinsic.name] = everything[at:end]
        at = end
    assert at == len(everything)
    return found


@pytest.mark.hexagon
@pytest.mark.parametrize(("architecture", "oldest_qemu"), [(66, 7), (73, 10)])
def test_every_integer_intrinsic_equals_qemu(
    architecture: int, oldest_qemu: int, host_bytes: bytes, tmp_path: Path
) -> None:
    qemu = hvxlib.emulator(oldest_qemu)
    chosen = [i for i in comparable() if i.since <= architecture]
    hexagon = hvxlib.on_hexagon(program.source(chosen), tmp_path, architecture, qemu)
    ours = _slices(host_bytes)
    host = b"".join(ours[i.name] for i in chosen)
    assert len(host) == len(hexagon) == sum(program.size(i) for i in chosen) * program.ROUNDS
    assert program.differences(chosen, host, hexagon) == []


def test_every_intrinsic_gives_more_than_one_value(host_bytes: bytes) -> None:
    same = [name for name, result in _slices(host_bytes).items() if len(set(result)) == 1]
    assert sorted(same) == ["Q6_V_vzero", "Q6_W_vzero"]


def test_a_difference_is_found(host_bytes: bytes) -> None:
    chosen = comparable()
    at = sum(program.size(i) for i in chosen[:5]) * program.ROUNDS + 2 * program.size(chosen[5]) + 7
    changed = bytearray(host_bytes)
    changed[at] ^= 1
    assert program.differences(chosen, host_bytes, bytes(changed)) == [f"{chosen[5].name}: round 2 byte 7"]


def test_the_generated_header_is_the_tables() -> None:
    assert headers.HEADER.read_text("utf-8") == headers.header()


def test_the_coverage_page_is_the_tables() -> None:
    assert coverage.DOCUMENT.read_text("utf-8") == coverage.coverage()


def test_no_intrinsic_is_both_generated_and_written_by_hand() -> None:
    assert set(table()) <= {i.name for i in comparable()}
    by_hand = [p for p in headers.HEADER.parent.glob("*.h") if p != headers.HEADER]
    words = Counter(word for p in by_hand for word in set(re.findall(r"\bQ6_\w+", p.read_text("utf-8"))))
    assert not set(words) & set(table())
    rest = {i.name for i in comparable()} - set(table())
    assert len(rest) == 20
    assert all(re.match(r"Q6_(R_vextract_VR|vmem_|vgather_|vscatter(acc)?_)", name) for name in rest)


def test_the_names_are_the_compilers() -> None:
    clang = hvxlib.run([hvxlib.need("clang-19"), "-print-resource-dir"]).decode().strip()
    path = Path(clang) / "include" / "hvx_hexagon_protos.h"
    if not path.is_file():
        hvxlib.absent(f"{path} is not installed")
    found = re.findall(r"#if __HVX_ARCH__ >= (\d+)\b.*?#define (Q6_\w+)", path.read_text("utf-8"), re.DOTALL)
    assert len(found) == 469
    assert {name: int(since) for since, name in found} == {i.name: i.since for i in intrinsics().values()}


def test_the_host_holds_all_but_those_said_to_be_missing(tmp_path: Path) -> None:
    present = [name for name in intrinsics() if name not in UNMODELLED]
    top = '#include "hvx_hexagon_protos.h"\n'
    hvxlib.on_host(top + "".join(f"auto* p_{n} = &{n};\n" for n in present) + "int main() {}\n", tmp_path)
    text = top + "".join(f"auto* p_{n} = &{n};\n" for n in (*sorted(UNMODELLED), "Q6_Vsf_nothing_Vsf"))
    errors = hvxlib.errors(text)
    assert set(re.findall(r"(Q6_\w+)\W+was not declared", errors)) == UNMODELLED | {"Q6_Vsf_nothing_Vsf"}


def test_counts_of_the_families() -> None:
    families = Counter(i.family for i in intrinsics().values())
    assert families == {"integer": 403, "IEEE float": 43, "qfloat": 23}
    why = Counter(obstacle(i) for i in intrinsics().values() if i.family == "integer" and obstacle(i))
    assert sum(why.values()) + len(comparable()) == 403


@pytest.mark.parametrize("name", sorted(MISREAD))
def test_what_qemu_misreads_is_refused_by_name(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name}: qemu runs something else"):
        program.source([intrinsics()["Q6_V_vand_VV"], intrinsics()[name]])


def test_floating_point_is_refused() -> None:
    with pytest.raises(ValueError, match="Q6_Vsf_vadd_VsfVsf: qemu has no HVX floating point"):
        program.source([intrinsics()["Q6_Vsf_vadd_VsfVsf"]])


def test_name_of_the_accumulating_form() -> None:
    assert accumulating("Q6_Vw_vdmpy_WhRh_sat") == "Q6_Vw_vdmpyacc_VwWhRh_sat"


def test_operands_of_a_name() -> None:
    assert intrinsics()["Q6_Vw_vdmpyacc_VwWhRuh_sat"].tokens == ("Vw", "Wh", "Ruh")
    assert intrinsics()["Q6_Wuw_vrsad_WubRubI"].tokens == ("Wub", "Rub", "I")
