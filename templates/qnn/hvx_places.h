// Places of the largest or the smallest elements: the first of equal ones, and of NaN where there is one. C++17.
//
// Elements become numbers whose largest is asked for. Lanes carry the largest so far and the step that it was found in: down
// columns that is all. Rows are in opkg/hvx_row_places.h.
#ifndef OPKG_HVX_PLACES_H_
#define OPKG_HVX_PLACES_H_

#include <algorithm>
#include <type_traits>

#include "opkg/hvx.h"

#if OPKG_HVX

namespace opkg::hvx {

/// A lane's bits in all lanes of a vector.
template <size_t kSize>
OPKG_INLINE_TINY HVX_Vector all_lanes(uint32_t bits) {
  return Q6_V_vsplat_R(static_cast<int32_t>(kSize == 1 ? bits * 0x01010101u : kSize == 2 ? bits * 0x00010001u
                                                                                         : bits));
}

/// What is compared: bytes without sign, halves and words with it.
template <size_t kSize>
struct Ranks {
  static constexpr size_t kLanes = kBytes / kSize;
  /// Steps that a lane numbers.
  static constexpr size_t kSteps = kSize == 1 ? 256 : kSize == 2 ? 65536
                                                                 : size_t{1} << 30;
  static constexpr uint32_t kLowest = kSize == 1 ? 0 : kSize == 2 ? 0x8000
                                                                  : 0x80000000;

  static OPKG_INLINE_TINY HVX_Vector lowest() { return all_lanes<kSize>(kLowest); }
  static OPKG_INLINE_TINY HVX_VectorPred above(HVX_Vector a, HVX_Vector b) {
    if constexpr (kSize == 1) return Q6_Q_vcmp_gt_VubVub(a, b);
    if constexpr (kSize == 2) return Q6_Q_vcmp_gt_VhVh(a, b);
    if constexpr (kSize == 4) return Q6_Q_vcmp_gt_VwVw(a, b);
  }
  static OPKG_INLINE_TINY HVX_Vector larger(HVX_Vector a, HVX_Vector b) {
    if constexpr (kSize == 1) return Q6_Vub_vmax_VubVub(a, b);
    if constexpr (kSize == 2) return Q6_Vh_vmax_VhVh(a, b);
    if constexpr (kSize == 4) return Q6_Vw_vmax_VwVw(a, b);
  }
  static OPKG_INLINE_TINY HVX_Vector sum(HVX_Vector a, HVX_Vector b) {
    if constexpr (kSize == 1) return Q6_Vb_vadd_VbVb(a, b);
    if constexpr (kSize == 2) return Q6_Vh_vadd_VhVh(a, b);
    if constexpr (kSize == 4) return Q6_Vw_vadd_VwVw(a, b);
  }
  static OPKG_INLINE_TINY HVX_Vector difference(HVX_Vector a, HVX_Vector b) {
    if constexpr (kSize == 2) return Q6_Vh_vsub_VhVh(a, b);
    if constexpr (kSize == 4) return Q6_Vw_vsub_VwVw(a, b);
  }
};

/// Integers as such numbers.
template <typename T, bool kLargest>
struct Order : Ranks<sizeof(T)> {
  static constexpr size_t kSize = sizeof(T);
  static constexpr uint32_t kTop = 1u << (8 * kSize - 1), kAll = kTop | (kTop - 1);
  static constexpr uint32_t kTurned = (std::is_signed_v<T> == (kSize == 1) ? kTop : 0) ^ (kLargest ? 0 : kAll);

  static OPKG_INLINE_TINY HVX_Vector of(HVX_Vector v) {
    if constexpr (kTurned == 0) return v;
    return Q6_V_vxor_VV(v, all_lanes<kSize>(kTurned));
  }
};

/// Floats of `kSize` bytes as such numbers: minus the size of negative ones, so that both zeros are alike; NaN above all others.
template <size_t kSize_, bool kLargest>
struct FloatOrder : Ranks<kSize_> {
  static constexpr size_t kSize = kSize_;
  static constexpr uint32_t kSizes = kSize == 2 ? 0x7fff : 0x7fffffff, kInfinity = kSize == 2 ? 0x7c00 : 0x7f800000;
  using Lanes = Ranks<kSize>;

  static OPKG_INLINE_TINY HVX_Vector of(HVX_Vector v) {
    const HVX_Vector zero = Q6_V_vzero(), size = Q6_V_vand_VV(v, all_lanes<kSize>(kSizes)), minus = Lanes::difference(zero, size);
    const HVX_VectorPred negative = Lanes::above(zero, v);
    const HVX_Vector number = kLargest ? Q6_V_vmux_QVV(negative, minus, size) : Q6_V_vmux_QVV(negative, size, minus);
    return Q6_V_vmux_QVV(Lanes::above(size, all_lanes<kSize>(kInfinity)), all_lanes<kSize>(kSizes), number);
  }
};

/// The largest numbers so far of all lanes, and the steps that they were found in.
template <typename Order>
struct Leaders {
  HVX_Vector best = Order::lowest(), step = Q6_V_vzero(), now = Q6_V_vzero();

