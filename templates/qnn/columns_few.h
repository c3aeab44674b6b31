// Columns of small images: ways of their own for panels of less than a vector, chosen when a graph is prepared. C++17.
#ifndef OPKG_COLUMNS_FEW_H_
#define OPKG_COLUMNS_FEW_H_

#include "opkg/columns_folded.h"
#include "opkg/columns_placed.h"
#include "opkg/hvx_columns.h"
#include "opkg/hvx_finish.h"

#if OPKG_HVX

namespace opkg {
namespace columns {

/// `alone`: rows by themselves, each a part of a vector. `slight`: joined rows that are one vector of up to kMostSlight columns. `turned`: these, in
/// several places. `folded`: rows that lie one after another (opkg/columns_folded.h). `placed`: columns that do (opkg/columns_placed.h). `single`: slight, up to 32 columns, one panel. `narrow`: rows
/// by themselves, more than half a vector, whose results come of 16 bits.
enum class Way : uint32_t { any,
                            alone,
                            slight,
                            turned,
                            folded,
                            placed,
                            single,
                            narrow };

/// Which way columns go that vectors take, and what those of small images ask for.
template <typename Rows, bool = !IsNorm<Rows>::value && !IsFloat<Rows>::value && !ByDistance<Rows>::value>
class Few {
 public:
  static constexpr uint32_t kWays = 1;

  Few(const Rows&, const Shared<Rows>&) {}

  Way way() const { return Way::any; }
};

/// In the place of Folded.
struct NotFolded {};

/// Panels that follow one another, few elements in each column.
template <typename Rows>
class Few<Rows, true> {
  using Found = typename Rows::Found;
  using Finish = hvx::Finish<Rows>;
  using Folds = std::conditional_t<hvx::IsSlight<Found>::value, LaneFold, hvx::Fold>;
  static constexpr size_t kSum = Found::kAdds[0] ? 256 / Found::kLanes : 4;  ///< bytes of a sum in two vectors
  static constexpr size_t kKept = 128, kStart = 40;                          ///< words; rows that take as long as what is made ready for others
  static constexpr size_t kFolded = hvx::IsSlight<Found>::value ? 4 : 36;    ///< rows that take as long as joined ones are folded
  static constexpr size_t kPlace = hvx::IsSlight<Found>::value ? 4 : 0;      ///< the same of another place
  static constexpr uint32_t kWords = Found::kLanes / 32;

 public:
  static constexpr uint32_t kWays = Finish::kShort ? 8 : hvx::IsSlight<Found>::value ? 7
                                                     : IsFolded<Found>::value        ? 6
                                                     : IsInLines<Found>::value       ? 5
                                                                                     : 4;

  OPKG_SMALL Few(const Rows& rows, const Shared<Rows>& shared) {
    const Plan& plan = shared.plan;
    if constexpr (IsInLines<Found>::value) {
      const Finish finish(rows, shared.count);
      if (shared.taken && plan.together == 1 && !finish.is_wide() && finish.fits()) {
        if constexpr (IsFolded<Found>::value) {
          if (plan.is_placed(4 * Found::kLanes, Found::kParts)) {
            way_ = Way::placed, placed_ = Placed<Rows>(shared);
            return;
          }
        }
        if (IsFolded<Found>::value ? plan.is_folded() : plan.is_in_lines()) {
          way_ = Way::folded, folded_ = Folded<Rows>(shared);
          return;
        }
      }
    }
    if (!shared.taken || !shared.in_panels() || plan.together != 1 || plan.panels.rank > 1 || plan.around.rank > 1) return;
    const Finish finish(rows, shared.count);
    const size_t lanes = plan.joined * plan.width, turns = turns_ = shared.turns;
    around_ = turns == 1 ? 0 : plan.around.steps[0];
    const bool made = !finish.is_wide() && finish.fits();
    stride_ = plan.row_bytes(), whole_ = plan.deep;
    if (turns == 1 && plan.joined == 1 && plan.rows > 1 && plan.rows <= Found::kBlock) {
      if constexpr (Finish::kShort) way_ = finish.is_short() ? Way::narrow : Way::any;
    } else if (made && lanes <= Found::kLanes && plan.width <= kMostSlight<Found> && plan.deep * turns <= Found::kBlock) {
      way_ = turns == 1 ? Way::slight : Way::turned;
    }
    const bool reaches = way_ == Way::turned && plan.joined == 1;  // into the next row, which would be folded with this one
    const bool less = plan.rows * turns + kStart / shared.size < (plan.deep + (turns == 1 ? 0 : kPlace)) * turns + kFolded;
    if (made && way_ != Way::narrow && plan.width < Found::kLanes && plan.rows * turns <= Found::kBlock && (reaches || less)) {
      way_ = Way::alone;
      stride_ = plan.width * plan.bytes, whole_ = plan.rows;
    }
    const bool all = way_ == Way::alone || (way_ != Way::any && lanes == Found::kLanes && plan.deep * plan.joined == plan.rows);
    whole_ -= all ? 0 : 1;
    live_ = (plan.rows - whole_ * plan.joined) * plan.width * plan.bytes;
    step_ = plan.panels.rank == 0 ? 0 : plan.panels.steps[0];
    last_ = stride_ * whole_;
    if constexpr (hvx::IsSlight<Found>::value) {
      fold_ = LaneFold(plan.width, plan.joined, plan.bytes, kSum, whole_ != 0);
      if (way_ == Way::slight && shared.size == 1 && plan.width <= 32) way_ = Way::single;
      if (last_ + live_ >= hvx::kBytes) back_ = hvx::kBytes - live_, last_ -= back_;
    } else {
      fold_ = plan.fold;
    }
  }

