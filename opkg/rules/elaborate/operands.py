"""Operands that are already there: tags, inputs and outputs of them; and names of ops."""

from __future__ import annotations

from typing import Any

from opkg.rules import core
from opkg.rules.constructs import Construct, ContextKind, Kind, rows_of
from opkg.rules.elaborate.state import Place, State, at, unwrap
from opkg.rules.elaborate.take import builds, construct, takes
from opkg.rules.elaborate.values import value_of
from opkg.rules.syntax import Call, Name, Node, Str
from opkg.spec.diagnostics import nearest

CORE = "q::"
OPERAND = ContextKind.OPERAND


@takes(Kind.OPERAND)
def operand(state: State, node: Node) -> core.Operand | None:
    """A node that is already there; None after a finding."""
    node = unwrap(node)
    if isinstance(node, Str):
        return tag(state, node.value, node)
    if isinstance(node, Call):
        made: core.Operand | None = construct(state, node, OPERAND)
        return made
    state.error("OPK522", "an operand is needed here: a tag in quotes, INPUT_OF, OUTPUT_OF or SELECT", node)
    return None


@takes(Kind.TAG)
def only_tag(state: State, node: Node) -> core.Tag | None:
    """A tag as a string."""
    node = unwrap(node)
    if isinstance(node, Str):
        return tag(state, node.value, node)
    state.error("OPK522", "only a tag in quotes compiles here", node)
    return None


def tag(state: State, name: str, place: Place) -> core.Tag | None:
    """The node a tag of the pattern stands for (OPK525)."""
    spot = place if isinstance(place, tuple) else at(place)
    if name == "*" or name in state.tags or not state.tags_known:
        return core.Tag(state.aliases.get(name, name), at=spot)
    known = sorted(name for name in state.tags if name != "*")
    near = nearest(name, known)
    listed = ", ".join(f'"{one}"' for one in known)
    hint = (
        f'did you mean "{near}"?' if near else f"the pattern has {listed}" if known else 'the pattern has none but "*"'
    )
    state.error("OPK525", f'the pattern has no tag "{name}"', place, hint)
    return None


@builds(OPERAND, "INPUT_OF", "OUTPUT_OF")
def _end_of(state: State, call: Call, row: Construct, values: list[Any]) -> core.Operand:
    node, index = values
    value = value_of(index)
    place = at(call.args[1])
    if value is not None and value < 0:
        state.error("OPK542", f"there is no {'input' if row.name == 'INPUT_OF' else 'output'} {value}", place)
    if row.name == "OUTPUT_OF":
        return core.OutputOf(node, index, at=at(call))
    matched = state.tags.get(node.name) if isinstance(node, core.Tag) else None
    if isinstance(matched, core.MatchOp) and not matched.open and value is not None and value >= len(matched.inputs):
        count = len(matched.inputs)
        message = (
            f'"{node.name}" has {count} input{"" if count == 1 else "s"} here: input {value} is undefined behaviour'
        )
        state.error("OPK542", message, place)
    return core.InputOf(node, index, at=at(call))


@builds(OPERAND, "SELECT")
def _select(state: State, call: Call, row: Construct, values: list[Any]) -> core.Operand:
    condition, then, otherwise = values
    return core.SelectOperand(condition, then, otherwise, at=at(call))


# ---- op names ------------------------------------------------------------------------------------------------------


@takes(Kind.OP_NAME)
def op_name(state: State, node: Node) -> str | None:
    """An op's full name."""
    node = unwrap(node)
    if isinstance(node, Str):
        return full_name(node.value, state.context.package)
    if isinstance(node, Call):
        made: str | None = construct(state, node, ContextKind.OP_NAME)
        return made
    if isinstance(node, Name) and not rows_of(node.text) and not node.text.startswith("DType::"):
        state.info(
            "OPK544",
            f"the op name that '{node.text}' stands for is not known here",
            node,
            "--preprocess replaces macros",
        )
        state.complete = False
        return node.text
    given = f", and '{node.text}' is none" if isinstance(node, Name) else ""
    state.error("OPK522", f"an op name in quotes is needed here{given}", node)
    return None


def full_name(name: str, package: str) -> str:
    """The name with the package's prefix, where it gets one."""
    return name if "::" in name or name[:1] in ("$", "*") or not package else f"{package}::{name}"


@builds(ContextKind.OP_NAME, "FROM_DEFAULT_PACKAGE")
def _core_name(state: State, call: Call, row: Construct, values: list[Any]) -> str:
    node = unwrap(call.args[0])
    if not isinstance(node, Str):
        return str(values[0])
    if "::" in node.value:
        state.error(
            "OPK541", f'"{node.value}" has a package already: FROM_DEFAULT_PACKAGE would put "{CORE}" before it', node
        )
    elif node.value.startswith("*"):
        return node.value  # graph inputs and the like: the core package's own, called so in graphs
    elif node.value.startswith("$"):
        state.warning("OPK541", f'"{node.value}" belongs to no package', node, "leave FROM_DEFAULT_PACKAGE out")
    return CORE + node.value
