"""Lints of names: ops that no package defines, tags of LET that nothing uses, graph options that look misspelt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from opkg.rules import core
from opkg.rules.context import Context
from opkg.rules.core_match import At
from opkg.rules.core_ops import CORE_OPS, CORE_PREFIX, INTERNAL, is_core_op, missing_op
from opkg.rules.lint.report import Report
from opkg.rules.lint.walk import match_ops, tags_in
from opkg.rules.walk import below
from opkg.spec.diagnostics import nearest

OPTIONS = (
    "autothread_size_kb", "big_width_split", "can_fine_split", "central_tiler", "enable_autothread", "fold_relu",
    "force_conv_fusion", "hmx_short_conv", "quant_is_updateable", "relaxed_precision", "tcm_size_for_tiling",
    "tile_height",
)  # fmt: skip
_CONSTANT = "$Const"


def check_tags(report: Report) -> None:
    """Tags that LET gives and nothing uses (OPK565). Plain tags are placeholders: they need no use."""
    rule = report.rule
    used = tags_in(rule.when) | tags_in(rule.replace)
    standing = Counter(
        part.tag for op in match_ops(rule.match) for part in op.inputs if isinstance(part, core.MatchTag)
    )
    for op in match_ops(rule.match):
        if op is rule.match or not op.tag or op.op == _CONSTANT or op.tag in used or standing[op.tag]:
            continue
        message = f'nothing uses the tag "{op.tag}" that LET gives'
        report.warning("OPK565", message, op.at, "leave LET out, or use the tag")


def check_options(report: Report) -> None:
    """Names of graph options that nearly are known ones (OPK569)."""
    for root in (report.rule.when, report.rule.replace):
        for node in below(root):
            if isinstance(node, core.Option) and node.name not in OPTIONS:
                near = nearest(node.name, OPTIONS)
                if near:
                    message = f"graph option '{node.name}' is not known here; one that is not set reads as 0"
                    report.info("OPK569", message, node.at, f"did you mean '{near}'?")


# ---- ops -----------------------------------------------------------------------------------------------------------


def check_ops(report: Report, context: Context) -> None:
    """Ops that no package defines (OPK566): a pattern with one never matches, a replacement with one fails."""
    for op, at, effect in _ops(report):
        if op.startswith(INTERNAL):
            continue
        name = op.rpartition("::")[2]
        if op.startswith(CORE_PREFIX):
            near = None if is_core_op(name) else _misspelt(name)
            if near:
                message = f"'{op}' is none of the core ops known here"
                report.info("OPK566", message, at, f"did you mean '{CORE_PREFIX}{near}'?")
        elif missing := missing_op(op, report.rule.package, context.known_ops):
            report.warning("OPK566", f"{missing[0]}, so {effect}", at, missing[1])


def _misspelt(name: str) -> str | None:
    """The core op that a name most likely means; None for one of the many internal ops of the core that are not known here
    (`flat_to_vtcm`, `ForceFormat_Crouton`)."""
    found = get_close_matches(name.removeprefix("QNN_"), CORE_OPS, 1, 0.85)
    return found[0] if found else None


def _ops(report: Report) -> Iterator[tuple[str, At, str]]:
    """Names of ops in a rule, their places, and what happens if there is no such op."""
    rule = report.rule
    for op in match_ops(rule.match):
        yield op.op, op.at, "the pattern never matches"
    node: Any
    for root in (rule.when, rule.replace):
        for node in below(root):
            if isinstance(node, core.Build | core.BuildMulti | core.Wrap):
                yield node.op, node.at, "the graph gets a node that nothing can run"
            elif isinstance(node, core.Relation) and node.name:
                yield node.name, node.at, "this never holds"
