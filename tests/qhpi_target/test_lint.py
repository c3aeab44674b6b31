"""Specs that would hit a trap of QHPI: id, place and message of each finding; and the catalog that explains them."""

# ruff: noqa: E501
from __future__ import annotations

import re

import pytest
import qlib

from opkg.spec.catalog import entries
from opkg.spec.dtypes import DTYPES
from opkg.spec.reader import read
from opkg.targets.qnn_htp_qhpi import TARGET

OP = """\
  Op:
    types: {T: [float32, ufixed8]}
    inputs:
      x: {dtype: T, rank: 1..4}
    outputs:
      y: {dtype: T, shape: x.shape}
"""

# ops text or edits of OP (old, new), then "id line:column message" of every finding. The first op stands in line 6.
CASES: dict[str, tuple[tuple[tuple[str, str], ...], list[str]]] = {
    "right": ((), []),
    "dtype": (
        (("[float32, ufixed8]", "[float32, int64]"),),
        ["OPK201 7:13 HTP cannot hand a tensor of element type 'int64' to a kernel"],
    ),
    "fixed dtype": (
        (("y: {dtype: T,", "y: {dtype: uint64,"),),
        ["OPK201 11:18 HTP cannot hand a tensor of element type 'uint64' to a kernel"],
    ),
    "plain and quantized": (
        (("[float32, ufixed8]", "[uint8, ufixed8, sfixed8]"),),
        [
            "OPK219 6:3 'op_u8' is never called: HTP hands its tensors over as those of 'op_ui8'",
            "OPK219 6:3 'op_s8' is never called: HTP hands its tensors over as those of 'op_ui8'",
        ],
    ),
    "ambiguous call": (
        (("    outputs:", "      g: {dtype: T, shape: [C], optional: true}\n    params:\n      e: {dtype: float32, default: 1.0}\n    outputs:"),
         ("rank: 1..4", "shape: [b..., C]")),
        ["OPK260 6:3 a call that gives only (x, g) looks to 'op_f32' like (x, e), and is refused"],
    ),
    "classic only": (
        (("x.shape}", """x.shape}
    tensor_properties: ['Op("Op", "x"), Flat("*", "x")']"""),),
        ["OPK261 12:26 this tensor property of Op is not a part of the QHPI package; qnn-htp-classic emits it"],
    ),
    "param dtype": (
        (("    outputs:", "    params:\n      n: {dtype: float16}\n      m: {dtype: int8}\n    outputs:"),),
        [
            "OPK202 11:18 HTP cannot hand a param of element type 'float16' to a kernel",
            "OPK202 12:18 HTP cannot hand a param of element type 'int8' to a kernel",
        ],
    ),
    "rank": (
        (("rank: 1..4", "rank: 6..7"), ("x.shape", '"[1, 2]"')),
        ["OPK203 9:27 'x' has rank 6; HTP kernels take ranks up to 5"],
    ),
    "optional output": (
        (("shape: x.shape", "shape: x.shape, optional: true"),),
        ["OPK204 11:7 output 'y' is optional, which QHPI cannot express"],
    ),
    "optional before mandatory": (
        (("x: {dtype: T, rank: 1..4}", "w: {dtype: T, optional: true}\n      x: {dtype: T, rank: 1..4}"),),
        ["OPK205 9:7 optional input 'w' stands before a mandatory one"],
    ),
    "axis": (
        (("    outputs:", "    params:\n      axis: {dtype: uint32, axis_of: x}\n    outputs:"),),
        [
            "OPK206 11:38 'axis' numbers a dimension of 'x', whose rank varies below 4: kernels see such ranks padded to 4 "
            "and cannot know which dimension is meant"
        ],
    ),
    "axis of one rank": (
        (("rank: 1..4", "rank: 3"), ("    outputs:", "    params:\n      axis: {dtype: uint32, axis_of: x}\n    outputs:")),
        [],
    ),
    "pinned axis": (
        (
            ("    outputs:", "    params:\n      axis: {dtype: uint32, axis_of: x, default: rank(x) - 1}\n    outputs:"),
            ("x.shape}", "x.shape}\n    constraints:\n      - {require: axis == rank(x) - 1, message: last}"),
        ),
        [],
    ),
    "default": (
        (("    outputs:", "    params:\n      g: {dtype: float32, default: x.scale}\n    outputs:"),),
        ["OPK207 11:36 default of 'g' cannot be computed in a kernel: 'x.scale' is not known inside a kernel"],
    ),
    "default by padded rank": (
        (("    outputs:", "    params:\n      n: {dtype: int32, default: rank(x)}\n    outputs:"),),
        ["OPK207 11:34 default of 'n' cannot be computed in a kernel: the rank of 'x' is padded to 4 there"],
    ),
    "list default": (
        (("    outputs:", "    params:\n      n: {dtype: int32, shape: [R], default: x.shape}\n    outputs:"),),
        [
            "OPK207 11:46 default of 'n' cannot be computed in a kernel: the number of its elements is not known inside a "
            "kernel"
        ],
    ),
    "cost": (
        (("x.shape}", "x.shape}\n    kernels:\n      - {cost: size(y) * 2}"),),
        ["OPK207 13:16 cost cannot be computed in a kernel: size(y) is not known inside a kernel"],
    ),
    "per channel": (
        (("[float32, ufixed8]", "[ufixed8]"), ("rank: 1..4", "rank: 2, quantization: {axis: 1}")),
        ["OPK208 9:44 'x' is quantized per channel, which HTP refuses for the ops of a package"],
    ),
    "flat indirect": (
        (("x.shape}", "x.shape}\n    kernels:\n      - {layout: flat, storage: indirect}"),),
        ["OPK210 13:33 a flat layout with indirect storage aborts the registration of the package"],
    ),
    "crouton": (
        (
            ("[float32, ufixed8]", "[ufixed8]"),
            ("rank: 1..4", "rank: 1..5"),
            ("x.shape}", "x.shape}\n    kernels:\n      - {layout: crouton, storage: direct, placement: ddr}"),
        ),
        [
            "OPK211 13:36 a crouton layout with direct storage fails when the graph is finalized",
            "OPK212 13:18 crouton tensors have rank 4; 'x' may have rank 5",
            "OPK212 13:18 crouton tensors have rank 4; 'y' may have rank 5",
            "OPK215 13:55 crouton tensors live in TCM; placement ddr was never seen to work",
        ],
    ),
    "crouton of 32 bits": (
        (("ufixed8", "int32"), ("x.shape}", "x.shape}\n    kernels:\n      - {layout: crouton}")),
        [
            "OPK212 13:18 'x' is float32: its crouton kernels fail when the graph is finalized",
            "OPK212 13:18 'y' is float32: its crouton kernels fail when the graph is finalized",
        ],
    ),
    "resources": (
        (("x.shape}", "x.shape}\n    kernels:\n      - {resources: [hvx, hmx], flags: [is_const]}"),),
        [
            "OPK213 13:21 HVX and HMX together are an invalid resource flag to the runtime",
            "OPK214 13:40 flags are for the classic interface; QHPI has none",
        ],
    ),
    "tiling of two outputs": (
        (
            ("      y: {dtype", "      z: {dtype: T, shape: x.shape}\n      y: {dtype"),
            ("    kernels", "    kernels"),
            ("    outputs:", "    kernels:\n      - {tiling: [1, 8, 0, 32]}\n    outputs:"),
        ),
        [],
    ),
    "tiling and tensor param": (
        (
            ("    outputs:", "    params:\n      n: {dtype: int32, shape: [2]}\n    outputs:"),
            ("x.shape}", "x.shape}\n    kernels:\n      - {tiling: [1, 8, 0, 32]}"),
        ),
        [],
    ),
    "tiling of another shape": (
        (("x.shape}", '"reduce(x, -1, true)"}\n    kernels:\n      - {tiling: [1, 8, 0, 32]}'),),
        ["OPK276 13:18 tiles cannot be cut along dimension 3 of 'y': it is reduced"],
    ),
    "tiling of a row": (
        (("x.shape}", 'x.shape}\n    compute: y = x / max(x, axis=-1, keepdims=True)\n    kernels:\n      - {tiling: [1, 8, 0, 32]}'),),
        ["OPK276 14:18 tiles cannot be cut along dimension 3 of 'y': it is reduced"],
    ),
    "tiling of rows": (
        (("x.shape}", 'x.shape}\n    compute: y = x / max(x, axis=-1, keepdims=True)\n    kernels:\n      - {tiling: [1, 8, 0, whole]}'),),
        [],
    ),
    "tiling of all": (
        (("x.shape}", 'x.shape}\n    compute: y = x / max(x, keepdims=True)\n    kernels:\n      - {tiling: [1, 8, 0, whole]}'),),
        ["OPK276 14:18 Op cannot be tiled: it reduces all elements"],
    ),
    "tiling by axes of a call": (
        (
            ("rank: 1..4", "rank: 4"),
            ("    outputs:", "    params:\n      axis: {dtype: uint32, axis_of: x}\n    outputs:"),
            ("x.shape}", 'x.shape}\n    compute: y = x / max(x, axis=axis, keepdims=True)\n    kernels:\n      - {tiling: [1, 8, 0, whole]}'),
        ),
        ["OPK276 16:18 a tiling may cut what is reduced: the param 'axis' says in each call which dimensions are reduced"],
    ),
    "tiling of unlike shapes": (
        (("rank: 1..4", "shape: [N, H, W, C]"), ("x.shape}", '"[N, H, W, 2 * C]"}\n    kernels:\n      - {tiling: [1, 8, 0, 32]}'),),
        ["OPK276 13:18 tiles cannot be cut along dimension 3 of 'y': 'y' has a computed dimension there and 'x' C"],
    ),
    "large tensors of all elements": (
        (("x.shape}", 'x.shape}\n    compute: y = x / max(x, keepdims=True)'),),
        [
            "OPK277 6:3 tensors of Op may have up to 4 MiB each (1,048,576 elements of float32; 4,194,304 elements of ufixed8): it reduces all elements"
        ],
    ),
    "large tensors by hand": (
        (("x.shape}", "x.shape}\n    kernels:\n      - {when: {T: ufixed8}, tiling: [0, 0, 0, whole]}\n      - {when: {T: float32}}"),),
        [
            "OPK277 6:3 tensors of Op may have up to 4 MiB each (1,048,576 elements of float32): its kernels are written by hand, and nothing says which dimensions they need whole",
            "OPK277 6:3 the last dimension of Op may have up to 4 MiB (4,194,304 elements of ufixed8), which each tile has whole: its tiling says so",
        ],
    ),
    "large rows": (
        (("rank: 1..4", "rank: 5"), ("x.shape}", 'x.shape}\n    compute: y = x - prod(x, axis=-4, keepdims=True)'), ("[float32, ufixed8]", "[float32]")),
        [
            "OPK277 6:3 dimensions -4, -1 of Op may have up to 4 MiB together (1,048,576 elements of float32), which each tile has whole: it is reduced",
            "OPK277 6:3 inputs of rank 5 of Op may have up to 4 MiB each (1,048,576 elements of float32): dimensions cannot be joined to the four that are cut into tiles",
            "OPK602 6:3 kernels of Op have no vector code (T=float32: the elements of a row do not lie one after another: dimension -4 is reduced, dimensions -3 and -2 and -1 are not, and down columns: 'prod' of real numbers down columns)",
        ],
    ),
    "large signed tensors": (
        (("[float32, ufixed8]", "[sfixed8, int16]"), ("x.shape}", "x.shape}\n    compute: y = max(x, 1)")),
        [
            "OPK277 6:3 signed tensors of 16 bits of Op may have up to 4 MiB each (2,097,152 elements of int16) where they are a graph's inputs or outputs (several images of them up to 1 MiB together): the backend makes them unsigned in one piece",
            "OPK277 6:3 the last dimension of sfixed8 tensors of Op may have up to 4 MiB (4,194,304 elements of sfixed8): the backend cannot join what is cut along it, nor lay it out in other dimensions behind the conversion to unsigned elements",
        ],
    ),
    "tiling that differs": (
        (
            ("y: {dtype: T", "y: {dtype: int32"),
            ("x.shape}", "x.shape}\n    kernels:\n      - {when: {T: float32}, tiling: [1, 8, 0, 32]}\n      - {when: {T: ufixed8}}"),
        ),
        ["OPK218 13:38 kernel 'op_u8' has the same output type and is tiled otherwise"],
    ),
}  # fmt: skip


