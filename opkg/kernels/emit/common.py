"""What several kernels of an op have in common, written once: portable rows, and the text of the computation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from opkg.kernels.emit.blocks import statements
from opkg.kernels.emit.rows_code import RowsCode
from opkg.kernels.portable.common import steps_name

_ROW = "OPKG_RARE void row("


@dataclass(frozen=True, slots=True)
class CommonRow:
    """The function template of a portable row. `flag`: its parameter that says which inputs there are; empty for none."""

    name: str
    flag: str
    lines: tuple[str, ...]


def with_common_rows(structs: Iterable[RowsCode], name: str) -> tuple[list[CommonRow], dict[str, RowsCode]]:
    """The functions that structs with equal rows call, and these structs by name. `name`: of the functions."""
    groups: dict[tuple[tuple[str, ...], str], list[RowsCode]] = {}
    for code in structs:
        if code.common and any(line.startswith(_ROW) for line in code.portable):
            groups.setdefault((code.common, code.fewer.flag if code.fewer else ""), []).append(code)
    rows: list[CommonRow] = []
    changed: dict[str, RowsCode] = {}
    for (lines, flag), members in groups.items():
        if len({code.outputs[0].element for code in members}) > 1:
            row = CommonRow(f"{name}_{len(rows) + 1}" if rows else name, flag, lines)
            rows.append(row)
            changed |= {code.name: _calling(code, row) for code in members}
    return rows, changed


def _calling(code: RowsCode, row: CommonRow) -> RowsCode:
    """The struct with a call of the function as its row."""
    given = ", ".join(([row.flag] if row.flag else []) + [code.outputs[0].element])
    call = f"void row(const opkg::Run<kInputs + kOutputs>& run) const {{ {row.name}<{given}>(*this, run); }}"
    portable = [
        line for part in statements(code.portable) for line in ((call,) if part.head.startswith(_ROW) else part.lines)
    ]
    plain = [f"{steps_name(o)}{{}}" for o in (*code.inputs, *code.outputs) if not o.quantized]
    members = [f"static constexpr opkg::Plain {', '.join(plain)};", *code.members] if plain else code.members
    return replace(code, portable=tuple(portable), members=tuple(members))


def told_once(structs: Iterable[RowsCode]) -> dict[str, RowsCode]:
    """The structs by name; a computation of several lines stands with the first that has it."""
    seen: dict[tuple[str, ...], str] = {}
    found: dict[str, RowsCode] = {}
    for code in structs:
        text = tuple(note for note in code.notes if note.startswith("  "))
        first = seen.setdefault(text, code.notes[0].partition(":")[0])
        if len(text) > 1 and first != code.notes[0].partition(":")[0]:
            head, _, rest = code.notes[0].partition(":")
            others = [note for note in code.notes[1:] if note not in text]
            code = replace(code, notes=(f"{head}, which computes what {first} does:{rest}", *others))
        found[code.name] = code
    return found
