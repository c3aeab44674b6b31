"""Reads `pattern:` of an op: the torch function that it fuses, as Python over its inputs and params."""

from __future__ import annotations

import ast

from opkg.spec.compute.text import Fault, Kind, Places, fault, statements
from opkg.spec.diagnostics import Diagnostic, Span
from opkg.spec.model import Op, ParamSpec
from opkg.spec.names import name_fault
from opkg.spec.pattern import MAX_STATEMENTS, MAX_TEXT, PatternStatement, TorchPattern
from opkg.spec.pattern_choice import MOST_OPTIONAL, absences, combinations, read_names, unguarded
from opkg.spec.pattern_forms import Forms, Full
from opkg.spec.pattern_told import untold
from opkg.spec.source_text import SourceText

_HINT = "for example torch.relu(a + b)"
PATTERN = Kind(
    "pattern", "pattern", "has no place in a pattern", "OPK159", "OPK159", _HINT,
    "patterns of that size match nothing in practice", MAX_TEXT, MAX_STATEMENTS,
)  # fmt: skip
SYNTAX = ("OPK159", "OPK173")  # findings that do not hang on what the inputs and params are


def read(source: SourceText, op: Op) -> tuple[TorchPattern | None, list[Diagnostic]]:
    """The pattern and its findings (OPK159, OPK171, OPK173 to OPK175, OPK495); None exactly when there are some. Never raises."""
    try:
        places, body = statements(source, PATTERN)
    except Fault as failure:
        return None, [failure.finding]
    reader = _Reader(op, places, source.span(0, len(source.text)))
    reader.read(body)
    if reader.findings:
        return None, reader.findings
    pattern = reader.pattern(source.text)
    findings = untold(op, pattern)
    return (None, findings) if findings else (pattern, [])


