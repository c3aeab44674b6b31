"""What a target wants to have inserted into a foreign tree: a value that names a place, never a path."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TreeEdit:
    """One insertion. `place`: a row of the table of places; `key`: the name that the entry is sorted and found by (of an
    operation); `text`: its lines, each with its end, as they stand in the file."""

    place: str
    key: str
    text: str
