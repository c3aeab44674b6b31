"""What callers of build and verify say and are told: options, progress, the outcome of a build. No numpy here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import OpPackage

DEFAULT_CASES = 24  # per op and combination of element types
DEFAULT_TIMEOUT = 20.0
DEFAULT_LARGE = 8 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is. `phase`: generate, build or run; `done` of `total` cases (0 of 0: not countable)."""

    phase: str
    text: str
    done: int = 0
    total: int = 0


Report = Callable[[Progress], None]


def silent(progress: Progress) -> None:
    """Reports to nobody."""


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    """What to verify and where. `on` and `ops` empty: every machine that is here, every op.

    `sanitize`: with the compiler's sanitizers or valgrind. `fail_fast`: ends with the first case that fails.
    `fresh`: runs cases again that ran before an interrupt.
    `large`: bytes of the largest tensor of one more case per op and combination where tensors are cut into tiles; 0: none.
    `case`: only this case of each op (`u8-007`, or `7` for all combinations). `timeout`: seconds per case.
    `prefix` + a path relative to the root is the path as people see it.
    """

    on: tuple[str, ...] = ()
    ops: tuple[str, ...] = ()
    cases: int = DEFAULT_CASES
    seed: int = 0
    case: str = ""
    timeout: float = DEFAULT_TIMEOUT
    trace: bool = False
    check_current: bool = True
    prefix: str = ""
    sanitize: bool = False
    fail_fast: bool = False
    fresh: bool = False
    large: int = DEFAULT_LARGE


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """`interfaces` empty: all that the packages' targets generate. `devices`: kinds of `machines.device` to build for, in
    place of this machine. `prefix` as in VerifyOptions."""

    interfaces: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    check_current: bool = True
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Built:
    """The outcome of one build. `library` is None when it failed; findings are then never empty."""

    package: OpPackage
    interface: str
    library: Path | None
    findings: tuple[Diagnostic, ...] = ()

    @property
    def ok(self) -> bool:
        return self.library is not None and not any(f.is_error for f in self.findings)


@dataclass(frozen=True, slots=True)
class BuildResult:
    """Outcome of `opkg build`."""

    built: tuple[Built, ...]
    diagnostics: tuple[Diagnostic, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        return all(b.ok for b in self.built) and not any(d.is_error for d in self.diagnostics)

    @property
    def libraries(self) -> tuple[Path, ...]:
        return tuple(b.library for b in self.built if b.library is not None and b.ok)


BUILD_DEFAULTS = BuildOptions()
VERIFY_DEFAULTS = VerifyOptions()
