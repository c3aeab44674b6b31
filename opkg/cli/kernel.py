"""`opkg kernel`: the verbs that work on kernels that are generated from `compute:`."""

from __future__ import annotations

import click

from opkg.cli.lazy import LazyGroup

VERBS = {
    "show": ("opkg.cli.kernel_show", "Show how an op's computation becomes a kernel."),
    "tune": ("opkg.cli.kernel_tune", "Find out how far to unroll the loops of generated kernels."),
}


class KernelVerbs(LazyGroup):
    """The verbs below `opkg kernel`."""

    VERBS = VERBS


@click.group("kernel", cls=KernelVerbs)
def command() -> None:
    """Kernels that are generated from what an op computes (`compute:`)."""
