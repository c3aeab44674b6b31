"""Brings what a target wants for onert to the places that a tree has: rows and paths of today to the tree's own."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from opkg.targets.foreign import TreeEdit
from opkg.trees.checkout import Checkout, Package
from opkg.trees.onert.places import CORE, CPU
from opkg.trees.placing import insertion

_COPYRIGHT = re.compile(r"/\*\r?\n \* Copyright \(c\) (.+?)\r?\n")
KNOWS = "this opkg knows trees of Samsung/ONE from 2021 to 2026-04 (de7f4736)"


@dataclass(frozen=True, slots=True)
class Folder:
    """Where files go that stand in folder `today` at de7f4736, and have a suffix: the first folder whose `mark` (default:
    itself) the tree has. `optional`: left out in trees that have none of them."""

    today: str
    places: tuple[tuple[str, str, str], ...]  # folder, suffix, mark
    suffix: str = ""
    optional: bool = False


_ONE_OP = "nnfw_api/src/GenModelTests/one_op_tests"
FOLDERS = (
    Folder(f"{CORE}/include/ir/operation", ((f"{CORE}/include/ir/operation", "", ""),)),
    Folder(
        f"runtime/tests/{_ONE_OP}",
        (
            (f"runtime/tests/{_ONE_OP}", ".test.cc", ""),  # since 2025-02
            (f"tests/{_ONE_OP}", ".test.cc", ""),
            ("tests/nnfw_api/src/one_op_tests", ".cc", ""),  # until 2022
        ),
        ".test.cc",
        optional=True,
    ),
    Folder(
        f"{CORE}/src",
        (
            (f"{CORE}/src", ".test.cc", f"{CORE}/src/util/ShapeInference.test.cc"),
            ("runtime/onert/test/core", ".cc", "runtime/onert/test"),  # until 2022
        ),
        ".test.cc",
        optional=True,
    ),
    Folder(f"{CORE}/src", ((f"{CORE}/src", "", ""),)),
    Folder(CPU, ((CPU, "", ""),)),
    Folder(
        "runtime/compute/cker",
        (("runtime/compute/cker", "", ""), ("compute/cker", "", "")),  # until 2025-02
    ),
)


def package(checkout: Checkout, name: str, files: Mapping[str, str], edits: Iterable[TreeEdit]) -> Package:
    """What a package wants in this tree. `files`: by their paths at de7f4736."""
    placed = {}
    for path, text in files.items():
        place = _file(checkout, path)
        if place:
            placed[place] = _moved(text, path, place)
    return Package(name, placed, [insertion(checkout, "onert", edit) for edit in edits])


def _file(checkout: Checkout, path: str) -> str:
    """The path of a new file in this tree, "" when it is left out."""
    folder = next((f for f in FOLDERS if path.startswith(f"{f.today}/") and path.endswith(f.suffix)), None)
    if folder is None:
        return path
    rest = path[len(folder.today) : len(path) - len(folder.suffix)]
    for place, suffix, mark in folder.places:
        if os.path.exists(f"{checkout.root}/{mark or place}"):
            return f"{place}{rest}{suffix if folder.suffix else ''}"
    if not folder.optional:
        checkout.fault("OPK361", "is missing: the tree is not as expected", folder.today, 1, checkout.knows)
    return ""


def _moved(text: str, before: str, after: str) -> str:
    """A file that goes elsewhere than today: the headers that it names by their way from it are where they were."""

    def named(match: re.Match[str]) -> str:
        whole = posixpath.join(posixpath.dirname(before), match[1])
        return f'#include "{posixpath.relpath(whole, posixpath.dirname(after))}"'

    return text if before == after else re.sub(r'^#include "(\.\./[^"\n]+)"', named, text, flags=re.M)


SCHEMAS = ("runtime/libs/circle-schema/circle_schema.fbs", "nnpackage/schema/circle_schema.fbs")


def schema_of(checkout: Checkout) -> tuple[str, str]:
    """The path and the text of Circle's schema in this tree; empty texts without one."""
    path = next((path for path in SCHEMAS if checkout.as_it_is(path) is not None), "")
    return path, (checkout.as_it_is(path) or "" if path else "")


def named_in(checkout: Checkout, names: Iterable[str]) -> str:
    """Who is named at the head of the first of these operations' classes that the tree has; "" without a licence text."""
    texts = (checkout.as_it_is(f"{CORE}/include/ir/operation/{name}.h") for name in names)
    found = (_COPYRIGHT.match(text) for text in texts if text is not None)
    return next((match[1] for match in found if match is not None), "")
