"""One rule on one node: what matches, what is built, what the graph is afterwards."""

from __future__ import annotations

import pytest

from opkg.rules import core, syntax
from opkg.rules.core import (
    Apply,
    AutoSplit,
    Build,
    BuildMulti,
    Const,
    Existing,
    Expr,
    GenConst,
    GenKind,
    GenShape,
    InputOf,
    IterInputOf,
    Match,
    MatchOp,
    MatchTag,
    Modified,
    ModifierKind,
    OpIter,
    OutputOf,
    Property,
    PropertyKind,
    Repl,
    SelectRepl,
    ShapeFn,
    Slice,
    SplitKind,
    SplitMethod,
    SplitVar,
    Tag,
    Type,
    TypedRule,
    TypicalSlice,
    Wrap,
)
from opkg.rules.sim import Graph, Node, Settings, Verdict, apply_once, attempt, read_text, write_text
from opkg.rules.sim.context import Context
from opkg.rules.sim.frame import Split
from opkg.spec.source_text import SourceText

OK = Const(Type.BOOL, True)
WRITTEN = syntax.Rule("r", "", None, None, syntax.Name("m"), None, syntax.Name("r"), SourceText("r.yaml", ""))


def rule(pattern: MatchOp, repl: Repl, when: Expr = OK, **more: object) -> TypedRule:
    fields = {"name": "r", "priority": 3050, "pass_text": "EARLY", "flags": (), "package": "p", "syntax": WRITTEN}
    return TypedRule(match=pattern, when=when, replace=repl, **{**fields, **more})  # type: ignore[arg-type]


def op(name: str, *inputs: str | Match, **more: object) -> MatchOp:
    return MatchOp(name, tuple(MatchTag(i) if isinstance(i, str) else i for i in inputs), **more)  # type: ignore[arg-type]


def new(name: str, *inputs: str | Repl) -> Build:
    return Build(name, tuple(Existing(Tag(i)) if isinstance(i, str) else i for i in inputs))


def tag(name: str) -> Existing:
    return Existing(Tag(name))


def num(value: int) -> Const:
    return Const(Type.INT, value)


def start(split: str = "I") -> SplitVar:
    return SplitVar(SplitKind.START, split)


def dim(operand: str, index: int) -> Property:
    return Property(PropertyKind.DIM, Tag(operand), index, Type.SIZE)


def graph(text: str) -> Graph:
    found, findings = read_text(text)
    assert found is not None, findings
    return found


CHAIN = """
input x: Float32[1,8,8,32]
a: Float32[1,8,8,32] = q::A(x)
b: Float32[1,8,8,32] = q::B(a)
output b
"""


def after(text: str, made: TypedRule, node: str = "b", settings: Settings | None = None) -> str:
    """The graph's text after one application, without the input's line and the outputs' lines."""
    before = graph(text)
    kept = write_text(before)
    result = apply_once(before, made, _id(before, node), settings)
    assert write_text(before) == kept, "the graph given was changed"
    assert result is not None, attempt(before.copy(), made, _id(before, node), settings or Settings(), True)
    _check(result)
    return renamed(result)


def renamed(result: Graph) -> str:
    """Text with built nodes counted from %0 in order of appearance."""
    lines = write_text(result).splitlines()
    seen: dict[str, str] = {}
    for node in result.order():
        if not node.name and any(line.split(":")[0].endswith(f"%{node.id}") for line in lines):
            seen[f"%{node.id}"] = f"%{len(seen)}"
    text = "\n".join(line for line in lines if not line.startswith(("input ", "option ")))
    for old, short in sorted(seen.items(), key=lambda item: -len(item[0])):
        text = text.replace(old, "@" + short[1:])
    return text.replace("@", "%")


def refused(text: str, made: TypedRule, node: str = "b", settings: Settings | None = None) -> tuple[Verdict, str]:
    """How an attempt failed; the graph is as it was."""
    before = graph(text)
    kept, ids = write_text(before), before.next_id
    done = attempt(before, made, _id(before, node), settings or Settings(), True)
    assert write_text(before) == kept
    assert before.next_id == ids
    assert before.journal is None
    assert not before.splits
    _check(before)
    return done.verdict, done.reason


