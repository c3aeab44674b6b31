"""Prints a computation as numpy: a function of arrays of float64, int64 and bool for every combination of element types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from opkg.kernels.emit.parts import asked, parts
from opkg.kernels.graphs.graph import BITWISE, REDUCE, SCAN, Graph, Node
from opkg.kernels.portable.plain import source_of
from opkg.spec.compute.types import Type
from opkg.spec.model import Combination, Op
from opkg.targets.qnn_common.names import local

_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
}  # fmt: skip
_NUMPY = {
    "abs": "abs", "floor": "floor", "ceil": "ceil", "round": "rint", "trunc": "trunc", "sign": "sign", "exp": "exp",
    "log": "log", "sqrt": "sqrt", "tanh": "tanh", "min": "minimum", "max": "maximum", "and": "logical_and",
    "or": "logical_or", "not": "logical_not", "select": "where",
    "sin": "sin", "cos": "cos", "asin": "arcsin", "atan": "arctan", "log1p": "log1p",
}  # fmt: skip
_WHOLE = frozenset(("floor", "ceil", "round", "trunc"))  # of integers: nothing to do


@dataclass(frozen=True, slots=True)
class NumpyCode:
    """A function's body and the combinations that have it."""

    combinations: tuple[Combination, ...]
    lines: tuple[str, ...]


def numpy_code(op: Op, combinations: tuple[Combination, ...]) -> list[NumpyCode]:
    """The body for every combination, each text once. It reads inputs and params as variables and returns a list."""
    found: dict[tuple[str, ...], NumpyCode] = {}
    for combination in combinations:
        lines = tuple(_function(op, combination))
        before = found.get(lines, NumpyCode((), lines))
        found[lines] = NumpyCode((*before.combinations, combination), lines)
    return list(found.values())


def _function(op: Op, combination: Combination) -> Iterator[str]:
    optional = asked(op)
    for snippets in parts(op, source_of(op, combination), False):
        lines: list[str] = []
        results: dict[str, str] = {}
        for snippet in snippets:
            results |= _statements(snippet.graph, lines)
        lines.append(f"return [{', '.join(results[t.name] for t in op.outputs)}]")
        present = snippets[0].present
        tests = [f"{local(n)} is {'not ' if n in present else ''}None" for n in optional]
        if tests and present != frozenset() and len(present) > 0:
            yield f"if {' and '.join(tests)}:"
            yield from (f"    {line}" for line in lines)
        else:
            yield from lines


def _statements(graph: Graph, lines: list[str]) -> dict[str, str]:
    """Adds a graph's statements; the text of each result."""
    uses = Counter(arg for node in graph.nodes for arg in node.args)
    texts: dict[int, str] = {}
    taken = set(graph.inputs)
    for place, node in enumerate(graph.nodes):
        text = _text(node, graph, [texts[arg] for arg in node.args])
        leaf = node.op in ("input", "param", "const")
        if not leaf and (uses[place] > 1 or len(text) > 70 or (node.origin and len(text) > 30)):
            name = f"{node.origin or 'part'}_{place}"
            assert name not in taken
            lines.append(f"{name} = {_bare(text)}")
            text = name
        texts[place] = text
    return {result.name: _bare(texts[result.node]) for result in graph.results}


def _bare(text: str) -> str:
    """Without the brackets around the whole."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for place, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0 and place < len(text) - 1:
            return text
    return text[1:-1]


def _text(node: Node, graph: Graph, args: list[str]) -> str:
    match node.op:
        case "input" | "param":
            return local(node.name)
        case "const":
            return (
                f"np.{type(node.value).__name__}64({node.value!r})"
                if not isinstance(node.value, bool)
                else repr(node.value)
            )
        case "neg":
            return f"(-{args[0]})"
        case op if op in _SIGNS:
            return f"({args[0]} {_SIGNS[op]} {args[1]})"
        case op if op in _WHOLE and node.type is not Type.REAL:
            return args[0]
        case op if op in _NUMPY:
            return f"np.{_NUMPY[op]}({', '.join(map(_bare, args))})"
        case "cast":
            return f'math_.cast({_bare(args[0])}, "{node.dtype}")'
        case op if op in REDUCE or op in SCAN:
            axes = local(node.axes) if isinstance(node.axes, str) else repr(node.axes)
            keep = f"bool({local(node.keepdims)})" if isinstance(node.keepdims, str) else repr(node.keepdims)
            return f"math_.{op}({_bare(args[0])}, {axes}, {keep})"
        case op if op in BITWISE or op in ("div", "floor_div", "mod", "pow", "rsqrt", "erf", "sigmoid"):
            return f"math_.{op}({', '.join(map(_bare, args))})"
    raise AssertionError(node.op)
