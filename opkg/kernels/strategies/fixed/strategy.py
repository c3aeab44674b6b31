"""Quantized tensors in fixed point: within 1 step of the correctly rounded result, for every scale that `prepare` accepts.

The graph becomes forms (`fixed_forms`), each output one sum. Results of 8 bits are summed in 16-bit lanes of the output's
step times a power of two and narrowed with rounding and saturation; results of 16 bits are summed in 32-bit lanes.
docs/design/fixed-point.md has the error analysis; templates/qnn/hvx_fixed.h the numbers.
"""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.cost import body_packets
from opkg.kernels.lowered import Lowered
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.fixed import quotients, whole_sums
from opkg.kernels.strategies.fixed.atoms import ATOMS
from opkg.kernels.strategies.fixed.byte_decisions import HEADER as BYTES_HEADER
from opkg.kernels.strategies.fixed.cache import HEADERS as CACHE_HEADERS
from opkg.kernels.strategies.fixed.cache import kept_lines
from opkg.kernels.strategies.fixed.code import Code
from opkg.kernels.strategies.fixed.decisions import HEADER as DECIDE_HEADER
from opkg.kernels.strategies.fixed.forms import Forms
from opkg.kernels.strategies.fixed.guards import guarded
from opkg.kernels.strategies.fixed.masks import with_masks
from opkg.kernels.strategies.fixed.numbers import Unfit
from opkg.kernels.strategies.fixed.questions import question
from opkg.kernels.strategies.fixed.results import Results
from opkg.kernels.strategies.fixed.waves import HEADER as WAVES_HEADER
from opkg.kernels.strategies.fixed.whole_lanes import HEADER as WHOLE_HEADER
from opkg.kernels.strategies.fixed.whole_results import is_integer
from opkg.kernels.strategies.fixed.words import HEADER as WORDS_HEADER
from opkg.kernels.strategies.fixed.words import SUMS_HEADER as WORDS_OF_SUMS_HEADER
from opkg.spec.dtypes import Kind

HEADERS = ("opkg/hvx_fixed.h", "opkg/hvx_fixed_sum.h", "opkg/hvx_fixed_parts.h")
_SUMS = {"Sum", "WideSum"}
_WHOLES = {  # by the type of their numbers: a header, and what is done
    "Quotient": (quotients.HEADER, "whole numbers divided digit by digit"),
    "WholeSum": (whole_sums.HEADER, "sums in three words, rounded to whole numbers"),
    "Whole": (WHOLE_HEADER, ""),
    "WideCurve": (WORDS_HEADER, "smooth functions in cubics of 128 pieces"),
    "WaveCurve": (WAVES_HEADER, "waves in cubics of 128 pieces of a turn"),
    "WordCurve": (WORDS_OF_SUMS_HEADER, "smooth functions in cubics of 128 pieces"),
}
_SHORT_WIDE = 10  # instructions of a step with results of 16 bits up to which eight steps a turn cost less than four
_FULL = 7  # packets of a step
_LONG = 8  # steps of a turn at any address of products of sums: those of one step wait, of others they do not
_FREE = frozenset(("load", "store", "Q6_V_lo_W", "Q6_V_hi_W", "Q6_W_vcombine_VV"))


def lower(snippet: Snippet) -> Lowered | str:
    """The kernel in fixed point, or why there is none."""
    masked, held = with_masks(snippet)
    why = _refusal(masked)
    if why:
        return why
    try:
        found = _lower(masked)
    except Unfit as unfit:
        return str(unfit)
    return replace(found, prepare=(*held, *found.prepare), once=(*held, *found.once))


def _refusal(snippet: Snippet) -> str:
    graph = snippet.graph
    if graph.reductions:
        return "a reduction"
    read = [snippet.operand(name) for name in graph.inputs]
    for operand in (*read, *snippet.outputs):
        decided = operand in snippet.outputs and (operand.dtype.kind is Kind.BOOL or is_integer(operand))
        if not decided and (not operand.quantized or operand.storage.bits not in (8, 16)):
            return f"{operand.name} is {operand.dtype.name}, not quantized of 8 or 16 bits"
    if any(o.is_param for o in snippet.inputs):
        return "a tensor param"
    if not read:
        return "no input"
    return ""


