"""An artifact is a value: a path, a text and who owns it. `generate`, `check` and the tests share one list of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import OpPackage


class Ownership(StrEnum):
    """GENERATED files carry a checksum and are never edited; YOURS are written once and never overwritten.

    SHARED are generated ones below `generated/opkg/` that any number of packages and targets need, all with the same text.
    """

    GENERATED = "generated"
    SHARED = "shared"
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
