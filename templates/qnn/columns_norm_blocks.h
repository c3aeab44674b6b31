// Instance norm of tensors in blocks: two passes through the blocks of some units of 32 columns. C++17.
#ifndef OPKG_COLUMNS_NORM_BLOCKS_H_
#define OPKG_COLUMNS_NORM_BLOCKS_H_

#include "opkg/columns_norm.h"
#include "opkg/columns_places.h"

namespace opkg {
namespace columns {

constexpr uint32_t kPixels = 6;  ///< the height and the width
using Images = Blocks<kPixels>;

/// One column after another, each in one piece, where its results take the places of its elements.
template <typename Rows>
OPKG_RARE Status norm_by_elements(const Rows& rows, const Images& blocks, const Operand* operands, const Part& part) {
  alignas(8) uint8_t piece[kMostColumn];
  const Operand &in = operands[0], &out = operands[Rows::kInputs];
  const size_t bytes = in.bytes, end = part.end(blocks.results());
  if (blocks.count() * bytes > kMostColumn) return Status::unsupported;
  Run<Rows::kInputs + Rows::kOutputs> run;
  run.rank = 1, run.extents[0] = blocks.count();
  run.steps[0][0] = run.steps[Rows::kInputs][0] = bytes;
  run.start[0] = run.start[Rows::kInputs] = piece;
  for (size_t i = part.begin(blocks.results()); i < end; ++i) {
    uint32_t at[4] = {static_cast<uint32_t>(i / blocks.channels), 0, 0, static_cast<uint32_t>(i % blocks.channels)};
    for (uint32_t k = 1; k < Rows::kInputs; ++k) run.start[k] = rowwise::element(operands[k], at);
    const auto each_pixel = [&](const Operand& o, const auto& take) {
      uint8_t* place = piece;
      for (at[1] = 0; at[1] < blocks.height; ++at[1]) {
        for (at[2] = 0; at[2] < blocks.width; ++at[2], place += bytes) take(rowwise::element(o, at), place);
      }
    };
    each_pixel(in, [&](const uint8_t* element, uint8_t* place) { std::memcpy(place, element, bytes); });
    rowwise::counted_row(false, run);
    rows.row(run);
    each_pixel(out, [&](uint8_t* element, const uint8_t* place) { std::memcpy(element, place, bytes); });
  }
  return Status::ok;
}

#if OPKG_HVX

/// Calls of(how many, image, depth) for all units of 32 columns of a slice, two side by side where there are.
template <typename Of>
OPKG_INLINE Status each_units(const Images& blocks, Slice slice, const Of& of) {
  const size_t line = (blocks.depths + 1) / 2, all = blocks.images * line, end = slice.end(all);
  Status status = Status::ok;
  for (size_t i = slice.begin(all); i < end && status == Status::ok; ++i) {
    const size_t image = i / line, depth = 2 * (i - image * line);
    status = depth + 1 < blocks.depths ? of(std::integral_constant<uint32_t, 2>(), image, depth) : of(std::integral_constant<uint32_t, 1>(), image, depth);
  }
  return status;
}

/// Results of all elements of a unit, from its first block on, kTogether vectors at a time: loads do not wait for stores. `left`: of
/// the last block of a line the first vectors of its rows only.
template <uint32_t kTogether, typename Lines>
OPKG_INLINE void through_blocks(const Lines& lines, const Images& blocks, bool left, void* const* in, void* const* out) {
  const auto vectors = [&](const uint8_t* __restrict from, uint8_t* __restrict to, size_t count, size_t step) OPKG_INLINE_LAMBDA {
    for (; count >= kTogether; count -= kTogether, from += kTogether * step, to += kTogether * step) {
      HVX_Vector x[kTogether];
      hvx::each_side<kTogether>([&](auto i) OPKG_INLINE_LAMBDA { x[i] = hvx::load_block(from + i * step); });
      hvx::each_side<kTogether>([&](auto i) OPKG_INLINE_LAMBDA { x[i] = lines.of(x[i]); });
      hvx::each_side<kTogether>([&](auto i) OPKG_INLINE_LAMBDA { hvx::store_block(to + i * step, x[i]); });
    }
    for (; count != 0; --count, from += step, to += step) hvx::store_block(to, lines.of(hvx::load_block(from)));
  };
  for (size_t high = blocks.height; high != 0;) {
    const size_t rows = high < 8 ? high : 8;
    high -= rows;
    for (size_t wide = blocks.across; wide != 0; --wide, in += blocks.depths, out += blocks.depths) {
      const bool first = left && wide == 1;
      vectors(static_cast<const uint8_t*>(*in), static_cast<uint8_t*>(*out), first ? rows : 2 * rows, first ? 2 * hvx::kBytes : hvx::kBytes);
    }
  }
}

/// One call. `kept`: the input, those with a number for each channel, the output.
template <typename Rows>
class NormBlockCall {
  using Found = typename Rows::Found;
  using Lines = hvx::LaneLines<Rows>;
  static constexpr uint32_t kWords = Found::kLanes / 32, kEach = Rows::kInputs - 1;

 public:
  NormBlockCall(const Rows& rows, const Images& blocks, const KeptOperands<kEach + 2>& kept, const Memory& memory)
      : rows_(rows), blocks_(blocks), kept_(kept), memory_(memory), in_(memory.blocks(kept.each[0].blocks)), out_(memory.blocks(kept.each[1 + kEach].blocks)), left_(blocks.last <= blocks.pixels), live_(left_ ? blocks.last : blocks.last - blocks.pixels) {}

  Status run(Slice slice) const {
    return each_units(blocks_, slice, [&](auto count, size_t image, size_t depth) { return this->template units<count>(image, depth); });
  }

