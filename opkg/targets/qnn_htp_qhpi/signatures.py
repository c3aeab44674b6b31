"""Signatures of tensors in kernel records: their names, and the lists of them that the records of a package share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import NamedTuple

from opkg.spec.model import Op, Placement, Storage
from opkg.targets.qnn_common.names import camel
from opkg.targets.qnn_htp_qhpi.facts import PLACEMENT, STORAGE

_COUNTS = dict(enumerate(("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"), 1))
_LONGEST = 80  # letters of a list's name


class Signature(NamedTuple):
    """One tensor of a kernel record."""

    element: str  # QHPI element type, "QUInt8"
    layout: str
    storage: Storage
    placement: Placement

    @property
    def name(self) -> str:
        """Name of the C++ constant: `kQUInt8Flat4`, `kQUInt8Crouton8Tcm`, `kAbsent`. Blocks in one buffer say so."""
        return _name(self)

    @property
    def initializer(self) -> str:
        element = "QHPI_ELEMENT_TYPE_ANY" if self.element == NULL else f"QHPI_{self.element.upper()}"
        parts = (element, self.layout, STORAGE[self.storage], PLACEMENT[self.placement])
        return ", ".join(parts)


@cache
def _name(signature: Signature) -> str:
    if signature.element == NULL:
        return "kAbsent"
    layout = camel(signature.layout.removeprefix("QHPI_LAYOUT_").lower())
    usual = Storage.INDIRECT if layout.startswith("Crouton") else Storage.DIRECT
    stored = "" if signature.storage is usual else camel(signature.storage)
    place = "" if signature.placement is Placement.EITHER else camel(signature.placement)
    return f"k{signature.element}{layout}{stored}{place}"


NULL = "Any_Element_Type"  # what the place of an absent input must ask for (docs/measured-qhpi.md)
ABSENT = Signature(NULL, "QHPI_LAYOUT_SHAPE_ONLY", Storage.DIRECT, Placement.EITHER)


@dataclass(frozen=True, slots=True)
class SignatureList:
    """A named list of signatures, shared by the records that need the same."""

    name: str
    signatures: tuple[Signature, ...]


@dataclass(frozen=True, slots=True)
class Signatures:
    """The signatures and lists of all ops of a package, each once: what is named alike holds the same."""

    each: tuple[Signature, ...]
    laid: tuple[Signature, ...]  # the lists one behind another, but for those that lie in others
    lists: tuple[tuple[SignatureList, int], ...]  # with where they begin


def shared_signatures(lists_of: Iterable[Sequence[SignatureList]]) -> Signatures:
    """`lists_of`: the lists of each op."""
    lists = {group.name: group for of_op in lists_of for group in of_op}
    each = {s.name: s for group in lists.values() for s in group.signatures}
    laid: list[Signature] = []
    text = " "  # their names, with a blank behind each
    begins: dict[str, int] = {}
    for group in sorted(lists.values(), key=lambda group: -len(group.signatures)):
        names = "".join(f"{signature.name} " for signature in group.signatures)
        at = text.find(f" {names}")
        begins[group.name] = text.count(" ", 0, at) if at >= 0 else len(laid)
        if at < 0:
            laid += group.signatures
            text += names
    placed = tuple((group, begins[group.name]) for group in lists.values())
    return Signatures(tuple(each.values()), tuple(laid), placed)


def named(op: Op, signatures: list[Signature], lists: dict[tuple[Signature, ...], SignatureList]) -> SignatureList:
    """The list of signatures, named by what it holds: `kOneQUInt8Flat4`, `kTwoQUInt8Flat4AbsentFloat32Flat4`; by the op
    where that is long."""
    key = tuple(signatures)
    if key not in lists:
        runs = [(s.name[1:], len(list(run))) for s, run in groupby(signatures)]
        parts = [name if n == 1 and len(runs) > 1 else f"{_COUNTS.get(n, n)}{name}" for name, n in runs]
        name, taken = "k" + "".join(parts), {group.name for group in lists.values()}
        if not runs or len(name) > _LONGEST or name in taken:
            name = f"k{camel(op.name)}Tensors{len(lists)}"
        lists[key] = SignatureList(name, key)
    return lists[key]
