// Parts of tensors in blocks: blocks of inputs beside those of the results, where parts begin with blocks. Elements by themselves, else.
#ifndef OPKG_SEEN_BLOCKS_H_
#define OPKG_SEEN_BLOCKS_H_

#include <initializer_list>

#include "opkg/rows_crouton.h"
#include "opkg/seen.h"

namespace opkg {

namespace rowwise {

/// A part of a tensor of four dimensions in blocks.
struct BlockPart {
  uint32_t first = 0;      ///< its first block
  uint32_t apart[4] = {};  ///< how far the next one is along each dimension
  bool fits = false;       ///< whether it begins with a block, and has its elements in their order

  BlockPart() = default;

  /// `written`: blocks hold nothing else of the tensor.
  OPKG_SMALL BlockPart(const SeenOperand& o, bool written) {
    const uint32_t block[4] = {1, 8, 8 / o.base.bytes, kBlockDepth};
    fits = o.valid && o.base.crouton() && o.base.rank == 4 && o.first >= 0;
    size_t offset = fits ? static_cast<size_t>(o.first) / o.base.bytes : 0;
    intptr_t step = static_cast<intptr_t>(o.base.bytes);
    uint32_t blocks = 1;
    for (uint32_t k = 4; fits && k-- > 0; step *= static_cast<intptr_t>(o.whole[k])) {
      const uint32_t n = o.base.dims[k], at = static_cast<uint32_t>(offset % o.whole[k]), end = at + n;
      offset /= o.whole[k];
      fits = at % block[k] == 0 && end <= o.whole[k] && (n == 1 || o.steps[k] == step);
      fits = fits && (!written || end == o.whole[k] || end % block[k] == 0);
      apart[k] = blocks;
      first += at / block[k] * blocks;
      blocks *= o.base.padded[k] / block[k];
    }
  }
};

inline void copy_block(uint8_t* to, const uint8_t* from) {
#if OPKG_HVX && defined(__hexagon__)                               // blocks of hosts may lie anywhere
  for (uint32_t at = 0; at < kBlockBytes; at += 2 * kAlignment) {  // of one line, compilers make a call of memcpy
    const HVX_Vector first = hvx::load(from + at), second = hvx::load(from + at + kAlignment);
    hvx::store(to + at, first);
    hvx::store(to + at + kAlignment, second);
  }
#else
  memcpy(to, from, kBlockBytes);
#endif
}

constexpr size_t kBlocksAtOnce = 32;

/// What vectors compute blocks of; null: portable code.
OPKG_SMALL inline VectorFunction of_whole_blocks(const RowFunctions& functions) {
  return functions.vector && kTellsAlignment ? functions.walking(hvx::Walk::blocks, 0) : nullptr;
}

/// Computes blocks, of n elements together. `places`: of each operand; a result may lie where an input does.
template <uint32_t kInputs, uint32_t kOutputs>
OPKG_RARE void blocks_computed(const KernelRows& kernel, VectorFunction whole, void* const (&places)[kInputs + kOutputs][kBlocksAtOnce], size_t count,
                               size_t n) {
  constexpr uint32_t kSlots = Domain<kInputs>::kSlots;
  const void* in[kSlots] = {};
  void* out[kOutputs];
  const bool vectors = kernel.vectors && whole != nullptr;
  counted(vectors, n);
  uint32_t steps[kSlots];
  for (uint32_t& step : steps) step = 1;
  for (size_t k = 0; k < (vectors ? 1 : count); ++k) {
    for (uint32_t i = 0; i < kInputs; ++i) in[i] = places[i][k];
    for (uint32_t i = 0; i < kOutputs; ++i) out[i] = places[kInputs + i][k];
    if (!vectors) kernel.functions->portable(kernel.rows, in, steps, out, n / count);
  }
  if (!vectors) return;
  hvx::Path paths[kInputs + kOutputs];
  for (uint32_t i = 0; i < kInputs + kOutputs; ++i) paths[i].blocks = places[i], paths[i].origin = -reinterpret_cast<intptr_t>(places[i][0]);
  whole(kernel.rows, in, out, n, paths);
}

/// The blocks of the parts that a kernel sees, in the order of the first result's.
template <uint32_t kInputs, uint32_t kOutputs>
class SeenBlocks {
 public:
  static constexpr uint32_t kOperands = kInputs + kOutputs;

  SeenBlocks() = default;

  OPKG_SMALL SeenBlocks(const RowFunctions& functions, const SeenOperand* operands) {
    const Operand& result = operands[kInputs].base;
    bytes_ = result.bytes;
    fits_ = true;
    for (uint32_t i = 0; i < kOperands; ++i) {
      parts_[i] = BlockPart(operands[i], i >= kInputs);
      fits_ &= parts_[i].fits && operands[i].base.bytes == bytes_ && same_dims(operands[i].base, result);
    }
    if (!fits_) return;
    const uint32_t block[4] = {1, 8, 8 / bytes_, kBlockDepth};
    for (uint32_t k = 0; k < 4; ++k) extents_[k] = (result.dims[k] + block[k] - 1) / block[k], count_ *= extents_[k];
    whole_ = of_whole_blocks(functions);
  }

  bool fits() const { return fits_; }

