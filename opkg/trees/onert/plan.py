"""Brings what a target wants for onert to the places that a tree has: rows and paths of today to the tree's own."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from opkg.project.files import digest
from opkg.targets.foreign import Insertion, Place, TreeEdit
from opkg.trees import entries
from opkg.trees.anchors import Row, key_of
from opkg.trees.checkout import Checkout, Package
from opkg.trees.found import Unexpected
from opkg.trees.onert.places import CORE, CPU, ROWS
from opkg.trees.record import Laid, Put

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
    return Package(name, placed, [_insertion(checkout, edit) for edit in edits])


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


def _insertion(checkout: Checkout, edit: TreeEdit) -> Insertion:
    row = ROWS[edit.place]
    key = key_of(row, edit.text) or edit.key
    return Insertion(path_of(checkout, row), Place("onert", row.name), key, edit.text, optional=row.optional)


def path_of(checkout: Checkout, row: Row) -> str:
    """The file of a row in this tree; its latest name when there is none."""
    for path in row.paths:
        if not os.path.lexists(f"{checkout.root}/{path}"):
            continue
        text = checkout.read(path)
        if not row.needs or (text is not None and re.search(row.needs, text)):
            return path
    return row.paths[0]


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


def laid_by(checkout: Checkout, wanted: Package) -> Laid:
    """What of a package is in the tree just as it wants it: what was put in, for who has no record of it.

    A tree may have lines of its own that are the same; they count only where a file of ours is there, too.
    """
    files = {path: digest(text.encode()) for path, text in wanted.files.items() if checkout.read(path) == text}
    if not files:
        return Laid()
    puts = [Put(each.path, each.place, each.key, each.text) for each in wanted.insertions if _there(checkout, each)]
    return Laid(files, tuple(puts))


def _there(checkout: Checkout, wanted: Insertion) -> bool:
    text = checkout.read(wanted.path)
    try:
        found = None if text is None else entries.find(text, wanted.place, wanted.key)
    except Unexpected:
        return False
    return found is not None and found.text == wanted.text
