"""Lints of rules that share a pass: endless rewriting, rules that earlier ones always forestall, order that decides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from opkg.rules.core import Build, Existing, Expr, ExternalRepl, OpaqueRepl, Tag, TypedRule
from opkg.rules.flags import option_of
from opkg.rules.lint.built import Built, built_by, pattern_of
from opkg.rules.lint.facts import Facts, Pattern
from opkg.rules.lint.reason import Reasoner
from opkg.rules.lint.report import Report
from opkg.rules.lint.symbolic import New, Old, Translator, unify
from opkg.rules.walk import below

_MOST_BEFORE = 40  # earlier rules of the same pass and root that a rule is held against

Groups = dict[tuple[int, str], list[int]]  # (priority, root) -> numbers of rules in order
Step = tuple[int, int]  # number of a rule, number of a node it builds


@dataclass(slots=True)
class Knowledge:
    """One rule and what is known of it: whether its constraint can hold, and what then holds."""

    rule: TypedRule
    pattern: Pattern
    translator: Translator
    facts: Facts | None
    built: list[Built]

    @staticmethod
    def of(rule: TypedRule) -> Knowledge:
        pattern, translator = pattern_of(rule)
        facts = Reasoner(pattern).assume(translator.translated(rule.when), True, Facts())
        return Knowledge(rule, pattern, translator, facts, built_by(rule))

    def after(self, built: Built) -> Facts | None:
        """What holds when the rule builds that node; None when it never does."""
        facts = self.facts
        reasoner = Reasoner(self.pattern)
        for condition, truth in built.path:
            facts = None if facts is None else reasoner.assume(condition, truth, facts)
        return facts


def check_together(reports: Sequence[Report]) -> None:
    """OPK562, OPK563, OPK564, OPK568 for rules in the order of their registration."""
    known = [Knowledge.of(report.rule) for report in reports]
    groups: Groups = defaultdict(list)
    for number, report in enumerate(reports):
        groups[report.rule.priority, report.rule.root].append(number)
    _endless(reports, known, groups)
    for members in groups.values():
        for at, number in enumerate(members):
            for before in members[max(0, at - _MOST_BEFORE) : at]:
                if _compare(reports[number], known[number], known[before]):
                    break


# ---- endless -------------------------------------------------------------------------------------------------------


def _surely(reasoner: Reasoner, conditions: Sequence[tuple[Expr, bool]], facts: Facts) -> bool:
    """Whether all conditions have their truth, given the facts."""
    return all(not reasoner.can(condition, not truth, facts) for condition, truth in conditions)


def _next(known: list[Knowledge], groups: Groups, step: Step) -> Iterator[Step]:
    """The steps that surely follow one: rules of the same pass that match the node just built."""
    here = known[step[0]]
    built = here.built[step[1]]
    root = built.node.op if isinstance(built.node, New) else here.rule.root
    facts = here.after(built)
    if facts is None:
        return
    for number in groups.get((here.rule.priority, root), ()):
        there = known[number]
        binding = unify(there.rule.match, built.node, here.pattern)
        if binding is None:
            continue
        translator = Translator(binding, here.pattern)
        if not _surely(Reasoner(here.pattern), [(translator.translated(there.rule.when), True)], facts):
            continue
        for index, other in enumerate(there.built):
            path = [(translator.translated(condition), truth) for condition, truth in other.path]
            if _surely(Reasoner(here.pattern), path, facts):
                yield number, index


def _endless(reports: Sequence[Report], known: list[Knowledge], groups: Groups) -> None:
    """Reports each cycle of steps once, at its first rule."""
    edges: dict[Step, list[Step]] = {}
    for number, knowledge in enumerate(known):
        for index in range(len(knowledge.built)):
            edges[number, index] = list(_next(known, groups, (number, index)))
    said: set[int] = set()
    for step in edges:
        if step[0] in said:
            continue
        cycle = _cycle(step, edges)
        if cycle:
            said.update(number for number, _ in cycle)
            _report_cycle(reports, known, cycle)


def _cycle(start: Step, edges: dict[Step, list[Step]]) -> list[Step]:
    """The shortest way from a step back to it, [] when there is none."""
    before: dict[Step, Step] = {}
    pending = [start]
    while pending:
        reached: list[Step] = []
        for step in pending:
            for following in edges[step]:
                if following == start:
                    way = [step]
                    while way[-1] != start:
                        way.append(before[way[-1]])
                    return way[::-1]
                if following not in before:
                    before[following] = step
                    reached.append(following)
        pending = reached
    return []


def _report_cycle(reports: Sequence[Report], known: list[Knowledge], cycle: list[Step]) -> None:
    number, index = cycle[0]
    report, built = reports[number], known[number].built[index]
    if len({step[0] for step in cycle}) > 1:
        names = [reports[step[0]].rule.name for step in cycle]
        message = f"rules of pass {report.rule.pass_text} rewrite what the others build without end: "
        report.warning(
            "OPK562",
            message + " -> ".join([*names, names[0]]),
            built.at,
            "exclude it in a constraint, or use two passes",
        )
    elif isinstance(built.node, Old):
        message = f"the new op reads '{report.rule.root}', which stays and matches again: the pass never ends"
        report.warning("OPK562", message, built.at, "let the constraint ask for what the rule changes")
    elif built.split is not None:
        message = f"the slices of '{report.rule.root}' match this rule again and are split again: the pass never ends"
        dim, chunk = (report.text(part.at) if part else "1" for part in (built.split.dim, built.split.chunk))
        hint = f'let the constraint say that there is something to split: GT(DIM_OF("*", {dim}), {chunk})'
        report.warning("OPK564", message, built.at, hint)
    else:
        message = f"the rule builds '{report.rule.root}' such that it matches again: the pass never ends"
        report.warning("OPK562", message, built.at, "exclude in the constraint what the rule builds")


# ---- order ---------------------------------------------------------------------------------------------------------


def _compare(report: Report, later: Knowledge, earlier: Knowledge) -> bool:
    """An earlier rule of the same pass and root that matches whenever the later does (OPK563), or that may (OPK568)."""
    if later.facts is None or earlier.facts is None or not _runs_with(earlier.rule, later.rule):
        return False
    binding = unify(earlier.rule.match, Old(Tag("*")), later.pattern)
    if binding is None:
        return False
    condition = Translator(binding, later.pattern).translated(earlier.rule.when)
    reasoner = Reasoner(later.pattern)
    if not reasoner.can(condition, True, later.facts):
        return False
    where = f"earlier rule '{earlier.rule.name}' of pass {report.rule.pass_text}"
    if not reasoner.can(condition, False, later.facts) and _always_rewrites(earlier.rule):
        message = f"{where} matches whenever this one does: this one never runs"
        report.warning("OPK563", message, report.rule.match.at, "put the more special rule first")
    else:
        message = f"{where} matches this pattern too and is tried first: where both constraints hold, it wins"
        report.info(
            "OPK568", message, report.rule.match.at, "give the rules different passes if the order is not meant"
        )
    return True


def _runs_with(earlier: TypedRule, later: TypedRule) -> bool:
    """Whether the earlier rule runs in all graphs in which the later does."""
    gates = {option_of(flag) for flag in earlier.flags} - {""}
    return gates <= {option_of(flag) for flag in later.flags}


def _always_rewrites(rule: TypedRule) -> bool:
    """Whether the replacement surely is another node."""
    node = rule.replace
    if isinstance(node, Build):
        return True
    gives_up = any(isinstance(part, ExternalRepl | OpaqueRepl) for part in below(node))
    return not gives_up and not any(isinstance(part, Existing) and part.operand == Tag("*") for part in below(node))
