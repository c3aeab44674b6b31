"""Prints the records of `ops.py`: what the generated modules know of each op."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.models.onnx_function import AXES_AS_INPUTS, LEAST_OPSET, Made, attribute_kind, functions
from opkg.models.onnx_nodes import ONNX_TYPES, Unfit
from opkg.models.onnx_params import as_inputs, several_dims
from opkg.spec.axis_params import counts_from_end
from opkg.spec.dtypes import DType
from opkg.spec.expr import Expression
from opkg.spec.model import Op, OpPackage, ParamSpec, TensorSpec
from opkg.spec.names import snake
from opkg.targets.onnxruntime.shape_rules import rule_name, shape_rule

WIDTH = 100
_NAMES = {name: name.replace("bool8", "bool").replace("float32", "float") for name in ONNX_TYPES}


def onnx_type(dtype: DType) -> str:
    """The element type of a tensor in ONNX: that of what quantized ones stand for, "float"; empty: none."""
    return "float" if dtype.quantized else _NAMES.get(dtype.name, "")


def record(head: str, args: Sequence[str], tail: str, depth: int) -> list[str]:
    """A call or display on one line, or with an argument a line where that is too long."""
    pad = "    " * depth
    flat = f"{pad}{head}{', '.join(args)}{tail}"
    if len(flat) <= WIDTH and not any("\n" in arg for arg in args):
        return [flat]
    return [f"{pad}{head}", *(f"{pad}    {arg}," for arg in args), f"{pad}{tail}"]


def quoted(text: str) -> str:
    """A Python string with the quotes that ruff would choose."""
    plain = repr(text)
    return f'"{plain[1:-1]}"' if plain[0] == "'" and '"' not in text else plain


def op_lines(package: OpPackage, op: Op) -> list[str]:
    """The entry of one op."""
    behind = as_inputs(op)
    lines = [f"    {quoted(op.name)}: Op("]
    fields = [f"name={quoted(op.name)}", f"doc={quoted(op.summary or op.name)}"]
    lines += [f"        {field}," for field in fields]
    lines += _tuple("inputs", [_tensor(op, tensor) for tensor in op.inputs])
    lines += _tuple("outputs", [_tensor(op, tensor) for tensor in op.outputs])
    if op.params:
        lines += _tuple("params", [_param(op, param) for param in op.params])
    if behind:
        lines.append("        as_inputs=True,")
    lines += _types(op)
    made = named_functions(package, op)
    if made:
        lines += _tuple("functions", [_function(name, each, op) for name, each in made])
    elif shape_rule(op):
        lines.append(f"        shapes=shape_rules.{rule_name(op)},")
    return [*lines, "    ),"]


def named_functions(package: OpPackage, op: Op) -> list[tuple[str, Made]]:
    """The functions of an op with the names of their texts; those for older opsets only where they differ."""
    found: list[tuple[str, Made]] = []
    for opset in (LEAST_OPSET, AXES_AS_INPUTS):
        try:
            made = functions(op, package.name, as_inputs(op), opset)
        except Unfit:
            continue
        for each in made:
            if any(each.function == other.function for _, other in found):
                continue
            name = "_".join(p for p in (snake(op.name), each.function.overload, str(each.function.opset)) if p)
            found.append((name.upper(), each))
    return found


def why_no_function(op: Op, package: OpPackage) -> str:
    """Why an op has no function; empty when it has one."""
    try:
        functions(op, package.name, as_inputs(op))
    except Unfit as unfit:
        return str(unfit)
    return ""


def _tuple(name: str, items: list[str]) -> list[str]:
    """A field that is a tuple; one of a single item ends with a comma."""
    whole = record(f"{name}=(", [f"{items[0]},"] if len(items) == 1 else items, "),", 2)
    return whole if len(whole) == 1 else record(f"{name}=(", items, "),", 2)


def _tensor(op: Op, tensor: TensorSpec) -> str:
    args = [quoted(tensor.name), quoted(_type_name(op, tensor))]
    args += [f"{flag}=True" for flag in ("optional", "static") if getattr(tensor, flag)]
    args += ["variadic=True"] if tensor.variadic else []
    args += [f"layout={quoted(tensor.layout)}"] if tensor.layout else []
    return f"Tensor({', '.join(args)})"


def _type_name(op: Op, tensor: TensorSpec) -> str:
    return tensor.dtype.var or onnx_type(tensor.dtype.of(op.combinations[0]))


def _types(op: Op) -> list[str]:
    """What each type variable can be."""
    rows: dict[str, dict[str, None]] = {}
    for combination in op.combinations:
        for name, dtype in combination.types:
            found = onnx_type(dtype)
            rows.setdefault(name, {})[found] = None
    if not rows:
        return []
    items = [f"{quoted(name)}: {_display([quoted(t) for t in types if t])}" for name, types in rows.items()]
    return record("types={", items, "},", 2)


def _display(items: Sequence[str]) -> str:
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def _param(op: Op, param: ParamSpec) -> str:
    args = [quoted(param.name), quoted(attribute_kind(param).value)]
    if param.default is not None and not isinstance(param.default, Expression):
        args.append(repr(param.default))
    if counts_from_end(op, param):
        args.append(f"axis_of={quoted(str(param.axis_of))}")
    shape = several_dims(param)
    args += [f"shape={shape!r}"] if shape else []
    return f"Param({', '.join(args)})"


def _function(name: str, made: Made, op: Op) -> str:
    rows = dict.fromkeys(tuple(onnx_type(t.dtype.of(c)) for t in op.inputs[: made.inputs]) for c in made.combinations)
    types = _display([_display([quoted(t) for t in row]) for row in rows])
    made_of = (quoted(made.function.overload), str(made.function.opset), str(made.inputs), types, f"functions.{name}")
    return f"Function({', '.join(made_of)})"
