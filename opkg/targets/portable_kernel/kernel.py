"""The kernel file of an op: its computation as plain C++ functions, one for every combination of element types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from opkg.kernels.portable.plain import Code, plain_code, variable
from opkg.resources import render
from opkg.spec.compute.printing import text_of
from opkg.spec.dtypes import DType
from opkg.spec.model import Combination, Op
from opkg.spec.names import snake
from opkg.targets.portable_kernel.lines import WIDTH, brackets, fold
from opkg.targets.portable_kernel.params import default_text, param_cpp
from opkg.targets.qnn_common.names import comment

# Helpers that a helper calls itself.
_CALLS = {
    "wrap_neg": ("wrap_sub",),
    "wrap_abs": ("wrap_neg", "wrap_sub"),
    "wrap_pow": ("wrap_mul",),
    "quotient": ("wrap_neg", "wrap_sub"),
    "axes_bits": ("axis_bit",),
}


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the kernel file: lines of its head, and its statements (or the call of a shared one)."""

    head: tuple[str, ...]
    body: tuple[str, ...]

    @property
    def line(self) -> str:
        """The whole function, where it is short enough for a line; else empty."""
        if len(self.head) != 1 or len(self.body) != 1 or self.body[0].lstrip().startswith(("for", "if", "while")):
            return ""
        line = f"{self.head[0]} {{ {self.body[0].strip()} }}"
        return line if len(line) <= WIDTH else ""


def function_name(combination: Combination) -> str:
    """`compute_u8`; `compute` for an op without type variables."""
    return f"compute_{combination.suffix}" if combination.suffix else "compute"


def namespace(op: Op) -> str:
    """The C++ namespace of an op's kernel."""
    return f"{snake(op.name)}_kernel"


@dataclass(frozen=True, slots=True)
class Style:
    """What the house says in which a kernel stands. `guard`: of the header; `licence`: lines at its head; `half`: the C++
    type of float16 and the header it is from, empty where the house has none."""

    guard: str
    licence: tuple[str, ...] = ()
    half: str = ""
    half_header: str = ""


def kernel_header(op: Op, combinations: Sequence[Combination], style: Style) -> str:
    """The text of `<Name>Kernel.h`."""
    codes = plain_code(op, combinations)
    uses = {use for code in codes for use in code.uses}
    uses |= {more for use in uses for more in _CALLS.get(use, ())}
    text = [line for code in codes for line in code.lines]
    halves = any(t.dtype.of(c).name == "float16" for c in combinations for t in op.tensors)
    uses |= {"round_to_half"} if halves else set()
    return render(
        "portable_kernel/kernel.h.j2",
        op=op,
        style=style,
        halves=halves,
        namespace=namespace(op),
        summary=comment(op.summary),
        computation=text_of(op.compute).split("\n") if op.compute is not None else [],
        params=[
            (f"std::vector<{param_cpp(p)}>" if p.shape else param_cpp(p), p.name, default_text(p)) for p in op.params
        ],
        vectors=any(p.shape is not None for p in op.params),
        uses=uses,
        reads={word for word in ("real", "integer", "set_real", "set_integer") if any(f".{word}(" in t for t in text)},
        loops=any("Frame<" in line for line in text),
        rows=any("row(frame" in line for line in text),
        sizes=any(".size()" in line for line in text),
        functions=[function for code in codes for function in _functions(op, code, style.half)],
    )


def _functions(op: Op, code: Code, half: str) -> list[Function]:
    """One function with the code, or a template with it and the functions that call it."""
    if len(code.combinations) == 1:
        (combination,) = code.combinations
        head = _head(op, function_name(combination), _types(op, combination, half), code.lines)
        return [Function(head, _indented(code.lines))]
    variables = [v.name for v in op.type_vars if len({c.dtype(v.name).cpp for c in code.combinations}) > 1]
    if not variables:
        first = code.combinations[0]
        shared = Function(_head(op, "run", _types(op, first, half), code.lines), _indented(code.lines))
    else:
        types = {
            t.name: t.dtype.var if t.dtype.var in variables else _cpp(t.dtype.of(code.combinations[0]), half)
            for t in op.tensors
        }
        template = f"template <{', '.join(f'typename {v}' for v in variables)}> "
        shared = Function(
            _head(op, "run", {n: t or "" for n, t in types.items()}, code.lines, template), _indented(code.lines)
        )
    names = [*(["params"] if op.params else []), *(variable(t.name) for t in op.tensors)]
    call = brackets("  run(", names, ");")
    heads = [_head(op, function_name(c), _types(op, c, half), call) for c in code.combinations]
    return [shared, *(Function(head, tuple(call)) for head in heads)]


def _indented(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part for line in lines for part in fold(f"  {line}"))


def _types(op: Op, combination: Combination, half: str) -> dict[str, str]:
    return {t.name: _cpp(t.dtype.of(combination), half) for t in op.tensors}


def _cpp(dtype: DType, half: str) -> str:
    return half if dtype.name == "float16" else dtype.cpp


def _head(op: Op, name: str, types: dict[str, str], body: Iterable[str], before: str = "inline ") -> tuple[str, ...]:
    words = frozenset(word for line in body for word in re.findall(r"\w+", line))

    def named(name: str) -> str:  # what is not read has no name
        return name if name in words else ""

    parameters = [f"const Params &{named('params')}"] if op.params else []
    for tensor in op.tensors:
        const = "const " if tensor in op.inputs else ""
        parameters.append(f"const Tensor<{const}{types[tensor.name]}> &{named(variable(tensor.name))}")
    plain = f"void {name}({', '.join(parameters)})"
    if before.startswith("template") and len(plain) <= WIDTH < len(before + plain):
        return before.rstrip(), plain
    return tuple(brackets(f"{before}void {name}(", parameters, ")"))
