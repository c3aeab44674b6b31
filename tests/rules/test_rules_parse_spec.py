"""The rules of a spec as a document: places in every style of YAML, parts that are left out, tensor properties."""

from __future__ import annotations

import pytest

from opkg.rules.syntax import Document, Front
from opkg.rules.text.from_spec import document_of
from opkg.rules.text.printer import declaration_text, rule_text
from opkg.spec import reader
from opkg.spec.diagnostics import Diagnostic

FRAME = """opkg: 1
package: {name: a.b, version: 1.0.0}
ops:
  Relu:
    types: {T: [float32]}
    inputs:
      x: {dtype: T, shape: [...]}
    outputs:
      y: {dtype: T, shape: x.shape}
    reference: r:f
"""
BEFORE = FRAME.count("\n")


def document(text: str) -> tuple[Document, list[Diagnostic]]:
    package, findings = reader.read((FRAME + text).encode(), "specs/s.yaml")[:2]
    assert package is not None, findings
    return document_of(package)


def test_rules_in_parts_and_as_a_macro() -> None:
    found, findings = document(
        "    rules:\n"
        "      - {name: one, match: 'Op(\"Relu\", \"A\")', replace: '\"A\"'}\n"
        "      - match: Op(\"A\")\n        pass: EARLY+2\n        flags: a|b\n"
        "        when: GT(1, x)\n        replace: Op(\"B\")\n"
        "      - macro: DEF_PACKAGE_OPTIMIZATION(LATE, Op(\"A\"), OK, \"*\");\n"
    )  # fmt: skip
    assert findings == []
    assert (found.path, found.front, found.package) == ("specs/s.yaml", Front.YAML, "a.b")
    assert [(rule.name, rule.macro) for rule in found.rules] == [
        ("Relu.one", ""),
        ("Relu.rule_2", ""),
        ("Relu.rule_3", "DEF_PACKAGE_OPTIMIZATION"),
    ]
    first, second, third = found.rules
    assert (first.pass_, first.flags, first.when) == (None, None, None)
    assert rule_text(second) == 'DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(EARLY + 2, a | b, Op("A"), GT(1, x), Op("B"))'
    assert second.text.span(second.match.start, second.match.end) == ("specs/s.yaml", BEFORE + 3, 16, BEFORE + 3, 23)
    assert second.flags is not None
    assert second.text.span(second.flags.start, second.flags.end) == ("specs/s.yaml", BEFORE + 5, 16, BEFORE + 5, 19)
    assert third.text.span(third.start, third.end)[1:3] == (BEFORE + 8, 16)


# The rule's field as written in YAML, and where the 3 stands: lines after the frame, column.
PLACES = {
    "plain": ('        when: GT("A" 3, x)', 4, 22),
    "plain in two lines": ('        when: GT("A"\n          3, x)', 5, 11),
    "single quotes": ("        when: 'GT(\"A\" 3, x)'", 4, 23),
    "double quotes": ('        when: "GT(\\"A\\" 3, x)"', 4, 25),
    "escapes": ('        when: "GT(\\x22\\u0041\\"\\t\\\n          3, x)"', 5, 11),
    "literal": ('        when: |\n          GT("A"\n             3, x)', 6, 14),
    "folded": ('        when: >-\n\n          GT("A"\n          3,\n\n          x)', 7, 11),
}


@pytest.mark.parametrize("style", PLACES)
def test_findings_stand_where_the_file_has_them(style: str) -> None:
    text, line, column = PLACES[style]
    found, findings = document(f'    rules:\n      - match: Op("A")\n        replace: Op("B")\n{text}\n')
    assert found.rules == ()
    assert [(d.id, *d.span[:3]) for d in findings] == [("OPK500", "specs/s.yaml", BEFORE + line, column)]


def test_findings_of_all_parts_and_rules() -> None:
    _, findings = document(
        '    rules:\n      - {match: Op(08), when: "(int)x", replace: \'Op("")\'}\n      - {macro: DEF_PACKAGE_OP(f)}\n'
    )
    assert [(d.id, d.span.line - BEFORE, d.span.column) for d in findings] == [
        ("OPK503", 2, 20),
        ("OPK509", 2, 32),
        ("OPK507", 2, 54),
        ("OPK511", 3, 17),
    ]


def test_tensor_properties() -> None:
    found, findings = document(
        "    tensor_properties:\n"
        "      - DEF_TENSOR_PROPERTIES(Op(\"A\", \"x\"), Flat(\"*\"))\n"
        "      - 'Op(\"B\", \"x\"), Flat(\"*\", \"x\")'\n"
        "      - Flat(\"x\")\n"
        "      - Tcm(\"x\", \"...\")\n"
    )  # fmt: skip
    assert findings == []
    assert [declaration_text(d) for d in found.declarations] == [
        'DEF_TENSOR_PROPERTIES(Op("A", "x"), Flat("*"))',
        'DEF_TENSOR_PROPERTIES(Op("B", "x"), Flat("*", "x"))',
        'DEF_TENSOR_PROPERTIES(Op("Relu", "x"), Outputs("y"), Flat("x"), Tcm("x", "..."))',
    ]
    loose = found.declarations[2]
    assert loose.text.span(loose.args[3].start, loose.args[3].end)[1:] == (BEFORE + 5, 9, BEFORE + 5, 24)


def test_findings_in_tensor_properties() -> None:
    found, findings = document('    tensor_properties:\n      - Flat("x")\n      - Tcm("x" 3)\n')
    assert found.items == ()
    assert [(d.id, d.span.line - BEFORE, d.span.column) for d in findings] == [("OPK500", 3, 17)]
