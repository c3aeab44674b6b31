"""Replacements: what kinds of arguments they take, and ops, shapes, constants, selections, functions."""

from __future__ import annotations

from typing import Any

from opkg.rules import core
from opkg.rules.constructs import Construct, ContextKind, Kind, rows_of
from opkg.rules.core_match import Type
from opkg.rules.elaborate.nature import Nature, nature
from opkg.rules.elaborate.operands import operand, tag
from opkg.rules.elaborate.operators import cast
from opkg.rules.elaborate.scalars import scalar
from opkg.rules.elaborate.state import State, at, name_at, unwrap
from opkg.rules.elaborate.take import builds, construct, takes
from opkg.rules.syntax import Call, Node, Str

REPLACEMENT = ContextKind.REPLACEMENT
MOST_DIMS = 8


@takes(Kind.REPLACEMENT)
def replacement(state: State, node: Node) -> core.Repl | None:
    """A node, or what builds one; None after a finding."""
    node = unwrap(node)
    if isinstance(node, Str):
        found = tag(state, node.value, node)
        return None if found is None else core.Existing(found, at=at(node))
    if not isinstance(node, Call):
        state.error(
            "OPK522",
            "a number is no node",
            node,
            "build a constant: gen_ConstScalar_f32, gen_ConstScalar_i32, gen_Shape",
        )
        return None
    contexts = {row.context for row in rows_of(node.name)}
    if contexts == {ContextKind.OPERAND}:
        there = operand(state, node)
        return None if there is None else core.Existing(there, at=at(node))
    made: core.Repl | None = construct(state, node, REPLACEMENT, _opaque)
    return made


def is_node(node: Node) -> bool:
    """Whether an argument is a node rather than a scalar: strings are, SELECTs by their arms."""
    node = unwrap(node)
    if isinstance(node, Str):
        return True
    if not isinstance(node, Call):
        return False
    if node.name == "SELECT":
        return any(map(is_node, node.args[1:]))
    return any(row.context in (ContextKind.OPERAND, REPLACEMENT) for row in rows_of(node.name))


@takes(Kind.ARGUMENT)
def argument(state: State, node: Node) -> core.Repl | core.Expr | None:
    """An argument of a function: a node or a scalar."""
    return replacement(state, node) if is_node(node) else scalar(state, node)


@takes(Kind.REFERENCE)
def reference(state: State, node: Node) -> core.Repl | None:
    """An existing operand; ops work today."""
    made = replacement(state, node)
    if made is not None and nature(made) is not Nature.NODE:
        message = f"{nature(made)} stands where the published text wants a node that is there already"
        state.warning("OPK540", message, node, "it works today, and may build what is here twice")
    return made


@takes(Kind.SHAPE)
def shape(state: State, node: Node) -> core.Repl | None:
    """An existing operand or a shape construction; ops work today."""
    made = replacement(state, node)
    if made is not None and nature(made) not in (Nature.NODE, Nature.SHAPE):
        message = f"{nature(made)} stands where the published text wants a node that is there already, or a shape"
        state.warning("OPK540", message, node, "it works today, and may build what is here twice")
    return made


@takes(Kind.OP)
def op_construction(state: State, node: Node) -> core.Repl | None:
    """The last operand of a modifier (OPK539)."""
    if isinstance(unwrap(node), Str):
        state.error(
            "OPK539",
            "a tag alone does not compile as the last operand of a modifier",
            node,
            'build an op: Op("Name", ...)',
        )
        return None
    made = replacement(state, node)
    if made is not None and (what := nature(made)) is not Nature.OP:
        message = f"the modifier has no op to change: its last operand is {what}"
        state.warning("OPK539", message, node, "it compiles, and the published text wants an op that is built here")
    return made


@takes(Kind.BASE)
def base(state: State, node: Node) -> core.Repl | None:
    """The first operand of OP_ITER: Op(...) or Operand(...)."""
    node = unwrap(node)
    name = node.name if isinstance(node, Call) else ""
    made = replacement(state, node)
    if made is None:
        return None
    if isinstance(node, Str):
        state.error("OPK540", "a tag alone does not compile as the base of OP_ITER", node, f'Operand("{node.value}")')
        return None
    if name in ("INPUT_OF", "OUTPUT_OF"):
        state.error("OPK540", f"{name} does not compile as the base of OP_ITER", node, "Op(...) or Operand(...)")
        return None
    if name not in ("Op", "Operand"):
        state.warning("OPK540", "the published text wants Op(...) or a node that is there as the base of OP_ITER", node)
    return made


