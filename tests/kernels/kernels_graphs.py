"""Graphs for tests: random ones, specs as graphs, and what a graph is worth in numpy."""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from opkg.kernels.graphs.build import build
from opkg.kernels.graphs.graph import COMPARE, PLACES, REDUCE, Graph, Node, Result
from opkg.kernels.graphs.nodes import Nodes
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import DTYPES
from opkg.spec.model import Op
from opkg.spec.reader import read
from opkg.verify.meaning.compute import cast

Array = Any
NUMPY = {Type.REAL: np.float64, Type.INTEGER: np.int64, Type.BOOL: np.bool_}


def op_of(body: str, shape: str = "x.shape") -> Op:
    """An op with a compute text and float inputs x, y, z of one shape, an integer i, a bool b and an optional w."""
    lines = "\n".join(f"      {line}" for line in body.splitlines())
    text = f"""\
opkg: 1
package: {{name: acme.test}}
ops:
  Op:
    inputs:
      x: {{dtype: float32, shape: [N, C]}}
      y: {{dtype: float32, shape: [N, C]}}
      i: {{dtype: int32, shape: [N, C]}}
      b: {{dtype: bool8, shape: [N, C]}}
      w: {{dtype: float32, shape: [C], optional: true}}
    params:
      p: {{dtype: float32, default: 1.5}}
      k: {{dtype: int32, default: 2}}
      flag: {{dtype: bool8, default: true}}
    outputs:
      out: {{dtype: float32, shape: "{shape}"}}
    compute: |
{lines}
"""
    package, findings = read(text.encode(), "f.yaml")
    assert package is not None, [str(finding) for finding in findings]
    return package.ops[0]


def graph_of(body: str, present: frozenset[str] = frozenset(), shape: str = "x.shape") -> Graph:
    """The graph of a compute text, as it is written. `shape`: of the output."""
    op = op_of(body, shape)
    return build(op, op.combinations[0], present)


def ops_of(graph: Graph) -> list[str]:
    return [node.op for node in graph.nodes if node.op not in ("input", "param", "const")]


# What a graph is worth. min and max choose between 0.0 and -0.0 as if -0.0 were smaller: numpy's choice is anyone's.


def _by_math(function: Callable[..., float], fallback: Any) -> Any:
    """Element by element through `math`, whose last place does not hang on the length of the array."""

    def one(*args: float) -> float:
        try:
            return function(*args)
        except (ValueError, OverflowError, ZeroDivisionError):
            return float(fallback(*(np.float64(arg) for arg in args)))

    return lambda *args: np.vectorize(one, otypes=[np.float64])(*args) if all(np.size(a) for a in args) else args[0]


def _power(x: Array, e: Array) -> Array:
    """Small powers as their products are rounded; the rest by the C library."""
    if x.dtype.kind != "f":
        return np.power(x, e)
    root = np.sqrt(x)
    inverse = np.where(np.isneginf(x), 0.0, 1.0 / (root + 0.0))
    found = _by_math(math.pow, np.power)(x, e)
    for exponent, value in ((1, x), (2, x * x), (3, x * x * x), (4, x * x * (x * x)), (0.5, root), (-0.5, inverse)):
        found = np.where(e == exponent, value, found)
    return np.where(e == -1, 1.0 / x, found)


def _smaller(a: Array, b: Array) -> Array:
    zero = (a == 0) & (b == 0)
    return np.where(zero, np.where(np.signbit(a), a, b), np.minimum(a, b)) if a.dtype.kind == "f" else np.minimum(a, b)


def _larger(a: Array, b: Array) -> Array:
    zero = (a == 0) & (b == 0)
    return np.where(zero, np.where(np.signbit(a), b, a), np.maximum(a, b)) if a.dtype.kind == "f" else np.maximum(a, b)


