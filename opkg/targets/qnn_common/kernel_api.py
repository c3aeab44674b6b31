"""The header a kernel file includes: one struct of arguments per op, one function per kernel."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.spec.axis_params import fixed_rank
from opkg.spec.dtypes import DType, Kind
from opkg.spec.model import Kernel, Layout, Op, OpPackage, ParamSpec, TensorSpec
from opkg.spec.once import once
from opkg.targets.qnn_common.names import camel, comment, snake


@dataclass(frozen=True, slots=True)
class Field:
    """One member of the argument struct."""

    type: str
    name: str
    note: str
    gap: str = "  "  # blanks before the note, which line up as clang-format wants it


@dataclass(frozen=True, slots=True)
class EnumType:
    """The named values of a param, as an enumeration inside the struct."""

    name: str
    base: str
    values: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class KernelFunction:
    """A function of the user's: its name, its argument type and the file that implements it."""

    name: str
    args: str
    instance: str  # the template instance behind `args`; empty when `args` is the struct itself
    body: str
    note: str


@dataclass(frozen=True, slots=True)
class KernelApi:
    """Everything the op's header says."""

    struct: str
    template: str  # "template <...>" or empty
    enums: tuple[EnumType, ...]
    fields: tuple[Field, ...]
    functions: tuple[KernelFunction, ...]


def header_path(package: OpPackage, op: Op) -> str:
    """What a kernel file includes, `acme_vision/hard_swish.h`."""
    return f"{package.cpp_namespace}/{snake(op.name)}.h"


def element(dtype: DType) -> str:
    """The C++ element type; signed ones of 8 and 16 bits are aliases, since QHPI hands them over as unsigned."""
    if dtype.kind in (Kind.SFIXED, Kind.INT) and dtype.bits in (8, 16):
        return f"opkg::{'SFixed' if dtype.quantized else 'Int'}{dtype.bits}"
    return "opkg::Float16" if dtype.name == "float16" else dtype.cpp


def enum_name(op: Op, param: ParamSpec) -> str:
    """The scoped enumeration of a param, a member type that no member and no other param's has: `ModeValue`."""
    taken = {tensor.name for tensor in op.tensors} | {param.name for param in op.params}
    for other in (p for p in op.params if p.enum):
        name = f"{camel(other.name)}Value"
        while name in taken:
            name += "_"
        taken.add(name)
        if other is param:
            return name
    raise KeyError(param.name)


def param_type(param: ParamSpec) -> str:
    """C++ type of a scalar param's number."""
    if param.dtype.kind is Kind.BOOL:
        return "bool"
    return "float" if param.dtype.kind is Kind.FLOAT else param.dtype.cpp


def views_crouton(kernel: Kernel, tensor: TensorSpec) -> bool:
    """Whether a tensor reaches the kernel in blocks: those of rank 4 that are no constants."""
    return kernel.layout is Layout.CROUTON and not tensor.static and 4 in tensor.ranks


def view(op: Op, kernel: Kernel, tensor: TensorSpec, value: str) -> str:
    """The C++ that makes the kernel's view of a backend tensor: in blocks, or flat, in its own rank."""
    const = "const " if tensor in op.inputs else ""
    kind = const + element(tensor.dtype.of(kernel.combination))
    made = "crouton" if views_crouton(kernel, tensor) else "flat"
    return f"opkg::{made}<{kind}>({value}{view_rank(kernel, tensor)})"


def view_rank(kernel: Kernel, tensor: TensorSpec, own_rank: bool = True) -> str:
    """A further argument of what makes a view, where that has fewer dimensions than arrive. `own_rank`: its own, not those."""
    rank = fixed_rank(tensor) if own_rank and not views_crouton(kernel, tensor) else 0
    return f", {rank}" if 0 < rank < 4 else ""


