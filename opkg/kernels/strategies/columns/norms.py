"""Results of all elements that are lines of their columns, made of the sums of these, or of their squares, too: instance norm."""

from __future__ import annotations

from collections.abc import Iterable

from opkg.kernels.lowered import Member
from opkg.kernels.sequence import Columns, Norm
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.columns.found import LANES, Number, all_parts, moments_of, turn
from opkg.kernels.strategies.columns.vectors import (
    HEADERS,
    MOMENTS_HEADERS,
    WIDE_HEADERS,
    ColumnNumbers,
    per_step,
)
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.forms import clamped, stored_limit
from opkg.kernels.strategies.rows.plan import Cannot, Plan, Total
from opkg.kernels.strategies.rows.poly import Poly
from opkg.kernels.strategies.rows.several_numbers import gate_headers, needed
from opkg.kernels.strategies.rows.several_text import polynomial
from opkg.kernels.strategies.rows.strategy import prepared
from opkg.kernels.strategies.rows.variances import about_mean

_MOST_CANCELLED = 24  # bits of steps before the point, of numbers that are within 2^-26 of themselves
_MOST_OF_SIGMOIDS = 17  # the same of sigmoids, which are within 2^-18
_MOST, _MOST_BYTES = 32767, 66051  # elements of a column, of bytes whose sums of squares have no sign
NORM_HEADERS = ("opkg/columns_norm.h",)


def goes_along(snippet: Snippet, each: Iterable[Operand]) -> bool:
    """Whether one of the inputs beside the first has other numbers in each row, not one for each column."""
    return any(other.name in snippet.along for other in each)


def norm_columns(found: Plan) -> Columns:
    """The columns of the first input, in two passes. Raises Cannot."""
    operand, *each = read_inputs(found.snippet)
    output, *others = found.snippet.outputs
    why = "columns of more than one tensor" if each else f"'{output.name}' is not reduced"
    if others or found.rank[found.graph.results[0].node] != "element" or goes_along(found.snippet, each):
        raise Cannot(why)
    if operand.storage.bits > 16 or output.storage.bits != operand.storage.bits or not output.quantized:
        raise Cannot(f"results of {output.dtype} from {operand.dtype}")
    node, clamps = clamped(found, found.graph.results[0].node)
    if found.polys.get(node) is None or found.functions:
        raise Cannot(f"'{output.name}' is no line of each column")
    if any(other.storage not in LANES for other in each) or found.tables or found.products:
        raise Cannot(why)
    extremes = list(found.extremes.values())
    numbers: list[Number] = [*found.totals.values(), *extremes]
    name = next((name for name, element in found.elements.items() if element == operand), "")
    atoms = [number.atoms for number in found.totals.values()]
    if atoms not in (([], [(name,)]) if extremes else ([(name,)], [(name,), (name, name)])):
        raise Cannot(why)
    members, prepare = prepared(found, [], [], [])
    limits = tuple(f"{output.name}_{end}" for end in ("lowest", "highest"))
    if clamps:
        members += [Member("int32_t", member) for member in limits]
        prepare += _limited(found, output, clamps, limits)
    step = found.shared.steps[output.name]
    lines = tuple(_Lines(found, operand, numbers).made(name, node, each))
    moments, squares = moments_of(operand, numbers), len(atoms) > 1
    return Columns(
        strategy="columns",
        title="2 passes down the columns, factors of 32 of them at a time between",
        error="within 1 step of the correctly rounded result",
        step=(4 if moments else 2) * 1024 // operand.storage.bits,
        members=(*members, Member("double", per_step(output))),
        prepare=(*prepare, f"{per_step(output)} = 1.0 / {step}.scale;"),
        stages=(turn(operand, numbers),),
        reduced=frozenset(),
        headers=(
            *HEADERS,
            *(MOMENTS_HEADERS if moments else WIDE_HEADERS if squares else ()),
            *gate_headers(list(lines)),
            *NORM_HEADERS,
        ),
        arch=65,
        parts=tuple(part for parts in all_parts(operand, numbers) for part in parts),
        found=moments,
        norm=Norm(
            tuple(LANES[other.storage] for other in each),
            lines,
            str(_MOST_BYTES if moments and not _squares_alone(found, name) else _MOST),
            limits=limits if clamps else (),
        ),
    )


