"""What QHPI cannot carry of a rule: found at the construct, an error without the classic target, a warning with it."""

from __future__ import annotations

import pytest
import qlib

from opkg.rules.constructs import CONSTRUCTS
from opkg.spec.catalog import entries
from opkg.spec.diagnostics import Severity
from opkg.spec.reader import read
from opkg.targets.qnn_htp_qhpi import TARGET
from opkg.targets.qnn_htp_qhpi.rewrite import rewrites
from opkg.targets.qnn_htp_qhpi.rewrite_limits import IGNORED, UNSUPPORTED

SPEC = """\
opkg: 1
package:
  name: lint.pkg
  version: 1.0.0
  targets: [{targets}]
ops:
  One:
    types: {{T: [float32, sfixed8]}}
    inputs: {{x: {{dtype: T, rank: 1..4}}}}
    outputs: {{y: {{dtype: T, shape: x.shape}}}}
    rules:
      - name: r
        pass: {pass_}
        match: '{match}'
        when: '{when}'
        replace: '{replace}'
{more}
  Two:
    types: {{T: [float32]}}
    inputs: {{x: {{dtype: T, rank: 1..4}}}}
    outputs: {{y: {{dtype: T, shape: x.shape}}, z: {{dtype: T, shape: x.shape}}}}
"""
FIELDS = {
    "pass_": "EARLY", "match": 'Op("One", "X")', "when": "IS_FLOAT32(\"X\")", "replace": 'Op("Two", "X")', "more": "",
    "targets": "qnn-htp-qhpi",
}  # fmt: skip


def package_of(**fields: str) -> qlib.OpPackage:
    text = SPEC.format(**{**FIELDS, "replace": 'Op("One", Op("One", "X"))', **fields})
    package, found = read(text.encode(), "specs/lint.yaml")
    assert package is not None, found
    return package


def findings(**fields: str) -> list[str]:
    """`ID severity LINE:COLUMN message` of what is found about rules."""
    found = [d for d in TARGET.check(package_of(**fields)) if "OPK262" <= d.id <= "OPK275" or d.id == "OPK279"]
    return [f"{d.id} {d.severity} {d.span.line}:{d.span.column} {d.message}" for d in found]


FUNCTION = "it calls a C++ function over the classic interface's objects, which QHPI does not have"

