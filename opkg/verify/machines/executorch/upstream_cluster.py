"""ExecuTorch's operator tests on a Dask cluster: parts of them as tasks, results in the order of one machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from opkg.verify.cluster import Task, run_on, workers
from opkg.verify.machines.executorch.environment import Environment
from opkg.verify.machines.executorch.upstream_tests import Ran, run

PARTS = 4  # for each worker: a part costs a start of torch, and the slowest one is waited for


def run_tests_on(
    address: str, environment: Environment, folders: Sequence[Path], packages: Sequence[str], tests: Sequence[str],
    expression: str = "", done: Callable[[Ran], None] = lambda _: None,
) -> tuple[list[Ran], str]:  # fmt: skip
    """As `upstream_tests.run`, of tests that are named; raises as `run_on`."""
    parts = min(len(tests), PARTS * workers(address))
    tasks = [
        Task(
            f"part {number + 1}", str(Path.cwd()),
            partial(run, environment, tuple(folders), tuple(packages), tuple(tests[number::parts]), expression),
        )
        for number in range(parts)
    ]  # fmt: skip

    def told(result: tuple[list[Ran], str]) -> None:
        for each in result[0]:
            done(each)

    found = run_on(address, tasks, done=told)
    place = {test: at for at, test in enumerate(tests)}
    ran = sorted((each for part, _ in found for each in part), key=lambda each: place.get(each.test, len(place)))
    return ran, next((said for _, said in found if said), "")
