"""Cases for rows_program.cpp: kernels written by hand, tensors of any shape and layout, and what numpy says of them."""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from kernels_headers import copied
from kernels_kit import SIM, need_arch

from opkg.resources import plain
from opkg.targets.qnn_common.shared import signed_header

PROGRAM = Path(__file__).with_name("rows_program.cpp")
WEIGHTS = (1, 2, -1, 1, -2)


@dataclass(frozen=True)
class Kernel:
    number: int
    inputs: tuple[type, ...]
    outputs: tuple[type, ...]


U8, U16, U32 = np.uint8, np.uint16, np.uint32
THREE, FIVE, STRICT, TRAPPED = (Kernel(i, (U8,) * k, (U8,)) for i, k in enumerate((3, 5, 3, 3)))
HALF, WORD = Kernel(4, (U16,) * 3, (U16,)), Kernel(5, (U32,) * 3, (U32,))
NOTHING, MIXED, PLAIN = Kernel(6, (), (U8,)), Kernel(7, (U8, U16), (U16, U8)), Kernel(8, (U8, U8), (U8,))
TWO, MIXED_TURNS = Kernel(9, (U8, U8), (U8,)), Kernel(10, (U8, U16), (U16, U8))  # what repeats is in memory
KERNELS = (THREE, FIVE, STRICT, TRAPPED, HALF, WORD, NOTHING, MIXED, PLAIN, TWO, MIXED_TURNS)


@dataclass(frozen=True)
class Case:
    """One call. `shapes`: of inputs, then of the output. `shift`: bytes by which each operand is misaligned."""

    kernel: Kernel
    shapes: tuple[tuple[int, ...], ...]
    shift: tuple[int, ...] = ()
    crouton: tuple[bool, ...] = ()
    vectors: bool = True
    high: bool = False
    slices: int = 1
    in_place: bool = False
    seed: int = 0
    arrays: list[np.ndarray] = field(default_factory=list, init=False, compare=False, repr=False)

    @property
    def types(self) -> tuple[type, ...]:
        return (*self.kernel.inputs, *self.kernel.outputs)

    @property
    def all_shapes(self) -> tuple[tuple[int, ...], ...]:
        return (*self.shapes[:-1], *(self.shapes[-1],) * len(self.kernel.outputs))

    def is_crouton(self, operand: int) -> bool:
        return bool(self.crouton) and self.crouton[operand]


@dataclass(frozen=True)
class Got:
    status: int
    vector_calls: int
    portable_calls: int
    outputs: list[np.ndarray]


def expected(case: Case) -> list[np.ndarray]:
    arrays = [a.astype(np.int64) for a in case.arrays]
    shape = case.shapes[-1]
    if case.kernel in (MIXED, MIXED_TURNS):
        values = [arrays[0] + arrays[1], ~arrays[0]]
    elif case.kernel == NOTHING:
        values = [np.int64(7)]
    else:
        values = [sum((w * a for w, a in zip(WEIGHTS, arrays, strict=False)), np.int64(0))]
    return [np.broadcast_to(v, shape).astype(t) for v, t in zip(values, case.kernel.outputs, strict=True)]