def _id(found: Graph, name: str) -> int:
    node = found.find(name)
    assert node is not None
    return node.id


def _check(found: Graph) -> None:
    """The store's books agree with the nodes."""
    for node in found.nodes.values():
        assert set(found.users(node.id)) == {n.id for n in found.nodes.values() if node.id in n.inputs}
        assert node.id in found.by_op(node.op)
    assert sum(len(found.by_op(name)) for name in found.ops()) == len(found)
    assert all(id in found.nodes for _, id in found.outputs)


# ---- match


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        (op("q::B", "X"), True),
        (op("q::B", op("q::A", "X")), True),
        (op("q::B", op("q::A", op("*Input"))), True),
        (op("q::B"), False),
        (op("q::B", open=True), True),
        (op("q::B", "X", "Y"), False),
        (op("q::B", "X", "Y", open=True), False),
        (op("p::B", "X"), False),
        (op("q::B", op("q::C", "X")), False),
    ],
)
def test_structure(pattern: MatchOp, matches: bool) -> None:
    verdict = attempt(graph(CHAIN), rule(pattern, new("q::N")), 2, Settings()).verdict
    assert (verdict is Verdict.APPLIED) == matches
    assert verdict in (Verdict.APPLIED, Verdict.NO_MATCH)


TWICE = """
input x: Float32[4]
input y: Float32[4]
a: Float32[4] = q::Add(x, y)
b: Float32[4] = q::Add(x, x)
output a, b
"""


def test_a_repeated_tag_binds_one_node() -> None:
    same = rule(op("q::Add", "X", "X"), new("q::Double", "X"))
    assert "%0: Float32[4] = q::Double(x)" in after(TWICE, same)
    verdict, reason = refused(TWICE, same, "a")
    assert verdict is Verdict.NO_MATCH
    assert "two different nodes" in reason


def test_tags_bind_inputs_and_let() -> None:
    pattern = op("q::B", MatchOp("q::A", (MatchTag("X"),), tag="L"))
    done = attempt(graph(CHAIN), rule(pattern, new("q::N", "X", "L", "*")), 2, Settings())
    assert done.bound == {"*": 2, "L": 1, "X": 0}


# ---- replacement


def test_an_op_is_described_as_the_root_and_dead_nodes_go() -> None:
    fused = rule(op("q::B", op("q::A", "X")), new("q::AB", "X"))
    assert after(CHAIN, fused) == "%0: Float32[1,8,8,32] = q::AB(x)\noutput b = %0"


def test_a_node_that_others_read_stays() -> None:
    text = CHAIN + "c: Float32[1] = q::C(a)\noutput c\n"
    fused = rule(op("q::B", op("q::A", "X")), new("q::AB", "X"))
    assert "a: Float32[1,8,8,32] = q::A(x)" in after(text, fused)


def test_bypass() -> None:
    assert after(CHAIN, rule(op("q::B", op("q::A", "X")), tag("X"))) == "output b = x"


def test_the_root_itself_is_no_change() -> None:
    assert refused(CHAIN, rule(op("q::B", "X"), tag("*")))[0] is Verdict.SAME


def test_the_root_as_input_of_the_new_op_stays() -> None:
    text = CHAIN + "c: Float32[1] = q::C(b)\noutput c\n"
    found = after(text, rule(op("q::B", "X"), new("q::N", "*")))
    assert "%0: Float32[1,8,8,32] = q::N(b)" in found
    assert "c: Float32[1] = q::C(%0)" in found


TYPES = """
input x: QUInt8[1,4] zero 3 step 0.5
input y: Float32[2,8]
b: QInt8[9] zero 1 step 2.0 = q::B(x, y)
output b
"""


def _modified(kind: ModifierKind, reference: str | Repl | None, body: Repl, *scalars: Expr) -> Modified:
    return Modified(kind, tag(reference) if isinstance(reference, str) else reference, scalars, body)


