// Kernel choice: array order, first whose counts, signatures and predicate fit; and what must fit into TCM.
// SPDX-License-Identifier: Apache-2.0
#include "progress.h"
#include "qhpi_prepare.h"

namespace opkg {
namespace {

constexpr uint64_t kTcmBytes = 4u << 20;  // what the x86 backend gives one tensor

const QHPI_Tensor_Signature_v1& signatureAt(const QHPI_Tensor_Signature_v1* signatures, uint32_t count,
                                            size_t index) {
  static const QHPI_Tensor_Signature_v1 kAny = {QHPI_Any_Element_Type, QHPI_Layout_Any, 2, 2};
  if (count == 0) return kAny;
  return signatures[index < count ? index : count - 1];
}

// As measured, variable_inputs and variable_outputs do not let a kernel match more tensors than it declares.
std::string countMismatch(const char* side, uint32_t wanted, bool variable, size_t have) {
  if (have == wanted) return "";
  std::string why = "wants " + std::to_string(wanted) + " " + side + "s, there are " + std::to_string(have);
  if (variable) why += std::string(" (variable_") + side + "s does not help in the backend)";
  return why;
}

// Why a kernel does not fit; empty when it does (the predicate aside).
std::string mismatch(const QHPI_Op& op, const QHPI_Kernel_v1& kernel) {
  std::string why = countMismatch("input", kernel.min_inputs, kernel.variable_inputs, op.inputs.size());
  if (why.empty())
    why = countMismatch("output", kernel.min_outputs, kernel.variable_outputs, op.outputs.size());
  if (!why.empty()) return why;
  uint32_t layout = 0;
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    const QHPI_OutputDef def = qhpi_op_output(op.inputs[i].op, op.inputs[i].output_number);
    const QHPI_Tensor_Signature_v1& signature = signatureAt(kernel.input_signature, kernel.min_inputs, i);
    if (!signatureFits(def, signature, &layout, &why)) return "input " + std::to_string(i) + " " + why;
  }
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    const QHPI_Tensor_Signature_v1& signature = signatureAt(kernel.output_signature, kernel.min_outputs, i);
    if (!signatureFits(op.outputs[i], signature, &layout, &why))
      return "output " + std::to_string(i) + " " + why;
  }
  return "";
}

bool predicateAccepts(const QHPI_Op& op, const QHPI_Kernel_v1& kernel, CaseResult* result) {
  if (kernel.predicate == nullptr) return true;
  const std::vector<QHPI_Tensor> tensors = inputTensors(op, kernel);
  std::vector<const QHPI_Tensor*> pointers;
  for (const QHPI_Tensor& tensor : tensors) pointers.push_back(&tensor);
  const bool accepted = kernel.predicate(&op, static_cast<uint32_t>(pointers.size()), pointers.data()) != 0;
  addTrace(result, "predicate " + op.node + " " + kernel.function_name + (accepted ? " yes" : " no"));
  return accepted;
}

std::string describeTensors(const QHPI_Op& op) {
  std::string text = " (inputs";
  for (const QHPI_OpRef& input : op.inputs) {
    const QHPI_OutputDef def = qhpi_op_output(input.op, input.output_number);
    text += std::string(" ") + typeName(def.type) + shapeText(def.shape);
  }
  text += "; outputs";
  for (const QHPI_OutputDef& def : op.outputs)
    text += std::string(" ") + typeName(def.type) + shapeText(def.shape);
  return text + ")";
}

Outcome chooseKernel(QHPI_Op* op, CaseResult* result) {
  progress().at("finalize", op->node.c_str());
  std::string reasons;
  for (const QHPI_Kernel_v1* kernel : op->registered->kernels) {
    std::string why = mismatch(*op, *kernel);
    if (why.empty() && !predicateAccepts(*op, *kernel, result)) why = "its predicate says no";
    if (why.empty()) {
      op->kernel = kernel;
      return Outcome();
    }
    reasons += std::string("; ") + kernel->function_name + ": " + why;
  }
  if (op->registered->kernels.empty()) reasons = "; it has no usable kernels";
  return Outcome::error(
      "finalize", kPrepareFailed,
      op->node + ": no kernel of " + op->name + " matches" + describeTensors(*op) + reasons);
}

Outcome crash(const QHPI_Op& op, const std::string& text) {
  return {"crash", "finalize", 11, op.node + ": " + op.name + ": " + text + " crashes the backend"};
}

