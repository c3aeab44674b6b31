"""`opkg openvino`: the verbs that work with source trees of OpenVINO."""

from __future__ import annotations

import click

from opkg.cli.lazy import LazyGroup

VERBS = {
    "apply": ("opkg.cli.openvino_apply", "Put the ops of specs into a tree."),
    "remove": ("opkg.cli.openvino_remove", "Take them out again."),
}


class OpenvinoVerbs(LazyGroup):
    """The verbs below `opkg openvino`."""

    VERBS = VERBS


@click.group("openvino", cls=OpenvinoVerbs)
def command() -> None:
    """Source trees of OpenVINO: ops of Snippets with their emitters."""
