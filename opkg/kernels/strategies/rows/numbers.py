"""C++ of a row's numbers, in the order of the graph: what is computed of its extremes and sums, once per row."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from opkg.kernels.graphs.graph import REDUCE
from opkg.kernels.portable.expressions import CPP, Writer
from opkg.kernels.portable.rows import store
from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.elements import totals_of
from opkg.kernels.strategies.rows.errors import BLUR, WIDE_BLUR, demand, logarithms, only_divides, table_sums
from opkg.kernels.strategies.rows.form_text import FormText
from opkg.kernels.strategies.rows.forms import Form
from opkg.kernels.strategies.rows.plan import Cannot, Plan, Table, Total
from opkg.kernels.strategies.rows.poly import Poly
from opkg.kernels.strategies.rows.several_text import in_double
from opkg.kernels.strategies.rows.variances import about, about_mean
from opkg.kernels.strategies.rows.weighted import WeightedText
from opkg.spec.compute.types import Type, value_type

COUNT_INVERSE = "inverse_of_count"  # the member that knows 1 / n (opkg::hvx::CountInverse)
LEFT = "6e-8"  # of terms that cancel, at least: each is within 2^-49 of itself, so that what is left is within 2^-24
_NUMBER = re.compile(r"const (?:double|int64_t|bool) (\w+) = ")


def number_lines(
    plan: Plan, forms: list[Form], reduced: list[tuple[Operand, int]], made: Mapping[str, str] = MappingProxyType({})
) -> list[str]:
    """Numbers of the row, then reduced outputs, then the forms of full ones. `made`: products of numbers of the call that are
    known by a name, by their C++."""
    row, out = _numbers(plan, not reduced, made)
    for operand, node in reduced:
        out.append(row.stored(operand, node))
    blur = "" if not table_sums(plan) or logarithms(plan) else BLUR if only_divides(plan) else WIDE_BLUR
    for form in forms:
        out += (WeightedText if form.weight else FormText)(plan, form, blur, row.each(), made).write()
    return _needed(out)


def value_lines(plan: Plan, node: int) -> list[str]:
    """Numbers of the row that a node needs, and its value as a double: `return value;`."""
    row, out = _numbers(plan, False, {})
    return _needed([*out, f"return {row.real(node)};"])


def spread_lines(plan: Plan, node: int, varying: int, name: str) -> list[str]:
    """The same of a node that hangs on one variance, `varying`, of which stored numbers have `name`."""
    row = _Row(plan, False, {})
    out = [f"const int64_t {row.count} = static_cast<int64_t>(n);"]
    for at in plan.row:
        if at == varying:
            out.append(f"const double {plan.locals[at]} = {row.of_variance(at, name)};")
            row.given[at] = plan.locals[at]
        elif plan.graph[at].op not in REDUCE:
            out += row.node(at)
        out += [line for inverse, of in plan.inverses.items() if of == at for line in row.inverse(inverse, of)]
    return _needed([*out, f"return {row.real(node)};"])


def _numbers(plan: Plan, near: bool, made: Mapping[str, str]) -> tuple[_Row, list[str]]:
    """The numbers of a row, in order. `near`: inverses may be 2^-26 off, which results in fixed point do not show."""
    row = _Row(plan, near, made)
    out = [f"const int64_t {row.count} = static_cast<int64_t>(n);"]
    if near:
        out.append(f"const double {row.share} = {COUNT_INVERSE}.of(n);")
    for total in table_sums(plan):
        few, table = f"{total.name} < {row.count} << {demand(plan)}", plan.elements[total.atoms[0]]
        if isinstance(table, Table) and table.or_one:
            out.append(f"const double {table.low} = {total.name} == 0 ? 1.0 : 0.0;  // nothing is chosen")
            few = f"{total.name} != 0 && {few}"
        out.append(f"if ({few}) return false;  // not exact enough")
    out += [*row.centered(), *row.about()]
    for extreme in plan.extremes.values():
        zero = plan.zero(extreme.operand)
        out.append(f"const int64_t {extreme.name} = {extreme.stored}{f' - {zero}' if zero else ''};")
    row_nodes = frozenset(plan.row)
    for name, node in plan.inverses.items():
        if node not in row_nodes:
            out += row.inverse(name, node)
    for at in plan.row:
        out += row.node(at)
        for name, node in plan.inverses.items():
            if node == at:
                out += row.inverse(name, node)
    return row, out


def _needed(lines: list[str]) -> list[str]:
    """The lines without numbers that nothing asks for."""
    kept: list[str] = []
    words: set[str] = set()
    for line in reversed(lines):
        found = _NUMBER.match(line)
        if found is None or found[1] in words:
            kept.append(line)
            words |= set(re.findall(r"\w+", line))
    return kept[::-1]


class _Row:
    """Texts of a row's numbers."""

    def __init__(self, plan: Plan, near: bool, made: Mapping[str, str]) -> None:
        self.plan, self.made = plan, made
        self.near = near
        self.share = plan.shared.names.take(f"{plan.count}_inverse") if near else ""
        self.graph = plan.graph
        self.count = plan.count
        self.integers = frozenset(plan.integers | {self.count})
        self.given = dict(plan.shared.given)

    def centered(self) -> list[str]:
        """Takes the zero points off the sums of stored numbers, products first."""
        lines = []
        plan = self.plan

        def names_of(total: Total) -> list[str]:
            return [name for name in total.atoms if name not in plan.tests]

        for total in sorted(plan.totals.values(), key=lambda total: -len(names_of(total))):
            tests, names = plan.tests_of(total.atoms), names_of(total)
            count = plan.totals[tests].name if tests else self.count
            stored = [element for element in map(plan.elements.get, names) if isinstance(element, Operand)]
            zeros = [self.plan.zero(operand.name) for operand in stored]
            if not any(zeros):
                continue
            if len(stored) == 1:
                lines.append(f"{total.name} -= {count} * {zeros[0]};")
                continue
            single = [plan.totals[tuple(sorted((*tests, name)))].name for name in names]
            if not all(zeros):  # plain integers, one of which is moved
                lines += [
                    f"{total.name} -= {zero} * {other};"
                    for zero, other in zip(zeros, single[::-1], strict=True)
                    if zero
                ]
            elif single[0] == single[1]:
                lines.append(f"{total.name} += {zeros[0]} * ({count} * {zeros[0]} - 2 * {single[0]});")
            else:
                taken = f"{zeros[0]} * {single[1]} - {zeros[1]} * {single[0]}"
                lines.append(f"{total.name} += {count} * {zeros[0]} * {zeros[1]} - {taken};")
        return lines

    def about(self) -> list[str]:
        """What is known of elements about their means."""
        lines, share = [], self.each()
        for total in self.plan.totals.values():
            if len(total.atoms) == 1 and (name := about(self.plan, total.atoms[0])):
                square = self.plan.totals[total.atoms * 2]
                lines.append(f"const opkg::hvx::AboutMean {name}({total.name}, {square.name}, {self.count}, {share});")
        return lines

    def each(self) -> str:
        """1 / n."""
        return self.share or f"1.0 / static_cast<double>({self.count})"

    def stored(self, operand: Operand, node: int) -> str:
        """The statement that writes a reduced output."""
        lines, value = self._value(node, value_type(operand.dtype))
        assert not lines, "numbers of the row have names"
        number = store(operand, self.plan.shared, value)
        extreme = self.plan.copied(operand, node)
        if extreme is not None:
            value = poly.text(self.plan.polys[node], self.integers)
            copy = f"static_cast<{operand.element}>({extreme.stored})"
            other = store(operand, self.plan.shared, value)
            number = f"{operand.name}_same ? {copy} : {other}" if operand.quantized else copy
        return f"*static_cast<{operand.element}*>({operand.name}_row) = {number};"

    def real(self, node: int) -> str:
        """The value of a node, as a double."""
        lines, value = self._value(node, Type.REAL)
        assert not lines, "numbers of the row have names"
        return value

    def inverse(self, name: str, node: int) -> list[str]:
        lines, text = self._value(node, Type.REAL)
        plain = re.fullmatch(r"[\w.]+", text)
        if self.near:
            return [*lines, f"const double {name} = opkg::hvx::inverse({text});"]
        return [*lines, f"const double {name} = 1.0 / {text if plain else f'({text})'};"]

    def node(self, at: int) -> list[str]:
        """The statements that compute one node."""
        node, name = self.graph[at], self.plan.locals[at]
        lines: list[str] = []
        if node.op in ("reduce_sum", "reduce_mean"):
            text = self._sum(at)
        elif node.op == "reduce_prod":
            text = self.plan.products[at].name
        elif node.op in ("reduce_max", "reduce_min"):
            text = poly.text(self.plan.polys[at], self.integers, node.type is Type.INTEGER)
        else:
            lines, text = self._value(at, node.type)
        self.given[at] = name
        if self.near:
            text = text.replace("1.0 / std::sqrt(", "opkg::hvx::inverse_root(")
        lines.append(f"const {CPP[node.type]} {name} = {text};")
        return [*lines, self._guard(at)] if at in self.plan.guarded else lines

    def _guard(self, at: int) -> str:
        """The row is left to the portable code where too little is left of a sum's terms."""
        name = self.plan.locals[at]
        sizes = [
            f"std::fabs({poly.text({key: value}, self.integers)})"
            for key, value in self._total(self.graph[at].args[0]).items()
        ]
        value = f"{name} * static_cast<double>({self.count})" if self.graph[at].op == "reduce_mean" else name
        return f"if (!(std::fabs({value}) >= {LEFT} * ({' + '.join(sizes)}))) return false;"

    def of_variance(self, at: int, name: str) -> str:
        """A sum or mean of squares about the mean, from their mean in stored numbers. Raises Cannot."""
        node = self.graph[at]
        found = about_mean(self.plan, self.plan.polys[node.args[0]])
        value = poly.mul(found[1], poly.atom(name)) if found is not None else None
        if value is None:
            raise Cannot("no variance")
        text = poly.text(value, self.integers)
        return text if node.op == "reduce_mean" else f"static_cast<double>({self.count}) * ({text})"

    def _value(self, at: int, type_: Type) -> tuple[list[str], str]:
        writer = Writer(self.graph, self.given, self.plan.shared.names, self.plan.shared.bounds())
        writer.write([at])
        return writer.lines, writer.value(at, type_)

    def _sum(self, at: int) -> str:
        node = self.graph[at]
        varying = self.plan.polys[node.args[0]]
        found = about_mean(self.plan, varying)
        total = (
            self._total(node.args[0]) if found is None else poly.mul(found[1], poly.atom(self._squares_of(found[0])))
        )
        assert total is not None
        exact = node.op == "reduce_mean" and not self.near
        text = poly.text(total, self.integers) if exact else in_double(total, self.integers, self.made)
        if node.op == "reduce_mean":
            return f"({text}) * {self.share}" if self.near else f"({text}) / static_cast<double>({self.count})"
        if node.type is not Type.INTEGER:
            return text
        known = poly.names(total)
        if known & set(self.plan.shared.params.values()):
            raise Cannot("a sum of integers times a param")
        if self.plan.products and known & set(self.plan.locals.values()):
            raise Cannot("a sum of integers times what wraps")
        return poly.text(total, self.integers, whole=True)

    def _squares_of(self, element: str) -> str:
        """C++ of the sum of an element's squares about the mean, exactly 0 of equal ones."""
        if element in self.plan.varying:
            return f"{about(self.plan, element)}.sum"
        names = totals_of(self.plan, element)
        assert names is not None, "loops sum up what variances are made of"
        return f"opkg::hvx::AboutMean({names[0]}, {names[1]}, {self.count}, {self.each()}).sum"

    def _total(self, arg: int) -> Poly:
        """The sum of a polynomial over the row, in sums of its products of elements."""
        found: Poly = {}
        for atoms, factor in poly.split(self.plan.polys[arg], self.plan.is_element).items():
            by: Poly = poly.atom(self.count)
            if atoms:
                table = isinstance(self.plan.elements.get(atoms[0]), Table)
                by = {(self.plan.totals[atoms].name,): 1.0 / 65536 if table else 1}
            part = poly.mul(factor, by)
            if part is None:
                raise Cannot("a sum of too many terms")
            found = poly.add(found, part)
        return found
