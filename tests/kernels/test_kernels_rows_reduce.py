"""opkg::reduce calls the vector code for rows that lie in one piece, and the portable code for all others."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
from kernels_kit import TEMPLATES, _args
from kernels_sequence_cases import of_case
from kernels_sequence_kit import rows_text

PROGRAM = """
#include <cstdio>

#include "opkg/kernel.h"
#include "opkg/hvx.h"
#include "opkg/reduce.h"
{headers}

namespace softmax {{
{softmax}
}}
namespace most {{
{most}
}}

static uint8_t x[5 * 203 * 3], y[5 * 203 * 3];

template <typename Rows, typename Args>
static void call(uint32_t axes, uint32_t a, uint32_t b, uint32_t c, bool reduced, uint32_t slices) {{
  Args op;
  op.x.data = x;
  op.y.data = y;
  op.x.rank = op.y.rank = 3;
  const uint32_t dims[] = {{a, b, c}};
  size_t results = 1;
  for (uint32_t i = 0; i < 3; ++i) {{
    op.x.dims[i] = dims[i];
    op.y.dims[i] = reduced && (axes >> (2 - i) & 1) != 0 ? 1 : dims[i];
    results *= op.y.dims[i];
  }}
  op.x.scale = 0.05f;
  op.y.scale = reduced ? 0.05f : 1.0f / 256.0f;
  std::memset(y, 0xcc, sizeof y);
  Rows rows;
  const bool vectors = rows.prepare(op);
  uint32_t bad = 0;
  for (uint32_t i = 0; i < slices; ++i) {{
    opkg::Slice slice;
    slice.index = i;
    slice.count = slices;
    const opkg::Status status =
        opkg::reduce(rows, vectors, axes, 0, {{opkg::operand(op.x)}}, {{opkg::operand(op.y)}}, slice);
    bad += status != opkg::Status::ok;
  }}
  std::fprintf(stderr, "%d %u %u\\n", vectors, bad, Rows::calls);
  Rows::calls = 0;
  fwrite(y, 1, results, stdout);
}}

int main() {{
  if (fread(x, 1, sizeof x, stdin) != sizeof x) return 1;
  call<softmax::{softmax_rows}, softmax::{args}>(1, 5, 3, 203, false, 1);
  call<softmax::{softmax_rows}, softmax::{args}>(1, 5, 3, 203, false, 4);
  call<most::{most_rows}, most::{args}>(1, 5, 3, 203, true, 2);
  call<most::{most_rows}, most::{args}>(7, 5, 3, 203, true, 1);
  call<most::{most_rows}, most::{args}>(3, 5, 203, 3, true, 1);
  call<most::{most_rows}, most::{args}>(2, 5, 203, 3, true, 1);
  return 0;
}}
"""
STRUCT = """
  static constexpr uint32_t kInputs = 1, kOutputs = 1;
  static constexpr uint32_t kInputBytes[] = {1}, kOutputBytes[] = {1};
  static constexpr uint32_t kMayBroadcast = 0;
  static inline uint32_t calls = 0;
  void row(const opkg::Run<2>&) const { ++calls; }
"""


def test_rows_in_one_piece_are_vectors(tmp_path: Path) -> None:
    pairs = [of_case("softmax", "ufixed8", "ufixed8"), of_case("max", "ufixed8", "ufixed8")]
    texts = [rows_text(*pair).replace("{", "{" + STRUCT, 1) for pair in pairs]
    args = _args(pairs[0][0])
    (tmp_path / "opkg").symlink_to(TEMPLATES)
    headers = dict.fromkeys(name for _, made in pairs for name in made.headers)
    source, program = tmp_path / "reduce.cpp", tmp_path / "reduce"
    source.write_text(
        PROGRAM.format(
            headers="\n".join(f'#include "{name}"' for name in headers),
            softmax=f"{args}\n{texts[0]}",
            most=f"{args}\n{texts[1]}",
            args=pairs[0][0].args,
            softmax_rows=pairs[0][0].struct,
            most_rows=pairs[1][0].struct,
        )
    )
    include = [f"-I{tmp_path}", "-isystem", str(Path(__file__).parents[2] / "opkg" / "sim" / "include")]
    command = ["g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", *include]
    subprocess.run([*command, str(source), "-o", str(program)], check=True)
    x = np.random.default_rng(1).integers(0, 256, (5, 3, 203)).astype(np.uint8)
    done = subprocess.run([str(program)], input=x.tobytes(), capture_output=True, check=True)
    y = np.frombuffer(done.stdout, np.uint8)
    assert done.stderr.decode().split("\n")[:6] == ["1 0 0"] * 5 + ["1 0 15"]  # the middle dimension: portable rows
    real = x * float(np.float32(0.05))
    e = np.exp(real - real.max(axis=2, keepdims=True))
    wanted = np.clip(np.rint(e / e.sum(axis=2, keepdims=True) * 256), 0, 255).ravel()
    size = x.size
    for part in (y[:size], y[size : 2 * size]):
        assert np.abs(part.astype(int) - wanted).max() <= 1
    rest = y[2 * size :]
    assert (rest[:15] == x.max(axis=2).ravel()).all()
    assert rest[15] == x.max()
    assert (rest[16:21] == x.reshape(5, -1).max(axis=1)).all()
