"""Runs in the interpreter that has torch: ops that compute in float32 keep to what is proved of them, against float64.

PYTHONPATH has the packages. Argument: a JSON file, by package and op a list of the proofs of each row of its element types.
Prints one line of JSON: how many outputs were compared, and those that are off.
"""

from __future__ import annotations

import importlib
import json
import sys

import torch
from torch.overrides import TorchFunctionMode

UNIT, NORMAL, COUNT = 2.0**-24, 2.0**-126, 12000
LARGE = 72000  # in parts, where steps are float64
ROW, FULL = 60, 2.0**127.9
SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    torch.nan,
    torch.inf,
    -torch.inf,
    88.0,
    -88.0,
    -89.5,
    -95.0,
    -104.0,
    1e-45,
    -1e-38,
    1e38,
    -3e38,
    6e-8,
    65504.0,
]


def sample(dtype: torch.dtype, count: int) -> torch.Tensor:
    """Numbers of each kind: any bits, ordinary ones, and special ones."""
    bits, wide = (torch.int32, 1 << 31) if dtype is torch.float32 else (torch.int16, 1 << 15)
    any_bits = torch.randint(-wide, wide, (count,)).to(bits).view(dtype)
    kinds = [any_bits, torch.randn(count).to(dtype), (torch.randn(count) * 40).to(dtype)]
    kinds.append(torch.tensor(SPECIAL)[torch.randint(0, len(SPECIAL), (count,))].to(dtype))
    chosen = torch.multinomial(torch.tensor([0.4, 0.3, 0.2, 0.1]), count, replacement=True)
    return torch.stack(kinds).gather(0, chosen[None])[0]


def rows(dtype: torch.dtype, count: int) -> torch.Tensor:
    """The same in rows: each of one kind, one in a few of one size, so that not all have a NaN or an infinity in them."""
    elements = sample(dtype, count).reshape(-1, ROW)
    numbers = torch.randn(count).reshape(-1, ROW)
    scales = 10.0 ** torch.empty(len(numbers), 1).uniform_(-25, 12)
    kinds = [elements.float(), numbers, numbers * 40, numbers * scales, numbers.round() * 12, 9 + numbers / 100]
    chosen = torch.randint(0, len(kinds), (len(numbers), 1)).expand(-1, ROW)
    return torch.stack(kinds).gather(0, chosen[None])[0].to(dtype)


class Exact(TorchFunctionMode):
    """Without what float64 loses, too: log(1 + exp(x)) below -36 and beyond 709, 1 + tanh(x) and 1 + erf(x) far below 0,
    exp(x) - 1 and 1 - cos(x) beside 0, 1 - tanh(x) and 1 - tanh(x) ** 2 far from it, logarithms of 1 + x, 1 - x and
    sigmoids. And where sums over dimensions are infinite in float32."""

    def __init__(self) -> None:
        super().__init__()
        self.made, self.full = {}, []  # by identity: the function and its operand, and the result, which keeps it

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        name = getattr(function, "__name__", "")
        if name in ("exp", "tanh", "erf", "cos", "sigmoid"):
            self.made[id(result)] = name, args[0], result
        inner, x, _ = self.made.get(id(args[0]), ("", None, None))
        if name in ("add", "__radd__") and isinstance(args[1], int) and args[1] == 1:
            if inner == "exp":
                self.made[id(result)] = "1 + exp", x, result
            if inner in ("tanh", "erf"):
                return 2 * torch.sigmoid(2 * x) if inner == "tanh" else torch.special.erfc(-x)
            self.made.setdefault(id(result), ("1 +", args[0], result))
        if name in ("rsub", "__rsub__") and args[1] == 1 and inner == "":
            self.made[id(result)] = "1 +", -args[0], result
        if name == "log" and inner in ("1 +", "sigmoid"):
            return torch.log1p(x) if inner == "1 +" else -torch.logaddexp(-x, torch.zeros_like(x))
        if inner == "cos" and args[1:] == (1,) and name in ("sub", "__sub__", "rsub", "__rsub__"):
            return 2 * torch.sin(x / 2) ** 2 * (-1 if name in ("sub", "__sub__") else 1)
        if name in ("pow", "__pow__") and inner == "tanh" and args[1] == 2:
            self.made[id(result)] = "tanh ** 2", x, result
        if name in ("sub", "__sub__") and inner == "exp" and isinstance(args[1], int) and args[1] == 1:
            return torch.expm1(x)
        if name in ("rsub", "__rsub__") and args[1] == 1 and inner in ("tanh", "tanh ** 2"):
            gate = torch.sigmoid(-2 * x)
            return 2 * gate if inner == "tanh" else 4 * gate * torch.sigmoid(2 * x)
        if (name, inner) in (("log", "1 + exp"), ("log1p", "exp")):
            return torch.logaddexp(x, torch.zeros_like(x))
        if name == "gelu":
            return args[0] * (0.5 * torch.special.erfc(args[0] * -(0.5**0.5)))
        if name in ("sum", "mean"):
            largest = torch.amax(args[0].abs().nan_to_num(0, 0, 0), args[1], True)
            self.full.append(torch.maximum(largest, result.abs().nan_to_num(0, 0, 0)) >= FULL)
        return result


