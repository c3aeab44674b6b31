"""The program that applies functions of the run time to operands from stdin, and its use from numpy."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hexlib
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
_C = {"d": "double", "f": "float", "i": "int32_t", "u": "uint32_t", "l": "int64_t", "q": "uint64_t"}
_NUMPY = {"d": "f8", "f": "f4", "i": "i4", "u": "u4", "l": "i8", "q": "u8"}

_ONE = """
acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor lgamma log log10 log1p log2 nearbyint
rint round sin sinh tan tanh tgamma trunc
""".split()  # noqa: SIM905
_TWO = "atan2 copysign fdim fmax fmin fmod hypot pow remainder nextafter".split()  # noqa: SIM905


def _functions() -> dict[str, tuple[str, str]]:
    """Name: types of the result and the operands, and the C expression over a, b, c."""
    found = {name: ("d_d", f"M({name})(a)") for name in _ONE}
    found |= {f"{name}f": ("f_f", f"M({name}f)(a)") for name in _ONE}
    found |= {name: ("d_dd", f"M({name})(a, b)") for name in _TWO}
    found |= {f"{name}f": ("f_ff", f"M({name}f)(a, b)") for name in _TWO}
    found |= {"fma": ("d_ddd", "M(fma)(a, b, c)"), "fmaf": ("f_fff", "M(fmaf)(a, b, c)")}
    found |= {"ldexp": ("d_di", "M(ldexp)(a, b)"), "ldexpf": ("f_fi", "M(ldexpf)(a, b)")}
    found |= {"lrint": ("i_d", "(int32_t)M(lrint)(a)"), "llround": ("l_d", "M(llround)(a)")}
    found["llrint"] = ("l_d", "M(llrint)(a)")
    for name, kind in (("div", "i"), ("mod", "i"), ("udiv", "u"), ("umod", "u")):
        found[f"{name}si3"] = (f"{kind}_{kind * 2}", f"__hexagon_{name}si3(a, b)")
        wide = "q" if kind == "u" else "l"
        found[f"{name}di3"] = (f"{wide}_{wide * 2}", f"__hexagon_{name}di3(a, b)")
    found |= {"muldf3": ("d_dd", "__hexagon_muldf3(a, b)"), "divdf3": ("d_dd", "__hexagon_divdf3(a, b)")}
    found |= {"sqrtdf2": ("d_d", "__hexagon_sqrtdf2(a)"), "sqrtf": ("f_f", "__hexagon_sqrtf(a)")}
    found["divsf3"] = ("f_ff", "__hexagon_divsf3(a, b)")
    # What the compiler makes of operators, on each architecture in its own way.
    found |= {"add": ("d_dd", "a + b"), "sub": ("d_dd", "a - b"), "mul": ("d_dd", "a * b"), "div": ("d_dd", "a / b")}
    found |= {"addf": ("f_ff", "a + b"), "mulf": ("f_ff", "a * b"), "divf": ("f_ff", "a / b")}
    found |= {"narrow": ("f_d", "(float)a"), "from_int64": ("d_l", "(double)a"), "to_int64": ("l_d", "(int64_t)a")}
    return found


FUNCTIONS = _functions()


def source() -> str:
    """Text of the program."""
    cases, declared = [], []
    for number, (name, (types, expression)) in enumerate(FUNCTIONS.items()):
        result, operands = types.split("_")
        reads = "".join(
            f"{_C[kind]} {'abc'[place]}; memcpy(&{'abc'[place]}, in + {8 * place}, sizeof {'abc'[place]}); "
            for place, kind in enumerate(operands)
        )
        made = f"const {_C[result]} r = {expression}; memcpy(out, &r, sizeof r);"
        cases.append(f"case {number}: {{ {reads}{made} break; }}")
        if "__hexagon" in expression:
            declared.append(f"{_C[result]} __hexagon_{name}({', '.join(_C[k] for k in operands)});")
        elif "M(" in expression:
            kind = "long" if name == "lrint" else "long long" if name in ("llround", "llrint") else _C[result]
            declared.append(f"{kind} M({name})({', '.join('int' if k == 'i' else _C[k] for k in operands)});")
    return _FRAME.replace("DECLARED", "\n".join(declared)).replace("CASES", "\n".join(cases))


_FRAME = """
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef OPKG_MATH_PREFIX
#include <unistd.h>
static long opkg_read(int file, void* data, size_t size) { return read(file, data, size); }
static int opkg_write_all(int file, const void* data, size_t size) { return write(file, data, size) == (long)size; }
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define M(name) JOIN(OPKG_MATH_PREFIX, name)
double opkg_sqrt(double x) { return __builtin_sqrt(x); }
#else
#include "system.h"
#define M(name) name
#endif
DECLARED
static unsigned char input[1 << 20], results[1 << 18];
static int get(void* to, size_t size) {
  for (unsigned char* at = to; size != 0;) {
    const long got = opkg_read(0, at, size);
    if (got <= 0) return 0;
    at += got;
    size -= (size_t)got;
  }
  return 1;
}
int main(void) {
  uint32_t head[2];
  while (get(head, sizeof head)) {
    if (!get(input, head[1] * 32)) return 1;
    for (uint32_t n = 0; n < head[1]; ++n) {
      const unsigned char* in = input + 32 * n;
      unsigned char* out = results + 8 * n;
      switch (head[0]) {
CASES
      }
    }
    if (!opkg_write_all(1, results, head[1] * 8)) return 1;
  }
  return 0;
}
"""


@dataclass(frozen=True)
class Machine:
    """The compiled program."""

    program: Path

    def __call__(self, name: str, *operands: Array) -> Array:
        """The function applied to arrays of the same length, at most 30000 long."""
        number = list(FUNCTIONS).index(name)
        result, kinds = FUNCTIONS[name][0].split("_")
        count = len(operands[0])
        table = np.zeros((count, 4), "u8")
        for column, (operand, kind) in enumerate(zip(operands, kinds, strict=True)):
            values = np.ascontiguousarray(operand.astype(_NUMPY[kind]))
            table[:, column] = values.view("u8") if values.itemsize == 8 else values.view("u4")
        raw = hexlib.run(self.program, struct.pack("<II", number, count) + table.tobytes())
        words = np.frombuffer(raw, "u8")
        assert len(words) == count
        kind = np.dtype(_NUMPY[result])
        return words.view(kind) if kind.itemsize == 8 else words.astype("u4").view(kind)
