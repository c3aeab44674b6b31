"""Rules in the emitted C++: the source and the preprocessor's output both give back the spec's rules."""

from __future__ import annotations

from pathlib import Path

import pytest
import targetlib

from opkg.rules.syntax import Document, Rule
from opkg.rules.text.cpp import parse_cpp
from opkg.rules.text.expanded import parse_expanded, preprocess
from opkg.rules.text.from_spec import document_of
from opkg.rules.text.printer import to_text
from opkg.spec.model import OpPackage
from opkg.spec.reader import read
from opkg.targets.qnn_htp_classic import TARGET

SPEC = """\
opkg: 1
package: {name: t.t, version: 1.0.0, targets: [qnn-htp-classic]}
ops:
  Op1:
    types: {T: [float32]}
    inputs: {x: {dtype: T, rank: 1..4}}
    outputs: {y: {dtype: T, shape: x.shape}}
    tensor_properties:
      - Flat( "x","*")
      - 'Op("Op2","a"),MainMemory("a")'
      - 'DEF_TENSOR_PROPERTIES("Op3",Flat("..."));'
    rules:
      - {name: bare, match: 'Op("A","X")', replace: '"X"'}
      - name: full
        pass: EARLY+1
        flags: relaxed_precision_flag|any_rule
        match: |
          LET("m", OpVarIn("A",
            "X"))
        when: >-
          AND(GT(DIM_DEPTH("X"),1u),
          LE(STEPSIZE_OF("X"), 1.5e-3f))
        replace: "Op(\\"$Out\\", \\"X\\")"
      - name: split
        match: Op("Op1", "X")
        when: AND(GT(DIM_HEIGHT("*"), TILE_HEIGHT), OR(IS_QUINT8("X"), IS_QUINT16("X"), IS_FLOAT16("X")))
        replace: |
          AUTOSPLIT(1,"I",TILE_HEIGHT,WITH_OUTPUT_TYPE(DTYPE_OF("X"),ZERO_OFFSET_OF("X"),STEPSIZE_OF("X"),
            Op("Op1",TYPICAL_SLICE("X","I"),"a.second.operand")))
      - {name: whole, macro: 'DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(LATE, 3, Op("q::B", "x"), OK, "x" );'}
      - name: message
        match: Op("A", "X")
        when: MESSAGE_IF(OK, "it's \\"so\\"")
        replace: Op("B", "X")
"""


@pytest.fixture(scope="module")
def made() -> OpPackage:
    package, findings = read(SPEC.encode(), "specs/t.yaml")
    assert package is not None, findings
    return package


def parts(rule: Rule) -> tuple[str, ...]:
    """The five parts; a part that was left out as it is emitted."""
    pass_ = to_text(rule.pass_) if rule.pass_ is not None else "EARLY"
    when = to_text(rule.when) if rule.when is not None else "OK"
    flags = to_text(rule.flags) if rule.flags is not None else ""
    return pass_, flags, to_text(rule.match), when, to_text(rule.replace)


def properties(document: Document) -> list[list[str]]:
    return [[to_text(a) for a in d.args] for d in document.declarations if d.macro == "DEF_TENSOR_PROPERTIES"]


def source(package: OpPackage) -> str:
    return next(a.text for a in TARGET.render(package) if a.path.endswith("src/op1.cpp"))


def test_the_source_gives_the_rules_back(made: OpPackage) -> None:
    document, findings = parse_cpp(source(made), "op1.cpp")
    assert findings == []
    assert [parts(rule) for rule in document.rules] == [parts(rule) for rule in document_of(made)[0].rules]
    assert properties(document) == [
        ['Op("Op2", "a")', 'MainMemory("a")'],
        ['"Op3"', 'Flat("...")'],
        ['Op("Op1", "x")', 'Outputs("y")', 'Flat("x", "*")'],
    ]


def test_the_preprocessor_gives_the_rules_back(made: OpPackage, tmp_path: Path) -> None:
    for artifact in TARGET.render(made):
        path = tmp_path / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text)
    folder = targetlib.interface(tmp_path, made)
    text = preprocess(
        str(folder / "src" / "op1.cpp"),
        [f"-I{place}" for place in (folder / "include", folder / "src", folder.parents[1])],
    )
    document, findings = parse_expanded(text, "op1.cpp")
    assert findings == []
    assert [parts(rule) for rule in document.rules] == [parts(rule) for rule in document_of(made)[0].rules]


