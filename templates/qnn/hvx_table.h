// Tables of 256 entries for vector lookups: filled in plain order, brought into the order that the instructions read.
#ifndef OPKG_LOOKUP_TABLE_H_
#define OPKG_LOOKUP_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "opkg/rows_table.h"

namespace opkg::hvx {

/// The numbers that a table is made of, word by word: a key for TableCache.
template <size_t kWords>
struct TableKey {
  uint32_t words[kWords] = {};
  uint32_t used = 0;

  template <typename Number>
  void add(Number number) {
    using Kept = std::conditional_t<std::is_same_v<Number, float>, float, int64_t>;
    const Kept kept = static_cast<Kept>(number);
    std::memcpy(&words[used], &kept, sizeof kept);
    used += sizeof kept / 4;
  }
};

/// Where entry `index` of a table of 8 or 16-bit entries lies: a vector of 128 bytes holds two runs of entries, entry by
/// entry in turn. Entries of 32 bits are two such tables of halfwords, the low halves first.
template <typename Entry>
constexpr size_t table_place(size_t index) {
  constexpr size_t kRun = 64 / sizeof(Entry);  // entries of half a vector
  return index / (2 * kRun) * (2 * kRun) + index % kRun * 2 + index / kRun % 2;
}

/// Stores one entry of a table: the bits of `value`.
template <typename Entry, typename Value>
inline void put_entry(Entry (&table)[256], size_t index, Value value) {
  static_assert(sizeof(Entry) == sizeof(Value), "an entry holds a stored number");
  if constexpr (sizeof(Entry) == 4) {
    uint16_t halves[2];
    std::memcpy(halves, &value, sizeof halves);
    unsigned char* const bytes = reinterpret_cast<unsigned char*>(table);
    for (size_t half = 0; half < 2; ++half) {
      std::memcpy(bytes + 512 * half + 2 * table_place<uint16_t>(index), &halves[half], 2);
    }
  } else {
    std::memcpy(&table[table_place<Entry>(index)], &value, sizeof value);
  }
}

}  // namespace opkg::hvx

#endif  // OPKG_LOOKUP_TABLE_H_
