"""The arguments and results of a node, as the checks and the wrappers of a builder take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from .checks import Rejected, Tensor, gap
from .mapping import ARGUMENTS, CALLER, Constant, Moved, TorchCall, name_of
from .nodes import Argument, axis_order, is_real, nominal, part_of
from .wheel import (
    ELEMENT_TYPES,
    QCOM_AXIS,
    QCOM_ENCODING,
    QCOM_INSERTED_PERMUTE,
    QCOM_OFFSET,
    QCOM_QUANT_ATTRS,
    QCOM_SCALE,
    QCOM_SCALE_OFFSET,
    NodeVisitor,
    get_parameter,
    is_parameter,
)

if TYPE_CHECKING:
    import torch

__all__ = ["ArgumentReader"]


class ArgumentReader(NodeVisitor):  # type: ignore[misc]
    """Reads what a node gives and what it makes.

    `arguments`: names of the torch op's arguments, in order. `calls`: other torch ops that the op
    implements.
    """

    arguments: ClassVar[list[str]]
    calls: ClassVar[dict[str, TorchCall]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._part: torch.fx.Node | None = None

    def argument(self, node: torch.fx.Node, name: str) -> Any:
        """An argument given by position or keyword; None when it is missing."""
        if ARGUMENTS in node.meta:
            return node.meta[ARGUMENTS].get(name)
        call = self.mapped(node)
        if call is not None:
            from torch._subclasses.fake_tensor import unset_fake_temporarily

            with unset_fake_temporarily():
                return call.arguments(node, self, axis_order(node)).get(name)
        at = self.arguments.index(name)
        value = node.args[at] if at < len(node.args) else node.kwargs.get(name)
        return list(value) if isinstance(value, list | tuple) else value

    def mapped(self, node: torch.fx.Node) -> TorchCall | None:
        """How a call of another torch op than our own is read."""
        return self.calls.get(name_of(node.target))

    def value(self, node: torch.fx.Node, name: str) -> Any:
        """The value of a param, or None for its default."""
        value = self.argument(node, name)
        if any(hasattr(each, "meta") for each in (value if isinstance(value, list) else [value])):
            raise Rejected(f"param '{name}' is computed in the graph; it must be a constant")
        return value

    def required(self, node: torch.fx.Node, name: str) -> Any:
        """The value of a param without default."""
        value = self.value(node, name)
        if value is None:
            raise Rejected(f"param '{name}' is missing")
        return value

    def input(self, node: torch.fx.Node, name: str, static: bool = False) -> Argument:
        """A tensor that must be there."""
        return self.needed(name, self.optional_input(node, name, static))

    def optional_input(
        self, node: torch.fx.Node, name: str, static: bool = False
    ) -> Argument | None:
        """A tensor that may be None or missing."""
        value = self.argument(node, name)
        return None if value is None else self._input(node, name, value, static)

    def needed(self, name: str, found: Argument | None) -> Argument:
        """A tensor that must be there."""
        if found is None:
            raise Rejected(f"input '{name}' is missing")
        return found

    def inputs(self, node: torch.fx.Node, name: str, static: bool = False) -> list[Argument]:
        """The tensors of a variadic input."""
        found = self.optional_inputs(node, name, static)
        if found is None:
            raise Rejected(f"input '{name}' is missing")
        return found

    def optional_inputs(
        self, node: torch.fx.Node, name: str, static: bool = False
    ) -> list[Argument] | None:
        """The tensors of a variadic input that may be None, empty or missing."""
        values = self.argument(node, name)
        if not values:
            return None
        return [self._input(node, name, value, static) for value in values]

    def _input(self, node: torch.fx.Node, name: str, value: Any, static: bool) -> Argument:
        if not hasattr(value, "meta") or isinstance(value, Constant | Moved):
            raise Rejected(f"input '{name}' is {value}, which is no tensor of the graph")
        source = self.source_of(node, value)
        if static and not is_parameter(source, self.edge_program):
            raise Rejected(f"input '{name}' must be a constant")
        if static:
            tensor = get_parameter(source, self.edge_program)
            return Argument(source, tensor, self._info(source, node, tensor, None), static=True)
        if CALLER in node.meta:
            tensor = self._stored(source, node.meta[CALLER])
            return Argument(source, tensor, self._info(source, node.meta[CALLER], tensor, None))
        if QCOM_INSERTED_PERMUTE in node.meta:  # as the tensor is stored, whatever torch's order is
            tensor = self.get_tensor(source, source)
            return Argument(source, tensor, self._info(source, node, tensor, None))
        tensor = self.get_tensor(source, node)
        return Argument(source, tensor, self._info(source, node, tensor, axis_order(node)))

    def _stored(self, source: torch.fx.Node, node: torch.fx.Node) -> torch.Tensor:
        """A tensor as it is stored for a node."""
        made = CALLER in source.meta
        return source.meta["val"] if made else self.get_tensor(source, node)

    def source_of(self, node: torch.fx.Node, value: torch.fx.Node) -> torch.fx.Node:
        """Where a tensor comes from: over a dequantize of frozen weights.

        What quantizes itself takes the tensor as it is.
        """
        call = self.mapped(node)
        return value if call is not None and call.encoding else self.get_node(value)

    def without_gap(self, given: Mapping[str, object]) -> None:
        """QNN tells inputs by position."""
        found = gap(given)
        if found:
            raise Rejected(found)

    def output(self, node: torch.fx.Node, index: int, count: int) -> Argument:
        """One of the node's `count` outputs."""
        call = self.mapped(node)
        if call is not None and call.encoding:
            node.meta[QCOM_QUANT_ATTRS] = {QCOM_ENCODING: node.target, **call.encoded(node)}
        found = self.outputs(node, count if call is not None else None)
        if len(found) != count:
            raise Rejected(f"the node has {len(found)} outputs, not {count}")
        return found[index]

    def outputs(self, node: torch.fx.Node, count: int | None = None) -> list[Argument]:
        """All outputs of the node; `count`: the first of them, if nothing takes the others."""
        value = node.meta["val"]
        if QCOM_INSERTED_PERMUTE in node.meta:
            source = self.get_node(node.args[0])
            tensor = self.get_tensor(source, source).permute(node.args[1])
            return [Argument(node, tensor, self._info(node, node, tensor, None))]
        order = axis_order(node)
        indexes: Sequence[int | None] = [None]
        if isinstance(value, list | tuple):
            indexes = range(len(value) if count is None else min(count, len(value)))
            for user in node.users if count is not None else ():
                if isinstance(user.args[1], int) and user.args[1] >= len(indexes) and user.users:
                    raise Rejected(f"output {user.args[1]} of the node is used")
        found = []
        for index in indexes:
            tensor = self.get_tensor(node, node, index)
            self._part = part = None if index is None else part_of(node, index)
            info = self._info(node, node, tensor, order)
            found.append(Argument(node, tensor, info, index or 0, part=part))
        self._part = None
        return found

    def get_quant_encoding_conf(self, node: torch.fx.Node, target: torch.fx.Node) -> Any:
        """Encoding and values; of one of several outputs, those of the node that takes it."""
        part = self._part if node is target else None
        if part is not None and not part.meta.get(QCOM_QUANT_ATTRS) and is_real(part):
            part = None
        return super().get_quant_encoding_conf(part or node, target)

    def narrowed(self, tensor: Argument) -> Argument:
        """Whole numbers that torch counts in 64 bits and QNN in 32."""
        if tensor.info.dtype != "int64":
            return tensor
        return replace(tensor, tensor=tensor.tensor.int(), info=replace(tensor.info, dtype="int32"))

    def _info(
        self, source: torch.fx.Node, node: torch.fx.Node, tensor: torch.Tensor, order: Any
    ) -> Tensor:
        """Shape in torch's order of dimensions, element type and quantization."""
        _, config = self.get_quant_encoding_conf(source, node)
        try:
            dtype = ELEMENT_TYPES[self.get_data_type(tensor, config).name]
        except KeyError:
            unknown = f"'{source.name}' has element type {tensor.dtype}, which QNN has not"
            raise Rejected(unknown) from None
        shape = tuple(nominal(dim) for dim in tensor.shape) or (1,)
        if order is not None and len(order) == len(shape):
            shape = tuple(shape[order.index(at)] for at in range(len(shape)))
        if QCOM_SCALE_OFFSET in config:
            pairs = config[QCOM_SCALE_OFFSET]
            scales, offsets = tuple(map(float, pairs["scale"])), tuple(map(int, pairs["offset"]))
            return Tensor(shape, dtype, None, None, int(config[QCOM_AXIS]), scales, offsets)
        scale, offset = config.get(QCOM_SCALE), config.get(QCOM_OFFSET)
        if scale is None or offset is None:
            return Tensor(shape, dtype)
        return Tensor(shape, dtype, float(scale), int(offset))
