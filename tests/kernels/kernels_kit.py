"""Compiles the rows of kernels into one program, on the host (emulated HVX) or for qemu-hexagon, and runs them on numpy data.

kit = Kit(tmp_path, [Unit(snippet, lowered), ...])        # or arch="v66"
got = kit.run([Call(0, {"a": array, "b": array}, scales={"a": (0.1, 3)}), ...])
kit.count(0, n=8192)                                      # packets and instructions in qemu
"""

from __future__ import annotations

import os
import struct
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from opkg.kernels.emit.rows import member_lines, shifted, turn, vector_lines
from opkg.kernels.lowered import Lowered
from opkg.kernels.snippet import Operand, Snippet, Storage
from opkg.kernels.snippets import make_snippet
from opkg.resources import plain
from opkg.spec.model import Kernel, Layout, Op
from opkg.spec.reader import read
from opkg.targets.qnn_common.shared import signed_header

SIM = Path(__file__).resolve().parents[2] / "opkg" / "sim"
TEMPLATES = SIM.parents[1] / "templates" / "qnn"
HEADERS = tuple(
    sorted(
        p.name
        for p in TEMPLATES.glob("*.h")
        if p.name.startswith(
            (
                "rows",
                "row_length",
                "axes",
                "hvx",
                "scalar",
                "spans",
                "exact",
                "small",
                "columns",
                "folds",
                "reduce",
                "kept",
                "fetch",
                "paths",
            )
        )
    )
)
NUMPY = {
    Storage.U8: np.uint8, Storage.S8: np.int8, Storage.U16: np.uint16, Storage.S16: np.int16, Storage.U32: np.uint32,
    Storage.S32: np.int32, Storage.U64: np.uint64, Storage.S64: np.int64, Storage.F16: np.float16,
    Storage.F32: np.float32,
}  # fmt: skip
ELEMENTS = {
    "float16": "opkg::Float16", "sfixed8": "opkg::SFixed8", "sfixed16": "opkg::SFixed16", "int8": "opkg::Int8",
    "int16": "opkg::Int16",
}  # fmt: skip


def op_of(text: str) -> Op:
    """The only op of a spec text (the `ops:` part is enough); fails the test when the spec has errors."""
    whole = text if "package:" in text else f"opkg: 1\npackage: {{name: t.kit, version: 1.0.0}}\nops:\n{text}"
    package, findings = read(whole.encode(), "kit.yaml")
    assert package is not None, [str(f) for f in findings]
    return package.ops[0]


def snippets_of(text: str, signed_as_unsigned: bool = False) -> list[Snippet]:
    """The snippets of an op, one per combination of element types (in order), flat, all optional inputs present."""
    op = op_of(text)
    found = []
    for number, combination in enumerate(op.combinations):
        elements = {t.name: _element(t.dtype.of(combination)) for t in op.tensors}
        kernel = Kernel(combination, f"k{number}_{combination.suffix}", "", layout=Layout.FLAT)
        present = frozenset(t.name for t in op.inputs if t.optional)
        found.append(make_snippet(op, kernel, f"Args{number}", elements, signed_as_unsigned, present))
    return found


def _element(dtype) -> str:  # type: ignore[no-untyped-def]
    return ELEMENTS.get(dtype.name, dtype.cpp)


@dataclass(frozen=True)
class Unit:
    """A kernel of the program. `extra`: further C++ members of the struct (the portable code, an evaluator).

    `lowered` None: `extra` has prepare() and portable() itself.
    """

    snippet: Snippet
    lowered: Lowered | None
    extra: str = ""
    before: str = ""  # C++ in front of the struct


@dataclass(frozen=True)
class Call:
    """One row. Arrays hold stored numbers; those named in `fixed` are patterns of `step` elements. `shift`: by
    how many bytes pointers are misaligned."""

    unit: int
    inputs: Mapping[str, np.ndarray]
    n: int = -1
    scales: Mapping[str, tuple[float, int]] = field(default_factory=dict)  # scale and zero point of the storage
    params: Mapping[str, float] = field(default_factory=dict)
    fixed: frozenset[str] = frozenset()
    shift: int = 0
    portable: bool = False


