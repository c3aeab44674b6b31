"""`opkg onnx`: the verbs that work on ONNX models."""

from __future__ import annotations

import click

from opkg.cli.lazy import LazyGroup

VERBS = {"patch": ("opkg.cli.onnx_patch", "Put ops of a spec into a model, in the place of what their patterns say.")}


class OnnxVerbs(LazyGroup):
    """The verbs below `opkg onnx`."""

    VERBS = VERBS


@click.group("onnx", cls=OnnxVerbs)
def command() -> None:
    """Models in ONNX files."""
