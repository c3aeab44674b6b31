"""A small stand-in for OpenVINO's source tree, in three eras: the files that entries go to, in our own words."""

from __future__ import annotations

from pathlib import Path

CPU = "src/plugins/intel_cpu/src"
EXTENSION = f"{CPU}/extension.cpp"
GENERATOR = f"{CPU}/emitters/snippets/x64/cpu_generator.cpp"
TOKENIZE = "src/common/snippets/src/pass/collapse_subgraph.cpp"
SHAPES = {
    True: f"{CPU}/transformations/snippets/common/shape_inference.cpp",
    False: f"{CPU}/transformations/snippets/x64/shape_inference.cpp",
}
ERAS = ("2024", "2025", "2026")

_EXTENSION = """\
#include "openvino/core/extension.hpp"

#include "openvino/core/op_extension.hpp"
#include "ov_ops/rms.hpp"
#include "ov_ops/type_relaxed.hpp"
#include "snippets/op/subgraph.hpp"
#include "transformations/cpu_opset/common/op/swish_cpu.hpp"

#define OP_EXTENSION(NAME) std::make_shared<ov::OpExtension<NAME>>(),

#if defined(OPENVINO_ARCH_X86_64)
#    define OP_EXTENSION_X64(NAME) OP_EXTENSION(NAME)
#else
#    define OP_EXTENSION_X64(NAME)
#endif

#define CPU_EXTENSIONS                                  \\
    OP_EXTENSION(ov::intel_cpu::SwishNode)              \\
    OP_EXTENSION(ov::op::internal::NmsStatic<ov::Nms>)  \\
    OP_EXTENSION(ov::op::internal::RMS)                 \\
    OP_EXTENSION_X64(ov::intel_cpu::BrgemmCPU)          \\
    OP_EXTENSION_X64(ov::intel_cpu::BrgemmCopyB)

#define SNIPPETS_EXTENSIONS                 \\
    OP_EXTENSION(ov::snippets::op::Brgemm)  \\
    OP_EXTENSION(ov::snippets::op::Reshape)

OPENVINO_CREATE_EXTENSIONS(std::vector<ov::Extension::Ptr>({CPU_EXTENSIONS SNIPPETS_EXTENSIONS}));
"""
_TOKENIZE = """\
#include "snippets/pass/collapse_subgraph.hpp"

#include <memory>

#include "openvino/core/rt_info.hpp"
#include "openvino/op/abs.hpp"
#include "snippets/itt.hpp"
#include "snippets/op/subgraph.hpp"

namespace ov::snippets::pass {
namespace {
auto is_supported_op(const std::shared_ptr<const Node>& n) -> bool {
    auto is_supported_binary_eltwise_op = [](const std::shared_ptr<const Node>& n) -> bool {
        return BINARY;
    };

    auto is_supported_unary_eltwise_op = [](const std::shared_ptr<const Node>& n) -> bool {
        return UNARY;
    };
    return is_supported_unary_eltwise_op(n) || is_supported_binary_eltwise_op(n);
}
}  // namespace
}  // namespace ov::snippets::pass
"""
_GENERATOR = """\
#include "cpu_generator.hpp"

#include "emitters/plugin/x64/jit_conversion_emitters.hpp"
#include "emitters/plugin/x64/jit_eltwise_emitters.hpp"
#include "emitters/snippets/x64/jit_loop_emitters.hpp"

namespace ov {

#define CREATE_CPU_EMITTER(e_type) \\
    { [this](const snippets::lowered::ExpressionPtr& expr) { return std::make_shared<e_type>(h.get(), isa, expr->get_node()); } }

intel_cpu::CPUTargetMachine::CPUTargetMachine(dnnl::impl::cpu::x64::cpu_isa_t host_isa,
                                              ov::intel_cpu::MultiCacheWeakPtr cache)
    : TargetMachine(std::make_shared<CPURuntimeConfigurator>(cache)),
      h(new jit_snippet()),
      isa(host_isa) {
    // binary
    jitters[op::v1::Add::get_type_info_static()] = MAKE(intel_cpu::jit_add_emitter);
    jitters[snippets::op::PowerStatic::get_type_info_static()] =
        MAKE(intel_cpu::jit_power_static_emitter);

    // unary
    jitters[ov::op::v0::Abs::get_type_info_static()] = MAKE(intel_cpu::jit_abs_emitter);
    jitters[ov::op::v0::Tanh::get_type_info_static()] = MAKE(intel_cpu::jit_tanh_emitter);

    jitters[ov::intel_cpu::SwishNode::get_type_info_static()] = MAKE(ov::intel_cpu::jit_swish_emitter);
    jitters[snippets::op::Fill::get_type_info_static()] = MAKE(intel_cpu::jit_fill_emitter);
    jitters[snippets::op::LoopEnd::get_type_info_static()] = MAKE(intel_cpu::jit_loop_end_emitter);

#ifdef SNIPPETS_DEBUG_CAPS
    jitters[snippets::op::PerfCountBegin::get_type_info_static()] = MAKE(intel_cpu::jit_perf_count_emitter);
#endif
}

}  // namespace ov
"""
_SHAPES_MACRO = """\
#include "shape_inference.hpp"

#include "op/brgemm_cpu.hpp"
#include "transformations/cpu_opset/common/op/swish_cpu.hpp"

namespace ov::snippets {
ShapeInferPtr CPUShapeInferSnippetsFactory::get_specific_op_shape_infer(const ov::DiscreteTypeInfo& key,
                                                                        const std::shared_ptr<ov::Node>& op) const {
    const auto& maker_iter = specific_ops_registry.find(key);
    if (maker_iter != specific_ops_registry.end()) {
        return maker_iter->second(op);
    }
    return {};
}

#define SHAPE_INFER_PREDEFINED(OP, InferType) \\
    { OP::get_type_info_static(), [](const std::shared_ptr<ov::Node>& n) { return std::make_shared<InferType>(); } }

const CPUShapeInferSnippetsFactory::TRegistry CPUShapeInferSnippetsFactory::specific_ops_registry{
    SHAPE_INFER_PREDEFINED(ov::intel_cpu::FusedMulAdd, NumpyBroadcastShapeInfer),
    SHAPE_INFER_PREDEFINED(ov::intel_cpu::SwishNode, PassThroughShapeInfer),
#ifdef SNIPPETS_DEBUG_CAPS
    SHAPE_INFER_PREDEFINED(ov::intel_cpu::PerfCountRdtscBegin, EmptyShapeInfer),
#endif
    SHAPE_INFER_OP_SPECIFIC(ov::intel_cpu::BrgemmCopyB),
};
#undef SHAPE_INFER_PREDEFINED
}  // namespace ov::snippets
"""
_SHAPES_LIST = """\
#include "transformations/snippets/common/shape_inference.hpp"

#include "openvino/core/node.hpp"
#include "snippets/shape_inference/shape_inference.hpp"
#include "transformations/cpu_opset/common/op/swish_cpu.hpp"

namespace ov::snippets {
namespace detail {

IShapeInferSnippetsFactory::TRegistry make_common_cpu_shape_infer_registry() {
    IShapeInferSnippetsFactory::TRegistry registry{
        {ov::intel_cpu::FusedMulAdd::get_type_info_static(),
         []([[maybe_unused]] const std::shared_ptr<ov::Node>&) {
             return std::make_shared<NumpyBroadcastShapeInfer>();
         }},
        {ov::intel_cpu::SwishNode::get_type_info_static(),
         []([[maybe_unused]] const std::shared_ptr<ov::Node>&) {
             return std::make_shared<PassThroughShapeInfer>();
         }},
    };
    return registry;
}

}  // namespace detail
}  // namespace ov::snippets
"""
_BINARY = ("v1::Add", "v1::Subtract", "v0::Xor")
_UNARY = ("v0::Abs", "v0::Erf", "v0::Tanh", "v4::HSwish")


