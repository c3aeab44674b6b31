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

constexpr size_t kSlotRows = 32;    ///< at a time, at most
constexpr size_t kPixelDepth = 32;  ///< elements of a row in each vector, where rows are pixels as they lie in blocks

/// Some rows of `bytes` bytes, `count` elements. `in_slots`: those of up to 128 bytes are in slots as they lie in memory.
/// `apart`: each of them takes a vector of its own, as it lies in memory. `pixel`: rows are pixels of blocks, some of which share
/// vectors, each with so many bytes of the row; 0: they are not.
class Slots : public RowCount {
 public:
  OPKG_RARE Slots(size_t bytes, size_t rows, size_t count, bool in_slots = false, bool apart = false, size_t pixel = 0)
      : RowCount(count), bytes_(bytes), rows_(rows), one_vector_(bytes <= kBytes && !apart && pixel == 0) {
    const size_t wide = pixel != 0 ? pixel : apart ? kBytes
                                                   : bytes;
    while (slot_ < wide && slot_ < kBytes) slot_ *= 2, ++levels_;
    if (one_vector()) {
      dense_ = in_slots || (bytes == slot_ && rows * slot_ % kBytes == 0);
      units_ = (rows * slot_ + kBytes - 1) / kBytes;
      rest_ = bytes == slot_ ? 0 : bytes;
      whole_ = rest_ == 0 ? 1 : 0;
      for (size_t parts = 1; parts <= 2 && !dense_ && slot_ * parts <= kBytes; ++parts) routes_[parts - 1] = SlotRoute(bytes * parts, slot_ * parts);
    } else {
      units_ = (rows * slot_ + kBytes - 1) / kBytes;
      whole_ = bytes / slot_;
      rest_ = bytes % slot_;
    }
    step_ = pixel != 0 ? vectors() * kBytes : bytes;
    read_ = pixel != 0 ? kBytes : rest_;
    live_ = Q6_V_vmux_QVV(Q6_Q_vsetq2_R(static_cast<int32_t>(rest_ == 0 ? kBytes : rest_)), Q6_V_vsplat_R(-1), Q6_V_vzero());
    uint8_t places[kBytes], control[kBytes];
    for (size_t i = 0; i < kBytes; ++i) places[i] = static_cast<uint8_t>(i), control[i] = static_cast<uint8_t>((i ^ i >> levels_) & (kBytes - 4));
    memcpy(&places_, places, kBytes);
    memcpy(&spread_, control, kBytes);
    for (size_t turn = slot_; turn < kBytes; turn *= 2) live_ = Q6_V_vor_VV(live_, Q6_V_vror_VR(live_, static_cast<int32_t>(kBytes - turn)));
  }

  /// How many rows at a time, where all of them may have `most` vectors together, or any number if that is 0.
  static size_t rows_for(size_t bytes, size_t most, size_t pixel = 0) {
    const size_t slot = pixel != 0 ? pixel : kBytes, vectors = (bytes + slot - 1) / slot;
    size_t rows = kSlotRows;
    while (most != 0 && rows > kBytes / slot && rows * vectors > most * (kBytes / slot)) rows /= 2;
    return most != 0 && vectors > most ? 0 : rows;
  }

  size_t bytes() const { return bytes_; }
  size_t step() const { return step_; }  ///< bytes from a unit of several vectors to the next one
  size_t rows() const { return rows_; }
  size_t units() const { return units_; }
  size_t slot() const { return slot_; }
  uint32_t levels() const { return levels_; }  ///< a slot has 2^levels words
  size_t whole() const { return whole_; }      ///< vectors of a unit without lanes that have no element
  bool rest() const { return rest_ != 0; }     ///< whether one with such lanes follows
  size_t rest_bytes() const { return read_; }  ///< of it that are read and written
  size_t vectors() const { return whole_ + (rest() ? 1 : 0); }
  bool one_vector() const { return one_vector_; }                                    ///< whether a unit is one vector of slots
  bool in_blocks() const { return !one_vector_ && slot_ != kBytes; }                 ///< whether rows are pixels as they lie there
  bool dense() const { return dense_; }                                              ///< whether rows fill their slots and units as they lie in memory
  size_t missing(size_t size) const { return (vectors() * slot_ - bytes_) / size; }  ///< lanes of a row that have no element

  /// How rows come to their slots, of elements that are kParts times larger; null where such slots are no vector's parts.
  const SlotRoute* route(uint32_t parts) const { return parts <= 2 && slot_ * parts <= kBytes ? &routes_[parts - 1] : nullptr; }

  /// Whether an input has the same row in the place of all of these.
  bool same(uint32_t input) const { return (same_ >> input & 1) != 0; }
  void set_same(uint32_t inputs) { same_ = inputs; }

  HVX_Vector live() const { return live_; }      ///< -1 in bytes of the last vector that rows have
  HVX_Vector places() const { return places_; }  ///< 0 to 127 in bytes
  HVX_Vector spread() const { return spread_; }  ///< of vdelta: each of the first words 2^levels times

 private:
  size_t bytes_, rows_, units_;
  bool one_vector_;
  size_t slot_ = 4;
  uint32_t levels_ = 0;
  size_t whole_ = 0, rest_ = 0, step_, read_;
  bool dense_ = false;
  uint32_t same_ = 0;
  HVX_Vector live_, places_, spread_;
  SlotRoute routes_[2];
};

/// What numbers of rows know of these: of one row, how many elements it has.
template <typename Word>
using SlotsOf = std::conditional_t<std::is_same_v<Word, int32_t>, RowCount, Slots>;

/// Lanes of a vector that is not whole: others take a number that changes nothing.
class LiveLanes {
 public:
  OPKG_INLINE explicit LiveLanes(const Slots& slots) : live_(slots.live()) {}
  OPKG_INLINE HVX_Vector keep8(HVX_Vector v, HVX_Vector other, uint32_t) const { return Q6_V_vmux_QVV(Q6_Q_vand_VR(live_, -1), v, other); }
  OPKG_INLINE HVX_Vector keep16(HVX_Vector v, HVX_Vector other, uint32_t) const { return keep8(v, other, 0); }
  OPKG_INLINE HVX_Vector keep32(HVX_Vector v, HVX_Vector other, uint32_t) const { return keep8(v, other, 0); }
  /// Of halves where slots are of bytes: those at even places (part 0), or those at odd ones.
  OPKG_INLINE HVX_Vector keep_apart(HVX_Vector v, HVX_Vector other, uint32_t part) const {
    const HVX_Vector live = part == 0 ? Q6_Vb_vshuffe_VbVb(live_, live_) : Q6_Vb_vshuffo_VbVb(live_, live_);
    return Q6_V_vmux_QVV(Q6_Q_vand_VR(live, -1), v, other);
  }
  /// Of words where slots are of halves: those of halves at even places (part 0), or at odd ones.
  OPKG_INLINE HVX_Vector keep_wide(HVX_Vector v, HVX_Vector other, uint32_t part) const {
    const HVX_Vector live = part == 0 ? Q6_Vh_vshuffe_VhVh(live_, live_) : Q6_Vh_vshuffo_VhVh(live_, live_);
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

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_SLOTS_H_
