"""A comparison of a model as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import opkg
from opkg.report import compare_rows as rows
from opkg.resources import data_folder
from opkg.spec.diagnostics import Diagnostic
from opkg.verify.machines.executorch.compare import Comparison, Run


@cache
def _environment() -> Any:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(data_folder("templates")),
        undefined=jinja2.StrictUndefined,
        autoescape=True,  # names in a model, and what a backend says, are text, never markup
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render(found: Comparison, findings: Sequence[Diagnostic]) -> str:
    """The page: the table, what was replaced, and every operator of both programs by mode."""
    runs = [run for pair in found.pairs for run in (pair.stock, pair.ours) if run is not None]
    text: str = _environment().get_template("report/compare.html.j2").render(
        found=found, findings=findings, sections=rows.sections(found), replaced=rows.replaced(found),
        facts=rows.facts(found), rows=rows, log=_log, failed=[run for run in runs if not run.ok],
        bad=any(finding.is_error for finding in findings), version=opkg.__version__,
    )  # fmt: skip
    return text


def _log(run: Run) -> str:
    """The last lines of a run's log."""
    if run.log is None or not run.log.is_file():
        return ""
    return "\n".join(run.log.read_text("utf-8", errors="replace").splitlines()[-40:])
