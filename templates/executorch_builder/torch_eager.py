"""A torch custom op on real tensors. What is known of a call before its data is worked out once (`Plan`), what may be
computed in parts is, so that the float64 of a part stays in the processor's caches, and what was called before runs as a
program (`torch_program`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import torch

from . import torch_math as tm
from .checks import Rejected
from .torch_op import CustomOp, Given, Types, listed
from .torch_program import Program, Tensors, recorded

Reference: TypeAlias = Callable[..., Any]

PART = 1 << 15  # elements that a thread computes at once
_PLANS = 256  # that an op keeps
_PROGRAMS = 32  # that an op keeps, with the tensors of their steps
_CPU = torch.device("cpu")


@dataclass
class Plan:
    """What calls of the same shapes, torch types and params share.

    `rows`: how many along the first dimension are computed at once, 0: all; `flat`: of the elements in one row.
    `programs`: those that nobody runs just now; None: there is none of this computation.
    """

    call: Any
    types: Types
    params: Sequence[torch.Tensor]
    shapes: Sequence[Any]
    dtypes: Sequence[torch.dtype]
    rows: int = 0
    flat: bool = False
    calls: int = 0
    programs: list[Program] | None = None


class Eager:
    """One op with its numpy functions: `reference` where there is no `compute`, `backward` for its gradient."""

    def __init__(
        self, op: CustomOp, reference: Reference | None, backward: Reference | None
    ) -> None:
        self.op, self.reference, self.backward = op, reference, backward
        self._plans: dict[Any, Plan] = {}
        self._made = 0
        self._names = (*op.inputs, *op.params)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The op on real tensors; Rejected when the spec does not allow the call."""
        whole = not kwargs and len(args) == len(self._names)
        given = dict(zip(self._names, args, strict=True)) if whole else self.op.bind(args, kwargs)
        return self.op.packed(self.results(given, self.plan(given)))

    @property
    def derives(self) -> bool:
        """Whether torch can derive gradients of what it computes."""
        return self.op.compute is not None or self.op.pattern is not None

    def plan(self, given: Given) -> Plan:
        """How a call is computed; Rejected when the spec does not allow it."""
        key = _key(self.op, given)
        found = self._plans.get(key)
        if found is None:
            if len(self._plans) >= _PLANS:
                self._plans.clear()
            with torch.inference_mode(False):
                found = self._plans[key] = self.planned(given)
                found.programs = [] if self._is_straight(given, found) else None
        return found

    def _is_straight(self, given: Given, plan: Plan) -> bool:
        """Whether a program may be tried: of tensors small enough to be kept."""
        if self.op.compute is None or any(isinstance(given[n], list) for n in self.op.inputs):
            return False
        total = max((t.numel() for t in self.op.tensors(given)), default=0)
        return 0 < total <= PART or plan.rows > 0

    def planned(self, given: Given) -> Plan:
        """The plan of a call, also of tensors that are traced."""
        call, types = self.op.checked(given)
        shapes = self.op.traced_shapes(given, call, types)
        params: list[torch.Tensor] = []
        rows, flat = 0, False
        if self.op.compute is not None:
            params = self.op.param_tensors(call)
            rows, flat = _parts(self.op, given, call, self.op.shapes_of(call))
        shapes = [None if shape is None else tuple(shape) for shape in shapes]
        return Plan(call, types, params, shapes, self.op.dtypes(given, types, shapes), rows, flat)

    def results(self, given: Given, plan: Plan) -> list[torch.Tensor]:
        """The outputs, in parts where that is the same, and by a program where that has been called before."""
        programs = plan.programs
        if programs is None and not plan.rows:
            return self.whole(given, plan)
        tensors = [given[name] for name in self.op.inputs]
        for tensor in tensors:
            if tensor is not None:
                if tensor.requires_grad:
                    return self.whole(given, plan)
                if tensor.device != _CPU:
                    programs = None
        plan.calls += 1
        if plan.calls == 1 or torch._C._len_torch_dispatch_stack():  # somebody looks at each step
            programs = None
        if plan.rows:
            return self._in_parts(tensors, plan, programs)
        program = self._program(tensors, plan, programs, [True] * len(tensors))
        if program is None or programs is None:
            return self.whole(given, plan)
        for place, tensor in zip(program.inputs, tensors, strict=True):
            if tensor is not None and place is not None:
                place.copy_(tensor)
        found = zip(program.run(), plan.shapes, plan.dtypes, strict=True)
        results = [self._finished(value, shape, dtype) for value, shape, dtype in found]
        programs.append(program)
        return results

    def _program(
        self, tensors: Tensors, plan: Plan, programs: list[Program] | None, cut: Sequence[bool]
    ) -> Program | None:
        """One that nobody runs, or a new one. `cut`: the inputs that each run gets anew."""
        if not programs:
            return None if programs is None else self._recorded(tensors, plan, cut)
        try:
            return programs.pop()
        except IndexError:  # another thread was faster
            return None

    def _recorded(self, tensors: Tensors, plan: Plan, cut: Sequence[bool]) -> Program | None:
        def compute(numbers: Tensors) -> Sequence[Any]:
            assert self.op.compute is not None
            return self.op.compute(*numbers, *plan.params, plan.types)

        program = recorded(compute, tensors, cut)
        if program is None:
            plan.programs = None
            return None
        self._made += 1
        if self._made > _PROGRAMS:
            self._made = 1
            for each in list(self._plans.values()):
                if each.programs:
                    each.programs.clear()
        return program

    def whole(self, given: Given, plan: Plan) -> list[torch.Tensor]:
        """The outputs at once: what torch derives gradients of."""
        values = self._values(given, plan)
        if len(values) != len(plan.shapes):
            name = self.op.name
            raise Rejected(f"{name}: {len(values)} results for {len(plan.shapes)} outputs")
        results = [
            self._finished(value, shape, dtype)
            for value, shape, dtype in zip(values, plan.shapes, plan.dtypes, strict=True)
        ]
        first = given[self.op.inputs[0]] if self.op.inputs else None
        if isinstance(first, torch.Tensor) and first.device == _CPU:
            return results
        device = next((t.device for t in self.op.tensors(given)), _CPU)
        return results if device == _CPU else [result.to(device) for result in results]

    def _values(self, given: Given, plan: Plan) -> Sequence[tm.Value | np.ndarray[Any, Any]]:
        if self.op.compute is not None:
            tensors = [given[name] for name in self.op.inputs]
            numbers = [None if t is None else tm.number(t) for t in tensors]
            return self.op.compute(*numbers, *plan.params, plan.types)
        if self.op.pattern is not None:
            return listed(self.op.patterned(given))
        if self.reference is None:
            raise NotImplementedError(self._unknown())
        return called(self.reference, self.arguments(given, plan))

    def _in_parts(
        self, tensors: Tensors, plan: Plan, programs: list[Program] | None
    ) -> list[torch.Tensor]:
        device = next(t.device for t in tensors if t is not None)
        pairs = zip(plan.shapes, plan.dtypes, strict=True)
        made = [torch.empty(shape, dtype=dtype, device=device) for shape, dtype in pairs]
        outs = [out.view(-1) for out in made] if plan.flat else made
        if plan.flat:
            tensors = [None if t is None else t.reshape(-1) for t in tensors]
        size, rank, rows = len(outs[0]), outs[0].ndim, plan.rows
        first = [None if t is None else _part(t, rank, size, 0, rows) for t in tensors]
        program = self._program(first, plan, programs, [_is_cut(t, rank, size) for t in tensors])
        if program is not None and programs is not None:
            self._by_program(program, tensors, outs, rows)
            programs.append(program)
            return made
        assert self.op.compute is not None
        for start in range(0, size, rows):
            count = min(rows, size - start)
            parts = [
                None if t is None else tm.number(_part(t, rank, size, start, count))
                for t in tensors
            ]
            _put(self.op.compute(*parts, *plan.params, plan.types), outs, start, count)
        return made

    def _by_program(
        self, program: Program, tensors: Tensors, outs: Sequence[torch.Tensor], rows: int
    ) -> None:
        """Part by part; the last one has some rows of the one before again, so that all are alike."""
        size, rank = len(outs[0]), outs[0].ndim
        cut = []
        for place, tensor in zip(program.inputs, tensors, strict=True):
            if place is not None and tensor is not None:
                if _is_cut(tensor, rank, size):
                    cut.append((place, tensor))
                else:
                    place.copy_(tensor)
        for start in range(0, size, rows):
            start = min(start, size - rows)
            for place, tensor in cut:
                place.copy_(tensor.narrow(0, start, rows))
            _put(program.run(), outs, start, rows)

    def _finished(self, value: Any, shape: Any, dtype: torch.dtype) -> torch.Tensor:
        """A value as an output: one number fills it, anything else has its shape."""
        made = isinstance(value, torch.Tensor) and value.dtype is not dtype  # no input as it is
        if made and dtype is torch.float32 and value.shape == shape:
            return value.float().contiguous()
        tensor = tm.number(torch.from_numpy(value) if isinstance(value, np.ndarray) else value)
        if shape is not None and tensor.ndim == 0:
            tensor = tensor.expand(shape)
        if shape is not None and tensor.shape != shape:
            found, name = list(tensor.shape), self.op.name
            raise Rejected(f"{name}: a result has shape {found}, the spec says {list(shape)}")
        if tensor.dtype is dtype:  # it may be an input
            return tensor.clone(memory_format=torch.contiguous_format)
        return tm.narrow(tensor, dtype).contiguous()

    def arguments(self, given: Given, plan: Plan) -> Given:
        """Real values for a numpy function, which may do with its arguments as it likes."""
        found: Given = {}
        for name in self.op.inputs:
            value = given[name]
            arrays = [tm.number(t.detach().cpu()).numpy().copy() for t in listed(value)]
            several = isinstance(value, list | tuple)
            found[name] = arrays if several else arrays[0] if arrays else None
        return found | {name: self.op.param(plan.call, name) for name in self.op.params}

    def _unknown(self) -> str:
        if self.op.reference is None:
            return f"{self.op.name}: the spec has no compute: and no reference:"
        module, function = self.op.reference
        where = f"{module}.py with {function}()"
        return f"{self.op.name}: {where} was not found; say define(references=<its path>)"


