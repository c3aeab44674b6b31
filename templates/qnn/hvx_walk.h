// Loops of generated kernels over operands that are not one aligned row: inputs that begin anywhere, strips, blocks. C++17.
//
// Outside of strips such a loop makes turns of some steps: within a turn every operand is in one piece. at() and put() count
// steps from where the operand is now; begin() comes before a turn, next() after some steps. What follows the last whole
// turn goes step by step. As in hvx.h the pointers come as `__restrict` parameters of the function with the loop.
#ifndef OPKG_HVX_WALK_H_
#define OPKG_HVX_WALK_H_

#include "opkg/hvx.h"

namespace opkg::hvx {

constexpr uint32_t kTurn = 4;       ///< steps of a turn; with as many as 8 clang runs out of registers
constexpr uint32_t kBlockTurn = 8;  ///< in blocks, where every turn looks addresses up
constexpr size_t kBlockBytes = 2048;

}  // namespace opkg::hvx

#if OPKG_HVX

namespace opkg::hvx {

/// Vectors that lie one after another from where a row is now. kAnywhere: it begins at any address, and each vector has a
/// pointer of its own, whose distance from the others the compiler does not know: it would make aligned loads of neighbours
/// and turn them, which takes more packets.
template <uint32_t kVectors, bool kAnywhere = true>
class Vectors {
 public:
  OPKG_INLINE_TINY explicit Vectors(const void* data) {
    size_t distance = kBytes;
#if defined(__hexagon__)
    __asm__("" : "+r"(distance));
#endif
    OPKG_UNROLL_WHOLE
    for (uint32_t k = 0; k < kVectors; ++k) at_[k] = static_cast<const uint8_t*>(data) + k * distance;
  }
  OPKG_INLINE const uint8_t* now() const { return at_[0]; }
  OPKG_INLINE HVX_Vector vector(size_t index, size_t offset = 0) const { return load_unaligned(at_[index] + offset); }
  OPKG_INLINE void move(size_t bytes) {
    OPKG_UNROLL_WHOLE
    for (uint32_t k = 0; k < kVectors; ++k) at_[k] += bytes;
  }

 private:
  const uint8_t* at_[kVectors];
};

template <uint32_t kVectors>
class Vectors<kVectors, false> {
 public:
  OPKG_INLINE_TINY explicit Vectors(const void* data) : at_(static_cast<const uint8_t*>(data)) {}
  OPKG_INLINE const uint8_t* now() const { return at_; }
  OPKG_INLINE HVX_Vector vector(size_t index, size_t offset) const { return load(at_ + offset + index * kBytes); }

 private:
  const uint8_t* at_;
};

/// An input that moves on, from anywhere.
template <typename T, uint32_t kStep>
class In<T, kStep, Walk::shifted, false> : Row<T, kStep> {
  using Shape = Row<T, kStep>;

 public:
  static constexpr uint32_t kSteps = kTurn;

  OPKG_INLINE_TINY In(const void* data, size_t n, const Path*) : vectors_(data), left_(n) {}
  OPKG_INLINE void begin(size_t) const {}
  OPKG_INLINE void next(size_t steps) { vectors_.move(steps * Shape::kStepBytes), left_ -= steps * kStep; }
  OPKG_INLINE HVX_Vector at(size_t step, uint32_t part) const { return vectors_.vector(step * Shape::kParts + part); }
  OPKG_INLINE HVX_Vector tail(uint32_t part) const {
    return In<T, kStep, Walk::anywhere>(vectors_.now(), left_).tail(part);
  }

 private:
  Vectors<kTurn * Shape::kParts> vectors_;
  size_t left_;
};

/// An output that moves on, at multiples of 128 unless it is shorter than a step.
template <typename T, uint32_t kStep>
class Out<T, kStep, Walk::shifted> : Row<T, kStep> {
  using Shape = Row<T, kStep>;

 public:
  static constexpr uint32_t kSteps = kTurn;

  OPKG_INLINE_TINY Out(void* data, size_t n, const Path*) : at_(static_cast<uint8_t*>(data)), left_(n) {}
  OPKG_INLINE void begin(size_t) const {}
  OPKG_INLINE void next(size_t steps) { at_ += steps * Shape::kStepBytes, left_ -= steps * kStep; }
  OPKG_INLINE void put(size_t step, uint32_t part, HVX_Vector v) const {
    store(at_ + step * Shape::kStepBytes + part * kBytes, v);
  }
  OPKG_INLINE void put_tail(uint32_t part, HVX_Vector v) const {
    Out<T, kStep, Walk::anywhere>(at_, left_).put_tail(part, v);
  }

