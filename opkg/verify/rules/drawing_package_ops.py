"""Draws the operands of a package's op in a pattern: what the generator of test cases gives becomes leaves of the graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from opkg.rules.core import HtpType, MatchOp, MatchTag
from opkg.rules.sim.model import CONST, Output
from opkg.spec.diagnostics import OpkgError
from opkg.spec.dtypes import DType, Kind
from opkg.spec.model import Combination, ParamSpec, TensorCase, TensorSpec, TestCase
from opkg.verify.cases.calls import Giving, possible_calls
from opkg.verify.cases.case import Case, CaseTensor
from opkg.verify.cases.generate import make_case
from opkg.verify.meaning.numbers import Quant, decode
from opkg.verify.rules import leaves
from opkg.verify.rules.drawing import Slots, apply_dims, begun, core_node, dims_of, same_shape, slot_tag
from opkg.verify.rules.goals import Goal
from opkg.verify.rules.leaves import Leaf, goal_quant, goal_type
from opkg.verify.rules.meaning import Call, Shape, Unfit
from opkg.verify.rules.own_ops import OwnOp, htp_type, in_graph, is_type, to_rank
from opkg.verify.rules.sampler import Maker
from opkg.verify.rules.tensors import rounded

TRIES = 8  # of the case generator, for one call


@dataclass(frozen=True, slots=True)
class Form:
    """One way to call the op with that many operands. `tensors`: the spec of each operand that is no param."""

    combination: Combination
    giving: Giving
    index: int  # of the giving among all of the combination
    tensors: tuple[TensorSpec, ...]
    params: tuple[ParamSpec, ...]


def forms(own: OwnOp, count: int) -> list[Form]:
    """All ways to call the op with that many operands."""
    found = []
    for combination in own.op.combinations:
        for index, giving in enumerate(possible_calls(own.op, combination)):
            if giving.nulls or sum(n for _, n in giving.inputs) + len(giving.params) != count:
                continue
            counts = dict(giving.inputs)
            tensors = tuple(s for s in own.op.inputs for _ in range(counts.get(s.name, 0)))
            params = tuple(p for p in own.op.params if p.name in giving.params)
            found.append(Form(combination, giving, index, tensors, params))
    return found


def any_node(maker: Maker, match: MatchOp, path: str, names: tuple[str, ...], demand: HtpType | None,
             goals: Mapping[str, Goal]) -> int:  # fmt: skip
    """A package's op, or a core op, with everything below it: see `sampler.Draw`."""
    node = own_node if maker.world.own(match.op) is not None else core_node
    return node(maker, match, path, names, demand, goals)


def own_node(maker: Maker, match: MatchOp, path: str, names: tuple[str, ...], demand: HtpType | None,
             goals: Mapping[str, Goal]) -> int:  # fmt: skip
    """A package's op with operands that its spec allows."""
    own = maker.world.own(match.op)
    assert own is not None
    down: list[dict[str, Goal]] = [{} for _ in match.inputs]
    if down:
        down[0] = dims_of(goals)
    slots = begun(maker, match, path, None, down)
    form = _form(maker, own, match, path, names, slots, demand)
    known = _known(form, slots, maker)
    case = _case(maker, own, form, path, known)
    if _asked(maker, match, path, form, slots, down, case, known):
        case = _case(maker, own, form, path, known)
    elif maker.style.tiny:
        case = _smaller(maker, own, form, path, known, case)
    ids = _operands(maker, match, path, form, slots, case)
    return _result(maker, own, match, path, names, form, ids, case)