def called(function: Reference, arguments: Mapping[str, Any]) -> list[Any]:
    """The results of a numpy function in one list: arrays, or None."""
    with np.errstate(all="ignore"):
        result = function(**arguments)
    found: list[Any] = []
    for value in result if isinstance(result, tuple | list) else [result]:
        found += value if isinstance(value, tuple | list) else [value]
    return [None if value is None else np.asarray(value) for value in found]


def _put(values: Sequence[Any], outs: Sequence[torch.Tensor], start: int, count: int) -> None:
    """Results of a part in the outputs."""
    for out, value in zip(outs, values, strict=True):
        number = tm.number(value)
        if out.dtype in tm.HALVES:
            number = tm.narrow(number, out.dtype)
        out.narrow(0, start, count).copy_(number)


def _key(op: CustomOp, given: Given) -> Any:
    """What a plan hangs on."""
    found: list[Any] = []
    for name in op.inputs:
        value = given[name]
        if isinstance(value, torch.Tensor):
            found.append((value.shape, value.dtype))
        else:
            found.append(value and tuple((t.shape, t.dtype) for t in value))
    for name in op.params:
        value = given[name]
        if isinstance(value, list):
            value = tuple(value)
        elif value == 0 and isinstance(value, float):  # -0.0 is another one
            value = ("zero", math.copysign(1, value))
        found.append(value)
    return tuple(found)


