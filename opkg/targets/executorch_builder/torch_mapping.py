"""Generates `torch_calls.py`: the torch ops that ops implement, their arguments and conditions as functions."""

from __future__ import annotations

import re
from collections.abc import Mapping

from opkg.resources import render
from opkg.spec.model import Op, OpPackage
from opkg.spec.names import snake
from opkg.spec.torch_calls import CallExpression, TorchCall, call_text
from opkg.targets.executorch_builder.layout import bracketed, import_lines, items, statement
from opkg.targets.executorch_builder.names import doc, quoted, torch_op

_FUNCTIONS = (
    "bound",
    "constant",
    "fewer_scales",
    "full",
    "grid",
    "kind",
    "made",
    "permute",
    "rank",
    "repeated",
    "reshape",
    "shape",
    "sqrt",
)


def mapped_ops(op: Op) -> list[str]:
    """Torch ops that the op implements beside its own."""
    return [call.op for call in op.torch]


def calls_module(package: OpPackage) -> str:
    """Text of `torch_calls.py`."""
    ops = [op for op in package.ops if op.torch]
    made = {op.name: (torch_op(package, op), _follows(op)) for op in package.ops}
    functions = [text for op in ops for text in _functions(op, made)]
    used = [
        name
        for name in _FUNCTIONS
        if any(re.search(rf"\b{name}\(", text.rpartition("return")[2]) for text in functions)
    ]
    names = ["Call", "TorchCall", *used] if functions else ["TorchCall"]
    return render(
        "executorch_builder/torch_calls.py.j2",
        package=package,
        imports=import_lines("mapping", names),
        functions=functions,
        records=["\n".join(_records(op)) for op in ops],
    )


def _function_name(op: Op, at: int, part: str) -> str:
    return f"_{snake(op.name)}_{at}_{part}"


def _expressions(op: Op) -> list[tuple[str, CallExpression]]:
    """Every expression with the name of its function."""
    found: list[tuple[str, CallExpression]] = []
    for at, call in enumerate(op.torch):
        found += [(_function_name(op, at, name), expression) for name, expression in (*call.params, *call.inputs)]
        found += [(_function_name(op, at, f"when{number}"), e) for number, e in enumerate(call.when)]
    return found


def _follows(op: Op) -> int | None:
    """Which input the first output has the element type of."""
    return next((at for at, tensor in enumerate(op.inputs) if tensor.dtype == op.outputs[0].dtype), None)


def _functions(op: Op, made: Mapping[str, tuple[str, int | None]]) -> list[str]:
    texts = []
    for name, expression in _expressions(op):
        body = statement("return ", _formatted(call_text(expression, made)), 1)
        texts.append("\n".join([f"def {name}(call: Call) -> Any:", f'    """{doc(expression.text)}"""', *body]))
    return texts


def _formatted(text: str) -> str:
    """As ruff writes it: double quotes, no plus in exponents."""
    return text.replace("'", '"').replace("e+", "e")


def _records(op: Op) -> list[str]:
    """`"Elu": (TorchCall(...),),`"""
    lines = [f"    {quoted(op.name)}: ("]
    for at, call in enumerate(op.torch):
        lines += ["        TorchCall(", *_fields(op, at, call), "        ),"]
    return [*lines, "    ),"]


def _fields(op: Op, at: int, call: TorchCall) -> list[str]:
    names = [*(t.name for t in op.inputs), *(p.name for p in op.params)]
    lines = [f"            op={quoted(call.op)},"]
    lines += bracketed("names=(", [f"{quoted(names[0])},"] if len(names) == 1 else [quoted(n) for n in names], "),", 3)
    if call.args is not None:
        lines += bracketed("args={", [f"{quoted(ours)}: {quoted(theirs)}" for ours, theirs in call.args], "},", 3)
    expressions = (*call.params, *call.inputs)
    if expressions:
        values = [f"{quoted(n)}: {_function_name(op, at, n)}" for n, _ in expressions]
        lines += bracketed("values={", values, "},", 3)
    if call.when:
        whens = [_function_name(op, at, f"when{n}") for n in range(len(call.when))]
        lines += bracketed("when=(", [f"{whens[0]},"] if len(whens) == 1 else whens, "),", 3)
    read = sorted({*call.ignore, *(name for e in (*(e for _, e in expressions), *call.when) for name in e.names)})
    if read:
        lines += bracketed("read=frozenset(", [items([quoted(name) for name in read])], "),", 3)
    lines += [f"            {flag}=True," for flag in ("decompose", "lowered") if getattr(call, flag)]
    named = {"encoding": call.encoding, "constant": call.constant}
    return [*lines, *(f"            {key}={quoted(name)}," for key, name in named.items() if name)]
