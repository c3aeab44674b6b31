"""What runs in a prepared graph: the records of a context binary, by the names of the ops that they call.

Measured with QNN 2.49 and 2.51 (docs/measured-qhpi.md, "Context binaries"): a section holds the names of all ops that run,
and behind it stand the records, one per op instance. A record begins with its number, combined with a constant, and a word
whose lower half is the place of its op's name; between the two of a multithreaded kernel stands a word with its slices.
"""

from __future__ import annotations

import struct
from collections import Counter

_NAMES = 0x6F4390BC  # first word of the section with the names; then its length in words, their number, their length
_RECORD = 0x1303EE71  # first word of record 0; of record n: exclusive or with n
_SLICED = 0x40000000  # bit of a record's first word: a word with the number of slices follows
_MARKED = 0x80000000  # bit of the first word of some records of large graphs: nothing follows from it
_CONVERSION = "ForceFormat_"


class NotUnderstood(Exception):
    """The binary is not laid out as those of the versions that were measured."""


def records(binary: bytes) -> Counter[str]:
    """How many records each op has, by its name: `nn.activations::relu_u8`, `ForceFormat_Crouton_f2c@CB.FB`.

    Raises NotUnderstood when the binary has no such names and records, or some name without a record.
    """
    at = binary.rfind(struct.pack("<I", _NAMES))
    if at < 0 or at % 4 or at + 16 > len(binary):
        raise NotUnderstood("it has no names of ops")
    words, number, length = struct.unpack_from("<III", binary, at + 4)
    names = [name.decode("utf-8", "replace") for name in binary[at + 16 : at + 16 + 4 * length].split(b"\0")[:number]]
    found = Counter(_names_of(binary[at + 8 + 4 * words :], names))
    if len(names) != number or set(names) - set(found):
        raise NotUnderstood("it names ops that no record calls")
    return found


def _names_of(rest: bytes, names: list[str]) -> list[str]:
    """The names that the records call, in their order."""
    found: list[str] = []
    words = struct.unpack(f"<{len(rest) // 4}I", rest[: len(rest) // 4 * 4])
    for at, word in enumerate(words):
        if word & ~(_SLICED | _MARKED) != _RECORD ^ len(found):
            continue
        name = at + (2 if word & _SLICED else 1)
        if name >= len(words):
            break
        place = words[name] & 0xFFFF
        if place >= len(names):
            raise NotUnderstood(f"record {len(found)} calls op {place} of {len(names)}")
        found.append(names[place])
    return found


def conversions(found: Counter[str]) -> int:
    """The records that bring a tensor from one layout into another."""
    return sum(count for name, count in found.items() if name.startswith(_CONVERSION))


def transposes(found: Counter[str]) -> int:
    """The records that exchange dimensions."""
    return sum(count for name, count in found.items() if name.startswith("Transpose"))


def is_bookkeeping(name: str) -> bool:
    """Whether a record computes and moves nothing: constants, shapes, synchronization."""
    return name.startswith("@") or name in ("Const", "Shape")
