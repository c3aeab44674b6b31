"""Hexagon builds: with Debian's clang and lld over our own freestanding headers, and with (a stand-in for) the SDK."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import qlib
from test_files import cmake, kernels_of, packages

from opkg.spec.model import OpPackage

FREESTANDING = qlib.ROOT / "opkg" / "sim" / "freestanding"
HEXAGON = 164  # e_machine

pytestmark = pytest.mark.hexagon


@pytest.fixture(autouse=True)
def _tools() -> None:
    for name in ("clang++-19", "ld.lld-19", "make"):
        qlib.tool(name)


def check_library(path: Path, package: OpPackage) -> set[str]:
    """A 32-bit Hexagon ELF that exports the entry points, the provider's under its name with dots, too; returns its undefined
    symbols."""
    head = path.read_bytes()[:20]
    assert head[:5] == b"\x7fELF\x01"
    assert int.from_bytes(head[18:20], "little") == HEXAGON
    nm = [qlib.tool("llvm-nm-19", "llvm-nm"), "-D", str(path)]
    lines = [
        line.split() for line in subprocess.run(nm, capture_output=True, text=True, check=True).stdout.splitlines()
    ]
    assert {line[-1] for line in lines if "T" in line} == {
        package.interface_provider,
        f"{package.name}InterfaceProvider",
        "qhpi_init",
    }
    return {line[-1] for line in lines if "U" in line}


def test_open_clang(tmp_path: Path) -> None:
    """In folders with blanks in their names, optimized; tests/device has the other examples and v73."""
    package, kernels = packages()["activations"]
    project = qlib.write(tmp_path / "my ops", package, kernels)
    opkg = tmp_path / "an opkg"
    (opkg / "sim").mkdir(parents=True)
    (opkg / "sim" / "freestanding").symlink_to(FREESTANDING)
    (opkg / "device").symlink_to(FREESTANDING.parents[1] / "device")
    done = qlib.make(project, "hexagon", f"HEXAGON_INCLUDE={opkg / 'sim' / 'freestanding'}", "CXXFLAGS=-O1 -Werror")
    assert "all known on v68" in done.stdout
    path = project.root / "build" / package.cpp_namespace / "qhpi" / "hexagon" / package.library
    undefined = check_library(path, package)
    assert {"qhpi_register_ops_v1", "qhpi_tensor_raw_data", "vsnprintf"} <= undefined
    assert not [name for name in undefined if name.startswith(("_Z", "__cxa", "stderr"))]


def test_every_package_compiles(tmp_path: Path) -> None:
    """The agreement spec uses all checks of op_config.h. The opkg of PYTHON is found; tests/device has the examples."""
    for name in ("agree", "struct", "rules"):
        package, kernels = packages()[name]
        project = qlib.write(tmp_path / name, package, kernels)
        qlib.make(project, "hexagon", f"PYTHON={sys.executable}", "CXXFLAGS=-O0 -Werror")
        path = project.root / "build" / package.cpp_namespace / "qhpi" / "hexagon" / package.library
        check_library(path, package)


def test_without_headers_says_what_to_set(tmp_path: Path) -> None:
    package, kernels = packages()["layout"]
    project = qlib.write(tmp_path, package, kernels)
    done = qlib.make(project, "hexagon", "PYTHON=false", check=False)
    assert done.returncode != 0
    assert "set HEXAGON_INCLUDE to the folder opkg/sim/freestanding, or HEXAGON_SDK_ROOT" in done.stderr


def fake_sdk(root: Path) -> Path:
    """An SDK's layout, with a compiler that is a script around clang and notes its arguments."""
    binary = root / "tools" / "HEXAGON_Tools" / "8.7.06" / "Tools" / "bin" / "hexagon-clang++"
    binary.parent.mkdir(parents=True)
    binary.write_text(
        "#!/bin/sh\n"
        f'echo "$@" >> "{root}/calls"\n'
        "case \" $* \" in *' -shared '*)\n"
        '  objects=; while [ $# -gt 0 ]; do case $1 in -o) out=$2; shift;; *.o) objects="$objects $1";; esac; shift; done\n'
        "  exec ld.lld-19 -m hexagonelf -shared -o $out $objects;;\n"
        "esac\n"
        "exec clang++-19 --target=hexagon-unknown-none-elf -fno-exceptions -fno-rtti -fno-threadsafe-statics "
        f'-nostdlibinc -nostdinc++ -isystem {FREESTANDING} "$@"\n'
    )
    binary.chmod(0o755)
    (root / "incs" / "stddef").mkdir(parents=True)
    (root / "incs" / "sdk_only.h").write_text("#define SDK_ONLY 1\n")
    return root


