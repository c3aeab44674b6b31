"""`intree.json` of a project: what was put into which checkout, so that exactly that can be taken out again."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from opkg.project import files
from opkg.spec.diagnostics import OpkgError, Span, error
from opkg.targets.foreign import Place
from opkg.trees.rows import ANCHORED

KINDS = frozenset({"classes", "imports", "names", "list", "call", "guards", "starts", "lines", "table", *ANCHORED})
PATH = "intree.json"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Put:
    """An entry as it was inserted."""

    path: str
    place: Place
    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Laid:
    """What one package has in one checkout. `files`: SHA-256 of each (unix line ends); `copyright`: who is named at their
    head, empty for no licence text."""

    files: dict[str, str] = field(default_factory=dict)
    entries: tuple[Put, ...] = ()
    copyright: str = ""


Record = dict[str, dict[str, Laid]]
"""Checkout (relative to the project) -> package -> what was put in."""


def load(root: str, shown: str) -> Record:
    """The record of a project. Raises OpkgError (OPK366) when it cannot be read."""
    try:
        value = json.loads(files.unix(files.read(f"{root}/{PATH}")).decode())
        if value["format"] != FORMAT:
            raise ValueError(f"its format is {value['format']}, not {FORMAT}")
        return {
            str(checkout): {str(name): _laid(laid) for name, laid in packages.items()}
            for checkout, packages in value["checkouts"].items()
        }
    except FileNotFoundError:
        return {}
    except OSError as failure:
        words = failure.strerror or str(failure)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as failure:
        words = str(failure) or type(failure).__name__
    hint = "restore it from version control, or delete it: opkg then looks in the checkout for what is its own"
    raise OpkgError([error("OPK366", f"the record of checkouts cannot be read: {words}", Span(f"{shown}{PATH}"), hint)])


def _laid(value: Any) -> Laid:
    made = {_inside(path): str(checksum) for path, checksum in value["files"].items()}
    entries = [
        Put(_inside(each["path"]), _place(each["place"]), str(each["key"]), str(each["text"]))
        for each in value["entries"]
    ]
    return Laid(made, tuple(entries), str(value.get("copyright", "")))


def _place(words: list[str]) -> Place:
    if words[0] not in KINDS:
        raise ValueError(f"'{words[0]}' is no kind of list")
    if words[0] in ANCHORED and words[1] not in ANCHORED[words[0]]:
        raise ValueError(f"'{words[1]}' is no place in a tree of {words[0]}")
    return Place(*(str(word) for word in words))


def _inside(path: str) -> str:
    if path.startswith("/") or ".." in path.split("/"):
        raise ValueError(f"{path} leads out of the checkout")
    return path


def text(record: Record) -> bytes:
    """The bytes of the file; empty when there is nothing to remember."""
    checkouts = {
        checkout: {
            name: {
                **({"copyright": laid.copyright} if laid.copyright else {}),
                "files": dict(sorted(laid.files.items())),
                "entries": [
                    {"path": p.path, "place": _words(p.place), "key": p.key, "text": p.text} for p in laid.entries
                ],
            }
            for name, laid in sorted(packages.items())
        }
        for checkout, packages in sorted(record.items())
        if packages
    }
    if not checkouts:
        return b""
    return (json.dumps({"format": FORMAT, "checkouts": checkouts}, indent=1) + "\n").encode()


def _words(place: Place) -> list[str]:
    return [place.kind, place.name, place.prefix, place.until]
