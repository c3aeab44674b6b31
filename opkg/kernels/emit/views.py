"""The struct of a kernel whose operands are parts of tensors: the arguments of its op, and these parts (opkg/seen.h); copies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from opkg.kernels.portable.rows import moved
from opkg.kernels.snippet import Operand, Snippet


@dataclass(frozen=True, slots=True)
class Views:
    """Its name, the struct of the op's arguments, members, and statements of its constructor."""

    name: str
    base: str
    members: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Copied:
    """Of which input each output has the elements, and C++ of whether they are stored alike."""

    inputs: tuple[int, ...]
    alike: str

    @property
    def always(self) -> bool:
        """Whether they are, in every call."""
        return self.alike == "true"


def copied(snippet: Snippet, inputs: Sequence[Operand]) -> Copied | None:
    """How a snippet of parts of tensors that computes nothing copies; None for others. `inputs`: those that it reads."""
    if not snippet.views:
        return None
    places = {operand.name: at for at, operand in enumerate(inputs)}
    found: list[int] = []
    tests: dict[str, None] = {}
    for result in snippet.graph.results:
        node, output = snippet.graph[result.node], snippet.operand(result.name)
        if node.op != "input" or inputs[places[node.name]].element != output.element:
            return None
        found.append(places[node.name])
        if output.quantized or moved(output):
            tests |= dict.fromkeys(f"op.{node.name}.{each} == op.{output.name}.{each}" for each in ("scale", "zero"))
    return Copied(tuple(found), " && ".join(tests) or "true")


def views_of(snippet: Snippet) -> Views:
    inputs = {operand.name for operand in snippet.inputs}
    members = []
    for name, _, _ in snippet.views:
        element = snippet.operand(name).element
        members.append(f"opkg::Seen<{'const ' if name in inputs else ''}{element}> {name};")
    members += [f"opkg::Filling {snippet.fills};"] if snippet.fills else []
    lines = [
        *snippet.joints,
        *snippet.filling,
        *(f"{name} = {{op.{tensor}, {view}}};" for name, tensor, view in snippet.views),
    ]
    return Views(snippet.args, snippet.base, tuple(members), tuple(lines))
