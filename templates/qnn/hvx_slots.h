// Rows of any length, up to 32 at a time: where their elements are, and their numbers, one in each word of a vector. C++17.
//
// A row takes a slot: its bytes, rounded up to a power of two, of at least a word; a row of more than 128 bytes takes
// vectors of its own. A unit is what is walked at a time: one vector of slots, or one row. What loops find of a unit is
// folded until each word is a row (Units); numbers of rows go back to all words of their slots (Spread32). As a slot has
// whole words, that is the right place in lanes of any width.
#ifndef OPKG_HVX_SLOTS_H_
#define OPKG_HVX_SLOTS_H_

#include <type_traits>

#include "opkg/hvx_rows.h"

#if OPKG_HVX

namespace opkg::hvx {

constexpr size_t kSlotRows = 32;  ///< at a time, at most

/// Some rows of `bytes` bytes.
class Slots {
 public:
  Slots(size_t bytes, size_t rows) : bytes_(bytes), rows_(rows) {
    while (slot_ < bytes && slot_ < kBytes) slot_ *= 2, ++levels_;
    if (one_vector()) {
      dense_ = bytes == slot_ && rows * slot_ % kBytes == 0;
      units_ = (rows * slot_ + kBytes - 1) / kBytes;
      rest_ = bytes == slot_ ? 0 : bytes;
      whole_ = rest_ == 0 ? 1 : 0;
    } else {
      units_ = rows;
      whole_ = bytes / kBytes;
      rest_ = bytes % kBytes;
    }
    live_ = Q6_V_vmux_QVV(Q6_Q_vsetq2_R(static_cast<int32_t>(rest_ == 0 ? kBytes : rest_)), Q6_V_vsplat_R(-1), Q6_V_vzero());
    for (size_t turn = slot_; turn < kBytes; turn *= 2) live_ = Q6_V_vor_VV(live_, Q6_V_vror_VR(live_, static_cast<int32_t>(kBytes - turn)));
  }

  /// How many rows at a time, where all of them may have `most` vectors together, or any number if that is 0, and there may
  /// be so many units of one vector.
  static size_t rows_for(size_t bytes, size_t most, size_t units) {
    const size_t vectors = (bytes + kBytes - 1) / kBytes;
    size_t rows = vectors == 1 && bytes > kBytes / 2 ? units : kSlotRows;
    while (most != 0 && rows > 1 && rows * vectors > most) rows /= 2;
    return most != 0 && vectors > most ? 0 : rows;
  }

  size_t bytes() const { return bytes_; }
  size_t rows() const { return rows_; }
  size_t units() const { return units_; }
  size_t slot() const { return slot_; }
  uint32_t levels() const { return levels_; }  ///< a slot has 2^levels words
  size_t whole() const { return whole_; }      ///< vectors of a unit without lanes that have no element
  bool rest() const { return rest_ != 0; }     ///< whether one with such lanes follows
  size_t rest_bytes() const { return rest_; }  ///< of a row in it
  size_t vectors() const { return whole_ + (rest() ? 1 : 0); }
  bool one_vector() const { return bytes_ <= kBytes; }                               ///< whether a unit is one vector
  bool dense() const { return dense_; }                                              ///< whether rows fill their slots and units as they lie in memory
  size_t missing(size_t size) const { return (vectors() * slot_ - bytes_) / size; }  ///< lanes of a row that have no element

  HVX_Vector live() const { return live_; }  ///< -1 in bytes of the last vector that rows have

 private:
  size_t bytes_, rows_, units_;
  size_t slot_ = 4;
  uint32_t levels_ = 0;
  size_t whole_ = 0, rest_ = 0;
  bool dense_ = false;
  HVX_Vector live_;
};

/// Lanes of a vector that is not whole: others take a number that changes nothing.
class LiveLanes {
 public:
  OPKG_INLINE explicit LiveLanes(const Slots& slots) : live_(slots.live()) {}
  OPKG_INLINE HVX_Vector keep8(HVX_Vector v, HVX_Vector other, uint32_t) const { return Q6_V_vmux_QVV(Q6_Q_vand_VR(live_, -1), v, other); }
  OPKG_INLINE HVX_Vector keep16(HVX_Vector v, HVX_Vector other, uint32_t) const { return keep8(v, other, 0); }

