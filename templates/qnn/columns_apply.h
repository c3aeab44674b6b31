// The last pass over elements whose results are made of what was found of their columns. C++17.
#ifndef OPKG_COLUMNS_APPLY_H_
#define OPKG_COLUMNS_APPLY_H_

#include "opkg/columns.h"

#if OPKG_HVX

namespace opkg {
namespace columns {

/// Panels whose elements all become results.
template <typename Self, typename Rows>
class AppliedPanels : public Panels<Self, Rows> {
 protected:
  static constexpr uint32_t kTogether = 4;  ///< rows that results are made of at a time

  using Panels<Self, Rows>::Panels;

  /// Repeats the first `width` words as far as `lanes`; words behind them are written as well.
  template <typename Word>
  static void repeat(Word* words, size_t width, size_t lanes) {
    for (size_t there = width; there < lanes; there *= 2) {
      const size_t more = lanes - there < there ? lanes - there : there;
      for (size_t i = 0; i < more; i += 32) hvx::store_unaligned(words + there + i, hvx::load_unaligned(words + i));
    }
  }

  template <bool kAligned>
  OPKG_INLINE static HVX_Vector load(const uint8_t* at) { return kAligned ? hvx::load(at) : hvx::load_unaligned(at); }

  /// Results of all elements below a vector, as `down` takes them, by `Lines` made of `words`. `skip`: its first bytes, whose
  /// results are another one's.
  template <bool kAligned, typename Lines, typename Words>
  OPKG_APART void apply(const Words& words, uint8_t* out, const uint8_t* at, size_t rows, size_t last, size_t live, size_t skip) const {
    const Lines lines(words);
    const size_t stride = this->stride_;
    Walk around(this->plan_.around);
    for (size_t turn = 1;; ++turn, around.next()) {
      const uint8_t* __restrict from = at + around.offset();
      uint8_t* __restrict to = out + (from - this->in_);
      const uint8_t* const rest = from + last;
      uint8_t* const rest_to = to + last;
      if (skip != 0) {
        for (size_t left = rows; left != 0; --left, from += stride, to += stride) {
          hvx::store_some(to + skip, hvx::kBytes - skip, Q6_V_vror_VR(lines.of(hvx::load_unaligned(from)), static_cast<int32_t>(skip)));
        }
      }
      size_t left = skip != 0 ? 0 : rows;
      for (; left >= kTogether; left -= kTogether, from += kTogether * stride, to += kTogether * stride) {  // loads do not wait for stores
        HVX_Vector x[kTogether];
        hvx::each_side<kTogether>([&](auto row) OPKG_INLINE_LAMBDA { x[row] = load<kAligned>(from + row * stride); });
        hvx::each_side<kTogether>([&](auto row) OPKG_INLINE_LAMBDA { x[row] = lines.of(x[row]); });
        hvx::each_side<kTogether>([&](auto row) OPKG_INLINE_LAMBDA { hvx::store_unaligned(to + row * stride, x[row]); });
      }
      for (; left != 0; --left, from += stride, to += stride) hvx::store_unaligned(to, lines.of(load<kAligned>(from)));
      if (live != 0) {  // at last: vectors of the rows in front of it may reach into it
        const size_t bytes = live < hvx::kBytes ? live : hvx::kBytes;
        hvx::store_some(rest_to, bytes, lines.of(hvx::load_some(rest, bytes)));
      }
      if (turn == this->shared_.turns) return;
    }
  }
};

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_HVX
#endif  // OPKG_COLUMNS_APPLY_H_
