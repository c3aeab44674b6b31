"""Full results of a row as linear forms of its elements and tables, one product of two elements among them, or such a form
times one more element (`weighted.py`).

A form's factors are numbers of the row. `opkg::hvx::Linear` (8-bit results) and `opkg::hvx::Wide` (16-bit ones) bring them
to fixed point and say whether the results are within one step of the correctly rounded ones.
"""

from __future__ import annotations

from dataclasses import dataclass

from opkg.kernels.portable.rows import store
from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.elements import MOST, has_halves, has_words
from opkg.kernels.strategies.rows.plan import Cannot, Plan, Table
from opkg.kernels.strategies.rows.poly import Poly
from opkg.spec.compute.types import Type

SINGLE, PRODUCT = "Single", "Product"  # in opkg/hvx_linear.h; with an s in opkg/hvx_middles.h, hvx_products.h


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
    node, clamps = clamped(plan, node)
    value = plan.polys.get(node)
    if value is None:
        raise Cannot(f"'{output.name}' is {plan.why.get(node, 'no polynomial of elements')}")
    if not output.quantized or output.storage.bits not in (8, 16):
        raise Cannot(f"'{output.name}' is {output.dtype}, not quantized in 8 or 16 bits")
    if any(name in plan.functions for name in poly.names(value)):
        raise Cannot(f"'{output.name}' is a function of 16-bit elements and of their row")
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


def clamped(plan: Plan, node: int) -> tuple[int, tuple[tuple[str, int], ...]]:
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
        lines.append(f"const int32_t {limit(form, number)} = {stored_limit(plan, form.output, node)};  // {op}")
    return lines


def stored_limit(plan: Plan, output: Operand, node: int) -> str:
    """C++ of the stored number of what a result is clamped with."""
    given = plan.shared.given.get(node)
    value = given or repr(float(plan.graph[node].value or 0))
    if given and plan.graph[node].type is not Type.REAL:
        value = f"static_cast<double>({given})"
    return store(output, plan.shared, value)


def words(form: Form, operand: Operand) -> str:
    """Name of how an operand of 32 bits is multiplied (opkg::hvx::Words)."""
    return f"{form.name}_{operand.name}_words"


def per_unit(form: Form) -> str:
    """The member with the steps of a result per unit."""
    return f"{form.name}_per_unit"


def limit(form: Form, number: int) -> str:
    """Name of a stored number that results are clamped with."""
    return f"{form.name}_limit{number}"
