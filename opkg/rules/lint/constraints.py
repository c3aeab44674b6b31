"""Lints of one constraint: never true, always true, parts that say nothing, constants that are read unasked."""

from __future__ import annotations

import math
from collections.abc import Iterator

from opkg.rules.core import (
    Apply,
    Cast,
    Const,
    ConstVal,
    ConstValKind,
    Expr,
    Operand,
    SelectOperand,
    SelectRepl,
    SelectScalar,
    Tag,
    Type,
)
from opkg.rules.lint.facts import Facts
from opkg.rules.lint.reason import COMPARISONS, Reasoner
from opkg.rules.lint.report import Report
from opkg.rules.lint.walk import bound_by, rewritten, terms
from opkg.rules.sim.arithmetic import INT_MIN
from opkg.rules.walk import below

_VALID = {
    ConstValKind.INT: (ConstValKind.INT_VALID, Const(Type.INT, INT_MIN), "the least int"),
    ConstValKind.FLOAT: (ConstValKind.FLOAT_VALID, Const(Type.FLOAT, math.nan), "NaN"),
}


def check_constraint(report: Report) -> None:
    """OPK560 (cannot hold), OPK561 (always holds), for the whole and for parts of it."""
    rule = report.rule
    when = rule.when
    if isinstance(when, Const):
        if not when.value:
            report.info("OPK560", "the constraint is false: the rule is switched off", when.at)
        return
    if not Reasoner.of(rule.match).can(when, True):
        _never(report, when)
        return
    if not Reasoner.of(rule.match).can(when, False):
        report.warning("OPK561", "the constraint always holds", when.at, "write OK if that is meant")
        return
    _parts(report, when)
    _choices(report)


def _never(report: Report, when: Expr) -> None:
    """Says which term rules the others out."""
    reasoner = Reasoner.of(report.rule.match)
    facts: Facts | None = Facts()
    hint = "the rule never runs"
    for term in terms(when):
        assert facts is not None
        if not reasoner.can(term, True):
            report.warning("OPK560", f"'{report.text(term.at)}' can never hold, so the rule never runs", term.at)
            return
        facts = reasoner.assume(term, True, facts)
        if facts is None:
            message = f"'{report.text(term.at)}' contradicts what stands before it, so the constraint never holds"
            report.warning("OPK560", message, term.at, hint)
            return
    report.warning("OPK560", "the constraint can never hold", when.at, hint)


def _parts(report: Report, when: Expr) -> None:
    """Terms of the AND that hold whenever those before them do; alternatives of an OR that never hold there."""
    reasoner = Reasoner.of(report.rule.match)
    facts: Facts | None = Facts()
    parts = terms(when)
    for number, term in enumerate(parts):
        if facts is None:
            return
        alternatives = terms(term, "OR")
        if not isinstance(term, Const) and not _is_size_bound(term) and reasoner.assume(term, False, facts) is None:
            where = "here, after what stands before it" if number else "always"
            report.info("OPK561", f"'{report.text(term.at)}' holds {where}", term.at, "leave it out")
        elif len(alternatives) > 1:
            for alternative in alternatives:
                if not isinstance(alternative, Const) and reasoner.assume(alternative, True, facts) is None:
                    report.info("OPK560", f"'{report.text(alternative.at)}' never holds here", alternative.at)
        facts = reasoner.assume(term, True, facts)


def _is_size_bound(term: Expr) -> bool:
    """A size beside a constant that is not positive: the checker has said what it comes to (OPK534)."""
    if not isinstance(term, Apply) or term.operator not in COMPARISONS or term.args[0].type is not Type.SIZE:
        return False
    bare = [arg.operand if isinstance(arg, Cast) and arg.implicit else arg for arg in term.args]
    return any(isinstance(arg, Const) and arg.value <= 0 for arg in bare)


def _choices(report: Report) -> None:
    """SELECTs of which one arm is never taken."""
    rule = report.rule
    facts = Reasoner.of(rule.match).assume(rule.when, True, Facts())
    for root in (rule.when, rule.replace):
        for node in below(root):
            if not isinstance(node, SelectRepl | SelectScalar | SelectOperand) or isinstance(node.condition, Const):
                continue
            known = facts if root is rule.replace else Facts()
            for truth, arm in ((True, "first"), (False, "second")):
                if known is not None and not Reasoner.of(rule.match).can(node.condition, truth, known):
                    message = f"the {arm} arm of this SELECT is never taken"
                    report.info("OPK560" if truth else "OPK561", message, node.at)


# ---- constants -----------------------------------------------------------------------------------------------------


def check_constants(report: Report) -> None:
    """CONSTVAL_* that matters although it may have failed (OPK567)."""
    rule = report.rule
    asked = {_key(node) for node in _constants(report) if node.kind not in _VALID}
    seen: set[object] = set()
    for node in _constants(report):
        key = (node.kind, node.operand, node.index)
        if node.kind not in _VALID or key in seen or _key(node) in asked or _is_plain_constant(report, node):
            continue
        seen.add(key)
        valid, failed, what = _VALID[node.kind]
        if not Reasoner.of(rule.match).can(_with(rule.when, node, failed), True):
            continue
        names = {"operand": _name(node.operand), "what": what}
        message = "{operand} may be no constant: {kind} is {what} then, and the constraint can hold all the same"
        index = ", ".join(report.text(part.at) for part in node.index if part.at[1])
        hint = f"ask {valid}({names['operand']}, {index}) before"
        report.warning("OPK567", message.format(**names, kind=node.kind.value), node.at, hint)


def _with(when: Expr, node: Expr, value: Expr) -> Expr:
    """An expression with `value` in place of a part."""
    made: Expr = rewritten(when, lambda part: value if part == node else None)
    return made


def _constants(report: Report) -> Iterator[ConstVal]:
    for root in (report.rule.when, report.rule.replace):
        yield from (node for node in below(root) if isinstance(node, ConstVal))


def _key(node: ConstVal) -> Operand:
    return node.operand


def _is_plain_constant(report: Report, node: ConstVal) -> bool:
    """The first element of what the pattern says is a constant."""
    bound = bound_by(report.rule.match)
    op = bound.get(node.operand.name) if isinstance(node.operand, Tag) else None
    first = all(isinstance(part, Const) and part.value == 0 for part in node.index)
    return first and getattr(op, "op", "") == "$Const"


def _name(operand: Operand) -> str:
    return f'"{operand.name}"' if isinstance(operand, Tag) else "the operand"
