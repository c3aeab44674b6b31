// Goes through the columns of a tensor, panel by panel: vectors of columns side by side, or panels whose rows are joined.
#ifndef OPKG_COLUMNS_PANELS_H_
#define OPKG_COLUMNS_PANELS_H_

#include "opkg/columns_shared.h"
#include "opkg/hvx_columns.h"

#if OPKG_HVX

namespace opkg {
namespace columns {

using hvx::take_rows;

/// The columns of a tensor, panel by panel. `Self` takes vectors of them: `single` and `joined`, as in Call.
template <typename Self, typename Rows>
class Panels {
 public:
  void run(Slice slice) const {
    const size_t panels = shared_.size;
    if (shared_.in_panels()) {
      const size_t begin = slice.begin(panels), end = slice.end(panels);
      for (size_t panel = begin; panel < end; ++panel) {
        count_elements(plan_.width * shared_.count);
        self().joined(in_ + plan_.panels.offset(panel), panel * plan_.width);
      }
      return;
    }
    const size_t blocks = shared_.blocks(), end = slice.end(panels * blocks);
    size_t i = slice.begin(panels * blocks);
    for (size_t panel = i == 0 ? 0 : i / blocks, block = i - panel * blocks; i < end; block = 0, ++panel) {
      const size_t now = blocks - block < end - i ? blocks - block : end - i;
      panel_part(panel, block, block + now);
      i += now;
    }
  }

 protected:
  /// Calls `take(panel, before)` for panels that are taken as one, from number `panel` on; the first one of them is `before` panels earlier.
  template <typename Take>
  OPKG_INLINE void each_unit(Slice slice, const Take& take) const {
    const size_t end = slice.end(shared_.size), units = plan_.units(), extent = plan_.panels.extents[0];
    size_t i = slice.begin(shared_.size), line = i == 0 ? 0 : i / units, inside = i - line * units;
    for (; i < end; ++i) {
      const size_t first = inside * plan_.together, next = first + plan_.together;
      take(line * extent + first, next > extent ? next - extent : 0);
      if (++inside == units) inside = 0, ++line;
    }
  }

  static constexpr size_t kLanes = Rows::Found::kLanes;
  static constexpr size_t kMost = 4 * kLanes;  ///< joined columns

  Panels(const Shared<Rows>& shared, const uint8_t* in) : in_(in), shared_(shared), plan_(shared.plan), stride_(plan_.row_bytes()) {}

  /// Calls `take(aligned, side, first)` for vectors of joined columns from number `first` on, `side` of them side by side.
  template <typename Take>
  OPKG_INLINE void each_joined(const uint8_t* at, const Take& take) const {
    const size_t lanes = plan_.joined * plan_.width;
    const std::integral_constant<bool, kTells> aligned;
    const std::false_type anywhere;
    size_t first = 0;
    for (; first + 2 * kLanes <= lanes; first += 2 * kLanes) {
      if (is_aligned(at)) {
        take(aligned, std::integral_constant<uint32_t, 2>(), first);
      } else {
        take(anywhere, std::integral_constant<uint32_t, 2>(), first);
      }
    }
    for (; first < lanes; first += kLanes) {
      take(anywhere, std::integral_constant<uint32_t, 1>(), first + kLanes <= lanes || lanes < kLanes ? first : lanes - kLanes);
    }
  }

  /// Rows of joined columns that are read whole: not a short one, nor the last one where vectors reach behind their rows.
  size_t whole_rows() const {
    const bool all = plan_.joined * plan_.width >= kLanes && plan_.deep * plan_.joined == plan_.rows;
    return all ? plan_.deep : plan_.deep - 1;
  }

  /// All elements below joined columns from number `first` on.
  template <bool kAligned, typename Found, uint32_t kSide>
  OPKG_INLINE void down_joined(Found (&found)[kSide], const uint8_t* at, size_t first, size_t block = Found::kBlock) const {
    const size_t whole = whole_rows();
    const size_t rest = (plan_.rows - whole * plan_.joined) * plan_.width;  // elements of the last row
    const size_t live = rest > first ? rest - first : 0;
    down<kAligned>(found, at + first * plan_.bytes, whole, whole * stride_, live * plan_.bytes, block);
  }

  /// The same of vectors from the first joined column on, the last one of which begins at number `last`: few rows, without dimensions around.
  template <typename Found, uint32_t kSide>
  OPKG_INLINE void down_few(Found (&found)[kSide], const uint8_t* at, size_t last) const {
    const size_t whole = whole_rows(), apart = last * plan_.bytes;
    take_rows<false>(found, at, whole, stride_, apart);
    const size_t live = (plan_.rows - whole * plan_.joined) * plan_.width * plan_.bytes;
    if (live != 0) short_row(found, at + whole * stride_, live, apart);
  }

