"""Softmax of several rows at a time in fixed point (opkg/hvx_soft_rows.h), against numpy in float64."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from kernels_kit import absent, plain, snippets_of
from kernels_sequence_cases import STORED, elements
from kernels_sequence_kit import Row, RowKit, rows_text

import opkg.kernels.emit.slots as slots_text
from opkg.kernels.sequence import Sequence
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.rows.strategy import lower
from opkg.verify.machines.hexagon import toolchain

SOFTMAX = "e = exp(v - max(v, axis=-1, keepdims=True)); y = e / sum(e, axis=-1, keepdims=True)"
FORMS = {
    "plain": f"v = x * 0.5; {SOFTMAX}",
    "least": "e = exp(min(x, axis=-1, keepdims=True) - x); y = e / sum(e, axis=-1, keepdims=True)",
    "masked": f"v = where(m, x, -10000.0); {SOFTMAX}",
    "filled": f"v = where(m, -1.0e9, x * 0.25); {SOFTMAX}",
    "chosen": "e = where(m, exp(x - max(x, axis=-1, keepdims=True)), 0.0); y = e / sum(e, axis=-1, keepdims=True)",
    "added": f"v = x + r; {SOFTMAX}",
    "less": f"v = x / 8 - r; {SOFTMAX}",
}
CALL = """
static constexpr size_t kLength = {length};
bool vector(const void* const* in, void* const* out, size_t n) const {{
  const size_t bytes = kLength * 128 / kStep, at_once = opkg::hvx::Slots::rows_for(bytes, kVectorsKept);
  static constexpr size_t kSizes[] = {{{sizes}}};
  for (size_t row = 0, some; row < n / kLength; row += some) {{
    some = n / kLength - row < at_once ? n / kLength - row : at_once;
    const opkg::hvx::Slots slots(bytes, some, kLength);
    const void* from[{inputs}];
    for (size_t i = 0; i < {inputs}; ++i) from[i] = static_cast<const uint8_t*>(in[i]) + row * kLength * kSizes[i];
    void* const to[] = {{static_cast<uint8_t*>(out[0]) + row * kLength * kSizes[{inputs}]}};
    if (!(slots.one_vector() ? several<true>(slots, from, to, kLength) : several<false>(slots, from, to, kLength))) return false;
  }}
  return true;
}}
"""


def lowered(form: str, dtype: str, out: str) -> tuple[Snippet, Sequence]:
    more = "" if "m," not in FORMS[form] else ", m: {dtype: bool8, shape: [n]}"
    more += f", r: {{dtype: {dtype}, shape: [n]}}" if " r;" in FORMS[form] else ""
    text = (
        f"  Op: {{inputs: {{x: {{dtype: {dtype}, shape: [n]}}{more}}}, outputs: {{y: {{dtype: {out}, shape: [n]}}}}, "
    )
    (snippet,) = snippets_of(f"{text}compute: {FORMS[form]!r}}}\n")
    made = lower(snippet)
    assert not isinstance(made, str), made
    return snippet, made


class SlotKit(RowKit):
    """Rows of `length` elements, all that a call of the vector code is given."""

    def __init__(self, folder: Path, made: list[tuple[str, str, str, int]], arch: str = "") -> None:
        self.lengths = [length for *_, length in made]
        super().__init__(folder, [lowered(*key[:3]) for key in made], arch)

    def _compile(self, source: Path) -> None:
        for name in ("reduce.h", "slots.h"):
            (source.parent / "include" / "opkg" / name).write_text(plain(f"qnn/{name}"))
        for (snippet, loops), length in zip(self.pairs, self.lengths, strict=True):
            assert loops.slots is not None
            sizes = ", ".join(str(o.storage.bytes) for o in (*snippet.inputs, *snippet.outputs))
            call = CALL.format(length=length, sizes=sizes, inputs=len(snippet.inputs))
            alone = rows_text(snippet, loops)
            several = "\n".join(slots_text.slot_lines(snippet, loops, loops.slots))
            self.text = self.text.replace(alone, f"{alone[: alone.index('  bool vector(')]}{several}{call}}};", 1)
        super()._compile(source)


def reference(form: str, x: np.ndarray, m: np.ndarray, r: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        values = {
            "plain": x * 0.5, "least": -x, "chosen": x, "masked": np.where(m, x, -1e4), "filled": np.where(m, -1e9, x * 0.25),
            "added": x + r, "less": x / 8 - r,
        }  # fmt: skip
        v = values[form]
        e = np.exp(v - v.max(axis=-1, keepdims=True))
        e = np.where(m, e, 0.0) if form == "chosen" else e
        return np.asarray(e / e.sum(axis=-1, keepdims=True))


def check(kit: SlotKit, made: list[tuple[str, str, str, int]], seed: int, turns: int) -> None:
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    wanted: list[tuple[str, np.ndarray]] = []
    for (unit, (form, dtype, out, n)), turn in itertools.product(enumerate(made), range(turns)):
        count, limits, room = (
            int(rng.choice([1, 2, 31, 32, 33, 70])) if n < 300 else 3,
            np.iinfo(STORED[dtype]),
            np.iinfo(STORED[out]),
        )
        x, r = (
            np.concatenate([elements(rng, STORED[dtype], n, int(rng.integers(4))) for _ in range(count)])
            for _ in range(2)
        )
        m = (rng.random((count, n)) < rng.choice([0.0, 0.02, 0.5, 1.0], (count, 1))).ravel()
        if form in ("added", "less") and turn % 2:
            r = np.where(m, limits.max, limits.min).astype(r.dtype)
        steps = limits.max - limits.min
        scale, of_r = (float(np.float32(10 ** rng.uniform(-1, 2) / steps)) for _ in range(2))
        of_r = float(np.float32(rng.choice([of_r, 1e4 / steps, 1e9 / steps])))
        zeros = [int(rng.integers(limits.min, limits.max)) for _ in range(2)]
        shape = (count, n)
        real = [
            (v.reshape(shape).astype(np.float64) - zero) * by
            for v, zero, by in ((x, zeros[0], scale), (r, zeros[1], of_r))
        ]
        exact = reference(form, real[0], m.reshape(shape), real[1])
        y = float(np.float32(rng.choice([1.0, 1.0, 0.25, 3.0, 1e-3]) / (room.max - room.min)))
        at = int(rng.choice([room.min, room.min, 0, room.max - 5]))
        inputs = {"x": x, "m": m.astype(np.uint8), "r": r}
        used = {o.name: inputs[o.name] for o in kit.pairs[unit][0].inputs}
        rows.append(
            Row(
                unit, used, {"x": (scale, zeros[0]), "r": (of_r, zeros[1]), "y": (y, at)}, shift=int(rng.choice([0, 4]))
            )
        )
        wanted.append((form, np.clip(np.rint(exact / y) + at, room.min, room.max).ravel()))
    held = []
    for row, (form, stored), got in zip(rows, wanted, kit.run_rows(rows), strict=True):
        assert got is not None or form not in ("plain", "least", "filled") or row.scales["y"][0] < 1e-7
        if got is not None:
            off = np.abs(got["y"].astype(np.float64) - stored)
            assert not (off > 1).any(), (form, made[row.unit], row.scales, off.max())
            held.append(float((off > 0).mean()))
    assert len(held) >= 0.7 * len(rows)
    assert np.mean(held) < 0.02, np.mean(held)


FEW = [
    ("plain", "ufixed16", "ufixed16", 17),
    ("filled", "sfixed16", "ufixed16", 16),
    ("added", "ufixed16", "ufixed16", 64),
    ("less", "ufixed8", "ufixed8", 49),
]
MANY = [
    *FEW,
    *(("least", "sfixed16", "sfixed16", n) for n in (1, 3, 100)),
    *(("chosen", "sfixed16", "ufixed16", n) for n in (33, 1000)),
    *(("masked", "ufixed16", "sfixed16", n) for n in (3, 128, 197, 4096)),
    *(("plain", "ufixed16", "ufixed16", n) for n in (64, 2048)),
    *(("added", "sfixed16", "ufixed16", n) for n in (3, 1000, 4096)),
    *(("less", "sfixed8", "ufixed8", n) for n in (3, 129, 4096)),
    ("plain", "ufixed16", "ufixed8", 65),
]


def test_rows(tmp_path: Path) -> None:
    check(SlotKit(tmp_path, FEW), FEW, 5, 4)


@pytest.mark.sweep
@pytest.mark.parametrize("arch", ["", "v66"])
def test_all_rows(tmp_path: Path, arch: str) -> None:
    if arch and (toolchain.missing() or arch not in toolchain.runnable()):
        absent(f"no Hexagon toolchain for {arch}")
    check(SlotKit(tmp_path, MANY, arch), MANY, 7, 30)
