"""The kernel file of an op: one struct of row functions per kernel, and the functions that the op's header declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from opkg.kernels.choose import choose
from opkg.kernels.emit_rows import member_lines, vector_lines
from opkg.kernels.lowered import Lowered
from opkg.kernels.scalar import moved, portable
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.snippets import make_snippet, read_inputs
from opkg.resources import render
from opkg.spec.model import Kernel, Op

ALWAYS = ("opkg/rows.h", "opkg/scalar.h")  # headers of every kernel file
_HVX = "OPKG_HVX"


@dataclass(frozen=True, slots=True)
class Source:
    """A kernel as a target knows it: the argument struct and the C++ element type of every tensor and tensor param."""

    kernel: Kernel
    args: str
    elements: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class KernelFile:
    """A kernel file. `headers`: the headers of opkg that it includes, beyond the op's own."""

    text: str
    headers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RowsCode:
    """A rows struct for the template: lines of its parts, without the struct's indentation."""

    name: str
    notes: tuple[str, ...]
    step: int
    redo: bool  # whether the vector code may turn a row down
    inputs: tuple[Operand, ...]
    outputs: tuple[Operand, ...]
    may_broadcast: int
    members: tuple[str, ...]
    prepare: tuple[str, ...]
    portable: tuple[str, ...]
    condition: str  # of the preprocessor, for the vector code; empty: there is none
    vector: tuple[str, ...]
    run: str  # the call that computes the op

    @property
    def reads_args(self) -> bool:
        """Whether `prepare` needs its argument."""
        return any("op." in line for line in self.prepare)


@dataclass(frozen=True, slots=True)
class FunctionCode:
    """One kernel function. `cases`: (condition, rows) in order; the last condition is empty."""

    name: str
    args: str
    cases: tuple[tuple[str, RowsCode], ...]


def kernel_file(
    op: Op, header: str, namespace: str, sources: Sequence[Source], signed_as_unsigned: bool, unroll: Mapping[str, int]
) -> KernelFile:
    """The kernel file of an op. `header`: declares the functions. `unroll`: turns of the loop by struct."""
    functions = []
    headers = dict.fromkeys(ALWAYS)
    for source in sources:
        cases = []
        for snippet in snippets(op, source, signed_as_unsigned):
            chosen = choose(snippet)
            lowered = chosen.lowered if chosen is not None else None
            if lowered is not None:
                lowered = replace(lowered, unroll=unroll.get(snippet.struct, lowered.unroll))
                headers |= dict.fromkeys(("opkg/hvx.h", *lowered.headers))
            cases.append((_condition(op, snippet), rows_code(snippet, lowered)))
        cases[-1] = ("", cases[-1][1])
        functions.append(FunctionCode(source.kernel.function, source.args, tuple(cases)))
    text = render(
        "qnn/kernels.cpp.j2",
        op=op,
        header=header,
        headers=sorted(headers),
        namespace=namespace,
        functions=functions,
    )
    return KernelFile(text, tuple(sorted(headers)))


def snippets(op: Op, source: Source, signed_as_unsigned: bool) -> Iterator[Snippet]:
    """The snippets of one kernel: one per set of optional inputs that may be given, all of them first."""
    optional = [tensor.name for tensor in op.inputs if tensor.optional]
    for count in range(len(optional), -1, -1):
        for present in combinations(optional, count):
            yield make_snippet(op, source.kernel, source.args, source.elements, signed_as_unsigned, present)


def _condition(op: Op, snippet: Snippet) -> str:
    """When the optional inputs that are given are those of the snippet."""
    optional = [tensor.name for tensor in op.inputs if tensor.optional]
    return " && ".join(f"op.{name}" if name in snippet.present else f"!op.{name}" for name in optional)


def rows_code(snippet: Snippet, lowered: Lowered | None) -> RowsCode:
    """The rows struct of one snippet."""
    inputs = read_inputs(snippet)
    part = portable(snippet)
    members = [f"{m.type} {m.name};" for m in part.members]
    prepare = list(part.prepare)
    vector: list[str] = []
    notes = [f"{snippet.function}: {line}" for line in snippet.text.split("\n")]
    if lowered is None:
        prepare.append("return false;")
        notes.append("Portable code only.")
    else:
        members += member_lines(lowered)
        prepare += [f"if (op.{o.name}.zero != {o.bias}) return false;" for o in (*inputs, *snippet.outputs) if moved(o)]
        prepare += [*lowered.prepare, "return true;"]
        vector = vector_lines(snippet, lowered)
        notes.append(f"{lowered.title}: {lowered.error}.")
    return RowsCode(
        snippet.struct,
        tuple(notes),
        lowered.step if lowered is not None else 128,
        lowered is not None and bool(lowered.redo),
        inputs,
        snippet.outputs,
        sum(1 << i for i, o in enumerate(inputs) if o.may_broadcast),
        tuple(members),
        tuple(prepare),
        (*part.element, *_evaluators(snippet), *_portable(snippet)),
        _guard(lowered),
        tuple(vector),
        _run(snippet),
    )


def _run(snippet: Snippet) -> str:
    sources = ", ".join(f"opkg::operand(op.{o.name})" for o in read_inputs(snippet))
    results = ", ".join(f"opkg::operand(op.{o.name})" for o in snippet.outputs)
    slice_ = f", op.{snippet.slice_field}" if snippet.slice_field else ""
    return f"opkg::elementwise(rows, rows.prepare(op), {{{sources}}}, {{{results}}}{slice_})"


def _guard(lowered: Lowered | None) -> str:
    if lowered is None:
        return ""
    parts = [_HVX]
    if lowered.float_unit:
        parts.append("OPKG_HVX_FLOAT")
    return " && ".join(parts)


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
