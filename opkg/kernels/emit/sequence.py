"""The member function `vector` of a rows struct from a sequence of loops: each over whole steps, then the rest, masked."""

from __future__ import annotations

from collections.abc import Collection

from opkg.kernels.emit.phrases import line_text, step_lines
from opkg.kernels.emit.rows import LANES
from opkg.kernels.lowered import CPP, Inst
from opkg.kernels.sequence import Loop, Numbers, Sequence
from opkg.kernels.snippet import Snippet

SAME = "same_inputs"  # the member with bits of inputs of which one number stands for all elements


def sequence_lines(snippet: Snippet, sequence: Sequence, same: Collection[str] = ()) -> list[str]:
    """`vector` and `loops`, which has the loops, as lines without indentation of the struct. The pointers are `__restrict`
    parameters, so that a step may begin before the one in front of it is stored. `same`: inputs that may be one number for
    all elements."""
    loaded, stored = _used(sequence, "load"), _used(sequence, "store") | sequence.reduced
    inputs = {index: o for index, o in enumerate(snippet.inputs) if o.name in loaded}
    outputs = {index: o for index, o in enumerate(snippet.outputs) if o.name in stored}
    pointers = [f"const void* __restrict {o.name}_row" for o in inputs.values()]
    pointers += [f"void* __restrict {o.name}_row" for o in outputs.values()]
    places = [f"in[{index}]" for index in inputs] + [f"out[{index}]" for index in outputs]
    lines = [
        "template <uint32_t kFixed, bool kAligned>",
        "bool vector(const void* const* in, void* const* out, size_t n) const {",
        f"  return loops<kAligned>({', '.join(places)}, n);",
        "}",
        "",
        "template <bool kAligned>",
        f"bool loops({', '.join(pointers)}, size_t n) const {{",
    ]
    body = _streams(snippet, sequence, same)
    if sequence.loops:
        body.append("const size_t steps = n / kStep;")
    for stage in sequence.stages:
        kept = frozenset([buffer.name for buffer in sequence.buffers])
        body += list(stage.lines) if isinstance(stage, Numbers) else _loop(stage, kept)
    body.append("return true;")
    return [*lines, *(f"  {line}" if line else "" for line in body), "}"]


def _used(sequence: Sequence, op: str) -> set[str]:
    return {inst.args[0] for loop in sequence.loops for inst in loop.body if inst.op == op}


def asks_same(index: int) -> str:
    """C++: whether input `index` is one number."""
    return f"({SAME} >> {index} & 1) != 0"


def _streams(snippet: Snippet, sequence: Sequence, same: Collection[str]) -> list[str]:
    lines = []
    for index, operand in enumerate((*snippet.inputs, *snippet.outputs)):  # results of an earlier pass are read again
        if operand.name in _used(sequence, "load"):
            kind = f"{'InOrSame' if operand.name in same else 'In'}<{LANES[operand.storage]}, kStep, kAligned>"
            asked = f", {asks_same(index)}" if operand.name in same else ""
            lines.append(f"const opkg::hvx::{kind} {operand.name}_in({operand.name}_row, n{asked});")
    for operand in snippet.outputs:
        if operand.name in _used(sequence, "store"):
            kind = f"opkg::hvx::Out<{LANES[operand.storage]}, kStep, kAligned>"
            lines.append(f"const {kind} {operand.name}_out({operand.name}_row, n);")
    for buffer in sequence.buffers:
        lines += [
            f"alignas(128) {buffer.type} {buffer.name}[{buffer.elements}];"
            + (f"  // {buffer.note}" if buffer.note else ""),
            f"const opkg::hvx::In<{buffer.type}, kStep, true> {buffer.name}_in({buffer.name}, 0);",
            f"const opkg::hvx::Out<{buffer.type}, kStep, true> {buffer.name}_out({buffer.name}, 0);",
        ]
    return lines


