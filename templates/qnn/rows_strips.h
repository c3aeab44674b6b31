// Rows with inputs that repeat, as strips: a step, the same lanes some periods later, and so on to the row's end.
//
// Every step of a strip sees the same elements of what repeats, so they stay in registers however long the period is. Where
// strips do not fill whole steps they lie over each other, and some elements are computed twice.
#ifndef OPKG_ROWS_STRIPS_H_
#define OPKG_ROWS_STRIPS_H_

#include "opkg/rows_call.h"

namespace opkg::rowwise {

/// How a row is cut into strips.
struct Strips {
  size_t width = 1;             ///< elements from a step to the next one: whole periods
  size_t tile = 1;              ///< elements after which the next strip's turn comes, for caches: whole widths
  size_t packets = ~size_t{0};  ///< about what a row costs
  bool twice = false;           ///< whether elements may be computed twice: then no output may lie where an input does

  Strips() = default;

  /// A row of `length` elements whose inputs begin again every `period`. `bytes`: of an element of the output.
  OPKG_SMALL Strips(size_t period, size_t length, size_t step, size_t bytes) {
    for (size_t now = period; now == period || (now * bytes <= kWidest && now <= length); now += period) {
      const size_t fitting = kTileBytes / (now * bytes);
      const size_t rows = fitting < kLeast ? kLeast : fitting;
      const size_t calls = length / (rows * now) + 1;
      const size_t one = now % step == 0 ? kAligned : kAnywhere;
      const size_t cost = (now + step - 1) / step * (length / now * one + calls * kCall);
      if (cost < packets) width = now, tile = rows * now, packets = cost;
      if (now % step == 0) break;
    }
    twice = width % step != 0;
  }

 private:
  static constexpr size_t kWidest = 4096;  // bytes
  static constexpr size_t kTileBytes = 256 << 10;
  static constexpr size_t kLeast = 64;                               // steps of a strip in a tile
  static constexpr size_t kAligned = 3, kAnywhere = 4, kCall = 100;  // packets of a step, and of a strip besides
};

/// Calls of the vector code for the strips of rows.
template <uint32_t kInputs, uint32_t kOutputs>
class StripCall {
 public:
  StripCall() = default;

  /// Rows of `length` elements. `periods`: of the inputs in the set `fixed`, in elements.
  OPKG_SMALL StripCall(const RowFunctions& functions, const Strips& strips, size_t length, uint32_t fixed,
                       const size_t* periods, const Operand* inputs, const Operand* outputs)
      : strips_(strips), step_(functions.step), cuts_{cut(strips.tile), cut(length % strips.tile)} {
    for (uint32_t i = 0; i < kOperands; ++i) {
      const uint32_t bytes = i < kInputs ? inputs[i].bytes : outputs[i - kInputs].bytes;
      const bool repeats = i < kInputs && (fixed >> i & 1) != 0;
      const size_t stride = (repeats ? periods[i] : strips.width) * bytes;
      paths_[i] = {nullptr, 0, stride, 0};
      moves_[i] = repeats ? 0 : bytes;
      lines_[i] = repeats ? 0 : kAlignment - 1;
      turns_[i] = repeats ? step_ * bytes % stride : 0;
      phases_[i] = repeats ? bytes : 0;
    }
    if (strips.width <= step_ && length <= strips.tile) {
      const Cut all = cut(length);
      alone_ = length, n_ = all.steps * step_ + all.behind(0, step_);
    }
    anywhere_ = functions.walking(hvx::Walk::strips, fixed);
    bool lines = kTellsAlignment && !strips.twice;  // steps are whole lines of 128 bytes apart
    for (uint32_t i = 0; i < kOperands; ++i) lines &= moves_[i] == 0 || paths_[i].stride % kAlignment == 0;
    const uint32_t walk = strips.width == step_ ? hvx::Walk::aligned : hvx::Walk::aligned_strips;
    aligned_ = lines ? functions.walking(walk, fixed) : anywhere_;
  }

  /// Whether a row of `n` elements is one strip.
  bool alone(size_t n) const { return n != 0 && n == alone_; }

  /// A row that is one strip.
  bool whole(const void* rows, const void* const* in, void* const* out) const { return run(in, out)(rows, in, out, n_, paths_); }

