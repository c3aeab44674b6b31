"""opkg bench: figures are the same wherever opkg lies, though clang makes other code where names are longer."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from kernels_kit import absent

from opkg.verify.bench.measure import FLAGS, scratch_folder
from opkg.verify.bench.program import write_program
from opkg.verify.bench.subject import subjects
from opkg.verify.bench.suite import package
from opkg.verify.machines.hexagon import steady, toolchain


def test_a_checkout_with_a_longer_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if toolchain.missing() or not steady.prefix():
        absent("no compiler for Hexagon at fixed addresses")
    headers, base = toolchain.FREESTANDING, toolchain._BASE
    elsewhere = tmp_path / "a_folder_with_quite_a_long_name" / headers.name
    shutil.copytree(headers, elsewhere)
    (subject,) = [s for op in package().ops if op.name == "MulQ" for s in subjects(op)]
    made = []
    for place in (headers, elsewhere):
        monkeypatch.setattr(toolchain, "FREESTANDING", place)
        monkeypatch.setattr(toolchain, "_BASE", tuple(word.replace(str(headers), str(place)) for word in base))
        with scratch_folder() as scratch:
            source = write_program(subject, Path(scratch), 4)
            (file,) = toolchain.compile([source], "v73", [*FLAGS, "-Iinclude"], source.parent)
            made.append(file.read_bytes())
    assert made[0] == made[1]
