"""Runs of several rules: passes and their order, fixpoints, flags, the trace, endless rule sets, findings."""

from __future__ import annotations

import numpy as np
import pytest
from rules_sim_kit import body, check_books, graph, ops, rules, run

from opkg.rules.sim import Settings, Verdict, apply, write_text
from opkg.rules.sim.run import StepKind, StopKind

CHAIN = """
input x: Float32[1,8,8,32]
a: Float32[1,8,8,32] = q::A(x)
b: Float32[1,8,8,32] = q::B(a)
c: Float32[1,8,8,32] = q::C(b)
output c
"""


def many(*texts: str) -> str:
    return "\n".join(f"DEF_PACKAGE_OPTIMIZATION({text})" for text in texts)


# ---- passes


def test_lower_priorities_run_first_and_only_once() -> None:
    source = many(
        'LATE, Op("q::A", "X"), OK, Op("q::Late", "X")',
        'EARLY, Op("q::A", "X"), OK, Op("q::Early", "X")',
        'EARLY, Op("q::Late", "X"), OK, Op("q::Never", "X")',
        'EARLY + 1, Op("q::Early", "X"), OK, Op("q::A", "X")',
    )
    assert ops(run(CHAIN, source).graph) == ["q::Late", "q::B", "q::C"]


def test_rules_of_one_pass_and_root_are_tried_in_order() -> None:
    first = many('EARLY, Op("q::A", "X"), OK, Op("q::One", "X")', 'EARLY, Op("q::A", "X"), OK, Op("q::Two", "X")')
    assert ops(run(CHAIN, first).graph)[0] == "q::One"
    guarded = first.replace('OK, Op("q::One"', 'IS_QUINT8("X"), Op("q::One"')
    assert ops(run(CHAIN, guarded).graph)[0] == "q::Two"


def test_different_forms_of_one_priority_are_one_pass() -> None:
    source = many('EARLY + 1, Op("q::A", "X"), OK, Op("q::N", "X")', 'EARLY+1, Op("q::N", "X"), OK, Op("q::M", "X")')
    assert ops(run(CHAIN, source).graph)[0] == "q::M"


def test_a_pass_goes_on_until_nothing_changes() -> None:
    """The consumer matches only once what it reads was rewritten; rewriting goes up and then down again."""
    source = many(
        'EARLY, Op("q::C", Op("q::N", "X")), OK, Op("q::M", "X")',
        'EARLY, Op("q::B", Op("q::M", "X")), OK, Op("q::N", "X")',
        'EARLY, Op("q::A", "X"), OK, Op("q::M", "X")',
    )
    done = run(CHAIN, source)
    assert ops(done.graph) == ["q::M"]
    assert list(done.counts.values()) == [1, 1, 1]


def test_what_a_constraint_sees_far_away_is_seen_in_the_end() -> None:
    """PRODUCER_FOR looks at readers, which no pattern does: the last sweep finds it."""
    source = many(
        'EARLY, Op("q::A", "X"), PRODUCER_FOR("*", "q::New"), Op("q::Found", "X")',
        'EARLY, Op("q::B", "X"), OK, Op("q::New", "X")',
    )
    assert ops(run(CHAIN, source).graph) == ["q::Found", "q::New", "q::C"]


@pytest.mark.parametrize("flag", ["fold_relu", "hmx_short_conv", "relaxed_precision"])
def test_some_rules_run_only_on_request(flag: str) -> None:
    source = (
        f'DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(EARLY, {flag}_flag, Op("q::A", "X"), OK, Op("q::N", "X"))'
        if flag != "hmx_short_conv"
        else 'DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(EARLY, hmx_short_conv_flag, Op("q::A", "X"), OK, Op("q::N", "X"))'
    )
    assert ops(run(CHAIN, source).graph)[0] == "q::A"
    assert ops(run(f"option {flag} = true\n{CHAIN}", source).graph)[0] == "q::N"
    assert ops(run(f"option {flag} = 0\n{CHAIN}", source).graph)[0] == "q::A"


TWINS = """
input x: Float32[4]
a: Float32[4] = q::A(x)
b: Float32[4] = q::A(x)
c: Float32[4] = q::C(a, b)
output c
"""
SAME = 'LATE, Op("q::C", "X", "X"), OK, Op("q::Same", "X")'


