"""What a rule does not say itself: values of graph options, and Python for the C++ functions that rules call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from opkg.spec.diagnostics import OpkgError, Span, error

OptionValue = bool | int | float | str


def option_value(text: str) -> OptionValue:
    """What `--option name=TEXT` gives: true, false, a number, else the text."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _options(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, OptionValue]:
    """`--option name=value`, repeated."""
    found = {}
    for value in values:
        name, mark, text = value.partition("=")
        if not name or not mark:
            raise click.BadParameter(f"'{value}': write name=value", ctx, param)
        found[name] = option_value(text)
    return found


def graph_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--option` and `--external`, on a command."""
    option = click.option(
        "--option", "options", metavar="NAME=VALUE", multiple=True, callback=_options, help="Set a graph option."
    )
    external = click.option("--external", metavar="FILE.py", help="Python for the C++ functions that rules call.")
    return option(external(function))


def externals(path: str | None) -> dict[str, Callable[..., Any]]:
    """The functions of a Python file by name (those that begin with `_` aside); none without a file.

    Raises OpkgError (OPK588) when the file cannot be read or run.
    """
    if path is None:
        return {}
    space: dict[str, Any] = {"__name__": "opkg_externals", "__file__": path}
    try:
        with open(path, encoding="utf-8") as file:
            source = file.read(1 << 22)
        exec(compile(source, path, "exec"), space)  # the user's own file, named by the user
    except SyntaxError as failure:
        line, column = failure.lineno or 1, max(failure.offset or 1, 1)
        span = Span(path, line, column, line, column + 1)
        raise OpkgError([error("OPK588", f"this is no Python: {failure.msg}", span)]) from None
    except OSError as failure:
        raise OpkgError([error("OPK588", f"cannot be read: {failure.strerror}", Span(path))]) from None
    except (Exception, SystemExit) as failure:
        line = _line(failure, path)
        message = f"running the file failed: {type(failure).__name__}: {failure}"
        raise OpkgError([error("OPK588", message, Span(path, line, 1, line, 2))]) from None
    return {name: value for name, value in space.items() if callable(value) and not name.startswith("_")}


def _line(failure: BaseException, path: str) -> int:
    """The last line of the file that the exception came through."""
    line, trace = 1, failure.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