  /// The elements first <= i < first + n of a row. `in`: where the first one is, or of patterns where their run begins.
  /// False: some result must not be used.
  bool operator()(const void* rows, const void* const* in, void* const* out, size_t first, size_t n) const {
    if (first == 0 && alone(n)) return whole(rows, in, out);
    hvx::Path paths[kOperands];
    for (uint32_t i = 0; i < kOperands; ++i) {
      paths[i] = paths_[i];
      if (first != 0) paths[i].phase = first * phases_[i] % paths_[i].stride;
    }
    const void* from[kSlots] = {};
    void* to[kOutputs];
    for (uint32_t i = 0; i < kInputs; ++i) from[i] = in[i];
    for (uint32_t i = 0; i < kOutputs; ++i) to[i] = out[i];
    bool fine = true;
    for (size_t left = n; left != 0;) {
      const size_t count = left < strips_.tile ? left : strips_.tile;
      fine &= tile(rows, from, to, paths, count);
      move(from, to, from, to, count);
      left -= count;
    }
    return fine;
  }

 private:
  static constexpr uint32_t kOperands = kInputs + kOutputs;
  static constexpr uint32_t kSlots = Domain<kInputs>::kSlots;

  /// Some elements: whole steps of each strip, and what lies behind the last width.
  struct Cut {
    size_t count = 0;
    size_t steps = 0;
    size_t rest = 0;

    /// Elements behind the whole steps of the strip that begins at an element. `step`: elements of one.
    size_t behind(size_t at, size_t step) const { return rest <= at ? 0 : rest - at < step ? rest - at
                                                                                           : step; }
  };

  Cut cut(size_t count) const {
    const size_t common = strips_.width < step_ ? step_ - strips_.width : 0;  // elements of a step that the next one has, too
    const size_t steps = count > common ? (count - common) / strips_.width : 0;
    const size_t rest = count - steps * strips_.width;
    return {count, steps, steps != 0 && rest <= common ? 0 : rest};
  }

  /// Pointers that are some elements further; patterns stay.
  void move(const void* const* in, void* const* out, const void** from, void** to, size_t elements) const {
    for (uint32_t i = 0; i < kInputs; ++i) from[i] = static_cast<const uint8_t*>(in[i]) + elements * moves_[i];
    for (uint32_t i = 0; i < kOutputs; ++i) to[i] = static_cast<uint8_t*>(out[i]) + elements * moves_[kInputs + i];
  }

  /// The vector code: whether all steps begin at multiples of 128 decides.
  VectorFunction run(const void* const* in, void* const* out) const {
    uintptr_t places = 0;
    for (uint32_t i = 0; i < kInputs; ++i) places |= reinterpret_cast<uintptr_t>(in[i]) & lines_[i];
    for (uint32_t i = 0; i < kOutputs; ++i) places |= reinterpret_cast<uintptr_t>(out[i]);
    return places % kAlignment == 0 ? aligned_ : anywhere_;
  }

  /// `count` elements, not more than a tile. `paths` have the phases of the first one.
  bool tile(const void* rows, const void* const* in, void* const* out, hvx::Path* paths, size_t count) const {
    const VectorFunction vectors = run(in, out);
    const Cut now = count == cuts_[0].count ? cuts_[0] : count == cuts_[1].count ? cuts_[1]
                                                                                 : cut(count);
    size_t begin[kSlots] = {};
    for (uint32_t i = 0; i < kInputs; ++i) begin[i] = paths[i].phase;
    bool fine = true;
    for (size_t lane = 0; lane < strips_.width && lane < count; lane += step_) {
      const bool last = lane != 0 && lane + step_ > strips_.width;  // it ends where the width does
      const size_t at = last ? strips_.width - step_ : lane;
      for (uint32_t i = 0; i < kInputs && lane != 0; ++i) {
        const size_t place = last ? begin[i] + paths[i].stride - turns_[i] : paths[i].phase + turns_[i];
        paths[i].phase = place < paths[i].stride ? place : place - paths[i].stride;
      }
      const void* from[kSlots] = {};
      void* to[kOutputs];
      move(in, out, from, to, at);
      fine &= vectors(rows, from, to, now.steps * step_ + now.behind(at, step_), paths);
    }
    for (uint32_t i = 0; i < kInputs; ++i) paths[i].phase = begin[i];
    return fine;
  }

  Strips strips_;
  size_t step_ = 1;
  Cut cuts_[2];
  uint32_t moves_[kOperands] = {};   ///< bytes of an element; of patterns 0
  uintptr_t lines_[kOperands] = {};  ///< bits of places that tell whether they are lines; of patterns none
  uint32_t phases_[kOperands] = {};  ///< bytes of an element of patterns; of others 0
  size_t turns_[kOperands] = {};     ///< of patterns: bytes by which they begin later in the next strip
  hvx::Path paths_[kOperands] = {};  ///< of a row's first strip
  size_t alone_ = 0;                 ///< elements of a row that is one strip, and
  size_t n_ = 0;                     ///< those of its steps
  VectorFunction anywhere_ = nullptr;
  VectorFunction aligned_ = nullptr;
};

}  // namespace opkg::rowwise

#endif  // OPKG_ROWS_STRIPS_H_
