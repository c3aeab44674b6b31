"""Hooks of mkdocs: links that leave docs/ become paths; reports of real runs join the site where `docs_reports.py` made some."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / "build" / "docs" / "reports"
_LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(((?:\.\./)+[^)\s]+)\)")
_RUNS = re.compile(r"<!-- runs in[^>]*-->\n?")
_FENCE = re.compile(r"^```(yaml|python|cpp|xml|text) (\S+)$", re.M)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """A page as the site has it: no comments for scripts, files that the reader writes under their names."""
    folder = PurePosixPath(page.file.src_uri).parent
    text = _RUNS.sub("", _FENCE.sub(r'```\1 title="\2"', markdown))
    return _LINK.sub(lambda found: _inside(found, folder), text)


def _inside(found: re.Match[str], folder: PurePosixPath) -> str:
    """A link that stays in docs/ as it is; of one that leaves, the words and the path in the repository."""
    path = found[2].partition("#")[0]
    target = (ROOT / "docs" / folder / path).resolve()
    if target.is_relative_to(ROOT / "docs"):
        return found[0]
    if not target.exists():
        raise FileNotFoundError(f"docs/{folder}: a link to {path}, which is not there")
    words = found[1].strip("`")
    inside = target.relative_to(ROOT).as_posix()
    return f"`{inside}`" if words in inside else f"{found[1]} (`{inside}`)"


def on_files(files: Any, config: Any) -> Any:
    """Adds the reports, and a page that shows them."""
    from mkdocs.structure.files import File

    made = sorted(REPORTS.glob("*.html"))
    for report in made:
        files.append(File.generated(config, f"reports/{report.name}", content=report.read_text("utf-8")))
    if made:
        files.append(File.generated(config, "reports/index.md", content=_page(made)))
    return files


def on_nav(nav: Any, config: Any, files: Any) -> Any:
    """The reports' page at the end of the navigation."""
    from mkdocs.structure.pages import Page

    file = files.get_file_from_path("reports/index.md")
    if file is not None:
        page = file.page or Page("Reports", file, config)
        nav.items.append(page)
        nav.pages.append(page)
    return nav


def _page(made: list[Path]) -> str:
    lines = ["# Reports", "", "Pages of runs that were made with this site, as the commands write them.", ""]
    for report in made:
        command = report.with_suffix(".txt").read_text("utf-8").strip()
        lines += [f"## `{command}`", "", f"[in a page of its own]({report.name})", ""]
        lines += [
            f'<iframe src="{report.name}" title="{report.stem}" style="width:100%;height:30em;border:1px solid #ccc"></iframe>',
            "",
        ]
    return "\n".join(lines)
