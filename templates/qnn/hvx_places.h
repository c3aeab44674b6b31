// Places of the largest or the smallest elements: the first of equal ones, and of NaN where there is one. C++17.
//
// Elements become numbers whose largest is asked for. Down columns lanes carry the largest so far and the step that it was
// found in. Of rows a number and its place are one key, the place from the end: of two equal numbers the earlier one has the
// larger key. Words have no room for that: they have a vector for their places.
#ifndef OPKG_HVX_PLACES_H_
#define OPKG_HVX_PLACES_H_

#include <algorithm>
#include <type_traits>

#include "opkg/hvx_fold_tree.h"
#include "opkg/hvx_route.h"

#if OPKG_HVX

namespace opkg::hvx {

/// A lane's bits in all lanes of a vector.
template <size_t kSize>
OPKG_INLINE_TINY HVX_Vector all_lanes(uint32_t bits) {
  return Q6_V_vsplat_R(static_cast<int32_t>(kSize == 1 ? bits * 0x01010101u : kSize == 2 ? bits * 0x00010001u : bits));
}

/// What is compared: bytes without sign, halves and words with it.
template <size_t kSize>
struct Ranks {
  static constexpr size_t kLanes = kBytes / kSize;
  /// Steps that a lane numbers.
  static constexpr size_t kSteps = kSize == 1 ? 256 : kSize == 2 ? 65536 : size_t{1} << 30;
  static constexpr uint32_t kLowest = kSize == 1 ? 0 : kSize == 2 ? 0x8000 : 0x80000000;

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