  // The lanes of whole vectors: as in opkg/hvx_rows.h.
#if defined(__hexagon__)
  static constexpr bool whole() { return false; }
  static OPKG_INLINE AllLanes all() { return {}; }
#else
  bool whole() const { return whole_; }
  static LiveLanes all() { return LiveLanes(); }
#endif

 private:
#if !defined(__hexagon__)
  LiveLanes() : live_(Q6_V_vsplat_R(-1)), whole_(true) {}
#endif

  HVX_Vector live_;
  [[maybe_unused]] bool whole_ = false;
};

/// Calls `turn(lanes, i)` for each vector i of a unit. kOne: units are one vector; kUnroll: turns of the loop that become one.
template <bool kOne, uint32_t kUnroll, typename Turn>
OPKG_INLINE void each_vector(const Slots& slots, const LiveLanes& last, const Turn& turn) {
  if constexpr (kOne) {
    turn(last, 0);
  } else {
    OPKG_UNROLL(kUnroll)
    for (size_t i = 0; i < slots.whole(); ++i) turn(LiveLanes::all(), i);
    if (slots.rest()) turn(last, slots.whole());
  }
}

/// An operand whose rows lie one after another.
template <bool kOne>
class SlotsIn {
 public:
  OPKG_INLINE SlotsIn(const Slots& slots, const void* data) : data_(static_cast<const uint8_t*>(data)), bytes_(slots.bytes()), rest_(slots.rest_bytes()) {
    if (kOne && !slots.dense()) gather(slots);
  }
  SlotsIn(const SlotsIn&) = delete;
  SlotsIn& operator=(const SlotsIn&) = delete;

  /// Vector i of a unit.
  template <typename Lanes>
  OPKG_INLINE HVX_Vector at(const Lanes& lanes, size_t unit, size_t i) const {
    if (kOne) return load_unaligned(data_ + unit * kBytes);
    const uint8_t* const from = data_ + unit * bytes_ + i * kBytes;
    return lanes.whole() ? load_unaligned(from) : load_some(from, rest_);
  }

 private:
  __attribute__((noinline)) void gather(const Slots& slots) {
    const uint8_t* at = data_;
    for (size_t row = 0; row < slots.rows(); ++row, at += slots.bytes()) {
      store_unaligned(held_ + row * slots.slot(), load_some(at, slots.bytes()));
    }
    data_ = held_;
  }

  const uint8_t* data_;
  size_t bytes_, rest_;
  alignas(128) uint8_t held_[kOne ? 33 * kBytes : 1];
};

/// An operand that is the same for all rows. `same`: for all elements of a row, too, a vector of them.
template <bool kOne>
class SlotsPattern {
 public:
  OPKG_INLINE SlotsPattern(const Slots& slots, const void* data, bool same = false)
      : data_(static_cast<const uint8_t*>(data)), rest_(slots.rest_bytes()), step_(same ? 0 : kBytes) {
    if (!kOne) return;
    HVX_Vector v = Q6_V_vmux_QVV(Q6_Q_vsetq2_R(static_cast<int32_t>(slots.bytes())), load_some(data, slots.bytes()), Q6_V_vzero());
    for (size_t turn = slots.slot(); turn < kBytes; turn *= 2) v = Q6_V_vor_VV(v, Q6_V_vror_VR(v, static_cast<int32_t>(kBytes - turn)));
    held_ = v;
  }

  template <typename Lanes>
  OPKG_INLINE HVX_Vector at(const Lanes& lanes, size_t, size_t i) const {
    if (kOne) return held_;
    return lanes.whole() ? load_unaligned(data_ + i * step_) : load_some(data_ + i * step_, rest_);
  }

