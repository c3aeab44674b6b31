"""The visits of an operation in onert's core: validators, shape inferers, the dumper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opkg.spec.dtypes import DType, Kind
from opkg.spec.expr import Expression, Name, Num, Rest, ShapeList, Tree
from opkg.spec.model import ParamSpec, Quantization, TensorSpec
from opkg.spec.requirements import requirements
from opkg.targets.onert.layout import WIDTH, brackets, fold
from opkg.targets.onert.names import number
from opkg.targets.onert.operation import Operation
from opkg.targets.onert.shapes import Shapes, Unprintable, places, run_of, tensor_of
from opkg.targets.onert.types import data_type, usable


def definition(
    owner: str, operation: Operation, body: Iterable[str], variable: str = "node", prefix: str = "ir::"
) -> str:
    """The text of `void Owner::visit(const ...)`; without a name for the node where the body does not use it."""
    lines = list(body)
    named = f" &{variable}" if any(f"{variable}." in line or f"({variable}" in line for line in lines) else " &"
    head = f"void {owner}::visit(const {prefix}operation::{operation.name}{named})"
    one = f"{head} {{ {lines[0]} }}" if len(lines) == 1 else ""
    if one and len(one) <= WIDTH:
        return one + "\n"
    folded = [part for line in lines for part in fold(f"  {line}" if line else "")]
    return "\n".join([head, "{", *folded, "}"]) + "\n"


def require(text: str) -> list[str]:
    """OP_REQUIRES, broken at its && and || where it is too long."""
    line = f"OP_REQUIRES({text});"
    if len(line) <= WIDTH - 2:
        return [line]
    for sign in (" || ", " && "):
        parts = text.split(sign)
        if len(parts) > 1:
            lines, current = [], "OP_REQUIRES("
            for place, part in enumerate(parts):
                item = part + (");" if place == len(parts) - 1 else sign.rstrip())
                fresh = current.strip() in ("", "OP_REQUIRES(")
                if not fresh and len(current) + 1 + len(item) > WIDTH - 2:
                    lines.append(current)
                    current, fresh = " " * len("OP_REQUIRES("), True
                current += item if fresh else f" {item}"
            return [*lines, current]
    return [line]


class OperationChecks:
    """What OperationValidator asks: element types, quantization, params; nothing that hangs on shapes."""

    def __init__(self, operation: Operation, prefix: str = "") -> None:
        self.operation = operation
        self.op = operation.op
        self.prefix = prefix
        self.combinations = usable(self.op)

    def lines(self) -> list[str]:
        found = [*self._types(), *self._constants(), *self._quantization()]
        tensors = [t for t in self.op.tensors if any(f"{t.name}_index" in line for line in found)]
        heads = [line for t in tensors for line in self.operation.index_lines(t, prefix=self.prefix)]
        params = [line for param in self.op.params for line in self._param(param)]
        asked = [c.require for c in self.op.constraints if _on_params(c.require.tree, self.operation)]
        constraints = [line for condition in asked for line in self._ask(condition)]
        return [*heads, *([""] if heads and found else []), *found, *params, *constraints]

    def _types(self) -> list[str]:
        found: list[str] = []
        seen: dict[str, TensorSpec] = {}
        for tensor in self.op.tensors:
            var = tensor.dtype.var
            types = list(dict.fromkeys(data_type(tensor.dtype.of(c)) for c in self.combinations))
            if var is not None and var in seen:
                found += self._when(tensor, f"isSameType({tensor.name}_index, {seen[var].name}_index)")
                continue
            found += self._when(tensor, self._one_of(tensor, types))
            if var is not None and not tensor.optional:
                seen[var] = tensor
        return found + self._together(seen)

    def _one_of(self, tensor: TensorSpec, types: Sequence[str]) -> str:
        """A test of an element type; lists of at most two, so that it breaks between them."""
        tests = []
        for start in range(0, len(types), 2):
            part = [f"{self.prefix}DataType::{t}" for t in types[start : start + 2]]
            listed = part[0] if len(part) == 1 else "{" + ", ".join(part) + "}"
            tests.append(f"isValidType({tensor.name}_index, {listed})")
        return " || ".join(tests)

    def _together(self, seen: dict[str, TensorSpec]) -> list[str]:
        """Which types of several variables go together."""
        full = 1
        for var in seen:
            full *= len({c.dtype(var) for c in self.combinations})
        if len(seen) < 2 or full == len(self.combinations):
            return []
        choices = [
            " && ".join(
                f"isValidType({t.name}_index, {self.prefix}DataType::{data_type(c.dtype(v))})" for v, t in seen.items()
            )
            for c in self.combinations
        ]
        return require(" || ".join(f"({choice})" for choice in choices))

    def _when(self, tensor: TensorSpec, test: str) -> list[str]:
        if not tensor.optional:
            return require(test)
        return require(f"{tensor.name}_index.undefined() || {test}")

    def _constants(self) -> list[str]:
        return [line for t in self.op.inputs if t.static for line in self._when(t, f"isConstant({t.name}_index)")]

    def _quantization(self) -> list[str]:
        found: list[str] = []
        for tensor in self.op.tensors:
            if tensor.quantization is None:
                continue
            quantized = [t for t in dict.fromkeys(tensor.dtype.of(c) for c in self.combinations) if t.quantized]
            tests = [
                line
                for test in self._asked(tensor, tensor.quantization, quantized)
                for line in self._when(tensor, test)
            ]
            if not tests or not quantized:
                continue
            others = any(not tensor.dtype.of(c).quantized for c in self.combinations)
            if not others:
                found += tests
                continue
            test = self._one_of(tensor, [data_type(t) for t in quantized])
            found += [f"if ({test})", "{", *(f"  {test}" for test in tests), "}"]
        return found

    def _asked(self, tensor: TensorSpec, wanted: Quantization, quantized: list[DType]) -> list[str]:
        info = f"_operands.at({tensor.name}_index).typeInfo()"
        found = []
        if wanted.same_as is not None:
            found.append(f"isSameQuantParam({tensor.name}_index, {wanted.same_as}_index)")
        if wanted.scale is not None:
            found.append(f"{info}.scale() == {number(wanted.scale)}")
        if wanted.offset is not None:
            found.append(f"{info}.zero_point() == {-wanted.offset}")
        if wanted.symmetric and wanted.axis is None:
            middles = {0 if t.kind is Kind.SFIXED else 1 << (t.bits - 1) for t in quantized}
            if len(middles) == 1:
                found.append(f"{info}.zero_point() == {middles.pop()}")
        return found

    def _param(self, param: ParamSpec) -> list[str]:
        """Enumeration and range of a param, as far as its ends are numbers."""
        value = f"node.param().{param.name}" if param.shape is None else "value"
        tests = []
        if param.enum:
            tests.append(" || ".join(f"{value} == {n}" for _, n in param.enum))
        tests += [
            f"{value} {sign} {number(end.tree.value, param)}" for end, sign in ends(param) if isinstance(end.tree, Num)
        ]
        tests = [test for test in tests if not (param.dtype.kind is Kind.UINT and test.endswith(">= 0"))]
        lines = [line for test in tests for line in require(test)]
        if param.shape is None or not lines:
            return lines
        return [f"for (const auto value : node.param().{param.name})", "{", *(f"  {line}" for line in lines), "}"]

    def _ask(self, require_: Expression) -> list[str]:
        info = "_operands.at({index}).typeInfo()"
        return require(Shapes(self.op, "node.param()", info).text(require_.tree))


def ends(param: ParamSpec) -> list[tuple[Expression, str]]:
    """The ends of a param's range that are given, with the comparison that the value must fulfil."""
    bounds = param.range
    if bounds is None:
        return []
    low, high = (bounds.low, ">" if bounds.low_open else ">="), (bounds.high, "<" if bounds.high_open else "<=")
    return [(end, sign) for end, sign in (low, high) if end is not None]


