"""How long running rules takes by the size of the graph: 100 rules in 10 passes on 1,000, 10,000 and 100,000 nodes.

    python benchmarks/bench_rules_sim.py [NODES...]

The graph is a trunk of layers with branches, 40 kinds of ops, three of four in float32. Of the rules, some fuse two ops, some
replace by type, some insert casts, some split (AUTOSPLIT into 4), some bypass, and half never apply: their constraints are
evaluated in vain. Prints one row for each size; CPU seconds of the run without reading the graph.
"""

from __future__ import annotations

import random
import sys
import time

from opkg.rules.check import Context, check
from opkg.rules.core import HtpType, TypedRule
from opkg.rules.sim import Graph, Output, Settings, apply
from opkg.rules.text.cpp import parse_cpp
from opkg.spec.diagnostics import Severity

KINDS = 40


def make_graph(nodes: int, seed: int = 1) -> Graph:
    """A graph of about that many nodes: each layer reads one of the last few and sometimes another."""
    draw, graph = random.Random(seed), Graph()
    types = [Output(HtpType.Float32, (1, 8, 8, 32))] * 3 + [Output(HtpType.QUInt8, (1, 8, 8, 32), 128, 0.05)]
    recent = [graph.add("*Input", (), types[0], name="x").id]
    while len(graph) < nodes:
        output = draw.choice(types)
        kind = draw.randrange(KINDS)
        inputs = [draw.choice(recent)] + ([draw.choice(recent)] if kind % 4 == 0 else [])
        recent.append(graph.add(f"q::Op{kind}", inputs, output, name=f"n{len(graph)}").id)
        if len(recent) > 6:
            recent.pop(0)
    unread = [id for id in graph.nodes if not graph.users(id)]
    graph.set_outputs(tuple((f"out{i}", id) for i, id in enumerate(unread)))
    return graph


def make_rules(count: int = 100) -> tuple[TypedRule, ...]:
    """Rules in 10 passes over the ops of `make_graph`."""
    texts = []
    for n in range(count):
        kind = n % KINDS
        one, other = f'"q::Op{kind}"', f'"q::Op{(kind * 7 + 1) % KINDS}"'
        inputs = '"X","Y"' if kind % 4 == 0 else '"X"'
        body = (
            f'Op({one}, {inputs}), AND(IS_FLOAT("X"), EQ(DIM_DEPTH("X"), 31)), Op("q::Never", {inputs})',
            f'Op({one}, Op({other}, "Z"), "Y"), IS_FLOAT("*"), Op("q::Fused{n}", "Z", "Y")'
            if kind % 4 == 0
            else f'Op({one}, Op({other}, "Z")), IS_FLOAT("*"), Op("q::Fused{n}", "Z")',
            f'Op({one}, {inputs}), AND(IS_QUINT8("*"), GT(DIM_DEPTH("*"), 8), LT(MUL(DIM_WIDTH("*"), DIM_HEIGHT("*")), 60)), OK_',
            f'Op({one}, {inputs}), AND(IS_QUINT8("*"), NOT(SAME_ENCODING("X", "*"))), '
            f'WITH_SAME_OUTPUT("*", Op("q::Cast{n}", WITH_TYPE("X", Op("q::New{kind}", {inputs}))))',
            f'Op({one}, {inputs}), AND(GT(DIM_DEPTH("*"), 8), IS_QUINT8("X")), '
            f'AUTOSPLIT(3, "I", 8, Op("q::Part{kind}", TYPICAL_SLICE("X", "I")))',
        )[n % 5].replace("OK_", f'Op("q::Never", {inputs})')
        texts.append(f"DEF_PACKAGE_OPTIMIZATION(EARLY + {n // 10}, {body})")
    document, findings = parse_cpp("\n".join(texts), "bench.cpp", "p")
    checked = check(document, Context(package="p", sdk="2.43"))
    wrong = [f for f in (*findings, *checked.findings) if f.severity is Severity.ERROR]
    assert not wrong, wrong
    return checked.rules


def main(sizes: list[int]) -> None:
    rules = make_rules()
    print(f"{len(rules)} rules, {len({rule.priority for rule in rules})} passes")
    print(f"{'nodes':>8} {'applied':>8} {'after':>8} {'seconds':>8} {'us/node':>8}")
    for size in sizes:
        graph = make_graph(size)
        start = time.process_time()
        run = apply(graph, rules, Settings())
        seconds = time.process_time() - start
        assert run.stopped is None, run.stopped
        applied = sum(run.counts.values())
        print(f"{size:>8} {applied:>8} {len(run.graph):>8} {seconds:>8.2f} {seconds / size * 1e6:>8.1f}")


if __name__ == "__main__":
    main([int(arg) for arg in sys.argv[1:]] or [1_000, 10_000, 100_000])