class _Reader:
    """The statements of one pattern. A fault ends its statement, not the reading."""

    def __init__(self, op: Op, places: Places, span: Span) -> None:
        self.op = op
        self.places = places
        self.span = span
        self.findings: list[Diagnostic] = []
        self.statements: list[PatternStatement] = []
        self.forms = Forms(op, places)
        self.outputs = tuple(tensor.name for tensor in op.outputs)
        self.values: list[ast.expr] = []

    def read(self, body: list[ast.stmt]) -> None:
        self.signature()
        for number, statement in enumerate(body):
            try:
                self.statements.append(self.statement(statement, number == len(body) - 1))
            except Full as failure:
                self.findings.append(failure.finding)
                return
            except Fault as failure:
                self.findings.append(failure.finding)
        if not any(finding.id != "OPK174" for finding in self.findings):  # else more would be said than is wrong
            self.complete()
        if not self.findings:
            self.alternatives()

    def signature(self) -> None:
        """What a pattern has no way to say: optional outputs, variadic tensors, params without a default."""
        for tensor in self.op.tensors:
            left_out = tensor.optional and tensor in self.op.outputs
            kind = "an optional output" if left_out else "variadic" if tensor.variadic else ""
            if kind:
                at = (
                    tensor.spans.get("variadic" if tensor.variadic else "optional") or tensor.spans.get("") or self.span
                )
                hint = "a function has each tensor exactly once: make an op of its own for this"
                self.error("OPK174", f"'{tensor.name}' is {kind}, which no pattern can say", at, hint)
        optional = [tensor for tensor in self.op.inputs if tensor.optional]
        if len(optional) > MOST_OPTIONAL:
            message = f"a pattern has at most {MOST_OPTIONAL} optional inputs, this op {len(optional)}"
            self.error("OPK174", message, optional[MOST_OPTIONAL].spans.get("") or self.span)
        for param in self.op.params:
            if not param.optional:
                at = param.spans.get("") or self.span
                message = f"param '{param.name}' has no default, and a pattern is traced with the defaults first"
                self.error("OPK174", message, at, "give it the default that is most common")

    def alternatives(self) -> None:
        """What holds for each way to call the op: an input that is absent is no tensor, one that is there is read."""
        params = [param for param in self.op.params if param.name in self.forms.conditions.asked]
        for absent in absences(self.op):
            wrong = next((each for value in self.values if (each := unguarded(value, absent))), None)
            if wrong is not None:
                hint = f"... if present({wrong.id}) else ...; None stands for it in arguments of calls"
                self.error("OPK174", f"'{wrong.id}' may be absent here", self.places.of(wrong), hint)
                return
            known = combinations(params)
            read = {name for row in known for value in self.values for name in read_names(value, absent, row)}
            for tensor in self.op.inputs:
                if tensor.name not in absent | read:
                    given = f" in calls without {', '.join(sorted(absent))}" if absent else ""
                    message = f"input '{tensor.name}' is never read{given}: nothing in a graph would say what it is"
                    self.error("OPK175", message, self.span, "use it in each alternative")
                    return

    def complete(self) -> None:
        forms = self.forms
        for name in self.outputs:
            if name not in forms.assigned:
                self.error("OPK175", f"output '{name}' is never assigned", self.span, f"{name} = ...")
        for tensor in self.op.inputs:
            if tensor.name not in forms.used:
                message = f"input '{tensor.name}' is never read: nothing in a graph would say what it is"
                self.error("OPK175", message, self.span, "use it, or take it out of the inputs")
        for name, place in forms.assigned.items():
            if name not in self.outputs and name not in forms.used:
                self.error("OPK175", f"'{name}' is never used", place, "delete the statement, or write _ for the name")
        for statement in self.statements:
            for name in statement.targets:
                if name in self.outputs and not forms.reads.get(name):
                    self.error("OPK175", f"'{name}' does not come from an input", statement.span)

    def statement(self, statement: ast.stmt, last: bool) -> PatternStatement:
        if isinstance(statement, ast.Expr) and last:
            span = self.places.of(statement)
            targets = [(name, span) for name in self.outputs]
        elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            targets = self.targets(statement.targets[0])
        else:
            what = "an expression without a name" if isinstance(statement, ast.Expr) else "this statement"
            hint = "each line is NAME = ..., the last may be the result alone"
            raise fault("OPK159", f"{what} has no place in a pattern", self.places.of(statement), hint)
        try:
            reads = self.value(statement.value, len(targets))
        finally:  # names count as assigned even when the value is at fault: one finding, not one per use
            again = [(name, at) for name, at in targets if name in self.forms.assigned]
            for name, at in targets:
                if name != "_":
                    self.forms.assigned.setdefault(name, at)
        for (name, _), inputs in zip(targets, reads, strict=True):
            self.forms.reads.setdefault(name, inputs)
        if again:
            name, at = again[0]
            line = self.forms.assigned[name].line
            raise fault("OPK175", f"'{name}' is assigned twice, first in line {line}", at, "give one another name")
        for name, at in targets:
            self.assignable(name, at)
        self.values.append(statement.value)
        text = ast.unparse(self.forms.plain(statement.value)).replace("\n", " ")
        return PatternStatement(tuple(name for name, _ in targets), text, self.places.of(statement))

    def targets(self, target: ast.expr) -> list[tuple[str, Span]]:
        names = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
        found = []
        for name in names:
            if not isinstance(name, ast.Name):
                raise fault("OPK159", "only names are assigned", self.places.of(name), "NAME = ..., or A, B = ...")
            found.append((name.id, self.places.of(name)))
        if not found:
            raise fault("OPK159", "nothing is assigned here", self.places.of(target), "NAME = ...")
        return found

    def assignable(self, name: str, at: Span) -> None:
        """Fault for a name that cannot be assigned."""
        if name in self.outputs or name == "_":
            return
        for names, what in ((self.forms.inputs, "an input"), (self.forms.params, "a param")):
            if name in names:
                raise fault("OPK175", f"'{name}' is {what} and cannot be assigned", at, "give it another name")
        flaw = name_fault(name)
        if flaw is not None or name in ("torch", "F"):
            message = flaw[1] if flaw is not None else f"'{name}' is a module of torch"
            raise fault("OPK175", message, at, "give it another name")

    def value(self, node: ast.expr, count: int) -> list[frozenset[str]]:
        """Checks the right side of a statement; the inputs that each of its `count` results comes from."""
        parts = node.elts if isinstance(node, ast.Tuple) else [node]
        if isinstance(node, ast.Tuple) and len(parts) != count:
            message = f"{len(parts)} results for {count} name{'s' * (count != 1)}"
            raise fault("OPK175", message, self.places.of(node), f"the op's outputs: {', '.join(self.outputs)}")
        reads = []
        for part in parts:
            if not isinstance(part, ast.Call | ast.BinOp | ast.UnaryOp | ast.Compare | ast.Subscript | ast.IfExp):
                self.forms.look(part)  # what is no Python of ours has a better message
                raise fault("OPK159", "this computes nothing", self.places.of(part), _HINT)
            reads.append(self.forms.look(part))
        if isinstance(node, ast.Tuple) or count == 1:
            return reads
        if not isinstance(node, ast.Call):
            message = f"one result for {count} names"
            raise fault("OPK175", message, self.places.of(node), f"the op's outputs: {', '.join(self.outputs)}")
        return reads * count

    def error(self, id: str, message: str, span: Span, hint: str = "") -> None:
        self.findings.append(Diagnostic(id, message, span, hint))

    def pattern(self, text: str) -> TorchPattern:
        params = [param for param in self.op.params if param.name in self.forms.used]
        return TorchPattern(
            text,
            tuple(self.statements),
            tuple(tensor.name for tensor in self.op.inputs),
            tuple(param.name for param in params),
            tuple((param.name, literal(param)) for param in params),
            self.span,
            tuple(place for name, place in self.forms.dims.items() if name in self.forms.used),
            frozenset(tensor.name for tensor in self.op.inputs if tensor.optional),
        )


def literal(param: ParamSpec) -> bool | int | float:
    """The number that a param in a pattern stands for; the reader has made sure that there is one."""
    assert isinstance(param.default, bool | int | float)
    return param.default
