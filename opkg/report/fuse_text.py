"""Which ops of a model become one kernel, on a terminal: a table of subgraphs, and why other nodes are not taken."""

from __future__ import annotations

from collections.abc import Iterable

from opkg.models.model import Model
from opkg.models.partition.plan import Kernel, Plan
from opkg.report.bench_text import table
from opkg.report.findings_text import visible
from opkg.report.paint import Paint, plain
from opkg.report.verify_words import plural

HEAD = ("kernel", "ops", "in", "out", "shape", "bytes before", "after", "times", "computes")
MOST_OPS = 12  # of a kernel, shown
MOST_NAMES = 4  # of nodes that are left for one reason


def render(plan: Plan, most: int = 0, paint: Paint = plain) -> str:
    """The tables; at most `most` kernels (0: all)."""
    shown = plan.kernels[:most] if most else plan.kernels
    parts = []
    if shown:
        lines = [HEAD, *(_line(plan.model, number, kernel) for number, kernel in enumerate(shown, 1))]
        parts.append(table(lines, paint, left=(4, 8)))
    if len(shown) < len(plan.kernels):
        parts.append(paint(f"... {plural(len(plan.kernels) - len(shown), 'kernel')} more", "dim"))
    if left := _left(plan):
        parts.append("not taken:\n" + "\n".join(f"  {line}" for line in left))
    saved = f": {plan.before / plan.after:.2f} times fewer" if plan.after < plan.before else ""
    parts.append(
        f"{plural(len(plan.model.nodes), 'op')}, {plan.ops_after} with {plural(len(plan.kernels), 'kernel')} of several; "
        f"{plan.before:,} bytes moved, {plan.after:,} after{saved}"
    )
    return "\n\n".join(parts) + "\n"


def _line(model: Model, number: int, kernel: Kernel) -> tuple[str, ...]:
    shape = "x".join(map(str, model.tensor(kernel.outputs[0]).fixed or ())) if kernel.outputs else ""
    times = f"{kernel.before / kernel.after:.2f}" if kernel.after else "-"
    ops = [model.nodes[each].op for each in kernel.nodes]
    words = " ".join(ops[:MOST_OPS]) + (f" ... ({len(ops)})" if len(ops) > MOST_OPS else "")
    counts = (len(kernel.nodes), len(kernel.inputs), len(kernel.outputs))
    moved = (f"{kernel.before:,}", f"{kernel.after:,}", times)
    return (str(number), *map(str, counts), shape or "1", *moved, visible(words))


def _left(plan: Plan) -> Iterable[str]:
    """One line per op and reason."""
    groups: dict[tuple[str, str], list[str]] = {}
    for number, reason in plan.left.items():
        node = plan.model.nodes[number]
        groups.setdefault((node.op, reason), []).append(node.name)
    if plan.singles:
        for number in plan.singles:
            node = plan.model.nodes[number]
            groups.setdefault((node.op, "no neighbour to join"), []).append(node.name)
    lines = []
    for (op, reason), names in groups.items():
        more = f", {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        lines.append(visible(f"{op} ({', '.join(names[:MOST_NAMES])}{more}): {reason}"))
    return lines
