"""What OperationValidator asks of an operation: element types, quantization, params."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.spec.dtypes import DType, Kind
from opkg.spec.expr import Expression, Num, Tree
from opkg.spec.model import ParamSpec, Quantization, TensorSpec
from opkg.spec.requirements import requirements
from opkg.targets.foreign import Era
from opkg.targets.onert.names import number
from opkg.targets.onert.operation import Operation
from opkg.targets.onert.shapes import Shapes
from opkg.targets.onert.types import data_type, usable


def require(text: str) -> list[str]:
    """What both validators say: the model is refused unless this holds."""
    return [f"OP_REQUIRES({text});"]


class OperationChecks:
    """What OperationValidator asks: element types, quantization, params; nothing that hangs on shapes."""

    def __init__(self, operation: Operation, era: Era = Era(), prefix: str = "") -> None:  # noqa: B008
        self.operation = operation
        self.era = era
        self.info = f"{'_operands' if era.validator_operands else '_ctx'}.at({{index}}).typeInfo()"
        self.zero = "zero_point()" if era.zero_point else "offset()"
        self.op = operation.op
        self.prefix = prefix
        self.combinations = usable(self.op)

    def lines(self) -> list[str]:
        found = [*self._types(), *self._constants(), *self._quantization()]
        tensors = [t for t in self.op.tensors if any(f"{t.name}_index" in line for line in found)]
        heads = [line for t in tensors for line in self.operation.index_lines(t, prefix=self.prefix)]
        params = [line for param in self.op.params for line in self._param(param)]
        asked = [c.require for c in self.op.constraints if on_params(c.require.tree, self.operation)]
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
        info = self.info.format(index=f"{tensor.name}_index")
        found = []
        if wanted.same_as is not None and self.era.same_quant:
            found.append(f"isSameQuantParam({tensor.name}_index, {wanted.same_as}_index)")
        elif wanted.same_as is not None:
            other = self.info.format(index=f"{wanted.same_as}_index")
            found += [f"{info}.{part} == {other}.{part}" for part in ("scale()", self.zero)]
        if wanted.scale is not None:
            found.append(f"{info}.scale() == {number(wanted.scale)}")
        if wanted.offset is not None:
            found.append(f"{info}.{self.zero} == {-wanted.offset}")
        if wanted.symmetric and wanted.axis is None:
            middles = {0 if t.kind is Kind.SFIXED else 1 << (t.bits - 1) for t in quantized}
            if len(middles) == 1:
                found.append(f"{info}.{self.zero} == {middles.pop()}")
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
        return require(Shapes(self.op, "node.param()", self.info, self.zero).text(require_.tree))


def ends(param: ParamSpec) -> list[tuple[Expression, str]]:
    """The ends of a param's range that are given, with the comparison that the value must fulfil."""
    bounds = param.range
    if bounds is None:
        return []
    low, high = (bounds.low, ">" if bounds.low_open else ">="), (bounds.high, "<" if bounds.high_open else "<=")
    return [(end, sign) for end, sign in (low, high) if end is not None]


def on_params(tree: Tree, operation: Operation) -> bool:
    """Whether a condition is about params alone."""
    params = {p.name for p in operation.op.params}
    return all(name in params for name in requirements(tree))
