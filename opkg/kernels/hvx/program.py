"""One program that calls intrinsics on random and extreme operands; the same text for the host and for Hexagon."""

from __future__ import annotations

import zlib
from pathlib import Path

from opkg.kernels.hvx.names import Intrinsic, obstacle

ROUNDS = 24  # calls of every intrinsic, each with other operands

_BYTES = {"V": 128, "W": 256, "Q": 128, "R": 4, "-": 0}
_MAKE = {
    "V": "HVX_Vector a{0} = vector(round + {0});",
    "W": "HVX_VectorPair a{0} = two(round + {0});",
    "Q": "HVX_VectorPred a{0} = predicate(round + {0});",
    "R": "int32_t a{0} = scalar(round + {0});",
    "D": "uint64_t a{0} = (uint64_t)scalar(round + {0} + 1) << 32; a{0} |= (uint32_t)scalar(round + {0} + 2);",
    "P": "static HVX_Vector m{0}; HVX_Vector* a{0} = &m{0}; m{0} = vector(round + {0});",
    "q": "HVX_VectorPred m{0} = predicate(round + {0}); HVX_VectorPred* a{0} = &m{0};",
}
_KEEP = {
    "V": "V.v = {0}; emit(V.bytes, 128);",
    "W": "W.w = {0}; emit(W.bytes, 256);",
    "Q": "HVX_VectorPred out = {0}; V.v = Q6_V_vand_QR(out, -1); emit(V.bytes, 128);",
    "R": "R = (int32_t){0}; emit(&R, 4);",
    "-": "{0};",
}
# What an operand that is an address leaves behind.
_LEFT = {"P": "V.v = m{0}; emit(V.bytes, 128);", "q": "V.v = Q6_V_vand_QR(m{0}, -1); emit(V.bytes, 128);"}

# Gather and scatter: masks that keep offsets inside the region of 4096 bytes, and multiples of the element.
_OFFSETS = {"Vh": 0x0FFE0FFE, "Vw": 0x0FFC, "Ww": 0x0FFE}
_REGION = "uint32_t a{0} = (uint32_t)(uintptr_t)region, a{1} = sizeof region - 1; fill();"


def size(intrinsic: Intrinsic) -> int:
    """Bytes that the program writes for one call: the result and what it left at addresses."""
    region = 4096 if "_vscatter" in intrinsic.name else 0
    return _BYTES[intrinsic.result] + region + 128 * sum(kind in _LEFT for kind in intrinsic.operands)


def _region(intrinsic: Intrinsic) -> str:
    """The test of a gather or scatter, on offsets inside the region; what lies outside is not compared."""
    base = intrinsic.operands.index("R")
    form = intrinsic.name.split("M")[1][:2]
    mask = f"Q6_V_vsplat_R({_OFFSETS[form]})"
    makes = [_MAKE[k].format(at) for at, k in enumerate(intrinsic.operands) if at not in (base, base + 1)]
    makes.append(_REGION.format(base, base + 1))
    at = f"a{base + 2}"
    if form == "Ww":
        halves = (f"Q6_V_vand_VV(Q6_V_{half}_W({at}), {mask})" for half in ("hi", "lo"))
        makes.append(f"{at} = Q6_W_vcombine_VV({', '.join(halves)});")
    else:
        makes.append(f"{at} = Q6_V_vand_VV({at}, {mask});")
    arguments = ", ".join(f"a{i}" for i in range(len(intrinsic.operands)))
    left = "emit(region, sizeof region);" if "_vscatter" in intrinsic.name else _LEFT["P"].format(0)
    return " ".join([*makes, f"{intrinsic.name}({arguments});", left])


def _test(intrinsic: Intrinsic) -> str:
    if intrinsic.name.startswith(("Q6_vgather", "Q6_vscatter")):
        return _rounds(intrinsic, _region(intrinsic))
    makes, arguments, constant = [], [], ""
    for at, kind in enumerate(intrinsic.operands):
        if kind in "123":
            constant = kind
            arguments.append("N")
        else:
            makes.append(_MAKE[kind].format(at))
            arguments.append(f"a{at}")
    call = _KEEP[intrinsic.result].format(f"{intrinsic.name}({', '.join(arguments)})")
    if constant:  # has to be a literal
        count = 1 << int(constant)
        cases = (f"if (round % {count} == {n}) {{ {call.replace('N)', f'{n})')} }}" for n in range(count))
        call = " else ".join(cases)
    left = [_LEFT[kind].format(at) for at, kind in enumerate(intrinsic.operands) if kind in _LEFT]
    return _rounds(intrinsic, " ".join([*makes, call, *left]))


def _rounds(intrinsic: Intrinsic, body: str) -> str:
    seed = zlib.crc32(intrinsic.name.encode()) | 1  # its own, so that any choice of intrinsics sees the same operands
    loop = f"for (int round = 0; round < {ROUNDS}; round++) {{ {body} }}"
    return f"static void run_{intrinsic.name}(void) {{ begin({seed}u); {loop} }}"


def source(chosen: list[Intrinsic]) -> str:
    """C and C++ text of the program, which writes `size` bytes for each of `ROUNDS` calls of each intrinsic.

    ValueError names an intrinsic that cannot be compared, and why: above all those that qemu misreads.
    """
    for intrinsic in chosen:
        if why := obstacle(intrinsic):
            raise ValueError(f"{intrinsic.name}: {why}")
    calls = [f"  run_{intrinsic.name}();" for intrinsic in chosen]
    frame = Path(__file__).with_name("program.c").read_text("utf-8")
    before, after = frame.split("// THE TESTS\n")
    return "\n".join([before, *map(_test, chosen), "static void run(void) {", *calls, "}", after])


def differences(chosen: list[Intrinsic], host: bytes, hexagon: bytes) -> list[str]:
    """Names of the intrinsics whose results differ, with the round and byte of the first difference."""
    found, at = [], 0
    for intrinsic in chosen:
        step = size(intrinsic)
        ours, theirs = host[at : at + step * ROUNDS], hexagon[at : at + step * ROUNDS]
        at += step * ROUNDS
        if ours != theirs:
            first = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), -1)
            found.append(f"{intrinsic.name}: round {first // step} byte {first % step}")
    return found
