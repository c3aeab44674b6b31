"""The lines of a generated `validate_...` function that read params: values, defaults, shapes, ranges."""

from __future__ import annotations

import math

from opkg.spec.axis_params import counts_from_end
from opkg.spec.dtypes import DTYPES, Kind
from opkg.spec.enums import allowed
from opkg.spec.expr import Expression, Num, ShapeList, Type
from opkg.spec.model import ParamSpec
from opkg.spec.values import stored
from opkg.targets.qnn_common.names import local, string
from opkg.targets.qnn_common.printer import show, show_shape
from opkg.targets.qnn_common.validation_names import Names, param_type


class ParamLines(Names):
    """The params of one op."""

    def _param_declared(self, param: ParamSpec) -> str:
        variable = f"{local(param.name)}_param_"
        mandatory = "false" if param.optional else "true"
        scalar = "true" if param.shape is None else "false"
        find = f"check_.param({string(param.name)}, {param.dtype.qnn}, {mandatory}, {scalar})"
        return f"const opkg::ParamInfo {variable} = {find};"

    def _from_end(self, param: ParamSpec) -> bool:
        """Whether kernels find the dimension that a param numbers from the end alone."""
        return counts_from_end(self.op, param)

    def _bindings(self) -> list[str]:
        """The named dimensions that inputs bind; those that hang on a param follow it."""
        return [
            self._bind(name, places)
            for name, places in self.bindings.items()
            if not any(isinstance(owner, ParamSpec) for owner, _, _ in places)
        ]

    def _param_values(self) -> list[str]:
        """A variable for each param, given or default, and for the dimensions it binds."""
        out: list[str] = []
        for param in self.op.params:
            out += self._default_needs(param)
            out += self._scalar(param) if param.shape is None else self._shaped(param)
            for name, places in self.bindings.items():
                if any(owner is param for owner, _, _ in places):
                    out.append(self._bind(name, places))
        return out

    def _default_needs(self, param: ParamSpec) -> list[str]:
        if not isinstance(param.default, Expression):
            return []
        needs = self._guards(param.default.tree)
        if not needs:
            return []
        text = string(f"the default of param '{param.name}' needs {', '.join(name for name, _ in needs)}")
        return [f"check_.require({local(param.name)}_param_ || ({' && '.join(test for _, test in needs)}), {text});"]

    def _scalar(self, param: ParamSpec) -> list[str]:
        name, kind = local(param.name), param_type(param)
        cpp = {Type.FLOAT: "double", Type.BOOL: "bool"}.get(kind, "int64_t")
        read = f"{name}_param_.number()" if kind is Type.FLOAT else f"{name}_param_.integer()"
        read += " != 0" if kind is Type.BOOL else ""
        if param.default is None:
            return [f"const {cpp} {name} = {read};"]
        if not isinstance(param.default, Expression):
            default = literal(param, param.default)
            return [f"const {cpp} {name} = {name}_param_ ? {read} : {default};"]
        printed = show(param.default.tree, self.frame)
        default = f"static_cast<float>({printed.text})" if kind is Type.FLOAT else printed.at(1)
        return [f"const {cpp} {name} = {name}_param_ ? {read} : {default};", *self._settled(param, default)]

    def _shaped(self, param: ParamSpec) -> list[str]:
        name, default = local(param.name), param.default
        if default is None:
            return [f"const opkg::ParamInfo& {name} = {name}_param_;"]
        if isinstance(default, Expression):
            tree = default.tree
            printed = show(tree, self.frame)
            text = printed.text if printed.type is Type.SHAPE else f"opkg::Shape{{{printed.text}}}"
            declared: list[str] = []
            if isinstance(tree, ShapeList) and len(tree.items) > 8:
                items = ", ".join(f"double({show(item, self.frame).text})" for item in tree.items)
                declared = [f"const double {name}_default_[] = {{{items}}};"]
                text = f"{name}_default_, {len(tree.items)}"
            made = f"const opkg::ParamInfo {name} = {name}_param_.or_default({text});"
            return [*declared, made, *self._settled(param, "".join(declared) + text)]
        values = default if isinstance(default, tuple) else (default,)
        numbers = ", ".join(literal(param, value) for value in values)
        return [
            f"static constexpr double {name}_default_[] = {{{numbers}}};",
            f"const opkg::ParamInfo {name} = {name}_param_.or_default({name}_default_, {len(values)});",
        ]

    def _settled(self, param: ParamSpec, default: str) -> list[str]:
        """A computed default has a value, which fits the param's type."""
        name = local(param.name)
        out = []
        if "check_." in default:
            text = string(f"default of param '{param.name}'")
            mark = f"check_.settle({text});"
            out.append(mark)
        if param.dtype.kind in (Kind.INT, Kind.UINT) and param.dtype.bits <= 32:
            low, high = (wide(limit) for limit in param.dtype.limits)
            out.append(f"check_.expect_limits({string(param.name)}, {name}, {low}, {high});")
        if param.dtype.kind is Kind.FLOAT:
            out.append(f"check_.expect_finite({string(param.name)}, {name});")
        return out

    def _param_checks(self, param: ParamSpec) -> list[str]:
        """Shape, enumeration, range and axis of a param, of every element of a tensor one."""
        name = local(param.name)
        value = name if param.shape is None else "value_"
        lines = []
        if param.enum:
            test = " || ".join(f"{value} == {wide(number)}" for _, number in param.enum)
            lines.append(f"check_.expect_named({string(param.name)}, {value}, {test}, {string(allowed(param))});")
        for end, sign in ends_of(param):
            text = string(f"param '{param.name}' must be {sign} {end.text}")
            lines.append(self._guarded(end.tree, f"check_.require({value} {sign} {self._bound(param, end)}, {text});"))
        if param.axis_of is not None:
            args = f"{string(param.name)}, {value}, {local(param.axis_of)}"
            from_end = "true" if param.dtype.signed else "false"
            hidden = self._from_end(param)
            check = f"expect_axis_from_end({args})" if hidden else f"expect_axis({args}, {from_end})"
            lines.append(f"check_.{check};")
        if param.shape is None:
            return lines
        own = {bound for bound, places in self.bindings.items() if any(owner is param for owner, _, _ in places)}
        wanted = show_shape(param.shape.tree, self.frame)
        check = f"check_.expect_param_shape({string(param.name)}, {name}, {wanted});"
        shape = self._guarded(param.shape.tree, check, own)
        if not lines:
            return [shape]
        kind, read = ("double", "number") if param_type(param) is Type.FLOAT else ("int64_t", "integer")
        fetch = f"  const {kind} value_ = {name}.{read}(i_);"
        head = f"for (int64_t i_ = 0; i_ < {name}.size(); ++i_) {{"
        return [shape, head, fetch, *(f"  {line}" for line in lines), "}"]

    def _bound(self, param: ParamSpec, bound: Expression) -> str:
        """An end of a range, in the precision of the param: 0.1 means the float32 next to it."""
        printed = show(bound.tree, self.frame)
        if param.dtype.kind is not Kind.FLOAT:
            return printed.at(10)
        if isinstance(bound.tree, Num):
            return float_literal(bound.tree.value)
        return f"opkg::to_float({printed.text})"


