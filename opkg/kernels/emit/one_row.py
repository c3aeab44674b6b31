"""Numbers of rows as a template: the same statements for a word of each row in vectors, and for one row in a register."""

from __future__ import annotations

import re
from collections.abc import Sequence

_OF = "opkg::hvx::"
_WORDS = (  # what stands for vectors: what stands for either (opkg/hvx_row_words.h)
    ("HVX_VectorPred", f"{_OF}Truth<Word>"),
    ("HVX_Vector", "Word"),
    ("Q6_V_vzero()", f"{_OF}in_all<Word>(0)"),
    ("Q6_V_vsplat_R(", f"{_OF}in_all<Word>("),
    ("Q6_Q_vcmp_gt_VwVw(", f"{_OF}word::more("),
    ("Q6_Q_vcmp_eq_VwVw(", f"{_OF}word::same("),
    ("Q6_Q_and_QQ(", f"{_OF}word::both("),
    (f"{_OF}Products<", f"{_OF}ProductsOf<Word, "),
    (f"{_OF}Lines<", f"{_OF}LinesOf<Word, "),
)
_ANY = frozenset((  # of opkg::hvx: what takes either
    "Truth", "in_all", "word", "ProductsOf", "LinesOf", "entries", "variance", "less_zeros", "squares_less_zeros",
    "reaches_of", "most_from", "for_all",
))  # fmt: skip
_CALLED = re.compile(rf"\b{_OF}(\w+)")


def of_any(lines: Sequence[str]) -> list[str] | None:
    """The statements of numbers in vectors (`HVX_Vector`, `Numbers`) for any type `Word`; None where something in them is made
    for vectors alone."""
    text = "\n".join(lines)
    for vectors, word in _WORDS:
        text = text.replace(vectors, word)
    text = re.sub(rf"\b{_OF}reaches_of\((?=[^,()]*(?:\([^()]*\)[^,()]*)*\))", f"{_OF}reaches_of<Word>(", text)
    alone = "Q6_" in text or not set(_CALLED.findall(text)) <= _ANY
    return None if alone else text.split("\n")
