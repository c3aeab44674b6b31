// Rows with inputs that repeat, as strips: a step, the same lanes some periods later, and so on to the row's end.
//
// Every step of a strip sees the same elements of what repeats, so they stay in registers however long the period is. Where
// strips do not fill whole steps they lie over each other, and some elements are computed twice.
#ifndef OPKG_ROWS_STRIPS_H_
#define OPKG_ROWS_STRIPS_H_

#include "opkg/rows_call.h"
#include "opkg/rows_widths.h"

namespace opkg::rowwise {

/// Calls of the vector code for the strips of rows. A strip is a step, or a turn where what repeats is in memory.
template <uint32_t kInputs, uint32_t kOutputs>
class StripCall {
 public:
  StripCall() = default;

  /// Rows of `length` elements. `periods`: of the inputs in the set `fixed`, in elements.
  OPKG_SMALL StripCall(const RowFunctions& functions, const Strips& strips, size_t length, uint32_t fixed,
                       const size_t* periods, const Operand* inputs, const Operand* outputs)
      : strips_(strips), step_(functions.step * functions.turn_steps()), cuts_{cut(length < strips.tile ? length : strips.tile), cut(length % strips.tile)} {
    size_t phases_of_strips = 0;  // bytes of an element of what repeats, where that is in memory for all strips
    for (uint32_t i = 0; i < kOperands; ++i) {
      const uint32_t bytes = i < kInputs ? inputs[i].bytes : outputs[i - kInputs].bytes;
      const bool repeats = i < kInputs && (fixed >> i & 1) != 0;
      const size_t stride = (repeats ? periods[i] : strips.width) * bytes;
      first_[0].paths[i] = {nullptr, static_cast<intptr_t>(kAlignment % stride), stride, 0};
      if (functions.turn != 0) first_[0].paths[i].stride = (repeats ? 0 : stride) - step_ * bytes;
      if (repeats) periods_[i] = stride;
      if (repeats && functions.turn != 0) {
        const size_t vectors = (strips.width * bytes + kAlignment - 1) / kAlignment;
        repeats_ = i, vectors_of_turn_ = step_ * bytes / kAlignment;
        if (vectors * kAlignment <= kMostTurn) vectors_of_width_ = vectors, phases_of_strips = bytes;
      }
      moves_[i] = repeats ? 0 : bytes;
      lines_[i] = repeats ? 0 : kAlignment - 1;
      phases_[i] = repeats ? bytes : 0;
    }
    for (uint32_t k = 0; k < kKnown && k * step_ < strips.width; ++k) {
      const size_t at = place(k);
      for (uint32_t i = 0; i < kOperands; ++i) first_[k].places[i] = at * moves_[i];
      first_[k].places[repeats_] += at * phases_of_strips;
      if (k != 0) set_paths(first_[k].paths, at);
      for (uint32_t i = 0; i < 2; ++i) first_[k].elements[i] = elements(cuts_[i], at);
    }
    for (uint32_t i = 0; i < 2; ++i) {
      const size_t end = strips.width < cuts_[i].count ? strips.width : cuts_[i].count;
      if (strips.width <= kKnown * step_) known_[i] = (end + step_ - 1) / step_;
    }
    if (length <= strips.tile) alone_ = length;
    if (alone_ != 0 && strips.width <= step_) one_ = elements(cuts_[0], 0);
    vectors_[0] = functions.walking(hvx::Walk::strips, fixed);
    bool lines = kTellsAlignment && !strips.twice;  // steps are whole lines of 128 bytes apart
    for (uint32_t i = 0; i < kOperands; ++i) lines &= moves_[i] == 0 || first_[0].paths[i].stride % kAlignment == 0;
    vectors_[1] = lines ? functions.walking(hvx::Walk::aligned_strips, fixed) : vectors_[0];
  }

  /// Whether a row of `n` elements is one tile.
  bool alone(size_t n) const { return n != 0 && n == alone_; }

