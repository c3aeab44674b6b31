"""Runs the models of one package's cases in ONNX Runtime: on the HTP with the op package, on the CPU, and ahead of time.

Options: --cases FILE --results FILE --out FILE [--from N]. The file of cases is JSON (opkg/verify/machines/onnxruntime/calls.py).
"""

from __future__ import annotations

import argparse
import importlib
import json
import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
from opkg_executorch import observe
from opkg_executorch.capture import captured
from opkg_executorch.records import Refused, log_lines, one_line, write

from opkg_onnxruntime import among, models, reason

ERRORS = 3


class Runner:
    """The cases of one file."""

    def __init__(self, described: Mapping[str, Any], folder: Path) -> None:
        observe.start(described["observer"])
        self.folder = folder
        self.data = Path(described["data"]).read_bytes()
        self.package = importlib.import_module(described["module"])
        self.sessions = importlib.import_module(f"{described['module']}.session")
        self.name, self.library = described["package"], described["library"]

    def run(self, place: int, case: Mapping[str, Any]) -> dict[str, Any]:
        """The record of a case; `outputs` hold arrays. A case that ends the process leaves a log."""
        begun = time.monotonic()
        log = self.folder / f"case.{place}.log"
        stage = ["model"]
        record: dict[str, Any]
        with captured(log):
            try:
                record = {"status": "ok", **self._result(place, case, stage)}
            except Refused as refused:
                record = refused.record
            except Exception as failure:
                traceback.print_exc()
                record = {"status": "error", "stage": stage[0], "message": one_line(failure)}
        record["log"] = log_lines([], log)
        log.unlink()
        record["us"] = int((time.monotonic() - begun) * 1e6)
        return record

    def _result(self, place: int, case: Mapping[str, Any], stage: list[str]) -> dict[str, Any]:
        model = models.model(case, self.package, self.data)
        given = {t["name"]: models.array(t, self.data) for t in case["inputs"] if not t["static"]}
        stage[0] = "session"
        session = self._session(model)
        placed = self.sessions.placement(session, model)
        if placed.elsewhere:
            raise Refused("rejected", "placement", f"{placed}: {self._reason(model, case)}")
        stage[0] = "execute"
        before, elements = observe.counts(), observe.elements(self.library)
        results = session.run(None, given)
        own = case["kernels"]
        called = [name.removeprefix(own) for name in observe.since(before) if name.startswith(own)]
        vector, portable = (now - old for now, old in zip(observe.elements(self.library), elements, strict=True))
        if not called:
            raise Refused("error", "kernel", f"{placed}, but no kernel of {case['op']} was called")
        names = [tensor["name"] for tensor in case["outputs"]]
        arrays = list(zip(names, results, strict=True))
        if self.package.OPS[case["op"]].functions:
            stage[0] = "function"
            arrays += [(f"{n} by function", each) for n, each in zip(names, self._on_cpu(model, given), strict=True)]
        if case["context"]:
            stage[0] = "context"
            self._ahead_of_time(model, given, results)
        if "around" in case:
            self._between_convolutions(case["around"], place)
        kernels = [{"op": case["op"], "kernel": each} for each in called]
        return {"kernels": kernels, "vector": vector, "portable": portable, "outputs": _bytes(arrays)}

    def _session(self, model: Any, **config: str) -> Any:
        options = ort.SessionOptions()
        options.log_severity_level = ERRORS
        ort.set_default_logger_severity(ERRORS)
        entries = {key.replace("__", "."): value for key, value in config.items()}
        return self.sessions.create_session(
            model, self.library, session_options=options, config=entries, required=False
        )

    def _on_cpu(self, model: Any, given: Mapping[str, Any]) -> list[Any]:
        options = ort.SessionOptions()
        options.log_severity_level = ERRORS
        found = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        return list(found.run(None, given))

    def _ahead_of_time(self, model: Any, given: Mapping[str, Any], expected: list[Any]) -> None:
        """Prepares the model into a file and runs that."""
        path = self._prepared(model)
        again = self._session(str(path)).run(None, given)
        if not all(np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in zip(again, expected, strict=True)):
            raise Refused("error", "context", "what was prepared ahead of time computes something else")

    def _prepared(self, model: Any) -> Path:
        """The file with the model prepared ahead of time; what was prepared before goes."""
        path = self.folder / "context.onnx"
        for old in self.folder.glob("context*"):
            old.unlink()
        config = {"ep__context_enable": "1", "ep__context_file_path": str(path), "ep__context_embed_mode": "0"}
        session = self._session(model, **config)
        placed = self.sessions.placement(session, model)
        if placed.elsewhere:
            raise Refused("error", "context", str(placed))
        if not path.is_file():
            raise Refused("error", "context", "no file was made")
        return path

    def _between_convolutions(self, case: Mapping[str, Any], place: int) -> None:
        """Prepares the call between convolutions, and these alone; the binaries stay in the folder, to be counted."""
        told: dict[str, Any] = {"forms": {}}
        for number, form in enumerate(["", *among.forms(case, self.package)]):
            name = f"around.{place}.{number}.bin"
            try:
                self._prepared(among.model(case, self.package, self.data, form))
                (binary,) = self.folder.glob("context*.bin")
                binary.rename(self.folder / name)
                given = {"file": name}
            except Exception as failure:
                traceback.print_exc()
                given = {"problem": one_line(failure)}
            if form:
                told["forms"][form] = given
            else:
                told["alone"] = given
        (self.folder / f"around.{place}.json").write_text(json.dumps(told), encoding="utf-8")

    def _reason(self, model: Any, case: Mapping[str, Any]) -> str:
        """Why the package refused a node: its own words, which show in the most verbose log only."""
        path = self.folder / "refused.onnx"
        path.write_bytes(model.SerializeToString())
        said = reason.reason(self.package.__name__, path, self.library, f"{self.name}: {case['op']} '")
        path.unlink()
        return said or "the provider did not take it, and does not say why"


def _bytes(arrays: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    return [(name, np.ascontiguousarray(each)) for name, each in arrays]


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
            write({"case": -1, "status": "error", "stage": "register", "message": one_line(failure)}, results, out)
            return 2
        for place, case in enumerate(described["cases"][options.start :], options.start):
            write({"case": place, **runner.run(place, case)}, results, out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
