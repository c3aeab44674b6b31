"""Optimization rules as macro calls in the canonical layout, macro name and bracket at the start of a line.

The SDK's own tool finds them there, and the preprocessor's output has them too. The rule language is loaded only for
ops that have rules.
"""

from __future__ import annotations

from opkg.spec.model import Op


def rule_calls(op: Op) -> list[tuple[str, str]]:
    """(name, macro call) of each rule, in the spec's order. The checker of rules found no error in them."""
    if not op.rules:
        return []
    from opkg.rules.from_spec import rule_of
    from opkg.rules.printer import rule_text
    from opkg.rules.syntax import Rule

    items = [(rule.name, rule_of(rule, rule.name, [])) for rule in op.rules]
    return [(name, rule_text(item)) for name, item in items if isinstance(item, Rule)]
