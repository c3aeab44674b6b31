"""A torch custom op made from a spec: its calls checked, shapes of fake tensors, the variant with `out` arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch._subclasses.fake_tensor import unset_fake_temporarily

from .checks import Rejected, Tensor
from .mapping import TorchCall
from .torch_keys import Seen, seen_by
from .torch_record import Compute, Given, Output, Types, Wanted, listed
from .torch_types import TORCH_TYPES, fits, nominal
from .torch_values import entered, number

_PASSED = 256  # calls of a pattern that are kept
_PLAIN = {torch.Tensor, torch.nn.Parameter, int, float, bool, type(None)}


@dataclass(frozen=True)
class CustomOp:
    """One op. Names are those of the spec; `locals`: what the checks call them, where it differs.

    `elementwise`: each element of the outputs hangs on the elements of one place of inputs of the same shape.
    `reduces`: the dimensions, or params with such, that the computation reduces and keeps; None: rows cannot be
    computed one by one. `single`: by rows of `types` what computes them in float32, `mixed`: rows of which
    some steps are float64 even so, `half`: rows that may be float16 instead, `plain`: rows of which sums over dimensions are torch's own,
    `whole`: rows that are computed in int32, `narrow`: those of them that are computed in the type of their tensors, `cut`: rows that are computed in parts where these are large, `floors`: params that must be from 2**-60 to 2**60 for that,
    `brain`: by rows what computes tensors of bfloat16 in that type, `reals`: rows whose integers are reals from the start,
    `looks`: rows whose steps hang on numbers, where nothing records them.
    `reference`, `backward`: module and numpy function.
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
    compute: Compute | None = None
    reduces: Sequence[int | str] | None = None
    single: Mapping[int, Compute] = field(default_factory=dict)
    mixed: Sequence[int] = ()
    half: Sequence[int] = ()
    plain: Sequence[int] = ()
    whole: Sequence[int] = ()
    narrow: Sequence[int] = ()
    cut: Sequence[int] = ()
    reals: Sequence[int] = ()
    looks: Sequence[int] = ()
    brain: Mapping[int, Compute] = field(default_factory=dict)
    floors: Sequence[str] = ()
    reference: tuple[str, str] | None = None
    backward: tuple[str, str] | None = None
    locals: Mapping[str, str] = field(default_factory=dict)
    quantization: Mapping[str, Wanted] = field(default_factory=dict)
    elementwise: bool = False
    calls: Sequence[TorchCall] = ()
    pattern: Callable[..., Any] | None = None
    reads: Sequence[str] = ()
    passed: set[Any] = field(default_factory=set, compare=False)
    """Calls of the pattern that were checked, by what is seen of them."""

    @cached_property
    def seen(self) -> Seen:
        """What a call by position hangs on."""
        return seen_by(self.schema, bool(self.params))

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

    def fake(self, *args: Any, **kwargs: Any) -> Any:
        """The op on tensors without data: shapes by the spec's rule, symbolic dimensions as they are."""
        given = self.bind(args, kwargs)
        call, types = self.checked(given)
        shapes = self.traced_shapes(given, call, types)
        if any(shape is None for shape in shapes):
            shapes = self._open(given, call, types, shapes)
        like = next(iter(self.tensors(given)), None)
        dtypes = self.dtypes(given, types, shapes)
        made = zip(shapes, dtypes, strict=True)
        return self.packed(
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
        key = None if kwargs or not all(map(_is_plain, args)) else self.seen(*args)
        if key is None or key not in self.passed:
            self.checked(given)
            if key is not None:
                if len(self.passed) >= _PASSED:
                    self.passed.clear()
                self.passed.add(key)
        return self.patterned(given)

    def patterned(self, given: Given) -> Any:
        """The torch calls of the pattern."""
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
        for target, result in zip(flat, listed(results), strict=True):
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
            found = ", ".join(f"{n}: {t.dtype}" for n in self.inputs for t in listed(given[n]))
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
        pairs = [(t.dtype, row[name]) for name in self.inputs for t in listed(given[name])]
        return all(fits(dtype, wanted, same) for dtype, wanted in pairs)

    def _local(self, name: str) -> str:
        return self.locals.get(name, name)

    def tensors(self, given: Given) -> Iterator[torch.Tensor]:
        """All tensors of a call."""
        for name in self.inputs:
            yield from listed(given[name])

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

    def shapes_of(self, call: Any) -> list[Any]:
        """Shapes of the outputs, None where the spec leaves one open."""
        shapes = [getattr(call, self._local(output.name)) for output in self.outputs]
        return list(shapes[0]) if self.outputs[0].variadic is not None and shapes[0] else shapes

    def traced_shapes(self, given: Given, call: Any, types: Types) -> list[Any]:
        """The same with dimensions that are symbolic in the inputs as they are."""
        shapes = self.shapes_of(call)
        if all(isinstance(dim, int) for t in self.tensors(given) for dim in t.shape):
            return shapes
        made = self._arguments(given, lambda name, t: Tensor(tuple(t.shape), types[name]))
        symbolic = self.shapes(**made)
        if self.outputs[0].variadic is not None:
            symbolic = symbolic * len(shapes)
        return [shapes[at] if shape is None else shape for at, shape in enumerate(symbolic)]

    def dtypes(self, given: Given, types: Types, shapes: Sequence[Any]) -> list[torch.dtype]:
        """Torch types of the outputs."""
        found = []
        for output in self.outputs:
            like = next(iter(listed(given[output.like] if output.like else None)), None)
            found.append(
                TORCH_TYPES.get(types[output.name], torch.float32) if like is None else like.dtype
            )
        return found * len(shapes) if self.outputs[0].variadic is not None else found

    def param(self, call: Any, name: str) -> Any:
        """The value of a param in a call: a number, or an array."""
        value = getattr(call, self._local(name))
        if not isinstance(value, tuple):
            return value
        return np.asarray(value).reshape(getattr(call, "dims_", {}).get(name, (len(value),)))

    def param_tensors(self, call: Any) -> list[torch.Tensor]:
        """The params as a computation takes them."""
        values = [self.param(call, name) for name in self.params]
        arrays = [torch.from_numpy(v) if isinstance(v, np.ndarray) else number(v) for v in values]
        return [entered(each) for each in arrays]

    def single_row(self, given: Given, types: Types) -> int | None:
        """The row of `single` for tensors of just these types, or of bfloat16 instead of float32."""
        for row in self.single:
            if self.types[row] is types:
                named = ((t, types[name]) for name in self.inputs for t in listed(given[name]))
                return row if all(fits(t.dtype, n, True) for t, n in named) else None
        return None

    def axes(self, call: Any, axis: int | str) -> Sequence[int]:
        """Dimensions that a reduction names: one, or those of a param."""
        if isinstance(axis, int):
            return (axis,)
        return tuple(int(each) for each in np.asarray(self.param(call, axis)).reshape(-1))

    def _open(self, given: Given, call: Any, types: Types, shapes: Sequence[Any]) -> list[Any]:
        """Shapes that the spec leaves open, from the computation."""
        if self.compute is None:
            raise NotImplementedError(f"{self.name}: the spec leaves the shape of an output open")
        tensors = [given[name] for name in self.inputs]
        if any(not isinstance(dim, int) for t in tensors if t is not None for dim in t.shape):
            values = self._valued(tensors, call, types)
        else:  # traced tensors have no numbers, and how often is a number
            with unset_fake_temporarily():
                zeros = [
                    None if t is None else torch.zeros((), dtype=t.dtype).expand(t.shape)
                    for t in tensors
                ]
                values = self._valued(zeros, call, types)
        return [number(v).shape if s is None else s for v, s in zip(values, shapes, strict=True)]

    def _valued(self, tensors: Sequence[Any], call: Any, types: Types) -> Sequence[Any]:
        assert self.compute is not None
        numbers = [None if t is None else entered(t) for t in tensors]
        return self.compute(*numbers, *self.param_tensors(call), types)

    def packed(self, tensors: list[torch.Tensor]) -> Any:
        """The outputs as the torch op returns them."""
        if self.outputs[0].variadic is not None:
            return tensors
        return tensors[0] if len(tensors) == 1 else tuple(tensors)


def _is_plain(value: Any) -> bool:
    """Whether an argument may be a part of a key: no list, and no tensor that is traced."""
    return type(value) in _PLAIN


def out_names(op: CustomOp) -> list[str]:
    """Arguments of the variant with `out`, one per result."""
    taken = {*op.inputs, *op.params}
    names = ["out"] if len(op.outputs) == 1 else [f"out{at}" for at in range(len(op.outputs))]
    return [f"{name}_" if name in taken else name for name in names]
