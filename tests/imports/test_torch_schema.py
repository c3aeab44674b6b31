"""`opkg import` from torch schemas: the grammar, what becomes of each type, reasons for what is left out."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from opkg.imports.form import Imported
from opkg.imports.read import Options, read, todos_of
from opkg.imports.save import draft
from opkg.imports.schema_text import TYPES, Argument, Schema, SchemaType, parse_schema
from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import Op
from opkg.spec.reader import read as read_spec
from opkg.spec.source_text import SourceText


def imported(text: str) -> Imported:
    return read([text], Options())


def op_of(text: str) -> Op:
    made = draft(imported(text), "acme.ops")
    assert made.ok, made.findings
    package, _ = read_spec(made.text.encode(), made.path)
    assert package is not None
    return package.ops[0]


def fault(text: str) -> Diagnostic:
    found = parse_schema(SourceText("<schema>", text))
    assert isinstance(found, Diagnostic)
    return found


def test_tensors_numbers_lists_and_several_results() -> None:
    op = op_of(
        "mylib::gated_pool(Tensor x, Tensor? gate, float alpha=1.0, int[2] kernel=1, *, bool flag=False, "
        "int? dim=None) -> (Tensor y, Tensor mask)"
    )
    assert op.name == "GatedPool"
    assert [(t.name, t.optional) for t in op.inputs] == [("x", False), ("gate", True)]
    assert [(p.name, p.dtype.name, p.default) for p in op.params] == [
        ("alpha", "float32", 1.0),
        ("kernel", "int32", (1, 1)),
        ("flag", "bool8", False),
        ("dim", "int32", None),
    ]
    assert [t.name for t in op.outputs] == ["y", "mask"]
    assert [call.op for call in op.torch] == ["mylib.gated_pool.default"]


def test_a_list_of_tensors_comes_last_and_torch_still_finds_its_arguments() -> None:
    op = op_of("acme::stack_to(Tensor[] tensors, Tensor like, int dim=0) -> Tensor")
    assert [(t.name, t.variadic) for t in op.inputs] == [("like", None), ("tensors", (1, 8))]
    assert op.torch[0].args == (("like", "like"), ("tensors", "tensors"), ("dim", "dim"))


def test_what_is_guessed_has_a_reason_in_the_file_and_in_the_report() -> None:
    made = imported("acme::norm(Tensor x, Scalar p=2, int? dim=None, str mode='mean') -> Tensor")
    text = draft(made, "acme.ops").text
    assert "dim: {dtype: int32}  # TODO default: it may be None there" in text
    assert "# TODO argument 'mode': a text is no param; the op is 'mean' only" in text
    found = todos_of(made)
    assert {(f.id, f.message) for f in found} >= {("OPK628", "Norm.dim: default"), ("OPK628", "Norm.y: shape")}
    (place,) = [f.span for f in found if f.message == "Norm.dim: default"]
    assert (place.line, place.column) == (1, 39)


def test_what_no_spec_can_say_is_not_carried_and_said_why() -> None:
    from opkg.imports.torch_schema import imported as carried

    for text, why in (
        ("a::add_(Tensor(a!) self, Tensor other) -> Tensor(a!)", "writes into its argument 'self'"),
        ("a::zeros(int[] size) -> Tensor", "takes no tensor"),
        ("a::item(Tensor x) -> Scalar", "returns Scalar"),
        ("a::index(Tensor self, Tensor?[] indices) -> Tensor", "a list of tensors in which some"),
        ("a::check(Tensor x) -> ()", "returns nothing"),
    ):
        schema = parse_schema(SourceText("<schema>", text))
        assert isinstance(schema, Schema)
        op, (finding,) = carried(schema)
        assert op is None
        assert finding.id == "OPK632"
        assert why in finding.message


def test_faults_have_their_place() -> None:
    for text, column, message in (
        ("a::f(Tenso x) -> Tensor", 6, "'Tenso' is no type of a schema"),
        ("a::f(Tensor x, Tensor x) -> Tensor", 23, "'x' stands twice"),
        ("a::f(Tensor x -> Tensor", 15, "expected ',', found '->'"),
        ("a::f(Tensor x)", 15, "expected '->', the text ends"),
        ("a::f(int[0] k) -> Tensor", 10, "expected the length of the list, found '0'"),
        ("a::f(Tensor x) -> Tensor $", 26, "'$' has no place in a schema"),
    ):
        found = fault(text)
        assert (found.id, found.span.column, found.message) == ("OPK630", column, message)
    assert fault("a::f(Tenso x) -> Tensor").hint == "did you mean 'Tensor'?"


_NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
_ALIASES = st.sampled_from(["", "a!", "a", "a -> *", "a | b"])


@st.composite
def _types(draw: st.DrawFn) -> SchemaType:
    listed = draw(st.booleans())
    return SchemaType(
        draw(st.sampled_from([name for name in TYPES if name != "Dict"])),
        listed,
        draw(st.none() | st.integers(1, 99)) if listed else None,
        draw(st.booleans()),
        draw(st.booleans()) if listed else False,
        draw(_ALIASES) if not listed else "",
    )


_DEFAULTS = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**40), 2**40), st.floats(allow_nan=False, allow_infinity=False),
    st.from_regex(r"[a-z ]{0,6}", fullmatch=True), st.lists(st.integers(-9, 9), max_size=3).map(tuple),
)  # fmt: skip


@given(st.lists(st.tuples(_NAMES, _types(), st.booleans(), _DEFAULTS), max_size=6, unique_by=lambda a: a[0]), _types())
@settings(max_examples=150, deadline=None)
def test_what_is_printed_reads_as_the_same(arguments: list, result: SchemaType) -> None:  # type: ignore[type-arg]
    def text(value: object) -> str:
        return f"[{', '.join(map(text, value))}]" if isinstance(value, tuple) else repr(value)

    shown = [f"{type_} {name}{f'={text(default)}' if has else ''}" for name, type_, has, default in arguments]
    parsed = parse_schema(SourceText("<schema>", f"ns::op.over({', '.join(shown)}) -> {result}"))
    assert isinstance(parsed, Schema), parsed
    expected = [(n, t, has, d if has else None) for n, t, has, d in arguments]
    assert [(a.name, a.type, a.has_default, a.default) for a in parsed.arguments] == expected
    assert [r.type for r in parsed.returns] == [result]
    assert (parsed.namespace, parsed.name, parsed.overload) == ("ns", "op", "over")


@given(st.text(alphabet="Tensor(a!)[]?,*=:-> .'\"0123456789xyz\n\\\x00", max_size=60))
@settings(max_examples=300, deadline=None)
def test_no_text_breaks_the_parser(text: str) -> None:
    found = parse_schema(SourceText("<schema>", text))
    assert isinstance(found, Schema | Diagnostic)
    assert not isinstance(found, Schema) or all(isinstance(a, Argument) for a in found.arguments)
