"""The nodes that a rule's replacement builds, each with the conditions under which it does."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from opkg.rules import core
from opkg.rules.core import Apply, Cast, Const, Expr, ModifierKind, PropertyKind, Tag, Type
from opkg.rules.core_match import At
from opkg.rules.lint.facts import Pattern
from opkg.rules.lint.symbolic import NOTHING, Bound, Described, New, Old, Translator, Unseen, canonical, described_as
from opkg.rules.lint.walk import bound_by

_SLICE = "q::Slice_shape"
_KEEPS = frozenset(
    (ModifierKind.SAME_ID, ModifierKind.SPLIT_HISTORY, ModifierKind.MEMOS, ModifierKind.INHERIT_MEMOS)
)  # modifiers that leave the output as it is
_MOST = 200  # nodes looked at in one replacement

Path = tuple[tuple[Expr, bool], ...]


@dataclass(frozen=True, slots=True)
class Built:
    """A node that is there after the rule. `path`: conditions and their truth; `split`: the AUTOSPLIT it is a slice of."""

    node: Bound
    path: Path
    split: core.AutoSplit | None
    at: At


@dataclass(frozen=True, slots=True)
class _Split:
    """The first slice of an AUTOSPLIT: its dimension and size, None when they are not known."""

    dim: int | None
    size: Expr | None


@dataclass(slots=True)
class _Builder:
    """Reads one replacement."""

    pattern: Pattern
    translator: Translator
    found: list[Built] = field(default_factory=list)
    splits: dict[str, _Split] = field(default_factory=dict)
    sliced: core.AutoSplit | None = None
    left: int = _MOST

    def keep(self, node: Bound, path: Path, at: At) -> Bound:
        self.found.append(Built(node, path, self.sliced, at))
        return node

    def build(self, repl: core.Repl, out: Described, path: Path) -> Bound:
        """What a replacement gives when ops without a modifier of their own are described by `out`."""
        self.left -= 1
        if self.left < 0:
            return Unseen()
        match repl:
            case core.Existing(operand=operand):
                return self.translator.bound(operand)
            case core.Build(op=op, inputs=inputs):
                return self.keep(New(op, self.inputs(inputs, out, path, repl.at), out), path, repl.at)
            case core.BuildMulti(op=op, inputs=inputs):
                self.keep(New(op, self.inputs(inputs, out, path, repl.at), NOTHING), path, repl.at)
            case core.Wrap():
                return self.wrap(repl, out, path)
            case core.GenShape() | core.GenConst():
                op = "$Shape" if isinstance(repl, core.GenShape) else "$Const"
                return New(op, (), self.describe(repl))
            case core.AutoSplit():
                self.autosplit(repl, out, path)
            case core.OpIter(low=low, high=high, body=body):
                bounds = tuple(Cast(self.translator.translated(bound), Type.INT64) for bound in (low, high))
                self.build(body, out, (*path, (Apply("LT", bounds, Type.BOOL), True)))
            case core.SelectRepl(condition=condition, then=then, otherwise=otherwise):
                asked = self.translator.translated(condition)
                self.build(then, out, (*path, (asked, True)))
                self.build(otherwise, out, (*path, (asked, False)))
            case core.Slice(input=input, begin=begin, size=size):
                parts = self.inputs((input, begin, size), out, path, repl.at)
                return self.keep(New(_SLICE, parts, _like(parts[0], shape=False)), path, repl.at)
            case core.TypicalSlice():
                return self.typical(repl, out, path)
            case core.Modified(body=body):
                return self.build(body, self.modified(repl, out), path)
            case core.MarkReplaceable(inner=inner):
                return self.build(inner, out, path)
        return Unseen()

    def inputs(self, parts: tuple[core.Repl, ...], out: Described, path: Path, at: At) -> tuple[Bound, ...]:
        """Inputs of a new op. The root among them stays in the graph, and can be matched again."""
        made = tuple(self.build(part, out, path) for part in parts)
        if any(node == Old(Tag("*")) for node in made):
            self.keep(Old(Tag("*")), path, at)
        return made

    def wrap(self, repl: core.Wrap, out: Described, path: Path) -> Bound:
        inner = self.build(repl.inner, out, path)
        op = inner.op if isinstance(inner, New) else None
        if isinstance(inner, Old):
            known = self.pattern.op(inner.operand)
            op = None if known is None else known.op
        if not repl.always and op == repl.op:
            return inner
        if not repl.always and op is None:
            return Unseen()
        if inner == Old(Tag("*")):
            self.keep(inner, path, repl.at)
        return self.keep(New(repl.op, (inner,), _like(inner)), path, repl.at)

    def autosplit(self, repl: core.AutoSplit, out: Described, path: Path) -> None:
        dim = _number(repl.dim)
        whole = out.dim(dim) if dim is not None else None
        size = None
        if whole is not None and repl.chunk is not None and repl.method is core.SplitMethod.CHUNK:
            size = Apply("MIN", (self.size(repl.chunk), whole), Type.SIZE)
        part = out.with_shape(NOTHING) if dim is None or size is None else out.with_dim(dim, size)
        before, self.sliced = self.sliced, repl
        self.splits[repl.split] = _Split(dim, size)
        self.build(repl.body, part, path)
        self.sliced = before

    def typical(self, repl: core.TypicalSlice, out: Described, path: Path) -> Bound:
        """The part of an input that goes with the first slice."""
        (source,) = self.inputs((repl.input,), out, path, repl.at)
        split = self.splits.get(repl.split)
        whole = _like(source)
        dim = None if split is None or repl.reduce else split.dim if repl.dim < 0 else repl.dim
        if split is None or dim is None or split.size is None:
            part = whole.with_shape(NOTHING)
        else:
            part = whole.with_dim(dim, split.size)
        return self.keep(New(_SLICE, (source, Unseen(), Unseen()), part), path, repl.at)

    def size(self, expr: Expr) -> Expr:
        """An expression of the rule as a size."""
        made = self.translator.translated(expr)
        return made if made.type is Type.SIZE else Cast(made, Type.SIZE)

    # ---- outputs ---------------------------------------------------------------------------------------------------

    def describe(self, repl: core.Repl) -> Described:
        """The output of a modifier's reference, or of a shape or constant."""
        match repl:
            case core.Existing(operand=operand):
                return described_as(canonical(operand, self.pattern))
            case core.GenShape(of=core.Existing() as source):
                return replace(self.describe(source), type=None)
            case core.GenShape(dims=dims, of=None):
                sizes = tuple((index, self.size(size)) for index, size in enumerate(dims))
                return Described(dims=sizes, rank=len(dims))
        return NOTHING

    def modified(self, repl: core.Modified, out: Described) -> Described:
        """How a modifier changes the description."""
        if repl.kind in _KEEPS:
            return out
        reference = NOTHING if repl.reference is None else self.describe(repl.reference)
        match repl.kind:
            case ModifierKind.SIZE:
                return out.with_shape(reference)
            case ModifierKind.TYPE:
                return out.with_type(reference)
            case ModifierKind.SAME_OUTPUT:
                return reference
            case ModifierKind.OUTPUT_TYPE:
                given = [self.translator.translated(scalar) for scalar in repl.scalars]
                kinds = (PropertyKind.DTYPE, PropertyKind.ZERO_OFFSET, PropertyKind.STEPSIZE)
                return replace(out, type=None, scalars=tuple(zip(kinds, given, strict=False)))
            case ModifierKind.RESIZE_DIM:
                dim, size = (_number(scalar) for scalar in repl.scalars)
                return (
                    out.with_shape(NOTHING)
                    if dim is None or size is None
                    else out.with_dim(dim, Const(Type.SIZE, size))
                )
        return NOTHING


def _like(node: Bound, shape: bool = True) -> Described:
    """The output of a node, or (not `shape`) its type only."""
    output = NOTHING
    if isinstance(node, Old):
        output = described_as(node.operand)
    elif isinstance(node, New):
        output = node.output
    return output if shape else output.with_shape(NOTHING)


def _number(expr: Expr) -> int | None:
    while isinstance(expr, Cast):
        expr = expr.operand
    return int(expr.value) if isinstance(expr, Const) and expr.type is not Type.FLOAT else None


def pattern_of(rule: core.TypedRule) -> tuple[Pattern, Translator]:
    """What a rule's pattern says, and a translator that leaves its operands as they are, under their tags."""
    pattern = Pattern(bound_by(rule.match))
    return pattern, Translator({tag: Old(Tag(tag)) for tag in pattern.tags}, pattern)


def built_by(rule: core.TypedRule) -> list[Built]:
    """The nodes a rule leaves behind: those it builds, and the root where something new reads it. What C++ functions and
    unknown macros build cannot be seen."""
    builder = _Builder(*pattern_of(rule))
    builder.build(rule.replace, described_as(Tag("*")), ())
    return builder.found
