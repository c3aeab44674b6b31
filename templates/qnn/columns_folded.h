// Columns of rows that lie one after another, and again in several places: those places are joined first, then rows folded many at a time. C++17.
#ifndef OPKG_COLUMNS_FOLDED_H_
#define OPKG_COLUMNS_FOLDED_H_

#include "opkg/columns_shared.h"
#include "opkg/hvx_finish.h"
#include "opkg/hvx_fold_lines.h"

#if OPKG_HVX

namespace opkg {
namespace columns {

/// In the place of rows that are folded as they lie.
struct NotInRows {
  explicit NotInRows(size_t) {}
};

/// A line has rows one after another, `turns` times: the rows of a number join.
template <typename Rows>
class Folded {
  using Found = typename Rows::Found;
  using Finish = hvx::Finish<Rows>;
  static constexpr bool kInLines = !IsFolded<Found>::value;      ///< whether that is the only way
  static constexpr size_t kLanes = Found::kLanes, kRoom = 1024;  ///< words
  static constexpr uint32_t kParts = Found::kParts, kVectors = (kRoom + kLanes) / 32 + 1;

 public:
  Folded() : slots_(1), several_(1) {}

  Folded(const Shared<Rows>& shared)
      : slots_(shared.plan.rows * shared.plan.bytes), several_(shared.plan.rows), row_(shared.plan.rows * shared.plan.bytes), rows_(shared.plan.panels.extents[0]), turns_(shared.turns), lines_(shared.size / rows_) {
    const size_t most = turns_ == 1 && !kInLines ? kRoom : std::min(kRoom, hvx::FoldedLines<Found>::kMost / shared.plan.rows);
    across_ = std::min(rows_, most);
    together_ = across_ == rows_ ? most / rows_ : 1;
  }

  void run(const Finish& finish, const Rows& rows, const uint8_t* in, uint8_t* const* out, Slice slice) const {
    const size_t units = (rows_ + across_ - 1) / across_, end = slice.end(units * lines_), around = rows_ * row_, step = turns_ * around;
    const uint8_t* const to = in + lines_ * step;
    HVX_Vector found[kParts][kVectors];
    for (size_t unit = slice.begin(units * lines_), lines; unit < end; unit += lines) {
      const size_t line = unit / units, first = (unit - line * units) * across_, n = std::min(across_, rows_ - first);
      const uint8_t* const at = in + line * step + first * row_;
      lines = std::min(together_, end - unit);
      if (kInLines || turns_ != 1) {
        several_.fold(rows, at, to, lines, step, n, turns_, around, found);
      } else if constexpr (!kInLines) {
        fold(rows, at, to, lines * n, found, slots_);
      }
      finish_words(finish, found, out, line * rows_ + first, lines * n);
      rowwise::counted(true, lines * n * finish.count());
    }
  }

 private:
  /// Words of `n` rows.
  template <typename Part>
  OPKG_INLINE void fold(const Rows& rows, const uint8_t* at, const uint8_t* end, size_t n, HVX_Vector (&to)[1][kVectors], const hvx::AllFoldedRows<hvx::Found<Part>>& slots) const {
    hvx::fold_to_words<Part>(slots, hvx::FoldedOf<Part>(rows), at, end, n, row_, to[0]);
  }
  OPKG_INLINE void fold(const Rows& rows, const uint8_t* at, const uint8_t* end, size_t n, HVX_Vector (&to)[2][kVectors], const hvx::AllFoldedRows<hvx::Found<hvx::SumLow, hvx::SumTop>>& slots) const {
    for (size_t i = 0; i < n; i += 32, at += 32 * row_) {
      HVX_Vector words[2][1];
      slots.fold(rows, at, end, std::min<size_t>(32, n - i), words);
      to[0][i / 32] = words[0][0], to[1][i / 32] = words[1][0];
    }
  }

  std::conditional_t<IsFolded<Found>::value, hvx::AllFoldedRows<Found>, NotInRows> slots_;
  hvx::FoldedLines<Found> several_;  ///< of several places
  size_t row_ = 0;                   ///< bytes
  size_t rows_ = 1;                  ///< of a line, in each place
  size_t turns_ = 1;                 ///< places
  size_t lines_ = 0;                 ///< of all results
  size_t across_ = 1;                ///< rows of a place that are taken together,
  size_t together_ = 1;              ///< lines
};

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_HVX
#endif  // OPKG_COLUMNS_FOLDED_H_
