"""Reductions of a row, and results that need them (softmax, normalization), as loops over the row in integer vectors.

At most three passes: extremes and sums of stored elements and of their products; sums of tables; full results. What lies
between are numbers of the row, in double precision.
"""

from __future__ import annotations

import re
from dataclasses import replace

from opkg.kernels.graphs.signs import Signs
from opkg.kernels.lowered import Member
from opkg.kernels.sequence import Buffer, Loop, Numbers, Sequence, Slots
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies import products
from opkg.kernels.strategies.columns.vectors import per_step
from opkg.kernels.strategies.rows.across import lost
from opkg.kernels.strategies.rows.analysis import plan
from opkg.kernels.strategies.rows.choices import as_choices
from opkg.kernels.strategies.rows.corners import HEADERS as CORNER_HEADERS
from opkg.kernels.strategies.rows.corners import corner_members, corners
from opkg.kernels.strategies.rows.curved import HEADERS as CURVE_HEADERS
from opkg.kernels.strategies.rows.curved import curved
from opkg.kernels.strategies.rows.ends import at_ends
from opkg.kernels.strategies.rows.errors import LEAST_SCALE, check_sums, demand, logarithms, only_divides, table_sums
from opkg.kernels.strategies.rows.floating import lower_floating
from opkg.kernels.strategies.rows.folding import MANY, folds_of
from opkg.kernels.strategies.rows.forms import Form, form_of, per_unit
from opkg.kernels.strategies.rows.loops import KEPT, first_loop, table_loops
from opkg.kernels.strategies.rows.masks import by_masks, chosen_extremes
from opkg.kernels.strategies.rows.negated import sums_of_negated
from opkg.kernels.strategies.rows.numbers import COUNT_INVERSE, number_lines
from opkg.kernels.strategies.rows.plan import Cannot, Extreme, Plan, Table, passes
from opkg.kernels.strategies.rows.results import result_loop
from opkg.kernels.strategies.rows.several import HEADERS as SLOT_HEADERS
from opkg.kernels.strategies.rows.several import RESULT_HEADERS, SUM_HEADERS, slots_of
from opkg.kernels.strategies.rows.several_numbers import gate_headers, of_sums
from opkg.kernels.strategies.rows.smooth import HEADERS as SMOOTH_HEADERS
from opkg.kernels.strategies.rows.smooth import smooth_members, smooth_of
from opkg.kernels.strategies.rows.tables import table_members, table_prepare
from opkg.kernels.strategies.rows.weighted import HEADERS as WEIGHTED_HEADERS

HEADERS = ("opkg/hvx_rows.h",)
PRODUCT_HEADERS = ("opkg/hvx_product.h",)
Reduced = tuple[Operand, int]  # an output with one element per row, and its node


def lower(snippet: Snippet) -> Sequence | str:
    """The loops of a snippet with reductions; a text says why it has none."""
    if product := products.lower(snippet):
        return product
    masked, held = by_masks(snippet)
    made = _lowered(masked, bool(held))
    if isinstance(made, str) or not held:
        return made
    return replace(made, prepare=(*made.prepare, *held))


def _lowered(snippet: Snippet, or_one: bool) -> Sequence | str:
    """`or_one`: as of tables with masks."""
    why = "it has floats"
    if not any(operand.is_float for operand in read_inputs(snippet)):
        snippet = sums_of_negated(snippet)
        ends = at_ends(snippet)
        for form, chooses in dict.fromkeys(((snippet, False), (ends, False), (as_choices(ends), True))):
            try:
                return _reading(snippet, _sequence(plan(form, chooses, masks=True, or_one=or_one)))
            except Cannot as reason:
                why = why if form is not snippet or chooses else str(reason)
        if made := _curved(snippet):
            return made
    try:
        return _reading(snippet, lower_floating(snippet, or_one))
    except Cannot as reason:
        return why if str(reason) == why else f"{why}; {reason}"


def _curved(snippet: Snippet) -> Sequence | None:
    """Bytes that are a function of a form; None where they are not."""
    found = curved(snippet)
    if found is None:
        return None
    inner, curve = found
    try:
        made = plan(inner)
        made.curve, steps = curve, made.shared.steps[curve.inner]
        made.shared.names.take(curve.output.name)
        of_form = f"{steps} = opkg::Steps(op.{curve.inner});"
        lines = [line for line in made.shared.prepare if line != of_form]
        made.shared.prepare = [*lines, *curve.prepare(snippet, steps)]
        return _reading(snippet, _sequence(made))
    except Cannot:
        return None


