"""What a checkout has already of the torch ops that a package builds: a second builder or rule would hide the first."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Sequence

from opkg.spec.diagnostics import Diagnostic, Span, error
from opkg.targets.executorch_builder.intree import BUILDERS, RULES, Tree

Read = Callable[[str], str | None]


def conflicts(trees: Sequence[Tree], modules: Sequence[str], read: Read, ours: Collection[str]) -> list[Diagnostic]:
    """Findings (OPK362) on files of the checkout.

    `modules`: names of the files in its folder of builders. `ours`: files and rules there that opkg put in.
    """
    wanted = {each.target: each.op for tree in trees for each in tree.targets}
    found = []
    for name in sorted(modules):
        path = f"{BUILDERS}/{name}"
        text = read(path) if name.startswith("op_") and name.endswith(".py") and path not in ours else None
        if text is not None and any(target in text for target in wanted):
            for target, line in _targets(text):
                if target in wanted:
                    found.append(_conflict(wanted[target], target, "a builder", Span(path, line)))
    for target, line in _rules(read(RULES) or "", ours):
        if target in wanted:
            found.append(_conflict(wanted[target], target, "a quantizer rule", Span(RULES, line)))
    return found


def _conflict(op: str, target: str, what: str, span: Span) -> Diagnostic:
    message = f"'{target}' has {what} here already; {op} would be a second one"
    return error("OPK362", message, span, f"delete '{target}' here, or in torch: of {op}")


def _module(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])  # who inserts into the file says so; what is not Python registers nothing


def _targets(text: str) -> Iterator[tuple[str, int]]:
    """Torch ops of the visitors of a module, with lines."""
    for visitor in _module(text).body:
        if isinstance(visitor, ast.ClassDef):
            for node in visitor.body:
                if isinstance(node, ast.Assign) and [ast.unparse(t) for t in node.targets] == ["target"]:
                    for each in ast.walk(node.value):
                        if isinstance(each, ast.Constant) and isinstance(each.value, str):
                            yield each.value, each.lineno


def _rules(text: str, ours: Collection[str]) -> Iterator[tuple[str, int]]:
    """Torch ops of the rules of others, with lines."""
    for rule in _module(text).body:
        if isinstance(rule, ast.ClassDef) and rule.name not in ours:
            for decorator in rule.decorator_list:
                for each in ast.walk(decorator):
                    if isinstance(each, ast.Attribute) and ast.unparse(each).startswith("torch.ops."):
                        yield ast.unparse(each).removeprefix("torch.ops."), each.lineno
