// qhpi_register_ops_v1 and its checks. As measured: a faulty kernel or op is dropped with a log line, a
// second kernel of one name refuses the package; what the real backend overlooks gets a warning here.
// SPDX-License-Identifier: Apache-2.0
#include "qhpi_registry.h"

#include <cstring>
#include <deque>

#include "qhpi_layout.h"
#include "qhpi_types.h"
#include "results.h"

namespace opkg {
namespace {

std::deque<RegisteredOp> g_ops;
std::vector<std::string> g_kernel_names;
std::string g_refusal;

void fault(const std::string& subject, const std::string& text) { LogCapture::add(1, subject + ": " + text); }
void warn(const std::string& subject, const std::string& text) { LogCapture::add(2, subject + ": " + text); }

// Signatures of one side; false drops the kernel.
bool checkSignatures(const std::string& subject, const char* side, uint32_t count,
                     const QHPI_Tensor_Signature_v1* signatures) {
  for (uint32_t i = 0; i < count; ++i) {
    const QHPI_Tensor_Signature_v1& signature = signatures[i];
    const std::string at = subject + ", " + side + " " + std::to_string(i);
    const bool flat = isFlat(signature.layout) || signature.layout == QHPI_Layout_Any;
    if (flat && signature.storage == QHPI_Storage_Indirect) {
      fault(at, "a flat layout cannot be stored indirectly; the kernel is dropped");
      return false;
    }
    if (signature.element_type == QHPI_Unknown) {
      fault(at, "the element type is unknown; the kernel is dropped");
      return false;
    }
    if (signature.element_type > QHPI_Int64 && signature.element_type != QHPI_Any_Element_Type) {
      warn(at, "no element type " + std::to_string(signature.element_type) + "; the kernel will never match");
    }
    if (signature.layout > QHPI_Layout_WideCrouton_2x2) {
      warn(at, "no layout " + std::to_string(signature.layout) + "; the kernel will never match");
    }
    if (signature.storage > 2 || signature.mem_placement > 2) {
      warn(at, "unknown storage or placement; the kernel will never match");
    }
    if (signature.element_type == QHPI_QInt8 || signature.element_type == QHPI_QInt16) {
      warn(at, std::string("asks for ") + typeName(signature.element_type) +
                   ", but signed tensors arrive unsigned");
    }
  }
  return true;
}

// Functions that exclude or need each other; false drops the kernel.
bool checkFunctions(const std::string& subject, const QHPI_Kernel_v1& kernel) {
  const bool with_data = kernel.function_with_precomputed_data != nullptr;
  if (kernel.function != nullptr && with_data) {
    fault(subject, "sets both function and function_with_precomputed_data; the kernel is dropped");
    return false;
  }
  if (with_data && kernel.precomputed_data_size == 0) {
    fault(subject, "precomputed_data_size is 0; the kernel is dropped");
    return false;
  }
  if (with_data && kernel.do_precomputation_function == nullptr) {
    fault(subject, "has no do_precomputation_function; the kernel is dropped");
    return false;
  }
  if (!with_data && kernel.precomputed_data_size != 0) {
    warn(subject, "precomputed_data_size should be 0; the backend crashes in finalize");
  }
  if (!with_data && kernel.function == nullptr) warn(subject, "has no function; execute will fail");
  return true;
}

void warnAboutFlags(const std::string& subject, const QHPI_Kernel_v1& kernel) {
  if (kernel.resources != QHPI_RESOURCE_HVX && kernel.resources != QHPI_RESOURCE_HMX) {
    warn(subject, "invalid resource flag " + std::to_string(kernel.resources) + ": use HVX (2) or HMX (4)");
  }
  if (kernel.variable_inputs)
    warn(subject, "variable_inputs: a graph with more than min_inputs inputs finds no match in the backend");
  const bool clean = kernel.Reserved_1 == nullptr && kernel.Reserved_2 == nullptr &&
                     kernel.Reserved_3 == nullptr && kernel.Reserved_4 == nullptr;
  if (!clean) warn(subject, "reserved pointers are not null: is the record shorter than 120 bytes?");
}

// Whether the kernel counts. Two kernels of one name, even in different ops, refuse the package.
bool acceptKernel(const std::string& op_name, const QHPI_Kernel_v1& kernel, uint32_t index) {
  if (kernel.function_name == nullptr) {
    fault(op_name, "kernel " + std::to_string(index) + " has no name; it is dropped");
    return false;
  }
  const std::string subject = op_name + " kernel " + kernel.function_name;
  warnAboutFlags(subject, kernel);
  if (!checkFunctions(subject, kernel)) return false;
  if (!checkSignatures(subject, "input", kernel.min_inputs, kernel.input_signature)) return false;
  if (!checkSignatures(subject, "output", kernel.min_outputs, kernel.output_signature)) return false;
  for (const std::string& other : g_kernel_names) {
    if (other != kernel.function_name) continue;
    g_refusal =
        subject + ": a kernel of this name is registered already; kernel names are unique in a package";
    fault(subject, "duplicate kernel name");
  }
  g_kernel_names.push_back(kernel.function_name);
  return true;
}

// Faults that drop the whole op.
bool acceptOp(const std::string& package, const QHPI_OpInfo_v1& op, uint32_t index) {
  if (op.name == nullptr) {
    fault(package, "op " + std::to_string(index) + " has no name; it is dropped");
    return false;
  }
  for (uint32_t k = 0; k < op.num_kernels; ++k) {
    const QHPI_Kernel_v1& kernel = op.kernels[k];
    const bool missing = (kernel.min_inputs > 0 && kernel.input_signature == nullptr) ||
                         (kernel.min_outputs > 0 && kernel.output_signature == nullptr);
    if (!missing) continue;
    fault(op.name, "kernel " + std::to_string(k) + " lacks signatures; the op is dropped");
    return false;
  }
  const bool clean = op.Reserved_1 == nullptr && op.Reserved_2 == nullptr && op.Reserved_3 == nullptr &&
                     op.Reserved_4 == nullptr;
  if (!clean) warn(op.name, "reserved pointers are not null: is the record shorter than 104 bytes?");
  if ((op.shape_required == nullptr) != (op.build_tile == nullptr)) {
    warn(op.name, "tiling needs both shape_required and build_tile");
  }
  return true;
}

void registerOp(const std::string& package, const QHPI_OpInfo_v1& op, uint32_t index) {
  if (!acceptOp(package, op, index)) return;
  RegisteredOp registered{op.name, &op, {}};
  if (registered.name.find("::") == std::string::npos) {  // the backend adds the prefix itself
    warn(op.name, "the op name lacks the prefix '" + package + "::'");
    registered.name = package + "::" + registered.name;
  }
  if (registered.name.compare(0, package.size() + 2, package + "::") != 0) {
    warn(op.name, "belongs to another package; no graph will find it");
  }
  if (findRegisteredOp(registered.name) != nullptr)
    warn(op.name, "is registered twice; the first one counts");
  for (uint32_t k = 0; k < op.num_kernels; ++k) {
    if (acceptKernel(registered.name, op.kernels[k], k)) registered.kernels.push_back(&op.kernels[k]);
  }
  g_ops.push_back(std::move(registered));
}

}  // namespace

const RegisteredOp* findRegisteredOp(const std::string& name) {
  for (const RegisteredOp& op : g_ops) {
    if (op.name == name) return &op;
  }
  return nullptr;
}

const std::string& registrationRefusal() { return g_refusal; }
size_t registeredOpCount() { return g_ops.size(); }

}  // namespace opkg

extern "C" uint32_t qhpi_register_ops_v1(uint32_t num_ops, QHPI_OpInfo_v1* ops, const char* package_name) {
  for (uint32_t i = 0; i < num_ops; ++i) opkg::registerOp(package_name, ops[i], i);
  return QHPI_Success;  // as the real one, whatever was wrong
}
