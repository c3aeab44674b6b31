"""Finds targets by name: ours from a table (nothing else is imported), others through the entry-point group."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from opkg import __version__
from opkg.spec.diagnostics import Diagnostic, OpkgError, Severity, Span, error, nearest

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from opkg.targets.artifact import Target

GROUP = "opkg.targets"

# The same names as in our own pyproject.toml; asking its metadata would cost as much as a whole `opkg check`.
BUILT_IN = {
    "qnn-htp-qhpi": "opkg.targets.qnn_htp_qhpi:TARGET",
    "qnn-htp-classic": "opkg.targets.qnn_htp_classic:TARGET",
    "executorch-builder": "opkg.targets.executorch_builder:TARGET",
    "onert": "opkg.targets.onert:TARGET",
    "openvino-extension": "opkg.targets.openvino_extension:TARGET",
    "onnxruntime": "opkg.targets.onnxruntime:TARGET",
}


class Maker(NamedTuple):
    """The distribution that provides a target. `editable`: its code may change under one version."""

    distribution: str
    version: str
    editable: bool = False

    def __str__(self) -> str:
        return f"{self.distribution} {self.version}"


class Loaded(NamedTuple):
    """A target that can be used, by the name that specs give it, and whose it is."""

    name: str
    target: Target
    maker: Maker


class Listed(NamedTuple):
    """A line of `opkg targets`."""

    name: str
    summary: str
    maker: Maker


OURS = Maker("opkg", __version__)


def load(name: str, span: Span) -> Loaded:
    """The target called `name`. Raises OpkgError at `span`: OPK302 unknown, OPK303 its plugin is broken."""
    if name in BUILT_IN:
        return _ours(name)
    for point in _entry_points():
        if point.name == name:
            return Loaded(name, _load(point, span), _maker(point))
    raise OpkgError([_unknown(name, span)])


@cache
def _ours(name: str) -> Loaded:
    """One of the built-in targets, which thousands of specs may ask for."""
    module, _, attribute = BUILT_IN[name].partition(":")
    return Loaded(name, getattr(import_module(module), attribute), OURS)


def listing() -> tuple[list[Listed], list[Diagnostic]]:
    """All targets, ours first, and a finding for each one that cannot be loaded."""
    found: list[Listed] = []
    findings: list[Diagnostic] = []
    for name in BUILT_IN:
        loaded = load(name, Span(""))
        found.append(Listed(name, loaded.target.summary, loaded.maker))
    for point in _entry_points():
        maker = _maker(point)
        if any(point.name == listed.name for listed in found):
            message = f"target '{point.name}' of {maker} is hidden by one of the same name"
            findings.append(
                Diagnostic("OPK303", message, Span(""), f"uninstall {maker.distribution}", Severity.WARNING)
            )
            continue
        try:
            found.append(Listed(point.name, str(_load(point, Span("")).summary), maker))
        except OpkgError as broken:
            findings += broken.diagnostics
    return found, findings


def installed(distribution: str) -> Maker | None:
    """The distribution as it is installed now; None when it is not."""
    from importlib import metadata

    try:
        return _maker_of(metadata.distribution(distribution))
    except metadata.PackageNotFoundError:
        return None


def failed(name: str, maker: Maker, span: Span, failure: Exception) -> OpkgError:
    """A third party's target raised an exception in `check` or `render`: an OPK303 that says whose fault it is."""
    message = f"target '{name}' of {maker} failed: {_words(failure)}"
    hint = f"report it to the authors of {maker.distribution}; OPKG_DEBUG=1 shows the traceback"
    return OpkgError([error("OPK303", message, span, hint)])


def _entry_points() -> tuple[EntryPoint, ...]:
    """The entry points of others, by name; ours are in the table."""
    return _scan(tuple(sys.path))


@cache
def _scan(places: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """Reads the metadata of everything that is installed: slow, so once for one search path."""
    from importlib.metadata import entry_points

    points = sorted(entry_points(group=GROUP), key=lambda p: (p.name, p.value))
    return tuple(point for point in points if BUILT_IN.get(point.name) != point.value)


def _load(point: EntryPoint, span: Span) -> Target:
    maker = _maker(point)
    try:
        target: Any = point.load()
    except Exception as failure:  # whatever a plugin does when imported
        message = f"target '{point.name}' of {maker} cannot be loaded: {_words(failure)}"
        hint = f"reinstall or remove it: pip install --force-reinstall {maker.distribution}"
        raise OpkgError([error("OPK303", message, span, hint)]) from failure
    lacking = [name for name in ("name", "summary", "check", "render") if not hasattr(target, name)]
    if lacking:
        message = f"target '{point.name}' of {maker} has no {', '.join(lacking)}"
        raise OpkgError([error("OPK303", message, span, "see opkg.targets.artifact.Target")])
    found: Target = target
    return found


def _unknown(name: str, span: Span) -> Diagnostic:
    known = [*BUILT_IN, *(point.name for point in _entry_points())]
    near = nearest(name, known)
    hint = f"did you mean '{near}'?" if near else f"installed: {', '.join(known)}"
    return error("OPK302", f"unknown target '{name}'", span, hint)


def _maker(point: EntryPoint) -> Maker:
    return _maker_of(point.dist) if point.dist is not None else Maker(point.module, "?")


def _maker_of(distribution: Any) -> Maker:
    origin = distribution.read_text("direct_url.json") or ""
    name = str(distribution.metadata["Name"] or "?")
    return Maker(name, str(distribution.version), '"editable": true' in origin)


def _words(failure: Exception) -> str:
    return f"{type(failure).__name__}: {failure}".rstrip(": ").splitlines()[0]