 private:
  const uint8_t* data_;
  size_t rest_;
  size_t step_;  ///< from vector to vector
  HVX_Vector held_;
};

/// A result whose rows lie one after another.
template <bool kOne>
class SlotsOut {
 public:
  OPKG_INLINE SlotsOut(const Slots& slots, void* data) : data_(static_cast<uint8_t*>(data)), bytes_(slots.bytes()), rest_(slots.rest_bytes()) {
    if (kOne && !slots.dense()) to_ = data_, data_ = held_;
  }
  SlotsOut(const SlotsOut&) = delete;
  SlotsOut& operator=(const SlotsOut&) = delete;

  template <typename Lanes>
  OPKG_INLINE void put(const Lanes& lanes, size_t unit, size_t i, HVX_Vector v) const {
    if (kOne) return store_unaligned(data_ + unit * kBytes, v);
    uint8_t* const to = data_ + unit * bytes_ + i * kBytes;
    lanes.whole() ? store_unaligned(to, v) : store_some(to, rest_, v);
  }

  /// Brings rows that do not fill their slots to their places.
  OPKG_INLINE void finish(const Slots& slots) const {
    if (kOne && to_ != nullptr) spread(slots);
  }

 private:
  /// What a whole vector writes behind a row, the next row writes over.
  __attribute__((noinline)) void spread(const Slots& slots) const {
    const size_t all = slots.rows() * slots.bytes(), free = all < kBytes ? 0 : all - kBytes + 1;
    const uint8_t* from = held_;
    size_t at = 0;
    for (; at < free; at += slots.bytes(), from += slots.slot()) store_unaligned(to_ + at, load_unaligned(from));
    for (; at < all; at += slots.bytes(), from += slots.slot()) store_some(to_ + at, slots.bytes(), load_unaligned(from));
  }

  uint8_t* data_;
  size_t bytes_, rest_;
  uint8_t* to_ = nullptr;
  alignas(128) mutable uint8_t held_[kOne ? 33 * kBytes : 1];
};

/// A result of 16 bits of rows of bytes: two vectors for each of theirs.
template <bool kOne>
class SlotsOutHalves {
 public:
  OPKG_INLINE SlotsOutHalves(const Slots& slots, void* data)
      : data_(static_cast<uint8_t*>(data)), bytes_(2 * slots.bytes()), rest_(2 * slots.rest_bytes()) {
    if (kOne && !slots.dense()) to_ = data_, data_ = held_;
  }
  SlotsOutHalves(const SlotsOutHalves&) = delete;
  SlotsOutHalves& operator=(const SlotsOutHalves&) = delete;

  template <typename Lanes>
  OPKG_INLINE void put(const Lanes& lanes, size_t unit, size_t i, size_t part, HVX_Vector v) const {
    if (kOne) return store_unaligned(data_ + (2 * unit + part) * kBytes, v);
    uint8_t* const to = data_ + unit * bytes_ + (2 * i + part) * kBytes;
    lanes.whole() ? store_unaligned(to, v) : store_part(to, rest_, part, v);
  }

  /// Brings rows that do not fill their slots to their places.
  OPKG_INLINE void finish(const Slots& slots) const {
    if (kOne && to_ != nullptr) spread(slots);
  }

 private:
  static OPKG_INLINE void store_part(uint8_t* to, size_t bytes, size_t part, HVX_Vector v) {
    if (bytes > part * kBytes) store_some(to, bytes - part * kBytes < kBytes ? bytes - part * kBytes : kBytes, v);
  }

  __attribute__((noinline)) void spread(const Slots& slots) const {
    const uint8_t* from = held_;
    uint8_t* to = to_;
    for (size_t row = 0; row < slots.rows(); ++row, to += bytes_, from += 2 * slots.slot()) {
      for (size_t part = 0; part < 2; ++part) store_part(to + part * kBytes, bytes_, part, load_unaligned(from + part * kBytes));
    }
  }

  uint8_t* data_;
  size_t bytes_, rest_;
  uint8_t* to_ = nullptr;
  alignas(128) mutable uint8_t held_[kOne ? 65 * kBytes : 1];
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_SLOTS_H_
