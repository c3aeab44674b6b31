"""The statements that unpack a QHPI kernel's tensors into the argument struct of the user's function."""

from __future__ import annotations

import re
from dataclasses import dataclass

from opkg.spec.axis_params import pinned
from opkg.spec.dtypes import Kind
from opkg.spec.expr import Expression, Rest, ShapeList, Tree, Type
from opkg.spec.kept import KEPT, keeps
from opkg.spec.model import Kernel, Op, ParamSpec, TensorSpec
from opkg.targets.qnn_common.kernel_api import (
    KernelApi,
    param_element,
    slice_field,
    view_rank,
)
from opkg.targets.qnn_common.kernel_frame import KernelFrame
from opkg.targets.qnn_common.names import snake
from opkg.targets.qnn_common.printer import Unprintable, show
from opkg.targets.qnn_common.ranks import single_rank
from opkg.targets.qnn_common.validation import float_literal
from opkg.targets.qnn_htp_qhpi.plan import Plan, count_of


@dataclass(frozen=True, slots=True)
class Wrapper:
    """One generated function around one of the user's."""

    function: str
    args: str
    lines: tuple[str, ...]
    uses_handle: bool
    uses_inputs: bool
    kept: bool  # unpacks for what a prepared graph keeps, with handles in place of pointers


@dataclass(frozen=True, slots=True)
class Keeper:
    """A generated function template around those of the user's functions for which tensors are unpacked alike."""

    name: str
    lines: tuple[str, ...]
    uses_inputs: bool
    functions: tuple[str, ...]

    def instance(self, function: str) -> str:
        return f"{self.name}<{KEPT}::{function}>"


@dataclass(frozen=True, slots=True)
class Cost:
    """A generated cost function: `value` in cycles, from the arguments that `lines` unpack."""

    name: str
    args: str
    lines: tuple[str, ...]
    value: str

    @property
    def reads_places(self) -> bool:
        """Whether some line reads a position that differs between records."""
        return any(re.search(r"\bat\.", line) for line in self.lines)

    @property
    def uses_inputs(self) -> bool:
        return any("in[" in line for line in (*self.lines, self.value))


