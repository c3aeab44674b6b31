"""A small stand-in for a source tree of onert: the files that an operation touches, with their lists and scopes, in our words.

Names of operations and which of them is handled where follow the counts of Samsung/ONE at de7f4736; bodies are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

CORE, CPU = "runtime/onert/core", "runtime/onert/backend/cpu"


def _names(text: str) -> list[str]:
    return text.split()


OPS = _names(
    "AddN ArgMinMax Attention BatchMatMul BatchToSpaceND BCQFullyConnected BCQGather BCQUnembedding BinaryArithmetic BroadcastTo "
    "Bulk Call Comparison Concat Conv2D ConvertFp16ToFp32 ConvertFp32ToFp16 Custom DepthToSpace DepthwiseConv2D "
    "DynamicUpdateSlice ElementwiseActivation ElementwiseBinary ElementwiseUnary EmbeddingLookup ExpandDims Fill FullyConnected "
    "FusedBatchNorm Gather HashtableLookup If InstanceNorm L2Normalization LocalResponseNormalization LogSoftmax LSTM "
    "DetectionPostProcess OneHot Pack Pad Permute Pool2D Pow PReLU Range Rank Reduce Reshape ResizeBilinear "
    "ResizeNearestNeighbor Reverse RmsNorm RNN RoPE Select Shape Slice Softmax SpaceToBatchND SpaceToDepth Split SplitV "
    "SquaredDifference Squeeze StatelessRandomUniform StridedSlice Tile TopKV2 Transpose TransposeConv Unpack While"
)
TRAINING = ["Loss"]
CPU_OPS = _names(
    "AddN ArgMinMax Attention BatchMatMul BatchToSpaceND BinaryArithmetic BroadcastTo Comparison Concat Conv2D DepthToSpace "
    "DepthwiseConv2D DynamicUpdateSlice ElementwiseActivation ElementwiseBinary ElementwiseUnary ExpandDims Fill FullyConnected "
    "FusedBatchNorm Gather L2Normalization LogSoftmax LSTM DetectionPostProcess OneHot Pack Pad Pool2D Pow Range Rank Reduce "
    "Reshape ResizeBilinear Reverse RmsNorm RoPE Select Shape Slice Softmax SpaceToBatchND SpaceToDepth Split SplitV "
    "SquaredDifference Squeeze StatelessRandomUniform StridedSlice TopKV2 Tile Transpose Unpack"
)
SHAPED = _names(
    "BatchMatMul BatchToSpaceND BCQFullyConnected BCQGather BCQUnembedding BroadcastTo Comparison Conv2D DepthToSpace "
    "DepthwiseConv2D DynamicUpdateSlice ElementwiseActivation ElementwiseBinary ElementwiseUnary EmbeddingLookup ExpandDims "
    "FullyConnected Gather HashtableLookup If InstanceNorm L2Normalization LogSoftmax LSTM Pack Pad Permute Pool2D Range Reduce "
    "ResizeBilinear Reverse RmsNorm RNN RoPE Select Shape Softmax SpaceToBatchND SpaceToDepth Split SquaredDifference "
    "StridedSlice Tile Transpose TransposeConv Unpack While"
)
BOTH = [op for op in CPU_OPS if op in SHAPED]
COMPLETE = BOTH[:: len(BOTH) // 21][:21]  # 21 operations are handled everywhere


def _filled(number: int, without: Iterable[str] = ()) -> list[str]:
    """That many operations: the complete ones and the first others, in order."""
    left = [op for op in OPS if op not in COMPLETE and op not in set(without)]
    chosen = {*COMPLETE, *left[: number - len(COMPLETE)]}
    return [op for op in OPS if op in chosen]


VALIDATED = _filled(43, without=BOTH)
STATIC, DYNAMIC = (
    _filled(51, without=["RoPE", "RmsNorm", "Attention"]),
    _filled(46, without=["RoPE", "RmsNorm", "Attention"]),
)
DUMPED, LOADED, UNTRAINED, TESTED = _filled(60), _filled(68), _filled(68), _filled(40)

HEAD = "/*\n * A stand-in for a file of onert, for tests.\n */\n\n"


def _guarded(name: str, text: str) -> str:
    return f"{HEAD}#ifndef __ONERT_{name}_H__\n#define __ONERT_{name}_H__\n\n{text}\n#endif // __ONERT_{name}_H__\n"


def _spaces(nested: bool, *names: str) -> tuple[str, str]:
    """How namespaces are opened and closed."""
    if nested:
        whole = "::".join(names)
        return f"namespace {whole}\n{{\n\n", f"\n}} // namespace {whole}\n"
    opened = "".join(f"namespace {name}\n{{\n" for name in names)
    return opened + "\n", "\n" + "".join(f"}} // namespace {name}\n" for name in reversed(names))


def _lst(ops: list[str], tail: bool = False) -> str:
    text = "".join(f"OP({op})\n" for op in ops)
    if not tail:
        return text
    training = "".join(f"OP({op})\n" for op in TRAINING)
    return f"{HEAD}#ifndef OP\n#error OP is not defined\n#endif\n\n// Names\n{text}\n// Training Only\n{training}"


def _visitor_h(nested: bool, owner: str, ops: list[str], prefix: str = "ir::", private: str = "") -> str:
    opened, closed = _spaces(nested, "onert", "compiler")
    visits = "".join(f"  void visit(const {prefix}operation::{op} &node) override;\n" for op in ops)
    return _guarded(
        owner.upper(),
        f"{opened}class {owner};\n\nclass Helper\n{{\npublic:\n  void visit(const ir::operation::AddN &node);\n}};\n\n"
        f"class {owner} : public ir::OperationVisitor\n{{\npublic:\n  {owner}() = delete;\n  void operator()();\n\n"
        f"{private}  // Visits, by name\n{visits}\nprivate:\n  const ir::Graph &_graph;\n}};\n{closed}",
    )


def _visitor_cc(
    nested: bool, owner: str, ops: list[str], prefix: Callable[[str], str] = lambda op: "ir::operation::"
) -> str:
    opened, closed = _spaces(nested, "onert", "compiler")
    bodies = [
        f"void {owner}::visit(const {prefix(op)}{op} &node)\n{{\n  // what {op} needs {{\n"
        f'  if (node.getInputs().size() == 0)\n  {{\n    throw std::runtime_error{{"}} {op}: void visit("}};\n  }}\n}}\n'
        if at % 3
        else f"void {owner}::visit(const {prefix(op)}{op} &node) {{ generic(node); }}\n"
        for at, op in enumerate(ops)
    ]
    helper = "namespace\n{\n\nvoid generic(const ir::Operation &)\n{\n  // nothing\n}\n\n} // namespace\n\n"
    start = f"void {owner}::operator()()\n{{\n  _graph.iterate([&](const auto &, const auto &n) {{ n.accept(*this); }});\n}}\n\n"
    return f'{HEAD}#include "{owner}.h"\n\n{opened}{helper}{start}' + "\n".join(bodies) + closed


def _dumper_prefix(op: str) -> str:
    return {"Shape": "ir::operation::", "BroadcastTo": "operation::"}.get(op, "")


SHAPES = _names(
    "ArgMinMax BatchMatMul BroadcastTo Concat Conv2D Eltwise ExpandDims Gather Pad Reduce Reshape Slice Transpose"
)


def _shapes_h(nested: bool, layout: bool) -> str:
    opened, closed = _spaces(nested, "onert", "shape_inference")
    more = ", ir::Layout layout = ir::Layout::NHWC" if layout else ""
    lines = "\n".join(f"ir::Shape infer{name}Shape(const ir::Shape &in_shape{more});\n" for name in SHAPES)
    return _guarded("SHAPE_INFERENCE", f"{opened}// Shapes of outputs, by name.\n\n{lines}{closed}")


def _shapes_cc(nested: bool, layout: bool) -> str:
    opened, closed = _spaces(nested, "onert", "shape_inference")
    more = ", ir::Layout" if layout else ""
    order = [*SHAPES[3:], *SHAPES[:3]]
    bodies = [
        f"ir::Shape infer{name}Shape(const ir::Shape &in_shape{more})\n{{\n  return in_shape;\n}}\n" for name in order
    ]
    inner = "namespace\n{\n\nir::Shape inferNothingShape(const ir::Shape &s) { return s; }\n\n} // namespace\n\n"
    return f"{HEAD}{opened}{inner}" + "\n".join(bodies) + closed


def shout(op: str) -> str:
    return "".join(f"_{c}" if c.isupper() and at and not op[at - 1].isupper() else c for at, c in enumerate(op)).upper()


def _base_loader(nested: bool, specific: bool, custom: bool) -> str:
    """`specific`: a second template parameter. `custom`: names of custom operations are mapped here."""
    words = "typename LoaderDomain, typename SpecificLoader" if specific else "typename LoaderDomain"
    used = "LoaderDomain, SpecificLoader" if specific else "LoaderDomain"
    opened, closed = _spaces(nested, "onert", "loader")
    named = ["BatchMatMul", "Concat", "Conv2D", "Custom", "If", "Reduce", "Softmax", "While"]
    declared = "".join(f"  void load{op}(const Operator *op, ir::Graph &subg);\n" for op in named)
    defined = "\n".join(
        f"template <{words}>\nvoid BaseLoader<{used}>::load{op}(const Operator *op, ir::Graph &subg)\n{{\n"
        "  switch (kind(op))\n  {\n    case BuiltinOperator::BuiltinOperator_ADD:\n      break;\n"
        "    default:\n      break;\n  }\n"
        f"  loadOperationTo<ir::operation::{op}>(op, subg);\n}}\n"
        for op in named[::-1]
        if op in LOADED and op != "Custom"
    )
    cases = "".join(
        f"    case BuiltinOperator::BuiltinOperator_{shout(op)}:\n"
        + (f"    case BuiltinOperator::BuiltinOperator_{shout(op)}_V2:\n" if at % 5 == 0 else "")
        + f"      loadOperationTo<ir::operation::{op}>(op, subg);\n      {'break' if at % 7 == 0 else 'return'};\n"
        for at, op in enumerate(LOADED)
        if op != "InstanceNorm"
    )
    custom_text = (
        _custom(f"template <{words}>\nvoid BaseLoader<{used}>::loadCustom", last_comma=False) if custom else ""
    )
    return _guarded(
        "BASE_LOADER",
        f"{opened}template <{words}> class BaseLoader\n{{\nprotected:\n  void loadFromFile(const std::string &path);\n"
        f"{'' if specific else '  flexbuffers::Map getCustomOpAttrMap(const Operator *op);' + chr(10)}"
        f"  void loadOperation(const Operator *op, ir::Graph &subg);\n\nprivate:\n{declared}\n"
        f"  int _fd{{-1}};\n}};\n\n{defined}\n{custom_text}"
        f"template <{words}>\nvoid BaseLoader<{used}>::loadOperation(const Operator *op, ir::Graph &subg)\n{{\n"
        f"  const auto code = builtin(op);\n\n  switch (code)\n  {{\n{cases}    default:\n"
        f'      throw std::runtime_error(std::string("cannot load: {{").append(name(code)));\n  }}\n}}\n\n'
        f"template <{words}> void BaseLoader<{used}>::loadModel()\n{{\n  _fd = 0;\n}}\n{closed}",
    )


def _custom(head: str, last_comma: bool) -> str:
    end = ",\n" if last_comma else "\n"
    return (
        f"{head}(const Operator *op, ir::Graph &subg)\n{{\n  enum class BuiltinOP\n  {{\n    BCQUnembedding,\n"
        f"    Einsum{end}  }};\n\n"
        "  // Names of custom operations\n  std::map<std::string, BuiltinOP> builtin_map = {\n"
        '    {"BCQUnembedding", BuiltinOP::BCQUnembedding},\n    {"EinsumV1", BuiltinOP::Einsum},\n  };\n\n'
        "  switch (builtin_map.at(name(op)))\n  {\n    case BuiltinOP::BCQUnembedding:\n      loadBCQUnembedding(op, subg);\n"
        "      break;\n    case BuiltinOP::Einsum:\n      loadOther(op, subg);\n      break;\n"
        "    default:\n      other(op, subg);\n      return;\n  }\n}\n\n"
    )


def _circle_loader(nested: bool, custom: bool) -> str:
    opened, closed = _spaces(nested, "onert", "loader")
    mine = "".join(f"  void load{op}(const Operator *op, ir::Graph &subg);\n" for op in ("BCQUnembedding", "Custom"))
    return (
        f"{HEAD}{opened}namespace\n{{\n\nclass CircleLoader final : public BaseLoader<Domain>\n{{\nprotected:\n"
        "  // Only of Circle\n  void loadInstanceNorm(const Operator *op, ir::Graph &subg);\n"
        f"{mine if custom else ''}\npublic:\n  using BaseLoader::BaseLoader;\n\nprivate:\n"
        "  void loadOperation(const circle::Operator *op, ir::Graph &subg)\n  {\n    switch (code(op))\n    {\n"
        "      case circle::BuiltinOperator::BuiltinOperator_INSTANCE_NORM:\n        loadInstanceNorm(op, subg);\n"
        "        return;\n"
        "      default:\n        BaseLoader::loadOperation(op, subg);\n        return;\n    }\n  }\n};\n\n"
        "void CircleLoader::loadInstanceNorm(const Operator *op, ir::Graph &subg)\n{\n"
        "  subg.add(new ir::operation::InstanceNorm(op));\n}\n\n"
        + (_custom("void CircleLoader::loadCustom", last_comma=True) if custom else "")
        + f"}} // namespace\n{closed}"
    )


def _circle_gen_h(ops: list[str], custom: bool) -> str:
    calls = "".join(
        f"  uint32_t addOperator{op}(const OperatorParams &params,\n                 int version = 1);\n" for op in ops
    )
    custom = "  uint32_t addCustomOperatorWithOptions(const OperatorParams &params);\n" if custom else ""
    return (
        f"{HEAD}class CircleGen\n{{\npublic:\n  CircleGen();\n  uint32_t addTensor(const TensorParams &params);\n\n"
        f"  // ===== Add Operator methods begin =====\n\n  /**\n   * @brief the first one\n   */\n{calls}\n"
        "  // NOTE new ones go above\n  // ===== Add Operator methods end =====\n\nprivate:\n"
        f"  uint32_t addOperatorWithOptions(const OperatorParams &params);\n{custom}  uint32_t addOperatorCode(int code);\n}};\n"
    )


def _circle_gen_cc(ops: list[str]) -> str:
    bodies = "\n".join(
        f"uint32_t CircleGen::addOperator{op}(const OperatorParams &params, int version)\n{{\n  auto f = [&] {{ return 1; }};\n"
        f"  return addOperatorWithOptions(params);\n}}\n"
        for op in [*ops[2:], *ops[:2]]
    )
    return (
        f"{HEAD}// ===== Add Operator methods begin =====\n\n{bodies}\n// NOTE new ones go above\n//\n// 1. this\n\n"
        "// ===== Add Operator methods end =====\n\nuint32_t CircleGen::addOperatorCode(int code)\n{\n  return code;\n}\n"
    )


def _untrainable(ops: list[str]) -> str:
    made = "\n".join(
        f"operation::{op} generate{op}()\n{{\n  return operation::{op}{{Indices{{1}}, Indices{{0}}}};\n}}\n"
        for op in ops
    )
    used = "\n".join(f"  const auto {op.lower()} = generate{op}();\n  verifyOp({op.lower()});\n" for op in ops)
    thrown = "\n".join(
        f"  {{\n    const auto {op.lower()} = generate{op}();\n    EXPECT_ANY_THROW({op.lower()});\n  }}\n"
        for op in ops
    )
    return (
        f"{HEAD}using namespace ::onert::ir;\n\n{made}\nclass Mock : public OperationVisitor\n{{\n#define OP(Name) \\\n"
        '  void visit(const operation::Name &) override { seen = true; }\n#include "ir/Operations.lst"\n#undef OP\n'
        "  bool seen{false};\n};\n\n"
        f"TEST(UntrainableOperation, testAllOps)\n{{\n{used}}}\n\nTEST(UntrainableOperation, neg_visit)\n{{\n{thrown}}}\n"
    )


BACKENDS = {
    "acl_cl": OPS[:46],
    "acl_neon": OPS[-40:],
    "ruy": ["Conv2D", "FullyConnected"],
    "ggml": ["FullyConnected", "Gather"],
}
FACTORY = OPS[::-1][:53]


def _tensor(era: str) -> str:
    """What a tensor can be asked, over the years."""
    zero = "data_offset" if era in ("classic", "oldest") else "data_zero_point"
    shape = "" if era == "oldest" else "  virtual bool applyShape(const ir::Shape &) { return false; }\n"
    asked = f"  virtual int32_t {zero}() const = 0;\n  virtual ir::Shape getShape() const = 0;\n"
    return _guarded("TENSOR", f"class ITensor\n{{\npublic:\n{asked}{shape}}};\n")


def _backends(lists: bool) -> dict[str, str]:
    """Other backends, and the factory of NNAPI: nothing is put in there, but an audit looks at them."""
    calls = "".join(
        f"  _map[{shout(op)}] = [] {{ return new operation::{op}{{}}; }}; // operation::None\n" for op in FACTORY
    )
    factory = "runtime/tests/nnapi/bridge/wrapper" if lists else "runtime/onert/frontend/nnapi/wrapper"
    made = {f"{factory}/OperationFactory.cc": f"{HEAD}OperationFactory::OperationFactory()\n{{\n{calls}}}\n"}
    for name, ops in BACKENDS.items():
        folder = f"runtime/onert/backend/{name}"
        if lists:
            made[f"{folder}/Operation.lst"] = _lst(ops)
        else:
            made[f"{folder}/KernelGenerator.h"] = _visitor_h(False, "KernelGenerator", ops)
    return made


# What the trees are like: as at a date.
DATES = {
    "oldest": "2020-06",
    "classic": "2021-01",
    "2023": "2023-06",
    "2024": "2024-12",
    "2025": "2025-06",
    "between": "2025-10-20",
    "oplist": "2026-04",
}


def files(era: str) -> dict[str, str]:
    """All files of a tree, as at one of the `DATES`."""
    date = DATES[era]
    new, nested = date > "2021-06", date > "2025-02"
    include = f"{CORE}/include"
    inferer = "Inferer" if new else "Inference"
    validator = f"{CORE}/src/{'compiler' if era == 'oldest' else 'ir'}/OperationValidator"
    loader, circle = (
        (f"{CORE}/src/loader/BaseLoader.h", f"{CORE}/src/loader/CircleLoader.cc")
        if date > "2024-02"
        else (
            "runtime/onert/frontend/base_loader/include/base_loader.h",
            "runtime/onert/frontend/circle/src/circle_loader.cc",
        )
    )
    tests = "runtime/tests/nnfw_api" if nested else "tests/nnfw_api"
    gen = f"{tests}/lib/CircleGen" if new else f"{tests}/src/CircleGen"
    one_op = f"{tests}/src/GenModelTests/one_op_tests" if new else f"{tests}/src/one_op_tests"
    ends = ".test.cc" if new else ".cc"
    made = {
        f"{include}/ir/Operations.lst": _lst(OPS, tail=new),
        f"{include}/ir/Operations.Include.h": HEAD
        + "// No guard, on purpose\n\n"
        + "".join(f'#include "ir/operation/{op}.h"\n' for op in [*OPS, *TRAINING]),
        f"{validator}.h": _visitor_h(
            nested,
            "OperationValidator",
            VALIDATED,
            "" if new else "ir::",
            "  bool isSameQuantParam(int a, int b);\n  const Operands &_operands;\n\n"
            if new
            else "  const Operands &_ctx;\n\n",
        ),
        f"{validator}.cc": _visitor_cc(
            nested, "OperationValidator", VALIDATED, lambda op: "operation::" if new else "ir::operation::"
        ),
        f"{CORE}/src/compiler/ShapeValidator.h": _visitor_h(nested, "ShapeValidator", SHAPED),
        f"{CORE}/src/compiler/ShapeValidator.cc": _visitor_cc(nested, "ShapeValidator", SHAPED),
        f"{include}/compiler/StaticShapeInferer.h": _visitor_h(
            nested,
            "StaticShapeInferer",
            STATIC,
            private="" if new else "private:\n  ir::Operands &_operands;\n\nprivate:\n",
        ),
        f"{CORE}/src/compiler/StaticShapeInferer.cc": _visitor_cc(nested, "StaticShapeInferer", STATIC),
        f"{include}/exec/DynamicShape{inferer}.h": _visitor_h(nested, "DynamicShapeInferer", DYNAMIC),
        f"{CORE}/src/exec/DynamicShape{inferer}.cc": _visitor_cc(nested, "DynamicShapeInferer", DYNAMIC),
        f"{CORE}/src/ir/OperationDumper.h": _visitor_h(nested, "OperationDumper", DUMPED, ""),
        f"{CORE}/src/ir/OperationDumper.cc": _visitor_cc(nested, "OperationDumper", DUMPED, _dumper_prefix).replace(
            "generic(", "dumpOpGeneric("
        ),
        f"{include}/backend/ITensor.h": _tensor(era),
        f"{include}/ir/Operation.h": _guarded(
            "OPERATION",
            "class Operation\n{\npublic:\n  Operation(OperandConstraint input_constr"
            f"{', OperandConstraint output_constr' if new else ''});\n}};\n",
        ),
        f"{include}/util/ShapeInference.h": _shapes_h(nested, layout=date < "2024-08"),
        f"{CORE}/src/util/ShapeInference.cc": _shapes_cc(nested, layout=date < "2024-08"),
        f"{include}/util/Utils.h": _guarded(
            "UTILS", "" if date > "2024-11" else "#define UNUSED_RELEASE(a) (void)(a)\n"
        ),
        loader: _base_loader(nested, specific=not new, custom=not nested),
        circle: _circle_loader(nested, custom=nested),
        f"{gen}.h": _circle_gen_h(TESTED, new),
        f"{gen}.cc": _circle_gen_cc(TESTED),
        f"{gen.rpartition('/')[0]}/GenModelTest.h": f"{HEAD}void expectFailModelLoad() {{}}\n",
        f"{CPU}/ops/OperationUtils.h": _guarded("OPERATION_UTILS", ""),
    }
    if date > "2022-11":
        options = "CompilerOptions *" if date > "2024-06" else "std::vector<std::unique_ptr<CompilerOptions>> &"
        made[f"{include}/compiler/CompilerFactory.h"] = _guarded(
            "FACTORY",
            f"class CompilerFactory\n{{\npublic:\n  Made create(const Package &package, {options}copts);\n}};\n",
        )
    if era == "oplist":
        made[f"{CPU}/Operation.lst"] = _lst(CPU_OPS)
        macro = '#define OP(Name) \\\n  void visit(const ir::operation::Name &) override;\n#include "Operation.lst"\n#undef OP\n'
        made[f"{CPU}/Validator.h"] = _guarded("VALIDATOR", f"class Validator\n{{\n{macro}}};\n")
    if era == "between":
        lines = "".join(
            f"  void visit(const ir::operation::{op} &) override {{ _supported = true; }}\n" for op in CPU_OPS
        )
        made[f"{CPU}/Validator.h"] = _guarded("VALIDATOR", f"class Validator : public Base\n{{\nprivate:\n{lines}}};\n")
    if new:
        made[f"{CORE}/src/ir/train/operation/UntrainableOperation.test.cc"] = _untrainable(UNTRAINED)
        made[f"{CORE}/src/util/ShapeInference.test.cc"] = f"{HEAD}TEST(ShapeInference, Elementwise)\n{{\n}}\n"
    else:
        made["runtime/onert/test/core/util/ShapeInference.cc"] = f"{HEAD}TEST(ShapeInference, Elementwise)\n{{\n}}\n"
    if era != "oplist":
        order = [*CPU_OPS[7:], *CPU_OPS[:7]]
        made[f"{CPU}/KernelGenerator.h"] = _visitor_h(nested, "KernelGenerator", order)
        includes = "".join(f'#include "ops/{op}Layer.h"\n' for op in CPU_OPS)
        text = _visitor_cc(nested, "KernelGenerator", order)
        made[f"{CPU}/KernelGenerator.cc"] = text.replace(
            '#include "KernelGenerator.h"\n', f'#include "KernelGenerator.h"\n\n{includes}'
        )
    made |= _backends(era == "oplist")
    for op in OPS:
        made[f"{include}/ir/operation/{op}.h"] = _guarded(op.upper(), f"class {op};\n")
        made[f"{CORE}/src/ir/operation/{op}.cc"] = f'{HEAD}#include "ir/operation/{op}.h"\n'
    for op in TESTED:
        made[f"{one_op}/{op}{ends}"] = f"{HEAD}TEST_F(GenModelTest, OneOp_{op})\n{{\n}}\n"
    return made


def mini(folder: Path, era: str = "oplist", newline: str = "\n") -> Path:
    """The tree below a folder."""
    for name, text in files(era).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.replace("\n", newline).encode())
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
