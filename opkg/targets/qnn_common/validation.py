"""The statements of `validate_<op>`: the spec's checks of an op config, as lines of C++ over op_config.h."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from opkg.spec.dtypes import Kind
from opkg.spec.expr import Expression, Member, Name, Num, Rest, ShapeList, Tree, Type
from opkg.spec.model import Op, ParamSpec, Quantization, TensorSpec
from opkg.targets.qnn_common.names import local, string
from opkg.targets.qnn_common.printer import ValidationFrame, local_first, show
from opkg.targets.qnn_common.walk import names_in

_LinesFor = Callable[[TensorSpec, str], list[str]]
MAX_RANK = 5  # what HTP kernels can take (facts/qhpi.md: flat 4 and flat 5 ran)


@dataclass(frozen=True)
class Validation:
    """The lines of one op's validation function.

    `orders`: the sequences of param names (joined by commas) a positional interface can tell apart, per number of
    inputs given and row of the type table; None when params go by name.
    """

    op: Op
    orders: tuple[tuple[int, int, str], ...] | None

    @cached_property
    def variadic(self) -> tuple[TensorSpec, ...]:
        return tuple(t for t in self.op.tensors if t.variadic)

    @cached_property
    def frame(self) -> ValidationFrame:
        types: dict[str, Type] = dict.fromkeys(self.op.dims, Type.INT)
        types |= dict.fromkeys(self.op.rests, Type.SHAPE)
        shaped = set()
        for param in self.op.params:
            types[param.name] = _param_type(param)
            if param.shape is not None:
                shaped.add(param.name)
        tensors = {t.name: local(t.name) for t in self.op.tensors}
        lists = {t.name: f"{local(t.name)}_count" for t in self.variadic}
        return ValidationFrame(types, tensors, frozenset(shaped), lists)

    def lines(self) -> list[str]:
        """Everything between the braces."""
        out = self._counts() + self._tensors()
        if self.op.params:
            out.append(f"check_.known_params({{{', '.join(string(p.name) for p in self.op.params)}}});")
        for param in self.op.params:
            out += self._param_declared(param)
        out.append("if (check_.failed()) return check_.result();")
        out += self._inputs() + self._param_values() + self._types()
        out += self._outputs() + self._quantizations() + self._constraints()
        out.append("return check_.result();")
        return _without_unused(out)

    # -- presence ------------------------------------------------------------------------------------

    def _counts(self) -> list[str]:
        return [
            "check_.count_{}({}, {});".format(what, *_bounds(tensors))
            for what, tensors in (("inputs", self.op.inputs), ("outputs", self.op.outputs))
        ]

    def _tensors(self) -> list[str]:
        """One TensorInfo a tensor; a variadic one stands for its first, and its count and start are named."""
        out = []
        for side, tensors in (("input", self.op.inputs), ("output", self.op.outputs)):
            seen_list = ""
            for position, tensor in enumerate(tensors):
                name = local(tensor.name)
                at = f"{position}{seen_list}"
                if tensor.variadic:
                    others = len(tensors) - 1
                    count = f"check_.num_{side}s()" + (f" - {others}" if others else "")
                    out.append(f"const uint32_t {name}_count = {count};")
                    out.append(f"const uint32_t {local_first(name)} = {at};")
                    at, seen_list = local_first(name), f" + {name}_count - 1"
                out.append(f"const opkg::TensorInfo {name} = check_.{side}({at});")
                out += self._each(tensor, side, self._rank_check)
        return out

    def _each(self, tensor: TensorSpec, side: str, lines_for: _LinesFor) -> list[str]:
        """The lines for a tensor, in a loop over its items when it is variadic."""
        name = local(tensor.name)
        if not tensor.variadic:
            return lines_for(tensor, name)
        item = f"{name}_item"
        head = f"for (uint32_t i_ = 0; i_ < {name}_count; ++i_) {{"
        fetch = f"  const opkg::TensorInfo {item} = check_.{side}({local_first(name)} + i_);"
        body = lines_for(tensor, item)
        return [head, fetch, *(f"  {line}" for line in body), "}"] if body else []

    def _rank_check(self, tensor: TensorSpec, variable: str) -> list[str]:
        high = min(tensor.ranks.high, MAX_RANK)
        static = "true" if tensor.static else "false"
        return [f"check_.check_tensor({string(tensor.name)}, {variable}, {tensor.ranks.low}, {high}, {static});"]

    def _param_declared(self, param: ParamSpec) -> list[str]:
        name = local(param.name)
        variable = f"{name}_param" if param.shape is None else name
        mandatory = "false" if param.optional else "true"
        scalar = "true" if param.shape is None else "false"
        find = f"check_.param({string(param.name)}, {param.dtype.qnn}, {mandatory}, {scalar})"
        if param.shape is None or param.default is None or isinstance(param.default, Expression):
            return [f"const opkg::ParamInfo {variable} = {find};"]
        values = param.default if isinstance(param.default, tuple) else (param.default,)
        numbers = ", ".join(_literal(value) for value in values)
        return [
            f"static constexpr double {name}_default[] = {{{numbers}}};",
            f"const opkg::ParamInfo {variable} = {find}.or_default({name}_default, {len(values)});",
        ]

    # -- shapes and values ---------------------------------------------------------------------------

    def _inputs(self) -> list[str]:
        """Binds the named dimensions (mandatory tensors first) and checks the rest of each input's shape."""
        bound: set[str] = set()
        out: list[str] = []
        for tensor in sorted(self.op.inputs, key=lambda t: t.optional):
            out += self._bind(tensor, local(tensor.name), bound)
            if tensor.variadic:
                out += self._each(tensor, "input", lambda t, v: self._match(t, v, set(bound), checks_only=True))
        return out

    def _bind(self, tensor: TensorSpec, variable: str, bound: set[str]) -> list[str]:
        return self._match(tensor, variable, bound, checks_only=False)

    def _match(self, tensor: TensorSpec, variable: str, bound: set[str], checks_only: bool) -> list[str]:
        tree = tensor.shape.tree
        if not isinstance(tree, ShapeList):
            if isinstance(tree, Member) and tree.tensor == tensor.name:
                return []
            return [self._expect(tensor, variable, tree)]
        out = []
        items = tree.items
        rest = next((i for i, item in enumerate(items) if isinstance(item, Rest)), None)
        for i, item in enumerate(items):
            at = i if rest is None or i < rest else i - len(items)
            if isinstance(item, Rest):
                out += self._match_rest(item, variable, i, len(items) - 1 - i, bound, tensor)
            elif isinstance(item, Name) and item.id in self.op.dims and item.id not in bound:
                bound.add(item.id)
                out.append(f"const int64_t {local(item.id)} = {variable}.dim({at});")
            elif not (isinstance(item, Name) and item.id == "_"):
                value = show(item, self.frame).text
                out.append(f"check_.expect_dim({string(tensor.name)}, {variable}, {at}, {value});")
        return out

    def _match_rest(
        self, item: Rest, variable: str, first: int, after: int, bound: set[str], tensor: TensorSpec
    ) -> list[str]:
        if item.name is None:
            return []
        part = f"{variable}.shape().part({first}, {after})"
        if item.name in bound:
            same = f"{part} == {local(item.name)}"
            text = string(f"'{tensor.name}' differs in *{item.name}")
            return [f"check_.require(!{variable} || {same}, {text});"]
        bound.add(item.name)
        return [f"const opkg::Shape {local(item.name)} = {part};"]

    def _param_values(self) -> list[str]:
        out = []
        for param in self.op.params:
            name = local(param.name)
            if param.shape is not None:
                shape = show(param.shape.tree, self.frame).text
                condition = f"!{name} || {name}.shape() == {shape}"
                text = string(f"param '{param.name}' has the wrong shape")
                out.append(f"check_.require({condition}, {text});")
            else:
                out.append(self._scalar_value(param, name))
            out += self._allowed(param, name)
        return out

    def _scalar_value(self, param: ParamSpec, name: str) -> str:
        kind = _param_type(param)
        cpp = {Type.FLOAT: "double", Type.BOOL: "bool"}.get(kind, "int64_t")
        read = f"{name}_param.number()" if kind is Type.FLOAT else f"{name}_param.integer()"
        read += " != 0" if kind is Type.BOOL else ""
        if param.default is None:
            return f"const {cpp} {name} = {read};"
        if isinstance(param.default, Expression):
            default = show(param.default.tree, self.frame).at(1)
        else:
            default = _literal(param.default) if not isinstance(param.default, tuple) else "0"
        return f"const {cpp} {name} = {name}_param ? {read} : {default};"

    def _allowed(self, param: ParamSpec, name: str) -> list[str]:
        """Range and enumeration of a param, of every element of a tensor one."""
        conditions = []
        value = name if param.shape is None else "value_"
        if param.enum:
            conditions.append(
                (" || ".join(f"{value} == {number}" for _, number in param.enum), "is none of its values")
            )
        if param.range is not None:
            low, high = param.range.low, param.range.high
            tests = []
            if low is not None:
                tests.append(f"{value} {'>' if param.range.low_open else '>='} {self._bound(param, low)}")
            if high is not None:
                tests.append(f"{value} {'<' if param.range.high_open else '<='} {self._bound(param, high)}")
            conditions.append((" && ".join(tests), f"is outside its range {_range_text(param)}"))
        lines = [
            f"check_.require({test}, {string(f'param {param.name!r} {why}')});" for test, why in conditions if test
        ]
        if param.shape is None or not lines:
            return lines
        kind, read = ("double", "number") if _param_type(param) is Type.FLOAT else ("int64_t", "integer")
        fetch = f"  const {kind} value_ = {name}.{read}(i_);"
        return [f"for (int64_t i_ = 0; i_ < {name}.size(); ++i_) {{", fetch, *(f"  {line}" for line in lines), "}"]

    def _bound(self, param: ParamSpec, bound: Expression) -> str:
        """An end of a range, in the precision of the param: 0.1 means the float32 next to it."""
        printed = show(bound.tree, self.frame)
        if param.dtype.kind is not Kind.FLOAT:
            return printed.at(10)
        if isinstance(bound.tree, Num):
            return f"{float(bound.tree.value)!r}f"
        return f"static_cast<float>({printed.text})"

    # -- element types, outputs, conditions ----------------------------------------------------------

    def _types(self) -> list[str]:
        tensors = self.op.tensors
        rows = ["    {" + ", ".join(t.dtype.of(c).qnn for t in tensors) + "}," for c in self.op.combinations]
        table = [f"static constexpr Qnn_DataType_t types_[][{len(tensors)}] = {{", *rows, "};"]
        pointers = ", ".join(f"&{local(t.name)}" for t in tensors)
        call = f"check_.match_types(types_, {{{pointers}}})"
        out = list(table)
        for tensor in self.variadic:
            side = "input" if tensor in self.op.inputs else "output"
            text = string(f"the tensors of '{tensor.name}' differ in element type")
            out += self._each(
                tensor,
                side,
                lambda t, v, text=text: [f"check_.require({v}.dtype() == {local(t.name)}.dtype(), {text});"],  # type: ignore[misc]
            )
        if not self.orders:
            return [*out, f"{call};"]
        return [*out, *self._order_check(call)]

    def _order_check(self, call: str) -> list[str]:
        assert self.orders is not None
        by_case: dict[tuple[int, int], list[str]] = {}
        for row, inputs, order in self.orders:
            by_case.setdefault((row, inputs), []).append(order)
        distinct = {tuple(v) for v in by_case.values()}
        if len(distinct) == 1:
            orders = ", ".join(string(o) for o in distinct.pop())
            return [f"{call};", f"check_.param_order({{{orders}}});"]
        rows = [f"    {{{row}, {inputs}, {string(order)}}}," for row, inputs, order in self.orders]
        return [
            f"const int row_ = {call};",
            "static constexpr opkg::ParamOrder orders_[] = {",
            *rows,
            "};",
            "check_.param_order(orders_, row_);",
        ]

    def _outputs(self) -> list[str]:
        out = []
        for tensor in self.op.outputs:
            out += self._each(tensor, "output", lambda t, v: self._match_output(t, v))
        return out

    def _match_output(self, tensor: TensorSpec, variable: str) -> list[str]:
        tree = tensor.shape.tree
        if isinstance(tree, ShapeList) and any(isinstance(i, Rest) and i.name is None for i in tree.items):
            return [] if len(tree.items) == 1 else self._match(tensor, variable, set(self.op.dims), checks_only=True)
        return [self._expect(tensor, variable, tree)]

    def _expect(self, tensor: TensorSpec, variable: str, tree: Tree) -> str:
        return f"check_.expect_shape({string(tensor.name)}, {variable}, {show(tree, self.frame).text});"

    def _quantizations(self) -> list[str]:
        out = []
        for tensor in self.op.tensors:
            if tensor.quantization is not None:
                side = "input" if tensor in self.op.inputs else "output"
                rule = tensor.quantization
                out += self._each(tensor, side, lambda t, v, rule=rule: _quantization(t, v, rule))  # type: ignore[misc]
        return out

    def _constraints(self) -> list[str]:
        out = []
        optional = {t.name for t in self.op.inputs if t.optional}
        for constraint in self.op.constraints:
            tree = constraint.require.tree
            condition = show(tree, self.frame)
            asked, used = names_in(tree)
            absent = [local(name) for name in used if name in optional and name not in asked]
            test = condition.text
            if absent:
                test = " || ".join([*(f"!{name}" for name in absent), condition.at(8)])
            out.append(f"check_.require({test}, {string(constraint.message)});")
        return out


