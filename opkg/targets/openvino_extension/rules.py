"""The statements of an op's shape rules: what its inputs must be, its attributes, and the shapes of its outputs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from opkg.spec.dtypes import Kind
from opkg.spec.enums import allowed
from opkg.spec.expr import Expression, Member, Rest, ShapeList
from opkg.spec.model import Op, ParamSpec, TensorSpec
from opkg.targets.openvino_extension.expressions import Language, Printer
from opkg.targets.openvino_extension.types import computed, marked, quantized
from opkg.targets.qnn_common.names import local
from opkg.targets.qnn_common.unused import without_unused
from opkg.targets.qnn_common.validation_params import ends_of

_VALUE = re.compile(r"(?:const (?:[\w:]+) )?(?P<name>\w+) = ")


@dataclass(frozen=True)
class RuleLines:
    """The rules of one op: lines of a function that has `rules_` and the attributes."""

    op: Op
    language: Language

    @property
    def printer(self) -> Printer:
        return Printer(self.op, self.language)

    def lines(self) -> list[str]:
        """The whole body, which ends with the shapes of the outputs."""
        bodies = [*self._inputs(), *self._params(), *self._constraints(), *self._quantization(), *self._outputs()]
        settled = [self.language.settle(p.name, local(p.name)) for p in self.op.params if computed(p)]
        results = self.language.returned([f"{local(t.name)}.partial()" for t in self.op.outputs])
        text = "\n".join(bodies)
        heads = [*self._names(), *self._types(text), *self._scales(text)]
        return without_unused([*heads, *bodies, *settled, results], _VALUE)

    def _names(self) -> list[str]:
        dims = [self.language.bound("Dim", local(name), name) for name in self.op.dims]
        return dims + [self.language.bound("Run", local(name), name) for name in self.op.rests]

    def _types(self, text: str) -> list[str]:
        return [
            self.language.input_type(f"{tensor.name}_dtype_", place, tensor.optional)
            for place, tensor in enumerate(self.op.inputs)
            if f"{tensor.name}_dtype_" in text
        ]

    def _scales(self, text: str) -> list[str]:
        found = []
        for tensor in self.op.tensors:
            number = self.language.number(self.language.scale(tensor.name, "scale"))
            if f"{tensor.name}_scale_" in text:
                found.append(self.language.value("Number", f"{tensor.name}_scale_", number))
            if f"{tensor.name}_offset_" in text:
                zero = self.language.number(self.language.scale(tensor.name, "zero_point"))
                found.append(self.language.value("Number", f"{tensor.name}_offset_", f"-{zero}"))
        return found

    def _rule(self, function: str, *arguments: str) -> str:
        return self.language.statement(f"rules_.{function}({', '.join(arguments)})")

    def _require(self, condition: str, message: str) -> str:
        return self._rule("require", condition, self.language.string(message))

    def _inputs(self) -> list[str]:
        inputs, string = self.op.inputs, self.language.string
        least = max((i + 1 for i, t in enumerate(inputs) if not t.optional), default=0)
        lines = [self._rule("count", str(least), str(len(inputs)))]
        for place, tensor in enumerate(inputs):
            given = f"rules_.input({string(tensor.name)}, {place}, {tensor.ranks.low}, {tensor.ranks.high})"
            lines.append(self.language.value("Shape", local(tensor.name), given))
        for tensor in sorted(inputs, key=lambda t: t.optional):
            tree, name = tensor.shape.tree, local(tensor.name)
            if isinstance(tree, ShapeList) and tree.items == (Rest(),):
                continue
            if isinstance(tree, ShapeList):
                listed = self.language.listed([self.printer.item(item) for item in tree.items])
                lines.append(self._rule("match", string(tensor.name), name, listed))
            elif not (isinstance(tree, Member) and tree.tensor == tensor.name):
                lines.append(self._rule("same_shape", string(tensor.name), name, self.printer.shape(tree)))
        return lines

    def _params(self) -> list[str]:
        return [line for param in self.op.params for line in (*self._value(param), *self._checks(param))]

    def _value(self, param: ParamSpec) -> list[str]:
        name, language = local(param.name), self.language
        member = language.attribute(param.name)
        if param.shape is not None:
            given = language.call("numbers", member)
            if not computed(param):
                return [*self._length(param), language.value("Numbers", name, given)]
            has = language.value("bool", f"has_{param.name}_", language.filled(member))
            chosen = language.choice(f"has_{param.name}_", given, self._default(param))
            return [has, language.value("Numbers", name, chosen)]
        if computed(param):
            has = language.value("bool", f"has_{param.name}_", f"{member} != {language.unset(param)}")
            default = language.number(self._default(param))
            return [
                has,
                language.value("Number", name, language.choice(f"has_{param.name}_", language.number(member), default)),
            ]
        asked = []
        if marked(param):
            asked = [self._require(f"{member} != {language.unset(param)}", f"attribute '{param.name}' is missing")]
        kind = "Truth" if param.dtype.kind is Kind.BOOL else "Number"
        return [*asked, language.value(kind, name, language.call(kind, member))]

    def _default(self, param: ParamSpec) -> str:
        assert isinstance(param.default, Expression)
        tree = param.default.tree
        if param.shape is None:
            return self.printer.text(tree)
        return f"{self.printer.text(tree)}.dims"

    def _length(self, param: ParamSpec) -> list[str]:
        """The dimensions of a tensor param, as far as its number of elements tells."""
        assert param.shape is not None
        tree, language = param.shape.tree, self.language
        count = language.number(language.length(language.attribute(param.name)))
        if isinstance(tree, ShapeList) and len(tree.items) == 1:
            listed = language.listed([self.printer.item(tree.items[0])])
            return [self._rule("match", language.string(param.name), language.shape([count]), listed)]
        wanted = language.call("product", self.printer.shape(tree))
        return [self._require(f"{count} == {wanted}", f"param '{param.name}' has a wrong number of elements")]

    def _checks(self, param: ParamSpec) -> list[str]:
        value = local(param.name) if param.shape is None else "value_"
        language, lines = self.language, []
        if param.enum:
            test = f"{value} == {param.enum[0][1]}"
            for _, number in param.enum[1:]:
                test = language.call("either", test, f"{value} == {number}")
            lines.append(self._require(test, f"param '{param.name}' is none of {allowed(param)}"))
        for end, sign in ends_of(param):
            condition = f"{value} {sign} {self.printer.bound(param, end.tree)}"
            lines.append(self._require(condition, f"param '{param.name}' must be {sign} {end.text}"))
        if param.axis_of is not None:
            from_end = language.truths[0 if param.dtype.signed else 1]
            lines.append(self._rule("axis", language.string(param.name), value, local(param.axis_of), from_end))
        if param.shape is None or not lines:
            return lines
        return language.loop(value, local(param.name), lines)

    def _constraints(self) -> list[str]:
        return [self._require(self.printer.text(c.require.tree), c.message) for c in self.op.constraints]

    def _quantization(self) -> list[str]:
        return [line for tensor in quantized(self.op) for line in self._scale(tensor)]

    def _scale(self, tensor: TensorSpec) -> list[str]:
        name, rule, of = tensor.name, tensor.quantization, self.language.scale
        found = [self._require(f"{of(name, 'scale')} > 0", f"the scale of '{name}' must be positive")]
        if rule is None:
            return found
        if rule.same_as is not None:
            for part in ("scale", "zero_point"):
                same = f"{of(name, part)} == {of(rule.same_as, part)}"
                found.append(self._require(same, f"'{name}' must have the {part} of '{rule.same_as}'"))
        if rule.scale is not None:
            test = f"{of(name, 'scale')} == {self.language.float(rule.scale)}"
            found.append(self._require(test, f"'{name}' must have scale {rule.scale!r}"))
        if rule.offset is not None:
            test = f"{of(name, 'zero_point')} == {-rule.offset}"
            found.append(self._require(test, f"'{name}' must have zero point {-rule.offset}"))
        return found

    def _outputs(self) -> list[str]:
        return [self.language.value("Shape", local(t.name), self.printer.shape(t.shape.tree)) for t in self.op.outputs]