def literal(param: ParamSpec, value: object) -> str:
    """A literal default as the param stores it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if param.dtype.kind is Kind.FLOAT:
        return float_literal(value)  # type: ignore[arg-type]
    return wide(int(value))  # type: ignore[call-overload]


def float_literal(value: int | float) -> str:
    """A number as C++ writes the float32 next to it."""
    single = stored(float(value), DTYPES["float32"])
    if math.isinf(single):
        return f"{'-' if single < 0 else ''}std::numeric_limits<float>::infinity()"
    return f"{shortest_float(single)}f"


def shortest_float(single: float) -> str:
    """The fewest digits that read back as this float32: 0.1, not 0.10000000149011612."""
    for digits in range(6, 10):
        text = f"{single:.{digits}g}"
        if stored(float(text), DTYPES["float32"]) == single:
            return repr(float(text))
    return repr(single)


def wide(value: int) -> str:
    """An integer literal of 64 bits where it needs them."""
    return f"{value}LL" if abs(value) > 0x7FFFFFFF else str(value)


def ends_of(param: ParamSpec) -> list[tuple[Expression, str]]:
    """The ends of a param's range that are given, with the comparison the value must fulfil."""
    bounds = param.range
    if bounds is None:
        return []
    low = (bounds.low, ">" if bounds.low_open else ">=")
    high = (bounds.high, "<" if bounds.high_open else "<=")
    return [(end, sign) for end, sign in (low, high) if end is not None]
