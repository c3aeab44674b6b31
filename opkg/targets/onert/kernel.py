"""The kernel file of an op: its computation as plain C++ functions, one for every combination of element types."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from opkg.kernels.portable.plain import Code, plain_code, variable
from opkg.resources import render
from opkg.spec.compute.printing import text_of
from opkg.spec.model import Combination, Op
from opkg.targets.onert.layout import WIDTH, Option, brackets, fold
from opkg.targets.onert.names import comment, default_text, guard, snake
from opkg.targets.onert.types import param_cpp, usable

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


def function_name(combination: Combination) -> str:
    """`compute_u8`; `compute` for an op without type variables."""
    return f"compute_{combination.suffix}" if combination.suffix else "compute"


def namespace(op: Op) -> str:
    """The C++ namespace of an op's kernel."""
    return f"{snake(op.name)}_kernel"


def kernel_header(op: Op, options: Option) -> str:
    """The text of `<Name>Kernel.h`."""
    codes = plain_code(op, usable(op))
    uses = {use for code in codes for use in code.uses}
    uses |= {more for use in uses for more in _CALLS.get(use, ())}
    text = [line for code in codes for line in code.lines]
    return render(
        "onert/kernel.h.j2",
        op=op,
        licence=options.licence_lines(),
        guard=guard("BACKEND_CPU_OPS", f"{op.name}Kernel"),
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
        functions=[function for code in codes for function in _functions(op, code)],
    )


def _functions(op: Op, code: Code) -> list[Function]:
    """One function with the code, or a template with it and the functions that call it."""
    if len(code.combinations) == 1:
        (combination,) = code.combinations
        head = _head(op, function_name(combination), _types(op, combination), code.lines)
        return [Function(head, _indented(code.lines))]
    variables = [v.name for v in op.type_vars if len({c.dtype(v.name).cpp for c in code.combinations}) > 1]
    if not variables:
        first = code.combinations[0]
        shared = Function(_head(op, "run", _types(op, first), code.lines), _indented(code.lines))
    else:
        types = {
            t.name: t.dtype.var if t.dtype.var in variables else t.dtype.of(code.combinations[0]).cpp
            for t in op.tensors
        }
        template = f"template <{', '.join(f'typename {v}' for v in variables)}> "
        shared = Function(
            _head(op, "run", {n: t or "" for n, t in types.items()}, code.lines, template), _indented(code.lines)
        )
    names = [*(["params"] if op.params else []), *(variable(t.name) for t in op.tensors)]
    call = brackets("  run(", names, ");")
    heads = [_head(op, function_name(c), _types(op, c), call) for c in code.combinations]
    return [shared, *(Function(head, tuple(call)) for head in heads)]


def _indented(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part for line in lines for part in fold(f"  {line}"))


def _types(op: Op, combination: Combination) -> dict[str, str]:
    return {t.name: t.dtype.of(combination).cpp for t in op.tensors}


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