@pytest.mark.parametrize(
    ("flags", "other", "merged"),
    [
        ("cse_after_always", "0", True),
        ("cse_after_if", "0", True),
        ("0", "0", False),
        ("cse_set_triggerA", "cse_before_if_triggerA", True),
        ("cse_set_triggerB", "cse_before_if_triggerB", True),
        ("cse_set_triggerA", "cse_before_if_triggerB", False),
    ],
)
@pytest.mark.parametrize("fires", [True, False])
def test_common_subexpressions_between_passes(flags: str, other: str, merged: bool, fires: bool) -> None:
    first = f'EARLY, {flags}, Op("q::C", "X", "Y"), {"NOT(SAME_OP(" if fires else "AND(false, SAME_OP("}"X", "Y")), '
    source = (
        f'DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS({first}Op("q::D", "X", "Y"))\n'
        f'DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(LATE, {other}, Op("q::{"D" if fires else "C"}", "X", "X"), OK, Op("q::Same", "X"))'
    )
    expected = merged and (fires or flags == "cse_after_always")
    assert ("q::Same" in ops(run(TWINS, source).graph)) == expected


def test_after_the_last_pass_twins_are_merged() -> None:
    done = run(TWINS, 'EARLY, Op("q::C", "X", "Y"), OK, Op("q::D", "X", "Y")')
    assert ops(done.graph) == ["q::A", "q::D"]
    assert done.steps[-1].kind is StepKind.CSE


def test_slices_of_two_splits_become_one_and_keep_both_histories() -> None:
    text = CHAIN.replace("q::B(a)", "q::A(x)").replace("q::C(b)", "q::C(a, b)")
    split = 'EARLY, Op("q::A", "X"), OK, AUTOSPLIT(3, "I", 16, Op("q::N", TYPICAL_SLICE("X", "I")))'
    done = run(text, split)
    assert ops(done.graph).count("q::Slice_shape") == 2
    assert [node.history for node in done.graph.order() if node.op == "q::N"] == [((0, 0), (1, 0)), ((0, 1), (1, 1))]


def test_constant_propagation() -> None:
    text = """
input x: Float32[2]
const k: Float32[2] = [1, 2]
const u: Float32[2] = ?
a: Float32[2] = q::Neg(k)
b: Float32[2] = q::Neg(a)
c: Float32[2] = q::Neg(u)
d: Float32[2] = q::Neg(x)
e: Float32[2] = q::E(b, c, d, [3,4])
output e
"""
    settings = Settings(fold={"q::Neg": lambda node, values: -values[0]})
    done = run(text, 'EARLY, Op("q::Z"), OK, Op("q::Y")', settings)
    assert ops(done.graph) == ["q::Neg", "q::Neg", "q::E"]
    assert any(line.endswith("Float32[2] = [1, 2]") or line.endswith("= [1.0, 2.0]") for line in body(done.graph))
    flagged = (
        'DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(EARLY, cp_after_always, Op("q::Z"), OK, Op("q::Y"))\n'
        'DEF_PACKAGE_OPTIMIZATION(LATE, Op("q::E", OPCONST("B"), "C", "D", "S"), EQ(CONSTVAL_INT("B", 1), 2), Op("q::F"))'
    )
    assert "q::F" in ops(run(text, flagged, settings).graph)
    assert "q::F" not in ops(run(text, flagged).graph)


def test_a_failing_propagation_is_a_finding() -> None:
    text = "const k: Float32[2] = [1, 2]\na: Float32[2] = q::Neg(k)\noutput a\n"

    def broken(node: object, values: list[object]) -> object:
        raise ArithmeticError("no")

    done = run(text, 'EARLY, Op("q::Z"), OK, Op("q::Y")', Settings(fold={"q::Neg": broken}))
    assert [(f.id, f.message) for f in done.findings] == [
        ("OPK590", "constant propagation of q::Neg failed: ArithmeticError: no")
    ]
    shaped = run(text, 'EARLY, Op("q::Z"), OK, Op("q::Y")', Settings(fold={"q::Neg": lambda n, v: np.zeros(3)}))
    assert [f.id for f in shaped.findings] == ["OPK590"]
    assert ops(shaped.graph) == ["q::Neg"]


# ---- trace


def test_the_trace_says_what_happened() -> None:
    source = 'EARLY, Op("q::B", LET("A", Op("q::A", "X"))), GT(DIM_DEPTH("X"), 16), Op("q::N", Op("q::M", "X"))'
    done = run(CHAIN, source, Settings(verbose=True))
    (step,) = done.steps
    assert step.rule is not None
    assert (step.kind, step.priority, step.rule.root, step.root, step.value) == (StepKind.RULE, 3050, "q::B", 2, True)
    assert step.bound == {"*": 2, "A": 1, "X": 0}
    assert [done.graph.nodes[id].op for id in step.built] == ["q::M", "q::N"]
    assert step.result == step.built[-1]
    assert set(step.removed) == {1, 2}
    spoken = [(made.at, value) for made, value in step.log]
    text = step.rule.syntax.text.text
    assert [(text[start:end], value) for (start, end), value in spoken if end > start] == [
        ('DIM_DEPTH("X")', 32),
        ("16", 16),
        ("16", 16),
        ('GT(DIM_DEPTH("X"), 16)', True),
    ]


