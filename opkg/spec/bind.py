"""Binds named dimensions to the shapes of a call and compares shapes with shape expressions."""

from __future__ import annotations

from opkg.spec.evaluate import Env, EvaluationError, Shape, TensorInfo, Unknown, evaluate
from opkg.spec.expr import Name, Rest, ShapeList, Tree
from opkg.spec.model import ParamSpec, TensorSpec
from opkg.spec.shapes import product, text_of


class Binder:
    """Fills `env.dims` and `env.rests`; reports a name that two tensors give different values."""

    def __init__(self, env: Env, dims: frozenset[str], violations: list[str]) -> None:
        self.env = env
        self.dims = dims
        self.violations = violations
        self.first: dict[str, str] = {}

    def tensor(self, spec: TensorSpec, info: TensorInfo) -> None:
        """Bind the names of an input's shape list."""
        tree = spec.shape.tree
        if not isinstance(tree, ShapeList) or info.shape is None:
            return
        pairs = aligned(tree, info.shape)
        if pairs is None:
            return  # the check of shapes says so
        for item, dims in pairs:
            if isinstance(item, Name) and item.id in self.dims:
                self.bind(item.id, dims[0], spec.name)
            elif isinstance(item, Rest) and item.name is not None:
                self.bind_rest(item.name, dims, spec.name)

    def param(self, spec: ParamSpec, length: int) -> None:
        """Bind the one open dimension of a tensor param's shape from its number of elements."""
        tree = spec.shape.tree if spec.shape is not None else None
        if not isinstance(tree, ShapeList):
            return
        known, open_name = 1, ""
        for item in tree.items:
            if isinstance(item, Name) and item.id in self.dims and item.id not in self.env.dims:
                open_name = item.id
                continue
            try:
                value = evaluate(item, self.env)
            except (Unknown, EvaluationError):
                return
            assert isinstance(value, int)
            known *= value
        if open_name and (known <= 0 or length % known):
            self.violations.append(f"param '{spec.name}' has {length} elements, not a multiple of {known}")
        elif open_name:
            self.bind(open_name, length // known, spec.name)

    def bind(self, name: str, value: int, where: str) -> None:
        bound = self.env.dims.setdefault(name, value)
        first = self.first.setdefault(name, where)
        if bound != value:
            self.violations.append(f"dimension {name} is {bound} in '{first}' and {value} in '{where}'")

    def bind_rest(self, name: str, value: Shape, where: str) -> None:
        bound = self.env.rests.setdefault(name, value)
        first = self.first.setdefault(name, where)
        if bound != value:
            text = f"dimensions {name} are {text_of(bound)} in '{first}' and {text_of(value)} in '{where}'"
            self.violations.append(text)


def aligned(tree: ShapeList, shape: Shape) -> list[tuple[Tree, Shape]] | None:
    """Each item of a shape list with the dimensions it stands for; None when the numbers do not fit."""
    items = tree.items
    rest = next((i for i, item in enumerate(items) if isinstance(item, Rest)), None)
    if rest is None:
        if len(items) != len(shape):
            return None
        return [(item, shape[i : i + 1]) for i, item in enumerate(items)]
    run = len(shape) - (len(items) - 1)
    if run < 0:
        return None
    result: list[tuple[Tree, Shape]] = []
    at = 0
    for i, item in enumerate(items):
        width = run if i == rest else 1
        result.append((item, shape[at : at + width]))
        at += width
    return result


def check_shape(name: str, tree: Tree, shape: Shape, env: Env, violations: list[str], output: bool = False) -> None:
    """Compare a tensor's shape with its shape expression; names that nothing bound fit anything."""
    if isinstance(tree, ShapeList):
        _check_list(name, tree, shape, env, violations, output)
        return
    try:
        wanted = evaluate(tree, env)
    except Unknown:
        return
    except EvaluationError as failure:
        if not output:
            violations.append(f"shape of '{name}': {failure}")
        return
    if wanted != shape:
        assert isinstance(wanted, tuple)
        violations.append(f"'{name}' has shape {text_of(shape)}, not {text_of(wanted)}")


def _check_list(name: str, tree: ShapeList, shape: Shape, env: Env, violations: list[str], output: bool) -> None:
    pairs = aligned(tree, shape)
    if pairs is None:
        least = sum(not isinstance(item, Rest) for item in tree.items)
        violations.append(f"'{name}' has rank {len(shape)}; its shape names {least} dimensions")
        return
    open_ = any(isinstance(item, Rest) and item.name is None for item in tree.items)
    after = 0
    for item, dims in pairs:
        at, after = after, after + len(dims)
        if isinstance(item, Name) and item.id in env.dims and not output:
            continue  # compared when it was bound
        if isinstance(item, Rest):
            wanted = env.rests.get(item.name or "", dims)
            if wanted != dims and output:
                violations.append(f"dimensions {item.name} of '{name}' are {text_of(dims)}, not {text_of(wanted)}")
            continue
        try:
            value = evaluate(item, env)
        except Unknown:
            continue
        except EvaluationError as failure:
            if not output or open_:  # the inference of an output without '...' says so already
                violations.append(f"dimension {at} of '{name}': {failure}")
            continue
        if value != dims[0]:
            violations.append(f"dimension {at} of '{name}' is {dims[0]}, not {value}")


def element_count(spec: ParamSpec, env: Env) -> int | None:
    """Number of elements of a tensor param; None when the call does not determine it. May raise EvaluationError."""
    if spec.shape is None:
        return 1
    try:
        shape = evaluate(spec.shape.tree, env)
    except Unknown:
        return None
    assert isinstance(shape, tuple)
    return product(shape)
