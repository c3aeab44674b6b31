"""The tests that an operation brings along: a graph in the core's tests, a Circle model in those of the API.

Expected numbers are those of the operation's kernel, called with the same data: what is tested is all that lies between.
"""

from __future__ import annotations

from opkg.resources import render
from opkg.spec.dtypes import DType, Kind
from opkg.spec.model import Op, OpPackage, TensorSpec, Value
from opkg.targets.artifact import Artifact
from opkg.targets.foreign import Era
from opkg.targets.onert.by_hand import is_by_hand, owned
from opkg.targets.onert.kernel import function_name, namespace
from opkg.targets.onert.layout import Option
from opkg.targets.onert.names import literal_of, variable
from opkg.targets.onert.operation import Operation
from opkg.targets.onert.samples import Sample, Shape, samples
from opkg.targets.onert.types import data_type, usable
from opkg.targets.portable_kernel.lines import WIDTH, brackets, fold

CORE_TEST = "runtime/onert/core/src/ir/operation"
ONE_OP = "runtime/tests/nnfw_api/src/GenModelTests/one_op_tests"
_FROM_CORE = "../../../../backend/cpu/ops"
_FROM_ONE_OP = "../../../../../onert/backend/cpu/ops"
_SCALE, _ZERO = "0.125f", {Kind.UFIXED: "128", Kind.SFIXED: "0"}
# How options reach the factory of compilers: for the package, or (`options_list`) for each of its models.
_ONE = ("auto options = compiler::CompilerOptions::fromGlobalConfig();",)
_EACH = (
    "std::vector<std::unique_ptr<compiler::CompilerOptions>> options;",
    "options.push_back(compiler::CompilerOptions::fromGlobalConfig());",
)
_NOT_QUANTIZED = ("float scale = 1.0f", "int32_t zero_point = 0")
# Circle's types of elements, of which a loader makes quantized ones of 8 bits. The API has no tensors of UINT32 and INT16.
_CIRCLE = {
    "float32": "FLOAT32", "int32": "INT32", "int64": "INT64", "bool8": "BOOL", "ufixed8": "UINT8", "sfixed8": "INT8",
}  # fmt: skip


def test_files(package: OpPackage, op: Op, era: Era, options: Option) -> tuple[Artifact, ...]:
    """The test files of an op that trees of an era can compile; none where no call of it was found."""
    made = _Tests(Operation(op), options, [name for _, name in owned(package, op, True)] if is_by_hand(op) else [])
    if not made.samples:
        return ()
    found = []
    if era.compiler_factory:
        found.append(Artifact(f"{CORE_TEST}/{op.identifier}.test.cc", made.core(era)))
    modelled = era.model_tests and (era.custom_gen or op.builtin is not None)
    if modelled and all(t.dtype.of(made.samples[0].combination).name in _CIRCLE for t in op.tensors):
        found.append(Artifact(f"{ONE_OP}/{op.identifier}.test.cc", made.one_op()))
    return tuple(found)


def shape_text(shape: Shape) -> str:
    return "{" + ", ".join(map(str, shape)) + "}"