def _on_params(tree: Tree, operation: Operation) -> bool:
    """Whether a condition is about params alone."""
    params = {p.name for p in operation.op.params}
    return all(name in params for name in requirements(tree))


class ShapeChecks:
    """What ShapeValidator asks: ranks, dimensions, constraints and ranges that hang on them."""

    def __init__(self, operation: Operation) -> None:
        self.operation = operation
        self.op = operation.op
        self.shapes = Shapes(self.op, "node.param()", "operands.at({index}).typeInfo()")
        self.left: list[str] = []  # texts that could not be said

    def lines(self) -> list[str]:
        checks = [line for tensor in self.op.inputs for line in self._tensor(tensor)]
        checks += [line for tensor in self.op.outputs for line in self._output(tensor)]
        checks += [line for param in self.op.params for line in self._param(param)]
        for constraint in self.op.constraints:
            if not _on_params(constraint.require.tree, self.operation):
                checks += self._condition(constraint.require.tree, constraint.require.text)
        first = self.op.outputs[0]
        found = [
            "const auto &operands = _graph.operands();",
            f"const auto {first.name}_index{{{self.operation.index(first)}}};",
            f"if (operands.at({first.name}_index).info().isDynamic())",
            "  return;",
            "",
        ]
        text = "\n".join(checks)
        for tensor in self.op.tensors:
            shape, index = f"{tensor.name}_shape" in text, f"{tensor.name}_index" in text
            given = f"has_{tensor.name}" in text
            if tensor is not first and (shape or index or given):
                found += self.operation.index_lines(tensor)
            if tensor.optional and (shape or given):
                found.append(f"const bool has_{tensor.name} = !{tensor.name}_index.undefined();")
            if shape:
                of = f"operands.at({tensor.name}_index).shape()"
                if tensor.optional:
                    of = f"has_{tensor.name} ? {of} : ir::Shape{{}}"
                found.append(f"const auto {'' if tensor.optional else '&'}{tensor.name}_shape = {of};")
        return [*found, "", *checks] if checks else [*found[:-1]]

    def _guarded(self, tensors: Iterable[TensorSpec], lines: list[str]) -> list[str]:
        names = [f"has_{t.name}" for t in tensors if t.optional]
        if not names or not lines:
            return lines
        return [f"if ({' && '.join(names)})", "{", *(f"  {line}" for line in lines), "}"]

    def _rank(self, tensor: TensorSpec) -> list[str]:
        rank, low, high = f"{tensor.name}_shape.rank()", tensor.ranks.low, tensor.ranks.high
        if low == high:
            return require(f"{rank} == {low}")
        return require(f"{rank} >= {low} && {rank} <= {high}")

    def _tensor(self, tensor: TensorSpec) -> list[str]:
        lines = self._rank(tensor)
        tree = tensor.shape.tree
        if isinstance(tree, ShapeList):
            for item, place in places(tensor):
                lines += self._item(tensor, item, f"{tensor.name}_shape.dim({place})")
            for before, item in enumerate(tree.items):
                if isinstance(item, Rest) and item.name is not None:
                    lines += self._run(tensor, item.name, before, len(tree.items) - 1 - before)
        elif (source := tensor_of(tree, self.op)) is not None and source != tensor.name:
            of = next(t for t in self.op.tensors if t.name == source)
            lines += self._guarded(
                [of] if not tensor.optional else [], require(f"{tensor.name}_shape == {source}_shape")
            )
        return self._guarded([tensor], lines)

    def _item(self, tensor: TensorSpec, item: Tree, own: str) -> list[str]:
        try:
            wanted = self.shapes.text(item, 9)
        except Unprintable:
            return []
        if wanted == own:
            return []
        others = [t for t in self.op.inputs if t.optional and t is not tensor and f"{t.name}_shape" in wanted]
        return self._guarded(others, require(f"{own} == {wanted}"))

    def _run(self, tensor: TensorSpec, name: str, before: int, after: int) -> list[str]:
        try:
            source, first, _ = run_of(self.op, name)
        except Unprintable:
            return []
        if source == tensor.name:
            return []
        end = f"{tensor.name}_shape.rank()" + (f" - {after}" if after else "")
        offset = f" + {first - before}" if first > before else f" - {before - first}" if before > first else ""
        check = f"OP_REQUIRES({tensor.name}_shape.dim(i) == {source}_shape.dim(i{offset}));"
        return [f"for (int i = {before}; i < {end}; ++i)", "{", f"  {check}", "}"]

    def _output(self, tensor: TensorSpec) -> list[str]:
        lines = self._rank(tensor)
        tree = self.operation.distinct[self.operation.which(tensor)]
        if self.operation.same is not None:
            return [*lines, *require(f"{tensor.name}_shape == {self.operation.same.name}_shape")]
        if isinstance(tree, ShapeList) and isinstance(tensor.shape.tree, ShapeList):
            for item, place in places(tensor):
                lines += self._item(tensor, item, f"{tensor.name}_shape.dim({place})")
        return lines

    def _param(self, param: ParamSpec) -> list[str]:
        lines: list[str] = []
        own = f"node.param().{param.name}"
        if param.shape is not None and isinstance(param.shape.tree, ShapeList):
            item = param.shape.tree.items[0]
            try:
                wanted = self.shapes.text(item, 9)
                if f"{own}.size()" not in wanted:
                    lines += require(f"static_cast<int32_t>({own}.size()) == {wanted}")
            except Unprintable as failure:
                self.left.append(str(failure))
        value = own if param.shape is None else "value"
        cast = f"static_cast<int32_t>({value})" if param.dtype.kind is Kind.UINT else value
        tests = []
        for end, sign in ends(param):
            if not isinstance(end.tree, Num):
                tests.append((f"{cast} {sign} ", end.tree, end.text))
        for head, tree, text in tests:
            found = self._condition(tree, text, head)
            lines += (
                found
                if param.shape is None
                else [f"for (const auto value : {own})", "{", *(f"  {f}" for f in found), "}"]
            )
        if param.axis_of is not None:
            rank = f"{param.axis_of}_shape.rank()"
            low = f"{cast} >= -{rank} && " if param.dtype.signed else ""
            found = require(f"{low}{cast} < {rank}")
            lines += (
                found
                if param.shape is None
                else [f"for (const auto value : {own})", "{", *(f"  {f}" for f in found), "}"]
            )
        return lines

    def _condition(self, tree: Tree, text: str, head: str = "") -> list[str]:
        """OP_REQUIRES of a condition, where the optional inputs that it needs are given."""
        try:
            printed = head + self.shapes.text(tree, 10 if head else 0)
        except Unprintable as failure:
            self.left.append(f"{text}: {failure}")
            return []
        needed = [t for t in self.op.inputs if t.optional and t.name in self._needs(tree)]
        return self._guarded(needed, require(printed))

    def _needs(self, tree: Tree) -> frozenset[str]:
        """Tensors that a condition cannot do without, dimensions included."""
        names = set(requirements(tree))
        for name in list(names):
            if name in self.op.dims:
                owners = [
                    t
                    for t in sorted(self.op.inputs, key=lambda t: t.optional)
                    if Name(name) in [i for i, _ in places(t)]
                ]
                names |= {owners[0].name} if owners else set()
        return frozenset(names)