QUIET = ("OPK214", "OPK215", "OPK219", "OPK260", "OPK261", "OPK277", "OPK602")


@pytest.mark.parametrize("name", CASES)
def test_findings(name: str) -> None:
    edits, wanted = CASES[name]
    text = OP
    for old, new in edits:
        assert old in text or old == "    kernels"
        text = text.replace(old, new)
    package, found = read((qlib.HEAD.format(name="lint.pkg") + text).encode(), "specs/lint.yaml")
    assert package is not None, found
    seen = [f"{d.id} {d.span.line}:{d.span.column} {d.message}" for d in TARGET.check(package)]
    if not any(line.startswith("OPK277") for line in wanted):  # most kernels here are written by hand
        seen = [line for line in seen if not line.startswith("OPK277")]
    assert seen == wanted
    severities = {d.id: d.is_error for d in TARGET.check(package)}
    assert not any(severities.get(id_) for id_ in QUIET)
    assert all(error for id_, error in severities.items() if id_ not in QUIET)


def test_no_resources() -> None:
    text = OP.replace("x.shape}", "x.shape}\n    kernels:\n      - {resources: []}")
    package, found = read((qlib.HEAD.format(name="lint.pkg") + text).encode(), "specs/lint.yaml")
    if package is None:  # the reader may refuse an empty list by itself
        assert any(d.is_error for d in found)
        return
    assert [d.id for d in TARGET.check(package) if d.id != "OPK277"] == ["OPK213"]


