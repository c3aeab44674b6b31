"""Instructions that no emulator has, HVX floating point, replaced in a program by others of the same registers.

How many packets a call takes hangs on shapes, not on numbers: with a stand-in for each such instruction a program goes through
the packets of its own code. What it computes is worth nothing. Numbers stay finite and of about their size, so that no test of
a sum turns the vectors down: of two numbers the larger one is taken, a half becomes the upper half of a word.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

from opkg.device.elf import Elf
from opkg.verify.machines.hexagon import toolchain

_LINE = re.compile(r"^\s*([0-9a-f]+):\s+(.*)$")
_FLOAT = re.compile(r"\.(?:sf|hf|qf16|qf32|bf)\b")
_WORD = struct.Struct("<I")
_PARSE = 0xC000  # bits of an instruction that say where its packet ends
_V = r"(v\d+)(?:\.[a-z0-9]+)?"
_PAIR = r"v(\d+):(\d+)(?:\.[a-z0-9]+)?"
# What an instruction looks like, and what takes its place.
_RULES = (
    (rf"{_V} = v\w+\({_V},{_V}\)", r"\1.w = vmax(\2.w,\3.w)"),
    (rf"{_V} \+= v\w+\({_V},{_V}\)", r"\1.w = vmax(\2.w,\3.w)"),
    (rf"{_PAIR} = v\w+\({_V}\)", r"v\1:\2 = vcombine(\3,\3)"),
    (rf"{_PAIR} = v\w+\({_V},{_V}\)", r"v\1:\2 = vcombine(\3,\4)"),
    (rf"{_PAIR} \+= v\w+\({_V},{_V}\)", r"v\1:\2.w += vmpy(\3.h,\4.h)"),
    (rf"{_V} = v\w+\({_V}\)", r"\1.w = vabs(\2.w)"),
    (rf"{_V} = {_V}", r"\1.w = vabs(\2.w)"),
    (rf"{_V} = {_PAIR}", r"\1 = v\3"),
    (rf"(q\d) = vcmp\.(\w+)\({_V},{_V}\)", r"\1 = vcmp.\2(\3.w,\4.w)"),
    (rf"(q\d) ([&|^]=) vcmp\.(\w+)\({_V},{_V}\)", r"\1 \2 vcmp.\3(\4.w,\5.w)"),
)
_NARROWING = re.compile(rf"{_V} = vcvt\({_V},{_V}\)")


class UnknownError(Exception):
    """An instruction without a stand-in; its text."""


def put_in(program: Path, wanted: Mapping[int, str], arch: str) -> None:
    """Changes instructions of a program in place: their texts by address. Raises UnknownError, ToolFailed."""
    texts = dict.fromkeys(wanted.values())
    words = dict(zip(texts, _assembled([stand_in(text) for text in texts], program.parent, arch), strict=True))
    content = bytearray(program.read_bytes())
    elf = Elf(bytes(content))
    for address, text in wanted.items():
        at = elf.offset_of(address)
        (was,) = _WORD.unpack_from(content, at)
        _WORD.pack_into(content, at, (words[text] & ~_PARSE) | (was & _PARSE))
    program.write_bytes(content)


def float_instructions(disassembly: str) -> dict[int, str]:
    """Those on floats in vectors."""
    return {at: text for at, text in instructions(disassembly).items() if _FLOAT.search(text) and text[0] in "vq"}


def instructions(disassembly: str) -> dict[int, str]:
    """The text of each instruction by its address."""
    lines = (_LINE.match(line) for line in disassembly.splitlines())
    return {int(code[1], 16): code[2].strip("{} \t").partition("}")[0].strip() for code in lines if code is not None}


def stand_in(text: str) -> str:
    """What takes the place of an instruction. Raises UnknownError."""
    if (halves := _NARROWING.fullmatch(text)) is not None and ".hf =" in text:
        return f"{halves[1]}.h = vshuffo({halves[2]}.h,{halves[3]}.h)"
    for pattern, made in _RULES:
        if (found := re.fullmatch(pattern, text)) is not None:
            return found.expand(made)
    raise UnknownError(text)


def _assembled(texts: Sequence[str], folder: Path, arch: str) -> list[int]:
    """The words of instructions that are packets of their own."""
    source = folder / "stand_ins_.cpp"
    lines = "".join(f'    "{{ {text} }}\\n"\n' for text in texts)
    source.write_text(f"__asm__(\n{lines});\n", encoding="utf-8")
    (made,) = toolchain.compile([source], arch, (), folder)
    elf = Elf(made.read_bytes())
    code = next(elf.data(section) for section in elf.sections if section.name == ".text")
    return [word for (word,) in _WORD.iter_unpack(code)]
