// Loops of generated kernels over operands that are not one aligned row: inputs that begin anywhere, strips, blocks. C++17.
//
// Outside of strips such a loop makes turns of some steps: within a turn every operand is in one piece. at() and put() count
// steps from where the operand is now; begin() comes before a turn, next() after some steps. What follows the last whole
// turn goes step by step. As in hvx.h the pointers come as `__restrict` parameters of the function with the loop.
#ifndef OPKG_HVX_WALK_H_
#define OPKG_HVX_WALK_H_

#include "opkg/hvx_blocks.h"

#if OPKG_HVX

namespace opkg::hvx {

/// An input that moves on, from anywhere.
template <typename T, uint32_t kStep>
class In<T, kStep, Walk::shifted, false> : Row<T, kStep> {
  using Shape = Row<T, kStep>;

 public:
  OPKG_INLINE_TINY In(const void* data, size_t n, const Path*) : at_(static_cast<const uint8_t*>(data)), left_(n) {}
  OPKG_INLINE void next(size_t steps) { at_ += steps * Shape::kStepBytes, left_ -= steps * kStep; }
  OPKG_INLINE HVX_Vector at(size_t step, uint32_t part) const {
    return load_unaligned(at_ + step * Shape::kStepBytes + part * kBytes);
  }
  OPKG_INLINE HVX_Vector tail(uint32_t part) const { return In<T, kStep, Walk::anywhere>(at_, left_).tail(part); }

 private:
  const uint8_t* at_;
  size_t left_;
};

/// An output that moves on, at multiples of 128 unless it is shorter than a step.
template <typename T, uint32_t kStep>
class Out<T, kStep, Walk::shifted> : Row<T, kStep> {
  using Shape = Row<T, kStep>;

 public:
  OPKG_INLINE_TINY Out(void* data, size_t n, const Path*) : at_(static_cast<uint8_t*>(data)), left_(n) {}
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
      : data_(static_cast<const uint8_t*>(data)), stride_(path->stride), n_(n) {}
  OPKG_INLINE HVX_Vector at(size_t step, uint32_t part) const {
    const uint8_t* const from = data_ + step * stride_ + part * kBytes;
    return kAligned ? load(from) : load_unaligned(from);
  }
  OPKG_INLINE HVX_Vector tail(uint32_t part) const {
    return In<T, kStep, kAligned ? Walk::aligned : Walk::anywhere>(data_ + n_ / kStep * stride_, n_ % kStep).tail(part);
  }

 private:
  const uint8_t* data_;
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

/// An operand in turns: Byte* is where it is. What repeats lies there once: its turns begin at the same place.
template <typename Byte, typename T, uint32_t kStep>
class Turns : protected Row<T, kStep> {
 protected:
  using Shape = Row<T, kStep>;

 public:
  OPKG_INLINE_TINY Turns(Byte* data, size_t n, const Path* path) : at_(data), move_(path->stride), left_(n % kStep) {}
  OPKG_INLINE void begin_turns(size_t steps) {
    move_ += steps * Shape::kStepBytes;
#if defined(__hexagon__)
    asm("" : "+r"(move_));  // a sum of one register, not of it and a long number in each turn
#endif
  }
  OPKG_INLINE void next(size_t steps) { at_ += steps * Shape::kStepBytes; }
  OPKG_INLINE void next_turn() { at_ += move_; }

 protected:
  OPKG_INLINE Byte* now(size_t step, uint32_t part) const { return at_ + step * Shape::kStepBytes + part * kBytes; }

