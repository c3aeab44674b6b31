"""The same cases on both machines, compared bit by bit: status, code and outputs."""

import numpy as np
import pytest
from simlib import Case
from test_arrival import ARRIVALS, QUANTIZED, static_case, unary, values_of
from test_graph import chain, mark_case
from test_graph import unary as graph_unary


def arrival_cases():
    graph = [unary(d, d, values_of(d), so=(0.5, -3) if d in QUANTIZED else None) for d in ARRIVALS]
    return graph + [static_case(d, as_param) for d in ARRIVALS for as_param in (True, False)]


def graph_cases():
    names = ["Inner", "Outer", "Identity", "Refuse", "Ghost", "Late", "Swap", "InPlace", "Threads", "Choice", "Renamed"]
    chains = [
        chain(a, b, show_middle=show) for a in ("Inner", "Late") for b in ("Outer", "Swap") for show in (True, False)
    ]
    return [graph_unary(n) for n in names] + [graph_unary("Both", 2), graph_unary("ToTwo", 2)] + chains


def crouton_cases():
    shapes = [(1, 8, 8, 32), (1, 9, 10, 40), (2, 3, 5, 7), (33,), (70, 3), (1, 1, 1, 1)]
    return [mark_case(d, s) for d in ("u8", "u16", "i32") for s in shapes]


def random_tilings():
    rng = np.random.default_rng(7)
    cases = []
    for _ in range(12):
        shape = tuple(int(n) for n in rng.integers(1, [4, 40, 20, 80]))
        cases.append(graph_unary("Tiled", x=rng.normal(size=shape).astype(np.float32), package="toy.tile"))
    return cases


SUITES = {
    "toy_probe": arrival_cases,
    "toy_graph": graph_cases,
    "toy_crouton": crouton_cases,
    "toy_tile": random_tilings,
}


@pytest.mark.htp
@pytest.mark.parametrize("package", SUITES)
def test_host_and_htp_agree(host, htp, package):
    cases: list[Case] = SUITES[package]()
    here, there = host(package, cases), htp(package, cases)
    for index, case in enumerate(cases):
        ours, theirs = here[index], there[index]
        assert (ours.status, ours.stage, ours.code) == (theirs.status, theirs.stage, theirs.code), case.name
        assert ours.outputs.keys() == theirs.outputs.keys()
        for name, output in ours.outputs.items():
            assert output.tobytes() == theirs.outputs[name].tobytes(), (case.name, name)


@pytest.mark.htp
@pytest.mark.parametrize(
    "required", ["1,8,0,32", "0,4,0,0", "0,0,0,0", "1,16,0,64", "1,8,4294967295,32", "2,8,2,0", "0,0,0,32", "1,0,4,0"]
)
def test_tilings_agree_tile_by_tile(host, htp, required):
    """Not only the values: which tiles ran."""
    flags = (f"-DTILE_REQUIRED={required}",)
    cases = random_tilings()
    here, there = host("toy_tile", cases, flags=flags), htp("toy_tile", cases, flags=flags)
    for index in range(len(cases)):
        ours, theirs = ([x["text"] for x in r[index].log if x["text"].startswith("run")] for r in (here, there))
        assert sorted(ours) == sorted(theirs), here[index].name