def full(op, tensors, plan) -> torch.Tensor:
    """Where a sum over dimensions is infinite in float32."""
    with Exact() as mode:
        op.compute(*[t.double() for t in tensors], *plan.params, plan.types)
    found = torch.zeros_like(tensors[0], dtype=torch.bool)
    for each in mode.full:
        found = found | each
    return found


def exact(op, tensors, plan) -> list[torch.Tensor]:
    """The computation in float64, not rounded."""
    with Exact():
        values = op.compute(*[t.double() for t in tensors], *plan.params, plan.types)
    return [v.double().expand(tensors[0].shape) for v in values]


def off(op, tensors, plan, got, at: int, proof: dict) -> torch.Tensor:
    """Where an output is further from float64 than is proved."""
    want = exact(op, tensors, plan)[at]
    room = proof["error"] * UNIT * want.abs() * (1 + 1e-6)
    moves = torch.zeros_like(want)
    for name in proof["moved"]:
        for sign in (-1, 1):
            factor = 1 + sign * (proof["error"] + 1) * UNIT
            moved = [t.double() * factor if n == name else t for n, t in zip(op.inputs, tensors, strict=True)]
            moves = moves + (exact(op, moved, plan)[at] - want).abs().nan_to_num(0, 0, 0)
    room = room + moves
    sizes = torch.stack([t.double().abs() for t in tensors]).nan_to_num(0).amax(0)
    room = room + proof["loss"] * NORMAL * (sizes.clamp(min=1) if proof["scaled"] else 1) + 2.0**-149
    if proof["grained"]:
        room = room + 2.0**-44 * (1 + sizes)
    most, limit = 3.4028235e38, 2.0**128
    if got.dtype is torch.float16:
        places = torch.frexp(want.nan_to_num(0, 0, 0)).exponent.clamp(min=-13) - 11
        half = (0.5002 + proof["error"] / 8192) * torch.ldexp(torch.ones_like(want), places)
        room, most, limit = half + moves, 65504.0, 65520.0 - 0.4
    most, limit = (end * (1 - proof["error"] * UNIT) for end in (most, limit))
    value = got.double()
    good = ((value - want).abs() <= room) | (value == want) | (value.isnan() & want.isnan())
    good |= value.isinf() & (want.abs() >= limit * (1 - 1e-6)) & (value.sign() == want.sign())
    good |= want.isinf() & (value.abs() >= most) & (value.sign() == want.sign())
    if proof["infinite"] == 2:
        good |= ~value.isfinite() & (sizes > 40)
    if proof["loss"]:  # 0 * infinity
        good |= value.isnan() & torch.stack([t.isinf() for t in tensors]).any(0)
    if proof["error"] == 0 and not proof["loss"] and got.dtype is torch.float32:
        same = (value == want) & (value.signbit() == want.signbit())
        good &= same | value.isnan() & want.isnan() | (value.isinf() if proof["infinite"] else torch.zeros_like(good))
    if proof["capped"]:
        good |= full(op, tensors, plan)
    return ~good


def check(module, op, row: int, proofs: dict) -> list[str]:
    """One op under one row of element types."""
    eager = module._eager(op, None)
    kinds = {"float32": torch.float32, "float16": torch.float16}
    found = []
    is_mixed = row in op.mixed
    for again, count in enumerate((COUNT, COUNT, COUNT, LARGE, LARGE)[: 5 if is_mixed else 3]):
        some = rows if op.reduces else sample
        tensors = [some(kinds[op.types[row][name]], count) for name in op.inputs]
        plan = eager.plan(op.bind(tensors, {}))
        assert plan.kind is (torch.float16 if row in op.half else torch.float32)
        assert count == COUNT or plan.rows
        if again == 2 and len(tensors) > 1:  # what cancels
            last = tensors[-1].double() - exact(op, tensors, plan)[0]
            tensors[-1] = torch.where(last.isfinite(), last, 0).to(tensors[-1].dtype)
        results = getattr(getattr(torch.ops, module.TORCH_NAMESPACE), op.name)(*tensors)
        results = results if isinstance(results, tuple) else (results,)
        for at, (output, got) in enumerate(zip(op.outputs, results, strict=True)):
            wrong = (
                off(op, tensors, plan, got, at, proofs[output.name])
                if got.dtype.is_floating_point
                else got != exact(op, tensors, plan)[at]
            )
            for place in map(tuple, wrong.nonzero().tolist()[:2]):
                want = exact(op, tensors, plan)[at][place].item()
                given = [t[place].item() for t in tensors]
                found.append(f"{op.name} {output.name}{row}: {given} {got[place].item()} not {want} {proofs}")
    return found


def main() -> None:
    torch.manual_seed(3)
    torch.set_num_threads(1)
    compared, wrong = 0, []
    with open(sys.argv[1]) as file:
        packages = json.load(file)
    for name, ops in packages.items():
        module = importlib.import_module(f"{name}.ops")
        module.define()
        for op in module.OPS:
            rows = ops.get(op.name, [])
            known = sorted(set(op.single) - set(op.plain))
            assert known == [at for at, proofs in enumerate(rows) if proofs], op.name
            for row in known:
                compared += 1
                wrong += check(module, op, row, rows[row])
    print(json.dumps({"compared": compared, "wrong": wrong}))


main()
