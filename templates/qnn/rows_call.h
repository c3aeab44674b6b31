// Calls of a kernel's row functions: the instance of `vector` for the inputs that are patterns, or the portable code.
//
// What goes through tensors asks a table of them (RowFunctions), so that it is the same code for all kernels with as many operands.
#ifndef OPKG_ROWS_CALL_H_
#define OPKG_ROWS_CALL_H_

#include "opkg/hvx_walk.h"
#include "opkg/paths.h"
#include "opkg/rows_operand.h"
#include "opkg/small.h"

namespace opkg::rowwise {

constexpr size_t kAlignment = 128;
constexpr size_t kMostOperands = 64;

// Hosts take any address alike, and block after block as a row: one instance of each kernel is enough there.
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
struct HasVector<Rows, std::void_t<decltype(&Rows::template vector<0u, hvx::Walk::aligned>)>> : std::true_type {};
#endif

/// Whether tensors in blocks may come to a struct: unless it says `kBlocks = false`.
template <typename Rows, typename = void>
struct TakesBlocks : std::true_type {};
template <typename Rows>
struct TakesBlocks<Rows, std::void_t<decltype(Rows::kBlocks)>> : std::bool_constant<Rows::kBlocks> {};

/// Steps of a turn of a struct whose vector code has what repeats in memory (`kTurn`, of at most 4096 bytes); 0: in registers.
template <typename Rows, typename = void>
struct TurnOf : std::integral_constant<uint32_t, 0> {};
template <typename Rows>
struct TurnOf<Rows, std::void_t<decltype(Rows::kTurn)>> : std::integral_constant<uint32_t, Rows::kTurn> {};

/// Whether such a struct has a loop of its own for rows at any address (`kShifted`: steps of its turns): else their turns follow one another.
template <typename Rows, typename = void>
struct ShiftedOf : std::bool_constant<TurnOf<Rows>::value == 0> {};
template <typename Rows>
struct ShiftedOf<Rows, std::void_t<decltype(Rows::kShifted)>> : std::bool_constant<Rows::kShifted != 0> {};

/// Whether rows of a struct may lie apart (opkg/rows_seen.h): `kApart`.
template <typename Rows, typename = void>
struct ApartOf : std::false_type {};
template <typename Rows>
struct ApartOf<Rows, std::void_t<decltype(Rows::kApart)>> : std::bool_constant<Rows::kApart> {};

/// Whether parts of short rows may be computed as runs of whole rows (opkg/seen_run.h): unless a struct says `kRuns = false`.
template <typename Rows, typename = void>
struct RunsOf : std::true_type {};
template <typename Rows>
struct RunsOf<Rows, std::void_t<decltype(Rows::kRuns)>> : std::bool_constant<Rows::kRuns> {};

constexpr uint32_t count_bits(uint32_t mask) { return mask == 0 ? 0 : 1 + count_bits(mask & (mask - 1)); }

/// Which sets of inputs `vector` is instantiated for as patterns: all sets of up to three inputs that may broadcast, but
/// that of several inputs which are all there are, since a result has no dimension that none of them has;
/// of more: none, all, and single ones. At most 8.
template <uint32_t kInputs, uint32_t kMayBroadcast>
struct Instances {
  static constexpr uint32_t kBits = count_bits(kMayBroadcast);
  static constexpr uint32_t kSets = kInputs > 1 && kBits == kInputs ? (1u << kBits) - 1 : 1u << kBits;
  static constexpr uint32_t kCount = kBits <= 3 ? kSets : (kBits + 2 < 8 ? kBits + 2 : 8);

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
  OPKG_SMALL static uint32_t best(uint32_t wanted) {
    uint32_t found = 0;
    for (uint32_t index = 0; index < kCount; ++index) {
      const uint32_t candidate = mask(index);
      if ((candidate & ~wanted) == 0 && count_bits(candidate) > count_bits(found)) found = candidate;
    }
    return found;
  }
};

using VectorFunction = bool (*)(const void* rows, const void* const* in, void* const* out, size_t n, const hvx::Path* path);

#if OPKG_HVX

/// A function of its own: within another one the compiler no longer sees that the loop's pointers lead to different places.
template <typename Rows, uint32_t kFixed, uint32_t kWalk>
__attribute__((noinline)) bool run_vector(const void* rows, const void* const* in, void* const* out, size_t n,
                                          const hvx::Path* path) {
  return static_cast<const Rows*>(rows)->template vector<kFixed, kWalk>(in, out, n, path);
}

template <typename Rows, uint32_t kWalk, uint32_t kIndex = 0>
VectorFunction instance(uint32_t mask) {
  using Sets = Instances<Rows::kInputs, Rows::kMayBroadcast>;
  if constexpr (kIndex + 1 < Sets::kCount) {
    if (mask != Sets::mask(kIndex)) return instance<Rows, kWalk, kIndex + 1>(mask);
  }
  return &run_vector<Rows, Sets::mask(kIndex), kWalk>;
}

#endif

/// The vector code for a walk; null where there is none. Rows have no patterns, and strips have some.
template <typename Rows>
OPKG_SMALL VectorFunction walking([[maybe_unused]] uint32_t walk, [[maybe_unused]] uint32_t fixed) {
#if OPKG_HVX
  using hvx::Walk;
  if constexpr (HasVector<Rows>::value) {
    constexpr bool kTurns = TurnOf<Rows>::value != 0;
    constexpr bool kPatterns = Instances<Rows::kInputs, Rows::kMayBroadcast>::kCount > 1;  // index 0 is without any
    if constexpr (ApartOf<Rows>::value) {
      if (walk == Walk::strips) return &run_vector<Rows, 0, Walk::strips>;
      if (kTellsAlignment && walk == Walk::aligned_strips) return &run_vector<Rows, 0, Walk::aligned_strips>;
    }
    if constexpr (kTellsAlignment && TakesBlocks<Rows>::value) {
      if constexpr (kPatterns) {
        if (walk == Walk::blocks && fixed != 0) return instance<Rows, Walk::depths, 1>(fixed);
      }
      if (walk == Walk::blocks) return &run_vector<Rows, 0, Walk::blocks>;
      if (walk == Walk::across) return &run_vector<Rows, 0, Walk::across>;
    }
    if (walk == Walk::across) return nullptr;
    if constexpr (kTellsAlignment) {
      if (walk == Walk::aligned || (kTurns && walk == Walk::aligned_strips)) {
        constexpr uint32_t kAligned = kTurns ? Walk::aligned_turns : Walk::aligned;
        return &run_vector<Rows, 0, kAligned>;
      }
      if constexpr (kPatterns && !kTurns) {
        if (walk == Walk::aligned_strips) return instance<Rows, Walk::aligned_strips, 1>(fixed);
      }
    }
    if constexpr (kTurns) {
      if (!ShiftedOf<Rows>::value || walk == Walk::strips) return &run_vector<Rows, 0, Walk::turns>;
    } else if constexpr (kPatterns) {
      if (walk == Walk::strips) return instance<Rows, Walk::strips, 1>(fixed);
    }
    if constexpr (ShiftedOf<Rows>::value) {
      if constexpr (Rows::kOutputs > 1) {
        if (walk == Walk::anywhere) return &run_vector<Rows, 0, Walk::anywhere>;
      }
      return &run_vector<Rows, 0, Walk::shifted>;
    }
  }
#endif
  return nullptr;
}

/// The row functions of a kernel.
struct RowFunctions {
  uint32_t step;           ///< elements of a step
  uint32_t turn;           ///< steps of a turn where what repeats is in memory; 0: it is in registers
  uint32_t may_broadcast;  ///< bit i: input i
  bool vector;             ///< whether there is vector code
  bool blocks;             ///< whether tensors in blocks may come
  bool runs;               ///< whether parts of short rows may be runs
  VectorFunction (*walking)(uint32_t walk, uint32_t fixed);
  void (*portable)(const void* rows, const void* const* in, const uint32_t* step, void* const* out, size_t n);
  uint32_t (*best)(uint32_t wanted);  ///< see Instances

