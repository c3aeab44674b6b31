"""C++ of what several rows, or columns, have found: sums, means, variances as `opkg::hvx::Numbers`, a word for each."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from opkg.kernels.graphs.graph import Node
from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.errors import demand
from opkg.kernels.strategies.rows.plan import Cannot, Plan, Table, Total
from opkg.kernels.strategies.rows.poly import Poly
from opkg.kernels.strategies.rows.several_text import Number, polynomial, uniform
from opkg.kernels.strategies.rows.variances import about_mean

LOST = 12  # bits that sums of a row's numbers may cancel: of 27 that are right
MORE = 5  # fewer, of sums of 16-bit elements
FAR = 1000  # exponent of what is no number
GATE_HEADERS = ("opkg/hvx_numbers_gates.h",)
GATES = {"sigmoid": "sigmoid", "log": "logarithm", "max": "extreme_of<true>", "min": "extreme_of<false>"}
_LINE = re.compile(r"const (?:Numbers|HVX_Vector) (\w+) = ")


def of_sums(plan: Plan) -> bool:
    """Whether products of two inputs are summed up."""
    return any(len(set(total.atoms)) > 1 for total in plan.totals.values())


class RowNumbers:
    """Numbers of rows. `known`: names that are Numbers. `wide`: sums of 16-bit elements are of their distances from 32768.
    `extremes`: whether extremes were found for results; else they are indices of tables. `gates`: what is made by
    functions of opkg/hvx_numbers_gates.h."""

    def __init__(self, plan: Plan, wide: bool, extremes: bool = False, gates: Collection[str] = ()) -> None:
        self.plan, self.wide, self.extremes, self.gates = plan, wide, extremes, gates
        self.names = plan.shared.names.inside()
        self.known: set[str] = set()
        self.share = self.names.take(f"{plan.count}_inverse")
        self.number: Number | None = None  # makes what a kept number of the call is called
        self.count = "Numbers(static_cast<double>(n))"

    def named(self, name: str, value: str) -> str:
        self.known.add(name)
        return f"const Numbers {name} = {value};"

    def numbers(self) -> list[str]:
        """All numbers of the row, in order; `lost` is what sums of them cancel."""
        plan, out = self.plan, [] if self.number else [f"const Numbers {self.share} = inverse({self.count});"]
        self.known |= {self.share}
        out += [*self.found(), "HVX_Vector lost = Q6_V_vzero();"]
        rows = frozenset(plan.row)
        if any(node not in rows for node in plan.inverses.values()):
            raise Cannot("the inverse of a number of the call")
        for at in plan.row:
            out += self.node(at)
            out += [
                self.named(name, f"inverse({self.value(at)})") for name, node in plan.inverses.items() if node == at
            ]
        return out

    def checked(self, lines: list[str], held: str) -> tuple[list[str], str]:
        """The lines with their own conditions, and the conjunction of those with `held`."""
        if cancels(lines):
            lines = [*lines, f"const HVX_VectorPred near = Q6_Q_vcmp_gt_VwVw(Q6_V_vsplat_R({LOST}), lost);"]
            held = f"Q6_Q_and_QQ({held}, near)"
        else:
            lines = [line for line in lines if line != "HVX_Vector lost = Q6_V_vzero();"]
        if any("enough = " in line for line in lines):
            held = f"Q6_Q_and_QQ({held}, enough)"
        return lines, held

    def found(self) -> list[str]:
        """What loops found: sums without zero points, sums of tables in units of 2^-16 entries."""
        plan, lines = self.plan, []
        for total in plan.totals.values():
            elements = [plan.elements[name] for name in total.atoms if total.of is None]
            if elements and isinstance(elements[0], Table):
                name = elements[0].name
                words = f"opkg::hvx::entries_sum({name}_words, {name}_fraction_words)"
                bits = demand(plan) - 16
                share = f"static_cast<int32_t>(n) {'<<' if bits > 0 else '>>'} {abs(bits)}"
                low = f"Q6_Q_vcmp_gt_VwVw({name}_words, Q6_V_vsplat_R(({share}) + 1))"
                if elements[0].or_one:
                    lines.append(f"const HVX_VectorPred nothing = Q6_Q_vcmp_eq_VwVw({name}_words, Q6_V_vzero());")
                    lines.append(self.named(elements[0].low, "Numbers(Q6_V_vand_QR(nothing, 1))"))
                    low = f"Q6_Q_or_QQ(nothing, {low})"
                lines.append(f"const HVX_VectorPred enough = {low};")
                lines.append(self.named(total.name, words))
                continue
            if total.of is not None:
                lines.append(self.named(f"{total.name}_real", f"Numbers({total.name})"))
                continue
            zeros = [plan.zero(element.name) for element in elements if isinstance(element, Operand)]
            if self.extremes:  # of columns: plain integers, too
                zeros = [zero or "0" for zero in zeros]
            if not all(zeros):
                raise Cannot("sums of plain integers")
            if len(set(total.atoms)) > 1:
                lines.append(self._of_two(total, [zero for zero in zeros if zero]))
                continue
            least, most = plan.snippet.operand(total.atoms[0].removesuffix("_q")).storage.limits
            held = f"if ({zeros[0]} < {least} || {zeros[0]} > {most}) return false;"
            lines += [held] if held not in lines and zeros[0] != "0" else []
            less = f"less_zeros({total.name}, {zeros[0]}, n)"
            if self.wide:  # sums of elements are those of their distances from 32768, all without sign
                single = Total(total.atoms[:1]).name
                zeros = [f"({zeros[0]} + {-least})"] if least else zeros
                words = f"less_zeros({single}, {zeros[0]} - 32768, n)"
                if len(total.atoms) == 2:
                    words = f"squares_less_zeros({self.upper(total)}, {total.name}_low, {single}, {zeros[0]}, n)"
                    lines.append(self.named(f"{total.name}_real", f"opkg::hvx::{words}"))
                else:
                    lines.append(self.named(f"{total.name}_real", f"Numbers(opkg::hvx::{words})"))
                continue
            if len(total.atoms) == 2:
                less = f"squares_less_zeros({total.name}, {Total(total.atoms[:1]).name}, {zeros[0]}, n)"
            lines.append(self.named(f"{total.name}_real", f"Numbers(opkg::hvx::{less})"))
        return lines

    def _of_two(self, total: Total, zeros: list[str]) -> str:
        """The sum of products of two inputs, without their zero points."""
        operands = [self.plan.snippet.operand(atom.removesuffix("_q")) for atom in total.atoms]
        if self.extremes or (self.wide and any(operand.storage.signed for operand in operands)):
            raise Cannot("sums of products of two inputs")
        singles = ", ".join([f"{Total((atom,)).name}, {zero}" for atom, zero in zip(total.atoms, zeros, strict=True)])
        if self.wide:
            words = f"{self.upper(total)}, {total.name}_low, {singles}, n"
            return self.named(f"{total.name}_real", f"opkg::hvx::products_less_zeros({words})")
        text = f"Numbers(opkg::hvx::products_less_zeros({total.name}, {singles}, n))"
        return self.named(f"{total.name}_real", text)

    def upper(self, total: Total) -> str:
        """The upper halves of a sum of squares of 16 bits without sign."""
        return f"{total.name}_high"

    def value(self, at: int) -> str:
        """A node, as Numbers."""
        local = self.plan.locals.get(at)
        if local is not None:
            if local not in self.known:
                raise Cannot("what a row's number is made of")
            return local
        return uniform(self.plan, at, self.number)

    def node(self, at: int) -> list[str]:
        node, name = self.plan.graph[at], self.plan.locals[at]
        if node.op in ("reduce_max", "reduce_min"):
            return self._extreme(at)
        text = self._sum(node) if node.op in ("reduce_sum", "reduce_mean") else self.computed(node)
        return [self.named(name, text)]

    def computed(self, node: Node) -> str:
        """What is made of other numbers of the row. Raises Cannot."""
        values = [self.value(arg) for arg in node.args]
        if self.gates:
            if node.op in ("add", "sub") and self._asks_sigmoid(node):
                raise Cannot("a sum of a sigmoid and of something else")
            if node.op in self.gates:
                return f"opkg::hvx::{GATES[node.op]}({', '.join(values)})"
        if node.op in ("add", "sub"):
            return f"sum_of({values[0]}, {'-' if node.op == 'sub' else ''}{values[1]}, lost)"
        forms = {"mul": "{0} * {1}", "neg": "-{0}", "div": "{0} * inverse({1})", "rsqrt": "inverse_root({0})"}
        forms |= {"max": "larger_of({0}, {1})", "min": "-larger_of(-{0}, -{1})", "abs": "size_of({0})"}
        forms["sqrt"] = "{0} * inverse_root({0})"  # of 0, too: the product with a mantissa of 0
        if node.op not in forms:
            raise Cannot(f"'{node.op}' of a row's number")
        return forms[node.op].format(*values)

    def _asks_sigmoid(self, node: Node) -> bool:
        """Whether a number is made of a sigmoid, which is not as exact as others."""
        graph = self.plan.graph
        return node.op == "sigmoid" or any(self._asks_sigmoid(graph[arg]) for arg in node.args if arg in self.plan.row)

    def _sum(self, node: Node) -> str:
        """A sum of elements over the row, or of squares about their mean. Sums of several terms could cancel."""
        plan, mean = self.plan, node.op == "reduce_mean"
        parts = poly.split(plan.polys[node.args[0]], plan.is_element)
        varying = [atoms for atoms in parts if atoms]
        if len(varying) == 1 and isinstance(plan.elements.get(varying[0][0]), Table):
            (atoms,) = varying
            text = polynomial({**_times(parts[atoms], plan.totals[atoms].name, 1 / 65536)}, self.known, self.number)
            if parts.get((), {}):
                text += f" + {polynomial(parts[()], self.known, self.number)} * {self.count}"
            return f"({text}) * {self.share}" if mean else text
        if len(parts) == 1 and varying:
            (atoms,) = varying
            text = polynomial(_times(parts[atoms], f"{plan.totals[atoms].name}_real"), self.known, self.number)
            return f"{text} * {self.share}" if mean else text
        found = about_mean(plan, plan.polys[node.args[0]])
        bent = any(total.of for total in plan.totals.values())
        if found is None and (of_sums(plan) or bent) and len({name for atoms in varying for name in atoms}) > 1:
            text = self._of_terms(parts)
            return f"{text} * {self.share}" if mean else text
        if found is None:
            raise Cannot("a sum that could cancel")
        element, scale = found
        text = f"{polynomial(scale, self.known, self.number)} * {self.variance(element)}"
        return text if mean else f"{text} * {self.count}"

    def _of_terms(self, parts: dict[tuple[str, ...], Poly]) -> str:
        """A sum of sums of several elements. Of single ones only, what cancels is as much off as variances hold it."""
        terms = []
        for atoms, by in sorted(parts.items()):
            for key, value in sorted(by.items()):
                name = f" * {self.plan.totals[atoms].name}_real" if atoms else f" * {self.count}"
                terms.append(polynomial({key: value}, self.known, self.number) + name)
        bent = any(atoms and self.plan.totals[atoms].of for atoms in parts)
        if not bent and not any(len(atoms) == 2 for atoms in parts):
            return f"({' + '.join(terms)})"
        return f"opkg::hvx::whole_sum_of({{{', '.join(terms)}}}, {MORE if self.wide or bent else 0}, lost)"

    def variance(self, element: str) -> str:
        """That of a stored element."""
        return f"opkg::hvx::variance({self.squared(element)}, n, {self.share})"

    def squared(self, element: str) -> str:
        """Words of the sums of elements and of their squares. Raises Cannot."""
        if self.wide:
            raise Cannot("a variance of 16 bits")
        return f"{Total((element,)).name}, {Total((element, element)).name}"

    def _extreme(self, at: int) -> list[str]:
        if not self.extremes:
            return []
        return [self.named(self.plan.locals[at], polynomial(self.plan.polys[at], self.known, self.number))]


def _times(value: Poly, name: str, by: float = 1) -> Poly:
    """A polynomial times a name."""
    return {tuple(sorted((*key, name))): by * factor for key, factor in value.items()}


def is_number(name: str, far: int = FAR) -> str:
    """C++ of where Numbers are numbers, of exponents less than `far`."""
    return f"Q6_Q_vcmp_gt_VwVw(Q6_V_vsplat_R({far}), {name}.exponent)"


def cancels(lines: Iterable[str]) -> bool:
    """Whether there are sums, of two numbers or of several terms, which may cancel."""
    return any("sum_of(" in line for line in lines)


def gate_headers(lines: Iterable[str]) -> tuple[str, ...]:
    """The headers of functions that lines call."""
    return GATE_HEADERS if any(f"opkg::hvx::{gate}(" in line for line in lines for gate in GATES.values()) else ()


def needed(lines: list[str]) -> list[str]:
    """The lines without numbers that nothing asks for."""
    kept: list[str] = []
    words: set[str] = set()
    for line in reversed(lines):
        found = _LINE.match(line)
        if found is None or found[1] in words:
            kept.append(line)
            words |= set(re.findall(r"\w+", line))
    return kept[::-1]
