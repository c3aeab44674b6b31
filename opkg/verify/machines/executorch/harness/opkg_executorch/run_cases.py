"""Runs cases of one package: a model around each call is exported, quantized, lowered and executed; writes what came out.

Options: --cases FILE --results FILE --out FILE [--from N] [--soc NUMBER] [--keep FOLDER]: for which SoC, by QNN's number, and
where the programs go that ran (keeping.py). Results are written as opkg's other runners do it
(docs/design/case-format.md); the file of cases is JSON (opkg/verify/machines/executorch/calls.py). Exit 2: the package cannot be
used at all.
"""

from __future__ import annotations

import argparse
import importlib
import json
import time
import traceback
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from opkg_executorch import observe
from opkg_executorch.capture import captured
from opkg_executorch.records import Refused, log_lines, one_line, write


class Runner:
    """The cases of one file."""

    def __init__(self, described: Mapping[str, Any], folder: Path, soc: int | None, keep: Path | None) -> None:
        observe.start(described["observer"])
        self.folder, self.soc, self.keep = folder, soc, keep
        self.data = Path(described["data"]).read_bytes()
        self.package = importlib.import_module(described["module"])
        self.package.register()
        self.library = described["library"]
        self.infos = self.package.package_info(described["library"])

    def run(self, number: int, case: Mapping[str, Any]) -> dict[str, Any]:
        """The record of a case; `outputs` hold arrays. A case that ends the process leaves a log."""
        begun = time.monotonic()
        log = self.folder / f"case.{number}.log"
        stage = ["export"]
        record: dict[str, Any]
        said: list[str] = []
        with captured(log):
            try:
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    record = {"status": "ok", **self._result(number, case, stage, said)}
            except Refused as refused:
                record = refused.record
            except Exception as failure:
                traceback.print_exc()
                said += getattr(failure, "__notes__", ())
                own = self._own_words(said)
                record = {
                    "status": "rejected" if own else "error",
                    "stage": stage[0],
                    "message": own or one_line(failure),
                }
        said += [str(each.message) for each in caught]
        record["log"] = log_lines(said, log)
        log.unlink()
        record["us"] = int((time.monotonic() - begun) * 1e6)
        return record

    def _result(self, number: int, case: Mapping[str, Any], stage: list[str], said: list[str]) -> dict[str, Any]:
        import torch

        from opkg_executorch import keeping, lowering, models, qdq

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
                inputs = tuple(models.in_float16(each) if each.is_floating_point() else each for each in inputs)
            if mode != "float":
                stage[0] = "quantize"
                wanted = lowering.quantize(model, inputs, mode)
                inputs = qdq.on_grid(wanted, inputs)
            expected = wanted(*inputs)
        stage[0] = "lower"
        lowered = lowering.lower(wanted, inputs, mode, self.infos, self.soc or lowering.SOC)
        said += lowered.warnings
        self._check_delegated(case, lowered, said)
        stage[0] = "execute"
        before, elements = observe.counts(), observe.elements(self.library)
        results = lowering.execute(lowered.pte, inputs)
        called = _called(observe.since(before), case["kernels"])
        vector, portable = (now - old for now, old in zip(observe.elements(self.library), elements, strict=True))
        if not called:
            raise Refused(
                "error", "kernel", f"{case['torch']} is in a delegate, but no kernel of {case['op']} was called"
            )
        arrays = [each for found in zip(case["outputs"], results, expected, strict=True) for each in _arrays(*found)]
        grids = [None] * len(expected) if mode == "float" else qdq.grids(wanted, len(expected))
        if mode != "float":
            own = qdq.own_scale(wanted, case["torch"], len(expected))
            arrays += [each for found in zip(case["outputs"], grids, own, strict=True) for each in _scales(*found)]
        if self.keep is not None:
            keeping.keep(self.keep / str(number), lowered, inputs, expected, grids)
        kernels = [{"op": case["op"], "kernel": each} for each in called]
        return {"kernels": kernels, "vector": vector, "portable": portable, "outputs": arrays}

    def _own_words(self, said: Iterable[str]) -> str:
        """Why the package's builder or its rule for the quantizer did not take a node; empty when they say nothing."""
        words = ("is not delegated", "stays in floating point", "is left to the backend's own builder")
        own = [text for text in said if f"[{self.package.PACKAGE_NAME}]" in text and any(w in text for w in words)]
        return own[0] if own else ""

    def _check_delegated(self, case: Mapping[str, Any], lowered: Any, said: list[str]) -> None:
        name = case["torch"]
        if name in lowered.on_cpu:
            raise Refused("rejected", "delegate", self._own_words(said) or f"{name} was left on the CPU")
        if name not in lowered.delegated:
            found = ", ".join(dict.fromkeys((*lowered.delegated, *lowered.on_cpu))) or "nothing"
            raise Refused("error", "delegate", f"{name} was decomposed: the program has {found}")
        if lowered.on_cpu:
            others = ", ".join(dict.fromkeys(lowered.on_cpu))
            said.append(f"beside the op, on the CPU: {others}")


def _called(counts: Mapping[str, int], prefix: str) -> list[str]:
    """Functions of an op's kernels that were called; `prefix`: package::Op/."""
    return [name.removeprefix(prefix) for name, count in counts.items() if name.startswith(prefix) and count]


def _arrays(output: str, result: Any, expected: Any) -> list[tuple[str, Any]]:
    """What an output was and what it should be: float64 numbers."""
    import torch

    found = [(output, result), (f"{output} expected", expected)]
    return [(name, each.detach().to(torch.float64).contiguous().numpy()) for name, each in found]


def _scales(output: str, grid: Any, own: float | None) -> list[tuple[str, Any]]:
    """Of a quantized output: scale, zero point and ends, and the scale that the op itself gives it."""
    import numpy as np

    found = [(f"{output} grid", grid), (f"{output} own", None if own is None else [own])]
    return [(name, np.asarray(each, dtype=np.float64)) for name, each in found if each is not None]


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("--cases", "--results", "--out"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--from", type=int, default=0, dest="start")
    parser.add_argument("--soc", type=int)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    described = json.loads(options.cases.read_text(encoding="utf-8"))
    with options.results.open("w", encoding="utf-8") as results, options.out.open("wb") as out:
        try:
            runner = Runner(described, options.results.parent, options.soc, options.keep)
        except Exception as failure:
            traceback.print_exc()
            write({"case": -1, "status": "error", "stage": "register", "message": one_line(failure)}, results, out)
            return 2
        for number, case in enumerate(described["cases"][options.start :], options.start):
            record = {"case": number, **runner.run(number, case)}
            write(record, results, out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
