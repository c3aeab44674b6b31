// Runs generated kernels whose results are lines of the elements of their columns, made of what is found of them (instance norm): two
// passes down a vector of columns. C++17.
#ifndef OPKG_COLUMNS_NORM_H_
#define OPKG_COLUMNS_NORM_H_

#include "opkg/columns_apply.h"
#include "opkg/hvx_norm.h"

#if OPKG_HVX

namespace opkg {
namespace columns {

/// Words of up to 32 elements, as many as a row of other inputs has for as many columns.
template <typename T>
OPKG_INLINE HVX_Vector words_at(const uint8_t* at, size_t live) {
  HVX_Vector words[4 / sizeof(T)];
  hvx::widened<T>(hvx::load_some(at, live * sizeof(T)), words);
  return words[0];
}

/// One call. `places`: the input, those with a number for each column of a row, the output.
template <typename Rows>
class NormCall : public AppliedPanels<NormCall<Rows>, Rows> {
  using Base = AppliedPanels<NormCall<Rows>, Rows>;
  using Found = typename Rows::Found;
  using Lines = hvx::LaneLines<Rows>;
  using Source = hvx::LineSource<Rows>;
  static constexpr size_t kWords = Base::kLanes / 32, kRoom = Base::kMost + 128;
  static constexpr uint32_t kEach = Rows::kInputs - 1;  ///< inputs beside the first

 public:
  static constexpr bool kShallow = false, kShort = false, kOverlaps = false;  ///< see Call

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
      this->template apply<kAligned, Lines>(Source{lines, rows_}, out_, at + side * hvx::kBytes, this->plan_.rows, 0, 0, back * this->plan_.bytes);
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
    hvx::fold_columns<Found>(kept, this->plan_.fold);
    for (size_t i = 0; i < width; i += 32) {
      HVX_Vector numbers[Found::kParts];
      for (uint32_t part = 0; part < Found::kParts; ++part) numbers[part] = hvx::load_unaligned(kept[part] + i);
      hvx::LineWords line;
      make(numbers, i, width - i < 32 ? width - i : 32, line);
      line.put(made, i);
    }
    for (auto& each : made) Base::repeat(each, width, lanes);
    this->each_joined(at, [&](auto aligned, auto side, size_t from) {
      for (size_t i = from; i < from + side * Base::kLanes; i += Base::kLanes) {
        hvx::LineWords lines[kWords];
        for (size_t k = 0; k < kWords; ++k) lines[k] = hvx::LineWords::at(made, i + 32 * k);
        const size_t whole = this->whole_rows();
        const size_t rest = (this->plan_.rows - whole * this->plan_.joined) * width, live = rest > i ? rest - i : 0;
        this->template apply<aligned, Lines>(Source{lines, rows_}, out_, at + i * this->plan_.bytes, whole, whole * this->stride_, live * this->plan_.bytes, 0);
      }
    });
  }

 private:
  /// The lines of columns from number `column` of a row on.
  OPKG_INLINE void make(const HVX_Vector* found, size_t column, size_t live, hvx::LineWords& to) const {
    HVX_Vector each[kEach + 1];
    load_each(each, column, live, typename Rows::Each());
    if (!rows_.lines(found, this->shared_.count, live, each, to)) held_ = false;
  }

  template <typename... T>
  OPKG_INLINE void load_each([[maybe_unused]] HVX_Vector* to, [[maybe_unused]] size_t column, [[maybe_unused]] size_t live, hvx::Types<T...>) const {
    [[maybe_unused]] uint32_t i = 0;
    ((to[i] = words_at<T>(each_[i] + column * sizeof(T), live), ++i), ...);
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
