"""How long the torch ops of a generated package take in eager mode, against the same steps in torch: CPU time, one thread.

    python benchmarks/bench_eager.py                 # each row is the least of many runs, in turns
    python benchmarks/bench_eager.py long            # 4 rows of 1,000,000 elements
    python benchmarks/bench_eager.py gradients       # forward and backward, and how far the gradients are from float64
    python benchmarks/bench_eager.py gradients Mish  # of some ops, also of `long`, or with nothing before the names

It generates a package of the ops in eager.yaml, and starts itself again in the interpreter with torch
(docs/executorch.md, Set up).
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from eager_cases import Pair, Tensors, byte_cases, cases, tensors, whole_cases

SIZES = (1_000, 16_000, 100_000, 1_000_000)
ROWS = ((1, 17), (5_000, 20), (1, 128, 768), (24, 4096))  # nothing but the call, and about 100,000 elements
LONG = (4, 1_000_000)  # with `long` as argument: rows that go in no cache
GRADIENTS = ((1, 51), (64, 64), (64, 768), (197, 768), (1_000, 1_000))
FIXED = frozenset({"Rope", "SoftmaxFirst", "GroupNorm"})  # ops whose shapes are not free


def main() -> None:
    if sys.argv[1:] and Path(sys.argv[1]).is_dir():
        run(*sys.argv[1:])
        return
    root = Path(__file__).resolve().parents[1]
    python = os.environ.get("OPKG_EXECUTORCH_PYTHON") or str(root / ".venv-executorch/bin/python")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "specs").mkdir()
        (Path(folder) / "specs/eager.yaml").write_text(Path(__file__).with_name("eager.yaml").read_text())
        words = [sys.executable, "-m", "opkg", "-q", "-C", folder, "generate"]
        subprocess.run(words, check=True, env={**os.environ, "PYTHONPATH": str(root)})
        generated = f"{folder}/generated/bench_eager/executorch"
        subprocess.run([python, __file__, generated, *sys.argv[1:]], check=True)


def run(folder: str, *words: str) -> None:
    """The table that is asked for, of the package in a folder."""
    sys.path.insert(0, folder)
    import torch
    from bench_eager_executorch import ops

    torch.set_num_threads(1)
    torch.empty(7 << 20).fill_(
        0
    )  # what is freed once is kept, as in a process with a model: no call asks for new pages
    torch.manual_seed(1)
    ops.define()
    kind = words[0] if words and words[0] in ("long", "gradients") else ""
    names = words[1:] if kind else words
    if kind == "gradients":
        gradients(torch, names)
    else:
        forward(torch, kind == "long", names)


def forward(torch: Any, is_long: bool, names: Sequence[str]) -> None:
    """The table of calls alone, by ops, element types and sizes."""
    print("| op | type | elements | torch us | op us | times |\n| --- | --- | --- | --- | --- | --- |")
    for dtype in (torch.float32, torch.float16, torch.bfloat16, torch.int32, torch.uint8):
        for size in () if is_long else SIZES:
            for name, pair in _cases(torch, dtype, (size // 100, 100), names).items():
                show(name, dtype, str(size), pair, size)
        for shape in (LONG,) if is_long else ROWS:
            for name, pair in _cases(torch, dtype, shape, names).items():
                if name not in FIXED or (is_long and name == "SoftmaxFirst"):
                    show(name, dtype, "x".join(map(str, shape)), pair, max(math.prod(shape), 1_000))


def _cases(torch: Any, dtype: Any, shape: tuple[int, ...], names: Sequence[str]) -> dict[str, Pair]:
    if dtype.is_floating_point:
        found = cases(torch, tensors(torch, dtype, shape))
    else:
        found = (whole_cases if dtype is torch.int32 else byte_cases)(torch, shape)
    return {name: pair for name, pair in found.items() if not names or name in names}


def show(name: str, dtype: Any, shape: str, pair: Pair, size: int, more: str = "") -> None:
    """A row of the table."""
    ours, theirs = pair
    a, b = least(theirs, ours, max(3, 3_000_000 // size // 20))
    kind = str(dtype).removeprefix("torch.")
    print(f"| {name} | {kind} | {shape} | {a * 1e6:.1f} | {b * 1e6:.1f} | {b / a:.2f} |{more}", flush=True)


def gradients(torch: Any, names: Sequence[str]) -> None:
    """The table of calls with their gradients. Errors: the furthest gradient from that of float64, in parts of 2**-24 (float32)
    or 2**-11 of the largest in its row, and of itself."""
    print("| op | type | elements | torch us | op us | times | torch off | op off | torch, of itself | op, of itself |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        for shape, strided in [(shape, False) for shape in GRADIENTS] + [(GRADIENTS[2], True)]:
            given = tensors(torch, dtype, shape, strided)
            for tensor in given.all():
                tensor.requires_grad_(True)
            exact = Tensors(*(t.detach().double().requires_grad_(True) for t in given.all()))
            made = cases(torch, given), cases(torch, exact)
            for name in [n for n in made[0] if (not names or n in names) and n not in FIXED]:
                pair, wanted = made[0][name], made[1][name][1]
                ours, theirs = (_with_gradient(torch, call, given) for call in pair)
                off = _off(torch, theirs(), _with_gradient(torch, wanted, exact)(), dtype)
                own = _off(torch, ours(), _with_gradient(torch, wanted, exact)(), dtype)
                more = f" {off[0]:.1f} | {own[0]:.1f} | {off[1]:.1f} | {own[1]:.1f} |"
                label = "x".join(map(str, shape)) + (" strided" if strided else "")
                show(name, dtype, label, (ours, theirs), max(3 * math.prod(shape), 3_000), more)


def _with_gradient(torch: Any, call: Callable[[], Any], given: Tensors) -> Callable[[], Any]:
    """The call and the gradients of all that it takes; of the result as it is summed with numbers from 1 to 2."""
    leaves = given.all()
    results = call()
    several = results if isinstance(results, tuple) else (results,)
    weights = [torch.linspace(1, 2, y.numel()).view(y.shape).to(y) for y in several]

    def both() -> Any:
        made = call()
        return torch.autograd.grad(made, leaves, weights, allow_unused=True)

    return both


def _off(torch: Any, found: Sequence[Any], wanted: Sequence[Any], dtype: Any) -> tuple[float, float]:
    """How far gradients are from others at most: beside the largest of a row, and beside themselves."""
    place = torch.finfo(dtype).eps / 2
    far = [0.0, 0.0]
    for got, want in zip(found, wanted, strict=True):
        if got is not None and want is not None:
            off = (got.double() - want).abs() / place
            rows = want.abs().amax(-1, keepdim=True) if want.ndim else want.abs()
            for at, size in enumerate((rows, want.abs())):
                far[at] = max(far[at], float(torch.nan_to_num(off / size, nan=0.0).max()))
    return far[0], far[1]


def least(first: Callable[[], Any], second: Callable[[], Any], repeats: int) -> list[float]:
    """The least CPU time of a call of each; in turns, so that a slow moment meets both."""
    found = [float("inf")] * 2
    for _ in range(30):
        for at, call in enumerate((first, second)):
            call()
            begin = time.process_time_ns()
            for _ in range(repeats):
                call()
            found[at] = min(found[at], (time.process_time_ns() - begin) / repeats / 1e9)
    return found


if __name__ == "__main__":
    main()
