"""Runs cases of one package: a model around each call is exported, quantized, lowered and executed; writes what came out.

Options: --cases FILE --results FILE --out FILE [--from N]. The files are those of opkg's other runners (docs/design/case-format.md,
"Results"); the file of cases is JSON (opkg/verify/executorch/calls.py). Exit 2: the package cannot be used at all.
"""

from __future__ import annotations

import argparse
import importlib
import json
import time
import traceback
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from . import observe
from .capture import captured

MOST_LOG = 40


class Refused(Exception):
    """A case that did not come to its end: `status` and `stage` of the record, and what is known."""

    def __init__(self, status: str, stage: str, message: str) -> None:
        super().__init__(message)
        self.status, self.stage = status, stage


class Runner:
    """The cases of one file."""

    def __init__(self, described: Mapping[str, Any], folder: Path) -> None:
        observe.start(described["observer"])
        self.log = folder / "case.log"
        self.data = Path(described["data"]).read_bytes()
        self.package = importlib.import_module(described["module"])
        self.package.register()
        self.info = self.package.package_info(described["library"])

    def run(self, case: Mapping[str, Any]) -> dict[str, Any]:
        """The record of a case; `outputs` hold arrays."""
        begun = time.monotonic()
        stage = ["export"]
        record: dict[str, Any]
        said: list[str] = []
        with captured(self.log):
            try:
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    record = {"status": "ok", **self._result(case, stage, said)}
            except Refused as refused:
                record = {"status": refused.status, "stage": refused.stage, "message": str(refused)}
            except Exception as failure:
                record = {"status": "error", "stage": stage[0], "message": _one_line(failure)}
                traceback.print_exc()
        said += [str(each.message) for each in caught]
        record["log"] = _log(said, self.log)
        record["us"] = int((time.monotonic() - begun) * 1e6)
        return record

    def _result(self, case: Mapping[str, Any], stage: list[str], said: list[str]) -> dict[str, Any]:
        import torch

        from . import lowering, models, qdq

        arguments = models.read_arguments(case["arguments"], self.data)
        namespace, name, _ = case["torch"].split(".")
        op = getattr(getattr(torch.ops, namespace), name)
        with torch.no_grad():
            plain = models.Model(op, arguments, "alone", ())
            outputs = plain(*plain.given)
            model = models.Model(op, arguments, case["around"], outputs).eval()
            inputs = tuple(model.given)
            mode = case["mode"]
            wanted: Any = model
            if mode == "float" and case["around"] != "alone":
                inputs = tuple(each.half().float() if each.is_floating_point() else each for each in inputs)
            if mode != "float":
                stage[0] = "quantize"
                wanted = lowering.quantize(model, inputs, mode)
                inputs = qdq.on_grid(wanted, inputs)
            expected = wanted(*inputs)
        stage[0] = "lower"
        lowered = lowering.lower(wanted, inputs, mode, [self.info])
        said += lowered.warnings
        self._check_delegated(case, lowered, said)
        stage[0] = "execute"
        before = observe.counts()
        results = lowering.execute(lowered.pte, inputs)
        called = _called(observe.since(before), case["kernels"])
        if not called:
            raise Refused("error", "kernel", f"{case['torch']} is in a delegate, but no kernel of {case['op']} was called")
        grids = qdq.grids(wanted, len(expected)) if mode != "float" else [None] * len(expected)
        pairs = zip(case["outputs"], results, expected, grids, strict=True)
        return {
            "kernels": [{"op": case["op"], "kernel": each} for each in called],
            "outputs": [array for output, *found in pairs for array in _arrays(output, *found)],
        }

    def _check_delegated(self, case: Mapping[str, Any], lowered: Any, said: list[str]) -> None:
        name = case["torch"]
        if name in lowered.on_cpu:
            own = [text for text in said if "is not delegated" in text or "stays in floating point" in text]
            raise Refused("rejected", "delegate", own[0] if own else f"{name} was left on the CPU")
        if name not in lowered.delegated:
            found = ", ".join(dict.fromkeys((*lowered.delegated, *lowered.on_cpu))) or "nothing"
            raise Refused("error", "delegate", f"{name} was decomposed: the program has {found}")
        if lowered.on_cpu:
            others = ", ".join(dict.fromkeys(lowered.on_cpu))
            said.append(f"beside the op, on the CPU: {others}")


def _called(counts: Mapping[str, int], prefix: str) -> list[str]:
    """Functions of an op's kernels that were called; `prefix`: package::Op/."""
    return [name.removeprefix(prefix) for name, count in counts.items() if name.startswith(prefix) and count]


def _arrays(output: str, result: Any, expected: Any, grid: Any) -> list[tuple[str, Any]]:
    """What an output was, what it should be and, of a quantized one, scale, zero point and ends: float64 numbers."""
    import torch

    found = [(output, result), (f"{output} expected", expected)]
    found += [(f"{output} grid", torch.tensor(grid, dtype=torch.float64))] if grid is not None else []
    return [(name, each.detach().to(torch.float64).contiguous().numpy()) for name, each in found]


def _one_line(failure: BaseException) -> str:
    text = " ".join(str(failure).split())
    return f"{type(failure).__name__}: {text}"[:600]


def _log(said: list[str], path: Path) -> list[dict[str, str]]:
    lines = [{"level": "warning", "text": " ".join(text.split())[:400]} for text in dict.fromkeys(said)]
    text = path.read_text(encoding="utf-8", errors="replace")
    raw = [line.strip() for line in text.splitlines() if line.strip()]
    lines += [{"level": "error" if "rror" in line else "log", "text": line[:400]} for line in dict.fromkeys(raw)]
    return sorted(lines, key=lambda line: line["level"] == "log")[:MOST_LOG]


def _write(record: dict[str, Any], results: TextIO, out: BinaryIO) -> None:
    """One line, whose text is bytes of UTF-8 as the other runners write it, after the numbers that it names."""
    described = []
    for name, array in record.pop("outputs", ()):
        described.append({"name": name, "dims": list(array.shape), "offset": out.tell(), "size": array.nbytes})
        out.write(array.tobytes())
    out.flush()
    record["outputs"] = described
    results.write(json.dumps(_latin(record)) + "\n")
    results.flush()


def _latin(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", errors="replace").decode("latin-1")
    if isinstance(value, dict):
        return {key: _latin(each) for key, each in value.items()}
    return [_latin(each) for each in value] if isinstance(value, list) else value


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("--cases", "--results", "--out"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--from", type=int, default=0, dest="start")
    options = parser.parse_args()
    described = json.loads(options.cases.read_text(encoding="utf-8"))
    with options.results.open("w", encoding="utf-8") as results, options.out.open("wb") as out:
        try:
            runner = Runner(described, options.results.parent)
        except Exception as failure:
            traceback.print_exc()
            _write({"case": -1, "status": "error", "stage": "register", "message": _one_line(failure)}, results, out)
            return 2
        for number, case in enumerate(described["cases"][options.start :], options.start):
            record = {"case": number, **runner.run(case)}
            _write(record, results, out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
