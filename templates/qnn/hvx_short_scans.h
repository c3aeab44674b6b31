// Running sums along rows of which a vector has several. C++17.
//
// As along one row, lanes are added up in steps of 1, 2, 4 and so on: those whose row has an element so many places before them, which
// a mask says. From the end lanes are turned the other way. So rows lie as they do in memory, and need no slots.
#ifndef OPKG_HVX_SHORT_SCANS_H_
#define OPKG_HVX_SHORT_SCANS_H_

#include <algorithm>
#include <type_traits>

#include "opkg/hvx.h"
#include "opkg/small.h"

#if OPKG_HVX

namespace opkg::hvx {

/// Which rows of elements of kSize bytes a vector has. kGroups: vectors of sums, those of elements i, i + kGroups and so on in each.
template <uint32_t kSize, uint32_t kGroups>
class ShortRows {
  static constexpr uint32_t kLane = kSize * kGroups, kLanes = kBytes / kLane, kSteps = kSize == 1 ? 6 : 5;
  using Place = std::conditional_t<kLane == 2, int16_t, int32_t>;
  static_assert(kGroups <= 2 && kLane == sizeof(Place), "sums of 16 bits of bytes, else of 32");

 public:
  OPKG_SMALL ShortRows(size_t count, bool reverse) : reverse_(reverse) {
    if (count < 2 || 2 * count * kSize > kBytes) return;
    rows_ = kBytes / (count * kSize);
    alignas(kBytes) Place places[kGroups][kLanes];
    size_t place = 0;
    for (uint32_t k = 0; k < kLanes * kGroups; ++k) {
      places[k % kGroups][k / kGroups] = static_cast<Place>(reverse ? count - 1 - place : place);
      if (++place == count) place = 0;
    }
    for (size_t step = 1; step < count; step *= 2, ++steps_) {
      for (uint32_t i = 0; i < kGroups; ++i) masks_[steps_][i] = Q6_V_vand_QR(after(load(places[i]), static_cast<int32_t>(step) - 1), -1);
    }
  }

  /// Rows that are taken at a time; none: they are longer.
  size_t rows() const { return rows_; }

  /// Sums of lanes and those before them in their rows. `moved` makes a sum whose parts a function makes, `join` adds one to another.
  template <typename Sum, typename Moved, typename Join>
  OPKG_INLINE void scan(Sum (&sums)[kGroups], const Moved& moved, const Join& join) const {
    const auto turned = [&](const Sum& sum, uint32_t group, uint32_t step, int32_t by) OPKG_INLINE_LAMBDA {
      return moved(sum, [&](HVX_Vector v) OPKG_INLINE_LAMBDA { return Q6_V_vand_VV(Q6_V_vror_VR(v, by), masks_[step][group]); });
    };
    uint32_t step = 0;
    if constexpr (kGroups == 2) {
      const Sum even = turned(sums[1], 0, 0, reverse_ ? 0 : -static_cast<int32_t>(kLane)), odd = turned(sums[0], 1, 0, reverse_ ? kLane : 0);
      join(sums[0], even);
      join(sums[1], odd);
      step = 1;
    }
    int32_t by = reverse_ ? kLane : -static_cast<int32_t>(kLane);
    for (; step < steps_; ++step, by *= 2) {
      for (uint32_t i = 0; i < kGroups; ++i) join(sums[i], turned(sums[i], i, step, by));
    }
  }

 private:
  static OPKG_INLINE HVX_VectorPred after(HVX_Vector places, int32_t place) {
    if constexpr (kLane == 2) return Q6_Q_vcmp_gt_VhVh(places, Q6_Vh_vsplat_R(place));
    return Q6_Q_vcmp_gt_VwVw(places, Q6_V_vsplat_R(place));
  }

  HVX_Vector masks_[kSteps][kGroups];
  size_t rows_ = 0;
  uint32_t steps_ = 0;
  bool reverse_;
};

/// Sums along `rows` rows of `count` elements, of which a vector has several. `left`: bytes of the tensor from here on.
template <typename Scan>
OPKG_INLINE void short_rows(const Scan& scan, const uint8_t* at, uint8_t* to, size_t rows, size_t count, size_t left) {
  const size_t row = count * Scan::kSize, some = scan.rows_at_once(), step = some * row;
  for (; rows > some; rows -= some, left -= step, at += step, to += step) {
    store_some(to, step, scan.short_ones(left >= kBytes ? load_unaligned(at) : load_some(at, left)));
  }
  store_some(to, rows * row, scan.short_ones(load_some(at, rows * row)));
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_SHORT_SCANS_H_
