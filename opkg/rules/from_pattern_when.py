"""What a graph must be for an op of a spec to stand in it: shapes, element types, quantization, as conditions of a rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from opkg.spec.dtypes import DType, Kind
from opkg.spec.expr import Call, Member, Name, Num, Rest, ShapeList, Tree
from opkg.spec.model import Combination, Op, Quantization, TensorSpec
from opkg.spec.pattern_graph import Kind as ConstKind
from opkg.spec.pattern_graph import Number

RANK = 4  # of tensors in HTP's graphs, the first dimensions 1 where an op has fewer
_BYTES = {
    "Float32": 4,
    "Float16": 2,
    "QUInt8": 1,
    "QInt8": 1,
    "QUInt16": 2,
    "QInt16": 2,
    "Int32": 4,
    "QInt32": 4,
    "Int64": 8,
}
_TESTS = {
    "Float32": "IS_FLOAT32", "Float16": "IS_FLOAT16", "QUInt8": "IS_QUINT8", "QInt8": "IS_QINT8", "QUInt16": "IS_QUINT16",
    "QInt16": "IS_QINT16", "Int32": "IS_INT32", "QInt32": "IS_QINT32", "Int64": "IS_INT64",
}  # fmt: skip
_MIDDLE = {"QUInt8": 128, "QUInt16": 32768, "QInt8": 0, "QInt16": 0, "QInt32": 0}


class NotSaid(Exception):
    """The language of rules has no condition for this; the text says for what."""


def both(conditions: Sequence[str]) -> str:
    """All of them hold."""
    return conditions[0] if len(conditions) == 1 else f"AND({', '.join(conditions)})" if conditions else "OK"


def quoted(tag: str) -> str:
    return f'"{tag}"'


# ---- shapes


def shapes(op: Op, tags: Mapping[str, str], elementwise: bool) -> list[str]:
    """Conditions on the shapes of the inputs and of the root. Raises NotSaid.

    `tags`: input or output -> the rule's tag. `elementwise`: the core ops give the root the shape of all inputs together;
    else they count dimensions of tensors of rank 4.
    """
    keys = {tensor.name: _key(tensor, op) for tensor in op.tensors}
    alike = {keys[tensor.name] for tensor in op.inputs}
    conditions: list[str] = []
    groups: dict[Tree, str] = {}
    dims: dict[str, tuple[str, int]] = {}
    for tensor in op.tensors:
        key, tag = keys[tensor.name], tags[tensor.name]
        if elementwise and tensor in op.outputs and ((len(alike) == 1 and key in alike) or _broadcast(key, op)):
            continue
        if key in groups:
            conditions.append(f"SAME_SHAPE({quoted(groups[key])}, {quoted(tag)})")
            continue
        groups[key] = tag
        conditions += _dimensions(_base(tensor, op), tag, dims)
    if (
        not elementwise
        or any("DIM_OF" in text for text in conditions)
        or max(tensor.ranks.high for tensor in op.inputs) <= RANK
    ):
        conditions.insert(0, f"EQ(RANK_OF({quoted(tags[op.outputs[0].name])}), {RANK})")
    return conditions


def _base(tensor: TensorSpec, op: Op) -> TensorSpec:
    """The tensor that a shape such as `x.shape` speaks of, in the end."""
    for _ in op.inputs:
        tree = tensor.shape.tree
        name = tree.tensor if isinstance(tree, Member) and tree.member == "shape" else ""
        tensor = next((other for other in op.inputs if other.name == name), tensor)
    return tensor


def _key(tensor: TensorSpec, op: Op) -> Tree:
    """Tensors with one key have one shape."""
    base = _base(tensor, op)
    tree = base.shape.tree
    free = isinstance(tree, ShapeList) and any(isinstance(item, Rest) and item.name is None for item in tree.items)
    return Member(base.name, "shape") if free else tree


def _broadcast(tree: Tree, op: Op) -> bool:
    """Whether a shape is that of all inputs together, which is what core ops give."""
    if not isinstance(tree, Call) or tree.function != "broadcast":
        return False
    named = {part.tensor for part in tree.args if isinstance(part, Member)} | {
        part.id for part in tree.args if isinstance(part, Name)
    }
    return named >= {tensor.name for tensor in op.inputs}


def _dimensions(tensor: TensorSpec, tag: str, dims: dict[str, tuple[str, int]]) -> list[str]:
    """Conditions on single dimensions; what a name stands for is kept in `dims` when it is met first."""
    tree = tensor.shape.tree
    if not isinstance(tree, ShapeList):
        raise NotSaid(f"the shape of '{tensor.name}', {tensor.shape.text}")
    items, free = list(tree.items), tensor.ranks.high
    if any(isinstance(item, Rest) for item in items[1:]):
        raise NotSaid(f"the shape of '{tensor.name}', {tensor.shape.text}: '...' stands in front only")
    if items and isinstance(items[0], Rest):
        _rest(tensor, items.pop(0), len(items), tag, dims)
    else:
        free = len(items)
    if len(items) > RANK:
        raise NotSaid(f"the shape of '{tensor.name}', which has more than {RANK} dimensions")
    conditions = [f"EQ(DIM_OF({quoted(tag)}, {index}), 1)" for index in range(RANK - min(free, RANK))]
    for index, item in enumerate(items, RANK - len(items)):
        here = f"DIM_OF({quoted(tag)}, {index})"
        if isinstance(item, Num):
            conditions.append(f"EQ({here}, {item.value})")
        elif isinstance(item, Name):
            other = dims.setdefault(item.id, (tag, index))
            if other != (tag, index):
                conditions.append(f"EQ({here}, DIM_OF({quoted(other[0])}, {other[1]}))")
        else:
            raise NotSaid(f"the shape of '{tensor.name}', {tensor.shape.text}")
    return conditions


def _rest(tensor: TensorSpec, rest: object, behind: int, tag: str, dims: dict[str, tuple[str, int]]) -> None:
    """A run of dimensions in front: its name stands in one tensor only."""
    name = rest.name if isinstance(rest, Rest) else None
    if name is not None and dims.setdefault(f"*{name}", (tag, behind)) != (tag, behind):
        raise NotSaid(f"the shape of '{tensor.name}': '{name}...' in two tensors of different shape")


# ---- element types and quantization


def types(
    op: Op, tags: Mapping[str, str], numbers: Mapping[str, Number], interfaces: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Conditions on element types, quantization and constants (`numbers`: tag -> literal), and element types of the op
    that a rule cannot tell from others, which are left out. `interfaces`: "htp", "qhpi". Raises NotSaid."""
    alternatives: list[str] = []
    left_out: list[str] = []
    for combination in op.combinations:
        foreign = [dtype for tensor in op.tensors if not _tellable(dtype := tensor.dtype.of(combination))]
        if foreign:
            left_out += [dtype.name for dtype in foreign]
            continue
        for choice in _choices(op, combination, interfaces):
            alternative = both(_alternative(op, combination, choice, tags, numbers))
            if alternative not in alternatives:
                alternatives.append(alternative)
    if not alternatives:
        raise NotSaid(f"the element types {', '.join(dict.fromkeys(left_out))}")
    conditions = [alternatives[0] if len(alternatives) == 1 else f"OR({', '.join(alternatives)})"]
    if len(alternatives) == 1 and alternatives[0].startswith("AND("):
        conditions = _alternative_parts(alternatives[0])
    for tag, number in numbers.items():
        conditions += _param(quoted(tag), number)
    return conditions, list(dict.fromkeys(left_out))


