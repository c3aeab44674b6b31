// DEF_TENSOR_PROPERTIES: which layouts and placements each operand of an op may have.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_CLASSIC_PROPERTIES_H_
#define OPKG_RUNNER_CLASSIC_PROPERTIES_H_

#include <string>
#include <vector>

namespace opkg {

// Sets of layouts and placements are bits: 1 << OpkgLayout, 1 << OpkgPlacement.
struct OperandChoice {
  unsigned layouts;
  unsigned placements;
  bool prefers_tcm = false;
};

// One term such as Flat("x", "..."); names without quotes.
struct PropertyTerm {
  std::string name;
  std::vector<std::string> arguments;
};

struct TensorProperties {
  std::string op;  // with the package prefix
  std::vector<std::string> inputs, outputs;
  std::vector<PropertyTerm> terms;

  // What each output and then each input may be. "*" is the first output, "..." all that no earlier term has
  // set.
  std::vector<OperandChoice> choices(size_t outputs_count, size_t inputs_count) const;
};

// Reads the macro's arguments; false and why when they are not of the known form.
bool parseTensorProperties(const char* text, const std::string& package, TensorProperties* out,
                           std::string* error);

// Choices of an op without declaration: everything flat, in main memory.
std::vector<OperandChoice> defaultChoices(size_t operands);

}  // namespace opkg

#endif  // OPKG_RUNNER_CLASSIC_PROPERTIES_H_
