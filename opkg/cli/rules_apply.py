"""`opkg rules apply`: runs rules on a graph; the graph that comes out, the trace, pictures."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from opkg.cli.output import log, paint, plural, show_findings, write_file
from opkg.cli.rules_external import OptionValue, externals, graph_options
from opkg.cli.rules_load import How, chosen, load_all, reading_options
from opkg.spec.diagnostics import Diagnostic, OpkgError

if TYPE_CHECKING:
    from opkg.rules.core import TypedRule
    from opkg.rules.sim import Graph, Run

MOST_VALUES = 1024  # of a constant, in a graph that is printed; a file holds all


def sizes(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, int]:
    """`--dim name=size`, repeated."""
    found = {}
    for value in values:
        name, _, text = value.partition("=")
        if not name or not text.isdecimal() or len(text) > 10:
            raise click.BadParameter(f"'{value}': write name=size", ctx, param)
        found[name] = int(text)
    return found


@click.command("apply")
@click.argument("graph")
@click.argument("paths", nargs=-1, required=True, metavar="RULES...")
@click.option("--rule", "names", metavar="NAME", multiple=True, help="Only this rule (may be repeated).")
@click.option("--trace", is_flag=True, help="Say what each step matched, tested and built.")
@click.option("--output", metavar="FILE", help="Write the graph to FILE (.txt or .json) and do not print it.")
@click.option("--dot", metavar="FILE", help="Write before and after as one Graphviz picture.")
@click.option("--html", metavar="FILE", help="Write a page that steps through the run.")
@graph_options
@click.option(
    "--dim", "dims", metavar="NAME=SIZE", multiple=True, callback=sizes, help="Size of a named dimension (ONNX)."
)
@click.option("--max-steps", type=click.IntRange(0), metavar="N", help="Take the first N steps only.")
@reading_options
@click.option("--format", "format", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(
    graph: str, paths: tuple[str, ...], names: tuple[str, ...], trace: bool, output: str | None, dot: str | None,
    html: str | None, options: dict[str, OptionValue], external: str | None, dims: dict[str, int], max_steps: int | None,
    format: str, **how: Any,
) -> int:  # fmt: skip
    """Run the rules of RULES (specs, C++ files) on GRAPH (.txt, .json, .onnx, .xml) and print the graph that comes out.

    Passes run in order of their priority, each until no rule applies any more. An endless rule set is stopped and
    explained; the exit code is 1 then.
    """
    from opkg.rules.sim import Settings, apply

    before = _graph(graph, dims)
    before.options.update(options)
    loaded = load_all(paths, How(**how))
    if loaded.errors:
        show_findings(loaded.errors, format)
        return 1
    rules = chosen(loaded, names)
    told = trace or html is not None
    run = apply(before, rules, Settings(externals=externals(external), verbose=told, attempts=told))
    silent = [rule for rule in rules if not run.counts[rule.name]]
    run = run if max_steps is None else first_steps(run, max_steps)
    _pictures(run, silent, f"{graph}: {', '.join(paths)}", dot, html)
    _show(run, silent if trace else None, format, output)
    _log(run, rules)
    return int(run.stopped is not None)


def first_steps(run: Run, number: int) -> Run:
    """The run as if it had ended after so many steps; it is not endless then."""
    if number >= len(run.steps):
        return run
    steps = run.steps[:number]
    counts = dict.fromkeys(run.counts, 0)
    for step in steps:
        if step.rule is not None:
            counts[step.rule.name] += 1
    findings = tuple(finding for finding in run.findings if not finding.is_error)
    log(f"the first {number} of {len(run.steps)} steps")
    return replace(run, graph=run.at(number), steps=steps, counts=counts, findings=findings, stopped=None)


def _graph(path: str, dims: dict[str, int]) -> Graph:
    """The graph of a file. OpkgError with what is wrong in it."""
    from opkg.rules.sim import read_graph

    graph, findings = read_graph(path, dims)
    if graph is None:
        raise OpkgError(findings)
    if findings:
        _aside(findings)
    return graph


def _aside(findings: tuple[Diagnostic, ...]) -> None:
    """Findings that do not stop a run: on stderr, so that stdout is the graph."""
    from opkg.report.findings import render

    sys.stderr.write(render(findings, "text", paint(sys.stderr)))


def _pictures(run: Run, rules: list[TypedRule], title: str, dot: str | None, html: str | None) -> None:
    if dot:
        from opkg.report import rules_dot

        write_file(dot, rules_dot.render(run.before, run.graph))
        log(f"wrote {dot}", 1)
    if html:
        from opkg.report import rules_page, rules_story

        write_file(html, rules_page.render(rules_story.story(run, title, rules=rules)))
        log(f"wrote {html}", 1)


def _show(run: Run, traced: list[TypedRule] | None, format: str, output: str | None) -> None:
    """Findings, trace (with why none of `traced` was applied) and graph, where each belongs."""
    from opkg.rules.sim import write_graph

    as_json = format == "json"
    if run.findings and (as_json or run.stopped is not None):
        show_findings(run.findings, format)
    elif run.findings:
        _aside(run.findings)
    if traced is not None:
        _trace(run, traced, as_json)
    if output:
        write_file(output, write_graph(run.graph, os.path.splitext(output)[1]))
        log(f"wrote {output}", 1)
    elif as_json:
        graph = json.loads(write_graph(run.graph, ".json", MOST_VALUES))
        print(json.dumps({"kind": "graph", "graph": graph, "counts": run.counts}))
    elif run.stopped is None:
        print(write_graph(run.graph, ".txt", MOST_VALUES), end="")


def _trace(run: Run, rules: list[TypedRule], as_json: bool) -> None:
    from opkg.report import rules_trace, rules_why

    for account, _ in rules_trace.accounts(run):
        print(json.dumps(rules_trace.as_object(account)) if as_json else rules_trace.render(account, paint()))
    for why in rules_why.why_not(run, rules):
        print(json.dumps(rules_why.as_object(why)) if as_json else rules_why.render(why, paint()))


def _log(run: Run, rules: list[TypedRule]) -> None:
    if not rules:
        log("there is no rule in these files")
    used = [f"{name} {count}x" for name, count in run.counts.items() if count]
    words = ", ".join(used) or "no rule applied"
    log(f"{words}; {plural(len(run.before), 'node')} before, {len(run.graph)} after")
