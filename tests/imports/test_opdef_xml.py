"""`opkg import` from QNN's OpDef XML: what becomes of each element, faults with their places, files that mean harm."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opkg.imports.form import Imported, ImportedOp
from opkg.imports.read import Options, read, todos_of
from opkg.imports.save import draft
from opkg.imports.xml_tree import MAX_DEPTH, parse_xml
from opkg.spec.diagnostics import Diagnostic, OpkgError
from opkg.spec.model import Op
from opkg.spec.reader import read as read_spec

HERE = Path(__file__).parent / "xml"


def op_of(*files: Path) -> Op:
    made = draft(read([str(file) for file in files], Options()), "acme.ops")
    assert made.ok, made.findings
    package, _ = read_spec(made.text.encode(), made.path)
    assert package is not None
    return package.ops[0]


def raised(*files: Path) -> tuple[Diagnostic, ...]:
    with pytest.raises(OpkgError) as failure:
        read([str(file) for file in files], Options())
    return failure.value.diagnostics


def part(
    tag: str, name: str, rank: str = "4D", types: str = "FLOAT_32", mandatory: str = "true", more: str = ""
) -> str:
    kinds = "".join(f"<Datatype>{each}</Datatype>" for each in types.split())
    shape = f"<Shape><Rank>{rank}</Rank></Shape>"
    return f"<{tag}><Name>{name}</Name><Mandatory>{mandatory}</Mandatory>{kinds}{shape}{more}</{tag}>\n"


def document(body: str, added: str = "", attributes: str = "") -> str:
    return (
        f'<OpDefCollection PackageName="Acme" Domain="" Version="1.0"{attributes}><OpDefList><OpDef><Name>Pool</Name>\n'
        f"<Description><Content>Pools.</Content></Description>\n{body}"
        f"<SupportedBackend>HTP</SupportedBackend></OpDef></OpDefList>{added}</OpDefCollection>\n"
    )


def written(folder: Path, text: str, name: str = "ops.xml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


PLAIN = part("Input", "x") + part("Output", "y")


def test_the_facts_of_an_op() -> None:
    op = op_of(HERE / "sound_kit.xml")
    assert (op.name, op.summary, op.description) == (
        "GatedPool",
        "Pools windows of x and gates them.",
        "y = gate * pool(x)",
    )
    x, gate = op.inputs
    assert (x.layout, x.ranks.low, x.ranks.high) == ("NHWC", 4, 4)
    assert (gate.optional, gate.static, gate.ranks.high) == (True, True, 1)
    assert [dtype.name for dtype in op.type_vars[0].dtypes] == ["float32", "ufixed8"]
    stride, mode = op.params
    assert (stride.dtype.name, stride.default, mode.default, mode.enum) == (
        "uint32",
        (1, 1),
        1,
        (("PEAK", 0), ("MEAN", 1)),
    )


def test_the_package_and_what_has_no_key() -> None:
    made = read([str(HERE / "sound_kit.xml")], Options())
    assert (made.package, made.version, made.targets) == ("sound_kit", "1.2.0", ("qnn-htp-classic",))
    (named,) = [finding for finding in made.findings if finding.id == "OPK629"]
    assert (named.span.line, named.span.column) == (2, 18)
    text = draft(made, "acme.ops").text
    assert "# domain in the XML: demo" in text
    assert "# reference: ours, none" in text
    whys = {todo.message: todo.hint for todo in todos_of(made)}
    assert whys["GatedPool.x: shape"] == "the XML says '[N,H,W,C]', which nothing checks"
    assert "where it is absent it counts as {1,..,1}" in whys["GatedPool.gate: default"]
    assert "'H at least window[0]' (Shape) is free text" in whys["GatedPool.x: constraint"]


def test_supplements_bring_types_quantization_and_constraints() -> None:
    op = op_of(HERE / "blend.xml")
    assert [dtype.name for dtype in op.type_vars[0].dtypes] == ["ufixed16", "float16"]
    quantization = op.inputs[0].quantization
    assert quantization is not None
    assert quantization.symmetric
    assert [constraint.require.text for constraint in op.constraints] == ["share == 0.5"]


def test_supplements_may_stand_in_another_file(tmp_path: Path) -> None:
    base = document(part("Input", "x", types="BACKEND_SPECIFIC") + part("Output", "y", types="BACKEND_SPECIFIC"))
    supplement = (
        '<SupplementalOpDefList Backend="HTP"><SupplementalOpDef><Name>Pool</Name>'
        "<Input><Name>x</Name><Datatype>UFIXED_POINT_8</Datatype></Input>"
        "<Output><Name>y</Name><Datatype>UFIXED_POINT_8</Datatype></Output></SupplementalOpDef></SupplementalOpDefList>"
    )
    op = op_of(written(tmp_path, base), written(tmp_path, supplement, "htp.xml"))
    assert {tensor.dtype.fixed.name for tensor in op.tensors if tensor.dtype.fixed is not None} == {"ufixed8"}
    alone = read([str(tmp_path / "ops.xml")], Options())
    assert "no supplement for HTP says which" in {t.message: t.hint for t in todos_of(alone)}["Pool.x: element types"]
    assert "no op is defined here" in [finding.message for finding in raised(tmp_path / "htp.xml")]


def test_targets_follow_the_xml(tmp_path: Path) -> None:
    assert read([str(written(tmp_path, document(PLAIN, attributes=' UseQHPI="true"')))], Options()).targets == (
        "qnn-htp-qhpi",
    )
    deep = part("Input", "x", "5D") + part("Output", "y", "5D")
    made = read([str(written(tmp_path, document(deep)))], Options())
    assert made.targets == ("qnn-htp-qhpi",)
    assert "has rank 5: the package is for QHPI" in [f.message for f in made.findings if f.id == "OPK629"][-1]


@pytest.mark.parametrize(
    ("default", "dtype", "rank", "wanted", "why"),
    [
        ("0.5", "FLOAT_32", "SCALAR", "0.5", ""),
        ("1E5", "FLOAT_32", "SCALAR", "100000.0", ""),
        ("-1", "INT_32", "SCALAR", "-1", ""),
        ("1", "BOOL_8", "SCALAR", "true", ""),
        ("false", "BOOL_8", "SCALAR", "false", "reads as true in QNN's generator"),
        ("banana", "FLOAT_32", "SCALAR", "0.0", "'banana' is no number; 0.0 is a guess"),
        ("-1", "UINT_32", "SCALAR", "0", "-1 is beyond uint32"),
        ("N-1", "UINT_32", "SCALAR", "rank(x) - 1", ""),
        ("{1, 2}", "UINT_32", "1D", "[1, 2]", ""),
        ("{{0,0},{1,1}}", "UINT_32", "2D", "[[0, 0], [1, 1]]", ""),
        ("{0,..,0}", "UINT_32", "1D", None, "as many elements as there are"),
        ("{1,2", "UINT_32", "1D", None, "is no list"),
    ],
)
def test_defaults(default: str, dtype: str, rank: str, wanted: str | None, why: str, tmp_path: Path) -> None:
    param = part("Parameter", "p", rank, dtype, "false", f"<Default>{default}</Default>")
    path = written(tmp_path, document(PLAIN + param))
    op = only(read([str(path)], Options()))
    assert op.params[0].default == wanted
    whys = " ".join(todo.why for part_, todo in op.all_todos if part_ == "p" and todo.what == "default")
    assert (why in whys) if why else whys == ""
    assert draft(read([str(path)], Options()), "acme.ops").ok


def only(made: Imported) -> ImportedOp:
    (op,) = made.ops
    return op


def test_all_faults_in_one_run_with_their_places_and_hints(tmp_path: Path) -> None:
    body = (
        part("Input", "x", "6D")
        + part("Input", "x", types="FLOAT_23")
        + part("Output", "y", mandatory="True")
        + part("Parameter", "p", "SCALAR", "UINT_32", "false")
        + "<Parametr/>\n"
    )
    found = raised(written(tmp_path, document(body)))
    assert [(f.id, f.span.line, f.message, f.hint) for f in found if f.is_error] == [
        ("OPK625", 3, "'6D' is no rank", "one of SCALAR, 0D, 1D, 2D, 3D, 4D, 5D, ND"),
        ("OPK626", 4, "Pool has two <Input> 'x'", "the first is in line 3"),
        ("OPK625", 4, "'FLOAT_23' is no element type of QNN", "did you mean 'FLOAT_32'?"),
        ("OPK625", 5, "'True' is no boolean", "write <Mandatory>true</Mandatory> or false"),
        ("OPK625", 6, "param 'p' is optional and has no <Default>", "say the value that it has when it is absent"),
        ("OPK624", 7, "<OpDef> has no element <Parametr>", "did you mean <Parameter>?"),
    ]
    (rank,) = [f for f in found if "6D" in f.message]
    assert (tmp_path / "ops.xml").read_text().splitlines()[2][rank.span.column - 1 :].startswith("6D</Rank>")


def test_what_qnns_reader_takes_otherwise_is_a_warning(tmp_path: Path) -> None:
    body = PLAIN.replace("<Mandatory>true</Mandatory>", "<Mandatory>1</Mandatory>", 1)
    made = read([str(written(tmp_path, document(body)))], Options())
    assert [f.message for f in made.findings if f.id == "OPK625"] == [
        "'1' in <Mandatory> is false to QNN's reader: only the text 'true' is true"
    ]
    assert only(made).inputs[0].optional
    swapped = document(part("Output", "y") + part("Input", "x"))
    made = read([str(written(tmp_path, swapped))], Options())
    (order,) = [f for f in made.findings if f.id == "OPK624"]
    assert (order.span.line, order.is_error) == (4, False)


def test_names_that_a_spec_cannot_have(tmp_path: Path) -> None:
    body = (
        part("Input", "in[0]")
        + part("Input", "class")
        + part("Output", "alpha")
        + part("Parameter", "alpha", "SCALAR")
        + part("Parameter", "double", "SCALAR")
    )
    made = read([str(written(tmp_path, document(body)))], Options())
    op = only(made)
    assert [tensor.name for tensor in (*op.inputs, *op.outputs)] == ["in0", "class_value", "y_alpha"]
    assert [param.name for param in op.params] == ["alpha", "double_value"]
    assert any("graphs send 'double'" in finding.message for finding in made.findings if finding.id == "OPK629")
    assert draft(made, "acme.ops").ok


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>\n<x>&b;</x>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n<x>&a;</x>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB, "a document type: such files can stand for more than they hold"),
        (OUTSIDE, "a document type: such files can stand for more than they hold"),
        ("<a>" * (MAX_DEPTH + 1) + "</a>" * (MAX_DEPTH + 1), f"nested more than {MAX_DEPTH} levels deep"),
        ("<a><b></a>", "this is no XML: mismatched tag"),
        ("", "this is no XML: no element found"),
        ("<a>&nothing;</a>", "this is no XML: undefined entity"),
        ("<a>" + "x" * 30_000 + "</a>", "<a> has more than 20000 characters"),
    ],
)
def test_files_that_mean_harm_or_are_cut_off(text: str, message: str) -> None:
    found = parse_xml(text.encode(), "ops.xml")
    assert isinstance(found, Diagnostic)
    assert (found.id, found.message) == ("OPK623", message)


def test_columns_count_characters() -> None:
    root = parse_xml("<a>äöü<b>text</b></a>".encode(), "ops.xml")
    assert not isinstance(root, Diagnostic)
    assert (root.children[0].span.column, root.children[0].place.column) == (8, 10)


@given(st.data())
@settings(max_examples=120, deadline=None)
def test_damaged_files_end_in_findings(data: st.DataObject) -> None:
    """Elements left out, doubled or emptied, words exchanged: findings or an import, and nothing else."""
    pieces = re.split(r"(<[^>]*>)", (HERE / data.draw(st.sampled_from(["sound_kit.xml", "blend.xml"]))).read_text())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(1, len(pieces) - 1))
        other = data.draw(
            st.sampled_from(["", pieces[data.draw(st.integers(1, len(pieces) - 1))], 'ä\\*/"', "-1", "0"])
        )
        pieces[at] = other
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ops.xml"
        path.write_text("".join(pieces))
        found: tuple[Diagnostic, ...] = ()
        try:
            draft(read([str(path)], Options()), "acme.ops")
        except OpkgError as failure:
            found = failure.diagnostics
        assert all(finding.id.startswith("OPK62") for finding in found if finding.is_error)
