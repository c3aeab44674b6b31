"""Lints of rules: what compiles and works, but cannot be meant. Warnings are likely mistakes, infos are remarks."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.rules.context import Context
from opkg.rules.core import TypedRule
from opkg.rules.lint.constraints import check_constants, check_constraint
from opkg.rules.lint.names import check_ops, check_options, check_tags
from opkg.rules.lint.report import Report
from opkg.rules.lint.together import check_together
from opkg.spec.diagnostics import Diagnostic


def lint(rules: Sequence[TypedRule], context: Context) -> list[Diagnostic]:
    """Findings about rules, given in the order of their registration (OPK560 to OPK569)."""
    reports = [Report(rule) for rule in rules]
    for report in reports:
        check_constraint(report)
        check_constants(report)
        check_tags(report)
        check_options(report)
        check_ops(report, context)
    check_together(reports)
    return [finding for report in reports for finding in report.findings]
