"""Runs in the interpreter that has torch: ops that are float32 step by step, against their meaning and the sizes of terms.

PYTHONPATH has the package and opkg. Argument: the spec. Prints one line of JSON: how many elements were compared, the worst share
of what is allowed, and what is wrong.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import test_plain_executorch.ops as ops
import torch

from opkg.spec.compute.tree import (
    Assigned,
    Binary,
    BinaryOp,
    Call,
    Compute,
    Const,
    Function,
    Move,
    Node,
    Reduce,
    Reduction,
    Select,
    Unary,
    UnaryOp,
)
from opkg.spec.reader import read_file
from opkg.targets.executorch_builder.torch_forms import formed
from opkg.targets.executorch_builder.torch_plain import plain
from opkg.verify.meaning.compute import evaluate

UNIT = 2.0**-24
CHOICES = (Function.MIN, Function.MAX, Function.CLIP)
SHAPES = ((3, 40), (7, 300), (1, 5000), (900, 100))
OTHER = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0]


def sizes(node: Node) -> Node:
    """The computation with the magnitude of each value, where what is subtracted is added."""
    match node:
        case Const(value):
            return Const(abs(value))
        case Assigned():
            return Assigned(f"size_{node.name}")
        case Unary(UnaryOp.NEG, operand) | Call(Function.ABS, (operand,)):
            return sizes(operand)
        case Binary():
            op = BinaryOp.ADD if node.op is BinaryOp.SUB else node.op
            right = node.right if node.op is BinaryOp.POW else sizes(node.right)
            return replace(node, op=op, left=sizes(node.left), right=right)
        case Select():
            return replace(node, then=sizes(node.then), other=sizes(node.other))
        case Call(function, args) if function in CHOICES:
            return Call(Function.MAX, tuple(map(sizes, args)))
        case Reduce(Reduction.MIN | Reduction.MAX):
            return replace(node, op=Reduction.MAX, operand=sizes(node.operand))
        case Reduce():
            return replace(node, operand=sizes(node.operand))
        case Move():
            return replace(node, args=tuple(map(sizes, node.args)))
        case _:
            return Call(Function.ABS, (node,))


def measured(compute: Compute) -> Compute:
    """The computation with the sizes of all its names."""
    more = tuple(replace(each, name=f"size_{each.name}", expr=sizes(each.expr)) for each in compute.statements)
    pairs = zip(compute.statements, more, strict=True)
    return replace(compute, statements=tuple(each for pair in pairs for each in pair))


def inputs(
    rng: np.random.Generator, names: list[str], shape: tuple[int, ...], dtype: torch.dtype
) -> list[torch.Tensor]:
    """Tensors of many sizes, that cancel, and with numbers that are none."""
    made = rng.normal(0, 1, shape) * 10.0 ** rng.uniform(-2, 1, (shape[0], 1))
    found = [torch.from_numpy(made).to(dtype)]
    for _ in names[1:]:
        near = found[0].double().numpy() * (1 + rng.integers(-3, 4, shape) * 2.0 ** -rng.integers(8, 23, shape))
        far = rng.normal(0, 1, shape)
        found.append(torch.from_numpy(np.where(rng.random(shape) < 0.5, near, far)).to(dtype))
    for tensor in found:
        tensor[0, :5] = torch.tensor(rng.choice(OTHER, 5)).to(dtype)
    return found


def worst(got: np.ndarray, want: np.ndarray, room: np.ndarray, half: bool) -> float:
    """The largest share of what is allowed; infinite where a number is none."""
    if half:
        room = room + np.abs(want) * 2.0**-11 * 1.001 + 2.0**-25
    limit = 65520.0 if half else 2.0**128
    want = np.where(np.isfinite(want) & (np.abs(want) >= limit), np.copysign(np.inf, want), want)
    known = np.isfinite(want) & np.isfinite(room)
    if not np.array_equal(got[~np.isfinite(want)], want[~np.isfinite(want)], equal_nan=True):
        return float("inf")
    return float(np.nanmax(np.abs(got[known] - want[known]) / (room[known] + 2.0**-120), initial=0))


def main() -> None:
    torch.manual_seed(1)
    torch.set_num_threads(1)
    package, findings = read_file(Path(sys.argv[1]))
    assert package is not None, findings
    ops.define()
    rng = np.random.default_rng(7)
    compared, largest, wrong = 0, 0.0, []
    for op, record in zip(package.ops, ops.OPS, strict=True):
        for row in record.plain:
            better, combination = formed(op), op.combinations[row]
            known = plain(better, combination)
            assert known is not None
            dtype = torch.float16 if record.types[row]["x"] == "float16" else torch.float32
            for shape in (*SHAPES, SHAPES[0]):
                tensors = inputs(rng, list(record.inputs), shape, dtype)
                values = {n: t.double().numpy() for n, t in zip(record.inputs, tensors, strict=True)}
                values |= {"p": np.asarray(np.float32(0.3), np.float64)}
                found = evaluate(measured(better.compute), values, combination, exact=False)
                before = [t.clone() for t in tensors]
                results = getattr(torch.ops.test_plain, record.name)(*tensors)
                results = results if isinstance(results, tuple) else (results,)
                assert all(torch.equal(a.isnan(), b.isnan()) for a, b in zip(tensors, before, strict=True))
                for output, result in zip(op.outputs, results, strict=True):
                    assert all(result.data_ptr() != t.data_ptr() for t in tensors)
                    room = known.outputs[output.name].error * UNIT * np.abs(found[f"size_{output.name}"])
                    want = np.broadcast_to(found[output.name], result.shape)
                    share = worst(
                        result.double().numpy(), want, np.broadcast_to(room, result.shape), dtype is torch.float16
                    )
                    compared, largest = compared + result.numel(), max(largest, share)
                    if share > 1:
                        wrong.append([op.name, output.name, row, share, str(op.compute.statements[-1].expr)[:200]])
    print(json.dumps({"compared": compared, "worst": largest, "wrong": wrong}))


main()
