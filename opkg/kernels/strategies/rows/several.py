"""Several rows at a time: the loops of a row over up to 32 of them, and C++ of their numbers, a word of a vector for each."""

from __future__ import annotations

import re

from opkg.kernels.graphs.graph import Node
from opkg.kernels.sequence import Loop, Numbers, Slots
from opkg.kernels.snippet import Operand, Storage
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.errors import demand, only_divides, table_sums
from opkg.kernels.strategies.rows.forms import Form, limit_lines, per_unit
from opkg.kernels.strategies.rows.loops import first_loop, table_loop
from opkg.kernels.strategies.rows.plan import Cannot, Extreme, Plan, Table, Total
from opkg.kernels.strategies.rows.poly import Poly
from opkg.kernels.strategies.rows.results import result_loop
from opkg.kernels.strategies.rows.several_forms import BLUR, form_lines
from opkg.kernels.strategies.rows.several_text import polynomial, uniform

HEADERS = ("opkg/hvx_lines.h",)
MOST = 32767  # elements of a row: sums of squares of bytes have 31 bits
BITS = 9  # n << these bits is the least sum of n entries whose results are that exact, whatever they are
MOST_WIDE = 8191  # of 16 bits
LOST = 12  # bits that sums of a row's numbers may cancel: of 27 that are right
_LINE = re.compile(r"const (?:Numbers|HVX_Vector) (\w+) = ")


def slots_of(
    plan: Plan, form: Form, loops: tuple[list[Total], list[Extreme], list[Table]], kept: frozenset[str], step: int
) -> Slots | None:
    """How several rows are computed at a time; None where they are not. `loops`: the sums, extremes and tables of a row."""
    try:
        return _Several(plan, form, loops, kept, step).slots()
    except Cannot:
        return None


