"""Are the two sides of a rule equivalent: computes graphs before and after one application and compares their outputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from opkg.rules import core
from opkg.rules.sim import Graph, Settings, Verdict, attempt, write_text
from opkg.rules.sim.model import CONST, INPUT, QUANTIZED, SHAPE, Node
from opkg.rules.sim.text_write import output_text
from opkg.spec.diagnostics import OpkgError, Span
from opkg.verify.judge.outcome import amount
from opkg.verify.judge.tolerance import OutputStats, output_stats
from opkg.verify.meaning.numbers import Array
from opkg.verify.rules.execute import NodeUnfit, Rounding, run
from opkg.verify.rules.outcome import RULE_DEFAULTS, Counterexample, Fault, RuleOptions, RuleVerdict, Status, Worst
from opkg.verify.rules.sampler import Sample
from opkg.verify.rules.search import Search
from opkg.verify.rules.tensors import FLOATS, dtype_of, quant_of, stored
from opkg.verify.rules.world import World

SHRINK_TRIES = 60
NARROW = frozenset(t for t in core.HtpType if t in QUANTIZED) | {core.HtpType.Float16, core.HtpType.BFloat16}
SPECIAL = (np.nan, np.inf, -np.inf)
SHOWN = 6  # values of an operand in a counterexample


class NotKnown(Exception):
    """The rule cannot be tested; the text says why."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One output of one graph, compared."""

    name: str
    stats: OutputStats
    before: Array
    after: Array


def span_of(rule: core.TypedRule) -> Span:
    """Where the rule stands."""
    return rule.syntax.text.span(rule.syntax.start, rule.syntax.end)


def ops_of(rule: core.TypedRule) -> tuple[str, ...]:
    """Full names of all ops that the rule matches or builds, in order."""
    return tuple(dict.fromkeys(_ops((rule.match, rule.replace))))


def _ops(node: object) -> Iterator[str]:
    if isinstance(node, core.MatchOp | core.Build | core.BuildMulti | core.Wrap):
        yield node.op
    if isinstance(node, tuple):
        for part in node:
            yield from _ops(part)
    elif hasattr(node, "__dataclass_fields__"):
        for name in node.__dataclass_fields__:
            yield from _ops(getattr(node, name))


def equivalent(rule: core.TypedRule, world: World, options: RuleOptions = RULE_DEFAULTS) -> RuleVerdict:
    """Runs both sides of a rule on random graphs that it accepts. Never raises for a rule that is wrong."""
    verdict = RuleVerdict(rule.name, rule.package, span_of(rule), Status.SKIPPED)
    reasons = [reason for reason in (world.why_not(op) for op in ops_of(rule)) if reason]
    if reasons:
        return replace(verdict, reason=reasons[0])
    settings = Settings(externals=dict(options.externals), options=dict(options.options))  # type: ignore[arg-type]
    search = Search(rule, world, options.seed, settings)
    cases, unchanged = 0, 0
    special, narrow = "", ""
    try:
        for sample in search.samples(options.tries):
            found = check(rule, world, sample, settings)
            if isinstance(found, Counterexample):
                small = _shrunk(rule, world, options, settings, found)
                return replace(
                    verdict, status=Status.DIFFERENT, cases=cases, tries=search.tries, counterexample=small
                )  # fmt: skip
            cases, unchanged = cases + found, unchanged + (not found)
            special = special or _special_note(rule, world, sample, settings)
            narrow = narrow or _narrow_note(rule, sample, settings)
            if cases + unchanged >= options.cases:
                break
        rejected = sum(_left_alone(rule, sample, settings) for sample in search.rejected)
    except NotKnown as unknown:
        return replace(verdict, reason=str(unknown), tries=search.tries)
    if search.unknown:
        return replace(verdict, reason=search.unknown, tries=search.tries)
    status = Status.EQUIVALENT if cases else Status.NO_GRAPH
    reason = "" if cases else "what it builds is the root itself" if unchanged else search.worst()
    notes = tuple(note for note in (special, narrow) if note)
    return replace(
        verdict, status=status, cases=cases, rejected=rejected, tries=search.tries, reason=reason, notes=notes
    )


