"""What the files of a classic package say of its ops: registrations, params, tensor names, patterns that use them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from opkg.imports.cpp_source import Default, Signature, default_object, signature
from opkg.rules.syntax import Call, Declaration, Document, Name, Node, Opaque, Paren, Rule, Str, Unary
from opkg.spec.diagnostics import Span
from opkg.spec.names import snake

REGISTRATIONS = ("DEF_PACKAGE_OP", "DEF_PACKAGE_OP_AND_COST_AND_FLAGS", "DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS")


@dataclass(frozen=True, slots=True)
class Param:
    """A param of DEF_PACKAGE_PARAM_ORDER. `default` None: its default is a null pointer, so a call may leave it out."""

    name: str
    mandatory: bool
    default: Default | None
    dtype: str = ""  # as its tensor class or its use in a kernel says
    sure: bool = False  # whether the class says it
    is_tensor: bool = False
    is_axis: bool = False


@dataclass(frozen=True, slots=True)
class Registered:
    """One registration of a kernel: the function as written, its signature when it could be read, where it stands."""

    function: str
    rest: str  # cost and flags as written
    place: str
    signature: Signature | None
    macro: str = "DEF_PACKAGE_OP"

    @property
    def path(self) -> str:
        return self.place.rpartition(":")[0]

    @property
    def span(self) -> Span:
        line = int(self.place.rpartition(":")[2])
        return Span(self.path, line, 1, line, 2)


@dataclass(slots=True)
class OpFacts:
    """Everything known of one op."""

    name: str
    registered: list[Registered] = field(default_factory=list)
    params: list[Param] = field(default_factory=list)
    inputs: tuple[str, ...] = ()  # names of all operands, params too, of a tensor property's Op(...)
    outputs: tuple[str, ...] = ()
    operands: tuple[str, ...] = ()  # tags of the first pattern that uses the op
    properties: list[Declaration] = field(default_factory=list)


@dataclass(slots=True)
class Facts:
    """The ops of a package by name, in order of appearance."""

    ops: dict[str, OpFacts] = field(default_factory=dict)

    def op(self, name: str) -> OpFacts:
        return self.ops.setdefault(name, OpFacts(name))


def gather(documents: Sequence[Document], codes: Sequence[str], own: Iterable[str]) -> Facts:
    """The facts of all files. `codes`: their texts without comments; `own`: package prefixes that mean this package."""
    facts, everything, prefixes = Facts(), "\n".join(codes), tuple(own)
    for document in documents:
        for item in document.declarations:
            if item.macro in REGISTRATIONS and len(item.args) >= 2 and isinstance(item.args[1], Str):
                _registration(facts, item, item.args[1].value, everything)
    for document in documents:
        for item in document.declarations:
            if item.macro == "DEF_PACKAGE_PARAM_ORDER":
                _params(facts, item, everything)
            elif item.macro == "DEF_TENSOR_PROPERTIES":
                _properties(facts, item)
    for document in documents:
        for rule in document.rules:
            for part in (rule.match, rule.replace):
                _operands(facts, part, prefixes)
    return facts


def text_of(node: Node | Declaration) -> str:
    """A node on one line."""
    from opkg.rules.text.printer import to_text

    if isinstance(node, Declaration):
        return f"{node.macro}({', '.join(to_text(argument) for argument in node.args)})"
    return to_text(node)


def _registration(facts: Facts, item: Declaration, op: str, code: str) -> None:
    function = item.args[0]
    while isinstance(function, Paren):
        function = function.inner
    text = text_of(function)
    name, _, template = text.partition("<")
    arguments = tuple(part.strip() for part in template.rpartition(">")[0].split(",")) if template else ()
    span = item.text.span(item.start, item.end)
    rest = ", ".join(text_of(argument) for argument in item.args[2:])
    found = signature(code, name.rpartition("::")[2].strip(), arguments)
    facts.op(op).registered.append(Registered(text, rest, f"{span.path}:{span.line}", found, item.macro))


def _params(facts: Facts, item: Declaration, code: str) -> None:
    """Name, whether it is mandatory, address of its default: three arguments a param."""
    if not item.args or not isinstance(item.args[0], Str):
        return
    op = facts.op(item.args[0].value)
    rest = item.args[1:]
    for i in range(0, len(rest) - 2, 3):
        name, mandatory, default = rest[i : i + 3]
        known = {snake(param.name) for param in op.params}
        if isinstance(name, Str) and snake(name.value) not in known:
            pointer = _pointed(default)
            given = default_object(code, pointer) if pointer else None
            op.params.append(Param(name.value, text_of(mandatory) == "true", given))


def _pointed(node: Node) -> str:
    """The object whose address an argument is; "" for nullptr."""
    while isinstance(node, Paren):
        node = node.inner
    if isinstance(node, Unary) and node.operator == "&" and isinstance(node.operand, Name):
        return node.operand.text.rpartition("::")[2]
    if isinstance(node, Opaque) and node.text.lstrip().startswith("&"):
        return node.text.strip(" &()").rpartition("::")[2]
    return ""


def _properties(facts: Facts, item: Declaration) -> None:
    first = item.args[0] if item.args else None
    name = first.args[0] if isinstance(first, Call) and first.name == "Op" and first.args else first
    if not isinstance(name, Str):
        return
    op = facts.op(name.value)
    op.properties.append(item)
    if isinstance(first, Call) and not op.inputs:
        op.inputs = tuple(argument.value for argument in first.args[1:] if isinstance(argument, Str))
    for term in item.args[1:]:
        if isinstance(term, Call) and term.name == "Outputs" and not op.outputs:
            op.outputs = tuple(argument.value for argument in term.args if isinstance(argument, Str))


def own_name(text: str, prefixes: Sequence[str]) -> str:
    """The bare name of an op of this package; "" for one of another package, `$Const` and the like."""
    prefix, mark, rest = text.rpartition("::")
    if mark:
        return rest if prefix in prefixes else ""
    return "" if text[:1] in ("$", "*", "") else text


def built_or_matched(node: Node) -> list[tuple[str, int, tuple[str, ...]]]:
    """The ops of a pattern or replacement, outermost first: name, number of operands, those that are tags."""
    out: list[tuple[str, int, tuple[str, ...]]] = []
    if not isinstance(node, Call):
        return out
    if node.name in ("Op", "OpVarIn", "WrapOp", "WrapOpAlways") and node.args and isinstance(node.args[0], Str):
        operands = node.args[1:]
        out.append((node.args[0].value, len(operands), tuple(a.value for a in operands if isinstance(a, Str))))
    if node.name == "OpMultiOut" and len(node.args) > 2 and isinstance(node.args[2], Str):
        out.append((node.args[2].value, len(node.args) - 3, ()))
    return out + [found for argument in node.args for found in built_or_matched(argument)]


def _operands(facts: Facts, part: Node, prefixes: Sequence[str]) -> None:
    for text, count, tags in built_or_matched(part):
        name = own_name(text, prefixes)
        if name and len(tags) == count and not facts.op(name).operands:
            facts.op(name).operands = tags


def root_of(rule: Rule) -> str:
    """The name of the op that a rule is tried on, as written; "" when it is no plain string."""
    match = rule.match
    while isinstance(match, Call) and match.name == "LET" and len(match.args) == 2:
        match = match.args[1]
    first = match.args[0] if isinstance(match, Call) and match.args else None
    if isinstance(first, Str):
        return first.value
    return text_of(first) if first is not None else ""
