"""Loads the Python file that stands in for the C++ functions rules call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opkg.spec.diagnostics import OpkgError, Span, error


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
