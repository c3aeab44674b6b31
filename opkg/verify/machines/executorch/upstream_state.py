"""What `opkg executorch judge` has found so far: a run that was broken off goes on where it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from opkg.verify.machines.executorch.environment import Environment
from opkg.verify.machines.executorch.upstream_tests import Ran


class State:
    """Results by test of one set of builders in one environment, a line each; other builders have another file.

    `parts`: by torch op, a digest of the builders that take it. A result is true as long as those of the test's nodes
    are the same; of a test that failed or crashed, as long as all are. `apart`: names of files that are in these digests.
    """

    def __init__(
        self,
        folder: Path,
        folders: Sequence[Path],
        environment: Environment,
        parts: Mapping[str, str] | None = None,
        apart: Collection[str] = (),
    ) -> None:
        self.path = folder / f"judged-{_digest(folders, environment, apart)}.jsonl"
        self.parts = dict(parts or {})

    def read(self) -> dict[str, Ran]:
        """What is known and still true; a line that a crash has cut off is not."""
        found: dict[str, Ran] = {}
        for line in self.path.read_text(encoding="utf-8").splitlines() if self.path.is_file() else ():
            try:
                fields = json.loads(line)
                builders = fields.pop("builders")
                ran = Ran(**{**fields, "reasons": tuple(fields["reasons"])})
            except (ValueError, TypeError, KeyError, AttributeError):
                continue
            if builders == self._builders(ran):
                found[ran.test] = ran
        return found

    def add(self, ran: Ran) -> None:
        """One more."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({**asdict(ran), "builders": self._builders(ran)}) + "\n")

    def forget(self) -> None:
        """Start again."""
        self.path.unlink(missing_ok=True)

    def _builders(self, ran: Ran) -> str:
        """A digest of the builders that a result hangs on."""
        passing = ran.outcome in ("passed", "skipped")
        nodes = {*ran.ours, *ran.left, *ran.others} if passing else {*self.parts}
        texts = [f"{name} {self.parts[name]}" for name in sorted(nodes & {*self.parts})]
        return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]


def _digest(folders: Iterable[Path], environment: Environment, apart: Collection[str]) -> str:
    """Changes with the builders, but for the files that stand apart, the wheel and QNN's libraries."""
    found = hashlib.sha256(f"{environment.executorch} {environment.torch} {environment.qnn}".encode())
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            if path.name not in apart:
                found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:12]


def shuffled(tests: Iterable[str], seed: str) -> list[str]:
    """The tests in an order that hangs on a text (of a commit, say)."""
    return sorted(tests, key=lambda test: hashlib.sha256(f"{seed} {test}".encode()).hexdigest())