def _reading(snippet: Snippet, made: Sequence) -> Sequence:
    """The sequence, if its loops read anything, and rows that may come."""
    if not any(inst.op == "load" for loop in made.loops for inst in loop.body):
        raise Cannot("no result depends on the elements")
    if why := lost(snippet, made):
        raise Cannot(why)
    return made


def _sequence(found: Plan) -> Sequence:
    forms, reduced = _results(found)
    check_sums(found)
    used = _used_tables(found, forms)
    kept = frozenset([table.name for table in used if _is_summed(found, table) and _in_forms(table, forms)])
    step = _step(found, forms)
    folds = None if forms else folds_of(found, used_extremes(found, used, number_lines(found, forms, reduced)), reduced)
    slots = _slots(found, forms, reduced, used, kept, step) if folds is None else None
    made = {value: f"{slots.call}[{at}].value" for at, value in enumerate(slots.numbers)} if slots is not None else {}
    stages = _stages(found, forms, reduced, used, kept, step, made)
    if chosen_extremes(found, [line for stage in stages if isinstance(stage, Numbers) for line in stage.lines]):
        raise Cannot("the largest of what a mask chooses, as a result")
    members, prepare = prepared(found, forms, reduced, used)
    members += [*found.decided.members, *([found.curve.curve] if found.curve else [])]
    prepare += found.decided.prepare
    if slots is not None and slots.numbers:
        room = f"{slots.call}[{len(slots.numbers)}]"
        members.append(Member("opkg::hvx::Number", room, "of the call, as rows have theirs"))
        prepare.append(f"opkg::hvx::set_numbers({slots.call}, {{{', '.join(slots.numbers)}}});")
    if any(COUNT_INVERSE in line for stage in stages if isinstance(stage, Numbers) for line in stage.lines):
        members.append(Member("opkg::hvx::CountInverse", COUNT_INVERSE, "1 / elements of a row"))
    if smooth_of(found) and not (folds and folds.wide):
        raise Cannot("results of a function's sum that are no lines of it")
    if folds is not None and folds.vectors:
        members += [Member("double", per_step(output)) for output, _ in reduced]
        prepare += [f"{per_step(o)} = 1.0 / {found.shared.steps[o.name]}.scale;" for o, _ in reduced]
    near = slots is not None or (folds is not None and (folds.line or folds.vectors))
    exact = not forms and not found.guarded and not table_sums(found) and not near
    return Sequence(
        strategy="rows",
        title=MANY if folds else _title(found, stages, slots is not None),
        error="correctly rounded" if exact else "within 1 step of the correctly rounded result",
        step=step,
        members=tuple(members),
        prepare=tuple(prepare),
        stages=tuple(stages),
        reduced=frozenset(operand.name for operand, _ in reduced),
        buffers=tuple([Buffer(f"{name}_kept", "uint16_t", KEPT, "entries of a short row") for name in sorted(kept)]),
        headers=HEADERS + found.decided.headers + _more_headers(found, forms, slots) + (folds.headers if folds else ()),
        arch=65,
        folds=folds,
        slots=slots,
    )


def _more_headers(found: Plan, forms: list[Form], slots: Slots | None) -> tuple[str, ...]:
    weighted = WEIGHTED_HEADERS if any(form.weight for form in forms) else ()
    curves = CURVE_HEADERS if found.curve else ()
    bent = CORNER_HEADERS if corners(found) else SMOOTH_HEADERS if smooth_of(found) else ()
    sums = SUM_HEADERS if slots and (weighted or of_sums(found)) else ()
    lines = [line for stage in slots.stages if isinstance(stage, Numbers) for line in stage.lines] if slots else []
    of_rows = () if forms or not slots else RESULT_HEADERS
    return (
        (SLOT_HEADERS if slots else ())
        + of_rows
        + gate_headers(lines)
        + sums
        + (PRODUCT_HEADERS if found.products else ())
        + weighted
        + bent
        + curves
    )


def _slots(
    found: Plan, forms: list[Form], reduced: list[Reduced], used: list[Table], kept: frozenset[str], step: int
) -> Slots | None:
    """How several rows are computed at a time."""
    if (forms and reduced) or found.products or found.tests or corners(found):
        return None
    sums = [total for total in found.totals.values() if total not in table_sums(found)]
    return slots_of(found, (forms, reduced), (sums, list(found.extremes.values()), used), kept, step)


