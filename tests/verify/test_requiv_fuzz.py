"""Random rules over core ops and the package's own: testing them ends, with a verdict, whatever they say."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opkg.rules.check import Context, check
from opkg.rules.sim import read_text
from opkg.rules.text.cpp import parse_cpp
from opkg.verify.rules.equivalence import equivalent
from opkg.verify.rules.meanings import table
from opkg.verify.rules.outcome import RuleOptions, Status
from opkg.verify.rules.world import World

from .rulelib import package

CORE = [f"q::{name}" for name in sorted(table())] + ["q::Slice_shape", "$Out"]
OWN = ["AddRelu", "Scale", "Halves", "Weigh", "Nothing"]
TAGS = ["A", "B", "C"]
ops = st.sampled_from(CORE) | st.sampled_from(OWN)


def calls(leaf: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def extend(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.builds(
            lambda op, args: f'Op("{op}", {", ".join(args)})', ops, st.lists(inner, min_size=1, max_size=3)
        )

    return extend(st.recursive(leaf, extend, max_leaves=4))


tags = st.sampled_from([f'"{tag}"' for tag in TAGS])
sizes = st.sampled_from([f'DIM_OF("{t}", {i})' for t in TAGS for i in range(4)] + ["1", "2", "7"])
shapes = st.builds(lambda dims: f"gen_Shape({', '.join(dims)})", st.lists(sizes, min_size=1, max_size=4))
constants = st.sampled_from(
    ["gen_ConstScalar_f32(0.5f)", "gen_ConstScalar_i32(1)", "gen_ConstArr_vals_i32(0, 2, 1, 3)"]
)
matches = calls(tags | st.sampled_from([f'OPCONST("{t}")' for t in TAGS]))
built = calls(tags | tags | shapes | constants | st.just('INPUT_OF("A", 0)'))
modified = st.builds(lambda tag, body: f"WITH_SAME_OUTPUT({tag}, {body})", tags, built)
cast = st.builds(lambda body: f"WITH_OUTPUT_TYPE(DType::Float16, 0, 1.0f, {body})", built)
split = st.builds(
    lambda dim, chunk, op, tag: f'AUTOSPLIT({dim}, "I", {chunk}, Op("{op}", TYPICAL_SLICE({tag}, "I")))',
    st.integers(0, 3), st.integers(1, 9), ops, tags,
)  # fmt: skip
replacements = built | modified | cast | split | tags
conditions = st.sampled_from(
    (
        *("OK", 'IS_FLOAT32("A")', 'IS_QUINT8("*")', 'AND(SAME_SHAPE("A", "*"), SAME_ENCODING("A", "*"))'),
        *('GT(DIM_OF("A", 3), 9)', 'EQ(CONSTVAL_INT("B", 0), 1)', 'IS_OP("A", "q::Relu")'),
        'OR(SAME_OP("A", "B"), EQ(MOD(DIM_OF("*", 1), 4), 0))',
    )
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(match=matches, when=conditions, replace=replacements)
def test_every_rule_gets_a_verdict(tmp_path_factory: object, match: str, when: str, replace: str) -> None:
    root = _root(tmp_path_factory)
    source = f"DEF_PACKAGE_OPTIMIZATION(EARLY, {match}, {when}, {replace})\n"
    document, _ = parse_cpp(source, "fuzz.cpp", "acme.fuse")
    for rule in check(document, Context("acme.fuse", "2.43")).rules:
        verdict = equivalent(rule, World([package(root)], root), RuleOptions(cases=3, tries=24))
        assert verdict.tries <= 24
        if verdict.status is Status.DIFFERENT:
            example = verdict.counterexample
            assert example is not None
            assert read_text(example.before)[0] is not None
        elif verdict.status is not Status.EQUIVALENT:
            assert verdict.reason


def _root(factory: object) -> Path:
    base: Path = factory.getbasetemp() / "fuzz"  # type: ignore[attr-defined]
    base.mkdir(exist_ok=True)
    return base
