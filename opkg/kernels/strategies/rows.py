"""Reductions of a row, and results that need them (softmax, normalization), as loops over the row in integer vectors.

At most three passes: extremes and sums of stored elements and of their products; sums of tables; full results. What lies
between are numbers of the row, in double precision.
"""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.lowered import Member
from opkg.kernels.sequence import Buffer, Loop, Numbers, Sequence
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.rows_analysis import plan
from opkg.kernels.strategies.rows_errors import LEAST_SCALE, check_sums, only_divides, table_sums
from opkg.kernels.strategies.rows_floating import lower_floating
from opkg.kernels.strategies.rows_forms import Form, form_of, per_unit
from opkg.kernels.strategies.rows_loops import KEPT, first_loop, table_loops
from opkg.kernels.strategies.rows_numbers import number_lines
from opkg.kernels.strategies.rows_plan import Cannot, Plan, Table, passes
from opkg.kernels.strategies.rows_results import result_loop
from opkg.kernels.strategies.rows_tables import table_members, table_prepare

HEADERS = ("opkg/hvx_rows.h",)


def lower(snippet: Snippet) -> Sequence | str:
    """The loops of a snippet with reductions; a text says why it has none."""
    why = "it has floats"
    if not any(operand.is_float for operand in read_inputs(snippet)):
        try:
            return _sequence(plan(snippet))
        except Cannot as reason:
            why = str(reason)
    try:
        return lower_floating(snippet)
    except Cannot as reason:
        return f"{why}; {reason}"


def _sequence(found: Plan) -> Sequence:
    forms, reduced = _results(found)
    check_sums(found)
    step = _step(found, forms)
    used = _used_tables(found, forms)
    sums = [total for total in found.totals.values() if total not in table_sums(found)]
    keep = frozenset([table.name for table in used if _is_summed(found, table) and _in_forms(table, forms)])
    summed = [found.elements[total.atoms[0]] for total in table_sums(found)]
    stages: list[Loop | Numbers] = []
    tables: list[Table] = []
    if sums or found.extremes:
        stages.append(first_loop(found, sums, list(found.extremes.values()), step))
    if summed:
        tables = [table for table in summed if isinstance(table, Table)]
        stages += table_loops(found, tables, step, only_divides(found), keep)
    lines = number_lines(found, forms, reduced)
    stages.append(Numbers(tuple(lines)))
    if keep:
        stages.append(replace(result_loop(found, forms, step, keep), when=f"n <= {KEPT}", usual=False))
    if forms:
        when = f"n > {KEPT}" if keep else ""
        stages.append(replace(result_loop(found, forms, step, frozenset()), when=when))
    members = list(found.shared.members)
    prepare = list(found.shared.prepare)
    for form in forms:
        members.append(Member("double", per_unit(form), f"steps of {form.name}"))
        prepare.append(f"{per_unit(form)} = 1.0 / {found.shared.steps[form.name]}.scale;")
    for operand, node in reduced:
        extreme = found.copied(operand, node)
        if extreme is not None and operand.quantized:
            steps = found.shared.steps
            one, other = steps[operand.name], steps[extreme.operand]
            members.append(Member("bool", f"{operand.name}_same", "as the input's steps"))
            prepare.append(f"{operand.name}_same = {one}.scale == {other}.scale && {one}.zero == {other}.zero;")
    for table in used:
        members += table_members(table)
        prepare += table_prepare(found, table)
    rounded = not forms and not summed
    if summed:
        prepare += [f"if ({t.name}_spread.low < 0.0) return false;" for t in tables]
        if not only_divides(found):
            scales = [found.shared.steps[o.name] for o in found.snippet.outputs if o.quantized]
            prepare += [f"if ({steps}.scale < {LEAST_SCALE}) return false;" for steps in scales]
    return Sequence(
        strategy="rows",
        title=_title(stages),
        error="correctly rounded" if rounded else "within 1 step of the correctly rounded result",
        step=step,
        members=tuple(members),
        prepare=tuple(prepare),
        stages=tuple(stages),
        reduced=frozenset(operand.name for operand, _ in reduced),
        buffers=tuple([Buffer(f"{name}_kept", "uint16_t", KEPT, "entries of a short row") for name in sorted(keep)]),
        headers=HEADERS,
        arch=65,
    )


def _is_summed(found: Plan, table: Table) -> bool:
    return (table.atom,) in found.totals


def _in_forms(table: Table, forms: list[Form]) -> bool:
    return any(table.atom in key for form in forms for key in form.factors)


def _title(stages: list[Loop | Numbers]) -> str:
    loops = {stage.title for stage in stages if isinstance(stage, Loop) and " < " not in stage.when}
    return f"{passes(len(loops))} over a row, numbers between them in double"


def _results(found: Plan) -> tuple[list[Form], list[tuple[Operand, int]]]:
    """Full outputs as forms, and the reduced ones with their nodes."""
    forms: list[Form] = []
    reduced: list[tuple[Operand, int]] = []
    for result in found.graph.results:
        output = found.snippet.operand(result.name)
        if found.rank[result.node] != "element":
            if found.rank[result.node] == "uniform":
                raise Cannot(f"'{result.name}' does not depend on an input")
            reduced.append((output, result.node))
            continue
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