def _form(maker: Maker, own: OwnOp, match: MatchOp, path: str, names: tuple[str, ...], slots: Slots,
          demand: HtpType | None) -> Form:  # fmt: skip
    """A way to call the op that goes with the operands that are there and with the types that are asked for."""
    wanted = next((t for t in (goal_type(maker.goals, n) for n in names) if t is not None), None)

    def fits(form: Form) -> bool:
        for index, spec in enumerate(form.tensors):
            dtype, id = spec.dtype.of(form.combination), slots.ids[index]
            goal = goal_type(maker.goals, slot_tag(match.inputs[index], path, index))
            found = maker.graph.nodes[id].output.dtype if id is not None else goal
            if found is not None and not is_type(dtype, found):
                return False
        return wanted is None or len(own.op.outputs) != 1 or is_type(_result_type(own, form), wanted)

    fitting = [form for form in forms(own, len(match.inputs)) if fits(form)]
    if not fitting:
        raise Unfit(f"no form of {own.op.name} goes with these operands")
    single = len(own.op.outputs) == 1
    liked = [f for f in fitting if single and demand is not None and is_type(_result_type(own, f), demand)]
    return maker.rng("form", path).choice(liked or fitting)


def _result_type(own: OwnOp, form: Form) -> DType:
    return own.op.outputs[0].dtype.of(form.combination)


def _known(form: Form, slots: Slots, maker: Maker) -> dict[int, TensorCase]:
    """What the case generator has to keep: operands that are there."""
    known = {}
    for index, spec in enumerate(form.tensors):
        id, shape = slots.ids[index], slots.shapes[index]
        if id is not None:
            if shape is None:
                raise Unfit("an op with several outputs is read without $Out")
            output = maker.graph.nodes[id].output
            known[index] = _fixed(spec, shape, output if output.quantized else None)
    return known


def _fixed(spec: TensorSpec, shape: Shape, output: Output | None) -> TensorCase:
    fitted = to_rank(shape, spec.ranks.low, spec.ranks.high)
    if output is None:
        return TensorCase(fitted)
    return TensorCase(fitted, None, output.step_size, -output.zero_offset)


def _case(maker: Maker, own: OwnOp, form: Form, path: str, known: Mapping[int, TensorCase]) -> Case:
    tensors: dict[str, list[TensorCase]] = {}
    for index, spec in enumerate(form.tensors):
        tensors.setdefault(spec.name, []).append(known.get(index, TensorCase()))
    named = {s for index, s in enumerate(t.name for t in form.tensors) if index in known}
    given = tuple((name, tuple(items)) for name, items in tensors.items() if name in named)
    fixed = TestCase("rule", (), given, (), own.op.span)
    label = f"{maker.rule.name}/{maker.style.label}/{path}"
    try:
        return make_case(
            own.op, form.combination, own.reference, maker.style.seed, label, form.index, fixed, TRIES
        )  # fmt: skip
    except OpkgError as failed:
        raise Unfit(failed.diagnostics[0].message) from None


def _smaller(maker: Maker, own: OwnOp, form: Form, path: str, known: Mapping[int, TensorCase], case: Case) -> Case:
    """A case with a smaller first operand, if the spec allows one."""
    for most in (2, 4):
        for index, tensor in enumerate(_tensors(case)):
            if index in known:
                continue
            try:
                shape = TensorCase(tuple(min(d, most) for d in tensor.shape))
                return _case(maker, own, form, path, {**known, index: shape})
            except Unfit:
                continue
    return case


def _tensors(case: Case) -> list[CaseTensor]:
    return [tensor for tensor in case.inputs if not tensor.absent]


def _asked(maker: Maker, match: MatchOp, path: str, form: Form, slots: Slots, down: list[dict[str, Goal]], case: Case,
            known: dict[int, TensorCase]) -> bool:  # fmt: skip
    """Adds to `known` the shapes that are asked for; whether there are any."""
    changed = False
    tensors = _tensors(case)
    for index, spec in enumerate(form.tensors):
        if index in known or index >= len(tensors):
            continue
        tag = slot_tag(match.inputs[index], path, index)
        asked = {**down[index], **{key: value for _, key, value in maker.about((tag,))}}
        drawn = in_graph(tensors[index].shape)
        shape = same_shape(maker, match, path, slots, index) or apply_dims(drawn, dims_of(asked))
        slots.shapes[index] = shape
        if shape != drawn:
            known[index], changed = _fixed(spec, shape, None), True
    return changed


