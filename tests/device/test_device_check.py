"""`opkg device check`: libraries by anybody, sound ones and each fault; `opkg build --device`, both halves."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import devicelib
import hexlib
import pytest

from opkg.cli.main import run
from opkg.device import checks
from opkg.device.elf import Elf
from opkg.device.library import PREPARE
from opkg.device.socs import socs
from opkg.verify.machines import device
from opkg.verify.machines.hexagon import toolchain
from opkg.verify.machines.hexagon.loadable import tables

pytestmark = pytest.mark.hexagon
PROVIDER = 'extern "C" __attribute__((visibility("default"))) int xInterfaceProvider() {{ {body} return 0; }}\n'
ROOT = Path(__file__).parents[2]
Check = Callable[..., dict[str, list[str]]]


@pytest.fixture(name="check")
def fixture_check(capsys: pytest.CaptureFixture[str]) -> Check:
    """Messages by id, of errors in capitals: {"OPK477": ["ERROR it has no ..."]}; the exit code is held, too."""

    def checked(path: Path, *words: str) -> dict[str, list[str]]:
        code = run(["device", "check", str(path), "--format", "json", *words])
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        findings = [line for line in lines if "id" in line]
        assert code == int(any(line["severity"] == "error" for line in findings))
        found: dict[str, list[str]] = {}
        for line in findings:
            kind = "ERROR " if line["severity"] == "error" else ""
            found.setdefault(line["id"], []).append(kind + line["message"])
        return found

    return checked


def linked(folder: Path, body: str, arch: str = "v68", flags: Sequence[str] = checks.LINK, before: str = "") -> Path:
    """A Hexagon library with a provider of this body, without a SWIV record."""
    hexlib.need("v68")
    (folder / "x.cpp").write_text(before + PROVIDER.format(body=body))
    compiler, linker = toolchain.clang(), toolchain.lld()
    assert compiler is not None
    assert linker is not None
    words = [toolchain.TARGET, f"-mcpu=hexagon{arch}", "-fPIC", "-G0", "-fvisibility=hidden", "-c", "-o", "x.o"]
    subprocess.run([*compiler.command, *words, "x.cpp"], cwd=folder, check=True)
    link = ["-m", "hexagonelf", "-shared", *flags, "-soname", "libx.so", "-o", "libx.so", "x.o"]
    subprocess.run([*linker.command, *link], cwd=folder, check=True)
    return folder / "libx.so"


def test_a_sound_library(check: Check, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the generated build: nothing to say, and what it registers is listed."""
    hexlib.need("v73")
    library = devicelib.library("nn_layout", "v73")
    assert check(library) == {}
    assert check(library, "--soc", "sm8550", "--qnn", "2.47") == {}
    assert run(["device", "check", "--load", str(library)]) == 0
    said = capsys.readouterr().out
    assert f"{library}: v73; " in said
    assert "QNN 2.47 and later; SWIV " in said
    assert "loaded: package nn.layout, 3 ops" in said
    assert "nn.layout::Split: split_u8, split_f32" in said


def test_the_record(check: Check, tmp_path: Path) -> None:
    library = linked(tmp_path, "")
    assert list(check(library)) == ["OPK477"]
    assert check(library, "--soc", "SM8550")["OPK477"][0].startswith("it has no SWIV record, which some")
    assert "ERROR it has no SWIV record, which firmware of SA8295" in check(library, "--soc", "SA8295")["OPK477"][0]
    content = bytearray(devicelib.library("nn_layout", "v73").read_bytes())
    load = next(s for s in Elf(bytes(content)).segments if s.flags == checks.READ_WRITE)
    content[load.offset] ^= 1
    changed = tmp_path / "changed.so"
    changed.write_bytes(content)
    assert check(changed)["OPK477"][0].startswith("ERROR its SWIV record is not that of its content")


def test_architectures(check: Check, tmp_path: Path) -> None:
    library = devicelib.library("nn_layout", "v73")
    assert check(library, "--soc", "SM8350") == {"OPK476": ["ERROR built for v73; the DSP of SM8350 is v68"]}
    assert check(library, "--soc", "SM8650,SM8550") == {"OPK476": ["built for v73; the DSP of SM8650 is v75"]}


