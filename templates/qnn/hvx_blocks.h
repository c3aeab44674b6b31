// Operands of generated loops that lie in blocks of 2048 bytes: block after block, or one line of 128 bytes of each of them.
#ifndef OPKG_HVX_BLOCKS_H_
#define OPKG_HVX_BLOCKS_H_

#include "opkg/hvx.h"

namespace opkg::hvx {

constexpr uint32_t kTurn = 4;       ///< steps of a turn; with as many as 8 clang runs out of registers
constexpr uint32_t kBlockTurn = 8;  ///< in blocks, where every turn looks addresses up
constexpr size_t kBlockBytes = 2048;

}  // namespace opkg::hvx

#if OPKG_HVX

namespace opkg::hvx {

// Blocks begin at multiples of 2048 on the device; a simulation may have them anywhere.
#if defined(__hexagon__)
OPKG_INLINE HVX_Vector load_in_block(const void* at) { return load(at); }
OPKG_INLINE void store_in_block(void* at, HVX_Vector v) { store(at, v); }
#else
OPKG_INLINE HVX_Vector load_in_block(const void* at) { return load_unaligned(at); }
OPKG_INLINE void store_in_block(void* at, HVX_Vector v) { store_unaligned(at, v); }
#endif

/// An operand in whole blocks: Byte* is where the turn is, the first one of each block, then the next one of each. Addresses
/// are distances from the first block, so that the compiler sees that no input lies where the output does. kApart: every so many blocks of the table.
template <typename Byte, typename T, uint32_t kStep, bool kApart = false>
class Blocks : protected Row<T, kStep> {
 protected:
  using Shape = Row<T, kStep>;

 public:
  static constexpr uint32_t kBlockSteps = kBlockBytes / Shape::kStepBytes;
  static constexpr uint32_t kMost = kApart && sizeof(T) == 2 ? kBlockTurn / 2 : kBlockTurn;  // half the code, and clang pipelines it
  static constexpr uint32_t kSteps = kBlockSteps < kMost ? kBlockSteps : kMost;

  OPKG_INLINE_TINY Blocks(Byte* data, const Path* path) : data_(data), at_(data), blocks_(path->blocks), origin_(path->origin), every_(kApart ? path->stride : 1) {}
  OPKG_INLINE void begin(size_t block) { at_ = data_ + (reinterpret_cast<intptr_t>(blocks_[block * every_]) + origin_); }
  OPKG_INLINE void next_turn() { origin_ += static_cast<intptr_t>(kSteps * Shape::kStepBytes); }

 protected:
  OPKG_INLINE Byte* now(size_t step, uint32_t part) const { return at_ + step * Shape::kStepBytes + part * kBytes; }

 private:
  Byte* data_;
  Byte* at_;
  const void* const* __restrict blocks_;
  intptr_t origin_;
  size_t every_;
};

/// An input in blocks, from where the turn is.
template <typename T, uint32_t kStep, typename Place>
class BlocksIn : public Place {
 public:
  OPKG_INLINE_TINY BlocksIn(const void* data, const Path* path) : Place(static_cast<const uint8_t*>(data), path) {}
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
  OPKG_INLINE void load_now() { loads_ = Loads::now; }

 private:
  enum class Loads { now,
                     ahead,
                     before };
  Loads loads_ = Loads::now;
  HVX_Vector held_[2][Row<T, kStep>::kParts];
};

/// An operand of which each step takes a line (128 bytes) of another block: the same one of all blocks, then the next one.
template <typename Byte>
class Across {
 public:
  static constexpr uint32_t kSteps = kTurn;

  OPKG_INLINE_TINY Across(Byte* data, const Path* path)
      : data_(data), blocks_(path->blocks), origin_(path->origin), stride_(static_cast<intptr_t>(path->stride)), lines_(path->phase) {}
  OPKG_INLINE size_t lines() const { return lines_; }
  OPKG_INLINE void begin(size_t step, uint32_t steps) {
    OPKG_UNROLL_WHOLE
    for (uint32_t k = 0; k < steps; ++k) at_[k] = data_ + (reinterpret_cast<intptr_t>(blocks_[step + k]) + origin_);
  }
  OPKG_INLINE void next_line() { origin_ += stride_; }

 protected:
  OPKG_INLINE Byte* now(size_t step, uint32_t part) const { return at_[step] + part * kBytes; }

