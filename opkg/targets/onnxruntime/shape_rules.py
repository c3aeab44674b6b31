"""Prints `shape_rules.py`: the shapes of the outputs of ops that have no ONNX function to tell them."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.spec.expr import Binary, Call, Item, Member, Name, Num, Rest, Select, ShapeList, Tree, Truth, Unary
from opkg.spec.model import Op, ParamSpec, TensorSpec
from opkg.spec.names import snake

_OWN = frozenset(("abs", "inputs", "len", "max", "min", "of", "params"))  # what the generated functions use themselves
_ATOM = 9
_PRECEDENCE = {"or": 1, "and": 2, "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 6, "-": 6}  # others 7
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
    flat = f"    return ({text[0]},)" if len(text) == 1 else f"    return ({', '.join(text)})"
    return [*lines, flat] if len(flat) <= 100 else [*lines, "    return (", *(f"        {t}," for t in text), "    )"]


class _Printer:
    """Prints expressions of one op, and remembers which names they read."""

    def __init__(self, op: Op) -> None:
        self.op = op
        self.tensors = {tensor.name: tensor for tensor in op.inputs}
        self.params = {param.name: param for param in op.params}
        self.read: dict[str, None] = {}

    def output(self, tensor: TensorSpec) -> str:
        """The shape of an output; empty where it cannot be told."""
        before = dict(self.read)
        try:
            return self.show(tensor.shape.tree)[0]
        except _Unsaid:
            self.read = before
            return ""

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
                for item, place in _places(tensor.shape.tree):
                    name = item.name if isinstance(item, Rest) else item.id if isinstance(item, Name) else None
                    if name is not None:
                        found.setdefault(name, (tensor.name, first + place))
        for param in self.op.params:
            tree = param.shape.tree if param.shape is not None else None
            if isinstance(tree, ShapeList) and len(tree.items) == 1 and isinstance(tree.items[0], Name):
                found.setdefault(tree.items[0].id, (param.name, "len"))
        return found

    def show(self, tree: Tree) -> tuple[str, int]:
        """The text of a tree and its precedence."""
        match tree:
            case Num(value) if isinstance(value, int):
                return repr(value), _ATOM
            case Truth(value):
                return repr(value), _ATOM
            case Name(id):
                return self._name(id), _ATOM
            case Member(tensor, member):
                return self._member(tensor, member), _ATOM
            case Item(base, index):
                return f"{self._at(base, _ATOM)}[{self.show(index)[0]}]", _ATOM
            case Unary("not", operand):
                return f"not {self._at(operand, 3)}", 3
            case Unary(_, operand):
                return f"-{self._at(operand, 8)}", 8
            case Select(test, then, other):
                return f"{self._at(then, 1)} if {self._at(test, 1)} else {self._at(other, 0)}", 0
            case Binary(op, left, right):
                prec = _PRECEDENCE.get(op, 7)
                return (
                    f"{self._at(left, prec + (prec == 4))} {op if op != '/' else '//'} {self._at(right, prec + 1)}",
                    prec,
                )
            case ShapeList(items):
                texts = [f"*{self._name(i.name or '')}" if isinstance(i, Rest) else self._at(i, 1) for i in items]
                return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})", _ATOM
            case Call(function, args):
                return self._call(function, args)
        raise _Unsaid

    def _at(self, tree: Tree, prec: int) -> str:
        text, own = self.show(tree)
        return text if own >= prec else f"({text})"

    def _name(self, name: str) -> str:
        if name in self.tensors:
            return self._member(name, "shape")
        param = self.params.get(name)
        if (param is None and name not in self._dims()) or (param is not None and not _is_whole(param)):
            raise _Unsaid
        self.read.setdefault(name)
        return _local(name)

    def _member(self, name: str, member: str) -> str:
        if name not in self.tensors or member not in ("shape", "rank", "size"):
            raise _Unsaid
        self.read.setdefault(name)
        shape = f"{_local(name)}[0]" if self.tensors[name].variadic else _local(name)
        return shape if member == "shape" else f"len({shape})" if member == "rank" else f"of.product({shape})"

    def _call(self, function: str, args: tuple[Tree, ...]) -> tuple[str, int]:
        first = args[0].id if isinstance(args[0], Name) else ""
        tensor = self.tensors.get(first)
        if function in ("rank", "size") and tensor is not None:
            return self._member(first, function), _ATOM
        if function in ("present", "count"):
            if tensor is None or (function == "count" and not tensor.variadic):
                raise _Unsaid
            self.read.setdefault(first)
            return (f"{_local(first)} is not None", 4) if function == "present" else (f"len({_local(first)})", _ATOM)
        if function == "concat":
            joined = args[1].id if isinstance(args[1], Name) else ""
            if joined not in self.tensors:
                raise _Unsaid
            self.read.setdefault(joined)
            return f"of.concat({self.show(args[0])[0]}, {_local(joined)})", _ATOM
        if function in ("rank", "size"):
            raise _Unsaid
        texts = [self._at(arg, 0) for arg in args]
        return f"{'of.' if function in _SHAPES else ''}{function}({', '.join(texts)})", _ATOM


def _is_whole(param: ParamSpec) -> bool:
    return param.dtype.kind.name != "FLOAT"


def _local(name: str) -> str:
    return f"{name}_" if name in _OWN or name.endswith("_") else name


def _places(tree: ShapeList) -> Iterator[tuple[Tree, str]]:
    """Each item of a shape list with the index or slice of the dimensions that it stands for."""
    rest = next((at for at, item in enumerate(tree.items) if isinstance(item, Rest)), len(tree.items))
    for at, item in enumerate(tree.items):
        after = len(tree.items) - at - 1
        if at < rest:
            yield item, f"[{at}]"
        elif at > rest:
            yield item, f"[{-after - 1}]"
        else:
            yield item, f"[{at or ''}:{-after or ''}]"