def _special_note(rule: core.TypedRule, world: World, sample: Sample, settings: Settings) -> str:
    """A note when the two sides agree on numbers, but not on NaN and infinities in one of the inputs."""
    floats = [i for i, v in sample.inputs.items() if sample.graph.nodes[i].output.dtype in FLOATS and v.size]
    for id in floats:
        changed = sample.inputs[id].copy()
        changed.reshape(-1)[: len(SPECIAL)] = SPECIAL[: changed.size]
        found = check(rule, world, replace(sample, inputs={**sample.inputs, id: changed}), settings)
        if isinstance(found, Counterexample) and found.fault is Fault.VALUES:
            name = sample.graph.label(id)
            return f"differs where {name} holds NaN or infinities: {found.message}"
    return ""


def _narrow_note(rule: core.TypedRule, sample: Sample, settings: Settings) -> str:
    """A note when new nodes have fewer digits than any node before: what they round is no difference here."""
    before = {n.output.dtype for n in sample.graph.nodes.values()}
    if core.HtpType.Float32 not in before or before & NARROW:
        return ""
    after = sample.graph.copy()
    built = attempt(after, rule, sample.root, settings).built
    narrow = sorted({after.nodes[id].output.dtype.name for id in built if after.nodes[id].output.dtype in NARROW})
    return f"new nodes are {' and '.join(narrow)}: what they round was allowed for" if narrow else ""


def _left_alone(rule: core.TypedRule, sample: Sample, settings: Settings) -> bool:
    return attempt(sample.graph.copy(), rule, sample.root, settings).verdict is Verdict.FALSE


def _shrunk(
    rule: core.TypedRule, world: World, options: RuleOptions, settings: Settings, found: Counterexample
) -> Counterexample:
    """A counterexample of the same kind on a smaller graph, if a short search finds one."""
    best, size = found, _size(found)
    search = Search(rule, world, options.seed, settings)
    for sample in search.samples(SHRINK_TRIES, tiny=True):
        try:
            smaller = check(rule, world, sample, settings)
        except NotKnown:
            continue
        if isinstance(smaller, Counterexample) and smaller.fault is found.fault and _size(smaller) < size:
            best, size = smaller, _size(smaller)
    return best


def _size(found: Counterexample) -> int:
    return len(found.before) + len(found.after)


# ---- one graph


def check(rule: core.TypedRule, world: World, sample: Sample, settings: Settings) -> Counterexample | bool:
    """Applies the rule once; True when the outputs agree, False when it changes nothing. Raises NotKnown."""
    before, after = sample.graph, sample.graph.copy()
    done = attempt(after, rule, sample.root, settings)
    if done.verdict is Verdict.FAULT:
        if "not known" in done.reason:
            raise NotKnown(done.reason)
        return _wrong(Fault.CRASH, f"the replacement cannot be built: {done.reason}", sample, done.bound, None)
    if done.verdict is not Verdict.APPLIED:
        return False
    different = _description(before.nodes[sample.root], after.nodes[done.result])
    if different is not None:
        return _wrong(*different, sample, done.bound, after)
    try:
        found = _outputs(world, sample, after, done.result)
    except NodeUnfit as unfit:
        message = str(unfit) if unfit.described else f"{unfit.node.op} is not allowed in the replacement: {unfit}"
        return _wrong(Fault.SHAPE if unfit.described else Fault.INVALID, message, sample, done.bound, after)
    except OpkgError as failed:
        raise NotKnown(failed.diagnostics[0].message) from None
    except KeyError as missing:
        raise NotKnown(world.why_not(str(missing.args[0])) or f"{missing.args[0]} cannot be computed") from None
    bad = next((c for c in found if not c.stats.ok), None)
    return True if bad is None else _values(bad, sample, done.bound, after)


def _description(root: Node, result: Node) -> tuple[Fault, str] | None:
    """In what the node that stands for the root differs from it."""
    old, new = root.output, result.output
    if result.op == SHAPE:
        return Fault.TYPE, f"the result is a shape, not a tensor: {output_text(new)} instead of {output_text(old)}"
    texts = f"{output_text(new)} instead of {output_text(old)}"
    if old.dtype is not new.dtype:
        return Fault.TYPE, f"the result has another element type: {texts}"
    if old.shape != new.shape:
        return Fault.SHAPE, f"the result has another shape: {texts}"
    same = new.zero_offset == old.zero_offset and np.float32(new.step_size) == np.float32(old.step_size)
    if old.quantized and not same:
        return Fault.QUANTIZATION, f"the result has another quantization: {texts}"
    return None