def test_steps_forth_and_back() -> None:
    source = many(
        'EARLY, Op("q::A", "X"), OK, AUTOSPLIT(3, "I", 8, Op("q::N", TYPICAL_SLICE("X", "I")))',
        'EARLY, Op("q::N", "X"), OK, Op("q::M", "X")',
        'LATE, Op("q::C", Op("q::B", "X")), OK, "X"',
    )
    done = run(CHAIN, source)
    texts = [write_text(state) for state in done.graphs()]
    assert len(texts) == len(done.steps) + 1 >= 7
    assert texts[0] == write_text(done.before) == write_text(graph(CHAIN))
    assert texts[-1] == write_text(done.graph)
    assert [write_text(done.at(n)) for n in range(len(texts))] == texts
    back = done.graph.copy()
    for number, step in reversed(list(enumerate(done.steps))):
        back.play(step.delta, back=True)
        check_books(back)
        assert write_text(back) == texts[number]


def test_attempts_on_request() -> None:
    source = 'EARLY, Op("q::B", Op("q::X", "X")), OK, "X"\n'
    source = many(
        'EARLY, Op("q::B", Op("q::X", "X")), OK, "X"', 'EARLY, Op("q::C", "X"), IS_QUINT8("X"), Op("q::N", "X")'
    )
    assert not run(CHAIN, source).tried
    done = run(CHAIN, source, Settings(attempts=True, verbose=True))
    assert [(t.attempt.verdict, t.attempt.reason, t.attempt.value) for t in done.tried] == [
        (Verdict.NO_MATCH, "a is q::A, not q::X", None),
        (Verdict.FALSE, "", False),
    ]
    assert not done.steps


def test_without_a_trace_only_the_result_is_kept() -> None:
    done = run(CHAIN, 'EARLY, Op("q::B", "X"), OK, Op("q::N", "X")', Settings(trace=False))
    assert done.steps == ()
    assert sum(done.counts.values()) == 1
    assert ops(done.graph) == ["q::A", "q::N", "q::C"]


# ---- findings


def test_a_fault_is_one_finding_with_its_place() -> None:
    text = CHAIN.replace("q::B(a)", "q::A(a)")
    source = many('EARLY, Op("q::A", "X"), GT(DIV(8, DIM_OF("X", 5)), 1), Op("q::N", "X")')
    done = run(text, source)
    (found,) = done.findings
    assert (found.id, found.message) == ("OPK588", "rule rules_1 fails at a: division by zero")
    assert source[found.span.column - 1 : found.span.end_column - 1] == 'DIV(8, DIM_OF("X", 5))'
    assert found.span.line == 1
    assert done.graph == done.before


def test_options_that_are_not_set_are_named() -> None:
    source = 'EARLY, Op("q::A", "X"), GT(OPTION_INT("tiles"), 4), Op("q::N", "X")'
    (found,) = run(CHAIN, source).findings
    assert (found.id, found.message, found.severity) == ("OPK589", "option tiles is not set; 0 is taken", "info")
    assert not run("option tiles = 5\n" + CHAIN, source).findings
    assert "q::N" in ops(run(CHAIN, source, Settings(options={"tiles": 5})).graph)
    assert "q::N" not in ops(run("option tiles = 4\n" + CHAIN, source, Settings(options={"tiles": 5})).graph)


# ---- endless


@pytest.mark.parametrize(
    ("source", "kind", "names", "said"),
    [
        (
            many('EARLY, Op("q::B", "X"), OK, Op("q::N", "X")', 'EARLY, Op("q::N", "X"), OK, Op("q::B", "X")'),
            StopKind.REPEATS,
            {"rules_1", "rules_2"},
            "the same node comes back",
        ),
        (
            many('EARLY, Op("q::B", "X"), OK, Op("q::B", "X")'),
            StopKind.REPEATS,
            {"rules_1"},
            "the same node comes back",
        ),
        (
            many('EARLY, Op("q::B", "X"), OK, Op("q::B", Op("q::N", "X"))'),
            StopKind.LINEAGE,
            {"rules_1"},
            "the graph grows by 1 node a round",
        ),
        (
            many('EARLY, Op("q::B", "X"), OK, Op("q::N", "*")'),
            StopKind.REPEATS,
            {"rules_1"},
            "the graph grows by 1 node a round",
        ),
        (
            many('EARLY, Op("q::B", "X"), OK, AUTOSPLIT(3, "I", 8, Op("q::B", TYPICAL_SLICE("X", "I")))'),
            StopKind.LINEAGE,
            {"rules_1"},
            "the graph grows by",
        ),
        (
            many('EARLY, OpVarIn("q::B", "X"), OK, OP_ITER(Operand("*"), "I", 0, 1, "X")'),
            StopKind.LINEAGE,
            {"rules_1"},
            "the op's inputs go from",
        ),
        (
            many('EARLY, Op("q::B", "X"), OK, WITH_SIZE(gen_Shape(ADD(DIM_OF("*", 0), 1)), Op("q::B", "X"))'),
            StopKind.LINEAGE,
            {"rules_1"},
            "its output goes from Float32[",
        ),
        (
            many(
                'EARLY, OpVarIn("q::B", "X"), OK, WITH_SIZE(gen_Shape(ADD(DIM_OF("*", 0), 1)), '
                'Op("q::B", Op("q::B", "X"), Op("q::B", "X")))'
            ),
            StopKind.GROWTH,
            {"rules_1"},
            "applications in the pass built",
        ),
    ],
)
def test_endless_rules_are_stopped_and_explained(source: str, kind: StopKind, names: set[str], said: str) -> None:
    done = run(CHAIN, source, Settings(max_growth=2))
    assert done.stopped is not None
    assert done.stopped.kind is kind
    assert set(done.stopped.rules) == names
    assert len(done.stopped.rules) == len(names)
    assert said in done.stopped.text
    (found,) = done.findings
    assert found.id == "OPK587"
    assert (found.span.line, found.span.column) in {(1, 1), (2, 1)}
    assert "beginning at b" in found.message


