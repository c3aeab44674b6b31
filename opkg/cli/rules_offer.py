"""`opkg rules offer`: the fusion that an op's `pattern:` describes, as optimization rules."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from opkg.cli.options import known_op, ops_option
from opkg.cli.output import exit_code, log, show_findings
from opkg.cli.rules_load import How, load_all

if TYPE_CHECKING:
    from opkg.rules.from_pattern import Offer


@click.command("offer")
@click.argument("paths", nargs=-1, metavar="[SPECS]...")
@ops_option
@click.option("--only", type=click.Choice(("yaml", "cpp")), help="Only the entry for the spec, or only the macro call.")
@click.option("--format", "format", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(paths: tuple[str, ...], ops: tuple[str, ...], only: str | None, format: str) -> int:
    """Print optimization rules for the ops in SPECS that have a `pattern:`: the same fusion on graphs of QNN's own ops.

    The `rules:` entry is to be pasted under the op, the macro call into the C++ of a classic package. Operands that may be
    exchanged (a + b) give rules of their own where the pattern is another. Exit code 1 when a pattern has no rule.
    """
    loaded = load_all(paths, How(as_="yaml"))
    if loaded.errors:
        show_findings(loaded.errors, format)
        return 1
    from opkg.rules.from_pattern import offer

    all_ops = [(package, op) for package in loaded.packages for op in package.ops]
    known_op(ops, [op.name for _, op in all_ops])
    for _, op in all_ops:
        if op.name in ops and op.pattern is None:
            raise click.UsageError(f"op '{op.name}' has no pattern.")
    offers = [offer(package, op) for package, op in all_ops if op.pattern is not None and (not ops or op.name in ops)]
    findings = [finding for one in offers for finding in one.findings]
    show_findings(findings, format)
    show = _json if format == "json" else _text
    sys.stdout.write("\n".join(show(one, only) for one in offers if one.rules))
    if not offers:
        log("no op in these files has a pattern")
    return exit_code(findings)


def _text(offered: Offer, only: str | None) -> str:
    name = offered.op.name
    texts = []
    if only != "cpp":
        texts.append(f"# {name}\n    rules:\n" + "".join(rule.yaml() for rule in offered.rules))
    if only != "yaml":
        texts += [f"// {name}.{rule.name}\n{rule.cpp()}" for rule in offered.rules]
    return "\n".join(texts)


def _json(offered: Offer, only: str | None) -> str:
    from opkg.rules.text.printer import to_text

    rows = []
    for rule in offered.rules:
        parts = {
            "pass": "EARLY",
            "match": to_text(rule.match),
            "when": to_text(rule.when),
            "replace": to_text(rule.replace),
        }
        texts = {"yaml": rule.yaml(), "cpp": rule.cpp()}
        shown = {kind: text for kind, text in texts.items() if only in (None, kind)}
        rows.append(json.dumps({"op": offered.op.name, "name": rule.name, **parts, **shown}) + "\n")
    return "".join(rows)
