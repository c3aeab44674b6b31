"""What the names in a computation stand for."""

from __future__ import annotations

from collections.abc import Iterable

from opkg.spec.compute.text import Fault, fault
from opkg.spec.compute.tree import Assigned, Const, Input, Node, Param
from opkg.spec.diagnostics import Span, nearest
from opkg.spec.model import Op, ParamSpec, TensorSpec


class Names:
    """The names of one op, and those that statements have assigned so far."""

    def __init__(self, op: Op) -> None:
        self.op = op
        self.inputs = {tensor.name: tensor for tensor in op.inputs}
        self.outputs = {tensor.name: tensor for tensor in op.outputs}
        self.params = {param.name: param for param in op.params}
        self.enums = {name: value for param in op.params for name, value in param.enum}
        self.assigned: dict[str, Span] = {}
        self.later: frozenset[str] = frozenset()  # all that some statement assigns
        self.used: set[str] = set()
        self.present: list[str] = []  # optional inputs that are known to be given where the reader stands

    def known(self) -> tuple[str, ...]:
        """All names that an expression may use here."""
        return (*self.inputs, *self.params, *self.assigned, *self.enums)

    def get(self, name: str, span: Span) -> Node:
        """The leaf of a name; Fault OPK142 or OPK149."""
        if name in self.assigned:
            self.used.add(name)
            return Assigned(name, span)
        if name in self.inputs:
            self._usable(self.inputs[name], span)
            return Input(name, span)
        if name in self.params:
            return Param(name, span)
        if name in self.enums:
            return Const(self.enums[name], span)
        raise self._unknown(name, span)

    def _usable(self, tensor: TensorSpec, span: Span) -> None:
        if tensor.variadic is not None:
            message = f"'{tensor.name}' stands for several tensors, which a computation cannot name"
            raise fault("OPK149", message, span, "write a reference")
        if tensor.optional and tensor.name not in self.present:
            message = f"'{tensor.name}' is optional and used where it may be absent"
            raise fault("OPK149", message, span, f"... {tensor.name} ... if present({tensor.name}) else ...")

    def _unknown(self, name: str, span: Span) -> Fault:
        if name in self.outputs or name in self.later:
            return fault("OPK142", f"'{name}' is used before it is assigned", span, "assign it in an earlier line")
        if name in self.op.dims or name in self.op.rests:
            message = f"'{name}' is a dimension; computations have values only"
            return fault("OPK142", message, span, "mean() divides by the number of elements; else declare a param")
        near = nearest(name, self.known())
        hint = f"did you mean '{near}'?" if near else f"names: {', '.join(self.known()[:12])}"
        return fault("OPK142", f"unknown name '{name[:60]}'", span, hint)

    def optional_input(self, name: str, span: Span) -> TensorSpec:
        """The input that `present(name)` asks for."""
        tensor = self.inputs.get(name)
        if tensor is None:
            near = nearest(name, tuple(self.inputs))
            hint = f"did you mean '{near}'?" if near else "present() takes the name of an optional input"
            raise fault("OPK142", f"'{name[:60]}' is no input", span, hint)
        if not tensor.optional:
            raise fault("OPK149", f"'{name}' is always present", span, "delete the test, or make the input optional")
        return tensor

    def param(self, name: str, types: Iterable[str], what: str, span: Span) -> ParamSpec:
        """A param of one of some kinds of element type, for `axis=` and `keepdims=`."""
        param = self.params.get(name)
        if param is None:
            near = nearest(name, tuple(self.params))
            hint = f"did you mean '{near}'?" if near else f"{what} is a literal or a param"
            raise fault("OPK142", f"'{name[:60]}' is no param", span, hint)
        if param.dtype.kind not in types:
            raise fault("OPK144", f"{what} is of type {' or '.join(types)}, '{name}' is {param.dtype}", span)
        return param
