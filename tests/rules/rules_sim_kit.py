"""For the tests of the simulator: rules from their text, graphs from theirs."""

from __future__ import annotations

from opkg.rules.check import Context, check
from opkg.rules.core import TypedRule
from opkg.rules.sim import Graph, Settings, apply, read_text, write_text
from opkg.rules.sim.run import Run
from opkg.rules.text.cpp import parse_cpp
from opkg.spec.diagnostics import Severity


def rules(source: str, path: str = "rules.cpp") -> tuple[TypedRule, ...]:
    """Rules of C++ text, each (pass, match, constraint, replacement) with or without the macro around it."""
    if "DEF_" not in source:
        source = f"DEF_PACKAGE_OPTIMIZATION({source})"
    document, findings = parse_cpp(source, path, "p")
    found = check(document, Context(package="p", sdk="2.43"))
    errors = [f for f in (*findings, *found.findings) if f.severity is Severity.ERROR]
    assert not errors, errors
    assert found.rules
    return found.rules


def rule(source: str) -> TypedRule:
    """One rule."""
    (found,) = rules(source)
    return found


def graph(text: str) -> Graph:
    """A graph that has no errors."""
    found, findings = read_text(text)
    assert found is not None, findings
    return found


def run(text: str, source: str, settings: Settings | None = None) -> Run:
    """Rules on a graph, both from text; the books of the resulting graph are checked."""
    done = apply(graph(text), rules(source), settings)
    check_books(done.graph)
    return done


def body(found: Graph) -> list[str]:
    """Lines of the graph's text without inputs, options and outputs."""
    return [line for line in write_text(found).splitlines() if not line.startswith(("input ", "option ", "output "))]


def ops(found: Graph) -> list[str]:
    """Ops in topological order, without inputs, constants and shapes."""
    return [node.op for node in found.order() if node.op not in ("*Input", "$Const", "$Shape")]


def check_books(found: Graph) -> None:
    """The store's books agree with the nodes."""
    for node in found.nodes.values():
        assert set(found.users(node.id)) == {n.id for n in found.nodes.values() if node.id in n.inputs}
        assert node.id in found.by_op(node.op)
    assert sum(len(found.by_op(name)) for name in found.ops()) == len(found)
    assert all(id in found.nodes for _, id in found.outputs)
    assert found.journal is None