def test_a_long_but_finite_line_of_rewrites_is_not_endless() -> None:
    text = CHAIN.replace("q::B(a)", f"q::B({', '.join(['a'] * 300)})")
    peel = 'EARLY, OpVarIn("q::B"), GT(INPUTS_OF("*"), 1), OP_ITER(Op("q::B"), "I", 1, INPUTS_OF("*"), ITER_INPUT_OF("*", "I"))'
    done = run(text, peel)
    assert done.stopped is None
    assert sum(done.counts.values()) == 299


def test_two_independent_circles_name_only_the_rules_of_one() -> None:
    source = many(
        'EARLY, Op("q::A", "X"), OK, Op("q::Once", "X")',
        'EARLY, Op("q::B", "X"), OK, Op("q::N", "X")',
        'EARLY, Op("q::N", "X"), OK, Op("q::B", "X")',
    )
    done = run(CHAIN, source)
    assert done.stopped is not None
    assert set(done.stopped.rules) == {"rules_2", "rules_3"}


def test_costly_rules_that_come_to_nothing_are_given_up() -> None:
    """Two nested splits of 1000 each at 200 nodes: built up to the limit once, not 200 times."""
    nodes = "".join(f"n{i}: Float32[1000,1000] = q::A(x)\n" for i in range(200))
    source = (
        'EARLY, Op("q::A", "X"), OK, AUTOSPLIT(0, "I", 1, AUTOSPLIT(1, "J", 1, Op("q::N", TYPICAL_SLICE("X", "J"))))'
    )
    done = run(f"input x: Float32[1000,1000]\n{nodes}", source)
    assert done.stopped is None
    assert sum(done.counts.values()) == 0
    assert [f.message for f in done.findings if f.id == "OPK588"] == [
        "rule rules_1 built 300001 nodes and slices in vain; it is not tried again",
        "rule rules_1 fails at n0: the replacement builds more than 300000 nodes and slices",
    ]


def test_dead_code_goes_first_and_inputs_stay() -> None:
    text = (
        CHAIN + "input z: Float32[1]\nconst k: Float32[1] = [1]\nd: Float32[1] = q::D(z, k)\ne: Float32[1] = q::E(d)\n"
    )
    done = run(text, 'EARLY, Op("q::D", "X", "Y"), OK, Op("q::N", "X")')
    assert [step.kind for step in done.steps] == [StepKind.DEAD]
    assert {done.before.nodes[id].op for id in done.steps[0].removed} == {"q::D", "q::E", "$Const"}
    assert done.graph.find("z") is not None
    assert sum(done.counts.values()) == 0


def test_a_graph_without_outputs_keeps_what_nobody_reads() -> None:
    text = CHAIN.replace("output c\n", "input z: Float32[1]\nd: Float32[1] = q::D(z)\n")
    done = run(text, 'EARLY, Op("q::D", "X"), OK, Op("q::N", "X")')
    assert [name for name, _ in done.graph.outputs] == ["c", "d"]
    assert ops(done.graph) == ["q::A", "q::B", "q::C", "q::N"]
    assert [(f.id, f.severity, f.message) for f in done.findings] == [
        ("OPK592", "info", "the graph has no outputs; what nobody reads is taken (c, d)")
    ]


def test_no_rules_no_change() -> None:
    found = graph(CHAIN)
    done = apply(found, ())
    assert done.graph == found
    assert done.steps == ()


def test_the_graph_given_is_not_touched() -> None:
    found = graph(CHAIN)
    kept = write_text(found)
    apply(found, rules('EARLY, Op("q::B", "X"), OK, Op("q::N", "X")'))
    assert write_text(found) == kept
    check_books(found)
