"""The fixed point of results of several rows: what `forms.FormText` writes for one row."""

from __future__ import annotations

from opkg.kernels.portable.expressions import Names
from opkg.kernels.strategies.rows.elements import (
    MOST,
    has_halves,
    has_words,
    lowest,
    middle,
    stored_zero,
    totals_of,
)
from opkg.kernels.strategies.rows.forms import (
    PRODUCT,
    SINGLE,
    Form,
    lifted,
    per_unit,
    weight_of,
    wide_terms,
    words,
)
from opkg.kernels.strategies.rows.plan import Plan, Table
from opkg.kernels.strategies.rows.several_text import Number, call_product, calls_of, polynomial
from opkg.kernels.strategies.rows.variances import about, about_means, rest

BLUR = 64  # of a step, in 1/256, where fractions of tables may be left out
WIDE_BLUR = 16  # of a 16-bit step: sums within 2^-20 of themselves


def form_lines(
    plan: Plan, form: Form, blur: int, known: set[str], names: Names, share: str, number: Number
) -> list[str]:
    """Factors in steps of the output, then `opkg::hvx::Lines`. `blur`: of a step, in 1/256, that sums of tables leave out.
    `known`: names of Numbers. `share`: that of 1 / n; `number`: makes numbers of the call."""
    return _Lines(plan, form, known, names, number).write(share, blur)


