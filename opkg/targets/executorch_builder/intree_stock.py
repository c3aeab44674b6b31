"""What a checkout has already of the torch ops that a package builds: found, refused, or set aside for ours."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from opkg.spec.diagnostics import Diagnostic, Span, error
from opkg.spec.model import OpPackage

QUALCOMM = "backends/qualcomm"
BUILDERS = f"{QUALCOMM}/builders"
RULES = f"{QUALCOMM}/quantizer/annotators/htp_rules.py"

Read = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Held:
    """A class of the checkout that serves a torch op. `module`: of a builder, its file's name without ending; `line`: from 1."""

    module: str
    name: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Stock:
    """Builders and quantizer rules of others, by torch op."""

    builders: Mapping[str, Held] = field(default_factory=dict)
    rules: Mapping[str, Held] = field(default_factory=dict)

    @property
    def targets(self) -> set[str]:
        return {*self.builders, *self.rules}


def stock(packages: Iterable[OpPackage], modules: Sequence[str], read: Read, ours: Collection[str]) -> Stock:
    """What others have of the packages' torch ops.

    `modules`: names of the files in the checkout's folder of builders; `ours`: files and rules there that opkg put in.
    """
    calls = [call for package in packages for op in package.ops for call in op.torch]
    wanted, ruled = {call.op for call in calls}, {call.op for call in calls if not call.lowered}
    builders: dict[str, Held] = {}
    for name in sorted(modules):
        path = f"{BUILDERS}/{name}"
        text = read(path) if name.startswith("op_") and name.endswith(".py") and path not in ours else None
        if text is not None and any(target in text for target in wanted):
            for visitor, target, element in _targets(text):
                if target in wanted:
                    builders[target] = Held(name.removesuffix(".py"), visitor.name, path, element.lineno)
    rules = {
        target: Held("", rule.name, RULES, element.lineno)
        for rule, target, element in _rules(read(RULES) or "")
        if target in ruled and rule.name not in ours
    }
    return Stock(builders, rules)


def conflicts(packages: Iterable[OpPackage], found: Stock) -> list[Diagnostic]:
    """Findings (OPK362) on files of the checkout."""
    ops = {call.op: op.name for package in packages for op in package.ops for call in op.torch}
    kinds = ((found.builders, "a builder"), (found.rules, "a quantizer rule"))
    return [_conflict(ops[target], target, what, held) for table, what in kinds for target, held in table.items()]


def _conflict(op: str, target: str, what: str, held: Held) -> Diagnostic:
    message = f"'{target}' has {what} here already; {op} would be a second one"
    hint = f"--existing replace|beside, or delete '{target}' in torch: of {op}"
    return error("OPK362", message, Span(held.path, held.line), hint)


# Where a class says what it serves


def aside(text: str, path: str, targets: Collection[str], ours: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """Lines (from 0, the last excluded) to set aside so that no class of others serves the torch ops, and the line instead.

    A class that serves nothing else loses its decorator; of others an element of the list goes, or the line of the list is
    written anew. Upstream's decorator of builders returns nothing: one that stays gives the class back, for ours to call.
    """
    found = _rules(text) if path == RULES else _targets(text)
    by_class: dict[ast.ClassDef, list[tuple[str, ast.expr]]] = {}
    for each, target, element in found:
        if each.name not in ours:
            by_class.setdefault(each, []).append((target, element))
    for each, pairs in by_class.items():
        gone = [element for target, element in pairs if target in targets]
        if len(gone) == len(pairs):
            for decorator in each.decorator_list:
                yield decorator.lineno - 1, decorator.end_lineno or decorator.lineno, ""
        elif gone:
            for decorator in each.decorator_list if path != RULES else ():
                name = ast.unparse(decorator)
                yield decorator.lineno - 1, decorator.lineno, f"@lambda visitor: {name}(visitor) or visitor"
            yield from _elements(text.splitlines(), [element for _, element in pairs], gone)


def _elements(
    lines: Sequence[str], every: Sequence[ast.expr], gone: Sequence[ast.expr]
) -> Iterator[tuple[int, int, str]]:
    """Elements of a list with their comma: lines of their own, or the line of the list without them."""
    for row in sorted({element.lineno for element in gone}):
        there = [element for element in every if element.lineno == row]
        left = [element for element in there if element not in gone]
        line = lines[row - 1].encode()
        head, tail = line[: there[0].col_offset], line[there[-1].end_col_offset or 0 :]
        if left or head.strip() or tail.strip() != b",":
            kept = b", ".join(line[each.col_offset : each.end_col_offset] for each in left)
            yield row - 1, row, (head + kept + (tail if left else tail.removeprefix(b","))).decode().rstrip()
        else:
            yield row - 1, row, ""


def _module(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])  # who inserts into the file says so; what is not Python registers nothing


def _targets(text: str) -> Iterator[tuple[ast.ClassDef, str, ast.expr]]:
    """Torch ops of the registered visitors of a module, with the elements that name them."""
    for visitor in _module(text).body:
        if isinstance(visitor, ast.ClassDef) and visitor.decorator_list:
            for node in visitor.body:
                if isinstance(node, ast.Assign) and [ast.unparse(t) for t in node.targets] == ["target"]:
                    for each in _listed(node.value):
                        yield visitor, str(each.value) if isinstance(each, ast.Constant) else ast.unparse(each), each


def _rules(text: str) -> Iterator[tuple[ast.ClassDef, str, ast.expr]]:
    """Torch ops of the quantizer's rules, with the elements that name them."""
    for rule in _module(text).body:
        if isinstance(rule, ast.ClassDef):
            for decorator in rule.decorator_list:
                for each in _listed(decorator.args[0]) if isinstance(decorator, ast.Call) and decorator.args else ():
                    yield rule, ast.unparse(each).removeprefix("torch.ops."), each


def _listed(value: ast.expr) -> Sequence[ast.expr]:
    return value.elts if isinstance(value, ast.List | ast.Tuple | ast.Set) else [value]
