"""Executes what an upstream test has lowered, in this process, where upstream starts a runner program."""

from __future__ import annotations

import unittest
from typing import Any

import torch
from executorch.runtime import Runtime, Verification


def verify_output(
    self: Any,
    module: torch.nn.Module,
    sample_inputs: tuple[torch.Tensor, ...],
    executorch_prog: Any,
    expected_profile_events: int = -1,
    method_index: int = 0,
    input_encodings: tuple[dict[str, Any], ...] = (),
    output_encodings: tuple[dict[str, Any], ...] = (),
    expected_compared_events: int = -1,
    extra_cmds: str = "",
    **others: Any,
) -> None:
    """Takes the place of `TestQNN.verify_output`: the program's outputs against the module's, by the test's tolerances.

    Skips the test where it asks for what only the runner writes: profiles, intermediate tensors, its command line.
    """
    asked = [name for name, value in others.items() if value and name not in ("etrecord_path", "check_io_shape")]
    if expected_profile_events != -1 or expected_compared_events != -1 or extra_cmds or asked:
        raise unittest.SkipTest("needs upstream's runner program")
    references = _references(module(*sample_inputs))
    inputs = list(sample_inputs)
    for at, encoding in enumerate(input_encodings):
        inputs[at] = _quantized(inputs[at], encoding)
    program = Runtime.get().load_program(executorch_prog.buffer, verification=Verification.Minimal)
    name = sorted(program.method_names)[method_index]
    results = program.load_method(name).execute([_plain(each) for each in inputs])
    outputs = []
    for at, reference in enumerate(references):
        output = results[at].clone() if isinstance(results[at], torch.Tensor) else torch.tensor(results[at])
        if output_encodings:
            output = _real(output, output_encodings[at])
        outputs.append(output.reshape(reference.shape))
    try:
        self._assert_outputs_equal(outputs, references)
    except AssertionError:
        raise AssertionError(_difference(outputs, references, self.atol, self.rtol)) from None


def _difference(outputs: list[torch.Tensor], references: list[torch.Tensor], atol: float, rtol: float) -> str:
    """How far the worst output is off."""
    if len(outputs) != len(references):
        return f"{len(outputs)} outputs, not {len(references)}"
    worst, of = 0.0, 0.0
    for output, reference in zip(outputs, references, strict=True):
        off = float((output.to(torch.float64) - reference.to(torch.float64)).abs().max()) if reference.numel() else 0.0
        if off >= worst or off != off:
            worst, of = off, float(reference.to(torch.float64).abs().max())
    return f"an output differs by {worst:.4g}, of values up to {of:.4g} (allowed: {atol:g} + {rtol:g} * |value|)"


def _references(outputs: Any) -> list[torch.Tensor]:
    if isinstance(outputs, dict):
        return [outputs["out"].detach()]
    return [each.detach() for each in (outputs if isinstance(outputs, list | tuple) else [outputs])]


def _plain(value: Any) -> Any:
    return value.contiguous() if isinstance(value, torch.Tensor) and value.dim() not in (4, 5) else value


def _quantized(tensor: torch.Tensor, encoding: dict[str, Any]) -> torch.Tensor:
    stored = tensor.div(encoding["scale"]).add(encoding["zero_point"]).round()
    return stored.to(encoding["dtype"])


def _real(tensor: torch.Tensor, encoding: dict[str, Any]) -> torch.Tensor:
    return tensor.to(torch.float).sub(encoding["zero_point"]).mul(encoding["scale"])
