"""Counts which of QNN's operators can be said in `compute:`, and writes docs/qnn-operators.md.

python scripts/said.py            # the count; exit code 1 if the page is not what it would be
python scripts/said.py --write

An operator is said whole by a spec of tests/said/qnn.yaml with its inputs and params, in part by one of in_part.yaml, or
not, for a reason of reasons.tsv. The operators are those of tests/imports/data/qnn-ops.tsv.
"""

from __future__ import annotations

import sys
from pathlib import Path

from opkg.kernels.portable.check import check
from opkg.spec.compute.printing import text_of
from opkg.spec.compute.tree import PLACES, Call, Function, Move, Node, Reduce, Reduction, children
from opkg.spec.model import Op
from opkg.spec.reader import read

ROOT = Path(__file__).resolve().parent.parent
SAID = ROOT / "tests" / "said"
PAGE = ROOT / "docs" / "qnn-operators.md"
# What the language did not have at first; activations had longer forms.
NEWER = frozenset((Function.SIN, Function.COS, Function.ASIN, Function.ATAN))


def operators() -> list[str]:
    """QNN's operators, by name."""
    lines = (ROOT / "tests" / "imports" / "data" / "qnn-ops.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return sorted({row[0] for row in rows if row[1] == "op" and row[0] != "op"})


def specs(name: str) -> dict[str, Op]:
    """The ops of a spec that must be right."""
    package, findings = read((SAID / name).read_bytes(), name)
    assert package is not None, [finding.message for finding in findings if finding.is_error]
    return {op.name: op for op in package.ops}


def reasons() -> dict[str, str]:
    lines = (SAID / "reasons.tsv").read_text(encoding="utf-8").splitlines()
    return {name: why for name, _, why in (line.partition("\t") for line in lines)}


def is_newer(op: Op) -> bool:
    """Whether a computation needs what the language did not have at first."""
    assert op.compute is not None
    todo: list[Node] = [statement.expr for statement in op.compute.statements]
    while todo:
        node = todo.pop()
        along = isinstance(node, Reduce) and (node.op in PLACES or node.op is Reduction.CUMSUM)
        if along or isinstance(node, Move) or (isinstance(node, Call) and node.function in NEWER):
            return True
        todo += children(node)
    return False


def counted() -> str:
    """The count, in a sentence."""
    whole, part = specs("qnn.yaml"), specs("in_part.yaml")
    first = sum(not is_newer(op) for op in whole.values())
    kernels = sum(not check(op) for op in whole.values())
    return (
        f"Of {len(operators())} operators, {len(whole)} are said whole ({first} without `sin`, `cos`, `asin`, `atan`, `argmax`, "
        f"`argmin`, `cumsum`, `concat`, `transpose`, `take`, `tile` and slices), {len(part)} more in part, {len(reasons())} not. "
        f"Kernels are generated for {kernels} of those that are said whole."
    )


def page() -> str:
    """The page with all operators."""
    whole, part, why = specs("qnn.yaml"), specs("in_part.yaml"), reasons()
    lines = [
        "# QNN's operators in `compute:`", "", counted(), "",
        "Written by `python scripts/said.py --write` from specs that tests hold against numpy (tests/said).", "",
        "| operator | said by |", "| --- | --- |",
    ]  # fmt: skip
    for name in operators():
        op = whole.get(name) or part.get(name)
        if op is None or op.compute is None:
            lines.append(f"| {name} | no: {why[name]} |")
            continue
        text = text_of(op.compute).replace("|", "\\|").replace("\n", "`<br>`")
        lines.append(f"| {name} | {'' if name in whole else f'{op.summary}: '}`{text}` |")
    return "\n".join([*lines, ""])


def main() -> int:
    print(counted())
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    return 0 if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page() else 1


if __name__ == "__main__":
    sys.exit(main())