  /// A row of which the first `live` bytes count.
  template <typename Found, uint32_t kSide>
  OPKG_INLINE static void short_row(Found (&found)[kSide], const uint8_t* at, size_t live, size_t apart) {
    hvx::each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA {
      const size_t before = side + 1 == kSide ? apart : side * hvx::kBytes, bytes = live - before < hvx::kBytes ? live - before : hvx::kBytes;
      if (before < live) found[side].some(hvx::load_some(at + before, bytes), bytes);
    });
  }

  /// The words of joined columns in the order of memory, those of the last vector `apart` columns behind the first.
  template <typename Found, uint32_t kSide>
  OPKG_INLINE static void keep(int32_t (*kept)[kMost + 128], Found (&found)[kSide], size_t first, size_t apart = (kSide - 1) * kLanes) {
    hvx::each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA {
      HVX_Vector words[Found::kParts][kLanes / 32];
      found[side].words(words);
      for (uint32_t part = 0; part < Found::kParts; ++part) {
        int32_t* const to = kept[part] + first + (side + 1 == kSide ? apart : side * kLanes);
        for (uint32_t i = 0; i < kLanes / 32; ++i) hvx::store_unaligned(to + 32 * i, words[part][i]);
      }
    });
  }

  /// All elements below vectors side by side: `rows` whole rows, then, `last` bytes on, one whose first `live` bytes count.
  /// `block`: rows between two calls of empty(). `apart`: bytes from the first vector to the last one.
  template <bool kAligned, typename Found, uint32_t kSide>
  OPKG_INLINE void down(Found (&found)[kSide], const uint8_t* at, size_t rows, size_t last, size_t live, size_t block = Found::kBlock,
                        size_t apart = hvx::kToLast<kSide>) const {
    size_t held = 0;
    const auto room = [&]() OPKG_INLINE_LAMBDA {
      if (held == block) {
        hvx::each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { found[side].empty(); });
        held = 0;
      }
      return block - held;
    };
    Walk around(plan_.around);
    for (size_t turn = 1;; ++turn, around.next()) {
      const uint8_t* from = at + around.offset();
      const uint8_t* const rest = from + last;
      for (size_t left = rows; left != 0;) {
        const size_t most = room(), now = left < most ? left : most;
        take_rows<kAligned>(found, from, now, stride_, apart);
        from += now * stride_;
        left -= now;
        held += now;
      }
      if (live != 0) {
        room();
        short_row(found, rest, live, apart);
        ++held;
      }
      if (turn == shared_.turns) return;
    }
  }

  const uint8_t* in_;
  const Shared<Rows>& shared_;
  const Plan& plan_;
  size_t stride_;  ///< bytes from one row to the next

 private:
  static constexpr bool kTells = rowwise::kTellsAlignment;

  const Self& self() const { return static_cast<const Self&>(*this); }

  /// Some vectors of columns of a panel, two at a time where there are two.
  void panel_part(size_t panel, size_t block, size_t end) const {
    const uint8_t* const at = in_ + plan_.panels.offset(panel);
    const size_t first = panel * plan_.width, columns = (end * kLanes < plan_.width ? end * kLanes : plan_.width) - block * kLanes;
    const bool aligned = is_aligned(at);
    count_elements(columns * shared_.count);
    const uint8_t* const from = at + block * hvx::kBytes;
    if constexpr (Self::kShallow) {
      if (columns >= kLanes && self().is_shallow()) {
        return aligned ? self().template shallow<kTells>(from, first + block * kLanes, columns) : self().template shallow<false>(from, first + block * kLanes, columns);
      }
    }
    const size_t begin = block;
    for (; (block + 2) * kLanes <= plan_.width && block + 2 <= end; block += 2) {
      if (aligned) {
        self().template single<kTells, 2>(at + block * hvx::kBytes, first + block * kLanes, 0);
      } else {
        self().template single<false, 2>(at + block * hvx::kBytes, first + block * kLanes, 0);
      }
    }
    if constexpr (Self::kOverlaps) {  // the last vector of a panel begins earlier, where this slice has made what is in front of it
      if (block < end && columns >= kLanes) {
        const size_t last = begin * kLanes + columns - kLanes;
        const uint8_t* const to = at + block * hvx::kBytes;
        if (block * kLanes < last) return self().template single<false, 2>(to, first + block * kLanes, 0, last - block * kLanes);
        return self().template single<false, 1>(at + last * plan_.bytes, first + last, 0);
      }
    }
    for (; block < end; ++block) {  // else it leaves columns out
      const size_t left = plan_.width - block * kLanes, back = left < kLanes ? kLanes - left : 0;
      self().template single<false, 1>(at + block * hvx::kBytes - back * plan_.bytes, first + block * kLanes, back);
    }
  }

  /// Whether all rows of vectors from an address on are multiples of 128.
  bool is_aligned(const uint8_t* at) const { return shared_.in_steps && reinterpret_cast<uintptr_t>(at) % hvx::kBytes == 0; }

  static void count_elements(size_t n) { rowwise::counted(true, n); }
};

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_HVX
#endif  // OPKG_COLUMNS_PANELS_H_
