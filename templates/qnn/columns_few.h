// Columns of small images: ways of their own for panels of less than a vector, chosen when a graph is prepared. C++17.
#ifndef OPKG_COLUMNS_FEW_H_
#define OPKG_COLUMNS_FEW_H_

#include "opkg/columns_shared.h"
#include "opkg/hvx_columns.h"
#include "opkg/hvx_finish.h"

#if OPKG_HVX

namespace opkg {
namespace columns {

/// `slight`: joined rows that are one vector of up to 32 columns. `narrow`: rows by themselves, whose results come of 16 bits.
enum class Way : uint32_t { any,
                            slight,
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

 public:
  static constexpr uint32_t kWays = Finish::kShort ? 3 : 2;

  OPKG_SMALL Few(const Rows& rows, const Shared<Rows>& shared) {
    const Plan& plan = shared.plan;
    if (!shared.taken || !shared.in_panels() || plan.together != 1 || shared.turns != 1 || plan.panels.rank > 1) return;
    const Finish finish(rows, shared.count);
    const size_t lanes = plan.joined * plan.width;
    if (plan.joined == 1 && plan.rows > 1 && plan.rows <= Found::kBlock) {
      if constexpr (Finish::kShort) way_ = finish.is_short() ? Way::narrow : Way::any;
    } else if (lanes <= Found::kLanes && plan.width <= 32 && plan.deep <= Found::kBlock && !finish.is_wide() && finish.fits()) {
      way_ = Way::slight;
    }
    const bool all = way_ == Way::slight && lanes == Found::kLanes && plan.deep * plan.joined == plan.rows;
    whole_ = plan.deep - (all ? 0 : 1);
    stride_ = plan.row_bytes();
    live_ = (plan.rows - whole_ * plan.joined) * plan.width * plan.bytes;
    step_ = plan.panels.rank == 0 ? 0 : plan.panels.steps[0];
    fold_ = plan.fold;
  }

  Way way() const { return way_; }

  template <Way kWay>
  OPKG_INLINE void run(const Rows& rows, const Shared<Rows>& shared, const uint8_t* in, uint8_t* const* out, Slice slice) const {
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

  /// Makes results `first` to `end`.
  OPKG_INLINE void slight(const Finish& finish, const Rows& rows, const uint8_t* at, uint8_t* const* out, size_t first, size_t end) const {
    const hvx::ColumnLine line = finish.line();  // kept apart from what is written
    const hvx::Fold fold = fold_;
    const size_t stride = stride_, above = whole_, step = step_, live = live_;
    for (; first < end; first += fold.width, at += step) {
      Found found[1];
      hvx::bind(rows, found);
      const uint8_t* const last = taken(found, at, above, stride);
      if (live != 0) found[0].some(hvx::load_some(last, live), live);
      finish.folded_few(found[0], line, fold, out, first);
    }
  }

  /// Takes `rows` rows, and returns where the next one is.
  OPKG_INLINE static const uint8_t* taken(Found (&found)[1], const uint8_t* from, size_t rows, size_t stride) {
    if constexpr (Found::kParts > 1) {
      using hvx::take_rows;
      take_rows<false>(found, from, rows, stride);
      return from + rows * stride;
    }
    OPKG_UNROLL(2)
    for (size_t i = rows / 2; i != 0; --i, from += 2 * stride) found[0].two(hvx::load_unaligned(from), hvx::load_unaligned(from + stride));
    if (rows % 2 != 0) found[0].one(hvx::load_unaligned(from)), from += stride;
    return from;
  }

  Way way_ = Way::any;
  size_t stride_, whole_;  ///< bytes from one row to the next; rows but the last one, unless that is whole, too
  size_t live_, step_;     ///< bytes of that row; from one panel to the next
  hvx::Fold fold_;
};

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_HVX
#endif  // OPKG_COLUMNS_FEW_H_
