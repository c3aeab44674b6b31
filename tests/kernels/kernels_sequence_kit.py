"""Compiles rows with reductions into one program, on the host or for qemu-hexagon, and runs single rows of numpy data.

kit = RowKit(tmp_path, [(snippet, sequence), ...])        # or arch="v66"
got = kit.run([Row(0, {"x": array}, scales={"x": (0.1, 3)}), ...])
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import kernels_kit
import numpy as np
from kernels_kit import NUMPY, Kit

from opkg.kernels.emit.one_row import counting, numbers_of
from opkg.kernels.emit.rows import member_lines
from opkg.kernels.emit.sequence import sequence_lines
from opkg.kernels.sequence import Sequence as Loops
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.floating.spans import COUNT
from opkg.kernels.strategies.rows.numbers import COUNT_INVERSE


@dataclass(frozen=True)
class Row:
    """One row of n elements; every input has n. `shift`: by how many bytes pointers are misaligned."""

    unit: int
    inputs: Mapping[str, np.ndarray]
    scales: Mapping[str, tuple[float, int]] = field(default_factory=dict)
    params: Mapping[str, float] = field(default_factory=dict)
    shift: int = 0

    @property
    def n(self) -> int:
        return len(next(iter(self.inputs.values())))


@dataclass(frozen=True)
class Counted:
    """Of one row, without the cost of an empty call."""

    packets: int
    instructions: int
    hvx: int


class RowKit(Kit):
    """One program with the rows of several sequences."""

    level = "-O3"  # its packets are counted

    def __init__(
        self,
        folder: Path,
        pairs: Sequence[tuple[Snippet, Loops]],
        arch: str = "",
        unsigned: bool = False,
        model: int = 0,
    ) -> None:
        self.pairs = list(pairs)
        self.text = _program(self.pairs)
        super().__init__(folder, [], arch, unsigned, model)

    def _compile(self, source: Path) -> None:
        source.write_text(self.text)
        super()._compile(source)

    def run_rows(self, rows: Sequence[Row]) -> list[dict[str, np.ndarray] | None]:
        """The outputs of every row; None where the vector code said no. Checks that nothing else was written."""
        raw = self._execute(b"".join([self._packed(row, 0) for row in rows]))
        at, found = 0, []
        for row in rows:
            (status,) = struct.unpack_from("<I", raw, at)
            at += 4
            assert status != 2, f"wrote outside of an output: {row}"
            snippet, loops = self.pairs[row.unit]
            outputs = {}
            for operand in snippet.outputs:
                count = 1 if operand.name in loops.reduced else row.n
                outputs[operand.name] = np.frombuffer(raw, NUMPY[operand.storage], count, at)
                at += count * operand.storage.bytes
            found.append(outputs if status == 0 else None)
        assert at == len(raw)
        return found

    def count_row(self, row: Row) -> Counted:
        """Counters of one row (qemu only)."""
        status, packets, instructions, hvx = struct.unpack("<IIII", self._execute(self._packed(row, 1)))
        assert status == 0, "the vector code said no"
        return Counted(packets, instructions, hvx)

    def _packed(self, row: Row, counted: int) -> bytes:
        snippet = self.pairs[row.unit][0]
        out = [struct.pack("<IIIIII", row.unit, row.n, 0, row.shift, 0, counted)]
        for operand in (*snippet.inputs, *snippet.outputs):
            out.append(struct.pack("<fi", *row.scales.get(operand.name, (1.0, operand.bias))))
        out.append(b"".join([struct.pack("<d", row.params[p.name]) for p in snippet.params]))
        for operand in snippet.inputs:
            array = np.ascontiguousarray(row.inputs[operand.name], NUMPY[operand.storage])
            assert array.shape == (row.n,)
            out.append(array.tobytes())
        return b"".join(out)


def rows_text(snippet: Snippet, loops: Loops) -> str:
    """The struct of row functions, without portable code."""
    numbers = numbers_of(loops, False)
    of_one = numbers if numbers is not None and numbers.in_loops else None
    vector = [*(of_one.lines() if of_one is not None else ()), *sequence_lines(snippet, loops, between=of_one)]
    members = member_lines(loops)
    lines = [
        f"static constexpr uint32_t kStep = {loops.step};",
        *members,
        *([f"double {COUNT};"] if loops.counted else []),
        *counting(vector, members),
        f"bool prepare([[maybe_unused]] const {snippet.args}& op) {{",
        *(f"  {line}" for line in loops.prepare),
        *(["  {", *(f"    {line}" for line in loops.counted), "  }"] if loops.counted else []),
        "  return true;",
        "}",
        *vector,
    ]
    return "\n".join([f"struct {snippet.struct} {{", *(f"  {line}" for line in lines), "};"])


def _program(pairs: Sequence[tuple[Snippet, Loops]]) -> str:
    headers = dict.fromkeys(["opkg/kernel.h", "opkg/hvx.h"])
    for _, loops in pairs:
        headers |= dict.fromkeys(loops.headers)
    parts = [f'#include "{name}"' for name in headers]
    for number, (snippet, loops) in enumerate(pairs):
        args = kernels_kit._args(snippet)
        parts.append(f"namespace unit{number} {{\n{args}\n{rows_text(snippet, loops)}\n}}")
    parts += [kernels_kit._FRAME, _FINISH]
    parts += [_call(number, snippet, loops) for number, (snippet, loops) in enumerate(pairs)]
    cases = "\n".join([f"      case {number}: call{number}(head); break;" for number in range(len(pairs))])
    return "\n\n".join(parts) + kernels_kit._MAIN.replace("@CASES@", cases)


def _call(number: int, snippet: Snippet, loops: Loops) -> str:
    lines = [
        f"static unit{number}::{snippet.args} args{number};",
        f"static unit{number}::{snippet.struct} rows{number};",
        f"static void call{number}(const Head& head) {{",
        f"  auto& op = args{number};",
    ]
    for operand in (*snippet.inputs, *snippet.outputs):
        lines += [f"  op.{operand.name}.scale = take<float>();", f"  op.{operand.name}.zero = take<int32_t>();"]
    for param in snippet.params:
        lines.append(f"  op.{param.name} = static_cast<decltype(op.{param.name})>(take<double>());")
    places = [f"place({i}, false, head, head.n, {o.storage.bytes})" for i, o in enumerate(snippet.inputs)]
    lines.append(f"  const void* in[] = {{{', '.join(places)}}};")
    rooms, sizes = [], []
    for index, operand in enumerate(snippet.outputs):
        rooms.append(f"room({len(snippet.inputs) + index}, head, {operand.storage.bytes})")
        sizes.append(f"{'1' if operand.name in loops.reduced else 'head.n'} * {operand.storage.bytes}")
    if f" {COUNT_INVERSE};" in rows_text(snippet, loops):
        lines.append(f"  rows{number}.{COUNT_INVERSE} = opkg::hvx::CountInverse(head.n);")
    if loops.counted:
        lines.append(f"  rows{number}.{COUNT} = head.n;")
    lines += [
        f"  void* out[] = {{{', '.join(rooms)}}};",
        f"  const size_t sizes[] = {{{', '.join(sizes)}}};",
        f"  finish_row(head, rows{number}, rows{number}.prepare(op), in, out, sizes, {len(sizes)});",
        "}",
    ]
    return "\n".join(lines)


_FINISH = r"""
template <typename Rows>
static __attribute__((noinline)) bool run_row(const Rows& rows, const void* const* in, void* const* out, size_t n) {
  return rows.vector(in, out, n);
}

