"""The examples as a device gets them: built by their Makefiles, of the DSP's form, loaded by a strict loader in the emulator."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import devicelib
import hexlib
import pytest

from opkg.device import checks, swiv
from opkg.device.elf import HEXAGON, WEAK, Elf
from opkg.spec.catalog import entries
from opkg.verify.machines.hexagon import loading, toolchain
from opkg.verify.machines.hexagon.loadable import tables

pytestmark = pytest.mark.hexagon
ALL_ARCHS = ("v68", "v69", "v73", "v75", "v79", "v81")
SMALL = "nn_layout"
ROOT = Path(__file__).parents[2]


def sound(path: Path, arch: str) -> Elf:
    """A library of the form that all DSP libraries have, whose names are there on every architecture."""
    content = path.read_bytes()
    load = [s for s in devicelib.segments(content) if s[0] == 1]
    assert [(s[6], s[7]) for s in load] == [(5, 0x1000), (6, 0x1000)]
    assert all(s[1] % 0x1000 == 0 and s[1] == s[2] for s in load)
    magic, crc, right, rest = devicelib.record(content)
    assert (magic, crc, rest) == (b"SWIV", right, bytes(8))
    elf = Elf(content)
    assert (elf.machine, elf.flags, elf.needed, elf.soname) == (HEXAGON, int(arch[1:], 16), (), path.name)
    assert not [s.name for s in elf.sections if "ctors" in s.name or "_array" in s.name]
    wanted = checks.imports(elf)
    assert wanted
    assert not [s.name for s in wanted if s.binding == WEAK]
    assert not {"malloc", "calloc", "realloc", "free"} & {s.name for s in wanted}
    for each in ALL_ARCHS:
        assert not [(s.name, each) for s in wanted if checks.check_name(s.name, each, tables())]
    return elf


def loaded(path: Path, name: str, program: Path) -> loading.Loaded:
    """Loads a library and compares its records with what the spec's plan has."""
    example = devicelib.examples()[name]
    got = loading.load(program, path, example.package.interface_provider)
    assert got.refused == ""
    assert got.package == example.package.name
    assert got.operations == tuple(op.name for op in example.package.ops)
    assert got.log == (f"{example.package.name}: no op named 'Nobody's'",)  # two texts through a va_list
    assert got.kernels is not None
    own = {op: kernels for op, kernels in got.kernels.items() if op.startswith(f"{example.package.name}::")}
    assert own == example.kernels
    assert all(kernels for kernels in own.values())
    return got


@pytest.fixture
def loader(tmp_path: Path) -> Path:
    hexlib.need("v68")
    return loading.build("v68", tmp_path / "loader", tmp_path)


@pytest.mark.parametrize("arch", [pytest.param("v68", marks=pytest.mark.sweep), "v73"])
def test_every_example_loads(arch: str, tmp_path: Path) -> None:
    hexlib.need(arch)
    program = loading.build(arch, tmp_path, tmp_path)
    kernels = 0
    for name in devicelib.examples():
        path = devicelib.library(name, arch)
        sound(path, arch)
        kernels += sum(map(len, (loaded(path, name, program).kernels or {}).values()))
    assert kernels > 60


@pytest.mark.sweep
@pytest.mark.parametrize("arch", ["v68", "v69", "v73"])
@pytest.mark.parametrize("flags", ["-O2 -g", "-Os"])
def test_every_example_loads_with_other_flags(arch: str, flags: str, tmp_path: Path) -> None:
    hexlib.need("v68")
    ran = arch if arch in toolchain.runnable() else ""
    program = loading.build(ran, tmp_path, tmp_path) if ran else None
    for name in devicelib.examples():
        path = devicelib.library(name, arch, flags)
        sound(path, arch)
        if program is not None:
            loaded(path, name, program)


def test_a_kernel_of_a_loaded_library_runs(loader: Path) -> None:
    """Through the library's own table of functions, and the shell's for what it calls."""
    path = devicelib.library("nn_activations", "v68")
    provider = devicelib.examples()["nn_activations"].package.interface_provider
    for elements in (17, 300):
        got = loading.load(loader, path, provider, "relu_u8__r4", elements)
        assert got.outputs == (bytes(i % 256 for i in range(elements)),), got.refused


