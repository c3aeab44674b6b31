"""Reductions over the height, the width or both of tensors in blocks: against their references, and what they cost."""

from __future__ import annotations

from pathlib import Path

from kernels_product import failures, generated

from opkg.verify.api import VerifyOptions, verify
from opkg.verify.machines.hexagon import toolchain

# Blocks that end behind the image, within a vector and before it; depths of one, some and many channels; images; more
# elements than 16 bits hold the sums of.
_SHAPES = """
      cases:
        - {x: {shape: [2, 7, 7, 100]}}
        - {x: {shape: [1, 17, 9, 33]}}
        - {x: {shape: [3, 8, 12, 65]}}
        - {x: {shape: [1, 33, 31, 3]}}
        - {x: {shape: [1, 5, 6, 129]}}
        - {x: {shape: [1, 16, 16, 1]}}
        - {x: {shape: [2, 4, 5, 1000]}}
"""
_OP = """\
  {name}:
    types: {{T: [{types}]}}
    inputs: {{x: {{dtype: T, shape: [N, H, W, C]}}}}
    outputs: {{{outputs}}}
    compute: {compute}
    tests:{shapes}"""
_CASES = {
    "Mean": ("ufixed8, ufixed16", "[N, 1, 1, C]", "y = mean(x, axis=(1, 2), keepdims=True)"),
    "Flat": ("sfixed8", "[N, C]", "y = mean(x, axis=(1, 2))"),
}


def _ops() -> str:
    """The ops of _CASES."""
    found = []
    for name, (types, shape, compute) in _CASES.items():
        outputs = ", ".join(f"{part.split(' = ')[0]}: {{dtype: T, shape: {shape}}}" for part in compute.split("; "))
        found.append(_OP.format(name=name, types=types, outputs=outputs, compute=compute, shapes=_SHAPES))
    return "".join(found)


def test_columns_in_blocks_are_those_of_the_reference(tmp_path: Path) -> None:
    package = generated(tmp_path, _ops(), "qnn-htp-qhpi")
    machines = ("host",) if toolchain.missing() else ("host", f"hexagon-{toolchain.runnable()[-1]}")
    result = verify(tmp_path, [package], VerifyOptions(on=machines, cases=5, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        assert any(kernel.endswith("_crouton") for kernel in cell.kernels), (cell.op, cell.kernels)
        assert cell.paths.portable == 0, (cell.op, str(cell.types), cell.paths)