@dataclass(frozen=True)
class Count:
    """Per 128 bytes of the (first) output."""

    packets: float
    instructions: float
    hvx: float


class Refused(Exception):
    """prepare() said no."""


class Kit:
    """One program with the rows of several kernels."""

    level: ClassVar[str] = "-O1"  # of code for Hexagon

    def __init__(
        self, folder: Path, units: Sequence[Unit], arch: str = "", unsigned: bool = False, model: int = 0
    ) -> None:
        self.units = list(units)
        self.arch = arch
        self.model = model  # of qfloat: an architecture; 0: what the host's headers take
        self.folder = folder / (arch or "host")
        include = self.folder / "include" / "opkg"
        include.mkdir(parents=True, exist_ok=True)
        for name in HEADERS:
            (include / name).write_text(plain(f"qnn/{name}"))
        (include / "kernel.h").write_text(plain("qnn/kernel.h"))
        (include / "signed.h").write_text(signed_header("a test", unsigned))
        source = self.folder / "kit.cpp"
        source.write_text(program_text(self.units))
        self.program = self.folder / "kit"
        self._compile(source)

    def _compile(self, source: Path) -> None:
        include = f"-I{self.folder / 'include'}"
        warnings = ["-Wall", "-Wextra", "-Werror", "-Wno-psabi", "-Wno-unused-function"]
        if not self.arch:
            command = [
                os.environ.get("CXX", "g++"),
                "-std=c++17",
                "-O0",
                *warnings,
                *([f"-DOPKG_HVX_QFLOAT={self.model}"] if self.model else []),
                include,
                "-isystem",
                str(SIM / "include"),
            ]
            _run([*command, str(source), "-o", str(self.program)])
            return
        from opkg.verify.machines.hexagon import runtime, toolchain

        need_arch(self.arch)
        objects = toolchain.compile([source], self.arch, [self.level, *warnings, include], self.folder)
        toolchain.link([*objects, *runtime.objects(self.arch, self.folder)], self.program)

    def run(self, calls: Sequence[Call]) -> list[dict[str, np.ndarray] | None]:
        """The outputs of every call; None where prepare() or vector() said no. Checks that nothing else was written."""
        data = b"".join([self._pack(call, 0) for call in calls])
        raw = self._execute(data)
        at, found = 0, []
        for call in calls:
            (status,) = struct.unpack_from("<I", raw, at)
            at += 4
            assert status != 2, f"wrote outside of an output: {call}"
            outputs = {}
            snippet = self.units[call.unit].snippet
            for operand in snippet.outputs:
                size = self._n(call) * operand.storage.bytes
                outputs[operand.name] = np.frombuffer(raw, NUMPY[operand.storage], self._n(call), at)
                at += size
            found.append(outputs if status == 0 else None)
        assert at == len(raw)
        return found

    def count(self, unit: int, n: int = 8192, **options: object) -> Count:
        """Counters of one call of vector<.., true> on n random elements, minus those of an empty call (qemu only)."""
        snippet = self.units[unit].snippet
        rng = np.random.default_rng(1)
        fixed = options.get("fixed", frozenset())
        arrays = {}
        for operand in snippet.inputs:
            size = self._step(unit) if operand.name in fixed else n  # type: ignore[operator]
            arrays[operand.name] = rng.integers(0, 100, size).astype(NUMPY[operand.storage])
        call = Call(unit, arrays, n, **options)  # type: ignore[arg-type]
        raw = self._execute(self._pack(call, 1))
        status, packets, instructions, hvx = struct.unpack("<IIII", raw)
        if status != 0:
            raise Refused
        share = 128 / (n * snippet.outputs[0].storage.bytes)
        return Count(packets * share, instructions * share, hvx * share)

    def _execute(self, data: bytes) -> bytes:
        if self.arch:
            from opkg.verify.machines.hexagon import toolchain

            done = toolchain.run(self.program, stdin=data, timeout=300)
            assert done.status == 0, f"status {done.status}: {done.stderr.decode()[-2000:]}"
            return done.stdout
        ran = subprocess.run([str(self.program)], input=data, capture_output=True, check=False, timeout=300)
        assert ran.returncode == 0, f"status {ran.returncode}: {ran.stderr.decode()[-2000:]}"
        return ran.stdout

    def _step(self, unit: int) -> int:
        lowered = self.units[unit].lowered
        return lowered.step if lowered is not None else 128

    def _n(self, call: Call) -> int:
        if call.n >= 0:
            return call.n
        return next(len(a) for name, a in call.inputs.items() if name not in call.fixed)

    def _pack(self, call: Call, counted: int) -> bytes:
        snippet = self.units[call.unit].snippet
        mask = sum(1 << i for i, o in enumerate(snippet.inputs) if o.name in call.fixed)
        out = [struct.pack("<IIIIII", call.unit, self._n(call), mask, call.shift, int(call.portable), counted)]
        for operand in (*snippet.inputs, *snippet.outputs):
            scale, zero = call.scales.get(operand.name, (1.0, operand.bias))
            out.append(struct.pack("<fi", scale, zero))
        out.append(b"".join([struct.pack("<d", call.params[p.name]) for p in snippet.params]))
        for operand in snippet.inputs:
            array = np.ascontiguousarray(call.inputs[operand.name], NUMPY[operand.storage])
            wanted = self._step(call.unit) if operand.name in call.fixed else self._n(call)
            assert array.shape == (wanted,), f"{operand.name}: {array.shape}, not {wanted}"
            out.append(array.tobytes())
        return b"".join(out)


