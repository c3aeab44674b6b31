"""The SWIV record of unsigned DSP libraries: a checksum that firmware of automotive and recent SoCs asks for.

Layout and checksum: measured on the 30 DSP libraries of QNN 2.47 to 2.51, all of which carry it. Signed libraries must not.
"""

from __future__ import annotations

import struct
import zlib

from opkg.device.elf import LOAD, Elf, ElfError, Section

SWIV = 0xD3574956  # section type: 0x80000000 + "SWIV"
SIZE = 16


def swiv_of(library: Elf) -> tuple[Section, int] | None:
    """The SWIV section of a library, and the checksum in it; None without."""
    for section in library.sections:
        if section.type == SWIV and section.size == SIZE:
            magic, crc = struct.unpack_from("<4sI", library.content, section.offset)
            return (section, crc) if magic == b"SWIV" else None
    return None


def checksum(library: Elf) -> int:
    """zlib's crc32 over every LOAD segment in order, in memory's size: bytes of the file, then zeros."""
    crc = 0
    for segment in library.segments:
        if segment.type == LOAD:
            crc = zlib.crc32(library.content[segment.offset : segment.offset + segment.file_size], crc)
            crc = zlib.crc32(bytes(segment.memory_size - segment.file_size), crc)
    return crc


def with_swiv(content: bytes) -> bytes:
    """The library with a SWIV record: a last section header without name, and 16 bytes at the end of the file.

    The ELF header lies in the first segment, so it is changed before the checksum is taken. A record that is there is
    made anew. ElfError for what is no library of 32 bits.
    """
    library = Elf(content)
    if library.is_64:
        raise ElfError("only libraries of 32 bits have a SWIV record")
    out = bytearray(content)
    old = swiv_of(library)
    if old is None:
        table, size, count = library.section_table, library.section_size, library.section_count
        headers = bytes(out[table : table + size * count])
        start = table if table + len(headers) == len(out) else (len(out) + 3) // 4 * 4
        del out[min(start, len(out)) :]
        out += bytes(start - len(out)) + headers
        place = len(out) + size
        out += struct.pack("<10I", 0, SWIV, 0, 0, place, SIZE, 0, 0, 0, 0) + bytes(SIZE)
        struct.pack_into("<I", out, 32, start)
        struct.pack_into("<H", out, 48, count + 1)
    else:
        place = old[0].offset
    struct.pack_into("<4sIII", out, place, b"SWIV", checksum(Elf(bytes(out))), 0, 0)
    return bytes(out)