  uint32_t turn_steps() const { return turn != 0 ? turn : 1; }
};

template <typename Rows>
void run_portable(const void* rows, const void* const* in, const uint32_t* step, void* const* out, size_t n) {
  static_cast<const Rows*>(rows)->portable(in, step, out, n);
}

template <typename Rows>
constexpr RowFunctions kRowFunctions = {Rows::kStep, TurnOf<Rows>::value, Rows::kMayBroadcast, HasVector<Rows>::value, TakesBlocks<Rows>::value,
                                        RunsOf<Rows>::value, &walking<Rows>, &run_portable<Rows>, &Instances<Rows::kInputs, Rows::kMayBroadcast>::best};

/// A kernel in a call. `rows`: the struct with its numbers; `vectors`: whether it may take its vector code.
struct KernelRows {
  const RowFunctions* functions;
  const void* rows;
  bool vectors;
};

/// One row: pointers to n elements of every operand, or in blocks to the first one's, where inputs in the set `fixed` are
/// patterns of a step.
template <uint32_t kInputs, uint32_t kOutputs>
class RowCall {
 public:
  static constexpr uint32_t kSlots = Domain<kInputs>::kSlots;
  static constexpr uint32_t kOperands = kInputs + kOutputs;
  static_assert(kOperands <= kMostOperands, "as many as code for any number of them has room for");

  RowCall(const KernelRows& kernel, uint32_t fixed) : kernel_(kernel), fixed_(fixed) {}

  /// `inputs`, `outputs`: the operands, for the size of their elements.
  void operator()(const Operand* inputs, const Operand* outputs, const uint8_t* const* in, uint8_t* const* out, size_t n,
                  uint32_t walk, const hvx::Path* path) const {
    if (!kTellsAlignment && walk == hvx::Walk::blocks) return block_by_block(inputs, outputs, n, path);
    if (!counted(kernel_.vectors && vector(in, out, n, walk, path), n)) portable(inputs, outputs, in, out, n, walk, path);
  }

