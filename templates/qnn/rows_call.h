// Calls of a kernel's row functions: the instance of `vector` for the inputs that are patterns, or the portable code.
#ifndef OPKG_ROWS_CALL_H_
#define OPKG_ROWS_CALL_H_

#include "opkg/hvx.h"
#include "opkg/paths.h"
#include "opkg/rows_operand.h"

namespace opkg::rowwise {

constexpr size_t kAlignment = 128;

// Hosts take any address alike: one instance of each kernel is enough there.
#if defined(__hexagon__)
constexpr bool kTellsAlignment = true;
#else
constexpr bool kTellsAlignment = false;
#endif

/// Whether a struct of row functions has vector code at all.
template <typename Rows, typename = void>
struct HasVector : std::false_type {};
#if OPKG_HVX
template <typename Rows>
struct HasVector<Rows, std::void_t<decltype(&Rows::template vector<0u, true>)>> : std::true_type {};
#endif

constexpr uint32_t count_bits(uint32_t mask) { return mask == 0 ? 0 : 1 + count_bits(mask & (mask - 1)); }

/// Which sets of inputs `vector` is instantiated for as patterns: all sets of up to three inputs that may broadcast;
/// of more: none, all, and single ones. At most 8.
template <uint32_t kMayBroadcast>
struct Instances {
  static constexpr uint32_t kBits = count_bits(kMayBroadcast);
  static constexpr uint32_t kCount = kBits <= 3 ? 1u << kBits : (kBits + 2 < 8 ? kBits + 2 : 8);

  static constexpr uint32_t mask(uint32_t index) {
    if (kBits > 3 && index == 1) return kMayBroadcast;
    const uint32_t chosen = kBits <= 3 ? index : index == 0 ? 0
                                                            : 1u << (index - 2);
    uint32_t found = 0;
    uint32_t number = 0;
    for (uint32_t bit = 0; bit < 32; ++bit) {
      if ((kMayBroadcast >> bit & 1) == 0) continue;
      if ((chosen >> number++ & 1) != 0) found |= 1u << bit;
    }
    return found;
  }

  /// The instance with the most of the wanted patterns, and no other.
  static uint32_t best(uint32_t wanted) {
    uint32_t found = 0;
    for (uint32_t index = 0; index < kCount; ++index) {
      const uint32_t candidate = mask(index);
      if ((candidate & ~wanted) == 0 && count_bits(candidate) > count_bits(found)) found = candidate;
    }
    return found;
  }
};

#if OPKG_HVX

template <typename Rows>
using VectorFunction = bool (*)(const Rows&, const void* const*, void* const*, size_t);

template <typename Rows, uint32_t kFixed, bool kAligned>
bool run_vector(const Rows& rows, const void* const* in, void* const* out, size_t n) {
  return rows.template vector<kFixed, kAligned>(in, out, n);
}

template <typename Rows, bool kAligned, uint32_t kIndex = 0>
VectorFunction<Rows> instance(uint32_t mask) {
  using Sets = Instances<Rows::kMayBroadcast>;
  if constexpr (kIndex + 1 < Sets::kCount) {
    if (mask != Sets::mask(kIndex)) return instance<Rows, kAligned, kIndex + 1>(mask);
  }
  return &run_vector<Rows, Sets::mask(kIndex), kAligned>;
}

#endif

/// One row: pointers to n elements of every operand. Inputs in the set `fixed` are patterns of Rows::kStep elements.
template <typename Rows>
class RowCall {
 public:
  static constexpr uint32_t kSlots = Domain<Rows::kInputs>::kSlots;

  RowCall(const Rows& rows, bool vectors, uint32_t fixed) : rows_(rows), vectors_(vectors), fixed_(fixed) {}

  /// `inputs`, `outputs`: the operands, for the size of their elements.
  void operator()(const Operand* inputs, const Operand* outputs, const uint8_t* const* in, uint8_t* const* out,
                  size_t n) const {
    if (counted(vectors_ && vector(in, out, n), n)) return;
    // A pattern serves the portable code as a row of one step.
    const size_t most = fixed_ == 0 ? n : Rows::kStep;
    const void* from[kSlots] = {};
    void* to[Rows::kOutputs];
    uint32_t steps[kSlots];
    for (uint32_t& step : steps) step = 1;
    for (size_t at = 0; at < n; at += most) {
      for (uint32_t i = 0; i < Rows::kInputs; ++i) {
        from[i] = in[i] + ((fixed_ >> i & 1) != 0 ? 0 : at * inputs[i].bytes);
      }
      for (uint32_t i = 0; i < Rows::kOutputs; ++i) to[i] = out[i] + at * outputs[i].bytes;
      rows_.portable(from, steps, to, n - at < most ? n - at : most);
    }
  }

 private:
  bool vector([[maybe_unused]] const uint8_t* const* in, [[maybe_unused]] uint8_t* const* out,
              [[maybe_unused]] size_t n) const {
#if OPKG_HVX
    if constexpr (HasVector<Rows>::value) {
      const void* from[kSlots] = {};
      void* to[Rows::kOutputs];
      uintptr_t places = 0;
      for (uint32_t i = 0; i < Rows::kInputs; ++i) {
        from[i] = in[i];
        if ((fixed_ >> i & 1) == 0) places |= reinterpret_cast<uintptr_t>(in[i]);
      }
      for (uint32_t i = 0; i < Rows::kOutputs; ++i) {
        to[i] = out[i];
        places |= reinterpret_cast<uintptr_t>(out[i]);
      }
      if constexpr (kTellsAlignment) {
        if (places % kAlignment == 0) return instance<Rows, true>(fixed_)(rows_, from, to, n);
      }
      return instance<Rows, false>(fixed_)(rows_, from, to, n);
    }
#endif
    return false;
  }

  const Rows& rows_;
  bool vectors_;
  uint32_t fixed_;
};

}  // namespace opkg::rowwise

#endif  // OPKG_ROWS_CALL_H_