_VALUE = re.compile(r"const (?:int64_t|double|bool|opkg::Shape) (\w+) = ")


def _without_unused(lines: list[str]) -> list[str]:
    """Drops values that nothing reads (a named dimension which no rule of the spec uses), until none is left."""
    while True:
        text = "\n".join(lines)
        kept = []
        for line in lines:
            value = _VALUE.match(line)
            if value is None or len(re.findall(rf"\b{value[1]}\b", text)) > 1:
                kept.append(line)
        if len(kept) == len(lines):
            return lines
        lines = kept


def _bounds(tensors: tuple[TensorSpec, ...]) -> tuple[int, int]:
    least = sum(t.variadic[0] if t.variadic else 0 if t.optional else 1 for t in tensors)
    most = sum(t.variadic[1] if t.variadic else 1 for t in tensors)
    return least, most


def _param_type(param: ParamSpec) -> Type:
    kinds = {Kind.FLOAT: Type.FLOAT, Kind.BOOL: Type.BOOL}
    return kinds.get(param.dtype.kind, Type.INT)


def _literal(value: bool | int | float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


def _range_text(param: ParamSpec) -> str:
    bounds = param.range
    assert bounds is not None
    low = "" if bounds.low is None else f"{'>' if bounds.low_open else '>='} {bounds.low.text}"
    high = "" if bounds.high is None else f"{'<' if bounds.high_open else '<='} {bounds.high.text}"
    return " and ".join(part for part in (low, high) if part)


def _quantization(tensor: TensorSpec, variable: str, rule: Quantization) -> list[str]:
    """Conditions on quantization; tensors that are not quantized pass."""
    name = string(tensor.name)
    out = []
    if rule.same_as is not None:
        out.append(f"check_.expect_same_quantization({name}, {variable}, {local(rule.same_as)});")
    if rule.scale is not None:
        out.append(f"check_.expect_scale({name}, {variable}, {rule.scale!r});")
    if rule.offset is not None:
        out.append(f"check_.expect_offset({name}, {variable}, {rule.offset});")
    if rule.symmetric:
        out.append(f"check_.expect_symmetric({name}, {variable});")
    if rule.axis is not None:
        out.append(f"check_.expect_quantized_axis({name}, {variable}, {rule.axis});")
    return out