# fields -> the finding; those of severity error keep the rule out
CASES = {
    "foreign root": (
        {"match": 'Op("other.pkg::Thing", "X")'},
        "OPK262 error 14:17 the rule's root is 'other.pkg::Thing': QHPI calls a package for its own ops and core ops",
    ),
    "late core root": (
        {"pass_": "LATE", "match": 'Op(FROM_DEFAULT_PACKAGE("MaxPool_valid"), "X")'},
        "OPK262 error 14:17 the rule's root is the core op 'q::MaxPool_valid', which late rewrites are not called for",
    ),
    "early core root": (
        {"match": 'Op(FROM_DEFAULT_PACKAGE("Relu"), "X")'},
        "OPK273 info 14:17 the rule is registered for 'q::QNN_Relu', a core op; that this works is measured, not documented",
    ),
    "unknown core root": (
        {"match": 'Op(FROM_DEFAULT_PACKAGE("MaxPool_valid"), "X")'},
        "OPK263 error 14:17 core op 'q::MaxPool_valid' is not seen: before TILING core ops are called q::QNN_ and their QNN type",
    ),
    "core op late": (
        {"pass_": "TILING + 1", "match": 'Op("One", Op(FROM_DEFAULT_PACKAGE("MaxPool_valid"), "X"))'},
        "OPK263 error 14:27 core op 'q::MaxPool_valid' is not seen: after TILING QHPI shows of core ops only slices and concats",
    ),
    "asks for a core op": (
        {"pass_": "LATE", "when": 'PRODUCER_FOR("X", "q::MaxPool_valid")'},
        "OPK263 error 15:16 core op 'q::MaxPool_valid' is not seen: after TILING QHPI shows of core ops only slices and concats",
    ),
    "makes a core op late": (
        {"pass_": "LATE", "replace": 'Op("One", Op(FROM_DEFAULT_PACKAGE("ConvLayer"), "X"))'},
        "OPK264 error 16:29 core op 'q::ConvLayer' cannot be made by a late rewrite",
    ),
    "makes a core op that early rewrites make": (
        {"pass_": "LATE", "replace": 'Op("One", Op(FROM_DEFAULT_PACKAGE("Cast"), "X"))'},
        "OPK279 info 13:15 pass LATE: in the QHPI package the rule runs before TILING, where core ops can be seen and made",
    ),
    "sees a core op that early rewrites see": (
        {"pass_": "TILING + 1", "match": 'Op("One", Op(FROM_DEFAULT_PACKAGE("Relu"), "X"))'},
        "OPK279 info 13:15 pass TILING + 1: in the QHPI package the rule runs before TILING, where core ops can be seen and made",
    ),
    "makes an internal op": (
        {"replace": 'WrapOp(FROM_DEFAULT_PACKAGE("ConvLayer"), "X")'},
        "OPK264 error 16:19 core op 'q::ConvLayer' cannot be made by an early rewrite",
    ),
    "external constraint": (
        {"when": 'EXTERNAL_CONSTRAINT(small, "X")'},
        f"OPK265 error 15:16 QHPI has no EXTERNAL_CONSTRAINT: {FUNCTION}",
    ),
    "external replacement": (
        {"replace": "EXTERNAL_REPLACE(f)"},
        f"OPK265 error 16:19 QHPI has no EXTERNAL_REPLACE: {FUNCTION}",
    ),
    "shape function": (
        {"replace": 'WITH_SIZE(SHAPEFN_APPLY(f, "X"), Op("One", "X"))'},
        f"OPK265 error 16:29 QHPI has no SHAPEFN_APPLY of 'f': {FUNCTION}",
    ),
    "identity": (
        {"replace": 'WITH_SAME_ID("*", Op("One", Op("One", "X")))'},
        "OPK266 info 16:19 WITH_SAME_ID is left out of the QHPI package: QHPI gives new ops their identity by itself",
    ),
    "history": (
        {"replace": 'WITH_SPLIT_HISTORY("X", Op("One", Op("One", "X")))'},
        "OPK266 info 16:19 WITH_SPLIT_HISTORY is left out of the QHPI package: QHPI keeps no split history",
    ),
    "option": (
        {"when": 'OPTION_BOOL("surprise")'},
        "OPK267 warning 15:16 option 'surprise' was not seen to be readable through QHPI; where it is not, it reads as 0",
    ),
    "float option": (
        {"when": 'GT(OPTION_FLOAT("tcm_size"), 1.5)'},
        "OPK267 warning 15:19 QHPI reads option 'tcm_size' as an int",
    ),
    "flags": (
        {"more": "        flags: cse_after_always|relaxed_precision_flag"},
        "OPK268 info 17:16 flag cse_after_always is left out: QHPI has no place for it",
    ),
    "$Out": (
        {"match": 'Op("One", Op("$Out", Op("Two", "X"), "N"))'},
        "OPK269 error 14:27 `$Out` is not seen: in QHPI an operand is an op and the number of its output",
    ),
    "multi out": (
        {"replace": 'WITH_MULTI_OUT(2, Op("Two", "X"))'},
        "OPK269 error 16:19 WITH_MULTI_OUT makes an op of several outputs, but the replaced op has one",
    ),
    "outputs alike": (
        {"replace": 'OpMultiOut(2, 1, "Two", "X")'},
        "OPK275 info 16:19 QHPI wants all outputs of 'lint.pkg::Two' described: those not chosen get the type and shape of the "
        "chosen one",
    ),
    "two outputs replaced by a described op": (
        {"match": 'Op("Two", "X")', "replace": 'WITH_SAME_OUTPUT("X", Op("Two", Op("One", "X")))'},
        "OPK269 error 16:19 'Two' has several outputs: in QHPI it is replaced by one op with as many, described alike",
    ),
    "reduced split": (
        {"replace": 'AUTOSPLIT_REDUCE(1, "I", Op("One", TYPICAL_SLICE("X", "I")))'},
        "OPK270 error 16:19 QHPI has no AUTOSPLIT_REDUCE: tensors have at least four dimensions in QHPI: a part cannot lose one",
    ),
    "matrix threads": (
        {"replace": 'AUTOTHREAD_HMX(1, "I", Op("One", TYPICAL_SLICE("X", "I")))'},
        "OPK270 error 16:19 QHPI has no AUTOTHREAD_HMX: the number of HMX threads cannot be read",
    ),
    "unknown value": (
        {"when": 'GT(DATA_SIZE("X"), TCM_MAXTENSOR_SIZE)'},
        "OPK271 error 15:35 the value of TCM_MAXTENSOR_SIZE is not known, and QHPI has no such name",
    ),
    "signed type": (
        {"when": 'IS_QINT8("X")'},
        "OPK272 warning 15:16 QInt8 never occurs in QHPI: signed tensors show as QUInt8, their zero offset moved",
    ),
    "message": ({"when": 'MESSAGE("here")'}, "OPK274 info 15:16 MESSAGE logs nothing in the QHPI package"),
}


@pytest.mark.parametrize("name", CASES)
def test_found_at_its_place(name: str) -> None:
    fields, wanted = CASES[name]
    assert findings(**fields) == [wanted]


@pytest.mark.parametrize("name", CASES)
def test_an_error_keeps_the_rule_out_and_is_a_warning_with_the_classic_target(name: str) -> None:
    fields, wanted = CASES[name]
    own, core = rewrites(package_of(**fields))
    is_error = " error " in wanted
    assert bool(own or core) != is_error
    with_classic = findings(**fields, targets="qnn-htp-qhpi, qnn-htp-classic")
    assert with_classic == [wanted.replace(" error ", " warning ")]


def test_a_rule_that_fits_has_no_finding() -> None:
    assert findings() == []
    assert findings(replace='AUTOSPLIT(1, "I", 8, Op("One", TYPICAL_SLICE("X", "I")))') == []
    assert findings(more="        flags: relaxed_precision_flag") == []


def test_every_finding_is_explained() -> None:
    known = entries()
    for number in range(262, 276):
        assert known[f"OPK{number}"].title


def test_what_is_ignored_is_a_part_of_what_is_not_supported() -> None:
    assert set(UNSUPPORTED) >= IGNORED
    assert all(reason and not reason.endswith(".") for reason in UNSUPPORTED.values())


def test_severities_are_of_the_language() -> None:
    assert {"error", "warning", "info"} == {str(s) for s in Severity}


def test_the_table_of_constructs_says_the_same() -> None:
    none = {name for name, rows in CONSTRUCTS.items() if any(row.qhpi.startswith("None") for row in rows)}
    assert none == set(UNSUPPORTED)
