"""An artifact is a value: a path, a text and who owns it. `generate`, `check` and the tests share one list of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import OpPackage


class Ownership(StrEnum):
    """GENERATED files carry a checksum and are never edited; YOURS are written once and never overwritten."""

    GENERATED = "generated"
    YOURS = "yours"


@dataclass(frozen=True, slots=True)
class Artifact:
    """One file to write. `path` is posix, relative to the project root (the folder above `specs/`).

    `text` lacks the provenance line, which `opkg/project` adds in the file's comment style (`comment`: the line-comment
    opener, "//" or "#"; empty: the format has no comments and the manifest alone knows the checksum).
    """

    path: str
    text: str
    ownership: Ownership = Ownership.GENERATED
    comment: str = "//"


class Target(Protocol):
    """What a target registers under the entry-point group `opkg.targets`."""

    name: str
    summary: str

    def check(self, package: OpPackage) -> list[Diagnostic]:
        """Findings that only this target has (an element type it cannot carry, a trap the spec would hit)."""
        ...

    def render(self, package: OpPackage) -> list[Artifact]:
        """All files of this target for the package; pure: same package, same bytes."""
        ...


@dataclass(frozen=True, slots=True)
class Place:
    """A sorted list in a file that is somebody else's; `opkg.project.insert_places` finds it by structure.

    | kind | `name` | entries |
    | --- | --- | --- |
    | `classes` | - | the top-level classes of a Python module, two blank lines apart |
    | `imports` | - | its top-level `from MODULE import NAMES` |
    | `names` | `.` or a module | the names of one `from MODULE import (...)` |
    | `list` | `__all__`, `Class.attribute`, `function.variable` | elements of a list, tuple or set, one a line |
    | `call` | a function | elements of the list that is the first argument of its first call |
    | `guards` | a function | `if` statements of its body, before the return that it ends with |
    | `lines` | a line | the lines from after that one up to the line `until` |
    | `table` | how its head begins | rows of a Markdown table, one of which is ticked and counted |

    `prefix`: only entries that begin so are compared with a new one.
    """

    kind: str
    name: str = ""
    prefix: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class Insertion:
    """An entry for a list in a foreign tree. `key`: what it is sorted and found by; `text`: its lines, each with its end.

    `optional`: nothing is inserted where the tree has no such file. `shared`: an entry that is there already and has
    all lines of this one is left alone, because it does not matter whose it is.
    """

    path: str
    place: Place
    key: str
    text: str
    optional: bool = False
    shared: bool = False
