"""C++ of results of columns as numbers of 32 columns at a time, a word for each (opkg/hvx_numbers.h)."""

from __future__ import annotations

from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.columns.found import Number, parts_of
from opkg.kernels.strategies.rows.plan import Cannot, Extreme, Plan
from opkg.kernels.strategies.rows.several_numbers import RowNumbers, needed

HEADERS = ("opkg/hvx_numbers.h",)
_MOST_BITS = 16  # of results: numbers are within 2^-26 of themselves
_FAR = 1000  # exponent of what is no number


def vector_lines(plan: Plan, operand: Operand, numbers: list[Number], reduced: list[tuple[Operand, int]]) -> list[str]:
    """The body of `results`: words of every output from words that were found; whether the `live` first are near enough.
    Raises Cannot."""
    if operand.storage.bits == 32:
        raise Cannot("numbers of 32 bits")
    for output, _ in reduced:
        if output.storage.bits > _MOST_BITS or not output.quantized:
            raise Cannot(f"'{output.name}' is {output.dtype}")
    return _Columns(plan, operand, numbers).body(reduced)


def per_step(output: Operand) -> str:
    """The member with 1 / scale of an output."""
    return f"{output.name}_per_step"


class _Columns(RowNumbers):
    def __init__(self, plan: Plan, operand: Operand, numbers: list[Number]) -> None:
        super().__init__(plan, wide=False, extremes=True)
        self.operand, self.found_numbers = operand, numbers

    def body(self, reduced: list[tuple[Operand, int]]) -> list[str]:
        out = [*self._words(), *self.numbers()]
        held = ""
        for at, (output, node) in enumerate(reduced):
            name = self.names.take(f"{output.name}_steps_real")
            out.append(self.named(name, self._steps(output, node)))
            near = f"Q6_Q_vcmp_gt_VwVw(Q6_V_vsplat_R({_FAR}), {name}.exponent)"
            held = f"Q6_Q_and_QQ({held}, {near})" if held else near
            out.append(f"to[{at}] = {name}.whole(Q6_V_vzero());")
        out, held = self.checked(out, held)
        return ["using opkg::hvx::Numbers;", *needed([*out, f"return opkg::hvx::all_words({held}, live);"])]

    def _words(self) -> list[str]:
        """What was found, as it is stored, without what vectors added to it."""
        lines = []
        for at, number in enumerate(self.found_numbers):
            (part,) = parts_of(self.operand, number)
            if isinstance(number, Extreme):
                zero = self.plan.zero(self.operand.name)
                words = f"opkg::hvx::plus(found[{at}], -static_cast<int32_t>({zero}))" if zero else f"found[{at}]"
                lines.append(self.named(number.name, f"Numbers({words})"))
            else:
                less = f"opkg::hvx::less_zeros(found[{at}], {part.offset}, n)" if part.offset else f"found[{at}]"
                lines.append(f"const HVX_Vector {part.name} = {less};")
        return lines

    def _steps(self, output: Operand, node: int) -> str:
        zero = f"Numbers(static_cast<double>({self.plan.shared.steps[output.name]}.zero))"
        return f"{self.value(node)} * Numbers({per_step(output)}) + {zero}"