def _listed(names: tuple[str, ...], types: bool) -> str:
    """A list of ops as the eras have it."""
    if types:
        return "ov::is_type_any_of<" + f",\n{' ' * 34}".join(f"ov::op::{name}" for name in names) + ">(n)"
    return f"\n{' ' * 12}|| ".join(f"ov::is_type<ov::op::{name}>(n)" for name in names)


def mini(root: Path, era: str) -> Path:
    """Writes a tree of an era."""
    types = era != "2024"
    maker = "emitter_factory.from_node<{}>()" if era == "2026" else "CREATE_CPU_EMITTER({})"
    head, tail = maker.split("{}")
    generator = _GENERATOR.replace("MAKE(", head).replace("_emitter);", f"_emitter{tail};")
    files = {
        EXTENSION: _EXTENSION,
        TOKENIZE: _TOKENIZE.replace("BINARY", _listed(_BINARY, types)).replace("UNARY", _listed(_UNARY, types)),
        GENERATOR: generator,
        SHAPES[era == "2026"]: _SHAPES_LIST if era == "2026" else _SHAPES_MACRO,
    }
    if era == "2026":  # what stands at the old name then
        files[SHAPES[False]] = (
            '#include "transformations/snippets/common/shape_inference.hpp"\n\n#include "op/brgemm_cpu.hpp"\n'
        )
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def tree(root: Path) -> dict[str, bytes]:
    """All files of a tree."""
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
