"""C++ of results of columns as numbers of 32 columns at a time, a word for each (opkg/hvx_numbers.h)."""

from __future__ import annotations

from collections.abc import Collection

from opkg.kernels.graphs.graph import Node
from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.columns.found import Number, all_parts
from opkg.kernels.strategies.rows.plan import Cannot, Extreme, Plan, Total
from opkg.kernels.strategies.rows.several_numbers import RowNumbers, is_number, needed

HEADERS, WIDE_HEADERS = ("opkg/hvx_numbers.h",), ("opkg/hvx_columns_wide.h", "opkg/hvx_linear.h")
MOMENTS_HEADERS = ("opkg/hvx_columns_moments.h",)
_MOST_BITS = 16  # of results: numbers are within 2^-26 of themselves
_MOST_SQUARES = 8191  # of 16 bits, in a sum about the zero point


def vector_lines(plan: Plan, operand: Operand, numbers: list[Number], reduced: list[tuple[Operand, int]]) -> list[str]:
    """The body of `results`: words of every output from words that were found; whether the `live` first are near enough.
    Raises Cannot."""
    if operand.storage.bits == 32:
        raise Cannot("numbers of 32 bits")
    for output, _ in reduced:
        if output.storage.bits > _MOST_BITS or not output.quantized:
            raise Cannot(f"'{output.name}' is {output.dtype}")
    return ColumnNumbers(plan, operand, numbers).body(reduced)


def per_step(output: Operand) -> str:
    """The member with 1 / scale of an output."""
    return f"{output.name}_per_step"


class ColumnNumbers(RowNumbers):
    """C++ of what is found of 32 columns. `gates_of`: what vectors make as exactly as results ask for."""

    gates_of: Collection[str] = ("sigmoid", "max", "min")

    def __init__(self, plan: Plan, operand: Operand, numbers: list[Number]) -> None:
        wide = operand.storage.bits == 16 and any(len(total.atoms) == 2 for total in plan.totals.values())
        super().__init__(plan, wide=wide, extremes=True, gates=self.gates_of)
        self.operand, self.found_numbers = operand, numbers

    def computed(self, node: Node) -> str:
        spread = self._spread(node)
        if spread:
            return spread
        return super().computed(node)

    def _spread(self, node: Node) -> str:
        """The difference of two extremes, whole steps, of which nothing is lost."""
        plan, found = self.plan, self.found_numbers
        if node.op != "sub" or not self.operand.quantized or any(not isinstance(number, Extreme) for number in found):
            return ""
        stored = [plan.polys.get(arg) or {} for arg in node.args]
        scale = f"{plan.shared.steps[self.operand.name]}.scale"
        places = [
            next((at for at, n in enumerate(found) if value == {tuple(sorted((n.name, scale))): 1}), None)
            for value in stored
        ]
        if None in places:
            return ""
        return f"Numbers(Q6_Vw_vsub_VwVw(found[{places[0]}], found[{places[1]}])) * Numbers({scale})"

    def body(self, reduced: list[tuple[Operand, int]]) -> list[str]:
        out = [*self.words(), *self.numbers()]
        held = ""
        for at, (output, node) in enumerate(reduced):
            name = self.names.take(f"{output.name}_steps_real")
            out.append(self.named(name, self._steps(output, node)))
            held = f"Q6_Q_and_QQ({held}, {is_number(name)})" if held else is_number(name)
            out.append(f"to[{at}] = {name}.whole(Q6_V_vzero());")
        out, held = self.checked(out, held)
        lines = needed([*out, f"return opkg::hvx::all_words({held}, live);"])
        if self.wide and any("squares_less_zeros(" in line for line in lines):
            lines.insert(0, f"if (n > {_MOST_SQUARES}) return false;")
        return ["using opkg::hvx::Numbers;", *lines]

    def words(self) -> list[str]:
        """What was found, as it is stored, without what vectors added to it."""
        lines, at = [], 0
        for number, parts in zip(self.found_numbers, all_parts(self.operand, self.found_numbers), strict=True):
            if isinstance(number, Extreme):
                zero = self.plan.zero(self.operand.name)
                words = f"opkg::hvx::plus(found[{at}], -static_cast<int32_t>({zero}))" if zero else f"found[{at}]"
                lines.append(self.named(number.name, f"Numbers({words})"))
            elif self.wide and isinstance(number, Total) and number.of is None:
                lines += self._wide(number, at)
            else:
                (part,) = parts
                less = f"opkg::hvx::less_zeros(found[{at}], {part.offset}, n)" if part.offset else f"found[{at}]"
                lines.append(f"const HVX_Vector {part.name} = {less};")
            at += len(parts)
        return lines

    def _wide(self, number: Total, at: int) -> list[str]:
        """Sums of 16-bit elements about 32768, and squares of them without sign."""
        name = number.name
        if len(number.atoms) == 1:
            self.sums = at
            return [f"const HVX_Vector {name} = opkg::hvx::less_zeros(found[{at}], 32768, n);"]
        high = f"found[{at + 1}]"
        if self.operand.storage.signed:
            high = f"opkg::hvx::squares_without_sign({high}, {Total(number.atoms[:1]).name}, n)"
        return [f"const HVX_Vector {name}_low = found[{at}];", f"const HVX_Vector {name}_high = {high};"]

    def squared(self, element: str) -> str:
        if not self.wide:
            return super().squared(element)
        name = Total((element, element)).name
        return f"found[{self.sums}], {name}_high, {name}_low"

    def _steps(self, output: Operand, node: int) -> str:
        zero = f"Numbers(static_cast<double>({self.plan.shared.steps[output.name]}.zero))"
        return f"{self.value(node)} * Numbers({per_step(output)}) + {zero}"