def _param(tag: str, number: Number) -> list[str]:
    """Conditions on the constant that is a core op's param."""
    if number.kind is ConstKind.TENSOR:
        return []
    if number.kind is ConstKind.FLOAT:
        return [f"EQ(CONSTVAL_FLOAT({tag}, 0), {_float(number.value)})"]
    one = [f"EQ(DATA_SIZE({tag}), 4)"] if number.kind is ConstKind.INDEX else []
    return [*one, f"EQ(CONSTVAL_INT({tag}, 0), {int(number.value)})"]


def _alternative_parts(text: str) -> list[str]:
    """The operands of an `AND(...)`."""
    parts, depth, begun = [], 0, 4
    for at, char in enumerate(text[:-1]):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 1:
            parts.append(text[begun:at].strip())
            begun = at + 1
    return [*parts, text[begun:-1].strip()]


def _tellable(dtype: DType) -> bool:
    """Whether HTP has a type for this one alone: plain 8-bit and 16-bit integers look like quantized ones."""
    return dtype.kind is Kind.FLOAT or (dtype.quantized and dtype.htp != "") or dtype.name in ("int32", "int64")


def _choices(op: Op, combination: Combination, interfaces: Sequence[str]) -> list[dict[str, str]]:
    """Tensor -> HTP's type. Signed fixed point of 8 and 16 bits reaches a QHPI package as unsigned."""
    choices = []
    for interface in interfaces:
        choice = {tensor.name: str(getattr(tensor.dtype.of(combination), interface)) for tensor in op.tensors}
        if choice not in choices:
            choices.append(choice)
    return choices


