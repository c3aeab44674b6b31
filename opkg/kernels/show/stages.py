"""What becomes of a kernel on its way from text to code, as readable text: `opkg kernel show`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from opkg.kernels.choose import Candidate, best, candidates
from opkg.kernels.cost import NUMBERS, TOGETHER, architecture, call_packets, has_numbers, packets
from opkg.kernels.emit.one_row import numbers_of
from opkg.kernels.emit.views import copied
from opkg.kernels.graphs.build import build
from opkg.kernels.graphs.classify import Verdict, classify, classify_nodes
from opkg.kernels.graphs.graph import LEAVES, Graph
from opkg.kernels.graphs.nodes import pruned
from opkg.kernels.graphs.shapes import ShapeError, text_of
from opkg.kernels.linear.registers import PREDICATES, VECTORS, Allocation, of_loop, of_lowered, turn_of
from opkg.kernels.linear.schedule import schedule
from opkg.kernels.linear.stats import walked_bytes, walks
from opkg.kernels.lowered import Inst, Lowered
from opkg.kernels.sequence import Sequence as Loops
from opkg.kernels.show.graph import graph_lines, linear_lines, register_lines
from opkg.kernels.show.moved import parts_of, runs_of
from opkg.kernels.show.shapes import linear_of, pinned
from opkg.kernels.snippet import Snippet
from opkg.kernels.snippets import read_inputs
from opkg.spec.kept import in_slices, keeps
from opkg.spec.model import Combination, Op

_COMPUTED = re.compile(r"\?(\w+)\.(\d+)")  # a dimension that a spec has no name for: that of a tensor


class Stage(StrEnum):
    GRAPH = "graph"
    CANONICAL = "canonical"
    LINEAR = "linear"
    REGISTERS = "registers"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Shown:
    """One kernel to show: `given` are shapes by tensor, `arch` the architecture that costs are for. `refused`: why no
    kernel can be generated, not even in portable code."""

    op: Op
    combination: Combination
    snippet: Snippet
    given: Mapping[str, tuple[int, ...]]
    arch: str = "v66"
    refused: str = ""
    filled: tuple[tuple[str, float], ...] = ()  # inputs for which a number stands where they are absent

    @property
    def written(self) -> Graph:
        """The graph as the text has it; of one pass of several its own."""
        if self.snippet.passing is not None:
            return self.snippet.graph
        graph = build(self.op, self.combination, self.snippet.present)
        whole = {name: tensor for name, tensor, _ in self.snippet.views}
        return pruned(graph, [whole.get(operand.name, operand.name) for operand in self.snippet.outputs])

    @property
    def classified(self) -> Verdict:
        """The layout class, with the dimensions that a constraint pins."""
        return classify(replace(self.snippet, graph=pinned(self.op, self.snippet.graph)))


def heading(shown: Shown) -> str:
    """`hard_swish_u8 (T=ufixed8): y = ...`"""
    snippet = shown.snippet
    types = f" ({shown.combination})" if str(shown.combination) else ""
    without = f" without {' and '.join(sorted(snippet.missing))}" if snippet.missing else ""
    lines = snippet.text.split("\n")
    text = f" {lines[0]}" if len(lines) == 1 else "".join(f"\n    {line}" for line in lines)
    return f"{snippet.function}{types}{without}:{text}"


def stage_lines(shown: Shown, stage: Stage) -> list[str]:
    """The text of one stage but `code`, which is the kernel file. ShapeError when given shapes do not fit."""
    table: dict[Stage, Callable[[Shown], list[str]]] = {
        Stage.GRAPH: _graph, Stage.CANONICAL: _canonical, Stage.LINEAR: _linear, Stage.REGISTERS: _registers,
    }  # fmt: skip
    return table[stage](shown)


def summary_lines(shown: Shown) -> list[str]:
    """All stages in short, the strategies with what they cost or why they cannot, and the numbers of the chosen one."""
    copies = copied(shown.snippet, read_inputs(shown.snippet))
    always = copies is not None and copies.always  # no strategy's code runs
    found = () if always else candidates(shown.snippet)
    chosen = best(found)
    rows = [*_facts(shown), *([] if always else [("strategies", "")])]
    for candidate in found:
        mark = "*" if candidate is chosen else " "
        rows.append((f"{mark} {candidate.strategy}", _words(candidate, shown.arch)))
    if shown.refused:
        rows.append(("", shown.refused))
    elif always:
        rows += _slices(shown)
    elif chosen is None:
        moved = "copies of vectors where types and scales are alike, else portable C++ (opkg/move.h)"
        rows.append(
            ("* moves", moved)
            if shown.snippet.graph.moves
            else ("* portable", "C++ without vectors: no strategy can do it")
        )
    else:
        rows += [*_costs(shown, chosen), *runs_of(shown.snippet, chosen, shown.arch)]
        filled = ", ".join(f"{'ones' if number else 'zeros'} for {name}" for name, number in shown.filled)
        rows += [("some absent", f"the same code, with {filled}")] if filled else []
        condition = shown.snippet.condition
        rows += [("vector code", f"{condition}, else portable code")] if condition else []
    wide = max(len(name) for name, _ in rows)
    return [f"  {name:{wide}}  {words}".rstrip() for name, words in rows]


def _facts(shown: Shown) -> list[tuple[str, str]]:
    """What is known without any strategy."""
    snippet = shown.snippet
    graph = snippet.graph
    tensors = [f"{o.name} {o.dtype}" + (" (may broadcast)" if o.may_broadcast else "") for o in read_inputs(snippet)]
    results = [f"{o.name} {o.dtype}" for o in snippet.outputs]
    verdict = shown.classified
    walked = walks(graph)
    fewer = f", {walked.shrink:.2g} times fewer" if walked.before > walked.after else ""
    steps = f"{operations(shown.written)} as written, {operations(graph)} in canonical form"
    return [
        ("tensors", f"{', '.join(tensors) or 'none'} -> {', '.join(results)}"),
        *parts_of(snippet),
        ("operations", steps),
        ("layout", f"{verdict.layout}: {verdict.why}"),
        ("loops", _loops(shown)),
        ("memory walks", f"{walked.before} one operation at a time, {walked.after} in one kernel{fewer}"),
        *_bytes(shown),
    ]


def operations(graph: Graph) -> int:
    """Operations of a graph, without tensors, params and constants."""
    return sum(node.op not in LEAVES for node in graph.nodes)


def _loops(shown: Shown) -> str:
    try:
        code, _, assumed = linear_of(shown.op, shown.snippet, shown.given)
    except ShapeError as failure:
        if shown.given:
            raise
        return f"not known before a call: {failure}"
    loops = schedule(code, _lanes(shown.snippet))
    outer = " x ".join(map(str, loops.outer))
    passes = sum(bool(walk.body) for walk in loops.passes)
    text = (
        f"{outer} rows of {loops.inner.length}" if outer else f"one row of {loops.inner.length}"
    ) + f": {loops.inner}"
    text = _COMPUTED.sub(r"\1[\2]", text)
    return text + (f", {passes} passes" if passes > 1 else "") + (f" ({assumed})" if assumed else "")


def _bytes(shown: Shown) -> list[tuple[str, str]]:
    """Bytes through memory, when shapes are numbers."""
    try:
        _, shapes, _ = linear_of(shown.op, shown.snippet, shown.given)
        before, after = walked_bytes(shown.snippet, shapes)
    except (ShapeError, KeyError):
        return []
    return [("bytes", f"{before} one operation at a time, {after} in one kernel")]


def loops_at_a_shape(shown: Shown, lowered: Lowered | Loops | None) -> int | None:
    """Packets of a kernel's loops in a call of the given shapes; None where they are not all known, or none runs."""
    if lowered is None or not shown.given:
        return None
    loops = schedule(linear_of(shown.op, shown.snippet, shown.given)[0], _lanes(shown.snippet))
    sizes = [size for size in (*loops.outer, loops.inner.length) if isinstance(size, int)]
    if len(sizes) != len(loops.outer) + 1:
        return None
    return call_packets(lowered, math.prod(sizes[:-1]), sizes[-1], shown.arch)


