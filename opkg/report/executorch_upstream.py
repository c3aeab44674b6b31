"""Upstream's operator tests with generated builders: a table, or JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence

from opkg.report.paint import Paint, plain
from opkg.verify.machines.executorch.upstream_tests import Verdict

_HEAD = ("op", "upstream test", "stock", "ours", "nodes")
_GOOD = ("passed", "not ours", "skipped")


def table(verdicts: Sequence[Verdict], ops: Mapping[str, str], paint: Paint = plain) -> str:
    """A line for each op and test; `nodes`: how many of the op's nodes our builder made, of those that there were."""
    lines: list[tuple[tuple[str, ...], Verdict]] = []
    for verdict in verdicts:
        for op, (made, left) in _by_op(verdict, ops).items():
            nodes = str(made) if not left else f"{made} of {made + left}"
            lines.append(((op, short(verdict.ran.test), verdict.stock, verdict.word, nodes), verdict))
    lines.sort(key=lambda line: line[0])
    widths = [max(len(row[at]) for row in [_HEAD, *(cells for cells, _ in lines)]) for at in range(len(_HEAD))]
    text = [_line(_HEAD, widths)]
    for cells, verdict in lines:
        line = _line(cells, widths)
        text.append(paint(line, "bad") if verdict.worse else line)
    return "\n".join([*text, "", summary(verdicts)]) + "\n"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def _by_op(verdict: Verdict, ops: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    """Nodes that our builders and others made, by op; `-` when there is none."""
    made, left = Counter[str](), Counter[str]()
    for nodes, counts in ((verdict.ran.ours, made), (verdict.ran.left, left)):
        for name, count in nodes.items():
            counts[ops.get(name, name)] += count
    return {op: (made[op], left[op]) for op in sorted({*made, *left})} or {"-": (0, 0)}


def short(test: str) -> str:
    """`float relu`, `quantized relu`."""
    group, _, name = test.partition(".")
    kind = "quantized" if "Quantized" in group else "float"
    return f"{kind} {name.removeprefix('test_qnn_backend_').removeprefix('test_')}"


def summary(verdicts: Sequence[Verdict]) -> str:
    """`12 tests: 11 passed, 1 failed; 1 is worse than with ExecuTorch's own builders`"""
    counts = Counter(verdict.word for verdict in verdicts)
    words = ", ".join(
        f"{count} {word}" for word, count in sorted(counts.items(), key=lambda pair: pair[0] not in _GOOD)
    )
    worse = sum(verdict.worse for verdict in verdicts)
    tests = f"{len(verdicts)} test{'s' if len(verdicts) != 1 else ''}"
    end = (
        f"{worse} worse than with ExecuTorch's own builders"
        if worse
        else "none worse than with ExecuTorch's own builders"
    )
    return f"{tests}: {words or 'none ran'}; {end}"


def as_json(verdicts: Sequence[Verdict], ops: Mapping[str, str]) -> str:
    """One object a line: test, op -> nodes, outcomes, message."""
    lines = []
    for verdict in verdicts:
        ran = verdict.ran
        lines.append(
            json.dumps(
                {
                    "test": ran.test,
                    "stock": verdict.stock,
                    "ours": verdict.word,
                    "worse": verdict.worse,
                    "nodes": {op: made for op, (made, _) in _by_op(verdict, ops).items() if made},
                    "left": dict(ran.left),
                    "others": dict(ran.others),
                    "reasons": list(ran.reasons),
                    "message": ran.message,
                    "seconds": ran.seconds,
                }
            )
        )
    return "".join(f"{line}\n" for line in lines)
