"""Running rules on a graph: passes in ascending priority, each to a fixpoint.

In a pass, nodes are visited in topological order (what a rule built takes its root's place), rules of a node's op in the
order of registration. After an application only what was built and what reads it, as far as patterns look, is visited
again; a pass ends with a visit of all its candidates in which nothing changed. The order of visits is ours: no public text
gives the backend's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from opkg.rules.core import TypedRule
from opkg.rules.sim.attempt import Attempt, Verdict, attempt
from opkg.rules.sim.cleanup import fold_constants, merge_common
from opkg.rules.sim.endless import Lineage
from opkg.rules.sim.frame import Settings
from opkg.rules.sim.match import depth
from opkg.rules.sim.model import LEAVES, Delta, Graph
from opkg.rules.sim.run import Run, Step, StepKind, Stopped, Tried
from opkg.spec.diagnostics import Diagnostic, Severity, Span

# Rules with these flags run only when the graph option of that name is on.
ON_REQUEST = ("fold_relu", "hmx_short_conv", "relaxed_precision")

TOO_MUCH = 10_000  # nodes and slices of an attempt that came to nothing, after which the rule is given up
_identity = id


def apply(graph: Graph, rules: Sequence[TypedRule], settings: Settings | None = None) -> Run:
    """Runs the rules on a copy of the graph. Ends always: an endless rule set is stopped (`Run.stopped`, a finding).

    What no output needs is removed first. Of a graph without outputs, all that nobody reads is taken as output.
    """
    return _Engine(graph, settings or Settings()).run(rules)


def flags_of(rule: TypedRule) -> frozenset[str]:
    """A rule's flags without the ending that some names have."""
    return frozenset(flag.removesuffix("_flag") for flag in rule.flags)


def options_wanted(rule: TypedRule) -> list[str]:
    """The graph options without which a rule does not run."""
    return [flag for flag in ON_REQUEST if flag in flags_of(rule)]


class _Pass:
    """The rules of one priority by their root op, in order of registration."""

    def __init__(self, priority: int, rules: Sequence[TypedRule]) -> None:
        self.priority = priority
        self.by_op: dict[str, list[TypedRule]] = {}
        for rule in rules:
            self.by_op.setdefault(rule.root, []).append(rule)
        self.flags = frozenset[str]().union(*map(flags_of, rules))
        self.reach = max(depth(rule.match) for rule in rules) - 1  # levels of users that may match anew