  /// Whether that is one strip, or several that are known: strip() and known() take these.
  bool is_strip() const { return one_ != 0; }
  bool is_known() const { return alone_ != 0 && known_[0] != 0; }

  /// The vector code where only this input and this output do not repeat. `kTwice`: Strips::twice is known to be true.
  template <bool kTwice>
  OPKG_INLINE VectorFunction vectors(const void* in, void* out) const {
    return kTwice ? vectors_[0] : at(reinterpret_cast<uintptr_t>(in) | reinterpret_cast<uintptr_t>(out));
  }

  /// A row that is one strip.
  OPKG_INLINE bool strip(VectorFunction vectors, const void* rows, const void* const* in, void* const* out) const {
    return call(vectors, rows, in, out, one_, first_[0].paths);
  }

  /// Known strips of a cut.
  OPKG_INLINE bool known(VectorFunction vectors, const void* rows, const void* const* in, void* const* out, uint32_t index) const {
    if constexpr (kInputs == 2) {
      if (vectors_of_turn_ != 0) return known_from_memory(vectors, rows, in, out, index);
    }
    return each(vectors, rows, in, out, index);
  }

  /// A row that is one tile.
  bool whole(const void* rows, const void* const* in, void* const* out) const {
    return one_ != 0 ? strip(run(in, out), rows, in, out) : start(rows, in, out, 0);
  }

  /// The elements first <= i < first + n of a row. `in`: where the first one is, or of patterns where their run begins.
  /// False: some result must not be used.
  OPKG_SMALL bool operator()(const void* rows, const void* const* in, void* const* out, size_t first, size_t n) const {
    if (first == 0 && alone(n)) return whole(rows, in, out);
    const void* from[kSlots] = {};
    void* to[kOutputs];
    move(in, out, from, to, 0);
    bool fine = true;
    for (size_t left = n; left != 0;) {
      const size_t count = left < strips_.tile ? left : strips_.tile;
      if (first == 0 && (count == cuts_[0].count || count == cuts_[1].count)) {
        fine &= start(rows, from, to, count == cuts_[0].count ? 0 : 1);
      } else {
        fine &= tile(rows, from, to, first, cut(count));
      }
      move(from, to, from, to, count);
      left -= count;
    }
    return fine;
  }

 private:
  static constexpr uint32_t kOperands = kInputs + kOutputs;
  static constexpr uint32_t kSlots = Domain<kInputs>::kSlots;
  static constexpr uint32_t kEven = (kOperands + 1) / 2 * 2;
  static constexpr uint32_t kKnown = 16;     ///< strips whose paths are kept
  static constexpr size_t kMostTurn = 4096;  ///< bytes

  /// Some elements: those of the whole steps of each strip, and what lies behind the last width.
  struct Cut {
    size_t count = 0;
    size_t whole = 0;
    size_t rest = 0;
  };

  /// A strip of a row's first tile, or of its last one.
  struct alignas(8) Strip {
    size_t elements[2] = {};    ///< of its steps, in each cut
    size_t places[kEven] = {};  ///< where it begins, in bytes
    hvx::Path paths[kOperands] = {};
  };

  Cut cut(size_t count) const {
    const size_t common = strips_.width < step_ ? step_ - strips_.width : 0;  // elements of a step that the next one has, too
    const size_t steps = count > common ? (count - common) / strips_.width : 0;
    const size_t rest = count - steps * strips_.width;
    return {count, steps * step_, steps != 0 && rest <= common ? 0 : rest};
  }

  /// Elements of the strip that begins at an element.
  size_t elements(const Cut& now, size_t at) const {
    const size_t behind = now.rest < at ? 0 : now.rest - at;
    return now.whole + (behind < step_ ? behind : step_);
  }

  /// The first element of a strip: the last one ends where the width does.
  size_t place(size_t strip) const {
    const size_t at = strip * step_;
    return strip != 0 && at + step_ > strips_.width ? strips_.width - step_ : at;
  }

