"""What a check of rules knows besides their text: package, SDK, ops and functions that are defined elsewhere."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Context:
    """`package`: prefix of bare op names ("": none). `sdk`: "2.25" and the like, "" the newest. `known_ops`: full names of the
    ops that exist besides the core package's, None when that is not known. `externals`: C++ functions and their
    annotations (`bool f(OpRef)`). `constants`: C++ constants by name, with their values.
    """

    package: str = ""
    sdk: str = ""
    known_ops: frozenset[str] | None = None
    externals: tuple[tuple[str, str], ...] = ()
    constants: tuple[tuple[str, bool | int | float], ...] = ()
