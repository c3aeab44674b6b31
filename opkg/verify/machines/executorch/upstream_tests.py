"""Judges builders by ExecuTorch's own operator tests: which concern a package, and what comes of them with its builders.

The wheel ships the tests of its Qualcomm backend; `harness/opkg_executorch/upstream.py` runs them in this machine's QNN
libraries. `upstream_tests.tsv` holds what the wheel's own builders make of each (measured: docs/judged.md), against which
generated builders are judged.
"""

from __future__ import annotations

import ast
import contextlib
import json
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from opkg.spec.model import OpPackage
from opkg.spec.names import snake
from opkg.verify.machines.executorch.environment import Environment

STOCK = Path(__file__).resolve().parent / "upstream_tests.tsv"
LIMIT = 1800  # seconds for one test; the longest takes four minutes on an idle machine
_PLACE = Path("backends/qualcomm/tests/test_qnn_delegate.py")
_GROUPS = ("TestQNNFloatingPointOperator", "TestQNNQuantizedOperator")
_CLASSES = " or ".join(_GROUPS)
_FIND = "import importlib.util as u; print(next(iter(u.find_spec('executorch').submodule_search_locations)))"


@dataclass(frozen=True, slots=True)
class Stock:
    """What the wheel's own builders make of a test: passed, failed, skipped or unknown; nodes of the program by torch op."""

    outcome: str
    nodes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Ran:
    """One test with a package's builders: `ours` and `left` are nodes by torch op that they and other builders made.

    `others`: nodes of torch ops that no op of the package is for.
    """

    test: str
    outcome: str  # passed, failed, skipped, crashed
    message: str
    seconds: float
    ours: Mapping[str, int]
    left: Mapping[str, int]
    reasons: tuple[str, ...]
    others: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One test against what the wheel's own builders make of it.

    `word`: `passed`; `failed` and `crashed`; `not used`, when the wheel's builder did the work; `left over`, when it did a
    part; `skipped`; `not ours` when no node of the test is of these ops. `worse`: the wheel's own builders are better.
    """

    ran: Ran
    stock: str
    word: str

    @property
    def worse(self) -> bool:
        return is_worse(self.stock, self.word)


def is_worse(stock: str, word: str) -> bool:
    """Whether the wheel's own builders do better."""
    return stock not in ("failed", "crashed") and word in ("failed", "crashed", "not used", "left over")


def torch_ops(packages: Iterable[OpPackage]) -> dict[str, str]:
    """Torch ops that the builders take, and the op of the spec behind each; its own name where several share it."""
    found: dict[str, str] = {}
    for package in packages:
        for op in package.ops:
            found[f"{package.cpp_namespace}.{snake(op.name)}.default"] = op.name
            found |= {call.op: call.op if call.op in found else op.name for call in op.torch}
    return found


def stock(path: Path = STOCK) -> dict[str, Stock]:
    """The recorded outcomes by test (`Class.test`)."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        test, outcome, nodes = line.split("\t")
        found[test] = Stock(outcome, _counts(nodes))
    return found


def stock_lines(ran: Iterable[Ran], known: Mapping[str, Stock]) -> list[str]:
    """The text of `upstream_tests.tsv` with new outcomes in place of those known; nodes stand in `left`."""
    table = dict(known) | {each.test: Stock(each.outcome, each.left) for each in ran}
    rows = [
        f"{test}\t{each.outcome}\t{' '.join(f'{name}={count}' for name, count in sorted(each.nodes.items()))}"
        for test, each in sorted(table.items())
    ]
    return ["test\tstock\tnodes", *rows]


def _counts(text: str) -> dict[str, int]:
    pairs = [part.rpartition("=") for part in text.split()]
    return {name: int(count) for name, _, count in pairs}


def every(environment: Environment) -> list[str]:
    """All operator tests of the wheel, in its order."""
    tree = ast.parse(tests_file(environment).read_text(encoding="utf-8"))
    groups = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name in _GROUPS]
    functions = [(group, item) for group in groups for item in group.body if isinstance(item, ast.FunctionDef)]
    return [f"{group.name}.{item.name}" for group, item in functions if item.name.startswith("test")]


def chosen(tests: Sequence[str], expression: str) -> list[str]:
    """The tests that pytest's `-k expression` would keep: words are looked for in `Class.test`, a whole one is that."""
    if not expression.strip():
        return list(tests)
    words = re.findall(r"\(|\)|[^\s()]+", expression)
    parts = [word if word in ("(", ")", "and", "or", "not") else f"has({word.lower()!r})" for word in words]
    test_of = compile(" ".join(parts), "-k", "eval")
    whole = {test.lower() for test in tests}
    return [
        test
        for test, name in zip(tests, map(str.lower, tests), strict=True)
        if eval(test_of, {"has": lambda word, name=name: word == name if word in whole else word in name})
    ]


