"""Memory walks before and after fusion: the known figures of GELU, bytes for shapes."""

from __future__ import annotations

import pytest
from kernels_graphs import graph_of, op_of

from opkg.kernels.graphs.canonical import canonical
from opkg.kernels.linear.stats import walked_bytes, walks
from opkg.kernels.snippets import make_snippet
from opkg.spec.model import Kernel

ERF = "out = 0.5 * x * (1 + erf(x / 1.4142135623730951))"
TANH = "out = 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x ** 3)))"


@pytest.mark.parametrize(
    ("body", "before", "shrink"),
    [(ERF, 11, 5.5), (TANH, 22, 11.0), ("out = x + y", 3, 1.0), ("out = x", 2, 1.0), ("out = (x + y) * i - p", 8, 2.0)],
)
def test_walks(body: str, before: int, shrink: float) -> None:
    found = walks(canonical(graph_of(body)))
    assert (found.before, found.shrink) == (before, shrink)


def test_a_chain_of_four_operations() -> None:
    found = walks(canonical(graph_of("out = x * erf(x * 0.7071067811865476 + 0.25)")))
    assert (found.before, found.after, found.shrink) == (9, 2, 4.5)


def test_numbers_of_a_call_are_no_walks() -> None:
    found = walks(canonical(graph_of("out = x * (p + 1) * (2 * k)")))
    assert (found.before, found.after) == (4, 2)


def test_bytes() -> None:
    op = op_of("out = x * 2 + y if flag else x")
    elements = {tensor.name: "float" for tensor in op.tensors}
    snippet = make_snippet(op, Kernel(op.combinations[0], "f", ""), "A", elements, True, ())
    shape = (2, 100)
    before, after = walked_bytes(snippet, {"x": shape, "y": (1, 100), "out": shape})
    assert after == (200 + 100 + 200) * 4
    assert before == ((200 + 200) + (200 + 100 + 200) + (200 + 200 + 200)) * 4
