"""The C++ program that measures one kernel in qemu: its generated file, argument struct, typical numbers and a `main`.

    program N          counts one call of the vector row function on N elements and compares it with the portable code
    program N x        the call alone, for a trace

It writes an `opkg::bench::Report` (frame.h).
"""

from __future__ import annotations

import re
from pathlib import Path

from opkg.resources import data_folder, plain, render
from opkg.verify.bench.subject import HEADER, NAMESPACE, Subject, header_text, kernel_text, numbers_of_params, typical
from opkg.verify.machines.hexagon.toolchain import own_headers

MEASURED = "opkg_measured"
FRAME = Path(__file__).with_name("frame.h")
_INCLUDE = re.compile(r'^#include "opkg/(\w+\.h)"', re.MULTILINE)


def write_program(
    subject: Subject, folder: Path, unroll: int | None = None, against: str = "", runs: bool = True
) -> Path:
    """Writes the sources into a folder (`include/` for headers); the one to compile. `against`: name of a C function
    that is measured in place of the kernel. `runs`: with all that it takes to run it, else the measured call alone."""
    include = folder / "include"
    (include / "opkg").mkdir(parents=True, exist_ok=True)
    text = kernel_text(subject, unroll)
    (include / HEADER).write_text(header_text(subject))
    (include / "frame.h").write_bytes(FRAME.read_bytes())
    (include / "opkg" / "signed.h").write_text(
        render("qnn/signed.h.j2", interface="a program that measures it", kind="int")
    )
    todo = ["kernel.h", *_INCLUDE.findall(text)]
    done = {"signed.h"}
    while todo:
        name = todo.pop()
        if name not in done:
            done.add(name)
            (include / "opkg" / name).write_bytes((data_folder("templates") / "qnn" / name).read_bytes())
            todo += _INCLUDE.findall(plain(f"qnn/{name}"))
    own_headers(folder)
    (folder / "kernel.cpp").write_text(text)
    source = folder / "measure.cpp"
    source.write_text(_main(subject, against) if runs else _call(subject))
    return source


def _main(subject: Subject, against: str) -> str:
    operands = (*subject.inputs, *subject.snippet.outputs)
    count = len(subject.inputs)
    names = [o.name for o in operands]
    lines = ['#include "kernel.cpp"', "", '#include "frame.h"', "", "using namespace opkg::bench;", ""]
    lines += [
        f"using Rows = {NAMESPACE}::{subject.snippet.struct};",
        f"static {NAMESPACE}::Args op;",
        "static Rows rows;",
    ]
    lines += [f"static Room rooms[{len(operands)}], plain[{len(subject.snippet.outputs)}];"]
    lines += ["static " + _array("const void*", "in", [f"rooms[{i}].bytes" for i in range(count)])]
    lines += ["static " + _array("void*", "out", [f"rooms[{i}].bytes" for i in range(count, len(operands))])]
    lines += [*_against(subject, against), *_measured(subject, against), *_portable(subject)]
    lines += ["static bool prepare(size_t n) {"]
    numbers = typical(subject)
    for place, operand in enumerate(operands):
        scale, zero = numbers[operand.name]
        floats = "true" if operand.storage.value == "f32" else "false"
        lines.append(f"  tensor(op.{names[place]}, rooms[{place}], n, {scale!r}f, {zero});")
        if place < count:
            lines.append(f"  fill(rooms[{place}], n, {operand.storage.bytes}, {floats}, {place + 1});")
    for name, value in numbers_of_params(subject).items():
        lines.append(f"  op.{name} = static_cast<decltype(op.{name})>({value!r});")
    lines += ["  return rows.prepare(op);", "}", *_rest(subject)]
    return "\n".join(lines) + "\n"


def _call(subject: Subject) -> str:
    """The measured call, as an object that is read and not run."""
    rows = f"using Rows = {NAMESPACE}::{subject.snippet.struct};"
    return "\n".join(['#include "kernel.cpp"', "", rows, *_measured(subject, "")[:3]]) + "\n"


def _array(kind: str, name: str, items: list[str]) -> str:
    return f"{kind} {name}[] = {{{', '.join(items or ['nullptr'])}}};"


