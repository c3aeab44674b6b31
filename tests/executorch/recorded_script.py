"""Runs in the interpreter that has torch: what eager torch ops compute as recorded programs is what they compute at once.

PYTHONPATH has the packages; arguments: their names. Prints one line of JSON.
"""

from __future__ import annotations

import importlib
import json
import math
import sys
from concurrent.futures import ThreadPoolExecutor

import torch

MANDATORY = {"alpha": 0.2, "beta": 0.6, "axes": [1], "axis": 1, "operation": 2, "factor": 1.5, "min_value": -0.4}
MANDATORY |= {"max_value": 0.7}
LARGE = (1203, 96)  # in parts, of which the last is no whole one
SPECIAL = torch.tensor([0.0, -0.0, math.nan, math.inf, -math.inf, 0.5, 2.5, 1e-30, 3e38])


def sample(op, shapes, dtype):
    """Arguments of a call, other numbers each time."""
    found = []
    for shape in shapes:
        value = torch.randn(shape) * 3
        value[..., : min(3, shape[-1])] = SPECIAL[torch.randint(0, len(SPECIAL), (min(3, shape[-1]),))]
        found.append(
            value.to(dtype) if dtype.is_floating_point else value.nan_to_num(0, 9, -9).clamp(-99, 99).to(dtype)
        )
    return op.bind(found, {name: MANDATORY[name] for name in op.params if name in MANDATORY})


def allowed(op, shapes, dtype) -> bool:
    try:
        op.checked(sample(op, shapes, dtype))
    except (ValueError, TypeError):
        return False
    return True


def same(first, second) -> bool:
    """To the last bit; which NaN is torch's affair, whose conversions to float16 have several."""
    first, second = ([t.nan_to_num(math.nan, math.inf, -math.inf) for t in each] for each in (first, second))
    kinds = {torch.float32: torch.int32, torch.float16: torch.int16, torch.float64: torch.int64}
    pairs = [
        (a.view(kinds.get(a.dtype, a.dtype)), b.view(kinds.get(b.dtype, b.dtype)))
        for a, b in zip(first, second, strict=True)
    ]
    return all(torch.equal(a, b) for a, b in pairs)


def calls(module, op) -> tuple[int, int]:
    """Calls of one op, each shape four times; how many were tried, and how many ran as programs or in float32 as they are."""
    eager = module._eager(op, None)
    tried = programs = 0
    for whole in ((3, 5), LARGE):
        for row in ([whole] * len(op.inputs), [whole, *[(whole[1],)] * (len(op.inputs) - 1)]):
            for dtype in (torch.float32, torch.float16, torch.int32):
                if not allowed(op, row, dtype):
                    continue
                earlier = []
                for _ in range(4):
                    given = sample(op, row, dtype)
                    plan = eager.plan(given)
                    earlier.append((eager.results(given, plan), eager.whole(given, plan, plan.kind)))
                assert all(same(got, want) for got, want in earlier), (op.name, row, dtype)  # and none was written over
                tried += 4
                programs += len(plan.programs or ()) + plan.direct
    return tried, programs


def threads(module, op) -> int:
    """Several threads call one op; each gets its own results. How many programs that took."""
    eager = module._eager(op, None)
    tensors = [torch.full((200, 300), float(at)) for at in range(8)]

    def run(tensor) -> bool:
        given = op.bind([tensor], {})
        plan = eager.plan(given)
        return all(same(eager.results(given, plan), wanted[id(tensor)]) for _ in range(20))

    plan = eager.plan(op.bind([tensors[0]], {}))
    wanted = {id(t): eager.whole(op.bind([t], {}), plan) for t in tensors}
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(run, tensors))
    return len(plan.programs)


def kept(module, op) -> int:
    """Programs that are kept after many shapes."""
    eager = module._eager(op, None)
    for size in range(1, 101):
        for _ in range(2):
            given = op.bind([torch.ones(size)], {})
            eager.results(given, eager.plan(given))
    return sum(len(plan.programs) for plan in eager._plans.values())


def main() -> None:
    torch.manual_seed(2)
    torch.set_num_threads(1)
    found: dict[str, object] = {"calls": {}, "computed": []}
    for name in sys.argv[1:]:
        module = importlib.import_module(f"{name}.ops")
        for op in module.OPS:
            if op.compute is None or op.pattern is not None:
                continue
            tried, programs = calls(module, op)
            found["calls"][f"{name}.{op.name}"] = tried
            if tried and not programs:
                found["computed"].append(f"{name}.{op.name}")
        for op in module.OPS:
            if op.name == "rests":
                found["threads"], found["kept"] = threads(module, op), kept(module, op)
    print(json.dumps(found))


main()
