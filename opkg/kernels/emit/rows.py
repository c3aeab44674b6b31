"""The member function `vector` of a rows struct, from a lowered kernel: loop over steps, then the masked tail."""

from __future__ import annotations

from collections.abc import Iterable

from opkg.kernels.cost import body_packets, packets
from opkg.kernels.emit.phrases import line_text, step_lines
from opkg.kernels.emit.pipeline import Loop
from opkg.kernels.lowered import Inst, Lowered
from opkg.kernels.sequence import Sequence
from opkg.kernels.snippet import Operand, Snippet, Storage

LANES = {
    Storage.U8: "uint8_t", Storage.S8: "int8_t", Storage.U16: "uint16_t", Storage.S16: "int16_t",
    Storage.U32: "uint32_t", Storage.S32: "int32_t", Storage.U64: "uint64_t", Storage.S64: "int64_t",
    Storage.F16: "uint16_t", Storage.F32: "float",
}  # fmt: skip
_MOST_TURN = 4096  # bytes of an input in a turn, which are put on the stack
_TURN_LOADS = 8  # of a turn at least: one is a packet, and three pointers move on
_ANYWHERE = 4  # steps of a turn of rows at any address (kTurn of opkg/hvx_blocks.h)
_COPY = 16  # packets of bringing short rows together, for each vector
_CHAIN = range(7, 10)  # packets of a step: shorter ones hide behind each other, of longer ones loads are little


def parts(operand: Operand, step: int) -> int:
    """Vectors of an operand in one step."""
    return step * operand.storage.bits // 1024


