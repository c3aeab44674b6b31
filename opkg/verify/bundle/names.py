"""Names of kernels as a library holds them (opkg/records.h): of each how many letters it shares with the one before it, a byte,
then the others and a 0."""

from __future__ import annotations


def has_name(library: bytes, name: str) -> bool:
    """Whether a library has a record of this name."""
    text = name.encode()
    return any(
        shared == 0 or _begins(library, at, text[:shared])
        for shared in range(min(len(text), 255), -1, -1)
        for at in _places(library, bytes([shared]) + text[shared:] + b"\0")
    )


def _places(library: bytes, held: bytes) -> list[int]:
    found, at = [], library.find(held)
    while at >= 0:
        found.append(at)
        at = library.find(held, at + 1)
    return found


def _begins(library: bytes, end: int, start: bytes) -> bool:
    """Whether the name that ends in front of `end` begins so. What is in front of its letters may be a 0: of the name before, or
    how many it shares with that."""
    last = library.rfind(b"\0", 0, max(end - 1, 0))
    if last < 0 or end < 1 or library[end - 1] != 0:
        return False
    for at in (last, last + 1):
        shared, letters = library[at], library[at + 1 : end - 1]
        own = start[shared:]
        if letters.startswith(own) and (shared == 0 or _begins(library, at, start[:shared])):
            return True
    return False
