"""Cases that show rules at work on a machine: graphs on which one rule fires, and what they should give."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from opkg.rules.core import TypedRule
from opkg.rules.sim import Settings, apply
from opkg.rules.sim.model import CONST, INPUT, OUT, SHAPE
from opkg.rules.sim.text_write import output_text
from opkg.spec.diagnostics import Diagnostic, OpkgError, Severity
from opkg.spec.model import OpPackage, Tolerance
from opkg.verify.cases.casefile import Data
from opkg.verify.judge.outcome import CaseOutcome
from opkg.verify.judge.results import RawResult
from opkg.verify.judge.tolerance import OutputStats, output_stats
from opkg.verify.meaning.numbers import Array, storage
from opkg.verify.rules.equivalence import nearest, ops_of, span_of
from opkg.verify.rules.execute import NodeUnfit, Rounding, run
from opkg.verify.rules.machine_file import GraphCase, NotCarried
from opkg.verify.rules.meanings import bare
from opkg.verify.rules.sampler import Sample
from opkg.verify.rules.search import Search
from opkg.verify.rules.tensors import FLOATS, Value, dtype_of, quant_of, real_of
from opkg.verify.rules.world import World

MOST_CASES = 8  # per rule
TRIES = 200
MOST_SAMPLES = 60  # graphs looked at, for one rule
# Core ops on a machine have arithmetic of their own; errors of the package's kernels are the op's own cases' matter.
CORE_TOLERANCE = Tolerance(lsb=2, ulp=4, abs=2e-3, rel=2e-3)


@dataclass(frozen=True, slots=True)
class RuleCase:
    """One graph of one rule. `outputs`: name and the arrays from which `nearest` makes the expectation."""

    rule: TypedRule
    id: str  # "fuse-003"
    sample: Sample
    values: dict[int, Value]
    outputs: tuple[tuple[str, tuple[Array, ...]], ...]
    needs_core: bool

    @property
    def op(self) -> str:
        """The op of the spec that the rule stands under."""
        return self.rule.name.rpartition(".")[0]

    def describe(self) -> str:
        """One line: the inputs."""
        graph = self.sample.graph
        leaves = [n for n in graph.order() if n.op in (INPUT, CONST)]
        return "; ".join(f"{n.name}: {output_text(n.output)}" for n in leaves)


@dataclass(slots=True)
class RuleCases:
    """The cases of a package's rules. `findings`: rules without a case, and why."""

    cases: list[RuleCase] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)


def generate(
    package: OpPackage, wanted: Sequence[TypedRule], rules: Sequence[TypedRule], world: World, count: int, seed: int,
    only: str,
) -> RuleCases:  # fmt: skip
    """Cases for the rules wanted. `rules`: all that the built package has; `only`: one case by its id."""
    found = RuleCases()
    for rule in wanted:
        name = rule.name.rpartition(".")[2]
        if only and not only.startswith(f"{name}-"):
            continue
        cases, reason = _cases(rule, package, rules, world, MOST_CASES if only else min(count, MOST_CASES), seed)
        found.cases += [case for case in cases if only in ("", case.id)]
        if not cases:
            found.findings.append(no_case(rule, reason))
    return found


def no_case(rule: TypedRule, reason: str) -> Diagnostic:
    message = f"{rule.name}: no case for a machine: {reason}"
    return Diagnostic("OPK455", message, span_of(rule), "", Severity.INFO)


def _cases(
    rule: TypedRule, package: OpPackage, rules: Sequence[TypedRule], world: World, count: int, seed: int
) -> tuple[list[RuleCase], str]:
    missing = next((reason for reason in (world.why_not(op) for op in ops_of(rule)) if reason), "")
    if missing:
        return [], missing
    search, reason = Search(rule, world, seed, Settings()), ""
    found: list[RuleCase] = []
    for number, sample in enumerate(search.samples(TRIES)):
        if number >= MOST_SAMPLES or len(found) >= count:
            break
        try:
            found.append(_case(rule, package, rules, world, sample, len(found)))
        except NotCarried as unfit:
            reason = str(unfit)
        except OpkgError as failed:
            reason = failed.diagnostics[0].message
    return found, reason or search.unknown or f"no graph found that it accepts ({search.worst()})"