@pytest.mark.parametrize("name", ["log", "gamma", "y0"])
def test_package_named_like_a_c_function(name: str) -> None:
    found = TARGET.check(qlib.ops_package(OP, name))
    assert [(d.id, d.span.line, d.span.column) for d in found if d.is_error] == [("OPK209", 3, 9)]
    assert found[0].message == f"the generated namespace '{name}' would collide with the C function of that name"
    assert not any(d.is_error for d in TARGET.check(qlib.ops_package(OP, f"{name}.ops")))


def test_every_finding_is_explained() -> None:
    used = set()
    for path in (qlib.ROOT / "opkg" / "targets").rglob("*.py"):
        if path.name != "catalog.py":
            used |= set(re.findall(r"\bOPK2[0-9]{2}\b", path.read_text("utf-8")))
    known = entries()
    assert used >= {f"OPK{n}" for n in (*range(201, 219),) if n not in (216, 217)}
    assert not sorted(used - set(known))
    for id_ in used:
        assert len(known[id_].explanation) > 40
        assert known[id_].title


def test_lints_cover_what_dtypes_lack() -> None:
    """Every element type either reaches a kernel or is refused."""
    for dtype in DTYPES.values():
        text = OP.replace("[float32, ufixed8]", f"[{dtype}]")
        package, _ = read((qlib.HEAD.format(name="lint.pkg") + text).encode(), "specs/lint.yaml")
        assert package is not None
        refused = any(d.id == "OPK201" for d in TARGET.check(package))
        assert refused == (dtype.qhpi in ("", "Int64"))