_FUNCTIONS: dict[str, Any] = {
    "neg": np.negative, "not": np.logical_not, "abs": np.abs, "floor": np.floor, "ceil": np.ceil, "round": np.rint,
    "trunc": np.trunc, "sign": np.sign, "exp": _by_math(math.exp, np.exp), "log": _by_math(math.log, np.log),
    "sqrt": np.sqrt, "rsqrt": lambda x: 1.0 / np.sqrt(x), "erf": _by_math(math.erf, math.erf),
    "tanh": _by_math(math.tanh, np.tanh), "sigmoid": lambda x: 1.0 / (1.0 + _by_math(math.exp, np.exp)(-x)),
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.true_divide, "floor_div": np.floor_divide,
    "bit_and": np.bitwise_and, "bit_or": np.bitwise_or, "bit_xor": np.bitwise_xor,
    "shift_left": lambda a, n: np.where(n > 63, 0, a << np.clip(n, 0, 63)),
    "shift_right": lambda a, n: a >> np.clip(n, 0, 63),
    "mod": np.mod, "pow": _power, "min": _smaller, "max": _larger, "and": np.logical_and, "or": np.logical_or,
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
    "select": np.where, "reduce_sum": np.sum, "reduce_mean": np.mean, "reduce_prod": np.prod, "reduce_min": np.min,
    "reduce_max": np.max,
}  # fmt: skip
# As the reference of an op computes.
_REFERENCE: dict[str, Any] = {
    **_FUNCTIONS, "exp": np.exp, "log": np.log, "tanh": np.tanh, "sigmoid": lambda x: 1.0 / (1.0 + np.exp(-x)),
    "pow": np.power, "min": np.minimum, "max": np.maximum,
}  # fmt: skip


def evaluate(graph: Graph, values: Mapping[str, Array], reference: bool = False) -> dict[str, Array]:
    """The results, from inputs and params as float64, int64 or bool arrays. `reference`: exactly as numpy computes."""
    found: list[Array] = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for node in graph.nodes:
            args = [found[arg] for arg in node.args]
            value = _value(node, args, values, _REFERENCE if reference else _FUNCTIONS)
            found.append(np.asarray(value).astype(NUMPY[node.type]))
    return {result.name: found[result.node] for result in graph.results}


def _value(node: Node, args: list[Array], values: Mapping[str, Array], table: Mapping[str, Any]) -> Any:
    if node.op in ("input", "param"):
        return values[node.name]
    if node.op == "const":
        return node.value
    if node.op == "cast":
        return cast(args[0], DTYPES[node.dtype])
    works = NUMPY[node.type]
    if node.op in COMPARE:
        works = np.result_type(*args)
    if node.op == "select":
        return np.where(args[0], args[1].astype(works), args[2].astype(works))
    args = [arg.astype(works) for arg in args]
    if node.op in REDUCE:
        return table[node.op](args[0], axis=node.axes, keepdims=node.keepdims)
    return table[node.op](*args)


def same(a: Array, b: Array) -> bool:
    """Equal bit for bit, of zeros the sign, too; all NaN are one."""
    if a.dtype != b.dtype:
        return False
    a, b = np.broadcast_arrays(a, b)
    if a.dtype.kind != "f":
        return bool(np.array_equal(a, b))
    signs = np.where(np.isnan(a), False, np.signbit(a) != np.signbit(b))
    return bool(np.array_equal(a, b, equal_nan=True)) and not signs.any()


# Random graphs

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e-310, 1e300, -1e300, math.inf, -math.inf, math.nan]
REALS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 3.0, 4.0, -2.0, 0.1, 6.0, 1e300]
WHOLE = [0, 1, -1, 2, 3, 4, 6, -7, 2**62]
_UNARY = ["neg", "abs", "floor", "ceil", "round", "trunc", "sign", "exp", "log", "sqrt", "rsqrt", "erf", "tanh",
          "sigmoid"]  # fmt: skip
_ARITHMETIC = ["add", "sub", "mul", "div", "floor_div", "mod", "pow", "min", "max", "min", "max", "add", "mul", "pow"]
_CASTS = {"float32": Type.REAL, "float16": Type.REAL, "int8": Type.INTEGER, "int32": Type.INTEGER,
          "uint16": Type.INTEGER, "bool8": Type.BOOL}  # fmt: skip