@pytest.mark.parametrize(
    ("repl", "described"),
    [
        (new("q::N"), "QInt8[9] zero 1 step 2.0"),
        (_modified(ModifierKind.SIZE, "X", new("q::N")), "QInt8[1,4] zero 1 step 2.0"),
        (_modified(ModifierKind.SIZE, GenShape((num(7), num(6))), new("q::N")), "QInt8[7,6] zero 1 step 2.0"),
        (_modified(ModifierKind.TYPE, "X", new("q::N")), "QUInt8[9] zero 3 step 0.5"),
        (_modified(ModifierKind.TYPE, "Y", new("q::N")), "Float32[9]"),
        (_modified(ModifierKind.SAME_OUTPUT, "X", new("q::N")), "QUInt8[1,4] zero 3 step 0.5"),
        (
            _modified(
                ModifierKind.OUTPUT_TYPE, None, new("q::N"), Const(Type.DTYPE, 2), num(5), Const(Type.FLOAT, 0.25)
            ),
            "QUInt16[9] zero 5 step 0.25",
        ),
        (
            _modified(
                ModifierKind.OUTPUT_TYPE, None, new("q::N"), Const(Type.DTYPE, 4), num(0), Const(Type.FLOAT, 1.0)
            ),
            "Float32[9]",
        ),
        (_modified(ModifierKind.MULTI_OUT, None, new("q::N"), num(3)), "Multi(3)"),
        (_modified(ModifierKind.RESIZE_DIM, None, new("q::N"), num(0), num(5)), "QInt8[5] zero 1 step 2.0"),
        # innermost wins; what it leaves alone comes from outside
        (
            _modified(ModifierKind.SIZE, "Y", _modified(ModifierKind.SIZE, "X", new("q::N"))),
            "QInt8[1,4] zero 1 step 2.0",
        ),
        (_modified(ModifierKind.SIZE, "X", _modified(ModifierKind.TYPE, "Y", new("q::N"))), "Float32[1,4]"),
        (_modified(ModifierKind.SAME_ID, "X", new("q::N")), "QInt8[9] zero 1 step 2.0"),
        (_modified(ModifierKind.MEMOS, "X", new("q::N")), "QInt8[9] zero 1 step 2.0"),
        (_modified(ModifierKind.SAME_OUTPUT, "X", Wrap("q::W", tag("Y"), True)), "Float32[2,8]"),
    ],
)
def test_modifiers(repl: Repl, described: str) -> None:
    assert f"%0: {described} = q::" in after(TYPES, rule(op("q::B", "X", "Y"), repl))


def test_a_modifier_reaches_ops_that_are_inputs() -> None:
    repl = _modified(ModifierKind.SAME_OUTPUT, "Y", new("q::N", new("q::M", "X")))
    assert after(TYPES, rule(op("q::B", "X", "Y"), repl)).splitlines()[:2] == [
        "%0: Float32[2,8] = q::M(x)",
        "%1: Float32[2,8] = q::N(%0)",
    ]


def test_wrap_adds_an_op_once() -> None:
    pattern = op("q::B", "A")
    assert "%0: Float32[1,8,8,32] = q::W(a)" in after(CHAIN, rule(pattern, Wrap("q::W", tag("A"), False)))
    assert after(CHAIN, rule(pattern, Wrap("q::A", tag("A"), False))).endswith("output b = a")
    assert "%0: Float32[1,8,8,32] = q::A(a)" in after(CHAIN, rule(pattern, Wrap("q::A", tag("A"), True)))


def test_several_outputs() -> None:
    found = after(CHAIN, rule(op("q::B", "A"), BuildMulti(2, 1, "q::Two", (tag("A"),))))
    assert found.splitlines()[1:] == ["%0: Multi(2) = q::Two(a)", "%1: Float32[1,8,8,32] = %0.1", "output b = %1"]


MULTI = """
input x: Float32[4]
m: Multi(2) = q::Two(x)
p: Float32[2] = m.0
b: Float32[2] = m.1
output p, b
"""


