"""Patterns and replacements as pictures of text: one node a line, inputs below it."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.rules import core
from opkg.rules.core import GenKind, Match, MatchOp, ModifierKind, Repl
from opkg.rules.infix import argument_text, infix, operand_text


@dataclass(frozen=True, slots=True)
class Line:
    """A node of a picture: its text, and what is below it."""

    text: str
    below: tuple[Line, ...] = ()


def drawn(line: Line) -> list[str]:
    """The picture, line by line."""
    found = [line.text]
    for number, child in enumerate(line.below):
        last = number == len(line.below) - 1
        first, rest = ("└─ ", "   ") if last else ("├─ ", "│  ")
        head, *more = drawn(child)
        found.append(first + head)
        found.extend(rest + text for text in more)
    return found


def pattern(match: Match, seen: set[str] | None = None) -> Line:
    """A pattern. A tag that stands a second time says so."""
    seen = set() if seen is None else seen
    if not isinstance(match, MatchOp):
        again = " (the same node)" if match.tag in seen else ""
        seen.add(match.tag)
        return Line(f"{match.tag}{again}")
    if match.tag:
        seen.add(match.tag)
    tag = f"{match.tag}: " if match.tag else ""  # the root's is "*", which conditions use
    inputs = tuple(pattern(part, seen) for part in match.inputs)
    return Line(f"{tag}{match.op}", (*inputs, Line("... further inputs")) if match.open else inputs)


# ---- replacements --------------------------------------------------------------------------------------------------

_MODIFIERS = {
    ModifierKind.SIZE: "shape of {}",
    ModifierKind.TYPE: "type of {}",
    ModifierKind.SAME_OUTPUT: "shape and type of {}",
    ModifierKind.SAME_ID: "id of {}",
    ModifierKind.SPLIT_HISTORY: "split history of {}",
    ModifierKind.MEMOS: "memos of {}",
    ModifierKind.INHERIT_MEMOS: "memos of {}",
}


def replacement(repl: Repl) -> Line:
    """What a replacement builds."""
    return _node(repl, ())


def short(repl: Repl) -> str:
    """A replacement on one line: operands by their names, anything larger by its first line."""
    if isinstance(repl, core.Existing):
        return operand_text(repl.operand)
    line = _node(repl, ())
    return f"{line.text} ..." if line.below else line.text


def _notes(notes: tuple[str, ...]) -> str:
    return f"  [{'; '.join(notes)}]" if notes else ""


def _node(repl: Repl, notes: tuple[str, ...]) -> Line:
    """`notes`: modifiers that reach this node, the nearest first."""
    match repl:
        case core.Existing(operand=operand):
            return Line(operand_text(operand))
        case core.Build(op=op, inputs=inputs):
            return Line(f"{op}{_notes(notes)}", _inputs(inputs))
        case core.BuildMulti(count=count, index=index, op=op, inputs=inputs):
            return Line(f"output {index} of {op}, which has {count}{_notes(notes)}", _inputs(inputs))
        case core.Wrap(op=op, inner=inner, always=always):
            how = "" if always else ", unless that is one already"
            return Line(f"{op} around{how}{_notes(notes)}", (_node(inner, ()),))
        case core.Modified(kind=kind, reference=reference, scalars=scalars, body=body):
            return _node(body, (*notes, _modifier(kind, reference, scalars)))
        case core.SelectRepl(condition=condition, then=then, otherwise=otherwise):
            return Line(f"if {infix(condition)}", (_node(then, notes), Line("else", (_node(otherwise, notes),))))
        case core.MarkReplaceable(inner=inner):
            return Line("replaceable constant", (_node(inner, notes),))
    return _other(repl, notes)


def _inputs(inputs: tuple[Repl, ...]) -> tuple[Line, ...]:
    return tuple(_node(part, ()) for part in inputs)


def _other(repl: Repl, notes: tuple[str, ...]) -> Line:
    """Shapes, constants, splits, slices and what C++ functions make."""
    match repl:
        case core.GenShape(dims=dims, of=None):
            return Line(f"shape [{', '.join(map(infix, dims))}]")
        case core.GenShape(of=source) if source is not None:
            return Line(f"shape of {short(source)}")
        case core.GenConst(kind=kind, args=args):
            return Line(_constant(kind, [infix(arg) for arg in args]))
        case core.AutoSplit():
            return _split(repl, notes)
        case core.OpIter(base=base, split=split, low=low, high=high, body=body):
            steps = f"one for each {split} from {infix(low)} to below {infix(high)}"
            return Line(f"{short(base)}{_notes(notes)} with further inputs, {steps}", (_node(body, ()),))
        case core.IterInputOf(operand=operand, split=split):
            return Line(f"{operand_text(operand)}.input[{split}]")
        case core.Slice(input=input, begin=begin, size=size):
            parts = (Line("from", (_node(begin, ()),)), Line("size", (_node(size, ()),)))
            return Line(f"slice of {short(input)}", parts)
        case core.TypicalSlice(input=input, split=split, dim=dim):
            along = f" along dimension {dim}" if dim >= 0 else ""
            return Line(f"part {split} of {short(input)}{along}")
        case core.ShapeFn(function=function, args=args, split=split):
            of = f"{split}, " if split else ""
            return Line(f"{function}({of}{', '.join(argument_text(arg) for arg in args)})  [C++]")
        case core.ExternalRepl(function=function):
            return Line(f"what the C++ function {function} builds")
        case core.OpaqueRepl(name=name, args=args):
            return Line(f"{name}({', '.join(argument_text(arg) for arg in args)})  [macro of the SDK]")
    return Line("?")


def _modifier(kind: ModifierKind, reference: Repl | None, scalars: tuple[core.Expr, ...]) -> str:
    texts = [infix(scalar) for scalar in scalars]
    if kind is ModifierKind.OUTPUT_TYPE:
        return f"type {texts[0]}, zero offset {texts[1]}, step size {texts[2]}"
    if kind is ModifierKind.MULTI_OUT:
        return f"{texts[0]} outputs"
    if kind is ModifierKind.RESIZE_DIM:
        return f"dimension {texts[0]} of {texts[1]}"
    if isinstance(reference, core.GenShape):
        return short(reference)
    return _MODIFIERS[kind].format("nothing" if reference is None else short(reference))


def _constant(kind: GenKind, texts: list[str]) -> str:
    if kind in (GenKind.SCALAR_F32, GenKind.SCALAR_I32):
        return f"constant {texts[0]}"
    if kind in (GenKind.ARRAY_F32, GenKind.ARRAY_I32):
        return f"constant [1, 1, 1, {texts[1]}] of {texts[0]}"
    if kind is GenKind.MATRIX_I32:
        return f"constant with {texts[0]} rows: {', '.join(texts[1:])}"
    return f"constant {', '.join(texts)}"


def _split(repl: core.AutoSplit, notes: tuple[str, ...]) -> Line:
    how = {
        core.SplitMethod.CHUNK: "parts of {}",
        core.SplitMethod.FIRST: "parts of {}",
        core.SplitMethod.REDUCE: "parts of 1, without the dimension,",
        core.SplitMethod.THREAD_HVX: "parts, at most one for each HVX thread,",
        core.SplitMethod.THREAD_HMX: "parts, at most one for each HMX thread,",
    }[repl.method]
    size = "a size of its own" if repl.chunk is None else infix(repl.chunk)
    text = f"concatenation of {how.format(size)} along dimension {infix(repl.dim)} (split {repl.split}), each"
    return Line(text + _notes(notes), (_node(repl.body, ()),))