SPLIT = """\
// split
DEF_PACKAGE_OPTIMIZATION(
    EARLY,
    Op("Op1", "X"),
    AND(GT(DIM_HEIGHT("*"), TILE_HEIGHT), OR(IS_QUINT8("X"), IS_QUINT16("X"), IS_FLOAT16("X"))),
    AUTOSPLIT(1, "I", TILE_HEIGHT,
        WITH_OUTPUT_TYPE(
            DTYPE_OF("X"),
            ZERO_OFFSET_OF("X"),
            STEPSIZE_OF("X"),
            Op("Op1", TYPICAL_SLICE("X", "I"), "a.second.operand"))))
"""


def test_the_layout(made: OpPackage) -> None:
    text = source(made)
    assert text.index("#ifndef PREPARE_DISABLED") < text.index("// bare\n") < text.index("#endif  // PREPARE_DISABLED")
    assert '// bare\nDEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), OK, "X")\n' in text
    split = text[text.index("// split\n") : text.index("// whole\n")]
    assert split == SPLIT
    starts = [line for line in text.split("\n") if "DEF_PACKAGE_OPTIMIZATION" in line]
    assert all(line.startswith("DEF_PACKAGE_OPTIMIZATION") and "(" in line for line in starts)
    assert len(starts) == 5


def test_ops_without_rules_do_not_load_the_rule_language() -> None:
    import subprocess
    import sys

    program = (
        "import sys\nfrom opkg.spec.reader import read\nfrom opkg.project.read import check, rule_findings, targets_of\n"
        "package, _ = read(open(sys.argv[1], 'rb').read(), 's.yaml')\n"
        "assert rule_findings(package) == []\n"
        "for target in targets_of(package)[0]:\n    check(target, package); list(target.target.render(package))\n"
        "print([m for m in sys.modules if m.startswith('opkg.rules')])\n"
    )
    spec = targetlib.ROOT / "examples" / "math" / "specs" / "math.yaml"
    done = subprocess.run([sys.executable, "-c", program, str(spec)], capture_output=True, text=True, check=False)
    assert done.stdout == "[]\n", done.stderr


EXTERNAL = """\
opkg: 1
package: {name: t.t, version: 1.0.0, targets: [qnn-htp-classic]}
ops:
  Op1:
    types: {T: [float32]}
    inputs: {x: {dtype: T, rank: 1..4}}
    outputs: {y: {dtype: T, shape: x.shape}}
    rules:
      - name: one
        match: Op("Op1", "X")
        when: EXTERNAL_CONSTRAINT(fits, "X", DIM_OF("X", 0), 3)
        replace: EXTERNAL_REPLACE(renew)
      - name: two
        match: Op("Op1", "X")
        when: GT(DIM_OF("*", 2), 8)
        replace: |
          AUTOSPLIT(2, "I", 8, Op("Op1",
            AUTOSPLIT_SLICE("X",
              AUTOSPLIT_SHAPEFN_APPLY(begin_of, "I", "X", 1.5f),
              AUTOSPLIT_SHAPEFN_APPLY(simple_split_size, "I", "X"))))
      - {name: three, match: 'Op("Op1", "X")', when: 'EXTERNAL_CONSTRAINT(fits, "X")', replace: 'Op("q::Relu", "X")'}
"""


def test_functions_that_rules_call_are_declared_in_a_file_of_the_users(tmp_path: Path) -> None:
    package, found = read(EXTERNAL.encode(), "specs/t.yaml")
    assert package is not None, found
    made = {a.path: a for a in TARGET.render(package)}
    header = made["rules/op1.h"]
    assert header.ownership == "yours"
    declared = [line for line in header.text.split("\n") if line.endswith(");")]
    assert declared == [
        "bool fits(Constraint&, const OpRef&, size_t, int);",
        "OpRef renew(Replacement&, const OpDef&);",
        "OpRef begin_of(Replacement&, const Split_Context&, const OpRef&, float);",
    ]
    assert "// :::EXTERNAL_SHAPEFN::: { OpRef renew(Replacement&, const OpDef&); }\n" in header.text
    text = made["generated/t_t/classic/src/op1.cpp"].text
    assert '#ifndef PREPARE_DISABLED\n#include "../../../../rules/op1.h"\n' in text
    for artifact in made.values():
        path = tmp_path / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text)
    targetlib.compile_all(tmp_path, package, "g++", "-O0 -Werror")


def test_without_such_functions_there_is_no_file(made: OpPackage) -> None:
    assert not [a.path for a in TARGET.render(made) if a.path.startswith("rules/")]
