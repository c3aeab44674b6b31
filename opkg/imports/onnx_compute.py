"""What an op of ONNX computes, in the language of `compute:`: from the table of ops that opkg knows, or its function body."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from opkg.fuse.language import NUMBERS, POINTWISE
from opkg.spec.compute.printing import text_of
from opkg.spec.compute.tree import (
    Assign,
    Assigned,
    Binary,
    BinaryOp,
    Call,
    Cast,
    Compare,
    CompareOp,
    Compute,
    Const,
    Function,
    Input,
    Node,
    Param,
    Reduce,
    Reduction,
    Select,
    Unary,
    UnaryOp,
)
from opkg.spec.compute.walk import walk

_BITS = {"BitwiseAnd": BinaryOp.BIT_AND, "BitwiseOr": BinaryOp.BIT_OR, "BitwiseXor": BinaryOp.BIT_XOR}
_OF_ONE = {"Sin": Function.SIN, "Cos": Function.COS, "Asin": Function.ASIN, "Atan": Function.ATAN}
_LEAVES = Const | Input | Param | Assigned
_DEPTH = 4  # functions in functions
MAX_STATEMENTS = 60


class Unsayable(Exception):
    """Why there is no computation."""


class Computation:
    """The statements of one op. `inputs`: ONNX's names -> those of the spec; `params`: attributes -> params."""

    def __init__(
        self, schema: Any, inputs: Mapping[str, str], params: Mapping[str, str], outputs: Sequence[str]
    ) -> None:
        self.schema, self.inputs, self.params, self.outputs = schema, inputs, params, outputs
        self.statements: list[Assign] = []
        self.taken = {*inputs.values(), *params.values(), *outputs}

    def text(self) -> str:
        """The text of `compute:`. Raises Unsayable."""
        formal = self.schema.inputs
        if any(each.option.name == "Variadic" for each in formal):
            raise Unsayable("a variadic input has no name in compute:")
        if any(each.option.name == "Optional" for each in formal):
            raise Unsayable("it has optional inputs, and what it computes without them is not in its declaration")
        arguments: list[Node] = [Input(self.inputs[each.name]) for each in formal]
        attributes: dict[str, Node] = {name: Param(param) for name, param in self.params.items()}
        results = self.call(self.schema, arguments, attributes, 0)
        if len(results) < len(self.outputs):
            raise Unsayable("not all of its outputs are in the language of compute:")
        for name, value in zip(self.outputs, results, strict=False):
            self.statements.append(Assign(name, plain(value)))
        if len(self.statements) > MAX_STATEMENTS:
            raise Unsayable(f"its function has more than {MAX_STATEMENTS} steps")
        return text_of(Compute(tuple(self.statements)))

    def call(self, schema: Any, args: Sequence[Node], attributes: Mapping[str, Node], depth: int) -> list[Node]:
        """The results of an op: by the table, else by its function body."""
        known = self.known(schema.name, args, attributes)
        if known is not None:
            return [known]
        if not schema.has_function:
            raise Unsayable(f"{schema.name} is not in the language of compute:, and has no function body")
        if depth >= _DEPTH:
            raise Unsayable("functions in functions")
        defaults = {
            name: _attribute(each.default_value, {})
            for name, each in schema.attributes.items()
            if name not in attributes and each.default_value.type in (1, 2)
        }
        return self.body(schema.function_body, args, {**defaults, **attributes}, depth)

    def known(self, op: str, args: Sequence[Node], attributes: Mapping[str, Node]) -> Node | None:
        if op in ("Identity", "CastLike"):
            return args[0]
        if op in _BITS:
            return Binary(_BITS[op], args[0], args[1])
        if op == "BitwiseNot":
            return Unary(UnaryOp.INVERT, args[0])
        if op == "IsNaN":
            return Compare(CompareOp.NE, args[0], args[0])
        if op in _OF_ONE:
            return Call(_OF_ONE[op], (args[0],))
        if op in ("Softmax", "LogSoftmax"):
            return self.softmax(op, args[0], attributes)
        if op not in POINTWISE or set(attributes) - set(NUMBERS.get(op, {})):
            return None  # what the table does not read is in a function body, or nowhere
        numbers: dict[str, Node] = {}
        for name, default in NUMBERS.get(op, {}).items():
            numbers[name] = attributes.get(name, Const(default))
        made = POINTWISE[op](args, numbers)
        read = Counter(id(node) for node in walk([made]))
        if not any(read[id(arg)] > 1 and not isinstance(arg, _LEAVES) for arg in args):
            return made
        named = [self.assigned("v", a) if read[id(a)] > 1 and not isinstance(a, _LEAVES) else a for a in args]
        return POINTWISE[op](named, numbers)

    def softmax(self, op: str, x: Node, attributes: Mapping[str, Node]) -> Node:
        """Over the dimension that the attribute names."""
        axis = attributes.get("axis", Const(-1))
        axes: tuple[int, ...] | str
        if isinstance(axis, Param):
            axes = axis.name
        elif isinstance(axis, Const):
            axes = (int(axis.value),)
        else:
            raise Unsayable("its axis is computed")
        d = self.assigned("d", Binary(BinaryOp.SUB, x, Reduce(Reduction.MAX, x, axes, True)))
        e: Node = Call(Function.EXP, (d,))
        if op == "LogSoftmax":
            return Binary(BinaryOp.SUB, d, Call(Function.LOG, (Reduce(Reduction.SUM, e, axes, True),)))
        e = self.assigned("e", e)
        return Binary(BinaryOp.DIV, e, Reduce(Reduction.SUM, e, axes, True))

    def assigned(self, wanted: str, value: Node) -> Node:
        """A temporary with the value."""
        stem = "".join(c if c.isascii() and c.isalnum() else "_" for c in wanted).strip("_").lower() or "t"
        name, number = (stem if stem[0].isalpha() else f"t_{stem}"), 2
        while name in self.taken or name in ("t", "in", "is", "not", "if", "or", "and"):
            name, number = f"{stem}_{number}" if stem[0].isalpha() else f"t_{stem}_{number}", number + 1
        self.taken.add(name)
        self.statements.append(Assign(name, plain(value)))
        return Assigned(name)

    def body(self, body: Any, args: Sequence[Node], attributes: Mapping[str, Node], depth: int) -> list[Node]:
        """The nodes of a function: what is read more than once becomes a temporary."""
        from onnx import defs

        values: dict[str, Node] = dict(zip(body.input, args, strict=False))
        uses = Counter(name for node in body.node for name in node.input)
        opset = next((each.version for each in body.opset_import if each.domain in ("", "ai.onnx")), 0)
        for node in body.node:
            if node.op_type == "Constant":
                values[node.output[0]] = _constant(node, attributes)
                continue
            if node.op_type == "Cast":
                values[node.output[0]] = _cast(node, values)
                continue
            missing = [name for name in node.input if name not in values]
            if missing:
                raise Unsayable(f"{node.op_type} of its function has an operand left out")
            given = {each.name: _attribute(each, attributes) for each in node.attribute}
            schema = defs.get_schema(node.op_type, opset, node.domain) if opset else defs.get_schema(node.op_type)
            results = self.call(schema, [values[name] for name in node.input], given, depth + 1)
            for name, value in zip(node.output, results, strict=False):
                once = uses[name] < 2 or isinstance(value, _LEAVES)
                values[name] = value if once else self.assigned(name, value)
        if missing := [name for name in body.output if name not in values]:
            raise Unsayable(f"'{missing[0]}' is not in the language of compute:")
        return [values[name] for name in body.output]


