"""The documentation as a site: every page is in it, every link and anchor leads somewhere, tutorials print what they say."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from doc_pages import renewed

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("mkdocs") is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("no mkdocs: pip install 'opkg[docs]'")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_is_in_the_navigation(site: Path) -> None:
    named = set(re.findall(r": ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.M))
    assert named == {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    home = (site / "index.html").read_text("utf-8")
    assert all(f'href="{name.removesuffix(".md")}/"' in home for name in named - {"index.md"})
    assert (site / "search" / "search_index.json").is_file()


def test_links_out_of_docs_become_paths(site: Path) -> None:
    page = (site / "onert" / "index.html").read_text("utf-8")
    assert "<code>examples/onert</code>" in page
    assert 'href="../examples' not in page
    assert "runs in" not in (site / "tutorial-compute" / "index.html").read_text("utf-8")


def test_a_link_to_nothing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    place = importlib.util.spec_from_file_location("docs_site", ROOT / "scripts" / "docs_site.py")
    assert place is not None
    assert place.loader is not None
    hooks = importlib.util.module_from_spec(place)
    place.loader.exec_module(hooks)

    class File:
        src_uri = "design/a.md"

    class Page:
        file = File

    assert hooks.on_page_markdown("[a](../bench.md#x)", Page) == "[a](../bench.md#x)"
    assert hooks.on_page_markdown("[`examples/qnn`](../../examples/qnn)", Page) == "`examples/qnn`"
    with pytest.raises(FileNotFoundError, match="not there"):
        hooks.on_page_markdown("[a](../../examples/nothing)", Page)


def test_pictures_are_what_the_script_draws() -> None:
    script = ROOT / "scripts" / "draw.py"
    done = subprocess.run([sys.executable, str(script)], env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
    assert done.returncode == 0, "python scripts/draw.py --write"


def test_readme_is_short() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert text.count("\n") <= 150
    assert text.count("![") == 1


LONG = ("tutorial-compute", "tutorial-onnx", "tutorial-phone")


@pytest.mark.parametrize("name", [*(pytest.param(name, marks=pytest.mark.sweep) for name in LONG), "tutorial-kernel"])
def test_tutorials_print_what_they_say(name: str) -> None:
    page = (ROOT / "docs" / f"{name}.md").read_text("utf-8")
    assert _plain(renewed(page)) == _plain(page), f"python scripts/doc_runs.py --write docs/{name}.md"


def _plain(page: str) -> str:
    """Without the share of vector code, which another processor's floats may move by one."""
    return re.sub(r"vector +>?\d+%", "vector", page)