class Unpacker:
    """Lines for one kernel of a plan."""

    def __init__(self, plan: Plan, kernel: Kernel, kept: bool = False) -> None:
        self._plan = plan
        self._made = "keep" if kept else "take"
        self._op: Op = plan.op
        self._kernel = kernel
        self._slots = {slot.name: f"at.{slot.field}" for slot in plan.slots}
        self._own_rank = not plan.tiles.splits

    def inputs(self) -> list[str]:
        """Lines for inputs and params."""
        return [line for _, lines in self._members() for line in lines]

    def read_by(self, text: str) -> list[str]:
        """The same for those that an expression reads, and that these are made of."""
        out: list[str] = []
        for name, lines in reversed(self._members()):
            if re.search(rf"\bop\.{name}\b", "\n".join((text, *out))):
                out = [*lines, *out]
        return out

    def _members(self) -> list[tuple[str, list[str]]]:
        tensors = [(tensor.name, self._tensor(tensor, "in")) for tensor in self._op.inputs]
        return [*tensors, *((param.name, self._param(param)) for param in self._op.params)]

    def outputs(self) -> list[str]:
        """Lines for outputs."""
        out: list[str] = []
        base = ""
        for number, tensor in enumerate(self._op.outputs):
            where = f"{number}{base}"
            if tensor.variadic:
                count = self._count(tensor)
                out += self._list(tensor, "out", where, count)
                base = f" + {count} - 1"
            else:
                out.append(self._view(tensor, f"op.{tensor.name}", f"out[{where}]"))
        return out

    def _view(self, tensor: TensorSpec, target: str, value: str) -> str:
        return f"opkg::{self._made}({value}, {target}{view_rank(self._kernel, tensor, self._own_rank)});"

    def _position(self, name: str) -> str:
        return self._slots.get(name) or str(self._plan.arrangement.position(name))

    def _count(self, tensor: TensorSpec) -> str:
        fixed = dict(self._plan.arrangement.inputs + self._plan.arrangement.outputs)
        return self._slots.get(count_of(tensor.name)) or str(fixed.get(tensor.name, 0))

    def _tensor(self, tensor: TensorSpec, source: str) -> list[str]:
        position = self._position(tensor.name)
        if tensor.variadic:
            return self._list(tensor, source, position, self._count(tensor))
        line = self._view(tensor, f"op.{tensor.name}", f"{source}[{position}]")
        if tensor.optional and tensor.name in self._slots:
            return [f"if ({position} >= 0) {line}"]
        return [line]

    def _list(self, tensor: TensorSpec, source: str, position: str, count: str) -> list[str]:
        items = f"op.{tensor.name}.items[i]"
        index = "i" if position == "0" else f"{position} + i"
        return [
            f"op.{tensor.name}.count = {count};",
            f"for (uint32_t i = 0; i < op.{tensor.name}.count; ++i) {self._view(tensor, items, f'{source}[{index}]')}",
        ]

    def _param(self, param: ParamSpec) -> list[str]:
        target = f"op.{param.name}"
        fixed = pinned(self._op, param)
        if fixed is not None and param.axis_of is not None:
            return [f"{target} = {self._cast(param, show(fixed, KernelFrame(self._op)).text)};"]
        position = self._position(param.name)
        given = f"{target} = {self._read(param, position)};"
        if param.default is None or param.name not in self._slots:
            return [given]
        default = self._default(param)
        branches = [f"if ({position} >= 0) {{", f"  {given}", "} else {", *(f"  {d}" for d in default), "}"]
        if param.shape is not None and isinstance(param.default, Expression):  # its numbers outlive the branch
            count = len(default_items(param))
            return [f"[[maybe_unused]] {param_element(param)} {param.name}_default_[{count}];", *branches]
        return branches

    def _read(self, param: ParamSpec, position: str) -> str:
        if param.shape is not None:
            rank = single_rank(param.shape)
            return f"opkg::flat<const {param_element(param)}>(in[{position}], {rank})"
        if param.enum:
            return f"static_cast<decltype(op.{param.name})>(opkg::scalar<int32_t>(in[{position}]))"
        return f"opkg::scalar<decltype(op.{param.name})>(in[{position}])"

    def _default(self, param: ParamSpec) -> list[str]:
        value = param.default
        frame = KernelFrame(self._op, padded=param.axis_of is not None)
        if param.shape is not None:
            dims = default_dims(param, frame)
            if isinstance(value, Expression):
                items = [show(item, frame).text for item in default_items(param)]
                kind = param_element(param)
                stores = [f"{param.name}_default_[{i}] = static_cast<{kind}>({t});" for i, t in enumerate(items)]
                return [*stores, f"op.{param.name} = opkg::constant({param.name}_default_{dims});"]
            numbers = ", ".join(_number(param, v) for v in (value if isinstance(value, tuple) else (value,)))
            return [
                f"static constexpr {param_element(param)} kDefault_[] = {{{numbers}}};",
                f"op.{param.name} = opkg::constant(kDefault_{dims});",
            ]
        if isinstance(value, Expression):
            return [f"op.{param.name} = {self._cast(param, show(value.tree, frame).text)};"]
        return [f"op.{param.name} = {self._cast(param, _number(param, value))};"]

    def _cast(self, param: ParamSpec, text: str) -> str:
        literal = text.lstrip("-").replace(".", "", 1).rstrip("f").isdigit() or text in ("true", "false")
        literal = literal or (param.dtype.kind is Kind.FLOAT and not isinstance(param.default, Expression))
        return text if literal and not param.enum else f"static_cast<decltype(op.{param.name})>({text})"


