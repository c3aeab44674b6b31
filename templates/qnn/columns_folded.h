// Columns of rows that lie one after another in several places: they are folded many at a time, and what is found of those places is joined. C++17.
#ifndef OPKG_COLUMNS_FOLDED_H_
#define OPKG_COLUMNS_FOLDED_H_

#include "opkg/columns_shared.h"
#include "opkg/hvx_finish.h"
#include "opkg/hvx_folds.h"

#if OPKG_HVX

namespace opkg {
namespace columns {

/// A line has rows one after another, `turns` times: the rows of a number join.
template <typename Rows>
class Folded {
  using Found = typename Rows::Found;
  using Finish = hvx::Finish<Rows>;
  static constexpr size_t kLanes = Found::kLanes, kRoom = 1024;  ///< words
  static constexpr uint32_t kParts = Found::kParts, kVectors = (kRoom + kLanes) / 32 + 1;

 public:
  Folded() : slots_(1) {}

  Folded(const Shared<Rows>& shared)
      : slots_(shared.plan.rows * shared.plan.bytes), row_(shared.plan.rows * shared.plan.bytes), rows_(shared.plan.panels.extents[0]), turns_(shared.turns), lines_(shared.size / rows_) {
    across_ = std::min(rows_, kRoom);
    some_ = std::min(turns_, kRoom / across_);
    together_ = some_ == turns_ && across_ == rows_ ? std::max<size_t>(kRoom / (rows_ * turns_), 1) : 1;
  }

  void run(const Finish& finish, const Rows& rows, const uint8_t* in, uint8_t* const* out, Slice slice) const {
    const size_t units = (rows_ + across_ - 1) / across_, end = slice.end(units * lines_);
    const uint8_t* const to = in + lines_ * turns_ * rows_ * row_;
    HVX_Vector found[kParts][kVectors], joined[kParts][kVectors];
    const auto& words = turns_ == 1 ? found : joined;
    for (size_t unit = slice.begin(units * lines_), lines; unit < end; unit += lines) {
      const size_t line = unit / units, first = (unit - line * units) * across_, n = std::min(across_, rows_ - first);
      lines = std::min(together_, end - unit);
      for (size_t turn = 0, some; turn < turns_; turn += some) {
        some = std::min(some_, turns_ - turn);
        fold(rows, in + ((line * turns_ + turn) * rows_ + first) * row_, to, lines * some * n, found);
        for (uint32_t part = 0; part < kParts && turns_ != 1; ++part) {
          join(reinterpret_cast<int32_t*>(joined[part]), reinterpret_cast<const int32_t*>(found[part]), lines, some, n, turn != 0);
        }
      }
      finish_words(finish, words, out, line * rows_ + first, lines * n);
      rowwise::counted(true, lines * n * finish.count());
    }
  }

 private:
  /// Words of `n` rows.
  OPKG_INLINE void fold(const Rows& rows, const uint8_t* at, const uint8_t* end, size_t n, HVX_Vector (&to)[kParts][kVectors]) const {
    constexpr size_t kWords = kLanes / 32;
    for (size_t i = 0; i < n; i += kLanes, at += kLanes * row_) {
      if constexpr (kParts == 1) {
        auto numbers = reinterpret_cast<HVX_Vector(*)[kWords]>(to[0] + i / 32);
        slots_.fold(rows, at, end, std::min(kLanes, n - i), numbers);
        if constexpr (!Found::kAdds[0]) {
          Found found;
          found.each(numbers);
          found.words(numbers);
        }
      } else {
        HVX_Vector numbers[kParts][kWords];
        slots_.fold(rows, at, end, std::min(kLanes, n - i), numbers);
        for (uint32_t part = 0; part < kParts; ++part) {
          for (size_t k = 0; k < kWords; ++k) to[part][i / 32 + k] = numbers[part][k];
        }
      }
    }
  }

  /// Joins the words of `turns` places for each of some lines. `more`: with what is there.
  OPKG_APART static void join(int32_t* __restrict to, const int32_t* __restrict from, size_t lines, size_t turns, size_t n, bool more) {
    for (; lines != 0; --lines, to += n, from += turns * n) {
      for (size_t k = 0; k < n; k += 32) {
        HVX_Vector all = hvx::load_unaligned(from + k);
        for (size_t turn = 1; turn < turns; ++turn) all = Found::both(all, hvx::load_unaligned(from + turn * n + k));
        if (more) all = Found::both(all, hvx::load_unaligned(to + k));
        hvx::store_unaligned(to + k, all);  // what follows is written over by the next line
      }
    }
  }

  hvx::AllFoldedRows<Found> slots_;
  size_t row_ = 0;       ///< bytes
  size_t rows_ = 1;      ///< of a line, in each place
  size_t turns_ = 1;     ///< places
  size_t lines_ = 0;     ///< of all results
  size_t across_ = 1;    ///< rows of a place that are taken together,
  size_t some_ = 1;      ///< places,
  size_t together_ = 1;  ///< lines
};

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_HVX
#endif  // OPKG_COLUMNS_FOLDED_H_
