"""The reports: table, failures, JUnit, JSON and HTML of a made-up run."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from opkg.report import verify_files, verify_html, verify_json, verify_junit, verify_progress, verify_text
from opkg.report.paint import ansi
from opkg.spec.diagnostics import Span, error
from opkg.spec.dtypes import DTYPES
from opkg.spec.model import Tolerance
from opkg.verify.api import Progress
from opkg.verify.judge.outcome import CaseOutcome, Cell, Column, VerifyResult, merged
from opkg.verify.judge.paths import Paths
from opkg.verify.judge.results import LogLine
from opkg.verify.judge.tolerance import OutputStats, output_stats
from opkg.verify.meaning.interval import Interval
from opkg.verify.meaning.numbers import Array, Quant

EVIL = "<script>alert('x')</script> & \"quotes\" \x1b[31m \x00 \N{SNOWMAN}"
HOST = Column("host", "host", "qhpi")
HTP = Column("htp 2.51", "htp", "qhpi")
GONE = Column("htp", "htp", "qhpi", "no libQnnHtp.so found", "pip install 'opkg[htp]'")
U8, F32 = DTYPES["ufixed8"], DTYPES["float32"]


def _fixed(expected: list[float], got: list[int]) -> OutputStats:
    return output_stats("y", np.asarray(expected), np.asarray(got, np.uint8), U8, Quant((0.5,), (0,)), Tolerance(lsb=1))


def _float(expected: list[float], got: Array) -> OutputStats:
    return output_stats("y", np.asarray(expected), got, F32, None, Tolerance(ulp=2))


def _cell(op: str, short: str, column: Column, *outcomes: CaseOutcome) -> Cell:
    return Cell("acme.test", op, short, "T=x", column, outcomes, Span("specs/a.yaml", 3, 5))


def _passed(stats: OutputStats, case: str = "u8-000") -> CaseOutcome:
    return CaseOutcome(case, "passed", "x: ufixed8 3", kernels=("relu_u8__r4",), outputs=(stats,), microseconds=7)


@pytest.fixture
def result() -> VerifyResult:
    good, bad = _fixed([1, 2, 3], [2, 4, 7]), _fixed([1, 2, 3], [2, 4, 9])
    log = (LogLine("warn", EVIL),)
    failed = CaseOutcome("u8-001", "failed", "x: ufixed8 3", kernels=("k",), outputs=(bad,), log=log)
    crash = CaseOutcome("f32-000", "crash", EVIL, "segmentation fault", "execute", 11)
    cells = (
        _cell("Relu", "f32", HOST, replace(_passed(_float([1.0], np.asarray([1], np.float32))), case="f32-000")),
        _cell("Relu", "f32", HTP, crash),
        _cell("Relu", "u8", HOST, _passed(good), failed),
        _cell("Relu", "u8", HTP, _passed(good)),
        _cell("LongName", "u8", HOST, _passed(good)),
    )
    finding = error("OPK413", f"raised {EVIL}", Span("specs/a.yaml", 9, 2), "hint")
    return VerifyResult((HOST, HTP), cells, (finding,), 7, 24, 1.25)


def test_table_has_one_line_per_combination(result: VerifyResult) -> None:
    assert verify_text.table(result).splitlines() == [
        "           host                htp 2.51",
        "Relu       f32 0               f32 FAIL crash 1/1",
        "           u8  3lsb FAIL 1/2   u8  1lsb",
        "LongName   u8  1lsb            -",
    ]


@pytest.fixture
def coded(result: VerifyResult) -> VerifyResult:
    """The run with counts: vector code, some of it turned down, portable code, a kernel by hand."""
    counts = {("f32", HOST): Paths(0, 90), ("u8", HOST): Paths(97, 3), ("u8", HTP): Paths(100, 0)}
    cells = []
    for cell in result.cells:
        paths = counts.get((cell.combination, cell.column), Paths()) if cell.op == "Relu" else Paths()
        outcomes = tuple(replace(o, paths=paths) for o in cell.outcomes)
        cells.append(replace(cell, outcomes=outcomes, by_hand=cell.op == "LongName"))
    return replace(result, cells=tuple(cells))


def test_every_cell_says_which_code_ran(coded: VerifyResult) -> None:
    assert verify_text.table(coded).splitlines()[1:] == [
        "Relu       f32 0 portable                 f32 FAIL crash 1/1",
        "           u8  3lsb FAIL 1/2 vector 97%   u8  1lsb vector",
        "LongName   u8  1lsb by hand               -",
    ]
    cells = json.loads(verify_json.render(coded))["cells"]
    assert [cell["code"] for cell in cells] == ["portable", "", "vector 97%", "vector", "by hand"]
    assert cells[2]["elements"] == {"vector": 2 * 97, "portable": 2 * 3}
    assert cells[2]["cases"][0]["elements"] == {"vector": 97, "portable": 3}
    root = ElementTree.fromstring(verify_junit.render(coded))
    stated = {s.get("name"): [p.get("value") for p in s.iter("property")] for s in root.iter("testsuite")}
    assert stated["acme.test.Relu host"] == ["portable", "vector 97%"]
    assert stated["acme.test.LongName host"] == ["by hand"]
    page = verify_html.render(coded)
    assert "194 elements by vector code, 6 by portable code" in page
    assert '<span class="soft">by hand</span>' in page


@pytest.mark.parametrize(
    ("paths", "says"),
    [
        (Paths(0, 0), ""),
        (Paths(5, 0), "vector"),
        (Paths(0, 5), "portable"),
        (Paths(1, 10**6), "vector <1%"),
        (Paths(10**6, 1), "vector >99%"),
    ],
)
def test_what_is_both_is_never_called_one(paths: Paths, says: str) -> None:
    assert paths.text() == says


def test_colours_do_not_move_columns(result: VerifyResult) -> None:
    coloured = verify_text.table(result, ansi)
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == verify_text.table(result)
    assert coloured != verify_text.table(result)


def test_failures_show_the_worst_element_and_the_command(result: VerifyResult) -> None:
    text = verify_text.failures(result)
    assert "FAIL Relu u8-001 on host: y: 1 of 3 elements differ, worst 3 lsb" in text
    assert "y[2]: expected 3 (6), got 4.5 (9), off by" in text
    assert "opkg verify --on host --op Relu --seed 7 --case u8-001" in text
    assert "\x1b" not in text
    assert "FAIL Relu f32-000 on htp 2.51: crash in execute (code 11): segmentation fault" in text


def test_summary_and_skipped_machines(result: VerifyResult) -> None:
    summary = "2 ops, 3 kernels, 6 cases, 2 failures, 1 error, 1.2 s   report: build/verify.html"
    assert verify_text.summary(result, report="build/verify.html") == summary
    skipped = verify_text.skipped(replace(result, columns=(HOST, GONE)))
    assert skipped == "htp: skipped, no libQnnHtp.so found  (pip install 'opkg[htp]')"
    assert verify_text.render(replace(result, columns=(HOST,), cells=(), diagnostics=())).startswith("0 ops")


def test_many_failures_are_cut_and_spread(result: VerifyResult) -> None:
    failing = [
        replace(result.cells[1].outcomes[0], case=f"f32-{i:03d}", status="error", message=str(i)) for i in range(30)
    ]
    cells = (replace(result.cells[1], outcomes=tuple(failing)), result.cells[2])
    text = verify_text.failures(replace(result, cells=cells))
    assert "u8-001" in text
    assert "... and 21 more failing cases" in text


def test_failures_for_one_reason_are_shown_once(result: VerifyResult) -> None:
    failing = [
        replace(result.cells[1].outcomes[0], case=f"f32-{i:03d}", status="error", message="1") for i in range(30)
    ]
    cells = (replace(result.cells[1], outcomes=tuple(failing)), result.cells[2])
    text = verify_text.failures(replace(result, cells=cells))
    assert [text.count(name) for name in ("FAIL", "f32-000 on", "f32-001 on", "u8-001 on")] == [2, 1, 0, 1]
    assert "  29 cases more fail for the same reason\n" in text
    assert "more failing" not in text


def test_json_is_one_object(result: VerifyResult) -> None:
    infinite = _float([np.nan], np.asarray([1.0], np.float32))
    cells = (*result.cells, _cell("Nan", "f32", HOST, replace(_passed(infinite), status="failed")))
    value = json.loads(verify_json.render(replace(result, cells=cells)))
    assert (value["ok"], value["seed"], value["failures"]) == (False, 7, 3)
    assert value["cells"][2]["cases"][1]["outputs"][0]["worst_elements"][0]["index"] == [2]
    assert value["cells"][-1]["cases"][0]["outputs"][0]["worst"] == "inf"
    assert value["diagnostics"][0]["id"] == "OPK413"


def test_failures_are_diagnostics(result: VerifyResult) -> None:
    found = verify_json.diagnostics(result)
    assert [d.id for d in found] == ["OPK413", "OPK440", "OPK440"]
    assert found[1].span == Span("specs/a.yaml", 3, 5)
    assert found[1].hint.startswith("opkg verify")


def test_junit_counts_and_survives_any_text(result: VerifyResult) -> None:
    root = ElementTree.fromstring(verify_junit.render(replace(result, columns=(HOST, HTP, GONE))))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("7", "1", "2")
    suites = {s.get("name"): s for s in root}
    assert set(suites) == {"acme.test.Relu host", "acme.test.Relu htp 2.51", "acme.test.LongName host", "htp", "opkg"}
    failed = suites["acme.test.Relu host"].find("testcase/failure")
    assert failed is not None
    assert "--case u8-001" in (failed.text or "")
    assert "<script>" in (suites["acme.test.Relu host"].findall("testcase/system-out")[2].text or "")


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [v or "" for k, v in attrs if k in ("src", "href")]


def test_html_is_self_contained_and_escapes(result: VerifyResult) -> None:
    text = verify_html.render(replace(result, columns=(HOST, HTP, GONE)))
    page = _Page()
    page.feed(text)
    assert page.tags.count("script") == 1  # the page's own filter
    assert EVIL not in text
    assert page.tags.count("svg") == 4
    assert all(link.startswith("#") for link in page.links)
    assert "@import" not in text
    assert "url(" not in text
    assert "&lt;script&gt;" in text
    assert "no libQnnHtp.so found" in text
    assert "--case u8-001" in text


def test_html_shows_what_failed_first(result: VerifyResult) -> None:
    cells = (_cell("Abs", "u8", HOST, _passed(_fixed([1], [2]))), *result.cells[2:4], *result.cells[:2])
    text = verify_html.render(replace(result, cells=cells))
    assert re.findall(r'<section data-words="([^"]*)" data-ok="(.)">', text) == [
        ("acme.test relu u8 t=x f32 t=x", "0"),
        ("acme.test abs u8 t=x", "1"),
    ]


@pytest.mark.skipif(shutil.which("node") is None, reason="no node to run the page's script")
def test_html_filters(result: VerifyResult) -> None:
    """The page's own script, on elements that have just what it uses."""
    script = re.findall(r"<script>(.*?)</script>", verify_html.render(result), re.S)[0]
    frame = """
      const element = more => ({hidden: false, listeners: {}, addEventListener(on, f) { this.listeners[on] = f; }, ...more});
      const ids = {words: element({value: ""}), failing: element({checked: false}), shown: element({textContent: ""})};
      const parts = [["acme relu u8", "0"], ["acme abs f32", "1"]].map(([words, ok]) => element({dataset: {words, ok}}));
      const document = {getElementById: id => ids[id], querySelectorAll: () => parts};
      %s
      const seen = () => parts.map(part => !part.hidden) + " " + ids.shown.textContent;
      const said = [seen()];
      ids.words.value = " F32 acme"; ids.words.listeners.input(); said.push(seen());
      ids.words.value = ""; ids.failing.checked = true; ids.failing.listeners.change(); said.push(seen());
      console.log(said.join("\\n"));
    """
    done = subprocess.run(["node", "-e", frame % script], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:3] == ["true,true ", "false,true 1 of 2 ops", "true,false 1 of 2 ops"]


