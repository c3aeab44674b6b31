"""The portable row of kernels that differ in their element types alone: one function template, which their structs call."""

from __future__ import annotations

import re

from opkg.kernels.portable.axes import Axes
from opkg.kernels.portable.reduce import Rows
from opkg.kernels.snippet import Operand, Snippet

_WORD = re.compile(r"(?<![.\w])[A-Za-z_]\w*")


def steps_name(operand: Operand) -> str:
    """The member that tells what stored elements stand for: `opkg::Steps`, or `opkg::Plain` of floats."""
    return f"{operand.name}_steps"


def common_rows(snippet: Snippet, axes: Axes) -> tuple[str, ...]:
    """The statements of a row, of any type T of elements and any struct `rows`. Empty where the code hangs on the types:
    integers, halves, tensors of different types, and decisions on what stored numbers stand for."""
    operands = (*snippet.outputs, *(o for o in snippet.inputs if o.name not in snippet.missing))
    alike = len({(operand.element, operand.dtype.kind) for operand in operands}) == 1
    if not alike or not all(o.quantized or (o.is_float and o.storage.bits == 32) for o in operands):
        return ()
    rows = _CommonRows(snippet, axes)
    members = {member.name for member in rows.shared.members}
    free = {o.name for o in operands if not o.quantized and steps_name(o) in members}
    lines = tuple(rows.body())
    bare = {word for line in lines for word in _WORD.findall(line)} & members
    return () if bare or free or any("opkg::decide(" in line for line in lines) else lines


class _CommonRows(Rows):
    """Writes it: members are those of `rows`."""

    def __init__(self, snippet: Snippet, axes: Axes) -> None:
        super().__init__(snippet, axes)
        self.known = {at: f"rows.{name}" for at, name in self.known.items()}

    def loaded(self, operand: Operand, row: bool = False) -> str:
        place = self.places[operand.name]
        stored = f"*reinterpret_cast<const T*>(run.start[{place}])" if row else f"at.template get<const T>({place})"
        return f"rows.{steps_name(operand)}.real({stored})"

    def stored(self, operand: Operand, value: str) -> str:
        place = self.places[operand.name]
        return f"at.template get<T>({place}) = rows.{steps_name(operand)}.template nearest<T>({value});"
