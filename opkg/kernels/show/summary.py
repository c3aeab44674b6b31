"""What `opkg kernel show` says of a kernel in short, for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from opkg.kernels.choose import Candidate, best, candidates
from opkg.kernels.cost import packets
from opkg.kernels.linear.stats import walks
from opkg.kernels.show.stages import Shown, allocations, loops_at_a_shape, operations, sliced
from opkg.kernels.snippet import Operand
from opkg.kernels.snippets import read_inputs

Object = dict[str, object]


def kernel_object(shown: Shown, package: str) -> Object:
    """One kernel as JSON. `packets`: per 128 bytes of output. `chosen` null: portable code. `condition`: when the chosen
    strategy runs; null: always. `call`: packets of its loops in a call of the given shapes; null: not all are given.
    `slices`: its calls run on several threads where tensors are large."""
    snippet = shown.snippet
    verdict = shown.classified
    walked = walks(snippet.graph)
    found = candidates(snippet)
    chosen = best(found)
    return {
        "package": package,
        "op": shown.op.name,
        "function": snippet.function,
        "types": {name: dtype.name for name, dtype in shown.combination.types},
        "absent": sorted(snippet.missing),
        "compute": snippet.text,
        "inputs": [_tensor(operand) for operand in read_inputs(snippet)],
        "outputs": [_tensor(operand) for operand in snippet.outputs],
        "operations": {"written": operations(shown.written), "canonical": operations(snippet.graph)},
        "layout": {"class": str(verdict.layout), "why": verdict.why},
        "memory_walks": {"before": walked.before, "after": walked.after, "shrink": round(walked.shrink, 3)},
        "arch": shown.arch,
        "strategies": [_strategy(candidate, shown.arch) for candidate in found],
        "chosen": chosen.strategy if chosen is not None else None,
        "call": loops_at_a_shape(shown, chosen.lowered if chosen is not None else None),
        "slices": sliced(shown),
        "condition": snippet.condition or None,
        "refused": shown.refused or None,
        "registers": _registers(chosen),
    }


def _tensor(operand: Operand) -> Object:
    return {
        "name": operand.name,
        "dtype": operand.dtype.name,
        "stored": operand.storage.value,
        "may_broadcast": operand.may_broadcast,
    }


def _strategy(candidate: Candidate, arch: str) -> Object:
    lowered = candidate.lowered
    if lowered is None:
        return {"name": candidate.strategy, "packets": None, "why": candidate.why}
    estimate = packets(lowered, arch)
    return {
        "name": candidate.strategy,
        "packets": round(estimate.per_128, 3),
        "title": lowered.title,
        "error": lowered.error,
        "arch": f"v{lowered.arch}",
        "step": lowered.step,
        "instructions": estimate.instructions,
        "loads": estimate.loads,
        "stores": estimate.stores,
        "bound_by": estimate.limit,
    }


def _registers(chosen: Candidate | None) -> Mapping[str, object] | None:
    if chosen is None or chosen.lowered is None:
        return None
    found = [allocation for _, _, allocation in allocations(chosen.lowered)]
    spills: Sequence[str] = [name for allocation in found for name in allocation.spills]
    return {
        "vectors": max(allocation.vectors for allocation in found),
        "predicates": max(allocation.predicates for allocation in found),
        "spills": len(spills),
    }
