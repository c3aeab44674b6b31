"""The statements of an op's shape rules: what its inputs must be, its attributes, and the shapes of its outputs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from opkg.spec.dtypes import Kind
from opkg.spec.expr import Binary, Call, Item, Member, Rest, Select, ShapeList, Tree, Unary
from opkg.spec.model import Op, ParamSpec, TensorSpec
from opkg.targets.openvino_extension.expressions import CPP, Printer
from opkg.targets.openvino_extension.types import computed, marked, quantized, unset
from opkg.targets.qnn_common.names import local, string
from opkg.targets.qnn_common.validation_params import ends_of, float_literal


def nodes(tree: Tree) -> Iterator[Tree]:
    """The tree and all below it."""
    yield tree
    match tree:
        case Item(a, b) | Binary(_, a, b):
            below: tuple[Tree, ...] = (a, b)
        case Unary(_, a):
            below = (a,)
        case Select(a, b, c):
            below = (a, b, c)
        case Call(_, items) | ShapeList(items):
            below = items
        case _:
            below = ()
    for each in below:
        yield from nodes(each)


_TOLD = re.compile(r'"(?:[^"\\]|\\.)*"')  # messages may name a value without reading it
VALUE = re.compile(r"const (?:opkg::\w+|bool) (\w+) = ")


def without_unused(lines: list[str], value: re.Pattern[str]) -> list[str]:
    """The lines without values that nothing reads, until none is left. `value`: how a line makes one."""
    while True:
        text = _TOLD.sub("", "\n".join(lines))
        kept = []
        for line in lines:
            made = value.match(line)
            if made is None or len(re.findall(rf"(?<![.\w]){made[1]}\b", text)) > 1:
                kept.append(line)
        if kept == lines:
            return lines
        lines = kept


@dataclass(frozen=True)
class RuleLines:
    """The rules of one op in C++: lines of a function that has `rules_`, the params and the scales as members."""

    op: Op
    printer: Printer

    @classmethod
    def of(cls, op: Op) -> RuleLines:
        return cls(op, Printer(op, CPP))

    def lines(self) -> list[str]:
        """The whole body."""
        bodies = [*self._inputs(), *self._params(), *self._constraints(), *self._quantization()]
        outputs = self._outputs()
        text = "\n".join([*bodies, *outputs])
        settled = [f"opkg::settle(settled_.{p.name}, {local(p.name)});" for p in self.op.params if computed(p)]
        results = f"return {{{', '.join(f'{local(t.name)}.partial()' for t in self.op.outputs)}}};"
        heads = [*self._names(), *self._types(text), *self._scales(text)]
        return without_unused([*heads, *bodies, *outputs, *settled, results], VALUE)

    def _names(self) -> list[str]:
        dims = [f"opkg::Dim {local(name)}({string(name)});" for name in self.op.dims]
        return dims + [f"opkg::Run {local(name)}({string(name)});" for name in self.op.rests]

    def _types(self, text: str) -> list[str]:
        found = []
        for place, tensor in enumerate(self.op.inputs):
            if f"{tensor.name}_dtype_" in text:
                given = f"get_input_element_type({place})"
                value = f"rules_.given({place}) ? {given} : ov::element::dynamic" if tensor.optional else given
                found.append(f"const ov::element::Type {tensor.name}_dtype_ = {value};")
        return found

    def _scales(self, text: str) -> list[str]:
        found = []
        for tensor in self.op.tensors:
            if f"{tensor.name}_scale_" in text:
                found.append(f"const opkg::Number {tensor.name}_scale_ = scales_.{tensor.name}.scale;")
            if f"{tensor.name}_offset_" in text:
                found.append(
                    f"const opkg::Number {tensor.name}_offset_ = -opkg::Number(scales_.{tensor.name}.zero_point);"
                )
        return found

    def _inputs(self) -> list[str]:
        inputs = self.op.inputs
        least = max((i + 1 for i, t in enumerate(inputs) if not t.optional), default=0)
        lines = [f"rules_.count({least}, {len(inputs)});"]
        for place, tensor in enumerate(inputs):
            low, high = tensor.ranks.low, tensor.ranks.high
            lines.append(
                f"const opkg::Shape {local(tensor.name)} = rules_.input({string(tensor.name)}, {place}, {low}, {high});"
            )
        for tensor in sorted(inputs, key=lambda t: t.optional):
            tree, name = tensor.shape.tree, local(tensor.name)
            if isinstance(tree, ShapeList) and tree.items == (Rest(),):
                continue
            if isinstance(tree, ShapeList):
                listed = ", ".join(self.printer.item(item) for item in tree.items)
                lines.append(f"rules_.match({string(tensor.name)}, {name}, {{{listed}}});")
            elif not (isinstance(tree, Member) and tree.tensor == tensor.name):
                lines.append(f"rules_.same_shape({string(tensor.name)}, {name}, {self.printer.shape(tree)});")
        return lines

    def _params(self) -> list[str]:
        return [line for param in self.op.params for line in (*self._value(param), *self._checks(param))]

    def _value(self, param: ParamSpec) -> list[str]:
        name, member = local(param.name), f"params_.{param.name}"
        if param.shape is not None:
            given = f"opkg::numbers({member})"
            if computed(param):
                default = self._default(param)
                return [
                    f"const bool has_{param.name}_ = !{member}.empty();",
                    f"const opkg::Numbers {name} = has_{param.name}_ ? {given} : {default};",
                ]
            lines = [f"const opkg::Numbers {name} = {given};"]
            return [*self._length(param), *lines]
        if computed(param):
            return [
                f"const bool has_{param.name}_ = {member} != {unset(param)};",
                f"const opkg::Number {name} = has_{param.name}_ ? opkg::Number({member}) : opkg::Number({self._default(param)});",
            ]
        kind = "opkg::Truth" if param.dtype.kind is Kind.BOOL else "opkg::Number"
        missing = string(f"attribute '{param.name}' is missing")
        asked = [f"rules_.require({member} != {unset(param)}, {missing});"] if marked(param) else []
        return [*asked, f"const {kind} {name} = {member};"]

    def _default(self, param: ParamSpec) -> str:
        tree = param.default.tree  # type: ignore[union-attr]
        if param.shape is None:
            return self.printer.text(tree)
        if isinstance(tree, ShapeList) and not any(isinstance(i, Rest) for i in tree.items):
            return f"opkg::Numbers{{{', '.join(self.printer.text(item) for item in tree.items)}}}"
        return f"{self.printer.text(tree)}.dims"

    def _length(self, param: ParamSpec) -> list[str]:
        """The dimensions of a tensor param, as far as its number of elements tells."""
        assert param.shape is not None
        tree = param.shape.tree
        count = f"opkg::Number(params_.{param.name}.size())"
        if isinstance(tree, ShapeList) and len(tree.items) == 1:
            listed = self.printer.item(tree.items[0])
            return [f"rules_.match({string(param.name)}, opkg::Shape(opkg::Numbers{{{count}}}), {{{listed}}});"]
        message = string(f"param '{param.name}' has a wrong number of elements")
        return [f"rules_.require({count} == opkg::product({self.printer.shape(tree)}), {message});"]

    def _checks(self, param: ParamSpec) -> list[str]:
        value = local(param.name) if param.shape is None else "value_"
        lines = []
        if param.enum:
            test = f"{value} == {param.enum[0][1]}"
            for _, number in param.enum[1:]:
                test = f"opkg::either({test}, {value} == {number})"
            lines.append(f"rules_.require({test}, {string(f'param {param.name!r} is none of its values')});")
        for end, sign in ends_of(param):
            text = string(f"param '{param.name}' must be {sign} {end.text}")
            lines.append(f"rules_.require({value} {sign} {self.printer.bound(param, end.tree)}, {text});")
        if param.axis_of is not None:
            from_end = "true" if param.dtype.signed else "false"
            lines.append(f"rules_.axis({string(param.name)}, {value}, {local(param.axis_of)}, {from_end});")
        if param.shape is None or not lines:
            return lines
        head = f"for (const opkg::Number value_ : {local(param.name)}) {{"
        return [head, *(f"  {line}" for line in lines), "}"]

    def _constraints(self) -> list[str]:
        return [
            f"rules_.require({self.printer.text(c.require.tree)}, {string(c.message)});" for c in self.op.constraints
        ]

    def _quantization(self) -> list[str]:
        return [line for tensor in quantized(self.op) for line in self._scale(tensor)]

    def _scale(self, tensor: TensorSpec) -> list[str]:
        name, rule = tensor.name, tensor.quantization
        found = [f"rules_.require(scales_.{name}.scale > 0.0f, {string(f'the scale of {name!r} must be positive')});"]
        if rule is None:
            return found
        if rule.same_as is not None:
            other = rule.same_as
            same = " && ".join(f"scales_.{name}.{part} == scales_.{other}.{part}" for part in ("scale", "zero_point"))
            found.append(f"rules_.require({same}, {string(f'{name!r} must have the scale of {other!r}')});")
        if rule.scale is not None:
            test = f"scales_.{name}.scale == {float_literal(rule.scale)}"
            found.append(f"rules_.require({test}, {string(f'{name!r} must have scale {rule.scale!r}')});")
        if rule.offset is not None:
            test = f"scales_.{name}.zero_point == {-rule.offset}"
            found.append(f"rules_.require({test}, {string(f'{name!r} must have zero point {-rule.offset}')});")
        return found

    def _outputs(self) -> list[str]:
        return [
            f"const opkg::Shape {local(tensor.name)} = {self.printer.shape(tensor.shape.tree)};"
            for tensor in self.op.outputs
        ]
