"""What opkg says the runtime can hold is what the runtime holds: models written by hand, one operator each."""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from opkg.verify.machines import runners
from opkg.verify.machines.onert import circle, holding, options
from opkg.verify.machines.onert.calls import write_package
from opkg.verify.machines.onert.column import GUARD
from opkg.verify.machines.onert.machine import HARNESS

pytestmark = [pytest.mark.xdist_group("onert")]
# Copies the first input to the first output, byte by byte; the number of dimensions tells how many there are.
KERNEL = """
#include <stddef.h>
#include <stdint.h>
#include <string.h>
typedef struct { int32_t type, rank, dims[6]; void *data; } operand;
typedef struct { size_t nin; operand *in; size_t nout; operand *out; } call;
static void copy(call *c, char *options, size_t size) {
  (void)options;
  (void)size;
  size_t bytes = c->in[0].type < 2 ? 4 : 1;
  for (int i = 0; i < c->in[0].rank; ++i) bytes *= (size_t)c->in[0].dims[i];
  memcpy(c->out[0].data, c->in[0].data, bytes);
}
typedef struct { const char *name; void (*eval)(call *, char *, size_t); } row;
static const row rows[] = {{"Copy", copy}};
extern "C" size_t hand_onert_ops(const row **ops) { *ops = rows; return 1; }
"""
NUMPY = {"bool8": "uint8", "ufixed8": "uint8", "sfixed8": "int8", "sfixed16": "int16"}
NUMBERS = {**holding.TYPES, "int64": 5, "sfixed8": 6, "int8": 6, "sfixed16": 7}


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hand")
    (folder / "copy.cpp").write_text(KERNEL)
    command = ["g++", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "copy.cpp", "-o", "libhand.so"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "libhand.so"


def guard() -> Path:
    return runners.shared("opkg-onert-guard", GUARD, (), Path())


def model(dtype: str, shape: tuple[int, ...], missing: bool = False) -> circle.Graph:
    tensors = (circle.Tensor("x", dtype, shape), circle.Tensor("y", dtype, shape))
    inputs = (0, circle.ABSENT) if missing else (0,)
    return circle.Graph("Copy", tensors, inputs, (1,), options.encoded({}))


def run(runtime: Path, kernel: Path, folder: Path, graph: circle.Graph) -> dict[str, object]:
    """The record of one case."""
    given = graph.tensors[0]
    data = (np.arange(int(np.prod(given.shape))) % 2).astype(NUMPY.get(given.dtype, given.dtype)).tobytes()
    described = {"type": NUMBERS.get(given.dtype, 0), "dims": list(given.shape), "size": len(data)}
    write_package(folder / "package", circle.model(graph))
    call = {
        "name": "one", "op": "Copy", "package": str(folder / "package"), "operands": [{"name": "x"}],
        "inputs": [{"name": "x", "offset": 0, "other": 0, **described}], "outputs": [{"name": "y", **described}],
    }  # fmt: skip
    (folder / "cases").write_text(json.dumps([call]))
    (folder / "data").write_bytes(data)
    places = {"library": runtime, "kernels": kernel, "symbol": "hand_onert_ops", "guard": guard(), "timeout": 20}
    places |= {name: folder / name for name in ("cases", "data", "results", "out")}
    words = [word for name, value in places.items() for word in (f"--{name}", str(value))]
    done = subprocess.run(
        [sys.executable, "-I", str(HARNESS), *words], stderr=(folder / "said").open("wb"), check=False
    )
    assert done.returncode == 0
    record: dict[str, object] = json.loads((folder / "results").read_text())
    if record["status"] == "ok":
        assert (folder / "out").read_bytes() == data
    return record


@pytest.mark.parametrize("dtype", sorted(holding.TYPES))
@pytest.mark.parametrize("shape", [(3, 5), ()], ids=str)
def test_held_types_run(runtime: Path, kernel: Path, tmp_path: Path, dtype: str, shape: tuple[int, ...]) -> None:
    assert run(runtime, kernel, tmp_path, model(dtype, shape))["status"] == "ok"


def test_six_dimensions_run(runtime: Path, kernel: Path, tmp_path: Path) -> None:
    assert run(runtime, kernel, tmp_path, model("float32", (1, 2, 1, 2, 1, 17)))["status"] == "ok"


@pytest.mark.parametrize("dtype", sorted(set(circle.TENSOR_TYPES) - set(holding.TYPES) - {"uint64"}))
def test_other_types_do_not(runtime: Path, kernel: Path, tmp_path: Path, dtype: str) -> None:
    record = run(runtime, kernel, tmp_path, model(dtype, (4,)))
    assert record["status"] == "error", record
    said = str(record["message"])
    assert "nsupported" in said or "does not support" in said, said


def test_an_input_that_is_left_out_is_refused(runtime: Path, kernel: Path, tmp_path: Path) -> None:
    record = run(runtime, kernel, tmp_path, model("float32", (4,), missing=True))
    assert (record["status"], record["stage"]) == ("error", "load")
    assert "optional input" in str(record["message"])


def test_a_library_that_is_none_is_a_result(runtime: Path, tmp_path: Path) -> None:
    """What cannot be loaded is said once, for all cases."""
    bad = tmp_path / "libbad.so"
    bad.write_bytes(b"no library")
    with pytest.raises(OSError, match="libbad"):
        ctypes.CDLL(str(bad))
    (tmp_path / "cases").write_text("[]")
    (tmp_path / "data").write_bytes(b"")
    places = {"library": runtime, "kernels": bad, "symbol": "x", "guard": guard(), "timeout": 20}
    places |= {name: tmp_path / name for name in ("cases", "data", "results", "out")}
    words = [word for name, value in places.items() for word in (f"--{name}", str(value))]
    done = subprocess.run([sys.executable, "-I", str(HARNESS), *words], stderr=subprocess.DEVNULL, check=False)
    assert done.returncode == 3
    record = json.loads((tmp_path / "results").read_text())
    assert (record["case"], record["stage"]) == (-1, "load")
    assert "libbad.so" in record["message"]
