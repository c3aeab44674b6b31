"""Prepares graphs of convolutions with an op between them in the real backend, and counts what the op adds to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from opkg.kernels.blocks import why_flat
from opkg.spec.diagnostics import OpkgError, Span, error
from opkg.spec.model import Op, OpPackage
from opkg.spec.model_kernels import Layout
from opkg.verify.cases.case import Case
from opkg.verify.cases.casefile import Data
from opkg.verify.cases.reference import References
from opkg.verify.cases.shaped import shaped
from opkg.verify.graphs import chain
from opkg.verify.judge.results import RawResult
from opkg.verify.machines import build, context, execute
from opkg.verify.machines.hexagon.calls import why_no_blocks
from opkg.verify.machines.runners import runner
from opkg.verify.machines.table import RunFiles, choose
from opkg.verify.machines.toolchain import locked

INTERFACE = "qhpi"
SHAPE = (1, 32, 32, 32)
PAIRS = (1, 3, 8)
TIMEOUT = 60.0  # seconds of one graph


@dataclass(frozen=True, slots=True)
class Row:
    """One graph: Conv2d, then `pairs` times the op and Conv2d. `added`: names and numbers of the records that it has more
    (or, negative, fewer) than the convolutions alone; `conversions`: those of them that convert layouts."""

    op: str
    types: str
    shape: tuple[int, ...]
    pairs: int
    conversions: int = 0
    kernels: tuple[tuple[str, int], ...] = ()  # of the package, without its name
    added: tuple[tuple[str, int], ...] = ()  # others, without bookkeeping
    problem: str = ""  # why there are no figures
    why: str = ""  # conversions are added

    @property
    def per_op(self) -> float:
        """Conversions that one op adds."""
        return self.conversions / self.pairs


def measure(
    root: Path,
    package: OpPackage,
    op: Op,
    pairs: Sequence[int] = PAIRS,
    shapes: Sequence[tuple[int, ...]] = (SHAPE,),
    soc: int = 0,
) -> list[Row]:
    """A row per shape, combination of element types and number of pairs. `shapes`: of the op's inputs, where the spec
    allows them. `soc`: QNN's number of the SoC to prepare for; 0: none.

    Raises MissingTool without the backend or a compiler, OpkgError when the package cannot be built, its reference fails
    or the backend's context binaries are not those that are understood (OPK439).
    """
    (state,) = choose(("htp",), root)
    built = build.build(root, package, INTERFACE)
    if not built.ok or built.library is None:
        raise OpkgError(built.findings)
    folder = built.library.parent / "verify" / "graph"
    folder.mkdir(parents=True, exist_ok=True)
    graphs, rows = _graphs(root, package, op, pairs, shapes)
    data = Data(bytearray())
    lines = ["opkg-cases 1"]
    for number, graph in enumerate(graphs):
        lines += chain.Chain(package.name, data).text(number, graph.case, graph.pairs, graph.with_op)
    with locked(folder / ".lock"):
        paths = folder / "graph.cases", folder / "graph.bin"
        paths[0].write_text("\n".join(lines) + "\n", encoding="utf-8")
        paths[1].write_bytes(bytes(data.content))
        files = RunFiles(built.library, package.interface_provider, INTERFACE, *paths, TIMEOUT)
        command = state.machine.command(runner(state.machine.runner(INTERFACE), root), files)
        chosen = ("--soc", str(soc)) if soc else ()
        job = execute.Job(
            (*command, "--contexts", str(folder), *chosen), folder, "graph", len(graphs), TIMEOUT * 1.5 + 10
        )
        results = execute.run(job)
        found = [_records(result, folder / f"{number}.bin", op) for number, result in enumerate(results)]
    return _rows(op, graphs, results, found) + rows


@dataclass(frozen=True, slots=True)
class _Graph:
    case: Case
    pairs: int
    with_op: bool


def _graphs(
    root: Path, package: OpPackage, op: Op, pairs: Sequence[int], shapes: Sequence[tuple[int, ...]]
) -> tuple[list[_Graph], list[Row]]:
    """The graphs, each after the one without the op; and rows of element types that have none."""
    meaning = References(root).load(op, root / package.path)
    graphs, rows = [], []
    for shape, combination in product(shapes, op.combinations):
        case = shaped(op, combination, meaning, shape)
        problem = case if isinstance(case, str) else chain.unfit(case)
        if isinstance(case, str) or problem:
            rows.append(Row(op.name, str(combination), shape, 0, problem=problem))
            continue
        for count in pairs if chain.repeats(case) else (1,):
            graphs += [_Graph(case, count, with_op) for with_op in (False, True)]
    return graphs, rows


def _records(result: RawResult, binary: Path, op: Op) -> Counter[str] | None:
    """The records of a graph; None where it was not prepared."""
    if result.status != "ok":
        return None
    try:
        return context.records(binary.read_bytes())
    except context.NotUnderstood as reason:
        hint = "measured with QNN 2.49 and 2.51 (the libraries of onnxruntime-qnn 2.5.0 and 2.7.0)"
        message = f"the backend's context binary of a graph with {op.name} is not understood: {reason}"
        raise OpkgError([error("OPK439", message, Span(""), hint)]) from None
    finally:
        binary.unlink(missing_ok=True)


def _rows(
    op: Op, graphs: Sequence[_Graph], results: Sequence[RawResult], found: Sequence[Counter[str] | None]
) -> list[Row]:
    rows = []
    for at in range(0, len(graphs), 2):
        graph, alone, whole = graphs[at + 1], found[at], found[at + 1]
        types, shape = str(graph.case.combination), graph.case.inputs[0].shape
        if alone is None or whole is None:
            failed = results[at if alone is None else at + 1]
            logged = next((line.text for line in failed.log if line.level == "error"), "")
            rows.append(Row(op.name, types, shape, graph.pairs, problem=f"{failed.message} {logged}".strip()))
            continue
        rows.append(_row(graph, types, shape, alone, whole))
    return rows


def _row(graph: _Graph, types: str, shape: tuple[int, ...], alone: Counter[str], whole: Counter[str]) -> Row:
    names = sorted(name for name in {*alone, *whole} if alone[name] != whole[name])
    own = [name for name in names if "::" in name]
    others = [name for name in names if "::" not in name and not context.is_bookkeeping(name)]
    if not chain.repeats(graph.case):  # the convolution behind the op has no fellow in the graph without it
        others = [name for name in others if not name.startswith("ConvLayer")]
    return Row(
        graph.case.op.name, types, shape, graph.pairs, context.conversions(whole) - context.conversions(alone),
        tuple((name.rpartition("::")[2], whole[name]) for name in own),
        tuple((name, whole[name] - alone[name]) for name in others),
        why=_why(graph.case, own) if context.conversions(whole) > context.conversions(alone) else "",
    )  # fmt: skip


def _why(case: Case, kernels: Sequence[str]) -> str:
    """Why the op's kernel, one of those that the graph calls, does not take tensors as convolutions leave them."""
    twins = {replace(k, layout=Layout.CROUTON).label for k in case.op.kernels if k.also_blocks}
    in_blocks = twins | {k.label for k in case.op.kernels if k.layout is Layout.CROUTON}
    called = {name.rpartition("::")[2].partition("__")[0] for name in kernels}  # a record's name says more behind that
    if called and called <= in_blocks:
        return "kernels are in blocks: an input of the graph beside the convolutions' tensors is brought there, too"
    kernel = next(k for k in case.op.kernels if k.combination == case.combination)
    if not kernel.also_blocks:
        return f"layout: {kernel.layout}"
    return (
        why_flat(case.op, kernel)
        or why_no_blocks(case)
        or "blocks do not pay for these shapes, or a rule of the package looks for ops after tiling"
    )
