"""Pass names by SDK with their numbers, and what the pass of a rule comes to: a priority of 0 to 65535.

Numbers: facts about the real headers of the three profiled SDKs. Two forms of equal value are one and the same pass.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from opkg.rules.flags import FLAGS as FLAGS
from opkg.rules.flags import FlagSet as FlagSet
from opkg.rules.flags import flag_names as flag_names
from opkg.rules.problem import Problem, brief
from opkg.rules.sdk_profiles import NEWEST, PROFILES, profile_of
from opkg.rules.syntax import Binary, Float, Int, Name, Node, Paren, Unary
from opkg.rules.text.printer import to_text
from opkg.spec.diagnostics import Severity, nearest

_2_25 = {
    "BEGIN": 0, "GRAPH_CLEANUP": 50, "CLEANUP_GRAPH": 100, "PRE_TRANSLATE": 1000, "PRE_QNN": 1050, "TRANSLATE": 2000,
    "QNN": 2050, "ANALYSIS": 3000, "EARLY": 3050, "QUANT_FIXES": 4000, "PRE_RESHAPE_OP_SIMPLIFY": 5000,
    "SPATIAL_RESHAPE": 6000, "SPACE_DEPTH": 7000, "POST_RESHAPE_OP_SIMPLIFY": 8000, "PRE_TILING": 10000, "TILING": 11000,
    "CENTRAL_TILING": 11900, "TILE_CLEANUP": 12000, "POST_TILING": 13000, "HARD_OPS": 20000, "MIDDLE": 20050,
    "TCM_MIGRATION": 21000, "LATE": 21050, "LAYOUT_AND_PLACEMENT": 21100, "POST_TCM": 22000, "FINAL_CLEANUP": 23000,
    "AUX_CLEANUP": 25000,
}  # fmt: skip
_NOT_IN_2_13 = ("AUX_CLEANUP", "LAYOUT_AND_PLACEMENT")
PASSES: dict[str, dict[str, int]] = {
    "2.13": {name: value for name, value in _2_25.items() if name not in _NOT_IN_2_13} | {"CLEANUP_GRAPH": 0},
    "2.25": _2_25,
    "2.43": _2_25 | {"PRE_OPTIMIZATION": 50, "BEFORE_TCM_MIGRATION": 20800},
}
CHUNKS = {"CHUNK_NOT_USED": 0}  # C++ takes them as a pass, they are none
ADVISED = ("GRAPH_CLEANUP", "EARLY", "MIDDLE", "LATE", "LAYOUT_AND_PLACEMENT")  # what SDK samples tell packages to use
FOR_PACKAGES = (*ADVISED, "BEGIN", "PRE_QNN", "QNN")
DEFAULT_PASS = "EARLY"  # of rules in a spec that name none
PRIORITIES = 2**16
_STALE = {2000: "EARLY", 3000: "MIDDLE", 4000: "LATE"}  # numbers that comments of generated packages still give
_MARKS = ("EARLY", "MIDDLE", "LATE")  # an offset that reaches the next of these is in another part of preparation
_MOST = 2**63


class PassValue(NamedTuple):
    """A pass: its priority as C++ stores it (None when it cannot be told), canonical text (`EARLY + 2`), findings."""

    priority: int | None
    text: str
    problems: tuple[Problem, ...] = ()


def passes_of(sdk: str) -> dict[str, int]:
    """Pass names of the SDK's profile and their numbers."""
    return PASSES[profile_of(sdk)]


def pass_name(priority: int, sdk: str = "") -> str:
    """A priority by the last name for packages at or before it: `EARLY + 2` of 3052, `BEGIN` of 0."""
    known = passes_of(sdk)
    base = max((name for name in FOR_PACKAGES if known.get(name, _MOST) <= priority), key=lambda name: known[name])
    return _text(base, priority - known[base])