 private:
  /// Some units side by side.
  template <uint32_t kCount>
  OPKG_APART Status units(size_t image, size_t depth) const {
    Found some[kCount];
    down_blocks<Found::kBlock != hvx::kNoBlock, false>(some, blocks_, in_, image, 0, depth, live_, left_, Found::kBlock);
    Found found = gathered<false>(some);
    HVX_Vector words[Found::kParts][kWords];
    found.words(words);
    Status status = Status::ok;
    for (uint32_t k = 0; k < kCount; ++k) {
      HVX_Vector numbers[Found::kParts];
      for (uint32_t part = 0; part < Found::kParts; ++part) numbers[part] = words[part][k];
      const Status made = unit(numbers, image, depth + k);
      if (made != Status::ok) status = made;
    }
    return status;
  }

  /// Results of a unit, from what was found of it.
  OPKG_APART Status unit(const HVX_Vector* found, size_t image, size_t depth) const {
    const size_t column = depth * rowwise::kBlockDepth, left = blocks_.channels - column;
    const size_t live = left < rowwise::kBlockDepth ? left : rowwise::kBlockDepth;
    HVX_Vector each[kEach + 1];
    load_each(each, column, live, typename Rows::Each());
    hvx::LineWords line;
    if (!rows_.lines(found, blocks_.count(), live, each, line)) {
      const size_t first = image * blocks_.channels + column;
      return norm_by_elements(rows_, blocks_, kept_.now(memory_).each, {first, first + live});
    }
    rowwise::counted(true, live * blocks_.count());
    apply(line, image * blocks_.down * blocks_.across * blocks_.depths + depth);
    return Status::ok;
  }

  /// Results of all elements of a unit, whose first block is number `place`.
  OPKG_APART void apply(const hvx::LineWords& line, size_t place) const {
    through_blocks<kWords == 4 ? 2 : 4>(Lines::of_pixels(line, rows_), blocks_, left_, in_ + place, out_ + place);
  }

  template <typename... T>
  OPKG_INLINE void load_each([[maybe_unused]] HVX_Vector* to, [[maybe_unused]] size_t column, [[maybe_unused]] size_t live, hvx::Types<T...>) const {
    [[maybe_unused]] uint32_t i = 0;
    ((to[i] = words_of<T>(kept_.each[1 + i], column, live), ++i), ...);
  }

  /// Numbers of channels from number `column` on.
  template <typename T>
  OPKG_INLINE HVX_Vector words_of(const Operand& o, size_t column, size_t live) const {
    if (!o.crouton()) return words_at<T>(data_of(o, memory_) + column * sizeof(T), live);
    const HVX_Vector block = hvx::load_block(static_cast<const uint8_t*>(memory_.blocks(o.blocks)[column / rowwise::kBlockDepth]));
    if constexpr (sizeof(T) == 2) {  // the other halves are another pixel's
      const HVX_VectorPair pixels = std::is_signed_v<T> ? Q6_Ww_vsxt_Vh(block) : Q6_Wuw_vzxt_Vuh(block);
      return Q6_V_lo_W(pixels);
    } else {
      HVX_Vector words[4 / sizeof(T)];
      hvx::widened<T>(block, words);
      return words[0];
    }
  }

  const Rows& rows_;
  const Images& blocks_;
  const KeptOperands<kEach + 2>& kept_;
  const Memory& memory_;
  void* const* in_;
  void* const* out_;
  bool left_;    ///< whether the last block of a line has pixels in the first vectors of its rows only
  size_t live_;  ///< pixels of the vector at the edge
};

template <typename Rows, bool kExact>
class FloatNormBlockCall;  // opkg/columns_float_norm_blocks.h

#endif  // OPKG_HVX

}  // namespace columns

/// A KeptReduction of instance norms of tensors in blocks, or flat.
template <typename Rows>
class KeptNorm : public KeptReduction<Rows, ByColumns> {
  using Base = KeptReduction<Rows, ByColumns>;

 public:
  template <typename Args>
  OPKG_SMALL KeptNorm(const Args& op, uint32_t axes, uint32_t dropped, const std::initializer_list<Operand>& inputs,
                      const std::initializer_list<Operand>& outputs)
      : Base(op, axes, dropped, inputs, outputs), blocks_(this->operands_.each[0]) {
    if (this->operands_.each[0].crouton()) KeptCall::run = &KeptNorm::run_blocks;
  }

 private:
  static Status run_blocks(const KeptCall& call, const Memory& memory, Slice slice) {
    const auto& self = static_cast<const KeptNorm&>(call);
#if OPKG_HVX
    if constexpr (columns::HasColumns<Rows>::value) {
      if (self.vectors_ && self.blocks_.count() <= Rows::kMostCount) {
        if constexpr (columns::IsFloat<Rows>::value) {
          if (self.blocks_.count() < columns::kExactInBlocks) return of<columns::FloatNormBlockCall<Rows, true>>(self, memory, slice);
          return of<columns::FloatNormBlockCall<Rows, false>>(self, memory, slice);
        } else {
          return of<columns::NormBlockCall<Rows>>(self, memory, slice);
        }
      }
    }
#endif
    return columns::norm_by_elements(self.rows_, self.blocks_, self.operands_.now(memory).each, slice);
  }

  template <typename Call>
  OPKG_INLINE static Status of(const KeptNorm& self, const Memory& memory, Slice slice) {
    return Call(self.rows_, self.blocks_, self.operands_, memory).run(slice);
  }

  columns::Images blocks_;
};

}  // namespace opkg

#endif  // OPKG_COLUMNS_NORM_BLOCKS_H_
