"""Finds and reads what the `opkg rules` verbs are about: specs, C++ files, folders of them, standard input."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import click

from opkg.spec.diagnostics import Diagnostic, OpkgError, Span, error, nearest

CPP = (".cpp", ".cc", ".cxx", ".c++", ".c", ".hpp", ".hh", ".hxx", ".h", ".inc")
YAML = (".yaml", ".yml")
MOST = 16 * 1024 * 1024  # bytes of one file
STDIN = "<stdin>"
_SKIPPED = frozenset(("generated", "build", "dist", "node_modules", "venv", "__pycache__"))
_SPEC = re.compile(rb"""(?m)^(?:\xef\xbb\xbf)?["']?opkg["']?[ \t]*:""")
_RULES = re.compile(rb"DEF_PACKAGE_OP|DEF_TENSOR_PROPERTIES|DEF_OPT|DEF_AUTOSPLIT|DEF_PACKAGE_PARAM_ORDER")


@dataclass(frozen=True, slots=True)
class Given:
    """One file a run is about. `named`: given by itself, not found in a folder."""

    path: str  # as findings name it
    data: bytes
    is_spec: bool
    named: bool = True

    def text(self, path: str = "") -> str:
        """C++ source as text; bytes that are not UTF-8 (comments of old files) stay one character each."""
        return self.data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")


def gather(paths: Sequence[str], as_: str | None = None) -> tuple[list[Given], list[Diagnostic]]:
    """The files of `paths` in order, each once, and findings for those that cannot be read.

    A folder is searched for specs and for C++ files in which a macro of an op package stands; `-` is standard input,
    whose kind `as_` says ("cpp" or "yaml"). A file of another suffix is misuse unless `as_` says what it is.
    """
    found: list[Given] = []
    findings: list[Diagnostic] = []
    seen: set[str] = set()
    for path in paths or (["specs"] if os.path.isdir("specs") else ["."]):
        inside = os.path.isdir(path)
        for name in _walk(path) if inside else (path,):
            whole = name if name == "-" else os.path.realpath(name)
            if whole in seen:
                continue
            seen.add(whole)
            given = _read(name, as_, not inside, findings)
            if given is not None:
                found.append(given)
    if not found and not findings:
        where = ", ".join(paths) or "here"
        raise OpkgError([error("OPK300", f"no spec and no C++ file with rules found in {where}", Span(""))])
    return found, findings


def _walk(top: str) -> Iterator[str]:
    """Files below a folder whose suffix is one of ours, in order."""

    def fail(failure: OSError) -> None:
        raise OpkgError([_unreadable(str(failure.filename or top), failure.strerror or "")])

    for folder, folders, names in os.walk(top, onerror=fail):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        for name in sorted(names):
            if name.endswith(CPP + YAML) and not name.startswith("."):
                yield os.path.normpath(os.path.join(folder, name))


def kind_of(path: str, as_: str | None) -> bool:
    """Whether a file is a spec (else C++). UsageError when the suffix tells neither."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix in YAML and as_ != "cpp":
        return True
    if suffix in CPP and as_ != "yaml":
        return False
    if as_ is not None:
        return as_ == "yaml"
    if path == "-":
        raise click.UsageError("'-' needs --as cpp or --as yaml.")
    near = nearest(suffix, CPP + YAML) if suffix else None
    hint = f" Did you mean '{near}'?" if near else ""
    raise click.UsageError(f"'{path}': neither a spec (.yaml) nor C++ (.cpp, .h); say which with --as.{hint}")


def _read(path: str, as_: str | None, named: bool, findings: list[Diagnostic]) -> Given | None:
    """One file; None after a finding, or when it was found in a folder and holds nothing of ours."""
    is_spec = kind_of(path, as_)
    data = read_bytes(path, findings)
    if data is None:
        return None
    in_specs = "specs" in path.split("/")[:-1]
    if not named and not (_SPEC.search(data) or in_specs if is_spec else _RULES.search(data)):
        return None
    if not is_spec and b"\0" in data:
        findings.append(_unreadable(path, "this is no text"))
        return None
    return Given(STDIN if path == "-" else path, data, is_spec, named)


def read_bytes(path: str, findings: list[Diagnostic]) -> bytes | None:
    """The bytes of a file or of standard input ('-'); None after a finding. A FIFO nobody writes to is empty."""
    from opkg.project import files

    try:
        data = sys.stdin.buffer.read(MOST + 1) if path == "-" else files.read(path, limit=MOST)
    except OSError as failure:
        findings.append(_unreadable(path, failure.strerror or "error"))
        return None
    if len(data) > MOST:
        findings.append(_unreadable(path, f"it has more than {MOST >> 20} MiB"))
        return None
    return data


def _unreadable(path: str, why: str) -> Diagnostic:
    return error("OPK301", f"cannot be read: {why}", Span(path))