def pass_value(node: Node | None, sdk: str = "") -> PassValue:
    """What a pass means; None: the default of rules in a spec. Ids: OPK545 to OPK551.

    Reads what C++ takes: names, numbers, sums, differences, products, brackets. The published language has `NAME` and
    `NAME + number` only, other forms are reported; `NAME - number` ships and is remarked upon.
    """
    if node is None:
        return PassValue(passes_of(sdk)[DEFAULT_PASS], DEFAULT_PASS)
    reader = _Reader(sdk)
    sum_ = reader.read(node)
    if sum_ is None:
        return PassValue(None, to_text(node), tuple(reader.problems))
    text = sum_.text or to_text(node)
    reader.classify(node, sum_, text)
    return PassValue(int(sum_.value) % PRIORITIES, text, tuple(reader.problems))


def _text(name: str, offset: int) -> str:
    return name if offset == 0 else f"{name} {'+' if offset > 0 else '-'} {abs(offset)}"


@dataclass(frozen=True, slots=True)
class _Sum:
    """A pass as names, how often each counts, and a number. `value` is all of it; `plain`: sums and differences only."""

    value: int | float
    offset: int | float
    names: tuple[tuple[str, int], ...] = ()
    plain: bool = True

    @property
    def text(self) -> str:
        """The canonical text of a name and a number, or of a number; "" for anything else."""
        if not self.plain or not isinstance(self.offset, int):
            return ""
        if not self.names:
            return str(self.offset)
        return _text(self.names[0][0], self.offset) if len(self.names) == 1 and self.names[0][1] == 1 else ""


