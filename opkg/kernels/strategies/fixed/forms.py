"""Computations on real values as sums of terms: what fixed-point code is made from.

A form is a sum of factor * atom plus a constant. Atoms are stored elements (or their part above or below zero) and what
is not linear: products, maxima and minima, absolute values, any functions of a byte. Factors are numbers, or names of C++
doubles that `prepare` computes from params.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite

from opkg.kernels.graphs.graph import COMPARE, Graph, Node
from opkg.kernels.portable.expressions import Names, Writer, scalar_params
from opkg.kernels.strategies.fixed.curve_parts import curve_of, on_side, sum_of
from opkg.kernels.strategies.fixed.infinite import LARGE
from opkg.kernels.strategies.fixed.numbers import Atom, Form, Number, Numbers, Unfit
from opkg.kernels.strategies.fixed.questions import Question, question
from opkg.kernels.strategies.fixed.wholes import WHOLES
from opkg.spec.compute.types import Type

MAX_ATOMS = 24
MAX_TERMS = 8


class Forms:
    """The forms of a graph's nodes."""

    def __init__(
        self,
        graph: Graph,
        bytes_: frozenset[str] = frozenset(),
        positive: frozenset[str] = frozenset(),
        nonzero: frozenset[str] = frozenset(),
    ) -> None:
        self.graph = graph
        self.bytes_ = bytes_  # the inputs of 8 bits
        self.nonzero = nonzero  # the inputs that are not 0 where something is divided by them
        self.scalars = False  # whether functions of opkg/scalar.h are used
        self.numbers = Numbers(positive)
        self.atoms: list[Atom] = []
        self._index: dict[Atom, int] = {}
        self._of: dict[int, Form] = {}
        self._why: dict[int, Unfit] = {}  # of the nodes that have no form
        for index, node in enumerate(graph.nodes):
            if node.type is not Type.BOOL:
                try:
                    self._of[index] = self._limited(self._form_or_table(index, node))
                except Unfit as unfit:
                    self._why[index] = unfit

    def _limited(self, form: Form) -> Form:
        if len(form.terms) > MAX_TERMS or len(self.atoms) > MAX_ATOMS:
            raise Unfit("the expression has too many terms")
        return form

    def __contains__(self, node: int) -> bool:
        return node in self._of

    def __getitem__(self, node: int) -> Form:
        """The form of a number. Raises Unfit."""
        if node in self._why:
            raise self._why[node]
        return self._of[node]

    # Arithmetic of forms ---------------------------------------------------------------------------------------------

    def add(self, a: Form, b: Form) -> Form:
        terms = dict(a.terms)
        for atom, factor in b.terms:
            terms[atom] = self.numbers.add(terms[atom], factor) if atom in terms else factor
        kept = tuple(sorted((atom, factor) for atom, factor in terms.items() if factor != 0.0))
        return Form(kept, self.numbers.add(a.constant, b.constant))

    def scale(self, a: Form, factor: Number) -> Form:
        if factor == 0.0:
            return Form()
        terms = tuple((atom, self.numbers.mul(own, factor)) for atom, own in a.terms)
        return Form(terms, self.numbers.mul(a.constant, factor))

    def sub(self, a: Form, b: Form) -> Form:
        same = {term for term in b.terms if term in a.terms}  # cancels, also where the factor is not known yet
        first, second = (Form(tuple(t for t in form.terms if t not in same), form.constant) for form in (a, b))
        if first.constant == second.constant:
            first, second = Form(first.terms), Form(second.terms)
        return self.add(first, self.scale(second, -1.0))

    def merged(self, form: Form) -> Form:
        """p * max(x, 0) + n * min(x, 0) as p * x + (n - p) * min(x, 0): one part less to compute."""
        inputs = [(self.atoms[i], i, f) for i, f in form.terms if self.atoms[i].kind == "input"]
        parts = {(atom.name, atom.part): (i, f) for atom, i, f in inputs if atom.part}
        for name, part in parts:
            if part != "positive" or (name, "negative") not in parts:
                continue
            (above, p), (below, _) = parts[name, "positive"], parts[name, "negative"]
            form = self.sub(form, Form(((above, p),)))
            form = self.add(form, self.sub(self.scale(self.of_atom(Atom("input", name)), p), Form(((below, p),))))
        return form

    def of_atom(self, atom: Atom) -> Form:
        if atom not in self._index:
            self._index[atom] = len(self.atoms)
            self.atoms.append(atom)
        return Form(((self._index[atom], 1.0),))

    def product(self, a: Form, b: Form) -> Form:
        for one, other in ((a, b), (b, a)):
            if other.uniform:
                return self.scale(one, other.constant)
        factor: Number = 1.0
        args = []
        for form in (a, b):  # a factor of the only term stands in front of the product
            if len(form.terms) == 1 and form.constant == 0.0:
                factor = self.numbers.mul(factor, form.terms[0][1])
                form = Form(((form.terms[0][0], 1.0),))
            args.append(form)
        args.sort(key=lambda form: form.terms[0][0])
        return self.scale(self.of_atom(Atom("product", args=tuple(args))), factor)

    def inputs_of(self, form: Form) -> frozenset[str]:
        """Names of the inputs below a form."""
        found = {atom for atom, _ in form.terms}
        todo = list(found)
        while todo:
            below = {number for arg in self.atoms[todo.pop()].args for number, _ in arg.terms} - found
            found |= below
            todo += below
        return frozenset(name for atom in found for name in self.atoms[atom].names)

    # Nodes -----------------------------------------------------------------------------------------------------------

    def _form_or_table(self, index: int, node: Node) -> Form:
        names = self.graph.operands_of(index)
        scaled = node.op in ("mul", "div") and any(self.graph[arg].uniform for arg in node.args)
        curve = curve_of(self.graph, index) if len(names) == 1 and not (names & self.bytes_ or scaled) else None
        if curve is None and not scaled and (len(names) > 1 or not names & self.bytes_):
            curve = self._of_sum(index)
        if curve is not None:
            return self.of_atom(curve)
        try:
            return self._form(node)
        except Unfit:
            if not names and not isinstance(node.value, float):
                return Form((), self._uniform(index))
            large = any(self.graph[arg].value in (LARGE, -LARGE) for arg in node.args)
            if len(names) != 1 or not names <= self.bytes_ or large:
                raise
            return self.of_atom(Atom("table", next(iter(names)), str(index)))

    def _of_sum(self, index: int) -> Atom | None:
        """A function of a sum. Those of products of bytes are left to floats: scales of a fifth of their calls are too coarse."""
        inner = sum_of(self.graph, index)
        form = self._of.get(inner, Form()) if inner is not None else Form()
        made = [atom for atom, _ in form.terms if self.atoms[atom].kind != "input"]
        taken = bool(form.terms) and not (made and self.inputs_of(form) <= self.bytes_)
        return Atom("curve", part=str(index), args=(form,)) if taken else None

    def _uniform(self, index: int) -> str:
        """The number of a node that depends on params only, as the portable code computes it; a bool is 1 or 0."""
        writer = Writer(self.graph, scalar_params(self.graph), Names(), {})
        writer.write([index])
        if self.graph[index].type is Type.BOOL:
            value = f"{writer.value(index)} ? 1.0 : 0.0"
        else:
            value = writer.value(index, Type.REAL)
        self.scalars = True
        lines = "".join(f"{line} " for line in writer.lines)
        return self.numbers.named(f"[&]() -> double {{ {lines}return {value}; }}()" if lines else f"({value})")

    def _form(self, node: Node) -> Form:
        if node.op == "select":
            return self._select(node)
        asked = question(self.graph, node)
        if asked is not None:
            return self.of_atom(self.quotient(asked))
        made = NODES.get(node.op)
        if made is None:
            raise Unfit(f"'{node.op}' has no fixed-point form")
        return made(self, node, [self._arg(arg) for arg in node.args])

    def _arg(self, index: int) -> Form:
        if self.graph[index].type is Type.BOOL:
            raise Unfit("a bool as a number")
        return self[index]

    def extreme(self, kind: str, a: Form, b: Form) -> Form:
        """max or min. Where both are multiples of one input: of its parts above and below zero, which is exact."""
        if a.uniform and b.uniform:
            return Form((), self.numbers.extreme(kind, a.constant, b.constant))
        common = self._multiples(a, b)
        if common is None:
            args = (b, a) if a.uniform or (b.terms and b.terms[0][0] < a.terms[0][0]) else (a, b)
            return self.of_atom(Atom(kind, args=args))
        name, first, second = common
        other = "min" if kind == "max" else "max"
        above = self.scale(self.of_atom(Atom("input", name, "positive")), self.numbers.extreme(kind, first, second))
        below = self.scale(self.of_atom(Atom("input", name, "negative")), self.numbers.extreme(other, first, second))
        return self.add(above, below)

    def _multiples(self, a: Form, b: Form) -> tuple[str, Number, Number] | None:
        if a.constant != 0.0 or b.constant != 0.0 or len(a.terms) > 1 or len(b.terms) > 1:
            return None
        atoms = {atom for form in (a, b) for atom, _ in form.terms}
        if len(atoms) != 1:
            return None
        atom = self.atoms[atoms.pop()]
        if atom.kind != "input" or atom.part:
            return None
        first, second = (form.terms[0][1] if form.terms else 0.0 for form in (a, b))
        return atom.name, first, second

    def quotient(self, asked: Question) -> Atom:
        """A whole number of two inputs, or what it leaves. Raises Unfit."""
        if asked.second not in self.nonzero:
            raise Unfit(f"a quotient by '{asked.second}', which may be 0, in a larger expression")
        return Atom("quotient", asked=asked)

    def magnitude(self, a: Form) -> Form:
        if a.uniform:
            return Form((), self.numbers.apply("fabs", a.constant))
        if self._multiples(a, Form()) is not None:
            return self.extreme("max", a, self.scale(a, -1.0))
        return self.of_atom(Atom("abs", args=(a,)))

    def _select(self, node: Node) -> Form:
        """Between two forms by the sign of an input, where both have the same value at zero."""
        test = self.graph[node.args[0]]
        if not self.graph.operands_of(node.args[0]):
            chosen = self._uniform(node.args[0])
            then, other = (self._arg(arg) for arg in node.args[1:])
            return self.add(self.scale(self.sub(then, other), chosen), other)
        if test.op not in COMPARE:
            raise Unfit("a choice by something else than a comparison")
        left, right = (self._arg(arg) for arg in test.args)
        difference = self.sub(left, right)
        then, other = self._arg(node.args[1]), self._arg(node.args[2])
        if len(difference.terms) != 1 or difference.constant != 0.0 or test.op in ("eq", "ne"):
            raise Unfit("a choice by something else than the sign of an input")
        (index, factor), atom = difference.terms[0], self.atoms[difference.terms[0][0]]
        if atom.kind != "input" or atom.part or isinstance(factor, str):
            raise Unfit("a choice by something else than the sign of an input")
        if (test.op in ("gt", "ge")) is not (factor > 0):
            then, other = other, then
        above, below = self.restrict(then, index, "positive"), self.restrict(other, index, "negative")
        zero = self.restrict(then, index, "")
        if zero != self.restrict(other, index, ""):
            raise Unfit("a choice between values that differ where the choice changes")
        return self.sub(self.add(above, below), zero)

    def restrict(self, form: Form, index: int, part: str) -> Form:
        """A form with an input replaced by its part above or below zero; by 0 where `part` is empty."""
        total = Form((), form.constant)
        for number, factor in form.terms:
            total = self.add(total, self.scale(self._restricted(number, index, part), factor))
        return total

    def _restricted(self, number: int, index: int, part: str) -> Form:
        atom = self.atoms[number]
        if atom.kind == "input":
            if atom.name != self.atoms[index].name:
                return Form(((number, 1.0),))
            if not part or atom.part not in ("", part):
                return Form()
            return self.of_atom(Atom("input", atom.name, part))
        if atom.kind == "curve" and atom.name == self.atoms[index].name:
            found = on_side(self.graph, atom, part)
            return self.of_atom(found) if isinstance(found, Atom) else Form((), found)
        if atom.kind in ("table", "curve", "whole", "quotient"):
            if self.atoms[index].name in self.inputs_of(Form(((number, 1.0),))):
                raise Unfit("a choice between functions of an input")
            return Form(((number, 1.0),))
        args = [self.restrict(arg, index, part) for arg in atom.args]
        if atom.kind == "product":
            return self.product(args[0], args[1])
        return self.magnitude(args[0]) if atom.kind == "abs" else self.extreme(atom.kind, args[0], args[1])


