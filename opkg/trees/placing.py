"""Where edits go in a tree whose lists stand at anchors, and what of a package is there already."""

from __future__ import annotations

import os
import re

from opkg.project.files import digest
from opkg.targets.foreign import Insertion, Place, TreeEdit
from opkg.trees import entries
from opkg.trees.anchors import Row, key_of
from opkg.trees.checkout import Checkout, Package
from opkg.trees.found import Unexpected
from opkg.trees.record import Laid, Put
from opkg.trees.rows import ANCHORED


def insertion(checkout: Checkout, kind: str, edit: TreeEdit) -> Insertion:
    """An edit at its place in this tree. `kind`: of the table that has its row."""
    row = ANCHORED[kind][edit.place]
    key = key_of(row, edit.text) or edit.key
    return Insertion(path_of(checkout, row), Place(kind, row.name), key, edit.text, optional=row.optional)


def path_of(checkout: Checkout, row: Row) -> str:
    """The file of a row in this tree; its latest name when there is none."""
    for path in row.paths:
        if not os.path.lexists(f"{checkout.root}/{path}"):
            continue
        text = checkout.read(path)
        if not row.needs or (text is not None and re.search(row.needs, text)):
            return path
    return row.paths[0]


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
