"""The ELF reader against the LLVM tools, on damaged files; the SWIV record; the tables of names."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import devicelib
import hexlib
import pytest

from opkg.device import checks, finish, swiv
from opkg.device.elf import AARCH64, X86_64, Elf, ElfError
from opkg.verify.machines.hexagon import runtime, toolchain
from opkg.verify.machines.hexagon.loadable import TABLES, tables


def tool(*names: str) -> str:
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        hexlib.absent(f"no {' or '.join(names)}")
    return str(found)


@pytest.fixture(scope="module")
def hexagon() -> Path:
    hexlib.need("v68")
    return devicelib.library("nn_layout", "v68")


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of this host, with 64 bits."""
    folder = tmp_path_factory.mktemp("host")
    (folder / "a.c").write_text("#include <math.h>\nint shown = 3;\ndouble f(double x) { return sin(x) + shown; }\n")
    library = folder / "liba.so"
    command = [
        tool("gcc", "clang"),
        "-shared",
        "-fPIC",
        "-Wl,-soname,liba.so.1",
        str(folder / "a.c"),
        "-lm",
        "-o",
        str(library),
    ]
    subprocess.run(command, check=True)
    return library


def as_nm_says(path: Path) -> set[tuple[str, str]]:
    said = subprocess.run(
        [tool("llvm-nm-19", "nm"), "-D", str(path)], capture_output=True, text=True, check=True
    ).stdout
    words = [line.split() for line in said.splitlines()]
    return {(w[-1].partition("@")[0], w[-2]) for w in words}


@pytest.mark.hexagon
def test_symbols_are_those_of_nm(hexagon: Path, host: Path) -> None:
    for path in (hexagon, host):
        elf = Elf(path.read_bytes())
        theirs = as_nm_says(path)
        assert {s.name for s in elf.dynamic_symbols if s.undefined} == {name for name, kind in theirs if kind in "Uwv"}
        assert {s.name for s in elf.dynamic_symbols if not s.undefined} >= {
            name for name, kind in theirs if kind in "TDB"
        }
    assert (Elf(host.read_bytes()).machine in (X86_64, AARCH64), Elf(host.read_bytes()).soname) == (True, "liba.so.1")
    assert any(name.startswith(("libc.so", "libm.so")) for name in Elf(host.read_bytes()).needed)
    assert {note.owner for note in Elf(host.read_bytes()).notes()} >= {"GNU"}
    assert not Elf(hexagon.read_bytes()).notes()


@pytest.mark.hexagon
def test_relocations_are_those_of_readelf(hexagon: Path) -> None:
    readelf = tool("llvm-readelf-19", "llvm-readelf")
    objects = [p for p in hexagon.parent.rglob("*.o") if p.name != "interface.o"]
    assert objects
    for path in objects:
        elf = Elf(path.read_bytes())
        ours = [r.offset for s in elf.sections if s.type == 4 for r in elf.relocations_in(s)]
        said = subprocess.run([readelf, "-rW", str(path)], capture_output=True, text=True, check=True).stdout
        assert ours == [int(m[1], 16) for m in re.finditer(r"^([0-9a-f]{8}) ", said, re.MULTILINE)]


