"""An ONNX model with fused ops in place: one node each, of a domain of its own, whose body is a function in the model.

A runtime that has the op takes it, every other one computes the body, which is what was there before: the numbers stay the same.
Numbers that differ from place to place are attributes of the node and of the function.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from opkg.fuse.canonical import Occurrence, Ref, Step
from opkg.fuse.fused import FusedOp
from opkg.fuse.onnx_place import border, makers_of, put
from opkg.models.fold import Fold
from opkg.models.model import Model
from opkg.models.onnx_values import first_line
from opkg.spec.diagnostics import OpkgError, Span, error

FUNCTIONS_IR = 8  # the first version of the format with functions in models


def prepared(path: str, dims: dict[str, int]) -> Any:
    """The ModelProto of a file, with its data, functions in place, and sizes for named dimensions."""
    import onnx
    from onnx import inliner

    from opkg.models.onnx_reader import sized

    proto = onnx.load(path)
    if proto.functions:
        proto = inliner.inline_local_functions(proto)
    return sized(proto, dims) if dims else proto


def rewritten(
    proto: Any, model: Model, fold: Fold, ops: Sequence[FusedOp], domain: str, path: str, as_it_was: bool = True
) -> Any:
    """A copy with the ops in place. `as_it_was`: tensors in between are rounded as in the model; else they only saturate, as
    fused kernels compute them. Raises OpkgError (OPK764) when onnx's checker has something against it."""
    import onnx

    made = onnx.ModelProto()
    made.CopyFrom(proto)
    opset = next(each.version for each in proto.opset_import if each.domain in ("", "ai.onnx"))
    made.ir_version = max(made.ir_version, FUNCTIONS_IR)
    made.opset_import.append(onnx.helper.make_opsetid(domain, 1))
    for op in ops:
        made.functions.append(_function(proto, model, fold, op, domain, opset, as_it_was))
    makers = makers_of(proto.graph)
    places = [(place, [_node(makers, model, fold, op, place, domain)]) for op in ops for place in op.places]
    put(made.graph, model, fold, places)
    try:
        onnx.checker.check_model(made, full_check=True)
    except Exception as failure:  # the package's own kinds of errors
        message = f"the model with fused ops is not valid: {first_line(failure)}"
        raise OpkgError([error("OPK764", message, Span(path))]) from None
    return made


def _node(makers: Mapping[str, Any], model: Model, fold: Fold, op: FusedOp, place: Occurrence, domain: str) -> Any:
    """The node of one place; it reads and gives floats, as all nodes of models in QDQ form do."""
    from onnx import helper

    label = f"{model.nodes[place.nodes[-1]].name}/{op.name}"
    made = helper.make_node(op.name, *border(makers, model, fold, place), label, domain=domain)
    made.attribute.extend(helper.make_attribute(name, float(place.numbers[at])) for name, at in op.params)
    made.attribute.extend(helper.make_attribute(name, value) for name, value in _rounding(model, op, place).items())
    return made


def _rounding(model: Model, op: FusedOp, place: Occurrence) -> dict[str, float | int]:
    """Scales and zero points of quantized tensors in between, where places differ in them: attributes by name."""
    found: dict[str, float | int] = {}
    for at in range(len(op.pattern.steps)):
        known = {_quantization(model, each, at) for each in op.places}
        if op.pattern.steps[at].clips is not None and len(known) > 1:
            scale, zero = _quantization(model, place, at)
            found |= {f"scale_{at}": scale, f"zero_{at}": zero}
    return found


def _quantization(model: Model, place: Occurrence, at: int) -> tuple[float, int]:
    """Scale and zero point of the result of a step; 0 when it has none."""
    found = model.tensor(model.nodes[place.nodes[at]].outputs[0]).quantization
    return (found.scales[0], found.zeros[0]) if found is not None else (0.0, 0)


