"""HVX floating point of the host against the rows of the published architecture model; scripts/hvx_float_oracle.py."""

from __future__ import annotations

import gzip
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import hvxlib
import pytest
import qfloat_exact

from opkg.kernels.hvx.names import every, intrinsics

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "hvx_float_oracle.py"
ROWS = Path(__file__).parent / "data" / "float_rows.tsv.gz"


def oracle(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hvx_float_oracle", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "rows.tsv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_every_row_is_met(script: ModuleType) -> None:
    done = oracle(ROWS)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[-1] == "79 intrinsics: 0 of 172734 rows differ"
    assert len(lines) == 80


def test_sums_and_products_are_those_of_exact_rationals(tmp_path: Path) -> None:
    """With operands at the ends of the range and sums that cancel, far more than among the rows."""
    done = oracle(rows(tmp_path, *qfloat_exact.rows(1, 1500)), "--show", "3")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("17 intrinsics: 0 of 25500 rows differ\n")


def test_exact_rationals_are_the_rows(script: ModuleType) -> None:
    wanted = script.read(ROWS)
    for form in qfloat_exact.FORMATS:
        name = f"Q6_V{form.qfloat}_vadd_V{form.qfloat}V{form.ieee}"
        for a, b, out in wanted[name][:500]:
            x, y = int(a, 16) % (1 << form.width), int(b, 16) % (1 << form.width)
            numbers = qfloat_exact.from_qfloat(form, x), qfloat_exact.from_ieee(form, y)
            assert qfloat_exact.total(form, *numbers, 1) == int(out, 16) % (1 << form.width)


def test_the_rows_are_of_all_float_intrinsics(script: ModuleType) -> None:
    found = script.read(ROWS)
    wanted = {i.name for i in every().values() if i.family != "integer"} | {"Q6_Vw_vfmv_Vw"}
    assert set(found) == wanted
    assert min(map(len, found.values())) > 1900


def test_later_intrinsics_are_those_of_v73() -> None:
    later = [i for name, i in every().items() if name not in intrinsics()]
    assert {i.since for i in later} == {73}
    assert len(later) == 12
    assert sum("bf" in i.name for i in later) == 8


def some(script: ModuleType, tmp_path: Path, count: int) -> dict[str, list[tuple[str, ...]]]:
    """The first rows of every intrinsic; also written to rows.tsv."""
    found = {name: all_rows[:count] for name, all_rows in script.read(ROWS).items()}
    rows(tmp_path, *[line(name, row) for name, some_rows in found.items() for row in some_rows])
    return found


def line(name: str, row: tuple[str, ...]) -> str:
    return "\t".join([name, *(*row[:-1], "-", "-")[:3], row[-1]])


def test_the_other_model_is_another_one(tmp_path: Path, script: ModuleType) -> None:
    some(script, tmp_path, 60)
    done = oracle(tmp_path / "rows.tsv", "--qfloat", "79")
    assert done.returncode == 1
    counts = dict(line.split(": ") for line in done.stdout.splitlines()[:-1])
    for name, count in counts.items():
        assert (not count.startswith("0 of")) == ("qf" in name), f"{name}: {count}"


def test_a_wrong_row_is_found_in_each_kind_of_result(tmp_path: Path, script: ModuleType) -> None:
    names = "Q6_Vqf32_vadd_VsfVsf", "Q6_Wsf_vmpy_VhfVhf", "Q6_Q_vcmp_gtand_QVsfVsf", "Q6_Wsf_vmpyacc_WsfVbfVbf"
    found, lines, wrong = some(script, tmp_path, 70), [], []
    for name, at in zip(names, (0, 31, 32, 69), strict=True):
        row = found[name][at]
        wrong.append((*row[:-1], row[-1][:-1] + f"{int(row[-1][-1], 16) ^ 1:x}"))
        lines += [line(name, wrong[-1] if i == at else other) for i, other in enumerate(found[name])]
    done = oracle(rows(tmp_path, *lines), "--show", "2")
    assert done.returncode == 1
    for name, row in zip(names, wrong, strict=True):
        assert f"{name}: 1 of 70 rows differ\n    {' '.join(row)}\n" in done.stdout
    assert done.stdout.endswith("4 intrinsics: 4 of 280 rows differ\n")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "there is no row"),
        ("# only a comment", "there is no row"),
        ("Q6_Vsf_nothing_Vsf\t0\t-\t-\t0", "not an HVX intrinsic: Q6_Vsf_nothing_Vsf"),
        ("Q6_Vsf_vabs_Vsf\t0\t-\t0", "five columns"),
        ("Q6_Vsf_vabs_Vsf\t0\t0\t-\t0", "its operands and result are VV"),
        ("Q6_Vsf_vabs_Vsf\tx\t-\t-\t0", "a row of Q6_Vsf_vabs_Vsf is not one"),
        ("Q6_Wsf_vcvt_Vhf\t0\t-\t-\t0", "its operands and result are VW"),
    ],
)
def test_what_proves_nothing_is_an_error(line: str, why: str, tmp_path: Path) -> None:
    done = oracle(rows(tmp_path, line))
    assert done.returncode == 1
    assert why in done.stderr
    assert "Traceback" not in done.stderr


def test_a_broken_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "rows.tsv.gz"
    path.write_bytes(gzip.compress(b"x" * 1000)[:20])
    for file in (path, tmp_path / "none.tsv"):
        done = oracle(file)
        assert done.returncode == 1
        assert done.stderr.startswith("error: ")


def test_vectors_of_256_bits_give_the_same(tmp_path: Path, script: ModuleType) -> None:
    cpu = Path("/proc/cpuinfo")
    if not cpu.is_file() or " avx2 " not in cpu.read_text():
        pytest.skip("this CPU has no AVX2")
    some(script, tmp_path, 100)
    done = oracle(tmp_path / "rows.tsv", "--flag=-mavx2", "--flag=-mfma", "--flag=-O1")
    assert done.stdout.splitlines()[-1] == "79 intrinsics: 0 of 7900 rows differ"


@pytest.mark.parametrize("model", [68, 79])
@pytest.mark.parametrize("compiler", ["g++", "clang++-19"])
def test_both_models_compile_without_a_warning(model: int, compiler: str, tmp_path: Path) -> None:
    names = [name for name, i in every().items() if i.family != "integer"]
    text = '#include "hvx_hexagon_protos.h"\n' + "".join(f"auto* p_{n} = &{n};\n" for n in names)
    path = tmp_path / "floats.cpp"
    path.write_text(text)
    flags = ["-std=c++17", "-O1", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-psabi"]
    hvxlib.run([hvxlib.need(compiler), *flags, f"-DOPKG_HVX_QFLOAT={model}", f"-I{hvxlib.INCLUDE}", str(path)])
