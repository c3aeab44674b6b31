"""What `opkg executorch judge` has found so far: a run that was broken off goes on where it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from opkg.verify.machines.executorch.environment import Environment
from opkg.verify.machines.executorch.upstream_tests import Ran


class State:
    """Results by test of one set of builders in one environment, a line each; other builders have another file."""

    def __init__(self, folder: Path, folders: Sequence[Path], environment: Environment) -> None:
        self.path = folder / f"judged-{_digest(folders, environment)}.jsonl"

    def read(self) -> dict[str, Ran]:
        """What is known; a line that a crash has cut off is not."""
        found: dict[str, Ran] = {}
        for line in self.path.read_text(encoding="utf-8").splitlines() if self.path.is_file() else ():
            try:
                fields = json.loads(line)
                ran = Ran(**{**fields, "reasons": tuple(fields["reasons"])})
            except (ValueError, TypeError, KeyError):
                continue
            found[ran.test] = ran
        return found

    def add(self, ran: Ran) -> None:
        """One more."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(ran)) + "\n")

    def forget(self) -> None:
        """Start again."""
        self.path.unlink(missing_ok=True)


def _digest(folders: Iterable[Path], environment: Environment) -> str:
    """Changes with the builders, the wheel and QNN's libraries."""
    found = hashlib.sha256(f"{environment.executorch} {environment.torch} {environment.qnn}".encode())
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:12]


def shuffled(tests: Iterable[str], seed: str) -> list[str]:
    """The tests in an order that hangs on a text (of a commit, say)."""
    return sorted(tests, key=lambda test: hashlib.sha256(f"{seed} {test}".encode()).hexdigest())
