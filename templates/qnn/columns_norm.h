// Runs generated kernels whose results are lines of the elements of their columns, made of what is found of them (instance norm): two
// passes down a vector of columns. C++17.
#ifndef OPKG_COLUMNS_NORM_H_
#define OPKG_COLUMNS_NORM_H_

#include "opkg/columns.h"
#include "opkg/hvx_norm.h"

#if OPKG_HVX

namespace opkg {
namespace columns {

/// One call. `places`: the input, those with a number for each column of a row, the output.
template <typename Rows>
class NormCall : public Panels<NormCall<Rows>, Rows> {
  using Base = Panels<NormCall<Rows>, Rows>;
  using Found = typename Rows::Found;
  static constexpr size_t kWords = Base::kLanes / 32, kRoom = Base::kMost + 128;
  static constexpr uint32_t kTogether = 4;              ///< rows that results are made of at a time
  static constexpr uint32_t kEach = Rows::kInputs - 1;  ///< inputs beside the first

 public:
  static constexpr bool kShallow = false;  ///< see Call

  NormCall(const Rows& rows, const Shared<Rows>& shared, uint8_t* const* places)
      : Base(shared, places[0]), rows_(rows), each_(places + 1), out_(places[Rows::kInputs]) {}

  bool held() const { return held_; }

  template <bool kAligned, uint32_t kSide>
  void single(const uint8_t* at, size_t first, size_t back) const {
    Found found[kSide];
    this->template down<kAligned>(found, at, this->plan_.rows, 0, 0);
    const size_t column = (first - back) % this->plan_.width;
    hvx::each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA {
      HVX_Vector words[Found::kParts][kWords];
      found[side].words(words);
      hvx::LineWords lines[kWords];
      for (size_t k = 0; k < kWords; ++k) {
        HVX_Vector numbers[Found::kParts];
        for (uint32_t part = 0; part < Found::kParts; ++part) numbers[part] = words[part][k];
        make(numbers, column + side * Base::kLanes + 32 * k, 32, lines[k]);
      }
      apply<kAligned>(lines, at + side * hvx::kBytes, this->plan_.rows, 0, 0, back * this->plan_.bytes);
    });
  }

  void joined(const uint8_t* at, size_t) const {
    alignas(128) int32_t kept[Found::kParts][kRoom], made[4][kRoom];
    const size_t width = this->plan_.width, lanes = this->plan_.joined * width;
    this->each_joined(at, [&](auto aligned, auto side, size_t from) {
      Found found[side];
      this->template down_joined<aligned>(found, at, from);
      Base::keep(kept, found, from);
    });
    hvx::fold_pieces<Found>(kept, this->plan_.joined, width);
    for (size_t i = 0; i < width; i += 32) {
      HVX_Vector numbers[Found::kParts];
      for (uint32_t part = 0; part < Found::kParts; ++part) numbers[part] = hvx::load_unaligned(kept[part] + i);
      hvx::LineWords line;
      make(numbers, i, width - i < 32 ? width - i : 32, line);
      hvx::store_unaligned(made[0] + i, line.center), hvx::store_unaligned(made[1] + i, line.factor);
      hvx::store_unaligned(made[2] + i, line.shift), hvx::store_unaligned(made[3] + i, line.bias);
    }
    for (auto& each : made) repeat(each, width, lanes);
    this->each_joined(at, [&](auto aligned, auto side, size_t from) {
      for (size_t i = from; i < from + side * Base::kLanes; i += Base::kLanes) {
        hvx::LineWords lines[kWords];
        for (size_t k = 0; k < kWords; ++k) {
          const size_t place = i + 32 * k;
          lines[k] = {hvx::load_unaligned(made[0] + place), hvx::load_unaligned(made[1] + place), hvx::load_unaligned(made[2] + place), hvx::load_unaligned(made[3] + place)};
        }
        const size_t whole = this->whole_rows();
        const size_t rest = (this->plan_.rows - whole * this->plan_.joined) * width, live = rest > i ? rest - i : 0;
        apply<aligned>(lines, at + i * this->plan_.bytes, whole, whole * this->stride_, live * this->plan_.bytes, 0);
      }
    });
  }

 private:
  /// Repeats the first `width` words as far as `lanes`; words behind them are written as well.
  static void repeat(int32_t* words, size_t width, size_t lanes) {
    for (size_t there = width; there < lanes; there *= 2) {
      const size_t more = lanes - there < there ? lanes - there : there;
      for (size_t i = 0; i < more; i += 32) hvx::store_unaligned(words + there + i, hvx::load_unaligned(words + i));
    }
  }

  /// The lines of columns from number `column` of a row on.
  OPKG_INLINE void make(const HVX_Vector* found, size_t column, size_t live, hvx::LineWords& to) const {
    HVX_Vector each[kEach + 1];
    load_each(each, column, live, typename Rows::Each());
    if (!rows_.lines(found, this->shared_.count, live, each, to)) held_ = false;
  }

  template <typename... T>
  OPKG_INLINE void load_each([[maybe_unused]] HVX_Vector* to, [[maybe_unused]] size_t column, [[maybe_unused]] size_t live, hvx::Types<T...>) const {
    [[maybe_unused]] uint32_t i = 0;
    ((to[i] = words_of<T>(each_[i] + column * sizeof(T), live * sizeof(T)), ++i), ...);
  }

  template <typename T>
  OPKG_INLINE static HVX_Vector words_of(const uint8_t* at, size_t bytes) {
    HVX_Vector words[4 / sizeof(T)];
    hvx::widened<T>(hvx::load_some(at, bytes), words);
    return words[0];
  }

  template <bool kAligned>
  OPKG_INLINE static HVX_Vector load(const uint8_t* at) { return kAligned ? hvx::load(at) : hvx::load_unaligned(at); }

  /// All elements below a vector, as Panels::down takes them. `skip`: its first bytes, whose results are another one's.
  template <bool kAligned>
  OPKG_APART void apply(const hvx::LineWords (&words)[kWords], const uint8_t* at, size_t rows, size_t last, size_t live, size_t skip) const {
    const hvx::LaneLines<typename Rows::Element, typename Rows::Result> lines(words);
    const size_t stride = this->stride_;
    Walk around(this->plan_.around);
    for (size_t turn = 1;; ++turn, around.next()) {
      const uint8_t* __restrict from = at + around.offset();
      uint8_t* __restrict to = out_ + (from - this->in_);
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

  const Rows& rows_;
  uint8_t* const* each_;
  uint8_t* out_;
  mutable bool held_ = true;
};

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_HVX
#endif  // OPKG_COLUMNS_NORM_H_
