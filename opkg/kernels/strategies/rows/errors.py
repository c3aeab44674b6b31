"""How exact the sums of tables must be for what is made of them.

Entries are within half a unit, entries with their fractions within 2^-17 units. A sum of n entries T is then within
n / (2 T) of itself, relatively; where it only divides 8-bit results, 2^-11 of it is an eighth of a step.
"""

from __future__ import annotations

from opkg.kernels.strategies.rows.plan import Cannot, Plan, Table, Total
from opkg.kernels.strategies.rows.poly import Poly, split

# Sums in units of 2^-16 entries are at least n << these bits, else ...
ENTRIES_DO = 26  # ... fractions are summed up, too
NARROW = 12  # ... the portable code computes the row: 2^-13, for 8-bit results
EXACT = 19  # ... the same: 2^-20
BLUR = "0.125f"  # of a step, where fractions may be left out
_SCALES = frozenset(("mul", "div", "neg", "sqrt", "rsqrt"))
LEAST_SCALE = "1.9e-6"  # of an output that has a logarithm of a sum
WIDE_BLUR = "0.0625f"  # of a step: 16-bit results that a sum divides, which is within 2^-20 of itself


def table_sums(plan: Plan) -> list[Total]:
    """The sums of tables."""
    return [total for total in plan.totals.values() if isinstance(plan.elements.get(total.atoms[0]), Table)]


def check_sums(plan: Plan) -> None:
    """Raises Cannot where a sum of a table is not a multiple of the table's sum, or what it is used for is not known."""
    outputs = [plan.snippet.operand(result.name) for result in plan.graph.results]
    if table_sums(plan) and any(output.quantized and output.storage.bits == 32 for output in outputs):
        raise Cannot("results of 32 bits of a table's sum")
    for at in plan.graph.reductions:
        node = plan.graph[at]
        if node.op in ("reduce_max", "reduce_min"):
            continue
        factors = split(plan.polys[node.args[0]], plan.is_element)
        tables = [atoms for atoms in factors if atoms and isinstance(plan.elements.get(atoms[0]), Table)]
        if not tables:
            continue
        table = plan.elements[tables[0][0]]
        assert isinstance(table, Table)
        if not _multiple(factors, tables[0], table):
            raise Cannot("the sum of a table's values and of something else")
        _uses(plan, at, logarithm=False)


def _multiple(factors: dict[tuple[str, ...], Poly], atoms: tuple[str, ...], table: Table) -> bool:
    unit, low = f"{table.name}_spread.unit", table.low
    moved = {tuple(sorted([low if n == unit else n for n in key])): v for key, v in factors[atoms].items()}
    return set(factors) == {(), atoms} and factors[()] == moved


def _uses(plan: Plan, at: int, logarithm: bool) -> None:
    """Follows the numbers of the row that a sum is in. Behind a logarithm its error is an absolute one."""
    for user in plan.graph.users()[at]:
        node = plan.graph[user]
        if plan.rank[user] == "element":
            if node.op not in (("add", "sub") if logarithm else ("div", "mul")):
                raise Cannot(f"a table's sum in '{node.op}' with elements")
        elif node.op == "log" and not logarithm:
            _uses(plan, user, logarithm=True)
        elif node.op in _SCALES and not logarithm:
            _uses(plan, user, logarithm)
        elif not (logarithm and node.op in ("add", "sub", "neg")):
            raise Cannot(f"'{node.op}' of a table's sum")
        else:
            _uses(plan, user, logarithm)
    for result in plan.graph.results:
        if result.node == at and not plan.snippet.operand(result.name).quantized:
            raise Cannot(f"'{result.name}' is a table's sum, not quantized")


def only_divides(plan: Plan) -> bool:
    """Whether sums of tables only divide or multiply 8-bit results."""
    for at in plan.graph.reductions:
        node = plan.graph[at]
        if node.op in ("reduce_max", "reduce_min") or not _of_table(plan, at):
            continue
        if any(result.node == at for result in plan.graph.results):
            return False
        for user in plan.graph.users()[at]:
            if plan.rank[user] != "element":
                return False
    narrow = [plan.snippet.operand(r.name) for r in plan.graph.results if plan.rank[r.node] == "element"]
    return all(operand.storage.bits == 8 for operand in narrow)


def logarithms(plan: Plan) -> bool:
    """Whether a number of the row is a logarithm."""
    return any(plan.graph[at].op == "log" for at in plan.row)


def less_logarithm(plan: Plan, constant: Poly) -> bool:
    """Whether sums of tables are in logarithms alone, and those in nothing but a result's `constant`, as they are."""
    logs = [at for at in plan.row if plan.graph[at].op == "log"]
    sums = [at for at in plan.graph.reductions if plan.graph[at].op not in ("reduce_max", "reduce_min")]
    users = plan.graph.users()
    if not logs or any(user not in logs for at in sums if _of_table(plan, at) for user in users[at]):
        return False
    found = [(key, by) for key, by in constant.items() if set(key) & {plan.locals[at] for at in logs}]
    results = {result.node for result in plan.graph.results}
    rows = any(plan.rank[user] != "element" or at in results for at in logs for user in users[at])
    return not rows and all(len(key) == 1 and abs(by) == 1 for key, by in found)


def _of_table(plan: Plan, at: int) -> bool:
    names = {name for key in plan.polys[plan.graph[at].args[0]] for name in key}
    return any(table.atom in names for table in plan.tables.values())


def demand(plan: Plan) -> int:
    """The bits of the least sum."""
    return NARROW if only_divides(plan) else EXACT