template <typename Rows>
static void finish_row(const Head& head, const Rows& rows, bool ready, const void* const* in, void* const* out,
                       const size_t* sizes, uint32_t outputs) {
  if (head.counted != 0) {
    const uint32_t a0 = counter<20>(), b0 = counter<21>(), c0 = counter<22>();
    nothing();
    const uint32_t a1 = counter<20>(), b1 = counter<21>(), c1 = counter<22>();
    const bool fine = ready && run_row(rows, in, out, head.n);
    const uint32_t a2 = counter<20>(), b2 = counter<21>(), c2 = counter<22>();
    const uint32_t found[] = {fine ? 0u : 1u, (a2 - a1) - (a1 - a0), (b2 - b1) - (b1 - b0), (c2 - c1) - (c1 - c0)};
    put(found, sizeof found);
    return;
  }
  uint32_t status = 1;
  if (ready) status = run_row(rows, in, out, head.n) ? 0 : 1;
  for (uint32_t i = 0; i < outputs; ++i) {
    const uint8_t* begin = static_cast<uint8_t*>(out[i]);
    for (uint32_t k = 1; k <= 256; ++k) {
      if (begin[-static_cast<int>(k)] != kGuard || begin[sizes[i] + k - 1] != kGuard) status = 2;
    }
  }
  put(&status, sizeof status);
  for (uint32_t i = 0; i < outputs; ++i) put(out[i], sizes[i]);
}
"""