def test_names(check: Check, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each name that a device lacks, by what it is; weak ones and C++ of QNN's own are no errors."""
    before = """\
extern "C" { void* malloc(unsigned); int __popcountsi2(unsigned); void qhpi_op_id(); void qhpi_nothing(); }
extern "C" __attribute__((weak)) int someday();
namespace hnnx { int registered(int); }
void* operator new(unsigned);
"""
    body = """qhpi_op_id(); qhpi_nothing(); if (someday) someday(); if (operator new(3)) return 1;
if (malloc(3) && __popcountsi2(3)) return hnnx::registered(1);"""
    found = check(linked(tmp_path, body, before=before))
    assert sorted(found["OPK471"]) == [
        "ERROR __popcountsi2 is on no v68 DSP",
        "ERROR malloc is on no v68 DSP",
        "ERROR qhpi_nothing is no function of QHPI (QNN 2.47 to 2.51)",
        "weak names that not every v68 DSP has: someday (1)",
    ]
    capsys.readouterr()
    assert run(["device", "check", str(tmp_path / "libx.so")]) == 1
    assert "DSPs have __wrap_malloc: link it with --wrap=malloc" in capsys.readouterr().out
    assert found["OPK472"] == ["ERROR _Znwj is of the C++ run time"]
    assert found["OPK482"] == ["it uses 1 C++ names of QNN's own library (hnnx::registered, ...), not checked"]
    again = check(tmp_path / "libx.so", "--qnn", "2.50")
    assert again["OPK478"] == ["ERROR QNN 2.50 has no qhpi_op_id"]
    assert "OPK478" not in check(tmp_path / "libx.so", "--qnn", "2.51")


def test_forms(check: Check, tmp_path: Path) -> None:
    """What lld makes unless it is told, and a constructor."""
    before = 'extern "C" int __wrap_malloc(int); int filled = __wrap_malloc(1);\n'
    library = linked(tmp_path, "return filled;", flags=["--hash-style=both"], before=before)
    faults = [
        text.removeprefix("ERROR ").removeprefix("not the form of a DSP library: ") for text in check(library)["OPK473"]
    ]
    assert "4 LOAD segments, not one RX and one RW" in faults
    assert "segments that do not lie on pages of 4 KiB" in faults
    assert "a segment GNU_RELRO or GNU_STACK" in faults
    assert "another hash table than DT_HASH" in faults
    assert {"an .init_array or .fini_array", "constructors that nobody runs"} & set(faults)


def test_what_is_no_library_for_a_device(check: Check, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.so").write_text("no library")
    assert check(tmp_path / "a.so") == {"OPK475": ["ERROR not an ELF file"]}
    assert check(Path(os.path.realpath(sys.executable)))["OPK475"][0].startswith("ERROR ")
    hexlib.need("v68")
    linked(tmp_path, "")
    assert check(tmp_path / "x.o") == {"OPK475": ["ERROR an ELF file, and no shared library"]}
    content = (tmp_path / "libx.so").read_bytes()
    for size in (52, 100, len(content) // 2):
        (tmp_path / "cut.so").write_bytes(content[:size])
        assert "OPK475" in check(tmp_path / "cut.so") or size > 100
    hidden = linked(tmp_path, "", before="#define xInterfaceProvider other\n")
    assert check(hidden)["OPK481"] == [
        "it has no function ...InterfaceProvider for others: no op package, or one that hides it"
    ]
    needs = 'extern "C" void qhpi_op_id();\n#define xInterfaceProvider other\n'
    hidden = linked(tmp_path, "qhpi_op_id();", before=needs)
    assert check(hidden)["OPK481"] == ["ERROR it has no function ...InterfaceProvider for others (it exports other)"]


def test_misuse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    library = tmp_path / "a.so"
    library.write_bytes(b"")
    for words, hint in (
        (["--soc", "SM8560"], "Did you mean SM8"), (["--qnn", "2.46"], "from 2.47 on"), (["--qnn", "two"], "from 2.47"),
    ):  # fmt: skip
        assert run(["device", "check", str(library), *words]) == 2
        assert hint in capsys.readouterr().err
    assert run(["build", "--device", "v74", str(ROOT / "examples" / "layout")]) == 2
    assert "Did you mean" in capsys.readouterr().err
    assert run(["build", "--device", "v73", "--interface", "classic", str(ROOT / "examples" / "layout")]) == 2
    assert "HEXAGON_SDK_ROOT" in capsys.readouterr().err


def test_socs() -> None:
    """Each has an architecture that is built for; a shell of its own is one of the table of names, and of that one."""
    for soc in socs().values():
        assert soc.arch in device.KINDS
        assert soc.vtcm in (2, 4, 8, 16)
        assert not soc.shell or tables().archs[soc.shell] == soc.arch


@pytest.fixture(name="project")
def fixture_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(
        "opkg: 1\npackage: {name: t.half, targets: [qnn-htp-qhpi]}\nops:\n  Twice:\n"
        "    inputs: {x: {dtype: ufixed8, rank: 1..4}}\n    outputs: {y: {dtype: ufixed8, shape: x.shape}}\n"
        "    compute: y = x + x\n"
    )
    monkeypatch.chdir(tmp_path)
    assert run(["generate"]) == 0
    return tmp_path


def test_both_halves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, check: Check, capsys: pytest.CaptureFixture[str]
) -> None:
    """As docs/device.md has it: built beside each other under one name, and nothing is to be said about them but what
    the page shows."""
    hexlib.need("v73")
    if not device.cross():
        hexlib.absent("no g++ for aarch64")
    shutil.copytree(
        ROOT / "examples" / "layout", tmp_path / "examples" / "layout", ignore=shutil.ignore_patterns("build")
    )
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "device.md").read_text("utf-8").splitlines()
    building, checking, *_ = (number for number, line in enumerate(page) if line.startswith("opkg "))
    assert run(shlex.split(page[building])[1:]) == 0
    said = capsys.readouterr().err.splitlines()
    assert {*page[building + 2 : page.index("```", building)]} <= {*said}
    monkeypatch.chdir(tmp_path / "examples" / "layout")
    assert run(shlex.split(page[checking])[1:]) == 1
    assert page[checking + 2] in capsys.readouterr().out.splitlines()
    folder = Path("build/nn_layout")
    kernels, other = folder / "qhpi-v73/hexagon/libnn_layout.so", folder / "qhpi-aarch64-linux/libnn_layout.so"
    assert check(kernels) == {}
    assert check(other) == {}
    assert Elf(other.read_bytes()).needed[0] == PREPARE
    assert [s.name for s in checks.imports(Elf(other.read_bytes())) if s.name.startswith("_Z")] == []


def test_an_arm_library_that_does_not_name_prepare(check: Check, tmp_path: Path) -> None:
    compiler = device.cross()
    if not compiler:
        hexlib.absent("no g++ for aarch64")
    (tmp_path / "x.cpp").write_text(
        'extern "C" { void qhpi_op_id(); void qhpi_never(); }\n'
        + PROVIDER.format(body="qhpi_op_id(); qhpi_never(); delete new int(3);")
    )
    subprocess.run([compiler, "-shared", "-fPIC", "-o", "libx.so", "x.cpp"], cwd=tmp_path, check=True)
    found = check(tmp_path / "libx.so", "--qnn", "2.49")
    assert found["OPK471"] == ["ERROR qhpi_never is no function of QHPI (QNN 2.47 to 2.51)"]
    assert found["OPK478"] == ["ERROR QNN 2.49 has no qhpi_op_id"]
    assert any("does not name libQnnHtpPrepare.so" in text for text in found["OPK480"])
    assert any("libstdc++.so.6" in text for text in found["OPK480"])


def test_a_tool_that_is_missing_is_said_first(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPKG_AARCH64_CXX", "/nowhere/g++")
    assert run(["build", "--device", "v68,aarch64-linux"]) == 3
    assert "to build for aarch64-linux there is no" in capsys.readouterr().out + capsys.readouterr().err
    assert not (project / "build" / "t_half").exists()


@pytest.mark.sweep
@pytest.mark.parametrize("arch", device.NEW)
def test_newer_architectures(arch: str, project: Path, check: Check) -> None:
    if device.missing(arch):
        pytest.skip(f"no {device.missing(arch)}: {device.INSTALL[arch]}")
    assert run(["build", "--device", arch]) == 0
    assert check(project / "build" / "t_half" / f"qhpi-{arch}" / "hexagon" / "libt_half.so") == {}
