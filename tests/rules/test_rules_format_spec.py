"""The formatter on specs: only rule texts change, YAML comments and all else stay to the byte."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from opkg.rules.text.formatter import format_spec
from opkg.spec.reader import read

HEAD = """\
# a spec
opkg: 1
package: {name: t.t, version: 1.0.0}   # flow
ops:
  Op1:
    inputs: {x: {dtype: float32}}
    outputs: {y: {dtype: float32, shape: x.shape}}
"""


def formatted(rules: str) -> str:
    """What becomes of the lines below the op's outputs."""
    data = (HEAD + rules).encode()
    out, findings = format_spec(data, "specs/t.yaml")
    assert not findings
    assert format_spec(out, "specs/t.yaml")[0] == out
    assert out.startswith(HEAD.encode())
    return out.decode()[len(HEAD) :]


def test_quotes_stay_on_one_line() -> None:
    rules = """\
    rules:
      - name: one        # comment
        pass: EARLY+1    # pass
        match: Op("A" ,"x")
        when: 'EQ( 1 ,DIM_OF("x",0))'   # why
        replace: "Op(\\"B\\",\\"x\\")"
"""
    assert (
        formatted(rules)
        == """\
    rules:
      - name: one        # comment
        pass: EARLY + 1    # pass
        match: Op("A", "x")
        when: 'EQ(1, DIM_OF("x", 0))'   # why
        replace: "Op(\\"B\\", \\"x\\")"
"""
    )


LONG = (
    'AND(IS_QUINT8("x"), IS_QUINT8("y"), GT(DIM_HEIGHT("x"), TILE_HEIGHT), GT(DIM_WIDTH("x"), 8), EQ(RANK_OF("x"), 4))'
)


def test_long_texts_become_blocks() -> None:
    rules = f"""\
    rules:
      - match: Op("A", "x", "y")
        when: {LONG}
        replace: '"x"'
    # the end
"""
    assert (
        formatted(rules)
        == """\
    rules:
      - match: Op("A", "x", "y")
        when: |
          AND(
              IS_QUINT8("x"),
              IS_QUINT8("y"),
              GT(DIM_HEIGHT("x"), TILE_HEIGHT),
              GT(DIM_WIDTH("x"), 8),
              EQ(RANK_OF("x"), 4))
        replace: '"x"'
    # the end
"""
    )


def test_blocks_stay_blocks() -> None:
    rules = """\
    rules:
      - match: |-   # a block
           Op("A",
              "x")

        replace: >
          Op("B",
            "x")
    summary: last
"""
    assert (
        formatted(rules)
        == """\
    rules:
      - match: |-   # a block
           Op("A", "x")

        replace: >
          Op("B", "x")
    summary: last
"""
    )


def test_in_braces_and_before_a_comment_a_long_text_stays_on_its_line() -> None:
    long = LONG.replace(", ", ",")
    rules = f'    rules: [{{match: \'Op("A","x","y")\', when: \'{long}\', replace: \'"x"\'}}]\n'
    assert formatted(rules).count("\n") == 1
    rules = f'    rules:\n      - match: Op("A","x","y")\n        when: {long}  # c\n        replace: \'"x"\'\n'
    assert f"        when: {LONG}  # c\n" in formatted(rules)


def test_macros_and_tensor_properties() -> None:
    rules = """\
    tensor_properties:
      - Flat( "x","*")
      - 'Op("Op1","x"),Tcm("x")'
    rules:
      - macro: 'DEF_PACKAGE_OPTIMIZATION(LATE,Op("B","x"),OK,"x");'
"""
    assert (
        formatted(rules)
        == """\
    tensor_properties:
      - Flat("x", "*")
      - 'Op("Op1", "x"), Tcm("x")'
    rules:
      - macro: 'DEF_PACKAGE_OPTIMIZATION(LATE, Op("B", "x"), OK, "x")'
"""
    )


def test_windows_line_ends_and_byte_order_mark_stay() -> None:
    rules = f'    rules:\n      - match: Op("A","x","y")\n        when: {LONG}\n        replace: \'"x"\''
    unix = formatted(rules)
    data = b"\xef\xbb\xbf" + (HEAD + rules).replace("\n", "\r\n").encode()
    out, findings = format_spec(data, "specs/t.yaml")
    assert not findings
    assert out == b"\xef\xbb\xbf" + (HEAD + unix).replace("\n", "\r\n").encode()


