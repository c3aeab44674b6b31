"""A fused op as the lines of a spec: shapes by named dimensions, params, the computation, and a test for every place of it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from opkg.fuse import naming
from opkg.fuse.canonical import Operand
from opkg.fuse.fused import FusedOp, number
from opkg.fuse.torch_text import pattern_lines
from opkg.models.model import Model
from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import Op

MOST_CASES = 12
CONSTANT_RANK = 4  # HTP cannot prepare a graph with a constant of five dimensions (1002, QNN 2.51)


def read_back(model: Model, op: FusedOp, source: str) -> tuple[Op | None, list[Diagnostic]]:
    """The op as its text says it, None when that is not valid; and what is wrong with it."""
    from opkg.spec.reader import read

    lines = "".join(f"  {line}\n" for line in op_lines(model, op, source).splitlines())
    package, findings = read(f"opkg: 1\npackage: {{name: fused.model}}\nops:\n{lines}".encode(), "fused.yaml")
    wrong = [finding for finding in findings if finding.is_error]
    return None if package is None or wrong else package.ops[0], wrong


def op_lines(model: Model, op: FusedOp, source: str) -> str:
    """The op's text, from its name on; `source`: the file that it comes from."""
    places = f"{len(op.places)} place{'s' if len(op.places) > 1 else ''}"
    lines = [f"{op.name}:", f"  summary: {_quoted(f'{_words(op)}: {places} of {source}'[:200])}"]
    types = tuple(dict.fromkeys(o.dtype for o in _operands(op) if o.dtype != "bool8"))
    common = types[0] if len(types) == 1 else ""
    if common:
        lines.append(f"  types: {{T: [{', '.join((common, *op.also))}]}}")
    lines.append("  inputs:")
    for name, operand, static in zip(op.inputs, op.pattern.inputs, op.static, strict=True):
        lines.append(f"    {name}: {{{_facts(op, operand, common, name)}{', static: true' if static else ''}}}")
    if op.params:
        lines.append("  params:")
        for name, at in op.params:
            lines.append(f"    {name}: {{dtype: float32, default: {number(op.places[0].numbers[at])}{_sign(op, at)}}}")
    lines.append("  outputs:")
    for name, (_, operand) in zip(op.outputs, op.pattern.outputs, strict=True):
        lines.append(f"    {name}: {{{_facts(op, operand, common, '')}}}")
    if limited := _of_four(op):
        lines.append(f"  constraints: [{limited}.rank <= {CONSTANT_RANK}]")
    text = op.compute.splitlines()
    one = f"  compute: {text[0]}"
    if len(text) == 1 and len(one) < 110 and not any(c in one[11:] for c in "#:{}[]'\"&*|>%@`"[:1]):
        lines.append(one)
    else:
        lines += ["  compute: |", *(f"    {line}" for line in text)]
    if pattern := pattern_lines(model, op):
        lines += ["  pattern: |", *(f"    {line}" for line in pattern)]
    lines += ["  tests:", "    cases:", *(f"      - {{{case}}}" for case in _cases(model, op))]
    return "\n".join(lines) + "\n"


def _of_four(op: FusedOp) -> str:
    """A static input that may have all dimensions of the space, where no place has five of these; "" for none."""
    fixed = zip(op.inputs, op.pattern.inputs, op.static, strict=True)
    found = [name for name, operand, static in fixed if static and (operand.extent.batch or not op.pattern.named)]
    return found[0] if found and all(len(place.space) <= CONSTANT_RANK for place in op.places) else ""


def _sign(op: FusedOp, at: int) -> str:
    """The range of a param: numbers of one sign in all places, such as an epsilon, are meant to have it."""
    values = [place.numbers[at] for place in op.places]
    if all(value > 0 for value in values):
        return ', range: "> 0"'
    return ', range: "< 0"' if all(value < 0 for value in values) else ""


def _operands(op: FusedOp) -> list[Operand]:
    return [*op.pattern.inputs, *(operand for _, operand in op.pattern.outputs)]


def _words(op: FusedOp) -> str:
    return " ".join(op.ops) if len(op.ops) <= 10 else f"{' '.join(op.ops[:9])} ... ({len(op.ops)} ops)"


def _quoted(text: str) -> str:
    return json.dumps(text)


def _facts(op: FusedOp, operand: Operand, common: str, own: str) -> str:
    """Element type and shape of a tensor; `own`: the input's name, "" of an output."""
    dtype = "T" if operand.dtype == common else operand.dtype
    names = op.pattern.names(len(op.places[0].space))
    if not names:
        first = op.inputs[0]
        shape = "" if own == first else f", shape: {first}.shape"
    else:
        shape = f", shape: [{', '.join(operand.extent.dims(names))}]"
    whole = own and op.pattern.rank is not None and not names
    return f"dtype: {dtype}{shape}" + (f", rank: {op.pattern.rank}" if whole else "")


def _cases(model: Model, op: FusedOp) -> Iterator[str]:
    """One test per place whose shapes, numbers or quantization differ."""
    seen: set[str] = set()
    labels: set[str] = set()
    for place in op.places:
        facts = []
        for name, tensor in [*zip(op.inputs, place.inputs, strict=True), *zip(op.outputs, place.outputs, strict=True)]:
            what = _tensor(model, tensor, name in op.inputs)
            if what:
                facts.append(f"{name}: {{{what}}}")
        facts += [f"{name}: {number(place.numbers[at])}" for name, at in op.params]
        text = ", ".join(facts)
        if text not in seen and len(seen) < MOST_CASES:
            seen.add(text)
            labels.add(label := naming.label(model.nodes[place.nodes[-1]].name, labels))
            yield f"name: {label}, {text}"


def _tensor(model: Model, name: str, shape: bool) -> str:
    """Shape (of inputs) and quantization."""
    tensor = model.tensor(name)
    found = [f"shape: {list(tensor.fixed or ())}"] if shape else []
    if tensor.quantization is not None:
        scale, zero = tensor.quantization.scales[0], tensor.quantization.zeros[0]
        found.append(f"scale: {scale!r}, offset: {-zero}")
    return ", ".join(found)
