"""Optimization rules as macro calls in the canonical layout, macro name and bracket at the start of a line.

The SDK's own tool finds them there, and the preprocessor's output has them too. The rule language is loaded only for
ops that have rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from opkg.spec.diagnostics import Diagnostic, error
from opkg.spec.model import Op

# Macros of HTP's own rules, in which bare op names are core ops, and what the preprocessor makes of a rule.
_FOREIGN = re.compile(r"(DEF_OPT|DEF_OPTIM|DEF_OPT_FLAGS|__def_opt__)\s*\(")


def findings(op: Op) -> Iterator[Diagnostic]:
    """Rules in macros that op packages do not have; everything else the checker of rules says."""
    for rule in op.rules:
        found = _FOREIGN.match(rule.macro.text) if rule.macro is not None else None
        if found is None or rule.macro is None:
            continue
        source = rule.macro.source
        span = source.span(found.start(1), found.end(1)) if source is not None else rule.macro.span
        yield error("OPK234", f"{found[1]} is not for op packages", span, "DEF_PACKAGE_OPTIMIZATION(pass, match, ...)")


def rule_calls(op: Op) -> list[tuple[str, str]]:
    """(name, macro call) of each rule, in the spec's order. The checker of rules found no error in them."""
    if not op.rules:
        return []
    from opkg.rules.syntax import Rule
    from opkg.rules.text.from_spec import rule_of
    from opkg.rules.text.printer import rule_text

    items = [(rule.name, rule_of(rule, rule.name, [])) for rule in op.rules]
    return [(name, rule_text(item)) for name, item in items if isinstance(item, Rule)]
