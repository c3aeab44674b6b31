"""What of a package is in a checkout that no record knows: files by their mark, entries by the package's own names."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence

from opkg.project import files
from opkg.targets.foreign import Place
from opkg.trees import entries, table
from opkg.trees.checkout import Checkout, Package, unexpected
from opkg.trees.found import Unexpected, entry, split_lines
from opkg.trees.python_lists import locate
from opkg.trees.record import Laid, Put
from opkg.trees.rows import ANCHORED
from opkg.trees.sameness import same_entry, same_module

_MARK = "# sha256:"
_STATEMENTS = ("imports", "guards", "starts")
EDITED = "edited"  # in place of a checksum: no file has it


def is_whole(text: str, head: str) -> bool:
    """Whether a file has the mark of `head`'s first line, and nobody edited it since."""
    text = text.replace("\r\n", "\n")
    above, mark, rest = text.partition(_MARK)
    checksum, _, body = rest.partition("\n\n")
    return bool(mark) and above.startswith(head) and checksum == files.digest(body.encode())


def found(
    checkout: Checkout,
    package: Package,
    head: str,
    folders: Sequence[str],
    own: Sequence[str],
    lists: Sequence[tuple[str, Place]] = (),
    imported: str = "",
) -> Laid:
    """What is there. `head`: how the mark begins; `folders`: where files are; `own`: what only the package's names have.

    `lists`: places that may have entries of the package beside those of its insertions. `imported`: how names of entries
    begin that are ours where a file of ours imports them.
    """
    laid: dict[str, str] = {}
    for folder in folders:
        place = f"{checkout.root}/{folder}"
        names = sorted(os.listdir(place)) if os.path.isdir(place) else []
        for path in (f"{folder}/{name}" for name in names if name.endswith(".py")):
            text = checkout.read(path) if path in package.files or _begins(f"{checkout.root}/{path}", head) else None
            if text is not None and (is_whole(text, head) or same_module(path, text, package.files.get(path, ""))):
                laid[path] = files.digest(text.encode())
            elif text is not None and text.startswith(head):
                laid[path] = EDITED
    return Laid(laid, tuple(_entries(checkout, package, own, laid, lists, {*_imported(checkout, laid, imported)})))


def merged(known: Laid | None, there: Laid) -> Laid:
    """What is remembered, and what was found beside it; a file that a formatter was at is still ours."""
    if known is None:
        return there
    have = {(put.path, put.place, put.key) for put in known.entries}
    more = [put for put in there.entries if (put.path, put.place, put.key) not in have]
    whole = {path: checksum for path, checksum in there.files.items() if checksum != EDITED}
    return Laid({**there.files, **known.files, **whole}, (*known.entries, *more), known.copyright)


def _begins(place: str, head: str) -> bool:
    try:
        with open(place, encoding="utf-8", errors="replace") as file:
            return file.read(len(head)) == head
    except OSError:
        return False


def _entries(
    checkout: Checkout,
    package: Package,
    own: Sequence[str],
    laid: Collection[str],
    lists: Sequence[tuple[str, Place]],
    imported: Collection[tuple[str, str]],
) -> Iterator[Put]:
    """Entries that name a file of ours, have the package's name or are imported by ours, and those that are as they are wanted.

    A statement of ours is what its key says; one that was edited is a finding where it goes out.
    """
    wanted = {(each.path, each.place, each.key): each for each in package.insertions}
    for path, place in dict.fromkeys([*((each.path, each.place) for each in package.insertions), *lists]):
        text = checkout.read(path)
        if not text:
            continue
        try:
            items = [*_items(text, place, [k for p, w, k in wanted if (p, w) == (path, place)])]
        except Unexpected as reason:
            if any(name in text for name in own) or any(_is_named(each, path, text) for each in laid):
                unexpected(checkout, path, reason)
            continue
        for key, there in items:
            ours = wanted.get((path, place, key))
            named = f"{os.path.dirname(path)}/{key}.py" in laid or any(name in there for name in own)
            named = named or (path, key) in imported
            if place.kind in _STATEMENTS:
                if ours is not None:
                    yield Put(path, place, key, ours.text)
            elif named or (ours is not None and not ours.shared and same_entry(place, there, ours.text)):
                yield Put(path, place, key, there)


def _imported(checkout: Checkout, laid: Collection[str], begin: str) -> Iterator[tuple[str, str]]:
    """Files and what modules of ours beside them import first of them, of names that begin so."""
    for path in laid:
        for module, name in re.findall(r"^from \.(\w+) import \(?\s*(\w+)", checkout.read(path) or "", re.MULTILINE):
            if begin and name.startswith(begin):
                yield f"{os.path.dirname(path)}/{module}.py", name


def _items(text: str, place: Place, keys: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Entries of a list: all of a list of Python or of a table, the named ones of others. Raises Unexpected."""
    if place.kind == "table":
        yield from table.ticked(text, place)
    elif place.kind in ANCHORED:
        pairs = [(key, entries.find(text, place, key)) for key in keys]
        yield from ((key, each.text) for key, each in pairs if each is not None)
    else:
        lines = split_lines(text)
        yield from ((item.key, entry(lines, item).text) for item in locate(lines, place).items)


def _is_named(ours: str, path: str, text: str) -> bool:
    """Whether a text names a file of ours that is in its own folder."""
    folder, _, name = ours.removesuffix(".py").rpartition("/")
    return folder == os.path.dirname(path) and re.search(rf"\b{re.escape(name)}\b", text) is not None
