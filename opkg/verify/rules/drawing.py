"""Draws the operands of one op of a pattern: core ops by their meaning, ops of packages by the generator of test cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from opkg.rules.core import HtpType, Match, MatchOp
from opkg.rules.sim.model import CONST, INPUT, SHAPE, Output
from opkg.verify.cases import sizes
from opkg.verify.cases.rng import Rng
from opkg.verify.rules import leaves
from opkg.verify.rules.goals import Goal
from opkg.verify.rules.leaves import Leaf, goal_quant, goal_type
from opkg.verify.rules.meaning import Call, Meaning, Shape, Typing, Unfit, Want, operands
from opkg.verify.rules.sampler import Maker
from opkg.verify.rules.tensors import FLOATS, WHOLE, Value, dtype_of, rounded

MOST_ELEMENTS = 1 << 18  # of a tensor in a graph that is drawn
BUDGET = 1 << 11


def draw_shape(rng: Rng, style: str, tiny: bool, rank: int) -> Shape:
    """A shape of a rank; batch 1 mostly."""
    if tiny:
        return tuple(rng.between(1, 3) for _ in range(rank))
    drawn = sizes.Sizes(rng, style, BUDGET).run(rank, True)
    if rank >= 4 and rng.chance(0.7):
        drawn[0] = 1
    return tuple(drawn)


def apply_dims(shape: Shape, goals: Mapping[str, Goal]) -> Shape:
    """The shape with the rank and dimensions that are asked for."""
    rank = int(goals.get("rank", len(shape)))
    found = list((1,) * (rank - len(shape)) + shape[max(len(shape) - rank, 0) :])
    for key, value in goals.items():
        if key.startswith("dim") and 0 <= int(key[3:]) < len(found):
            found[int(key[3:])] = int(value)
    if np.prod(found, dtype=np.float64) > MOST_ELEMENTS:
        raise Unfit(f"a tensor of {found}")
    return tuple(found)


def dims_of(goals: Mapping[str, Goal]) -> dict[str, Goal]:
    return {key: value for key, value in goals.items() if key.startswith("dim") or key == "rank"}


@dataclass(slots=True)
class Slots:
    """The operands of one op: nodes that are there already, shapes known so far."""

    ids: list[int | None]
    shapes: list[Shape | None]


def slot_tag(part: Match, path: str, index: int) -> str:
    return part.tag if part.tag else f"{path}.{index}"


# (shapes known so far, place) -> a shape that an operand should have beside them, None for any.
Hint = Callable[[Sequence[Shape | None], int], Shape | None]


def any_shape(known: Sequence[Shape | None], place: int) -> Shape | None:
    return None


def begun(maker: Maker, match: MatchOp, path: str, demand: HtpType | None, down: Sequence[Mapping[str, Goal]],
          hint: Hint = any_shape) -> Slots:  # fmt: skip
    """Makes the operands that are ops, and finds those that are bound already."""
    slots = Slots([None] * len(match.inputs), [None] * len(match.inputs))
    for index, part in enumerate(match.inputs):
        id: int | None = None
        if isinstance(part, MatchOp) and part.op not in (CONST, INPUT, SHAPE):
            beside = hint(slots.shapes, index) if any(s is not None for s in slots.shapes) else None
            wanted = {} if beside is None else {"rank": len(beside), **{f"dim{i}": d for i, d in enumerate(beside)}}
            id = maker.op(part, f"{path}.{index}", demand, {**wanted, **down[index]})
        else:
            tag = slot_tag(part, path, index)
            id = maker.bound(tag)
            made = maker.producer(tag) if id is None else None
            if made is not None:
                id = maker.op(made, tag, demand, down[index])
                maker.tags[tag] = id
        if id is not None:
            slots.ids[index], value = id, maker.values[id]
            slots.shapes[index] = None if isinstance(value, tuple) else value.shape
    return slots


def same_shape(maker: Maker, match: MatchOp, path: str, slots: Slots, index: int) -> Shape | None:
    """The shape of the operand that this one shall be shaped as, or be."""
    tag = slot_tag(match.inputs[index], path, index)
    for other in (maker.goals.get((tag, "alias")), maker.goals.get((tag, "shape")), tag):
        if not isinstance(other, str):
            continue
        if other in maker.tags:
            value = maker.values[maker.tags[other]]
            return None if isinstance(value, tuple) else value.shape
        for place, part in enumerate(match.inputs[:index]):
            if slot_tag(part, path, place) == other:
                return slots.shapes[place]
    return None


# ---- core ops


def _downward(meaning: Meaning, count: int, goals: Mapping[str, Goal]) -> list[dict[str, Goal]]:
    """Goals about an output's dimensions as goals about the operands: dimension by dimension, mostly operand 0's."""
    found: list[dict[str, Goal]] = [{} for _ in range(count)]
    rank = int(goals.get("rank", 4))
    sources = {dim % rank: source for dim, source in meaning.dim_source}
    for key, value in dims_of(goals).items():
        if key == "rank":
            found[0][key] = value
            continue
        index = int(key[3:])
        place, dim = sources.get(index, (0, index))
        if place < count:
            found[place][f"dim{dim % rank}"] = value
    return found


def data_type(maker: Maker, meaning: Meaning, match: MatchOp, path: str, names: Sequence[str], slots: Slots,
              demand: HtpType | None) -> HtpType:  # fmt: skip
    """The element type of an op's data operands."""
    count = len(slots.ids) if meaning.data < 0 else min(meaning.data, len(slots.ids))
    kinds = {Typing.QUANTIZE: tuple(FLOATS - {HtpType.BFloat16}), Typing.DEQUANTIZE: leaves.QUANTIZED}
    known = [maker.graph.nodes[id].output.dtype for id in slots.ids[:count] if id is not None]
    asked = [goal_type(maker.goals, slot_tag(p, path, i)) for i, p in enumerate(match.inputs[:count])]
    through = meaning.typing in (Typing.SAME, Typing.KEPT, Typing.FLOAT, Typing.LINEAR)
    if through:
        asked += [goal_type(maker.goals, name) for name in names] + [demand]
    found = next((t for t in [*known, *asked] if t is not None), maker.theme)
    if meaning.typing in (Typing.FLOAT, Typing.LINEAR) and found in WHOLE:
        found = HtpType.Float32
    allowed = kinds.get(meaning.typing)
    if allowed and found not in allowed:
        found = maker.rng("type", path).choice(sorted(allowed))
    return found


