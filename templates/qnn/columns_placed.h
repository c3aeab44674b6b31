// Short columns that lie one after another, and again in several places: what is found in those places is joined, then folded, many at a time. C++17.
#ifndef OPKG_COLUMNS_PLACED_H_
#define OPKG_COLUMNS_PLACED_H_

#include "opkg/columns_shared.h"
#include "opkg/hvx_finish.h"
#include "opkg/hvx_fold_places.h"

#if OPKG_HVX

namespace opkg {
namespace columns {

/// A line has rows one after another, `turns` times: the rows of a number join.
template <typename Rows>
class Placed {
  using Found = typename Rows::Found;
  using Finish = hvx::Finish<Rows>;
  static constexpr size_t kLanes = Found::kLanes, kRoom = 1024;  ///< words
  static constexpr uint32_t kParts = Found::kParts, kVectors = (kRoom + kLanes) / 32 + 1;

 public:
  Placed() : placed_(1) {}

  explicit Placed(const Shared<Rows>& shared)
      : placed_(made(shared.plan)), bytes_(shared.plan.rows * shared.plan.width * shared.plan.bytes), rows_(shared.plan.panels.extents[0]), turns_(shared.turns), lines_(shared.size / rows_) {
    const size_t used = placed_.results(), room = placed_.room();
    across_ = std::min(rows_, kRoom / room * placed_.rows);
    vectors_ = (across_ + placed_.rows - 1) / placed_.rows;
    units_ = (rows_ + across_ - 1) / across_;
    together_ = units_ == 1 ? std::max<size_t>(kRoom / (rows_ * placed_.width), 1) : 1;
    if (used != room) pack_ = hvx::out_of_slots(4 * used, 4 * room), packed_ = 32 / room * used;
  }

  void run(const Finish& finish, const Rows& rows, const uint8_t* in, uint8_t* const* out, Slice slice) const {
    const size_t end = slice.end(units_ * lines_), around = rows_ * bytes_;
    const uint8_t* const to = in + lines_ * turns_ * around;
    HVX_Vector found[kParts][kVectors], joined[kParts][kVectors];
    for (size_t unit = slice.begin(units_ * lines_), lines; unit < end; unit += lines) {
      const size_t line = units_ == 1 ? unit : unit / units_, first = (unit - line * units_) * across_, n = std::min(across_, rows_ - first);
      const uint8_t* const from = in + line * turns_ * around + first * bytes_;
      lines = std::min(together_, end - unit);
      const size_t vectors = n == across_ ? vectors_ : (n + placed_.rows - 1) / placed_.rows, results = n * placed_.width;
      const bool apart = lines != 1 || packed_ != 32;
      for (size_t i = 0; i < lines; ++i) {
        placed_.fold(rows, from + i * turns_ * around, to, vectors, turns_, around, found);
        for (uint32_t part = 0; apart && part < kParts; ++part) append(reinterpret_cast<int32_t*>(joined[part]) + i * results, found[part], results);
      }
      finish_words(finish, apart ? joined : found, out, line * rows_ * placed_.width + first * placed_.width, lines * results);
      rowwise::counted(true, lines * results * finish.count());
    }
  }

 private:
  static hvx::AllFoldedPlaces<Found> made(const Plan& plan) {
    if (plan.width == 1) return hvx::AllFoldedPlaces<Found>(plan.rows * plan.bytes);
    return hvx::AllFoldedPlaces<Found>(plan.bytes, plan.width, plan.rows);
  }

  /// Writes `n` words, and more, over which the next ones are written.
  OPKG_INLINE void append(int32_t* to, const HVX_Vector* words, size_t n) const {
    for (size_t k = 0; k < n; k += packed_, ++words) hvx::store_unaligned(to + k, Q6_V_vrdelta_VV(*words, pack_));
  }

  hvx::AllFoldedPlaces<Found> placed_;
  HVX_Vector pack_ = Q6_V_vzero();  ///< brings the words of results side by side,
  size_t packed_ = 32;              ///< of each vector so many
  size_t bytes_ = 0;                ///< of a row, of all its columns
  size_t rows_ = 1;                 ///< of a line, in each place
  size_t turns_ = 1;                ///< places
  size_t lines_ = 0;                ///< of all results
  size_t across_ = 1;               ///< rows of a line that are taken together,
  size_t vectors_ = 1;              ///< of them,
  size_t units_ = 1;                ///< such parts of a line, and
  size_t together_ = 1;             ///< lines that are
};

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_HVX
#endif  // OPKG_COLUMNS_PLACED_H_
