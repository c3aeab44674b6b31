// Places of extremes in rows that lie one after another. C++17.
//
// A number (opkg/hvx_places.h) and its place are one key, the place from the end: of two equal numbers the earlier one has the
// larger key. Words have no room for that: they have a vector for their places. Keys are folded until each lane is a row.
#ifndef OPKG_HVX_ROW_PLACES_H_
#define OPKG_HVX_ROW_PLACES_H_

#include "opkg/hvx_fold_tree.h"
#include "opkg/hvx_places.h"
#include "opkg/hvx_route.h"

#if OPKG_HVX

namespace opkg::hvx {

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
    if constexpr (kSize == 4) {
      Placed found;
      folded<kDense>(at, end, rows, levels_ - 2, &found, [&](HVX_Vector v) OPKG_INLINE_LAMBDA { return Placed{v, numbers_[0]}; }, join_placed);
      store_words(to, rows, &found.place);
    } else if constexpr (kSize == 2) {
      HVX_Vector keys;
      folded<kDense>(at, end, rows, levels_ - 2, &keys, [&](HVX_Vector v) OPKG_INLINE_LAMBDA { return keys_of(v, numbers_[0]); }, join_words);
      const HVX_Vector places = place_of(keys);
      store_words(to, rows, &places);
    } else {
      HVX_Vector keys, places[2];
      const auto keys_of_bytes = [&](HVX_Vector v) OPKG_INLINE_LAMBDA {
        return Q6_Vuh_vmax_VuhVuh(Q6_Vb_vshuffe_VbVb(v, numbers_[0]), Q6_Vb_vshuffo_VbVb(v, numbers_[0]));
      };
      folded<kDense>(at, end, rows, levels_ - 1, &keys, keys_of_bytes, join_halves);
      to_words<2>(Q6_V_vand_VV(Q6_V_vnot_V(keys), all_lanes<2>(0xff)), places);
      store_words(to, rows, places);
    }
  }

  /// Vectors of rows in slots, folded until each lane is a row. `keys`: what is made of a vector's numbers.
  template <bool kDense, typename Vector, typename Keys, typename Fold>
  OPKG_INLINE void folded(const uint8_t* at, const uint8_t* end, size_t rows, uint32_t levels, Vector* to, const Keys& keys, const Fold& fold) const {
    constexpr uint32_t kSome = kSize == 4 ? 2 : 3;  // levels that are folded in registers
    const HVX_VectorPred live = Q6_Q_vand_VR(live_, -1);
    const size_t step = kBytes / slot_ * bytes_, vectors = (rows * slot_ + kBytes - 1) / kBytes, turns = (vectors + (1u << kSome) - 1) >> kSome;
    const auto numbers = [&](HVX_Vector v) OPKG_INLINE_LAMBDA {
      return kDense ? Order::of(v) : Q6_V_vmux_QVV(live, Order::of(Q6_V_vdelta_VV(v, control_)), Order::lowest());
    };
    if (levels >= kSome && ((turns << kSome) - 1) * step + kBytes <= static_cast<size_t>(end - at)) {
      const auto made = [&](size_t i) OPKG_INLINE_LAMBDA { return keys(numbers(load_unaligned(at + i * step))); };
      return fold_tree<kSome>(turns, levels, to, [&](size_t i) OPKG_INLINE_LAMBDA { return fold_some<kSome>(i << kSome, made, fold); }, fold);
    }
    const auto made = [&](size_t i) OPKG_INLINE_LAMBDA {
      const uint8_t* const from = at + i * step;
      return keys(numbers(load_some(from, std::min(static_cast<size_t>(end - from), kBytes))));
    };
    fold_tree<0>(vectors, levels, to, made, fold);
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
  uint32_t levels_ = kSize == 1 ? 0 : kSize == 2 ? 1
                                                 : 2;  ///< a slot has 2^levels_ bytes
  HVX_Vector live_;                                    ///< -1 in bytes of slots that rows have
  HVX_Vector control_ = Q6_V_vzero();                  ///< brings rows to their slots
  HVX_Vector numbers_[2];                              ///< places of lanes, of bytes and halves from the end
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_ROW_PLACES_H_
