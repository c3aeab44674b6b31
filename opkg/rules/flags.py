"""Flags of rules by SDK with their numbers, and what a flags expression means.

Numbers: facts about the real headers; they count bits of the word that the expression makes. Spellings are measured for
the names in `_MEASURED`; for the others both with and without `_flag` are taken.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from opkg.rules.problem import Problem, brief
from opkg.rules.sdk_profiles import NEWEST, PROFILES, profile_of
from opkg.rules.syntax import Binary, Int, Name, Node, Paren, Unary
from opkg.spec.diagnostics import Severity, nearest

_2_25 = (
    "any_rule", "cse_after_always", "cse_after_if", "cse_set_triggerA", "cse_before_if_triggerA", "cse_set_triggerB",
    "cse_before_if_triggerB", "fold_relu", "cp_after_always", "hmx_short_conv", "relaxed_precision", "explicit_autosplit",
    "central_autosplit", "central_only_autosplit", "central_ignore_autosplit", "tcm_migration_old", "tcm_migration_new",
    "cp_after_if", "prepare_aux_graph",
)  # fmt: skip
_NEW_IN_2_43 = ("autothread", "trace_rule", "enable_native_mixed_precision_ops")
_BITS: dict[str, tuple[str, ...]] = {"2.13": _2_25, "2.25": _2_25, "2.43": (*_2_25, *_NEW_IN_2_43)}
_SUFFIXED = ("fold_relu", "relaxed_precision", "explicit_autosplit", "autothread")
_MEASURED = frozenset((*_SUFFIXED, "cse_after_always", "trace_rule"))
GATES = {"fold_relu": "fold_relu", "hmx_short_conv": "hmx_short_conv", "relaxed_precision": "relaxed_precision"}
# Flags that make a rule run only when the graph option of that name is on.
_NEVER = "ordered_autosplit_flag"  # DEF_AUTOSPLIT_ORDERED uses it; no SDK has it
_WORD = 2**63


def _spelling(name: str) -> str:
    return f"{name}_flag" if name in _SUFFIXED else name


FLAGS: dict[str, dict[str, int]] = {
    profile: {_spelling(name): bit for bit, name in enumerate(names)} for profile, names in _BITS.items()
}  # profile -> name in C++ -> bit


class FlagSet(NamedTuple):
    """Flags in order of their bits (None when they cannot be told; `any_rule` is always on and never listed), findings."""

    names: tuple[str, ...] | None
    problems: tuple[Problem, ...] = ()


def flags_of(sdk: str) -> dict[str, int]:
    """Names of flags of the SDK's profile, as C++ spells them, and their bits."""
    return FLAGS[profile_of(sdk)]


def option_of(flag: str) -> str:
    """The graph option that must be on for a rule with the flag to run; "" when none."""
    return GATES.get(flag.removesuffix("_flag"), "")


def flag_names(node: Node | None, sdk: str = "") -> FlagSet:
    """The flags an expression sets: names and numbers joined by `|`, `+`, `&`, `^`, `<<`; None: no flags. Ids: OPK552,
    OPK553."""
    if node is None:
        return FlagSet(())
    reader = _Reader(sdk)
    value = reader.read(node)
    if value is None:
        return FlagSet(None, tuple(reader.problems))
    known = flags_of(sdk)
    rest = value & ~sum(1 << bit for bit in known.values())
    if rest:
        message = f"flags {brief(node)} set bits that SDK {sdk or NEWEST} gives no meaning: {rest & (2**32 - 1):#x}"
        reader.add(Severity.WARNING, "OPK553", message, node, "name the flags")
    names = [name for name, bit in known.items() if bit and value >> bit & 1]
    if not isinstance(node, Name) and not reader.named and names:
        reader.add(Severity.WARNING, "OPK553", f"flags {brief(node)} are {', '.join(names)}", node, "name the flags")
    return FlagSet(tuple(names), tuple(reader.problems))


@dataclass(slots=True)
class _Reader:
    """Reads one flags expression in an SDK's profile. `named`: a name was in it."""

    sdk: str
    problems: list[Problem] = field(default_factory=list)
    named: bool = False

    def add(self, severity: Severity, id: str, message: str, node: Node, hint: str = "") -> None:
        self.problems.append(Problem(severity, id, message, node.start, node.end, hint))

    def read(self, node: Node) -> int | None:
        """The value of an expression; None after a finding."""
        if isinstance(node, Paren):
            return self.read(node.inner)
        if isinstance(node, Int):
            return node.value
        if isinstance(node, Name):
            return self.name(node)
        if isinstance(node, Unary) and node.operator in "~-+":
            inner = self.read(node.operand)
            return None if inner is None else {"~": ~inner, "-": -inner, "+": inner}[node.operator]
        if isinstance(node, Binary):
            left, right = self.read(node.left), self.read(node.right)
            if left is None or right is None:
                return None
            value = _operate(node.operator, left, right)
            if value is not None:
                if node.operator == "+" and left & right:
                    message = f"'+' adds a flag that is there already: {brief(node)} sets another flag"
                    self.add(Severity.ERROR, "OPK553", message, node, "join flags with |")
                return value
        self.add(Severity.ERROR, "OPK553", f"'{brief(node)}' is no set of flags", node, "join names of flags with |")
        return None

    def name(self, node: Name) -> int | None:
        self.named = True
        name = node.text.rpartition("::")[2]
        known = flags_of(self.sdk)
        stem = name.removesuffix("_flag")
        spelled = next((flag for flag in known if flag.removesuffix("_flag") == stem), None)
        if spelled is None:
            self.add(Severity.ERROR, "OPK552", *self.unknown(name, stem, known, node))
            return None
        if spelled != name and stem in _MEASURED:
            message = f"the flag's name is '{spelled}'"
            self.add(Severity.WARNING, "OPK552", message, node, f"write {spelled}")
        return 1 << known[spelled]

    def unknown(self, name: str, stem: str, known: dict[str, int], node: Node) -> tuple[str, Node, str]:
        others = [profile for profile in PROFILES if any(flag.removesuffix("_flag") == stem for flag in FLAGS[profile])]
        if others:
            message = f"SDK {self.sdk or NEWEST} has no flag '{name}'; SDK {' and '.join(others)} has"
            return message, node, "leave the flag out, or name that SDK in the spec"
        if name == _NEVER:
            message = f"there is no flag '{name}', so DEF_AUTOSPLIT_ORDERED never compiles"
            return message, node, "use DEF_AUTOSPLIT"
        near = nearest(name, tuple(known))
        return f"there is no flag '{name}'", node, f"did you mean '{near}'?" if near else "0 stands for no flags"


def _operate(operator: str, left: int, right: int) -> int | None:
    """The value; None when the operator is none of flags, or the value does not fit a word."""
    if operator == "<<":
        value = left << right if 0 <= right < 63 else _WORD
    elif operator in ("|", "+", "&", "^", "-"):
        value = {"|": left | right, "+": left + right, "&": left & right, "^": left ^ right, "-": left - right}[
            operator
        ]
    else:
        return None
    return value if -_WORD < value < _WORD else None
