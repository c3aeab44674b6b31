"""The member function `several` of a rows struct: up to 32 rows at a time, one loop over their units after another.

It is compiled for rows of one vector and for longer ones. Where the numbers in front of the last loop are most of its code,
they are a function of their own, which both call.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace

from opkg.kernels.emit.one_row import RowNumbers, found_in
from opkg.kernels.emit.phrases import line_text, phrased, step_lines
from opkg.kernels.emit.sequence import asks_same, loads_of
from opkg.kernels.emit.steps import Step, by_factors
from opkg.kernels.lowered import CPP, Inst
from opkg.kernels.sequence import Loop, Numbers, Sequence, Slots
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.snippets import read_inputs
from opkg.spec.dtypes import Kind

_OF = "opkg::hvx::"
_TYPES = dict.fromkeys(("FloatSums", "FloatMeans"), f"{_OF}Sum2")  # of what is found, where it is no vector
_KEPT_VECTORS = 64  # opkg/hvx_units.h
_ONE_ROW = "static constexpr bool kOneRow = true;  // numbers of one row are made in registers"
_FEWEST = "static constexpr size_t kFewest = {};  // rows of a call"
_PIXELS = "[[maybe_unused]] static constexpr bool kPixels = true;  // rows may be pixels as they lie in blocks"
_UNKEPT = "[[maybe_unused]] static constexpr size_t kFewestUnkept = 2;"
_SHARED = "// those whose rows may stand for several"


def slot_lines(
    snippet: Snippet,
    sequence: Sequence,
    slots: Slots,
    same: Collection[str] = (),
    step: Step | None = None,
    between: RowNumbers | None = None,
) -> list[str]:
    """`several`, as lines without indentation of the struct. `same`, `step`, `between`: as for
    sequence_lines()."""
    inputs = read_inputs(snippet)
    pixels = _as_pixels(snippet, sequence, slots)
    if slots.text:
        return _from_header(slots, [operand.name for operand in inputs], pixels)
    patterns = sum(1 << i for i, operand in enumerate(inputs) if operand.name in slots.patterns)
    kept = {name for name, _ in slots.buffers}
    masks = {i for i, o in enumerate(inputs) if o.dtype.kind is Kind.BOOL and o.name not in slots.patterns}
    lines = [
        f"static constexpr uint32_t kPatterns = {patterns};  // bit i: input i is the same for all rows",
        f"static constexpr size_t kMostCount = {slots.most};",
        f"static constexpr size_t kVectorsKept = {_KEPT_VECTORS if kept else 0};",
        *([_FEWEST.format(slots.fewest), _UNKEPT] if slots.floats else ()),
        *([_PIXELS] if pixels else ()),
        *([_ONE_ROW] if between is not None and between.in_loops else ()),
        *([f"static constexpr uint32_t kMasks = {sum(1 << i for i in masks)};  {_SHARED}"] if masks else ()),
        "",
        *(step.lines if step is not None else ()),
        *(between.lines() if between is not None else ()),
        "/// Some rows of n elements. False: row by row.",
        "template <bool kOne>",
    ]
    body = []
    loops = [stage for stage in slots.stages if isinstance(stage, Loop)]
    loaded = {load.args[0] for loop in loops for load in loads_of(loop)}
    for i, operand in enumerate(inputs):
        if operand.name in loaded:
            kind = "SlotsPattern" if operand.name in slots.patterns else "SlotsIn"
            asked = f", {asks_same(i)}" if operand.name in same else f", slots.same({i})" if i in masks else ""
            body.append(f"const {_OF}{kind}<{_parts(operand, sequence)}> {operand.name}_in(slots, in[{i}]{asked});")
    whole = [(i, output) for i, output in enumerate(snippet.outputs) if output.name not in sequence.reduced]
    for i, output in whole:
        body.append(f"const {_OF}SlotsOut<{_parts(output, sequence)}> {output.name}_out(slots, out[{i}]);")
    halves = {o.name for o in (*inputs, *snippet.outputs) if o.storage.bits * sequence.step > 1024}
    body += [f"{_OF}SlotsKept<kOne, {parts}> {name}_all(slots);" for name, parts in slots.buffers]
    body.append(f"const {_OF}LiveLanes last(slots);")
    depth = 0
    given = {name for stage in slots.stages if isinstance(stage, Numbers) for name in found_in(stage)}
    for stage in slots.stages:
        if isinstance(stage, Loop):
            is_last = stage is slots.stages[-1]
            spread = f"{_OF}Spread32<{'true' if pixels else 'kOne'}>"  # pixels: several share a vector
            lines_of = _loop(stage, kept, given, halves, step if is_last else None, is_last, spread)
            body += ["  " * depth + line for line in lines_of]
            continue
        for line in between.call() if between is not None and stage is slots.stages[-2] else stage.lines:
            depth -= line == "}"
            body.append("  " * depth + line)
            depth += line.endswith("{")
    body += [*(f"{output.name}_out.finish(slots);" for _, output in whole), "return true;"]
    count = "size_t n" if not slots.floats and _asks("n", body) else "size_t"
    first = f"bool several(const {_OF}Slots& slots, const void* const* in, void* const* out, {count}) const {{"
    return [*lines, first, *(f"  {line}" for line in body), "}"]


def _from_header(slots: Slots, inputs: list[str], pixels: bool) -> list[str]:
    """`several` where a header has the loops."""
    slow = sum(1 << i for i, name in enumerate(inputs) if name in slots.slow)
    return [
        "static constexpr uint32_t kPatterns = 0;  // bit i: input i is the same for all rows",
        f"static constexpr size_t kMostCount = {slots.most};",
        f"static constexpr size_t kVectorsKept = {slots.kept};",
        _FEWEST.format(slots.fewest),
        *([_PIXELS] if pixels else ()),
        *([f"static constexpr uint32_t kMasks = {slow};  {_SHARED}"] if slow else ()),
        "",
        "/// Some rows of n elements. False: row by row.",
        "template <bool kOne>",
        f"bool several(const {_OF}Slots& slots, const void* const* in, void* const* out, size_t n) const {{",
        *(f"  {line}" for line in slots.text),
        "}",
    ]


def _as_pixels(snippet: Snippet, sequence: Sequence, slots: Slots) -> bool:
    """Whether rows may be pixels as they lie in blocks: all operands are alike, and no number of a row is a scalar."""
    operands = (*read_inputs(snippet), *snippet.outputs)
    widths = {operand.storage.bits for operand in operands}
    alike = widths == {1024 // sequence.step} and not slots.patterns and not sequence.reduced and not slots.floats
    loops = [stage for stage in slots.stages if isinstance(stage, Loop)]
    return alike and not any(by_factors(loop)[1] for loop in loops)


def _parts(operand: Operand, sequence: Sequence) -> str:
    """Template arguments of an operand in slots: how many vectors it has for each one that slots are counted in."""
    parts = operand.storage.bits * sequence.step // 1024
    return f"kOne, {parts}" if parts > 1 else "kOne"


def _asks(name: str, lines: Iterable[str]) -> bool:
    """Whether statements name something, but for members of others."""
    return any(re.search(rf"(?<![.\w]){name}\b", line) for line in lines)


def _loop(
    loop: Loop, kept: set[str], given: set[str], halves: set[str], step: Step | None, is_last: bool, spread: str
) -> list[str]:
    """A loop over units. `given`: numbers that are declared in front of it. `halves`: operands of several vectors a step.
    `spread`: C++ of what has a word of each row in all of its slot."""
    setup = [line_text(inst) for inst in loop.setup] if step is None else step.setup(loop)
    loop, factors = by_factors(loop) if step is None else (replace(loop, body=step.body(loop)), step.factors)
    lines = [f"// {loop.title.replace('row', 'rows', 1)}"]
    found = [(_TYPES.get(kind, "HVX_Vector"), name) for _, kind, name in loop.joined if name not in given]
    for type_ in dict.fromkeys(type_ for type_, _ in found):
        lines.append(f"{type_} {', '.join(name for of, name in found if of == type_)};")
    lines.append("{")
    for kind in dict.fromkeys(kind for _, kind, _ in loop.joined):
        lines.append(
            f"  {_OF}Units<{_OF}{kind}> {', '.join(f'{name}_units' for _, of, name in loop.joined if of == kind)};"
        )
    lines += [f"  {line}" for line in setup]
    for name, words in loop.spread:
        lines.append(f"  const {f'{_OF}Factors<kOne>' if name in factors else spread} {name}_of(slots, {words});")
    lines += ["  OPKG_UNROLL(1)", "  for (size_t unit = 0; unit < slots.units(); ++unit) {"]
    for name, _ in loop.spread:
        lines.append(f"    const {'auto' if name in factors else 'HVX_Vector'} {name} = {name}_of.at(unit);")
    lines += [f"    {CPP[carry.kind]} {carry.name} = {carry.start};" for carry in loop.carried]
    result = _result(loop, kept | halves) if is_last else ""
    turns = (
        f"{result}_out.each_vector(slots, last, unit"
        if result
        else f"{_OF}each_vector<kOne, {loop.unroll}>(slots, last"
    )
    steps = _step(loop, kept, halves, result)
    lanes = "const auto& lanes" if _asks("lanes", steps) else "const auto&"
    lines.append(f"    {turns}, [&]({lanes}, size_t i) OPKG_INLINE_LAMBDA {{")
    lines += [f"      {line}" for line in steps]
    lines.append("    });")
    lines += [f"    {name}_units.put(unit, {carry});" for carry, _, name in loop.joined]
    lines.append("  }")
    lines += [f"  {name} = {name}_units.rows(slots);" for _, _, name in loop.joined]
    return [*lines, "}"]


def _result(loop: Loop, others: set[str]) -> str:
    """The output of a loop that stores a vector of it at the end of a turn, and nothing else; `others`: which it is none of."""
    *inside, end = loop.body
    alone = end.op == "store" and end.args[0] not in others and all(inst.op != "store" for inst in inside)
    return end.args[0] if alone else ""


def _step(loop: Loop, kept: set[str], halves: set[str], result: str) -> list[str]:
    """What is done with vector i of a unit. `result`: the output that it returns a vector of."""

    def access(inst: Inst) -> str:
        name, part, *value = inst.args
        if name == result and inst.op == "store":
            return f"return {value[0]};"
        if inst.op == "load":
            of = f", {part}" if name in halves else ""
            at = f"_all.get(unit, i, {part})" if name in kept else f"_in.at(lanes, unit, i{of})"
            return f"const HVX_Vector {inst.dest} = {name}{at};"
        at = f"_all.put(unit, i, {part}" if name in kept else "_out.put(lanes, unit, i"
        at += f", {part}" if name in halves else ""
        return f"{name}{at}, {value[0]});"

    return step_lines(phrased(loop.body), access, loop.carried)
