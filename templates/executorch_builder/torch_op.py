"""A torch custom op made from a spec: what it computes, shapes of fake tensors, the variant with `out` arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from . import torch_math as tm
from .checks import Rejected, Tensor
from .mapping import TorchCall
from .torch_types import TORCH_TYPES, fits, nominal

Given = dict[str, Any]
Types = Mapping[str, str]
Reference = Callable[..., Any]


@dataclass(frozen=True)
class Output:
    """`like`: the input whose torch type the output has, or empty: that of its element type."""

    name: str
    like: str = ""
    variadic: tuple[int, int] | None = None


@dataclass(frozen=True)
class Wanted:
    """What a tensor's quantization must be, as in QNN: real = (q + offset) * scale."""

    scale: float | None = None
    offset: int | None = None
    symmetric: bool = False
    axis: int | None = None
    same_as: str | None = None


@dataclass(frozen=True)
class CustomOp:
    """One op. Names are those of the spec; `locals`: what the checks call them, where it differs.

    `elementwise`: each element of the outputs hangs on the elements of one place of inputs of the same shape.
    `pattern`: the torch function that the op fuses, of the inputs and the params that it `reads`.
    """

    name: str
    schema: str
    out_schema: str
    inputs: Sequence[str]
    params: Sequence[str]
    outputs: Sequence[Output]
    types: Sequence[Types]
    check: Callable[..., Any]
    shapes: Callable[..., tuple[Any, ...]]
    compute: Callable[..., tuple[tm.Value, ...]] | None = None
    reference: tuple[str, str] | None = None
    locals: Mapping[str, str] = field(default_factory=dict)
    quantization: Mapping[str, Wanted] = field(default_factory=dict)
    elementwise: bool = False
    calls: Sequence[TorchCall] = ()
    pattern: Callable[..., Any] | None = None
    reads: Sequence[str] = ()

    def bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Given:
        """Arguments by name; None for those that are not given."""
        names = [*self.inputs, *self.params]
        given = {**dict(zip(names, args, strict=False)), **kwargs}
        return {name: given.get(name) for name in names}

    def arguments(self, node: Any) -> Given:
        """Arguments of a node of a graph."""
        return self.bind(node.args, node.kwargs)

    def traced(self, given: Mapping[str, Any]) -> Given:
        """The same with the fake tensors that the nodes stand for."""
        found: Given = {name: given.get(name) for name in (*self.inputs, *self.params)}
        for name in self.inputs:
            value = found[name]
            if value is None:
                continue
            many = isinstance(value, list | tuple)
            shown = [getattr(each, "meta", {}).get("val") for each in (value if many else [value])]
            if not all(isinstance(each, torch.Tensor) for each in shown):
                raise Rejected(f"input '{name}' is {value}, which is no tensor of the graph")
            found[name] = shown if many else shown[0]
        return found

    def eager(self, reference: Reference | None, *args: Any, **kwargs: Any) -> Any:
        """The op on real tensors; Rejected when the spec does not allow the call."""
        given = self.bind(args, kwargs)
        call, types = self.checked(given)
        if self.compute is None:
            if reference is None:
                raise NotImplementedError(self._unknown())
            values = self._referred(reference, given, call)
        else:
            values = self._computed(self.compute, given, call, types)
        shapes = self._shapes_of(call)
        if len(values) != len(shapes):
            raise Rejected(f"{self.name}: {len(values)} results for {len(shapes)} outputs")
        pairs = zip(values, shapes, self._dtypes(given, types, shapes), strict=True)
        device = next((t.device for t in self._tensors(given)), None)
        return self._packed([self._finished(*pair).to(device) for pair in pairs])

    def fake(self, *args: Any, **kwargs: Any) -> Any:
        """The op on tensors without data: shapes by the spec's rule, symbolic dimensions as they are."""
        given = self.bind(args, kwargs)
        call, types = self.checked(given)
        shapes = self._shapes_of(call)
        if any(not isinstance(dim, int) for t in self._tensors(given) for dim in t.shape):
            symbolic = self.shapes(
                **self._arguments(given, lambda name, t: Tensor(tuple(t.shape), types[name]))
            )
            if self.outputs[0].variadic is not None:
                symbolic = symbolic * len(shapes)
            shapes = [
                shape if shape is not None else symbolic[at] for at, shape in enumerate(symbolic)
            ]
        if any(shape is None for shape in shapes):
            shapes = self._open(given, call, types, shapes)
        like = next(iter(self._tensors(given)), None)
        dtypes = self._dtypes(given, types, shapes)
        made = zip(shapes, dtypes, strict=True)
        return self._packed(
            [
                torch.empty(shape, dtype=dtype)
                if like is None
                else like.new_empty(shape, dtype=dtype)
                for shape, dtype in made
            ]
        )

    def composite(self, *args: Any, **kwargs: Any) -> Any:
        """The pattern on any tensors; Rejected when the spec does not allow the call."""
        given = self.bind(args, kwargs)
        self.checked(given)
        assert self.pattern is not None
        read = {name: given[name] for name in self.reads if given[name] is not None}
        return self.pattern(*(given[name] for name in self.inputs), **read)

    def out(self, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """The results of `call` written into the last arguments."""
        names = out_names(self)
        given = {name: value for name, value in kwargs.items() if name not in names}
        targets = [kwargs[name] for name in names]
        results = call(*args, **given)
        several = self.outputs[0].variadic is not None
        flat = targets[0] if several else targets
        for target, result in zip(flat, _listed(results), strict=True):
            if target.shape != result.shape:
                target.resize_(result.shape)
            target.copy_(result)
        return None if several else targets[0] if len(targets) == 1 else tuple(targets)

    def out_fake(self, names: Sequence[str], *args: Any, **kwargs: Any) -> Any:
        """The variant with `out` on tensors without data."""
        several = self.outputs[0].variadic is not None
        targets = [kwargs[name] for name in names]
        return None if several else targets[0] if len(targets) == 1 else tuple(targets)

    # The call as the spec sees it

    def checked(self, given: Given) -> tuple[Any, Types]:
        """The call checked under the first element types that allow it, and these; raises Rejected."""
        reason: Rejected | None = None
        for types in [
            row for same in (True, False) for row in self.types if self._fit(given, row, same)
        ]:

            def view(name: str, tensor: torch.Tensor, types: Types = types) -> Tensor:
                return Tensor(tuple(nominal(dim) for dim in tensor.shape), types[name])

            try:
                return self._check(self._arguments(given, view), types), types
            except Rejected as failure:
                reason = reason or failure
        if reason is None:
            found = ", ".join(f"{n}: {t.dtype}" for n in self.inputs for t in _listed(given[n]))
            reason = Rejected(f"no element types of the op fit {found}")
        raise Rejected(f"{self.name}: {reason}")

    def _check(self, arguments: Given, types: Types) -> Any:
        """The check; of a variadic output, the first number of tensors that passes it."""
        output = self.outputs[0]
        if output.variadic is None:
            return self.check(**arguments)
        reason: Rejected | None = None
        shape = self.shapes(**arguments)[0]
        for count in range(output.variadic[0], output.variadic[1] + 1):
            made = {self._local(output.name): [Tensor(shape, types[output.name])] * count}
            try:
                return self.check(**arguments, **made)
            except Rejected as failure:
                reason = reason or failure
        raise reason or Rejected(f"no number of '{output.name}' is allowed")

    def _fit(self, given: Given, row: Types, same: bool) -> bool:
        pairs = [(t.dtype, row[name]) for name in self.inputs for t in _listed(given[name])]
        return all(fits(dtype, wanted, same) for dtype, wanted in pairs)

    def _local(self, name: str) -> str:
        return self.locals.get(name, name)

    def _tensors(self, given: Given) -> Iterator[torch.Tensor]:
        for name in self.inputs:
            yield from _listed(given[name])

    def _arguments(self, given: Given, view: Callable[[str, torch.Tensor], Tensor]) -> Given:
        """Keyword arguments of the check and of the shape rule."""
        found: Given = {}
        for name, value in given.items():
            if name in self.params and value is not None:
                found[self._local(name)] = value
            elif isinstance(value, torch.Tensor):
                found[self._local(name)] = view(name, value)
            elif value:
                found[self._local(name)] = [view(name, each) for each in value]
        return found

    def _shapes_of(self, call: Any) -> list[Any]:
        """Shapes of the outputs, None where the spec leaves one open."""
        shapes = [getattr(call, self._local(output.name)) for output in self.outputs]
        return list(shapes[0]) if self.outputs[0].variadic is not None and shapes[0] else shapes

    def _dtypes(self, given: Given, types: Types, shapes: Sequence[Any]) -> list[torch.dtype]:
        found = []
        for output in self.outputs:
            like = next(iter(_listed(given[output.like] if output.like else None)), None)
            found.append(
                TORCH_TYPES.get(types[output.name], torch.float32) if like is None else like.dtype
            )
        return found * len(shapes) if self.outputs[0].variadic is not None else found

    def _param(self, call: Any, name: str) -> Any:
        """The value of a param in a call: a number, or an array."""
        value = getattr(call, self._local(name))
        if not isinstance(value, tuple):
            return value
        return np.asarray(value).reshape(getattr(call, "dims_", {}).get(name, (len(value),)))

    # What it computes

    def _computed(
        self, compute: Callable[..., tuple[tm.Value, ...]], given: Given, call: Any, types: Types
    ) -> Sequence[tm.Value]:
        values = [None if given[name] is None else tm.number(given[name]) for name in self.inputs]
        params = [self._param(call, name) for name in self.params]
        tensors = [
            tm.number(torch.from_numpy(p) if isinstance(p, np.ndarray) else p) for p in params
        ]
        return compute(*values, *tensors, types)

    def _referred(self, reference: Reference, given: Given, call: Any) -> Sequence[Any]:
        """The numpy function on real values; it may do with its arguments as it likes."""
        arguments: Given = {}
        for name in self.inputs:
            value = given[name]
            found = [tm.number(t.detach().cpu()).numpy().copy() for t in _listed(value)]
            arguments[name] = (
                found if isinstance(value, list | tuple) else found[0] if found else None
            )
        arguments |= {name: self._param(call, name) for name in self.params}
        with np.errstate(all="ignore"):
            result = reference(**arguments)
        if not isinstance(result, tuple | list):
            return [np.asarray(result)]
        flat = [
            each
            for value in result
            for each in (value if isinstance(value, tuple | list) else [value])
        ]
        return [np.asarray(each) for each in flat]

    def _finished(self, value: Any, shape: Any, dtype: torch.dtype) -> torch.Tensor:
        """A value as an output: one number fills it, anything else has its shape."""
        tensor = tm.number(torch.from_numpy(value) if isinstance(value, np.ndarray) else value)
        if shape is not None and tensor.ndim == 0:
            tensor = tensor.expand(shape)
        if shape is not None and tuple(tensor.shape) != tuple(shape):
            raise Rejected(
                f"{self.name}: a result has shape {list(tensor.shape)}, the spec says {list(shape)}"
            )
        return tm.narrow(tensor, dtype).clone(memory_format=torch.contiguous_format)

    def _open(self, given: Given, call: Any, types: Types, shapes: Sequence[Any]) -> list[Any]:
        """Shapes that the spec leaves open, from the computation."""
        if self.compute is None:
            raise NotImplementedError(f"{self.name}: the spec leaves the shape of an output open")
        values = self._computed(self.compute, given, call, types)
        return [tm.number(v).shape if s is None else s for v, s in zip(values, shapes, strict=True)]

    def _packed(self, tensors: list[torch.Tensor]) -> Any:
        if self.outputs[0].variadic is not None:
            return tensors
        return tensors[0] if len(tensors) == 1 else tuple(tensors)

    def _unknown(self) -> str:
        if self.reference is None:
            return f"{self.name}: the spec has no compute: and no reference:"
        module, function = self.reference
        return f"{self.name}: {module}.py with {function}() was not found; say define(references=<its path>)"


def out_names(op: CustomOp) -> list[str]:
    """Arguments of the variant with `out`, one per result."""
    taken = {*op.inputs, *op.params}
    names = ["out"] if len(op.outputs) == 1 else [f"out{at}" for at in range(len(op.outputs))]
    return [f"{name}_" if name in taken else name for name in names]


def _listed(value: Any) -> list[Any]:
    return [] if value is None else [value] if isinstance(value, torch.Tensor) else list(value)
