"""A program that runs scalar intrinsics on random and extreme operands; the same text for the host and for Hexagon."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from opkg.kernels.hvx import program

ROUNDS = 24  # calls of every intrinsic, each with other operands

# Scalar intrinsics by their signatures; those of HVX are in tests/hvx. "R:RR" is int32_t f(int32_t, int32_t).
SIGNATURES: dict[str, str] = {
    "R:RR": """Q6_R_min_RR Q6_R_max_RR Q6_R_combine_RlRl Q6_R_combine_RhRl Q6_R_combine_RlRh Q6_R_combine_RhRh
        Q6_R_add_RR_sat Q6_R_sub_RR_sat""",
    "R:R": "Q6_R_abs_R Q6_R_vsplatb_R Q6_R_cl0_R Q6_R_clb_R Q6_R_ct0_R Q6_R_normamt_R",
}

SIZES = {"R": 4}

FRAME = Path(program.__file__).with_name("program.c").read_text("utf-8")
PROLOGUE, EPILOGUE = FRAME.split("// THE TESTS\n")

MAKE = {"R": "int32_t {0} = scalar(round + {1});"}
KEEP = {"R": "R = (int32_t){0}; emit(&R, 4);"}


@dataclass(frozen=True)
class Intrinsic:
    name: str
    result: str
    operands: str

    @property
    def size(self) -> int:
        return SIZES[self.result]


def intrinsics() -> list[Intrinsic]:
    return [Intrinsic(name, *signature.split(":")) for signature, names in SIGNATURES.items() for name in names.split()]


def source(table: list[Intrinsic]) -> str:
    body = []
    for intrinsic in table:
        arguments = [f"a{i}" for i in range(len(intrinsic.operands))]
        makes = " ".join(
            MAKE[kind].format(name, i) for i, (kind, name) in enumerate(zip(intrinsic.operands, arguments, strict=True))
        )
        call = f"{intrinsic.name}({', '.join(arguments)})"
        body.append(
            f"static void run_{intrinsic.name}(void) {{ for (int round = 0; round < {ROUNDS}; round++) {{ "
            f"{makes} {KEEP[intrinsic.result].format(call)} }} }}"
        )
    calls = "\n".join(f"  run_{intrinsic.name}();" for intrinsic in table)
    return "\n".join([PROLOGUE, *body, "static void run(void) {", calls, "}", EPILOGUE])


def run(command: list[str]) -> bytes:
    done = subprocess.run(command, capture_output=True, check=False, timeout=300)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr.decode()[:4000]}"
    return done.stdout


def on_host(text: str, folder: Path, include: Path, compiler: str = "g++") -> bytes:
    path = folder / "hvx_host.cpp"
    path.write_text(text)
    program = folder / "hvx_host"
    warnings = ["-Wall", "-Wextra", "-Werror", "-Wno-psabi", "-Wno-unused-function", "-Wno-unused-variable"]
    run([compiler, "-std=c++17", "-O1", *warnings, f"-I{include}", str(path), "-o", str(program)])
    return run([str(program)])


def on_hexagon(text: str, folder: Path) -> bytes:
    path = folder / "hvx_hexagon.c"
    path.write_text(text)
    target = ["--target=hexagon-unknown-none-elf", "-mcpu=hexagonv66", "-mhvx", "-mhvx-length=128B"]
    flags = ["-O0", "-ffreestanding", "-fno-builtin", "-fno-pic", "-G0", "-w"]
    run(["clang-19", *target, *flags, "-c", str(path), "-o", str(folder / "hvx.o")])
    run(["ld.lld-19", "-m", "hexagonelf", "-static", str(folder / "hvx.o"), "-o", str(folder / "hvx.elf")])
    return run(["qemu-hexagon", str(folder / "hvx.elf")])


def differences(table: list[Intrinsic], host: bytes, hexagon: bytes) -> list[str]:
    """Names of the intrinsics whose results differ, with the round and byte of the first difference."""
    found, at = [], 0
    for intrinsic in table:
        size = intrinsic.size * ROUNDS
        ours, theirs = host[at : at + size], hexagon[at : at + size]
        at += size
        if ours != theirs:
            first = next((i for i in range(min(len(ours), len(theirs))) if ours[i] != theirs[i]), -1)
            found.append(f"{intrinsic.name}: round {first // intrinsic.size} byte {first % intrinsic.size}")
    return found
