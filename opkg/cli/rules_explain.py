"""`opkg rules explain`: rules in words, or what a construct of the language means."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from opkg.cli.output import exit_code, format_option, log, paint, show_findings
from opkg.cli.rules_load import How, RuleSet, chosen, load_all, reading_options

if TYPE_CHECKING:
    from opkg.rules.core import TypedRule


@click.command("explain")
@click.argument("paths", nargs=-1, metavar="[FILES]...")
@click.option("--rule", "names", metavar="NAME", multiple=True, help="Only this rule (may be repeated).")
@click.option("--construct", metavar="NAME", help="Say what a construct means, instead: DIM_OF.")
@reading_options
@format_option
def command(paths: tuple[str, ...], names: tuple[str, ...], construct: str | None, format: str, **how: Any) -> int:
    """Say in words what the rules in FILES do: when they run, what they match, on which condition, what they build.

    With --construct, say what one name of the language means, which SDKs have it and what it is in QHPI.
    """
    if construct is not None:
        if paths or names:
            raise click.UsageError("--construct stands alone.")
        if format not in ("text", "json"):
            raise click.UsageError(f"--construct is printed as text or json, not {format}.")
        return _construct(construct, format)
    loaded = load_all(paths, How(**how))
    errors = loaded.errors
    rules = chosen(loaded, names)
    from opkg.report.rules_explained import as_finding, as_object, render
    from opkg.report.rules_trace import place_of
    from opkg.rules.explain import explain

    told = [(explain(rule, sdk_of(rule, loaded, how["sdk"])), rule) for rule in rules]
    if format in ("sarif", "github"):
        show_findings([*errors, *(as_finding(explained, rule) for explained, rule in told)], format)
    else:
        show_findings(errors, format)
    if format == "json":
        for explained, rule in told:
            print(json.dumps(as_object(explained, place_of(rule))))
    elif format == "text":
        print("\n".join(render(explained, place_of(rule), paint()) for explained, rule in told), end="")
    if not rules and not errors:
        log("there is no rule in these files")
    return exit_code(errors)


def sdk_of(rule: TypedRule, loaded: RuleSet, wanted: str) -> str:
    """The SDK that decides a rule's neighbours: what was asked for, else the spec's."""
    return wanted or next((package.sdk for package in loaded.packages if package.name == rule.package), "")


def _construct(name: str, format: str) -> int:
    """The rows of a construct, or the numbers of a pass or flag."""
    from opkg.report.rules_constructs import as_object, number_object, render, render_numbers
    from opkg.rules.constructs import CONSTRUCTS
    from opkg.rules.flags import FLAGS
    from opkg.rules.passes import FOR_PACKAGES, PASSES
    from opkg.spec.diagnostics import nearest

    rows = CONSTRUCTS.get(name)
    numbers = {sdk: table[name] for tables in (PASSES, FLAGS) for sdk, table in tables.items() if name in table}
    if rows is None and not numbers:
        known = [
            *CONSTRUCTS,
            *{name: None for tables in (PASSES, FLAGS) for table in tables.values() for name in table},
        ]
        near = nearest(name, known)
        raise click.UsageError(f"no construct '{name}'." + (f" Did you mean '{near}'?" if near else ""))
    if rows is not None:
        text = render(rows, paint())
        objects = [as_object(row) for row in rows]
    else:
        kind = "pass" if any(name in table for table in PASSES.values()) else "flag"
        note = "meant for op packages" if name in FOR_PACKAGES else ""
        text = render_numbers(name, kind, numbers, note, paint())
        objects = [number_object(name, kind, numbers)]
    print("\n".join(json.dumps(made) for made in objects) if format == "json" else text.rstrip("\n"))
    return 0