  /// table(i): the blocks of an operand. `copied`: of which inputs the results are copies, if they are.
  template <typename Table>
  void run(const KernelRows& kernel, const uint32_t* copied, const Table& table, Slice slice) const {
    void* const* tables[kOperands];
    for (uint32_t i = 0; i < kOperands; ++i) tables[i] = table(i) + parts_[i].first;
    const size_t end = slice.end(count_);
    size_t block = slice.begin(count_);
    uint32_t at[4] = {};
    size_t rest = block;
    for (uint32_t k = 4; k-- > 0; rest /= extents_[k]) at[k] = static_cast<uint32_t>(rest % extents_[k]);
    void* places[kOperands][kAtOnce];
    while (block < end) {
      const size_t count = end - block < kAtOnce ? end - block : kAtOnce;
      for (size_t found = 0; found < count;) {  // blocks of the same pixels, one behind another
        const size_t deep = extents_[3] - at[3], some = deep < count - found ? deep : count - found;
        for (uint32_t i = 0; i < kOperands; ++i) {
          const uint32_t* const apart = parts_[i].apart;
          void* const* const from = tables[i] + (at[0] * apart[0] + at[1] * apart[1] + at[2] * apart[2] + at[3]);
          for (size_t k = 0; k < some; ++k) places[i][found + k] = from[k];
        }
        found += some;
        at[3] += static_cast<uint32_t>(some);
        for (uint32_t k = 3; k > 0 && at[k] == extents_[k]; --k) at[k] = 0, ++at[k - 1];
      }
      computed(kernel, copied, places, count);
      block += count;
    }
  }

 private:
  static constexpr size_t kAtOnce = kBlocksAtOnce;

  OPKG_RARE void computed(const KernelRows& kernel, const uint32_t* copied, void* const (&places)[kOperands][kAtOnce], size_t count) const {
    const size_t n = count * kBlockBytes / bytes_;
    if (copied != nullptr) {
      for (uint32_t o = kInputs; o < kOperands; ++o, ++copied) {
        for (size_t k = 0; k < count; ++k) copy_block(static_cast<uint8_t*>(places[o][k]), static_cast<const uint8_t*>(places[*copied][k]));
      }
      return;
    }
    blocks_computed<kInputs, kOutputs>(kernel, whole_, places, count, n);
  }

  BlockPart parts_[kOperands];
  uint32_t extents_[4] = {};  ///< blocks of the results
  size_t count_ = 1;
  uint32_t bytes_ = 1;  ///< of an element
  bool fits_ = false;
  VectorFunction whole_ = nullptr;
};

/// The element of a part at a place of the result; dimensions of 1 repeat. `o`: in blocks, or flat.
OPKG_RARE inline uint8_t* element_of(const SeenOperand& o, const Operand& result, const uint32_t* at) {
  intptr_t offset = o.first;
  for (uint32_t k = 0; k < o.base.rank; ++k) {
    const uint32_t place = result.rank - o.base.rank + k;
    if (o.base.dims[k] != 1) offset += static_cast<intptr_t>(at[place]) * o.steps[k];
  }
  if (!o.base.crouton()) return o.base.data + offset;
  Operand whole = o.base;
  whole.rank = 4;
  size_t rest = static_cast<size_t>(offset) / o.base.bytes;
  uint32_t own[4];
  for (uint32_t k = 4; k-- > 0; rest /= o.whole[k]) own[k] = static_cast<uint32_t>(rest % o.whole[k]), whole.dims[k] = o.whole[k];
  return element(whole, own);
}

/// Element by element, wherever they are: what no graph asks for that asks parts_in_blocks() first.
OPKG_RARE inline void seen_elements(const KernelRows& kernel, uint32_t inputs, uint32_t outputs, const SeenOperand* operands) {
  const Operand& result = operands[inputs].base;
  const uint32_t steps[kMostOperands] = {};
  uint32_t at[kMaxRank] = {};
  const void* in[kMostOperands] = {};
  void* out[kMostOperands] = {};
  for (size_t left = result.size(); left != 0; --left) {
    for (uint32_t i = 0; i < inputs; ++i) in[i] = element_of(operands[i], result, at);
    for (uint32_t i = 0; i < outputs; ++i) out[i] = element_of(operands[inputs + i], result, at);
    kernel.functions->portable(kernel.rows, in, steps, out, 1);
    for (uint32_t k = result.rank; k-- > 0 && ++at[k] == result.dims[k];) at[k] = 0;
  }
  counted(false, result.size());
}

}  // namespace rowwise

/// Whether kernels in blocks find what belongs together in blocks at one place. Only shapes are looked at.
OPKG_SMALL inline bool parts_in_blocks(const std::initializer_list<SeenOperand>& inputs, const std::initializer_list<SeenOperand>& outputs) {
  const Operand& result = outputs.begin()->base;
  bool fits = true;
  for (const SeenOperand& o : inputs) fits &= rowwise::BlockPart(o, false).fits && rowwise::same_dims(o.base, result);
  for (const SeenOperand& o : outputs) fits &= rowwise::BlockPart(o, true).fits && rowwise::same_dims(o.base, result);
  return fits;
}

}  // namespace opkg

#endif  // OPKG_SEEN_BLOCKS_H_
