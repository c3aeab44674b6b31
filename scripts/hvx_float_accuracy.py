"""Worst errors of the functions of templates/qnn/hvx_float.h: `python scripts/hvx_float_accuracy.py exp log pow`.

A function is named as in the header (`exp_sf`, `mul_hf`; `exp` means `exp_sf`; `exp@hf` is `exp_sf` on halves through single
precision). Each runs on both models of qfloat on crossed special numbers and random ones (a function of one half: on all of
them; `--all`: one float on all 2^32, two halves on all pairs) and is compared with long double (`--all`: double). Errors are
in units of the last place of the exact result, of sums in those of the larger operand. Results that should be NaN, infinite
or 0 and are not are counted apart, each with the first operands; within 8 ulp of the end of the range either is right.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INCLUDE, TEMPLATES = ROOT / "opkg" / "sim" / "include", ROOT / "templates" / "qnn"
MODELS = (68, 79)


@dataclass(frozen=True, slots=True)
class Reference:
    """`exact`: C++ of x, y, z (long double: L). The ranges: where the function does something. `size`: errors are in units
    of the last place of the larger of this and the result."""

    exact: str
    x: tuple[float, float] = (-100.0, 100.0)
    y: tuple[float, float] = (-100.0, 100.0)
    size: str = "0"


_LARGER, _TERMS = "std::fmax(std::fabs(x), std::fabs(y))", "std::fmax(std::fabs(x * y), std::fabs(z))"
_SQRT8_PI = "L(1.59576912160573071175978423973752747L)"
_SQRT1_2 = "L(0.707106781186547524400844362104849039L)"
REFERENCES = {
    "add": Reference("x + y", size=_LARGER), "sub": Reference("x - y", size=_LARGER),
    "mul": Reference("x * y"), "div": Reference("x / y"),
    "quotient": Reference("x / y"), "mul_add": Reference("x * y + z", size=_TERMS),
    "mul_sub": Reference("x * y - z", size=_TERMS),
    "min": Reference("std::fmin(x, y)"), "max": Reference("std::fmax(x, y)"),
    "neg": Reference("-x"), "abs": Reference("std::fabs(x)"), "sign": Reference("L((x > 0) - (x < 0))"),
    "trunc": Reference("std::trunc(x)"), "floor": Reference("std::floor(x)"), "ceil": Reference("std::ceil(x)"),
    "round": Reference("std::nearbyint(x)"),
    "sqrt": Reference("std::sqrt(x)", (0, 100)), "rsqrt": Reference("1 / std::sqrt(x)", (0, 100)),
    "reciprocal": Reference("1 / x"), "inverse": Reference("1 / x"), "rcp": Reference("1 / x"),
    "exp": Reference("std::exp(x)", (-104, 89)), "exp2": Reference("std::exp2(x)", (-150, 128)),
    "expm1": Reference("std::expm1(x)", (-20, 89)),
    "log": Reference("std::log(x)", (0, 4)), "log2": Reference("std::log2(x)", (0, 4)),
    "log1p": Reference("std::log1p(x)", (-1, 4)),
    "sigmoid": Reference("1 / (1 + std::exp(-x))", (-104, 20)), "tanh": Reference("std::tanh(x)", (-10, 10)),
    "silu": Reference("x / (1 + std::exp(-x))", (-110, 20)), "erf": Reference("std::erf(x)", (-4.5, 4.5)),
    "gelu": Reference(f"x / 2 * std::erfc(-x * {_SQRT1_2})", (-15, 6)),
    "gelu_tanh": Reference(f"x / (1 + std::exp(-{_SQRT8_PI} * (x + L(0.044715L) * x * x * x)))", (-15, 6)),
    "softplus": Reference("x > 60 ? x : std::log1p(std::exp(x))", (-104, 20)),
    "sin": Reference("std::sin(x)", (-10, 10)), "cos": Reference("std::cos(x)", (-10, 10)),
    "atan": Reference("std::atan(x)", (-10, 10)),
    "pow": Reference("std::pow(x, y)", (0, 20), (-30, 30)),
}  # fmt: skip


class Misuse(Exception):
    """What cannot be measured, and why."""


@dataclass(frozen=True, slots=True)
class Function:
    """What the user named: a function of the header, its format, and its exact counterpart."""

    shown: str
    name: str  # of the header
    half: bool
    through: bool
    reference: Reference

    def call(self) -> str:
        """C++ that measures it."""
        r = self.reference
        low, high = (f"{{{x}f, {y}f, {y}f}}" for x, y in zip(map(float, r.x), map(float, r.y), strict=True))
        inputs = f"Inputs{{{{options.seed}}, options, {low}, {high}, {str('pow(' in r.exact).lower()}, 0}}"
        exact, size = (
            f"[](L x, L y, L z) -> L {{ (void)x, (void)y, (void)z; return {t}; }}" for t in (r.exact, r.size)
        )
        function = f"through<&{self.name}>()" if self.through else f"&{self.name}"
        return f'  measure<{"Half" if self.half else "Single"}>("{self.shown}", {function}, {exact}, {size}, {inputs});'


def function(text: str, exact: str | None) -> Function:
    """What `text` names."""
    name, _, form = text.partition("@")
    if not name.isidentifier() or form not in ("", "hf"):
        raise Misuse(f"{text!r} is no function: exp, exp_sf, mul_hf, exp@hf")
    if not name.endswith(("_sf", "_hf")):
        name += "_sf"
    reference = Reference(exact) if exact else REFERENCES.get(name[:-3])
    if reference is None:
        raise Misuse(f"the exact counterpart of {name} is not known: --exact 'C++ of x, y and z' says it")
    return Function(text, name, name.endswith("_hf") or bool(form), bool(form), reference)


def build(functions: list[Function], model: int, flags: list[str], folder: Path) -> Path:
    """The program for a model of qfloat."""
    (folder / "opkg").mkdir(exist_ok=True)
    for header in TEMPLATES.glob("*.h"):
        shutil.copyfile(header, folder / "opkg" / header.name)
    text = Path(__file__).with_suffix(".cpp").read_text("utf-8")
    source, program = folder / "accuracy.cpp", folder / f"accuracy{model}"
    source.write_text(text.replace("@CALLS@", "\n".join(f.call() for f in functions)), "utf-8")
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise Misuse("there is no C++ compiler")
    always = ["-std=c++17", "-O2", "-w", "-Wno-psabi", "-ffp-contract=off", *native(compiler)]
    flags = [*always, f"-DOPKG_HVX_QFLOAT={model}", f"-I{folder}", f"-I{INCLUDE}", *flags]
    made = subprocess.run(
        [compiler, *flags, str(source), "-o", str(program)], capture_output=True, text=True, check=False
    )
    if made.returncode != 0:
        raise Misuse(f"the functions do not compile:\n{made.stderr[:4000]}")
    return program


def native(compiler: str) -> list[str]:
    """The flag for all that this CPU has, where the compiler knows it."""
    command = [compiler, "-march=native", "-fsyntax-only", "-x", "c++", os.devnull]
    return ["-march=native"] if subprocess.run(command, capture_output=True, check=False).returncode == 0 else []


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("functions", nargs="+", metavar="FUNCTION", help="exp, exp_sf, mul_hf, exp@hf")
    parser.add_argument("--model", type=int, choices=MODELS, action="append", help="of qfloat (default: both)")
    parser.add_argument("--count", type=int, default=10_000_000, help="inputs (default 10^7)")
    parser.add_argument("--all", action="store_true", help="all inputs of functions of one float or two halves")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--low", type=float, help="leave out first operands below")
    parser.add_argument("--high", type=float, help="leave out first operands above")
    parser.add_argument(
        "--least", type=float, default=0.0, help="measure results below this in its units of the last place"
    )
    parser.add_argument(
        "--redo",
        action="store_true",
        help="leave out operands and results of 2^127 and more, infinite and NaN: the kernel computes them again",
    )
    parser.add_argument("--flag", action="append", default=[], help="for the compiler, as --flag=-DOPKG_HVX_IEEE=0")
    parser.add_argument("--exact", help="C++ of x, y, z (long double) for functions whose counterpart is not known")
    parser.add_argument(
        "--subnormals", choices=("flush", "keep"), default="flush",
        help="flush: a subnormal result may be 0, what subnormal operands give is not measured (default); keep: as others",
    )  # fmt: skip
    return parser.parse_args()


def main() -> int:
    options = arguments()
    settings = [
        "count", options.count, "seed", options.seed, "all", int(options.all),
        "flush", int(options.subnormals == "flush"), "redo", int(options.redo), "least", options.least,
        *(("low", options.low) if options.low is not None else ()),
        *(("high", options.high) if options.high is not None else ()),
    ]  # fmt: skip
    try:
        functions = [function(text, options.exact) for text in options.functions]
        flags = [*options.flag, *(["-DALL_INPUTS"] if options.all else [])]
        with tempfile.TemporaryDirectory() as folder:
            for model in options.model or MODELS:
                program = build(functions, model, flags, Path(folder))
                print(f"qfloat of v{model}:", flush=True)
                start = time.monotonic()
                subprocess.run([str(program), *map(str, settings)], check=True)
                print(f"({time.monotonic() - start:.1f} s)", flush=True)
    except Misuse as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
