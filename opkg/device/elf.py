"""Reads ELF files of 32 and 64 bits, little endian: segments, sections, symbols, relocations, dynamic entries, notes.

Only the standard library is used and nothing of opkg: generated packages carry this file for their build (`finish.py`).
Layouts: System V gABI, chapters 4 and 5.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

HEXAGON, X86_64, AARCH64 = 164, 62, 183  # machine
LOAD, DYNAMIC, NOTE, TLS, RELRO, STACK = 1, 2, 4, 7, 0x6474E552, 0x6474E551  # segment types
EXECUTE, WRITE, READ = 1, 2, 4  # segment flags
RELA, NOBITS, REL, SYMTAB, DYNSYM = 4, 8, 9, 2, 11  # section types
ALLOCATED, CODE = 2, 4  # section flags
LOCAL, GLOBAL, WEAK = 0, 1, 2  # binding
OBJECT, FUNCTION, SECTION, THREAD_LOCAL = 1, 2, 3, 6  # symbol types
UNDEFINED = 0  # section of a symbol
NEEDED, STRTAB, SONAME, INIT, FINI, TEXTREL, FLAGS = 1, 5, 14, 12, 13, 22, 30  # dynamic tags
HASH, DYN_SYMTAB, INIT_ARRAY, FINI_ARRAY, GNU_HASH = 4, 6, 25, 26, 0x6FFFFEF5

_HEADERS = {1: struct.Struct("<HHIIIIIHHHHHH"), 2: struct.Struct("<HHIQQQIHHHHHH")}
_SEGMENTS = {1: struct.Struct("<8I"), 2: struct.Struct("<II6Q")}
_SECTIONS = {1: struct.Struct("<10I"), 2: struct.Struct("<IIQQQQIIQQ")}
_SYMBOLS = {1: struct.Struct("<IIIBBH"), 2: struct.Struct("<IBBHQQ")}
_RELAS = {1: struct.Struct("<IIi"), 2: struct.Struct("<QQq")}
_NOTE = struct.Struct("<III")
_DYNAMICS = {1: struct.Struct("<iI"), 2: struct.Struct("<qQ")}


class ElfError(ValueError):
    """The file is no ELF file of a known kind, or is cut off."""


class Segment(NamedTuple):
    """A program header. Sizes and addresses in bytes."""

    type: int
    offset: int
    address: int
    file_size: int
    memory_size: int
    flags: int
    align: int


class Section(NamedTuple):
    """A section header, with its number in the table."""

    number: int
    name: str
    type: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    entry_size: int


class Symbol(NamedTuple):
    """A symbol. `section`: the number of the one it is defined in; 0: undefined."""

    name: str
    value: int
    size: int
    binding: int
    type: int
    visibility: int
    section: int

    @property
    def undefined(self) -> bool:
        return self.section == UNDEFINED and self.name != ""


class Relocation(NamedTuple):
    """Where (in a section of an object; at an address of a library), how, and of which symbol of the table."""

    offset: int
    type: int
    symbol: int
    addend: int


class Note(NamedTuple):
    """An entry of a note segment."""

    owner: str
    type: int
    data: bytes


class Elf:
    """One file. Raises ElfError when it cannot be read."""

    def __init__(self, content: bytes) -> None:
        if content[:4] != b"\x7fELF" or len(content) < 52:
            raise ElfError("not an ELF file")
        self.content, self.kind = content, content[4]
        if self.kind not in _HEADERS or content[5] != 1:
            raise ElfError("an ELF file of an unknown kind")
        try:
            self._read()
        except IndexError:
            raise ElfError("an ELF file that is cut off or damaged") from None

    @property
    def is_64(self) -> bool:
        return self.kind == 2

    def _read(self) -> None:
        fields = self._unpack(_HEADERS[self.kind], 16)
        self.type, self.machine = fields[0], fields[1]
        segments, self.section_table, self.flags = fields[4], fields[5], fields[6]
        _, segment_count, self.section_size, self.section_count, names = fields[8:13]
        self.segments = tuple(self._segment(*s) for s in self._table(_SEGMENTS, segments, segment_count))
        raw = list(self._table(_SECTIONS, self.section_table, self.section_count))
        strings = raw[names][4] if raw else 0
        self.sections = tuple(
            Section(n, self._text(strings + s[0]), s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[9])
            for n, s in enumerate(raw)
        )
        self.dynamic = self._dynamic()
        self.symbols = self._symbols(SYMTAB)
        self.dynamic_symbols = self._symbols(DYNSYM)

    def _table(self, kinds: dict[int, struct.Struct], offset: int, count: int) -> Iterator[tuple[int, ...]]:
        form = kinds[self.kind]
        for number in range(count):
            yield self._unpack(form, offset + number * form.size)

    def _unpack(self, form: struct.Struct, offset: int) -> tuple[int, ...]:
        try:
            return form.unpack_from(self.content, offset)
        except struct.error:
            raise ElfError("an ELF file that is cut off or damaged") from None

    def _segment(self, *f: int) -> Segment:
        if self.is_64:
            return Segment(f[0], f[2], f[3], f[5], f[6], f[1], f[7])
        return Segment(f[0], f[1], f[2], f[4], f[5], f[6], f[7])

    def _text(self, offset: int) -> str:
        end = self.content.index(b"\0", offset) if 0 <= offset < len(self.content) else -1
        return self.content[offset:end].decode("utf-8", "replace") if end >= 0 else ""

    def _dynamic(self) -> tuple[tuple[int, int], ...]:
        found = []
        form = _DYNAMICS[self.kind]
        for segment in self.segments:
            if segment.type != DYNAMIC:
                continue
            for at in range(segment.offset, segment.offset + segment.file_size, form.size):
                tag, value = self._unpack(form, at)
                if tag == 0:
                    break
                found.append((tag, value))
        return tuple(found)

    def _symbols(self, type: int) -> tuple[Symbol, ...]:
        section = next((s for s in self.sections if s.type == type), None)
        if section is None:
            return ()
        strings = self.sections[section.link].offset
        form = _SYMBOLS[self.kind]
        found = []
        for name, a, b, c, d, e in self._table(_SYMBOLS, section.offset, section.size // form.size):
            info, other, index, value, size = (a, b, c, d, e) if self.is_64 else (c, d, e, a, b)
            found.append(Symbol(self._text(strings + name), value, size, info >> 4, info & 15, other & 3, index))
        return tuple(found)

    def tag(self, wanted: int) -> int | None:
        """The value of a dynamic entry; None without."""
        return next((value for tag, value in self.dynamic if tag == wanted), None)

    def offset_of(self, address: int) -> int:
        """Where in the file an address lies. ElfError for one that no segment holds."""
        for segment in self.segments:
            if segment.type == LOAD and segment.address <= address < segment.address + segment.file_size:
                return address - segment.address + segment.offset
        raise ElfError(f"no segment holds the address {address:#x}")

    def _dynamic_texts(self, wanted: int) -> tuple[str, ...]:
        strings = self.tag(STRTAB)
        if strings is None:
            return ()
        base = self.offset_of(strings)
        return tuple(self._text(base + value) for tag, value in self.dynamic if tag == wanted)

    @property
    def needed(self) -> tuple[str, ...]:
        """Libraries that are loaded with this one."""
        return self._dynamic_texts(NEEDED)

    @property
    def soname(self) -> str:
        """The library's own name; empty without."""
        return next(iter(self._dynamic_texts(SONAME)), "")

    def data(self, section: Section) -> bytes:
        """The bytes of a section; none for one without data in the file."""
        return b"" if section.type == NOBITS else self.content[section.offset : section.offset + section.size]

    def relocations(self, target: Section) -> list[Relocation]:
        """Those of an object that apply to a section; their symbols are numbers in `symbols`."""
        found: list[Relocation] = []
        for section in self.sections:
            if section.type == RELA and section.info == target.number:
                found += self.relocations_in(section)
        return found

    def relocations_in(self, section: Section) -> list[Relocation]:
        """Those of a RELA section."""
        shift, mask = (32, 0xFFFFFFFF) if self.is_64 else (8, 0xFF)
        count = section.size // _RELAS[self.kind].size
        return [
            Relocation(offset, info & mask, info >> shift, addend)
            for offset, info, addend in self._table(_RELAS, section.offset, count)
        ]

    def notes(self) -> tuple[Note, ...]:
        """The entries of all note segments."""
        found = []
        for segment in self.segments:
            at, end = segment.offset, segment.offset + segment.file_size
            while segment.type == NOTE and at + 12 <= end:
                name_size, size, type = self._unpack(_NOTE, at)
                name = self.content[at + 12 : at + 12 + name_size].rstrip(b"\0").decode("utf-8", "replace")
                data = at + 12 + (name_size + 3) // 4 * 4
                found.append(Note(name, type, self.content[data : data + size]))
                at = data + (size + 3) // 4 * 4
        return tuple(found)
