"""The ops of packages as a list: one line each for people, one JSON object each for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from opkg.report.paint import Paint
from opkg.spec.model import Op, OpPackage


class Listed(NamedTuple):
    """A package, the path of its spec as people see it, and which of its ops are listed."""

    package: OpPackage
    path: str
    ops: tuple[Op, ...]


def as_text(listed: Sequence[Listed], paint: Paint) -> str:
    """Per package a head and an aligned line for each op."""
    blocks = []
    for package, path, ops in listed:
        targets = ", ".join(text.text for text in package.targets)
        head = f"{paint(package.name, 'head')} {_version(package)}  {paint(f'{path}: {targets}', 'dim')}"
        rows = [(op.name, _signature(op), _types(op), ", ".join(_parts(op))) for op in ops]
        wide = [max(len(row[column]) for row in rows) for column in range(4)]
        lines = ["  " + "  ".join(f"{cell:{w}}" for cell, w in zip(row, wide, strict=True)).rstrip() for row in rows]
        blocks.append("\n".join([head, *lines]) + "\n")
    return "\n".join(blocks)


def as_json(listed: Sequence[Listed]) -> str:
    """One line per op."""
    lines = []
    for package, path, ops in listed:
        for op in ops:
            record = {
                "op": op.name, "package": package.name, "version": _version(package), "path": path,
                "line": op.span.line, "summary": op.summary, "inputs": [t.name for t in op.inputs],
                "params": [p.name for p in op.params], "outputs": [t.name for t in op.outputs],
                "types": [dict(_named(c.types)) for c in op.combinations],
                "computed": op.compute is not None, "bodies": _bodies(op), "rules": [rule.name for rule in op.rules],
                "pattern": op.pattern is not None, "targets": [text.text for text in package.targets],
            }  # fmt: skip
            lines.append(json.dumps(record) + "\n")
    return "".join(lines)


def _version(package: OpPackage) -> str:
    return ".".join(str(number) for number in package.version)


def _signature(op: Op) -> str:
    """`x, alpha=, bias? -> y`: params with their "=", what may be left out with a "?"."""
    given = [tensor.name + ("..." if tensor.variadic else "?" if tensor.optional else "") for tensor in op.inputs]
    params = [f"{param.name}=" + ("?" if param.optional else "") for param in op.params]
    return f"{', '.join([*given, *params])} -> {', '.join(tensor.name for tensor in op.outputs)}"


def _types(op: Op) -> str:
    """Short names of the combinations; of an op without type variables, those of its tensors."""
    suffixes = [combination.suffix for combination in op.combinations if combination.suffix]
    fixed = [tensor.dtype.fixed.suffix for tensor in op.tensors if tensor.dtype.fixed is not None]
    return " ".join(dict.fromkeys(suffixes or fixed))


def _named(types: Sequence[tuple[str, object]]) -> list[tuple[str, str]]:
    return [(name, str(dtype)) for name, dtype in types]


def _bodies(op: Op) -> list[str]:
    """Files of the user's with kernels."""
    return sorted({kernel.body for kernel in op.kernels if kernel.body})


def _parts(op: Op) -> list[str]:
    """What there is of the op beside its declaration."""
    parts = ["compute"] if op.compute is not None else []
    parts += _bodies(op)
    parts += ["reference"] if op.reference is not None else []
    parts += ["pattern"] if op.pattern is not None else []
    count = len(op.rules)
    return [*parts, f"{count} rule{'s' * (count > 1)}"] if count else parts