def _result_type(maker: Maker, meaning: Meaning, path: str, names: Sequence[str], data: HtpType,
                 demand: HtpType | None) -> HtpType:  # fmt: skip
    asked = next((t for t in (goal_type(maker.goals, n) for n in names) if t is not None), None)
    if asked is not None:
        return asked
    typing, rng = meaning.typing, maker.rng("result", path)
    if typing is Typing.COMPARE:
        return HtpType.QUInt8
    if typing is Typing.INDEX:
        return HtpType.Int32
    if typing is Typing.CAST:
        return demand or rng.choice((HtpType.Float32, HtpType.Float16, HtpType.QUInt8, HtpType.QUInt16))
    if typing is Typing.QUANTIZE:
        return demand if demand in leaves.QUANTIZED and demand else rng.choice(leaves.QUANTIZED)
    if typing is Typing.DEQUANTIZE:
        return demand if demand in FLOATS and demand else rng.choice((HtpType.Float32, HtpType.Float16))
    return data


def core_node(maker: Maker, match: MatchOp, path: str, names: tuple[str, ...], demand: HtpType | None,
              goals: Mapping[str, Goal]) -> int:  # fmt: skip
    """A core op with operands that its meaning proposes."""
    meaning = maker.world.meaning(match.op)
    if meaning is None:
        raise Unfit(f"{match.op} has no meaning here")
    through = meaning.typing in (Typing.SAME, Typing.KEPT, Typing.FLOAT, Typing.LINEAR)
    wanted = next((t for t in (goal_type(maker.goals, n) for n in names) if t is not None), demand)
    down = _downward(meaning, len(match.inputs), goals)

    def beside(known: Sequence[Shape | None], place: int) -> Shape | None:
        rank = next((len(s) for s in known if s is not None), 4)
        want = operands(meaning, match.op, maker.rng("beside", path), known, lambda: (1,) * rank)[place]
        return want.shape if want.values is None else None

    slots = begun(maker, match, path, wanted if through else None, down, beside)
    wants = _proposed(maker, meaning, match, path, slots, down)
    data = data_type(maker, meaning, match, path, names, slots, demand)
    ids = tuple(
        id if id is not None else _operand(maker, meaning, match, path, index, want, data)
        for index, (id, want) in enumerate(zip(slots.ids, wants, strict=True))
    )
    dtype = _result_type(maker, meaning, path, names, data, demand)
    value = _value(maker, meaning, match, path, ids, dtype)
    if isinstance(value, tuple):
        return maker.add(match.op, ids, Output(HtpType.Multi, (len(value),)), value, path, match)
    return maker.add(match.op, ids, _described(maker, meaning, path, names, ids, dtype, value), value, path, match)


