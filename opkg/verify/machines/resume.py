"""Results of a run that was interrupted: kept beside what they depend on, and taken when nothing of that is different."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from opkg.verify.judge.results import RawResult, read

_MATTERS = re.compile(r"^(OPKG_|QNN_|LD_|\w*SAN_OPTIONS$)")  # variables that change what a runner does
_WHOLE = "whole"


class Kept:
    """What is left in `folder` of a run with result files `name.0.jsonl`, `name.1.jsonl`, ... `of`: see `digest`."""

    def __init__(self, folder: Path, name: str, of: str, fresh: bool = False) -> None:
        self.folder, self.name, self.of = folder, name, of
        self.place = folder / f"{name}.of"
        self.first = 0  # number of the first result file that is free
        self.found: dict[int, RawResult] = {}
        if fresh or not self._is_ours():
            self._forget()
        else:
            self._read()

    def _state(self) -> list[str]:
        return self.place.read_text(encoding="ascii", errors="replace").split() if self.place.is_file() else []

    def _is_ours(self) -> bool:
        return self._state()[:1] == [self.of]

    def _forget(self) -> None:
        self.place.unlink(missing_ok=True)
        for path in (*self.folder.glob(f"{self.name}.*.jsonl"), *self.folder.glob(f"{self.name}.*.bin")):
            path.unlink(missing_ok=True)
        self.place.write_text(self.of, encoding="ascii")

    def _read(self) -> None:
        """The cases from the first one up to the first without a record. The last record before an interrupt is not
        taken: what belongs to it may be cut off."""
        records: list[RawResult] = []
        while (path := self.folder / f"{self.name}.{self.first}.jsonl").is_file():
            found = read(path, path.with_suffix(".bin"))
            records += found if _WHOLE in self._state() else found[:-1]
            self.first += 1
        known = {record.case: record for record in records}
        at = 0
        while at in known:
            self.found[at] = known[at]
            at += 1

    def whole(self) -> None:
        """Every case has its result."""
        self.place.write_text(f"{self.of} {_WHOLE}", encoding="ascii")


def digest(files: Iterable[Path], command: Iterable[str], variables: Mapping[str, str] | None) -> str:
    """Changes with everything that results depend on: the bytes of files, the command and its environment."""
    found = hashlib.sha256()
    for path in files:
        with path.open("rb") as file:
            found.update(hashlib.file_digest(file, "sha256").digest())
    words = [*command, *sorted(f"{k}={v}" for k, v in (variables or os.environ).items() if _MATTERS.match(k))]
    found.update("\0".join(words).encode("utf-8", "surrogateescape"))
    return found.hexdigest()


def over(places: Iterable[Path]) -> None:
    """A run came to its end: the next one begins anew."""
    for place in places:
        with contextlib.suppress(OSError):
            place.unlink(missing_ok=True)