def test_what_the_loader_refuses(loader: Path, tmp_path: Path) -> None:
    good = devicelib.library(SMALL, "v68")
    provider = devicelib.examples()[SMALL].package.interface_provider
    objects = [str(p) for p in sorted(good.parent.rglob("*.o"))]
    content = good.read_bytes()

    def refused(data: bytes) -> str:
        path = tmp_path / "bad.so"
        path.write_bytes(data)
        return loading.load(loader, path, provider).refused

    def linked(*flags: str, more: tuple[str, ...] = ()) -> bytes:
        tool = toolchain.lld()
        assert tool is not None
        out = tmp_path / "linked.so"
        toolchain.checked([*tool.command, "-m", "hexagonelf", "-shared", *flags, *objects, *more, "-o", str(out)])
        return out.read_bytes()

    assert refused(content) == ""
    changed = bytearray(content)
    changed[0x1000] ^= 1
    assert "a wrong checksum" in refused(bytes(changed))
    assert "section header for CRC segment not found" in refused(linked(*checks.LINK))
    assert "more than two LOAD segments" in refused(swiv.with_swiv(linked()))
    extra = tmp_path / "extra.c"
    extra.write_text("int __popcountsi2(int);\nint sum(int x) { return __popcountsi2(x); }\n")
    (made,) = toolchain.compile([extra], "v68", ["-fPIC"], tmp_path)
    assert "undefined PLT symbol __popcountsi2" in refused(swiv.with_swiv(linked(*checks.LINK, more=(str(made),))))
    extra.write_text(
        'static void f(void) {}\n__attribute__((section(".init_array"), used)) static void (*p)(void) = f;\n'
    )
    (made,) = toolchain.compile([extra], "v68", ["-fPIC"], tmp_path)
    assert "more than this loader does" in refused(swiv.with_swiv(linked(*checks.LINK, more=(str(made),))))


def test_two_builds_are_the_same_bytes(tmp_path: Path) -> None:
    """With debugging information, which has folders in it: the same command in the same place."""
    hexlib.need("v68")
    folder = devicelib.examples()[SMALL].folder
    found = set()
    for _ in range(2):
        devicelib.make(folder, tmp_path / "out", "v68", "CXXFLAGS=-O0 -g")
        (path,) = (tmp_path / "out").rglob("*.so")
        found.add(path.read_bytes())
        shutil.rmtree(tmp_path / "out")
    assert len(found) == 1


def test_without_tables_imports_are_not_checked_and_that_is_said(tmp_path: Path) -> None:
    hexlib.need("v68")
    folder = devicelib.examples()[SMALL].folder
    done = devicelib.make(folder, tmp_path, "v68", "CXXFLAGS=-O0", "HEXAGON_TABLES=/nowhere")
    assert "imports (not checked: there is no table of names; set HEXAGON_TABLES" in done.stdout


def test_the_page_about_devices_is_true(tmp_path: Path) -> None:
    """The command of docs/device.md works as it stands, but for where it builds; its flags are those of the build."""
    hexlib.need("v68")
    page = (ROOT / "docs" / "device.md").read_text("utf-8")
    command = next(line for line in page.splitlines() if line.startswith("make -C examples/"))
    words = [*shlex.split(command), f"OUT={tmp_path}", "CXXFLAGS=-O0", f"PYTHON={sys.executable}"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    shown = next(line for line in page.splitlines() if line.startswith("libnn_layout.so: "))
    form = r"libnn_layout.so: v73, \d+ imports, all known on v73 and in QNN 2.47 and later; SWIV [0-9a-f]{8}"
    assert re.fullmatch(form, shown)
    assert re.search(form, done.stdout)
    assert f"`{' '.join(checks.LINK)}`" in page
    makefile = (devicelib.examples()[SMALL].folder / "Makefile").read_text("utf-8")
    cmake = (devicelib.examples()[SMALL].folder.parents[1] / "opkg" / "hexagon.cmake").read_text("utf-8")
    assert " ".join(checks.LINK) in makefile
    assert " ".join(checks.LINK) in cmake
    assert set(re.findall(r"OPK\d+", page)) <= set(entries())


def test_cmake_builds_the_same_form(tmp_path: Path) -> None:
    hexlib.need("v68")
    if shutil.which("cmake") is None:
        hexlib.absent("no cmake")
    folder = devicelib.examples()[SMALL].folder
    configure = ["cmake", "-S", str(folder), "-B", str(tmp_path), "-DCMAKE_TOOLCHAIN_FILE=../../opkg/hexagon.cmake"]
    configure += [f"-DHEXAGON_INCLUDE={toolchain.FREESTANDING}", "-DHEXAGON_ARCH=v73", "-DCMAKE_CXX_FLAGS_RELEASE=-O0"]
    subprocess.run([*configure, "-DCMAKE_BUILD_TYPE=Release"], check=True, capture_output=True)
    built = subprocess.run(["cmake", "--build", str(tmp_path), "-j2"], check=True, capture_output=True, text=True)
    assert "all known on v73 and in QNN 2.47 and later; SWIV" in built.stdout
    sound(tmp_path / devicelib.examples()[SMALL].package.library, "v73")
