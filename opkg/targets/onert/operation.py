"""An op as onert's IR has it: names of inputs and outputs, how indices are read, which helper infers its shapes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from opkg.spec.expr import Call, ShapeList, Tree
from opkg.spec.model import Op, ParamSpec, TensorSpec
from opkg.spec.names import RESERVED
from opkg.targets.onert.names import variable
from opkg.targets.onert.shape_trees import Unprintable, tensor_of
from opkg.targets.onert.shapes import Shapes
from opkg.targets.portable_kernel.params import param_cpp


@dataclass(frozen=True)
class Operation:
    """One op. Enumerators are the names of inputs and outputs in capitals, each once."""

    op: Op

    @property
    def name(self) -> str:
        return self.op.identifier

    @property
    def type(self) -> str:
        return f"ir::operation::{self.op.identifier}"

    @cached_property
    def enumerators(self) -> dict[str, str]:
        """Enumerator of each tensor."""
        found: dict[str, str] = {}
        for tensor in self.op.tensors:
            name = tensor.name.upper()
            while name in found.values() or name in RESERVED:
                name += "_"
            found[tensor.name] = name
        return found

    def is_input(self, tensor: TensorSpec) -> bool:
        return any(tensor is one for one in self.op.inputs)

    def index(self, tensor: TensorSpec, variable: str = "node", prefix: str = "ir::") -> str:
        """C++ of an operand's index in the node `variable`."""
        which = "Input" if self.is_input(tensor) else "Output"
        place = f"{prefix}operation::{self.name}::{which}::{self.enumerators[tensor.name]}"
        return f"{variable}.get{which}s().at({place})"

    def index_lines(self, tensor: TensorSpec, variable: str = "node", prefix: str = "ir::") -> list[str]:
        """Statements that make `<name>_index`; that of an optional input which is absent is undefined."""
        at = self.index(tensor, variable, prefix)
        if not tensor.optional:
            return [f"const auto {tensor.name}_index{{{at}}};"]
        place = at.partition(".at(")[2][:-1]
        lines = [f"{prefix}OperandIndex {tensor.name}_index;", f"if ({variable}.getInputs().size() > {place})"]
        return [*lines, f"  {tensor.name}_index = {at};"]

    @cached_property
    def least(self) -> int:
        """Inputs that every call has, up to the last one that must be there."""
        return max([i + 1 for i, t in enumerate(self.op.inputs) if not t.optional], default=0)

    @cached_property
    def binary(self) -> tuple[TensorSpec, TensorSpec] | None:
        """The inputs whose broadcast is the only output's shape."""
        tree = self.op.outputs[0].shape.tree
        if len(self.op.outputs) > 1 or not (isinstance(tree, Call) and tree.function == "broadcast"):
            return None
        names = [tensor_of(arg, self.op) for arg in tree.args]
        found = [t for name in names for t in self.op.inputs if t.name == name and not t.optional]
        return (found[0], found[1]) if len(names) == len(found) == 2 else None

    @cached_property
    def same(self) -> TensorSpec | None:
        """The input whose shape all outputs have."""
        names = {self._source(t) for t in self.op.outputs}
        if len(names) != 1:
            return None
        name = next(iter(names))
        return next((t for t in self.op.inputs if t.name == name and not t.optional), None)

    def _source(self, output: TensorSpec) -> str | None:
        tree: Tree = output.shape.tree
        name = tensor_of(tree, self.op)
        other = next((t for t in self.op.outputs if t.name == name), None)
        if other is not None and other is not output:
            return self._source(other)
        if name is None and isinstance(tree, ShapeList):
            name = next((t.name for t in self.op.inputs if t.shape.tree == tree and not t.optional), None)
        return name

    @cached_property
    def read(self) -> tuple[TensorSpec, ...]:
        """The inputs whose shapes the outputs' shapes hang on. Raises Unprintable."""
        text = " ".join(self.infer_lines)
        return tuple(t for t in self.op.inputs if f"{t.name}_shape" in _words(text))

    @cached_property
    def read_params(self) -> tuple[ParamSpec, ...]:
        """The params that shapes hang on: arguments of their own, as util/ShapeInference.h knows no new class. Raises
        Unprintable."""
        text = " ".join(self._made)
        return tuple(p for p in self.op.params if re.search(rf"\bparam\.{p.name}\b", text))

    @cached_property
    def distinct(self) -> tuple[Tree, ...]:
        """The shapes of outputs, each once."""
        return tuple(dict.fromkeys(self._tree(t) for t in self.op.outputs))

    def _tree(self, output: TensorSpec) -> Tree:
        name = tensor_of(output.shape.tree, self.op)
        other = next((t for t in self.op.outputs if t.name == name and t is not output), None)
        return self._tree(other) if other is not None else output.shape.tree

    def which(self, output: TensorSpec) -> int:
        """Which of the distinct shapes an output has."""
        return self.distinct.index(self._tree(output))

    @cached_property
    def infer_lines(self) -> list[str]:
        """Statements of `infer<Name>Shape`. Raises Unprintable."""
        return [re.sub(r"\bparam\.(\w+)", lambda m: variable(m[1]), line) for line in self._made]

    @cached_property
    def _made(self) -> list[str]:
        shapes = Shapes(self.op)
        lines: list[str] = []
        for number, tree in enumerate(self.distinct):
            variable = "shape"
            made = shapes.build(tree, variable)
            if len(made) == 1:
                made = [made[0].replace("const ir::Shape shape = ", "return ")]
            else:
                made.append(f"return {variable};")
            if number < len(self.distinct) - 1:
                body = [f"  {line}" for line in made]
                made = [f"if (output == {number})", *(["{", *body, "}"] if len(made) > 1 else body)]
            lines += made
        return lines

    @property
    def helper(self) -> bool:
        """Whether a function of its own infers the shapes."""
        return self.same is None and self.binary is None

    def infer_call(self, shape_of: dict[str, str], param: str, output: TensorSpec) -> str:
        """The call of `infer<Name>Shape` for an output. `shape_of`: C++ of the inputs' shapes."""
        args = [shape_of[t.name] for t in self.read]
        args += [f"{param}.{p.name}" for p in self.read_params]
        args += [str(self.which(output))] if len(self.distinct) > 1 else []
        return f"shape_inference::infer{self.name}Shape({', '.join(args)})"

    def parameters(self) -> list[str]:
        """The parameters of `infer<Name>Shape`."""
        found = [f"const ir::Shape &{t.name}_shape" for t in self.read]
        for p in self.read_params:
            type_ = param_cpp(p)
            found.append(
                f"const std::vector<{type_}> &{variable(p.name)}" if p.shape else f"{type_} {variable(p.name)}"
            )
        return found + (["int output"] if len(self.distinct) > 1 else [])


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text))


def refusal(op: Op) -> str:
    """Why onert cannot have the op as one operation; empty when it can."""
    operation = Operation(op)
    if op.identifier in ("Input", "Output", "Param"):
        return "each operation's class has something of that name"
    for tensor in op.tensors:
        if tensor.variadic is not None:
            return f"'{tensor.name}' stands for several tensors"
    for tensor in op.outputs:
        if tensor.optional:
            return f"output '{tensor.name}' is optional"
    for param in op.params:
        if param.shape is not None and not (
            isinstance(param.shape.tree, ShapeList) and len(param.shape.tree.items) == 1
        ):
            return f"param '{param.name}' has more than one dimension"
    try:
        if operation.helper:
            for tensor in operation.read:
                if tensor.optional:
                    return f"the shape of an output hangs on '{tensor.name}', which may be absent"
    except Unprintable as failure:
        return f"the shape of an output: {failure}"
    return ""
