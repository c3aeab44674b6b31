"""Generates the cases of an op: deterministic by seed, each case independent of all others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from opkg.spec.diagnostics import Diagnostic, OpkgError, Severity, Span, error
from opkg.spec.evaluate import Shape, TensorInfo
from opkg.spec.infer import Call, check_call
from opkg.spec.model import Combination, Op, TensorSpec, TestCase, Value
from opkg.verify.cases import demands as demanded
from opkg.verify.cases import large, params, sizes, solve, values
from opkg.verify.cases.case import Case, CaseParam, CaseTensor
from opkg.verify.cases.complete import finish, input_quants, with_quants
from opkg.verify.cases.computed import with_shapes
from opkg.verify.cases.demands import FREE, Demand
from opkg.verify.cases.draft import Draft, calls_of
from opkg.verify.cases.own_cases import Fixed, fixed_by, matching
from opkg.verify.cases.reference import Meaning
from opkg.verify.cases.rng import Rng
from opkg.verify.cases.turns import pick_call
from opkg.verify.meaning.numbers import Quant
from opkg.verify.options import DEFAULT_CASES

MOST_TRIES = 200
RANK, WIDE = 5, 32  # of constants that HTP does not prepare
ASSIGNED_TRIES = 40  # in which enums and bools have the values whose turn it is
FREE_TRIES = 2  # before the draft is repaired: what fits by itself is more varied
BIGGEST = 4 * sizes.MOST_ELEMENTS  # of any one tensor


@dataclass(frozen=True, slots=True)
class Plan:
    """Which cases to make: how many per combination, from which seed, and one case only when `only` names it. `large`:
    bytes of the largest tensor of one more case, 0 for none."""

    cases: int = DEFAULT_CASES
    seed: int = 0
    only: str = ""
    large: int = 0


def case_id(combination: Combination, label: str) -> str:
    """`u8-007`: the combination's short name and the case's number or name."""
    return f"{combination.suffix or 'any'}-{label}"


def generate(op: Op, reference: Meaning, plan: Plan) -> tuple[list[Case], list[Diagnostic]]:
    """All cases of an op, combination by combination: the spec's own ones first, then generated ones.

    Each has its expected outputs. A finding (no case possible, the reference failed) ends the combination it is in;
    the same finding is reported once.
    """
    found: list[Case] = []
    findings: dict[tuple[str, str, Span], Diagnostic] = {}
    for combination in op.combinations:
        try:
            for case in _combination(op, combination, reference, plan):
                found.append(case)
        except OpkgError as failed:
            for finding in _eased(failed.diagnostics, op, combination):
                findings.setdefault((finding.id, finding.message, finding.span), finding)
    return found, list(findings.values())


def large_cases(op: Op, reference: Meaning, plan: Plan) -> Iterator[Case]:
    """One case per combination whose largest input has `plan.large` bytes or a bit more, or what an op that is not tiled
    takes; made one at a time, for each takes some 100 MB. Raises OpkgError."""
    for combination in op.combinations:
        yield from _demanded(op, combination, reference, plan, (Demand(large.LABEL, bytes=plan.large),))


def _eased(findings: tuple[Diagnostic, ...], op: Op, combination: Combination) -> list[Diagnostic]:
    """Where the spec has cases of its own, it is only a warning that none can be generated."""
    has_own = any(matching(own, combination) for own in op.tests.cases)
    return [replace(f, severity=Severity.WARNING) if f.id == "OPK420" and has_own else f for f in findings]


def _wanted(plan: Plan, combination: Combination, label: str) -> bool:
    return plan.only in ("", case_id(combination, label), label, label.lstrip("0") or "0")


def _combination(op: Op, combination: Combination, reference: Meaning, plan: Plan) -> Iterator[Case]:
    for number, own in enumerate(op.tests.cases):
        label = own.name or f"case{number + 1}"
        if matching(own, combination) and _wanted(plan, combination, label):
            yield make_case(op, combination, reference, plan.seed, label, number, own)
    count, tail = plan.cases, ""
    if plan.only:
        tail = plan.only.rpartition("-")[2]
        count = int(tail) + 1 if tail.isdecimal() else 0
    for number in range(count):
        label = f"{number:03d}"
        if _wanted(plan, combination, label):
            yield make_case(op, combination, reference, plan.seed, label, number, None)
    if not tail.isdecimal():
        yield from _demanded(op, combination, reference, plan, demanded.demands(op, combination))


def _demanded(
    op: Op, combination: Combination, reference: Meaning, plan: Plan, demands: Iterable[Demand]
) -> Iterator[Case]:
    """The cases that an op always gets, those of them that its constraints allow."""
    for number, demand in enumerate(demands):
        if not _wanted(plan, combination, demand.label):
            continue
        try:
            yield make_case(
                op, combination, reference, plan.seed, demand.label, number, None, demanded.TRIES, demand
            )  # fmt: skip
        except OpkgError as failed:
            if any(finding.id != "OPK420" for finding in failed.diagnostics):
                raise


def make_case(
    op: Op, combination: Combination, reference: Meaning, seed: int, label: str, number: int, own: TestCase | None,
    tries: int = MOST_TRIES, demand: Demand = FREE,
) -> Case:  # fmt: skip
    """One case; its random numbers depend on the seed, op, combination and label only. Raises OpkgError after `tries`."""
    id = case_id(combination, label)
    fixed = fixed_by(op, own)
    complaint = ""
    for attempt in range(tries):
        rng = Rng(seed, op.name, str(combination), label, str(attempt))
        drafted = _draft(op, combination, rng, number, attempt, fixed, demand)
        if drafted is None:
            complaint = complaint or "a param depends on a value that nothing determines"
            continue
        draft, call, quants = drafted
        if call.violations:
            complaint = call.violations[0]
            continue
        span = op.span if own is None else own.span
        case = _fill(draft, call, quants, rng, id, number, fixed, span, demand)
        if op.compute is not None and None in call.outputs.values():
            opened = with_shapes(case, op.compute, {name for name, shape in call.outputs.items() if shape is None})
            if isinstance(opened, str):
                complaint = opened
                continue
            case = opened
        if own is None and _unprepared(case):
            complaint = "HTP prepares no constants of rank 5 with elements of 32 bits"
            continue
        finished = finish(case, reference, rng, number, fixed, demand)
        if isinstance(finished, Case):
            return finished
        complaint = finished
    raise OpkgError([_impossible(op, combination, own, complaint)])


def _unprepared(case: Case) -> bool:
    """Whether HTP does not prepare the graph, which validators refuse: a constant of rank 5 and 32 bits that could have another
    rank (measured: 36 of 36 end in 1002)."""
    static = [tensor for tensor in case.inputs if tensor.spec.static and tensor.spec.ranks.low < RANK]
    return any(len(tensor.shape) == RANK and tensor.dtype.bits == WIDE for tensor in static)


def _impossible(op: Op, combination: Combination, own: TestCase | None, complaint: str) -> Diagnostic:
    types = f" for {combination}" if combination.types else ""
    if own is not None:
        return error("OPK421", f"test case of {op.name} is not possible{types}: {complaint}", own.span)
    hint = "add an example under tests: cases:"
    message = f"no case of {op.name} satisfies its constraints{types} ({MOST_TRIES} tries; {complaint})"
    return error("OPK420", message, op.span, hint)


def _draft(
    op: Op, combination: Combination, rng: Rng, number: int, attempt: int, fixed: Fixed, demand: Demand
) -> tuple[Draft, Call, dict[str, tuple[Quant | None, ...]]] | None:
    """Chooses shapes, params and input quantisation, and checks them against the spec."""
    # What constraints do not allow is drawn in later attempts; a demand stands.
    turns = attempt < ASSIGNED_TRIES and not fixed.tensors and not fixed.params
    wanted = {**(params.assigned(op, number) if turns else {}), **dict(demand.params)}
    call = pick_call(op, combination, rng, number, fixed, wanted)
    if call is None:
        return None
    draft = Draft(op, combination, call)
    fixed.apply(draft)
    style = "ones" if number == 1 and attempt == 0 else sizes.STYLES[(number + attempt) % len(sizes.STYLES)]
    budget = sizes.MOST_ELEMENTS >> min(attempt // 16, 8)
    turn = number // 2 if attempt < 4 else number + attempt
    if demand.length or demand.bytes:
        style = "exact" if demand.length else "channel"
        turn = attempt if demand.bytes else turn
    sizes.choose_sizes(draft, rng, style, turn, budget, demand.length)
    if not params.choose_params(draft, rng, wanted):
        return None
    _spread(draft, rng)
    if attempt >= FREE_TRIES or style == "ones":
        solve.repair(draft, rng)
    if demand.bytes and not large.grow(draft, demand.bytes, rng):
        return None
    env = draft.env()
    tensors = draft.tensors(env)
    quants = input_quants(draft, tensors, rng, fixed, demand)
    known = {name: with_quants(infos, quants[name]) for name, infos in tensors.items()}
    outputs = {s.name: (TensorInfo(None, draft.dtype(s)),) * draft.count(s.name) for s in op.outputs}
    checked = check_call(op, combination, {**known, **outputs}, draft.params)
    most = max(BIGGEST, 4 * demand.bytes)
    return draft, checked if fixed.tensors else _bounded(checked, tensors, most, op.compute is None), quants


def _bounded(call: Call, tensors: Mapping[str, tuple[TensorInfo, ...]], most: int, whole: bool) -> Call:
    """A call with tensors too large for a test, or (`whole`) outputs without a shape, is no case."""
    if call.violations:
        return call
    shapes: list[Shape | None] = [info.shape for infos in tensors.values() for info in infos]
    for name, shape in call.outputs.items():
        if shape is None and whole:
            return replace(call, violations=(f"the shape of '{name}' does not follow from the inputs",))
        shapes += list(_many(shape or ()))
    if any(int(np.prod(shape or (1,), dtype=np.int64)) > most for shape in shapes):
        return replace(call, violations=(f"tensors of more than {most} elements",))
    return call


def _many(shape: Shape | tuple[Shape, ...]) -> tuple[Shape, ...]:
    """The shapes of an output's tensors."""
    if shape and isinstance(shape[0], tuple):
        return tuple(s for s in shape if isinstance(s, tuple))
    return (tuple(d for d in shape if isinstance(d, int)),)


