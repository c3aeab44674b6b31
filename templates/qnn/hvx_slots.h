// Rows of any length, up to 32 at a time: where their elements are, and their numbers, one in each word of a vector. C++17.
//
// A row takes a slot: its bytes, rounded up to a power of two, of at least a word; a row of more than 128 bytes takes
// vectors of its own. A unit is what is walked at a time: one vector of slots, or one row. What loops find of a unit is
// folded until each word is a row (Units); numbers of rows go back to all words of their slots (Spread32). As a slot has
// whole words, that is the right place in lanes of any width.
#ifndef OPKG_HVX_SLOTS_H_
#define OPKG_HVX_SLOTS_H_

#include <algorithm>
#include <type_traits>

#include "opkg/hvx_number.h"
#include "opkg/hvx_route.h"
#include "opkg/hvx_rows.h"

#if OPKG_HVX

namespace opkg::hvx {

constexpr size_t kSlotRows = 32;  ///< at a time, at most

/// Some rows of `bytes` bytes, `count` elements. `in_slots`: those of up to 128 bytes are in slots as they lie in memory.
/// `apart`: each of them takes a vector of its own, as it lies in memory.
class Slots {
 public:
  OPKG_RARE Slots(size_t bytes, size_t rows, size_t count, bool in_slots = false, bool apart = false)
      : bytes_(bytes), rows_(rows), one_vector_(bytes <= kBytes && !apart) {
    set_numbers(numbers_, {static_cast<double>(count), 1.0 / static_cast<double>(count)});
    while (slot_ < (apart ? kBytes : bytes) && slot_ < kBytes) slot_ *= 2, ++levels_;
    if (one_vector()) {
      dense_ = in_slots || (bytes == slot_ && rows * slot_ % kBytes == 0);
      units_ = (rows * slot_ + kBytes - 1) / kBytes;
      rest_ = bytes == slot_ ? 0 : bytes;
      whole_ = rest_ == 0 ? 1 : 0;
      for (size_t parts = 1; parts <= 2 && !dense_ && slot_ * parts <= kBytes; ++parts) routes_[parts - 1] = SlotRoute(bytes * parts, slot_ * parts);
    } else {
      units_ = rows;
      whole_ = bytes / kBytes;
      rest_ = bytes % kBytes;
    }
    live_ = Q6_V_vmux_QVV(Q6_Q_vsetq2_R(static_cast<int32_t>(rest_ == 0 ? kBytes : rest_)), Q6_V_vsplat_R(-1), Q6_V_vzero());
    uint8_t places[kBytes], control[kBytes];
    for (size_t i = 0; i < kBytes; ++i) places[i] = static_cast<uint8_t>(i), control[i] = static_cast<uint8_t>((i ^ i >> levels_) & (kBytes - 4));
    memcpy(&places_, places, kBytes);
    memcpy(&spread_, control, kBytes);
    for (size_t turn = slot_; turn < kBytes; turn *= 2) live_ = Q6_V_vor_VV(live_, Q6_V_vror_VR(live_, static_cast<int32_t>(kBytes - turn)));
  }

  /// How many rows at a time, where all of them may have `most` vectors together, or any number if that is 0.
  static size_t rows_for(size_t bytes, size_t most) {
    const size_t vectors = (bytes + kBytes - 1) / kBytes;
    size_t rows = kSlotRows;
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
  bool one_vector() const { return one_vector_; }                                    ///< whether a unit is one vector of slots
  bool dense() const { return dense_; }                                              ///< whether rows fill their slots and units as they lie in memory
  size_t missing(size_t size) const { return (vectors() * slot_ - bytes_) / size; }  ///< lanes of a row that have no element

  /// How rows come to their slots, of elements that are kParts times larger; null where such slots are no vector's parts.
  const SlotRoute* route(uint32_t parts) const { return parts <= 2 && slot_ * parts <= kBytes ? &routes_[parts - 1] : nullptr; }

  /// Whether an input has the same row in the place of all of these.
  bool same(uint32_t input) const { return (same_ >> input & 1) != 0; }
  void set_same(uint32_t inputs) { same_ = inputs; }

  const Number& count() const { return numbers_[0]; }  ///< elements of a row
  const Number& share() const { return numbers_[1]; }  ///< 1 / count
  HVX_Vector live() const { return live_; }            ///< -1 in bytes of the last vector that rows have
  HVX_Vector places() const { return places_; }        ///< 0 to 127 in bytes
  HVX_Vector spread() const { return spread_; }        ///< of vdelta: each of the first words 2^levels times

 private:
  size_t bytes_, rows_, units_;
  bool one_vector_;
  Number numbers_[2];
  size_t slot_ = 4;
  uint32_t levels_ = 0;
  size_t whole_ = 0, rest_ = 0;
  bool dense_ = false;
  uint32_t same_ = 0;
  HVX_Vector live_, places_, spread_;
  SlotRoute routes_[2];
};

/// Lanes of a vector that is not whole: others take a number that changes nothing.
class LiveLanes {
 public:
  OPKG_INLINE explicit LiveLanes(const Slots& slots) : live_(slots.live()) {}
  OPKG_INLINE HVX_Vector keep8(HVX_Vector v, HVX_Vector other, uint32_t) const { return Q6_V_vmux_QVV(Q6_Q_vand_VR(live_, -1), v, other); }
  OPKG_INLINE HVX_Vector keep16(HVX_Vector v, HVX_Vector other, uint32_t) const { return keep8(v, other, 0); }
  /// Of halves where slots are of bytes: those at even places (part 0), or those at odd ones.
  OPKG_INLINE HVX_Vector keep_apart(HVX_Vector v, HVX_Vector other, uint32_t part) const {
    const HVX_Vector live = part == 0 ? Q6_Vb_vshuffe_VbVb(live_, live_) : Q6_Vb_vshuffo_VbVb(live_, live_);
    return Q6_V_vmux_QVV(Q6_Q_vand_VR(live, -1), v, other);
  }

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
    const size_t whole = slots.whole();  // which no result can change, so that the loop is one of the hardware's
    OPKG_UNROLL(kUnroll)
    for (size_t i = 0; i < whole; ++i) turn(LiveLanes::all(), i);
    if (slots.rest()) turn(last, whole);
  }
}

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
      : data_(static_cast<const uint8_t*>(data)), bytes_(same ? 0 : kParts * slots.bytes()), rest_(kParts * slots.rest_bytes()) {
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
    if (const SlotRoute* route = slots.route(kParts)) return SlotRoute::gather(*route, at, slots.rows() * bytes_, to);
    const size_t slot = slots.slot() * kParts;
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
      : data_(static_cast<uint8_t*>(data)), bytes_(kParts * slots.bytes()), rest_(kParts * slots.rest_bytes()) {
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
    if (const SlotRoute* route = slots.route(kParts)) return SlotRoute::spread(*route, held_, slots.rows() * bytes_, to_);
    const size_t slot = kParts * slots.slot(), all = slots.rows() * bytes_;
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
#endif  // OPKG_HVX_SLOTS_H_