def _loop(loop: Loop, kept: frozenset[str]) -> list[str]:
    inner = [line_text(inst) for inst in loop.setup]
    inner += _step(loop)
    start = [f"{CPP[carry.kind]} {carry.name} = {carry.start};" for carry in loop.carried]
    if loop.block:
        inner += [
            "size_t i = 0;",
            f"do {{  // {loop.block} steps at most are summed up in 32 bits",
            *(f"  {line}" for line in start),
            f"  const size_t end = steps - i < {loop.block} ? steps : i + {loop.block};",
            *(f"  {line}" for line in _turns(loop, kept, "for (; i < end; ++i) {", "if (i == 0 && n % kStep != 0) {")),
            *(f"  {line}" for line in loop.finish),
            "} while (i < steps);",
        ]
    else:
        inner += start
        inner += _turns(loop, kept, "for (size_t i = 0; i < steps; ++i) {", "if (n % kStep != 0) {")
        inner += loop.finish
    inner += loop.last
    head = f"if ({loop.when}) {{" if loop.when else "{"
    return [f"// {loop.title}", *loop.declare, head, *(f"  {line}" if line else "" for line in inner), "}"]


def _result(store: Inst) -> str:
    return f"{store.args[0]}_{store.args[1]}_"


def loads_of(loop: Loop) -> list[Inst]:
    return [inst for inst in loop.body if inst.op == "load"]


def _stores(loop: Loop) -> list[Inst]:
    return [inst for inst in loop.body if inst.op == "store"]


def _masks(loop: Loop) -> bool:
    return any(inst.op.startswith("lanes.") for inst in loop.body)


def _step(loop: Loop) -> list[str]:
    takes = ["const auto& lanes"] if _masks(loop) else []
    takes += [f"HVX_Vector {load.dest}" for load in loads_of(loop)]
    takes += [f"{CPP[carry.kind]}& {carry.name}" for carry in loop.carried]
    takes += [f"HVX_Vector& {_result(store)}" for store in _stores(loop)]
    lines = [f"const auto step = [&]({', '.join(takes)}) OPKG_INLINE_LAMBDA {{"]
    lines += [f"  {line}" for line in step_lines(loop.body, _stored, loop.carried)]
    return [*lines, "};"]


def _stored(inst: Inst) -> str:
    return f"{_result(inst)} = {inst.args[2]};" if inst.op == "store" else ""


def _turns(loop: Loop, kept: frozenset[str], head: str, rest: str) -> list[str]:
    stores = _stores(loop)
    results = [_result(store) for store in stores]
    carried = [carry.name for carry in loop.carried]
    open_ = [f"HVX_Vector {', '.join(results)};"] if results else []

    def call(lanes: str, step: str) -> str:
        """A step; `step` is empty for the last one, which buffers have room for as a whole."""
        first = [lanes] if _masks(loop) else []
        loads = []
        for load in loads_of(loop):
            name, part = load.args
            access = f"at({step or 'steps'}, {part})" if step or name in kept else f"tail({part})"
            loads.append(f"{name}_in.{access}")
        return f"step({', '.join(first + loads + carried + results)});"

    whole = [*open_, call("opkg::hvx::AllLanes()", "i")]
    whole += [f"{s.args[0]}_out.put(i, {s.args[1]}, {_result(s)});" for s in stores]
    last = [*open_, call("opkg::hvx::SomeLanes(n % kStep)", "")]
    for s in stores:
        access = f"put(steps, {s.args[1]}" if s.args[0] in kept else f"put_tail({s.args[1]}"
        last.append(f"{s.args[0]}_out.{access}, {_result(s)});")
    turns = [f"OPKG_UNROLL({loop.unroll})", head, *(f"  {line}" for line in whole), "}"]
    tail = [rest, *(f"  {line}" for line in last), "}"]
    # What is summed up begins with the rest: its instructions fill packets in front of the loop.
    return turns + tail if not loop.carried else tail + turns
