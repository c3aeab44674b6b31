"""Runs cases inside onert: a process of its own, with nothing but Python's library.

Reads what opkg/verify/machines/onert/calls.py writes, and writes results as docs/design/case-format.md has them. A case is a
session: load the nnpackage, register the package's kernels, prepare, and run three times: with the case's data, with
other data, with the case's again. In the last two the kernel sees copies between guards (opkg/sim/onert/guard.cpp).
"""

from __future__ import annotations

import ctypes
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, TextIO

sys.path.insert(0, str(Path(__file__).resolve().parents[5]))  # isolated: Python does not look there itself

from opkg.verify.machines.harness.records import Failed, arguments, loaded, run_all

MOST_RANK = 6
_POINTER, _SIZE = ctypes.c_void_p, ctypes.c_size_t


class TensorInfo(ctypes.Structure):
    """nnfw_tensorinfo."""

    _fields_ = (("dtype", ctypes.c_int32), ("rank", ctypes.c_int32), ("dims", ctypes.c_int32 * MOST_RANK))


class Registration(ctypes.Structure):
    """custom_kernel_registration_info."""

    _fields_ = (("eval", _POINTER),)


class TableRow(ctypes.Structure):
    """A row of the kernels' table: an operator's name and its function."""

    _fields_ = (("name", ctypes.c_char_p), ("eval", _POINTER))


class Guard:
    """The library between the runtime and the kernels."""

    def __init__(self, path: str, table: dict[str, int], results: TextIO) -> None:
        self._library = ctypes.CDLL(path)
        self._library.opkg_guard_fault.restype = ctypes.c_char_p
        self._library.opkg_guard_call.argtypes = (_POINTER, ctypes.c_int)
        self._table, self._results = table, results
        self._kernel = 0
        self.eval = ctypes.cast(self._library.opkg_guard_eval, _POINTER).value

    def case(self, index: int, case: dict[str, Any]) -> None:
        """Before a case; Failed when there is no kernel for it."""
        record = {"case": index, "name": case["name"], "status": "guard", "stage": "execute", "message": "@"}
        head, tail = (json.dumps(record) + "\n").rsplit("@", 1)
        names = [tensor["name"].encode() for tensor in (*case["operands"], *case["outputs"])]
        listed = (ctypes.c_char_p * len(names))(*names)
        count = _SIZE(len(names))
        self._library.opkg_guard_case(self._results.fileno(), head.encode(), tail.encode(), listed, count)
        if case["op"] not in self._table:
            raise Failed("register", 0, f"the library has no kernel for {case['op']}")
        self._kernel = self._table[case["op"]]

    def call(self, turn: int) -> None:
        """Before a run of the case."""
        self._library.opkg_guard_call(self._kernel, turn)

    def check(self) -> None:
        """After a run that went well."""
        fault = self._library.opkg_guard_fault().decode("utf-8", "replace")
        if fault:
            raise Failed("execute", 0, fault, "guard")
        if self._library.opkg_guard_calls() != 1:
            raise Failed("execute", 0, f"the runtime called the kernel {self._library.opkg_guard_calls()} times")


class Said:
    """What was written to stderr since the last time, where that is a file."""

    def __init__(self) -> None:
        try:
            self._file: BinaryIO | None = open("/proc/self/fd/2", "rb")  # noqa: SIM115
            self._file.seek(0, 2)
        except OSError:
            self._file = None

    def lines(self) -> list[str]:
        sys.stderr.flush()
        text = self._file.read().decode("utf-8", "replace") if self._file is not None else ""
        return [line.strip() for line in text.splitlines() if line.strip()]


def _runtime(path: str) -> ctypes.CDLL:
    """onert's library with the types of what is called."""
    found = ctypes.CDLL(path)
    word = ctypes.c_uint32
    for name, types in {
        "nnfw_create_session": (_POINTER,),
        "nnfw_close_session": (_POINTER,),
        "nnfw_load_model_from_file": (_POINTER, ctypes.c_char_p),
        "nnfw_register_custom_op_info": (_POINTER, ctypes.c_char_p, _POINTER),
        "nnfw_prepare": (_POINTER,),
        "nnfw_run": (_POINTER,),
        "nnfw_set_input": (_POINTER, word, ctypes.c_int, _POINTER, _SIZE),
        "nnfw_set_output": (_POINTER, word, ctypes.c_int, _POINTER, _SIZE),
        "nnfw_input_tensorinfo": (_POINTER, word, _POINTER),
        "nnfw_output_tensorinfo": (_POINTER, word, _POINTER),
        "nnfw_input_size": (_POINTER, _POINTER),
        "nnfw_output_size": (_POINTER, _POINTER),
    }.items():
        getattr(found, name).argtypes = types
    return found


def _table(path: str, symbol: str) -> dict[str, int]:
    """The kernels of a package's library by operator."""
    kernels = ctypes.CDLL(path)
    rows = ctypes.POINTER(TableRow)()
    function = getattr(kernels, symbol)
    function.restype, function.argtypes = _SIZE, (_POINTER,)
    count = function(ctypes.byref(rows))
    return {rows[i].name.decode(): rows[i].eval for i in range(count)}


