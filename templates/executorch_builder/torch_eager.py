"""A torch custom op on real tensors. What is known of a call before its data is worked out once (`Plan`), what may be
computed in parts is, so that the float64 of a part stays in the processor's caches, and what was called before runs as a
program (`torch_program`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from .checks import Rejected
from .torch_keys import is_plain, key_of
from .torch_op import CustomOp
from .torch_parts import by_program, placed
from .torch_plan import PART, WHOLE, Plan
from .torch_planning import plan_of
from .torch_program import Program, Tensors, recorded
from .torch_record import Given, listed
from .torch_results import (
    Direct,
    Finisher,
    Reference,
    called,
    computed,
    direct_call,
    finished,
    finisher,
    put,
)
from .torch_values import Value, entered

_PLANS = 256  # that an op keeps
_PROGRAMS = 32  # that an op keeps, with the tensors of their steps; a large one counts as several
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
        self.seen = op.seen
        self.known: dict[Any, Direct] = {}  # calls, by what is seen of them
        self.frozen: dict[Any, Direct] = {}  # of tensors with gradients that nobody asks for
        self.derived: dict[Any, Direct] = {}  # of those that torch derives gradients of

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The op on real tensors; Rejected when the spec does not allow the call."""
        given = self.op.bind(args, kwargs)
        plan = self.plan(given)
        if not kwargs:
            self._keep(args, given, plan)
        return self.op.packed(self.results(given, plan))

    def on_cpu(self, *args: Any, **kwargs: Any) -> Any:
        """The same on the processor below autograd, as in torch.inference_mode."""
        if not kwargs:
            key = self.seen(*args)
            direct = self.known.get(key) or self.frozen.get(key)
            if direct is not None:
                return direct(*args)
        return self(*args, **kwargs)

    def _keep(self, args: Sequence[Any], given: Given, plan: Plan) -> None:
        """How calls with arguments like these are computed, where that takes few tests."""
        tensors = list(self.op.tensors(given))
        tracked = any(t.requires_grad for t in tensors)
        if not all(map(is_plain, tensors)):
            return
        if plan.direct:
            plan.calls += 1
            if plan.calls == 1:  # how its results are made is looked at when it comes again
                return
            direct: Direct | None = direct_call(self.op, plan, args)
        else:
            direct = self._parts_call(plan) if plan.rows else self._program_call(plan)
        derived = self.derived if torch.is_grad_enabled() else self.frozen
        kept = derived if tracked else self.known
        if direct is not None:
            if len(kept) >= _PLANS:
                kept.clear()
            kept[self.seen(*args)] = direct
            self._keep_defaults(kept, args, plan, direct)

    def _keep_defaults(
        self, kept: dict[Any, Direct], args: Sequence[Any], plan: Plan, direct: Direct
    ) -> None:
        """The same with params that have their defaults, which torch's dispatcher leaves out at the end."""
        given, longer = len(args), list(args)
        for name in self._names[given:]:
            value = self.op.param(plan.call, name) if name in self.op.params else None
            if not isinstance(value, int | float):
                return
            if len(kept) >= _PLANS:
                return
            longer.append(value)
            kept[self.seen(*longer)] = lambda *args: direct(*args[:given])

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
                found = self._plans[key] = plan_of(self.op, given)
        return found

    def results(self, given: Given, plan: Plan) -> list[torch.Tensor]:
        """The outputs, in parts where that is the same, and by a program where that has been called before."""
        programs = plan.programs
        tensors = [given[name] for name in self.op.inputs]
        if plan.direct:
            return computed(self.op.name, tensors, plan)
        if programs is None and not plan.rows:
            return self.whole(given, plan, plan.kind)
        for tensor in tensors:
            if tensor is not None:
                if tensor.requires_grad and torch.is_grad_enabled():
                    return self.whole(given, plan, plan.kind)
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
        program.take(tensors)
        found = zip(program.run(), plan.shapes, plan.dtypes, strict=True)
        results = [finished(self.op.name, value, shape, dtype) for value, shape, dtype in found]
        programs.append(program)
        return results

    def _program_call(self, plan: Plan) -> Direct | None:
        """Calls of whole tensors by a program, once there is one."""
        programs, count = plan.programs, len(self.op.inputs)
        if programs is None:
            return None
        finishers: list[Finisher] = []
        single = len(plan.shapes) == 1 and self.op.outputs[0].variadic is None

        def call(*args: Any) -> Any:
            try:
                program = programs.pop()
            except IndexError:  # not recorded, or another thread was faster
                return self.op.packed(self.results(self.op.bind(args, {}), plan))
            if not finishers:
                found = zip(program.values, plan.shapes, plan.dtypes, strict=True)
                finishers[:] = [finisher(self.op.name, *each) for each in found]
            program.take(args[:count])
            for step in program.steps:
                step()
            if single:
                result = finishers[0](program.values[0])
            else:
                pairs = zip(finishers, program.values, strict=True)
                result = self.op.packed([finish(value) for finish, value in pairs])
            programs.append(program)
            return result

        return call

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

        program = recorded(compute, tensors, cut, plan.kind, plan.rows > 0, plan.all_real)
        if program is None:
            plan.programs = None
            return None
        large = max((t.numel() for t in tensors if t is not None), default=0) > PART
        weight = WHOLE // PART if large else 1
        self._made += weight
        if self._made > _PROGRAMS:
            self._made = weight
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
            finished(self.op.name, value, shape, dtype)
            for value, shape, dtype in zip(values, plan.shapes, plan.dtypes, strict=True)
        ]
        first = given[self.op.inputs[0]] if self.op.inputs else None
        if isinstance(first, torch.Tensor) and first.device == _CPU:
            return results
        device = next((t.device for t in self.op.tensors(given)), _CPU)
        return results if device == _CPU else [result.to(device) for result in results]

    def _values(
        self, given: Given, plan: Plan, kind: torch.dtype
    ) -> Sequence[Value | np.ndarray[Any, Any]]:
        compute = plan.compute if kind is plan.kind else self.op.compute
        if compute is not None:
            tensors = [given[name] for name in self.op.inputs]
            all_real = plan.all_real and kind is plan.kind
            numbers = [None if t is None else entered(t, kind, all_real) for t in tensors]
            return compute(*numbers, *plan.params, plan.types)
        if self.op.pattern is not None:
            return listed(self.op.patterned(given))
        if self.reference is None:
            raise NotImplementedError(self._unknown())
        return called(self.reference, self.arguments(given, plan))

    def _parts_call(self, plan: Plan) -> Direct | None:
        """Calls in parts by a program, once there is one."""
        programs, count = plan.programs, len(self.op.inputs)
        if programs is None:
            return None

        def call(*args: Any) -> Any:
            try:
                program = programs.pop()
            except IndexError:  # not recorded, or another thread was faster
                return self.op.packed(self.results(self.op.bind(args, {}), plan))
            made, tensors, cut = placed(args[:count], plan, _CPU)
            by_program(program, tensors, made, cut)
            programs.append(program)
            return self.op.packed(made)

        return call

    def _in_parts(
        self, tensors: Tensors, plan: Plan, programs: list[Program] | None
    ) -> list[torch.Tensor]:
        device = next(t.device for t in tensors if t is not None)
        made, tensors, cut = placed(tensors, plan, device)
        first = [None if t is None else cut.part(t, 0, cut.rows) for t in tensors]
        program = self._program(first, plan, programs, [cut.cuts(t) for t in tensors])
        if program is not None and programs is not None:
            by_program(program, tensors, made, cut)
            programs.append(program)
            return made
        assert plan.compute is not None
        for start in range(0, cut.size, cut.rows):
            count = min(cut.rows, cut.size - start)
            parts = [
                None if t is None else entered(cut.part(t, start, count), plan.kind, plan.all_real)
                for t in tensors
            ]
            places = [cut.part(out, start, count) for out in made]
            put(plan.compute(*parts, *plan.params, plan.types), places)
        return made

    def arguments(self, given: Given, plan: Plan) -> Given:
        """Real values for a numpy function, which may do with its arguments as it likes."""
        found: Given = {}
        for name in self.op.inputs:
            value = given[name]
            arrays = [entered(t.detach().cpu()).numpy().copy() for t in listed(value)]
            several = isinstance(value, list | tuple)
            found[name] = arrays if several else arrays[0] if arrays else None
        return found | {name: self.op.param(plan.call, name) for name in self.op.params}

    def _unknown(self) -> str:
        if self.op.reference is None:
            return f"{self.op.name}: the spec has no compute: and no reference:"
        module, function = self.op.reference
        where = f"{module}.py with {function}()"
        return f"{self.op.name}: {where} was not found; say define(references=<its path>)"
