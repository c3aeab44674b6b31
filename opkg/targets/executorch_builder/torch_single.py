"""Which steps of ops are float32: where a `compute:` is proved to lose nothing by it (docs/design/executorch.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from opkg.spec.compute.tree import (
    REAL_FUNCTIONS,
    Assign,
    Assigned,
    Binary,
    BinaryOp,
    Call,
    Compare,
    Compute,
    Const,
    Function,
    Input,
    Node,
    Param,
    Present,
    Reduce,
    Reduction,
    Select,
    Unary,
    UnaryOp,
    children,
)
from opkg.spec.compute.types import Type, Types
from opkg.spec.model import Combination, Op
from opkg.targets.executorch_builder import torch_bounds as rules
from opkg.targets.executorch_builder.torch_bounds import TRUTH, Bounds, Unproved

# Errors that an output may have, in 2**-24: 16 is 2**-20 of the value; of float16 a hundredth of the last place.
ALLOWED = {"float32": 16.0, "float16": 80.0, "bool8": 0.0}
# Absolute errors, in 2**-126, by what was too small inside.
LOST = {"float32": 2.0**10, "float16": 2.0**90, "bool8": 0.0}
_SLOPES = {"float16": 25.0}  # below exp(-25) nothing is left of a value, and of it times 65504
_INPUTS = {
    "float32": Bounds(),
    "float16": Bounds(bits=11, low=-65504.0, high=65504.0, least=2.0**-24),
}
_LIMITS = frozenset((Function.MIN, Function.MAX, Function.CLIP))


@dataclass(slots=True)
class Wide:
    """What is float64 in a computation whose other steps are float32: `nodes` with all below them, by identity, and the
    assigned `names`; float32 steps take it rounded."""

    nodes: set[int] = field(default_factory=set)
    names: set[str] = field(default_factory=set)

    @property
    def size(self) -> int:
        return len(self.nodes) + len(self.names)


@dataclass(frozen=True, slots=True)
class Mixed:
    """A computation of float32 and float64 steps, and what is proved of it by rows of element types."""

    wide: Wide
    rows: dict[int, dict[str, Bounds]]


def mixed(op: Op, combinations: Sequence[Combination]) -> Mixed | None:
    """Which steps are float64 where all in float32 is not proved, the same ones in as many rows as may be; None where no
    function would be float32 even so."""
    left = [at for at, row in enumerate(combinations) if proved(op, row) is None]
    together = [left] if len(left) > 1 else []
    tried = (_mixed(op, combinations, rows) for rows in (*together, *([at] for at in left)))
    return next((found for found in tried if found is not None), None)


def _mixed(op: Op, combinations: Sequence[Combination], rows: Sequence[int]) -> Mixed | None:
    wide, size = Wide(), -1
    found: dict[int, dict[str, Bounds]] = {}
    while size < wide.size:
        size = wide.size
        found = {at: bounds for at in rows if (bounds := proved(op, combinations[at], wide)) is not None}
    if op.compute is None or len(found) < len(rows) or not _has_function(op.compute, wide):
        return None
    return Mixed(wide, found)


def _has_function(compute: Compute, wide: Wide) -> bool:
    """Whether float32 steps are worth the conversions: one of them is a function."""
    stack = [each.expr for each in compute.statements if each.name not in wide.names]
    while stack:
        node = stack.pop()
        if id(node) not in wide.nodes:
            if isinstance(node, Call) and node.function in REAL_FUNCTIONS:
                return True
            stack += children(node)
    return False


def proved(op: Op, combination: Combination, wide: Wide | None = None) -> dict[str, Bounds] | None:
    """What float32 steps are off at most in each output; None where nothing is proved.

    With `wide` steps that float32 may not compute are float64: what is new of it is added.
    """
    if op.compute is None or any(tensor.variadic is not None for tensor in op.tensors):
        return None
    names = {tensor.name: tensor.dtype.of(combination).name for tensor in op.tensors}
    if not has_floats(op, combination):
        return None
    found: dict[str, Bounds] = {}
    try:
        for output in op.outputs:
            bounds = _Walk(op, combination, output.name, wide).result()
            if _is_off(bounds, names[output.name]):
                return None
            found[output.name] = bounds
    except Unproved:
        return None
    return found


def has_floats(op: Op, combination: Combination) -> bool:
    """Whether all inputs are of element types that float32 holds."""
    return all(tensor.dtype.of(combination).name in _INPUTS for tensor in op.inputs)


def _is_off(bounds: Bounds, dtype: str) -> bool:
    """Whether a value is further off than an output of a type may be."""
    too_far = bounds.error > ALLOWED.get(dtype, -1.0) or bounds.loss > LOST.get(dtype, 0.0)
    return too_far or bool((bounds.moved or bounds.scaled) and dtype != "float32")


class _Walk:
    """The bounds of one output, statement by statement."""

    def __init__(self, op: Op, combination: Combination, output: str, wide: Wide | None) -> None:
        assert op.compute is not None
        self.op, self.output, self.wide = op, output, wide
        self._types = Types(op.compute, op, combination)
        self._dtype = next(t for t in op.outputs if t.name == output).dtype.of(combination).name
        self._dtypes = {tensor.name: tensor.dtype.of(combination).name for tensor in op.inputs}
        self._uses = _uses(op.compute, output)
        self._params = {param.name: param for param in op.params}
        self._names: dict[str, Bounds] = {}

    def result(self) -> Bounds:
        assert self.op.compute is not None
        for statement in self.op.compute.statements:
            if self._uses[statement.name]:
                self._names[statement.name] = self._assigned(statement)
        return self._names[self.output]

    def _assigned(self, statement: Assign) -> Bounds:
        """The bounds of a statement; one that float64 steps take is float64."""
        if self.wide is None:
            return self._of(statement.expr)
        if statement.name in self.wide.names:
            self._widened(statement.expr)
            return self._rounded(statement.expr)
        return self._of(statement.expr)

    def _of(self, node: Node) -> Bounds:
        """The bounds of a value in float32, or rounded to it where float32 may not compute it."""
        if self.wide is None:
            return self._single(node)
        if id(node) in self.wide.nodes:
            return self._rounded(node)
        held = set(self.wide.nodes), set(self.wide.names)
        try:
            bounds = self._single(node)
            if self._types[node] is Type.REAL and _is_off(bounds, self._dtype):
                raise Unproved
            return bounds
        except Unproved:
            rounded = self._rounded(node)
            self.wide.nodes, self.wide.names = held
            self.wide.nodes.add(id(node))
            self._widened(node)
            return rounded

    def _rounded(self, node: Node) -> Bounds:
        """What float32 steps take of float64 ones: not of numbers alone, and no integers."""
        kind = self._types[node]
        if kind is Type.INTEGER or not _has_tensors(node):
            raise Unproved
        function = node.function if isinstance(node, Call) else None
        return TRUTH if kind is Type.BOOL else rules.narrowed(function)

    def _widened(self, node: Node) -> None:
        """What a float64 step takes is float64, too."""
        assert self.wide is not None
        stack = [node]
        while stack:
            node = stack.pop()
            stack += children(node)
            if isinstance(node, Assigned):
                self.wide.names.add(node.name)

    def _single(self, node: Node) -> Bounds:
        real = self._types[node] is Type.REAL
        match node:
            case Const():
                return TRUTH if isinstance(node.value, bool) else rules.constant(node.value)
            case Input() if real:
                known = _INPUTS[self._dtypes[node.name]]
                return replace(known, movable=node.name if self._uses[node.name] == 1 else "")
            case Param() if real and self._is_single(node.name):
                return _INPUTS[self._params[node.name].dtype.name]
            case Assigned():
                return self._names[node.name]
            case Present():
                return TRUTH
            case Unary(UnaryOp.NOT) | Binary(BinaryOp.AND | BinaryOp.OR) | Compare():
                return self._test(node)
            case Unary(UnaryOp.NEG) if real:
                return rules.negated(self._of(node.operand))
            case Binary() if real:
                return self._binary(node)
            case Select():
                self._of(node.test)
                return rules.joined([self._of(node.then), self._of(node.other)])
            case Call() if real:
                args = [self._of(arg) for arg in node.args]
                return rules.limited(node.function, args) if len(args) > 1 else self._applied(node.function, args[0])
            case Reduce(Reduction.MIN | Reduction.MAX) if real:
                return replace(self._of(node.operand), movable="")
            case _:
                raise Unproved

    def _applied(self, function: Function, x: Bounds) -> Bounds:
        return rules.applied(function, x, _SLOPES.get(self._dtype, rules.SLOPE))

    def _is_single(self, name: str) -> bool:
        """Whether a param is one number that float32 holds."""
        return self._params[name].shape is None and self._params[name].dtype.name in _INPUTS

    def _test(self, node: Node) -> Bounds:
        """A test is the same one: it compares what nothing was rounded of."""
        values = [self._of(child) for child in children(node)]
        if any(value.error or not value.whole for value in values):
            raise Unproved
        return TRUTH

    def _binary(self, node: Binary) -> Bounds:
        left, right = self._of(node.left), self._of(node.right)
        match node.op:
            case BinaryOp.ADD:
                return rules.added(left, right)
            case BinaryOp.SUB:
                return rules.added(left, rules.negated(right))
            case BinaryOp.MUL if _gates(node.left, node.right) and not left.error:
                return rules.applied(Function.SILU, left)
            case BinaryOp.MUL if _gates(node.right, node.left) and not right.error:
                return rules.applied(Function.SILU, right)
            case BinaryOp.MUL if node.left == node.right:
                return rules.power(left, 2)
            case BinaryOp.MUL:
                return rules.multiplied(left, right)
            case BinaryOp.DIV if _is_literal(node.left):  # torch: reciprocal, then a product
                return rules.multiplied(left, rules.divided(rules.constant(1), right))
            case BinaryOp.DIV:
                return rules.divided(left, right)
            case BinaryOp.POW if isinstance(node.right, Const) and node.right.value in (2, 3):
                return rules.power(left, int(node.right.value))
            case _:
                raise Unproved


def _has_tensors(node: Node) -> bool:
    return isinstance(node, Input | Assigned) or any(_has_tensors(child) for child in children(node))


def _is_literal(node: Node) -> bool:
    """Whether a node is a number of the text."""
    return isinstance(node, Const) or (isinstance(node, Unary) and _is_literal(node.operand))


def _gates(left: Node, right: Node) -> bool:
    """Whether a product is SiLU."""
    return isinstance(right, Call) and right.function is Function.SIGMOID and right.args == (left,)


def _uses(compute: Compute, output: str) -> Counter[str]:
    """How often each name goes into an output, through temporaries, too."""
    found = Counter({output: 1})
    for statement in reversed(compute.statements):
        stack = [statement.expr]
        while stack and found[statement.name]:
            node = stack.pop()
            stack += children(node)
            if isinstance(node, Input | Assigned):
                found[node.name] += found[statement.name]
    return found
