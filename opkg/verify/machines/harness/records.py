"""What processes share that run cases inside another runtime: time limits, failures, results. Python's library only.

Results are as docs/design/case-format.md has them.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any, BinaryIO, TextIO


class Clock:
    """Ends the process when a case takes too long; its record says so. What a kernel does cannot be stopped otherwise."""

    def __init__(self, seconds: float, results: TextIO) -> None:
        self._seconds, self._results = seconds, results
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()
        self._waits = False

    def start(self, case: int, name: str) -> None:
        self._waits = True
        self._timer = threading.Timer(self._seconds, self._end, (case, name))
        self._timer.daemon = True
        self._timer.start()

    def stop(self) -> None:
        with self._lock:
            self._waits = False
        if self._timer is not None:
            self._timer.cancel()

    def _end(self, case: int, name: str) -> None:
        message = f"no result after {self._seconds:g} s"
        record = {"case": case, "name": name, "status": "timeout", "stage": "execute", "message": message}
        with self._lock:
            if self._waits:
                self._results.write(json.dumps(record) + "\n")
                self._results.flush()
                os._exit(1)


class Failed(Exception):
    """A stage of a case failed."""

    def __init__(self, stage: str, code: int, message: str, status: str = "error") -> None:
        super().__init__(message)
        self.stage, self.code, self.message, self.status = stage, code, message, status


def loaded(load: Callable[..., Any], results: str, *arguments: str) -> Any:
    """What a library gives; a library that cannot be loaded is the result of every case."""
    try:
        return load(*arguments)
    except (OSError, AttributeError, ImportError, RuntimeError) as failure:
        record = {"case": -1, "status": "error", "stage": "load", "message": str(failure)}
        with open(results, "w", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
        sys.exit(3)


def arguments(names: Iterable[str]) -> argparse.Namespace:
    """The options of the command line: those that every process has, and `names`."""
    parser = argparse.ArgumentParser()
    for name in (*names, "cases", "data", "results", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--timeout", type=float, required=True)
    parser.add_argument("--from", dest="start", type=int, default=0)
    return parser.parse_args()


def _written(case: dict[str, Any], found: list[bytes], out: BinaryIO) -> list[dict[str, Any]]:
    records = []
    for tensor, raw in zip(case["outputs"], found, strict=bool(found)):
        place = {"offset": out.tell(), "size": len(raw)}
        records.append({"name": tensor["name"], "dtype": str(tensor["type"]), "dims": tensor["dims"], **place})
        out.write(raw)
    out.flush()
    return records


def run_all(
    given: argparse.Namespace, prepare: Callable[[TextIO], Callable[[int, dict[str, Any], bytes], dict[str, Any]]]
) -> None:
    """Runs the cases of the command line. `prepare` gives the function that makes the record of a case: `first` and
    `third` in it are the outputs' bytes of two calls."""
    with open(given.cases, encoding="utf-8") as file:
        cases = json.load(file)
    with open(given.data, "rb") as file:
        data = file.read()
    with open(given.results, "w", encoding="utf-8") as results, open(given.out, "wb") as out:
        clock = Clock(given.timeout, results)
        run = prepare(results)
        for index, case in list(enumerate(cases))[given.start :]:
            clock.start(index, case["name"])
            record = run(index, case, data)
            clock.stop()
            first, third = record.pop("first", []), record.pop("third", [])
            record |= {"case": index, "name": case["name"], "outputs": _written(case, first, out)}
            if first != third:
                record["again"] = _written(case, third, out)
            results.write(json.dumps(record) + "\n")
            results.flush()
