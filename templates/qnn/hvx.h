// Vectors of generated kernels: how a row of elements is read and written in steps of whole 128-byte vectors. C++17.
//
// A row is n elements, one after another. A step has kStep elements; operand T has kStep * sizeof(T) / 128 vectors
// ("parts") in it, in the order of memory. Steps that are whole go through at() and put(), the elements that remain
// through tail() and put_tail(), which neither touch a line of 128 bytes without an element of the row, nor write a byte
// outside of it. A kernel may write its result over an input (in place): a step reads all its inputs before it writes.
//
// The pointers have to reach In and Out as `__restrict` parameters of the function with the loop (no lambda, and not
// always_inline): only then does the compiler begin a step before the one in front of it is stored, and the loop takes
// half of the packets. In place it holds as well: an element is written after it was read, and never read again.
#ifndef OPKG_HVX_H_
#define OPKG_HVX_H_

#include "opkg/hvx_vector.h"

namespace opkg::hvx {

/// How a loop goes through its operands: a template argument of theirs. The first two are `false` and `true` of whether
/// every operand begins at a multiple of 128; hvx_walk.h has the others, in which operands move on after some steps.
struct Walk {
  static constexpr uint32_t anywhere = 0;
  static constexpr uint32_t aligned = 1;
  static constexpr uint32_t strips = 2;          ///< steps that lie a stride apart
  static constexpr uint32_t aligned_strips = 3;  ///< the same, and all of them begin at multiples of 128
  static constexpr uint32_t shifted = 4;         ///< outputs begin at multiples of 128, inputs anywhere
  static constexpr uint32_t blocks = 5;          ///< whole blocks of 2048 bytes, each somewhere
  static constexpr uint32_t across = 6;          ///< some lines of 128 bytes of blocks: a step of each block, line by line
  static constexpr uint32_t depths = 7;          ///< blocks some apart in their table, with inputs that repeat in each of them
  static constexpr uint32_t turns = 8;           ///< turns of some steps that lie apart, anywhere
  static constexpr uint32_t aligned_turns = 9;   ///< the same, and all of them begin at multiples of 128

  /// Whether at() and put() take the number of any step: operands do not move on.
  static constexpr bool numbered(uint32_t walk) { return walk <= aligned_strips; }
  /// Whether a loop with several steps in flight may go through them: they lie in one piece, or are numbered.
  static constexpr bool staged(uint32_t walk) { return walk <= shifted; }
  static constexpr bool in_turns(uint32_t walk) { return walk >= turns; }
};

/// How an operand goes on where it is not one row.
struct Path {
  const void* const* blocks;  ///< addresses of blocks
  intptr_t origin;            ///< minus the address of the first block; of fixed inputs with a stride 128 % stride
  size_t stride;              ///< of strips: bytes from step to step; of turns: from the end of one to the next one; of fixed
                              ///< inputs: after which they begin again, where they are no step at a multiple of 128 (0)
  size_t phase;               ///< of a fixed input: the byte, below `stride`, that a step begins with
};

template <uint32_t kOperands>
constexpr Path kNoPaths[kOperands] = {};  // of one row

}  // namespace opkg::hvx

#if OPKG_HVX

namespace opkg::hvx {

/// Bytes of a row and what remains of them after the whole steps.
template <typename T, uint32_t kStep>
struct Row {
  static constexpr size_t kStepBytes = size_t{kStep} * sizeof(T);
  static constexpr uint32_t kParts = kStepBytes / kBytes;
  static_assert(kStepBytes % kBytes == 0, "a step has whole vectors");

  /// Where the elements begin that no whole step has.
  static OPKG_INLINE size_t tail_offset(size_t n) { return n / kStep * kStepBytes; }
  static OPKG_INLINE size_t tail_bytes(size_t n) { return n % kStep * sizeof(T); }
};

/// An input of n elements at `data`. kFixed: every step sees the same elements, which stay in registers: kStep of them at a
/// multiple of 128, or a run of them anywhere that begins again.
template <typename T, uint32_t kStep, uint32_t kWalk, bool kFixed = false>
class In : Row<T, kStep> {
  using Shape = Row<T, kStep>;
  static constexpr bool kAligned = kWalk == Walk::aligned;

 public:
  OPKG_INLINE_TINY In(const void* data, size_t n, const Path* = nullptr) : data_(static_cast<const uint8_t*>(data)), n_(n) {}

  /// Vector `part` of step `step`.
  OPKG_INLINE HVX_Vector at(size_t step, uint32_t part) const {
    const uint8_t* const from = data_ + step * Shape::kStepBytes + part * kBytes;
    return kAligned ? load(from) : load_unaligned(from);
  }

