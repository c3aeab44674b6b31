"""Where a name can stand: what is set up with it, and the command lines that then meet it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from adverse_commands import QUICK, SPEC

Lines = tuple[tuple[str, ...], ...]


class Role(NamedTuple):
    """`setup(project, name)` puts the name there; the folder to run in, None where the file system does not take it."""

    setup: Callable[[Path, str], Path | None]
    lines: Callable[[str], Lines]


def _here(project: Path, name: str) -> Path:
    return project


def _folder(project: Path, name: str) -> Path | None:
    """The project in a folder of that name."""
    try:
        place = project.parent / "named" / name
        if "/" in name or name in ("", ".", ".."):
            return None
        place.parent.mkdir()
        shutil.move(project, place)
    except (OSError, ValueError):
        return None
    return place


def _spec_file(project: Path, name: str) -> Path | None:
    """The spec in a file of that name."""
    try:
        if "/" in name:
            return None
        (project / "specs" / "mini.yaml").rename(project / "specs" / f"{name}.yaml")
    except (OSError, ValueError):
        return None
    return project


def _replaced(word: str) -> Callable[[Path, str], Path | None]:
    """The spec with that name in place of a word of it, quoted as YAML wants it."""

    def setup(project: Path, name: str) -> Path | None:
        quoted = json.dumps(name, ensure_ascii=name.isprintable())
        text = SPEC.replace(word, quoted)
        assert text != SPEC
        try:
            (project / "specs" / "mini.yaml").write_text(text)
        except UnicodeEncodeError:
            return None
        return project

    return setup


def _unquoted(project: Path, name: str) -> Path | None:
    """An op's name as it stands, whatever YAML makes of it."""
    (project / "specs" / "mini.yaml").write_text(SPEC.replace("Twist", name), errors="surrogatepass")
    return project


_READING: Lines = (
    ("validate",),
    ("generate",),
    ("check",),
    ("validate", "--format", "sarif"),
    ("kernel", "show", "Gated"),
)

ROLES: dict[str, Role] = {
    "op of new": Role(
        _here, lambda n: (("new", "--no-input", "--", n), ("new", "--kind", "custom", "--no-input", "--", n))
    ),
    "package of new": Role(
        _here, lambda n: (("new", "Op", f"--package={n}", "--dir", "p"), ("new", "Op", f"--package={n}"))
    ),
    "folder of new": Role(
        _here, lambda n: (("new", "Op", f"--dir={n}"), ("new", "Op", "--kind", "layout", f"--dir={n}"))
    ),
    "path": Role(
        _here,
        lambda n: tuple(
            (*verb, "--", n)
            for verb in (
                ("validate",),
                ("generate", "--dry-run"),
                ("check",),
                ("build",),
                ("verify", "--on", "host"),
                ("rules", "check"),
                ("rules", "format", "--check"),
                ("rules", "explain"),
                ("rules", "offer"),
                ("rules", "migrate"),
                ("executorch", "env"),
                ("executorch", "intree"),
                ("executorch", "judge"),
                ("executorch", "compare"),
                ("bench",),
                ("kernel", "show"),
                ("explain",),
                (),
                ("rules", "apply", "graphs/add_relu.txt"),
                ("rules", "apply"),
            )
        ),
    ),
    "option": Role(
        _here,
        lambda n: tuple(
            (*verb, n)
            for verb in (
                ("validate", "--format"),
                ("generate", "--target"),
                ("verify", "--on"),
                ("verify", "--on", "host", "--op"),
                ("verify", "--on", "host", "--case"),
                ("kernel", "show", "Gated", "--package"),
                ("rules", "explain", "--construct"),
                ("rules", "explain", "cpp/fuse.cpp", "--rule"),
                ("rules", "check", "cpp/fuse.cpp", "--package"),
                ("-C",),
                ("rules", "test", "cpp/order.cpp", "--option"),
                ("rules", "migrate", "cpp/fuse.cpp", "--package"),
                ("schema", "--write"),
                ("rules", "apply", "graphs/add_relu.txt", "cpp/fuse.cpp", "--output"),
                ("rules", "test", "--external"),
            )
        ),
    ),
    "folder of a project": Role(
        _folder, lambda n: (*(line for line in QUICK if line[0] not in ("schema", "explain", "doctor")),)
    ),
    "file of a spec": Role(
        _spec_file, lambda n: (*_READING, ("new", "More"), ("rules", "check", "specs"), ("rules", "format", "specs"))
    ),
    "op in a spec": Role(_replaced("Twist"), lambda n: (*_READING, ("new", "More", "--kind", "custom"))),
    "op in a spec, bare": Role(_unquoted, lambda n: _READING),
    "input in a spec": Role(_replaced("x"), lambda n: _READING[:2]),
    "package in a spec": Role(_replaced("a.mini"), lambda n: (*_READING, ("new", "More"))),
    "target in a spec": Role(_replaced("qnn-htp-classic"), lambda n: _READING[:2]),
    "summary in a spec": Role(_replaced("the negative"), lambda n: _READING[:3]),
    "reference in a spec": Role(
        _replaced("references:twist"), lambda n: (*_READING[:2], ("verify", "--on", "host", "--op", "None"))
    ),
    "computation in a spec": Role(_replaced("silu(a + b)"), lambda n: _READING[:2]),
    "layout in a spec": Role(_replaced("x.shape"), lambda n: _READING[:2]),
}