def _alternative(
    op: Op, combination: Combination, choice: Mapping[str, str], tags: Mapping[str, str], numbers: Mapping[str, Number]
) -> list[str]:
    """What makes a graph one of this combination of element types."""
    conditions = [f"{_TESTS[choice[tensor.name]]}({quoted(tags[tensor.name])})" for tensor in op.tensors]
    for tensor in op.tensors:
        if tensor.quantization is not None and tensor.dtype.of(combination).quantized:
            conditions += _quantized(tensor, tensor.quantization, choice[tensor.name], tags)
    first = choice[op.inputs[0].name]
    for tag, number in numbers.items():
        if number.kind is ConstKind.TENSOR:
            conditions += [f"{_TESTS[first]}({quoted(tag)})", f"EQ(DATA_SIZE({quoted(tag)}), {_BYTES[first]})"]
            conditions.append(_value(tag, number.value, first))
    return conditions


def _quantized(tensor: TensorSpec, wanted: Quantization, type_: str, tags: Mapping[str, str]) -> list[str]:
    tag, conditions = quoted(tags[tensor.name]), []
    if wanted.axis is not None:
        raise NotSaid(f"quantization per channel of '{tensor.name}'")
    if wanted.same_as is not None:
        conditions.append(f"SAME_ENCODING({tag}, {quoted(tags[wanted.same_as])})")
    if wanted.scale is not None:
        conditions.append(f"EQ(STEPSIZE_OF({tag}), {_float(wanted.scale)})")
    if wanted.offset is not None:
        conditions.append(f"EQ(ZERO_OFFSET_OF({tag}), {-wanted.offset})")
    elif wanted.symmetric:
        conditions.append(f"EQ(ZERO_OFFSET_OF({tag}), {_MIDDLE[type_]})")
    return conditions


def _value(tag: str, value: float, type_: str) -> str:
    """A constant has this value: exactly in float32, else within what its type and step leave of the number."""
    found = f"CONSTVAL_FLOAT({quoted(tag)}, 0)"
    if type_ == "Float32" or value == 0 or type_ in ("Int32", "Int64"):
        return f"EQ({found}, {_float(value)})"
    near = abs(value) * (2.0**-10 if type_ == "Float16" else 1e-5)
    return f"LE(ABS(SUB({found}, {_float(value)})), {_float(near)})"


def _float(value: float) -> str:
    """A number as a float literal of C++."""
    text = repr(float(value))
    return f"{text}f" if "." in text or "e" in text else f"{text}.0f"
