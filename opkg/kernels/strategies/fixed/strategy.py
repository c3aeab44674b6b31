"""Quantized tensors in fixed point: within 1 step of the correctly rounded result, for every scale that `prepare` accepts.

The graph becomes forms (`fixed_forms`), each output one sum. Results of 8 bits are summed in 16-bit lanes of the output's
step times a power of two and narrowed with rounding and saturation; results of 16 bits are summed in 32-bit lanes.
docs/design/fixed-point.md has the error analysis; templates/qnn/hvx_fixed.h the numbers.
"""

from __future__ import annotations

from opkg.kernels.lowered import Lowered
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.strategies.fixed.atoms import ATOMS, as_factor
from opkg.kernels.strategies.fixed.cache import HEADERS as CACHE_HEADERS
from opkg.kernels.strategies.fixed.cache import kept_lines
from opkg.kernels.strategies.fixed.code import NAMESPACE, Code, Fit, Value
from opkg.kernels.strategies.fixed.forms import Forms
from opkg.kernels.strategies.fixed.numbers import Form, Number, Unfit, text
from opkg.kernels.strategies.fixed.wide import wide
from opkg.spec.compute.types import Type

HEADERS = ("opkg/hvx_fixed.h", "opkg/hvx_fixed_sum.h", "opkg/hvx_fixed_parts.h")
_FREE = frozenset(("load", "store", "Q6_V_lo_W", "Q6_V_hi_W", "Q6_W_vcombine_VV"))


def lower(snippet: Snippet) -> Lowered | str:
    """The kernel in fixed point, or why there is none."""
    why = _refusal(snippet)
    if why:
        return why
    try:
        return _lower(snippet)
    except Unfit as unfit:
        return str(unfit)


def _refusal(snippet: Snippet) -> str:
    graph = snippet.graph
    if graph.reductions:
        return "a reduction"
    read = [snippet.operand(name) for name in graph.inputs]
    for operand in (*read, *snippet.outputs):
        if not operand.quantized or operand.storage.bits not in (8, 16):
            return f"{operand.name} is {operand.dtype.name}, not quantized of 8 or 16 bits"
    if any(o.is_param for o in snippet.inputs):
        return "a tensor param"
    if not read:
        return "no input"
    if any(graph[result.node].type is Type.BOOL for result in graph.results):
        return "a bool result"
    return ""


def _lower(snippet: Snippet) -> Lowered:
    bytes_ = frozenset(o.name for o in snippet.inputs if o.storage.bits == 8)
    forms = Forms(snippet.graph, bytes_)
    code = Code(snippet, forms, ATOMS)
    peeled = [_peel(forms, forms.merged(forms[result.node])) for result in snippet.graph.results]
    code.count_uses([form for form, _ in peeled])
    for result, (form, clamps) in zip(snippet.graph.results, peeled, strict=True):
        operand = snippet.operand(result.name)
        _output(code, operand, form, clamps)
    return Lowered(
        strategy="fixed",
        title="fixed point in 16-bit lanes" if _narrow(snippet) else "fixed point in 32-bit lanes",
        error="within 1 step of the correctly rounded result",
        step=code.step,
        members=tuple(code.members),
        prepare=kept_lines(snippet, code.members, code.prepare),
        setup=tuple(code.setup.insts),
        body=tuple(code.body.insts),
        headers=(*HEADERS, *CACHE_HEADERS, *(("opkg/scalar.h",) if code.tables or forms.scalars else ())),
        arch=65,
        unroll=_unroll(code),
    )


def _unroll(code: Code) -> int:
    """Turns at once: what was fastest for kernels of this size (docs/design/fixed-point.md)."""
    made = {inst.dest for inst in code.body.insts}
    patterns: set[str] = set()
    work = 0
    for inst in code.body.insts:
        if inst.op == "load":
            if inst.args[0] in code.patterns:
                patterns.add(inst.dest)
        elif inst.dest and all(arg in patterns or arg not in made for arg in inst.args):
            patterns.add(inst.dest)
        elif inst.op not in _FREE:
            work += 1
    if work > 14:
        return 2
    several = any(o.may_broadcast for o in code.operands.values())  # a loop for every set of inputs that repeat
    return 4 if work > 8 or several else 8


def _narrow(snippet: Snippet) -> bool:
    return all(o.storage.bits == 8 for o in snippet.outputs)


Clamp = tuple[str, Number]  # "max" or "min", and the bound


def _peel(forms: Forms, form: Form) -> tuple[Form, list[Clamp]]:
    """Bounds by uniform values that the whole result has: they commute with rounding, so the stored result is clamped.

    In the order in which they are applied.
    """
    clamps: list[Clamp] = []
    while len(form.terms) == 1:
        index, factor = form.terms[0]
        atom = forms.atoms[index]
        if atom.kind not in ("max", "min") or not atom.args[1].uniform or isinstance(factor, str):
            break
        bound = forms.numbers.add(forms.numbers.mul(atom.args[1].constant, factor), form.constant)
        kind = atom.kind if factor > 0 else {"max": "min", "min": "max"}[atom.kind]
        clamps.append((kind, bound))
        form = forms.add(forms.scale(atom.args[0], factor), Form((), form.constant))
    return form, clamps[::-1]