def _operands(maker: Maker, match: MatchOp, path: str, form: Form, slots: Slots, case: Case) -> tuple[int, ...]:
    tensors, ids = _tensors(case), []
    if len(tensors) != len(form.tensors):
        raise Unfit("the case has other operands than the pattern")
    for index, part in enumerate(match.inputs):
        tag, id = slot_tag(part, path, index), slots.ids[index]
        id = maker.bound(tag) if id is None else id
        if id is not None:
            ids.append(id)
            continue
        if index < len(form.tensors):
            const = form.tensors[index].static or (not isinstance(part, MatchTag) and part.op == CONST)
            ids.append(maker.leaf(tag, _tensor_leaf(maker, tag, tensors[index], const)))
        else:
            param = form.params[index - len(form.tensors)]
            ids.append(maker.leaf(tag, _param_leaf(param, case)))
    return tuple(ids)


def _tensor_leaf(maker: Maker, tag: str, tensor: CaseTensor, const: bool) -> Leaf:
    assert tensor.stored is not None
    output = _output(tensor.dtype, in_graph(tensor.shape), tensor.quant)
    asked = goal_quant(maker.goals, tag, output)
    other = maker.goals.get((tag, "encoding"))
    if isinstance(other, str) and other in maker.tags:
        asked = asked.typed(maker.graph.nodes[maker.tags[other]].output)
    value = decode(tensor.stored, tensor.dtype, tensor.quant).reshape(output.shape)
    return Leaf(asked, rounded(value if value.dtype.kind != "b" else value.astype(np.int64), asked), const)


def _output(dtype: DType, shape: Shape, quant: Quant | None) -> Output:
    kind = htp_type(dtype)
    if kind is None:
        raise Unfit(f"HTP has no {dtype}")
    if quant is None:
        return Output(kind, shape)
    if quant.axis is not None:
        raise Unfit("quantization per channel has no place in a rule's graph")
    return Output(kind, shape, -quant.offset, quant.scale)


def _param_leaf(param: ParamSpec, case: Case) -> Leaf:
    given = next((p for p in case.params if p.spec.name == param.name), None)
    if given is None:
        raise Unfit(f"the case has no {param.name}")
    values = given.array()
    kind = HtpType.Float32 if param.dtype.kind is Kind.FLOAT else HtpType.Int32
    values = values.astype(np.float64 if kind is HtpType.Float32 else np.int64)
    values = values.reshape(in_graph(values.shape))
    output = Output(kind, values.shape)
    return Leaf(output, rounded(values, output), const=True)


def _result(maker: Maker, own: OwnOp, match: MatchOp, path: str, names: tuple[str, ...], form: Form,
            ids: tuple[int, ...], case: Case) -> int:  # fmt: skip
    several = len(case.outputs) > 1
    dtype = HtpType.Multi if several else htp_type(_result_type(own, form))
    if dtype is None:
        raise Unfit(f"HTP has no {_result_type(own, form)}")
    try:
        value = maker.world.compute(Call(match.op, tuple(maker.arg(i) for i in ids), dtype))
    except OpkgError as failed:
        raise Unfit(failed.diagnostics[0].message) from None
    if isinstance(value, tuple):
        return maker.add(match.op, ids, Output(HtpType.Multi, (len(value),)), value, path, match)
    rng, first = maker.rng("output", path), maker.graph.nodes[ids[0]].output if ids else Output(dtype, ())
    asked = own.op.outputs[0].quantization
    if asked is not None and case.outputs[0].quant is not None:
        output = _output(case.outputs[0].dtype, value.shape, case.outputs[0].quant)
        if asked.same_as is not None and first.dtype is dtype:
            names_of = [t.name for t in form.tensors]
            place = names_of.index(asked.same_as) if asked.same_as in names_of else 0
            output = maker.graph.nodes[ids[place]].output.shaped(value.shape)
    elif dtype is first.dtype and first.quantized and rng.chance(0.2):
        output = first.shaped(value.shape)
    else:
        output = leaves.result_output(rng, dtype, value)
    for name in names:
        output = goal_quant(maker.goals, name, output)
        other = maker.goals.get((name, "encoding"))
        if isinstance(other, str) and other in maker.tags:
            output = output.typed(maker.graph.nodes[maker.tags[other]].output)
    return maker.add(match.op, ids, output, value, path, match)
