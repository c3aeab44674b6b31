// Columns of small images: ways of their own for panels of less than a vector, chosen when a graph is prepared. C++17.
#ifndef OPKG_COLUMNS_FEW_H_
#define OPKG_COLUMNS_FEW_H_

#include "opkg/columns_shared.h"
#include "opkg/hvx_columns.h"
#include "opkg/hvx_finish.h"

#if OPKG_HVX

namespace opkg {
namespace columns {

/// `slight`: joined rows that are one vector of up to kMostSlight columns. `single`: up to 32 of them, one panel. `narrow`: rows by themselves, whose results come of 16 bits.
enum class Way : uint32_t { any,
                            slight,
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

/// Panels that follow one another, few elements in each column.
template <typename Rows>
class Few<Rows, true> {
  using Found = typename Rows::Found;
  using Finish = hvx::Finish<Rows>;
  using Folds = std::conditional_t<hvx::IsSlight<Found>::value, LaneFold, hvx::Fold>;
  static constexpr size_t kSum = Found::kAdds[0] ? 256 / Found::kLanes : 4;  ///< bytes of a sum in two vectors
  static constexpr size_t kKept = 128;

 public:
  static constexpr uint32_t kWays = Finish::kShort ? 4 : hvx::IsSlight<Found>::value ? 3
                                                                                     : 2;

  OPKG_SMALL Few(const Rows& rows, const Shared<Rows>& shared) {
    const Plan& plan = shared.plan;
    if (!shared.taken || !shared.in_panels() || plan.together != 1 || shared.turns != 1 || plan.panels.rank > 1) return;
    const Finish finish(rows, shared.count);
    const size_t lanes = plan.joined * plan.width;
    if (plan.joined == 1 && plan.rows > 1 && plan.rows <= Found::kBlock) {
      if constexpr (Finish::kShort) way_ = finish.is_short() ? Way::narrow : Way::any;
    } else if (lanes <= Found::kLanes && plan.width <= kMostSlight<Found> && plan.deep <= Found::kBlock && !finish.is_wide() && finish.fits()) {
      way_ = Way::slight;
    }
    const bool all = way_ == Way::slight && lanes == Found::kLanes && plan.deep * plan.joined == plan.rows;
    whole_ = plan.deep - (all ? 0 : 1);
    stride_ = plan.row_bytes();
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
    if constexpr (kWay == Way::single) return single(Finish(rows, shared.count), rows, in, out, slice);
    const size_t panel = slice.begin(shared.size), end = slice.end(shared.size);
    rowwise::counted(true, (end - panel) * fold_.width * shared.count);
    if constexpr (kWay == Way::narrow) {
      narrow(rows, in + panel * step_, out[0] + panel * fold_.width, (end - panel) * fold_.width);
    } else {
      slight(Finish(rows, shared.count), rows, in + panel * step_, out, panel * fold_.width, end * fold_.width);
    }
  }

 private:
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
    finish.few(now, line_of(finish), out, 0, fold_.width);
  }

  /// Makes results `first` to `end`.
  OPKG_INLINE void slight(const Finish& finish, const Rows& rows, const uint8_t* at, uint8_t* const* out, size_t first, size_t end) const {
    const size_t width = fold_.width, step = step_;
    if constexpr (hvx::IsSlight<Found>::value) {
      alignas(128) int32_t kept[kKept + 64];  // words of the columns of some panels
      size_t count = 0;
      for (size_t left = end - first; left != 0; left -= width, at += step) {
        Found found[1];
        hvx::bind(rows, found);
        HVX_Vector words[2];
        panel(found, at);
        fold_slight(found[0], fold_, words);
        hvx::store_unaligned(kept + count, words[0]);
        if (width > 32) hvx::store_unaligned(kept + count + 32, words[1]);
        count += width;
        if (left != width && count + width <= kKept) continue;
        if (count <= 32) {
          finish_kept<1>(finish, kept, out, first, count);
        } else {
          finish_kept<kKept / 32>(finish, kept, out, first, count);
        }
        first += count, count = 0;
      }
    } else {
      const hvx::ColumnLine line = line_of(finish);  // kept apart from what is written
      const hvx::Fold fold = fold_;
      for (; first < end; first += width, at += step) {
        Found found[1];
        hvx::bind(rows, found);
        panel(found, at);
        finish.folded_few(found[0], line, fold, out, first);
      }
    }
  }

  /// The line of a call that fits.
  OPKG_INLINE static hvx::ColumnLine line_of(const Finish& finish) {
    hvx::ColumnLine line = finish.line();
    line.is_line = true;
    return line;
  }

  /// Makes `n` results of words in memory.
  template <uint32_t kVectors>
  OPKG_INLINE static void finish_kept(const Finish& finish, const int32_t* kept, uint8_t* const* out, size_t first, size_t n) {
    HVX_Vector now[1][kVectors];
    for (uint32_t i = 0; i < kVectors; ++i) now[0][i] = hvx::load(kept + 32 * i);
    finish.few(now, line_of(finish), out, first, n);
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
  size_t live_, step_;     ///< bytes of that row; from one panel to the next
  size_t back_ = 0;        ///< bytes in front of it that are loaded with it, where there are as many
  size_t last_;            ///< where it is loaded from
  Folds fold_;
};

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_HVX
#endif  // OPKG_COLUMNS_FEW_H_