def _output(code: Code, operand: Operand, form: Form, clamps: list[Clamp]) -> None:
    if operand.storage.bits == 16:
        stored = wide(code, operand, form)
    else:
        stored = [_narrowed(code, operand, form)]
    for kind, bound in clamps:
        splat = code.splat(_stored_bound(code, operand, kind, bound))
        token = _token(operand)
        stored = [code.body.q6(f"Q6_V{token}_v{kind}_V{token}V{token}", v, splat, to=operand.name) for v in stored]
    for part, vector in enumerate(stored):
        code.body.store(operand.name, vector, part)


def _token(operand: Operand) -> str:
    return ("" if operand.storage.signed else "u") + ("b" if operand.storage.bits == 8 else "h")


def _stored_bound(code: Code, operand: Operand, kind: str, bound: Number) -> str:
    """The member with a bound as a stored number, in every lane."""
    member = code.member(
        "int32_t", f"{operand.name}_{'low' if kind == 'max' else 'high'}", "bound of the stored result"
    )
    spread = "all_bytes" if operand.storage.bits == 8 else "both_halves"
    where = f"op.{operand.name}.scale, op.{operand.name}.zero"
    value = f"{NAMESPACE}::stored_bound<{operand.element}>({text(bound)}, {where})"
    if isinstance(bound, str):
        code.say(f"if (std::isnan({bound})) return false;")
    code.say(f"{member} = {NAMESPACE}::{spread}({value});")
    return member


def _narrowed(code: Code, operand: Operand, form: Form) -> str:
    """The vector of an 8-bit output."""
    name = operand.name
    code.require(operand)
    zero = f"op.{name}.zero * static_cast<double>(op.{name}.scale)"
    tries: list[str] = []
    folded = _folded(code, form)
    if folded is not None:
        index, fit, value, product = folded
        outer = code.fit(form, name, index, product, zero)
        tries.append(f"if (!{fit}) return false;")
        total = code.sum(form, outer.member, index, value)
    else:
        outer = code.fit(form, name, more=zero)
        total = code.sum(form, outer.member)
    shift = _search(code, operand, outer, tries)
    even, odd = (*total.vectors, *total.vectors)[:2]
    stored = "b" if operand.storage.signed else "ub"
    narrow = code.body.q6(f"Q6_V{stored}_vasr_VhVhR_rnd_sat", odd, even, shift, to=name)
    return narrow if code.split else code.body.q6("Q6_Vb_vdeal_Vb", narrow, to=name, note="in the order of memory")


def _search(code: Code, operand: Operand, outer: Fit, tries: list[str]) -> str:
    """`prepare`: as many fraction bits as fit. The name of the member with their number."""
    name = operand.name
    shift = code.member("int32_t", f"{name}_shift", "fraction bits of the sum")
    fits = code.local(f"{name}_fits")
    inside = [*(f"  {line}" for line in tries), f"  return {outer.call('unit', True)};"]
    code.say(f"const auto {fits} = [&](double unit) {{", *inside, "};")
    code.say(f"{shift} = {NAMESPACE}::fraction_bits({fits}, {outer.member}.lanes, op.{name}.scale, 7);")
    code.say(f"if ({shift} < 0) return false;")
    return shift


def _folded(code: Code, form: Form) -> tuple[int, str, Value, str] | None:
    """A product whose second factor is made so that the product is in the unit of the sum: one multiplication less.

    The number of its atom, the text of the fit, its value and its lanes.
    """
    for index, factor in form.terms:
        atom = code.forms.atoms[index]
        if atom.kind != "product" or code.is_byte_product(atom) or code.used(index) != 1:
            continue
        fine, folded = _factors(code, atom.args)
        first = as_factor(code, fine)
        fit = code.fit(code.forms.scale(folded, factor), "factor")
        second = code.sum(folded, fit.member)
        unit = f"unit / (32768.0 * {first.lanes}.unit)"
        vectors = code.each("Q6_Vh_vmpy_VhVh_s1_rnd_sat", first, second, to="product")
        product = f"{NAMESPACE}::product({first.lanes}, {fit.member}.lanes)"
        return index, fit.call(unit), Value(vectors, ""), product
    return None


def _factors(code: Code, args: tuple[Form, ...]) -> tuple[Form, Form]:
    """Which factor is as fine as its lanes allow, and which takes the scale: a pattern along the row is computed once."""

    def rank(form: Form) -> tuple[bool, bool]:
        names = code.forms.inputs_of(form)
        return (names <= code.patterns, code.single(form) is None)

    first, second = args
    return (second, first) if rank(first) > rank(second) else (first, second)
