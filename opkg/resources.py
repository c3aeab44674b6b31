"""What ships with opkg: templates, schemas, our own headers; one strict jinja2 environment renders the templates."""

from __future__ import annotations

import contextlib
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any


@cache
def data_folder(name: str) -> Path:
    """`templates` or `schemas`: inside the wheel, or at the top of a checkout."""
    package = Path(__file__).parent
    shipped = package / "_data" / name
    return shipped if shipped.is_dir() else package.parent / name


@cache
def _environment() -> Any:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(data_folder("templates")),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        auto_reload=False,
        bytecode_cache=_bytecode(),
    )


def _bytecode() -> Any:
    """Compiled templates beside our own `.pyc` files, where Python may write those; else none (30 ms a run).

    Like those, they are left out where there is no room for them or the file system is read-only.
    """
    import jinja2

    class Compiled(jinja2.FileSystemBytecodeCache):
        def dump_bytecode(self, bucket: Any) -> None:
            with contextlib.suppress(OSError):
                super().dump_bytecode(bucket)

    folder = Path(__file__).parent / "__pycache__"
    if sys.dont_write_bytecode or not os.access(folder, os.W_OK):
        return None
    return Compiled(str(folder), "template-%s.pyc")


@cache
def _template(name: str) -> Any:
    found = _environment().get_template(name)
    found.globals = dict(found.globals)  # each render copies them: a chain of dicts takes longer than a small template
    return found


def render(template: str, /, **context: object) -> str:
    """The text of a template, with exactly one newline at its end and no blanks before line ends."""
    text: str = _template(template).render(**context)
    return text.rstrip() + "\n"


@cache
def plain(template: str) -> str:
    """A file of `templates/` as it stands."""
    return (data_folder("templates") / template).read_text("utf-8")


@cache
def sim_header(name: str) -> str:
    """One of our own SDK headers that a generated package carries with it."""
    return (Path(__file__).parent / "sim" / "include" / name).read_text("utf-8")


@cache
def device_script(name: str) -> str:
    """One of the files of `opkg/device` that a generated package carries, to run where opkg is not installed."""
    text = (Path(__file__).parent / "device" / name).read_text("utf-8")
    return text.replace("from opkg.device.", "from ")
