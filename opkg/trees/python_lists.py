"""Finds sorted lists in files by their structure: in Python by its syntax tree, elsewhere between two lines."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from opkg.targets.foreign import Place
from opkg.trees.found import Item, Region, Unexpected


def locate(lines: list[str], place: Place) -> Region:
    """The list of a place. Raises Unexpected with a line."""
    if place.kind == "lines":
        return _between(lines, place)
    module = _parsed(lines)
    return _KINDS[place.kind](module, lines, place)


def _parsed(lines: list[str]) -> ast.Module:
    try:
        return ast.parse("".join(lines))
    except SyntaxError as failure:
        raise Unexpected(f"is not Python: {failure.msg}", failure.lineno or 1) from None
    except (ValueError, RecursionError, MemoryError) as failure:
        raise Unexpected(f"is not Python: {failure}") from None


def _between(lines: list[str], place: Place) -> Region:
    begin = next((at for at, line in enumerate(lines) if line.strip() == place.name), None)
    if begin is None:
        raise Unexpected(f"there is no line '{place.name}'")
    end = next((at for at in range(begin + 1, len(lines)) if lines[at].strip() == place.until), None)
    if end is None:
        raise Unexpected(f"there is no line '{place.until}' after '{place.name}'", begin + 1)
    texts = [(at, lines[at].strip()) for at in range(begin + 1, end)]
    items = [Item(text, at, at + 1) for at, text in texts if text and text.startswith(place.prefix)]
    return Region(tuple(items), begin + 1)


def _classes(module: ast.Module, lines: list[str], place: Place) -> Region:
    found = [node for node in module.body if isinstance(node, ast.ClassDef) and node.name.startswith(place.prefix)]
    if not found:
        raise Unexpected("there are no classes to stand among")
    items = []
    for node in found:
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        items.append(_item(lines, node.name, first, node.end_lineno or node.lineno))
    return Region(tuple(items), 0, gap=2)


def _imports(module: ast.Module, lines: list[str], place: Place) -> Region:
    items = []
    for node in module.body:
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = ", ".join(alias.name for alias in node.names)
            key = f"from {node.module} import {names}"
            if key.startswith(place.prefix):
                items.append(_item(lines, key, node.lineno, node.end_lineno or node.lineno))
    if not items:
        raise Unexpected(f"there is no import that begins with '{place.prefix}'")
    return Region(tuple(items), 0)


def _names(module: ast.Module, lines: list[str], place: Place) -> Region:
    for node in module.body:
        if isinstance(node, ast.ImportFrom) and "." * node.level + (node.module or "") == place.name:
            return _elements(lines, [(alias.name, alias) for alias in node.names], node, place.prefix)
    raise Unexpected(f"there is no 'from {place.name} import'")


def _list(module: ast.Module, lines: list[str], place: Place) -> Region:
    *outer, name = place.name.split(".")
    body: list[ast.stmt] = module.body
    for part in outer:
        inside = (n for n in body if isinstance(n, ast.ClassDef | ast.FunctionDef) and n.name == part)
        node = next(inside, None)
        if node is None:
            raise Unexpected(f"there is no '{part}' of '{place.name}'")
        body = node.body
    for statement in body:
        if isinstance(statement, ast.Assign) and [ast.unparse(t) for t in statement.targets] == [name]:
            value: ast.expr | None = statement.value
        elif isinstance(statement, ast.AnnAssign) and ast.unparse(statement.target) == name:
            value = statement.value
        else:
            continue
        if not isinstance(value, ast.List | ast.Tuple | ast.Set):
            raise Unexpected(f"'{place.name}' is no list of elements", statement.lineno)
        return _elements(lines, _keys(value), value, place.prefix)
    raise Unexpected(f"there is no '{place.name}'")


def _call(module: ast.Module, lines: list[str], place: Place) -> Region:
    calls = (n for n in ast.walk(module) if isinstance(n, ast.Call) and ast.unparse(n.func) == place.name)
    first = next(calls, None)
    if first is None:
        raise Unexpected(f"there is no call of '{place.name}'")
    if not first.args or not isinstance(first.args[0], ast.List):
        raise Unexpected(f"the first argument of '{place.name}' is no list", first.lineno)
    return _elements(lines, _keys(first.args[0]), first.args[0], place.prefix)


def _guards(module: ast.Module, lines: list[str], place: Place) -> Region:
    function = next((n for n in module.body if isinstance(n, ast.FunctionDef) and n.name == place.name), None)
    if function is None:
        raise Unexpected(f"there is no function '{place.name}'")
    last = function.body[-1]
    if not isinstance(last, ast.Return) or last.lineno == function.lineno:
        raise Unexpected(f"'{place.name}' is expected to end with a return", last.lineno)
    tests = [(ast.unparse(node.test), node) for node in function.body if isinstance(node, ast.If)]
    found = [(key, node) for key, node in tests if key.startswith(place.prefix)]
    items = [_item(lines, key, node.lineno, node.end_lineno or node.lineno) for key, node in found]
    return Region(tuple(items), _item(lines, "", last.lineno, last.lineno).first)


def _starts(module: ast.Module, lines: list[str], place: Place) -> Region:
    *outer, name = place.name.split(".")
    body: list[ast.stmt] = module.body
    for part in outer:
        body = next((n.body for n in body if isinstance(n, ast.ClassDef) and n.name == part), [])
    function = next((n for n in body if isinstance(n, ast.FunctionDef) and n.name == name), None)
    if function is None:
        raise Unexpected(f"there is no function '{place.name}'")
    documented = ast.get_docstring(function, clean=False) is not None
    first = function.body[min(int(documented), len(function.body) - 1)]
    if first.lineno == function.lineno:
        raise Unexpected(f"'{place.name}' stands on one line", first.lineno)
    items = []
    for node in function.body[int(documented) :]:
        if not isinstance(node, ast.ImportFrom):
            break
        items.append(_item(lines, ast.unparse(node), node.lineno, node.end_lineno or node.lineno))
    found = [item for item in items if item.key.startswith(place.prefix)]
    return Region(tuple(found), _item(lines, "", first.lineno, first.lineno).first)


_KINDS: dict[str, Callable[[ast.Module, list[str], Place], Region]] = {
    "classes": _classes,
    "imports": _imports,
    "names": _names,
    "list": _list,
    "call": _call,
    "guards": _guards,
    "starts": _starts,
}

_Node = ast.expr | ast.alias | ast.stmt


def _keys(value: ast.List | ast.Tuple | ast.Set) -> Sequence[tuple[str, _Node]]:
    return [(element.value if isinstance(element, ast.Constant) and isinstance(element.value, str)
             else ast.unparse(element), element) for element in value.elts]  # fmt: skip


def _elements(lines: list[str], pairs: Sequence[tuple[str, _Node]], whole: _Node, prefix: str) -> Region:
    """The elements of a bracket; for a new one each must have its lines to itself, and a comma."""
    unfit = None
    if whole.lineno == (whole.end_lineno or whole.lineno):
        unfit = Unexpected("the list stands on one line; one entry a line is expected", whole.lineno)
    items = []
    for key, node in pairs:
        last = node.end_lineno or node.lineno
        before = lines[node.lineno - 1].encode()[: node.col_offset].decode()
        end = len(lines[last - 1].encode()[: node.end_col_offset].decode())
        after = lines[last - 1][end:].strip()
        item = _item(lines, key, node.lineno, last)
        if before.strip() or not after.startswith(",") or after[1:].strip()[:1] not in ("", "#"):
            item = Item(key, node.lineno - 1, last, (len(before), end))
            message = f"'{key}' is expected on a line of its own, with a comma"
            unfit = unfit or Unexpected(message, node.lineno, len(before) + 1)
        if key.startswith(prefix):
            items.append(item)
    if not items and pairs:
        unfit = unfit or Unexpected(f"the list has no entry that begins with '{prefix}'", whole.lineno)
    return Region(tuple(items), whole.lineno, unfit=unfit)


def _item(lines: list[str], key: str, first: int, last: int) -> Item:
    """An item from line numbers (from 1), with the comments right above it, unless they are the head of the file."""
    above = first - 1
    while above > 0 and lines[above - 1].lstrip().startswith("#"):
        above -= 1
    return Item(key, above if above else first - 1, last)