  void run(const uint8_t* at, const uint8_t* end, size_t live, int32_t* to) const {
    const size_t stride = width_ * kSize;
    const size_t turned = live < kLanes && width_ >= kLanes ? (kLanes - live) * kSize : 0;  // the last vector begins earlier
    HVX_Vector best = Q6_V_vzero(), words[kParts];
    for (size_t done = 0; done < count_; done += Order::kSteps) {
      const size_t steps = std::min(count_ - done, Order::kSteps);
      const uint8_t* const first = at + done * stride;
      Leaders<Order> found;
      const size_t room = static_cast<size_t>(end - (first - turned));
      const size_t whole = room < kBytes ? 0 : std::min(steps, (room - kBytes) / stride + 1);  // vectors that end in the tensor
      found.take_all(first - turned, stride, whole);
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

 private:
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

/// Words and their places.
struct Placed {
  HVX_Vector best, place;
};

/// Places in rows that lie one after another: a row of up to a vector takes a slot, its bytes rounded up to a power of two.
template <typename Order>
class RowPlaces {
  static constexpr size_t kSize = Order::kSize, kLanes = Order::kLanes;
  static constexpr size_t kMost = kSize == 1 ? 32768 : 65536;  ///< elements whose places keys have room for, of bytes and halves

 public:
  explicit RowPlaces(size_t count) : count_(count), bytes_(count * kSize) {
    while (slot_ < bytes_ && slot_ < kBytes) slot_ *= 2, ++levels_;
    alignas(kBytes) uint8_t live[kBytes], numbers[2][kBytes] = {};
    for (size_t k = 0; k < kBytes; ++k) live[k] = k % slot_ < bytes_ ? 255 : 0;
    for (size_t k = 0; k < kLanes; ++k) {
      const size_t place = is_short() ? k % (slot_ / kSize) : k;
      const bool dead = is_short() && place >= count_;
      if constexpr (kSize == 4) {
        set<uint32_t>(numbers[0], k, dead ? INT32_MAX : place);
      } else if constexpr (kSize == 2) {
        set<uint16_t>(numbers[0], k, dead ? 0 : 65535 - place);
      } else if (is_short()) {
        numbers[0][k] = static_cast<uint8_t>(dead ? 0 : 255 - place);
      } else {
        set<uint16_t>(numbers[k % 2], k / 2, 65535 - place);
      }
    }
    live_ = load(live), numbers_[0] = load(numbers[0]), numbers_[1] = load(numbers[1]);
    if (bytes_ < slot_) control_ = into_slots(bytes_, slot_);
  }

  /// Rows that run() takes.
  size_t group() const { return kSize == 1 && is_short() ? 64 : 32; }

  /// The places in up to group() rows of a tensor that ends at `end`.
  void run(const uint8_t* at, const uint8_t* end, size_t rows, int32_t* to) const {
    if (is_short()) return bytes_ == slot_ ? slots<true>(at, end, rows, to) : slots<false>(at, end, rows, to);
    if constexpr (kSize != 4) {
      if (count_ > kMost) return in_parts(at, rows, to);
      HVX_Vector keys;
      fold_tree<0>(rows, 5, &keys, [&](size_t i) OPKG_INLINE_LAMBDA { return row(at + i * bytes_, count_); }, join_words);
      const HVX_Vector places = place_of(keys);
      store_words(to, rows, &places);
    } else {
      Placed found;
      fold_tree<0>(rows, 5, &found, [&](size_t i) OPKG_INLINE_LAMBDA { return row(at + i * bytes_, count_); }, join_placed);
      store_words(to, rows, &found.place);
    }
  }

 private:
  bool is_short() const { return bytes_ <= kBytes; }

  template <typename T>
  static void set(uint8_t* lanes, size_t lane, size_t number) {
    const T value = static_cast<T>(number);
    memcpy(lanes + lane * sizeof(T), &value, sizeof(T));
  }

  static OPKG_INLINE HVX_Vector join_halves(HVX_Vector a, HVX_Vector b) {
    const HVX_VectorPair apart = Q6_W_vdeal_VVR(b, a, -2);
    return Q6_Vuh_vmax_VuhVuh(Q6_V_lo_W(apart), Q6_V_hi_W(apart));
  }
  static OPKG_INLINE HVX_Vector join_words(HVX_Vector a, HVX_Vector b) {
    const HVX_VectorPair apart = Q6_W_vdeal_VVR(b, a, -4);
    return Q6_Vw_vmax_VwVw(Q6_V_lo_W(apart), Q6_V_hi_W(apart));
  }
  static OPKG_INLINE Placed join_placed(const Placed& a, const Placed& b) {
    const HVX_VectorPair best = Q6_W_vdeal_VVR(b.best, a.best, -4), place = Q6_W_vdeal_VVR(b.place, a.place, -4);
    const HVX_Vector one = Q6_V_lo_W(best), other = Q6_V_hi_W(best), here = Q6_V_lo_W(place), there = Q6_V_hi_W(place);
    const HVX_VectorPred before = Q6_Q_vcmp_gtand_QVwVw(Q6_Q_vcmp_eq_VwVw(one, other), here, there);  // of equal ones
    return {Q6_Vw_vmax_VwVw(one, other), Q6_V_vmux_QVV(Q6_Q_or_QQ(Q6_Q_vcmp_gt_VwVw(other, one), before), there, here)};
  }

  /// Keys of halves of a vector, neighbours joined: words.
  static OPKG_INLINE HVX_Vector keys_of(HVX_Vector numbers, HVX_Vector places) {
    return Q6_Vw_vmax_VwVw(Q6_Vh_vshuffe_VhVh(numbers, places), Q6_Vh_vshuffo_VhVh(numbers, places));
  }
  /// The place in a key of a word.
  static OPKG_INLINE HVX_Vector place_of(HVX_Vector keys) { return Q6_V_vand_VV(Q6_V_vnot_V(keys), Q6_V_vsplat_R(0xffff)); }

  /// The largest of a row, or of a part of it: a key or a number for each lane.
  OPKG_INLINE auto row(const uint8_t* at, size_t count) const {
    Leaders<Order> found;
    const size_t whole = count / kLanes * kBytes;
    found.take_all(at, kBytes, count / kLanes);
    if (count % kLanes != 0) found.take_some(at + whole, count % kLanes * kSize);
    if constexpr (kSize == 4) {
      return Placed{found.best, Q6_Vw_vadd_VwVw(Q6_Vw_vasl_VwR(found.step, 5), numbers_[0])};
    } else if constexpr (kSize == 2) {
      return keys_of(found.best, Q6_Vh_vsub_VhVh(numbers_[0], Q6_Vh_vasl_VhR(found.step, 6)));
    } else {
      const HVX_VectorPair best = Q6_Wuh_vzxt_Vub(found.best), ahead = Q6_Wuh_vmpy_VubVub(found.step, Q6_Vb_vsplat_R(-128));
      const HVX_Vector even = keys_of(Q6_V_lo_W(best), Q6_Vh_vsub_VhVh(numbers_[0], Q6_V_lo_W(ahead)));
      return Q6_Vw_vmax_VwVw(even, keys_of(Q6_V_hi_W(best), Q6_Vh_vsub_VhVh(numbers_[1], Q6_V_hi_W(ahead))));
    }
  }

  /// Rows in slots.
  template <bool kDense>
  void slots(const uint8_t* at, const uint8_t* end, size_t rows, int32_t* to) const {
    const size_t vectors = (rows * slot_ + kBytes - 1) / kBytes, step = kBytes / slot_ * bytes_;
    const HVX_VectorPred live = Q6_Q_vand_VR(live_, -1);
    const auto numbers = [&](size_t i) OPKG_INLINE_LAMBDA {
      const uint8_t* const from = at + i * step;
      const size_t left = static_cast<size_t>(end - from);
      const HVX_Vector v = left >= kBytes ? load_unaligned(from) : load_some(from, left);
      return kDense ? Order::of(v) : Q6_V_vmux_QVV(live, Order::of(Q6_V_vdelta_VV(v, control_)), Order::lowest());
    };
    if constexpr (kSize == 4) {
      Placed found;
      fold_tree<0>(vectors, levels_ - 2, &found, [&](size_t i) OPKG_INLINE_LAMBDA { return Placed{numbers(i), numbers_[0]}; }, join_placed);
      store_words(to, rows, &found.place);
    } else if constexpr (kSize == 2) {
      HVX_Vector keys;
      fold_tree<0>(vectors, levels_ - 2, &keys, [&](size_t i) OPKG_INLINE_LAMBDA { return keys_of(numbers(i), numbers_[0]); }, join_words);
      const HVX_Vector places = place_of(keys);
      store_words(to, rows, &places);
    } else {
      HVX_Vector keys, places[2];
      const auto keys_of_bytes = [&](size_t i) OPKG_INLINE_LAMBDA {
        const HVX_Vector v = numbers(i);
        return Q6_Vuh_vmax_VuhVuh(Q6_Vb_vshuffe_VbVb(v, numbers_[0]), Q6_Vb_vshuffo_VbVb(v, numbers_[0]));
      };
      fold_tree<0>(vectors, levels_ - 1, &keys, keys_of_bytes, join_halves);
      to_words<2>(Q6_V_vand_VV(Q6_V_vnot_V(keys), all_lanes<2>(0xff)), places);
      store_words(to, rows, places);
    }
  }

  /// Rows of more than kMost elements, one by one.
  __attribute__((noinline)) void in_parts(const uint8_t* at, size_t rows, int32_t* to) const {
    for (; rows != 0; --rows, at += bytes_) {
      int32_t best = INT32_MIN;
      for (size_t done = 0; done < count_; done += kMost) {
        HVX_Vector keys = row(at + done * kSize, std::min(count_ - done, kMost));
        for (int32_t turn = 64; turn >= 4; turn /= 2) keys = Q6_Vw_vmax_VwVw(keys, Q6_V_vror_VR(keys, turn));
        const int32_t key = Q6_R_vextract_VR(keys, 0);
        if (done != 0 && key >> 16 <= best) continue;
        best = key >> 16;
        *to = static_cast<int32_t>(done) + 65535 - (key & 65535);
      }
      ++to;
    }
  }

  size_t count_, bytes_, slot_ = kSize;
  uint32_t levels_ = kSize == 1 ? 0 : kSize == 2 ? 1 : 2;  ///< a slot has 2^levels_ bytes
  HVX_Vector live_;                                      ///< -1 in bytes of slots that rows have
  HVX_Vector control_ = Q6_V_vzero();                    ///< brings rows to their slots
  HVX_Vector numbers_[2];                                ///< places of lanes, of bytes and halves from the end
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_PLACES_H_
