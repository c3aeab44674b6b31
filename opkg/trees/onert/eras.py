"""What era a tree of onert is of, read from its files: each trait is a row with its dates, a file and what to look for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from opkg.targets.foreign import Era
from opkg.trees.onert.places import BASE_LOADER, CIRCLE_LOADER, CORE, CPU, STATIC

MARK = f"{CORE}/include/ir/Operations.lst"
"""The file that every tree of onert has."""


@dataclass(frozen=True, slots=True)
class Trait:
    """A field of `Era` and the trees in which it is set: those that have one of `paths`, with `pattern` in it."""

    field: str
    dates: str
    paths: tuple[str, ...]
    pattern: str = ""


TRAITS = (
    Trait("operation_lst", "since 2025-10-31", (f"{CPU}/Operation.lst",)),
    Trait("validator_visits", "2025-10", (f"{CPU}/Validator.h",), r"\bvisit\(const ir::operation::\w+ &\) override \{"),
    Trait("nested_namespaces", "since 2025-02", (f"{CORE}/src/compiler/StaticShapeInferer.cc",), "namespace onert::"),
    Trait("layout", "until 2024-08", (f"{CORE}/include/util/ShapeInference.h",), r"\bir::Layout\b"),
    Trait("unused_release", "until 2024-11", (f"{CORE}/include/util/Utils.h",), r"define UNUSED_RELEASE"),
    Trait("circle_custom", "since 2025", CIRCLE_LOADER, r"CircleLoader::loadCustom\("),
    Trait("specific_loader", "until 2021", BASE_LOADER, r"\bSpecificLoader\b"),
    Trait(
        "own_operands",
        "until 2022",
        tuple(f"{CORE}/include/compiler/{name}.h" for name in STATIC),
        r"\bir::Operands &_operands\b",
    ),
)


def detect(read: Callable[[str], str | None]) -> Era:
    """The era of a tree. `read`: the text of a file of it, None when it has none of that name."""
    return Era(**{trait.field: _has(trait, read) for trait in TRAITS})


def _has(trait: Trait, read: Callable[[str], str | None]) -> bool:
    return any(text is not None and re.search(trait.pattern, text) for text in map(read, trait.paths))


def words(era: Era) -> str:
    """An era in a few words, for the log."""
    set_ = [trait.field for trait in TRAITS if getattr(era, trait.field)]
    return ", ".join(set_).replace("_", " ") or "none of the known traits"