@once
def kernel_api(op: Op) -> KernelApi:
    """The header of one op. Pure."""
    crouton = any(kernel.layout is Layout.CROUTON for kernel in op.kernels)
    names = _template_names(op)
    parameters = [f"typename {names[var.name]}" for var in op.type_vars]
    if crouton:
        parameters.append("template <typename> class View")
    templated = bool(parameters)
    return KernelApi(
        struct=f"{op.identifier}ArgsOf" if templated else f"{op.identifier}Args",
        template=f"template <{', '.join(parameters)}>" if templated else "",
        enums=tuple(_enum(op, param) for param in op.params if param.enum),
        fields=_aligned(_fields(op, names, crouton)),
        functions=tuple(_function(op, kernel, templated, crouton) for kernel in op.kernels),
    )


def _template_names(op: Op) -> dict[str, str]:
    taken = {tensor.name for tensor in op.tensors} | {param.name for param in op.params} | {"View"}
    return {v.name: f"{camel(v.name)}Element" if v.name in taken else v.name for v in op.type_vars}


def _fields(op: Op, names: dict[str, str], crouton: bool) -> list[Field]:
    out = []
    for tensor in op.tensors:
        const = "const " if tensor in op.inputs else ""
        kind = names[tensor.dtype.var] if tensor.dtype.var else element(_fixed(tensor))
        in_blocks = crouton and any(views_crouton(kernel, tensor) for kernel in op.kernels)
        view = f"{'View' if in_blocks else 'opkg::Tensor'}<{const}{kind}>"
        if tensor.variadic:
            view = f"opkg::List<{view}, {tensor.variadic[1]}>"
        out.append(Field(view, tensor.name, _tensor_note(tensor)))
    for param in op.params:
        kind = param_type(param) if param.shape is None else f"opkg::Tensor<const {param_element(param)}>"
        if param.enum and param.shape is None:
            kind = enum_name(op, param)
        out.append(Field(kind, param.name, comment(param.description)))
    if any(kernel.multithreaded for kernel in op.kernels):
        out.append(Field("opkg::Slice", slice_field(op), "which part of the work this call does"))
    return out


def _aligned(fields: list[Field]) -> tuple[Field, ...]:
    """The fields with the notes of neighbours in one column."""
    out: list[Field] = []
    run: list[Field] = []
    for field in [*fields, Field("", "", "")]:
        if field.note:
            run.append(field)
            continue
        width = max((len(f.type) + len(f.name) for f in run), default=0)
        out += [Field(f.type, f.name, f.note, " " * (width - len(f.type) - len(f.name) + 2)) for f in run]
        out.append(field)
        run = []
    return tuple(out[:-1])


def slice_field(op: Op) -> str:
    """The member with the slice of a multithreaded kernel: `slice`, unless a tensor or param has that name."""
    taken = {tensor.name for tensor in op.tensors} | {param.name for param in op.params}
    name = "slice"
    while name in taken:
        name += "_"
    return name


def param_element(param: ParamSpec) -> str:
    """Element type of a tensor param as a kernel sees it."""
    return "float" if param.dtype.kind is Kind.FLOAT else "int32_t" if param.dtype.bits == 32 else param.dtype.cpp


def _fixed(tensor: TensorSpec) -> DType:
    assert tensor.dtype.fixed is not None
    return tensor.dtype.fixed


def _tensor_note(tensor: TensorSpec) -> str:
    parts = [comment(tensor.description), tensor.layout, "may be absent" if tensor.optional else ""]
    return "; ".join(part for part in parts if part)


def _enum(op: Op, param: ParamSpec) -> EnumType:
    return EnumType(enum_name(op, param), "int32_t" if param.dtype.signed else "uint32_t", param.enum)


def _function(op: Op, kernel: Kernel, templated: bool, crouton: bool) -> KernelFunction:
    layout = kernel.layout if kernel.layout is not Layout.FLAT else ""
    alias = f"{op.identifier}Args{camel(kernel.combination.suffix)}{camel(layout)}"
    arguments = [element(dtype) for _, dtype in kernel.combination.types]
    if crouton:
        arguments.append("opkg::Crouton" if kernel.layout is Layout.CROUTON else "opkg::Tensor")
    if not templated:
        return KernelFunction(kernel.function, f"{op.identifier}Args", "", kernel.body, "")
    instance = f"{op.identifier}ArgsOf<{', '.join(arguments)}>"
    return KernelFunction(kernel.function, alias, instance, kernel.body, str(kernel.combination))
