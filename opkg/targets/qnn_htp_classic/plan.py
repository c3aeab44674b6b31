"""Decides the kernels of an op and their registrations. Templates only print this."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.spec.expr import Expression
from opkg.spec.model import Flag, Kernel, Op, Resource
from opkg.targets.qnn_common.kernel_api import KernelApi
from opkg.targets.qnn_common.names import camel, local, unique
from opkg.targets.qnn_htp_classic.calls import Call, Slot, calls, may_be_null, slots
from opkg.targets.qnn_htp_classic.classes import COSTS, GENERIC, class_of, distinct, placements
from opkg.targets.qnn_htp_classic.costs import Cost, cost_function
from opkg.targets.qnn_htp_classic.dims import set_dims
from opkg.targets.qnn_htp_classic.properties import free
from opkg.targets.qnn_htp_classic.unpack import Unpacker

FLAGS = {Flag.IS_CONST: "Flags::IS_CONST", Flag.INHIBIT_CONST_PROP: "Flags::INHIBIT_CONST_PROP"}
RESOURCES = {Resource.HVX: "Flags::RESOURCE_HVX", Resource.HMX: "Flags::RESOURCE_HMX"}


@dataclass(frozen=True, slots=True)
class KernelCode:
    """One kernel template around one of the user's functions."""

    function: str  # the user's
    args: str
    template: str
    parameters: str
    packed: bool
    lines: tuple[str, ...]
    cost: Cost | None

    @property
    def name(self) -> str:
        return f"{self.function}_kernel"


@dataclass(frozen=True, slots=True)
class Registration:
    """One DEF_PACKAGE_OP...: an instance of a kernel for the classes of its tensors."""

    macro: str
    kernel: str
    cost: str
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything an op's source registers, apart from params, properties and rules."""

    template: str  # of functions that know the positions only
    kernels: tuple[KernelCode, ...]
    registrations: tuple[Registration, ...]


def make_plan(op: Op, api: KernelApi, namespace: str) -> Plan:
    """The kernels of an op. Pure and deterministic."""
    forms, found = calls(op), slots(op)
    packed = len(forms) > 1 or any(t.variadic for t in op.tensors)
    template = f"template <{', '.join(f'int {slot.parameter}' for slot in found)}>" if found else ""
    all_given: frozenset[str] = frozenset()
    kernels, registrations = [], []
    for kernel in distinct(op):
        code = _kernel(op, api, kernel, Unpacker(op, kernel, forms[0], found, packed))
        kernels.append(code)
        for call in forms:
            for tcm in placements(kernel, free(op)):
                for empty in dict.fromkeys((all_given, may_be_null(op, call))):
                    arguments = _arguments(op, kernel, code, call, found, tcm, empty)
                    registrations.append(_registration(kernel, code, arguments, len(found), namespace))
    return Plan(template, tuple(kernels), tuple(registrations))


def _kernel(op: Op, api: KernelApi, kernel: Kernel, unpack: Unpacker) -> KernelCode:
    lines = [*unpack.inputs(), *set_dims(unpack), *unpack.outputs()]
    args = next(function.args for function in api.functions if function.name == kernel.function)
    if unpack.packed:
        template = [*(f"int {slot.parameter}" for slot in unpack.slots), "typename... T"]
        parameters = ["T&... tensors"]
    else:
        names = [*(t.name for t in (*op.outputs, *op.inputs)), *(p.name for p in op.params)]
        types = dict(zip(names, unique(f"{camel(name)}Type" for name in names), strict=True))
        template = [f"typename {name}" for name in types.values()]
        parameters = [_parameter(unpack, name, type_) for name, type_ in types.items()]
    return KernelCode(
        kernel.function, args, f"template <{', '.join(template)}>", ", ".join(parameters), unpack.packed, tuple(lines),
        cost_function(unpack),
    )  # fmt: skip


def _parameter(unpack: Unpacker, name: str, type_: str) -> str:
    const = "" if any(t.name == name for t in unpack.op.outputs) else "const "
    return f"{const}{type_}& {local(name)}" if name in unpack.used else f"{const}{type_}&"


def _arguments(
    op: Op, kernel: Kernel, code: KernelCode, call: Call, found: tuple[Slot, ...], tcm: bool, empty: frozenset[str]
) -> list[str]:
    """Template arguments of a kernel's instance: slots, then classes. `empty`: inputs that may be of any class."""
    own = {t.name: GENERIC if t.name in empty else class_of(t, kernel, tcm) for t in op.tensors}
    values = [str(slot.value(call)) for slot in found]
    outputs = [own[name] for name, count in call.outputs for _ in range(count)]
    inputs = [own[name] for name, count in call.inputs for _ in range(count)] + [GENERIC] * len(call.params)
    const = "const " if code.packed else ""
    return [*values, *outputs, *(f"{const}{name}" for name in inputs)]


def _registration(
    kernel: Kernel, code: KernelCode, arguments: list[str], num_slots: int, namespace: str
) -> Registration:
    flags = (*(FLAGS[flag] for flag in kernel.flags), *(RESOURCES[r] for r in kernel.resources))
    instance = f"({namespace}::{code.name}<{', '.join(arguments)}>)"
    if isinstance(kernel.cost, Expression):
        function = f"{namespace}::cost_of_{kernel.function}"
        cost = f"({function}<{', '.join(arguments[:num_slots])}>)" if num_slots else function
        return Registration("DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS", instance, cost, flags)
    return Registration("DEF_PACKAGE_OP_AND_COST_AND_FLAGS", instance, COSTS[kernel.cost], flags)