  /// The phases of a strip that begins with an element of a row.
  OPKG_SMALL __attribute__((noinline)) void set_paths(hvx::Path* paths, size_t at) const {
    for (uint32_t i = 0; i < kOperands; ++i) {
      paths[i] = first_[0].paths[i];
      if (phases_[i] != 0) paths[i].phase = at * phases_[i] % periods_[i];
    }
  }

  /// Calls the vector code for a strip.
  OPKG_INLINE bool call(VectorFunction vectors, const void* rows, const void* const* in, void* const* out, size_t n,
                        const hvx::Path* paths) const {
    if constexpr (kInputs == 2) {
      if (vectors_of_turn_ != 0) return from_memory(vectors, rows, in, out, n, paths);
    }
    return vectors(rows, in, out, n, paths);
  }

  /// The same with a turn of what repeats in memory.
  __attribute__((noinline)) bool from_memory(VectorFunction vectors, const void* rows, const void* const* in, void* const* out, size_t n,
                                             const hvx::Path* paths) const {
    const void* from[kSlots];
    for (uint32_t i = 0; i < kInputs; ++i) from[i] = in[i];
#if OPKG_HVX
    alignas(kAlignment) uint8_t turn[kMostTurn + kAlignment];
    const hvx::Path& path = paths[repeats_];
    hvx::put_repeated(turn, vectors_of_turn_, static_cast<const uint8_t*>(in[repeats_]), periods_[repeats_], path.phase, static_cast<size_t>(path.origin));
    from[repeats_] = turn;
#endif
    return vectors(rows, from, out, n, paths);
  }

  /// Calls the vector code for known strips of a cut.
  OPKG_INLINE bool each(VectorFunction vectors, const void* rows, const void* const* in, void* const* out, uint32_t index) const {
    alignas(8) const void* begin[kEven] = {};
    OPKG_UNROLL_WHOLE
    for (uint32_t i = 0; i < kInputs; ++i) begin[i] = in[i];
    OPKG_UNROLL_WHOLE
    for (uint32_t i = 0; i < kOutputs; ++i) begin[kInputs + i] = out[i];
    uint32_t fine = 1;
    const Strip* strip = first_;
    const Strip* const end = first_ + known_[index];
    OPKG_UNROLL(1)
    do {
      alignas(8) const void* at[kEven];
      moved(begin, strip->places, at);
      fine &= vectors(rows, at, const_cast<void**>(at + kInputs), strip->elements[index], strip->paths) ? 1 : 0;
    } while (++strip != end);
    return fine != 0;
  }

  /// The same of known strips. One after the other they see the whole width, which is there once if it is not too long.
  OPKG_RARE bool known_from_memory(VectorFunction vectors, const void* rows, const void* const* in, void* const* out, uint32_t index) const {
    if (vectors_of_width_ == 0) return tile(rows, in, out, 0, cuts_[index]);
    const void* from[kSlots];
    for (uint32_t i = 0; i < kInputs; ++i) from[i] = in[i];
#if OPKG_HVX
    alignas(kAlignment) uint8_t width[kMostTurn + kAlignment];
    const size_t on = static_cast<size_t>(first_[0].paths[repeats_].origin);
    hvx::put_repeated(width, vectors_of_width_, static_cast<const uint8_t*>(in[repeats_]), periods_[repeats_], 0, on);
    from[repeats_] = width;
#endif
    return each(vectors, rows, from, out, index);
  }

  /// Pointers that are some elements further; patterns stay.
  OPKG_INLINE void move(const void* const* in, void* const* out, const void** from, void** to, size_t elements) const {
    OPKG_UNROLL_WHOLE
    for (uint32_t i = 0; i < kInputs; ++i) from[i] = static_cast<const uint8_t*>(in[i]) + elements * moves_[i];
    OPKG_UNROLL_WHOLE
    for (uint32_t i = 0; i < kOutputs; ++i) to[i] = static_cast<uint8_t*>(out[i]) + elements * moves_[kInputs + i];
  }