def test_output_of_finds_the_other_output() -> None:
    pattern = op("$Out", op("q::Two", "X"), "S")
    other = Existing(OutputOf(InputOf(Tag("*"), num(0)), num(0)))
    assert after(MULTI, rule(pattern, Build("q::N", (other,)))).splitlines()[-3:] == [
        "%0: Float32[2] = q::N(p)",
        "output p",
        "output b = %0",
    ]
    missing = Existing(OutputOf(Tag("*"), num(2)))
    assert refused(MULTI, rule(pattern, missing))[1] == "OUTPUT_OF: no node of the graph is output 2 of q::Two"


def test_a_circle_is_refused() -> None:
    own_output = Existing(OutputOf(Tag("*"), num(0)))
    verdict, reason = refused(MULTI, rule(op("q::Two", "X"), new("q::N", own_output)), "m")
    assert verdict is Verdict.FAULT
    assert "circle" in reason


def test_constants_and_shapes() -> None:
    repl = Build(
        "q::N",
        (
            GenConst(GenKind.SCALAR_F32, (Const(Type.FLOAT, 0.5),)),
            GenConst(GenKind.SCALAR_I32, (num(-7),)),
            GenConst(GenKind.ARRAY_F32, (Const(Type.FLOAT, 1.5), num(3))),
            GenConst(GenKind.ARRAY_I32, (num(2), num(5))),
            GenConst(GenKind.VALUES_I32, (num(1), num(2), num(3))),
            GenConst(GenKind.MATRIX_I32, (num(2), num(1), num(2), num(3), num(4))),
            GenShape((dim("A", 3), num(2))),
            GenShape((), tag("A")),
        ),
    )
    assert after(CHAIN, rule(op("q::B", "A"), repl)).splitlines()[:-1] == [
        "const %0: Float32[1,1,1,1] = [0.5]",
        "const %1: Int32[1,1,1,1] = [-7]",
        "const %2: Float32[1,1,1,3] = fill 1.5",
        "const %3: Int32[1,1,1,5] = fill 2",
        "const %4: Int32[1,1,1,3] = [1, 2, 3]",
        "const %5: Int32[1,1,2,2] = [1, 2, 3, 4]",
        "%6: Float32[1,8,8,32] = q::N(%0, %1, %2, %3, %4, %5, [32,2], [1,8,8,32])",
    ]


def test_select_builds_only_the_chosen() -> None:
    condition = Apply("GT", (dim("A", 3), Const(Type.SIZE, 31)), Type.BOOL)
    broken = GenShape((num(-1),))
    assert "q::N(a)" in after(CHAIN, rule(op("q::B", "A"), SelectRepl(condition, new("q::N", "A"), broken)))


# ---- splits


def _split(body: Repl, dim: int = 3, chunk: int = 12, method: SplitMethod = SplitMethod.CHUNK) -> AutoSplit:
    return AutoSplit(method, num(dim), "I", None if method is not SplitMethod.CHUNK else num(chunk), body)


def test_autosplit_cuts_and_joins() -> None:
    found = after(CHAIN, rule(op("q::B", "A"), _split(new("q::B", TypicalSlice(tag("A"), "I")))))
    assert found.splitlines()[1:] == [
        "%0: Float32[1,8,8,12] = q::Slice_shape(a, [0,0,0,0], [1,8,8,12])",
        "%1: Float32[1,8,8,12] = q::B(%0)",
        "%2: Float32[1,8,8,12] = q::Slice_shape(a, [0,0,0,12], [1,8,8,12])",
        "%3: Float32[1,8,8,12] = q::B(%2)",
        "%4: Float32[1,8,8,8] = q::Slice_shape(a, [0,0,0,24], [1,8,8,8])",
        "%5: Float32[1,8,8,8] = q::B(%4)",
        "const %6: Int32[1,1,1,1] = [3]",
        "%7: Float32[1,8,8,32] = q::Concat(%6, %1, %3, %5)",
        "output b = %7",
    ]


