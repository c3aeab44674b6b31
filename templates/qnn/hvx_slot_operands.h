// Operands and results of rows in slots (opkg/hvx_slots.h), a vector at a time. C++17.
#ifndef OPKG_HVX_SLOT_OPERANDS_H_
#define OPKG_HVX_SLOT_OPERANDS_H_

#include <algorithm>

#include "opkg/hvx_slots.h"

#if OPKG_HVX

namespace opkg::hvx {

/// A vector of `bytes` bytes from `part` vectors on, as far as they go.
template <uint32_t kParts>
OPKG_INLINE HVX_Vector load_part(const uint8_t* from, size_t bytes, uint32_t part) {
  if (kParts == 1) return load_some(from, bytes);
  return bytes <= part * kBytes ? Q6_V_vzero() : load_some(from + part * kBytes, std::min(bytes - part * kBytes, kBytes));
}
template <uint32_t kParts>
OPKG_INLINE void store_part(uint8_t* to, size_t bytes, uint32_t part, HVX_Vector v) {
  if (kParts == 1) return store_some(to, bytes, v);
  if (bytes > part * kBytes) store_some(to + part * kBytes, std::min(bytes - part * kBytes, kBytes), v);
}

/// A part of a vector of slots that all hold the row that lies at `data`. `step`: bytes from vector to vector of it.
template <uint32_t kParts>
OPKG_INLINE HVX_Vector repeated_row(const Slots& slots, const uint8_t* data, size_t step, uint32_t part) {
  const size_t bytes = kParts * slots.bytes(), slot = kParts * slots.slot();
  const size_t from = slot > kBytes ? part & (slot / kBytes - 1) : 0;  // slots of less than all parts come again
  const size_t some = bytes > from * kBytes ? std::min(bytes - from * kBytes, kBytes) : 0;
  HVX_Vector v = Q6_V_vzero();
  if (some != 0) v = Q6_V_vmux_QVV(Q6_Q_vsetq2_R(static_cast<int32_t>(some)), load_some(data + from * step, some), v);
  if (slot < kBytes) v = Q6_V_vdelta_VV(v, Q6_V_vand_VV(slots.places(), Q6_Vb_vsplat_R(static_cast<int32_t>(kBytes - slot))));
  return v;
}

/// An operand whose rows lie one after another. kParts: its vectors for each one that slots are counted in, as its elements
/// are so many times larger. `same`: there is one row in the place of all.
template <bool kOne, uint32_t kParts = 1>
class SlotsIn {
 public:
  OPKG_INLINE SlotsIn(const Slots& slots, const void* data, bool same = false)
      : data_(static_cast<const uint8_t*>(data)), bytes_(same ? 0 : kParts * (kOne ? slots.bytes() : slots.step())), rest_(kParts * slots.rest_bytes()) {
    if (kOne && same) {
      repeat(slots);
    } else if (kOne && !slots.dense()) {
      gather(slots);
    }
  }
  SlotsIn(const SlotsIn&) = delete;
  SlotsIn& operator=(const SlotsIn&) = delete;

  /// Vector i of a unit.
  template <typename Lanes>
  OPKG_INLINE HVX_Vector at(const Lanes& lanes, size_t unit, size_t i, uint32_t part = 0) const {
    if (kOne) return load_unaligned(data_ + (unit * kParts + part) * kBytes);
    const uint8_t* const from = data_ + unit * bytes_ + i * kParts * kBytes;
    return lanes.whole() ? load_unaligned(from + part * kBytes) : load_part<kParts>(from, rest_, part);
  }

 private:
  __attribute__((noinline)) void repeat(const Slots& slots) {
    OPKG_UNROLL_WHOLE
    for (uint32_t part = 0; part < kParts; ++part) {
      const HVX_Vector v = repeated_row<kParts>(slots, data_, kBytes, part);
      for (size_t unit = 0; unit < slots.units(); ++unit) store_unaligned(held_ + (unit * kParts + part) * kBytes, v);
    }
    data_ = held_;
  }

  __attribute__((noinline)) void gather(const Slots& slots) {
    const uint8_t* at = data_;
    uint8_t* to = held_;
    data_ = held_;
    const size_t slot = slots.slot() * kParts;
    if (const SlotRoute* route = slots.route(kParts)) return SlotRoute::gather(*route, at, slots.rows() * bytes_, slots.rows() * slot, to);
    for (size_t row = 0; row < slots.rows(); ++row, at += bytes_, to += slot) {
      OPKG_UNROLL_WHOLE
      for (uint32_t part = 0; part < kParts; ++part) {
        if (part == 0 || slot > part * kBytes) store_unaligned(to + part * kBytes, load_part<kParts>(at, bytes_, part));
      }
    }
  }