def test_an_anchor_is_kept_and_formatted_once() -> None:
    rules = """\
    rules:
      - {name: a, match: &m 'Op("A","x")', replace: '"x"'}
      - {name: b, match: *m, replace: '"x"', pass: LATE}
"""
    assert formatted(rules) == rules.replace('"A","x"', '"A", "x"')


def test_a_text_that_does_not_parse_stays() -> None:
    rules = '    rules:\n      - match: Op("A","x")\n        when: EQ(1,, 2)\n        replace: \'"x"\'\n'
    out, findings = format_spec((HEAD + rules).encode(), "specs/t.yaml")
    assert out.decode() == HEAD + rules.replace('"A","x"', '"A", "x"')
    assert [(f.id, f.span.line, f.span.column) for f in findings] == [("OPK500", 10, 20)]


def test_a_spec_with_errors_stays_whole() -> None:
    data = (HEAD + '    rules:\n      - match: Op("A","x")\n').encode()
    out, findings = format_spec(data, "specs/t.yaml")
    assert out == data
    assert [f.id for f in findings] == ["OPK121"]


WORDS = st.sampled_from(["OK", '"x"', '"y"', "3", "DType::QUInt8", "-1", '"a::b"', "'c'"])
TEXTS = st.recursive(
    WORDS,
    lambda inner: st.builds(
        lambda name, args, gap: f"{name}({f',{gap}'.join(args)})",
        st.sampled_from(["AND", "Op", "EQ"]),
        st.lists(inner, min_size=1, max_size=5),
        st.sampled_from(["", " ", "   "]),
    ),
    max_leaves=40,
)


@st.composite
def specs(draw: st.DrawFn) -> bytes:
    """Rules in all styles of YAML."""
    lines = ["    rules:"]
    for number in range(draw(st.integers(1, 3))):
        lines.append(f"      - name: r{number}{draw(st.sampled_from(['', '  # note']))}")
        for part in ("match", "when", "replace"):
            text = draw(TEXTS)
            style = draw(st.sampled_from(["plain", "'", '"', "|", ">-"]))
            if style == "'" or (style == "plain" and text[0] in "\"'|&*-"):
                lines.append(f"        {part}: '" + text.replace("'", "''") + "'")
            elif style == '"':
                lines.append(f'        {part}: "' + text.replace('"', '\\"') + '"  # note')
            elif style == "plain":
                lines.append(f"        {part}: {text}")
            else:
                lines.append(f"        {part}: {style}")
                lines += ["            " + piece for piece in text.replace(",", ",\n").split("\n")]
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return (HEAD + "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n# end\n"]))).replace("\n", end).encode()


@settings(max_examples=200, deadline=None)
@given(specs())
def test_formatting_is_idempotent_and_keeps_the_model(data: bytes) -> None:
    package, _ = read(data, "specs/t.yaml")
    assert package is not None
    out, findings = format_spec(data, "specs/t.yaml")
    assert not [f for f in findings if f.id == "OPK517"], findings
    assert format_spec(out, "specs/t.yaml")[0] == out
    again, _ = read(out, "specs/t.yaml")
    assert again is not None
    assert [r.name for r in again.ops[0].rules] == [r.name for r in package.ops[0].rules]
    squeezed = [["".join(t.text.split()) for t in (r.match, r.when, r.replace) if t] for r in package.ops[0].rules]
    assert squeezed == [
        ["".join(t.text.split()) for t in (r.match, r.when, r.replace) if t] for r in again.ops[0].rules
    ]
    assert [c for c in data.split(b"\n") if b"# " in c and b"name" in c] == [
        c for c in out.split(b"\n") if b"# " in c and b"name" in c
    ]


def test_a_block_with_an_indentation_number_stays() -> None:
    rules = '    rules:\n      - match: |2\n            Op("A" ,"x")\n        replace: \'"x"\'\n'
    out, findings = format_spec((HEAD + rules).encode(), "specs/t.yaml")
    assert out.decode() == HEAD + rules
    assert [(f.id, f.span.line) for f in findings] == [("OPK516", 9)]
