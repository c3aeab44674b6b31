"""Builds classic packages, writes case files, runs them through opkg-host and reads the results."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import struct
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "opkg" / "sim" / "include"
PACKAGES = Path(__file__).resolve().parent / "packages"

# What a package needs: C++17, the headers, its name. -Wno-psabi silences a note of g++ about vectors as arguments.
FLAGS = ["-std=c++17", "-O1", "-fPIC", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", f"-I{INCLUDE}"]

# QNN data types: name -> (number, numpy type of the stored elements)
QNN: dict[str, tuple[int, Any]] = {
    "i8": (0x008, np.int8), "i32": (0x032, np.int32), "ui32": (0x132, np.uint32), "i64": (0x064, np.int64),
    "f16": (0x216, np.float16), "f32": (0x232, np.float32), "f64": (0x264, np.float64),
    "s8": (0x308, np.int8), "s16": (0x316, np.int16), "u8": (0x408, np.uint8), "u16": (0x416, np.uint16),
    "b8": (0x508, np.uint8),
}  # fmt: skip


def need(tool: str) -> str:
    """Path of a tool; without it the test is skipped on a developer's machine and fails in CI."""
    path = shutil.which(tool)
    if path is None:
        if os.environ.get("CI"):
            pytest.fail(f"{tool} is not installed")
        pytest.skip(f"{tool} is not installed")
    return path


def build(
    name: str,
    folder: Path,
    *flags: str,
    compiler: str = "g++",
    package: str | None = None,
    packages: Path = PACKAGES,
) -> Path:
    """Compiles packages/NAME/*.cpp as they are, each source on its own, and links them."""
    tag = hashlib.sha1(" ".join([compiler, *flags]).encode()).hexdigest()[:8]
    objects, running = [], []
    for source in sorted((packages / name).glob("*.cpp")):
        objects.append(str(folder / f"{name}-{source.stem}-{tag}.o"))
        command = [need(compiler), *FLAGS, *flags, f"-DTHIS_PKG_NAME={package or name.capitalize()}"]
        command += ["-c", str(source), "-o", objects[-1]]
        running.append(subprocess.Popen(command, stderr=subprocess.PIPE, text=True))
    for process in running:
        _, errors = process.communicate()
        assert process.returncode == 0, errors
    library = folder / f"lib{name}-{tag}.so"
    subprocess.run([compiler, "-shared", *objects, "-o", str(library)], check=True)
    return library


@dataclass
class Case:
    """One graph. `so` is QNN's scale and offset: real = (q + offset) * scale."""

    name: str
    lines: list[str] = field(default_factory=list)
    blobs: list[tuple[int, bytes]] = field(default_factory=list)

    def tensor(
        self,
        name: str,
        kind: str,
        dtype: str,
        shape: tuple[int, ...],
        so: tuple[float, int] | None = None,
        data: Any = None,
    ) -> str:
        number, numpy_type = QNN[dtype]
        dims = " ".join(map(str, [len(shape), *shape]))
        quant = "none" if so is None else f"so {float(so[0]).hex()} {so[1]}"
        if data is not None:
            self.blobs.append((len(self.lines), np.ascontiguousarray(data, numpy_type).tobytes()))
        where = "- -" if data is None else "@@"
        self.lines.append(f"tensor {name} {kind} 0x{number:03x} {dims} {quant} {where}")
        return name

    def input(self, name: str, dtype: str, data: Any, so: tuple[float, int] | None = None) -> str:
        return self.tensor(name, "input", dtype, np.shape(data), so, data)

    def static(self, name: str, dtype: str, data: Any, so: tuple[float, int] | None = None) -> str:
        return self.tensor(name, "static", dtype, np.shape(data), so, data)

    def output(self, name: str, dtype: str, shape: tuple[int, ...], so: tuple[float, int] | None = None) -> str:
        return self.tensor(name, "output", dtype, shape, so)

    def native(self, name: str, dtype: str, shape: tuple[int, ...], so: tuple[float, int] | None = None) -> str:
        return self.tensor(name, "native", dtype, shape, so)

    def node(self, op: str, inputs: list[str], outputs: list[str], *params: str, name: str = "n0") -> Case:
        words = ["node", name, "@PACKAGE@", op, str(len(inputs)), *inputs, str(len(outputs)), *outputs]
        self.lines.append(" ".join([*words, str(len(params)), *params]))
        return self