  const uint8_t* data_;
  size_t bytes_, rest_;
  alignas(128) uint8_t held_[kOne ? 33 * kParts * kBytes : 1];
};

/// An operand that is the same for all rows. `same`: for all elements of a row, too, a vector of them.
template <bool kOne, uint32_t kParts = 1>
class SlotsPattern {
 public:
  OPKG_INLINE SlotsPattern(const Slots& slots, const void* data, bool same = false)
      : data_(static_cast<const uint8_t*>(data)), rest_(kParts * slots.rest_bytes()), step_(same ? 0 : kBytes) {
    if (!kOne) return;
    OPKG_UNROLL_WHOLE
    for (uint32_t part = 0; part < kParts; ++part) held_[part] = repeated_row<kParts>(slots, data_, step_, part);
  }

  template <typename Lanes>
  OPKG_INLINE HVX_Vector at(const Lanes& lanes, size_t, size_t i, uint32_t part = 0) const {
    if (kOne) return held_[part];
    const uint8_t* const from = data_ + i * kParts * step_;
    if (lanes.whole() || (kParts > 1 && step_ == 0)) return load_unaligned(from + part * step_);
    return load_part<kParts>(from, rest_, part);
  }

 private:
  const uint8_t* data_;
  size_t rest_;
  size_t step_;  ///< from vector to vector
  HVX_Vector held_[kParts];
};

/// A result whose rows lie one after another. kParts: as of SlotsIn.
template <bool kOne, uint32_t kParts = 1>
class SlotsOut {
 public:
  OPKG_INLINE SlotsOut(const Slots& slots, void* data)
      : data_(static_cast<uint8_t*>(data)), bytes_(kParts * (kOne ? slots.bytes() : slots.step())), rest_(kParts * slots.rest_bytes()) {
    if (kOne && !slots.dense()) to_ = data_, data_ = held_;
  }
  SlotsOut(const SlotsOut&) = delete;
  SlotsOut& operator=(const SlotsOut&) = delete;

  template <typename Lanes>
  OPKG_INLINE void put(const Lanes& lanes, size_t unit, size_t i, HVX_Vector v) const {
    put(lanes, unit, i, 0, v);
  }
  template <typename Lanes>
  OPKG_INLINE void put(const Lanes& lanes, size_t unit, size_t i, uint32_t part, HVX_Vector v) const {
    if (kOne) return store_unaligned(data_ + (kParts * unit + part) * kBytes, v);
    uint8_t* const to = data_ + unit * bytes_ + i * kParts * kBytes;
    lanes.whole() ? store_unaligned(to + part * kBytes, v) : store_part<kParts>(to, rest_, part, v);
  }

  /// Stores turn(lanes, i) for each vector i of a unit: two at a time, as what is read may be what the vector in front was
  /// stored to, for all that the compiler knows.
  template <typename Turn>
  OPKG_INLINE void each_vector(const Slots& slots, const LiveLanes& last, size_t unit, const Turn& turn) const {
    if constexpr (kOne) {
      put(last, unit, 0, turn(last, 0));
    } else {
      const size_t whole = slots.whole(), pairs = whole / 2;
      OPKG_UNROLL(1)
      for (size_t i = 0; i < pairs; ++i) {
        const HVX_Vector first = turn(LiveLanes::all(), 2 * i), second = turn(LiveLanes::all(), 2 * i + 1);
        put(LiveLanes::all(), unit, 2 * i, first);
        put(LiveLanes::all(), unit, 2 * i + 1, second);
      }
      if (whole % 2 != 0) put(LiveLanes::all(), unit, whole - 1, turn(LiveLanes::all(), whole - 1));
      if (slots.rest()) put(last, unit, whole, turn(last, whole));
    }
  }

  /// Brings rows that do not fill their slots to their places.
  OPKG_INLINE void finish(const Slots& slots) const {
    if (kOne && to_ != nullptr) spread(slots);
  }

 private:
  /// What a whole vector writes behind a row, the next row writes over.
  __attribute__((noinline)) void spread(const Slots& slots) const {
    const size_t slot = kParts * slots.slot(), all = slots.rows() * bytes_;
    if (const SlotRoute* route = slots.route(kParts)) return SlotRoute::spread(*route, held_, all, slots.rows() * slot, to_);
    const size_t whole = bytes_ > kBytes ? kParts * kBytes : kBytes, free = all < whole ? 0 : all - whole + 1;
    const uint8_t* from = held_;
    size_t at = 0;
    for (; at < free; at += bytes_, from += slot) {
      OPKG_UNROLL_WHOLE
      for (uint32_t part = 0; part < kParts; ++part) {
        if (part == 0 || whole > part * kBytes) store_unaligned(to_ + at + part * kBytes, load_unaligned(from + part * kBytes));
      }
    }
    for (; at < all; at += bytes_, from += slot) {
      for (uint32_t part = 0; part < kParts; ++part) store_part<kParts>(to_ + at, bytes_, part, load_unaligned(from + part * kBytes));
    }
  }

  uint8_t* data_;
  size_t bytes_, rest_;
  uint8_t* to_ = nullptr;
  alignas(128) mutable uint8_t held_[kOne ? 33 * kParts * kBytes : 1];
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_SLOT_OPERANDS_H_