def static_lines(operation: Operation, own_operands: bool) -> list[str]:
    """The visit of StaticShapeInferer."""
    op = operation.op
    if operation.binary is not None:
        a, b = operation.binary
        return brackets("handleBinaryArithmeticOp(", ["op", operation.index(a, "op"), operation.index(b, "op")], ");")
    if operation.same is not None and len(op.outputs) == 1:
        return brackets("handleSimpleUnaryOp(", ["op", operation.index(operation.same, "op")], ");")
    operands = "_operands" if own_operands else "operands"
    lines = [] if own_operands else ["auto &operands = _lowered_subg->graph().operands();", ""]
    read = (operation.same,) if operation.same is not None else operation.read
    for tensor in read:
        lines.append(f"const auto &{tensor.name} = {operands}.at({operation.index(tensor, 'op')});")
    shape_of = {t.name: f"{t.name}.info().shape()" for t in read}
    for output in op.outputs:
        lines.append(f"auto &{output.name} = {operands}.at({operation.index(output, 'op')});")
    lines.append("")
    for output in op.outputs:
        text = (
            shape_of[read[0].name]
            if operation.same is not None
            else operation.infer_call(shape_of, "op.param()", output)
        )
        lines.append(f"{output.name}.info().shape({text});")
    return lines


def dynamic_lines(operation: Operation) -> list[str]:
    """The visit of DynamicShapeInferer."""
    op = operation.op
    if operation.binary is not None or (operation.same is not None and len(op.outputs) == 1):
        return static_lines(operation, False)
    read = (operation.same,) if operation.same is not None else operation.read
    lines = [f"auto {t.name} = _tensor_registry->getITensor({operation.index(t, 'op')});" for t in (*read, *op.outputs)]
    tests = [f"!{t.name}->is_dynamic()" for t in (*read, *op.outputs)]
    lines += ["", f"if ({' && '.join(tests)})", "  return;", ""]
    shape_of = {t.name: f"{t.name}->getShape()" for t in read}
    for output in op.outputs:
        text = (
            shape_of[read[0].name]
            if operation.same is not None
            else operation.infer_call(shape_of, "op.param()", output)
        )
        lines += [f"{output.name}->applyShape({text});", f"assert({output.name}->buffer() != nullptr);"]
    return lines
