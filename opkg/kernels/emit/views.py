"""The struct of a kernel whose operands are parts of tensors: the arguments of its op, and these parts (opkg/seen.h)."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.kernels.snippet import Snippet


@dataclass(frozen=True, slots=True)
class Views:
    """Its name, the struct of the op's arguments, members, and statements of its constructor."""

    name: str
    base: str
    members: tuple[str, ...]
    lines: tuple[str, ...]


def views_of(snippet: Snippet) -> Views:
    inputs = {operand.name for operand in snippet.inputs}
    members = []
    for name, _, _ in snippet.views:
        element = snippet.operand(name).element
        members.append(f"opkg::Seen<{'const ' if name in inputs else ''}{element}> {name};")
    lines = [*snippet.joints, *(f"{name} = {{op.{tensor}, {view}}};" for name, tensor, view in snippet.views)]
    return Views(snippet.args, snippet.base, tuple(members), tuple(lines))
