"""DEF_PACKAGE_OP and its relatives: function, op name, cost, flags (OPK558)."""

from __future__ import annotations

from opkg.rules.declarations.reader import Reader, bare
from opkg.rules.problem import brief
from opkg.rules.syntax import Binary, Float, Int, Name, Node, Str, Unary
from opkg.spec.diagnostics import nearest

COSTS = ("GLACIAL", "SNAIL", "FAST", "FREE", "DISABLE")
FLAGS = ("IS_CONST", "INHIBIT_CONST_PROP", "RESOURCE_HVX", "RESOURCE_HMX")
_COST = "DEF_PACKAGE_OP_AND_COST_AND_FLAGS"
_COST_FUNCTION = "DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS"


def check_kernel(reader: Reader) -> None:
    """A whole registration; the parser has counted its arguments."""
    function, op = bare(reader.args[0]), bare(reader.args[1])
    if isinstance(function, Str | Int | Float):
        hint = f'{reader.declaration.macro}((f<Tensor>), "Name"): the function comes first'
        reader.error("OPK558", f"a function stands first, not '{brief(function)}'", function, hint)
    if not isinstance(op, Str):
        reader.error("OPK558", f"the op's name must be a string here, not '{brief(op)}'", op)
    elif not op.value:
        reader.error("OPK558", "the op's name is empty", op)
    if len(reader.args) < 3:
        return
    if reader.declaration.macro == _COST:
        _cost(reader, bare(reader.args[2]))
    elif reader.declaration.macro == _COST_FUNCTION:
        _cost_function(reader, bare(reader.args[2]))
    seen: set[str] = set()
    for node in reader.args[3:]:
        _flag(reader, bare(node), seen)


def _last(node: Name) -> str:
    return node.text.rpartition("::")[2]


def _cost(reader: Reader, node: Node) -> None:
    hint = f"costs: {', '.join(COSTS)}, and parts of them: SNAIL / 128"
    if isinstance(node, Str | Int | Float):
        reader.error("OPK558", f"a cost is a name; '{brief(node)}' does not compile", node, hint)
    elif isinstance(node, Name) and _last(node) not in COSTS:
        near = nearest(_last(node), COSTS)
        if near:
            reader.error("OPK558", f"there is no cost '{node.text}'", node, f"did you mean '{near}'?")
        else:
            message = f"'{node.text}' is no cost of the SDK's"
            reader.warning("OPK558", message, node, f"{hint}; for a function there is {_COST_FUNCTION}")
    elif isinstance(node, Binary | Unary) and not _has_cost(node):
        reader.error("OPK558", f"'{brief(node)}' is a number, and a number is no cost", node, hint)


def _has_cost(node: Node) -> bool:
    """Whether a cost, or a name that may be one, is part of the expression."""
    node = bare(node)
    if isinstance(node, Binary):
        return _has_cost(node.left) or _has_cost(node.right)
    if isinstance(node, Unary):
        return _has_cost(node.operand)
    return not isinstance(node, Str | Int | Float)


def _cost_function(reader: Reader, node: Node) -> None:
    if isinstance(node, Str | Int | Float | Binary):
        message = f"{_COST_FUNCTION} takes a function float f(const Op*), not '{brief(node)}'"
        reader.error("OPK558", message, node)
    elif isinstance(node, Name) and _last(node) in COSTS:
        reader.error("OPK558", f"{node.text} is a cost and no function", node, f"write {_COST}")


def _flag(reader: Reader, node: Node, seen: set[str]) -> None:
    if not isinstance(node, Name):
        message = f"'{brief(node)}' is no flag"
        reader.error("OPK558", message, node, "flags are separated by commas: Flags::IS_CONST, Flags::RESOURCE_HVX")
        return
    scope, _, name = node.text.rpartition("::")
    if name not in FLAGS:
        near = nearest(name, FLAGS)
        hint = f"did you mean 'Flags::{near}'?" if near else f"flags: {', '.join(f'Flags::{flag}' for flag in FLAGS)}"
        reader.error("OPK558", f"there is no flag '{node.text}'", node, hint)
        return
    if scope.rpartition("::")[2] != "Flags":
        reader.error("OPK558", f"'{node.text}' alone does not compile", node, f"write Flags::{name}")
    if name == "RESOURCE_HMX":
        reader.warning("OPK558", "RESOURCE_HMX is not for packages outside the SDK", node)
    if name in seen:
        reader.warning("OPK558", f"Flags::{name} stands here twice", node)
    seen.add(name)