def concerning(ops: Iterable[str], known: Mapping[str, Stock]) -> list[str]:
    """Tests whose programs have nodes of these torch ops."""
    wanted = set(ops)
    return [test for test, each in sorted(known.items()) if wanted & set(each.nodes)]


def run(
    environment: Environment,
    folders: Sequence[Path],
    packages: Sequence[str],
    tests: Sequence[str] = (),
    expression: str = "",
    done: Callable[[Ran], None] = lambda _: None,
) -> tuple[list[Ran], str]:
    """Runs tests (`Class.test`; none: all operator tests) narrowed by a pytest expression; what was said when it broke off.

    `packages`: generated Python packages in `folders`, registered first; without one the wheel's own builders run, and
    `left` has all nodes. `done` is told of each test. A crash ends a process: it is the outcome of the test that ran, and
    the tests behind it run in another one.
    """
    ran: list[Ran] = []
    while True:
        more, said = _session(environment, folders, packages, tests, expression, done)
        ran += more
        rest = tests[tests.index(more[-1].test) + 1 :] if more and more[-1].test in tests else ()
        if not rest or more[-1].outcome != "crashed":
            return ran, "" if more and more[-1].outcome == "crashed" else said
        tests = rest


def _session(
    environment: Environment,
    folders: Sequence[Path],
    packages: Sequence[str],
    tests: Sequence[str],
    expression: str,
    done: Callable[[Ran], None],
) -> tuple[list[Ran], str]:
    """One process."""
    with tempfile.TemporaryDirectory(prefix="opkg-judge-") as held:
        folder = Path(held)
        report, log = folder / "report.json", folder / "log"
        place = str(tests_file(environment))
        wanted = [f"{place}::{test.replace('.', '::')}" for test in tests] or [place]
        command = [
            str(environment.python), "-P", "-m", "pytest", "-q", "-p", "opkg_executorch.upstream", "-p", "no:cacheprovider",
            "--noconftest", f"--rootdir={folder}", "--tb=short", "-k", f"({_CLASSES}) and ({expression or 'test'})",
            f"--opkg-packages={','.join(packages)}", f"--opkg-report={report}", *wanted,
        ]  # fmt: skip
        variables = {**environment.variables(folders, scratch=folder), "PYTHONDONTWRITEBYTECODE": "1"}
        told, since, late = 0, time.monotonic(), False
        with (
            log.open("wb") as out,
            subprocess.Popen(
                command, cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
            ) as process,
        ):
            while process.poll() is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=1)
                finished = [each for each in _read(report, bool(packages)) if each.outcome]
                for each in finished[told:]:
                    done(each)
                    since = time.monotonic()
                told = len(finished)
                if time.monotonic() - since > LIMIT:
                    late = True
                    process.kill()
        ran = _read(report, bool(packages))
        if process.returncode < 0 and ran and not ran[-1].outcome:
            why = f"no end after {LIMIT} s" if late else f"the process ended with signal {-process.returncode}"
            ran[-1] = replace(ran[-1], outcome="crashed", message=why)
            done(ran[-1])
        said = "" if process.returncode in (0, 1, 5) else _tail(log)
        return [each for each in ran if each.outcome], said


def tests_file(environment: Environment) -> Path:
    """The wheel's operator tests."""
    command = [str(environment.python), "-P", "-c", _FIND]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment.variables())
    return Path(done.stdout.strip()) / _PLACE


def _read(report: Path, ours: bool) -> list[Ran]:
    if not report.is_file():
        return []
    found = []
    for each in json.loads(report.read_text(encoding="utf-8"))["tests"]:
        left = each.get("left" if ours else "others", {})
        reasons = tuple(each.get("reasons", ()))
        seconds = float(each.get("seconds", 0.0))
        others = {name: count for name, count in each.get("others", {}).items() if name not in left}
        made = each.get("ours", {})
        found.append(Ran(each["test"], each["outcome"], each["message"], seconds, made, left, reasons, others))
    return found


def _tail(log: Path) -> str:
    """The last lines of what pytest said, without the noise of libraries."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    kept = [re.sub(r"^INTERNALERROR> ?", "", line) for line in lines if line.strip() and "Failed to load" not in line]
    return "\n".join(kept[-8:])


def verdict(ran: Ran, ops: Iterable[str], known: Mapping[str, Stock]) -> Verdict:
    """A test's verdict; `ops`: torch ops that the builders take."""
    before = known.get(ran.test)
    outcome = before.outcome if before is not None else "unknown"
    expected = before is not None and bool(set(ops) & set(before.nodes))
    concerned = expected or bool(ran.ours) or bool(ran.left)
    if ran.outcome != "passed":
        return Verdict(ran, outcome, ran.outcome)
    if not concerned:
        return Verdict(ran, outcome, "not ours")
    if not ran.ours:
        return Verdict(ran, outcome, "not used")
    return Verdict(ran, outcome, "left over" if ran.left else "passed")
