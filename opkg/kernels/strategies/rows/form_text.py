"""C++ of the numbers of a row's linear form: its factors in steps of the output, the constant, the fixed point of them."""

from __future__ import annotations

from collections.abc import Mapping

from opkg.kernels.strategies.rows.elements import MOST, has_halves, has_words, lowest, middle, totals_of
from opkg.kernels.strategies.rows.forms import PRODUCT, SINGLE, Form, lifted, limit_lines, per_unit, wide_terms, words
from opkg.kernels.strategies.rows.plan import Plan, Table
from opkg.kernels.strategies.rows.several_text import in_double, only_calls
from opkg.kernels.strategies.rows.variances import about


class FormText:
    """C++ of a form's numbers: factors in steps of the output, the constant, the fixed point of them."""

    def __init__(self, plan: Plan, form: Form, blur: str, share: str, made: Mapping[str, str]) -> None:
        """`blur`: what the numbers of the row are off, in steps. `share`: 1 / n. `made`: products of numbers of the call."""
        self.plan, self.form, self._share, self._made = plan, form, share, made
        self.lines: list[str] = []
        self._blur = [blur] if blur else []
        steps = plan.shared.steps[form.name]
        base = self._factor(())
        zero = f"static_cast<double>({steps}.zero)"
        self._constant = f"{base} + {zero}" if base != "0.0" else zero
        self._fixed = {self._constant: zero} if base == "0.0" else {}  # the constant in numbers of the call alone

    def write(self) -> list[str]:
        """All statements."""
        if self.form.product and not self.form.wide:
            return [*self._bytes(), *limit_lines(self.plan, self.form)]
        terms = self._product() if self.form.product else []
        for atom in self.form.single:
            terms.append(self._words(atom, terms) if has_words(self.plan, atom) else self._single(atom))
        kind = "Wide" if self.form.wide else "Linear"
        given = [f"{{{', '.join(terms)}}}", self._constant, " + ".join(self._blur) or "0.0f"]
        self._linear(f"{kind}<{len(terms)}>", given)
        return self.lines + limit_lines(self.plan, self.form)

    def _linear(self, kind: str, given: list[str]) -> None:
        self.lines += [
            f"const opkg::hvx::{kind} {self.form.linear}({', '.join(given)});",
            f"if (!{self.form.linear}.ok) return false;",
        ]

    def _factor(self, atoms: tuple[str, ...]) -> str:
        """The factor of a product of atoms, as a local number; "0.0" when there is none."""
        value = self.form.factors.get(tuple(sorted(atoms)), {})
        if not value:
            return "0.0"
        words = [atom.removesuffix("_q") for atom in atoms]
        name = self.plan.shared.names.take(
            "_".join([self.form.name, "by", *words] if words else [self.form.name, "base"])
        )
        text = in_double(value, frozenset(self.plan.integers), self._made, per_unit(self.form))
        self.lines.append(f"const double {name} = {text};")
        return name

    def _less(self, atom: str, factor: str, zero: str) -> None:
        """Takes an atom's factor times a number of the call off the constant."""
        less, fixed = f"{self._constant} - {factor} * {zero}", self._fixed.get(self._constant)
        if fixed is not None and (product := only_calls(self.form.factors[(atom,)], per_unit(self.form))):
            self._fixed[less] = f"{fixed} - {product} * {zero}"
        self._constant = less

    def _bytes(self) -> list[str]:
        """All statements of a product of bytes."""
        u, v = self.form.factors_of(self.plan)
        low = lowest(self.plan, u)
        known = f"opkg::hvx::reach_of({low})"
        if reach := totals_of(self.plan, u):
            known = f"opkg::hvx::reach_of({', '.join([*reach, self.plan.count, self._share])})"
        factors = [self._factor((u, v)), self._factor((v,))]
        terms = [self._single(atom) for atom in self.form.beside(self.plan)]
        most = f"opkg::hvx::most_from({lowest(self.plan, v)})"
        constant = self._made.get(self._fixed.get(self._constant, ""), self._constant)
        given = [*factors, low, known, most, constant, f"{{{', '.join(terms)}}}"]
        self._linear(f"{PRODUCT}<{len(terms)}>", given)
        return self.lines

    def _product(self) -> list[str]:
        """Terms of a product of 16 bits."""
        x, y = self.form.product
        numbers = [self._factor((x, y)), self._factor((x,)), self._factor((y,)), self._constant]
        center, middles = self.form.center, [self._middle(atom) for atom in (x, y)]
        self.lines += [f"const opkg::hvx::Middle {center}_{w} = {text};" for w, text in zip("xy", middles, strict=True)]
        given = ", ".join([*numbers, f"{center}_x", f"{center}_y"])
        self.lines.append(f"const opkg::hvx::Centered {center}({given});")
        self._constant = f"{center}.d"
        return wide_terms(self.form)

    def _middle(self, atom: str) -> str:
        if not has_halves(self.plan, atom):
            return f"opkg::hvx::middle_of_bytes({middle(self.plan, atom)})"
        square = self.plan.totals.get((atom, atom))
        known = about(self.plan, atom) or (square.name if square else "")
        return f"opkg::hvx::middle_of({middle(self.plan, atom)}{f', {known}' if known else ''})"

    def _words(self, atom: str, terms: list[str]) -> str:
        """The term of an element of 32 bits; `terms`: those in front of it."""
        operand, factor = self.plan.snippet.operand(atom.removesuffix("_q")), self._factor((atom,))
        if zero := self.plan.zero(operand.name):
            self._constant += f" - {factor} * static_cast<double>({zero})"
        name, given = words(self.form, operand), f"{{{', '.join(terms)}}}, {self._constant}"
        self.lines.append(f"const opkg::hvx::Words {name}({factor}, {given});")
        return f"{{{name}.factor, {name}.lifted, 15}}"

    def _single(self, atom: str, *times: str) -> str:
        """The term of an atom; `times`: what else it is multiplied with."""
        operand = self.plan.elements[atom]
        factor = self._factor((atom, *times))
        if isinstance(operand, Table):
            self._blur.append(f"0.5f * std::fabs(static_cast<float>({factor}))")
            return f"{{{factor}, 65535}}"
        if lifted(self.plan, self.form, atom):
            center = f"{self.form.center}_x"
            self.lines.append(f"const opkg::hvx::Middle {center} = {self._middle(atom)};")
            self._constant += f" + {factor} * {center}.at"
            return f"{{{factor} * opkg::hvx::of_mantissa(1, -{center}.lift), {center}.most}}"
        if self.form.wide and operand.storage.bits == 8:  # the loop multiplies its distance from the middle, times 256
            self._constant += f" + {factor} * static_cast<double>({middle(self.plan, atom)})"
            return f"{{{factor} / 256.0, 32768}}"
        zero = self.plan.zero(operand.name)
        if zero:  # the loop multiplies the stored number
            self._less(atom, factor, f"static_cast<double>({zero})")
        if not self.form.centered:
            return f"{{{factor}, {MOST[operand.storage]}}}"
        center = self.form.center
        level = "0.0f" if self.form.output.storage.signed else "128.0f"
        low = operand.storage.limits[0]
        self.lines.append(f"const opkg::hvx::{SINGLE} {center}({factor}, {self._constant}, {level}, {low});")
        self._constant = f"{center}.constant"
        return f"{{{center}.factor, {center}.most, {center}.kLift}}"