def turn(snippet: Snippet, lowered: Lowered) -> int:
    """Steps of a turn where what repeats is read from memory again and again: one of two inputs, whose loads are all that
    registers would save. 0: it is in registers."""
    inputs = [operand for operand in snippet.inputs if operand.may_broadcast]
    if len(snippet.inputs) != 2 or lowered.depth > 1 or not inputs or not _loads(lowered):
        return 0
    least = packets(lowered).packets
    for operand in inputs:
        loads = sum(inst.args[0] == operand.name for inst in _loads(lowered))
        if least - packets(lowered, held=(operand.name,)).packets > loads:
            return 0
    steps = max(lowered.unroll, _TURN_LOADS // len(_loads(lowered)))
    return min(steps, _MOST_TURN * 8 // (lowered.step * max(operand.storage.bits for operand in inputs)))


def shifted(lowered: Lowered) -> int:
    """Steps of a turn of rows at any address where these are better off with results at multiples of 128, else 0: where
    units and memory are as busy, a result at any address is a packet that nothing else has room in.

    Such a load takes two slots of its packet. Where each of them has room clang pipelines five steps in 17 packets (add u8;
    four take 15), where not four are better (with a maximum behind it 15, five take 20)."""
    found = packets(lowered)
    memory = found.loads + found.stores
    if not found.packets <= memory < found.packets + 1 / 2:
        return 0
    return 5 if found.instructions + found.loads <= 4 * memory else 4


def member_lines(lowered: Lowered | Sequence) -> list[str]:
    """Declarations of the members that `prepare` sets, and of constants."""
    constants = lowered.constants if isinstance(lowered, Lowered) else ()
    return [*(f"{m.type} {m.name};" + (f"  // {m.note}" if m.note else "") for m in lowered.members), *constants]


def vector_lines(snippet: Snippet, lowered: Lowered) -> list[str]:
    """`vector` and `row`, which has the loop, as lines without indentation of the struct.

    The pointers are `__restrict` parameters of the function with the loop: else no step begins before the one in front
    of it is stored, and the loop takes twice the packets (templates/qnn/hvx.h).
    """
    used = _used(snippet, lowered)
    alone = "__restrict " if lowered.depth == 1 else ""
    pointers = [f"const void* {alone}{o.name}_row" for o in used.values()]
    pointers += [f"void* {alone}{o.name}_row" for o in snippet.outputs]
    places = [f"in[{index}]" for index in used] + [f"out[{index}]" for index in range(len(snippet.outputs))]
    body = _streams(snippet, lowered) + [line_text(inst) for inst in lowered.setup]
    body += _step(snippet, lowered)
    body += [*_loop(used, snippet, lowered), "return true;"]
    source = "const void* const* in" if used else "const void* const*"
    return [
        "template <uint32_t kFixed, uint32_t kWalk>",
        f"bool vector({source}, void* const* out, size_t n,",
        "            const opkg::hvx::Path* path = opkg::hvx::kNoPaths<kInputs + kOutputs>) const {",
        f"  return row<kFixed, kWalk>({', '.join(places)}, n, path);",
        "}",
        "",
        "template <uint32_t kFixed, uint32_t kWalk>",
        f"bool row({', '.join(pointers)}, size_t n, const opkg::hvx::Path* path) const {{",
        *(f"  {line}" if line else "" for line in body),
        "}",
    ]


def runs(snippet: Snippet, lowered: Lowered) -> str:
    """C++ of whether parts of short rows may be computed as runs of whole rows (opkg/seen_run.h), which take the loop for
    each part, in place of copies of all operands; empty: always."""
    if packets(lowered).per_128 > _COPY * (len(snippet.inputs) + len(snippet.outputs)):
        return "false"
    return "OPKG_HVX_FLOAT_UNIT != 0" if lowered.float_unit else ""


def _used(snippet: Snippet, lowered: Lowered) -> dict[int, Operand]:
    """The inputs that the loop loads, by their place."""
    loaded = {inst.args[0] for inst in lowered.body if inst.op == "load"}
    return {index: operand for index, operand in enumerate(snippet.inputs) if operand.name in loaded}


def _streams(snippet: Snippet, lowered: Lowered) -> list[str]:
    lines = []
    for index, operand in _used(snippet, lowered).items():
        fixed = f"(kFixed >> {index} & 1) != 0" if operand.may_broadcast else "false"
        kind = f"opkg::hvx::In<{LANES[operand.storage]}, kStep, kWalk, {fixed}>"
        lines.append(f"{kind} {operand.name}_in({operand.name}_row, n, path + {index});")
    for index, operand in enumerate(snippet.outputs, len(snippet.inputs)):
        kind = f"opkg::hvx::Out<{LANES[operand.storage]}, kStep, kWalk>"
        lines.append(f"{kind} {operand.name}_out({operand.name}_row, n, path + {index});")
    return lines


def _loads(lowered: Lowered) -> list[Inst]:
    return [inst for inst in lowered.body if inst.op == "load"]


def _stores(lowered: Lowered) -> list[Inst]:
    return [inst for inst in lowered.body if inst.op == "store"]


def _result(store: Inst) -> str:
    """Name of the vector that a store writes: `y0`, out of the way of every value's name."""
    return f"{store.args[0]}_{store.args[1]}_"


def _step(snippet: Snippet, lowered: Lowered) -> list[str]:
    if lowered.depth > 1:
        loop = Loop(lowered, _result)
        return loop.stage_lines() + loop.step_lines()
    taken = [f"HVX_Vector {load.dest}" for load in _loads(lowered)]
    given = [f"HVX_Vector& {_result(store)}" for store in _stores(lowered)]
    lines = [f"const auto step = [&]({', '.join(taken + given)}) OPKG_INLINE_LAMBDA {{"]
    lines += [f"  {line}" for line in step_lines(lowered.body, _stored)]
    return [*lines, "};"]


def _stored(inst: Inst) -> str:
    return f"{_result(inst)} = {inst.args[2]};" if inst.op == "store" else ""


def _ways(lowered: Lowered, in_turns: bool) -> str:
    """Template arguments of a loop: whether a step is a chain from one load, of one instruction a packet, as a lookup in a
    table is; steps of a turn of rows at any address, where they are not as many as usual."""
    if in_turns:
        return ", false, kShifted" if shifted(lowered) else ""
    if len(_loads(lowered)) == 1 and body_packets(lowered.body).packets in _CHAIN:
        return ", kFixed == 0"
    steps = lowered.anywhere or shifted(lowered)
    return f", false, {steps}" if steps not in (0, _ANYWHERE) else ""


def _loop(used: dict[int, Operand], snippet: Snippet, lowered: Lowered) -> list[str]:
    results = [_result(store) for store in _stores(lowered)]
    in_turns = turn(snippet, lowered) != 0
    steps = "kTurn" if in_turns else lowered.unroll
    one = [f"HVX_Vector {', '.join(results)};"]
    loads = [f"{load.args[0]}_in.at(i, {load.args[1]})" for load in _loads(lowered)]
    one.append(f"step({', '.join(loads + results)});")
    one += [f"{s.args[0]}_out.put(i, {s.args[1]}, {_result(s)});" for s in _stores(lowered)]
    last = [one[0]]
    loads = [f"{load.args[0]}_in.tail({load.args[1]})" for load in _loads(lowered)]
    last.append(f"step({', '.join(loads + results)});")
    last += [f"{s.args[0]}_out.put_tail({s.args[1]}, {_result(s)});" for s in _stores(lowered)]
    operands = [*(f"{o.name}_out" for o in snippet.outputs), *(f"{o.name}_in" for o in used.values())]
    loop = [
        f"opkg::hvx::each_step<kWalk, {steps if lowered.depth == 1 else 1}{_ways(lowered, in_turns)}>(",
        "    steps,",
        "    [&](size_t i) OPKG_INLINE_LAMBDA {",
        *(f"      {line}" for line in one),
        "    },",
        f"    {', '.join(operands)});",
    ]
    if lowered.depth > 1:
        staged = Loop(lowered, _result)
        note = f"  // {staged.ahead + 1} steps in flight: one is stored, the others are loaded or half done"
        head = f"if (opkg::hvx::Walk::staged(kWalk) && steps >= {staged.least}) {{{note}"
        end = f"opkg::hvx::behind<kWalk>(steps, {', '.join(operands)});"
        loop = [head, *_indented([*staged.loop_lines(one), end]), "} else {", *_indented(loop), "}"]
    return [
        "const size_t steps = n / kStep;",
        *loop,
        "if (n % kStep != 0) {",
        *(f"  {line}" for line in last),
        "}",
    ]


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def aligned(lines: Iterable[str]) -> list[str]:
    """The lines with the trailing comments of neighbours in one column, as clang-format has them."""
    out: list[str] = []
    run: list[tuple[str, str]] = []
    for line in [*lines, ""]:
        code, mark, note = line.partition("  // ")
        if mark and code.strip():
            run.append((code.rstrip(), note))
            continue
        width = max((len(before) for before, _ in run), default=0)
        out += [f"{before:<{width}}  // {after.strip()}" for before, after in run]
        run = []
        out.append(line)
    return out[:-1]
