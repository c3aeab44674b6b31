"""Reads `torch:` of an op: one torch op, a record, or a list of them."""

from __future__ import annotations

from opkg.spec.diagnostics import Span, nearest
from opkg.spec.fields import read_record
from opkg.spec.model import ParamSpec, TensorSpec
from opkg.spec.nodes import Mapping, Node, Scalar
from opkg.spec.records import TORCH
from opkg.spec.scalars import Findings, take_entries, take_list, take_scalar
from opkg.spec.torch_calls import OVERLOAD, CallExpression, TorchCall, parse_call


class TorchReader:
    """Reads the torch ops of one op; findings: OPK156 to OPK158."""

    def __init__(
        self,
        inputs: tuple[TensorSpec, ...],
        params: tuple[ParamSpec, ...],
        outputs: tuple[TensorSpec, ...],
        findings: Findings,
    ) -> None:
        self.inputs = inputs
        self.outputs = outputs
        self.params = params
        self.findings = findings

    def read(self, node: Node | None) -> tuple[TorchCall, ...]:
        """All torch ops; those with findings are left out."""
        if node is None:
            return ()
        items = [node] if isinstance(node, Mapping) else take_list(node, "torch ops", self.findings, or_one=True)
        found: dict[str, TorchCall] = {}
        for item in items:
            call = self._record(item) if isinstance(item, Mapping) else self._plain(item)
            if call is None:
                continue
            if call.op in found:
                self.findings.error("OPK156", f"'{call.op}' stands twice", call.span, "each torch op once")
            found[call.op] = call
        return tuple(found.values())

    def _plain(self, node: Node) -> TorchCall | None:
        op = self._op(node)
        return TorchCall(op, None, (), (), node.span) if op else None

    def _record(self, node: Mapping) -> TorchCall | None:
        before = len(self.findings.list)
        fields = read_record(node, TORCH, self.findings)
        if fields is None:
            return None
        op_node = fields.node("op")
        op = self._op(op_node) if op_node is not None else ""
        params = self._expressions(fields.node("params"), [param.name for param in self.params])
        inputs = self._expressions(fields.node("inputs"), [tensor.name for tensor in self.inputs], steps=True)
        args = self._args(fields.node("args"), {name for name, _ in (*params, *inputs)}, node.span)
        when_node = fields.node("when")
        items = take_list(when_node, "conditions", self.findings, or_one=True) if when_node is not None else ()
        when = [e for e in [self._expression(item, "a condition") for item in items] if e is not None]
        ignore_node = fields.node("ignore")
        items = take_list(ignore_node, "arguments", self.findings, or_one=True) if ignore_node is not None else ()
        ignore = [name for name in [self._argument(item) for item in items] if name]
        encoding = self._tensor(fields.node("encoding"), "an output", [tensor.name for tensor in self.outputs])
        flags = fields.flag("decompose"), fields.flag("lowered")
        constant = self._constant(fields.node("constant"), inputs, flags[1])
        if len(self.findings.list) > before:
            return None
        span = op_node.span if op_node is not None else node.span
        return TorchCall(op, args, params, tuple(when), span, tuple(ignore), inputs, *flags, encoding, constant)

    def _tensor(self, node: Node | None, what: str, names: list[str]) -> str:
        """One of the op's tensors, or empty text."""
        scalar = take_scalar(node, what, self.findings) if node is not None else None
        if scalar is None:
            return ""
        self._known(scalar.text, scalar, names)
        return scalar.text

    def _constant(self, node: Node | None, inputs: tuple[tuple[str, CallExpression], ...], lowered: bool) -> str:
        """The input that the result is, or empty text."""
        name = self._tensor(node, "an input", [tensor.name for tensor in self.inputs])
        given = dict(inputs).get(name)
        fault = hint = ""
        if name and (given is None or given.steps):
            fault, hint = f"nothing says which constant '{name}' is", f"inputs: {{{name}: 'full(size, fill_value)'}}"
        elif name and self.outputs and (len(self.outputs) > 1 or self.outputs[0].variadic):
            fault, hint = "an op of several outputs is no constant", "an op of one output"
        elif name and not lowered:
            fault, hint = "constants take the place of nodes in the lowered graph only", "lowered: true"
        if fault and node is not None and name in {tensor.name for tensor in self.inputs}:
            self.findings.error("OPK491", fault, node.span, hint)
        return name

    def _op(self, node: Node) -> str:
        """The name of a torch op, or empty text."""
        scalar = take_scalar(node, "a torch op", self.findings)
        if scalar is None:
            return ""
        if not OVERLOAD.fullmatch(scalar.text):
            parts = scalar.text.removeprefix("torch.ops.").split(".")
            whole = [*parts, "default"][:3] if len(parts) == 2 else parts
            guess = ".".join(whole) if OVERLOAD.fullmatch(".".join(whole)) else "aten.hardswish.default"
            message = f"'{scalar.text}' is no torch op: namespace.name.overload"
            self.findings.error("OPK156", message, scalar.span, f"for example '{guess}'")
            return ""
        return scalar.text

    def _args(self, node: Node | None, given: set[str], span: Span) -> tuple[tuple[str, str], ...] | None:
        """Input or param -> argument of the torch op; None without `args:`."""
        if node is None:
            return None
        found: dict[str, str] = {}
        for name, (key, value) in take_entries(node, "args", self.findings).items():
            self._known(name, key, [*(t.name for t in self.inputs), *(p.name for p in self.params)])
            argument = self._argument(value)
            if argument:
                found[name] = argument
            if name in given:
                self.findings.error("OPK157", f"'{name}' stands in args and has an expression", key.span)
        needed = [t.name for t in self.inputs if not t.optional and t.name not in given]
        needed += [p.name for p in self.params if not p.optional and p.name not in given]
        missing = [name for name in needed if name not in found]
        if missing:
            hint = f"args: {{{missing[0]}: <argument of the torch op>}}"
            self.findings.error("OPK157", f"args does not say what '{missing[0]}' is", span, hint)
        return tuple(found.items())

    def _argument(self, node: Node) -> str:
        """The name of an argument, or empty text."""
        scalar = take_scalar(node, "an argument", self.findings)
        if scalar is None or scalar.text.isidentifier():
            return scalar.text if scalar is not None else ""
        message = f"'{scalar.text}' is no argument of a torch op"
        self.findings.error("OPK157", message, scalar.span, "expressions stand in params:")
        return ""

    def _expressions(
        self, node: Node | None, names: list[str], steps: bool = False
    ) -> tuple[tuple[str, CallExpression], ...]:
        found = []
        for name, (key, value) in take_entries(node, "params", self.findings).items():
            self._known(name, key, names)
            expression = self._expression(value, "the value of a param or an input", steps)
            if expression is not None:
                found.append((name, expression))
        return tuple(found)

    def _expression(self, node: Node, what: str, steps: bool = False) -> CallExpression | None:
        scalar = take_scalar(node, what, self.findings)
        if scalar is None:
            return None
        parsed = parse_call(scalar.text, scalar.span)
        if isinstance(parsed, str):
            self.findings.error("OPK158", parsed, scalar.span, "Python over the torch op's arguments: rank(input) - 1")
            return None
        if parsed.steps and not steps:
            message = f"'{parsed.steps[0].op}' makes a tensor, which is no number or condition"
            self.findings.error("OPK158", message, scalar.span, "ops of the package are called in inputs:")
            return None
        return parsed

    def _known(self, name: str, key: Scalar, names: list[str]) -> None:
        if name not in names:
            near = nearest(name, names)
            hint = f"did you mean '{near}'?" if near else f"there are {', '.join(names)}" if names else ""
            self.findings.error("OPK157", f"the op has no '{name}'", key.span, hint)
