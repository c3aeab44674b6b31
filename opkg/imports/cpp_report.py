"""What a migration reports: what is not carried and why, what has to be stated, what changed its name."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from opkg.imports.cpp_facts import Facts, OpFacts, Param
from opkg.imports.cpp_form import TARGETS, CppOp, PlacedRule, default_of, is_list, param_type, place_of
from opkg.imports.cpp_source import conditions_at
from opkg.rules.splitters import splitter
from opkg.rules.syntax import Call, Document, Name, Node, Rule
from opkg.spec.diagnostics import Diagnostic, Severity, Span, warning
from opkg.spec.names import name_fault, snake

_MACROS = ("DEF_PACKAGE_OPTIMIZATION", "DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS", "__def_opt__")
_EXTERNAL = ("EXTERNAL_CONSTRAINT", "EXTERNAL_REPLACE", "SHAPEFN_APPLY", "AUTOSPLIT_SHAPEFN_APPLY")
PROPERTIES = "tensor_properties"
Key = tuple[str, str]  # op, rule or PROPERTIES


@dataclass(frozen=True, slots=True)
class Source:
    """One C++ file: its text, its text without comments, what the rule parser found, its preprocessor branches."""

    path: str
    text: str
    code: str
    document: Document
    findings: tuple[Diagnostic, ...]
    branches: list[tuple[int, tuple[str, ...]]]


def of_facts(facts: Facts) -> list[Diagnostic]:
    """What could not be read of the ops that are carried."""
    return [finding for op in facts.ops.values() for finding in _of_op(op)]


def _of_op(op: OpFacts) -> Iterator[Diagnostic]:
    span = place_of(op)
    unread = [r.function for r in op.registered if r.signature is None]
    if unread:
        message = f"the tensors of '{unread[0]}' (op '{op.name}') could not be read from its function"
        yield Diagnostic("OPK355", message, span, "see the TODO marks of the spec", Severity.INFO)
    counts = {len(r.signature.inputs) for r in op.registered if r.signature is not None}
    if len(counts) > 1:
        message = f"kernels of '{op.name}' differ in their number of inputs: the last ones became optional"
        yield Diagnostic("OPK355", message, span, "say in the spec which tensors a call may leave out", Severity.INFO)
    for param in op.params:
        if name_fault(param.name) is not None:
            yield warning("OPK352", f"param '{param.name}' of '{op.name}' cannot be a param of a spec", span)
        elif not param.mandatory and default_of(param) is None:
            message = (
                f"the default of '{param.name}' (op '{op.name}') could not be read; the spec says {_nought(param)}"
            )
            yield warning("OPK359", message, span, "state it in the spec")


def _nought(param: Param) -> str:
    zero = {"float32": "0.0", "bool8": "false"}.get(param_type(param), "0")
    return f"[{zero}]" if is_list(param) else zero


def of_rules(sources: Sequence[Source]) -> tuple[list[PlacedRule], list[Diagnostic]]:
    """The rules of all files in order, and what is odd about them."""
    rules: list[PlacedRule] = []
    findings: list[Diagnostic] = []
    for source in sources:
        for rule in source.document.rules:
            span = rule.text.span(rule.start, rule.start + len(rule.macro))
            in_file = rule.text.text == source.text  # and not written out of a macro
            conditions = conditions_at(source.branches, rule.start) if in_file else ()
            reason = "" if rule.macro in _MACROS else f"{rule.macro} is not for op packages"
            if reason:
                findings.append(warning("OPK354", f"rule not carried: {reason}", span))
            elif conditions:
                message = f"the rule stands under '{conditions[-1]}'; in the spec it holds always"
                findings.append(warning("OPK353", message, span, "delete it from the spec where it must not hold"))
            inside = [c.text for c in source.document.comments if in_file and rule.start <= c.start < rule.end]
            comments = (*_above(source.text, span.line), *inside)
            rules.append(PlacedRule(_rule_name(rule, len(rules) + 1), rule, comments, reason))
    return rules, findings


def _above(text: str, line: int) -> list[str]:
    """The `//` comments on the lines right above a line."""
    lines = text.split("\n")[: line - 1]
    out: list[str] = []
    while lines and lines[-1].strip().startswith("//"):
        out.append(lines.pop().strip())
    return out[::-1]


def _rule_name(rule: Rule, number: int) -> str:
    """The parser's name (file and line) as a name of a spec."""
    name = snake(re.sub(r"\W+", "_", rule.name)).strip("_")
    return name if name and name_fault(name) is None else f"rule_{number}"