class _Body:
    """The nodes of a function."""

    def __init__(self, model: Model, op: FusedOp, as_it_was: bool) -> None:
        self.as_it_was = as_it_was
        self.model, self.op, self.place = model, op, op.places[0]
        self.params = {at: name for name, at in op.params}
        self.nodes: list[Any] = []
        self.values = [f"v{at}" for at in range(len(op.pattern.steps))]
        for (at, _), name in zip(op.pattern.outputs, op.outputs, strict=True):
            self.values[at] = name

    def constant(self, ref: Ref, tensor: str) -> str:
        """The name of a number, of the type and shape that the first place's constant has."""
        import onnx
        from onnx import helper, numpy_helper

        name = f"c{len(self.nodes)}"
        value = self.model.constants[tensor].read()
        if ref.at not in self.params:
            self.nodes.append(helper.make_node("Constant", [], [name], value=numpy_helper.from_array(value, name)))
            return name
        node = helper.make_node("Constant", [], [name])
        node.attribute.append(_reference("value_float", self.params[ref.at]))
        self.nodes.append(node)
        kind = helper.np_dtype_to_tensor_dtype(value.dtype)
        if kind != onnx.TensorProto.FLOAT:
            self.nodes.append(helper.make_node("Cast", [name], [f"{name}t"], to=kind))
            name = f"{name}t"
        return name

    def step(self, at: int, step: Step, original: Any, named: Sequence[str]) -> None:
        """The node of a step: that of the first place with other names."""
        import onnx

        node = onnx.NodeProto()
        node.CopyFrom(original)
        node.name = ""
        del node.input[:]
        node.input.extend(named)
        del node.output[:]
        node.output.append(self.values[at])
        for key, ref in step.numbers:
            if ref.at in self.params:
                kept = [attribute for attribute in node.attribute if attribute.name != key]
                del node.attribute[:]
                node.attribute.extend([*kept, _reference(key, self.params[ref.at])])
        self.nodes.append(node)
        if step.clips is not None and self.as_it_was:
            self._rounded(at)
        elif step.clips is not None:
            self._bounded(at, step.clips)

    def _bounded(self, at: int, ends: tuple[Ref, Ref]) -> None:
        """What a quantized tensor in between can hold."""
        import numpy as np
        from onnx import helper, numpy_helper

        for ref, name in zip(ends, (f"l{at}", f"h{at}"), strict=True):
            node = helper.make_node("Constant", [], [name])
            if ref.at in self.params:
                node.attribute.append(_reference("value_float", self.params[ref.at]))
            else:
                value = numpy_helper.from_array(np.asarray(np.float32(self.place.numbers[ref.at])), name)
                node.attribute.append(helper.make_attribute("value", value))
            self.nodes.append(node)
        self.nodes.append(helper.make_node("Clip", [self.values[at], f"l{at}", f"h{at}"], [f"b{at}"]))
        self.values[at] = f"b{at}"

    def _rounded(self, at: int) -> None:
        """The steps that a quantized tensor in between has in the model."""
        import numpy as np
        from onnx import helper, numpy_helper

        scale, zero = _quantization(self.model, self.place, at)
        kind = np.dtype(self.model.tensor(self.model.nodes[self.place.nodes[at]].outputs[0]).dtype)
        names = f"scale_{at}", f"zero_{at}"
        tensor = helper.np_dtype_to_tensor_dtype(kind)
        if names[0] in _rounding(self.model, self.op, self.place):
            for name, key, type_ in ((f"s{at}", "value_float", _FLOAT), (f"i{at}", "value_int", _INT)):
                constant = helper.make_node("Constant", [], [name])
                constant.attribute.append(_reference(key, names[int(type_ == _INT)], type_))
                self.nodes.append(constant)
            self.nodes.append(helper.make_node("Cast", [f"i{at}"], [f"z{at}"], to=tensor))
        else:
            for name, value in ((f"s{at}", np.float32(scale)), (f"z{at}", np.array(zero, kind))):
                stored = numpy_helper.from_array(np.asarray(value), name)
                self.nodes.append(helper.make_node("Constant", [], [name], value=stored))
        self.nodes.append(helper.make_node("QuantizeLinear", [self.values[at], f"s{at}", f"z{at}"], [f"q{at}"]))
        self.nodes.append(helper.make_node("DequantizeLinear", [f"q{at}", f"s{at}", f"z{at}"], [f"d{at}"]))
        self.values[at] = f"d{at}"


_FLOAT, _INT = 1, 2  # AttributeProto's


def _reference(name: str, param: str, kind: int = _FLOAT) -> Any:
    import onnx

    made = onnx.AttributeProto()
    made.name, made.ref_attr_name = name, param
    made.type = onnx.AttributeProto.INT if kind == _INT else onnx.AttributeProto.FLOAT
    return made


def _function(proto: Any, model: Model, fold: Fold, op: FusedOp, domain: str, opset: int, as_it_was: bool) -> Any:
    from onnx import helper

    body = _Body(model, op, as_it_was)
    place = op.places[0]
    makers = makers_of(proto.graph)
    inner = {model.nodes[number].outputs[0]: at for at, number in enumerate(place.nodes)}
    given = dict(zip(place.inputs, op.inputs, strict=True))
    for at, (number, step) in enumerate(zip(place.nodes, op.pattern.steps, strict=True)):
        node = model.nodes[number]
        refs = dict(zip(_sorted_like(model, node, step, place, inner), step.args, strict=True))
        named = [_operand(body, model, name, given, inner, refs) for name in node.inputs]
        body.step(at, step, makers[fold.quantized.get(node.outputs[0], node.outputs[0])], named)
    made = helper.make_function(
        domain, op.name, [*op.inputs], [*op.outputs], body.nodes, [helper.make_opsetid("", opset)], []
    )
    made.attribute_proto.extend(helper.make_attribute(name, float(place.numbers[at])) for name, at in op.params)
    made.attribute_proto.extend(helper.make_attribute(name, each) for name, each in _rounding(model, op, place).items())
    return made


def _sorted_like(model: Model, node: Any, step: Step, place: Occurrence, inner: dict[str, int]) -> list[str]:
    """The operands of a node in the order of the step's references."""
    from opkg.fuse.canonical import operands

    left = list(operands(node))
    found = []
    for ref in step.args:
        name = next(each for each in left if _is(model, each, ref, place, inner))
        left.remove(name)
        found.append(name)
    return found


def _is(model: Model, name: str, ref: Ref, place: Occurrence, inner: dict[str, int]) -> bool:
    if ref.kind == "input":
        return place.inputs[ref.at] == name
    if ref.kind == "step":
        return inner.get(name) == ref.at
    wanted = ref.literal if ref.literal is not None else place.numbers[ref.at]
    return name in model.constants and name not in place.inputs and _first(model, name) == wanted


def _first(model: Model, name: str) -> float | None:
    value = model.constants[name].read().reshape(-1)
    return float(value[0]) if value.size == 1 else None


def _operand(
    body: _Body, model: Model, name: str, given: dict[str, str], inner: dict[str, int], refs: dict[str, Ref]
) -> str:
    if not name:
        return ""
    if name in given:
        return given[name]
    if name in inner:
        return body.values[inner[name]]
    return body.constant(refs.get(name, Ref("number")), name)
