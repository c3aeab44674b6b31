"""Writes what was planned for a checkout, with the record of it in the project: both or neither, under their locks."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from opkg.project import files, lock
from opkg.project.recovery import recover_locked, unfinished
from opkg.project.transaction import Change, Changed, Transaction
from opkg.spec.diagnostics import Diagnostic
from opkg.trees import record as records
from opkg.trees.checkout import Checkout
from opkg.trees.record import Record


def apply(checkout: Checkout, project: str, shown: str, record: Record) -> None:
    """Writes the changes and the record of the project (absolute path), both or neither. Raises OpkgError."""
    from opkg.spec.diagnostics import OpkgError

    changes = [Change(each.path, _maker(each.after), checkout.signatures.get(each.path)) for each in checkout.changes()]
    remembered = _record_change(project, records.text(record))
    begun = [(Transaction(checkout.root), changes, checkout.prefix), (Transaction(project), remembered, shown)]
    finding = _write([each for each in begun if each[1]])
    if finding is not None:
        raise OpkgError([finding])
    _sweep(checkout)


def _maker(text: str | None) -> Callable[[], bytes] | None:
    return None if text is None else text.encode


def _record_change(project: str, data: bytes) -> list[Change]:
    place = f"{project}/{records.PATH}"
    try:
        found = os.lstat(place)
    except OSError:
        return [Change(records.PATH, lambda: data)] if data else []
    if files.read(place) == data:
        return []
    signature = (found.st_ino, found.st_size, found.st_mtime_ns)
    return [Change(records.PATH, (lambda: data) if data else None, signature)]


def _write(begun: Sequence[tuple[Transaction, list[Change], str]]) -> Diagnostic | None:
    """Stages both, then puts both in place; the finding when that failed and everything was undone."""
    from opkg.project import findings
    from opkg.project.interrupt import interruptible, uninterrupted

    working = begun[0] if begun else None
    try:
        with interruptible():
            for working in begun:
                working[0].stage(working[1])
            for working in begun:
                working[0].apply()
            with uninterrupted():
                for transaction, _, _ in begun:
                    transaction.finish()
    except BaseException as failure:
        with uninterrupted():
            for transaction, _, prefix in reversed(begun):
                try:
                    transaction.rollback()
                except OSError as trouble:
                    raise unfinished(prefix, trouble) from trouble
        if working is None or not isinstance(failure, (Changed, OSError)):
            raise
        path = working[2] + working[0].current
        return (
            findings.changed_meanwhile(path) if isinstance(failure, Changed) else findings.cannot_write(path, failure)
        )
    return None


def _sweep(checkout: Checkout) -> None:
    """Folders of ours of which only Python's cache is left."""
    import shutil

    for folder in {os.path.dirname(each.path) for each in checkout.changes() if each.after is None}:
        place = f"{checkout.root}/{folder}"
        if os.path.isdir(place) and os.listdir(place) == ["__pycache__"]:
            shutil.rmtree(place, ignore_errors=True)


def hold(stack: ExitStack, roots: Sequence[tuple[str, str]]) -> None:
    """Locks the folders (absolute, as shown) until the stack ends, and undoes what a killed run left in them."""
    for root, shown in dict.fromkeys(roots):
        stack.enter_context(lock.locked(root, shown, exclusive=True))
        recover_locked(root, shown)
