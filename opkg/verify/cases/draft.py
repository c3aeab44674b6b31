"""A call in the making: dimensions, runs of dimensions and params, from which the shapes of the inputs follow."""

from __future__ import annotations

from dataclasses import dataclass, field

from opkg.spec.dtypes import DType
from opkg.spec.evaluate import Env, EvaluationError, Result, Shape, TensorInfo, Unknown, evaluate
from opkg.spec.expr import Call, Expression, Item, Member, Name, Rest, ShapeList, Tree, Unary
from opkg.spec.model import Combination, Op, TensorSpec, Value
from opkg.verify.cases.calls import Giving


def anonymous_rest(spec: TensorSpec) -> bool:
    """Whether the tensor's shape has a `...` of its own."""
    tree = spec.shape.tree
    return isinstance(tree, ShapeList) and any(isinstance(i, Rest) and i.name is None for i in tree.items)


def children(tree: Tree) -> tuple[Tree, ...]:
    """The operands of a node."""
    if isinstance(tree, Call):
        return tree.args
    if isinstance(tree, ShapeList):
        return tree.items
    if isinstance(tree, Item):
        return (tree.base, tree.index)
    if isinstance(tree, Unary):
        return (tree.operand,)
    names = ("left", "right", "test", "then", "other")
    return tuple(getattr(tree, name) for name in names if hasattr(tree, name))


def calls_of(tree: Tree, function: str) -> list[Call]:
    """All calls of a function within an expression."""
    found = [tree] if isinstance(tree, Call) and tree.function == function else []
    for child in children(tree):
        found += calls_of(child, function)
    return found


def tensor_of(tree: Tree) -> str:
    """The tensor whose shape an operand is (`x` or `x.shape`), or empty."""
    if isinstance(tree, Name):
        return tree.id
    return tree.tensor if isinstance(tree, Member) and tree.member == "shape" else ""


@dataclass(slots=True)
class Draft:
    """One call in the making. `loose`: the dimensions that the `...` of a tensor stands for.

    `fixed`: shapes that a test case of the user's gives; `locked`: names whose values must not change.
    `spread`: for a variadic tensor the axis along which its items differ, and their extents there.
    """

    op: Op
    combination: Combination
    call: Giving
    dims: dict[str, int] = field(default_factory=dict)
    rests: dict[str, list[int]] = field(default_factory=dict)
    loose: dict[str, list[int]] = field(default_factory=dict)
    params: dict[str, Value] = field(default_factory=dict)
    fixed: dict[str, tuple[Shape | None, ...]] = field(default_factory=dict)
    locked: set[str] = field(default_factory=set)
    spread: dict[str, tuple[int, list[int]]] = field(default_factory=dict)

    def count(self, name: str) -> int:
        """How many tensors the call gives for an input or output."""
        return dict(self.call.inputs + self.call.outputs).get(name, 0)

    def dtype(self, spec: TensorSpec) -> DType:
        return spec.dtype.of(self.combination)

    def env(self) -> Env:
        """The names that have a value so far: dimensions, params (defaults filled in) and tensors."""
        rests = {name: tuple(dims) for name, dims in self.rests.items()}
        types = dict(self.combination.types)
        env = Env(dict(self.dims), rests, dict(self.params), frozenset(self.params), {}, types)
        for spec in self.op.inputs:
            if self.count(spec.name) == 0:
                env.tensors[spec.name] = ()
        for _ in range(2):  # a shape may need a param, and a default a shape
            self._tensors(env)
            self._defaults(env)
        for spec in self.op.outputs:
            shape = try_evaluate(spec.shape, env)
            if isinstance(shape, tuple):
                env.tensors[spec.name] = (TensorInfo(shape, self.dtype(spec)),) * self.count(spec.name)
        return env

    def _tensors(self, env: Env) -> None:
        for spec in self.op.inputs:
            if spec.name in env.tensors:
                continue
            shapes = self.shapes(spec, env)
            if shapes is not None:
                env.tensors[spec.name] = tuple(TensorInfo(s, self.dtype(spec)) for s in shapes)

    def _defaults(self, env: Env) -> None:
        for param in self.op.params:
            if param.name in env.params or param.name in self.call.params or param.default is None:
                continue
            value: object = param.default
            if isinstance(param.default, Expression):
                value = try_evaluate(param.default, env)
            if isinstance(value, bool | int | float | tuple):
                env.params[param.name] = value

    def shapes(self, spec: TensorSpec, env: Env) -> list[Shape] | None:
        """The shapes of one input's tensors, None while something they need is missing."""
        given = self.fixed.get(spec.name, ())
        base = given[0] if given and given[0] is not None else self._shape(spec, env)
        if base is None:
            return None
        shapes = [base] * self.count(spec.name)
        if spec.name in self.spread:
            axis, extents = self.spread[spec.name]
            if -len(base) <= axis < len(base):
                axis %= len(base)
                pairs = zip(shapes, extents, strict=False)
                shapes = [(*s[:axis], extent, *s[axis + 1 :]) for s, extent in pairs]
        for place, shape in enumerate(given[: len(shapes)]):
            shapes[place] = shape if shape is not None else shapes[place]
        return shapes

    def _shape(self, spec: TensorSpec, env: Env) -> Shape | None:
        tree = spec.shape.tree
        if not isinstance(tree, ShapeList):
            shape = try_evaluate(spec.shape, env)
            return shape if isinstance(shape, tuple) else None
        dims: list[int] = []
        for item in tree.items:
            if isinstance(item, Rest) and item.name is None:
                dims += self.loose.get(spec.name, [])
                continue
            try:
                value = env.rests[item.name or ""] if isinstance(item, Rest) else evaluate(item, env)
            except (Unknown, EvaluationError, KeyError):
                return None
            dims += value if isinstance(value, tuple) else [int(value)] if isinstance(value, int) else []
        return tuple(dims)

    def tensors(self, env: Env) -> dict[str, tuple[TensorInfo, ...]]:
        """The inputs of the call, as check_call takes them."""
        return {spec.name: env.tensors.get(spec.name, ()) for spec in self.op.inputs}


def try_evaluate(expression: Expression, env: Env) -> Result | None:
    """The value of an expression, or None when it has none (yet)."""
    try:
        return evaluate(expression.tree, env)
    except (Unknown, EvaluationError):
        return None
