// Runs generated kernels whose results are floats made of elements and of numbers of their columns (instance norm): after what
// opkg/columns_float.h finds of a vector of columns, one more pass down it. C++17.
#ifndef OPKG_COLUMNS_FLOAT_NORM_H_
#define OPKG_COLUMNS_FLOAT_NORM_H_

#include "opkg/columns_apply.h"
#include "opkg/columns_float.h"

#if OPKG_HVX && OPKG_HVX_FLOAT

namespace opkg {
namespace columns {

/// Computes the elements of a vector of columns from their numbers, which are kept in arrays.
template <typename Rows, size_t kArrays, size_t kRoom>
class FloatElements {
  using Element = typename Rows::Element;
  static constexpr uint32_t kGroups = 4 / sizeof(Element);

 public:
  struct Source {
    const Rows& rows;
    const float (&numbers)[kArrays][kRoom];
    size_t first;  ///< column
  };

  OPKG_INLINE explicit FloatElements(const Source& source) : rows_(source.rows) {
    for (size_t i = 0; i < kArrays; ++i) {
      HVX_Vector words[kGroups];
      for (uint32_t k = 0; k < kGroups; ++k) words[k] = hvx::load_unaligned(source.numbers[i] + source.first + 32 * k);
      if constexpr (kGroups == 2) {
        const HVX_VectorPair apart = Q6_W_vdeal_VVR(words[1], words[0], -4);
        words[0] = Q6_V_lo_W(apart);
        words[1] = Q6_V_hi_W(apart);
      }
      for (uint32_t k = 0; k < kGroups; ++k) in_[k][i + 1] = words[k];
    }
  }

  OPKG_INLINE HVX_Vector of(HVX_Vector x) const {
    HVX_Vector values[kGroups];
    hvx::floats_of<Element>(x, values);
    for (uint32_t k = 0; k < kGroups; ++k) {
      HVX_Vector in[kArrays + 1];
      in[0] = values[k];
      for (size_t i = 1; i <= kArrays; ++i) in[i] = in_[k][i];
      values[k] = rows_.element(in);
    }
    if constexpr (kGroups == 2) return hvx::hf_from_sf(values[1], values[0]);
    return values[0];
  }

 private:
  const Rows& rows_;
  HVX_Vector in_[kGroups][kArrays + 1];  ///< the first one: elements
};

/// One call. `places` as of NormCall.
template <typename Rows, bool kExact>
class FloatNormCall : public AppliedPanels<FloatNormCall<Rows, kExact>, Rows> {
  using Base = AppliedPanels<FloatNormCall<Rows, kExact>, Rows>;
  static constexpr uint32_t kEach = Rows::kInputs - 1;  ///< inputs beside the first
  static constexpr size_t kArrays = Rows::kNumbers + kEach, kRoom = Base::kMost + 128;
  using Numbers = float[kArrays][kRoom];
  using Elements = FloatElements<Rows, kArrays, kRoom>;

 public:
  static constexpr bool kShallow = false, kShort = false, kOverlaps = false;  ///< see Call

  FloatNormCall(const Rows& rows, const Shared<Rows>& shared, uint8_t* const* places)
      : Base(shared, places[0]), rows_(rows), each_(places + 1), out_(places[Rows::kInputs]) {}

  bool held() const { return held_; }

  template <bool kAligned, uint32_t kSide>
  void single(const uint8_t* at, size_t first, size_t back) const {
    alignas(128) Numbers numbers;
    find(numbers, [&](const auto& call) { call.template single<kAligned, kSide>(at, 0, 0); });
    load_each(numbers, (first - back) % this->plan_.width, kSide * Base::kLanes, typename Rows::Each());
    for (uint32_t side = 0; side < kSide; ++side) {
      const typename Elements::Source source{rows_, numbers, side * Base::kLanes};
      this->template apply<kAligned, Elements>(source, out_, at + side * hvx::kBytes, this->plan_.rows, 0, 0, back * this->plan_.bytes);
    }
  }

  void joined(const uint8_t* at, size_t) const {
    alignas(128) Numbers numbers;
    const size_t width = this->plan_.width, lanes = this->plan_.joined * width;
    find(numbers, [&](const auto& call) { call.joined(at, 0); });
    load_each(numbers, 0, width, typename Rows::Each());
    for (auto& array : numbers) Base::repeat(array, width, lanes);
    const size_t whole = this->whole_rows(), rest = (this->plan_.rows - whole * this->plan_.joined) * width;
    this->each_joined(at, [&](auto aligned, auto side, size_t from) {
      for (size_t i = from; i < from + side * Base::kLanes; i += Base::kLanes) {
        const typename Elements::Source source{rows_, numbers, i};
        const size_t live = rest > i ? rest - i : 0, bytes = this->plan_.bytes;
        this->template apply<aligned, Elements>(source, out_, at + i * bytes, whole, whole * this->stride_, live * bytes, 0);
      }
    });
  }

 private:
  /// Numbers of columns, each kind in an array.
  template <typename Find>
  OPKG_INLINE void find(Numbers& numbers, const Find& find) const {
    uint8_t* out[Rows::kNumbers];
    for (uint32_t i = 0; i < Rows::kNumbers; ++i) out[i] = reinterpret_cast<uint8_t*>(numbers[i]);
    const FloatCall<Rows, kExact> call(rows_, this->shared_, this->in_, out);
    find(call);
    if (!call.held()) held_ = false;
  }

  template <typename... T>
  OPKG_INLINE void load_each([[maybe_unused]] Numbers& to, [[maybe_unused]] size_t column, [[maybe_unused]] size_t n, hvx::Types<T...>) const {
    [[maybe_unused]] uint32_t i = 0;
    ((widen<T>(each_[i] + column * sizeof(T), n, to[Rows::kNumbers + i]), ++i), ...);
  }

  /// n numbers; floats behind them, less than a vector of numbers, are written as well.
  template <typename T>
  static void widen(const uint8_t* from, size_t n, float* to) {
    constexpr size_t kStep = hvx::kBytes / sizeof(T);
    for (size_t i = 0; i < n; i += kStep) {
      const size_t left = n - i < kStep ? n - i : kStep;
      HVX_Vector groups[kStep / 32], words[kStep / 32];
      hvx::floats_of<T>(hvx::load_some(from + i * sizeof(T), left * sizeof(T)), groups);
      hvx::in_order<T>(groups, words);
      for (size_t k = 0; k < kStep / 32; ++k) hvx::store_unaligned(to + i + 32 * k, words[k]);
    }
  }

  const Rows& rows_;
  uint8_t* const* each_;
  uint8_t* out_;
  mutable bool held_ = true;
};

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_HVX && OPKG_HVX_FLOAT
#endif  // OPKG_COLUMNS_FLOAT_NORM_H_
