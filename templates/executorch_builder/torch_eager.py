"""A torch custom op on real tensors. What is known of a call before its data is worked out once (`Plan`), what may be
computed in parts is, so that the float64 of a part stays in the processor's caches, and what was called before runs as a
program (`torch_program`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import torch

from . import torch_math as tm
from .checks import Rejected
from .torch_op import CustomOp, Given, listed
from .torch_plan import PART, Plan, is_cut, key_of, part, parts_of, pieces
from .torch_program import Program, Tensors, recorded

Reference: TypeAlias = Callable[..., Any]
Direct: TypeAlias = Callable[[Sequence[Any]], Any]
"""A call by its arguments, as the dispatcher gives them."""

_PLANS = 256  # that an op keeps
_PROGRAMS = 32  # that an op keeps, with the tensors of their steps
_CPU = torch.device("cpu")


class Eager:
    """One op with its numpy functions: `reference` where there is no `compute`, `backward` for its gradient."""

    def __init__(
        self, op: CustomOp, reference: Reference | None, backward: Reference | None
    ) -> None:
        self.op, self.reference, self.backward = op, reference, backward
        self._plans: dict[Any, Plan] = {}
        self._made = 0
        self._names = (*op.inputs, *op.params)
        self._direct: dict[Any, Direct] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The op on real tensors; Rejected when the spec does not allow the call."""
        given = self.op.bind(args, kwargs)
        plan = self.plan(given)
        tracked = torch.is_grad_enabled() and any(t.requires_grad for t in self.op.tensors(given))
        if not kwargs and not tracked:
            direct = self._direct_call(plan) if plan.direct else self._program_call(plan)
            if direct is not None:
                if len(self._direct) >= _PLANS:
                    self._direct.clear()
                self._direct[key_of(args)] = direct
        return self.op.packed(self.results(given, plan))

    def direct(self, args: Sequence[Any]) -> Direct | None:
        """How calls with arguments like these are computed, known after the first one, where that takes few tests."""
        return self._direct.get(key_of(args)) if self._direct else None

    @property
    def derives(self) -> bool:
        """Whether torch can derive gradients of what it computes."""
        return self.op.compute is not None or self.op.pattern is not None

    def plan(self, given: Given) -> Plan:
        """How a call is computed; Rejected when the spec does not allow it."""
        key = key_of([given[name] for name in self._names])
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
        return self._is_small(given) or plan.rows > 0

    def _is_small(self, given: Given) -> bool:
        total = max((t.numel() for t in self.op.tensors(given)), default=0)
        return 0 < total <= PART

    def planned(self, given: Given) -> Plan:
        """The plan of a call, also of tensors that are traced."""
        call, types = self.op.checked(given)
        shapes = self.op.traced_shapes(given, call, types)
        params: list[torch.Tensor] = []
        row, compute = self.op.single_row(given, types), self.op.compute
        mixed, kind = row in self.op.mixed, torch.float64
        if row is not None:
            compute = self.op.single[row]
            kind = torch.float16 if row in self.op.half else torch.float32
        single, rows, flat = False, 0, False
        if self.op.compute is not None:
            params = self.op.param_tensors(call)
            alike = all(t.dtype is kind for t in self.op.tensors(given))
            single = row is not None and alike
        if self.op.compute is not None and (mixed or not single):
            rows, flat = parts_of(self.op, given, call, self.op.shapes_of(call))
        kept = not rows and self._is_small(given) and (mixed or not single)
        direct = row is not None and not rows and not kept
        shapes = [None if shape is None else tuple(shape) for shape in shapes]
        dtypes = self.op.dtypes(given, types, shapes)
        return Plan(call, types, params, shapes, dtypes, compute, kind, direct, single, rows, flat)

    def results(self, given: Given, plan: Plan) -> list[torch.Tensor]:
        """The outputs, in parts where that is the same, and by a program where that has been called before."""
        programs = plan.programs
        if programs is None and not plan.rows:
            return self.whole(given, plan, plan.kind)
        tensors = [given[name] for name in self.op.inputs]
        if plan.direct:
            return self._directly(tensors, plan)
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
            return self.whole(given, plan, plan.kind)
        results = self._ran(program, tensors, plan)
        programs.append(program)
        return results

    def _ran(self, program: Program, tensors: Tensors, plan: Plan) -> list[torch.Tensor]:
        """The outputs of whole tensors by a program."""
        for at, tensor in enumerate(tensors):
            if tensor is not None:
                program.take(at, tensor)
        found = zip(program.run(), plan.shapes, plan.dtypes, strict=True)
        return [self._finished(value, shape, dtype) for value, shape, dtype in found]

    def _program_call(self, plan: Plan) -> Direct | None:
        """Calls of whole tensors by a program, once there is one."""
        if plan.programs is None or plan.rows:
            return None
        count = len(self.op.inputs)

        def call(args: Sequence[Any]) -> Any:
            programs = plan.programs
            try:
                program = programs.pop() if programs else None
            except IndexError:  # another thread was faster
                program = None
            if program is None or programs is None:
                return self.op.packed(self.results(self.op.bind(args, {}), plan))
            results = self._ran(program, args[:count], plan)
            programs.append(program)
            return self.op.packed(results)

        return call

    def _directly(self, tensors: Tensors, plan: Plan) -> list[torch.Tensor]:
        """The outputs by float32 steps of whole tensors. What a step has made is the output, if it is nothing else, too."""
        assert plan.compute is not None
        inputs = [t if t is None else t.to(plan.kind) for t in tensors]
        values: Sequence[Any] = plan.compute(*inputs, *plan.params, plan.types)
        results: list[torch.Tensor] = []
        taken = [id(tensor) for tensor in tensors]
        for value, shape, dtype in zip(values, plan.shapes, plan.dtypes, strict=True):
            made = isinstance(value, torch.Tensor) and value.dtype is dtype and value.shape == shape
            if made and id(value) not in taken:
                results.append(value.contiguous())
            else:
                results.append(self._finished(value, shape, dtype))
            taken.append(id(value))
        return results

    def _direct_call(self, plan: Plan) -> Direct:
        """`_directly`, with few tests where steps of one output are the tensors' own: a small call is nothing else."""
        compute, params, types = plan.compute, plan.params, plan.types
        count, shape = len(self.op.inputs), plan.shapes[0]
        assert compute is not None

        def padded(args: Sequence[Any]) -> Sequence[Any]:
            return args if len(args) == count else (*args, *[None] * count)[:count]

        def one(args: Sequence[Any]) -> Any:
            tensors = args if len(args) == count else padded(args)
            value: Any = compute(*tensors, *params, types)[0]
            made = value.dtype is single and value.shape == shape and value.is_contiguous()
            for tensor in tensors:
                made = made and tensor is not value
            return value if made else self._finished(value, shape, single)

        single = plan.kind
        if plan.single and len(plan.shapes) == 1 and plan.dtypes[0] is single:
            return one
        return lambda args: self.op.packed(self._directly(padded(args), plan))

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
            assert plan.compute is not None
            return plan.compute(*numbers, *plan.params, plan.types)

        program = recorded(compute, tensors, cut, plan.kind)
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

    def whole(
        self, given: Given, plan: Plan, kind: torch.dtype = torch.float64
    ) -> list[torch.Tensor]:
        """The outputs at once: in float64 what torch derives gradients of."""
        values = self._values(given, plan, kind)
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

    def _values(
        self, given: Given, plan: Plan, kind: torch.dtype
    ) -> Sequence[tm.Value | np.ndarray[Any, Any]]:
        compute = plan.compute if kind is plan.kind else self.op.compute
        if compute is not None:
            tensors = [given[name] for name in self.op.inputs]
            numbers = [None if t is None else tm.entered(t, kind) for t in tensors]
            return compute(*numbers, *plan.params, plan.types)
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
        first = [None if t is None else part(t, rank, size, 0, rows) for t in tensors]
        program = self._program(first, plan, programs, [is_cut(t, rank, size) for t in tensors])
        if program is not None and programs is not None:
            self._by_program(program, tensors, outs, rows)
            programs.append(program)
            return made
        assert plan.compute is not None
        for start in range(0, size, rows):
            count = min(rows, size - start)
            parts = [
                None if t is None else tm.entered(part(t, rank, size, start, count), plan.kind)
                for t in tensors
            ]
            places = [out.narrow(0, start, count) for out in outs]
            _put(plan.compute(*parts, *plan.params, plan.types), places)
        return made

    def _by_program(
        self, program: Program, tensors: Tensors, outs: Sequence[torch.Tensor], rows: int
    ) -> None:
        """Part by part; the last one has some rows of the one before again, so that all are alike."""
        size, rank = len(outs[0]), outs[0].ndim
        cut = []
        for at, tensor in enumerate(tensors):
            if is_cut(tensor, rank, size):
                cut.append((at, pieces(tensor, rows)))
            elif tensor is not None:
                program.take(at, tensor)
        for number, places in enumerate(zip(*(pieces(out, rows) for out in outs), strict=True)):
            for at, parts in cut:
                program.take(at, parts[number])
            _put(program.run(), places)

    def _finished(self, value: Any, shape: Any, dtype: torch.dtype) -> torch.Tensor:
        """A value as an output: one number fills it, anything else has its shape."""
        made = isinstance(value, torch.Tensor) and value.dtype is not dtype  # no input as it is
        if made and value.shape == shape:
            return tm.rounded(value, dtype).contiguous()
        tensor = tm.number(torch.from_numpy(value) if isinstance(value, np.ndarray) else value)
        if shape is not None and tensor.ndim == 0:
            tensor = tensor.expand(shape)
        if shape is not None and tensor.shape != shape:
            found, name = list(tensor.shape), self.op.name
            raise Rejected(f"{name}: a result has shape {found}, the spec says {list(shape)}")
        if tensor.dtype is dtype:  # it may be an input
            return tensor.clone(memory_format=torch.contiguous_format)
        return tm.rounded(tensor, dtype).contiguous()

    def arguments(self, given: Given, plan: Plan) -> Given:
        """Real values for a numpy function, which may do with its arguments as it likes."""
        found: Given = {}
        for name in self.op.inputs:
            value = given[name]
            arrays = [tm.entered(t.detach().cpu()).numpy().copy() for t in listed(value)]
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


def _put(values: Sequence[Any], places: Sequence[torch.Tensor]) -> None:
    """Results of a part in the outputs."""
    for place, value in zip(places, values, strict=True):
        number = tm.number(value)
        place.copy_(tm.rounded(number, place.dtype) if place.dtype in tm.HALVES else number)
