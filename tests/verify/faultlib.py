"""A project of one op whose kernel does what a param says: nothing wrong, or one of many faults."""

from __future__ import annotations

from pathlib import Path

from opkg.spec.model import OpPackage

from . import projects

# Fault: what the kernel does in one slice, with `first` and `last` (the slice's elements), `n` and `op` at hand.
# FINE and what ends in _OK is right; each of these stands beside the fault that it resembles.
MODES = {
    "FINE": "",
    "READ_PAST": "if (last == n) keep(op.x.data[n]);",
    "READ_PAST_OK": "if (last == n) keep(op.x.data[n - 1]);",
    "READ_BEFORE": "if (first == 0) keep(op.x.data[-1]);",
    "READ_LINE_OK": "if (last == n) keep(*reinterpret_cast<const int32_t*>(line_of(op.x.data + n - 1) + 124));",
    "READ_NEXT_LINE": "if (last == n) keep(*reinterpret_cast<const int32_t*>(line_of(op.x.data + n - 1) + 128));",
    "WRITE_PAST": "if (last == n) op.y.data[n] = 1;",
    "WRITE_BEFORE": "if (first == 0) op.y.data[-1] = 1;",
    "WRITE_INPUT": "if (first == 0) const_cast<int32_t*>(op.x.data)[0] = 7;",
    "RACE": "add(op, 0, n);",
    "RACE_OK": "add(op, first, last);",
    "STATE": "{ if (first_sum == kNone) first_sum = op.x.data[0]; } add_more(op, first, last, first_sum - op.x.data[0]);",
    "STATE_OK": "keep(first_sum.load());",
    "SECOND_CALL": "add_more(op, first, last, calls++ / int32_t(op.slice.count) > 0 ? 1 : 0);",
    "LEAK": "keep(*numbers());",
    "LEAK_OK": "{ const Held held; keep(held.data[0]); }",
    "USE_AFTER_FREE": "{ int32_t* volatile held = numbers(); free(held); keep(held[3]); }",
    "HEAP_PAST": "{ int32_t* volatile held = numbers(); keep(held[25]); free(held); }",
    "OVERFLOW": "keep(op.mode + INT32_MAX);",
    "OVERFLOW_OK": "keep(int32_t(uint32_t(op.mode) + uint32_t(INT32_MAX)));",
    "MISALIGNED": "keep(int32_t(*reinterpret_cast<const int64_t*>(reinterpret_cast<uintptr_t>(op.x.data) + 4)));",
    "MISALIGNED_OK": "{ int64_t value; memcpy(&value, op.x.data + 1, sizeof value); keep(int32_t(value)); }",
    "VECTOR_MISALIGNED": "if (first == 0) op.y.data[0] = word(op.x.data + 1) - op.x.data[1] + op.x.data[0] + 1;",
    "LOOP": "for (volatile bool forever = true; forever;) {}",
    "FORK": "if (first == 0) leave_a_process();",
}
RIGHT = tuple(name for name in MODES if name == "FINE" or name.endswith("_OK"))

FIRST = 1000  # the number of the first mode; generated cases have other values
NUMBERS = {name: FIRST + place for place, name in enumerate(MODES)}
RIGHT = tuple(name for name in MODES if name == "FINE" or name.endswith("_OK"))

SPEC = """\
  Fault:
    summary: x + 1, and what `mode` says
    inputs:
      x: {dtype: int32, shape: [N]}
    params:
      mode: {dtype: int32, default: 0}
    outputs:
      y: {dtype: int32, shape: x.shape}
    kernels:
      - {multithreaded: true, resources: [hvx], body: kernels/fault.cpp}
    reference: references:fault
    tests:
      cases:
@CASES@
"""

REFERENCE = """\
def fault(x, mode):
    return x + 1
"""

KERNEL = """\
#include "acme_test/fault.h"

#include <cstdlib>
#include <cstring>

#include "hexagon_protos.h"
#include "hexagon_types.h"
#if defined(__hexagon__)
#include "hvx_hexagon_protos.h"
#else
#include <unistd.h>

#include <atomic>
#endif

namespace acme_test {
namespace {

constexpr int32_t kNone = -2147483647 - 1;
#if defined(__hexagon__)
#define thread_local
struct Number {
  int32_t value;
  operator int32_t() const { return value; }
  int32_t load() const { return value; }
  int32_t operator=(int32_t to) { return value = to; }
  int32_t operator++(int) { return value++; }
};
Number first_sum{kNone};
Number calls{0};
void leave_a_process() {}
#else
std::atomic<int32_t> first_sum{kNone};
std::atomic<int32_t> calls{0};
void leave_a_process() {
  if (fork() == 0) {
    setsid();
    sleep(600);
    _exit(0);
  }
}
#endif

thread_local volatile int32_t kept;
#define keep(value) kept = (value)  // here, so that a report names the line
uintptr_t line_of(const void* at) { return reinterpret_cast<uintptr_t>(at) & ~uintptr_t(127); }

// The first word of a vector that begins at an address.
int32_t word(const void* at) {
  static HVX_Vector copy;
  copy = *static_cast<const HVX_Vector*>(at);  // WORD
  __asm__ volatile("" : : "r"(&copy) : "memory");  // all of it
  return *reinterpret_cast<const int32_t*>(&copy);
}

int32_t* numbers() { return static_cast<int32_t*>(calloc(25, sizeof(int32_t))); }
struct Held {
  int32_t* data = numbers();
  ~Held() { free(data); }
};

void add_more(const FaultArgs& op, size_t first, size_t last, int32_t more) {
  for (size_t i = first; i < last; ++i) op.y.data[i] = op.x.data[i] + 1 + more;
}
void add(const FaultArgs& op, size_t first, size_t last) { add_more(op, first, last, 0); }

}  // namespace

opkg::Status fault(const FaultArgs& op) {
  const size_t n = op.x.size();
  const size_t first = op.slice.begin(n, 32);
  const size_t last = op.slice.end(n, 32);
  add(op, first, last);
  switch (op.mode) {
@MODES@
    default:
      break;
  }
  return opkg::Status::ok;
}

}  // namespace acme_test
"""


def line_of(mode: str) -> int:
    """The line of the kernel file that has a mode's fault."""
    return next(n for n, line in enumerate(kernel().splitlines(), 1) if line.endswith(f"// {mode}"))


def kernel() -> str:
    """The kernel file."""
    lines = [f"    case {NUMBERS[name]}:\n      {code}  // {name}\n      break;" for name, code in MODES.items()]
    return KERNEL.replace("@MODES@", "\n".join(lines))


def project(root: Path, modes: tuple[str, ...], length: int = 100) -> OpPackage:
    """A whole project with a case for each of the modes, `mode_PLACE`."""
    case = "        - {name: %s, x: {values: [%s]}, mode: %d}"
    cases = []
    for place, name in enumerate(modes):  # a mode that is named twice gets other data, too
        values = ", ".join(str((i + 1 + place) * 3) for i in range(length))
        cases.append(case % (f"{name.lower()}_{place}", values, NUMBERS[name]))
    package = projects.read(root, SPEC.replace("@CASES@", "\n".join(cases)), REFERENCE)
    (root / "kernels").mkdir(exist_ok=True)
    path = root / "kernels" / "fault.cpp"
    if not path.is_file():  # what was built stays built
        path.write_text(kernel(), encoding="utf-8")
    projects.generated(root, package)
    return package