def _call(shown: Shown, lowered: Lowered | Loops, bound: str) -> list[tuple[str, str]]:
    """A call of the given shapes. `bound`: what kind of figure it is."""
    count = loops_at_a_shape(shown, lowered)
    if count is None:
        return []
    return [
        ("call", f"{count:,} packets in loops {bound}, and what is around them (opkg bench {shown.op.name} --call)")
    ]


def _slices(shown: Shown) -> list[tuple[str, str]]:
    return [("slices", "a thread for each 4096 bytes of the largest tensor, at most (QHPI)")] if sliced(shown) else []


def sliced(shown: Shown) -> bool:
    """Whether a generated kernel's calls run in slices by themselves (opkg/kept.h says how many)."""
    own = [k for k in shown.op.kernels if k.combination == shown.combination and not k.body]
    return any(in_slices(shown.op, kernel) and keeps(shown.op, kernel) for kernel in own)


def _lanes(snippet: Snippet) -> int:
    """Elements of a step: a whole vector of the narrowest tensor."""
    return 1024 // min(operand.storage.bits for operand in (*read_inputs(snippet), *snippet.outputs))


def _words(candidate: Candidate, arch: str) -> str:
    if candidate.lowered is None:
        return f"cannot: {candidate.why}"
    estimate = packets(candidate.lowered, arch)
    oldest = candidate.lowered.arch
    since = f", v{oldest} and later" if oldest > architecture(arch) and not candidate.lowered.float_unit else ""
    return f"{estimate.per_128:.2f} packets: {candidate.lowered.title}; {candidate.lowered.error}{since}"


