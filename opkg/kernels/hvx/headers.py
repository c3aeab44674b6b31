"""Writes the host's header of the table's intrinsics: `python -m opkg.kernels.hvx.headers`."""

from __future__ import annotations

import re
from pathlib import Path

from opkg.kernels.hvx.names import ELEMENTS, intrinsics
from opkg.kernels.hvx.row import Row
from opkg.kernels.hvx.table import table

HEADER = Path(__file__).parents[2] / "sim" / "include" / "HTP" / "opkg" / "hvx" / "table.h"

_TYPES = {
    "V": "HVX_Vector", "W": "HVX_VectorPair", "Q": "HVX_VectorPred", "R": "int32_t", "D": "int64_t",
    "q": "HVX_VectorPred*",
}  # fmt: skip
# Operands are taken where they lie, at any address: a call by value copies 128 bytes or more.
_TAKEN = {"V": "const HVX_UVector&", "W": "const HVX_UVectorPair&", "Q": "const HVX_UVectorPred&"}
_TOP = """\
// HVX: intrinsics made from the table opkg/kernels/hvx/table.py. Do not edit: python -m opkg.kernels.hvx.headers
// SPDX-License-Identifier: Apache-2.0
// clang-format off
#ifndef OPKG_HVX_TABLE_H_
#define OPKG_HVX_TABLE_H_

#include "expressions.h"
"""
_BOTTOM = """
#endif  // OPKG_HVX_TABLE_H_
"""


def _element(token: str) -> str:
    """C++ type of `Wub` or `Rh`; empty where the token has none. Predicates are bytes."""
    return ELEMENTS.get(token[1:], "uint8_t" if token[0] == "Q" else "")


def _letters(row: Row, kinds: str) -> list[str]:
    """What the expressions call the operands; the first vector is x where the expressions have an x."""
    spelled = " ".join((row.low, row.high, row.body))
    updated = any(name in spelled for name in ("x[", "x0[", "x1["))
    free = {"vector": ["x", "a", "b"] if updated else ["a", "b"], "predicate": ["q", "s"]}
    found = []
    for kind in kinds:
        if kind in "VW":
            found.append(free["vector"].pop(0))
        elif kind in "Qq":
            found.append(free["predicate"].pop(0))
        else:
            found.append({"R": "r", "D": "p"}.get(kind, "n"))
    return found


def _operand(kind: str, letter: str, element: str) -> tuple[str, list[str]]:
    """Declaration of a parameter, and statements that make its elements available."""
    declared = _TAKEN.get(kind) or _TYPES.get(kind, "uint32_t")
    if kind in "R123" and not element:
        return f"{declared} {letter}", []
    if kind in "RD":
        taken = [f"const opkg_hvx::Elements<{element}, {declared}> l{letter}(v{letter});"]
    elif kind == "W":
        taken = [
            f"const opkg_hvx::Lanes<{element}> l{letter}0(opkg_hvx::lo(v{letter})), l{letter}1(opkg_hvx::hi(v{letter}));",
            f"const auto& {letter}0 = l{letter}0.at;",
            f"const auto& {letter}1 = l{letter}1.at;",
        ]
    else:
        const, star = ("", "*") if kind == "q" else ("const ", "")
        taken = [f"{const}opkg_hvx::Lanes<{element}> l{letter}({star}v{letter});"]
    if kind != "W":
        taken.append(f"{'' if kind == 'q' else 'const '}auto& {letter} = l{letter}.at;")
    return f"{declared} v{letter}", taken


def function(row: Row) -> str:
    """The C++ function of one row."""
    intrinsic = intrinsics()[row.name]
    result, *tokens = row.types.split() or (row.name.split("_")[1], *intrinsic.tokens)
    kinds = intrinsic.operands
    tokens += ["I"] * (len(kinds) - len(tokens))
    tokens = ["Q" if kind == "q" else token for kind, token in zip(kinds, tokens, strict=True)]
    letters = _letters(row, kinds)
    operands = [_operand(k, n, _element(t)) for k, n, t in zip(kinds, letters, tokens, strict=True)]
    lines = [f"OPKG_HVX_CALL {_TYPES[intrinsic.result]} {row.name}({', '.join(o[0] for o in operands)}) {{"]
    element = _element(result)
    lines += ["  using namespace opkg_hvx;", f"  using T = {element};"]
    spelled = " ".join((row.low, row.high, row.body))
    taken = [line for operand in operands for line in operand[1]]
    lines += [
        f"  {line}" for line in taken if "auto& " not in line or re.search(rf"\b{line.split()[-3]}\b", spelled)
    ]  # only what is used
    if intrinsic.result == "W":
        lines += ["  Lanes<T> lo0, lo1;", "  auto& o0 = lo0.at;", "  auto& o1 = lo1.at;"]
        body = row.body or f"o0[i] = T({row.low}); o1[i] = T({row.high});"
    else:
        lines += ["  Lanes<T> lo0;", "  auto& o = lo0.at;"]
        body = row.body or f"o[i] = T({row.low});"
    turns = f" / {row.step}" if row.step > 1 else ""
    if row.before:
        lines.append(f"  {row.before}")
    lines.append(f"  for (int i = 0; i < Lanes<T>::count{turns}; i++) {{ {body} }}")
    lines += [f"  *v{n} = l{n}.vector();" for k, n in zip(kinds, letters, strict=True) if k == "q"]
    lines.append(f"  return {'pair(lo1.vector(), lo0.vector())' if intrinsic.result == 'W' else 'lo0.vector()'};")
    return "\n".join([*lines, "}"])


def header() -> str:
    """Text of the generated header."""
    return _TOP + "\n" + "\n".join(function(row) for row in table().values()) + "\n" + _BOTTOM


if __name__ == "__main__":
    HEADER.write_text(header(), "utf-8")
