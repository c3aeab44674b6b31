"""The generated reader of custom_options: what flatbuffers writes arrives, and no damaged byte does harm."""

from __future__ import annotations

import json
import random
import struct
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from flatbuffers import flexbuffers

from opkg.resources import data_folder
from opkg.verify.machines.onert import options

HERE = Path(__file__).parent
Read = Callable[[Sequence[bytes]], list[str]]


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Read:
    program = tmp_path_factory.mktemp("reader") / "reader"
    flags = ["-std=c++17", "-O1", "-g", "-Wall", "-Wextra", "-Werror", f"-I{data_folder('templates') / 'onert'}"]
    checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    subprocess.run(["g++", *flags, *checks, str(HERE / "options_reader.cpp"), "-o", str(program)], check=True)

    def run(given: Sequence[bytes]) -> list[str]:
        data = b"".join(struct.pack("<I", len(each)) + each for each in given)
        done = subprocess.run([str(program)], input=data, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode(errors="replace")[-2000:]
        return done.stdout.decode("utf-8", "replace").split("\n")[:-1]

    return run


def entries(line: str) -> dict[str, object]:
    return {part.partition("=")[0]: json.loads(part.partition("=")[2]) for part in line.split(";") if part}


def test_values_of_all_widths_arrive(read: Read) -> None:
    ends = [value for bits in (7, 8, 15, 16, 31, 32, 62) for value in (2**bits - 1, 2**bits, -(2**bits))]
    given: list[dict[str, options.Value]] = [
        {"a": value, "bb": [value, 1], "flag": value % 2 == 0, "real": value / 3, "none": []} for value in ends
    ]
    given += [{}, {"x.scale": 0.1, "x.zero_point": 128}, {"pads": [[1, 2], [3, 4]], "many": list(range(300))}]
    given += [{f"key{n}": n for n in range(200)}]  # type: ignore[list-item]
    assert [entries(line) for line in read([options.encoded(values) for values in given])] == given


def test_other_writers_forms_arrive(read: Read) -> None:
    """Typed and fixed vectors, numbers behind offsets: what C++ writes by other calls."""
    builder = flexbuffers.Builder()
    with builder.Map():
        for key, values in (("ints", [1, -70000]), ("reals", [0.5, 0.1]), ("flags", [True, False])):
            builder.Key(key)
            with builder.TypedVector():
                for value in values:
                    {bool: builder.Bool, int: builder.Int, float: builder.Float}[type(value)](value)
        for length in (2, 3, 4):
            builder.FixedTypedVectorFromElements(f"fixed{length}", list(range(-1, length - 1)))
        builder.IndirectInt("far", -5)
        builder.IndirectUInt("whole", 2**40)
        builder.IndirectFloat("real", 0.25)
        builder.UInt("unsigned", 250)
    (line,) = read([bytes(builder.Finish())])
    assert entries(line) == {
        "ints": [1, -70000], "reals": [0.5, 0.1], "flags": [True, False], "fixed2": [-1, 0], "fixed3": [-1, 0, 1],
        "fixed4": [-1, 0, 1, 2], "far": -5, "whole": 2**40, "real": 0.25, "unsigned": 250,
    }  # fmt: skip


def test_no_damage_does_harm(read: Read) -> None:
    """Bytes that are changed, cut off or drawn: a line for each, and nothing for the sanitizers."""
    rng = random.Random(0)
    whole = options.encoded({"alpha": 3, "beta": 0.1, "pads": [[1, 2], [3, 4]], "x.scale": 0.5, "flag": True})
    given = [whole[:size] for size in range(len(whole))]
    for _ in range(4000):
        damaged = bytearray(whole)
        for _ in range(rng.choice((1, 1, 2, 5))):
            damaged[rng.randrange(len(damaged))] = rng.choice((0, 1, 255, rng.randrange(256)))
        given.append(bytes(damaged))
    given += [rng.randbytes(rng.randrange(40)) for _ in range(2000)]
    lines = read(given)
    assert len(lines) >= len(given)
    refused = [line for line in lines if line.startswith("! ")]
    assert len(refused) > 1000
    assert "! the custom_options are empty" in refused
    assert "! the custom_options are damaged" in refused