  Byte* at_;
  size_t move_;  ///< bytes from turn to turn
  size_t left_;  ///< elements of the step that is not whole
};

template <typename T, uint32_t kStep, bool kAligned>
class TurnsIn : public Turns<const uint8_t, T, kStep> {
 public:
  OPKG_INLINE_TINY TurnsIn(const void* data, size_t n, const Path* path) : Turns<const uint8_t, T, kStep>(static_cast<const uint8_t*>(data), n, path) {}
  OPKG_INLINE HVX_Vector at(size_t step, uint32_t part) const {
    return kAligned ? load(this->now(step, part)) : load_unaligned(this->now(step, part));
  }
  OPKG_INLINE HVX_Vector tail(uint32_t part) const {
    return In<T, kStep, kAligned ? Walk::aligned : Walk::anywhere>(this->at_, this->left_).tail(part);
  }
};

template <typename T, uint32_t kStep, bool kAligned>
class TurnsOut : public Turns<uint8_t, T, kStep> {
 public:
  OPKG_INLINE_TINY TurnsOut(void* data, size_t n, const Path* path) : Turns<uint8_t, T, kStep>(static_cast<uint8_t*>(data), n, path) {}
  OPKG_INLINE void put(size_t step, uint32_t part, HVX_Vector v) const {
    kAligned ? store(this->now(step, part), v) : store_unaligned(this->now(step, part), v);
  }
  OPKG_INLINE void put_tail(uint32_t part, HVX_Vector v) const {
    Out<T, kStep, kAligned ? Walk::aligned : Walk::anywhere>(this->at_, this->left_).put_tail(part, v);
  }
};

template <typename T, uint32_t kStep>
class In<T, kStep, Walk::turns, false> : public TurnsIn<T, kStep, false> {
  using TurnsIn<T, kStep, false>::TurnsIn;
};
template <typename T, uint32_t kStep>
class In<T, kStep, Walk::aligned_turns, false> : public TurnsIn<T, kStep, true> {
  using TurnsIn<T, kStep, true>::TurnsIn;
};
template <typename T, uint32_t kStep>
class Out<T, kStep, Walk::turns> : public TurnsOut<T, kStep, false> {
  using TurnsOut<T, kStep, false>::TurnsOut;
};
template <typename T, uint32_t kStep>
class Out<T, kStep, Walk::aligned_turns> : public TurnsOut<T, kStep, true> {
  using TurnsOut<T, kStep, true>::TurnsOut;
};

/// Puts `count` vectors of a run of more than 128 bytes again and again, from its byte `at` on, to a multiple of 128.
inline __attribute__((noinline)) void put_long(uint8_t* to, size_t count, const uint8_t* run, size_t period, size_t at) {
  const uint8_t* const end = to + count * kBytes;
  OPKG_UNROLL(1)
  while (to != end) {
    const size_t left = static_cast<size_t>(end - to) / kBytes, there = (period - at) / kBytes;
    OPKG_UNROLL(1)
    for (size_t whole = there < left ? there : left; whole != 0; --whole, to += kBytes, at += kBytes) store(to, load_unaligned(run + at));
    if (at == period) at = 0;
    if (to == end || at == 0) continue;
    store(to, repeated(run, period, at));
    to += kBytes, at += kBytes - period;
  }
}

/// The same of a run of any length. `on`: 128 % period. Whole periods of a short one, 128 - `on` bytes, are put one behind the
/// other, up to 127 bytes further than `count` vectors.
inline __attribute__((noinline)) void put_repeated(uint8_t* to, size_t count, const uint8_t* run, size_t period, size_t at, size_t on) {
  if (period > kBytes) return put_long(to, count, run, period, at);
  const HVX_Vector v = repeated_short(run, period, at);
  if (on == 0) {
    OPKG_UNROLL(1)
    for (; count != 0; --count, to += kBytes) store(to, v);
    return;
  }
  const uint8_t* const end = to + count * kBytes;
  OPKG_UNROLL(1)
  do {
    store_unaligned(to, v);
    to += kBytes - on;
  } while (to < end);
}

/// Operands that move on are behind some steps that were numbered.
template <uint32_t kWalk, typename... Operands>
OPKG_INLINE void behind(size_t steps, Operands&... operands) {
  if constexpr (kWalk == Walk::shifted) (operands.next(steps), ...);
}

/// A turn in blocks. kAhead: as in each_step.
template <uint32_t kSteps, bool kAhead, typename One, typename... Inputs>
OPKG_INLINE void turn_of(const One& one, Inputs&... inputs) {
  constexpr uint32_t kLoaded = kAhead ? 2 : 0;
  if constexpr (kAhead) (inputs.load_ahead(), ...);
  OPKG_UNROLL_WHOLE
  for (uint32_t k = 0; k < kSteps - kLoaded; ++k) one(k);
  if constexpr (kAhead) {
    (inputs.done(), ...);
    one(kSteps - 2), one(kSteps - 1);
  }
}

/// Calls one(k) for each of `steps` whole steps, the k-th from where the operands are. kUnroll: steps of a turn in one
/// aligned row, and of `turns`. kAhead: a step is one long chain of its input, which is loaded two steps before, so that in
/// blocks no step waits for it. kAnywhere: steps of a turn of `shifted` rows. An output comes first.
template <uint32_t kWalk, uint32_t kUnroll, bool kAhead = false, uint32_t kAnywhere = kTurn, typename One, typename First, typename... Rest>
OPKG_INLINE void each_step(size_t steps, const One& one, First& first, Rest&... rest) {
  if constexpr (Walk::numbered(kWalk)) {
    // What clang makes of pointers that are a stride apart is better with more steps in a turn.
    OPKG_UNROLL(kWalk == Walk::aligned_strips && kUnroll >= kTurn ? 2 * kTurn : kUnroll)
    for (size_t i = 0; i < steps; ++i) one(i);
  } else if constexpr (Walk::in_turns(kWalk)) {
    first.begin_turns(kUnroll), (rest.begin_turns(kUnroll), ...);
    OPKG_UNROLL(1)
    for (size_t turns = steps / kUnroll; turns != 0; --turns) {
      turn_of<kUnroll, false>(one, rest...);
      first.next_turn(), (rest.next_turn(), ...);
    }
    if constexpr (kUnroll > 1) {
      OPKG_STAGED
      for (size_t left = steps % kUnroll; left != 0; --left) {
        one(0);
        first.next(1), (rest.next(1), ...);
      }
    }
  } else if constexpr (kWalk == Walk::across) {
    OPKG_UNROLL(1)
    for (size_t line = first.lines(); line != 0; --line) {
      size_t step = 0;
      OPKG_UNROLL(1)
      for (size_t turns = steps / First::kSteps; turns != 0; --turns, step += First::kSteps) {
        first.begin(step, First::kSteps), (rest.begin(step, First::kSteps), ...);
        turn_of<First::kSteps, kAhead>(one, rest...);
      }
      if constexpr (kAhead) (rest.load_now(), ...);
      OPKG_UNROLL(1)
      for (size_t left = steps % First::kSteps; left != 0; --left, ++step) {
        first.begin(step, 1), (rest.begin(step, 1), ...);
        one(0);
      }
      first.next_line(), (rest.next_line(), ...);
    }
  } else if constexpr (kAhead && kWalk == Walk::blocks) {
    constexpr uint32_t kSteps = First::kBlockSteps;
    OPKG_UNROLL(1)
    for (size_t block = 0; block < steps / kSteps; ++block) {
      first.begin(block), (rest.begin(block), ...);
      turn_of<kSteps, true>(one, rest...);
    }
  } else if constexpr (kWalk == Walk::blocks || kWalk == Walk::depths) {
    const size_t blocks = steps / First::kBlockSteps;
    OPKG_UNROLL(1)
    for (uint32_t turn = 0; turn < First::kBlockSteps / First::kSteps; ++turn) {
      OPKG_UNROLL(1)
      for (size_t block = 0; block < blocks; ++block) {
        first.begin(block), (rest.begin(block), ...);
        turn_of<First::kSteps, false>(one, rest...);
      }
      first.next_turn(), (rest.next_turn(), ...);
    }
  } else {
    size_t turns = steps / kAnywhere;
#if defined(__hexagon__)
    if constexpr ((kAnywhere & (kAnywhere - 1)) != 0) asm("" : "+r"(turns));  // steps are not divided once more behind them
#endif
    size_t left = steps - turns * kAnywhere;
    OPKG_UNROLL(1)
    for (; turns != 0; --turns) {
      turn_of<kAnywhere, false>(one, rest...);
      first.next(kAnywhere), (rest.next(kAnywhere), ...);
    }
    OPKG_UNROLL(1)
    for (; left != 0; --left) {
      one(0);
      first.next(1), (rest.next(1), ...);
    }
  }
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_WALK_H_
