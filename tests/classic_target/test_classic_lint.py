"""Every diagnostic of the classic target: id, words, place and hint."""

from __future__ import annotations

import pytest
from targetlib import findings

X = "    types: {T: [float32]}\n    inputs: {x: {dtype: T, rank: 1..4}}\n"
Y = "    outputs: {y: {dtype: T, shape: x.shape}}\n"

CASES = [
    (
        "OPK221", "the C++ interface has no tensor class for element type 'int64'", "use a quantized type",
        "    types: {§T: [float32, int64]}\n    inputs: {x: {dtype: T}}\n" + Y,
    ),
    (
        "OPK221", "the C++ interface has no tensor class for element type 'ufixed32'", "use a quantized type",
        X + "    outputs: {y: {dtype: §ufixed32, shape: x.shape}}\n",
    ),
    (
        "OPK222", "the C++ interface cannot hand a param of element type 'int8' to a kernel", "use float32, int32",
        X + "    params: {p: {dtype: §int8}}\n" + Y,
    ),
    (
        "OPK223", "'x' has rank 5; tensors of the C++ interface have rank 4", "leave this target out",
        "    types: {T: [float32]}\n    inputs: {x: {dtype: T, rank: §5..5}}\n" + Y,
    ),
    (
        "OPK224", "optional tensor 'b' stands before a mandatory one", "optional tensors come last",
        "    types: {T: [float32]}\n    inputs:\n      §b: {dtype: T, optional: true}\n      x: {dtype: T}\n" + Y,
    ),
    (
        "OPK225", "'axis' numbers a dimension of 'x', whose rank varies below 4", "constraints: [axis == rank(x) - 1]",
        X + "    params: {axis: {dtype: uint32, axis_of: §x}}\n" + Y,
    ),
    (
        "OPK226", "default of 'n' is no constant", "make it mandatory, or pin it: constraints: [n == size(x)]",
        X + "    params: {n: {dtype: int32, default: §size(x)}}\n" + Y,
    ),
    (
        "OPK227", "default of 'w' has no fixed dimensions", "write the shape as numbers",
        X + "    params: {w: {dtype: int32, shape: [rank(x), 1], default: §[1, 2]}}\n" + Y,
    ),
    (
        "OPK228", "'x' is float32, which has no crouton class", "use layout: flat",
        X + Y + "    kernels: [{layout: §crouton}]\n",
    ),
    (
        "OPK229", "op packages of the C++ interface cannot use HMX", "use resources: [hvx]",
        X + Y + "    kernels: [{resources: §[hmx]}]\n",
    ),
    (
        "OPK230", "cost cannot be computed: the value of the param 'n' is not known", "use ranks and sizes",
        X + "    params: {n: {dtype: int32}}\n" + Y + "    kernels: [{cost: §2 * n}]\n",
    ),
    (
        "OPK230", "cost cannot be computed: 'x.scale' is not known inside a kernel", "use ranks and sizes",
        X + Y + "    kernels: [{cost: §x.scale}]\n",
    ),
    (
        "OPK231", "'op1_ui32' is never called: HTP hands its tensors over as those of 'op1_i32'", "drop one",
        "    types: {T: [int32, uint32]}\n    inputs: {x: {dtype: T}}\n" + Y,
    ),
    (
        "OPK231", "'op1_ui32' is never called: HTP hands its tensors over as those of 'op1_i32', and what that computes is right "
        "for T=int32 alone", "give it an op of its own",
        "    types: {T: [int32, uint32]}\n    inputs: {x: {dtype: T}}\n" + Y + "    compute: y = max(x, 3)\n",
    ),
    (
        "OPK231", "'op1_i32' is never called: HTP hands its tensors over as those of 'op1_ui32', and what that computes is right "
        "for T=uint32 alone", "give it an op of its own",
        "    types: {T: [uint32, int32]}\n    inputs: {x: {dtype: T}}\n" + Y + "    compute: y = x * 2\n",
    ),
    (
        "OPK234", "DEF_OPT is not for op packages", "DEF_PACKAGE_OPTIMIZATION(",
        X + Y + "    rules: [{macro: '§DEF_OPT(EARLY, Op(\"A\"), OK, \"x\")'}]\n",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("id", "message", "hint", "body"), CASES, ids=[f"{c[0]}-{i}" for i, c in enumerate(CASES)])
def test_diagnostic(id: str, message: str, hint: str, body: str) -> None:
    found, mark = findings(body)
    same = [d for d in found if d.id == id]
    assert same, found
    assert same[0].message.startswith(message)
    assert hint in same[0].hint
    assert same[0].span.path == "specs/t.yaml"
    if mark != (0, 0):
        assert (same[0].span.line, same[0].span.column) == mark


def test_unknown_profile() -> None:
    found, mark = findings(X + Y, sdk="§'2.30'")
    assert [(d.id, d.message, d.hint) for d in found] == [
        ("OPK220", "no profile for SDK '2.30'", "the nearest is '2.25'; known: 2.13, 2.17, 2.25, 2.43")
    ]
    assert (found[0].span.line, found[0].span.column) == mark


def test_warnings_do_not_stop_generation() -> None:
    warned = {id for id, _, _, body in CASES for d in findings(body)[0] if d.id == id and not d.is_error}
    assert warned == {"OPK231"}


def test_every_id_has_a_case() -> None:
    from opkg.targets.qnn_htp_classic.catalog import ENTRIES

    assert {id for id, *_ in CASES} | {"OPK220"} == {entry.id for entry in ENTRIES}
