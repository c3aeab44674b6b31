"""Kernel files that a device would not load: the Hexagon machine and the generated Makefile say what is wrong, and where."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import hexlib
import pytest
from hexprojects import doubled, run

from opkg.device import checks
from opkg.device.elf import Elf
from opkg.spec.catalog import entries
from opkg.verify.machines.hexagon import toolchain

pytestmark = pytest.mark.hexagon
TABLE = """
volatile int seed = 3;
struct Table {
  float v[4];
  Table();
};
Table::Table() {
  for (float& x : v) x = static_cast<float>(seed);
}
"""
# What is put into the kernel and before it; the finding's id and what it names; the line that it is about.
ADVERSE = {
    "object": (
        "op.y.data[0] += static_cast<int>(table.v[op.x.rank & 3]) - 3;",
        f"{TABLE}Table table;",
        "OPK470",
        "table has a static constructor",
        "Table table;",
    ),
    "value": (
        "op.y.data[0] += other - 4;",
        "volatile int seed = 3;\nstatic int other = seed + 1;",
        "OPK470",
        "other has a static constructor",
        "static int other = seed + 1;",
    ),
    "destructor": (
        "",
        "int trace;\nstruct Guard {\n  ~Guard() { ++trace; }\n};\nGuard keeper;",
        "OPK470",
        "keeper has a static constructor",
        "Guard keeper;",
    ),
    "missing": (
        "op.y.data[0] += __popcountsi2(op.x.rank) * 0;",
        'extern "C" int __popcountsi2(int);',
        "OPK471",
        "uses __popcountsi2, which is on no v68 DSP",
        'extern "C" int __popcountsi2(int);',
    ),
    "new": (
        "kept = new int[op.x.rank];",
        "int* kept;",
        "OPK472",
        "uses _Znaj, which is of the C++ run time",
        "opkg::Status compute(const Args& op) {",
    ),
}
SOUND = """
  char* p = static_cast<char*>(malloc(64));
  if (p == nullptr) return opkg::Status::unsupported;
  p = static_cast<char*>(realloc(p, 4096));
  memset(p, 1, 4096);
  free(p);
  p = static_cast<char*>(calloc(64, 64));
  char* const q = static_cast<char*>(memalign(128, 256));
  if (p[4095] != 0 || (reinterpret_cast<uintptr_t>(q) & 127) != 0) return opkg::Status::unsupported;
  free(q);
  snprintf(p, 80, "%d %.3f %s %lld %.2f %c %g", 7, 2.5, "ab", 1ll << 40, -0.25, 'x', 3.5);
  if (strcmp(p, "7 2.500 ab 1099511627776 -0.25 x 3.5") != 0) return opkg::Status::unsupported;
  printf("%s %f\\n", p, 2.0);
  free(p);
  op.y.data[0] += kFactors[op.x.rank & 3] * 0;
