// The case file as values: what a graph is made of, read from F.cases and F.bin (docs/design/case-format.md).
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_CASE_FILE_H_
#define OPKG_RUNNER_CASE_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace opkg {

enum class TensorKind { kInput, kOutput, kNative, kStatic, kNull };
enum class QuantKind { kNone, kScaleOffset, kAxis };

struct ScaleOffset {
  float scale = 0.0f;
  int32_t offset = 0;  // QNN convention: real = (stored + offset) * scale
};

struct Quant {
  QuantKind kind = QuantKind::kNone;
  int32_t axis = 0;
  std::vector<ScaleOffset> values;  // one for kScaleOffset
};

struct TensorSpec {
  std::string name;
  TensorKind kind = TensorKind::kNative;
  uint32_t dtype = 0;  // QNN number
  std::vector<uint32_t> dims;
  Quant quant;
  const uint8_t* data = nullptr;  // into the data file; inputs and statics only
  size_t size = 0;
};

struct ParamSpec {
  std::string name;
  bool scalar = true;
  uint32_t dtype = 0;
  uint64_t bits = 0;   // scalar: the value's 8-byte union
  std::string tensor;  // tensor param: a static tensor of the case
};

struct NodeSpec {
  std::string name, package, type;
  std::vector<std::string> inputs, outputs;
  std::vector<ParamSpec> params;
};

struct Case {
  int index = 0;
  std::string name;
  std::vector<TensorSpec> tensors;
  std::vector<NodeSpec> nodes;

  const TensorSpec* find(const std::string& tensor) const;
};

struct CaseFile {
  std::vector<Case> cases;
  std::vector<uint8_t> data;
};

// Reads both files. On failure returns false and says what is wrong, with the line number, in *error.
bool readCaseFile(const char* cases_path, const char* data_path, CaseFile* out, std::string* error);

uint64_t elementCount(const std::vector<uint32_t>& dims);

// Bytes of one element of a QNN data type; 0 for types without a fixed size.
uint32_t qnnTypeSize(uint32_t dtype);

}  // namespace opkg

#endif  // OPKG_RUNNER_CASE_FILE_H_