def test_an_empty_run_has_a_page() -> None:
    assert "passed" in verify_html.render(VerifyResult((HOST,), (), (), 0, 24, 0.1))


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_bar_is_drawn_on_terminals_only() -> None:
    for stream, drawn in ((io.StringIO(), False), (_Terminal(), True)):
        with verify_progress.progress_bar(stream) as report:
            report(Progress("run", "acme.test", 5, 10))
            report(Progress("run", "acme.test", 10, 10))
        assert bool(stream.getvalue()) == drawn
    assert verify_progress.line(Progress("run", "x", 5, 10)).count("#") == verify_progress.WIDTH // 2
    assert stream.getvalue().endswith("\r\x1b[2K")


def test_files_are_written_whole(result: VerifyResult, tmp_path: Path) -> None:
    paths = verify_files.write(result, tmp_path / "build")
    assert sorted(p.name for p in (tmp_path / "build").iterdir()) == ["verify.html", "verify.json", "verify.xml"]
    assert json.loads(paths["json"].read_text())["seed"] == 7


def test_results_of_several_projects_are_one(result: VerifyResult) -> None:
    both = merged([result, replace(result, columns=(HOST, GONE), diagnostics=())])
    assert both.columns == (HOST, HTP, GONE)
    assert (both.cases, both.seconds, len(both.diagnostics)) == (12, 2.5, 1)


