"""Builds runners and toy packages once per session, writes case files, runs them and reads the results back."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import struct
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "opkg" / "sim" / "include"
RUNNER = ROOT / "opkg" / "sim" / "runner"
FIXTURES = Path(__file__).resolve().parent / "fixtures"
CXX = os.environ.get("CXX", "g++")
COMPILE = [CXX, "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}"]

# QNN data types: name -> (number, numpy type of the stored elements)
QNN = {
    "i8": (0x008, np.int8), "i16": (0x016, np.int16), "i32": (0x032, np.int32), "i64": (0x064, np.int64),
    "ui8": (0x108, np.uint8), "ui16": (0x116, np.uint16), "ui32": (0x132, np.uint32), "ui64": (0x164, np.uint64),
    "f16": (0x216, np.float16), "f32": (0x232, np.float32), "f64": (0x264, np.float64),
    "s8": (0x308, np.int8), "s16": (0x316, np.int16), "s32": (0x332, np.int32),
    "u8": (0x408, np.uint8), "u16": (0x416, np.uint16), "u32": (0x432, np.uint32), "b8": (0x508, np.uint8),
}  # fmt: skip


def runner_units(kind: str) -> list[Path]:
    """The translation units of one runner."""
    names = ["htp", "common"] if kind == "htp" else ["qhpi", "common", "host"]
    return [RUNNER / "unity" / f"{name}.cpp" for name in names]


def _stale(target: Path, sources: list[Path]) -> bool:
    if not target.exists():
        return True
    made = target.stat().st_mtime_ns
    return any(source.stat().st_mtime_ns > made for source in sources)


def _compile_all(jobs: list[list[str]]) -> None:
    running: list[tuple[list[str], subprocess.Popen[str]]] = []
    for job in jobs:
        if len(running) >= 2:
            _finish(running.pop(0))
        running.append((job, subprocess.Popen(job, stderr=subprocess.PIPE, text=True)))
    for item in running:
        _finish(item)


def _finish(item: tuple[list[str], subprocess.Popen[str]]) -> None:
    job, process = item
    _, errors = process.communicate()
    if process.returncode != 0:
        raise AssertionError(f"{' '.join(job)}\n{errors}")


def build_runner(kind: str, directory: Path) -> Path:
    """Compiles opkg-host or opkg-htp into `directory`, only what changed; returns the executable."""
    target = directory / f"opkg-{kind}"
    parts = [*RUNNER.glob("*.h"), *RUNNER.glob("*.cpp"), *(INCLUDE / "opkg").glob("*.h")]
    jobs, objects = [], []
    for source in runner_units(kind):
        obj = directory / f"{source.stem}.o"
        objects.append(obj)
        if _stale(obj, [source, *parts]):
            jobs.append([*COMPILE, "-c", str(source), "-o", str(obj)])
    _compile_all(jobs)
    if jobs or _stale(target, objects):
        _compile_all([[CXX, "-rdynamic", "-o", str(target), *map(str, objects), "-ldl", "-lpthread"]])
    return target


def build_package(name: str, directory: Path, *flags: str) -> Path:
    """Compiles fixtures/NAME.cpp to a shared library; one per set of flags."""
    source = FIXTURES / f"{name}.cpp"
    tag = hashlib.sha1(" ".join(flags).encode()).hexdigest()[:8] if flags else "plain"
    target = directory / f"lib{name}-{tag}.so"
    if _stale(target, [source, *FIXTURES.glob("*.h"), *(INCLUDE / "opkg").glob("*.h")]):
        _compile_all([[*COMPILE, "-fPIC", "-shared", *flags, str(source), "-o", str(target)]])
    return target


def htp_backend() -> Path | None:
    """libQnnHtp.so of the installed onnxruntime-qnn wheel, if there is one."""
    spec = importlib.util.find_spec("onnxruntime_qnn")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        library = Path(folder) / "libQnnHtp.so"
        if library.exists():
            return library
    return None


@dataclass
class Case:
    """One graph under construction; methods return the tensor's name so that they nest."""

    name: str
    lines: list[str] = field(default_factory=list)
    blobs: list[tuple[int, bytes]] = field(default_factory=list)

    def tensor(self, name, kind, dtype, shape, so=None, data=None, axis=None):
        number, numpy_type = QNN[dtype]
        dims = " ".join([str(len(shape)), *map(str, shape)])
        quant = "none" if so is None else f"so {float(so[0]).hex()} {so[1]}"
        if axis is not None:
            pairs = " ".join(f"{float(s).hex()} {o}" for s, o in axis[1])
            quant = f"axis {axis[0]} {len(axis[1])} {pairs}"
        where = "- -"
        if data is not None:
            self.blobs.append((len(self.lines), np.ascontiguousarray(data, numpy_type).tobytes()))
            where = "@@"
        self.lines.append(f"tensor {name} {kind} 0x{number:03x} {dims} {quant} {where}")
        return name

    def input(self, name, dtype, data, so=None):
        data = np.asarray(data)
        return self.tensor(name, "input", dtype, data.shape, so, data)

    def static(self, name, dtype, data, so=None):
        data = np.asarray(data)
        return self.tensor(name, "static", dtype, data.shape, so, data)

    def output(self, name, dtype, shape, so=None):
        return self.tensor(name, "output", dtype, shape, so)

    def native(self, name, dtype, shape, so=None):
        return self.tensor(name, "native", dtype, shape, so)

    def null(self, name, dtype="f32"):
        self.lines.append(f"tensor {name} null 0x{QNN[dtype][0]:03x} 0 none - -")
        return name

    def node(self, name, package, op, inputs, outputs, params=()):
        words = ["node", name, package, op, str(len(inputs)), *inputs, str(len(outputs)), *outputs, str(len(params))]
        self.lines.append(" ".join([*words, *params]))
        return self