def _costs(shown: Shown, chosen: Candidate) -> list[tuple[str, str]]:
    lowered = chosen.lowered
    assert lowered is not None
    estimate = packets(lowered, shown.arch)
    on = f"at least on {shown.arch}"
    bound = f"{on}, bound by {estimate.limit}"
    counted = "output" if estimate.stores else "input"  # what is stored once for a column or row is not in the loop
    if lowered.float_unit:  # its functions count as they were measured alone, which is no floor
        on = f"or so on v{max(architecture(shown.arch), lowered.arch)}"
        bound = f"{on} (of the compiled loop: opkg bench)"
    slots = lowered.slots if isinstance(lowered, Loops) else None
    fixed, halves = slots is not None and bool(slots.text), slots is not None and slots.floats
    older = lowered.float_unit and architecture(shown.arch) < lowered.arch
    words = "several times that, in whole numbers" + (", for rows of more than 4096 elements" if fixed else "")
    words += ", row by row" if halves else ""
    numbers = numbers_of(lowered, False) if isinstance(lowered, Loops) else None
    of_one = slots is not None and halves and slots.fewest == 1
    few = f"are fewer than {slots.fewest} rows" if slots is not None and slots.fewest > 2 else "is one row only"
    alone = "" if of_one or (numbers is not None and numbers.in_loops) else f" or there {few},"
    beside = f"{' or the row is longer,' if fixed else alone} in each row in {'single' if fixed else 'double'}"
    found = [allocation for _, _, allocation in allocations(lowered)]
    vectors, predicates = (max(getattr(a, kind) for a in found) for kind in ("vectors", "predicates"))
    spilled = sum(len(allocation.spills) for allocation in found)
    scalar, several = has_numbers(lowered)
    return [
        ("step", f"{lowered.step} elements, {estimate.instructions} instructions, "
                 f"{_many(estimate.loads, 'load')}, {_many(estimate.stores, 'store')}"),
        ("registers", f"{vectors} of {VECTORS} vectors, {predicates} of {PREDICATES} predicates"
                      + (f", {spilled} values spilled" if spilled else "")),
        ("packets", f"{estimate.per_128:.2f} per 128 bytes of {counted} {bound}"),
        *([("", f"on {shown.arch} {words}: HVX has floating point from v{lowered.arch} on")] if older else []),
        *_call(shown, lowered, on),
        *_slices(shown),
        *([("", f"and, in each row, its numbers in double precision (up to {NUMBERS:,} packets)")] if scalar else []),
        *([("", f"and, for up to {TOGETHER[1]} rows together, their numbers (about {TOGETHER[0]} packets);")] if several else []),
        *([("", f"where these are not exact enough,{beside} precision (up to {NUMBERS:,} packets)")] if several else []),
    ]  # fmt: skip


def _many(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def allocations(lowered: Lowered | Loops) -> list[tuple[str, Sequence[Inst], Allocation]]:
    """The loops of a kernel: title, instructions, registers."""
    if isinstance(lowered, Lowered):
        return [("", [*lowered.setup, *turn_of(lowered)], of_lowered(lowered))]
    return [(loop.title, [*loop.setup, *loop.body], of_loop(loop)) for loop in lowered.loops]


def _graph(shown: Shown) -> list[str]:
    return graph_lines(shown.written)


def _canonical(shown: Shown) -> list[str]:
    names = [operand.name for operand in shown.snippet.inputs if operand.may_broadcast]
    return graph_lines(shown.snippet.graph, classify_nodes(shown.snippet.graph, names))


def _linear(shown: Shown) -> list[str]:
    try:
        code, shapes, assumed = linear_of(shown.op, shown.snippet, shown.given)
    except ShapeError as failure:
        if shown.given:
            raise
        return [f"not known before a call: {failure}"]
    loops = schedule(code, _lanes(shown.snippet))
    note = [f"shapes: {assumed}"] if assumed else [f"{name} {text_of(shape)}" for name, shape in shapes.items()]
    return [", ".join(note), *linear_lines(code, shown.snippet.graph, loops)]


def _registers(shown: Shown) -> list[str]:
    chosen = best(candidates(shown.snippet))
    if chosen is None or chosen.lowered is None:
        return ["portable code: what it needs is up to the compiler"]
    lines = [f"{chosen.strategy}: {chosen.lowered.title}"]
    for title, insts, allocation in allocations(chosen.lowered):
        lines += [f"loop: {title}"] if title else []
        lines += register_lines(insts, allocation)
        lines.append(f"{allocation.vectors} vectors and {allocation.predicates} predicates live at most")
    return lines
