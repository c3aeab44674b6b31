"""`opkg executorch`: the verbs that work with models in ExecuTorch."""

from __future__ import annotations

import click

from opkg.cli.lazy import LazyGroup

VERBS = {
    "env": ("opkg.cli.executorch_env", "Print the environment in which a Python script lowers and runs models here."),
    "compare": ("opkg.cli.executorch_compare", "Lower and run a model with and without your ops, and compare."),
    "judge": ("opkg.cli.executorch_judge", "Run ExecuTorch's own operator tests with your builders."),
    "intree": ("opkg.cli.executorch_intree", "Put the builders into a checkout of ExecuTorch, or take them out."),
}


class ExecuTorchVerbs(LazyGroup):
    """The verbs below `opkg executorch`."""

    VERBS = VERBS


@click.group("executorch", cls=ExecuTorchVerbs)
def command() -> None:
    """Models in ExecuTorch that use your ops."""