def absent(why: str) -> None:
    """Skips on a developer's machine, fails in CI."""
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


def need_arch(arch: str) -> None:
    """Skips without the tools. An emulator that is too old for an architecture is no failure in CI either."""
    from opkg.verify.machines.hexagon import toolchain

    if toolchain.missing():
        absent(f"no {toolchain.missing()}")
    if arch not in toolchain.runnable():
        pytest.skip(f"qemu-hexagon is too old for {arch}")


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr[:6000]}"


# The program ---------------------------------------------------------------------------------------------------------


def program_text(units: Sequence[Unit]) -> str:
    """The whole C++ program."""
    headers = dict.fromkeys(["opkg/kernel.h", "opkg/hvx_walk.h", "opkg/exact.h"])
    for unit in units:
        headers |= dict.fromkeys(unit.lowered.headers if unit.lowered else ())
    parts = [f'#include "{name}"' for name in headers]
    for number, unit in enumerate(units):
        parts.append(f"namespace unit{number} {{\n{_args(unit.snippet)}\n{unit.before}\n{rows_text(unit)}\n}}")
    parts.append(_FRAME)
    for number, unit in enumerate(units):
        parts.append(_call_text(number, unit))
    cases = "\n".join(f"      case {number}: call{number}(head); break;" for number in range(len(units)))
    return "\n\n".join(parts) + _MAIN.replace("@CASES@", cases)


def _args(snippet: Snippet) -> str:
    lines = [f"  opkg::Tensor<const {o.element}> {o.name};" for o in snippet.inputs]
    lines += [f"  opkg::Tensor<{o.element}> {o.name};" for o in snippet.outputs]
    lines += [f"  {_param(p.dtype)} {p.name};" for p in snippet.params]
    return "\n".join([f"struct {snippet.args} {{", *lines, "};"])


def _param(dtype) -> str:  # type: ignore[no-untyped-def]
    return "bool" if dtype.name == "bool8" else "float" if dtype.kind == "float" else dtype.cpp


def _turns(snippet: Snippet, lowered: Lowered) -> list[str]:
    """Steps of a turn, and of one of rows at any address, where there are any."""
    steps = turn(snippet, lowered)
    found = {"kTurn": steps, "kShifted": shifted(lowered) if steps else 0}
    return [f"static constexpr uint32_t {name} = {number};" for name, number in found.items() if number]


