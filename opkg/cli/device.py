"""`opkg device`: the verbs that look at libraries for a device."""

from __future__ import annotations

import click

from opkg.cli.lazy import LazyGroup

VERBS = {"check": ("opkg.cli.device_check", "Say what a device would refuse in a library.")}


class DeviceVerbs(LazyGroup):
    """The verbs below `opkg device`."""

    VERBS = VERBS


@click.group("device", cls=DeviceVerbs)
def command() -> None:
    """Libraries for a device, by whomever they were made."""
