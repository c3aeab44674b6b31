"""The member function `vector` of a rows struct from a sequence of loops: each over whole steps, then the rest, masked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from opkg.kernels.emit.one_row import RowNumbers
from opkg.kernels.emit.phrases import line_text, phrased, step_lines
from opkg.kernels.emit.rows import LANES
from opkg.kernels.emit.steps import Step
from opkg.kernels.lowered import CPP, Inst
from opkg.kernels.sequence import Loop, Numbers, Sequence
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.rows.across import of_row

SAME = "same_inputs"  # the member with bits of inputs of which one number stands for all elements


def sequence_lines(
    snippet: Snippet,
    sequence: Sequence,
    same: Collection[str] = (),
    step: Step | None = None,
    between: RowNumbers | None = None,
) -> list[str]:
    """`vector` and `loops`, which has the loops, as lines without indentation of the struct. The pointers are `__restrict`
    parameters, so that a step may begin before the one in front of it is stored: the compiler forgets that of a function
    that becomes a part of its caller. `same`: inputs that may be one number for all elements. `step`: what the last loop
    calls; `between`: functions of the numbers in front of it."""
    loaded, stored = _used(sequence, "load") | sequence.read, _used(sequence, "store") | sequence.reduced
    inputs = {index: o for index, o in enumerate(snippet.inputs) if o.name in loaded}
    outputs = {index: o for index, o in enumerate(snippet.outputs) if o.name in stored}
    pointers = [f"const void* __restrict {o.name}_row" for o in inputs.values()]
    pointers += [f"void* __restrict {o.name}_row" for o in outputs.values()]
    places = [f"in[{index}]" for index in inputs] + [f"out[{index}]" for index in outputs]
    lines = [
        "bool vector(const void* const* in, void* const* out, size_t n) const {",
        f"  return loops({', '.join(places)}, n);",
        "}",
        "",
        f"{'__attribute__((noinline)) ' if _used(sequence, 'store') else ''}bool loops({', '.join(pointers)}, size_t n) const {{",
    ]
    body = _streams(snippet, sequence, same)
    numbers = next((stage for stage in reversed(sequence.stages) if isinstance(stage, Numbers)), None)
    for stage in sequence.stages:
        kept = {buffer.name: buffer.elements // sequence.step for buffer in sequence.buffers}
        last = step if stage is sequence.stages[-1] else None
        if isinstance(stage, Loop):
            body += _loop(stage, kept, last)
        else:
            body += between.of_one_row() if between is not None and stage is numbers else stage.lines
    body.append("return true;")
    return [*lines, *(f"  {line}" if line else "" for line in body), "}"]


def _used(sequence: Sequence, op: str) -> set[str]:
    return {inst.args[0] for loop in sequence.loops for inst in loop.body if inst.op == op}


def same_inputs(snippet: Snippet, lowered: object, filled: Collection[str]) -> tuple[list[str], list[str]]:
    """Members and statements of `prepare` that say of which inputs one number stands for all elements of a row: of those
    `filled`, where they have no dimensions, else of those with one for each row."""
    places = {operand.name: place for place, operand in enumerate(snippet.inputs)}
    if filled:
        bits = [f"(op.{name}.rank == 0 ? {1 << place} : 0)" for name, place in places.items() if name in filled]
        line = f"{SAME} = {' | '.join(bits) if len(bits) > 1 else bits[0][1:-1]};"
        return [f"uint32_t {SAME};  // bit i: input i is one number for all elements"], [line]
    each = of_row(snippet, lowered) if isinstance(lowered, Sequence) else ()
    if not each:
        return [], []
    mask = sum(1 << places[name] for name in each)
    return [f"static constexpr uint32_t {SAME} = {mask:#x};  // bit i: input i has one element for each row"], []


def asks_same(index: int) -> str:
    """C++: whether input `index` is one number."""
    return f"({SAME} >> {index} & 1) != 0"


def _streams(snippet: Snippet, sequence: Sequence, same: Collection[str]) -> list[str]:
    lines, each = [], () if same else of_row(snippet, sequence)
    for index, operand in enumerate((*snippet.inputs, *snippet.outputs)):  # results of an earlier pass are read again
        if operand.name in _used(sequence, "load") and operand.name in each:
            lines.append(f"const opkg::hvx::InSame<{LANES[operand.storage]}> {operand.name}_in({operand.name}_row);")
        elif operand.name in _used(sequence, "load"):
            kind = "InOrSame<{}, kStep>" if operand.name in same else "In<{}, kStep, opkg::hvx::Walk::anywhere>"
            asked = f", {asks_same(index)}" if operand.name in same else ""
            lines.append(
                f"const opkg::hvx::{kind.format(LANES[operand.storage])} {operand.name}_in({operand.name}_row, n{asked});"
            )
    for operand in snippet.outputs:
        if operand.name in _used(sequence, "store"):
            kind = f"opkg::hvx::Out<{LANES[operand.storage]}, kStep, opkg::hvx::Walk::anywhere>"
            lines.append(f"const {kind} {operand.name}_out({operand.name}_row, n);")
    for buffer in sequence.buffers:
        lines += [
            f"alignas(128) {buffer.type} {buffer.name}[{buffer.elements}];"
            + (f"  // {buffer.note}" if buffer.note else ""),
            f"const opkg::hvx::In<{buffer.type}, kStep, true> {buffer.name}_in({buffer.name}, 0);",
            f"const opkg::hvx::Out<{buffer.type}, kStep, true> {buffer.name}_out({buffer.name}, 0);",
        ]
    return lines


def _loop(loop: Loop, kept: Mapping[str, int], step: Step | None) -> list[str]:
    inner = [line_text(inst) for inst in loop.setup] if step is None else step.setup(loop)
    loop = loop if step is None else replace(loop, body=step.body(loop))
    start = [f"{CPP[carry.kind]} {carry.name} = {carry.start};" for carry in loop.carried]
    if loop.block:
        inner += [
            f"for (opkg::hvx::Part<kStep, {loop.block}> part(n); part; ++part) {{",
            *(f"  {line}" for line in [*start, *_turns(loop, kept), *loop.finish]),
            "}",
        ]
    else:
        inner += [*start, *_turns(loop, kept), *loop.finish]
    inner += loop.last
    head = f"if ({loop.when}) {{" if loop.when else "{"
    return [f"// {loop.title}", *loop.declare, head, *(f"  {line}" if line else "" for line in inner), "}"]


def loads_of(loop: Loop) -> list[Inst]:
    return [inst for inst in loop.body if inst.op == "load"]


def _turns(loop: Loop, kept: Mapping[str, int]) -> list[str]:
    """The calls of a step. What is summed up begins with the rest: its instructions fill packets in front of the loop. `kept`:
    the steps that buffers have room for."""

    def access(inst: Inst) -> str:
        """Buffers have room for the last step as a whole; those of longer rows begin again, and are not read."""
        name, part, *value = inst.args
        if inst.op == "load":
            place = f"i, {part}" if name in kept else f"lanes, i, {part}"
            return f"const HVX_Vector {inst.dest} = {name}_in.at({place});"
        place = f"i % {kept[name]}, {part}" if name in kept else f"lanes, i, {part}"
        return f"{name}_out.put({place}, {value[0]});"

    lines = step_lines(phrased(loop.body), access, loop.carried)
    function = "all_steps" if loop.once else "rest_and_steps" if loop.carried else "steps_and_rest"
    lanes = "const auto& lanes" if any("lanes" in line for line in lines) else "const auto&"
    where = (
        f"{'' if loop.once else f'<{loop.unroll}>'}(part"
        if loop.block
        else f"<kStep{'' if loop.once else f', {loop.unroll}'}>(n"
    )
    head = f"opkg::hvx::{function}{where}, [&]({lanes}, size_t i) OPKG_INLINE_LAMBDA {{"
    return [head, *(f"  {line}" for line in lines), "});"]