  Way way() const { return way_; }

  template <Way kWay>
  OPKG_INLINE void run(const Rows& rows, const Shared<Rows>& shared, const uint8_t* in, uint8_t* const* out, Slice slice) const {
    if constexpr (kWay == Way::folded) return folded_.run(Finish(rows, shared.count), rows, in, out, slice);
    if constexpr (kWay == Way::placed) return placed_.run(Finish(rows, shared.count), rows, in, out, slice);
    if constexpr (kWay == Way::single) return single(Finish(rows, shared.count), rows, in, out, slice);
    if constexpr (kWay == Way::narrow) return some<kWay>(rows, shared, in, out, slice.begin(shared.size), slice.end(shared.size));
    const Few now = *this;  // kept apart from what is written
    return now.some<kWay>(rows, shared, in, out, slice.begin(shared.size), slice.end(shared.size));
  }

 private:
  /// Makes the results of panels `panel` to `end`.
  template <Way kWay>
  OPKG_INLINE void some(const Rows& rows, const Shared<Rows>& shared, const uint8_t* in, uint8_t* const* out, size_t panel, size_t end) const {
    rowwise::counted(true, (end - panel) * fold_.width * shared.count);
    if constexpr (kWay == Way::narrow) {
      narrow(rows, in + panel * step_, out[0] + panel * fold_.width, (end - panel) * fold_.width);
    } else if constexpr (kWay == Way::alone) {
      const size_t bytes = shared.size * fold_.width * shared.count * shared.plan.bytes;
      const End last(in + bytes, bytes);
      kept<Found::kParts, kWords>(Finish(rows, shared.count), rows, in + panel * step_, out, panel * fold_.width, end * fold_.width, [&](auto& found, const uint8_t* at, auto& words) OPKG_INLINE_LAMBDA {
        alone(found, at, last);
        found[0].words(words);
      });
    } else {
      slight<kWay == Way::turned>(Finish(rows, shared.count), rows, in + panel * step_, out, panel * fold_.width, end * fold_.width);
    }
  }

  /// Makes `left` results. Vectors reach into the next row, no further; what follows the results of a panel is written over by the next one.
  OPKG_INLINE void narrow(const Rows& rows, const uint8_t* at, uint8_t* to, size_t left) const {
    const hvx::ColumnLine line = rows.line;  // kept apart from what is written
    const size_t stride = stride_, width = fold_.width, above = whole_, step = step_, back = hvx::kBytes - stride;
    for (; left != 0; left -= width, at += step, to += width) {
      Found found[1];
      const uint8_t* const last = taken(found, at, above, stride);
      found[0].one(Q6_V_vror_VR(hvx::load_unaligned(last - back), static_cast<int32_t>(back)));
      const HVX_Vector results = line.of_shorts<typename Rows::Result>(found[0].shorts());
      if (left < hvx::kBytes) {
        hvx::store_some(to, width, results);
      } else {
        hvx::store_unaligned(to, results);
      }
    }
  }

