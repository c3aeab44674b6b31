"""Alternatives of a `pattern:`: `A if present(x) else B`, and the same on params that have a few values only."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from opkg.spec.compute.text import Fault, Places, fault
from opkg.spec.dtypes import Kind
from opkg.spec.expr import Num
from opkg.spec.model import Op, ParamSpec

MOST_VALUES = 8  # of a param that a condition asks for, and of all of them together
MOST_OPTIONAL = 6
_FORMS = "present(x), a bool param, PARAM == VALUE, and 'not', 'and', 'or' of these"
Values = Mapping[str, bool | int]


def choices(param: ParamSpec) -> tuple[bool | int, ...]:
    """All values of a param that has a few: a bool, an enum, a short range of whole numbers. Else nothing."""
    if param.shape is not None or param.axis_of is not None:
        return ()
    if param.dtype.kind is Kind.BOOL:
        return (False, True)
    if param.enum:
        return tuple(number for _, number in param.enum)[:MOST_VALUES]
    ends = param.range
    if ends is None or param.dtype.kind is Kind.FLOAT or ends.low is None or ends.high is None:
        return ()
    low, high = ends.low.tree, ends.high.tree
    if not (isinstance(low, Num) and isinstance(high, Num)):
        return ()
    found = range(int(low.value) + ends.low_open, int(high.value) + (not ends.high_open))
    return tuple(found) if len(found) <= MOST_VALUES else ()


def absences(op: Op) -> list[frozenset[str]]:
    """Which inputs a call may leave out, fewest first: QNN tells inputs by position, so none follows one that is left out."""
    optional = [tensor.name for tensor in op.inputs if tensor.optional]
    found = []
    for count in range(len(optional) + 1):
        gone = frozenset(optional[len(optional) - count :])
        names = [tensor.name for tensor in op.inputs]
        if all(name in gone for name in names[len(names) - count :]):
            found.append(gone)
    return found


class Conditions:
    """Conditions of the pattern of one op."""

    def __init__(self, op: Op, places: Places) -> None:
        self.places = places
        self.optional = {tensor.name for tensor in op.inputs if tensor.optional}
        self.params = {param.name: param for param in op.params}
        self.asked: set[str] = set()  # params that stand in conditions

    def check(self, node: ast.expr) -> None:
        """Fault unless `node` is a condition that each call of the op settles."""
        if isinstance(node, ast.BoolOp):
            for each in node.values:
                self.check(each)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.check(node.operand)
        elif isinstance(node, ast.Call):
            self._present(node)
        elif isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq | ast.NotEq):
            self._compared(node)
        elif isinstance(node, ast.Name) and node.id in self.params and self._few(node).dtype.kind is Kind.BOOL:
            self.asked.add(node.id)
        else:
            raise self._foreign(node)

    def _foreign(self, node: ast.expr) -> Fault:
        text = self.places.text_of(node)
        shown = f"'{text}'" if len(text) <= 40 and "\n" not in text else "this"
        hint = f"{_FORMS}; of tensors torch.where(test, a, b)"
        return fault("OPK159", f"{shown} is no condition that a call settles", self.places.of(node), hint)

    def _present(self, node: ast.Call) -> None:
        named = isinstance(node.func, ast.Name) and node.func.id == "present" and not node.keywords
        if not named or len(node.args) != 1 or not isinstance(node.args[0], ast.Name):
            raise self._foreign(node)
        name = node.args[0].id
        if name not in self.optional:
            hint = f"optional inputs: {', '.join(sorted(self.optional)) or 'none'}"
            raise fault("OPK174", f"'{name[:60]}' is no optional input", self.places.of(node.args[0]), hint)

    def _compared(self, node: ast.Compare) -> None:
        left, right = node.left, node.comparators[0]
        if not isinstance(left, ast.Name) or left.id not in self.params:
            raise self._foreign(node)
        param, value = self._few(left), self.number(left.id, right)
        if value is None or value not in choices(param):
            hint = f"its values: {', '.join([name for name, _ in param.enum] or map(str, choices(param)))}"
            raise fault("OPK174", f"this is no value of param '{left.id}'", self.places.of(right), hint)
        self.asked.add(left.id)

    def _few(self, node: ast.Name) -> ParamSpec:
        param = self.params[node.id]
        if not choices(param):
            hint = f"a condition asks for a bool, an enum or a range of at most {MOST_VALUES} whole numbers"
            raise fault("OPK174", f"param '{node.id}' has too many values to ask for", self.places.of(node), hint)
        return param

    def number(self, param: str, node: ast.expr) -> bool | int | None:
        """The value that a name of an enum or a literal stands for."""
        if isinstance(node, ast.Name):
            return dict(self.params[param].enum).get(node.id)
        return node.value if isinstance(node, ast.Constant) and isinstance(node.value, bool | int) else None

    def plain(self, node: ast.expr) -> ast.expr:
        """A checked condition in Python: `x is not None` for `present(x)`, numbers for names of an enum."""
        if isinstance(node, ast.BoolOp):
            return ast.BoolOp(node.op, [self.plain(each) for each in node.values])
        if isinstance(node, ast.Call):
            return ast.Compare(node.args[0], [ast.IsNot()], [ast.Constant(None)])
        if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Call):
            return ast.Compare(node.operand.args[0], [ast.Is()], [ast.Constant(None)])
        if isinstance(node, ast.UnaryOp):
            return ast.UnaryOp(ast.Not(), self.plain(node.operand))
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name):
            value = self.number(node.left.id, node.comparators[0])
            return ast.Compare(node.left, node.ops, [ast.Constant(value)])
        return node


def settled(node: ast.expr, absent: frozenset[str], values: Values) -> bool | None:
    """Whether a condition (as written or in plain Python) holds; None where a value is not given."""
    if isinstance(node, ast.BoolOp):
        found = [settled(each, absent, values) for each in node.values]
        decides = isinstance(node.op, ast.Or)
        return decides if decides in found else None if None in found else not decides
    if isinstance(node, ast.UnaryOp):
        inner = settled(node.operand, absent, values)
        return None if inner is None else not inner
    if isinstance(node, ast.Call) and isinstance(node.args[0], ast.Name):
        return node.args[0].id not in absent
    if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name):
        name, right = node.left.id, node.comparators[0]
        if isinstance(node.ops[0], ast.Is | ast.IsNot):
            return (name in absent) == isinstance(node.ops[0], ast.Is)
        if name not in values or not isinstance(right, ast.Constant):
            return None
        return bool(values[name] == right.value) == isinstance(node.ops[0], ast.Eq)
    return bool(values[node.id]) if isinstance(node, ast.Name) and node.id in values else None


def branches(node: ast.IfExp, absent: frozenset[str], values: Values) -> tuple[ast.expr, ...]:
    """The expressions of an alternative that are computed in such calls."""
    holds = settled(node.test, absent, values)
    return (node.body, node.orelse) if holds is None else (node.body,) if holds else (node.orelse,)


def unguarded(node: ast.AST, absent: frozenset[str], argument: bool = False) -> ast.Name | None:
    """Where an absent input is used as a tensor: everywhere but as an argument of a call, where it is None."""
    if isinstance(node, ast.Name):
        return node if node.id in absent and not argument else None
    if isinstance(node, ast.IfExp):
        found = [unguarded(each, absent, argument) for each in branches(node, absent, {})]
    elif isinstance(node, ast.Call):
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        found = [unguarded(node.func, absent), *(unguarded(each, absent, True) for each in given)]
    else:
        found = [unguarded(each, absent) for each in ast.iter_child_nodes(node)]
    return next((each for each in found if each is not None), None)


def read_names(node: ast.AST, absent: frozenset[str], values: Values) -> Iterator[str]:
    """Names whose values an expression takes in such calls; conditions take none."""
    if isinstance(node, ast.Name):
        yield node.id
    parts = branches(node, absent, values) if isinstance(node, ast.IfExp) else tuple(ast.iter_child_nodes(node))
    for part in parts:
        yield from read_names(part, absent, values)


def combinations(params: Sequence[ParamSpec]) -> list[dict[str, bool | int]]:
    """Values of params that have a few, all together; where these are too many, each with the defaults of the others."""
    known = {param.name: choices(param) for param in params if choices(param)}
    defaults = {param.name: param.default for param in params if param.name in known}
    start = {name: value for name, value in defaults.items() if isinstance(value, bool | int)}
    every = [dict(zip(known, row, strict=True)) for row in product(*known.values())]
    if len(every) > MOST_VALUES:
        every = [start, *({**start, name: value} for name, row in known.items() for value in row)]
    return [start, *(each for each in every if each != start)] if known else [{}]