@pytest.mark.hexagon
def test_damaged_files_are_errors_of_their_own(hexagon: Path, host: Path) -> None:
    for path in (hexagon, host):
        content = path.read_bytes()
        for length in range(0, len(content), max(1, len(content) // 150)):
            try:
                Elf(content[:length]).needed  # noqa: B018
            except ElfError:
                continue
        changed = 0
        for at in range(0, 4096, 7):
            data = bytearray(content)
            data[at] ^= 0xFF
            try:
                elf = Elf(bytes(data))
                changed += len(elf.needed) + len(elf.soname) + len(elf.notes()) > 0
            except ElfError:
                changed += 1
        assert changed
    for text in (b"", b"\x7fELF", b"#!/bin/sh\n" * 20, b"\x7fELF\x03\x01" + bytes(60), b"\x7fELF\x01\x02" + bytes(60)):
        with pytest.raises(ElfError):
            Elf(text)


@pytest.mark.hexagon
def test_a_record_can_be_made_anew(hexagon: Path) -> None:
    content = hexagon.read_bytes()
    assert swiv.with_swiv(content) == content
    moved = bytearray(content)
    moved[0x1000:0x1004] = b"abcd"
    again = swiv.with_swiv(bytes(moved))
    magic, crc, right, rest = devicelib.record(again)
    assert (magic, crc, rest) == (b"SWIV", right, bytes(8))
    assert crc != devicelib.record(content)[1]


@pytest.mark.hexagon
def test_a_section_table_within_the_file_is_moved_to_its_end(hexagon: Path) -> None:
    """Only lld writes it last; other tools put strings behind it."""
    tool_ = toolchain.lld()
    assert tool_ is not None
    out = hexagon.parent / "within.so"
    objects = [str(p) for p in hexagon.parent.rglob("*.o")]
    toolchain.checked([*tool_.command, "-m", "hexagonelf", "-shared", *checks.LINK, *objects, "-o", str(out)])
    made = swiv.with_swiv(out.read_bytes() + b"behind")
    out.unlink()
    assert devicelib.record(made)[1] == devicelib.record(made)[2]
    assert [s.name for s in Elf(made).sections][:4] == ["", ".dynsym", ".hash", ".dynstr"]
    assert b"behind" in made


def test_no_record_for_libraries_of_64_bits(host: Path) -> None:
    with pytest.raises(ElfError, match="32 bits"):
        swiv.with_swiv(host.read_bytes())


def test_finish_says_what_it_cannot_read(tmp_path: Path, host: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.so").write_text("text")
    for path, says in (
        (tmp_path / "a.so", "not an ELF file"),
        (tmp_path / "none.so", "No such file"),
        (host, "not a library for"),
    ):
        assert finish.main([str(path), "--arch", "v68", "--tables", str(TABLES)]) == 2
        said = capsys.readouterr()
        assert says in said.err
        assert said.out == ""
    scripts = devicelib.examples()["nn_layout"].folder.parents[1] / "opkg" / "hexagon"
    done = subprocess.run(
        [sys.executable, "-S", "-E", str(scripts / "finish.py"), "--help"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "--tables" in done.stdout, done.stderr


def test_tables() -> None:
    known = tables()
    assert len(known.qhpi) == 44
    assert {name for name, since in known.qhpi.items() if since != "2.47"} == {
        "qhpi_thread_resources", "qhpi_tensor_is_indirect", "qhpi_op_id",
    }  # fmt: skip
    assert set(known.archs.values()) == {"v66", "v68", "v73", "v75", "v79", "v81"}
    assert sum(socs == frozenset(known.archs) for socs in known.shells.values()) == 1640
    assert known.lacking("memcpy", "v68") == ()
    assert known.lacking("malloc", "v73") == ("x1e80100", "sa8775p")
    assert (
        known.lacking("compute_resource_attr_init_v2", "v69") != ()
    )  # no shell of v69 is public: its neighbours are asked
    assert known.lacking("aligned_alloc", "v68") == ("qcm6490",)


@pytest.mark.hexagon
def test_the_run_time_has_only_what_devices_have(tmp_path: Path) -> None:
    """A C function that kernels may call in the emulator is in every shell from v68 on."""
    hexlib.need("v68")
    declared = {
        name for header in toolchain.FREESTANDING.glob("*.h") for name in re.findall(r"\b(\w+)\(", header.read_text())
    }
    ours = {
        symbol.name for path in runtime.objects("v68", tmp_path) for symbol in Elf(path.read_bytes()).symbols
        if symbol.type == 2 and symbol.binding == 1 and not symbol.undefined and not symbol.name.startswith("_Z")
    }  # fmt: skip
    mine = {name for name in ours if name in declared or name.startswith(("__hexagon", "__wrap"))}
    assert len(mine) > 100
    assert not [name for name in sorted(mine) if checks.check_name(name, "v68", tables())]
    assert not [name for name in sorted(mine) if checks.check_name(name, "v81", tables())]