@dataclass(slots=True)
class _Reader:
    """Reads one pass in an SDK's profile."""

    sdk: str
    problems: list[Problem] = field(default_factory=list)

    def add(self, severity: Severity, id: str, message: str, node: Node, hint: str = "") -> None:
        self.problems.append(Problem(severity, id, message, node.start, node.end, hint))

    def unreadable(self, node: Node) -> None:
        hint = f"write a pass name and perhaps a number: {DEFAULT_PASS} + 2"
        self.add(Severity.ERROR, "OPK547", f"'{brief(node)}' is no pass", node, hint)

    # ---- what it comes to ------------------------------------------------------------------------------------------

    def read(self, node: Node) -> _Sum | None:
        """The value of an expression; None after a finding."""
        if isinstance(node, Paren):
            return self.read(node.inner)
        if isinstance(node, Int | Float) and abs(node.value) < _MOST:  # not so of infinity and NaN
            return _Sum(node.value, node.value)
        if isinstance(node, Name):
            return self.name(node)
        if isinstance(node, Unary) and node.operator in "-+":
            inner = self.read(node.operand)
            return inner if inner is None or node.operator == "+" else _scaled(inner, -1)
        if isinstance(node, Binary):
            left, right = self.read(node.left), self.read(node.right)
            made = None if left is None or right is None else _combined(node.operator, left, right)
            if made is None and left is not None and right is not None:
                self.unreadable(node)
            return made
        self.unreadable(node)
        return None

    def name(self, node: Name) -> _Sum | None:
        name = node.text.rpartition("::")[2]
        known = passes_of(self.sdk)
        if name in known:
            return _Sum(known[name], 0, ((name, 1),))
        if name in CHUNKS:
            hint = f"it stands for {CHUNKS[name]}; name a pass"
            self.add(Severity.WARNING, "OPK549", f"'{name}' is a value for chunks, no pass", node, hint)
            return _Sum(CHUNKS[name], 0, ((name, 1),))
        others = [profile for profile in PROFILES if name in PASSES[profile]]
        near = nearest(name, tuple(known))
        if others:
            message = f"SDK {self.sdk or NEWEST} has no pass '{name}'; SDK {' and '.join(others)} has"
            same = [other for other in ADVISED if known.get(other) == PASSES[others[0]][name]]
            hint = (
                f"'{same[0]}' has the same number, {known[same[0]]}"
                if same
                else f"use one of {', '.join(_advised(self.sdk))}"
            )
        else:
            message = f"there is no pass '{name}'"
            hint = f"did you mean '{near}'?" if near else f"use one of {', '.join(_advised(self.sdk))}"
        self.add(Severity.ERROR, "OPK545", message, node, hint)
        return None

    # ---- what is odd about it --------------------------------------------------------------------------------------

    def classify(self, node: Node, sum_: _Sum, text: str) -> None:
        """Findings about a pass that has a value."""
        whole = int(sum_.value)
        if isinstance(sum_.value, float):
            message = f"pass {brief(node)} is no integer: C++ makes it {whole}"
            self.add(Severity.WARNING, "OPK547", message, node, "write the integer")
        wrapped = whole % PRIORITIES
        if wrapped != whole:
            message = f"pass {brief(node)} is {whole}, and a priority has 16 bits: the rule runs in pass {wrapped}"
            hint = f"{wrapped} is {pass_name(wrapped, self.sdk)}; priorities go from 0 to {PRIORITIES - 1}"
            self.add(Severity.ERROR, "OPK546", message, node, hint)
            return
        self.form(node, sum_, text, whole)
        self.where(node, sum_, whole)

    def form(self, node: Node, sum_: _Sum, text: str, value: int) -> None:
        if isinstance(sum_.value, float) or isinstance(node, Name):
            return
        named = isinstance(node, Binary) and isinstance(node.left, Name) and isinstance(node.right, Int)
        if named and isinstance(node, Binary) and isinstance(node.right, Int) and node.operator in "+-":
            if node.operator == "-" and node.right.text.isdecimal():
                message = f"the published language has no '-' in passes; C++ takes it: {text} is {value}"
                self.add(Severity.INFO, "OPK548", message, node)
                return
            if node.right.text.isdecimal():
                return
        message = (
            f"the published form of a pass is NAME or NAME + number; tools that read rules may not read '{brief(node)}'"
        )
        better = sum_.text if sum_.names and sum_.text else pass_name(value, self.sdk)
        self.add(Severity.WARNING, "OPK548", message, node, f"write {better}")

    def where(self, node: Node, sum_: _Sum, value: int) -> None:
        known = passes_of(self.sdk)
        names = [name for name, _ in sum_.names]
        inner = [name for name in names if name not in ADVISED and name not in CHUNKS]
        for name in inner:
            kind = "is not among the passes advised for packages" if name in FOR_PACKAGES else "is the SDK's own"
            self.add(
                Severity.INFO, "OPK549", f"pass '{name}' {kind}", node, f"advised: {', '.join(_advised(self.sdk))}"
            )
        if not names:
            stale = next((base for base in _STALE if base <= value < base + 50), None)
            if stale is not None:
                name = _STALE[stale]
                message = f"{stale} was the number of {name} once; it is {known[name]} now"
                self.add(Severity.WARNING, "OPK550", message, node, f"write {_text(name, value - stale)}")
        elif names[0] in _MARKS and sum_.text:
            later = [mark for mark in _MARKS if known[names[0]] < known[mark] <= value]
            if later:
                message = f"{sum_.text} is {value}: it comes at or after {later[-1]} ({known[later[-1]]})"
                self.add(Severity.WARNING, "OPK551", message, node, f"write {pass_name(value, self.sdk)}")


def _advised(sdk: str) -> list[str]:
    return [name for name in ADVISED if name in passes_of(sdk)]


def _scaled(sum_: _Sum, by: int) -> _Sum:
    names = tuple((name, count * by) for name, count in sum_.names)
    return _Sum(sum_.value * by, sum_.offset * by, names, sum_.plain)


def _combined(operator: str, left: _Sum, right: _Sum) -> _Sum | None:
    """The sum or other combination of two; None for operators that make no sense here."""
    if operator == "-":
        right = _scaled(right, -1)
    if operator in "+-":
        counts = dict(left.names)
        for name, count in right.names:
            counts[name] = counts.get(name, 0) + count
        names = tuple((name, count) for name, count in counts.items() if count)
        value, offset = left.value + right.value, left.offset + right.offset
        return _limited(_Sum(value, offset, names, left.plain and right.plain))
    if operator == "*":
        return _limited(_Sum(left.value * right.value, 0, (*left.names, *right.names), plain=False))
    return None


def _limited(sum_: _Sum) -> _Sum | None:
    return sum_ if -_MOST < sum_.value < _MOST else None