def _spread(draft: Draft, rng: Rng) -> None:
    """Lets the tensors of a variadic input differ along the axis on which the op joins them."""
    trees = [s.shape.tree for s in draft.op.outputs] + [c.require.tree for c in draft.op.constraints]
    for concat in (c for tree in trees for c in calls_of(tree, "concat")):
        name = getattr(concat.args[1], "id", "")
        axis = solve.value_of(concat.args[0], draft.env())
        if isinstance(axis, int) and name not in draft.fixed:
            draft.spread[name] = (axis, [rng.choice(sizes.SMALL) for _ in range(draft.count(name))])


def _names(spec: TensorSpec, count: int) -> list[str]:
    return [spec.name][:count] if spec.variadic is None else [f"{spec.name}.{i}" for i in range(count)]


def _fill(
    draft: Draft, call: Call, quants: Mapping[str, tuple[Quant | None, ...]], rng: Rng, id: str, number: int,
    fixed: Fixed, span: Span, demand: Demand,
) -> Case:  # fmt: skip
    """The case with its input numbers; outputs have shapes and no quantisation yet."""
    op, env = draft.op, draft.env()
    inputs: list[CaseTensor] = []
    for place, spec in enumerate(op.inputs):
        dtype = draft.dtype(spec)
        infos = env.tensors[spec.name]
        if not infos and spec.variadic is None:
            inputs.append(CaseTensor(spec.name, spec, dtype, (), absent=True))
        for item, (name, info) in enumerate(zip(_names(spec, len(infos)), infos, strict=True)):
            shape, quant = info.shape or (), quants[spec.name][item]
            style = values.STYLES[(number + (place + item) * 3) % len(values.STYLES)]
            style = "special" if demand.special else "uniform" if demand.bytes else style
            stored = fixed.values(spec.name, item, dtype, quant, shape)
            if stored is None:
                stored = values.elements(rng, dtype, quant, shape, style)
            inputs.append(CaseTensor(name, spec, dtype, shape, quant, stored))
    outputs: list[CaseTensor] = []
    for spec in op.outputs:
        shapes = _many(call.outputs[spec.name] or ())
        names = _names(spec, len(shapes))
        outputs += [CaseTensor(n, spec, draft.dtype(spec), s) for n, s in zip(names, shapes, strict=True)]
    return Case(op, draft.combination, id, span, tuple(inputs), _params(draft, call), tuple(outputs))


def _params(draft: Draft, call: Call) -> tuple[CaseParam, ...]:
    found = []
    env = draft.env()
    for param in draft.op.params:
        if param.name not in call.params:
            continue
        value: Value = call.params[param.name]
        shape = None
        if param.shape is not None:
            assert isinstance(value, tuple)
            computed = solve.value_of(param.shape.tree, env)
            shape = tuple(int(d) for d in computed) if isinstance(computed, tuple) else (len(value),)
        found.append(CaseParam(param, value, shape, param.name in draft.params))
    return tuple(found)