 private:
  Byte* at_[kSteps];
  Byte* data_;
  const void* const* __restrict blocks_;
  intptr_t origin_;
  intptr_t stride_;
  size_t lines_;
};

/// An output in blocks.
template <typename Place>
class BlocksOut : public Place {
 public:
  OPKG_INLINE_TINY BlocksOut(void* data, const Path* path) : Place(static_cast<uint8_t*>(data), path) {}
  OPKG_INLINE void put(size_t step, uint32_t part, HVX_Vector v) const { store_in_block(this->now(step, part), v); }
  OPKG_INLINE void put_tail(uint32_t, HVX_Vector) const {}
};

template <typename T, uint32_t kStep>
class In<T, kStep, Walk::blocks, false> : public BlocksIn<T, kStep, Blocks<const uint8_t, T, kStep>> {
 public:
  OPKG_INLINE_TINY In(const void* data, size_t, const Path* path) : BlocksIn<T, kStep, Blocks<const uint8_t, T, kStep>>(data, path) {}
};
template <typename T, uint32_t kStep>
class Out<T, kStep, Walk::blocks> : public BlocksOut<Blocks<uint8_t, T, kStep>> {
 public:
  OPKG_INLINE_TINY Out(void* data, size_t, const Path* path) : BlocksOut<Blocks<uint8_t, T, kStep>>(data, path) {}
};
template <typename T, uint32_t kStep>
class In<T, kStep, Walk::depths, false> : public BlocksIn<T, kStep, Blocks<const uint8_t, T, kStep, true>> {
 public:
  OPKG_INLINE_TINY In(const void* data, size_t, const Path* path) : BlocksIn<T, kStep, Blocks<const uint8_t, T, kStep, true>>(data, path) {}
};
template <typename T, uint32_t kStep>
class Out<T, kStep, Walk::depths> : public BlocksOut<Blocks<uint8_t, T, kStep, true>> {
 public:
  OPKG_INLINE_TINY Out(void* data, size_t, const Path* path) : BlocksOut<Blocks<uint8_t, T, kStep, true>>(data, path) {}
};
/// A vector of a block whose pixels all have the same 32 channels, of which `bytes` are there. `in_blocks`: these are the first
/// pixel of a block. Blocks of 16 bits (steps of 64) have pairs of pixels, whose elements alternate.
template <uint32_t kElement, uint32_t kStep>
OPKG_INLINE HVX_Vector channels(const uint8_t* run, size_t bytes, bool in_blocks) {
  HVX_Vector v = load_some(run, kElement == 2 && kStep == 64 && in_blocks ? kBytes : bytes);
  if (kElement == 2 && kStep == 64) return in_blocks ? Q6_Vh_vshuffe_VhVh(v, v) : Q6_V_lo_W(Q6_W_vshuff_VVR(v, v, -2));
  for (int32_t valid = 32 * kElement; valid < static_cast<int32_t>(kBytes); valid *= 2) {
    v = Q6_V_vmux_QVV(Q6_Q_vsetq_R(valid), v, Q6_V_vror_VR(v, -valid));
  }
  return v;
}

/// An input that repeats in blocks: a step of it that is there whole (no stride), one number, or 32 channels.
template <typename T, uint32_t kStep>
class In<T, kStep, Walk::depths, true> : public Held<T, kStep> {
  static constexpr uint32_t kParts = Row<T, kStep>::kParts;
  using Held<T, kStep>::held_;

 public:
  OPKG_INLINE_TINY In(const void* data, size_t, const Path* path) {
    const auto* const run = static_cast<const uint8_t*>(data);
    if (path->stride == 0) {
      for (uint32_t part = 0; part < kParts; ++part) held_[part] = load(run + part * kBytes);
      return;
    }
    const bool in_blocks = path->blocks != nullptr;
    const HVX_Vector held = path->stride == sizeof(T) ? splat<T>(data) : channels<sizeof(T), kStep>(run, path->phase, in_blocks);
    for (uint32_t part = 0; part < kParts; ++part) held_[part] = held;
  }
};

template <typename T, uint32_t kStep>
class In<T, kStep, Walk::across, false> : public BlocksIn<T, kStep, Across<const uint8_t>> {
 public:
  OPKG_INLINE_TINY In(const void* data, size_t, const Path* path) : BlocksIn<T, kStep, Across<const uint8_t>>(data, path) {}
};
template <typename T, uint32_t kStep>
class Out<T, kStep, Walk::across> : public BlocksOut<Across<uint8_t>> {
 public:
  OPKG_INLINE_TINY Out(void* data, size_t, const Path* path) : BlocksOut<Across<uint8_t>>(data, path) {}
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_BLOCKS_H_
