"""Undoes what a killed run left half done, before anything else looks at the project."""

from __future__ import annotations

import os

from opkg.project import lock
from opkg.project.files import DONE, FOLDER
from opkg.spec.diagnostics import OpkgError, Span, error


def pending(root: str) -> bool:
    """Whether a run that was killed left something behind."""
    return os.path.lexists(f"{root}/{FOLDER}") or os.path.lexists(f"{root}/{DONE}")


def recover(root: str, shown: str) -> bool:
    """Whether there was something to undo. Raises OpkgError (OPK327) when that is not possible."""
    if not pending(root):
        return False
    with lock.locked(root, shown, exclusive=True):
        return recover_locked(root, shown)


def recover_locked(root: str, shown: str) -> bool:
    """As `recover`, for who holds the lock."""
    if not pending(root):
        return False
    from opkg.project import transaction
    from opkg.project.interrupt import uninterrupted

    try:
        with uninterrupted():
            transaction.undo(root)
    except OSError as failure:
        raise unfinished(shown, failure) from None
    return True


def unfinished(shown: str, failure: OSError) -> OpkgError:
    """The finding that a change could not be undone now."""
    words = failure.strerror or str(failure)
    message = f"an interrupted run could not be undone: {words}"
    hint = f"make the folder writable and run opkg again; the old files are in {FOLDER}/old"
    return OpkgError([error("OPK327", message, Span(f"{shown}{FOLDER}"), hint)])