class _Lines:
    def __init__(self, plan: Plan, form: Form, known: set[str], names: Names, number: Number) -> None:
        self.plan, self.form, self.known, self.names, self.number = plan, form, known, names, number
        self.lines: list[str] = []
        self.factors = about_means(plan, form.factors)
        self.known |= {rest(plan, element) for element in plan.varying}
        self.calls: dict[str, str] = {}  # factors that are numbers of the call: C++ in double
        self.constant = self._factor(())
        self.fixed = f"static_cast<double>({plan.shared.steps[form.name]}.zero)"  # what of it is one of the call

    def write(self, share: str, blur: int) -> list[str]:
        if self.form.weight:
            return self._weighted()
        if self.form.product and not self.form.wide:
            return self._bytes(share)
        terms = self._product() if self.form.product else []
        for atom in self.form.single:
            terms.append(self._words(atom, terms) if has_words(self.plan, atom) else self._single(atom))
        constant = self._constant() if self.form.wide else self._constants()
        kind = f"opkg::hvx::{'WideLines' if self.form.wide else 'Lines'}<{len(terms)}>"
        self.lines.append(f"const {kind} {self.form.linear}(slots, {{{', '.join(terms)}}}, {constant}, {blur});")
        return self.lines

    def _weighted(self) -> list[str]:
        """All statements of a form times one more element."""
        form, name = self.form, self.form.name
        outer = self.constant, self.fixed
        self.constant, self.fixed = self._factor((form.weight,)), ""
        inner = ", ".join([self._single(atom, form.weight) for atom in form.weighted])
        start, weight = self.names.take(f"{name}_start"), f"{name}_weight"
        self.lines += [
            f"const opkg::hvx::Terms {name}_inner[] = {{{inner}}};",
            f"const Numbers {start} = {self._constant() or 'Numbers(0.0)'};",
            f"const opkg::hvx::Weight {weight}{{{weight_of(self.plan, form)}}};",
        ]
        self.constant, self.fixed = outer
        product = f"{{opkg::hvx::largest({name}_inner, {start}), {weight}.most()}}"
        terms: list[str] = []
        for atom in form.single:
            terms.append(self._words(atom, [product, *terms]) if has_words(self.plan, atom) else self._single(atom))
        given = ", ".join(["slots", f"{name}_inner", start, weight, f"{{{', '.join(terms)}}}", self._constant(), "0"])
        kind = f"opkg::hvx::WeightedLines<{len(form.weighted)}, {len(terms)}>"
        return [*self.lines, f"const {kind} {form.linear}({given});"]

    def _factor(self, atoms: tuple[str, ...]) -> str:
        """The factor of a product of atoms, as a local number or one of the call; empty when there is none."""
        value = self.factors.get(tuple(sorted(atoms)), {})
        if not value:
            return ""
        if len(value) == 1 and not self.known.intersection(*value):
            ((key, factor),) = value.items()
            product = call_product(factor, [*calls_of(key, self.known), per_unit(self.form)])
            name = self.number(product)
            self.calls[name] = product
            return name
        words = [atom.removesuffix("_q") for atom in atoms]
        name = self.names.take("_".join([self.form.name, "by", *words] if words else [self.form.name, "base"]))
        self.lines.append(f"const Numbers {name} = {polynomial(value, self.known, self.number, per_unit(self.form))};")
        self.known.add(name)
        return name

    def _plus(self, term: str) -> None:
        self.constant += f" + {term}" if self.constant else term

    def _less(self, factor: str, zero: str) -> None:
        """Takes a factor times a number of the call off the constant."""
        if factor in self.calls:
            self.fixed += f" - {self.calls[factor]} * {zero}"
        else:
            self.constant += f"{' - ' if self.constant else '-'}{factor} * {self.number(zero)}"

    def _only(self, constant: str) -> None:
        self.constant, self.fixed = constant, ""

    def _constant(self) -> str:
        """The constant so far, as Numbers."""
        parts = [self.constant] if self.constant else []
        return " + ".join([*parts, self.number(self.fixed)] if self.fixed else parts)

    def _constants(self) -> str:
        """The same as one number, or two."""
        return f"{{{self.constant}, {self.number(self.fixed)}}}" if self.constant and self.fixed else self._constant()

    def _bytes(self, share: str) -> list[str]:
        """All statements of a product of bytes."""
        u, v = self.form.factors_of(self.plan)
        low = lowest(self.plan, u)
        known = f"opkg::hvx::reaches_of({low})"
        if reach := totals_of(self.plan, u):
            zero = self.plan.zero(self.plan.elements[u].name) or "0"
            known = f"opkg::hvx::reaches_of({', '.join([*reach, zero, 'n', share])})"
        factors = [self._factor(atoms) or "Numbers(0.0)" for atoms in ((u, v), (v,))]
        terms = [self._single(atom) for atom in self.form.beside(self.plan)]
        most = f"opkg::hvx::most_from({lowest(self.plan, v)})"
        given = ["slots", *factors, low, known, most, self._constant(), f"{{{', '.join(terms)}}}"]
        self.lines.append(f"const opkg::hvx::{PRODUCT}s<{len(terms)}> {self.form.linear}({', '.join(given)});")
        return self.lines

    def _product(self) -> list[str]:
        """Terms of a product of 16 bits."""
        x, y = self.form.product
        numbers = [self._factor(atoms) or "Numbers(0.0)" for atoms in ((x, y), (x,), (y,))]
        center = self.form.center
        middles = [self._middles(atom) for atom in (x, y)]
        self.lines += [
            f"const opkg::hvx::Middles {center}_{w} = {text};" for w, text in zip("xy", middles, strict=True)
        ]
        given = ", ".join([*numbers, self._constant(), f"{center}_x", f"{center}_y"])
        self.lines.append(f"const opkg::hvx::Centers {center}({given});")
        self._only(f"{center}.d")
        return wide_terms(self.form)

    def _words(self, atom: str, terms: list[str]) -> str:
        """The term of an element of 32 bits; `terms`: those in front of it."""
        operand, factor = self.plan.snippet.operand(atom.removesuffix("_q")), self._factor((atom,))
        if zero := self.plan.zero(operand.name):
            self._less(factor, f"static_cast<double>({zero})")
        name, given = words(self.form, operand), f"{{{', '.join(terms)}}}, {self._constant()}"
        self.lines.append(f"const opkg::hvx::SharedWords {name}(slots, {factor}, {given});")
        return f"{{{name}.factor, {name}.lifted, 15}}"

    def _middles(self, atom: str) -> str:
        if not has_halves(self.plan, atom):
            return f"opkg::hvx::middles_of_bytes({middle(self.plan, atom)})"
        if known := about(self.plan, atom):
            zero = stored_zero(self.plan, atom)
            return f"opkg::hvx::middles_of({middle(self.plan, atom)}, {known}, {zero})"
        square = self.plan.totals.get((atom, atom))
        known = f", {square.name}_real" if square and f"{square.name}_real" in self.known else ""
        return f"opkg::hvx::middles_of({middle(self.plan, atom)}{known})"

    def _single(self, atom: str, *times: str) -> str:
        """The term of an atom; `times`: what else it is multiplied with."""
        operand, factor = self.plan.elements[atom], self._factor((atom, *times))
        if isinstance(operand, Table):
            return f"opkg::hvx::entries({factor})"
        if lifted(self.plan, self.form, atom):
            center = f"{self.form.center}_x"
            self.lines.append(f"const opkg::hvx::Middles {center} = {self._middles(atom)};")
            self._plus(f"{factor} * Numbers({center}.left)")
            return f"{{opkg::hvx::lifted({factor}, {center}), {center}.most}}"
        if self.form.wide and operand.storage.bits == 8:
            self._plus(f"{factor} * {self.number(f'static_cast<double>({middle(self.plan, atom)})')}")
            return f"{{{factor} * Numbers(1.0 / 256.0), 32768}}"
        zero = self.plan.zero(operand.name)
        if zero:  # the loop multiplies the stored number
            self._less(factor, f"static_cast<double>({zero})")
        if not self.form.centered:
            return f"{{{factor}, {MOST[operand.storage]}}}"
        center, low = self.form.center, operand.storage.limits[0]
        level = 0 if self.form.output.storage.signed else 128
        self.lines.append(f"const opkg::hvx::{SINGLE}s {center}({factor}, {self._constants()}, {level}, {low});")
        self._only(f"{center}.constant")
        return f"{{{center}.factor, {center}.most, {center}.kLift}}"
