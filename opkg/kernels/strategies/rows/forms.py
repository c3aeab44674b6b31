"""Full results of a row as linear forms of its elements and tables, one product of two elements among them, or such a form
times one more element (`weighted.py`).

A form's factors are numbers of the row. `opkg::hvx::Linear` (8-bit results) and `opkg::hvx::Wide` (16-bit ones) bring them
to fixed point and say whether the results are within one step of the correctly rounded ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from opkg.kernels.portable.rows import store
from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.elements import MOST, has_halves, has_words, lowest, middle, totals_of
from opkg.kernels.strategies.rows.plan import Cannot, Plan, Table
from opkg.kernels.strategies.rows.poly import Poly
from opkg.kernels.strategies.rows.several_text import in_double, only_calls
from opkg.kernels.strategies.rows.variances import about
from opkg.spec.compute.types import Type

SINGLE, PRODUCT = "Single", "Product"  # in opkg/hvx_linear.h; with an s in opkg/hvx_lines.h


@dataclass(frozen=True, slots=True)
class Form:
    """An output as a linear form. `product`: the two elements that are multiplied; `single`: other atoms by themselves.
    `clamps`: vmax or vmin of the result with the value of a uniform node, in order."""

    output: Operand
    product: tuple[str, ...]
    single: tuple[str, ...]
    factors: dict[tuple[str, ...], Poly]
    clamps: tuple[tuple[str, int], ...] = ()
    centered: bool = False  # one element alone, multiplied as its distance from a number near the middle of the results
    wide: bool = False  # factors have 32 bits: results of 16 bits, and what bytes are made of 16 bits by
    weight: str = ""  # an element that a form of other ones is multiplied with
    weighted: tuple[str, ...] = ()  # these

    @property
    def name(self) -> str:
        return self.output.name

    @property
    def atoms(self) -> tuple[str, ...]:
        """All atoms, as often as loops multiply them."""
        weight = (self.weight,) if self.weight else ()
        return (*self.product, *self.single, *self.weighted, *weight)

    @property
    def linear(self) -> str:
        return f"{self.name}_linear"

    @property
    def center(self) -> str:
        return f"{self.name}_center"

    def factors_of(self, plan: Plan) -> tuple[str, str]:
        """The elements u and v of a product of bytes, (a * u + b) * v: v has a factor of its own, if one of them has."""
        x, y = self.product
        own = [(name,) in self.factors for name in (x, y)]
        if own[0] != own[1]:
            return (y, x) if own[0] else (x, y)
        return (x, y) if (x,) in plan.totals and (y,) not in plan.totals else (y, x)

    def beside(self, plan: Plan) -> tuple[str, ...]:
        """The atoms by themselves beside a product of bytes."""
        u, _ = self.factors_of(plan)
        return (*self.single, u) if (u,) in self.factors else self.single


def form_of(plan: Plan, output: Operand, node: int) -> Form:
    """The linear form of a full output. Raises Cannot."""
    node, clamps = _clamps(plan, node)
    value = plan.polys.get(node)
    if value is None:
        raise Cannot(f"'{output.name}' is {plan.why.get(node, 'no polynomial of elements')}")
    if not output.quantized or output.storage.bits not in (8, 16):
        raise Cannot(f"'{output.name}' is {output.dtype}, not quantized in 8 or 16 bits")
    factors = poly.split(value, plan.is_element)
    products = [key for key in factors if len(key) == 2]
    if any(len(key) > 2 for key in factors):
        raise Cannot(f"'{output.name}' is a product of three elements")
    if len(products) > 1:
        return _weighted(plan, output, factors, clamps)
    product = products[0] if products else ()
    _check_atoms(plan, output, factors, product)
    others = [key[0] for key in factors if len(key) == 1 and key[0] not in product]
    single = tuple(sorted(others, key=lambda atom: (has_words(plan, atom), atom)))
    if not single and not product:
        raise Cannot(f"'{output.name}' is the same for the whole row")
    wide = output.storage.bits == 16 or _of_halves(plan, product, single)
    if product and output.storage.bits == 8 and any(isinstance(plan.elements[name], Table) for name in single):
        raise Cannot(f"'{output.name}' is a product of elements and a table")
    only = plan.elements[single[0]] if len(single) == 1 and not product else None
    alone = isinstance(only, Operand) and only.storage.bits == 8
    return Form(output, product, single, factors, clamps, alone and output.storage.bits == 8, wide)


def _weighted(
    plan: Plan, output: Operand, factors: dict[tuple[str, ...], Poly], clamps: tuple[tuple[str, int], ...]
) -> Form:
    """Several products, all with the same element."""
    products = [key for key in factors if len(key) == 2]
    shared = set(products[0]).intersection(*products[1:])
    if len(shared) != 1:
        raise Cannot(f"'{output.name}' has products of elements that have no factor in common")
    (weight,) = shared
    weighted = tuple(sorted([next(name for name in key if name != weight) for key in products if len(set(key)) == 2]))
    if len(weighted) != len(products) or any((name,) in factors for name in weighted):
        raise Cannot(f"'{output.name}' is a square and other products of elements, or a product and its factors")
    for key in products:
        _check_atoms(plan, output, factors, key)
    others = [key[0] for key in factors if len(key) == 1 and key[0] != weight]
    if any(isinstance(plan.elements[name], Table) for name in others):
        raise Cannot(f"'{output.name}' is products of elements and a table")
    single = tuple(sorted(others, key=lambda atom: (has_words(plan, atom), atom)))
    return Form(output, (), single, factors, clamps, wide=True, weight=weight, weighted=weighted)


def _of_halves(plan: Plan, product: tuple[str, ...], single: tuple[str, ...]) -> bool:
    """Whether bytes are made of products of 16 bits, or of distances from their mean, or of 32 bits."""
    found = any(has_halves(plan, atom) for atom in product) or any(atom in plan.varying for atom in single)
    found |= bool(plan.guarded) and any(has_halves(plan, atom) for atom in single)
    return found or any(has_words(plan, atom) for atom in single)


def _clamps(plan: Plan, node: int) -> tuple[int, tuple[tuple[str, int], ...]]:
    """What a result is a minimum or maximum of: rounding keeps the order, so stored numbers are compared."""
    found: list[tuple[str, int]] = []
    while node not in plan.polys and plan.graph[node].op in ("min", "max"):
        left, right = plan.graph[node].args
        if plan.rank[left] == "uniform":
            left, right = right, left
        if plan.rank[right] != "uniform":
            break
        found.insert(0, (plan.graph[node].op, right))
        node = left
    return node, tuple(found)


def _check_atoms(plan: Plan, output: Operand, factors: dict[tuple[str, ...], Poly], product: tuple[str, ...]) -> None:
    for name in product:
        operand = plan.elements[name]
        if isinstance(operand, Table) or product[0] == product[1]:
            raise Cannot(f"'{output.name}' multiplies what is no input, or one by itself")
        if operand.storage not in MOST:
            raise Cannot(f"'{output.name}' multiplies elements of {operand.storage.bits} bits")
    for name in {name for key in factors for name in key}:
        operand = plan.elements[name]
        if isinstance(operand, Operand) and operand.storage not in MOST and not has_words(plan, name):
            raise Cannot(f"'{output.name}' is of '{operand.name}', which has {operand.storage.bits} bits")


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


def wide_terms(form: Form) -> list[str]:
    """Terms of a product of 16 bits: of its distances from the middles, then of each element's."""
    at = form.center
    return [f"{{{at}.a, {at}.most, 15}}", f"{{{at}.b, {at}_x.most}}", f"{{{at}.c, {at}_y.most}}"]