def rows_text(unit: Unit) -> str:
    """The struct with the members of the contract that a lowered kernel gives."""
    snippet, lowered = unit.snippet, unit.lowered
    if lowered is None:
        return f"struct {snippet.struct} {{\n{unit.extra}\n}};"
    may = sum(1 << i for i, o in enumerate(snippet.inputs) if o.may_broadcast)

    def sizes(operands: Sequence[Operand]) -> str:
        return "{" + ", ".join(str(o.storage.bytes) for o in operands) + "}"

    lines = [
        f"static constexpr uint32_t kStep = {lowered.step};",
        f"static constexpr uint32_t kInputs = {len(snippet.inputs)}, kOutputs = {len(snippet.outputs)};",
        f"static constexpr uint32_t kInputBytes[] = {sizes(snippet.inputs)};",
        f"static constexpr uint32_t kOutputBytes[] = {sizes(snippet.outputs)};",
        f"static constexpr uint32_t kMayBroadcast = {may};",
        *_turns(snippet, lowered),
        *member_lines(lowered),
        unit.extra,
        f"bool prepare([[maybe_unused]] const {snippet.args}& op) {{",
        *(f"  {line}" for line in lowered.prepare),
        "  return true;",
        "}",
        *vector_lines(snippet, lowered),
    ]
    return "\n".join([f"struct {snippet.struct} {{", *(f"  {line}" for line in lines), "};"])


def _call_text(number: int, unit: Unit) -> str:
    snippet = unit.snippet
    args = f"unit{number}::{snippet.args}"
    lines = [f"static {args} args{number};", f"static unit{number}::{snippet.struct} rows{number};"]
    lines += [f"static void call{number}(const Head& head) {{", f"  {args}& op = args{number};"]
    for operand in (*snippet.inputs, *snippet.outputs):
        lines.append(f"  op.{operand.name}.scale = take<float>();")
        lines.append(f"  op.{operand.name}.zero = take<int32_t>();")
    for param in snippet.params:
        lines.append(f"  op.{param.name} = static_cast<decltype(op.{param.name})>(take<double>());")
    lines.append("  const void* in[] = {")
    step = unit.lowered.step if unit.lowered else 128
    for index, operand in enumerate(snippet.inputs):
        fixed = f"(head.mask >> {index} & 1) != 0"
        lines.append(f"    place({index}, {fixed}, head, {fixed} ? {step} : head.n, {operand.storage.bytes}),")
    lines += ["  };", "  void* out[] = {"]
    for index, operand in enumerate(snippet.outputs):
        lines.append(f"    room({len(snippet.inputs) + index}, head, {operand.storage.bytes}),")
    lines.append("  };")
    for kind, operands in (("in", snippet.inputs), ("out", snippet.outputs)):
        for index, operand in enumerate(operands):
            const = "const " if kind == "in" else ""
            name = operand.name
            lines.append(f"  op.{name}.data = static_cast<{const}{operand.element}*>({kind}[{index}]);")
            lines.append(f"  op.{name}.rank = 1; op.{name}.dims[0] = head.n;")
    bytes_ = "{" + ", ".join(str(o.storage.bytes) for o in snippet.outputs) + "}"
    lines.append(f"  const uint32_t bytes[] = {bytes_};")
    lines.append(f"  auto& rows = rows{number};")
    lines.append("  uint32_t status = rows.prepare(op) ? 0 : 1;")
    if unit.lowered is not None:
        lines.append("  const auto work = [&]() { return run_vector(rows, head, in, out); };")
        lines.append("  const auto plain = [&]() { return run_plain(rows, in, out, head.n); };")
    else:
        steps = ", ".join(f"(head.mask >> {i} & 1) != 0 ? 0u : 1u" for i in range(len(snippet.inputs)))
        lines.append(f"  const uint32_t steps[] = {{{steps}}};")
        lines.append("  status = 0;")
        lines.append("  const auto work = [&]() { rows.portable(in, steps, out, head.n); return true; };")
        lines.append("  const auto plain = work;")
    lines.append(f"  finish(head, status, work, plain, out, bytes, {len(snippet.outputs)});")
    return "\n".join([*lines, "}"])


_FRAME = Path(__file__).with_name("kit_frame.h").read_text("utf-8")
_MAIN = r"""

int main() {
  Head head;
  while (whole(&head, sizeof head)) {
    switch (head.unit) {
@CASES@
      default: return 2;
    }
  }
  return 0;
}
"""
