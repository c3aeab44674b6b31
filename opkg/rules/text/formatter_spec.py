"""The formatter for specs: rewrites the rule texts of a YAML file and keeps everything else, comments too, to the byte."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from opkg.rules.syntax import Call, Node
from opkg.rules.text.from_spec import document_of
from opkg.rules.text.parse import parse_expression
from opkg.rules.text.printer import call_text, layout, to_text
from opkg.spec.diagnostics import Diagnostic, Span, error, warning
from opkg.spec.model import OpPackage
from opkg.spec.reader import read
from opkg.spec.source_text import SourceText

_PARTS = ("pass", "flags", "match", "when", "replace")
_COLUMNS = 110
_HEAD = re.compile(r"&\S+[ \t]*")
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class _Place:
    """A scalar with rule text: its node, what it holds, the column (from 0) that its block text is indented from."""

    node: Any
    kind: str  # "part", "macro" or "property"
    base: int
    flow: bool


def format_spec(data: bytes, path: str) -> tuple[bytes, tuple[Diagnostic, ...]]:
    """A spec with the texts of rules and tensor properties in the canonical layout.

    A text of one line keeps its quotes; a longer one becomes a block (`|`), except in braces, where it stays on its line.
    A text that does not parse stays as it is, with the parser's finding; a spec that cannot be read stays whole.
    """
    package, findings = read(data, path)
    if package is None:
        return data, tuple(findings)
    findings = [*findings, *document_of(package)[1]]
    text = data.decode("utf-8")
    bom = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix("\ufeff")
    changes: dict[int, tuple[int, str]] = {}
    for place in _places(yaml.compose(text, Loader=_Loader), set()):
        change, found = _formatted(place, text, path)
        findings = [*findings, *found]
        if change is not None:
            changes[change[0]] = (change[1], change[2])
    new, at = [], 0
    for start, (end, replacement) in sorted(changes.items()):
        new += [text[at:start], replacement]
        at = end
    out = (bom + "".join([*new, text[at:]])).encode("utf-8")
    if out == data or _same(package, read(out, path)[0]):
        return out, tuple(findings)
    message = "the spec is left as it is: formatted, it would not read as the same"
    return data, (*findings, error("OPK517", message, Span(path)))


def _places(root: Any, seen: set[int]) -> Iterator[_Place]:
    """The scalars to format, each once (an alias is its anchor's node)."""
    ops = _value(root, "ops")
    for _, op in ops.value if isinstance(ops, yaml.MappingNode) else ():
        rules, properties = _value(op, "rules"), _value(op, "tensor_properties")
        for rule in rules.value if isinstance(rules, yaml.SequenceNode) else ():
            for key, node in rule.value if isinstance(rule, yaml.MappingNode) else ():
                kind = "macro" if key.value == "macro" else "part"
                if (key.value == "macro" or key.value in _PARTS) and _new(node, seen):
                    yield _Place(node, kind, key.start_mark.column, bool(rule.flow_style or rules.flow_style))
        for node in properties.value if isinstance(properties, yaml.SequenceNode) else ():
            if _new(node, seen):
                yield _Place(node, "property", properties.start_mark.column, bool(properties.flow_style))


def _value(node: Any, name: str) -> Any:
    if not isinstance(node, yaml.MappingNode):
        return None
    return next((value for key, value in node.value if key.value == name), None)


def _new(node: Any, seen: set[int]) -> bool:
    if not isinstance(node, yaml.ScalarNode) or id(node) in seen:
        return False
    seen.add(id(node))
    return True


def _formatted(place: _Place, text: str, path: str) -> tuple[tuple[int, int, str] | None, list[Diagnostic]]:
    """(start, end, new text) of a scalar; None when it stays."""
    node = place.node
    start, end = node.start_mark.index, node.end_mark.index
    head = _HEAD.match(text, start, end)
    if head is not None:  # an anchor
        start = head.end()
    code = str(node.value).strip().rstrip(";").rstrip()
    line = SourceText(path, code, node.start_mark.line + 1, node.start_mark.column + 1)
    trees, findings = _parsed(code, place.kind, line)
    if trees is None or any(finding.is_error for finding in findings):
        return None, []  # `document_of` says so, with exact places
    flat = ", ".join(to_text(tree) for tree in trees)
    new = _scalar(place, text[start:end], flat, trees, start - (text.rfind("\n", 0, start) + 1), _rest(text, end))
    if new is None:
        message = "this text is left as it is: in its place it cannot be written in another way"
        return None, [warning("OPK516", message, line.span(0, len(code)))]
    newline = "\r\n" if "\r\n" in text else "\n"
    return (start, end, new.replace("\r\n", "\n").replace("\n", newline)), []


def _parsed(code: str, kind: str, line: SourceText) -> tuple[tuple[Node, ...] | None, list[Diagnostic]]:
    """The expressions of a scalar: one, or of a tensor property several with commas between."""
    if kind != "property":
        tree, findings = parse_expression(line)
        return (None if tree is None else (tree,)), list(findings)
    tree, findings = parse_expression(SourceText(line.path, f"P({code})", line.line, line.column))
    return (tree.args if isinstance(tree, Call) else None), list(findings)


def _rest(text: str, end: int) -> str:
    """What stands behind a scalar on its line."""
    stop = text.find("\n", end)
    return text[end : stop if stop >= 0 else len(text)].strip()


def _scalar(place: _Place, raw: str, flat: str, trees: tuple[Node, ...], column: int, rest: str) -> str | None:
    """How the scalar is written now."""
    style = raw[:1]
    fits = column + len(flat) + 2 <= _COLUMNS
    if style in ("|", ">"):
        return _block(raw, flat if fits else None, trees, place)
    if fits or place.flow or rest:
        return _on_one_line(flat, style, place.flow)
    lines = _laid_out(trees, place.base + 2)
    if "\n" not in lines:
        return _on_one_line(flat, style, place.flow)
    return "|\n" + _indented(lines, " " * (place.base + 2))


def scalar_of(tree: Node, column: int, base: int) -> str:
    """An expression as a YAML scalar: on its line from `column` on (both from 0), or as a block below column `base`."""
    flat = to_text(tree)
    lines = flat if column + len(flat) + 2 <= _COLUMNS else _laid_out((tree,), base + 2)
    if "\n" in lines:
        return "|\n" + _indented(lines, " " * (base + 2))
    return _on_one_line(flat, "", False)


def _laid_out(trees: tuple[Node, ...], indent: int) -> str:
    """The text over several lines, each of which will stand behind `indent` blanks."""
    width = _COLUMNS - indent
    if len(trees) == 1 and isinstance(trees[0], Call) and trees[0].name.startswith("DEF_"):
        return call_text(trees[0].name, trees[0].args, width)
    return ",\n".join(layout(tree, 0, width, 1) for tree in trees)


def _on_one_line(flat: str, style: str, flow: bool) -> str:
    """One line in the quotes it had; a plain one gets quotes when it needs them."""
    if style == '"':
        return '"' + flat.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if style == "'" or not _is_plain(flat, flow):
        return "'" + flat.replace("'", "''") + "'"
    return flat


def _is_plain(flat: str, flow: bool) -> bool:
    """Whether a text can stand without quotes, in braces or outside of them."""
    try:
        node: Any = yaml.compose(f"[{flat}]" if flow else f"- {flat}", Loader=_Loader)
    except yaml.YAMLError:
        return False
    return len(node.value) == 1 and getattr(node.value[0], "value", None) == flat


def _block(raw: str, flat: str | None, trees: tuple[Node, ...], place: _Place) -> str | None:
    """A block scalar: its first line, new content in the old indentation, the blank lines that followed."""
    head, _, body = raw.partition("\n")
    content = [line for line in body.split("\n") if line.strip()]
    if not content or re.search(r"[0-9]", head.partition("#")[0]):
        return None
    indent = len(content[0]) - len(content[0].lstrip(" "))
    lines = flat if flat is not None else _laid_out(trees, indent)
    if "\n" in lines:
        head = head.replace(">", "|", 1)
    behind = re.search(r"\s*$", body)
    return f"{head}\n{_indented(lines, ' ' * indent)}{behind[0] if behind else ''}"


def _indented(lines: str, blanks: str) -> str:
    return "\n".join(blanks + line for line in lines.split("\n"))


def _same(before: OpPackage, after: OpPackage | None) -> bool:
    """Whether two packages are equal but for the layout of their rule texts."""
    if after is None or len(before.ops) != len(after.ops):
        return False
    return _without_texts(before) == _without_texts(after) and _texts(before) == _texts(after)


def _without_texts(package: OpPackage) -> object:
    from dataclasses import replace

    ops = tuple(replace(op, rules=(), tensor_properties=()) for op in package.ops)
    return replace(package, ops=ops)


def _texts(package: OpPackage) -> list[object]:
    """Names and trees of all rule texts; a text that does not parse stands for itself."""
    out: list[object] = []
    for op in package.ops:
        for rule in op.rules:
            parts = (rule.pass_, rule.flags, rule.match, rule.when, rule.replace, rule.macro)
            out.append((rule.name, *(part and _tree(part.text) for part in parts)))
        out.append(tuple(_tree(text.text) for text in op.tensor_properties))
    return out


def _tree(text: str) -> object:
    trees, findings = _parsed(text.rstrip(";").rstrip(), "property", SourceText("", text))
    return text if trees is None or any(finding.is_error for finding in findings) else trees
