"""Replacements of rules as C++ statements over `opkg/rewrite_build.h`."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.rules import core
from opkg.rules.core import GenKind, ModifierKind, SplitMethod, Type
from opkg.targets.qnn_common.names import string
from opkg.targets.qnn_htp_qhpi.rewrite_frame import Frame, SplitName
from opkg.targets.qnn_htp_qhpi.rewrite_limits import CONCAT, OUT, SLICE, made_name
from opkg.targets.qnn_htp_qhpi.rewrite_scalars import operand, scalar, scalar_as
from opkg.targets.qnn_htp_qhpi.rewrite_shapes import BUILD, build, kept, needs_output, reference, shape, whole


def finish(repl: core.Repl, frame: Frame, alike: bool) -> None:
    """The statements that build a replacement and return it. `alike`: the root has several outputs, so has what it becomes."""
    wholes = [(arm, _alike(arm, alike)) for arm in _arms(repl)]
    if any(needs_output(part) for arm, whole in wholes for part in ((arm,) if whole is None else whole.inputs)):
        frame.line("const QHPI_OutputDef output = rewrite.output();")
    _finish(repl, frame, alike)


def _arms(repl: core.Repl) -> Iterator[core.Repl]:
    """What a replacement may come to, SELECTs resolved."""
    if isinstance(repl, core.SelectRepl):
        yield from _arms(repl.then)
        yield from _arms(repl.otherwise)
    else:
        yield repl


def _alike(repl: core.Repl, alike: bool) -> core.Build | None:
    """The op that is made with all the outputs of the replaced one."""
    if isinstance(repl, core.Modified) and repl.kind is ModifierKind.MULTI_OUT:
        return repl.body if isinstance(repl.body, core.Build) else None
    plain = isinstance(repl, core.Build) and repl.op not in (OUT, SLICE, CONCAT)
    return repl if alike and plain and isinstance(repl, core.Build) else None


def _finish(repl: core.Repl, frame: Frame, alike: bool) -> None:
    if isinstance(repl, core.SelectRepl):
        with frame.block(f"if ({scalar(repl.condition, frame)})"):
            _finish(repl.then, frame, alike)
        _finish(repl.otherwise, frame, alike)
        return
    whole = _alike(repl, alike)
    if whole is not None:
        result = _create(whole, frame, "output", alike=True)
    elif isinstance(repl, core.Existing):
        result = operand(repl.operand, frame)
    elif isinstance(repl, core.Build) and repl.op not in (OUT, SLICE, CONCAT):
        result = _create(repl, frame, "output")
    else:
        result = build(repl, frame, "output")
    frame.line(f"return rewrite.finish({result});")


# ---- operands and ops


def _existing(repl: core.Existing, frame: Frame, output: str) -> str:
    return _unreplaced(repl.operand, frame)


def _unreplaced(x: core.Operand, frame: Frame) -> str:
    """An operand of a new op: the replaced op itself is made once more."""
    if isinstance(x, core.Tag) and x.name == "*":
        return "rewrite.again()"
    if isinstance(x, core.OutputOf):
        return f"opkg::output({_unreplaced(x.operand, frame)}, {scalar(x.index, frame)})"
    if isinstance(x, core.SelectOperand):
        arms = " : ".join(_unreplaced(arm, frame) for arm in (x.then, x.otherwise))
        return f"({scalar(x.condition, frame)} ? {arms})"
    return operand(x, frame)


def _name(op: str, frame: Frame) -> str:
    """The name of an op that is made, as a string literal."""
    return string(made_name(op, frame.early))


def _inputs(inputs: tuple[core.Repl, ...], frame: Frame, output: str) -> str:
    return "{" + ", ".join([build(i, frame, output) for i in inputs]) + "}"


def _create(repl: core.Build, frame: Frame, output: str, alike: bool = False) -> str:
    inputs = _inputs(repl.inputs, frame, output)
    call = f"({_name(repl.op, frame)}, {inputs}"
    return f"rewrite.create_alike{call})" if alike else f"rewrite.create{call}, {output})"


def _op(repl: core.Build, frame: Frame, output: str) -> str:
    if repl.op == OUT:
        return _out(repl, frame, output)
    if repl.op == SLICE:
        start, extent = (shape(part, frame, output) for part in repl.inputs[1:3])
        return kept(frame, "part", f"rewrite.slice({build(repl.inputs[0], frame, output)}, {start}, {extent})")
    if repl.op == CONCAT:
        at = axis_input(repl)
        axis = repl.inputs[at]
        assert isinstance(axis, core.GenConst)
        parts = _inputs(repl.inputs[:at] + repl.inputs[at + 1 :], frame, output)
        return kept(frame, "joined", f"rewrite.concat({scalar(axis.args[0], frame)}, {parts})")
    return kept(frame, repl.op.rpartition("::")[2], _create(repl, frame, output))


def axis_input(repl: core.Build) -> int:
    """Which input of a Concat is its axis, written as gen_ConstScalar_i32: the first or the last; -1 for neither."""
    for at in (0, len(repl.inputs) - 1):
        axis = repl.inputs[at] if repl.inputs else None
        if isinstance(axis, core.GenConst) and axis.kind is GenKind.SCALAR_I32:
            return at
    return -1


def out_index(repl: core.Build) -> core.Expr | None:
    """Which output a `$Out` op selects, where it is written as gen_Shape(0, 0, n, i)."""
    if len(repl.inputs) != 2 or not isinstance(repl.inputs[1], core.GenShape) or len(repl.inputs[1].dims) != 4:
        return None
    return repl.inputs[1].dims[3]


def _out(repl: core.Build, frame: Frame, output: str) -> str:
    index = out_index(repl)
    assert index is not None
    several = repl.inputs[0]
    if isinstance(several, core.Modified) and isinstance(several.body, core.Build):
        inputs = _inputs(several.body.inputs, frame, output)
        name, count = _name(several.body.op, frame), scalar(several.scalars[0], frame)
        call = f"rewrite.create_one_of({name}, {inputs}, {count}, {scalar(index, frame)}, {output})"
        return kept(frame, several.body.op.rpartition("::")[2], call)
    return f"opkg::output({build(several, frame, output)}, {scalar(index, frame)})"


def _multi(repl: core.BuildMulti, frame: Frame, output: str) -> str:
    inputs = _inputs(repl.inputs, frame, output)
    call = f"rewrite.create_one_of({_name(repl.op, frame)}, {inputs}, {repl.count}, {repl.index}, {output})"
    return kept(frame, repl.op.rpartition("::")[2], call)


def _wrap(repl: core.Wrap, frame: Frame, output: str) -> str:
    name = _name(repl.op, frame)
    inner = build(repl.inner, frame, output)
    if not inner.isidentifier():
        inner = kept(frame, "inner", inner)
    made = f"rewrite.wrap({name}, {inner})"
    if not repl.always:
        made = f"opkg::is_named({inner}, {name}) ? {inner} : {made}"
    return kept(frame, repl.op.rpartition("::")[2], made)


def _select(repl: core.SelectRepl, frame: Frame, output: str) -> str:
    variable = frame.fresh("chosen")
    frame.line(f"QHPI_OpRef {variable};")
    with frame.block(f"if ({scalar(repl.condition, frame)})"):
        frame.line(f"{variable} = {build(repl.then, frame, output)};")
    frame.lines[-1] += " else {"
    frame.depth += 1
    frame.line(f"{variable} = {build(repl.otherwise, frame, output)};")
    frame.depth -= 1
    frame.line("}")
    return variable


def _mark(repl: core.MarkReplaceable, frame: Frame, output: str) -> str:
    return build(repl.inner, frame, output)


# ---- what repeats


def _autosplit(repl: core.AutoSplit, frame: Frame, output: str) -> str:
    dim = whole(repl.dim, frame)
    if repl.method is SplitMethod.THREAD_HVX:
        chunk = f"rewrite.chunk_for_threads({output}, {dim})"
    else:
        assert repl.chunk is not None
        chunk = whole(repl.chunk, frame)
    part = frame.fresh(f"part_{repl.split}")
    frame.line(f"opkg::Split {part}(rewrite, {output}, {dim}, {chunk});")
    before = frame.splits.get(repl.split)
    frame.splits[repl.split] = SplitName(part)
    with frame.block(f"while ({part}.next())"):
        frame.line(f"{part}.add({build(repl.body, frame, f'{part}.output()')});")
    _restore(frame, repl.split, before)
    return f"{part}.joined()"


def _restore(frame: Frame, tag: str, before: SplitName | None) -> None:
    if before is None:
        del frame.splits[tag]
    else:
        frame.splits[tag] = before


def _iter(repl: core.OpIter, frame: Frame, output: str) -> str:
    inputs, index = frame.fresh("inputs"), frame.fresh(repl.split)
    if isinstance(repl.base, core.Build):
        name = _name(repl.base.op, frame)
        given = f"({_inputs(repl.base.inputs, frame, output)})" if repl.base.inputs else ""
        frame.line(f"opkg::Operands {inputs}{given};")
    else:
        base = reference(repl.base, frame, output)
        name = f"opkg::name_of({base})"
        frame.line(f"opkg::Operands {inputs}({base});")
    low, high = scalar_as(repl.low, Type.INT, frame), scalar_as(repl.high, Type.INT, frame)
    before = frame.splits.get(repl.split)
    frame.splits[repl.split] = SplitName(index, counts=True)
    with frame.block(f"for (int32_t {index} = {low}; {index} < {high}; ++{index})"):
        frame.line(f"{inputs}.add({build(repl.body, frame, output)});")
    _restore(frame, repl.split, before)
    return kept(frame, "made", f"rewrite.create({name}, {inputs}, {output})")


def _iter_input(repl: core.IterInputOf, frame: Frame, output: str) -> str:
    split = frame.splits[repl.split]
    index = split.name if split.counts else f"{split.name}.start()"
    return f"opkg::input({operand(repl.operand, frame)}, {index})"


def _slice(repl: core.Slice, frame: Frame, output: str) -> str:
    start, extent = shape(repl.begin, frame, output), shape(repl.size, frame, output)
    return kept(frame, "part", f"rewrite.slice({build(repl.input, frame, output)}, {start}, {extent})")


def _typical_slice(repl: core.TypicalSlice, frame: Frame, output: str) -> str:
    x = build(repl.input, frame, output)
    dim = f", {repl.dim}" if repl.dim >= 0 else ""
    name = f"{x}_part" if x.isidentifier() else "part"
    return kept(frame, name, f"{frame.splits[repl.split].name}.slice({x}{dim})")


def _refused(repl: core.ExternalRepl, frame: Frame, output: str) -> str:
    raise ValueError(f"{repl.function} is a function of the classic interface")


BUILD.update(
    {
        core.Existing: _existing,
        core.Build: _op,
        core.BuildMulti: _multi,
        core.Wrap: _wrap,
        core.AutoSplit: _autosplit,
        core.OpIter: _iter,
        core.IterInputOf: _iter_input,
        core.SelectRepl: _select,
        core.Slice: _slice,
        core.TypicalSlice: _typical_slice,
        core.MarkReplaceable: _mark,
        core.ExternalRepl: _refused,
    }
)
