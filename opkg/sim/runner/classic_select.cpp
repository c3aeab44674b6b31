// Matches kernels against operands.
// SPDX-License-Identifier: Apache-2.0
#include "classic_select.h"

#include "HTP/opkg/layout.h"

namespace opkg {
namespace {

// The layouts that exist for an element type: croutons hold elements of 1, 2 and 4 bytes.
unsigned existingLayouts(uint32_t dtype) {
  const uint32_t bytes = htpTypeSize(dtype);
  return bytes <= 4 ? (1u << kOpkgFlat | 1u << kOpkgCrouton) : 1u << kOpkgFlat;
}

bool matches(const OpkgTensorClass& wanted, const ClassicValue& value, const OperandChoice& choice) {
  if (wanted.dtype != kOpkgAnyDtype && wanted.dtype != value.dtype) return false;
  const unsigned layouts = choice.layouts & existingLayouts(value.dtype);
  if (layouts == 0 || (wanted.layout != kOpkgAnyLayout && (layouts >> wanted.layout & 1u) == 0)) return false;
  return wanted.placement == kOpkgAnyPlacement || (choice.placements >> wanted.placement & 1u) != 0;
}

// What an operand becomes: as the kernel's class says, else flat and main memory where that is allowed.
void settle(const OpkgTensorClass& wanted, const OperandChoice& choice, ClassicOperand* operand) {
  const unsigned layouts = choice.layouts & existingLayouts(operand->value->dtype);
  const OpkgLayout layout = layouts & 1u << kOpkgFlat ? kOpkgFlat : kOpkgCrouton;
  const bool main = (choice.placements & 1u << kOpkgMain) != 0;
  const bool tcm = (choice.placements & 1u << kOpkgTcm) != 0;
  const OpkgPlacement placement = main && !(tcm && choice.prefers_tcm) ? kOpkgMain : kOpkgTcm;
  operand->layout = wanted.layout == kOpkgAnyLayout ? layout : static_cast<OpkgLayout>(wanted.layout);
  operand->placement =
      wanted.placement == kOpkgAnyPlacement ? placement : static_cast<OpkgPlacement>(wanted.placement);
}

float costOf(const OpkgKernel& kernel, const std::vector<ClassicOperand>& operands) {
  if (kernel.cost_of == nullptr) return kernel.cost;
  std::vector<OpkgTensor> records;
  for (const ClassicOperand& operand : operands) records.push_back(describe(operand));
  std::vector<OpkgTensor*> pointers;
  for (OpkgTensor& record : records) pointers.push_back(&record);
  return kernel.cost_of(pointers.data(), kernel.outputs, kernel.inputs);
}

unsigned genericOperands(const OpkgKernel& kernel) {
  unsigned n = 0;
  for (uint32_t i = 0; i < kernel.outputs + kernel.inputs; i++) n += kernel.classes[i].dtype == kOpkgAnyDtype;
  return n;
}

std::string setText(unsigned set, const char* first, const char* second) {
  if (set == 3u) return std::string(first) + " or " + second;
  return set == 1u ? first : second;
}

std::string operandsText(const std::vector<ClassicOperand>& operands,
                         const std::vector<OperandChoice>& choices) {
  std::string text;
  for (size_t i = 0; i < operands.size(); i++) {
    const ClassicValue& value = *operands[i].value;
    text += (i == 0 ? "" : ", ") + value.name + ": " + htpTypeName(value.dtype) + " " +
            setText(choices[i].layouts, "flat", "crouton") + " in " +
            setText(choices[i].placements, "main memory", "TCM");
  }
  return text;
}

std::string classesText(const OpkgKernel& kernel) {
  std::string text;
  for (uint32_t i = 0; i < kernel.outputs + kernel.inputs; i++) {
    const OpkgTensorClass& c = kernel.classes[i];
    text += i == 0 ? "" : i == kernel.outputs ? " <- " : ", ";
    text += htpTypeName(c.dtype);
    if (c.layout != kOpkgAnyLayout) text += c.layout == kOpkgFlat ? " flat" : " crouton";
    if (c.placement == kOpkgTcm) text += " TCM";
  }
  return text;
}

std::string whyNone(const ClassicOp& op, const std::vector<ClassicOperand>& operands,
                    const std::vector<OperandChoice>& choices) {
  std::string text = "no kernel for (" + operandsText(operands, choices) + ")";
  for (const OpkgKernel* kernel : op.kernels)
    text += "; " + kernelName(*kernel) + " takes (" + classesText(*kernel) + ")";
  return text;
}

}  // namespace

std::string kernelName(const OpkgKernel& kernel) {
  const std::string text = kernel.function;
  return text.size() > 2 && text[0] == '(' ? text.substr(1, text.size() - 2) : text;
}

OpkgTensor describe(const ClassicOperand& operand) {
  const ClassicValue& value = *operand.value;
  OpkgTensor record = {};
  record.dtype = value.dtype;
  record.layout = operand.layout;
  record.placement = operand.placement;
  for (uint32_t i = 0; i < kOpkgRank; i++) record.dims[i] = value.dims[i];
  record.capacity = opkg_sim::storage_elements(operand.layout, htpTypeSize(value.dtype), value.dims);
  record.stepsize = value.stepsize;
  record.zero_offset = value.zero_offset;
  return record;
}

const OpkgKernel* selectKernel(const ClassicOp& op, size_t outputs, std::vector<ClassicOperand>* operands,
                               std::string* error) {
  const size_t count = operands->size();
  const std::vector<OperandChoice> choices =
      op.properties != nullptr ? op.properties->choices(outputs, count - outputs) : defaultChoices(count);
  const OpkgKernel* best = nullptr;
  float best_cost = 0.0f;
  for (const OpkgKernel* kernel : op.kernels) {
    if (kernel->outputs != outputs || kernel->inputs != count - outputs) continue;
    bool all = true;
    for (size_t i = 0; i < count && all; i++)
      all = matches(kernel->classes[i], *(*operands)[i].value, choices[i]);
    if (!all) continue;
    const float cost = costOf(*kernel, *operands);
    const bool better = best == nullptr || cost < best_cost ||
                        (cost == best_cost && genericOperands(*kernel) < genericOperands(*best));
    if (better) best = kernel, best_cost = cost;
  }
  if (best == nullptr) {
    *error = whyNone(op, *operands, choices);
    return nullptr;
  }
  for (size_t i = 0; i < count; i++) settle(best->classes[i], choices[i], &(*operands)[i]);
  return best;
}

}  // namespace opkg