def test_one_slice_needs_no_concat() -> None:
    found = after(CHAIN, rule(op("q::B", "A"), _split(new("q::N", TypicalSlice(tag("A"), "I")), chunk=32)))
    assert found.splitlines()[2:] == ["%1: Float32[1,8,8,32] = q::N(%0)", "output b = %1"]


def test_slices_know_their_history() -> None:
    before = graph(CHAIN)
    found = apply_once(before, rule(op("q::B", "A"), _split(new("q::B", TypicalSlice(tag("A"), "I")))), 2)
    assert found is not None
    assert [n.history for n in found.order() if n.op == "q::B"] == [((0, 0),), ((0, 1),), ((0, 2),)]
    record = found.splits[0]
    assert (record.origin, record.dim, record.count, record.chunk) == (2, 3, 3, 12)
    assert {n.origin for n in found.order() if n.op == "q::B"} == {2}
    assert not before.splits


def test_history_is_copied_and_extended() -> None:
    split = rule(op("q::B", "A"), _split(new("q::B", TypicalSlice(tag("A"), "I"))))
    first = apply_once(graph(CHAIN), split, 2)
    assert first is not None
    slice_ = next(n for n in first.order() if n.op == "q::B")
    copied = rule(op("q::B", "A"), _modified(ModifierKind.SPLIT_HISTORY, "*", new("q::N", new("q::M", "A"))))
    second = apply_once(first, copied, slice_.id)
    assert second is not None
    assert [n.history for n in second.order() if n.op in ("q::M", "q::N")] == [((0, 0),), ((0, 0),)]
    parts = new("q::Join", new("q::M", "A"), new("q::M", "A"))
    more = rule(op("q::B", "A"), _modified(ModifierKind.SPLIT_HISTORY, "*", parts, num(3)))
    third = apply_once(first, more, slice_.id)
    assert third is not None
    assert [n.history for n in third.order() if n.op == "q::M"] == [((0, 0), (1, 0)), ((0, 0), (1, 1))]
    assert (third.splits[1].count, third.splits[1].chunk, third.splits[1].dim) == (2, 12, 3)


def test_autosplit_variants() -> None:
    body = new("q::B", TypicalSlice(tag("A"), "I"))
    threads = rule(op("q::B", "A"), _split(body, method=SplitMethod.THREAD_HVX))
    found = after("option hvx_threads = 4\n" + CHAIN, threads)
    assert found.count("q::B(") == 4
    assert "Slice_shape(a, [0,0,0,24], [1,8,8,8])" in found
    reduced = rule(
        op("q::B", "A"),
        _split(new("q::B", TypicalSlice(tag("A"), "I", reduce=True)), dim=1, method=SplitMethod.REDUCE),
    )
    found = after(CHAIN, reduced)
    assert found.count("Float32[1,8,32] = q::Reshape(") == 8
    assert "Float32[1,8,8,32] = q::Pack(" in found


def test_changed_dimension_and_split_variables() -> None:
    text = CHAIN.replace("A(x)", "A(x, v)").replace("a:", "input v: Float32[32,2]\na:")
    variables = GenShape((start(), SplitVar(SplitKind.SIZE, "I"), SplitVar(SplitKind.DIM, "I")))
    body = new("q::N", TypicalSlice(tag("V"), "I", dim=0), variables)
    found = after(text, rule(op("q::B", op("q::A", "X", "V")), _split(body, chunk=20)))
    assert "%0: Float32[20,2] = q::Slice_shape(v, [0,0], [20,2])" in found
    assert "= q::N(%0, [0,20,3])" in found
    assert "= q::N(%2, [20,12,3])" in found


def test_a_slice_beyond_its_input_is_a_fault() -> None:
    whole = GenShape(tuple(num(size) for size in (1, 8, 8, 40)))
    wide = new("q::N", Slice(tag("A"), GenShape((num(0),) * 4), whole))
    found = attempt(graph(CHAIN), rule(op("q::B", "A"), wide), 2, Settings())
    assert found.verdict is Verdict.FAULT
    assert found.reason == "the slice ends at 40 of dimension 3, which has 32"


