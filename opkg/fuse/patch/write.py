"""The ONNX model with ops of packages in place: their nodes, params, and the functions that say what they compute.

A runtime with the package takes the nodes, every other one computes the functions: the file runs everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from opkg.fuse.onnx_place import border, makers_of, put, steps_apart
from opkg.fuse.patch.around import Around
from opkg.fuse.patch.find import Place
from opkg.models.fold import Fold
from opkg.models.model import Model
from opkg.models.onnx_function import AXES_AS_INPUTS, LEAST_OPSET, Made, functions
from opkg.models.onnx_nodes import Unfit
from opkg.models.onnx_params import as_inputs, several_dims
from opkg.models.onnx_values import first_line
from opkg.spec.diagnostics import OpkgError, Span, error
from opkg.spec.model import Op, ParamSpec, Value

FUNCTIONS_IR, OVERLOADS_IR = 8, 10  # versions of the format: with functions in models, with several of one name


def patched(proto: Any, model: Model, fold: Fold, places: Sequence[Place], domains: dict[str, str], path: str) -> Any:
    """A copy of a ModelProto with ops in their places. `domains`: op -> the name of its package. Raises OpkgError: OPK793 for a
    function that the model's opset cannot say, OPK795 when onnx's checker has something against the result."""
    import onnx
    from onnx import helper

    from opkg.models.onnx_shapes import add_shapes

    made = onnx.ModelProto()
    made.CopyFrom(proto)
    opset = next(each.version for each in proto.opset_import if each.domain in ("", "ai.onnx"))
    known = {each.domain for each in proto.opset_import}
    writer = _Writer(proto, model, fold, opset, path)
    nodes = [(place, writer.nodes(place, domains[place.op.name])) for place in places]
    new = [name for name in dict.fromkeys(domains.values()) if name not in known]
    made.opset_import.extend(helper.make_opsetid(name, 1) for name in new)
    made.graph.initializer.extend(writer.constants)
    made.functions.extend(writer.functions)
    made.ir_version = max(made.ir_version, OVERLOADS_IR if writer.overloaded else FUNCTIONS_IR)
    put(made.graph, model, fold, nodes)
    steps_apart(made.graph)
    add_shapes(made, set(domains.values()))
    try:
        onnx.checker.check_model(made, full_check=True)
    except Exception as failure:  # the package's own kinds of errors
        raise OpkgError(
            [error("OPK795", f"the patched model is not valid: {first_line(failure)}", Span(path))]
        ) from None
    return made


class _Writer:
    """Nodes, and what they need."""

    def __init__(self, proto: Any, model: Model, fold: Fold, opset: int, path: str) -> None:
        self.model, self.fold, self.opset, self.path = model, fold, opset, path
        self.makers = makers_of(proto.graph)
        self.taken = {name for node in proto.graph.node for name in (*node.input, *node.output)}
        self.taken |= {tensor.name for tensor in proto.graph.initializer}
        self.there = {(each.domain, each.name, each.overload) for each in proto.functions}
        self.constants: list[Any] = []
        self.functions: list[Any] = []
        self.overloaded = False

    def nodes(self, place: Place, domain: str) -> list[Any]:
        """The op's node, and those that bring tensors into its layout."""
        from onnx import helper

        op = place.op
        function = self._function(place, domain).function
        inputs, outputs = border(self.makers, self.model, self.fold, place)
        label = f"{self.model.nodes[place.nodes[-1]].name}/{op.name}"
        around = Around(self.model, place, label, self.makers, self._fresh)
        inputs = [around.before(at, name) for at, name in enumerate(inputs)]
        result = around.behind(outputs[0])
        attributes = {}
        if as_inputs(op):
            inputs += [self._constant(param, place.params[param.name], label) for param in op.params]
        else:
            attributes = {param.name: _attribute(param, place.params[param.name]) for param in op.params}
        made = helper.make_node(op.name, inputs, [result], label, domain=domain, **attributes)
        made.overload = function.overload
        self.overloaded |= bool(function.overload)
        self.constants += around.constants
        return [*around.first, made, *around.last]

    def _function(self, place: Place, domain: str) -> Made:
        """The function for a place, which goes into the model when it is the first."""
        import onnx

        op = place.op
        opset = AXES_AS_INPUTS if self.opset >= AXES_AS_INPUTS else LEAST_OPSET
        try:
            made = next(
                each
                for each in functions(op, domain, as_inputs(op), opset)
                if place.combination in each.combinations and each.inputs == len(op.inputs)
            )
        except Unfit as unfit:
            raise self._unsaid(op, str(unfit)) from None
        function = made.function
        if function.opset > self.opset:
            raise self._unsaid(op, f"its function needs opset {function.opset}")
        key = (domain, op.name, function.overload)
        if key not in self.there:
            self.there.add(key)
            self.functions.append(onnx.parser.parse_function(function.text(self.opset)))
            self.functions[-1].name = op.name  # texts have no dots in it
        return made

    def _unsaid(self, op: Op, why: str) -> OpkgError:
        message = f"{op.name} has no function in a model of opset {self.opset}: {why}"
        hint = "convert the model with onnx.version_converter.convert_version"
        return OpkgError([error("OPK793", message, Span(self.path), hint if "opset" in why else "")])

    def _constant(self, param: ParamSpec, value: Value, label: str) -> str:
        """A param as a tensor behind the inputs."""
        import numpy as np
        from onnx import numpy_helper

        name = self._fresh(f"{label}_{param.name}")
        array = np.asarray(value, dtype=np.float32 if _is_real(param) else np.int32)
        array = array.reshape(several_dims(param) or array.shape)
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def _fresh(self, name: str) -> str:
        """A name that nothing in the model has."""
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name


def _attribute(param: ParamSpec, value: Value) -> Any:
    kind = float if _is_real(param) else int
    return [kind(each) for each in value] if isinstance(value, tuple) else kind(value)


def _is_real(param: ParamSpec) -> bool:
    return param.dtype.name == "float32"