class Session:
    """One nnfw_session; every call that fails raises Failed with what the runtime said."""

    def __init__(self, runtime: ctypes.CDLL, said: Said) -> None:
        self._runtime, self._said = runtime, said
        self._handle = _POINTER()
        self.log: list[str] = []
        self._check("create", runtime.nnfw_create_session(ctypes.byref(self._handle)))

    def call(self, stage: str, name: str, *arguments: object) -> None:
        self._check(stage, getattr(self._runtime, name)(self._handle, *arguments))

    def close(self) -> None:
        self._runtime.nnfw_close_session(self._handle)

    def _check(self, stage: str, code: int) -> None:
        lines = self._said.lines()
        self.log += lines
        if code:
            message = lines[-1] if lines else "the runtime did not say why"
            raise Failed(stage, code, message.rpartition("nnfw_session::run : ")[2])


def _sides(session: Session, case: dict[str, Any]) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Every input and output, after the runtime's idea of it was compared with the case's."""
    for side in ("input", "output"):
        count = ctypes.c_uint32()
        session.call("prepare", f"nnfw_{side}_size", ctypes.byref(count))
        wanted = case[f"{side}s"]
        if count.value != len(wanted):
            raise Failed("prepare", 0, f"the model has {count.value} {side}s, the case {len(wanted)}")
        for place, tensor in enumerate(wanted):
            info = TensorInfo()
            session.call("prepare", f"nnfw_{side}_tensorinfo", place, ctypes.byref(info))
            dims = list(info.dims[: min(info.rank, MOST_RANK)])
            if (info.dtype, dims) != (tensor["type"], tensor["dims"]):
                asked = f"type {tensor['type']}, dimensions {tensor['dims']}"
                raise Failed(
                    "prepare", 0, f"{tensor['name']} has type {info.dtype}, dimensions {dims}; asked for {asked}"
                )
            yield side, place, tensor


def _execute(session: Session, guard: Guard, case: dict[str, Any], data: bytes) -> tuple[list[bytes], list[bytes], int]:
    """Outputs of the first and of the third call, and the microseconds of the first."""
    inputs: list[ctypes.Array[ctypes.c_char]] = []
    outputs: list[ctypes.Array[ctypes.c_char]] = []
    for side, place, tensor in _sides(session, case):
        memory = ctypes.create_string_buffer(max(tensor["size"], 1))
        (inputs if side == "input" else outputs).append(memory)
        session.call("prepare", f"nnfw_set_{side}", place, tensor["type"], memory, tensor["size"])
    found = []
    took = 0
    for turn, key in enumerate(("offset", "other", "offset")):
        for tensor, memory in zip(case["inputs"], inputs, strict=True):
            ctypes.memmove(memory, data[tensor[key] : tensor[key] + tensor["size"]], tensor["size"])
        for memory in outputs:
            ctypes.memset(memory, 0xA5, len(memory))
        guard.call(turn)
        begun = time.perf_counter_ns()
        session.call("execute", "nnfw_run")
        guard.check()
        took = took if turn else (time.perf_counter_ns() - begun) // 1000
        found.append([m.raw[: t["size"]] for m, t in zip(outputs, case["outputs"], strict=True)])
    return found[0], found[2], took


def _run(
    runtime: ctypes.CDLL, table: dict[str, int], guard: Guard, index: int, case: dict[str, Any], data: bytes, said: Said
) -> dict[str, Any]:
    """The record of a case, with its outputs as bytes."""
    session = None
    record: dict[str, Any] = {"status": "ok", "stage": "execute", "code": 0, "message": ""}
    try:
        guard.case(index, case)
        session = Session(runtime, said)
        session.call("load", "nnfw_load_model_from_file", case["package"].encode())
        for name in table:
            registration = Registration(guard.eval)
            session.call("register", "nnfw_register_custom_op_info", name.encode(), ctypes.byref(registration))
        session.call("prepare", "nnfw_prepare")
        first, third, took = _execute(session, guard, case, data)
        record |= {"first": first, "third": third, "us": took}
    except Failed as failed:
        record |= {"status": failed.status, "stage": failed.stage, "code": failed.code, "message": failed.message}
    finally:
        if session is not None:
            session.close()
    record["log"] = [{"level": "info", "text": text} for text in (session.log if session is not None else [])]
    return record


def main() -> None:
    given = arguments(("library", "kernels", "symbol", "guard"))
    said = Said()
    runtime = loaded(_runtime, given.results, given.library)
    table = loaded(_table, given.results, given.kernels, given.symbol)

    def prepare(results: TextIO) -> Callable[[int, dict[str, Any], bytes], dict[str, Any]]:
        guard = Guard(given.guard, table, results)
        return lambda index, case, data: _run(runtime, table, guard, index, case, data, said)

    run_all(given, prepare)


if __name__ == "__main__":
    main()