def test_nested_splits() -> None:
    inner = AutoSplit(SplitMethod.CHUNK, num(1), "J", num(4), new("q::N", GenShape((start("I"), start("J")))))
    found = after(CHAIN, rule(op("q::B", "A"), _split(inner, chunk=16)))
    assert [line.split("= ")[1] for line in found.splitlines() if "q::N" in line] == [
        "q::N([0,0])",
        "q::N([0,4])",
        "q::N([16,0])",
        "q::N([16,4])",
    ]
    assert "Float32[1,8,8,16] = q::Concat" in found


def test_iteration() -> None:
    text = "input x: Float32[4]\ninput y: Float32[4]\nb: Float32[4] = q::B(x, y, x)\noutput b\n"
    pattern = op("q::B", open=True)
    each = IterInputOf(Tag("*"), "I")
    inputs = Property(PropertyKind.INPUTS, Tag("*"), None, Type.SIZE)
    flat = OpIter(new("q::N"), "I", num(0), inputs, new("q::M", each))
    assert after(text, rule(pattern, flat)).splitlines()[:4] == [
        "%0: Float32[4] = q::M(x)",
        "%1: Float32[4] = q::M(y)",
        "%2: Float32[4] = q::M(x)",
        "%3: Float32[4] = q::N(%0, %1, %2)",
    ]
    more = OpIter(tag("*"), "I", num(1), num(3), GenShape((start(),)))
    assert "%0: Float32[4] = q::B(x, y, x, [1], [2])" in after(text, rule(pattern, more))
    none = OpIter(tag("*"), "I", num(3), num(1), each)
    assert "%0: Float32[4] = q::B(x, y, x)" in after(text, rule(pattern, none))
    beyond = OpIter(new("q::N"), "I", num(0), num(4), each)
    assert refused(text, rule(pattern, beyond))[1] == "ITER_INPUT_OF: q::B has 3 inputs, no input 3"


def test_explicit_slice() -> None:
    repl = Slice(tag("A"), GenShape((num(0), num(0), num(0), num(5))), GenShape((num(1), num(8), num(8), num(3))))
    assert "%0: Float32[1,8,8,3] = q::Slice_shape(a, [0,0,0,5], [1,8,8,3])" in after(CHAIN, rule(op("q::B", "A"), repl))


# ---- functions