def _lower(snippet: Snippet) -> Lowered:
    bytes_ = frozenset(o.name for o in snippet.inputs if o.storage.bits == 8)
    positive = frozenset(p.name for p in snippet.params if p.low is not None and p.low >= 0)
    graph, nonzero = guarded(snippet.graph, snippet.finite)
    snippet = replace(snippet, graph=graph)
    forms = Forms(graph, bytes_, positive, nonzero)
    pairs = any(question(graph, node) or whole_sums.rounded_sum(graph, node) for node in graph.nodes)
    pairs = pairs or any(atom.kind == "curve" for atom in forms.atoms)
    code = Code(snippet, forms, ATOMS, pairs)
    results = Results(code)
    results.count_uses()
    for result in snippet.graph.results:
        operand = snippet.operand(result.name)
        for part, vector in enumerate(results.stored(operand, result.node)):
            code.body.store(operand.name, vector, part)
    kinds = ((results.decisions, DECIDE_HEADER), (results.byte_decisions, BYTES_HEADER))
    decided = [header for decisions, header in kinds if decisions.used]
    made_of = {member.type.rpartition("::")[2] for member in code.members}
    wholes = [kind for kind in _WHOLES if kind in made_of]
    decided += [_WHOLES[kind][0] for kind in wholes]
    narrow = _narrow(snippet) and "WideSum" not in made_of
    sums = [f"fixed point in {'16' if narrow else '32'}-bit lanes"]
    titles = [*(sums if not wholes or made_of & _SUMS else []), *(_WHOLES[kind][1] for kind in wholes)]
    return Lowered(
        strategy="fixed",
        title=", ".join(filter(None, dict.fromkeys(titles))),
        error="exact" if results.exact else "within 1 step of the correctly rounded result",
        step=code.step,
        members=tuple(code.members),
        prepare=kept_lines(snippet, code.members, code.prepare),
        setup=tuple(code.setup.insts),
        body=tuple(code.body.insts),
        headers=(*HEADERS, *decided, *CACHE_HEADERS, *(("opkg/scalar.h",) if code.tables or forms.scalars else ())),
        arch=65,
        once=tuple(code.prepare),
        anywhere=_LONG if _squares(code) else 0,
        unroll=_turns(code, results.byte_decisions.used, _narrow(snippet)),
    )


def _squares(code: Code) -> bool:
    return any(inst.dest.startswith("square") for inst in code.body.insts)


def _deciding(code: Code) -> int:
    """The same of decisions about bytes: those that fill many packets have no registers for four."""
    return 4 if body_packets(code.body.insts).packets < _FULL else 2


def _turns(code: Code, decides: bool, narrow: bool) -> int:
    if any(inst.op.startswith((quotients.FUNCTION, whole_sums.FUNCTION)) for inst in code.body.insts):
        return 1
    return _deciding(code) if decides else _unroll(code, narrow)


def _unroll(code: Code, narrow: bool) -> int:
    """Turns at once: what was fastest for kernels of this size (docs/design/fixed-point.md)."""
    made = {inst.dest for inst in code.body.insts}
    patterns: set[str] = set()
    work = 0
    for inst in code.body.insts:
        if inst.op == "load":
            if inst.args[0] in code.patterns:
                patterns.add(inst.dest)
        elif inst.dest and all(arg in patterns or arg not in made for arg in inst.args):
            patterns.add(inst.dest)
        elif inst.op not in _FREE:
            work += 1
    if work > 14:
        return 2
    if not narrow:
        return 8 if work <= _SHORT_WIDE else 4
    several = any(o.may_broadcast for o in code.operands.values())  # a loop for every set of inputs that repeat
    if several:
        return 4
    return 8 if work <= (11 if _squares(code) else 8) else 4


def _narrow(snippet: Snippet) -> bool:
    return all(o.storage.bits == 8 for o in snippet.outputs)