def _constant(node: Any, attributes: Mapping[str, Node]) -> Node:
    (attribute,) = node.attribute
    if attribute.ref_attr_name:
        if attribute.ref_attr_name not in attributes:
            raise Unsayable(f"attribute '{attribute.ref_attr_name}' has no value")
        return attributes[attribute.ref_attr_name]
    if attribute.name in ("value_float", "value_int"):
        return Const(attribute.f if attribute.name == "value_float" else attribute.i)
    if attribute.name == "value":
        from onnx import numpy_helper

        array = numpy_helper.to_array(attribute.t)
        if array.size == 1:
            return Const(array.reshape(-1)[0].item())
    raise Unsayable("a constant of several numbers")


def _cast(node: Any, values: Mapping[str, Node]) -> Node:
    """A cast among floats is none: everything is computed in reals."""
    to = next((each for each in node.attribute if each.name == "to"), None)
    if to is None or to.ref_attr_name or to.i not in (1, 10, 11, 16):
        raise Unsayable("a cast to a type that is not real")
    return values[node.input[0]]


def _attribute(attribute: Any, attributes: Mapping[str, Node]) -> Node:
    if attribute.ref_attr_name:
        if attribute.ref_attr_name not in attributes:
            raise Unsayable(f"attribute '{attribute.ref_attr_name}' has no value")
        return attributes[attribute.ref_attr_name]
    if attribute.type == 1:
        return Const(attribute.f)
    if attribute.type == 2:
        return Const(attribute.i)
    raise Unsayable(f"attribute '{attribute.name}' of {attribute.type}")


def plain(node: Node) -> Node:
    """The tree with whole numbers written so: `max(x, 0)`."""
    match node:
        case Const() if isinstance(node.value, float) and node.value.is_integer() and abs(node.value) < 1 << 31:
            return Const(int(node.value))
        case Const() if isinstance(node.value, float):
            return Const(_short(node.value))
        case Unary():
            return Unary(node.op, plain(node.operand))
        case Binary(op=BinaryOp.MUL, left=Const(value=1)):
            return plain(node.right)
        case Binary():
            return Binary(node.op, plain(node.left), plain(node.right))
        case Compare():
            return Compare(node.op, plain(node.left), plain(node.right))
        case Select():
            return Select(plain(node.test), plain(node.then), plain(node.other))
        case Call():
            return Call(node.function, tuple(plain(arg) for arg in node.args))
        case Cast():
            return Cast(plain(node.operand), node.dtype)
        case Reduce():
            return Reduce(node.op, plain(node.operand), node.axes, node.keepdims)
    return node


def _short(value: float) -> float:
    """The shortest decimal that is the same float32, of what is one: attributes hold those."""
    import numpy as np

    return float(str(np.float32(value))) if float(np.float32(value)) == value else value