def _value(maker: Maker, meaning: Meaning, match: MatchOp, path: str, ids: tuple[int, ...], dtype: HtpType) -> Value:
    shape = None
    if meaning.free_shape is not None and len(ids) < 2:
        shape = meaning.free_shape(maker.rng("shape", path), maker.arg(ids[0]).shape)
    kind = HtpType.Multi if meaning.outputs is not None else dtype
    value = maker.world.compute(Call(match.op, tuple(maker.arg(i) for i in ids), kind, shape))
    first = value if not isinstance(value, tuple) else value[0]
    if first.size > MOST_ELEMENTS or not first.size:
        raise Unfit(f"a result of {list(first.shape)}")
    return value


def _proposed(maker: Maker, meaning: Meaning, match: MatchOp, path: str, slots: Slots,
              down: Sequence[Mapping[str, Goal]]) -> list[Want]:  # fmt: skip
    """Operands as the op would have them, then again around those for which something is asked for."""
    sizing = sizes.STYLES[(maker.style.number + maker.style.attempt) % len(sizes.STYLES)]
    rank = next((len(s) for s in slots.shapes if s is not None), 4)

    def draw() -> Shape:
        return draw_shape(maker.rng("draw", path), sizing, maker.style.tiny, rank)

    known = list(slots.shapes)
    wants = operands(meaning, match.op, maker.rng("propose", path), known, draw)
    for index, part in enumerate(match.inputs):
        if slots.ids[index] is not None:
            continue
        tag = slot_tag(part, path, index)
        asked = {**down[index], **{key: value for _, key, value in maker.about((tag,))}}
        shape = same_shape(maker, match, path, slots, index) or apply_dims(wants[index].shape, dims_of(asked))
        if shape != wants[index].shape and wants[index].values is None:
            known[index] = slots.shapes[index] = shape
            wants = operands(meaning, match.op, maker.rng("propose", path), known, draw)
        elif wants[index].values is None:
            slots.shapes[index] = shape
    return wants


def _operand(maker: Maker, meaning: Meaning, match: MatchOp, path: str, index: int, want: Want, data: HtpType) -> int:
    """The node that a tag was bound to by an operand before this one, else a new leaf."""
    bound = maker.bound(slot_tag(match.inputs[index], path, index))
    return bound if bound is not None else _leaf(maker, meaning, match, path, index, want, data)


def _leaf(maker: Maker, meaning: Meaning, match: MatchOp, path: str, index: int, want: Want, data: HtpType) -> int:
    """The leaf of an operand that the pattern leaves open."""
    part = match.inputs[index]
    tag = slot_tag(part, path, index)
    if want.values is not None:
        if match.op.endswith("Slice_shape"):
            return maker.leaf(tag, Leaf(Output(HtpType.Int32, want.shape), want.values, shape=True))
        output = _tensor(Output(goal_type(maker.goals, tag) or want.dtype, want.shape))
        return maker.leaf(tag, Leaf(output, rounded(want.values, output), const=True))
    dtype = data
    if meaning.typing is Typing.LINEAR and index == 2 and data not in FLOATS:
        dtype = HtpType.QInt32
    rng = maker.rng("leaf", path, str(index))
    output = _tensor(leaves.quantized(rng, goal_type(maker.goals, tag) or dtype, want.shape))
    output = _alike(maker, tag, goal_quant(maker.goals, tag, output))
    weights = meaning.typing is Typing.LINEAR and index > 0
    const = isinstance(part, MatchOp) and part.op == CONST
    drawn = not isinstance(part, MatchOp) and rng.chance(0.7 if weights else 0.12 if index else 0.0)
    return maker.leaf(tag, Leaf(output, leaves.numbers(rng, output, maker.values_style(index)), const or drawn))


def _tensor(output: Output) -> Output:
    """The description, which must be that of one tensor: an op with several results is no operand (Unfit)."""
    if dtype_of(output) is None:
        raise Unfit(f"an operand of type {output.dtype.name}")
    return output


def _alike(maker: Maker, tag: str, output: Output) -> Output:
    """The description with the encoding of the operand that this one shall be encoded as."""
    other = maker.goals.get((tag, "encoding"))
    if isinstance(other, str) and other in maker.tags:
        return output.typed(maker.graph.nodes[maker.tags[other]].output)
    return output


def _described(maker: Maker, meaning: Meaning, path: str, names: Sequence[str], ids: tuple[int, ...], dtype: HtpType,
               value: Value) -> Output:  # fmt: skip
    """The description of an op's output."""
    assert not isinstance(value, tuple)
    rng, first = maker.rng("output", path), maker.graph.nodes[ids[0]].output
    if meaning.typing is Typing.COMPARE:
        output = Output(dtype, value.shape)
    elif dtype is first.dtype and first.quantized and (meaning.typing is Typing.KEPT or rng.chance(0.2)):
        output = first.shaped(value.shape)
    else:
        output = leaves.result_output(rng, dtype, value)
    for name in names:
        output = _alike(maker, name, goal_quant(maker.goals, name, output))
    return output
