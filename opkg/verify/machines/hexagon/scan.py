"""Finds the six HVX float instructions that every qemu runs as something else, in the code of an object file.

Other float instructions trap, which ends the case with a crash; these would give wrong numbers without a word. Their
encodings were read off clang's assembler.
"""

from __future__ import annotations

import struct
from pathlib import Path

# Bits without destination (0-4), source (8-12) and the packet bits (14-15): mnemonic and intrinsic.
MISREAD = {
    0x1E062060: ("Vd.sf=vfneg(Vu.sf)", "Q6_Vsf_vfneg_Vsf"),
    0x1E062040: ("Vd.hf=vfneg(Vu.hf)", "Q6_Vhf_vfneg_Vhf"),
    0x1E062000: ("Vd.h=vcvt(Vu.hf)", "Q6_Vh_vcvt_Vhf"),
    0x1E052000: ("Vd.uh=vcvt(Vu.hf)", "Q6_Vuh_vcvt_Vhf"),
    0x1E042000: ("Vd.sf=Vu.qf32", "Q6_Vsf_equals_Vqf32"),
    0x1E042020: ("Vdd.hf=vcvt(Vu.ub)", "Q6_Whf_vcvt_Vub"),
}
_FIXED_BITS = 0xFFFF20E0
_PACKET_BITS = 0xC000  # both 0 in a duplex, which is encoded otherwise
_EXECUTABLE = 4  # section flag


def code(content: bytes) -> bytes:
    """The executable sections of a 32-bit little-endian ELF file, one after the other; empty for anything else."""
    if content[:6] != b"\x7fELF\x01\x01":
        return b""
    table, size, count = (*struct.unpack_from("<I", content, 32), *struct.unpack_from("<HH", content, 46))
    parts = []
    for number in range(count):
        kind, flags, _, offset, length = struct.unpack_from("<5I", content, table + number * size + 4)
        if flags & _EXECUTABLE and kind == 1:
            parts.append(content[offset : offset + length])
    return b"".join(parts)


def misread(path: Path) -> list[tuple[str, str]]:
    """Mnemonic and intrinsic of each such instruction in an object file, each once."""
    text = code(path.read_bytes())
    words = struct.unpack(f"<{len(text) // 4}I", text[: len(text) // 4 * 4])
    found = {w & _FIXED_BITS for w in words if w & 0xFFF80000 == 0x1E000000 and w & _PACKET_BITS}
    return [names for bits, names in MISREAD.items() if bits in found]
