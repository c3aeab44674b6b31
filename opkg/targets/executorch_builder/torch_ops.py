"""Generates the torch custom ops of a package: `ops.py`, `computations.py` and `shape_rules.py`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath

from opkg.resources import render
from opkg.spec.compute.tree import Move, Movement, Param, Reduce
from opkg.spec.compute.walk import walk
from opkg.spec.compute.whole import REST, Range
from opkg.spec.expr import Call, Member, Name, Rest, ShapeList
from opkg.spec.model import Op, OpPackage, Quantization, TensorSpec
from opkg.spec.names import snake
from opkg.targets.executorch_builder.checks import check_name, types_name
from opkg.targets.executorch_builder.fusion import has_function, pattern_name
from opkg.targets.executorch_builder.layout import bracketed, import_lines, items
from opkg.targets.executorch_builder.names import local, quoted
from opkg.targets.executorch_builder.profiles import Profile
from opkg.targets.executorch_builder.shape_rules import rule_name, shape_rule
from opkg.targets.executorch_builder.torch_compute import compute_name
from opkg.targets.executorch_builder.torch_functions import Functions, functions

_CHECKS = frozenset({"Rejected", "Tensor", "from_end", "from_end_all"})


def custom_ops(package: OpPackage, profile: Profile) -> dict[str, str]:
    """Texts of the three modules by file name.

    Without a pass manager an op keeps its `compute:` or reference, and its pattern is left out.
    """
    computed = {op.name: functions(op, profile) for op in package.ops if op.compute is not None}
    return {
        "computations.py": _computations(
            package, [text for found in computed.values() for text in found.texts.values()]
        ),
        "ops.py": _ops(package, computed, profile),
        "shape_rules.py": _rules(package),
    }


def _ops(package: OpPackage, computed: dict[str, Functions], profile: Profile) -> str:
    fuses = bool(profile.passes)
    names = [name for op in package.ops for name in (check_name(op), types_name(op))]
    patterns = [op.name for op in package.ops if has_function(op, fuses)]
    imports: list[str] = ["from . import patterns"] if patterns else []
    wanted = ["Wanted"] if any(t.quantization is not None for op in package.ops for t in op.tensors) else []
    if computed:
        imports += import_lines("computations", [name for found in computed.values() for name in found.texts])
    imports += import_lines("constants", ["OUT_SCHEMAS", "SCHEMAS", "TORCH_NAMESPACE"])
    imports += import_lines("shape_rules", [rule_name(op) for op in package.ops])
    imports += import_lines("shapes", names)
    imports += import_lines("torch_calls", ["CALLS"] if any(op.torch for op in package.ops) else [])
    imports += import_lines("torch_eager", ["Eager"])
    imports += import_lines("torch_grad", ["define_gradient", "gradient_name"])
    imports += import_lines("torch_op", ["CustomOp", "out_names"])
    imports += import_lines("torch_packet", ["quicken", "slow"])
    imports += import_lines("torch_record", ["Output", *wanted])
    imports += import_lines("torch_results", ["Reference"])
    path = PurePosixPath(package.path)
    return render(
        "executorch_builder/ops.py.j2",
        package=package,
        imports=imports,
        patterns=bool(patterns),
        fuses=fuses,
        spec_folder="." if path.is_absolute() else path.parent.as_posix(),
        records=["\n".join(_record(op, op.name in patterns, computed.get(op.name))) for op in package.ops],
    )


def _computations(package: OpPackage, functions: list[str]) -> str:
    return render(
        "executorch_builder/computations.py.j2",
        package=package,
        functions=functions,
        any=any(": Any" in text for text in functions),
        helpers=any("tm." in text for text in functions),
    )


def _rules(package: OpPackage) -> str:
    rules = [shape_rule(op) for op in package.ops]
    helpers = {helper for _, used in rules for helper in used}
    imports = import_lines("checks", list(helpers & _CHECKS))
    imports += import_lines("functions", list(helpers - _CHECKS))
    return render(
        "executorch_builder/shape_rules.py.j2", package=package, imports=imports, functions=[text for text, _ in rules]
    )


def _record(op: Op, pattern: bool, computed: Functions | None) -> list[str]:
    """`CustomOp(...)`, a field a line."""
    fields = [
        f"name={quoted(snake(op.name))},",
        f"schema=SCHEMAS[{quoted(op.name)}],",
        f"out_schema=OUT_SCHEMAS[{quoted(op.name)}],",
        *bracketed("inputs=(", _trailing([quoted(t.name) for t in op.inputs]), "),", 2),
        *bracketed("params=(", _trailing([quoted(p.name) for p in op.params]), "),", 2),
        *bracketed("outputs=(", _trailing([_output(op, t) for t in op.outputs]), "),", 2),
        f"types={types_name(op)},",
        f"check={check_name(op)},",
        f"shapes={rule_name(op)},",
    ]
    if computed is not None:
        fields.append(f"compute={compute_name(op)},")
        reduces = reduced_axes(op)
        if reduces is not None:
            fields.append(
                f"reduces={items([repr(axis) if isinstance(axis, int) else quoted(axis) for axis in reduces])},"
            )
        fields += computed.fields()
    else:
        functions = (("reference", op.reference), ("backward", op.backward))
        fields += [f"{name}=({quoted(f.module)}, {quoted(f.function)})," for name, f in functions if f is not None]
    names = [*(t.name for t in op.tensors), *(p.name for p in op.params)]
    other = {name: local(name) for name in names if local(name) != name}
    if other:
        pairs = [f"{quoted(name)}: {quoted(changed)}" for name, changed in other.items()]
        fields += bracketed("locals={", pairs, "},", 2)
    wanted = [f"{quoted(name)}: {_wanted(quantization)}" for name, quantization in _quantizations(op).items()]
    if wanted:
        fields += bracketed("quantization={", wanted, "},", 2)
    if is_elementwise(op):
        fields.append("elementwise=True,")
    if op.torch:
        fields.append(f"calls=CALLS[{quoted(op.name)}],")
    if pattern and op.pattern is not None:
        fields.append(f"pattern=patterns.{pattern_name(op)},")
        if op.pattern.params:
            fields += bracketed("reads=(", _trailing([quoted(name) for name in op.pattern.params]), "),", 2)
    lines = [line if line.startswith(" ") else f"        {line}" for line in fields]
    return ["    CustomOp(", *lines, "    ),"]


def _quantizations(op: Op) -> dict[str, Quantization]:
    """What the tensors demand. The quantizer goes from inputs to outputs: inputs that are to be as an output is are as the first
    of them, and so is the output."""
    found = {t.name: t.quantization for t in op.tensors if t.quantization is not None}
    for output in op.outputs:
        alike = [t for t in op.inputs if t.quantization is not None and t.quantization.same_as == output.name]
        own = output.quantization.same_as if output.quantization is not None else None
        if not alike or own not in (None, *(t.name for t in alike)):
            continue
        first, made = alike[0], found.get(output.name, Quantization())
        for tensor in (*alike, output):
            found[tensor.name] = replace(made, same_as=first.name)
        if not first.variadic:
            found[first.name] = replace(made, same_as=None)
    return found


def _wanted(quantization: Quantization) -> str:
    args = [
        f"{key}={value!r}" for key in ("scale", "offset", "axis") if (value := getattr(quantization, key)) is not None
    ]
    args += ["symmetric=True"] if quantization.symmetric else []
    args += [f"same_as={quoted(quantization.same_as)}"] if quantization.same_as is not None else []
    return f"Wanted({', '.join(args)})"


def is_elementwise(op: Op) -> bool:
    """Whether the computation looks at one place at a time, in tensors of one shape or of one number of dimensions that are
    broadcast: any order of dimensions will do."""
    if op.compute is None or any(param.shape is not None or param.axis_of is not None for param in op.params):
        return False
    first, *others = op.tensors
    same = all(_has_shape_of(tensor, first.name) for tensor in others) and _is_open(first)
    if not same and not _is_broadcast(op):
        return False
    return not any(isinstance(node, Reduce | Move) for node in walk(s.expr for s in op.compute.statements))


def reduced_axes(op: Op) -> tuple[int | str, ...] | None:
    """The dimensions, or params with such, that the computation reduces, when all of them are kept: other dimensions may be
    computed piece by piece. None when they may not."""
    if op.compute is None or any(tensor.variadic is not None for tensor in op.tensors):
        return None
    found: dict[int | str, None] = {}
    arrays = {param.name for param in op.params if param.shape is not None}
    for node in walk(statement.expr for statement in op.compute.statements):
        if isinstance(node, Param) and node.name in arrays:
            return None
        if isinstance(node, Move):
            moved = _last_axes(node)
            if moved is None:
                return None
            found |= dict.fromkeys(moved)
        if isinstance(node, Reduce):
            if node.axes is None or node.keepdims is not True:
                return None
            found |= dict.fromkeys(node.axes if isinstance(node.axes, tuple) else (node.axes,))
    return tuple(found)


def _last_axes(node: Move) -> tuple[int, ...] | None:
    """The dimensions, counted from the end, along which elements are moved while all others stay; None where others may not."""
    behind = node.parts[1:]
    if node.op is Movement.SLICE and node.parts[:1] == (REST,) and all(isinstance(part, Range) for part in behind):
        return tuple(range(-len(behind), 0))
    if node.op is Movement.CONCAT and isinstance(node.axes, tuple) and node.axes[0] < 0:
        return node.axes
    return None


def _has_shape_of(tensor: TensorSpec, name: str) -> bool:
    return tensor.shape.tree in (Member(name, "shape"), Name(name))


def _is_broadcast(op: Op) -> bool:
    """Whether inputs that ask for nothing but one rank, the same for all, are broadcast to each output."""
    names = {tensor.name for tensor in op.inputs}
    ranks = {rank for tensor in op.inputs for rank in (tensor.ranks.low, tensor.ranks.high)}
    if len(ranks) != 1 or any(tensor.optional or tensor.variadic or not _is_open(tensor) for tensor in op.inputs):
        return False
    calls = [tensor.shape.tree for tensor in op.outputs]
    return all(
        isinstance(call, Call)
        and call.function == "broadcast"
        and {arg.id for arg in call.args if isinstance(arg, Name)} == names
        for call in calls
    )


def _is_open(tensor: TensorSpec) -> bool:
    """Whether a shape asks for nothing: `[...]`."""
    tree = tensor.shape.tree
    return isinstance(tree, ShapeList) and len(tree.items) == 1 and isinstance(tree.items[0], Rest)


def _trailing(values: list[str]) -> list[str]:
    """A tuple of one needs its comma."""
    return [f"{values[0]},"] if len(values) == 1 else values


def _output(op: Op, tensor: TensorSpec) -> str:
    args = [quoted(tensor.name)]
    like = next((t.name for t in op.inputs if not t.optional and t.dtype == tensor.dtype and t.dtype.var), "")
    if like:
        args.append(f"like={quoted(like)}")
    if tensor.variadic is not None:
        args.append(f"variadic={items([str(n) for n in tensor.variadic])}")
    return f"Output({', '.join(args)})"