 private:
  uint8_t* at_;
  size_t left_;
};

/// The steps of a strip lie `stride` bytes apart; those of outputs may lie over each other, with the same results there.
template <typename T, uint32_t kStep, bool kAligned>
class StripIn : Row<T, kStep> {
  using Shape = Row<T, kStep>;

 public:
  OPKG_INLINE_TINY StripIn(const void* data, size_t n, const Path* path)
      : parts_(data), stride_(path->stride), n_(n) {}
  OPKG_INLINE HVX_Vector at(size_t step, uint32_t part) const { return parts_.vector(part, step * stride_); }
  OPKG_INLINE HVX_Vector tail(uint32_t part) const {
    return In<T, kStep, kAligned ? Walk::aligned : Walk::anywhere>(parts_.now() + n_ / kStep * stride_, n_ % kStep).tail(part);
  }

 private:
  Vectors<Shape::kParts, !kAligned> parts_;
  size_t stride_;
  size_t n_;
};

template <typename T, uint32_t kStep, bool kAligned>
class StripOut : Row<T, kStep> {
 public:
  OPKG_INLINE_TINY StripOut(void* data, size_t n, const Path* path)
      : data_(static_cast<uint8_t*>(data)), stride_(path->stride), n_(n) {}
  OPKG_INLINE void put(size_t step, uint32_t part, HVX_Vector v) const {
    uint8_t* const to = data_ + step * stride_ + part * kBytes;
    if (kAligned) {
      store(to, v);
    } else {
      store_unaligned(to, v);
    }
  }
  OPKG_INLINE void put_tail(uint32_t part, HVX_Vector v) const {
    Out<T, kStep, kAligned ? Walk::aligned : Walk::anywhere>(data_ + n_ / kStep * stride_, n_ % kStep).put_tail(part, v);
  }

 private:
  uint8_t* data_;
  size_t stride_;
  size_t n_;
};

// Blocks begin at multiples of 2048 on the device; a simulation may have them anywhere.
#if defined(__hexagon__)
OPKG_INLINE HVX_Vector load_in_block(const void* at) { return load(at); }
OPKG_INLINE void store_in_block(void* at, HVX_Vector v) { store(at, v); }
#else
OPKG_INLINE HVX_Vector load_in_block(const void* at) { return load_unaligned(at); }
OPKG_INLINE void store_in_block(void* at, HVX_Vector v) { store_unaligned(at, v); }
#endif

/// An operand in whole blocks: Byte* is where the turn is. Addresses are distances from the first block, so that the
/// compiler sees that no input lies where the output does.
template <typename Byte, typename T, uint32_t kStep>
class Blocks : protected Row<T, kStep> {
 protected:
  using Shape = Row<T, kStep>;

 public:
  static constexpr uint32_t kBlockSteps = kBlockBytes / Shape::kStepBytes;
  static constexpr uint32_t kSteps = kBlockSteps < kBlockTurn ? kBlockSteps : kBlockTurn;

  OPKG_INLINE_TINY Blocks(Byte* data, const Path* path) : data_(data), at_(data), blocks_(path->blocks), origin_(path->origin) {}
  OPKG_INLINE void begin(size_t turn) {
    constexpr size_t kTurns = kBlockSteps / kSteps;  // of a block
    const size_t inside = turn % kTurns * kSteps * Shape::kStepBytes;
    at_ = data_ + (reinterpret_cast<intptr_t>(blocks_[turn / kTurns]) + origin_ + static_cast<intptr_t>(inside));
  }
  OPKG_INLINE void next(size_t) const {}

 protected:
  OPKG_INLINE Byte* now(size_t step, uint32_t part) const { return at_ + step * Shape::kStepBytes + part * kBytes; }

