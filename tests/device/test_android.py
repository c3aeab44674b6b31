"""The ARM half for Android: built without an NDK, and with one that is a stand-in; what Android would refuse in a library."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import hexlib
import pytest

from opkg.cli.main import run
from opkg.cli.tools import survey
from opkg.device.android import LIBRARIES, names
from opkg.device.elf import LOAD, TLS, Elf
from opkg.device.library import PREPARE
from opkg.verify.machines import android, device, toolchain

SPEC = """\
opkg: 1
package: {name: t.half, targets: [qnn-htp-qhpi]}
ops:
  Curve:
    types: {T: [float32]}
    inputs: {x: {dtype: T, rank: 1..4}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * tanh(x)
  Rows:
    types: {T: [ufixed8, ufixed16, float16]}
    inputs: {x: {dtype: T, rank: 1..4}, m: {dtype: T, shape: x.shape}}
    outputs: {y: {dtype: T, shape: x.shape}, z: {dtype: T, shape: x.shape}}
    compute: |
      e = exp(x - max(x, axis=-1, keepdims=True))
      y = e / sum(e, axis=-1, keepdims=True)
      z = (x - mean(x, axis=-1, keepdims=True)) * rsqrt(var(x, axis=-1, keepdims=True) + 1e-5) * m
"""
PROVIDER = 'extern "C" __attribute__((visibility("default"))) int xInterfaceProvider() {{ {body} }}\n'


@pytest.fixture(name="project")
def fixture_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if device.missing(device.ANDROID):
        hexlib.absent(device.missing(device.ANDROID))
    for name in android.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(SPEC)
    monkeypatch.chdir(tmp_path)
    assert run(["generate"]) == 0
    return tmp_path


def test_without_an_ndk(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["build", "--device", "aarch64-android"]) == 0
    library = project / "build/t_half/qhpi-aarch64-android/libt_half.so"
    elf = Elf(library.read_bytes())
    assert elf.needed == (PREPARE, "libc.so", "libm.so")
    assert elf.soname == "libt_half.so"
    assert {s.align for s in elf.segments if s.type == LOAD} == {0x4000}
    assert TLS not in {s.type for s in elf.segments}
    assert b"GLIBC_" not in library.read_bytes()
    wanted = [s.name for s in elf.dynamic_symbols if s.undefined and not s.name.startswith("qhpi_")]
    assert {"stderr", "vfprintf", "memcpy"} <= {*wanted}
    assert {name for name in wanted if name not in names()} == set()
    provided = [s.name for s in elf.dynamic_symbols if not s.undefined]
    assert [name for name in provided if "guard" in name or name.startswith(("_Zn", "_Zd"))] == []
    capfd.readouterr()
    assert run(["device", "check", str(library)]) == 0
    assert capfd.readouterr().out == f"{library}: aarch64; {len(elf.dynamic_symbols) - len(provided)} imports; " + (
        "QNN 2.47 and later; for Android\n"
    )
    (tool,) = [tool for tool in survey() if tool.name == "aarch64 Android"]
    assert tool.found
    assert "without Android's C library" in tool.version


def test_with_an_ndk(project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """One in which Debian's compiler for ARM takes the place of the NDK's."""
    if not device.cross():
        hexlib.absent("no g++ for aarch64")
    folder = project / "ndk" / "toolchains/llvm/prebuilt/linux-x86_64/bin"
    folder.mkdir(parents=True)
    monkeypatch.setenv("ANDROID_NDK_ROOT", str(project / "ndk"))
    assert run(["build", "--device", "aarch64-android"]) == 3
    assert "aarch64-linux-android30-clang++" in capfd.readouterr().out
    compiler = folder / "aarch64-linux-android30-clang++"
    compiler.write_text(f'#!/bin/sh\necho "$@" >> {project}/said\nexec {device.cross()} "$@"\n')
    compiler.chmod(0o755)
    assert run(["build", "--device", "aarch64-android"]) == 0
    said = (project / "said").read_text()
    assert "-static-libstdc++" in said
    assert "-Wl,-z,max-page-size=16384" in said
    assert str(android.RUNTIME) not in said
    assert Elf((project / "build/t_half/qhpi-aarch64-android/libt_half.so").read_bytes()).needed[0] == PREPARE


def linked(folder: Path, body: str, before: str = "", needed: tuple[str, ...] = LIBRARIES[:2], *flags: str) -> Path:
    """A library for Android with a provider of this body, linked against empty libraries of these names."""
    clang, linker = android.toolchain.clang(), android.toolchain.lld()
    if clang is None or linker is None:
        hexlib.absent("no clang and lld")
    linking = (*clang.command, "--target=aarch64-linux-android30", f"--ld-path={linker.path}", "-nostdlib")
    for name in needed:
        android.stub(folder, name, (f"name_{len(name)}",), linking)
    source = folder / "x.cpp"
    source.write_text(before + PROVIDER.format(body=body))
    libraries = [f"-l:{name}" for name in needed]
    words = ["-shared", "-fPIC", "-nostdlibinc", *flags, f"-L{folder}", "-Wl,--no-as-needed", *libraries]
    subprocess.run([*linking, *words, "-o", str(folder / "libx.so"), str(source)], check=True)
    return folder / "libx.so"


def said_of(library: Path, capfd: pytest.CaptureFixture[str]) -> tuple[int, dict[str, str]]:
    code = run(["device", "check", "--format", "json", str(library)])
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    return code, {line["id"]: line["message"] for line in lines if "id" in line}


def test_what_android_refuses(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    good = linked(tmp_path, "return 0;", "", LIBRARIES[:2], "-Wl,-z,max-page-size=16384")
    assert said_of(good, capfd) == (0, {})
    code, said = said_of(linked(tmp_path, "return 0;", "", (*LIBRARIES[:2], "libstdc++.so.6")), capfd)
    assert code == 1
    assert said["OPK480"].startswith("it needs libstdc++.so.6, which Android does not have")
    before = 'extern "C" { void backtrace_symbols(); void* malloc(unsigned long); }\n'
    body = "backtrace_symbols(); return malloc(3) != nullptr;"
    code, said = said_of(linked(tmp_path, body, before, LIBRARIES[:2], "-Wl,-z,max-page-size=4096"), capfd)
    assert code == 0
    assert said["OPK471"] == "names that are in no table of Android's C library: backtrace_symbols (1)"
    assert said["OPK473"] == "its segments lie on pages of 4096 bytes: phones with pages of 16 KiB refuse it"


def test_what_stands_for_a_cxx_library(tmp_path: Path) -> None:
    """Locks of static variables, with threads that race for one; memory; compiled for this machine."""
    clang = android.toolchain.clang()
    if clang is None:
        hexlib.absent("no clang")
    source = tmp_path / "race.cpp"
    source.write_text("""\
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
static int made = 0;
struct Slow { Slow() { for (int at = 0; at < 100; ++at) sched_yield(); value = new int(++made); } int* value; };
static void* ask(void*) { static Slow slow; return slow.value; }
int main() {
  pthread_t threads[8];
  void* got[8];
  for (auto& each : threads) pthread_create(&each, nullptr, ask, nullptr);
  for (int at = 0; at < 8; ++at) pthread_join(threads[at], &got[at]);
  for (void* each : got) if (each != got[0]) return 1;
  delete static_cast<int*>(got[0]);
  delete[] new char[0];
  printf("%d\\n", made);
}
""")
    program = tmp_path / "race"
    words = ["-std=c++17", "-O2", "-fno-exceptions", "-fno-rtti", "-nostdlib++", "-Wall", "-Wextra", "-Werror"]
    hidden = ["-fvisibility=hidden", "-fvisibility-global-new-delete=force-hidden"]
    files = [str(source), str(android.RUNTIME), "-o", str(program), "-lpthread"]
    command = [*clang.command, *words, *hidden, *files]
    done = toolchain.BUILDS.run(command)
    assert done.returncode == 0, done.stderr
    for _ in range(5):
        assert subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout == "1\n"
