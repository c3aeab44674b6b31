"""The statements of `validate_<op>`: the spec's checks of an op config, as lines of C++ over op_config.h."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from opkg.spec.expr import Member, Name, Rest, ShapeList, Tree
from opkg.spec.model import ParamSpec, Quantization, TensorSpec
from opkg.spec.python_text import items_of
from opkg.targets.qnn_common.arrangements import Order
from opkg.targets.qnn_common.names import comment, local, string
from opkg.targets.qnn_common.printer import first_of, show, show_shape
from opkg.targets.qnn_common.unused import without_unused
from opkg.targets.qnn_common.validation_names import MAX_RANK, count_of
from opkg.targets.qnn_common.validation_params import ParamLines, float_literal

# Values that may go when no rule of the spec reads them. Of a param, the call that looks it up stays: it checks presence
# and type.
_VALUE = re.compile(r"const (?:int64_t|double|bool|opkg::Shape|(?P<call>opkg::ParamInfo)) (?P<name>\w+) = ")
_LinesFor = Callable[[TensorSpec, str], list[str]]


@dataclass(frozen=True)
class Validation(ParamLines):
    """The lines of one op's validation function; it accepts what `opkg.spec.infer.check_call` accepts.

    `orders`: the calls that a positional interface can tell apart; None when params go by name. `positional`: absent
    inputs at the end of the list are left out, not null. `highest`: the rank up to which the interface takes tensors.
    `more`: statements that follow when nothing failed, which may read the params by their names; `pieces`: of each tensor
    named, the C++ set of the dimensions that pass through TCM in one piece, where {} is the tensor. `bools_as_ints`: kernels
    take scalar bools as int32, too, all of a call that gives every param in order. `own_ranks`: kernels see ranks as they are;
    without, what has no dimensions has one of extent 1, since HTP prepares no outputs and constants of rank 0.
    """

    orders: tuple[Order, ...] | None
    highest: int = MAX_RANK
    positional: bool = False
    more: tuple[str, ...] = ()
    pieces: Mapping[str, str] = field(default_factory=dict)
    images: Mapping[str, str] = field(default_factory=dict)
    bools_as_ints: bool = False
    own_ranks: bool = False

    def _from_end(self, param: ParamSpec) -> bool:
        return not self.own_ranks and super()._from_end(param)

    def lines(self) -> list[str]:
        """Everything between the braces."""
        out = self._params_as_inputs() + self._counts() + self._tensors()
        out.append(f"check_.known_params({{{', '.join(string(p.name) for p in self.op.params)}}});")
        out += ["check_.bools_as_ints(params_);"] if self.bools_as_ints else []
        out += [self._param_declared(param) for param in self.op.params]
        out.append("if (check_.failed()) return check_.result();")
        out += self._bindings() + self._param_values()
        for param in self.op.params:
            out += self._param_checks(param)
        for tensor in self.op.inputs:
            out += self._each(tensor, "input", self._match_input)
        out += self._types()
        out += self._outputs() + self._constraints() + self._quantizations()
        if self.more:
            out += ["if (check_.failed()) return check_.result();", *self.more]
        for tensor in self.op.tensors:
            out += self._each(tensor, "input" if tensor in self.op.inputs else "output", self._piece)
        out.append("return check_.result();")
        return without_unused(out, _VALUE)

    # -- presence ------------------------------------------------------------------------------------

    def _params_as_inputs(self) -> list[str]:
        """Of a positional interface, where params stand behind the inputs anyway."""
        if self.orders is None or not self.op.params:
            return []
        names = ", ".join(string(param.name) for param in self.op.params)
        least, most = _bounds(self.op.inputs)
        needed = "true" if any(not param.optional for param in self.op.params) else "false"
        return [
            f"static constexpr const char* params_[] = {{{names}}};",
            f"check_.params_as_inputs(params_, {least}, {most}, {needed});",
        ]

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
                    out.append(f"const uint32_t {count_of(tensor)} = check_.more_{side}s({len(tensors) - 1});")
                    out.append(f"const uint32_t {first_of(tensor.name)} = {at};")
                    at, seen_list = first_of(tensor.name), f" + {count_of(tensor)} - 1"
                out.append(f"const opkg::TensorInfo {local(tensor.name)} = check_.{side}({at});")
                out += self._each(tensor, side, self._rank_check)
        return out

    def _each(self, tensor: TensorSpec, side: str, lines_for: _LinesFor) -> list[str]:
        """The lines for a tensor, in a loop over its items when it is variadic."""
        if not tensor.variadic:
            return lines_for(tensor, local(tensor.name))
        item = f"{local(tensor.name)}_item_"
        head = f"for (uint32_t i_ = 0; i_ < {count_of(tensor)}; ++i_) {{"
        fetch = f"  const opkg::TensorInfo {item} = check_.{side}({first_of(tensor.name)} + i_);"
        body = lines_for(tensor, item)
        return [head, fetch, *(f"  {line}" for line in body), "}"] if body else []

    def _rank_check(self, tensor: TensorSpec, variable: str) -> list[str]:
        low, high = tensor.ranks.low, min(tensor.ranks.high, self.highest)
        if isinstance(tensor.shape.tree, ShapeList):
            low = max(low, sum(not isinstance(item, Rest) for item in tensor.shape.tree.items))
        lowest, name = str(low), string(tensor.name)
        exact = [f"check_.expect_shape({name}, {variable}, {{}});"] if high == 0 and not self.own_ranks else []
        if low == 0 and not self.own_ranks:
            free = tensor in self.op.inputs and not tensor.static
            lowest, high = f"{variable}.is_static() ? 1 : 0" if free else "1", max(high, 1)
        check = "check_optional" if tensor.optional else "check_tensor"
        out = [f"check_.{check}({name}, {variable}, {lowest}, {high});", *exact]
        if tensor.static:
            out.append(f"check_.expect_static({name}, {variable});")
        return out

    def _match_input(self, tensor: TensorSpec, variable: str) -> list[str]:
        """Every dimension that has a rule, except where it is the place that binds its name."""
        tree = tensor.shape.tree
        if not isinstance(tree, ShapeList):
            if isinstance(tree, Member) and tree.tensor == tensor.name:
                return []
            return [self._expect("expect_shape", tensor, variable, tree)]
        out: list[str] = []
        for item, first, after in items_of(tree):
            if isinstance(item, Rest):
                out += self._match_rest(item, variable, first, after, tensor)
            elif not (isinstance(item, Name) and self._binds(item.id, tensor, first)):
                out.append(self._expect("expect_dim", tensor, variable, item, first))
        return out

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
        names = ", ".join(tensor.name for tensor in tensors)
        head = f"// The combinations of element types, a row each: {comment(names)}."
        table = [head, f"static constexpr Qnn_DataType_t types_[][{len(tensors)}] = {{", *rows, "};"]
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
        by_case: dict[tuple[int, int, int], list[str]] = {}
        for order in self.orders:
            by_case.setdefault((order.row, order.inputs, order.nulls), []).append(order.params)
        distinct = {tuple(v) for v in by_case.values()}
        if len(distinct) == 1:
            orders = ", ".join(string(o) for o in distinct.pop())
            return [f"{call};", f"check_.param_order({{{orders}}});"]
        rows = [f"    {{{o.row}, {o.inputs}, {o.nulls:#b}, {string(o.params)}}}," for o in self.orders]
        return [
            f"const int row_ = {call};",
            "// What a call may give, since kernels see positions only: row of types_, number of inputs, those that are "
            "null (last bit: the first), params.",
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
            for item, first, _ in items_of(tree)
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

    def _piece(self, tensor: TensorSpec, variable: str) -> list[str]:
        whole = self.pieces.get(tensor.name, "").format(variable)
        found = [f"check_.expect_piece({string(tensor.name)}, {variable}, {whole});"] if whole else []
        if tensor.name in self.images:
            test = self.images[tensor.name].format(variable)
            check = f"check_.expect_images({string(tensor.name)}, {variable});"
            found.append(f"if ({test}) {check}" if test else check)
        return found

    def _constraints(self) -> list[str]:
        out = []
        for constraint in self.op.constraints:
            tree = constraint.require.tree
            statement = f"check_.require({show(tree, self.frame).text}, {string(constraint.message)});"
            out.append(self._guarded(tree, statement))
        return out


def _bounds(tensors: tuple[TensorSpec, ...]) -> tuple[int, int]:
    least = sum(0 if t.optional else t.variadic[0] if t.variadic else 1 for t in tensors)
    most = sum(t.variadic[1] if t.variadic else 1 for t in tensors)
    return least, most


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


__all__ = ["MAX_RANK", "Validation", "float_literal"]