  template <typename Lanes>
  OPKG_INLINE HVX_Vector at(const Lanes& lanes, size_t step, uint32_t part) const {
    return lanes.whole() ? at(step, part) : tail(part);
  }

  /// Vector `part` of the step that is not whole (n % kStep != 0). Elements from n on are undefined.
  OPKG_INLINE HVX_Vector tail(uint32_t part) const {
    const uint8_t* const from = data_ + Shape::tail_offset(n_);
    const size_t bytes = Shape::tail_bytes(n_);
    // A part without elements reads the first one instead: memory that is there.
    const size_t at = part != 0 && part * kBytes < bytes ? part * kBytes : 0;
#if defined(__hexagon__)
    if (kAligned) return load(from + at);
#endif
    const size_t count = bytes - at < kBytes ? bytes - at : kBytes;
    return load_some(from + at, count);
  }

 private:
  const uint8_t* data_;
  size_t n_;
};

/// An input whose elements are the same in every step.
template <typename T, uint32_t kStep>
class Held : protected Row<T, kStep> {
 public:
  OPKG_INLINE HVX_Vector at(size_t, uint32_t part) const { return held_[part]; }
  OPKG_INLINE HVX_Vector tail(uint32_t part) const { return held_[part]; }
  OPKG_INLINE void begin(size_t, uint32_t = 0) const {}
  OPKG_INLINE void next(size_t) const {}
  OPKG_INLINE void next_line() const {}
  OPKG_INLINE void next_turn() const {}

 protected:
  HVX_Vector held_[Row<T, kStep>::kParts];
};

template <typename T, uint32_t kStep, uint32_t kWalk>
class In<T, kStep, kWalk, true> : public Held<T, kStep> {
  using Shape = Row<T, kStep>;
  using Held<T, kStep>::held_;

 public:
  OPKG_INLINE_TINY In(const void* data, size_t, [[maybe_unused]] const Path* path) {
    const auto* const run = static_cast<const uint8_t*>(data);
    if (Walk::numbered(kWalk) && path->stride == sizeof(T)) {
      for (uint32_t part = 0; part < Shape::kParts; ++part) held_[part] = splat<T>(data);
    } else if (Walk::numbered(kWalk) && path->stride != 0) {
      held_[0] = repeated(run, path->stride, path->phase);
      size_t at = path->phase;
      for (uint32_t part = 1; part < Shape::kParts; ++part) {
        at += kBytes;
        if (at >= path->stride) at -= path->stride;
        held_[part] = path->stride > kBytes ? repeated(run, path->stride, at)
                                            : following(held_[part - 1], static_cast<int32_t>(path->stride), static_cast<int32_t>(path->origin));
      }
    } else {
      for (uint32_t part = 0; part < Shape::kParts; ++part) held_[part] = load(run + part * kBytes);
    }
  }
};

/// An output of n elements at `data`.
template <typename T, uint32_t kStep, uint32_t kWalk>
class Out : Row<T, kStep> {
  using Shape = Row<T, kStep>;
  static constexpr bool kAligned = kWalk == Walk::aligned;

 public:
  OPKG_INLINE_TINY Out(void* data, size_t n, const Path* = nullptr) : data_(static_cast<uint8_t*>(data)), n_(n) {}

  /// Writes vector `part` of step `step`.
  OPKG_INLINE void put(size_t step, uint32_t part, HVX_Vector v) const {
    uint8_t* const to = data_ + step * Shape::kStepBytes + part * kBytes;
    if (kAligned) {
      store(to, v);
    } else {
      store_unaligned(to, v);
    }
  }

  template <typename Lanes>
  OPKG_INLINE void put(const Lanes& lanes, size_t step, uint32_t part, HVX_Vector v) const {
    lanes.whole() ? put(step, part, v) : put_tail(part, v);
  }

  /// Writes those elements of vector `part` of the last, partial step that the row has.
  OPKG_INLINE void put_tail(uint32_t part, HVX_Vector v) const {
    const size_t bytes = Shape::tail_bytes(n_);
    const size_t begin = part * kBytes;
    if (part != 0 && begin >= bytes) return;
    const size_t count = bytes - begin < kBytes ? bytes - begin : kBytes;
    uint8_t* const to = data_ + Shape::tail_offset(n_) + begin;
    if (kAligned) {
      store_some_aligned(to, count, v);
    } else {
      store_some(to, count, v);
    }
  }

 private:
  uint8_t* data_;
  size_t n_;
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_H_