  /// A row of which no input is a pattern. The pointers move over what is in front of the first whole vector.
  void whole(const Operand* inputs, const Operand* outputs, const uint8_t** in, uint8_t** out, size_t n) const {
    if (walk(in, out) != hvx::Walk::aligned) return with_head(inputs, outputs, in, out, n);
    (*this)(inputs, outputs, in, out, n, hvx::Walk::aligned, hvx::kNoPaths<kOperands>);
  }

 private:
  /// Blocks as rows. A simulation may have blocks at any address.
  void block_by_block(const Operand* inputs, const Operand* outputs, size_t n, const hvx::Path* path) const {
    alignas(kAlignment) uint8_t results[kOutputs][hvx::kBlockBytes];
    const size_t size = hvx::kBlockBytes / outputs[0].bytes;
    for (size_t k = 0; k < n / size; ++k) {
      const uint8_t* in[kSlots] = {};
      uint8_t* out[kOutputs];
      for (uint32_t i = 0; i < kInputs; ++i) in[i] = static_cast<const uint8_t*>(path[i].blocks[k]);
      for (uint32_t i = 0; i < kOutputs; ++i) out[i] = results[i];
      whole(inputs, outputs, in, out, size);
      for (uint32_t i = 0; i < kOutputs; ++i) {
        memcpy(const_cast<void*>(path[kInputs + i].blocks[k]), results[i], hvx::kBlockBytes);
      }
    }
  }

  /// How a row is walked over.
  static uint32_t walk(const uint8_t* const* in, uint8_t* const* out) {
    uintptr_t places = 0;
    uintptr_t results = 0;
    for (uint32_t i = 0; i < kInputs; ++i) places |= reinterpret_cast<uintptr_t>(in[i]);
    for (uint32_t i = 0; i < kOutputs; ++i) results |= reinterpret_cast<uintptr_t>(out[i]);
    if (kOutputs > 1 && results % kAlignment != 0) return hvx::Walk::anywhere;
    return !kTellsAlignment || (places | results) % kAlignment != 0 ? hvx::Walk::shifted : hvx::Walk::aligned;
  }

  /// Elements of a row in front of the first vector of results, where there is one.
  static size_t head(const Operand* outputs, uint8_t* const* out, size_t n) {
    if (kOutputs > 1) return 0;
    const size_t found = (0 - reinterpret_cast<uintptr_t>(out[0])) % kAlignment / outputs[0].bytes;
    return found < n ? found : 0;
  }

  OPKG_RARE void with_head(const Operand* inputs, const Operand* outputs, const uint8_t** in,
                           uint8_t** out, size_t n) const {
    const size_t first = head(outputs, out, n);
    if (first != 0) {
      (*this)(inputs, outputs, in, out, first, hvx::Walk::shifted, hvx::kNoPaths<kOperands>);
      for (uint32_t i = 0; i < kInputs; ++i) in[i] += first * inputs[i].bytes;
      for (uint32_t i = 0; i < kOutputs; ++i) out[i] += first * outputs[i].bytes;
    }
    (*this)(inputs, outputs, in, out, n - first, walk(in, out), hvx::kNoPaths<kOperands>);
  }

  /// The same without vectors: in blocks a step of patterns at a time.
  OPKG_RARE void portable(const Operand* inputs, const Operand* outputs, const uint8_t* const* in,
                          uint8_t* const* out, size_t n, uint32_t walk, const hvx::Path* path) const {
    const size_t most = walk == hvx::Walk::blocks ? size_t{kernel_.functions->step} : n;
    const void* from[kSlots] = {};
    void* to[kOutputs];
    uint32_t steps[kSlots];
    for (uint32_t i = 0; i < kSlots; ++i) steps[i] = 1;
    for (size_t at = 0; at < n; at += most) {
      for (uint32_t i = 0; i < kInputs; ++i) {
        from[i] = (fixed_ >> i & 1) != 0 ? in[i] : place(in[i], at * inputs[i].bytes, walk, path[i]);
      }
      for (uint32_t i = 0; i < kOutputs; ++i) {
        to[i] = place(out[i], at * outputs[i].bytes, walk, path[kInputs + i]);
      }
      kernel_.functions->portable(kernel_.rows, from, steps, to, n - at < most ? n - at : most);
    }
  }

  /// Where a byte of an operand is.
  template <typename Byte>
  static Byte* place(Byte* data, size_t at, uint32_t walk, const hvx::Path& path) {
    if (walk != hvx::Walk::blocks) return data + at;
    return static_cast<Byte*>(const_cast<void*>(path.blocks[at / hvx::kBlockBytes])) + at % hvx::kBlockBytes;
  }

  bool vector(const uint8_t* const* in, uint8_t* const* out, size_t n, uint32_t walk, const hvx::Path* path) const {
    const void* from[kSlots] = {};
    void* to[kOutputs];
    for (uint32_t i = 0; i < kInputs; ++i) from[i] = in[i];
    for (uint32_t i = 0; i < kOutputs; ++i) to[i] = out[i];
    return kernel_.functions->walking(walk, fixed_)(kernel_.rows, from, to, n, path);
  }

  KernelRows kernel_;
  uint32_t fixed_;
};

}  // namespace opkg::rowwise

#endif  // OPKG_ROWS_CALL_H_