# ---- ops, shapes, constants ----------------------------------------------------------------------------------------


@builds(REPLACEMENT, "Operand")
def _operand(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    return core.Existing(values[0], at=at(call))


@builds(REPLACEMENT, "Op")
def _op(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    return core.Build(values[0], tuple(values[1:]), at=at(call))


@builds(REPLACEMENT, "WrapOp", "WrapOpAlways")
def _wrap(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    return core.Wrap(values[0], values[1], row.name == "WrapOpAlways", at=at(call))


@builds(REPLACEMENT, "OpMultiOut")
def _multi_out(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl | None:
    outputs, index, name, *inputs = values
    if state.complete and outputs < 2:
        state.error(
            "OPK542",
            f"an op with {outputs} output{'' if outputs == 1 else 's'} is no multi-output op",
            call.args[0],
            "write Op",
        )
        return None
    if state.complete and not 0 <= index < outputs:
        state.error("OPK542", f"there is no output {index} of {outputs}", call.args[1], "outputs count from 0")
        return None
    return core.BuildMulti(outputs, index, name, tuple(inputs), at=at(call))


@builds(REPLACEMENT, "gen_Shape")
def _shape(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    if len(values) > MOST_DIMS:
        state.error("OPK542", f"a shape of {len(values)} dimensions: {MOST_DIMS} is the limit", name_at(call))
    for value in values:
        if isinstance(value, core.Cast) and isinstance(value.operand, core.Const) and value.operand.type is Type.FLOAT:
            state.error("OPK523", "a float constant does not compile in gen_Shape", value.at, "write an integer")
    return core.GenShape(tuple(values), at=at(call))


@builds(REPLACEMENT, "gen_ShapeOf")
def _shape_of(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    if nature(values[0]) is Nature.SHAPE:
        state.warning("OPK540", "gen_ShapeOf of a shape is that shape", name_at(call), "leave gen_ShapeOf out")
    return core.GenShape(of=values[0], at=at(call))


@builds(REPLACEMENT, *core.GenKind)
def _constant(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    kind = core.GenKind(row.name)
    if kind is core.GenKind.MATRIX_I32:
        _check_rows(state, call, values)
    args = [value if value.type is Type.FLOAT else cast(value, Type.INT) for value in values]
    return core.GenConst(kind, tuple(args), at=at(call))


def _check_rows(state: State, call: Call, values: list[Any]) -> None:
    rows = values[0].value if isinstance(values[0], core.Const) else None
    count = len(values) - 1
    if rows is not None and (rows <= 0 or count % rows):
        state.error("OPK542", f"{count} values do not make {rows} rows", call.args[0])


@builds(REPLACEMENT, "SELECT")
def _select(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    condition, then, otherwise = values
    return core.SelectRepl(condition, then, otherwise, at=at(call))


# ---- functions and macros ------------------------------------------------------------------------------------------


@builds(REPLACEMENT, "EXTERNAL_REPLACE")
def _external(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    below_root(state, call)
    return core.ExternalRepl(values[0], at=at(call))


@builds(REPLACEMENT, "SHAPEFN_APPLY", "AUTOSPLIT_SHAPEFN_APPLY")
def _function(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    split = 1 if row.name == "AUTOSPLIT_SHAPEFN_APPLY" else 0
    return core.ShapeFn(values[0], tuple(values[1 + split :]), values[1] if split else "", at=at(call))


@builds(REPLACEMENT, "MARK_REPLACEABLE_QCONST")
def _mark(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    return core.MarkReplaceable(values[0], at=at(call))


def _opaque(state: State, call: Call, row: Construct, values: list[Any]) -> core.Repl:
    return core.OpaqueRepl(row.name, tuple(values), at=at(call))


def below_root(state: State, call: Call) -> None:
    """AUTOSPLIT and EXTERNAL_REPLACE belong to the root (OPK538)."""
    if id(call) not in state.roots:
        message = f"{call.name} stands below the root of the replacement"
        hint = "the published text allows it at the root and in SELECTs there; rules with it elsewhere do ship"
        state.warning("OPK538", message, name_at(call), hint)