def scalar(name: str, dtype: str, value: object) -> str:
    """A scalar param token group: the value's bytes, zero-extended to the 8-byte union."""
    number, numpy_type = QNN[dtype]
    bits = struct.unpack("<Q", np.asarray(value, numpy_type).tobytes().ljust(8, b"\0"))[0]
    return f"scalar {name} 0x{number:03x} {bits:x}"


def tensor_param(name: str, tensor: str) -> str:
    return f"tensor {name} {tensor}"


def write_cases(cases: list[Case], directory: Path) -> tuple[Path, Path]:
    text, data = ["opkg-cases 1"], bytearray()
    for index, case in enumerate(cases):
        lines = list(case.lines)
        for line, blob in case.blobs:
            lines[line] = lines[line].replace("@@", f"{len(data)} {len(blob)}")
            data += blob + b"\0" * (-len(blob) % 64)
        text += [f"case {index} {case.name}", *lines, "end"]
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "t.cases").write_text("\n".join(text) + "\n")
    (directory / "t.bin").write_bytes(bytes(data))
    return directory / "t.cases", directory / "t.bin"


@dataclass
class Result:
    """One line of R.jsonl with its outputs as arrays."""

    record: dict
    outputs: dict[str, np.ndarray]

    def __getattr__(self, name):
        return self.record[name]

    @property
    def text(self) -> str:
        """Message and log in one, for searching."""
        return "\n".join([self.record["message"], *(line["text"] for line in self.record["log"])])


_NUMPY = dict(QNN.values())


def _read_results(results: Path, out: Path) -> dict[int, Result]:
    raw = out.read_bytes() if out.exists() else b""
    found = {}
    for line in results.read_text().splitlines():
        record = json.loads(line)
        outputs = {}
        for o in record["outputs"]:
            part = np.frombuffer(raw, np.uint8, o["size"], o["offset"]).view(_NUMPY[int(o["dtype"], 16)])
            outputs[o["name"]] = part.reshape(o["dims"])
        found[record["case"]] = Result(record, outputs)
    return found


def run(runner: Path, package: Path, cases: list[Case], directory: Path, *options: str, provider: str = "toyProvider",
        env: dict[str, str] | None = None, resume: bool = True) -> dict[int, Result]:  # fmt: skip
    """Runs the cases; returns results by case index (-1: the package). Goes on after a case that killed opkg-htp."""
    case_path, data_path = write_cases(cases, directory)
    results, out = directory / "r.jsonl", directory / "r.bin"
    command = [str(runner), "--package", str(package), "--provider", provider, "--cases", str(case_path),
               "--data", str(data_path), "--results", str(results), "--out", str(out), *options]  # fmt: skip
    if runner.name.startswith("opkg-htp"):
        command += ["--backend", str(htp_backend())]
    start = 0
    while True:
        process = subprocess.run([*command, "--from", str(start)], env={**os.environ, **(env or {})}, check=False,
                                 capture_output=True, text=True, timeout=300)  # fmt: skip
        found = _read_results(results, out) if results.exists() else {}
        assert process.returncode != 2, process.stderr
        last = max((k for k in found if k >= 0), default=-1)
        if process.returncode != 4 or not resume or last + 1 >= len(cases):
            return found
        start = last + 1
