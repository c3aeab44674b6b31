"""Forms as vector instructions in 16-bit lanes, and the statements of `prepare` that choose their numbers.

Lanes are in one of two orders. `split`: bytes widen to their even and their odd elements; `linear`: 16-bit elements as they
lie in memory. A value of the first kind always has two vectors, of the second one per 64 elements of the step.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from opkg.kernels.block import Block
from opkg.kernels.lowered import Member
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.strategies.fixed.forms import MAX_TERMS, Forms
from opkg.kernels.strategies.fixed.numbers import Atom, Fit, Form, Number, Value, text

NAMESPACE = "opkg::fixed"


class Code:
    """Instructions and statements of one kernel."""

    def __init__(
        self, snippet: Snippet, forms: Forms, atoms: Mapping[str, Callable[[Code, Atom], Value]], pairs: bool = False
    ) -> None:
        """`atoms`: how each kind of atom becomes lanes. `pairs`: all steps are two vectors of 16-bit lanes."""
        self.snippet, self.forms = snippet, forms
        self._atoms = atoms
        self.setup = Block()
        self.body = Block(self.setup)
        self.prepare: list[str] = []
        self.tables = 0
        self.members: list[Member] = []
        self.operands = {o.name: o for o in snippet.inputs}
        read = [self.operands[name] for name in snippet.graph.inputs]
        wide = [o.name for o in read if not o.may_broadcast]
        self.patterns = frozenset(
            o.name for o in read if o.may_broadcast and wide
        )  # along the row, beside full tensors
        self.split = any(o.storage.bits == 8 for o in read)
        narrow = self.split or any(o.storage.bits == 8 for o in snippet.outputs)
        self.step = 128 if narrow or pairs else 64
        self.parts = self.step // 64
        # What a byte becomes by choices: its part, and predicates with whether it is kept where they hold.
        self.guarded: dict[str, tuple[str, tuple[tuple[str, bool], ...]]] = {}
        self.names = {o.name for o in (*snippet.inputs, *snippet.outputs)} | {p.name for p in snippet.params}
        self._lanes: dict[str, str] = {}
        self._values: dict[int, Value] = {}
        self.words: dict[int, tuple[list[tuple[str, str]], str]] = {}  # atoms in 32 bits, and their `Lanes`
        self._fitted: dict[Form, Value] = {}
        self._uses: dict[int, int] = {}

    def say(self, *lines: str) -> None:
        """Statements of `prepare`, after the numbers that they use."""
        self.prepare += self.forms.numbers.needed(lines)
        self.prepare += lines

    # Names ------------------------------------------------------------------------------------------------------------

    def member(self, type_: str, hint: str, note: str = "") -> str:
        """A member of the struct; its name cannot be that of an operand or of a value."""
        name, number = f"{hint}_", 1
        while name in self.names:
            number += 1
            name = f"{hint}{number}_"
        self.names.add(name)
        self.members.append(Member(type_, name, note))
        return name

    def local(self, hint: str) -> str:
        """A name in `prepare`."""
        name, number = hint, 1
        while name in self.names:
            number += 1
            name = f"{hint}{number}"
        self.names.add(name)
        return name

    def splat(self, value: str) -> str:
        """A vector of a word, made once per row."""
        return self.setup.q6(
            "Q6_V_vsplat_R", value, to="all_" + re.sub(r"\W+", "", value.replace("_.", "_")).strip("_")
        )

    def splat_pair(self, value: str) -> str:
        vector = self.splat(value)
        return self.setup.q6("Q6_W_vcombine_VV", vector, vector, to=f"{vector}_pair")

    # Inputs -----------------------------------------------------------------------------------------------------------

    def stored(self, name: str, part: str = "") -> str:
        """The `Lanes` of an input in `prepare`."""
        if name not in self._lanes:
            self.require(self.operands[name])
            element = self.operands[name].element
            local = self._lanes[name] = self.local(f"{name}_lanes")
            where = f"op.{name}.scale, op.{name}.zero"
            self.say(f"const {NAMESPACE}::Lanes {local} = {NAMESPACE}::stored<{element}>({where});")
        part = self.guarded[part][0] if part in self.guarded else part
        return f"{NAMESPACE}::{part}({self._lanes[name]})" if part else self._lanes[name]

    def require(self, operand: Operand) -> None:
        """`prepare`: refuses a quantization that cannot be computed with."""
        if not operand.quantized:
            return
        where = f"op.{operand.name}.scale, op.{operand.name}.zero"
        line = f"if (!{NAMESPACE}::legal<{operand.element}>({where})) return false;"
        if line not in self.prepare:
            self.say(line)

    def is_byte(self, atom: Atom) -> bool:
        return atom.kind == "input" and self.operands[atom.name].storage.bits == 8

    def byte(self, atom: Atom) -> str:
        """The vector of a byte input, moved to 0..255."""
        operand = self.operands[atom.name]
        if atom.part in self.guarded:
            part, guards = self.guarded[atom.part]
            value, zero = self.byte(Atom("input", operand.name, part)), self.splat(self._zero(operand))
            for predicate, held in guards:
                branches = (value, zero) if held else (zero, value)
                value = self.body.q6("Q6_V_vmux_QVV", predicate, *branches, to=f"{operand.name}_chosen")
            return value
        value = self.body.load(operand.name)
        if operand.storage.signed:
            flip = self.splat("0x80808080")
            value = self.body.q6("Q6_V_vxor_VV", value, flip, to=f"{operand.name}_u")
        if atom.part:
            zero = self.splat(self._zero(operand))
            name = "Q6_Vub_vmax_VubVub" if atom.part == "positive" else "Q6_Vub_vmin_VubVub"
            value = self.body.q6(name, value, zero, to=f"{operand.name}_{atom.part}")
        return value

    def _zero(self, operand: Operand) -> str:
        key = f"{operand.name}.zero"
        if key not in self._lanes:
            member = self._lanes[key] = self.member("int32_t", f"{operand.name}_zero", "in every lane")
            spread = "all_bytes" if operand.storage.bits == 8 else "both_halves"
            of = f"{NAMESPACE}::zero_of({self.stored(operand.name)})"
            self.say(f"{member} = {NAMESPACE}::{spread}({of});")
        return self._lanes[key]

    def half(self, atom: Atom, signed: bool = True) -> tuple[str, ...]:
        """The vectors of a 16-bit input, moved to -32768..32767, or a whole one to 0..65535."""
        operand = self.operands[atom.name]
        loaded = [self.body.load(operand.name, part) for part in range(self.parts)]
        if self.split:
            pair = self.body.q6("Q6_W_vdeal_VVR", loaded[1], loaded[0], "-2", to=f"{operand.name}_split")
            loaded = [self.body.lo(pair), self.body.hi(pair)]
        made = []
        for value in loaded:
            if operand.storage.signed is not signed:
                value = self.body.q6(
                    "Q6_V_vxor_VV", value, self.splat("0x80008000"), to=f"{operand.name}_{'s' if signed else 'u'}"
                )
            if atom.part and signed:
                name = "Q6_Vh_vmax_VhVh" if atom.part == "positive" else "Q6_Vh_vmin_VhVh"
                zero = self.splat(self._zero(operand))
                value = self.body.q6(name, value, zero, to=f"{operand.name}_{atom.part}")
            made.append(value)
        return tuple(made)

    # Values -----------------------------------------------------------------------------------------------------------

    def count_uses(self, forms: Sequence[Form]) -> None:
        """How often each atom is used below these forms."""
        todo = [atom for form in forms for atom, _ in form.terms]
        while todo:
            index = todo.pop()
            self._uses[index] = self._uses.get(index, 0) + 1
            if self._uses[index] == 1:
                todo += [atom for arg in self.forms.atoms[index].args for atom, _ in arg.terms]

    def used(self, index: int) -> int:
        return self._uses.get(index, 0)

    def value(self, index: int) -> Value:
        """An atom that is not a byte, in 16-bit lanes."""
        if index not in self._values:
            atom = self.forms.atoms[index]
            self._values[index] = self._atoms[atom.kind](self, atom)
        return self._values[index]

    def each(self, name: str, *values: Value | str, to: str) -> tuple[str, ...]:
        """An instruction on every vector of values; texts are the same for all."""
        rows = range(len(next(v for v in values if isinstance(v, Value)).vectors))
        return tuple(
            [self.body.q6(name, *[v if isinstance(v, str) else v.vectors[i] for v in values], to=to) for i in rows]
        )

    def single(self, form: Form, kinds: Collection[str] = ("input",)) -> Atom | None:
        """The input that a form is, if it is just one, or the atom of another kind."""
        if len(form.terms) != 1 or form.constant != 0.0 or form.terms[0][1] != 1.0:
            return None
        atom = self.forms.atoms[form.terms[0][0]]
        return atom if atom.kind in kinds else None

    def is_byte_product(self, atom: Atom) -> bool:
        """Of two bytes, neither or both of which are a pattern along the row."""
        if atom.kind != "product":
            return False
        singles = [self.single(arg) for arg in atom.args]
        patterns = [s.name in self.patterns for s in singles if s is not None and self.is_byte(s)]
        return len(patterns) == 2 and patterns[0] is patterns[1]

    def in_order(self, vectors: Sequence[str], to: str) -> list[str]:
        """Both vectors of 16-bit lanes of a step in the order of memory."""
        if not self.split:
            return list(vectors)
        pair = self.body.q6("Q6_W_vshuff_VVR", vectors[1], vectors[0], "-2", to=to)
        return [self.body.lo(pair), self.body.hi(pair)]

    # Sums -------------------------------------------------------------------------------------------------------------

    def fitted(self, form: Form, hint: str) -> Value:
        """A form in the finest unit that its values allow."""
        if len(form.terms) == 1 and form.constant == 0.0 and form.terms[0][1] == 1.0:
            atom = self.forms.atoms[form.terms[0][0]]
            if atom.kind in ("max", "min", "abs", "table") or (
                atom.kind == "product" and not self.is_byte_product(atom)
            ):
                return self.value(form.terms[0][0])
        if form not in self._fitted:
            merged = self.forms.merged(form)
            fit = self.fit(merged, hint)
            self.say(f"if (!{fit.call()}) return false;")
            self._fitted[form] = self.sum(merged, fit.member)
        return self._fitted[form]

    def fit(self, form: Form, hint: str, plain: int = -1, plain_lanes: str = "", more: str = "") -> Fit:
        """The numbers of a sum. `plain`: an atom that is in the unit of the sum; `more`: added to the constant."""
        member = self.member(f"{NAMESPACE}::Sum", hint)
        rows = []
        for index, factor in self.ordered(form):
            atom = self.forms.atoms[index]
            if index == plain:
                rows.append(f"{{{plain_lanes}, 1.0, {NAMESPACE}::Enters::plain}}")
            elif self.is_byte(atom):
                rows.append(f"{{{self.stored(atom.name, atom.part)}, {text(factor)}, {NAMESPACE}::Enters::bytes}}")
            else:
                rows.append(f"{{{self.value(index).lanes}, {text(factor)}, {NAMESPACE}::Enters::halves}}")
        place = self.start_place(form)
        if place:
            self.say(f"{member}.start_place = {place};")
        if self.start_in_bytes(form):
            self.say(f"{member}.start_in_bytes = true;")
        constant = f"{text(form.constant)} + {more}" if more and form.constant != 0.0 else more or text(form.constant)
        return Fit(member, "{" + ", ".join(rows) + "}", constant)

    def ordered(self, form: Form) -> list[tuple[int, Number]]:
        """The terms in the order in which they are added: first what is a pattern along the row and computed once."""
        bytes_ = [index for index, _ in form.terms if self.is_byte(self.forms.atoms[index])]
        pattern = all(self.is_pattern(index) for index in bytes_)

        def rank(term: tuple[int, Number]) -> tuple[bool, bool]:
            byte = term[0] in bytes_
            return not (pattern if byte else self.is_pattern(term[0])), not byte

        return sorted(form.terms, key=rank)

    def is_pattern(self, index: int) -> bool:
        names = self.forms.inputs_of(Form(((index, 1.0),)))
        return names <= self.patterns

    def start_place(self, form: Form) -> int:
        """After how many parts of a sum the start is added: after the patterns; 0: at the end."""
        order = [index for index, _ in self.ordered(form)]
        bytes_ = [index for index in order if self.is_byte(self.forms.atoms[index])]
        parts = [index for index in order if index not in bytes_[1:]]
        patterns = [p for p in parts if all(self.is_pattern(index) for index in (bytes_ if p in bytes_ else [p]))]
        return 0 if len(patterns) == len(parts) else len(patterns)

    def start_in_bytes(self, form: Form) -> bool:
        """Whether the start is multiplied out of a constant byte: where bytes go by pairs and one is left, that is free."""
        bytes_ = [index for index, _ in form.terms if self.is_byte(self.forms.atoms[index])]
        patterns = any(self.is_pattern(index) for index, _ in form.terms)
        return len(bytes_) % 2 == 1 and len(bytes_) < MAX_TERMS and not patterns

    def sum(self, form: Form, member: str, plain: int = -1, plain_value: Value | None = None) -> Value:
        """The instructions of a sum whose numbers are in `member`."""
        order = [index for index, _ in self.ordered(form)]
        bytes_ = [self.forms.atoms[index] for index in order if self.is_byte(self.forms.atoms[index])]
        parts: list[Value] = []
        halves, pending = 0, bytes_
        for index in order:
            if index == plain and plain_value is not None:
                parts.append(plain_value)
            elif not self.is_byte(self.forms.atoms[index]):
                name, number = "Q6_Vh_vmpy_VhRh_s1_rnd_sat", f"{member}.factor[{halves}]"
                parts.append(Value(self.each(name, self.value(index), number, to="scaled"), ""))
                halves += 1
            elif pending:
                parts.append(self._bytes(pending, member, self.start_in_bytes(form)))
                pending = []
        if not self.start_in_bytes(form):
            start = Value((self.splat(f"{member}.start"),) * self.parts, "")
            parts.insert(self.start_place(form) or len(parts), start)
        total = parts[0]
        for part in parts[1:]:
            total = self.added(total, part)
        return Value(total.vectors, f"{member}.lanes")

    def added(self, a: Value, b: Value) -> Value:
        return Value(self.each("Q6_Vh_vadd_VhVh_sat", a, b, to="sum"), "")

    def _bytes(self, atoms: list[Atom], member: str, constant: bool) -> Value:
        """The sum of coefficient * byte, of a constant byte too if asked: coefficients in a high and a low half."""
        high = low = ""
        vectors = [self.byte(atom) for atom in atoms] + ([self.splat("0xffffffff")] if constant else [])
        for number in range(0, len(vectors), 2):
            operands = vectors[number : number + 2]
            words = f"{member}.high[{number // 2}]", f"{member}.low[{number // 2}]"
            kind = "vmpa" if len(operands) == 2 else "vmpy"
            token = "WubRb" if len(operands) == 2 else "VubRb"
            value = self.body.pair(operands[1], operands[0], to="pair") if len(operands) == 2 else operands[0]
            high, low = (
                self.body.q6(f"Q6_Wh_{kind}acc_Wh{token}", total, value, word, to=to)
                if total
                else self.body.q6(f"Q6_Wh_{kind}_{token}", value, word, to=to)
                for total, word, to in ((high, words[0], "high"), (low, words[1], "low"))
            )
        shift = f"{member}.low_shift"
        odd = self.body.q6("Q6_Vh_vasracc_VhVhR", self.body.hi(high), self.body.hi(low), shift, to="odd")
        even = self.body.q6("Q6_Vh_vasracc_VhVhR", self.body.lo(high), self.body.lo(low), shift, to="even")
        return Value((even, odd), "")
