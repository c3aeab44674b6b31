"""The ops of the other examples as custom kernels of onert: computed ones, ones by hand, optional and static inputs."""

from __future__ import annotations

import shutil
from pathlib import Path

import onertprojects as projects
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.sweep
@pytest.mark.usefixtures("runtime")
@pytest.mark.xdist_group("onert")
@pytest.mark.parametrize("name", ["activations", "layout", "math", "transformer"])
def test_every_op_of_the_examples_runs(name: str, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES / name, tmp_path, ignore=shutil.ignore_patterns("build", "generated"), dirs_exist_ok=True)
    for path in sorted((tmp_path / "specs").glob("*.yaml")):
        text = path.read_text("utf-8")
        start = text.index("  targets: [")
        text = text[:start] + "  targets: [onert]" + text[text.index("]", start) + 1 :]
        path.write_text(text, encoding="utf-8")
        result = projects.run(tmp_path, projects.generated(tmp_path, path), cases=24)
        assert result.ok, [outcome.reason() for _, outcome in result.failures] + [d.message for d in result.diagnostics]
        assert result.cases >= 100
