"""`opkg onert`: the verbs that work with source trees of onert (Samsung ONE)."""

from __future__ import annotations

import click

from opkg.cli.lazy import LazyGroup

VERBS = {
    "new": ("opkg.cli.onert_new", "Make a spec of an operation for onert."),
    "apply": ("opkg.cli.onert_apply", "Put the operations of specs into a tree."),
    "remove": ("opkg.cli.onert_remove", "Take them out again."),
    "audit": ("opkg.cli.onert_audit", "Say which operation of a tree lacks what."),
}


class OnertVerbs(LazyGroup):
    """The verbs below `opkg onert`."""

    VERBS = VERBS


@click.group("onert", cls=OnertVerbs)
def command() -> None:
    """Source trees of onert, the runtime of Samsung ONE."""
