"""A case whose inputs have a shape that somebody asks for."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.spec.diagnostics import OpkgError
from opkg.spec.model import Combination, Op
from opkg.spec.model_tests import TensorCase, TestCase
from opkg.verify.cases.case import Case
from opkg.verify.cases.generate import make_case
from opkg.verify.cases.reference import Meaning


def shaped(op: Op, combination: Combination, meaning: Meaning, shape: tuple[int, ...]) -> Case | str:
    """The case, or why there is none. All inputs have the shape that can have it, else the first alone."""
    problem = ""
    for own in _calls(op, combination, shape):
        try:
            return make_case(op, combination, meaning, 0, "graph", 0, own)
        except OpkgError as failed:
            problem = failed.diagnostics[0].message
    return problem


def _calls(op: Op, combination: Combination, shape: tuple[int, ...]) -> Iterator[TestCase]:
    able = [
        t.name for t in op.inputs if not t.optional and t.variadic is None and len(shape) in t.ranks and not t.static
    ]
    for names in dict.fromkeys((tuple(able), tuple(able[:1]))):
        yield TestCase("graph", combination.types, tuple((n, (TensorCase(shape),)) for n in names), (), op.span)
