// Sums down columns of a function of bytes: a table of 256 entries of 16 bits, made by `prepare`.
#ifndef OPKG_HVX_COLUMNS_TABLE_H_
#define OPKG_HVX_COLUMNS_TABLE_H_

#include <cmath>

#include "opkg/hvx_columns_pixels.h"
#include "opkg/hvx_table.h"

namespace opkg::hvx {

/// The values of a function of one byte: low + unit * entry, entries within half a unit.
struct ColumnTable {
  double low = 0.0;
  double unit = 0.0;
  uint32_t none = 0;  ///< a byte whose entry is 0
  alignas(128) uint16_t entries[256];

  /// False when some number is not finite.
  OPKG_SMALL bool set(const double (&values)[256]) {
    double high = low = values[0];
    for (const double value : values) {
      if (!(std::fabs(value) < 1e300)) return false;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    unit = (high - low) / 65535.0;
    for (uint32_t i = 0; i < 256; ++i) {
      if (values[i] == low) none = i;
      put_entry(entries, i, static_cast<uint16_t>(unit == 0.0 ? 0.0 : std::nearbyint((values[i] - low) / unit)));
    }
    return true;
  }
};

#if OPKG_HVX

/// Sums of a table's entries.
class Entries : public Squares<uint8_t> {
 public:
  static constexpr int32_t kLow = 0, kHigh = 65535, kOffset = 0;
  static constexpr size_t kHeld = 0x7fffffff / kHigh;

  OPKG_INLINE void bind(const ColumnTable& table) {
    for (uint32_t i = 0; i < 4; ++i) entries_[i] = load(table.entries + 64 * i);
    none_ = Q6_V_vsplat_R(static_cast<int32_t>(table.none * 0x01010101u));
  }
  OPKG_INLINE HVX_Vector neutral() const { return none_; }
  OPKG_INLINE void one(HVX_Vector a) {
    const HVX_VectorPair x = found(a);
    add(x, Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero()));
  }
  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) { add(found(a), found(b)); }

 private:
  OPKG_INLINE HVX_VectorPair found(HVX_Vector a) const { return lookup16(a, entries_[0], entries_[1], entries_[2], entries_[3]); }

  HVX_Vector entries_[4];
  HVX_Vector none_;
};

template <>
struct Gather<Entries> : Gather<Squares<uint8_t>> {};

#endif  // OPKG_HVX

}  // namespace opkg::hvx

#endif  // OPKG_HVX_COLUMNS_TABLE_H_