def _places(shape: Sequence[int], size: int) -> tuple[np.ndarray, int]:
    """Of a crouton tensor: place (element number, blocks in order) of every element, and how many there are."""
    b, h, w, d = np.indices(shape, dtype=np.int64)
    wide = 8 // size
    high, across, deep = -(-shape[1] // 8), -(-shape[2] // wide), -(-shape[3] // 32)
    block = ((b * high + h // 8) * across + w // wide) * deep + d // 32
    h, w, d = h % 8, w % wide, d % 32
    inside = ((h * 2 + w // 2) * 32 + d) * 2 + w % 2 if size == 2 else (h * wide + w) * 32 + d
    return block * (2048 // size) + inside, shape[0] * high * across * deep * (2048 // size)


def pack(case: Case) -> bytes:
    """Makes the case's numbers and the program's words."""
    rng = np.random.default_rng(case.seed)
    case.arrays[:] = [
        rng.integers(0, np.iinfo(t).max, s, t, endpoint=case.kernel != TRAPPED or case.seed % 2 == 1)
        for t, s in zip(case.kernel.inputs, case.shapes, strict=False)
    ]
    words = [case.kernel.number, case.vectors, case.high, case.slices, case.in_place, len(case.types)]
    out = [struct.pack("<6I", *words)]
    for number, (dtype, shape) in enumerate(zip(case.types, case.all_shapes, strict=True)):
        shift = case.shift[number] if case.shift else 0
        size, crouton = np.dtype(dtype).itemsize, case.is_crouton(number)
        out.append(struct.pack("<10I", size, shift, crouton, len(shape), *shape, *(0,) * (6 - len(shape))))
        if number < len(case.arrays):
            array = case.arrays[number]
            if crouton:
                at, total = _places(shape, size)
                blocks = np.full(total, 77, dtype)
                blocks[at] = array
                array = blocks
            out.append(array.tobytes())
    return b"".join(out)


def unpack(cases: Sequence[Case], raw: bytes) -> list[Got]:
    at, found = 0, []
    for case in cases:
        status, vectors, portable = struct.unpack_from("<3I", raw, at)
        at += 12
        outputs = []
        for number in range(len(case.kernel.inputs), len(case.types)):
            dtype, shape = np.dtype(case.types[number]), case.all_shapes[number]
            if case.is_crouton(number):
                where, total = _places(shape, dtype.itemsize)
                outputs.append(np.frombuffer(raw, dtype, total, at)[where])
            else:
                total = int(np.prod(shape, dtype=np.int64))
                outputs.append(np.frombuffer(raw, dtype, total, at).reshape(shape))
            at += total * dtype.itemsize
        found.append(Got(status, vectors, portable, outputs))
    assert at == len(raw), "the program said too much"
    return found


class Program:
    """rows_program.cpp, compiled for the host or an architecture."""

    def __init__(self, folder: Path, arch: str = "", flags: Sequence[str] = ()) -> None:
        self.arch = arch
        copied(folder / "include", "rows.h")
        include = folder / "include" / "opkg"
        (include / "kernel.h").write_text(plain("qnn/kernel.h"))
        (include / "signed.h").write_text(signed_header("a test", unsigned=False))
        self.program = folder / "rows"
        warnings = ["-Wall", "-Wextra", "-Werror", "-Wno-psabi"]
        if not arch:
            command = [
                "g++",
                "-std=c++17",
                "-O1",
                *warnings,
                *flags,
                f"-I{folder / 'include'}",
                "-isystem",
                f"{SIM}/include",
            ]
            done = subprocess.run([*command, str(PROGRAM), "-o", str(self.program)], capture_output=True, text=True)
            assert done.returncode == 0, done.stderr[:4000]
            return
        from opkg.verify.machines.hexagon import runtime, toolchain

        need_arch(arch)
        objects = toolchain.compile([PROGRAM], arch, ["-O1", *warnings, f"-I{folder / 'include'}"], folder)
        toolchain.link([*objects, *runtime.objects(arch, folder)], self.program)

    def run(self, cases: Sequence[Case]) -> list[Got]:
        data = b"".join([pack(case) for case in cases])
        if self.arch:
            from opkg.verify.machines.hexagon import toolchain

            done = toolchain.run(self.program, stdin=data, timeout=120)
            assert done.status == 0, f"status {done.status}: {done.stderr.decode()[-2000:]}"
            return unpack(cases, done.stdout)
        ran = subprocess.run([str(self.program)], input=data, capture_output=True, timeout=120)
        assert ran.returncode == 0, f"status {ran.returncode}: {ran.stderr.decode()[-2000:]}"
        return unpack(cases, ran.stdout)

    def check(self, cases: Sequence[Case]) -> list[Got]:
        """Runs cases and compares each with numpy."""
        found = self.run(cases)
        for case, got in zip(cases, found, strict=True):
            assert got.status == 0, f"status {got.status}: {case}"
            for mine, right in zip(got.outputs, expected(case), strict=True):
                assert np.array_equal(mine, right), f"{case}: first at {np.argwhere(mine != right)[:3].tolist()}"
        return found
