"""One op: reads its parts in the order in which they depend on each other, then checks them against each other."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from opkg.spec.check_bounds import check_bounds
from opkg.spec.check_defaults import check_defaults
from opkg.spec.check_op import check_op
from opkg.spec.check_unread import check_unread
from opkg.spec.dtypes import DType
from opkg.spec.expr import Type
from opkg.spec.fields import Fields, read_record
from opkg.spec.model import Builtin, Combination, Constraint, Op, ParamSpec, Reference, TensorSpec
from opkg.spec.names import PYTHON_KEYWORDS, name_fault, snake
from opkg.spec.nodes import Mapping, Node, Scalar
from opkg.spec.parse_expr import parse
from opkg.spec.read_defaults import ParamDraft
from opkg.spec.read_kernels import KernelReader
from opkg.spec.read_params import ParamReader, read_param_drafts
from opkg.spec.read_rules import read_properties, read_rules, source_of
from opkg.spec.read_shapes import bind_names
from opkg.spec.read_tensors import TensorDraft, TensorReader, read_drafts
from opkg.spec.read_tests import TestReader
from opkg.spec.read_types import OpTypes
from opkg.spec.records import CONSTRAINT, OP
from opkg.spec.safe_text import text_fault
from opkg.spec.scalars import Findings, take_entries, take_list, take_plain_text, take_scalar
from opkg.spec.scope import Scope, Symbol, What, value_type

if TYPE_CHECKING:
    from opkg.spec.torch_calls import TorchCall

_REFERENCE = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):([A-Za-z_]\w*)", re.ASCII)


class OpReader:
    """Reads one op; `read` returns None when there were findings."""

    def __init__(self, name: str, key: Scalar, findings: Findings) -> None:
        self.name = name
        self.key = key
        self.findings = findings
        self.types = OpTypes(findings)
        self.scope = Scope(name)
        self.dims: list[str] = []
        self.rests: list[str] = []

    def read(self, node: Node) -> Op | None:
        before = self.findings.errors
        fields = read_record(node, OP, self.findings, self.key.span)
        if fields is None:
            return None
        self.types.read_vars(fields.node("types"))
        inputs, outputs, params = self.drafts(fields)
        self.names(fields)
        self.symbols(inputs, outputs, params)
        tensors = TensorReader(self.scope, self.findings)
        read_inputs = _present([tensors.read(draft) for draft in inputs])
        reader = ParamReader(self.scope, self.findings)
        read_params = [p for p in [reader.read(draft) for draft in params] if p is not None]
        read_outputs = _present([tensors.read(draft) for draft in outputs])
        self.types.check_used()
        combinations = self.types.combinations(fields.node("combinations"), fields)
        op = self.assemble(fields, combinations, read_inputs, tuple(read_params), read_outputs)
        if self.findings.errors == before:
            check_op(op, self.findings)
            check_bounds(op, self.findings)
            check_defaults(op, self.findings)
        op = self.with_pattern(op, fields.node("pattern"), self.findings.errors == before)
        sound = self.findings.errors == before
        return self.with_compute(op, fields.node("compute"), sound)

    def with_pattern(self, op: Op, node: Node | None, sound: bool) -> Op:
        """The op with its pattern; of an op that is not sound, only the pattern's syntax is looked at."""
        if node is None:
            return op
        scalar = take_scalar(node, "a pattern", self.findings)
        if scalar is None:
            return op
        from opkg.spec.read_pattern import SYNTAX, read  # few specs have patterns

        pattern, findings = read(source_of(scalar.text.strip(), scalar), op)
        self.findings.list += [finding for finding in findings if sound or finding.id in SYNTAX]
        return replace(op, pattern=pattern)

    def with_compute(self, op: Op, node: Node | None, sound: bool) -> Op | None:
        """The op with its computation; of an op that is not sound, only the computation's syntax is looked at."""
        if node is None:
            return op if sound else None
        scalar = take_scalar(node, "a computation", self.findings)
        if scalar is None:
            return None
        from opkg.spec.compute.check import read_checked, read_syntax  # few specs have computations
        from opkg.spec.compute.outputs import with_outputs

        source = source_of(scalar.text.strip(), scalar)
        if not sound:
            self.findings.list += read_syntax(source)
            return None
        compute, findings = read_checked(source, op)
        self.findings.list += findings
        if compute is None:
            return None
        check_unread(op, scalar.text, self.findings)
        return with_outputs(op, compute)

    def drafts(self, fields: Fields) -> tuple[list[TensorDraft], list[TensorDraft], list[ParamDraft]]:
        findings = self.findings
        inputs = take_entries(fields.node("inputs"), "inputs", findings)
        outputs = take_entries(fields.node("outputs"), "outputs", findings)
        params = take_entries(fields.node("params"), "params", findings)
        for key, entries in (("inputs", inputs), ("outputs", outputs)):
            node = fields.node(key)
            if isinstance(node, Mapping) and not entries:
                findings.error("OPK134", f"{self.name} has no {key}", node.span, f"name at least one of the {key}")
        return (
            read_drafts(inputs, True, self.types, findings),
            read_drafts(outputs, False, self.types, findings),
            read_param_drafts(params, tuple(self.types.vars), findings),
        )

    def names(self, fields: Fields) -> None:
        """Names of type variables, inputs, outputs and params: usable, and different even in snake case."""
        seen: dict[str, Scalar] = {}
        for part in ("types", "inputs", "outputs", "params"):
            node = fields.node(part)
            for name, (key, _) in (node.entries if isinstance(node, Mapping) else {}).items():
                fault = name_fault(name)
                if fault is not None:
                    self.findings.error(fault[0], fault[1], key.span, fault[2])
                # A type variable is no C++ name of its own: T and t may stand side by side.
                for spelling in {name} if part == "types" else dict.fromkeys((name, snake(name))):
                    other = seen.setdefault(spelling, key)
                    if other is not key:
                        message = f"'{name}' and '{other.text}' in line {other.span.line} collide"
                        hint = "types, inputs, outputs and params of an op have different names, even in snake case"
                        self.findings.error("OPK152", message, key.span, hint)
                        break

    def symbols(self, inputs: list[TensorDraft], outputs: list[TensorDraft], params: list[ParamDraft]) -> None:
        """Fill the scope: all names first, then the dimensions that inputs and params bind."""
        symbols = self.scope.symbols
        for name in self.types.vars:
            symbols[name] = Symbol(What.TYPE_VAR, Type.DTYPE)
        for draft in (*inputs, *outputs):
            symbols[draft.name] = Symbol(What.INPUT if draft.is_input else What.OUTPUT, Type.TENSOR)
        for param in params:
            type_ = value_type(param.dtype) if param.dtype is not None else Type.INT
            what = What.PARAM if param.shape is None else What.TENSOR_PARAM
            symbols[param.name] = Symbol(what, type_)
        for param in params:
            for name, value in param.enum:
                self.enum_name(name, value, param)
        for shape in [draft.shape for draft in inputs] + [param.shape for param in params]:
            if shape is not None:
                bind_names(shape, self.scope, self.dims, self.rests, self.findings)

    def enum_name(self, name: str, value: int, param: ParamDraft) -> None:
        symbol = self.scope.symbols.setdefault(name, Symbol(What.CONSTANT, Type.INT, value))
        if symbol != Symbol(What.CONSTANT, Type.INT, value):
            message = f"enum value '{name}' of '{param.name}' has the name of the {symbol.what}"
            if symbol.what is What.CONSTANT:
                message = f"enum value '{name}' is {symbol.value} in another enum and {value} in '{param.name}'"
            self.findings.error("OPK152", message, param.fields.at("enum"), "rename one")

    def assemble(
        self,
        fields: Fields,
        combinations: tuple[Combination, ...],
        inputs: tuple[TensorSpec, ...],
        params: tuple[ParamSpec, ...],
        outputs: tuple[TensorSpec, ...],
    ) -> Op:
        findings = self.findings
        computed = fields.node("compute") is not None
        kernels = KernelReader(self.name, self.types, combinations, self.scope, findings, computed)
        tests = TestReader(inputs + outputs, params, _output_types(outputs, combinations), self.types, findings)
        return Op(
            self.name,
            fields.text("summary"),
            fields.text("description"),
            tuple(self.types.vars.values()),
            combinations,
            inputs,
            params,
            outputs,
            tuple(self.dims),
            tuple(self.rests),
            self.constraints(fields.node("constraints")),
            kernels.read(fields.node("kernels"), self.key.span),
            read_properties(fields.node("tensor_properties"), findings),
            read_rules(fields.node("rules"), findings),
            self.reference(fields.node("reference")),
            tests.read(fields.node("tests")),
            fields.spans,
            torch=self.torch(fields.node("torch"), inputs, params, outputs),
            builtin=self.builtin(fields.node("onert"), params),
            backward=self.backward(fields),
        )

    def builtin(self, node: Node | None, params: tuple[ParamSpec, ...]) -> Builtin | None:
        if node is None:
            return None
        from opkg.spec.read_builtin import read  # few specs name operators of a schema

        return read(node, params, self.findings)

    def torch(
        self,
        node: Node | None,
        inputs: tuple[TensorSpec, ...],
        params: tuple[ParamSpec, ...],
        outputs: tuple[TensorSpec, ...],
    ) -> tuple[TorchCall, ...]:
        if node is None:
            return ()
        from opkg.spec.read_torch import TorchReader  # few specs map torch ops

        return TorchReader(inputs, params, outputs, self.findings).read(node)

    def constraints(self, node: Node | None) -> tuple[Constraint, ...]:
        if node is None:
            return ()
        items = take_list(node, "constraints", self.findings)
        return tuple([c for c in [self.constraint(item) for item in items] if c is not None])

    def constraint(self, node: Node) -> Constraint | None:
        """A condition, or a record of condition and message."""
        message = ""
        if isinstance(node, Mapping):
            fields = read_record(node, CONSTRAINT, self.findings)
            require = fields.node("require") if fields is not None else None
            message = fields.text("message") if fields is not None else ""
            if require is None:
                return None
            node = require
        scalar = take_scalar(node, "a condition", self.findings)
        if scalar is None:
            return None
        want = (Type.BOOL,)
        expression = parse(scalar.piece, self.scope, want, self.findings.list, "a constraint")
        if expression is None:
            return None
        text = " ".join(expression.text.split())
        message = message or f"{text} must hold"
        fault = text_fault(message, one_line=True)
        if fault is not None:
            self.findings.error(fault[0], f"the condition {fault[1]}", scalar.span, "give it a message of its own")
        return Constraint(expression, message, node.span)

    def reference(self, node: Node | None) -> Reference | None:
        if node is None:
            return None
        scalar = take_plain_text(node, "a reference", self.findings)
        if scalar is None:
            return None
        match = _REFERENCE.fullmatch(scalar.text)
        if match is None or len(scalar.text) > 200:
            hint = f"write module:function, for example references:{snake(self.name)}"
            self.findings.error("OPK136", f"'{scalar.text[:40]}' is no module:function", scalar.span, hint)
            return None
        for word in (*match.group(1).split("."), match.group(2)):
            if word in PYTHON_KEYWORDS:
                self.findings.error("OPK151", f"'{word}' is a Python keyword", scalar.span, "rename it")
                return None
        return Reference(match.group(1), match.group(2), scalar.span)

    def backward(self, fields: Fields) -> Reference | None:
        """The gradient of the reference; what is derived of a computation or a pattern needs none."""
        node = fields.node("backward")
        if node is None:
            return None
        others = [key for key in ("compute", "pattern") if fields.node(key) is not None]
        if fields.node("reference") is None or others:
            reason = f"beside '{others[0]}:', which has a gradient" if others else "without 'reference:'"
            self.findings.error("OPK490", f"'backward:' {reason}", node.span, "it is the gradient of a reference alone")
        return self.reference(node)


def _present(tensors: list[TensorSpec | None]) -> tuple[TensorSpec, ...]:
    return tuple([tensor for tensor in tensors if tensor is not None])


def _output_types(outputs: tuple[TensorSpec, ...], combinations: tuple[Combination, ...]) -> tuple[DType, ...]:
    """The element types that outputs have, in order of the combinations."""
    found: dict[str, DType] = {}
    for combination in combinations:
        for output in outputs:
            dtype = output.dtype.of(combination)
            found.setdefault(dtype.name, dtype)
    return tuple(found.values())