  OPKG_INLINE void take(HVX_Vector numbers) {
    step = Q6_V_vmux_QVV(Order::above(numbers, best), now, step);
    best = Order::larger(best, numbers);
    now = Order::sum(now, all_lanes<Order::kSize>(1));
  }
  /// Vectors `stride` bytes apart.
  OPKG_INLINE void take_all(const uint8_t* at, size_t stride, size_t count) {
    OPKG_UNROLL(4)
    for (size_t i = 0; i < count; ++i, at += stride) take(Order::of(load_unaligned(at)));
  }
  /// The first `bytes` bytes of a vector.
  OPKG_INLINE void take_some(const uint8_t* at, size_t bytes) {
    take(Q6_V_vmux_QVV(Q6_Q_vsetq2_R(static_cast<int32_t>(bytes)), Order::of(load_some(at, bytes)), Order::lowest()));
  }
};

/// Writes `count` words from some vectors.
OPKG_INLINE void store_words(int32_t* to, size_t count, const HVX_Vector* words) {
  for (; count >= 32; count -= 32, to += 32) store_unaligned(to, *words++);
  if (count != 0) store_some(to, count * 4, *words);
}

/// Steps of lanes of kSize bytes as words.
template <size_t kSize>
OPKG_INLINE void to_words(HVX_Vector steps, HVX_Vector* to) {
  if constexpr (kSize == 4) {
    to[0] = steps;
  } else if constexpr (kSize == 2) {
    const HVX_VectorPair words = Q6_Wuw_vunpack_Vuh(steps);
    to[0] = Q6_V_lo_W(words), to[1] = Q6_V_hi_W(words);
  } else {
    const HVX_VectorPair halves = Q6_Wuh_vunpack_Vub(steps);
    to_words<2>(Q6_V_lo_W(halves), to), to_words<2>(Q6_V_hi_W(halves), to + 2);
  }
}

/// Places in `live` columns, at most a vector of them, which begin at `at` and have `count` elements, `stride` bytes apart. `end`: of the
/// tensor.
template <typename Order>
class ColumnPlaces {
  static constexpr size_t kSize = Order::kSize, kLanes = Order::kLanes, kParts = 4 / kSize;

 public:
  ColumnPlaces(size_t width, size_t count) : width_(width), count_(count) {}

  OPKG_INLINE void run(const uint8_t* at, const uint8_t* end, size_t live, int32_t* to) const {
    if (live < kLanes || count_ > Order::kSteps) return others(at, end, live, to);
    Leaders<Order> found;
    found.take_all(at, width_ * kSize, count_);
    HVX_Vector words[kParts];
    to_words<kSize>(found.step, words);
    store_words(to, kLanes, words);
  }

 private:
  __attribute__((noinline)) void others(const uint8_t* at, const uint8_t* end, size_t live, int32_t* to) const {
    const size_t stride = width_ * kSize;
    const size_t turned = live < kLanes && width_ >= kLanes ? (kLanes - live) * kSize : 0;  // the last vector begins earlier
    HVX_Vector best = Q6_V_vzero(), words[kParts];
    for (size_t done = 0; done < count_; done += Order::kSteps) {
      const size_t steps = std::min(count_ - done, Order::kSteps);
      const uint8_t* const first = at + done * stride - turned;
      size_t whole = steps;  // vectors that end in the tensor
      while (whole != 0 && static_cast<size_t>(end - first) < (whole - 1) * stride + kBytes) --whole;
      Leaders<Order> found;
      found.take_all(first, stride, whole);
      for (size_t i = whole; i < steps; ++i) found.take_some(first + i * stride, live * kSize);
      if (done == 0) {
        best = found.best;
        to_words<kSize>(Q6_V_vror_VR(found.step, static_cast<int32_t>(turned)), words);
      } else {
        join(found, turned, done, &best, words);
      }
    }
    store_words(to, live, words);
  }

  /// Takes steps from `done` on into what was found before.
  static __attribute__((noinline)) void join(const Leaders<Order>& found, size_t turned, size_t done, HVX_Vector* best, HVX_Vector* words) {
    const HVX_Vector behind = Q6_V_vand_QR(Order::above(found.best, *best), 0x01010101);
    HVX_Vector later[kParts], steps[kParts];
    to_words<kSize>(Q6_V_vror_VR(behind, static_cast<int32_t>(turned)), later);
    to_words<kSize>(Q6_V_vror_VR(found.step, static_cast<int32_t>(turned)), steps);
    for (uint32_t i = 0; i < kParts; ++i) {
      const HVX_Vector step = Q6_Vw_vadd_VwVw(steps[i], Q6_V_vsplat_R(static_cast<int32_t>(done)));
      words[i] = Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(later[i], Q6_V_vzero()), step, words[i]);
    }
    *best = Order::larger(*best, found.best);
  }

  size_t width_;
  size_t count_;
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_PLACES_H_
