"""The rules and tensor properties of a spec as a document of syntax trees."""

from __future__ import annotations

from opkg.rules.syntax import Call, Declaration, Document, Front, Item, Node, Rule, Str
from opkg.rules.text.parse import parse_expression
from opkg.rules.text.parse_rule import parse_arguments, parse_macro_call
from opkg.spec import model
from opkg.spec.diagnostics import Diagnostic
from opkg.spec.source_text import AnyText, JoinedText, SourceText


def document_of(package: model.OpPackage) -> tuple[Document, list[Diagnostic]]:
    """All rules and tensor properties of a package, op by op in order, and what of them cannot be read (OPK500 to
    OPK511). Rules are called `Op.rule_name`; those with findings of severity error may be left out.
    """
    items: list[Item] = []
    findings: list[Diagnostic] = []
    for op in package.ops:
        items.extend(declarations_of(op, findings))
        for rule in op.rules:
            item = rule_of(rule, f"{op.name}.{rule.name}", findings)
            items.extend([] if item is None else [item])
    return Document(package.path, Front.YAML, package.name, tuple(items)), findings


def rule_of(rule: model.Rule, name: str, findings: list[Diagnostic]) -> Item | None:
    """One rule of a spec, written in parts or as one macro call; None after a finding."""
    if rule.macro is not None:
        item, found = parse_macro_call(source_of(rule.macro), name)
        findings.extend(found)
        return item
    if rule.match is None or rule.replace is None:
        return None  # the reader of the spec has said so
    given = {"pass": rule.pass_, "flags": rule.flags, "match": rule.match, "when": rule.when, "replace": rule.replace}
    texts = {part: source_of(text) for part, text in given.items() if text is not None}
    joined = JoinedText.of(*texts.values())
    nodes: dict[str, Node | None] = {}
    for (part, source), start in zip(texts.items(), joined.starts, strict=True):
        nodes[part], found = parse_expression(joined, start, start + len(source.text))
        findings.extend(found)
    match, replace = nodes["match"], nodes["replace"]
    if match is None or replace is None or None in nodes.values():
        return None
    pass_, flags, when = nodes.get("pass"), nodes.get("flags"), nodes.get("when")
    return Rule(name, "", pass_, flags, match, when, replace, joined, start=0, end=len(joined.text))


def source_of(text: model.Text) -> SourceText:
    """The text with its places; without knowledge of them, as if it stood as it is in the file."""
    if text.source is not None:
        return text.source
    return SourceText(text.span.path, text.text, text.span.line, text.span.column)


def declarations_of(op: model.Op, findings: list[Diagnostic]) -> list[Declaration]:
    """The entries of `tensor_properties:`: whole calls, arguments of one (Op or a name first), or terms, which make
    one declaration together, its head from the spec."""
    whole: list[Declaration] = []
    terms: list[model.Text] = []
    for text in op.tensor_properties:
        source = source_of(text)
        if text.text.startswith("DEF_TENSOR_PROPERTIES"):
            item, found = parse_macro_call(source, "")
            findings.extend(found)
            whole.extend([item] if isinstance(item, Declaration) else [])
        elif text.text.startswith(("Op", '"')):
            whole.extend(_declaration(source, (), findings))
        else:
            terms.append(text)
    if terms:
        fixed = not any(
            tensor.optional or tensor.variadic for tensor in op.inputs
        )  # else params have no fixed position
        names = [op.name, *(tensor.name for tensor in op.inputs), *(param.name for param in op.params if fixed)]
        head = Call("Op", tuple(Str(name) for name in names))
        outputs = Call("Outputs", tuple(Str(tensor.name) for tensor in op.outputs))
        named = any(text.text.startswith("Outputs") for text in terms)
        joined = JoinedText.of(*(source_of(text) for text in terms), between=",")
        whole.extend(_declaration(joined, (head,) if named else (head, outputs), findings))
    return whole


def _declaration(source: AnyText, head: tuple[Node, ...], findings: list[Diagnostic]) -> list[Declaration]:
    args, found = parse_arguments(source)
    findings.extend(found)
    if args is None:
        return []
    return [Declaration("DEF_TENSOR_PROPERTIES", (*head, *args), source, start=0, end=len(source.text))]
