"""docs/onert.md: its commands print what it shows, so that the example passes on host and onert; its program runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import onertprojects as projects
import pytest
from doc_pages import renewed

from opkg.spec.model import OpPackage

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "onert.md"
OPS = {"ScaledAdd", "LogSumExp", "ChannelShuffle", "Moments", "HardSwish"}


def without_times(page: str) -> str:
    return re.sub(r"\d+\.\d s ", "# s ", page)


@pytest.mark.xdist_group("onert")
@pytest.mark.usefixtures("runtime")
def test_the_runs_of_the_page() -> None:
    page = PAGE.read_text("utf-8")
    assert without_times(renewed(page)) == without_times(page), "python scripts/doc_runs.py --write docs/onert.md"
    assert re.search(r"\n5 ops, 10 kernels, \d+ cases, 0 failures", page)
    rows = {line.split()[0] for line in page.splitlines() if " f32 " in line or " u8 " in line}
    assert rows >= OPS


@pytest.mark.xdist_group("onert")
def test_the_program_of_the_example(tmp_path: Path, runtime: Path, project: tuple[Path, OpPackage]) -> None:
    """run.py registers a library's table and runs a model with it; options are as the page writes them."""
    code = next(
        text for text in re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S) if "flexbuffers" in text
    )
    made: dict[str, bytes] = {}
    exec(code, made)
    from opkg.verify.machines.onert import options

    beta = {"beta": 0.5, "x.scale": 0.05, "x.zero_point": 128, "y.scale": 0.04, "y.zero_point": 0}
    assert made["custom_options"] == options.encoded(beta)
    assert projects.run(*project, ops=("Pair",), cases=1).ok
    folder = project[0] / "build" / "acme_edge" / "onert-x86"
    command = [
        sys.executable,
        str(ROOT / "examples" / "onert" / "run.py"),
        str(folder / "verify/onert/nnpackages/0000"),
    ]
    done = subprocess.run([*command, str(folder / "libacme_edge_onert.so")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == ["output 0", "output 1"]
    lost = subprocess.run(
        [*command[:2], str(tmp_path), str(folder / "libacme_edge_onert.so")], capture_output=True, text=True
    )
    assert lost.returncode == 1
    assert "nnfw_load_model_from_file failed" in lost.stderr