def _squares_alone(found: Plan, name: str) -> bool:
    """Whether sums of squares are asked for but in variances: they are numbers with a sign then."""
    reductions = [found.graph[at] for at in found.row if found.graph[at].op in ("reduce_sum", "reduce_mean")]
    polys = [found.polys[node.args[0]] or {} for node in reductions]
    return any(any(key.count(name) == 2 for key in value) and about_mean(found, value) is None for value in polys)


def _limited(found: Plan, output: Operand, clamps: tuple[tuple[str, int], ...], limits: tuple[str, ...]) -> list[str]:
    """Statements that set the least and the largest stored number of a result, of which minima and maxima are taken in order."""
    lines = [f"{name} = {end};" for name, end in zip(limits, output.storage.limits, strict=True)]
    for op, node in clamps:
        value = stored_limit(found, output, node)
        lines += [f"{name} = std::{op}<int32_t>({name}, {value});" for name in limits]
    return lines


class _Lines(ColumnNumbers):
    def made(self, name: str, node: int, each: list[Operand]) -> list[str]:
        """The body of `lines`: of each of 32 columns the factor of its elements, and the result at their mean."""
        plan, (output,) = self.plan, self.plan.snippet.outputs
        out = [*self.words(), *self._each(each), *self.numbers()]
        if not plan.totals:
            return self._from_extreme(out, plan.polys[node] or {}, name)
        factor, constant = line_of(plan.polys[node] or {}, name)
        near = self._without_mean(factor, constant, name)
        scale, total = f"Numbers({per_step(output)})", Total((name,)).name
        steps = f"Numbers(static_cast<double>({plan.shared.steps[output.name]}.zero))"
        unsigned = self.wide and not self.operand.storage.signed
        out += [
            self.named("factor", f"{polynomial(factor, self.known)} * {scale}"),
            f"const HVX_Vector middle = (Numbers({total}) * {self.share}).whole(Q6_V_vzero());",
            f"const HVX_Vector center = {'opkg::hvx::plus(middle, 32768)' if unsigned else 'middle'};",
        ]
        away = f"opkg::hvx::plus(center, -static_cast<int32_t>({plan.zero(self.operand.name) or '0'}))"
        held = ""
        if near is None:  # the product and the rest may cancel
            out.append(f"const Numbers of_center = Numbers({away}) * factor;")
            most = _MOST_OF_SIGMOIDS if any("::sigmoid(" in line for line in out) else _MOST_CANCELLED
            held = f"Q6_Q_vcmp_gt_VwVw(Q6_V_vsplat_R({most}), of_center.size())"
        else:
            constant = near
            out.append(f"const Numbers of_center = opkg::hvx::from_mean(middle, {total}, n) * {self.share} * factor;")
        rest = f" + {polynomial(constant, self.known)} * {scale}" if constant else ""
        out.append(f"const Numbers at_center = of_center{rest} + {steps};")
        flat = next((f"{plan.locals[at]}.mantissa" for at in plan.row if self._is_variance(at)), "Q6_V_vsplat_R(1)")
        out, held = self.checked(out, held)
        if held:
            held = held.replace("Q6_Q_and_QQ(, near)", "near")
            out.append(f"if (!opkg::hvx::all_words({held}, live)) return false;")
        return [
            "using opkg::hvx::Numbers;",
            *needed([*out, f"return to.set(center, factor, at_center, {flat}, live);"]),
        ]

    def _each(self, each: list[Operand]) -> list[str]:
        """The numbers that other inputs have for each column."""
        plan, lines = self.plan, []
        for at, other in enumerate(each):
            zero = plan.zero(other.name)
            number = (
                f"Numbers({f'opkg::hvx::plus(each[{at}], -static_cast<int32_t>({zero}))' if zero else f'each[{at}]'})"
            )
            if other.name in plan.given:
                scale = f" * Numbers({plan.shared.steps[other.name]}.scale)" if other.quantized else ""
                lines.append(self.named(plan.locals[plan.given[other.name]], f"{number}{scale}"))
            else:
                lines.append(self.named(next(q for q, of in plan.elements.items() if of == other), number))
        return lines

    def _from_extreme(self, out: list[str], value: Poly, name: str) -> list[str]:
        """The same where elements count from an extreme of their column: from the one that then vanishes from the most terms."""
        plan, (output,) = self.plan, self.plan.snippet.outputs
        moved = []
        for at, extreme in enumerate(plan.extremes.values()):
            by = poly.add(poly.atom(extreme.name), poly.atom("d"))
            if (found := poly.substitute(value, name, by)) is not None:
                moved.append((len(found), at, found))
        if not moved:
            raise Cannot("results that are no lines of the elements")
        _, at, found = min(moved, key=lambda each: each[:2])
        factor, constant = line_of(found, "d")
        scale, zero = f"Numbers({per_step(output)})", f"static_cast<double>({plan.shared.steps[output.name]}.zero)"
        rest = f"{polynomial(constant, self.known)} * {scale} + " if constant else ""
        out += [
            self.named("factor", f"{polynomial(factor, self.known)} * {scale}"),
            f"const Numbers at_center = {rest}Numbers({zero});",
        ]
        out, held = self.checked(out, "Q6_Q_vcmp_gt_VwVw(Q6_V_vsplat_R(20), at_center.size())")
        varies = "Q6_Vw_vsub_VwVw(found[0], found[1])" if len(plan.extremes) == 2 else "Q6_V_vsplat_R(1)"
        end = f"return to.set(found[{at}], factor, at_center, {varies}, live);"
        return [
            "using opkg::hvx::Numbers;",
            *needed([*out, f"if (!opkg::hvx::all_words({held}, live)) return false;", end]),
        ]

    def _is_variance(self, at: int) -> bool:
        node = self.plan.graph[at]
        sums = node.op in ("reduce_sum", "reduce_mean")
        return sums and about_mean(self.plan, self.plan.polys[node.args[0]]) is not None

    def _without_mean(self, factor: Poly, constant: Poly, name: str) -> Poly | None:
        """What remains of a constant where elements count from their mean; None where they do not."""
        plan, left = self.plan, dict(constant)
        for at in plan.row:
            node = plan.graph[at]
            inner = plan.polys[node.args[0]] if node.op == "reduce_mean" else None
            if not inner or [key.count(name) for key in inner] != [1]:
                continue
            ((element, by),) = inner.items()
            scales = [part for part in element if part != name]
            for key, times in factor.items():
                other = list(key)
                if any(part not in other for part in scales):
                    return None
                for part in scales:
                    other.remove(part)
                of_mean = tuple(sorted((*other, plan.locals[at])))
                if left.pop(of_mean, None) != -times / by:
                    return None
            return left
        return None


def line_of(value: Poly, name: str) -> tuple[Poly, Poly]:
    """The factor of an element in a polynomial, and the rest. Raises Cannot."""
    factor: Poly = {}
    rest: Poly = {}
    for key, by in value.items():
        if key.count(name) > 1:
            raise Cannot("results that are no lines of the elements")
        if name in key:
            left = list(key)
            left.remove(name)
            factor = poly.add(factor, {tuple(left): by})
        else:
            rest[key] = by
    if not factor:
        raise Cannot("results that do not depend on the elements themselves")
    return factor, rest
