"""Numbers of a call that are kept for the next ones: a kernel is called again and again with the same scales.

Without this `prepare` costs as much as some hundred vectors: doubles are slow on Hexagon.
"""

from __future__ import annotations

from collections.abc import Sequence

from opkg.kernels.lowered import Member
from opkg.kernels.snippet import Snippet

HEADERS = ("opkg/hvx_table.h", "opkg/rows_table.h")
_TENSOR_WORDS = 3  # of a key: a scale, and a zero point as 64 bits
_PARAM_WORDS = 2


def kept_lines(snippet: Snippet, members: Sequence[Member], lines: Sequence[str]) -> tuple[str, ...]:
    """`prepare`: takes the members from a call with the same scales, zero points and params, or sets them by `lines`."""
    operands = [snippet.operand(name) for name in snippet.graph.inputs] + list(snippet.outputs)
    words = _TENSOR_WORDS * len(operands) + _PARAM_WORDS * len(snippet.params)
    key = f"opkg::hvx::TableKey<{words}>"
    made = ["// The numbers of a call before with the same scales, or new ones.", f"{key} key;"]
    for operand in operands:
        made += [f"key.add(op.{operand.name}.scale);", f"key.add(op.{operand.name}.zero);"]
    made += [f"key.add(op.{param.name});" for param in snippet.params]
    made += ["const auto choose = [&]() -> bool {", *(f"  {line}" for line in lines), "  return true;", "};"]
    made += ["struct Kept {", "  uint32_t taken;"]
    made += [f"  {member.type.removeprefix('alignas(128) ')} {member.name};" for member in members]
    made += ["};", f"static opkg::TableCache<{key}, Kept> kept_numbers;", "Kept kept = {};"]
    made += ["kept_numbers.get(key, kept, [&](Kept& fresh) {", "  fresh.taken = choose() ? 1 : 0;"]
    made += ["  if (fresh.taken == 0) return;", *(f"  {_copy(m, 'fresh.', '')}" for m in members), "});"]
    made += ["if (kept.taken == 0) return false;", *(_copy(member, "", "kept.") for member in members)]
    return tuple(made)


def _copy(member: Member, to: str, source: str) -> str:
    name, _, array = member.name.partition("[")
    if array:
        return f"std::memcpy({to}{name}, {source}{name}, sizeof {name});"
    return f"{to}{name} = {source}{name};"