def test_the_command_names_the_spec_when_run_from_elsewhere(result: VerifyResult) -> None:
    cell = next(cell for cell in result.cells if cell.failures)
    elsewhere = replace(cell, span=cell.span._replace(path="my ops/specs/nn.yaml"))
    told = result.command(elsewhere, cell.failures[0])
    assert told.startswith(f"opkg verify 'my ops/specs/nn.yaml' --on {cell.column.machine} --op {cell.op} ")


def test_floats_near_zero_are_shown_by_their_absolute_error_and_what_is_allowed() -> None:
    """The bound is that of the element which is farthest off: here of 0, of 100 it would be 100 times as much."""
    loose = Tolerance(ulp=4, abs=1e-4, rel=1e-4)
    near = output_stats(
        "y", np.array([0.0, 100.0]), np.array([3e-7, 100.0], np.float32), DTYPES["float32"], None, loose
    )
    far = output_stats("y", np.array([1.0]), np.array([1.0000002], np.float32), DTYPES["float32"], None, loose)
    column = Column("host", "host", "qhpi")
    cells = [
        Cell(
            "p", "Op", "f32", "T=x", column, (CaseOutcome("f32-000", "passed", "x", outputs=(stats,)),), Span("a.yaml")
        )
        for stats in (near, far)
    ]
    bound = Interval(np.array([-5e-7]), np.array([4e-7]), np.array([False]))
    held = output_stats("y", np.array([0.0]), np.array([3e-7], np.float32), DTYPES["float32"], None, loose, bound)
    assert held.room == 4e-7
    exact = output_stats("y", np.ones(1), np.ones(1, np.float32), DTYPES["float32"], None, Tolerance(ulp=1))
    assert exact.room == np.inf
    result = VerifyResult((column,), (cells[0],), (), 0, 1, 0.0)
    assert "3e-07abs of 1e-04" in verify_text.render(result)
    assert "3e-07abs of 1e-04" in verify_html.render(result)
    found = json.loads(verify_json.render(result))["cells"][0]
    assert found["result"] == "3e-07abs of 1e-04"
    assert found["cases"][0]["outputs"][0]["allowed_abs"] == 1e-4
    assert [cell.text() for cell in cells] == ["3e-07abs of 1e-04", "2ulp"]