def _against(subject: Subject, against: str) -> list[str]:
    if not against:
        return []
    numbers = typical(subject)
    values = [v for o in (*subject.inputs, *subject.snippet.outputs) for v in numbers[o.name]]
    texts = [f"{float(v)!r}f" for v in (*values, *numbers_of_params(subject).values())]
    return [
        f'extern "C" void {against}(const void* const* in, void* const* out, size_t n, const float* numbers);',
        f"static const float numbers[] = {{{', '.join(texts)}}};",
    ]


def _measured(subject: Subject, against: str) -> list[str]:
    """The function that is counted, and an empty one."""
    head = f'extern "C" __attribute__((noinline)) bool {MEASURED}(const Rows& rows, const void* const* in, '
    walk = "opkg::hvx::Walk::aligned_turns" if subject.in_turns else "true"
    vector = "vector" if subject.reduces else f"template vector<{subject.fixed}, {walk}>"
    call = f"return rows.{vector}(in, out, n);"
    if against:
        head = head.replace("const Rows& rows", "const Rows&")
        call = f"{against}(in, out, n, numbers); return true;"
    return [
        head + "void* const* out, size_t n) {",
        f"  {call}",
        "}",
        "__attribute__((noinline)) static bool empty(const Rows&, const void* const*, void* const*, size_t n) {",
        '  __asm__ volatile("" ::"r"(n) : "memory");',
        "  return true;",
        "}",
    ]


def _portable(subject: Subject) -> list[str]:
    """`compute(n)`: the portable code's results in `plain`."""
    outputs = subject.snippet.outputs
    lines = ["static void compute(size_t n) {"]
    if subject.reduces:
        lines += ["  opkg::Run<Rows::kInputs + Rows::kOutputs> run;", "  run.rank = 1;", "  run.extents[0] = n;"]
        for place, operand in enumerate((*subject.inputs, *outputs)):
            step = 0 if operand.name in subject.reduced else operand.storage.bytes
            room = f"rooms[{place}]" if place < len(subject.inputs) else f"plain[{place - len(subject.inputs)}]"
            lines += [f"  run.steps[{place}][0] = {step};", f"  run.start[{place}] = {room}.bytes;"]
        return [*lines, "  rows.row(run);", "}"]
    lines.append(f"  const size_t most = {'Rows::kStep' if subject.fixed else 'n'};")
    lines.append("  for (size_t at = 0; at < n; at += most) {")
    starts = []
    for place, operand in enumerate(subject.inputs):
        moved = "" if subject.fixed >> place & 1 else f" + at * {operand.storage.bytes}"
        starts.append(f"rooms[{place}].bytes{moved}")
    lines.append("    " + _array("const void*", "from", starts))
    lines.append(
        "    " + _array("void*", "to", [f"plain[{i}].bytes + at * {o.storage.bytes}" for i, o in enumerate(outputs)])
    )
    ones = ", ".join("1" for _ in subject.inputs) or "1"
    lines.append(f"    const uint32_t steps[] = {{{ones}}};")
    return [*lines, "    rows.portable(from, steps, to, n - at < most ? n - at : most);", "  }", "}"]


def _rest(subject: Subject) -> list[str]:
    lines = ["int main(int argc, char** argv) {", "  const size_t n = number(argv[1]);", "  Report report = {};"]
    lines += ["  if (!prepare(n)) report.status = 1;", "  if (argc > 2) {"]
    lines += [f"    return report.status == 0 && {MEASURED}(rows, in, out, n) ? 0 : 1;", "  }"]
    lines += ["  const Counts a = counts();", "  empty(rows, in, out, n);", "  const Counts b = counts();"]
    lines += [f"  if (report.status == 0 && !{MEASURED}(rows, in, out, n)) report.status = 2;"]
    lines += ["  const Counts c = counts();", "  report.counts = minus(minus(c, b), minus(b, a));"]
    lines += ["  if (report.status == 0) {", "    compute(n);"]
    for place, operand in enumerate(subject.snippet.outputs):
        length = "1" if operand.name in subject.reduced else "n"
        room = f"rooms[{len(subject.inputs) + place}], plain[{place}]"
        lines.append(f"    const Difference d{place} = difference<{operand.element}>({room}, {length});")
        lines.append(f"    report.difference.elements += d{place}.elements;")
        lines.append(f"    if (d{place}.most > report.difference.most) report.difference.most = d{place}.most;")
    return [*lines, "  }", "  opkg_write_all(1, &report, sizeof report);", "  return 0;", "}"]