def _case(
    rule: TypedRule, package: OpPackage, rules: Sequence[TypedRule], world: World, sample: Sample, number: int
) -> RuleCase:
    """Raises NotCarried when the graph cannot be written or other rules fire, too."""
    done = apply(sample.graph, rules)
    fired = {name for name, count in done.counts.items() if count}
    if done.stopped is not None or fired != {rule.name}:
        others = ", ".join(sorted(fired - {rule.name})) or "none"
        raise NotCarried(f"rules that fire on its graphs besides it: {others}")
    before, after = sample.graph, done.graph
    try:
        runs = (
            run(before, world, sample.inputs, Rounding.STORED, sample.root),
            run(before, world, sample.inputs, Rounding.EXACT),
            run(after, world, sample.inputs, Rounding.FREE, after.outputs[0][1]),
            run(after, world, sample.inputs, Rounding.EXACT),
        )
    except (NodeUnfit, KeyError) as wrong:
        raise NotCarried(f"the rewritten graph cannot be computed: {wrong}") from None
    outputs = []
    for (name, old), (_, new) in zip(before.outputs, after.outputs, strict=True):
        arrays = [values[id] for values, id in zip(runs, (old, old, new, new), strict=True)]
        outputs.append((name, tuple(np.asarray(a) for a in arrays)))
    values = run(before, world, sample.inputs)
    leaves = {INPUT, CONST, SHAPE, OUT}
    core = any(bare(n.op) is not None for g in (before, after) for n in g.nodes.values() if n.op not in leaves
               and not n.op.endswith(("::Slice_shape", "::Concat")))  # fmt: skip
    core = core or any(bare(n.op) is not None for n in before.nodes.values() if n.op not in leaves)
    case = RuleCase(rule, f"{rule.name.rpartition('.')[2]}-{number:03d}", sample, values, tuple(outputs), core)
    GraphCase(sample, world, package, values, Data(bytearray())).text(0, case.id)  # raises NotCarried
    return case


def render(cases: Iterable[RuleCase], world: World, package: OpPackage) -> tuple[str, bytes]:
    """The texts of F.cases and F.bin."""
    data = Data(bytearray())
    lines = ["opkg-cases 1"]
    for index, case in enumerate(cases):
        lines += GraphCase(case.sample, world, package, case.values, data).text(index, f"{case.op}/{case.id}")
    return "\n".join(lines) + "\n", bytes(data.content)


# ---- judging


def judge(case: RuleCase, result: RawResult, world: World) -> CaseOutcome:
    """The outcome of a case: right numbers, and a trace that names the rule."""
    fired = f"rule {case.rule.name}"
    seen = any(line == fired or line.startswith(f"{fired} ") for line in result.trace)
    kernels = tuple(dict.fromkeys(kernel for _, kernel in result.kernels if kernel))

    def outcome(status: str, message: str, outputs: tuple[OutputStats, ...] = ()) -> CaseOutcome:
        return CaseOutcome(
            case.id, status, case.describe(), message, result.stage, result.code, kernels, outputs, result.log,
            result.trace, result.microseconds, result.paths,
        )  # fmt: skip

    if result.status != "ok":
        return outcome(result.status, result.message)
    stats = []
    given = {output.name: output.data for output in result.outputs}
    for name, arrays in case.outputs:
        compared = _compared(case, world, name, arrays, given.get(name))
        if isinstance(compared, str):
            return outcome("error", compared)
        stats.append(compared)
    good = all(s.ok for s in stats)
    message = "" if seen else "the rule did not fire (opkg explain OPK454)"
    return outcome("passed" if good and seen else "failed", message, tuple(stats))


def _compared(
    case: RuleCase, world: World, name: str, arrays: tuple[Array, ...], raw: bytes | None
) -> OutputStats | str:
    graph = case.sample.graph
    output = next(graph.nodes[id].output for out, id in graph.outputs if out == name)
    dtype = dtype_of(output)
    assert dtype is not None
    kind = storage(dtype)
    if raw is None or len(raw) != output.elements * kind.itemsize:
        return f"output {name} has {0 if raw is None else len(raw)} bytes, expected {output.elements * kind.itemsize}"
    numbers = np.frombuffer(raw, kind).reshape(output.shape)
    plain, exact, free, unrounded = (a.reshape(output.shape) for a in arrays)
    expected = nearest((plain, exact, real_of(numbers, output), free, unrounded), output.dtype in FLOATS)
    tolerance = world.tolerance((case.rule.root, *ops_of(case.rule)), dtype)
    return output_stats(
        name, expected, numbers, dtype, quant_of(output), _wider(tolerance) if case.needs_core else tolerance
    )


def _wider(tolerance: Tolerance) -> Tolerance:
    pairs = ((getattr(tolerance, n), getattr(CORE_TOLERANCE, n)) for n in ("lsb", "ulp", "abs", "rel"))
    return Tolerance(*(max(a or 0.0, b) for a, b in pairs))
