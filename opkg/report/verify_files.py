"""Writes the report files of a verification: verify.html, verify.json and verify.xml (JUnit) in a folder."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from opkg.report import verify_html, verify_json, verify_junit
from opkg.verify.judge.outcome import VerifyResult

NAMES = {"html": "verify.html", "json": "verify.json", "junit": "verify.xml"}


def write(result: VerifyResult, folder: Path) -> dict[str, Path]:
    """Writes all three; returns their paths by kind ("html", "json", "junit")."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "html": verify_html.render(result),
        "json": verify_json.render(result),
        "junit": verify_junit.render(result),
    }
    return {kind: write_text(folder / NAMES[kind], text) for kind, text in texts.items()}


def write_text(path: Path, text: str) -> Path:
    """Writes a file whole or not at all."""
    handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        Path(scratch).chmod(0o666 & ~mask)
        Path(scratch).replace(path)
    except BaseException:
        Path(scratch).unlink(missing_ok=True)
        raise
    return path
