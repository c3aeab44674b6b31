"""The struct of a kernel in passes: the arguments of its op, and the numbers between its passes (opkg/between.h)."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.kernels.snippet import Snippet

HEADER = "opkg/between.h"


@dataclass(frozen=True, slots=True)
class Between:
    """Its name, the struct of the op's arguments, members, and statements of its constructor."""

    name: str
    base: str
    members: tuple[str, ...]
    lines: tuple[str, ...]


def between_of(snippet: Snippet) -> Between | None:
    """The struct of a snippet that is one of several passes."""
    if snippet.passing is None:
        return None
    members = [f"opkg::Tensor<{number.element}> {number.name};" for number in snippet.passing.numbers]
    lines = [f"room.take({number.name}, {number.shape});" for number in snippet.passing.numbers]
    return Between(snippet.args, snippet.passing.base, tuple(members), tuple(lines))