def _parts(op: CustomOp, given: Given, call: Any, shapes: Sequence[Any]) -> tuple[int, bool]:
    """`rows` and `flat` of a plan: the first dimension is cut where no result looks along it."""
    tensors = [given[name] for name in op.inputs if given[name] is not None]
    if op.reduces is None or not tensors or any(isinstance(t, list) for t in tensors):
        return 0, False
    threads = torch.get_num_threads()
    shape, part = shapes[0], PART * threads
    total = math.prod(shape)
    if not shape or total <= part:
        return 0, False
    part = -(-total // (total // part))  # even parts: each costs some calls
    if not op.reduces and all(
        tuple(s) == tuple(shape) for s in (*shapes, *(t.shape for t in tensors))
    ):
        return part, True
    reduced = [axis for each in op.reduces for axis in op.axes(call, each)]
    alike = all(s and len(s) == len(shape) and s[0] == shape[0] for s in shapes)
    fit = all(t.ndim < len(shape) or t.shape[0] in (1, shape[0]) for t in tensors)
    if not alike or not fit or any(axis % len(shape) == 0 for axis in reduced):
        return 0, False
    rows = -(-part * shape[0] // total)
    return (rows if rows < shape[0] else 0), False


def _part(tensor: torch.Tensor, rank: int, size: int, start: int, count: int) -> torch.Tensor:
    """Some rows of an input; all of one that is broadcast along them."""
    return tensor.narrow(0, start, count) if _is_cut(tensor, rank, size) else tensor


def _is_cut(tensor: torch.Tensor | None, rank: int, size: int) -> bool:
    return tensor is not None and tensor.ndim == rank and len(tensor) == size