  /// Makes the results of the only panel.
  OPKG_INLINE void single(const Finish& finish, const Rows& rows, const uint8_t* at, uint8_t* const* out, Slice slice) const {
    if (slice.index != 0) return;
    rowwise::counted(true, fold_.width * finish.count());
    Found found[1];
    hvx::bind(rows, found);
    HVX_Vector words[2];
    panel(found, at);
    fold_slight(found[0], fold_, words);
    HVX_Vector now[1][1] = {{words[0]}};
    finish.few(now, finish.fitting_line(), out, 0, fold_.width);
  }

  /// Makes results `first` to `end`.
  template <bool kTurns>
  OPKG_INLINE void slight(const Finish& finish, const Rows& rows, const uint8_t* at, uint8_t* const* out, size_t first, size_t end) const {
    if constexpr (hvx::IsSlight<Found>::value) {
      kept<1, 2>(finish, rows, at, out, first, end, [&](auto& found, const uint8_t* from, auto& words) OPKG_INLINE_LAMBDA {
        each_turn<kTurns>(from, [&](const uint8_t* now) OPKG_INLINE_LAMBDA { panel(found, now); });
        fold_slight(found[0], fold_, words[0]);
      });
    } else {
      const hvx::ColumnLine line = finish.fitting_line();  // kept apart from what is written
      const hvx::Fold fold = fold_;
      const size_t step = step_;
      for (; first < end; first += fold.width, at += step) {
        Found found[1];
        hvx::bind(rows, found);
        each_turn<kTurns>(at, [&](const uint8_t* now) OPKG_INLINE_LAMBDA { panel(found, now); });
        finish.folded_few(found[0], line, fold, out, first);
      }
    }
  }

  /// Makes them of the words that `take` finds of each panel, those of some panels together.
  template <uint32_t kParts, uint32_t kVectors, typename Take>
  OPKG_INLINE void kept(const Finish& finish, const Rows& rows, const uint8_t* at, uint8_t* const* out, size_t first, size_t end, const Take& take) const {
    const size_t width = fold_.width, step = step_;
    alignas(128) int32_t kept[kParts][kKept + 32 * kVectors];
    size_t count = 0;
    for (size_t left = end - first; left != 0; left -= width, at += step) {
      Found found[1];
      hvx::bind(rows, found);
      HVX_Vector words[kParts][kVectors];
      take(found, at, words);
      for (uint32_t part = 0; part < kParts; ++part) {
        for (uint32_t i = 0; i < kVectors && (i == 0 || 32 * i < width); ++i) hvx::store_unaligned(kept[part] + count + 32 * i, words[part][i]);
      }
      count += width;
      if (left != width && count + width <= kKept) continue;
      if (count <= 32) {
        finish_kept<1>(finish, kept, out, first, count);
      } else {
        finish_kept<kKept / 32>(finish, kept, out, first, count);
      }
      first += count, count = 0;
    }
  }

  /// The end of a tensor, and a copy of its last bytes: what follows them may be read.
  struct End {
    const uint8_t* to;
    size_t some;  ///< bytes that are copied
    alignas(128) uint8_t copied[2 * hvx::kBytes];

    OPKG_INLINE End(const uint8_t* end, size_t bytes) : to(end), some(std::min(bytes, hvx::kBytes)) {
      hvx::store(copied, hvx::load_some(end - some, some));
      hvx::store(copied + hvx::kBytes, Q6_V_vzero());
    }
  };

  /// Takes the rows of a panel, of each a vector: what follows the columns of one is not looked at.
  OPKG_INLINE void alone(Found (&found)[1], const uint8_t* at, const End& end) const {
    const size_t stride = stride_, rows = whole_;
    each_turn<true>(at, [&](const uint8_t* now) OPKG_INLINE_LAMBDA {
      const size_t there = static_cast<size_t>(end.to - now);
      size_t left = rows;
      if (__builtin_expect(there < rows * stride + hvx::kBytes, 0)) {  // vectors reach behind the tensor
        left = there < hvx::kBytes ? 0 : std::min(rows, (there - hvx::kBytes) / stride + 1);
        take_few_rows(found[0], end.copied + end.some - (there - left * stride), rows - left, stride);
      }
      take_few_rows(found[0], now, left, stride);
    });
  }

