"""The torch function that an op fuses (`pattern:`): checked Python text over the op's inputs and params.

What a reader of the model may rely on:

- `statements` are assignments in order. Names on the left are new; every output of the op is assigned exactly once, every
  other name is used later. `text` is the right side, as `ast.unparse` writes it, with `torch.` in front of every function
  (`F.relu` has become `torch.nn.functional.relu`). It stands in a Python function over the inputs and params as it is:
  no name in it means anything but `torch`, an input, a param that is read, or a name assigned before.
- Every input is read, and none is variadic. Inputs are what the fusion binds: anything in a graph. Optional ones are None
  where a call leaves them out; there they are arguments of calls, or stand behind `x is not None` (`for_call`).
- A param that is read is a scalar with a literal default (`literals`). Its value is read out of the graph: numbers that change
  with it say which one it is there, and alternatives, whose conditions are plain Python, where it has a few values only.
  Params that are not read have their defaults.
- A named dimension of an input is a whole number, in indexes and arguments: `dims` says where each that is read stands.
- A target `_` is a result that nobody uses.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from opkg.spec.diagnostics import Span
from opkg.spec.expr import Name, Rest, ShapeList
from opkg.spec.pattern_choice import Values, branches

if TYPE_CHECKING:  # the model has patterns
    from opkg.spec.model import Op

MAX_TEXT = 4000
MAX_STATEMENTS = 40
MAX_NODES = 600
MAX_DEPTH = 32


@dataclass(frozen=True, slots=True)
class PatternStatement:
    """One assignment. `targets`: one name; several take the results of a call, or of a tuple of as many expressions."""

    targets: tuple[str, ...]
    text: str
    span: Span = field(compare=False)

    def __str__(self) -> str:
        return f"{', '.join(self.targets)} = {self.text}"


@dataclass(frozen=True, slots=True)
class DimPlace:
    """A named dimension: its size is `input.shape[index]`, from the end (negative) behind a run of dimensions."""

    name: str
    input: str
    index: int


def dim_places(op: Op) -> dict[str, DimPlace]:
    """Where the named dimensions of an op's mandatory inputs stand, each at its first place that has a number."""
    found: dict[str, DimPlace] = {}
    for tensor in op.inputs:
        tree = tensor.shape.tree
        if not isinstance(tree, ShapeList) or tensor.optional:
            continue
        run = next((at for at, item in enumerate(tree.items) if isinstance(item, Rest)), len(tree.items))
        for at, item in enumerate(tree.items):
            if isinstance(item, Name) and at != run:
                index = at if at < run else at - len(tree.items)
                found.setdefault(item.id, DimPlace(item.id, tensor.name, index))
    return found


@dataclass(frozen=True, slots=True)
class TorchPattern:
    """The function of torch that an op stands for. `text`: as written; `span`: where.

    `inputs`: all of the op, in order. `params`: those that are read, in the op's order. `literals`: their defaults.
    `optional`: inputs that a call may leave out.
    """

    text: str
    statements: tuple[PatternStatement, ...]
    inputs: tuple[str, ...]
    params: tuple[str, ...]
    literals: tuple[tuple[str, bool | int | float], ...]
    span: Span = field(compare=False)
    dims: tuple[DimPlace, ...] = ()
    optional: frozenset[str] = frozenset()

    @property
    def lines(self) -> tuple[str, ...]:
        """The statements as lines of Python."""
        return tuple([str(statement) for statement in self.statements])

    def for_call(self, absent: frozenset[str] = frozenset()) -> TorchPattern:
        """The same for calls with the defaults of all params that leave these inputs out: without alternatives."""
        resolve = _Resolve(absent, {name: value for name, value in self.literals if not isinstance(value, float)})
        found = []
        for each in self.statements:
            tree = resolve.visit(ast.parse(each.text, mode="eval").body)
            found.append(replace(each, text=ast.unparse(ast.fix_missing_locations(tree))))
        inputs = tuple(name for name in self.inputs if name not in absent)
        return replace(self, statements=tuple(found), inputs=inputs, optional=frozenset())


class _Resolve(ast.NodeTransformer):
    """Alternatives become what they are in one kind of call; what is left out becomes None."""

    def __init__(self, absent: frozenset[str], values: Values) -> None:
        self.absent, self.values = absent, values

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        found: ast.AST = self.visit(branches(node, self.absent, self.values)[0])
        return found

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Constant(None) if node.id in self.absent else node
