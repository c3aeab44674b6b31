"""The statements of `validate_<op>`: the spec's checks of an op config, as lines of C++ over op_config.h."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property

from opkg.spec.dtypes import DTYPES, Kind
from opkg.spec.expr import Expression, Member, Name, Num, Rest, ShapeList, Tree, Type
from opkg.spec.model import Op, ParamSpec, Quantization, TensorSpec
from opkg.spec.requirements import requirements
from opkg.spec.values import stored
from opkg.targets.qnn_common.names import local, string
from opkg.targets.qnn_common.printer import ValidationFrame, first_of, show, show_shape

_Owner = TensorSpec | ParamSpec
_Bindings = dict[str, list[tuple[_Owner, int, int]]]
_LinesFor = Callable[[TensorSpec, str], list[str]]
MAX_RANK = 5  # what HTP kernels can take (facts/qhpi.md: flat 4 and flat 5 ran)


@dataclass(frozen=True)
class Validation:
    """The lines of one op's validation function; it accepts what `opkg.spec.infer.check_call` accepts.

    `orders`: the sequences of param names (joined by commas) a positional interface can tell apart, per number of
    inputs given and row of the type table; None when params go by name. `positional`: absent inputs at the end of the
    list are left out, not null. `highest`: the rank up to which the interface takes tensors.
    """

    op: Op
    orders: tuple[tuple[int, int, str], ...] | None
    highest: int = MAX_RANK
    positional: bool = False

    @cached_property
    def variadic(self) -> tuple[TensorSpec, ...]:
        return tuple(t for t in self.op.tensors if t.variadic)

    @cached_property
    def frame(self) -> ValidationFrame:
        values: dict[str, Type] = dict.fromkeys(self.op.dims, Type.INT)
        values |= dict.fromkeys(self.op.rests, Type.SHAPE)
        values |= {p.name: _param_type(p) for p in self.op.params if p.shape is None}
        shaped = {p.name: _param_type(p) for p in self.op.params if p.shape is not None}
        tensors = {t.name: local(t.name) for t in self.op.tensors}
        lists = {t.name: _count_of(t) for t in self.variadic}
        type_vars: dict[str, str] = {}
        for tensor in sorted(self.op.tensors, key=lambda t: t.optional):
            if tensor.dtype.var and tensor.dtype.var not in tensors:
                type_vars.setdefault(tensor.dtype.var, local(tensor.name))
        return ValidationFrame(values, tensors, shaped, lists, type_vars)

    @cached_property
    def bindings(self) -> _Bindings:
        """Per named dimension or run: where it can be read, (tensor, first, after), up to the first sure place."""
        found: _Bindings = {name: [] for name in (*self.op.dims, *self.op.rests)}
        closed: set[str] = set()
        for owner in sorted(self.op.inputs, key=lambda t: t.optional) + list(self.op.params):
            for name, first, after in _places(owner):
                if name in found and name not in closed and not any(o is owner for o, _, _ in found[name]):
                    found[name].append((owner, first, after))
                    if isinstance(owner, ParamSpec) or not owner.optional:
                        closed.add(name)
        return found

    @cached_property
    def unsure(self) -> frozenset[str]:
        """Names that a call may leave unbound."""
        places = [(name, owner) for name, found in self.bindings.items() for owner, _, _ in found]
        return frozenset(self.bindings) - {n for n, o in places if isinstance(o, TensorSpec) and not o.optional}

    def lines(self) -> list[str]:
        """Everything between the braces."""
        out = self._counts() + self._tensors()
        if self.op.params:
            out.append(f"check_.known_params({{{', '.join(string(p.name) for p in self.op.params)}}});")
        out += [self._param_declared(param) for param in self.op.params]
        out.append("if (check_.failed()) return check_.result();")
        out += self._bindings() + self._param_values()
        for param in self.op.params:
            out += self._param_checks(param)
        for tensor in self.op.inputs:
            out += self._each(tensor, "input", self._match_input)
        out += self._types()
        out += self._outputs() + self._constraints() + self._quantizations()
        out.append("return check_.result();")
        return _without_unused(out)

    # -- presence ------------------------------------------------------------------------------------

    def _counts(self) -> list[str]:
        out = [
            "check_.count_{}({}, {});".format(what, *_bounds(tensors))
            for what, tensors in (("inputs", self.op.inputs), ("outputs", self.op.outputs))
        ]
        if self.positional and any(t.optional for t in self.op.inputs):
            out.append("check_.no_null_at_end();")
        return out

    def _tensors(self) -> list[str]:
        """One TensorInfo a tensor; a variadic one stands for its first, and its count and start are named."""
        out = []
        for side, tensors in (("input", self.op.inputs), ("output", self.op.outputs)):
            seen_list = ""
            for position, tensor in enumerate(tensors):
                at = f"{position}{seen_list}"
                if tensor.variadic:
                    out.append(f"const uint32_t {_count_of(tensor)} = check_.more_{side}s({len(tensors) - 1});")
                    out.append(f"const uint32_t {first_of(tensor.name)} = {at};")
                    at, seen_list = first_of(tensor.name), f" + {_count_of(tensor)} - 1"
                out.append(f"const opkg::TensorInfo {local(tensor.name)} = check_.{side}({at});")
                out += self._each(tensor, side, self._rank_check)
        return out

    def _each(self, tensor: TensorSpec, side: str, lines_for: _LinesFor) -> list[str]:
        """The lines for a tensor, in a loop over its items when it is variadic."""
        if not tensor.variadic:
            return lines_for(tensor, local(tensor.name))
        item = f"{local(tensor.name)}_item_"
        head = f"for (uint32_t i_ = 0; i_ < {_count_of(tensor)}; ++i_) {{"
        fetch = f"  const opkg::TensorInfo {item} = check_.{side}({first_of(tensor.name)} + i_);"
        body = lines_for(tensor, item)
        return [head, fetch, *(f"  {line}" for line in body), "}"] if body else []

    def _rank_check(self, tensor: TensorSpec, variable: str) -> list[str]:
        low, high = tensor.ranks.low, min(tensor.ranks.high, self.highest)
        if isinstance(tensor.shape.tree, ShapeList):
            low = max(low, sum(not isinstance(item, Rest) for item in tensor.shape.tree.items))
        check = "check_optional" if tensor.optional else "check_tensor"
        out = [f"check_.{check}({string(tensor.name)}, {variable}, {low}, {high});"]
        if tensor.static:
            out.append(f"check_.expect_static({string(tensor.name)}, {variable});")
        return out

    def _param_declared(self, param: ParamSpec) -> str:
        variable = f"{local(param.name)}_param_"
        mandatory = "false" if param.optional else "true"
        scalar = "true" if param.shape is None else "false"
        find = f"check_.param({string(param.name)}, {param.dtype.qnn}, {mandatory}, {scalar})"
        return f"const opkg::ParamInfo {variable} = {find};"

    # -- values --------------------------------------------------------------------------------------

    def _bindings(self) -> list[str]:
        """The named dimensions that inputs bind; those that hang on a param follow it."""
        return [
            self._bind(name, places)
            for name, places in self.bindings.items()
            if not any(isinstance(owner, ParamSpec) for owner, _, _ in places)
        ]

    def _bind(self, name: str, places: list[tuple[_Owner, int, int]]) -> str:
        run = name in self.op.rests
        text = "opkg::Shape::unbound()" if run else "-1"
        for owner, first, after in reversed(places):
            variable = local(owner.name)
            if isinstance(owner, ParamSpec):
                text = f"check_.open_dim({variable}, {self._others(owner, name)})"
                continue
            value = f"{variable}.shape().part({first}, {after})" if run else f"{variable}.dim({first})"
            text = f"{variable} ? {value} : {text}" if owner.optional else value
        return f"const {'opkg::Shape' if run else 'int64_t'} {local(name)} = {text};"

    def _others(self, param: ParamSpec, name: str) -> str:
        assert param.shape is not None
        assert isinstance(param.shape.tree, ShapeList)
        items = tuple(item for item in param.shape.tree.items if item != Name(name))
        return show(ShapeList(items), self.frame).text

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
        name, kind = local(param.name), _param_type(param)
        cpp = {Type.FLOAT: "double", Type.BOOL: "bool"}.get(kind, "int64_t")
        read = f"{name}_param_.number()" if kind is Type.FLOAT else f"{name}_param_.integer()"
        read += " != 0" if kind is Type.BOOL else ""
        if param.default is None:
            return [f"const {cpp} {name} = {read};"]
        if not isinstance(param.default, Expression):
            default = _literal(param, param.default)
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
        numbers = ", ".join(_literal(param, value) for value in values)
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
            low, high = (_wide(limit) for limit in param.dtype.limits)
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
            test = " || ".join(f"{value} == {_wide(number)}" for _, number in param.enum)
            lines.append(f"check_.require({test}, {string(f'param {param.name!r} is none of its values')});")
        for end, sign in _ends(param):
            text = string(f"param '{param.name}' must be {sign} {end.text}")
            lines.append(self._guarded(end.tree, f"check_.require({value} {sign} {self._bound(param, end)}, {text});"))
        if param.axis_of is not None:
            from_end = "true" if param.dtype.signed else "false"
            lines.append(f"check_.expect_axis({string(param.name)}, {value}, {local(param.axis_of)}, {from_end});")
        if param.shape is None:
            return lines
        own = {bound for bound, places in self.bindings.items() if any(owner is param for owner, _, _ in places)}
        wanted = show_shape(param.shape.tree, self.frame)
        check = f"check_.expect_param_shape({string(param.name)}, {name}, {wanted});"
        shape = self._guarded(param.shape.tree, check, own)
        if not lines:
            return [shape]
        kind, read = ("double", "number") if _param_type(param) is Type.FLOAT else ("int64_t", "integer")
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

    # -- shapes of inputs ----------------------------------------------------------------------------

    def _guards(self, tree: Tree) -> list[tuple[str, str]]:
        """(name, test) of all that an expression cannot do without and that a call may lack."""
        optional = {t.name for t in self.op.inputs if t.optional}
        out = []
        for name in requirements(tree):
            if name in optional:
                out.append((name, f"bool({local(name)})"))
            elif name in self.unsure:
                out.append((name, f"{local(name)}.valid" if name in self.op.rests else f"{local(name)} >= 0"))
        return out

    def _guarded(self, tree: Tree, statement: str, known: Collection[str] = ()) -> str:
        tests = [test for name, test in self._guards(tree) if name not in known]
        return f"if ({' && '.join(tests)}) {statement}" if tests else statement

    def _match_input(self, tensor: TensorSpec, variable: str) -> list[str]:
        """Every dimension that has a rule, except where it is the place that binds its name."""
        tree = tensor.shape.tree
        if not isinstance(tree, ShapeList):
            if isinstance(tree, Member) and tree.tensor == tensor.name:
                return []
            return [self._expect("expect_shape", tensor, variable, tree)]
        out: list[str] = []
        for item, first, after in _items(tree):
            if isinstance(item, Rest):
                out += self._match_rest(item, variable, first, after, tensor)
            elif not (isinstance(item, Name) and self._binds(item.id, tensor, first)):
                out.append(self._expect("expect_dim", tensor, variable, item, first))
        return out

    def _binds(self, name: str, tensor: TensorSpec, first: int) -> bool:
        """Whether this is the place the name is read from, in every call."""
        places = self.bindings.get(name, [])
        return bool(places) and places[0][0] is tensor and places[0][1] == first and not tensor.variadic

    def _match_rest(self, item: Rest, variable: str, first: int, after: int, tensor: TensorSpec) -> list[str]:
        if item.name is None or self._binds(item.name, tensor, first):
            return []
        same = f"{variable}.shape().part({first}, {after}) == {local(item.name)}"
        text = string(f"'{tensor.name}' differs in *{item.name}")
        return [self._guarded(item, f"check_.require(!{variable} || {same}, {text});")]

    def _expect(self, check: str, tensor: TensorSpec, variable: str, tree: Tree, at: int | None = None) -> str:
        value = show(tree, self.frame).text if at is not None else show_shape(tree, self.frame)
        place = "" if at is None else f"{at}, "
        return self._guarded(tree, f"check_.{check}({string(tensor.name)}, {variable}, {place}{value});")

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
            out += self._each(tensor, "output", self._match_output)
        return out

    def _match_output(self, tensor: TensorSpec, variable: str) -> list[str]:
        tree = tensor.shape.tree
        if not (isinstance(tree, ShapeList) and any(isinstance(i, Rest) and i.name is None for i in tree.items)):
            return [self._expect("expect_output", tensor, variable, tree)]
        return [
            self._expect("expect_output_dim", tensor, variable, item, first)
            for item, first, _ in _items(tree)
            if not isinstance(item, Rest)
        ]

    def _quantizations(self) -> list[str]:
        out = []
        for tensor in self.op.tensors:
            if any(tensor.dtype.of(c).quantized for c in self.op.combinations):
                side = "input" if tensor in self.op.inputs else "output"
                is_input = "true" if side == "input" else "false"
                out += self._each(tensor, side, lambda t, v, given=is_input: _quantization(t, v, given))  # type: ignore[misc]
        return out

    def _constraints(self) -> list[str]:
        out = []
        for constraint in self.op.constraints:
            tree = constraint.require.tree
            statement = f"check_.require({show(tree, self.frame).text}, {string(constraint.message)});"
            out.append(self._guarded(tree, statement))
        return out


def _items(tree: ShapeList) -> list[tuple[Tree, int, int]]:
    """Each item with its index (from the end behind a run); a run with how many items stand before and after it."""
    rest = next((i for i, item in enumerate(tree.items) if isinstance(item, Rest)), None)
    total = len(tree.items)
    return [
        (item, i if rest is None or i <= rest else i - total, total - 1 - i) for i, item in enumerate(tree.items)
    ]


def _places(owner: _Owner) -> list[tuple[str, int, int]]:
    """The names in a shape list, with their places."""
    tree = owner.shape.tree if owner.shape is not None else None
    if not isinstance(tree, ShapeList):
        return []
    out = []
    for item, first, after in _items(tree):
        name = item.id if isinstance(item, Name) else item.name if isinstance(item, Rest) else None
        if name is not None:
            out.append((name, first, after))
    return out


def _count_of(tensor: TensorSpec) -> str:
    """The variable with the number of tensors of a variadic input or output."""
    return f"{local(tensor.name)}_count_"


_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_VALUE = re.compile(r"const (int64_t|double|bool|opkg::Shape|opkg::ParamInfo) (\w+) = ")


def _without_unused(lines: list[str]) -> list[str]:
    """Drops values that nothing reads (a named dimension which no rule of the spec uses), until none is left.

    Of a param that nothing reads, the call that looks it up stays: it checks presence and type.
    """
    while True:
        text = _STRING.sub('""', "\n".join(lines))  # a message may name the value
        kept = []
        for line in lines:
            value = _VALUE.match(line)
            if value is None or len(re.findall(rf"\b{value[2]}\b", text)) > 1:
                kept.append(line)
            elif value[1] == "opkg::ParamInfo":
                kept.append(line[value.end() :])
        if kept == lines:
            return lines
        lines = kept


def _bounds(tensors: tuple[TensorSpec, ...]) -> tuple[int, int]:
    least = sum(0 if t.optional else t.variadic[0] if t.variadic else 1 for t in tensors)
    most = sum(t.variadic[1] if t.variadic else 1 for t in tensors)
    return least, most


def _param_type(param: ParamSpec) -> Type:
    kinds = {Kind.FLOAT: Type.FLOAT, Kind.BOOL: Type.BOOL}
    return kinds.get(param.dtype.kind, Type.INT)


def _literal(param: ParamSpec, value: object) -> str:
    """A literal default as the param stores it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if param.dtype.kind is Kind.FLOAT:
        return float_literal(value)  # type: ignore[arg-type]
    return _wide(int(value))  # type: ignore[call-overload]


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