def _stages(
    found: Plan,
    forms: list[Form],
    reduced: list[Reduced],
    used: list[Table],
    kept: frozenset[str],
    step: int,
    made: dict[str, str],
) -> list[Loop | Numbers]:
    stages: list[Loop | Numbers] = []
    lines = number_lines(found, forms, reduced, made)
    sums = [total for total in found.totals.values() if total not in table_sums(found)]
    extremes = used_extremes(found, used, lines)
    if sums or extremes or found.products:
        stages.append(first_loop(found, sums, extremes, step))
    summed = [table for table in used if _is_summed(found, table)]
    if summed:
        stages += table_loops(found, summed, step, only_divides(found), kept)
    stages.append(Numbers(tuple(lines)))
    if kept:
        stages.append(replace(result_loop(found, forms, step, kept), when=f"n <= {KEPT}", usual=False))
    if forms:
        when = f"n > {KEPT}" if kept else ""
        stages.append(replace(result_loop(found, forms, step, frozenset()), when=when))
    return stages


def prepared(
    found: Plan, forms: list[Form], reduced: list[Reduced], used: list[Table]
) -> tuple[list[Member], list[str]]:
    """The members, and the statements that set them."""
    steps = found.shared.steps
    members, prepare = list(found.shared.members), list(found.shared.prepare)
    for form in forms:
        members.append(Member("double", per_unit(form), f"steps of {form.name}"))
        prepare.append(f"{per_unit(form)} = 1.0 / {steps[form.name]}.scale;")
    for operand, node in reduced:
        extreme = found.copied(operand, node)
        if extreme is not None and operand.quantized:
            one, other = steps[operand.name], steps[extreme.operand]
            members.append(Member("bool", f"{operand.name}_same", "as the input's steps"))
            prepare.append(f"{operand.name}_same = {one}.scale == {other}.scale && {one}.zero == {other}.zero;")
    for more, set_them in (corner_members(found), smooth_members(found)):
        members, prepare = members + more, prepare + set_them
    for table in used:
        members += table_members(table)
        prepare += table_prepare(found, table)
        if _is_summed(found, table) and table.where < 0:
            prepare.append(f"if ({table.name}_spread.low < {_least(found, table)}) return false;")
    if logarithms(found):
        scales = [steps[operand.name] for operand in found.snippet.outputs if operand.quantized]
        prepare += [f"if ({name}.scale < {LEAST_SCALE}) return false;" for name in scales]
    return members, prepare


def _least(found: Plan, table: Table) -> str:
    """How little the entries of a table may be where they are summed up. What is made of p * log(p) may be a little below 0: half
    of what its sums have at least."""
    if Signs(list(found.graph.nodes), found.snippet.finite).positive(table.node):
        return "0.0"
    return f"-{2.0 ** (demand(found) - 17)!r} * {table.name}_spread.unit"


def used_extremes(found: Plan, tables: list[Table], lines: list[str]) -> list[Extreme]:
    """Extremes that do not cancel out."""
    text = "\n".join(lines)
    of_tables = [table.index.extreme for table in tables]
    return [e for e in found.extremes.values() if e in of_tables or re.search(rf"\b{e.stored}\b", text)]


def _is_summed(found: Plan, table: Table) -> bool:
    return (table.atom,) in found.totals


def _in_forms(table: Table, forms: list[Form]) -> bool:
    return any(table.atom in key for form in forms for key in form.factors)


def _title(found: Plan, stages: list[Loop | Numbers], several: bool) -> str:
    loops = {stage.title for stage in stages if isinstance(stage, Loop) and " < " not in stage.when}
    last = ", the last one with cubics of 128 pieces" if found.curve else ""
    if several:
        return f"{passes(len(loops))} over up to 32 rows, numbers between them in vectors{last}"
    return f"{passes(len(loops))} over a row, numbers between them in double{last}"


def _results(found: Plan) -> tuple[list[Form], list[Reduced]]:
    """Full outputs as forms, and the reduced ones with their nodes."""
    forms: list[Form] = []
    reduced: list[Reduced] = []
    for result in found.graph.results:
        output = found.snippet.operand(result.name)
        if found.rank[result.node] != "element":
            if found.rank[result.node] == "uniform":
                raise Cannot(f"'{result.name}' does not depend on an input")
            reduced.append((output, result.node))
            continue
        if found.tests:
            raise Cannot("full results beside sums of choices")
        forms.append(form_of(found, output, result.node))
    return forms, reduced


def _step(found: Plan, forms: list[Form]) -> int:
    """128 elements when one has 8 bits, 64 when the smallest has 16, 32 when it has 32."""
    bits = [operand.storage.bits for operand in read_inputs(found.snippet)]
    bits += [form.output.storage.bits for form in forms]
    return 1024 // min(bits)


def _used_tables(found: Plan, forms: list[Form]) -> list[Table]:
    names = {total.atoms[0] for total in found.totals.values()}
    names |= {name for form in forms for key in form.factors for name in key}
    return [table for table in found.tables.values() if table.atom in names]
