"""What ShapeValidator asks of an operation: ranks, dimensions, and what hangs on them."""

from __future__ import annotations

from collections.abc import Iterable

from opkg.spec.dtypes import Kind
from opkg.spec.expr import Name, Num, Rest, ShapeList, Tree
from opkg.spec.model import ParamSpec, TensorSpec
from opkg.spec.requirements import requirements
from opkg.targets.foreign import Era
from opkg.targets.onert.operation import Operation
from opkg.targets.onert.operation_checks import ends, on_params, require
from opkg.targets.onert.shape_trees import Unprintable, places, run_of, tensor_of
from opkg.targets.onert.shapes import Shapes


class ShapeChecks:
    """What ShapeValidator asks: ranks, dimensions, constraints and ranges that hang on them."""

    def __init__(self, operation: Operation, era: Era = Era()) -> None:  # noqa: B008
        self.operation = operation
        self.op = operation.op
        zero = "zero_point()" if era.zero_point else "offset()"
        self.shapes = Shapes(self.op, "node.param()", "operands.at({index}).typeInfo()", zero)
        self.left: list[str] = []  # texts that could not be said

    def lines(self) -> list[str]:
        checks = [line for tensor in self.op.inputs for line in self._tensor(tensor)]
        checks += [line for tensor in self.op.outputs for line in self._output(tensor)]
        checks += [line for param in self.op.params for line in self._param(param)]
        for constraint in self.op.constraints:
            if not on_params(constraint.require.tree, self.operation):
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
