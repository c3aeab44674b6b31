"""Prints the statements of a `compute:` tree as torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from opkg.spec.compute.tree import (
    Assigned,
    Binary,
    BinaryOp,
    Node,
    Select,
    asks_presence,
)
from opkg.spec.compute.walk import walk
from opkg.spec.model import Combination, Op
from opkg.targets.executorch_builder.layout import WIDTH, Code, statement
from opkg.targets.executorch_builder.names import local
from opkg.targets.executorch_builder.torch_expressions import Expressions
from opkg.targets.executorch_builder.torch_known import ATOM, Known, Printed, double, tensor
from opkg.targets.executorch_builder.torch_single import Wide

_LONG = 40  # a part that is longer gets a name of its own


class Printer(Expressions):
    """The statements of one function as they grow; `wide`: of float32 inputs, and what is float64; `half`: of float16 ones."""

    def __init__(
        self, op: Op, rows: Sequence[Combination], known: Known, wide: Wide | None, half: bool = False
    ) -> None:
        super().__init__(op, rows, known, wide, half)
        self.code = Code()
        self._parts = 0
        assert op.compute is not None
        used = {node.name for node in walk(s.expr for s in op.compute.statements) if isinstance(node, Assigned)}
        self._ends = {tensor.name for tensor in op.outputs} - used  # outputs that nothing else is made of

    # Statements

    def assign(self, name: str, node: Node) -> None:
        """`name = node`."""
        if self._known.is_scalar(node):
            self._known.scalars.add(name)
        self._in_wide = self.wide is not None and name in self.wide.names
        self._last = id(node) if name in self._ends else 0
        self._store(local(name), node)
        self._in_wide = False

    def widen_inputs(self) -> None:
        """Puts the inputs that float64 steps take before all of them."""
        optional = {tensor.name for tensor in self.op.inputs if tensor.optional}
        for name in self._doubled:
            text = f"{local(name)}.double()"
            text += f" if {local(name)} is not None else None" if name in optional else ""
            self.code.lines.insert(0, f"    {double(name)} = {text}")

    def _store(self, variable: str, node: Node) -> None:
        """A statement, or several, that leave the value of a node in a variable."""
        if self._starts_wide(node):
            self._set(variable, self._show(node))
            return
        match node:
            case Select() if asks_presence(node.test):
                self._store_choice(variable, node)
            case Binary(BinaryOp.AND | BinaryOp.OR) if asks_presence(node.left):
                self._store_logic(variable, node)
            case _:
                self._set(variable, self._show(node, whole=True))

    def _set(self, variable: str, value: Printed) -> None:
        value = tensor(value)
        if variable != value.text:
            self.code.lines += statement(f"{variable} = ", value.text, self.code.depth)

    def _store_choice(self, variable: str, node: Select) -> None:
        """A choice that presence decides: only one branch is evaluated."""
        if self._known.is_scalar(node.test) and (flat := self._flat_choice(node)):
            line = f"{variable} = {flat}"
            if len(line) + 4 * self.code.depth <= WIDTH:
                self.code.add(line)
                return
        test = self._named(node.test) if not self._known.is_scalar(node.test) else None
        truth = self._truth(node.test) if test is None else f"tm.is_true({test})"
        with self.code.block(f"if {truth}:"):
            self._store(variable, node.then)
        with self.code.block("else:" if test is None else f"elif tm.is_false({test}):"):
            self._store(variable, node.other)
        if test is not None:
            with self.code.block("else:"):
                self._set(variable, self._where(Printed(test), node.then, node.other))

    def _flat_choice(self, node: Select) -> str:
        """The choice on one line, or empty text when it needs more."""
        with self._trial() as lines:
            then, other = (tensor(self._show(branch, whole=True)) for branch in (node.then, node.other))
            text = f"{then.at(1)} if {self._truth(node.test)} else {other.at(0)}"
            flat = not lines()
        return text if flat else ""

    def _store_logic(self, variable: str, node: Binary) -> None:
        """`and`, `or`: what is on the right may name what is absent, unless the left decides alone."""
        conjunction = node.op is BinaryOp.AND
        self._store(variable, node.left)
        with self.code.block(f"if not tm.is_{'false' if conjunction else 'true'}({variable}):"):
            right = self._show(node.right)
            self._set(variable, Printed(f"{variable} {'&' if conjunction else '|'} {right.at(6)}", 5))

    @contextmanager
    def _trial(self) -> Iterator[Callable[[], list[str]]]:
        """Printing whose statements are thrown away; yields a function that tells them."""
        held, parts = self.code.lines, self._parts
        self.code.lines = []
        yield lambda: self.code.lines
        self.code.lines, self._parts = held, parts

    def _named(self, node: Node) -> str:
        """A new variable with the value of a node."""
        self._parts += 1
        variable = f"part{self._parts}_"
        self._store(variable, node)
        return variable

    # Expressions

    def _show(self, node: Node, whole: bool = False) -> Printed:
        """The value of a node, through a temporary when it is long or needs statements; `whole`: it may be long."""
        if self._starts_wide(node):
            self._in_wide = True
            shown = self._show(node)
            self._in_wide = False
            return self._rounded(node, shown)
        lazy = isinstance(node, Select) and asks_presence(node.test)
        if lazy or (isinstance(node, Binary) and node.op in ("and", "or") and asks_presence(node.left)):
            return Printed(self._named(node))
        shown = self._printed(node)
        if whole or len(shown.text) <= _LONG or (shown.prec == ATOM and "(" not in shown.text):
            return shown
        self._parts += 1
        variable = f"part{self._parts}_"
        self._set(variable, shown)
        return Printed(variable)
