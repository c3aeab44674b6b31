"""The fixed point of results of several rows: what `forms.FormText` writes for one row."""

from __future__ import annotations

from opkg.kernels.portable.expressions import Names
from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.rows.errors import only_divides, table_sums
from opkg.kernels.strategies.rows.forms import LIFT, MOST, Form, lifted, lowest, middle, per_unit
from opkg.kernels.strategies.rows.plan import Plan, Table
from opkg.kernels.strategies.rows.several_text import polynomial

BLUR = 64  # of a step, in 1/256, where fractions of tables may be left out


def form_lines(plan: Plan, form: Form, known: set[str], names: Names) -> list[str]:
    """Factors in steps of the output, then `opkg::hvx::Lines`. `known`: names of Numbers."""
    return _Lines(plan, form, known, names).write()


class _Lines:
    def __init__(self, plan: Plan, form: Form, known: set[str], names: Names) -> None:
        self.plan, self.form, self.known, self.names = plan, form, known, names
        self.lines: list[str] = []
        zero = f"Numbers(static_cast<double>({plan.shared.steps[form.name]}.zero))"
        base = self._factor(())
        self.constant = f"{base} + {zero}" if base else zero

    def write(self) -> list[str]:
        terms = self._product() if self.form.product else []
        terms += [self._single(atom) for atom in self.form.single]
        blur = BLUR if table_sums(self.plan) and only_divides(self.plan) else 0
        kind = f"opkg::hvx::{'WideLines' if self.form.wide else 'Lines'}<{len(terms)}>"
        self.lines.append(f"const {kind} {self.form.linear}(slots, {{{', '.join(terms)}}}, {self.constant}, {blur});")
        return self.lines

    def _factor(self, atoms: tuple[str, ...]) -> str:
        """The factor of a product of atoms, as a local number; empty when there is none."""
        value = self.form.factors.get(tuple(sorted(atoms)), {})
        if not value:
            return ""
        words = [atom.removesuffix("_q") for atom in atoms]
        name = self.names.take("_".join([self.form.name, "by", *words] if words else [self.form.name, "base"]))
        self.lines.append(f"const Numbers {name} = {polynomial(value, self.known)} * Numbers({per_unit(self.form)});")
        self.known.add(name)
        return name

    def _product(self) -> list[str]:
        x, y = self.form.product
        numbers = [self._factor(atoms) or "Numbers(0.0)" for atoms in ((x, y), (x,), (y,))]
        center = self.form.center
        if self.form.wide:
            middles = ", ".join([middle(self.plan, atom) for atom in (x, y)])
            self.lines.append(
                f"const opkg::hvx::Centers {center}({', '.join([*numbers, self.constant])}, {{{middles}}});"
            )
            self.constant = f"{center}.d"
            return [f"{{{numbers[0]}, 1 << 30, 15}}", f"{{{center}.b, 32768}}", f"{{{center}.c, 32768}}"]
        lows = [lowest(self.plan, atom) for atom in (x, y)]
        self.lines.append(f"const opkg::hvx::Centers {center}({', '.join([*numbers, self.constant, *lows])});")
        self.constant = f"{center}.d"
        both = f"opkg::hvx::times_upper({center}.x_most, Q6_Vw_vasl_VwR({center}.y_most, 16))"
        return [f"{{{numbers[0]}, {both}}}", f"{{{center}.b, {center}.x_most}}", f"{{{center}.c, {center}.y_most}}"]

    def _single(self, atom: str) -> str:
        operand, factor = self.plan.elements[atom], self._factor((atom,))
        if isinstance(operand, Table):
            return f"opkg::hvx::entries({factor})"
        zero = self.plan.zero(operand.name)
        if zero:  # the loop multiplies the stored number
            self.constant += f" - {factor} * Numbers(static_cast<double>({zero}))"
        if not self.form.centered:
            lift = f", {LIFT}" if lifted(self.plan, self.form, atom) else ""
            return f"{{{factor}, {MOST[operand.storage]}{lift}}}"
        return self._centered(factor, operand)

    def _centered(self, factor: str, operand: Operand) -> str:
        base, center = self.names.take(f"{self.form.name}_constant"), self.form.center
        low, high = operand.storage.limits
        middle = 0 if self.form.output.storage.signed else 128
        self.lines += [
            f"const Numbers {base} = {self.constant};",
            f"const HVX_Vector {center} = opkg::hvx::centers({factor}, {base}, {middle}, {low}, {high});",
        ]
        self.constant = f"{base} + {factor} * Numbers({center})"
        return f"{{{factor}, opkg::hvx::reaches_of({factor}, {high - low})}}"
