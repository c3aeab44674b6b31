"""Fused ops of a model, on a terminal: a table of patterns, why other nodes are not fused, and how the proof went."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.fuse.api import Proof
from opkg.fuse.ends import EndToEnd, OnMachine
from opkg.fuse.find import Found
from opkg.fuse.fused import FusedOp
from opkg.report.bench_text import table
from opkg.report.findings_text import visible
from opkg.report.paint import Paint, plain
from opkg.report.verify_words import plural

HEAD = ("op", "places", "ops", "bytes before", "after", "times", "packets before", "after", "computes")
MOST_OPS = 12
MOST_NAMES = 4


def render(found: Found, paint: Paint = plain) -> str:
    """The table of ops, why other nodes are not fused, and totals."""
    parts = []
    if found.ops:
        parts.append(table([HEAD, *map(_line, found.ops)], paint, left=(0, 8)))
    if any(op.numbers for op in found.ops):
        parts.append("+: and, in each row, its numbers in double precision, which are in no figure here")
    if left := _left(found):
        parts.append("not fused:\n" + "\n".join(f"  {line}" for line in left))
    places = sum(len(op.places) for op in found.ops)
    fused = sum(len(op.places) * len(op.ops) for op in found.ops)
    parts.append(
        f"{plural(len(found.model.nodes), 'node')}: {fused} become {plural(places, 'node')} of "
        f"{plural(len(found.ops), 'fused op')}, {len(found.model.nodes) - fused + places} are left; "
        f"{found.before:,} bytes moved, {found.after:,} after" + _times(found.before, found.after, ": {} times fewer")
    )
    return "\n\n".join(parts) + "\n"


def _times(before: float, after: float, text: str) -> str:
    return text.format(f"{before / after:.2f}") if 0 < after < before else ""


def words(op: FusedOp) -> str:
    """The ops that it takes in."""
    more = f" ... ({len(op.ops)})" if len(op.ops) > MOST_OPS else ""
    return visible(" ".join(op.ops[:MOST_OPS]) + more)


def _line(op: FusedOp) -> tuple[str, ...]:
    moved = (f"{op.before:,}", f"{op.after:,}", f"{op.before / op.after:.2f}")
    return (op.name, str(len(op.places)), str(len(op.ops)), *moved, *packets(op), words(op))


def packets(op: FusedOp) -> tuple[str, str]:
    """Of the loops, before and after; "+": and numbers of rows."""
    before, after = (f"{round(count):,}" for count in op.packets)
    return before, after + ("+" if op.numbers else "")


def reasons(found: Found) -> dict[tuple[str, str], list[str]]:
    """The names of nodes that are not fused, by op and reason."""
    groups: dict[tuple[str, str], list[str]] = {}
    for number, reason in found.left.items():
        node = found.model.nodes[number]
        groups.setdefault((node.op, reason), []).append(node.name)
    return groups


def _left(found: Found) -> Iterator[str]:
    for (op, reason), names in reasons(found).items():
        more = f", {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        yield visible(f"{op} ({', '.join(names[:MOST_NAMES])}{more}): {reason}")


def proved(proof: Proof) -> str:
    """How near the computations are to the runtime, and what kernels gave for the values of the model."""
    lines = []
    for name in dict.fromkeys(each.op for each in proof.against):
        mine = [each for each in proof.against if each.op == name]
        worst = max(mine, key=lambda each: each.error / (each.allowed or 1.0))
        amount = f"{worst.error:.2g} lsb" if worst.unit else f"{worst.error:.1e} of the largest value"
        verdict = "" if worst.ok else "  FAILS"
        if apart := max(each.apart for each in mine):
            amount += f" when it rounds in between as the model does, by {apart:.0f} lsb as it is,"
        lines.append(f"{name} beside {proof.runtime}: {plural(len(mine), 'result')}, off by {amount} at most{verdict}")
    lines += [visible(f"{each.op} at {each.place}: NOT PROVED, {each.why}") for each in proof.left]
    return "\n".join(lines)


def kernels(proof: Proof) -> str:
    """What the kernels gave on each machine, one line per op."""
    lines = []
    for cell in proof.verified.cells:
        verdict = plural(len(cell.failures), "failure")
        counted = f"{plural(len(cell.outcomes), 'case')}, {verdict}"
        lines.append(f"{cell.op} ({cell.types}) on {cell.column.label}: {counted}, off by {cell.text()}, {cell.code}")
    skipped = (f"{column.label}: not run, {column.reason}" for column in proof.verified.columns if not column.ran)
    return "\n".join([*lines, *skipped])


def ended(end: EndToEnd, runtime: str) -> str:
    """The rewritten model."""
    lines = [f"{end.file}: {end.nodes[0]} nodes before, {end.nodes[1]} after"] if end.file else []
    for name, off, fused, largest in end.outputs:
        apart = f", by {fused:.3g} without the rounding in between" if fused != off else ""
        lines.append(
            f"  {visible(name)} in {runtime}: differs by {off:.3g} at most{apart}, largest value {largest:.3g}"
        )
    return "\n".join([*lines, *map(_machine, end.runs)])


def _machine(run: OnMachine) -> str:
    """The model on a machine, as it was and with the fused ops."""
    before, after = (f"{count} operators" if count is not None else "not run" for count in run.operators)
    errors = (f"off by {100 * share:.2g}% of the range" if share is not None else "" for share in run.errors)
    sides = [", ".join(part for part in pair if part) for pair in zip((before, after), errors, strict=True)]
    calls = "" if run.kernels is None else f", {plural(sum(run.kernels.values()), 'call')} of their kernels"
    lines = [
        f"{run.machine}: as it was {sides[0]}; with fused ops {sides[1]}",
        f"  {run.placed[0]} of {plural(run.placed[1], 'place')} there{calls}",
    ]
    return "\n".join([*lines, f"  {visible(run.note)}"] if run.note else lines)
