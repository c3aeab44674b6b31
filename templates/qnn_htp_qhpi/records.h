// Kernel records: how they are written down, how a library holds them, and how they are made when its ops are registered.
//
// A pointer among constants takes a relocation, 12 bytes of a library for Hexagon, and a record has six of them. So the code
// behind records stands in a table, each once, signatures lie one behind another, and a record says where its own are. Names
// are held by what they have not of the one in front: "softmax_u8__x_y_beta__r4" behind "softmax_u8__x_y_axis__r4" is "beta".
// All of it is constexpr: nobody is known to run constructors of a library on the device.
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
  uint16_t begin;
  uint8_t count;
};

/// A kernel record as it is written down. `code`: its number in the table.
struct KernelRecord {
  const char* name;
  uint16_t code;
  Signatures inputs, outputs;
};

/// A record as a library holds it.
struct HeldRecord {
  uint16_t code, inputs, outputs;  // the first of each
  uint8_t input_count, output_count;
};

/// Writes a name behind the one in front of it: as many letters as that begins with, letters up to a 0, and as many as that
/// ends with. Gives what follows; `held` moves on.
OPKG_RARE inline char* put_name(const char* last, char* name, const char*& held) {
  const char* const end = name - 1;  // of the one in front
  const uint32_t begins = static_cast<uint8_t>(*held++), ends = static_cast<uint8_t>(*held++);
  for (uint32_t i = 0; i < begins; ++i) *name++ = *last++;
  while (*held != 0) *name++ = *held++;
  ++held;
  for (const char* letter = end - ends; letter != end; ++letter) *name++ = *letter;
  *name++ = 0;
  return name;
}

/// Makes records and their names. The reserved pointers of `to` stay null. `kept`: bytes of the buffers of kernels that keep
/// something.
OPKG_RARE inline void make_records(const HeldRecord* records, uint32_t count, const char* held, char* names, const KernelCode* codes,
                                   QHPI_Tensor_Signature_v1* signatures, uint32_t kept, QHPI_Kernel_v1* to) {
  const char* last = names;
  for (const HeldRecord* record = records; record != records + count; ++record, ++to) {
    const KernelCode& code = codes[record->code];
    to->function_name = names;
    char* const next = put_name(last, names, held);
    last = names;
    names = next;
    to->function = code.function;
    to->resources = code.resources;
    to->source_destructive = code.takes_source;
    to->multithreaded = code.slices;
    to->min_inputs = record->input_count;
    to->input_signature = signatures + record->inputs;
    to->min_outputs = record->output_count;
    to->output_signature = signatures + record->outputs;
    to->cost_function = code.cost;
    to->precomputed_data_size = code.precompute != nullptr ? kept : 0;
    to->do_precomputation_function = code.precompute;
    to->function_with_precomputed_data = code.precomputed;
    to->predicate = code.predicate;
  }
}

template <typename T, uint32_t kSize>
struct Items {
  T at[kSize];
};

constexpr uint32_t letters(const char* name) {
  uint32_t count = 0;
  while (name[count] != 0) ++count;
  return count;
}

/// Writes how a name differs from the one in front of it, and gives how many bytes that takes. Null: only counts.
constexpr uint32_t hold_name(const char* last, const char* name, char* to) {
  constexpr uint32_t kMost = 255;
  const uint32_t count = letters(name), before = letters(last), least = count < before ? count : before;
  uint32_t begins = 0, ends = 0;
  while (begins < least && begins < kMost && name[begins] == last[begins]) ++begins;
  while (begins + ends < least && ends < kMost && name[count - 1 - ends] == last[before - 1 - ends]) ++ends;
  if (to != nullptr) {
    *to++ = static_cast<char>(begins);
    *to++ = static_cast<char>(ends);
    for (uint32_t i = begins; i < count - ends; ++i) *to++ = name[i];
    *to = 0;
  }
  return count - begins - ends + 3;
}

/// Bytes of all names, each with a 0 at its end, and of what is held of them.
template <const auto& kRecords>
constexpr uint32_t count_letters() {
  uint32_t count = 0;
  for (const KernelRecord& record : kRecords) count += letters(record.name) + 1;
  return count;
}
template <const auto& kRecords>
constexpr uint32_t count_held() {
  uint32_t count = 0;
  const char* last = "";
  for (const KernelRecord& record : kRecords) count += hold_name(last, record.name, nullptr), last = record.name;
  return count;
}

template <const auto& kRecords>
constexpr auto held_names() {
  Items<char, count_held<kRecords>()> held = {};
  char* to = held.at;
  const char* last = "";
  for (const KernelRecord& record : kRecords) to += hold_name(last, record.name, to), last = record.name;
  return held;
}
template <const auto& kRecords>
constexpr auto held_records() {
  Items<HeldRecord, sizeof kRecords / sizeof kRecords[0]> held = {};
  HeldRecord* to = held.at;
  for (const KernelRecord& record : kRecords) {
    *to++ = {record.code, record.inputs.begin, record.outputs.begin, record.inputs.count, record.outputs.count};
  }
  return held;
}

/// The records of an op, in memory of the library.
template <const auto& kRecords, uint32_t kCount>
void make_records(const KernelCode* codes, QHPI_Tensor_Signature_v1* signatures, uint32_t kept, QHPI_Kernel_v1 (&to)[kCount]) {
  static constexpr auto kNames = held_names<kRecords>();
  static constexpr auto kHeld = held_records<kRecords>();
  static_assert(sizeof kHeld == kCount * sizeof(HeldRecord));
  static char names[count_letters<kRecords>()];
  make_records(kHeld.at, kCount, kNames.at, names, codes, signatures, kept, to);
}

}  // namespace opkg

#endif  // OPKG_RECORDS_H_