def test_shape_functions() -> None:
    def halves(context: Context, node: Node, by: int) -> tuple[int, ...]:
        return tuple(size // by for size in node.output.shape)

    def pick(context: Context, split: Split, node: Node) -> Node:
        return context.op("q::Pick", node, context.shape(split.start, split.size), output=node.output)

    settings = Settings(externals={"halves": halves, "pick": pick})
    sized = _modified(ModifierKind.SIZE, ShapeFn("ns::halves", (tag("A"), num(2))), new("q::N", "A"))
    assert "%0: Float32[0,4,4,16] = q::N(a)" in after(CHAIN, rule(op("q::B", "A"), sized), settings=settings)
    picked = _split(new("q::N", ShapeFn("pick", (tag("A"),), "I")), chunk=20)
    assert "= q::Pick(a, [20,12])" in after(CHAIN, rule(op("q::B", "A"), picked), settings=settings)
    known = _split(
        Slice(
            tag("A"), ShapeFn("simple_split_start", (tag("A"),), "I"), ShapeFn("simple_split_size", (tag("A"),), "I")
        ),
        chunk=20,
    )
    assert "q::Slice_shape(a, [0,0,0,20], [1,8,8,12])" in after(CHAIN, rule(op("q::B", "A"), known))


def test_external_replacement() -> None:
    def swap(context: Context, root: Node) -> Node:
        if context.option("keep"):
            return root
        scale = context.const(core.HtpType.Float32, (1,), (2.0,))
        return context.op("q::Mul", context.operand("A"), scale)

    made = rule(op("q::B", "A"), core.ExternalRepl("swap"))
    settings = Settings(externals={"swap": swap})
    assert "%1: Float32[1,8,8,32] = q::Mul(a, %0)" in after(CHAIN, made, settings=settings)
    assert refused("option keep = 1\n" + CHAIN, made, settings=settings)[0] is Verdict.SAME
    assert refused(CHAIN, made)[1] == "function swap is not known here; give it in Python"


def test_what_a_function_does_wrong_is_a_fault() -> None:
    def broken(context: Context, root: Node) -> Node:
        context.shape(1)
        raise ValueError("no luck")

    made = rule(op("q::B", "A"), core.ExternalRepl("f"))
    assert refused(CHAIN, made, settings=Settings(externals={"f": broken})) == (
        Verdict.FAULT,
        "f raised ValueError: no luck",
    )
    odd = Settings(externals={"f": lambda context, root: "odd"})
    assert refused(CHAIN, made, settings=odd)[1] == "f gave str, neither a node nor dimensions"
    above = Settings(externals={"f": lambda context, root: context.graph.nodes[3]})
    text = CHAIN + "c: Float32[1] = q::C(b)\noutput c\n"
    assert "circle" in refused(text, made, settings=above)[1]


@pytest.mark.parametrize(
    ("repl", "reason"),
    [
        (tag("Nope"), 'no operand has the tag "Nope"'),
        (Existing(InputOf(Tag("A"), num(1))), "INPUT_OF: q::A has 1 inputs, no input 1"),
        (Existing(InputOf(Tag("A"), num(-1))), "INPUT_OF: q::A has 1 inputs, no input -1"),
        (TypicalSlice(tag("A"), "I"), '"I" is no split that is open here'),
        (GenShape((start(),)), '"I" is no split that is open here'),
        (GenShape((num(-1),)), "-1 is no size of a dimension"),
        (GenShape((num(1),) * 9), "a shape of 9 dimensions; 8 are the most"),
        (GenShape((Apply("SUB", (dim("A", 0), Const(Type.SIZE, 2)), Type.SIZE),)), f"{2**64 - 1} is no size"),
        (_split(new("q::N"), chunk=0), "AUTOSPLIT: parts of 0"),
        (_split(new("q::N"), dim=4), "AUTOSPLIT: no dimension 4 in an output of rank 4"),
        (_split(_split(new("q::N")), dim=-1), "AUTOSPLIT: no dimension -1 in an output of rank 4"),
        (_split(TypicalSlice(tag("A"), "I", dim=1), chunk=20), "slice 0..20 of dimension 1 goes beyond its 8 elements"),
        (_split(TypicalSlice(tag("A"), "I", dim=4), chunk=20), "no dimension 4 to slice in a tensor of rank 4"),
        (_modified(ModifierKind.RESIZE_DIM, None, new("q::N"), num(4), num(1)), "ResizeDim: no dimension 4"),
        (
            _modified(ModifierKind.OUTPUT_TYPE, None, new("q::N"), Const(Type.DTYPE, 77), num(0), num(1)),
            "77 is no element type",
        ),
        (GenConst(GenKind.ARRAY_I32, (num(1), num(0))), "gen_ConstArr_i32 of 0 elements"),
        (GenConst(GenKind.MATRIX_I32, (num(2), num(1))), "gen_ConstMat_i32: 1 values do not fill 2 rows"),
        (OpIter(new("q::N"), "I", num(0), num(10**6), GenShape()), "OP_ITER of 1000000 steps"),
    ],
)
def test_faults_leave_the_graph_alone(repl: Repl, reason: str) -> None:
    verdict, told = refused(CHAIN, rule(op("q::B", "A"), new("q::Outer", new("q::Before", "A"), repl)))
    assert verdict is Verdict.FAULT
    assert told.startswith(reason)


def test_nine_open_splits_are_too_many() -> None:
    body: Repl = new("q::N")
    for number in range(9):
        body = AutoSplit(SplitMethod.CHUNK, num(0), f"T{number}", num(1), body)
    assert refused(CHAIN, rule(op("q::B", "A"), body)) == (Verdict.FAULT, "more than 8 splits are open")