def test_sdk(tmp_path: Path) -> None:
    """With HEXAGON_SDK_ROOT its compiler and its headers are used."""
    sdk = fake_sdk(tmp_path / "sdk")
    package = packages()["layout"][0]
    kernels = {k: v.replace("#include", "#include <sdk_only.h>\n#include", 1) for k, v in kernels_of("layout").items()}
    project = qlib.write(tmp_path / "ops", package, kernels)
    done = qlib.make(project, "hexagon", f"HEXAGON_SDK_ROOT={sdk}", "HEXAGON_ARCH=v73")
    assert "; SWIV " in done.stdout  # the form that the SDK's linker gives is its own affair
    path = project.root / "build" / package.cpp_namespace / "qhpi" / "hexagon" / package.library
    check_library(path, package)
    asked = "-mllvm -hvc-va=0 -fsyntax-only -x c /dev/null"  # whether the compiler knows the option
    calls = [call for call in (sdk / "calls").read_text().splitlines() if call.strip() != asked]
    assert all(call.startswith("-mv73") for call in calls), calls
    (link,) = [c for c in calls if " -shared " in c]
    assert "-Wl,--wrap=malloc" in link
    assert "-Wl,-soname,libnn_layout.so" in link
    assert str(FREESTANDING) not in (sdk / "calls").read_text()


def test_cmake_toolchain_file(tmp_path: Path) -> None:
    package, kernels = packages()["layout"]
    project = qlib.write(tmp_path / "ops", package, kernels)
    toolchain = f"-DCMAKE_TOOLCHAIN_FILE={project.root / 'generated/opkg/hexagon.cmake'}"
    cmake(project.folder, tmp_path / "open", toolchain, f"-DHEXAGON_INCLUDE={FREESTANDING}", "-DHEXAGON_ARCH=v73")
    check_library(tmp_path / "open" / package.library, package)
    plain = [qlib.tool("cmake"), "-S", str(project.folder), "-B", str(tmp_path / "plain"), toolchain]
    subprocess.run([*plain, f"-DHEXAGON_INCLUDE={FREESTANDING}"], check=True, capture_output=True)
    (flags,) = (tmp_path / "plain").rglob("flags.make")
    assert " -O2 -g " in flags.read_text()  # without a build type
    sdk = fake_sdk(tmp_path / "sdk")
    cmake(project.folder, tmp_path / "with_sdk", toolchain, f"-DHEXAGON_SDK_ROOT={sdk}")
    check_library(tmp_path / "with_sdk" / package.library, package)


def test_freestanding_headers_stand_alone(tmp_path: Path) -> None:
    """Each compiles by itself, without warnings, and means what the standard says."""
    for header in sorted(FREESTANDING.iterdir()):
        if header.suffix != ".md":
            compiled(tmp_path, f"#include <{header.name}>\n")
    compiled(
        tmp_path,
        """
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
static_assert(std::numeric_limits<int8_t>::min() == -128 && std::numeric_limits<uint16_t>::max() == 65535);
static_assert(std::numeric_limits<int64_t>::max() == INT64_MAX && std::numeric_limits<int64_t>::min() == INT64_MIN);
static_assert(std::numeric_limits<uint64_t>::max() == UINT64_MAX && std::numeric_limits<bool>::max());
static_assert(std::numeric_limits<float>::max() > 3.4e38f && std::numeric_limits<float>::lowest() < 0);
static_assert(std::clamp(7, 1, 5) == 5 && std::max({1, 9, 3}) == 9 && std::min(2, 1) == 1);
static_assert(std::is_same_v<std::remove_const_t<const int>, int> && std::is_same_v<std::make_unsigned_t<int>, unsigned>);
static_assert(std::is_integral_v<bool> && !std::is_integral_v<float> && std::is_same_v<std::decay_t<const int&>, int>);
static_assert(std::is_same_v<decltype(std::exp(1.0f)), float> && std::is_same_v<decltype(std::pow(1.0f, 2.0)), double>);
static_assert(std::is_same_v<std::conditional_t<true, int, char>, int>);
float f(float x) { return std::sqrt(std::abs(x)) + std::fmax(x, 0.0f) + (std::isnan(x) ? 1.0f : 0.0f); }
""",
    )


def compiled(tmp_path: Path, text: str) -> None:
    source = tmp_path / "one.cpp"
    source.write_text(text)
    command = [
        "clang++-19", "--target=hexagon-unknown-none-elf", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-nostdlibinc",
        "-nostdinc++", "-I", str(FREESTANDING), "-fsyntax-only", str(source),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, text + done.stderr