def _number(param: ParamSpec, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return float_literal(value) if param.dtype.kind is Kind.FLOAT else str(value)  # type: ignore[arg-type]


def default_items(param: ParamSpec) -> tuple[Tree, ...]:
    """The elements of a tensor param's computed default. Unprintable when their number is not known here."""
    assert isinstance(param.default, Expression)
    tree = param.default.tree
    if param.default.type is not Type.SHAPE:
        return (tree,)
    if not isinstance(tree, ShapeList) or any(isinstance(item, Rest) for item in tree.items):
        raise Unprintable("the number of its elements is not known inside a kernel")
    return tree.items


def default_dims(param: ParamSpec, frame: KernelFrame) -> str:
    """Further arguments of opkg::constant(): the dimensions of a default, when there is more than one."""
    tree = param.shape.tree if param.shape is not None else None
    if not isinstance(tree, ShapeList):
        return ""
    if any(isinstance(item, Rest) for item in tree.items):
        raise Unprintable("the shape of a tensor param with a run of dimensions is not known inside a kernel")
    if len(tree.items) == 1:
        return ""
    return ", {" + ", ".join(f"static_cast<uint32_t>({show(item, frame).text})" for item in tree.items) + "}"


def wrapper(plan: Plan, api: KernelApi, kernel: Kernel) -> Wrapper:
    """The wrapper of one kernel."""
    kept = keeps(plan.op, kernel)
    unpack = Unpacker(plan, kernel, kept)
    lines = unpack.inputs() + unpack.outputs()
    if any(k.multithreaded for k in plan.op.kernels) and not kept:
        lines.append(f"op.{slice_field(plan.op)} = {{qhpi_slice_number(handle), qhpi_num_slices(handle)}};")
    return Wrapper(
        kernel.function, _args(api, kernel), tuple(lines),
        uses_handle=any("handle" in line for line in lines), uses_inputs=any("in[" in line for line in lines),
        kept=kept,
    )  # fmt: skip


def keepers(op: Op, wrappers: list[Wrapper]) -> tuple[Keeper, ...]:
    """What stands for wrappers of kernels that keep something: one template for all of them, as a rule."""
    alike: dict[tuple[str, ...], list[Wrapper]] = {}
    for each in wrappers:
        if each.kept:
            alike.setdefault(each.lines, []).append(each)
    stem = snake(op.name)
    return tuple(
        Keeper(
            f"keep_{stem if len(alike) == 1 else some[0].function}", lines, some[0].uses_inputs,
            tuple(each.function for each in some),
        )
        for lines, some in alike.items()
    )  # fmt: skip


def _args(api: KernelApi, kernel: Kernel) -> str:
    return next(function.args for function in api.functions if function.name == kernel.function)


def places(plan: Plan) -> str:
    """The fields of the struct with what differs between records: `axis, beta`, or nothing."""
    return ", ".join(slot.field for slot in plan.slots)


def _places(op: Op) -> str:
    return f"{op.identifier}Places"


def placed(op: Op, form: str, function: str, values: tuple[int, ...]) -> str:
    """A function of a record: `opkg::run_at<SoftmaxPlaces, run_softmax, 1, 2>`, or the function itself where places are
    fixed. `form`: run, keep or cost."""
    return f"opkg::{form}_at<{', '.join((_places(op), function, *map(str, values)))}>" if values else function


def costs(plan: Plan, api: KernelApi) -> list[Cost]:
    """A cost function for each function with a cost that is an expression in cycles. Where its tensors may lie in blocks, it
    looks at shapes only."""
    out = []
    for kernel in plan.kernels:
        if isinstance(kernel.cost, Expression) and not kernel.is_twin:
            unpack = Unpacker(plan, kernel, kept=any(k.is_twin and k.function == kernel.function for k in plan.kernels))
            value = f"static_cast<float>({show(kernel.cost.tree, KernelFrame(plan.op)).text})"
            lines, value = _counted(unpack.read_by(value), value)
            out.append(Cost(f"cost_of_{kernel.function}", _args(api, kernel), tuple(lines), value))
    return out


def _counted(lines: list[str], value: str) -> tuple[list[str], str]:
    """The same where tensors of which nothing but their number of elements is read need no view."""
    kept = []
    for line in lines:
        found = re.fullmatch(r"opkg::(?:keep|take)\((?P<in>in\[\d+\]), (?P<view>op\.\w+)(?:, \d+)?\);", line)
        text = "\n".join((value, *lines))
        size = f"static_cast<int64_t>({found['view']}.size())" if found else ""
        if found and text.count(size) + 1 == len(re.findall(rf"{re.escape(found['view'])}\b", text)) and size in value:
            value = value.replace(size, f"opkg::elements({found['in']})")
        else:
            kept.append(line)
    return kept, value
