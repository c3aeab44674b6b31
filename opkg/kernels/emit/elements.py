"""Members of a rows struct that compute elements in portable code: rows of them, and values for tables."""

from __future__ import annotations

from opkg.kernels.snippet import Snippet
from opkg.kernels.snippets import read_inputs


def elements(snippet: Snippet) -> list[str]:
    """The members of an elementwise kernel, beside `element` itself."""
    return [*_evaluators(snippet), *_portable(snippet)]


def _evaluators(snippet: Snippet) -> list[str]:
    """value_of_<output>(stored input): for tables of all results, where there is one 8-bit input."""
    inputs = read_inputs(snippet)
    if len(inputs) != 1 or inputs[0].storage.bits != 8:
        return []
    lines: list[str] = []
    for output in snippet.outputs:
        results = ", ".join(f"{o.name}_result" for o in snippet.outputs)
        parameters = f"const {snippet.args}&, {inputs[0].element} stored"
        lines += ["", f"{output.element} value_of_{output.name}({parameters}) const {{"]
        lines += [f"  {o.element} {o.name}_result{{}};" for o in snippet.outputs]
        lines += [f"  element(stored, {results});", f"  return {output.name}_result;", "}"]
    return lines


def _portable(snippet: Snippet) -> list[str]:
    inputs = read_inputs(snippet)
    step = "const uint32_t* step" if inputs else "const uint32_t*"
    source = "const void* const* in" if inputs else "const void* const*"
    lines = ["", f"void portable({source}, {step}, void* const* out, size_t n) const {{"]
    for index, operand in enumerate(inputs):
        lines.append(f"  const auto* in{index} = static_cast<const {operand.element}*>(in[{index}]);")
    for index, operand in enumerate(snippet.outputs):
        lines.append(f"  auto* out{index} = static_cast<{operand.element}*>(out[{index}]);")
    arguments = [f"in{i}[i * step[{i}]]" for i in range(len(inputs))]
    arguments += [f"out{i}[i]" for i in range(len(snippet.outputs))]
    return [*lines, f"  for (size_t i = 0; i < n; ++i) element({', '.join(arguments)});", "}"]