  /// Calls a function for the places of a panel, one unless kTurns.
  template <bool kTurns, typename Take>
  OPKG_INLINE void each_turn(const uint8_t* at, const Take& take) const {
    if constexpr (!kTurns) return take(at);
    const size_t around = around_;
    for (size_t left = turns_;; at += around) {
      take(at);
      if (--left == 0) return;
    }
  }

  /// Makes `n` results of words in memory.
  template <uint32_t kVectors, uint32_t kParts, size_t kRoom>
  OPKG_INLINE static void finish_kept(const Finish& finish, const int32_t (&kept)[kParts][kRoom], uint8_t* const* out, size_t first, size_t n) {
    HVX_Vector now[kParts][kVectors];
    for (uint32_t part = 0; part < kParts; ++part) {
      for (uint32_t i = 0; i < kVectors; ++i) now[part][i] = hvx::load(kept[part] + 32 * i);
    }
    finish.few(now, finish.fitting_line(), out, first, n);
  }

  /// Takes the rows of a panel. The last ones come first: nothing waits for them.
  OPKG_INLINE void panel(Found (&found)[1], const uint8_t* at) const {
    const size_t rows = whole_, stride = stride_, live = live_;
    if constexpr (hvx::IsSlight<Found>::value) {
      const HVX_Vector none = found[0].neutral();
      // Two rows are taken where the next ones are loaded.
      HVX_Vector one = __builtin_expect(back_ == 0, 0) ? Q6_V_vmux_QVV(Q6_Q_vsetq_R(static_cast<int32_t>(live)), hvx::load_some(at + last_, live), none)
                                                       : Q6_V_vlalign_VVR(none, hvx::load_unaligned(at + last_), static_cast<int32_t>(live));
      HVX_Vector next = none;
      if (rows % 2 != 0) next = hvx::load_unaligned(at), at += stride;
      if ((rows & 2) != 0) {
        found[0].two(one, next);
        one = hvx::load_unaligned(at), next = hvx::load_unaligned(at + stride);
        at += 2 * stride;
      }
      OPKG_STAGED
      for (size_t i = rows / 4; i != 0; --i, at += 4 * stride) {
        const HVX_Vector third = hvx::load_unaligned(at), fourth = hvx::load_unaligned(at + stride);
        found[0].two(one, next);
        one = hvx::load_unaligned(at + 2 * stride), next = hvx::load_unaligned(at + 3 * stride);
        found[0].two(third, fourth);
      }
      found[0].two(one, next);
    } else {
      using hvx::take_rows;
      take_rows<false>(found, at, rows, stride);
      if (live != 0) found[0].some(hvx::load_some(at + last_, live), live);
    }
  }

  /// Takes `rows` rows, and returns where the next one is.
  OPKG_INLINE static const uint8_t* taken(Found (&found)[1], const uint8_t* from, size_t rows, size_t stride) {
    OPKG_UNROLL(2)
    for (size_t i = rows / 2; i != 0; --i, from += 2 * stride) found[0].two(hvx::load_unaligned(from), hvx::load_unaligned(from + stride));
    if (rows % 2 != 0) found[0].one(hvx::load_unaligned(from)), from += stride;
    return from;
  }

  Way way_ = Way::any;
  size_t stride_, whole_;  ///< bytes from one row to the next; rows but the last one, unless that is whole, too
  size_t turns_, around_;  ///< places around, and bytes from one to the next
  size_t live_, step_;     ///< bytes of that row; from one panel to the next
  size_t back_ = 0;        ///< bytes in front of it that are loaded with it, where there are as many
  size_t last_;            ///< where it is loaded from
  Folds fold_;
  std::conditional_t<IsInLines<Found>::value, Folded<Rows>, NotFolded> folded_;
  std::conditional_t<IsFolded<Found>::value, Placed<Rows>, NotFolded> placed_;
};

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_HVX
#endif  // OPKG_COLUMNS_FEW_H_