  /// Pointers that are some bytes further, two at a time where they have 32 bits: no sum has more.
  static OPKG_INLINE void moved(const void* const (&from)[kEven], const size_t (&places)[kEven], const void* (&to)[kEven]) {
    if constexpr (sizeof(void*) == 4) {
      OPKG_UNROLL_WHOLE
      for (uint32_t i = 0; i < kEven; i += 2) {
        uint64_t pair, by;
        memcpy(&pair, from + i, sizeof pair);
        memcpy(&by, __builtin_assume_aligned(places + i, sizeof by), sizeof by);
        pair += by;
        memcpy(to + i, &pair, sizeof pair);
      }
    } else {
      for (uint32_t i = 0; i < kOperands; ++i) to[i] = static_cast<const uint8_t*>(from[i]) + places[i];
    }
  }

  VectorFunction at(uintptr_t places) const { return vectors_[places % kAlignment == 0 ? 1 : 0]; }

  /// The vector code: whether all steps begin at multiples of 128 decides.
  VectorFunction run(const void* const* in, void* const* out) const {
    uintptr_t places = 0;
    for (uint32_t i = 0; i < kInputs; ++i) places |= reinterpret_cast<uintptr_t>(in[i]) & lines_[i];
    for (uint32_t i = 0; i < kOutputs; ++i) places |= reinterpret_cast<uintptr_t>(out[i]);
    return at(places);
  }

  /// A row's first element and those that follow, as many as one of the cuts has.
  OPKG_RARE bool start(const void* rows, const void* const* in, void* const* out, uint32_t index) const {
    return known_[index] != 0 ? known(run(in, out), rows, in, out, index) : tile(rows, in, out, 0, cuts_[index]);
  }

  /// Not more than a tile, which begins with the element `first` of a row, or a whole number of widths behind it.
  OPKG_RARE bool tile(const void* rows, const void* const* in, void* const* out, size_t first, const Cut& now) const {
    const VectorFunction vectors = run(in, out);
    const size_t end = strips_.width < now.count ? strips_.width : now.count;
    bool fine = true;
    for (size_t k = 0; k * step_ < end; ++k) {
      const size_t at = place(k);
      hvx::Path paths[kOperands];
      set_paths(paths, first + at);
      const void* from[kSlots] = {};
      void* to[kOutputs];
      move(in, out, from, to, at);
      fine &= call(vectors, rows, from, to, elements(now, at), paths);
    }
    return fine;
  }

  Strips strips_;
  size_t step_ = 1;
  Cut cuts_[2];                      ///< of whole tiles, and of a row's last one
  uint32_t moves_[kOperands] = {};   ///< bytes of an element; of patterns 0
  uintptr_t lines_[kOperands] = {};  ///< bits of places that tell whether they are lines; of patterns none
  uint32_t phases_[kOperands] = {};  ///< bytes of an element of patterns; of others 0
  size_t periods_[kSlots] = {};      ///< of patterns, in bytes
  uint32_t repeats_ = 0;             ///< the input that does, where it is in memory,
  size_t vectors_of_turn_ = 0;       ///< and vectors of a turn of it; 0: it is in registers
  size_t vectors_of_width_ = 0;      ///< and of a width, if all strips find it there; 0: a turn for each of them
  Strip first_[kKnown];              ///< of a row
  size_t known_[2] = {};             ///< as many of them has each cut; 0: more
  size_t alone_ = 0;                 ///< elements of a row that is one tile
  size_t one_ = 0;                   ///< those of its steps if that is one strip
  VectorFunction vectors_[2] = {};   ///< anywhere, and at multiples of 128
};

}  // namespace opkg::rowwise

#endif  // OPKG_ROWS_STRIPS_H_