def external_functions(node: Node | None) -> Iterator[str]:
    """Names of the package's C++ functions that an expression calls."""
    if not isinstance(node, Call):
        return
    if node.name in _EXTERNAL:
        first = next((a.text for a in node.args[:2] if isinstance(a, Name)), "")
        if first and splitter(first) is None:
            yield first
    for argument in node.args:
        yield from external_functions(argument)


def of_text(text: str, path: str, ops: Sequence[CppOp]) -> tuple[list[Diagnostic], dict[Key, str], list[Diagnostic]]:
    """Reads the spec as `opkg validate` does. What has errors is to be left out: (op, rule) -> reason. The other findings come
    last, those of rules at their places in the C++ files."""
    from opkg.project.read import check, rule_findings, targets_of
    from opkg.spec.reader import read

    package, found = read(text.encode(), path)
    found = list(found)
    if package is not None:
        found += rule_findings(package)
    if package is not None and not any(f.is_error for f in found):
        loaded, missing = targets_of(package, TARGETS)
        found += missing + [f for target in loaded for f in check(target, package)]
    lines = _lines(text)
    bad: dict[Key, str] = {}
    findings: list[Diagnostic] = []
    rules = {(op.facts.name, rule.name): rule for op in ops for rule in op.rules}
    for finding in found:
        key = _key(lines, finding.span.line)
        placed = rules.get(key)
        if finding.is_error and key[1] and key not in bad:
            place = placed.span if placed is not None else _properties_span(ops, key[0])
            bad[key] = " ".join(finding.message.split())
            what = "rule" if placed is not None else f"tensor properties of '{key[0]}'"
            message = f"{what} not carried: {finding.message}"
            findings.append(warning("OPK354", message, place, f"{finding.hint} ({finding.id})".strip()))
    notes = [
        _moved(f, rules.get(_key(lines, f.span.line)))
        for f in found
        if not (f.is_error and _key(lines, f.span.line)[1])
    ]
    return findings, bad, notes


def _moved(finding: Diagnostic, placed: PlacedRule | None) -> Diagnostic:
    """A finding about the spec at the rule it came from."""
    span = placed.span if placed is not None else finding.span
    return Diagnostic(finding.id, finding.message, span, finding.hint, finding.severity)


def _properties_span(ops: Sequence[CppOp], name: str) -> Span:
    """Where the tensor properties of an op stand in the source."""
    declaration = next(op.facts.properties[0] for op in ops if op.facts.name == name)
    return declaration.text.span(declaration.start, declaration.start + len(declaration.macro))


def _lines(text: str) -> list[tuple[int, Key]]:
    """From which line of the spec on which rule stands there."""
    out: list[tuple[int, Key]] = [(0, ("", ""))]
    op = ""
    for number, line in enumerate(text.split("\n"), 1):
        if found := re.match(r"  ([\w.]+):$", line):
            op = found[1]
            out.append((number, (op, "")))
        elif found := re.match(r"      - name: (\w+)$", line):
            out.append((number, (op, found[1])))
        elif found := re.match(r"    (\w+):", line):
            out.append((number, (op, PROPERTIES if found[1] == PROPERTIES else "")))
    return out


def _key(lines: list[tuple[int, Key]], line: int) -> Key:
    return lines[bisect_right([number for number, _ in lines], line) - 1][1]


def in_op(text: str, name: str, line: int) -> bool:
    """Whether a line of a spec belongs to an op."""
    return _key(_lines(text), line)[0] == name
