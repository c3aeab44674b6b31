"""Prints `shape_rules.py`: the shapes of the outputs of ops that have no ONNX function to tell them."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.spec.expr import Call, Name, Rest, ShapeList, Type
from opkg.spec.model import Op, ParamSpec, TensorSpec
from opkg.spec.names import snake
from opkg.spec.python_text import Printed, PythonText, python_places

_OWN = frozenset(("abs", "inputs", "len", "max", "min", "of", "params"))  # what the generated functions use themselves
_SHAPES = ("broadcast", "ceil_div", "concat", "product", "reduce", "round_up")  # functions of shape_math.py


class _Unsaid(Exception):
    """A shape that needs more than the shapes of inputs and the params."""


def rule_name(op: Op) -> str:
    return snake(op.name)


def shape_rule(op: Op) -> list[str]:
    """The function of one op; nothing where no output's shape can be told from inputs and params."""
    printer = _Printer(op)
    shown = [printer.output(tensor) for tensor in op.outputs]
    if not any(shown):
        return []
    text = [each or "None" for each in shown]
    lines = [f"def {rule_name(op)}(inputs: Sequence[Any], params: Mapping[str, Any]) -> tuple[Any, ...]:"]
    lines += [f'    """{op.name}: {", ".join(tensor.name for tensor in op.outputs)}."""']
    lines += [f"    {line}" for line in printer.bound()]
    for place, tensor in enumerate(op.outputs):
        if tensor.name in printer.read:  # by an output behind it
            lines.append(f"    {_local(tensor.name)} = {text[place]}")
            text[place] = _local(tensor.name)
    flat = f"    return ({text[0]},)" if len(text) == 1 else f"    return ({', '.join(text)})"
    return [*lines, flat] if len(flat) <= 100 else [*lines, "    return (", *(f"        {t}," for t in text), "    )"]


class _Printer(PythonText):
    """Prints expressions of one op, and remembers which names they read."""

    def __init__(self, op: Op) -> None:
        self.op = op
        self.tensors = {tensor.name: tensor for tensor in op.inputs}
        self.params = {param.name: param for param in op.params}
        self.read: dict[str, None] = {}

    def output(self, tensor: TensorSpec) -> str:
        """The shape of an output, which those behind it may read; empty where it cannot be told."""
        before = dict(self.read)
        try:
            text = self.text(tensor.shape.tree)
        except _Unsaid:
            self.read = before
            return ""
        self.tensors[tensor.name] = tensor
        return text

    def bound(self) -> Iterator[str]:
        """Assignments of all names that were read."""
        dims = {name: where for name, where in self._dims().items() if name in self.read}
        for where in dims.values():
            self.read.setdefault(where[0])
        for at, tensor in enumerate(self.op.inputs):
            if tensor.name in self.read:
                given = f"inputs[{at}:]" if tensor.variadic else f"inputs[{at}]"
                yield f"{_local(tensor.name)} = {given}" + (
                    f" if len(inputs) > {at} else None" if tensor.optional else ""
                )
        yield from (f'{_local(name)} = params["{name}"]' for name in self.params if name in self.read)
        yield from (f"{_local(name)} = {_local(of)}{how}" for name, (of, how) in dims.items() if how[0] == "[")
        yield from (f"{_local(name)} = len({_local(of)})" for name, (of, how) in dims.items() if how[0] != "[")

    def _dims(self) -> dict[str, tuple[str, str]]:
        """Of each named dimension, the tensor or param that tells it, and how."""
        found: dict[str, tuple[str, str]] = {}
        for tensor in self.op.inputs:
            if isinstance(tensor.shape.tree, ShapeList) and not tensor.optional:
                first = "[0]" if tensor.variadic else ""
                for item, place in python_places(tensor.shape.tree):
                    name = item.name if isinstance(item, Rest) else item.id if isinstance(item, Name) else None
                    if name is not None:
                        found.setdefault(name, (tensor.name, f"{first}[{place}]"))
        for param in self.op.params:
            tree = param.shape.tree if param.shape is not None else None
            if isinstance(tree, ShapeList) and len(tree.items) == 1 and isinstance(tree.items[0], Name):
                found.setdefault(tree.items[0].id, (param.name, "len"))
        return found

    def name(self, id: str) -> Printed:
        return self.member(id, "shape") if id in self.tensors else Printed(self.run(id))

    def run(self, name: str) -> str:
        param = self.params.get(name)
        if (param is None and name not in self._dims()) or (param is not None and not _is_whole(param)):
            raise _Unsaid
        self.read.setdefault(name)
        return _local(name)

    def member(self, tensor: str, member: str) -> Printed:
        if tensor not in self.tensors or member not in ("shape", "rank", "size"):
            raise _Unsaid
        self.read.setdefault(tensor)
        shape = f"{_local(tensor)}[0]" if self.tensors[tensor].variadic else _local(tensor)
        return Printed({"shape": shape, "rank": f"len({shape})"}.get(member, f"of.product({shape})"))

    def absent(self, id: str) -> str:
        if id not in self.tensors:
            raise _Unsaid
        self.read.setdefault(id)
        return f"{_local(id)} is None"

    def call(self, tree: Call) -> Printed:
        function, args = tree.function, tree.args
        first = args[0].id if isinstance(args[0], Name) else ""
        tensor = self.tensors.get(first)
        if function in ("rank", "size") and tensor is not None:
            return self.member(first, function)
        if function in ("present", "count"):
            if tensor is None or (function == "count" and not tensor.variadic):
                raise _Unsaid
            self.read.setdefault(first)
            if function == "present":
                return Printed(f"{_local(first)} is not None", Type.BOOL, 4)
            return Printed(f"len({_local(first)})")
        if function == "concat":
            joined = args[1].id if isinstance(args[1], Name) else ""
            if joined not in self.tensors:
                raise _Unsaid
            self.read.setdefault(joined)
            return Printed(f"of.concat({self.text(args[0])}, {_local(joined)})")
        if function in ("rank", "size"):
            raise _Unsaid
        texts = ", ".join(self.text(arg) for arg in args)
        return Printed(f"{'of.' if function in _SHAPES else ''}{function}({texts})")


def _is_whole(param: ParamSpec) -> bool:
    return param.dtype.kind.name != "FLOAT"


def _local(name: str) -> str:
    return f"{name}_" if name in _OWN or name.endswith("_") else name