Maker = Callable[[Forms, Node, list[Form]], Form]


def _input(forms: Forms, node: Node, _: list[Form]) -> Form:
    return forms.of_atom(Atom("input", node.name))


def _param(forms: Forms, node: Node, _: list[Form]) -> Form:
    return Form((), forms.numbers.of_param(node.name))


def _const(_: Forms, node: Node, __: list[Form]) -> Form:
    if isinstance(node.value, bool) or node.value is None or not isfinite(node.value):
        raise Unfit("a constant that is not a finite number")
    return Form((), float(node.value))


def _div(forms: Forms, node: Node, args: list[Form]) -> Form:
    if not args[1].uniform:
        raise Unfit("a division by a tensor")
    if args[1].constant == 0.0:
        raise Unfit("a division by 0")
    return forms.scale(args[0], forms.numbers.inverse(args[1].constant))


def _uniform(function: str) -> Maker:
    def make(forms: Forms, node: Node, args: list[Form]) -> Form:
        if not args[0].uniform:
            raise Unfit(f"'{node.op}' of a tensor has no fixed-point form")
        return Form((), forms.numbers.apply(function, args[0].constant))

    return make


# How each operation of the graph becomes a form; can be extended.
NODES: dict[str, Maker] = {
    "input": _input,
    "param": _param,
    "const": _const,
    "add": lambda forms, _, args: forms.add(args[0], args[1]),
    "sub": lambda forms, _, args: forms.sub(args[0], args[1]),
    "neg": lambda forms, _, args: forms.scale(args[0], -1.0),
    "mul": lambda forms, _, args: forms.product(args[0], args[1]),
    "div": _div,
    "max": lambda forms, _, args: forms.extreme("max", args[0], args[1]),
    "min": lambda forms, _, args: forms.extreme("min", args[0], args[1]),
    "abs": lambda forms, _, args: forms.magnitude(args[0]),
    "sqrt": _uniform("sqrt"),
    "exp": _uniform("exp"),
    "log": _uniform("log"),
    "tanh": _uniform("tanh"),
    **WHOLES,
}