def _wide(value: int) -> str:
    """An integer literal of 64 bits where it needs them."""
    return f"{value}LL" if abs(value) > 0x7FFFFFFF else str(value)


def _ends(param: ParamSpec) -> list[tuple[Expression, str]]:
    """The ends of a param's range that are given, with the comparison the value must fulfil."""
    bounds = param.range
    if bounds is None:
        return []
    low = (bounds.low, ">" if bounds.low_open else ">=")
    high = (bounds.high, "<" if bounds.high_open else "<=")
    return [(end, sign) for end, sign in (low, high) if end is not None]


def _quantization(tensor: TensorSpec, variable: str, is_input: str) -> list[str]:
    """Conditions on quantization; tensors that are not quantized pass."""
    name, rule = string(tensor.name), tensor.quantization or Quantization()
    if rule.axis is not None:
        symmetric = "true" if rule.symmetric else "false"
        return [f"check_.expect_per_axis({name}, {variable}, {rule.axis}, {is_input}, {symmetric});"]
    out = [f"check_.expect_per_tensor({name}, {variable}, {is_input});"]
    if rule.same_as is not None:
        out.append(f"check_.expect_same_quantization({name}, {variable}, {local(rule.same_as)});")
    if rule.scale is not None:
        out.append(f"check_.expect_scale({name}, {variable}, {rule.scale!r});")
    if rule.offset is not None:
        out.append(f"check_.expect_offset({name}, {variable}, {rule.offset});")
    if rule.symmetric:
        out.append(f"check_.expect_symmetric({name}, {variable});")
    return out
