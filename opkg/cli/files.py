"""Files that a command line names."""

from __future__ import annotations

import os

import click


class Source(click.Path):
    """A file to read whose content is more than once read or run: no folder, no device (/dev/full never ends), no pipe."""

    def __init__(self, **given: object) -> None:
        super().__init__(exists=True, dir_okay=False, **given)  # type: ignore[arg-type]

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        if os.path.exists(value) and not os.path.isdir(value) and not os.path.isfile(value):
            self.fail(f"{os.fspath(value)!r} is no file: a device or a pipe.", param, ctx)
        return super().convert(value, param, ctx)
