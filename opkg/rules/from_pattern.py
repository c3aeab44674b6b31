"""The fusion of a `pattern:` as optimization rules: match the core ops that compute the torch function, put the op there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from opkg.rules import from_pattern_when as when
from opkg.rules.from_pattern_ops import FORMS, core_name
from opkg.rules.syntax import Call, Name, Node, Rule, Str
from opkg.rules.text.formatter_spec import scalar_of
from opkg.rules.text.parse import parse_expression
from opkg.rules.text.printer import rule_text, to_text
from opkg.spec.diagnostics import Diagnostic, error, warning
from opkg.spec.model import Op, OpPackage
from opkg.spec.pattern import TorchPattern
from opkg.spec.pattern_graph import Core, Input, Kind, Number, Part, graph_of, missing_name
from opkg.spec.source_text import SourceText

MOST = 16  # rules for one pattern: operands that may be exchanged double them
ROOT = "*"
_EITHER = frozenset(("AND", "OR", "EQ", "SAME_ENCODING"))  # of which the order of operands means nothing


@dataclass(frozen=True, slots=True)
class Offered:
    """One rule. Trees of the rule language; the pass is EARLY, where rules of packages see the graph first."""

    name: str
    match: Node
    when: Node
    replace: Node

    def yaml(self) -> str:
        """The entry of `rules:` of an op of a spec, in the layout of `opkg rules format`."""
        lines = [f"      - name: {self.name}", "        pass: EARLY"]
        for key, tree in (("match", self.match), ("when", self.when), ("replace", self.replace)):
            lines.append(f"        {key}: {scalar_of(tree, 10 + len(key), 8)}")
        return "\n".join(lines) + "\n"

    def cpp(self) -> str:
        """The macro call of a classic package."""
        source = SourceText("", "")
        rule = Rule(self.name, "", Name("EARLY"), None, self.match, self.when, self.replace, source)
        return rule_text(rule) + "\n"


@dataclass(frozen=True, slots=True)
class Offer:
    """The rules of one op; none when a finding says why not."""

    op: Op
    rules: tuple[Offered, ...]
    findings: tuple[Diagnostic, ...]


def offer(package: OpPackage, op: Op) -> Offer:
    """Rules for the pattern of an op, which must have one. Findings: OPK570 to OPK572."""
    assert op.pattern is not None
    pattern = op.pattern.for_call()
    if len(op.outputs) != 1:
        message = f"{op.name} has {len(op.outputs)} outputs; a rule replaces one"
        return Offer(op, (), (error("OPK571", message, pattern.span),))
    root, missing, at = graph_of(pattern, op.outputs[0].name, FORMS)
    if root is None:
        message = f"no core op of QNN computes {missing_name(missing)}"
        hint = "a rule matches core ops; ExecuTorch fuses the pattern all the same"
        return Offer(op, (), (error("OPK570", message, at, hint),))
    if op.constraints:
        message = f"the constraint '{op.constraints[0].require.text}' has no counterpart in the offered rule"
        hint = "write the rule by hand, or leave the constraint to the kernels"
        return Offer(op, (), (error("OPK571", message, op.constraints[0].span, hint),))
    tags = _tags(op)
    numbers = {f"K{index}": part for index, part in enumerate(_numbers(root), 1)}
    try:
        shapes = when.shapes(op, tags, all(n.kind in (Kind.TENSOR, Kind.FLOAT) for n in numbers.values()))
        types, left_out = when.types(op, tags, numbers, _interfaces(package))
    except when.NotSaid as failure:
        return Offer(op, (), (error("OPK571", f"a rule cannot ask for {failure}", op.span),))
    findings = []
    if left_out:
        message = f"the rules leave out {', '.join(left_out)}: HTP's graphs do not tell them from quantized types"
        findings.append(warning("OPK572", message, op.span))
    rules = tuple(_rules(package, op, pattern, root, tags, numbers, [*shapes, *types]))
    return Offer(op, rules, tuple(findings))


def _interfaces(package: OpPackage) -> tuple[str, ...]:
    """The interfaces for which rules of a package are generated; the classic one when there is none."""
    targets = {target.text for target in package.targets}
    found = [name for target, name in (("qnn-htp-classic", "htp"), ("qnn-htp-qhpi", "qhpi")) if target in targets]
    return tuple(found or ["htp"])


def _tags(op: Op) -> dict[str, str]:
    """Tags of the inputs and of the output, which is the root."""
    tags = {tensor.name: tensor.name[0].upper() + tensor.name[1:] for tensor in op.inputs}
    if len({*tags.values()}) < len(tags):
        tags = {tensor.name: tensor.name for tensor in op.inputs}
    return {**tags, **{tensor.name: ROOT for tensor in op.outputs}}


def _numbers(root: Core) -> list[Number]:
    """The literals of a graph, each once, in order."""
    found: dict[int, Number] = {}
    for part in _parts(root, set()):
        if isinstance(part, Number):
            found.setdefault(id(part), part)
    return list(found.values())


def _parts(part: Part, seen: set[int]) -> Iterator[Part]:
    """All nodes, each once, in pre-order."""
    if id(part) in seen:
        return
    seen.add(id(part))
    yield part
    if isinstance(part, Core):
        for operand in part.operands:
            yield from _parts(operand, seen)


def _rules(
    package: OpPackage, op: Op, pattern: TorchPattern, root: Core, tags: Mapping[str, str],
    numbers: Mapping[str, Number], conditions: list[str],
) -> Iterator[Offered]:  # fmt: skip
    """The rules: one for each order of operands that makes another pattern."""
    qhpi = "qhpi" in _interfaces(package)
    either = [part for part in _parts(root, set()) if isinstance(part, Core) and part.either]
    replace = f"Op({', '.join(when.quoted(text) for text in (op.name, *(tags[name] for name in pattern.inputs)))})"
    taken = {rule.name for rule in op.rules}
    names = (name for number in range(1, 10_000) if (name := f"fuse_{number}" if number > 1 else "fuse") not in taken)
    trees = [_tree(condition) for condition in conditions]
    seen: set[object] = set()
    for orders in product((False, True), repeat=min(len(either), 8)):
        turned = {id(part) for part, turn in zip(either, orders, strict=False) if turn}
        writer = _Writer(op, root, tags, numbers, turned, qhpi)
        match = _tree(writer.text(root))
        key = writer.key(match, trees)
        if key in seen or len(seen) == MOST:
            continue
        seen.add(key)
        yield Offered(next(names), match, _tree(when.both(conditions)), _tree(replace))


class _Writer:
    """Writes the pattern of one rule; `turned`: ops whose operands are exchanged."""

    def __init__(
        self, op: Op, root: Core, tags: Mapping[str, str], numbers: Mapping[str, Number], turned: set[int], qhpi: bool
    ) -> None:
        self.tags = tags
        self.numbers = {id(part): tag for tag, part in numbers.items()}
        self.static = {tensor.name for tensor in op.inputs if tensor.static}
        self.turned = turned
        self.qhpi = qhpi
        self.users: dict[int, int] = {}
        for part in _parts(root, set()):
            for operand in part.operands if isinstance(part, Core) else ():
                self.users[id(operand)] = self.users.get(id(operand), 0) + 1
        self.inner = self._inner({*tags.values(), *numbers})
        self.written: dict[int, str] = {}  # what has a tag already
        self.order: list[str] = []  # tags of leaves as they are met

    def _inner(self, taken: set[str]) -> Iterator[str]:
        return (tag for number in range(1, 10_000) if (tag := f"T{number}") not in taken)

    def text(self, part: Part) -> str:
        """The pattern of a node, as an operand or as the root."""
        if id(part) in self.written:
            return when.quoted(self.written[id(part)])
        if isinstance(part, Number):
            return self._leaf(part, self.numbers[id(part)], True)
        if isinstance(part, Input):
            return self._leaf(part, self.tags[part.name], part.name in self.static)
        tag = next(self.inner) if self.users.get(id(part), 0) > 1 else ""
        operands = part.operands[::-1] if id(part) in self.turned else part.operands
        name = core_name(part.op, self.qhpi)
        written = f'Op(FROM_DEFAULT_PACKAGE("{name}"), {", ".join([self.text(operand) for operand in operands])})'
        if not tag:
            return written
        self.written[id(part)] = tag
        return f"LET({when.quoted(tag)}, {written})"

    def _leaf(self, part: Part, tag: str, const: bool) -> str:
        self.written[id(part)] = tag
        self.order.append(tag)
        return f"OPCONST({when.quoted(tag)})" if const else when.quoted(tag)

    def key(self, match: Node, conditions: list[Node]) -> object:
        """Two rules with one key accept the same graphs: they differ in the names of their tags only."""
        names = {tag: f"#{number}" for number, tag in enumerate(self.order)}
        shapes: list[set[object]] = []
        others = set()
        for condition in conditions:
            if isinstance(condition, Call) and condition.name == "SAME_SHAPE":
                alike = {_canonical(arg, names) for arg in condition.args}
                shapes = [g for g in shapes if not g & alike] + [alike.union(*(g for g in shapes if g & alike))]
            else:
                others.add(_canonical(condition, names))
        return _canonical(match, names), frozenset(map(frozenset, shapes)), frozenset(others)


def _canonical(node: Node, names: Mapping[str, str]) -> object:
    """A tree without the names of tags, and without order where it means nothing."""
    if isinstance(node, Str):
        return names.get(node.value, node.value)
    if isinstance(node, Call):
        args = [_canonical(arg, names) for arg in node.args]
        return node.name, frozenset(args) if node.name in _EITHER else tuple(args)
    return to_text(node)


def _tree(text: str) -> Node:
    tree, findings = parse_expression(SourceText("", text))
    assert tree is not None, (text, findings)
    return tree
