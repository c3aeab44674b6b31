"""Shapes, constants and output definitions in the C++ of rules; the dispatch to what builds each kind of replacement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opkg.rules import core
from opkg.rules.core import GenKind, ModifierKind, Type
from opkg.rules.splitters import HEIGHT, splitter
from opkg.targets.qnn_htp_qhpi.rewrite_frame import Frame
from opkg.targets.qnn_htp_qhpi.rewrite_limits import CONCAT, SLICE
from opkg.targets.qnn_htp_qhpi.rewrite_scalars import operand, scalar, scalar_as

# What builds each kind of replacement; `rewrite_build` adds its own.
BUILD: dict[type, Callable[[Any, Frame, str], str]] = {}


def build(repl: core.Repl, frame: Frame, output: str) -> str:
    """Statements for a part of a replacement; returns the operand it makes. `output`: what describes new ops here."""
    return BUILD[type(repl)](repl, frame, output)


def needs_output(repl: core.Repl) -> bool:
    """Whether something in a replacement is described by what stands around it."""
    match repl:
        case core.Build(op, inputs) if op in (SLICE, CONCAT):
            return any(needs_output(part) for part in inputs)
        case core.Build() | core.BuildMulti() | core.OpIter() | core.AutoSplit():
            return True
        case core.Modified(kind, _, _, body):
            return kind is not ModifierKind.SAME_OUTPUT and needs_output(body)
        case core.SelectRepl(_, then, otherwise):
            return needs_output(then) or needs_output(otherwise)
        case core.Wrap(_, inner, _) | core.MarkReplaceable(inner):
            return needs_output(inner)
        case core.Slice(input, begin, size):
            return any(needs_output(part) for part in (input, begin, size))
        case core.TypicalSlice(input, _, _, _):
            return needs_output(input)
        case core.GenShape(_, of):
            return of is not None and needs_output(of)
    return False


def kept(frame: Frame, name: str, value: str) -> str:
    """The value in a variable."""
    variable = frame.fresh(name)
    frame.line(f"const QHPI_OpRef {variable} = {value};")
    return variable


# ---- shapes and constants


def shape(repl: core.Repl, frame: Frame, output: str) -> str:
    """A shape construction, or the shape of an operand, as a QHPI_Shape."""
    if isinstance(repl, core.GenShape):
        if repl.of is not None:
            return shape(repl.of, frame, output)
        return f"opkg::shape_of({', '.join(whole(dim, frame) for dim in repl.dims)})"
    if isinstance(repl, core.SelectRepl):
        arms = " : ".join(shape(arm, frame, output) for arm in (repl.then, repl.otherwise))
        return f"({scalar(repl.condition, frame)} ? {arms})"
    if isinstance(repl, core.ShapeFn):
        return _part(repl, frame, output)
    return f"opkg::output_of({reference(repl, frame, output)}).shape"


def _part(repl: core.ShapeFn, frame: Frame, output: str) -> str:
    """What one of the SDK's functions says of the current part."""
    row = splitter(repl.function)
    assert row is not None
    part = frame.splits[repl.split].name
    of, *rest = (_argument(arg, frame, output) for arg in repl.args)
    given = dict(zip(row.roles, rest, strict=True))
    dim = given.get("dim") or (str(HEIGHT) if row.height else "")
    arguments = [of, dim or "-1"]
    at = dim or f"{part}.dim()"
    if "stride" in given:
        arguments.append(f"opkg::dim({given['stride']}, {at})")
        arguments += [_window(given, at)] if row.size else []
    elif not dim:
        arguments.pop()
    return f"{part}.{'size_of' if row.size else 'start_of'}({', '.join(arguments)})"


def _argument(arg: core.Repl | core.Expr, frame: Frame, output: str) -> str:
    if isinstance(arg, core.Existing):
        return operand(arg.operand, frame)
    return build(arg, frame, output) if type(arg) in BUILD else scalar(arg, frame)  # type: ignore[arg-type]


def _window(given: dict[str, str], at: str) -> str:
    """From the first element of a window to the last."""
    if "weights" in given:
        window = f"opkg::dim({given['weights']}, 0)"
    else:
        window = f"opkg::dim({given['window']}, {at})" if "window" in given else given["extent"]
    spread = f"opkg::dim({given['dilation']}, {at})" if "dilation" in given else given.get("spread", "1")
    return window if spread == "1" else f"({window} - 1) * {spread} + 1"


def reference(repl: core.Repl, frame: Frame, output: str) -> str:
    """An operand that is only looked at, so that the replaced op may stand for itself."""
    return operand(repl.operand, frame) if isinstance(repl, core.Existing) else build(repl, frame, output)


def whole(expr: core.Expr, frame: Frame) -> str:
    return scalar_as(expr, Type.INT64, frame) if expr.type is Type.FLOAT else scalar(expr, frame)


def _gen_shape(repl: core.GenShape | core.ShapeFn, frame: Frame, output: str) -> str:
    return f"rewrite.shape({shape(repl, frame, output)})"


def _gen_const(repl: core.GenConst, frame: Frame, output: str) -> str:
    kind, args = repl.kind, repl.args
    wanted = Type.FLOAT if kind in (GenKind.SCALAR_F32, GenKind.ARRAY_F32) else Type.INT
    if kind in (GenKind.SCALAR_F32, GenKind.SCALAR_I32):
        return kept(frame, "constant", f"rewrite.constant({scalar_as(args[0], wanted, frame)})")
    if kind in (GenKind.ARRAY_F32, GenKind.ARRAY_I32):
        value, count = scalar_as(args[0], wanted, frame), whole(args[1], frame)
        return kept(frame, "constants", f"rewrite.constants({value}, {count})")
    width = f", {whole(args[0], frame)}" if kind is GenKind.MATRIX_I32 else ""
    values = ", ".join(scalar_as(arg, Type.INT, frame) for arg in (args[1:] if width else args))
    return kept(frame, "constants", f"rewrite.constants({{{values}}}{width})")


# ---- modifiers


def _modified(repl: core.Modified, frame: Frame, output: str) -> str:
    described = _described(repl, frame, output)
    if described != output and needs_output(repl.body):
        variable = frame.fresh("described")
        frame.line(f"const QHPI_OutputDef {variable} = {described};")
        described = variable
    return build(repl.body, frame, described)


def _described(repl: core.Modified, frame: Frame, output: str) -> str:
    """What ops in the body are described by."""
    kind, scalars = repl.kind, repl.scalars
    if kind is ModifierKind.OUTPUT_TYPE:
        dtype, zero, step = (
            scalar_as(s, t, frame) for s, t in zip(scalars, (Type.DTYPE, Type.INT, Type.FLOAT), strict=True)
        )
        return f"opkg::with_type({output}, {dtype}, {zero}, {step})"
    if kind is ModifierKind.RESIZE_DIM:
        return f"opkg::resized({output}, {scalar(scalars[0], frame)}, {scalar(scalars[1], frame)})"
    if repl.reference is None:
        return output
    if kind is ModifierKind.SIZE:
        return f"opkg::with_size({output}, {shape(repl.reference, frame, output)})"
    if kind not in (ModifierKind.TYPE, ModifierKind.SAME_OUTPUT):
        return output
    x = reference(repl.reference, frame, output)
    return f"opkg::with_type_of({output}, {x})" if kind is ModifierKind.TYPE else f"opkg::output_of({x})"


BUILD.update({core.GenShape: _gen_shape, core.ShapeFn: _gen_shape, core.GenConst: _gen_const, core.Modified: _modified})