def _outputs(world: World, sample: Sample, after: Graph, result: int) -> list[Compared]:
    """All outputs of both graphs, compared.

    The graph before is computed with rounded and with exact inner nodes: a fused op may do without their rounding, but for
    that of casts. The
    new nodes' rounding is allowed for, but not their saturation.
    """
    before = sample.graph
    plain = run(before, world, sample.inputs, Rounding.STORED, sample.root)
    exact = run(before, world, sample.inputs, Rounding.EXACT, casts=True)
    got = run(after, world, sample.inputs)
    free = run(after, world, sample.inputs, Rounding.FREE, result)
    unrounded = run(after, world, sample.inputs, Rounding.EXACT)
    ops = [before.nodes[sample.root].op, after.nodes[result].op]
    compared = []
    for (name, old), (_, new) in zip(before.outputs, after.outputs, strict=True):
        output = before.nodes[old].output
        dtype = dtype_of(output)
        if dtype is None or output.is_multi:
            continue
        arrays = [
            _array(values, id) for values, id in ((plain, old), (exact, old), (got, new), (free, new), (unrounded, new))
        ]
        expected = nearest(arrays, output.dtype in FLOATS)
        numbers = stored(arrays[2], output)
        tolerance = world.tolerance(ops, dtype)
        stats = output_stats(name, expected, numbers, dtype, quant_of(output), tolerance)
        compared.append(Compared(name, stats, arrays[0], arrays[2]))
    return compared


def _array(values: Mapping[int, object], id: int) -> Array:
    found = values[id]
    assert not isinstance(found, tuple)
    return np.asarray(found)


def nearest(arrays: Sequence[Array], floating: bool) -> Array:
    """The value nearest to `got` that the graph before may have: between rounded and exact, give or take what rounding
    of the new inner nodes makes. A type that is not `floating` cannot hold NaN: then anything goes."""
    plain, exact, got, free, unrounded = arrays
    if plain.dtype.kind in "iu" and got.dtype.kind in "iu":
        return plain
    with np.errstate(all="ignore"):
        low, high = np.minimum(plain, exact), np.maximum(plain, exact)
        room = np.abs(free.astype(np.float64) - unrounded)
        room = np.where(np.isfinite(room), room, 0.0)
        near = np.clip(got, low - room, high + room)
    if not floating:
        return np.where(np.isnan(plain), got, near)
    return np.where(np.isnan(plain) | ~np.isfinite(got), plain, near)


# ---- counterexamples


def _values(bad: Compared, sample: Sample, bound: dict[str, int], after: Graph) -> Counterexample:
    stats = bad.stats
    worst = tuple(
        Worst(bad.name, e.index, f"{float(bad.before[e.index]):.9g}", f"{float(bad.after[e.index]):.9g}",
              amount(e.error, stats.unit))
        for e in stats.worst_elements
    )  # fmt: skip
    far = amount(stats.worst, stats.unit)
    message = f"{stats.failed} of {stats.elements} elements of {bad.name} differ, worst {far}"
    found = _wrong(Fault.VALUES, message, sample, bound, after)
    return replace(found, worst=worst, failed=stats.failed, elements=stats.elements)


def _wrong(fault: Fault, message: str, sample: Sample, bound: dict[str, int], after: Graph | None) -> Counterexample:
    graph = sample.graph
    described = tuple((tag, _operand(sample, id)) for tag, id in bound.items())
    texts = write_text(graph, 64), "" if after is None else write_text(after, 64)
    return Counterexample(fault, message, sample.number, described, *texts)


def _operand(sample: Sample, id: int) -> str:
    """`q::Relu Float32[1,1,2,2]`, with the first values of an input or constant."""
    node = sample.graph.nodes[id]
    text = f"{node.op} {output_text(node.output)}"
    values = sample.inputs.get(id) if node.op == INPUT else None
    if node.op == CONST and node.data is not None:
        values = np.asarray(node.data.array(node.output))
    if values is None:
        return text
    first = ", ".join(f"{v:.6g}" for v in values.reshape(-1)[:SHOWN].tolist())
    return f"{text} = [{first}{', ...' if values.size > SHOWN else ''}]"
