// Kernel records: how they are written down, how a library holds them, and how they are made when its ops are registered.
//
// A pointer among constants takes a relocation, 12 bytes of a library for Hexagon, and a record has six of them. So the code
// behind records stands in a table, each once, signatures and names lie one behind another, and a record says where its own
// are. All of it is constexpr: nobody is known to run constructors of a library on the device.
#ifndef OPKG_RECORDS_H_
#define OPKG_RECORDS_H_

#include <cstdint>

#include "opkg/qhpi_abi.h"
#include "opkg/small.h"

namespace opkg {

/// What runs, and when, whatever the layouts of tensors: the same for several records.
struct KernelCode {
  QHPI_KernelFunc function;
  QHPI_PrecomputeFunc precompute;
  QHPI_PrecomputedKernelFunc precomputed;
  QHPI_CostFunc cost;
  QHPI_PredicateFunc predicate;
  uint8_t resources;
  bool takes_source, slices;

  constexpr KernelCode& when(QHPI_PredicateFunc condition) { return predicate = condition, *this; }
  constexpr KernelCode& source_destructive() { return takes_source = true, *this; }
  constexpr KernelCode& multithreaded() { return slices = true, *this; }
};

constexpr KernelCode code(QHPI_KernelFunc function, uint32_t resources, QHPI_CostFunc cost) {
  return {function, nullptr, nullptr, cost, nullptr, static_cast<uint8_t>(resources), false, false};
}
/// A kernel that gets nothing but what `precompute` left.
constexpr KernelCode code(QHPI_PrecomputeFunc precompute, QHPI_PrecomputedKernelFunc function, uint32_t resources,
                          QHPI_CostFunc cost) {
  return {nullptr, precompute, function, cost, nullptr, static_cast<uint8_t>(resources), false, false};
}

/// Some of a package's signatures: where they begin, and how many they are.
struct Signatures {
  uint16_t begin, count;
};

/// A kernel record as it is written down. `code`: its number in the table.
struct KernelRecord {
  const char* name;
  uint16_t code;
  Signatures inputs, outputs;
};

/// A record as a library holds it.
struct HeldRecord {
  uint16_t code;
  Signatures inputs, outputs;
};

/// Makes records, whose names lie behind one another, each with a 0 at its end. The reserved pointers of `to` stay null.
/// `kept`: bytes of the buffers of kernels that keep something.
OPKG_RARE inline void make_records(const HeldRecord* records, uint32_t count, const char* names, const KernelCode* codes,
                                   QHPI_Tensor_Signature_v1* signatures, uint32_t kept, QHPI_Kernel_v1* to) {
  for (const HeldRecord* record = records; record != records + count; ++record, ++to) {
    const KernelCode& code = codes[record->code];
    to->function_name = names;
    to->function = code.function;
    to->resources = code.resources;
    to->source_destructive = code.takes_source;
    to->multithreaded = code.slices;
    to->min_inputs = record->inputs.count;
    to->input_signature = signatures + record->inputs.begin;
    to->min_outputs = record->outputs.count;
    to->output_signature = signatures + record->outputs.begin;
    to->cost_function = code.cost;
    to->precomputed_data_size = code.precompute != nullptr ? kept : 0;
    to->do_precomputation_function = code.precompute;
    to->function_with_precomputed_data = code.precomputed;
    to->predicate = code.predicate;
    while (*names++ != 0) {
    }
  }
}

template <typename T, uint32_t kSize>
struct Items {
  T at[kSize];
};

template <const auto& kRecords>
constexpr uint32_t count_letters() {
  uint32_t count = 0;
  for (const KernelRecord& record : kRecords) {
    for (const char* letter = record.name; *letter != 0; ++letter) ++count;
    ++count;
  }
  return count;
}
template <const auto& kRecords>
constexpr auto names_of() {
  Items<char, count_letters<kRecords>()> names = {};
  char* to = names.at;
  for (const KernelRecord& record : kRecords) {
    for (const char* letter = record.name; *letter != 0; ++letter) *to++ = *letter;
    *to++ = 0;
  }
  return names;
}
template <const auto& kRecords>
constexpr auto without_names() {
  Items<HeldRecord, sizeof kRecords / sizeof kRecords[0]> held = {};
  HeldRecord* to = held.at;
  for (const KernelRecord& record : kRecords) *to++ = {record.code, record.inputs, record.outputs};
  return held;
}

/// The records of an op, in memory of the library.
template <const auto& kRecords, uint32_t kCount>
void make_records(const KernelCode* codes, QHPI_Tensor_Signature_v1* signatures, uint32_t kept, QHPI_Kernel_v1 (&to)[kCount]) {
  static constexpr auto kNames = names_of<kRecords>();
  static constexpr auto kHeld = without_names<kRecords>();
  static_assert(sizeof kHeld == kCount * sizeof(HeldRecord));
  make_records(kHeld.at, kCount, kNames.at, codes, signatures, kept, to);
}

}  // namespace opkg

#endif  // OPKG_RECORDS_H_