// Combinations that match, and that the backend then fails or dies on.
Outcome checkHazards(const QHPI_Op& op) {
  if (op.kernel->resources == QHPI_RESOURCE_EXCLUSIVE) {
    return {"timeout", "execute", 0,
            op.node + ": resource EXCLUSIVE (8): the backend never comes back from execute"};
  }
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    const QHPI_Tensor_Signature_v1& signature =
        signatureAt(op.kernel->output_signature, op.kernel->min_outputs, i);
    if (signature.layout == QHPI_Layout_Any) return crash(op, "layout any for an output");
    if (op.outputs[i].type == QHPI_Int64) return crash(op, "an Int64 output");
  }
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    const QHPI_OutputDef def = qhpi_op_output(op.inputs[i].op, op.inputs[i].output_number);
    if (def.type != QHPI_Int64) continue;
    if (op.inputs[i].op->kind != OpKind::kConstant) return crash(op, "an Int64 graph tensor");
    const QHPI_Tensor_Signature_v1& signature =
        signatureAt(op.kernel->input_signature, op.kernel->min_inputs, i);
    if (signature.mem_placement == QHPI_MemLoc_DDR_Only) continue;
    return Outcome::error("finalize", kPrepareFailed, op.node + ": an Int64 constant cannot be put into TCM");
  }
  return Outcome();
}

// Every tensor of a chosen kernel passes through TCM, even for kernels that ask for DDR.
Outcome tooLarge(const QHPI_Op& op, const QHPI_Shape& shape, uint64_t bytes) {
  return Outcome::error("finalize", kPrepareFailed,
                        op.node + ": " + op.name + " is not sufficiently tiled to fit in TCM: a tensor " +
                            shapeText(shape) + " needs " + std::to_string(bytes) + " bytes of " +
                            std::to_string(kTcmBytes));
}

// Whether a slice takes several images, whole.
bool takesImages(const QHPI_Op& slice, const QHPI_Shape& whole) {
  const QHPI_Shape& part = slice.outputs[0].shape;
  bool images = part.rank == 4 && part.dims[0] > 1 && part.dims[0] < whole.dims[0];
  for (uint32_t d = 1; d < part.rank; ++d) images = images && part.dims[d] == whole.dims[d];
  return images;
}

// What is cut along the last dimension is joined whole, and so is a graph input: one row of each must fit. A
// graph input is not cut into several images at a time.
Outcome checkRows(const QHPI_Op& op) {
  const bool of_input = op.kind == OpKind::kSlice && op.inputs[0].op->kind == OpKind::kInput;
  if (!of_input && op.kind != OpKind::kConcat) return Outcome();
  const QHPI_OutputDef whole =
      of_input ? qhpi_op_output(op.inputs[0].op, op.inputs[0].output_number) : op.outputs[0];
  const uint64_t bytes = shapeElements(whole.shape) * elementSize(whole.type);
  const uint64_t row = whole.shape.dims[whole.shape.rank - 1] * elementSize(whole.type);
  if (of_input && bytes > kTcmBytes && takesImages(op, whole.shape)) return tooLarge(op, whole.shape, bytes);
  return row > kTcmBytes ? tooLarge(op, whole.shape, row) : Outcome();
}

Outcome checkTcm(const QHPI_Op& op) {
  std::vector<QHPI_Tensor> tensors = inputTensors(op, *op.kernel);
  for (const QHPI_Tensor& output : outputTensors(op, *op.kernel)) tensors.push_back(output);
  for (const QHPI_Tensor& tensor : tensors) {
    if (tensor.storedBytes() > kTcmBytes) return tooLarge(op, tensor.def.shape, tensor.storedBytes());
  }
  return Outcome();
}

}  // namespace

std::vector<QHPI_Tensor> inputTensors(const QHPI_Op& op, const QHPI_Kernel_v1& kernel) {
  std::vector<QHPI_Tensor> tensors;
  tensors.reserve(op.inputs.size());
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    tensors.emplace_back(qhpi_op_output(op.inputs[i].op, op.inputs[i].output_number),
                         signatureAt(kernel.input_signature, kernel.min_inputs, i));
  }
  return tensors;
}

std::vector<QHPI_Tensor> outputTensors(const QHPI_Op& op, const QHPI_Kernel_v1& kernel) {
  std::vector<QHPI_Tensor> tensors;
  tensors.reserve(op.outputs.size());
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    tensors.emplace_back(op.outputs[i], signatureAt(kernel.output_signature, kernel.min_outputs, i));
  }
  return tensors;
}

Outcome chooseKernels(QhpiGraph* graph, CaseResult* result) {
  for (QHPI_Op* op : graph->live()) {
    const Outcome rows = checkRows(*op);
    if (!rows.ok()) return rows;
    if (op->kind != OpKind::kPackage) continue;
    Outcome outcome = chooseKernel(op, result);
    if (outcome.ok()) outcome = checkHazards(*op);
    if (outcome.ok()) outcome = checkTcm(*op);
    if (!outcome.ok()) return outcome;
    result->kernels.push_back({op->node, op->name, op->kernel->function_name});
  }
  return Outcome();
}

}  // namespace opkg
