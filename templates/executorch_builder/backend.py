"""What the builders of all ops of the package share."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from .arguments import ArgumentReader
from .checks import Rejected, match
from .constants import (
    DSP_LIBRARY,
    FIRST_OP,
    INTERFACE_PROVIDER,
    LIBRARY,
    PACKAGE_NAME,
    TORCH_NAMESPACE,
)
from .libraries import load_library, tell_of_missing
from .mapping import CALLER, Constant, Made, Moved
from .nodes import Argument, axis_order, is_alone
from .wheel import (
    QCOM_DATA,
    QCOM_OFFSET,
    QCOM_QUANT_ATTRS,
    QCOM_SCALE,
    QCOM_SCALE_OFFSET,
    PyQnnManager,
    QnnExecuTorchOpPackageInfo,
    QnnExecuTorchOpPackagePlatform,
    QnnExecuTorchOpPackageTarget,
    Wrappers,
    get_parameter,
    is_parameter,
    register_node_visitor,
)

if TYPE_CHECKING:
    import numpy as np
    import torch

__all__ = ["PackageVisitor", "Wrappers", "new_op", "op_package_infos", "register_node_visitor"]


def new_op(name: str, package: str, op_type: str) -> Any:
    """An op of the QNN graph."""
    if package == PACKAGE_NAME:
        tell_of_missing()
    return PyQnnManager.PyQnnOpWrapper(name, package, op_type)


class PackageVisitor(ArgumentReader):
    """What the builders share. `stock`: the backend's own builders of the torch ops in `calls`,
    which get the calls that the spec does not allow.
    """

    stock: ClassVar[dict[str, type[Any]]] = {}
    target: ClassVar[list[str]]
    builders: ClassVar[dict[str, type[PackageVisitor]]] = {}  # by the package's own torch op

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        PackageVisitor.builders[cls.target[0]] = cls

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._made_with = (args, kwargs)
        self._steps: list[torch.fx.Node] = []

    def rejected(
        self, node: torch.fx.Node, nodes_to_wrappers: Wrappers, op: str, reason: Rejected
    ) -> Any:
        """What becomes of a call that the spec does not allow; the warning says why."""
        if CALLER in node.meta:
            raise Rejected(f"{op}: {reason}")
        stock = self.stock.get(getattr(node.target, "__name__", ""))
        own = stock is not None and issubclass(stock, PackageVisitor)
        left = "is left to another op" if own else "is left to the backend's own builder"
        where = "is not delegated" if stock is None else left
        text = f"[{PACKAGE_NAME}] {op} {where} ({node.name}): {reason}"
        if stock is None and is_alone(node.target):
            text += "; the runtime has no kernel of it, and a program with it does not load (0x14)"
        warnings.warn(text, stacklevel=2)
        if stock is None:
            return None
        args, kwargs = self._made_with
        return stock(*args, **kwargs).define_node(node, nodes_to_wrappers)

    # Inputs that are made: constants, moved constants, what ops of the package make

    def made_input(
        self,
        node: torch.fx.Node,
        name: str,
        types: Sequence[Mapping[str, str]],
        others: Mapping[str, Argument | None],
        static: bool = False,
        like: Argument | None = None,
    ) -> Argument | None:
        """A tensor of the model, a constant of it that is moved, or what `torch:` makes.

        What is made of numbers has the element type of the first combination that fits the other
        inputs, and the quantization of `like`, if there is one.
        """
        value = self.argument(node, name)
        if isinstance(value, Made):
            source = self._step(node, name, value)
            tensor = source.meta["val"]
            return Argument(source, tensor, self._info(source, node, tensor, None))
        if isinstance(value, Moved):
            found = self._input(node, name, value.node, static=True)
            tensor = value.of(found.tensor)
            value.thin(found.source.meta.get(QCOM_QUANT_ATTRS, {}), len(tensor))
            return replace(found, tensor=tensor, info=self._info(found.source, node, tensor, None))
        if not isinstance(value, Constant):
            return None if value is None else self._input(node, name, value, static)
        call = self.mapped(node)
        whole = call is not None and call.constant == name
        given = {other: each.info for other, each in others.items() if each}
        if whole:  # the result is asked for first
            *_, output = types[0]
            given[output] = self.outputs(node, 1)[0].info
        folded = whole and self.is_folded(node)
        dtype = given[output].dtype if folded else match(types, given)[name]
        from torch._subclasses.fake_tensor import unset_fake_temporarily

        from .filled import filled

        with unset_fake_temporarily():
            model = node if whole else like.source if like else None
            source, tensor = filled(node, name, value, dtype, model)
        info = self._info(source, node, tensor, None)
        order = axis_order(node)
        if order is not None and len(order) == tensor.dim() > 1:  # as the other tensors are stored
            tensor = tensor.permute(order).contiguous()
        return Argument(source, tensor, info, static=True)

    def is_folded(self, node: torch.fx.Node) -> bool:
        """Whether the result is a constant that other nodes of the graph take: no op makes it."""
        call = self.mapped(node)
        if call is None or not call.constant:
            return False
        static = PyQnnManager.Qnn_TensorType_t.QNN_TENSOR_TYPE_STATIC
        return bool(self.get_tensor_type(node, static) == static)

    def fold(
        self, node: torch.fx.Node, nodes_to_wrappers: Wrappers, inputs: Mapping[str, Argument]
    ) -> list[Any]:
        """Defines a constant as the result of the node; no ops."""
        call = self.mapped(node)
        assert call is not None
        self.wrap(node, nodes_to_wrappers, replace(inputs[call.constant], source=node))
        return []

    def _step(self, node: torch.fx.Node, name: str, made: Made) -> torch.fx.Node:
        """A node of no graph for the op that makes an input; `steps` builds it."""
        from .steps import step_node

        inputs = [
            self._step(node, f"{name}_{at}", each) if isinstance(each, Made) else each
            for at, each in enumerate(made.inputs)
        ]
        sources = [self.get_node(each) for each in inputs]
        like = node if made.follows is None else sources[made.follows]
        dims = made.dims or tuple(self._stored(sources[0], node).shape)
        named = zip(self.builders[made.op].arguments, inputs, strict=False)
        arguments = {**dict(named), **made.params}
        source = step_node(node, name, made.op, arguments, like, dims, made.dtype)
        self._steps.append(source)
        return source

    def steps(self, node: torch.fx.Node, nodes_to_wrappers: Wrappers) -> list[Any]:
        """The ops that make inputs of the node, in order."""
        steps = [step for step in self._steps if step.meta[CALLER] is node]
        self._steps = []
        args, kwargs = self._made_with
        found: list[Any] = []
        for step in steps:
            builder = self.builders[step.target.__name__](*args, **kwargs)
            op = builder.define_node(step, nodes_to_wrappers)
            found += op if isinstance(op, list) else [op]
        return found

    def per_channel(self, node: torch.fx.Node) -> bool:
        """Whether a tensor has a scale for each channel."""
        _, config = self.get_quant_encoding_conf(self.get_node(node), node)
        return QCOM_SCALE_OFFSET in config

    def real_values(self, node: torch.fx.Node) -> torch.Tensor:
        """The numbers that a constant of the model stands for."""
        source = self.get_node(node)
        if not is_parameter(source, self.edge_program):
            raise ValueError(f"'{source.name}' is no constant")
        tensor = get_parameter(source, self.edge_program).detach()
        _, config = self.get_quant_encoding_conf(source, node)
        if not config:
            return tensor
        stored = tensor.float()
        if QCOM_SCALE_OFFSET not in config:
            return (stored + float(config[QCOM_OFFSET])) * float(config[QCOM_SCALE])
        axis, pairs = source.meta[QCOM_QUANT_ATTRS]["axis"], config[QCOM_SCALE_OFFSET]
        dims = [-1 if at == axis else 1 for at in range(tensor.dim())]
        scale, offset = (stored.new_tensor(pairs[key]).reshape(dims) for key in ("scale", "offset"))
        return (stored + offset) * scale

    # The op's tensors and params

    def wrap(
        self,
        node: torch.fx.Node,
        nodes_to_wrappers: Wrappers,
        *arguments: Argument | None,
    ) -> list[Any]:
        """Tensor wrappers of the arguments that are there."""
        types = PyQnnManager.Qnn_TensorType_t
        found = []
        for each in filter(None, arguments):
            kind = types.QNN_TENSOR_TYPE_STATIC if each.static else types.QNN_TENSOR_TYPE_NATIVE
            self._part = each.part
            target = node if each.source is node else node.meta.get(CALLER, node)
            values = (each.source, target, each.tensor, kind, nodes_to_wrappers)
            found.append(self.define_tensor(*values, wrapper_idx=each.index))
        self._part = None
        return found

    def add_scalar(self, op: Any, name: str, data_type: str, value: np.generic) -> None:
        """A scalar param; the backend copies the bytes of `value`."""
        op.AddScalarParam(name, getattr(PyQnnManager.Qnn_DataType_t, data_type), {QCOM_DATA: value})

    def add_tensor(
        self, op: Any, name: str, data_type: str, values: np.ndarray[Any, Any], dims: Sequence[int]
    ) -> None:
        """A tensor param, row-major."""
        qnn_type = getattr(PyQnnManager.Qnn_DataType_t, data_type)
        op.AddTensorParam(name, qnn_type, len(dims), list(dims), values.reshape(dims), True)

    def moved_axis(
        self, node: torch.fx.Node, axis: int, argument: Argument, from_end: bool = False
    ) -> int:
        """Where the dimension is after the backend's change of layout, if there was one.

        `from_end`: a negative number, for kernels that see ranks padded in front.
        """
        order = axis_order(node)
        rank = argument.info.rank
        moved = axis if order is None or len(order) != rank else order.index(axis % rank)
        return moved - rank if from_end and moved >= 0 else moved

    def moved_axes(
        self, node: torch.fx.Node, axes: Sequence[int], argument: Argument, from_end: bool = False
    ) -> list[int]:
        """Several of them."""
        return [self.moved_axis(node, axis, argument, from_end) for axis in axes]

    def moved_rows(
        self, node: torch.fx.Node, values: Sequence[Any], argument: Argument
    ) -> list[Any]:
        """Numbers, or rows of them, of each dimension in the order that the backend chose."""
        order, rank = axis_order(node), argument.info.rank
        if order is None or len(order) != rank:
            return list(values)
        width = len(values) // rank
        return [value for at in order for value in values[at * width : (at + 1) * width]]


def op_package_infos(library: Path) -> list[QnnExecuTorchOpPackageInfo]:
    """The infos for this machine and for Android.

    A wrong interface provider can crash the backend: the library is looked at first.
    """
    load_library(library)
    targets, platforms = QnnExecuTorchOpPackageTarget, QnnExecuTorchOpPackagePlatform
    places = [
        (LIBRARY, targets.CPU, platforms.X86_64),
        (LIBRARY, targets.CPU, platforms.AARCH64_ANDROID),
        (DSP_LIBRARY, targets.HTP, platforms.AARCH64_ANDROID),
    ]
    # The backend replaces the builder of `custom_op_name` by its own: name an op of no graph.
    return [
        QnnExecuTorchOpPackageInfo(
            op_package_name=PACKAGE_NAME,
            op_package_path=name,
            interface_provider=INTERFACE_PROVIDER,
            target=target,
            custom_op_name=f"{TORCH_NAMESPACE}.op_package.default",
            qnn_op_type_name=FIRST_OP,
            platform=platform,
        )
        for name, target, platform in places
    ]