def scalar(name: str, dtype: str, value: Any) -> str:
    number, numpy_type = QNN[dtype]
    bits = struct.unpack("<Q", np.asarray(value, numpy_type).tobytes().ljust(8, b"\0"))[0]
    return f"scalar {name} 0x{number:03x} {bits:x}"


def one_op(op: str, dtype: str, data: Any, *params: str, so: Any = None, out: Any = None, name: str = "") -> Case:
    """A case x -> y; `out` is (dtype, shape, scale/offset) of y where they differ from x's."""
    case = Case(name or f"{op}-{dtype}")
    case.input("x", dtype, data, so)
    out_dtype, shape, out_so = out or (dtype, np.shape(data), so)
    case.output("y", out_dtype, shape, out_so)
    return case.node(op, ["x"], ["y"], *params)


@dataclass
class Result:
    """One line of R.jsonl, with outputs as arrays."""

    record: dict[str, Any]
    outputs: dict[str, np.ndarray]

    @property
    def y(self) -> np.ndarray:
        assert self.status == "ok", self.record
        return self.outputs["y"]

    @property
    def status(self) -> str:
        return str(self.record["status"])

    @property
    def message(self) -> str:
        return str(self.record["message"])

    @property
    def kernels(self) -> list[str]:
        return [kernel["kernel"] for kernel in self.record["kernels"]]

    @property
    def log(self) -> list[tuple[str, str]]:
        return [(line["level"], line["text"]) for line in self.record["log"]]


class Machine:
    """opkg-host with one package."""

    def __init__(
        self, runner: Path, library: Path, provider: str, package: str, folder: Path, interface: str = "classic"
    ) -> None:
        self.command = [str(runner), "--package", str(library), "--provider", provider, "--interface", interface]
        self.package, self.folder = package, folder

    def run(self, *cases: Case, timeout: float = 10, trace: bool = False) -> list[Result]:
        """Results in the order of the cases; a result for the package itself (case -1) comes first."""
        self.folder.mkdir(parents=True, exist_ok=True)
        paths = [self.folder / name for name in ("t.cases", "t.bin", "r.jsonl", "r.bin")]
        text, data = ["opkg-cases 1"], b""
        for index, case in enumerate(cases):
            lines = list(case.lines)
            for line, blob in case.blobs:
                lines[line] = lines[line].replace("@@", f"{len(data)} {len(blob)}")
                data += blob + b"\0" * (-len(blob) % 8)
            text += [f"case {index} {case.name}", *(line.replace("@PACKAGE@", self.package) for line in lines), "end"]
        paths[0].write_text("\n".join(text) + "\n")
        paths[1].write_bytes(data)
        files = ["--cases", str(paths[0]), "--data", str(paths[1]), "--results", str(paths[2]), "--out", str(paths[3])]
        options = ["--timeout", str(timeout), *(["--trace"] if trace else [])]
        command = [*self.command, *files, *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode in (0, 3), done.stderr
        raw = paths[3].read_bytes()
        return [_result(json.loads(line), raw) for line in paths[2].read_text().splitlines()]


def _result(record: dict[str, Any], raw: bytes) -> Result:
    types = dict(QNN.values())
    outputs = {}
    for entry in record["outputs"]:
        part = np.frombuffer(raw, np.uint8, entry["size"], entry["offset"])
        outputs[entry["name"]] = part.view(types[int(entry["dtype"], 16)]).reshape(entry["dims"])
    return Result(record, outputs)