class Grower:
    """Adds random operations to a graph. Old nodes are chosen less often than new ones."""

    def __init__(self, rng: random.Random, reductions: bool) -> None:
        self.rng = rng
        self.nodes = Nodes(share=False)
        self.reductions = reductions
        for name, type_ in (("x", Type.REAL), ("y", Type.REAL), ("i", Type.INTEGER), ("b", Type.BOOL)):
            self.nodes.add(Node("input", (), type_, name))
        for name, type_ in (("p", Type.REAL), ("k", Type.INTEGER), ("flag", Type.BOOL)):
            self.nodes.add(Node("param", (), type_, name, uniform=True))

    def pick(self, *types: Type) -> int:
        if self.rng.random() < 0.3:
            return self.const(self.rng.choice(types))
        fits = [at for at, node in enumerate(self.nodes.list) if node.type in types]
        return self.rng.choice(fits[-6:] if self.rng.random() < 0.6 else fits)

    def const(self, type_: Type) -> int:
        value = self.rng.choice({Type.REAL: REALS, Type.INTEGER: WHOLE, Type.BOOL: [True, False]}[type_])
        return self.nodes.add(Node("const", (), type_, value=value, uniform=True))

    def add(self, op: str, type_: Type, *args: int, **more: Any) -> int:
        uniform = self.nodes.uniform(args) and more.get("axes") is None
        return self.nodes.add(Node(op, args, type_, uniform=uniform, **more))

    def step(self) -> int:
        real, whole, truth = Type.REAL, Type.INTEGER, Type.BOOL
        kind = self.rng.choice(["unary", "binary", "binary", "binary", "compare", "select", "logic", "cast", "reduce"])
        if kind == "unary":
            at = self.pick(real, whole)
            op = self.rng.choice(_UNARY)
            keeps = op in ("neg", "abs", "sign") and self.nodes.list[at].type is whole
            return self.add(op, whole if keeps else real, at)
        if kind == "binary":
            return self._binary()
        if kind == "compare":
            return self.add(self.rng.choice(sorted(COMPARE)), truth, self.pick(real, whole), self.pick(real, whole))
        if kind == "select":
            test = self.pick(truth)
            then, other = self.pick(real, whole), self.pick(real, whole)
            if self.nodes.list[test].op in ("lt", "le", "gt", "ge") and self.rng.random() < 0.5:
                then, other = self.rng.choice([(0, 1), (1, 0)])
                then, other = (self.nodes.list[test].args[place] for place in (then, other))
            return self.add("select", self.joined(then, other), test, then, other)
        if kind == "logic":
            if self.rng.random() < 0.4:
                return self.add("not", truth, self.pick(truth))
            return self.add(self.rng.choice(["and", "or"]), truth, self.pick(truth), self.pick(truth))
        if kind == "cast" or not self.reductions:
            dtype = self.rng.choice(sorted(_CASTS))
            return self.add("cast", _CASTS[dtype], self.pick(real, whole, truth), dtype=dtype)
        at = self.pick(real, whole)
        op = self.rng.choice(sorted(REDUCE - PLACES))
        type_ = real if op == "reduce_mean" else self.nodes.list[at].type
        return self.add(op, type_, at, axes=None, keepdims=self.rng.random() < 0.5)

    def joined(self, *args: int) -> Type:
        return Type.REAL if any(self.nodes.list[arg].type is Type.REAL for arg in args) else Type.INTEGER

    def _binary(self) -> int:
        op = self.rng.choice(_ARITHMETIC)
        left, right = self.pick(Type.REAL, Type.INTEGER), self.pick(Type.REAL, Type.INTEGER)
        if self.rng.random() < 0.1:
            right = left
        type_ = self.joined(left, right)
        if op == "div":
            type_ = Type.REAL
        if op == "pow" and type_ is Type.INTEGER:
            value = self.nodes.list[right].value
            type_ = Type.INTEGER if isinstance(value, int) and value >= 0 else Type.REAL
        return self.add(op, type_, left, right)


def random_graph(rng: random.Random, size: int, reductions: bool = False) -> Graph:
    """A graph of up to `size` operations with one to three results."""
    grower = Grower(rng, reductions)
    made = [grower.step() for _ in range(size)]
    results = [Result(f"out{n}", made[-1 - n]) for n in range(min(len(made), rng.randint(1, 3)))]
    return grower.nodes.graph(results)


def random_values(rng: random.Random, length: int = 12) -> dict[str, Array]:
    """Inputs with special numbers among them, and params."""

    def reals(n: int) -> Array:
        return np.array([rng.choice(SPECIAL) if rng.random() < 0.5 else rng.uniform(-8, 8) for _ in range(n)])

    whole = [rng.choice([0, 1, -1, 2**63 - 1, -(2**63), 7]) if rng.random() < 0.3 else rng.randint(-99, 99)
             for _ in range(length)]  # fmt: skip
    return {
        "x": reals(length), "y": reals(length), "i": np.array(whole, dtype=np.int64),
        "b": np.array([rng.random() < 0.5 for _ in range(length)]), "p": np.asarray(reals(1)[0]),
        "k": np.asarray(rng.randint(-5, 5)), "flag": np.asarray(rng.random() < 0.5),
    }  # fmt: skip
