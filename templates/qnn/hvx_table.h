// Tables of 256 entries for vector lookups: filled in plain order, brought into the order that the instructions read.
#ifndef OPKG_LOOKUP_TABLE_H_
#define OPKG_LOOKUP_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace opkg::hvx {

/// Where entry `index` of a table of 8 or 16-bit entries lies: a vector of 128 bytes holds two runs of entries, entry by
/// entry in turn. Entries of 32 bits are two such tables of halfwords, the low halves first.
template <typename Entry>
constexpr size_t table_place(size_t index) {
  constexpr size_t kRun = 64 / sizeof(Entry);  // entries of half a vector
  return index / (2 * kRun) * (2 * kRun) + index % kRun * 2 + index / kRun % 2;
}

/// Stores one entry of a table whose entries have the bits of `Entry`.
template <typename Entry>
inline void put_entry(Entry* table, size_t index, Entry bits) {
  if constexpr (sizeof(Entry) == 4) {
    uint16_t halves[2] = {static_cast<uint16_t>(bits), static_cast<uint16_t>(bits >> 16)};
    unsigned char* const bytes = reinterpret_cast<unsigned char*>(table);
    for (size_t half = 0; half < 2; ++half) {
      std::memcpy(bytes + 512 * half + 2 * table_place<uint16_t>(index), &halves[half], 2);
    }
  } else {
    table[table_place<Entry>(index)] = bits;
  }
}

/// Fills a table from `value(q)` for the stored numbers q = 0 .. 255; only the bits of the values count.
template <typename Entry, typename Value>
inline void fill_table(Entry (&table)[256], const Value& value) {
  for (uint32_t q = 0; q < 256; ++q) {
    const auto stored = value(q);
    static_assert(sizeof stored == sizeof(Entry), "an entry holds a stored number");
    Entry bits;
    std::memcpy(&bits, &stored, sizeof bits);
    put_entry(table, q, bits);
  }
}

}  // namespace opkg::hvx

#endif  // OPKG_LOOKUP_TABLE_H_
