// Kernel records: how they are written down, how a library holds them, and how they are made when its ops are registered.
//
// A pointer among constants takes a relocation, 12 bytes of a library for Hexagon, and a record has six of them. So what runs
// stands in two tables, each thing once, signatures and names lie one behind another, and a record says where its own are. A
// name that begins as the one before it does is held from there on.
// All of it is constexpr: nobody is known to run constructors of a library on the device.
#ifndef OPKG_RECORDS_H_
#define OPKG_RECORDS_H_

#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "opkg/qhpi_abi.h"
#include "opkg/small.h"

namespace opkg {

/// What runs, and when, wherever calls have their tensors and whatever their layouts: the same for several records.
struct KernelKind {
  QHPI_PrecomputedKernelFunc precomputed;  ///< null: the function itself runs
  QHPI_CostFunc cost;
  QHPI_PredicateFunc predicate;
  uint8_t resources;
  bool takes_source, slices;

  constexpr KernelKind& when(QHPI_PredicateFunc condition) { return predicate = condition, *this; }
  constexpr KernelKind& source_destructive() { return takes_source = true, *this; }
  constexpr KernelKind& multithreaded() { return slices = true, *this; }
};

constexpr KernelKind runs(uint32_t resources, QHPI_CostFunc cost) {
  return {nullptr, cost, nullptr, static_cast<uint8_t>(resources), false, false};
}
/// A kernel that gets nothing but what a function before it left.
constexpr KernelKind runs(QHPI_PrecomputedKernelFunc function, uint32_t resources, QHPI_CostFunc cost) {
  return {function, cost, nullptr, static_cast<uint8_t>(resources), false, false};
}

/// The function of calls that have their tensors in the same places, and the number of its kind.
struct KernelCode {
  union {
    QHPI_KernelFunc function;
    QHPI_PrecomputeFunc precompute;  ///< of a kind that is precomputed
  };
  uint8_t kind;

  constexpr KernelCode(QHPI_KernelFunc runs, uint8_t number) : function(runs), kind(number) {}
  constexpr KernelCode(QHPI_PrecomputeFunc leaves, uint8_t number) : precompute(leaves), kind(number) {}
};

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

/// A record as a library holds it, in numbers that are as short as goes.
template <typename Number>
struct HeldRecord {
  Number code, inputs, min_inputs, outputs, min_outputs;
};

/// Makes records. `names`: of each name how many letters it shares with the one before it, then the others and a 0; the whole
/// names go to `room`. The reserved pointers of `to` stay null. `kept`: bytes of the buffers of kernels that keep something.
template <typename Number>
OPKG_RARE void make_records(const HeldRecord<Number>* records, uint32_t count, const char* names, char* room, const KernelKind* kinds,
                            const KernelCode* codes, QHPI_Tensor_Signature_v1* signatures, uint32_t kept, QHPI_Kernel_v1* to) {
  const char* before = room;
  for (const HeldRecord<Number>* record = records; record != records + count; ++record, ++to) {
    const KernelCode& code = codes[record->code];
    const KernelKind& kind = kinds[code.kind];
    to->function_name = room;
    for (uint8_t shared = static_cast<uint8_t>(*names++); shared != 0; --shared) *room++ = *before++;
    while ((*room++ = *names++) != 0) {
    }
    before = to->function_name;
    to->resources = kind.resources;
    to->source_destructive = kind.takes_source;
    to->multithreaded = kind.slices;
    to->min_inputs = record->min_inputs;
    to->input_signature = signatures + record->inputs;
    to->min_outputs = record->min_outputs;
    to->output_signature = signatures + record->outputs;
    to->cost_function = kind.cost;
    to->predicate = kind.predicate;
    if (kind.precomputed == nullptr) {
      to->function = code.function;
    } else {
      to->precomputed_data_size = kept;
      to->do_precomputation_function = code.precompute;
      to->function_with_precomputed_data = kind.precomputed;
    }
  }
}

template <typename T, uint32_t kSize>
struct Items {
  T at[kSize];
};

/// With how many letters of another name a name begins, at most 255.
constexpr uint32_t shared_letters(const char* other, const char* name) {
  uint32_t count = 0;
  while (count < UINT8_MAX && name[count] != 0 && name[count] == other[count]) ++count;
  return count;
}
/// Letters of all names with the 0 behind each. `kRest`: of what a library holds of them.
template <const auto& kRecords, bool kRest>
constexpr uint32_t count_letters() {
  uint32_t count = 0;
  const char* before = "";
  for (const KernelRecord& record : kRecords) {
    for (const char* letter = record.name; *letter != 0; ++letter) ++count;
    count += kRest ? 2 - shared_letters(before, record.name) : 1;
    before = record.name;
  }
  return count;
}
template <const auto& kRecords>
constexpr auto names_of() {
  Items<char, count_letters<kRecords, true>()> names = {};
  char* to = names.at;
  const char* before = "";
  for (const KernelRecord& record : kRecords) {
    const uint32_t shared = shared_letters(before, record.name);
    *to++ = static_cast<char>(shared);
    for (const char* letter = record.name + shared; *letter != 0; ++letter) *to++ = *letter;
    *to++ = 0;
    before = record.name;
  }
  return names;
}
template <const auto& kRecords>
constexpr uint32_t largest_number() {
  uint32_t most = 0;
  for (const KernelRecord& record : kRecords) {
    for (const uint32_t number : {record.code, record.inputs.begin, record.inputs.count, record.outputs.begin, record.outputs.count}) {
      if (number > most) most = number;
    }
  }
  return most;
}
template <const auto& kRecords>
constexpr auto without_names() {
  using Number = std::conditional_t<largest_number<kRecords>() <= UINT8_MAX, uint8_t, uint16_t>;
  Items<HeldRecord<Number>, sizeof kRecords / sizeof kRecords[0]> held = {};
  HeldRecord<Number>* to = held.at;
  for (const KernelRecord& record : kRecords) {
    *to++ = {static_cast<Number>(record.code), static_cast<Number>(record.inputs.begin), static_cast<Number>(record.inputs.count),
             static_cast<Number>(record.outputs.begin), static_cast<Number>(record.outputs.count)};
  }
  return held;
}

/// The records of an op, in memory of the library.
template <const auto& kRecords, uint32_t kCount>
void make_records(const KernelKind* kinds, const KernelCode* codes, QHPI_Tensor_Signature_v1* signatures, uint32_t kept, QHPI_Kernel_v1 (&to)[kCount]) {
  static_assert(sizeof kRecords / sizeof kRecords[0] == kCount);
  static constexpr auto kNames = names_of<kRecords>();
  static constexpr auto kHeld = without_names<kRecords>();
  static char room[count_letters<kRecords, false>()];
  make_records(kHeld.at, kCount, kNames.at, room, kinds, codes, signatures, kept, to);
}

}  // namespace opkg

#endif  // OPKG_RECORDS_H_
