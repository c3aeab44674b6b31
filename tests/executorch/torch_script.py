"""Runs in the interpreter that has the wheel: the torch custom ops of generated packages against the spec's meaning.

PYTHONPATH has the packages and opkg, whose `opkg.verify.meaning.compute.evaluate` is the meaning. Argument: the folder with the
references of nn.layout. Prints one line of JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import nn_layout_executorch.ops as layout
import numpy as np
import test_computed_executorch.ops as computed
import test_everything_executorch.ops as everything
import torch
from test_computed_executorch import torch_values as tv

from opkg.spec.model import Op
from opkg.spec.names import snake
from opkg.spec.reader import read_file
from opkg.verify.meaning.compute import evaluate

HERE = Path(__file__).resolve().parent
SPECIAL = [0.0, -0.5, 0.5, 1.5, 2.5, np.nan, np.inf, -np.inf, 1e-30, 65504.0, 3e38]
INTEGERS = [0, 1, -1, -(2**31), 2**31 - 1, 127, 3]
SHAPES = {
    "Arithmetic": [((2, 3), (3,)), ((1,), (4, 1, 2)), ((5,), (5,))],
    "Integers": [((40,), (40,)), ((2, 3), (2, 3))],
    "Functions": [((40,),), ((2, 3, 4),)],
    "Norm": [((2, 3, 5), (5,), (5,)), ((4, 8), (8,), (8,))],
    "Reductions": [((2, 3, 4),), ((1, 5, 2),)],
    "Names": [((2, 3), (2, 3))],
}
PARAMS = {
    "Arithmetic": [{}, {"alpha": -0.25, "n": -2}],
    "Norm": [{}, {"loud": True, "epsilon": 0.5}],
    "Reductions": [{}, {"axes": [2], "axis": 0, "keep": False}, {"axes": [1, 0], "axis": -1}],
    "Names": [{}, {"out": -1.0}],
}


def tensor(dtype, shape, rng, wild: bool) -> torch.Tensor:
    """Random elements, special ones among them; of quantized types, floats."""
    size = int(np.prod(shape))
    if dtype.integral:
        low, high = dtype.limits
        values = rng.integers(max(low, -9), min(high, 9), size, endpoint=True)
        special = rng.choice(np.clip(np.array(INTEGERS), low, high), size)
    else:
        values, special = rng.normal(0, 2, size), rng.choice(np.array(SPECIAL), size)
    values = np.where(rng.random(size) < (0.3 if wild else 0.0), special, values)
    kind = getattr(torch, "float32" if dtype.quantized else dtype.name)
    return torch.from_numpy(values.reshape(shape)).to(kind)


def compare(op: Op, combination, inputs: list[torch.Tensor | None], given: dict) -> int:
    """One call against the meaning; the number of elements compared."""
    record = next(r for r in computed.OPS if r.name == snake(op.name))
    call, _ = record.checked(record.bind(inputs, given))
    values = {t.name: None if x is None else tv.entered(x).numpy() for t, x in zip(op.inputs, inputs, strict=True)}
    for param in op.params:
        values[param.name] = np.asarray(getattr(call, record.locals.get(param.name, param.name)))
    wanted = evaluate(op.compute, values, combination)
    results = getattr(torch.ops.test_computed, record.name)(*inputs, **given)
    results = results if isinstance(results, tuple | list) else (results,)
    count = 0
    for spec, got in zip(op.outputs, results, strict=True):
        with np.errstate(all="ignore"):
            kind = str(got.dtype).removeprefix("torch.")
            want = wanted[spec.name]
            want = np.broadcast_to(want, tuple(got.shape)) if want.ndim == 0 else want
            want = want.astype("int64").astype(kind) if kind.startswith(("int", "uint")) else want.astype(kind)
            exact = kind[0] != "f"
            finite = np.abs(want[np.isfinite(want)]) if not exact else np.zeros(0)
            room = {"rtol": 0, "atol": 0}
            if not exact:
                room = {"rtol": float(np.finfo(kind).eps), "atol": 1e-10 * float(finite.max()) if finite.size else 0}
            same = np.isclose(got.numpy(), want, equal_nan=True, **room)
        if record.plain:  # each step is rounded, and may be beyond float32
            large = torch.stack([(x.abs() > 1e30) & x.isfinite() for x in inputs]).any(0).numpy()
            same |= large | np.isclose(got.numpy(), want, rtol=4 * room["rtol"], atol=1e-6, equal_nan=True)
        assert want.shape == tuple(got.shape), (op.name, want.shape, got.shape)
        assert same.all(), (op.name, spec.name, str(combination), inputs, given, got, want)
        count += got.numel()
    return count


def meaning() -> dict[str, int]:
    """All ops, element types, presences and params."""
    package, findings = read_file(HERE / "specs" / "computed.yaml")
    assert package is not None, findings
    rng = np.random.default_rng(7)
    found: dict[str, int] = {}
    for op in package.ops:
        for combination in op.combinations:
            for shapes in SHAPES[op.name]:
                for given in PARAMS.get(op.name, [{}]):
                    for wild in (False, True):
                        for absent in range(4 if op.name == "Norm" else 1):
                            pairs = zip(op.inputs, shapes, strict=True)
                            inputs = [tensor(t.dtype.of(combination), s, rng, wild) for t, s in pairs]
                            inputs = [None if at and absent >> (at - 1) & 1 else x for at, x in enumerate(inputs)]
                            found[op.name] = found.get(op.name, 0) + compare(op, combination, inputs, given)
    return found


class Whole(torch.nn.Module):
    """Ops of two packages in one model."""

    def forward(self, x):
        ops, more = torch.ops.test_computed, torch.ops.nn_layout
        y, mean, _ = ops.norm(x, beta=x[0, 0])
        first, second = more.split(y, 2)
        return mean, more.channel_shuffle(first, 2), ops.names(second, second), ops.reductions(x, [1], keep=False)[2]


def opchecks() -> int:
    x = torch.randn(2, 3, 5)
    samples = [
        (torch.ops.test_computed.norm.default, (x, torch.randn(5)), {}),
        (torch.ops.test_computed.norm.default, (x,), {"loud": True}),
        (torch.ops.test_computed.reductions.default, (x, [1]), {"keep": False}),
        (torch.ops.test_computed.arithmetic.default, (x.abs() + 1, torch.arange(1, 6, dtype=torch.int32)), {"n": -4}),
        (torch.ops.nn_layout.split.default, (torch.randn(2, 6), 4), {}),
        (torch.ops.nn_layout.channel_shuffle.default, (torch.randn(2, 6), 3), {}),
        (torch.ops.test_computed.names.out, (x, x), {"out_": torch.zeros_like(x)}),
    ]
    for op, args, kwargs in samples:
        # What returns an argument that it writes to is not for torch.compile: ExecuTorch takes it after export.
        tests = {"test_utils": ("test_schema", "test_faketensor")} if kwargs.get("out_") is not None else {}
        result = torch.library.opcheck(op, args, kwargs, **tests)
        assert set(result.values()) == {"SUCCESS"}, result
    return len(samples)


def dynamic() -> list[str]:
    """Shapes of an exported model with a dynamic dimension, and that it computes the same for another size."""
    batch = torch.export.Dim("batch", min=2, max=64)
    program = torch.export.export(Whole(), (torch.randn(3, 4, 8),), dynamic_shapes=({0: batch},))
    ranges = [f"{r.lower}..{r.upper}" for r in program.range_constraints.values()]
    other = torch.randn(7, 4, 8)
    for got, want in zip(program.module()(other), Whole()(other), strict=True):
        assert torch.equal(got, want)
    return ranges


def program_size() -> int:
    """An ExecuTorch program of ops that nobody delegates: it calls the variants with out arguments."""
    from executorch.exir import EdgeCompileConfig, to_edge

    model = torch.export.export(Whole(), (torch.randn(3, 4, 8),))
    edge = to_edge(model, compile_config=EdgeCompileConfig(_check_ir_validity=False))
    return len(edge.to_executorch().buffer)


def outs() -> int:
    """Variants that write into arguments."""
    x = torch.randn(2, 6)
    first, second = torch.empty(2, 4), torch.empty(0)
    result = torch.ops.nn_layout.split.out(x, 4, out0=first, out1=second)
    assert result[0] is first
    assert torch.equal(first, x[:, :4])
    assert torch.equal(second, x[:, 4:])
    out = torch.empty(2, 6, dtype=torch.float32)
    assert torch.ops.test_computed.names.out(x, x, out_=out) is out
    assert torch.equal(out, torch.ops.test_computed.names(x, x))
    return 2


def errors() -> list[str]:
    """What calls that the spec does not allow say."""
    x = torch.randn(2, 3, 4)
    calls = [
        lambda: torch.ops.test_computed.integers(x, x),
        lambda: torch.ops.test_computed.norm(x, torch.ones(5)),
        lambda: torch.ops.test_computed.reductions(x, [0, 1, 2]),
        lambda: torch.ops.test_everything.fixed(x, x),
    ]
    found = []
    for call in calls:
        try:
            call()
        except (ValueError, NotImplementedError) as failure:
            found.append(str(failure))
    return found


def main() -> None:
    everything.define()
    layout.define(references=sys.argv[1])
    for _ in range(2):
        computed.define()
    with torch.no_grad():
        found = {"meaning": meaning(), "outs": outs(), "errors": errors(), "opchecks": opchecks(), "ranges": dynamic()}
    with torch._subclasses.FakeTensorMode():
        ops = torch.ops.test_everything
        low, high = ops.halves(torch.empty(2, 5))
        made = [*ops.pieces(torch.empty(2, 6), 3), low, high, ops.concat([low, high], 1)]
        found["fake"] = [list(t.shape) for t in made]
    found["program"] = program_size()
    computed.undefine()
    found["gone"] = not hasattr(torch.ops.test_computed, "norm")
    with torch.library._scoped_library("test_computed", "FRAGMENT") as other:
        other.define("names(Tensor x) -> Tensor")
        try:
            computed.define()
        except ValueError as failure:
            found["twice"] = str(failure)
    vars(torch.ops.test_computed).pop("names", None)
    computed.define()
    found["again"] = torch.ops.test_computed.names(torch.ones(1), torch.ones(1)).tolist()
    print(json.dumps(found))


main()