class _Tests:
    def __init__(self, operation: Operation, options: Option, kernels: list[str]) -> None:
        self.kernels = kernels  # files with kernels by hand
        self.operation, self.options, self.op = operation, options, operation.op
        self.samples = samples(self.op, usable(self.op)[0])
        self.kernel = namespace(self.op)

    def _included(self, folder: str) -> list[str]:
        return [f"{folder}/{name}" for name in (f"{self.op.identifier}Kernel.h", *self.kernels)]

    @property
    def _modulus(self) -> str:
        """Data are less than this; bools among them have to be bools."""
        return "2" if any(self.dtype(t).kind is Kind.BOOL for t in self.op.inputs) else "11"

    @property
    def small(self) -> Sample:
        return self.samples[0]

    def dtype(self, tensor: TensorSpec) -> DType:
        return tensor.dtype.of(self.small.combination)

    def info(self, tensor: TensorSpec) -> tuple[str, ...]:
        """Scale and zero point of a quantized tensor."""
        dtype = self.dtype(tensor)
        return (_SCALE, _ZERO[dtype.kind]) if dtype.quantized else ()

    def core(self, era: Era) -> str:
        op, small = self.op, self.small
        first = op.inputs[0]
        large = self.samples[1] if len(self.samples) > 1 else None
        wrong = {first.name: (1,) * (first.ranks.high + 1)}
        given = [t for t in op.inputs if not t.static]
        return render(
            "onert/operation.test.cc.j2",
            licence=self.options.licence_lines(),
            name=op.identifier,
            view=self._view(),
            kernel_paths=self._included(_FROM_CORE),
            first_type=data_type(self.dtype(first)),
            build=self._build(),
            options=_EACH if era.options_list else _ONE,
            given_options="options" if era.options_list else "options.get()",
            modulus=self._modulus,
            run=self._run(),
            small=self._shapes(small.shapes, op.inputs),
            small_all=self._shapes(small.shapes, op.tensors),
            outputs=[(t.name, shape_text(small.shapes[t.name])) for t in op.outputs],
            large=large is not None,
            large_all=self._shapes(large.shapes, op.tensors) if large is not None else "",
            changes=[(i, shape_text(large.shapes[t.name])) for i, t in enumerate(given)] if large is not None else [],
            negative=[
                *self._throws("neg_type", f"{self._shapes(small.shapes, op.inputs)}, ir::DataType::FLOAT16"),
                "",
                *self._throws("neg_rank", self._shapes(small.shapes | wrong, op.inputs)),
            ],
        )

    def _view(self) -> list[str]:
        """The head of the function that gives the kernel data."""
        head = f"template <typename T> {self.kernel}::Tensor<T> view("
        return brackets(head, ["T *data", "const std::vector<int32_t> &dims", *_NOT_QUANTIZED], ")")

    def _throws(self, name: str, arguments: str) -> list[str]:
        """A test that the model is refused."""
        head, body = f"TEST({self.op.identifier}, {name})", f"EXPECT_THROW(compile({arguments}), std::exception);"
        one = f"{head} {{ {body} }}"
        return [one] if len(one) <= WIDTH else [head, "{", *fold(f"  {body}"), "}"]

    def _shapes(self, shapes: dict[str, Shape], tensors: tuple[TensorSpec, ...]) -> str:
        return "{" + ", ".join(shape_text(shapes[t.name]) for t in tensors) + "}"

    def _param_lines(self, type_: str, variable: str) -> list[str]:
        """A struct of params with the values of the calls."""
        lines = [f"{type_} {variable};"] if self.op.params else []
        for param in self.op.params:
            value: Value = self.small.params[param.name]
            lines.append(f"{variable}.{param.name} = {literal_of(param, value)};")
        return lines

    def _build(self) -> list[str]:
        """Statements that put one operation into a graph."""
        op, lines = self.op, []
        for place, tensor in enumerate(op.tensors):
            is_input = self.operation.is_input(tensor)
            type_ = "type" if place == 0 else f"ir::DataType::{data_type(self.dtype(tensor))}"
            info = ", ".join((type_, *self.info(tensor)))
            shape = f"shapes[{place}]" if is_input else "ir::Shape{}"
            lines.append(f"const auto {variable(tensor.name)} = graph->addOperand({shape}, ir::TypeInfo{{{info}}});")
            if tensor.static:
                cpp = self.dtype(tensor).cpp
                values = f"filled<{cpp}>(shapes[{place}].num_elements(), {place})"
                lines.append(f"const auto {tensor.name}_values = {values};")
                data = f"reinterpret_cast<const uint8_t *>({tensor.name}_values.data())"
                lines.append(f"graph->operands().at({variable(tensor.name)}).data(std::make_shared<ir::CachedData>(")
                lines.append(f"  {data}, {tensor.name}_values.size() * sizeof({cpp})));")
        ins = ", ".join(variable(t.name) for t in op.inputs)
        outs = ", ".join(variable(t.name) for t in op.outputs)
        params = self._param_lines(f"{self.operation.type}::Param", "param")
        arguments = [f"ir::OperandIndexSequence{{{ins}}}", f"ir::OperandIndexSequence{{{outs}}}"]
        arguments += ["param"] if op.params else []
        made = brackets(f"  auto operation = std::make_unique<{self.operation.type}>(", arguments, ");")
        lines += [*params, *(line[2:] for line in made)]
        lines.append("graph->addOperation(std::move(operation));")
        lines += [f"graph->addInput({variable(t.name)});" for t in op.inputs if not t.static]
        return [*lines, *(f"graph->addOutput({variable(t.name)});" for t in op.outputs)]

    def _kernel_call(self, shape_of: list[str]) -> list[str]:
        """The kernel on the data of `<name>_values`."""
        arguments = ["params"] if self.op.params else []
        for tensor, shape in zip(self.op.tensors, shape_of, strict=True):
            arguments.append(f"view({', '.join((f'{tensor.name}_values.data()', shape, *self.info(tensor)))})")
        call = brackets(f"  {self.kernel}::{function_name(self.small.combination)}(", arguments, ");")
        return [*self._param_lines(f"{self.kernel}::Params", "params"), *(line[2:] for line in call)]

    def _run(self) -> list[str]:
        """Statements that run both and compare."""
        op, lines = self.op, []
        for place, tensor in enumerate(op.tensors):
            cpp = self.dtype(tensor).cpp
            count = f"shapes[{place}].num_elements()"
            if self.operation.is_input(tensor):
                lines.append(f"const auto {tensor.name}_values = filled<{cpp}>({count}, {place});")
            else:
                lines.append(f"std::vector<{cpp}> {tensor.name}_values({count});")
                lines.append(f"std::vector<{cpp}> {tensor.name}_results({count});")
        lines += self._kernel_call([f"shapes[{i}].dims()" for i in range(len(op.tensors))])
        lines.append("")
        given = [t for t in op.inputs if not t.static]
        for place, tensor in enumerate(given):
            size = f"{tensor.name}_values.size() * sizeof({self.dtype(tensor).cpp})"
            lines.append(f"execution.setInput(ir::IOIndex{{{place}}}, {tensor.name}_values.data(), {size});")
        for place, tensor in enumerate(op.outputs):
            cpp = self.dtype(tensor).cpp
            lines.append(f"const size_t {tensor.name}_size = {tensor.name}_values.size() * sizeof({cpp});")
            lines.append(
                f"execution.setOutput(ir::IOIndex{{{place}}}, {tensor.name}_results.data(), {tensor.name}_size);"
            )
        lines += ["execution.execute();", ""]
        for tensor in op.outputs:
            same = f"std::memcmp({tensor.name}_values.data(), {tensor.name}_results.data(), {tensor.name}_size)"
            lines.append(f"EXPECT_EQ({same}, 0);")
        return [part[2:] for line in lines for part in fold(f"  {line}")]

    def one_op(self) -> str:
        op = self.op
        literals = ", ".join(literal_of(p, self.small.params[p.name]) for p in op.params)
        ins = "{" + ", ".join(variable(t.name) for t in op.inputs) + "}"
        outs = "{" + ", ".join(variable(t.name) for t in op.outputs) + "}"
        graph_inputs = "{" + ", ".join(variable(t.name) for t in op.inputs if not t.static) + "}"
        arguments = [f"{{{ins}, {outs}}}", *([literals] if literals else [])]
        wrong = "INT32" if self.dtype(op.outputs[0]).name != "int32" else "FLOAT32"
        return render(
            "onert/one_op.test.cc.j2",
            licence=self.options.licence_lines(),
            name=op.identifier,
            view=self._view(),
            modulus=self._modulus,
            kernel_paths=self._included(_FROM_ONE_OP),
            tensors=self._tensors({}),
            wrong_tensors=self._tensors({op.outputs[0].name: wrong}),
            add=[f"cgen.addOperator{op.identifier}({', '.join(arguments)});"],
            ins=graph_inputs,
            outs=outs,
            run=self._one_op_run(),
            data=[
                *(f"data.addInput({t.name}_values);" for t in op.inputs if not t.static),
                *(f"data.addOutput({t.name}_values);" for t in op.outputs),
            ],
        )

    def _tensors(self, types: dict[str, str]) -> list[str]:
        lines = []
        for place, tensor in enumerate(self.op.tensors):
            type_ = types.get(tensor.name, _CIRCLE[self.dtype(tensor).name])
            buffer = ""
            if tensor.static:
                lines.append(f"const auto {tensor.name}_buffer = cgen.addBuffer({self._values(tensor, place)});")
                buffer = f", {tensor.name}_buffer"
            params = f"{{{shape_text(self.small.shapes[tensor.name])}, circle::TensorType::TensorType_{type_}{buffer}}}"
            lines.append(
                f"const int {variable(tensor.name)} = cgen.addTensor({', '.join((params, *self.info(tensor)))});"
            )
        return lines

    def _values(self, tensor: TensorSpec, place: int) -> str:
        return f"filled<{self.dtype(tensor).cpp}>({self.small.size(tensor.name)}, {place})"

    def _one_op_run(self) -> list[str]:
        lines = []
        for place, tensor in enumerate(self.op.tensors):
            if self.operation.is_input(tensor):
                lines.append(f"const auto {tensor.name}_values = {self._values(tensor, place)};")
            else:
                size = self.small.size(tensor.name)
                lines.append(f"std::vector<{self.dtype(tensor).cpp}> {tensor.name}_values({size});")
        for tensor in self.op.tensors:
            lines.append(f"const std::vector<int32_t> {tensor.name}_dims{shape_text(self.small.shapes[tensor.name])};")
        call = self._kernel_call([f"{t.name}_dims" for t in self.op.tensors])
        return [part[2:] for line in [*lines, *call] for part in fold(f"  {line}")]
