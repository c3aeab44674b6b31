"""One rule, whole: pass, flags, pattern, constraint, replacement, and what can be said of them together."""

from __future__ import annotations

from opkg.rules import core, syntax
from opkg.rules.context import Context
from opkg.rules.core_match import Type
from opkg.rules.core_scalar import Const
from opkg.rules.elaborate import modifying  # noqa: F401 - enters its constructs
from opkg.rules.elaborate.matching import pattern
from opkg.rules.elaborate.replacing import is_node, replacement
from opkg.rules.elaborate.scalars import condition
from opkg.rules.elaborate.state import State, unwrap
from opkg.rules.elaborate.together import check_together
from opkg.rules.passes import flag_names, pass_value
from opkg.spec.diagnostics import Diagnostic, Severity


def elaborate(
    rule: syntax.Rule, front: syntax.Front, context: Context
) -> tuple[core.TypedRule | None, list[Diagnostic]]:
    """The typed rule and all findings; None when it cannot work, or when something of it is not known to us."""
    state = State(context, rule.text, front)
    priority, pass_text = _pass(state, rule)
    flags = _flags(state, rule)
    match = pattern(state, rule.match)
    when = condition(state, rule.when) if rule.when is not None else Const(Type.BOOL, True)
    state.replacing = True
    state.roots = set(_roots(rule.replace))
    _check_root(state, rule.replace, whole=True)
    replace = replacement(state, rule.replace)
    if state.failed or match is None or when is None or replace is None or priority is None:
        return None, state.findings
    check_together(state, when, replace)
    if not state.complete or state.failed:
        return None, state.findings
    made = core.TypedRule(rule.name, priority, pass_text, flags, match, when, replace, context.package, rule)
    return made, state.findings


def _pass(state: State, rule: syntax.Rule) -> tuple[int | None, str]:
    value = pass_value(rule.pass_, state.context.sdk)
    state.findings.extend(problem.within(state.text) for problem in value.problems)
    return value.priority, value.text


def _flags(state: State, rule: syntax.Rule) -> tuple[str, ...]:
    found = flag_names(rule.flags, state.context.sdk)
    made = state.front is syntax.Front.EXPANDED  # the preprocessor wrote them: how they are spelled is not the user's
    wrong = [p for p in found.problems if p.severity is Severity.ERROR or not made]
    state.findings.extend(problem.within(state.text) for problem in wrong)
    if found.names is None:
        state.complete = False
    return found.names or ()


def _roots(node: syntax.Node) -> list[int]:
    """Ids of what stands at the root of a replacement: itself, and the arms of SELECTs there."""
    node = unwrap(node)
    arms = node.args[1:] if isinstance(node, syntax.Call) and node.name == "SELECT" else ()
    return [id(node), *(root for arm in arms for root in _roots(arm))]


def _check_root(state: State, node: syntax.Node, *, whole: bool) -> None:
    """A replacement that is the node it replaces (OPK537)."""
    node = unwrap(node)
    if isinstance(node, syntax.Call) and node.name == "Operand" and len(node.args) == 1:
        node = unwrap(node.args[0])
    if isinstance(node, syntax.Str) and node.value == "*":
        if whole:
            state.error("OPK537", 'the replacement is "*", the node itself: the rule changes nothing', node)
        else:
            message = 'the replacement may be "*", the node itself: then the rule changes nothing'
            state.warning("OPK537", message, node, "say in the constraint when the rule applies")
    if isinstance(node, syntax.Call) and node.name == "SELECT" and is_node(node):
        for arm in node.args[1:]:
            _check_root(state, arm, whole=False)