"""
SOUND_TOP = """#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct Factor {
  int value;
  constexpr Factor(int v) : value(v) {}
  operator int() const { return value; }
};
constexpr Factor kFactors[] = {1, 2, 3, 4};
"""


def made(root: Path, *settings: str) -> subprocess.CompletedProcess[str]:
    """Runs `make hexagon` of the generated package."""
    command = [
        "make", "-j2", "-C", str(root / "generated" / "acme_one" / "qhpi"), "hexagon", "CXXFLAGS=-O1",
        f"HEXAGON_INCLUDE={toolchain.FREESTANDING}", f"PYTHON={sys.executable}", *settings,
    ]  # fmt: skip
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "HEXAGON_SDK_ROOT", "PYTHONPATH")}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize("name", ADVERSE)
def test_what_a_device_would_not_load_is_a_finding(name: str, tmp_path: Path) -> None:
    hexlib.need("v68")
    extra, top, id, says, line = ADVERSE[name]
    result = run(tmp_path, [doubled(tmp_path, extra, top)], "hexagon-v68")
    assert {d.id for d in result.diagnostics} == {id}, result.diagnostics
    assert not result.cells
    finding = next(d for d in result.diagnostics if says in d.message)
    assert finding.span.path == "kernels/double.cpp"
    source = (tmp_path / "kernels" / "double.cpp").read_text().splitlines()
    assert source[finding.span.line - 1] == line
    assert finding.hint
    assert not [d for d in result.diagnostics if "seed" in d.message]  # which the constructor only reads
    done = made(tmp_path)
    assert done.returncode != 0
    assert "/kernels/double.o: error: " in done.stderr
    assert says in done.stderr
    assert f"[{id}]" in done.stderr
    assert id in entries()
    assert not list((tmp_path / "build").rglob("libacme_one.so"))


def test_memory_and_text_are_the_devices(tmp_path: Path) -> None:
    """An allocator by the names that DSPs export, doubles among variadic arguments, constant objects: all pass and load."""
    hexlib.need("v68")
    result = run(tmp_path, [doubled(tmp_path, SOUND, SOUND_TOP)], "hexagon-v68", cases=3)
    assert not result.diagnostics, result.diagnostics
    assert result.cells
    assert all(cell.ok for cell in result.cells), [o.reason() for cell in result.cells for o in cell.failures][:2]
    done = made(tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.search(
        r"libacme_one.so: v68, \d+ imports, all known on v68 and in QNN 2.47 and later; SWIV [0-9a-f]{8}", done.stdout
    )


def test_thread_local_data_is_noted(tmp_path: Path) -> None:
    """It links, with a warning: QNN's own libraries have it. It does not run here."""
    hexlib.need("v68")
    package = doubled(tmp_path, "op.y.data[0] += ++calls == 0;", "thread_local int calls;")
    result = run(tmp_path, [package], "hexagon-v68")
    assert [(d.id, d.message, d.span.line) for d in result.diagnostics] == [("OPK474", "calls is thread-local", 2)]
    done = made(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "warning: it has thread-local data [OPK474]" in done.stderr


def test_a_weak_name_may_be_missing(tmp_path: Path) -> None:
    """Code that asks whether a function is there: QNN's own libraries do. The build warns, for not every loader takes it."""
    hexlib.need("v68")
    top = 'extern "C" __attribute__((weak)) int newer_function(int);'
    package = doubled(tmp_path, "if (newer_function != nullptr) op.y.data[0] += newer_function(0);", top)
    result = run(tmp_path, [package], "hexagon-v68", cases=2)
    assert not result.diagnostics, result.diagnostics
    assert all(cell.ok for cell in result.cells)
    done = made(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "warning: " in done.stderr
    assert "uses newer_function, which is on no v68 DSP [OPK471]" in done.stderr


MANY = """
struct A {
  int v;
  A();
  ~A();
};
namespace deep {
namespace {
A hidden;
}
struct B {
  static A member;
};
A B::member;
}  // namespace deep
template <typename T>
struct C {
  static A inside;
};
template <typename T>
A C<T>::inside;
inline A shared;
A list[3];
volatile int sum;
int* use() { return &C<C<int>>::inside.v; }
int* use_shared() { return &shared.v; }
__attribute__((constructor)) void early() { sum = 1; }
__attribute__((destructor)) void late() { sum = 2; }
A& local() {
  static A once;
  return once;
}
constexpr int kTable[] = {1, 2};
const float kScale = 2.0f;
"""


@pytest.mark.parametrize("flags", [("-O0",), ("-O2",), ("-O2", "-fPIC", "-g"), ("-Os", "-fPIC", "-ffunction-sections")])
def test_every_kind_of_constructor_is_named(flags: tuple[str, ...], tmp_path: Path) -> None:
    """Hidden, of a class, of a template, inline, an array, attributes; not what is filled at its first use."""
    hexlib.need("v68")
    source = tmp_path / "many.cpp"
    source.write_text(MANY)
    (path,) = toolchain.compile([source], "v68", flags, tmp_path)
    found = checks.check_constructors("many.o", Elf(path.read_bytes()))
    assert {f.id for f in found} == {"OPK470"}
    assert {f.name for f in found} == {
        "deep::(anonymous)::hidden", "deep::B::member", "C::inside", "shared", "list", "early", "late",
    }  # fmt: skip