def weight_of(plan: Plan, form: Form) -> str:
    """Zero and lift of opkg::hvx::Weight."""
    operand = plan.elements[form.weight]
    assert isinstance(operand, Operand)
    zero, low = plan.zero(operand.name) or "0", operand.storage.limits[0]
    zero = f"{zero} + {-low}" if low else zero
    return f"({zero}) * 256, 8" if operand.storage.bits == 8 else f"{zero}, 0"


def lifted(plan: Plan, form: Form, atom: str) -> bool:
    """Whether a 16-bit element is multiplied as its distance from zero or the middle, shifted up (opkg::hvx::Middle): where
    the sum of its squares is known."""
    operand = plan.elements[atom]
    alone = atom in form.product or (not form.product and form.single == (atom,))
    return (
        form.wide
        and alone
        and (atom, atom) in plan.totals
        and isinstance(operand, Operand)
        and operand.storage.bits == 16
    )


def limit_lines(plan: Plan, form: Form) -> list[str]:
    """The stored numbers that a result is clamped with."""
    lines = []
    for number, (op, node) in enumerate(form.clamps):
        given = plan.shared.given.get(node)
        constant = plan.graph[node].value
        value = given or repr(float(constant or 0))
        if given and plan.graph[node].type is not Type.REAL:
            value = f"static_cast<double>({given})"
        lines.append(f"const int32_t {limit(form, number)} = {store(form.output, plan.shared, value)};  // {op}")
    return lines


def words(form: Form, operand: Operand) -> str:
    """Name of how an operand of 32 bits is multiplied (opkg::hvx::Words)."""
    return f"{form.name}_{operand.name}_words"


def per_unit(form: Form) -> str:
    """The member with the steps of a result per unit."""
    return f"{form.name}_per_unit"


def limit(form: Form, number: int) -> str:
    """Name of a stored number that results are clamped with."""
    return f"{form.name}_limit{number}"
