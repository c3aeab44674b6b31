"""What a project says once for all runs: `opkg.toml`, or the table [tool.opkg] of its pyproject.toml."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from opkg.project import files
from opkg.spec.diagnostics import Diagnostic, OpkgError, Span, error, nearest

FILES = ("opkg.toml", "pyproject.toml")
_MOST = 1 << 20  # bytes
_PYPROJECT = "pyproject.toml"


@dataclass(frozen=True, slots=True)
class Config:
    """Defaults of options; None or empty: opkg's own. An option on the command line goes before them."""

    machines: tuple[str, ...] = ()
    cases: int | None = None
    seed: int | None = None
    timeout: float | None = None
    large: int | None = None
    targets: tuple[str, ...] = ()
    places: Mapping[str, Span] = field(default_factory=dict, compare=False)  # where each key stands


@dataclass(frozen=True, slots=True)
class _Key:
    """What a key may be: `means` in words, and its value as opkg has it; None for one that does not do."""

    means: str
    read: Callable[[object], object | None]


def _names(value: object) -> tuple[str, ...] | None:
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list) or not words or not all(isinstance(word, str) and word for word in words):
        return None
    return tuple(dict.fromkeys(words))


def _whole(low: int, high: int) -> Callable[[object], int | None]:
    def read(value: object) -> int | None:
        return value if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high else None

    return read


def _seconds(value: object) -> float | None:
    good = isinstance(value, (int, float)) and not isinstance(value, bool) and 0.1 <= value < 1e6
    return float(value) if good and isinstance(value, (int, float)) else None


KEYS: Mapping[str, _Key] = {
    "machines": _Key("a list of machines: ['host', 'htp']", _names),
    "cases": _Key("a number from 1 to 100000", _whole(1, 100_000)),
    "seed": _Key("a number from 0", _whole(0, 1 << 62)),
    "timeout": _Key("seconds, at least 0.1", _seconds),
    "large": _Key("a number of bytes up to 268435456; 0: none", _whole(0, 256 << 20)),
    "targets": _Key("a list of targets: ['qnn-htp-qhpi']", _names),
}


def config_of(root: str, prefix: str = "") -> Config:
    """The configuration of the project in `root`; OPK660 to OPK662 are raised with places (`prefix` before the paths).

    opkg.toml goes before pyproject.toml; where neither says anything, everything is opkg's own default.
    """
    for name in FILES:
        try:
            text = files.read(os.path.join(root, name), limit=_MOST).decode("utf-8")
        except FileNotFoundError:
            continue
        except (OSError, UnicodeDecodeError) as failure:
            reason = failure.strerror if isinstance(failure, OSError) else "it is not UTF-8"
            raise OpkgError([error("OPK660", f"cannot be read: {reason}", Span(prefix + name))]) from None
        table = _table(text, prefix + name, name == _PYPROJECT)
        if table is not None:
            return _read(table, text, prefix + name, name == _PYPROJECT)
    return Config()


def _table(text: str, path: str, shared: bool) -> Mapping[str, object] | None:
    """The keys; None where pyproject.toml says nothing of opkg. A pyproject.toml that is broken is others' business as long as
    it does not speak of opkg."""
    if shared and "opkg" not in text:
        return None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as failure:
        found = re.search(r"\(at line (\d+), column (\d+)\)", str(failure))
        line, column = (int(found[1]), int(found[2])) if found else (1, 1)
        message = str(failure).partition(" (at ")[0]
        message = message[:1].lower() + message[1:]
        raise OpkgError([error("OPK660", f"no TOML: {message}", Span(path, line, column, line, column + 1))]) from None
    if not shared:
        return data
    table = data.get("tool", {}).get("opkg") if isinstance(data.get("tool"), dict) else None
    return table if isinstance(table, dict) else None


def _read(table: Mapping[str, object], text: str, path: str, shared: bool) -> Config:
    found: list[Diagnostic] = []
    values: dict[str, object] = {}
    for key, value in table.items():
        span = _place(text, key, path, shared)
        if key not in KEYS:
            near = nearest(key, tuple(KEYS))
            hint = f"did you mean '{near}'?" if near else f"there are {', '.join(KEYS)}"
            found.append(error("OPK661", f"there is no setting '{key}'", span, hint))
            continue
        values[key] = KEYS[key].read(value)
        if values[key] is None:
            found.append(error("OPK662", f"'{key}' cannot be {value!r:.40}", span, KEYS[key].means))
    if found:
        raise OpkgError(found)
    values["places"] = {key: _place(text, key, path, shared) for key in table}
    return Config(**values)  # type: ignore[arg-type]


def _place(text: str, key: str, path: str, shared: bool) -> Span:
    """Where a key stands: its first line, in [tool.opkg] where the file is others' too."""
    lines = text.split("\n")
    inside = not shared
    for number, line in enumerate(lines, 1):
        head = re.match(r"\s*\[\s*([^\]]+?)\s*\]", line)
        if head and shared:
            inside = re.sub(r"[\s\"']", "", head[1]) == "tool.opkg"
        match = re.match(rf"\s*([\"']?){re.escape(key)}\1\s*=", line) if inside else None
        if match:
            column = line.index(key) + 1
            return Span(path, number, column, number, column + len(key))
    return Span(path)