class _Engine:
    def __init__(self, graph: Graph, settings: Settings) -> None:
        self._before = graph.copy()
        self._graph = graph.copy()
        self._settings = settings
        self._rank = {node.id: place for place, node in enumerate(self._graph.order())}
        self._steps: list[Step] = []
        self._tried: list[Tried] = []
        self._counts: Counter[str] = Counter()
        self._findings: dict[tuple[str, ...], Diagnostic] = {}
        self._stopped: Stopped | None = None
        self._triggers: set[str] = set()
        self._off: set[int] = set()  # rules (by identity) that cost too much for nothing

    def _prepare(self) -> None:
        """Outputs for a graph that has none; without what no output needs."""
        graph = self._graph
        if not graph.outputs:
            unread = sorted(id for id in graph.nodes if not graph.users(id) and graph.nodes[id].op not in LEAVES)
            outputs = [(graph.label(id), id) for id in unread]
            for each in (self._before, graph):
                each.set_outputs(outputs)
            if outputs:
                names = ", ".join(name for name, _ in outputs[:3]) + (", ..." if len(outputs) > 3 else "")
                text = f"the graph has no outputs; what nobody reads is taken ({names})"
                self._findings["OPK592",] = Diagnostic("OPK592", text, Span(graph.path), "", Severity.INFO)
        delta = graph.journal = Delta()
        graph.sweep([id for id in graph.nodes if not graph.users(id)])
        graph.journal = None
        self._note_cleanup(StepKind.DEAD, 0, delta)

    def run(self, rules: Sequence[TypedRule]) -> Run:
        self._prepare()
        wanted = [rule for rule in rules if self._is_on(rule)]
        for priority in sorted({rule.priority for rule in wanted}):
            self._pass(_Pass(priority, [rule for rule in wanted if rule.priority == priority]))
            if self._stopped is not None:
                break
        else:
            last = max((rule.priority for rule in wanted), default=0)
            self._fold(last)
            self._merge(last)
        counts = {rule.name: self._counts[rule.name] for rule in rules}
        steps, tried, findings = tuple(self._steps), tuple(self._tried), tuple(self._findings.values())
        return Run(self._before, self._graph, steps, tried, counts, findings, self._stopped)

    def _is_on(self, rule: TypedRule) -> bool:
        options = {**self._settings.options, **self._graph.options}
        wanted = options_wanted(rule)
        return all(options.get(flag) or options.get(f"{flag}_flag") for flag in wanted)

    # ---- a pass

    def _pass(self, rules: _Pass) -> None:
        for trigger in ("triggerA", "triggerB"):
            if f"cse_before_if_{trigger}" in rules.flags and trigger in self._triggers:
                self._triggers.discard(trigger)
                self._merge(rules.priority)
        fired: set[str] = set()
        lineage = Lineage(self._graph, self._settings)
        while self._sweep(rules, lineage, fired) and self._stopped is None:
            pass
        self._triggers |= {flag.removeprefix("cse_set_") for flag in fired if flag.startswith("cse_set_")}
        if self._stopped is None:
            if "cp_after_always" in rules.flags or "cp_after_if" in fired:
                self._fold(rules.priority)
            if "cse_after_always" in rules.flags or "cse_after_if" in fired:
                self._merge(rules.priority)

    def _sweep(self, rules: _Pass, lineage: Lineage, fired: set[str]) -> bool:
        """Visits all candidates, then what changed, until nothing does; whether anything did."""
        graph, rank = self._graph, self._rank
        heap = [(rank[id], id) for op in rules.by_op for id in graph.by_op(op)]
        heapify(heap)
        queued = {id for _, id in heap}
        changed = False
        while heap:
            _, id = heappop(heap)
            queued.discard(id)
            again = self._visit(rules, lineage, fired, id) if id in graph.nodes else None
            if again is None:
                continue
            changed = True
            if self._stopped is not None:
                break
            for other in again:
                if other not in queued and graph.nodes[other].op in rules.by_op:
                    queued.add(other)
                    heappush(heap, (rank[other], other))
        return changed

    def _visit(self, rules: _Pass, lineage: Lineage, fired: set[str], id: int) -> list[int] | None:
        """Tries the rules of a node; the nodes to visit again after an application, else None."""
        graph, settings = self._graph, self._settings
        root = graph.nodes[id]
        for rule in rules.by_op[root.op]:
            if _identity(rule) in self._off:
                continue
            done = attempt(graph, rule, id, settings, settings.verbose)
            if done.missing:
                self._note_options(rule, done.missing)
            if done.verdict is not Verdict.APPLIED:
                if done.verdict is not Verdict.NO_MATCH:
                    self._note_failure(rule, done)
                elif settings.attempts:
                    self._tried.append(Tried(rule.priority, rule, done, len(self._steps)))
                continue
            for new in done.built:
                self._rank[new] = self._rank[id]
            self._note_step(rule, done)
            fired |= flags_of(rule)
            stopped = lineage.note(rule, root, done.built)
            if stopped is not None:
                self._note_stop(rule, stopped)
            return self._again(done, rules.reach)
        return None

    def _again(self, done: Attempt, reach: int) -> list[int]:
        """What was built, the root if it is still there, and what reads the result in the root's place, as many levels up
        as patterns look. Other readers of a result that was there before see nothing new."""
        nodes, changes = self._graph.nodes, done.delta.changes if done.delta is not None else []
        found = [*done.built, *(id for id in (done.root, done.result) if id in nodes)]
        level = [
            after.id for before, after in changes if before is not None and after is not None and after.id in nodes
        ]
        for _ in range(reach):
            found += level
            level = list(dict.fromkeys(user for id in level for user in self._graph.users(id)))
        return found

    # ---- what is taken down

    def _note_step(self, rule: TypedRule, done: Attempt) -> None:
        self._counts[rule.name] += 1
        if self._settings.trace and done.delta is not None:
            step = Step(
                StepKind.RULE,
                rule.priority,
                rule,
                done.delta,
                done.root,
                done.result,
                done.bound,
                done.value,
                done.log,
                done.built,
            )
            self._steps.append(step)

    def _note_failure(self, rule: TypedRule, done: Attempt) -> None:
        if self._settings.attempts:
            self._tried.append(Tried(rule.priority, rule, done, len(self._steps)))
        if done.spent > TOO_MUCH:
            self._off.add(_identity(rule))
            text = f"rule {rule.name} built {done.spent} nodes and slices in vain; it is not tried again"
            self._find("OPK588", (rule.name, "spent"), rule, text, Severity.WARNING)
        if done.verdict is Verdict.FAULT:
            node = self._graph.label(done.root)
            message = f"rule {rule.name} fails at {node}: {done.reason}"
            self._find("OPK588", (rule.name, done.reason), rule, message, Severity.WARNING, done.at)

    def _note_options(self, rule: TypedRule, names: frozenset[str]) -> None:
        for name in sorted(names):
            message = f"option {name} is not set; 0 is taken"
            self._find(
                "OPK589", (name,), rule, message, Severity.INFO, hint=f"set it in the graph: option {name} = ..."
            )

    def _note_stop(self, rule: TypedRule, stopped: Stopped) -> None:
        self._stopped = stopped
        hint = "let the constraint fail on what the rule itself builds"
        self._find("OPK587", (), rule, f"endless: {stopped.text}", Severity.ERROR, hint=hint)

    def _find(
        self,
        id: str,
        about: tuple[str, ...],
        rule: TypedRule,
        message: str,
        severity: Severity,
        at: tuple[int, int] = (0, 0),
        hint: str = "",
    ) -> None:
        """A finding at a place of a rule, once for each `about`."""
        if (id, *about) not in self._findings:
            start, end = at if at[1] > at[0] else (rule.syntax.start, rule.syntax.end)
            span = rule.syntax.text.span(start, max(end, start + 1))
            self._findings[id, *about] = Diagnostic(id, message, span, hint, severity)

    # ---- between passes

    def _merge(self, priority: int) -> None:
        self._note_cleanup(StepKind.CSE, priority, merge_common(self._graph))

    def _fold(self, priority: int) -> None:
        delta, failures = fold_constants(self._graph, self._settings)
        for id, message in failures:
            text = f"constant propagation of {self._graph.nodes[id].op} failed: {message}"
            self._findings.setdefault(
                ("OPK590", text), Diagnostic("OPK590", text, Span(self._graph.path), "", Severity.WARNING)
            )
        self._note_cleanup(StepKind.FOLD, priority, delta)

    def _note_cleanup(self, kind: StepKind, priority: int, delta: Delta) -> None:
        for _, after in delta.changes:
            if after is not None:
                self._rank.setdefault(after.id, self._rank.get(after.origin, len(self._rank)))
        if delta.changes and self._settings.trace:
            self._steps.append(Step(kind, priority, None, delta))
