"""Prints a `compute:` tree as torch expressions: a function an op, on float64, int64 and bool tensors, and one
that is float32 where that is proved and has another text.

Operators are printed where torch's promotion gives what the spec says; the rest are calls of the generated package's
`torch_math` (`tm`). Long expressions are cut into temporaries, and what hangs on `present()` becomes `if` statements.
"""

from __future__ import annotations

from collections.abc import Sequence

from opkg.spec.compute.tree import (
    Call,
    Cast,
    Function,
)
from opkg.spec.compute.walk import walk
from opkg.spec.dtypes import DTYPES
from opkg.spec.model import Combination, Op
from opkg.spec.names import snake
from opkg.targets.executorch_builder.layout import bracketed
from opkg.targets.executorch_builder.names import doc, local
from opkg.targets.executorch_builder.torch_inputs import are_floats
from opkg.targets.executorch_builder.torch_known import Known
from opkg.targets.executorch_builder.torch_printer import Printer
from opkg.targets.executorch_builder.torch_single import Wide


def compute_name(op: Op) -> str:
    return f"compute_{snake(op.name)}"


def single_name(op: Op, wide: Wide) -> str:
    """The function in float32, where it is another one than `compute_name`."""
    return f"{'mixed' if wide.size else 'single'}_{snake(op.name)}"


def single_computation(op: Op, better: Op, wide: Wide) -> str:
    """The same for inputs of float32; `better`: the op with formulas for that, `wide`: what is float64 even so. Empty where
    the text would be the plain one."""
    name, rows = single_name(op, wide), [row for row in op.combinations if are_floats(op, row)]
    formed = frozenset(Function) - _called(op)
    text = _function(better, name, rows, wide, formed=formed, reals=True)
    return "" if text == _function(op, name, rows, None) else text


def _called(op: Op) -> frozenset[Function]:
    """The functions in a computation as it is written."""
    assert op.compute is not None
    nodes = walk(statement.expr for statement in op.compute.statements)
    return frozenset(node.function for node in nodes if isinstance(node, Call))


def half_name(op: Op) -> str:
    """The function in float16, where it is another one than in float32."""
    return f"half_{snake(op.name)}"


def half_computation(better: Op) -> str:
    """The same for inputs of float16, of which nothing but the result is rounded. Empty where the text would be the one for
    float32."""
    name, rows = half_name(better), [row for row in better.combinations if are_floats(better, row)]
    text = _function(better, name, rows, Wide(), half=True, reals=True)
    return "" if text == _function(better, name, rows, Wide(), reals=True) else text


def whole_name(op: Op) -> str:
    """The function in int32, where it is another one than in int64."""
    return f"whole_{snake(op.name)}"


def whole_computation(op: Op, rows: Sequence[Combination]) -> str:
    """The same for integers in int32. Empty where the text would be the plain one."""
    text = _function(op, whole_name(op), rows, Wide())
    return "" if text == _function(op, whole_name(op), rows, None) else text


def room_name(op: Op) -> str:
    """The function in int32 where inputs are small, else in int64."""
    return f"room_{snake(op.name)}"


def room_computation(op: Op, rows: Sequence[Combination], most: int) -> str:
    """The same, of inputs up to `most`."""
    dtypes = {tensor.name: {tensor.dtype.of(row).name for row in rows} for tensor in op.inputs}
    names = [local(name) for name, found in dtypes.items() if found != {"bool8"}]
    right = ", ".join(names)
    left = right if len(names) > 1 else f"({right},)"
    return _function(op, room_name(op), rows, Wide(), first=f"    {left} = tm.roomy({most}, {right})")


def computation(op: Op) -> str:
    """The function of one op that has a `compute:`: inputs (None: absent) and params as tensors, outputs as a tuple."""
    return _function(op, compute_name(op), op.combinations, None)


def _function(
    op: Op,
    name: str,
    rows: Sequence[Combination],
    wide: Wide | None,
    half: bool = False,
    formed: frozenset[Function] = frozenset(),
    reals: bool = False,
    first: str = "",
) -> str:
    assert op.compute is not None
    printer = Printer(op, rows, Known(op, rows, formed, reals), wide, half)
    for assignment in op.compute.statements:
        printer.assign(assignment.name, assignment.expr)
    args = []
    for tensor in op.inputs:
        args.append(f"{local(tensor.name)}: {'Any' if tensor.optional else 'torch.Tensor'}")  # Any: None, too
    args += [f"{local(param.name)}: torch.Tensor" for param in op.params]
    head = bracketed(f"def {name}(", [*args, "types: Mapping[str, str]"], ") -> tuple[Value, ...]:", 0)
    summary = doc(op.summary or op.name)
    printer.widen_inputs()
    values = [local(tensor.name) for tensor in op.outputs]
    returned = bracketed("return (", values, ")", 1) if len(values) > 1 else [f"    return ({values[0]},)"]
    lines = [first, *printer.code.lines] if first else printer.code.lines
    return "\n".join([*head, f'    """{summary}"""', *lines, *returned])


def cast_variables(op: Op) -> set[str]:
    """Type variables that the computation casts to."""
    nodes = walk(statement.expr for statement in op.compute.statements) if op.compute else ()
    return {node.dtype for node in nodes if isinstance(node, Cast) and node.dtype not in DTYPES}