class _Several:
    def __init__(
        self,
        plan: Plan,
        form: Form,
        loops: tuple[list[Total], list[Extreme], list[Table]],
        kept: frozenset[str],
        step: int,
    ) -> None:
        self.plan, self.form, self.kept, self.step = plan, form, kept, step
        self.sums, self.extremes, self.tables = loops
        self.names = plan.shared.names.inside()
        self.known: set[str] = set()  # row numbers that have a name as Numbers
        self.share = self.names.take(f"{plan.count}_inverse")

    def slots(self) -> Slots:
        self._check()
        stages: list[Loop | Numbers] = []
        if self.sums or self.extremes:
            stages.append(self._joined(first_loop(self.plan, self.sums, self.extremes, self.step)))
        stages += self._table_stages()
        stages.append(Numbers(tuple(self._numbers())))
        stages.append(result_loop(self.plan, [self.form], self.step, self.kept, several=True))
        walked = {
            inst.args[0] for stage in stages[:-1] if isinstance(stage, Loop) for inst in stage.body if inst.op == "load"
        }
        patterns = frozenset([operand.name for operand in read_inputs(self.plan.snippet)]) - walked
        return Slots(tuple(stages), patterns, MOST_WIDE if self.form.wide else MOST)

    def _check(self) -> None:
        operands = [*read_inputs(self.plan.snippet), self.form.output]
        storages = {operand.storage for operand in operands}
        if (
            not (storages <= {Storage.U8, Storage.S8} or storages == {Storage.U16})
            or len(self.plan.snippet.outputs) != 1
        ):
            raise Cannot("several rows at a time have bytes, or 16 bits without sign")
        if table_sums(self.plan) and not only_divides(self.plan):
            raise Cannot("what tables' sums are used for")

    def _joined(self, loop: Loop) -> Loop:
        carried = {word for carry, _, _ in loop.joined for word in re.findall(r"\w+", carry)}
        if not {carry.name for carry in loop.carried} <= carried:
            raise Cannot("what is found of a row has more than 32 bits")
        return loop

    # Sums of tables -----------------------------------------------------------------------------------------------------

    def _table_stages(self) -> list[Loop | Numbers]:
        """The sums of entries, and, where that matters for some row, of what they miss."""
        summed = [table for table in self.tables if Total((table.atom,)) in table_sums(self.plan)]
        if not summed:
            return []
        (table,) = summed if len(summed) == 1 else (None,)
        if table is None:
            raise Cannot("sums of several tables")
        found, missed, least = f"{table.name}_words", f"{table.name}_fraction_words", self.names.take("least")
        whole = self._joined(table_loop(self.plan, summed, self.step, False, self.kept, several=True))
        rest = self._joined(table_loop(self.plan, summed, self.step, True, frozenset(), several=True))
        return [
            whole,
            Numbers((
                "using opkg::hvx::Numbers;",
                f"{found} = opkg::hvx::plus({found}, {self._missing(table, 'first >> 16')});",
                f"HVX_Vector {missed} = Q6_V_vzero();",
                f"const HVX_VectorPred {least} = {self._entries_do(table, found)};",
                f"if (!opkg::hvx::for_all(slots, {least})) {{",
            )),
            rest,
            Numbers((f"{missed} = opkg::hvx::plus({missed}, {self._missing(table, 'first_fraction')});", "}")),
        ]  # fmt: skip

    def _entries_do(self, table: Table, words: str) -> str:
        """Whether the sum T of n entries is exact enough by itself: results are within BLUR / 256 of a step. Each entry is
        off by half a unit at most, so a value that T divides by n / (2 T); such values add up to 1: the largest is 65535 / T."""
        if self._divides(table):
            least = f"{65535 * 128 // BLUR}.0 * static_cast<double>(n)"
            return f"opkg::hvx::larger(Numbers({words}) * Numbers({words}), Numbers({least}) * Numbers({per_unit(self.form)}))"
        return f"Q6_Q_vcmp_gt_VwVw({words}, Q6_V_vsplat_R((static_cast<int32_t>(n) << {BITS}) - 1))"

    def _divides(self, table: Table) -> bool:
        """Whether the result is an entry over the sum of entries."""
        total = self.plan.totals[table.atom,]
        sums = [at for at in self.plan.row if self.plan.graph[at].op == "reduce_sum"]
        inverses = [name for name, node in self.plan.inverses.items() if node in sums]
        wanted: Poly = {tuple(sorted((f"{table.name}_spread.unit", name))): 1 for name in inverses}
        return len(inverses) == 1 and total is not None and self.form.factors.get((table.atom,)) == wanted

    def _missing(self, table: Table, first: str) -> str:
        """What lanes without element added to a sum, below zero."""
        return f"-static_cast<int32_t>(slots.missing(1)) * static_cast<int32_t>({table.name}_spread.{first})"

    # Numbers ------------------------------------------------------------------------------------------------------------

    def _numbers(self) -> list[str]:
        plan, out = self.plan, [f"const Numbers {self.share} = inverse(Numbers(static_cast<double>(n)));"]
        self.known |= {self.share}
        out += self._found()
        out.append("HVX_Vector lost = Q6_V_vzero();")
        rows = frozenset(plan.row)
        if any(node not in rows for node in plan.inverses.values()):
            raise Cannot("the inverse of a number of the call")
        for at in plan.row:
            out += self._node(at)
            out += [
                self._named(name, f"inverse({self._value(at)})") for name, node in plan.inverses.items() if node == at
            ]
        out += form_lines(plan, self.form, self.known, self.names)
        held = f"{self.form.linear}.held"
        if any("sum_of(" in line for line in out):
            out.append(f"const HVX_VectorPred near = Q6_Q_vcmp_gt_VwVw(Q6_V_vsplat_R({LOST}), lost);")
            held = f"Q6_Q_and_QQ({held}, near)"
        else:
            out.remove("HVX_Vector lost = Q6_V_vzero();")
        if any("enough = " in line for line in out):
            held = f"Q6_Q_and_QQ({held}, enough)"
        out = _needed([*out, f"if (!opkg::hvx::for_all(slots, {held})) return false;"])
        using = [] if table_sums(plan) else ["using opkg::hvx::Numbers;"]
        return [*using, *out, *limit_lines(plan, self.form)]

    def _named(self, name: str, value: str) -> str:
        self.known.add(name)
        return f"const Numbers {name} = {value};"

    def _found(self) -> list[str]:
        """What loops found: sums without zero points, sums of tables in units of 2^-16 entries."""
        plan, lines = self.plan, []
        for total in plan.totals.values():
            elements = [plan.elements[name] for name in total.atoms]
            if isinstance(elements[0], Table):
                name = elements[0].name
                words = f"Numbers({name}_words, Q6_V_vsplat_R(16)) + Numbers({name}_fraction_words)"
                low = f"Q6_Q_vcmp_gt_VwVw({name}_words, Q6_V_vsplat_R((static_cast<int32_t>(n) >> {16 - demand(plan)}) + 1))"
                lines.append(f"const HVX_VectorPred enough = {low};")
                lines.append(self._named(total.name, words))
                continue
            zeros = [plan.zero(element.name) for element in elements if isinstance(element, Operand)]
            if not all(zeros) or len(set(total.atoms)) > 1:
                raise Cannot("sums of products of two inputs")
            least, most = plan.snippet.operand(elements[0].name).storage.limits
            held = f"if ({zeros[0]} < {least} || {zeros[0]} > {most}) return false;"
            lines += [held] if held not in lines else []
            less = f"less_zeros({total.name}, {zeros[0]}, n)"
            if self.form.wide:  # sums of elements are those of their distances from 32768
                single = Total(total.atoms[:1]).name
                words = f"less_zeros({single}, {zeros[0]} - 32768, n)"
                if len(total.atoms) == 2:
                    words = f"squares_less_zeros({total.name}_high, {total.name}_low, {single}, {zeros[0]}, n)"
                    lines.append(self._named(f"{total.name}_real", f"opkg::hvx::{words}"))
                else:
                    lines.append(self._named(f"{total.name}_real", f"Numbers(opkg::hvx::{words})"))
                continue
            if len(total.atoms) == 2:
                less = f"squares_less_zeros({total.name}, {Total(total.atoms[:1]).name}, {zeros[0]}, n)"
            lines.append(self._named(f"{total.name}_real", f"Numbers(opkg::hvx::{less})"))
        return lines

    def _value(self, at: int) -> str:
        """A node, as Numbers."""
        local = self.plan.locals.get(at)
        if local is not None:
            if local not in self.known:
                raise Cannot("what a row's number is made of")
            return local
        return uniform(self.plan, at)

    def _node(self, at: int) -> list[str]:
        node, name = self.plan.graph[at], self.plan.locals[at]
        if node.op in ("reduce_max", "reduce_min"):
            return []  # an index of a table, or nothing that is known here
        text = self._sum(node) if node.op in ("reduce_sum", "reduce_mean") else self._computed(node)
        return [self._named(name, text)]

    def _computed(self, node: Node) -> str:
        values = [self._value(arg) for arg in node.args]
        if node.op in ("add", "sub"):
            return f"sum_of({values[0]}, {'-' if node.op == 'sub' else ''}{values[1]}, lost)"
        forms = {"mul": "{0} * {1}", "neg": "-{0}", "div": "{0} * inverse({1})", "rsqrt": "inverse_root({0})"}
        if node.op not in forms:
            raise Cannot(f"'{node.op}' of a row's number")
        return forms[node.op].format(*values)

    def _sum(self, node: Node) -> str:
        """A sum of elements over the row, or of squares about their mean. Sums of several terms could cancel."""
        plan, mean = self.plan, node.op == "reduce_mean"
        parts = poly.split(plan.polys[node.args[0]], plan.is_element)
        varying = [atoms for atoms in parts if atoms]
        if len(varying) == 1 and isinstance(plan.elements[varying[0][0]], Table):
            (atoms,) = varying
            text = polynomial({**_times(parts[atoms], plan.totals[atoms].name, 1 / 65536)}, self.known)
            if parts.get((), {}):
                text += f" + {polynomial(parts[()], self.known)} * Numbers(static_cast<double>(n))"
            return f"({text}) * {self.share}" if mean else text
        if len(parts) == 1 and varying:
            (atoms,) = varying
            text = polynomial(_times(parts[atoms], f"{plan.totals[atoms].name}_real"), self.known)
            return f"{text} * {self.share}" if mean else text
        if self.form.wide:
            raise Cannot("a variance of 16 bits")
        scale = self._about_mean(parts)
        (element,) = {name for atoms in varying for name in atoms}
        given = f"{Total((element,)).name}, {Total((element, element)).name}, n, {self.share}"
        text = f"{polynomial(scale, self.known)} * opkg::hvx::variance({given})"
        return text if mean else f"{text} * Numbers(static_cast<double>(n))"

    def _about_mean(self, parts: dict[poly.Monomial, Poly]) -> Poly:
        """The factor of (x - mean(x))^2 that the parts of a polynomial of elements are. Raises Cannot."""
        squares = [atoms for atoms in parts if len(atoms) == 2]
        if len(squares) != 1 or len(set(squares[0])) != 1:
            raise Cannot("a sum that could cancel")
        element = squares[0][0]
        for at in self.plan.row:
            node, name = self.plan.graph[at], self.plan.locals[at]
            if node.op != "reduce_mean":
                continue
            inner = poly.split(self.plan.polys[node.args[0]], self.plan.is_element)
            if set(inner) != {(element,)}:
                continue
            factor, mean = inner[element,], poly.atom(name)
            whole = {
                (element, element): poly.mul(factor, factor),
                (element,): poly.mul(poly.mul(factor, mean) or {}, poly.number(-2)),
                (): poly.mul(mean, mean),
            }
            if parts == whole:
                return parts[squares[0]]
        raise Cannot("a sum that could cancel")


def _times(value: Poly, name: str, by: float = 1) -> Poly:
    """A polynomial times a name."""
    return {tuple(sorted((*key, name))): by * factor for key, factor in value.items()}


def _needed(lines: list[str]) -> list[str]:
    """The lines without numbers that nothing asks for."""
    kept: list[str] = []
    words: set[str] = set()
    for line in reversed(lines):
        found = _LINE.match(line)
        if found is None or found[1] in words:
            kept.append(line)
            words |= set(re.findall(r"\w+", line))
    return kept[::-1]