 private:
  Byte* data_;
  Byte* at_;
  const void* const* __restrict blocks_;
  intptr_t origin_;
};

template <typename T, uint32_t kStep>
class In<T, kStep, Walk::strips, false> : public StripIn<T, kStep, false> {
  using StripIn<T, kStep, false>::StripIn;
};
template <typename T, uint32_t kStep>
class In<T, kStep, Walk::aligned_strips, false> : public StripIn<T, kStep, true> {
  using StripIn<T, kStep, true>::StripIn;
};
template <typename T, uint32_t kStep>
class Out<T, kStep, Walk::strips> : public StripOut<T, kStep, false> {
  using StripOut<T, kStep, false>::StripOut;
};
template <typename T, uint32_t kStep>
class Out<T, kStep, Walk::aligned_strips> : public StripOut<T, kStep, true> {
  using StripOut<T, kStep, true>::StripOut;
};
template <typename T, uint32_t kStep>
class In<T, kStep, Walk::blocks, false> : public Blocks<const uint8_t, T, kStep> {
 public:
  OPKG_INLINE_TINY In(const void* data, size_t, const Path* path)
      : Blocks<const uint8_t, T, kStep>(static_cast<const uint8_t*>(data), path) {}
  OPKG_INLINE HVX_Vector at(size_t step, uint32_t part) {
    if (loads_ == Loads::now) return load_in_block(this->now(step, part));
    const HVX_Vector found = held_[step % 2][part];
    if (loads_ == Loads::ahead) held_[step % 2][part] = load_in_block(this->now(step + 2, part));
    return found;
  }
  OPKG_INLINE HVX_Vector tail(uint32_t part) const { return load_in_block(this->now(0, part)); }  // there is none

  /// Loads two steps; until done() each step loads what the second one behind it takes.
  OPKG_INLINE void load_ahead() {
    loads_ = Loads::ahead;
    OPKG_UNROLL_WHOLE
    for (uint32_t part = 0; part < Row<T, kStep>::kParts; ++part) {
      held_[0][part] = load_in_block(this->now(0, part)), held_[1][part] = load_in_block(this->now(1, part));
    }
  }
  OPKG_INLINE void done() { loads_ = Loads::before; }

 private:
  enum class Loads { now,
                     ahead,
                     before };
  Loads loads_ = Loads::now;
  HVX_Vector held_[2][Row<T, kStep>::kParts];
};

template <typename T, uint32_t kStep>
class Out<T, kStep, Walk::blocks> : public Blocks<uint8_t, T, kStep> {
 public:
  OPKG_INLINE_TINY Out(void* data, size_t, const Path* path) : Blocks<uint8_t, T, kStep>(static_cast<uint8_t*>(data), path) {}
  OPKG_INLINE void put(size_t step, uint32_t part, HVX_Vector v) const { store_in_block(this->now(step, part), v); }
  OPKG_INLINE void put_tail(uint32_t, HVX_Vector) const {}
};

/// Calls one(k) for each of `steps` whole steps, the k-th from where the operands are. kUnroll: steps of a turn in one
/// aligned row. kAhead: a step is one long chain of its input, which is loaded two steps before, so that in blocks no step
/// waits for it. An output comes first.
template <uint32_t kWalk, uint32_t kUnroll, bool kAhead = false, typename One, typename First, typename... Rest>
OPKG_INLINE void each_step(size_t steps, const One& one, First& first, Rest&... rest) {
  if constexpr (Walk::numbered(kWalk)) {
    // What clang makes of pointers that are a stride apart is better with more steps in a turn.
    OPKG_UNROLL(kWalk == Walk::aligned_strips && kUnroll >= kTurn ? 2 * kTurn : kUnroll)
    for (size_t i = 0; i < steps; ++i) one(i);
  } else if constexpr (kAhead && kWalk == Walk::blocks) {
    constexpr uint32_t kSteps = First::kBlockSteps, kTurns = kSteps / First::kSteps;
    OPKG_UNROLL(1)
    for (size_t block = 0; block < steps / kSteps; ++block) {
      first.begin(block * kTurns), (rest.begin(block * kTurns), ...);
      (rest.load_ahead(), ...);
      OPKG_UNROLL_WHOLE
      for (uint32_t k = 0; k < kSteps - 2; ++k) one(k);
      (rest.done(), ...);
      one(kSteps - 2), one(kSteps - 1);
    }
  } else {
    const size_t turns = steps / First::kSteps;
    OPKG_UNROLL(1)
    for (size_t turn = 0; turn < turns; ++turn) {
      first.begin(turn), (rest.begin(turn), ...);
      OPKG_UNROLL_WHOLE
      for (uint32_t k = 0; k < First::kSteps; ++k) one(k);
      first.next(First::kSteps), (rest.next(First::kSteps), ...);
    }
    if constexpr (kWalk != Walk::blocks) {
      OPKG_UNROLL(1)
      for (size_t left = steps % First::kSteps; left != 0; --left) {
        one(0);
        first.next(1), (rest.next(1), ...);
      }
    }
  }
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_WALK_H_
