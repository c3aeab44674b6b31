// Instance norm of halves in blocks: after what opkg/columns_float_blocks.h finds of units of 32 columns, one more pass through their
// blocks. C++17.
#ifndef OPKG_COLUMNS_FLOAT_NORM_BLOCKS_H_
#define OPKG_COLUMNS_FLOAT_NORM_BLOCKS_H_

#include "opkg/columns_float_blocks.h"
#include "opkg/columns_float_norm.h"
#include "opkg/columns_norm_blocks.h"

#if OPKG_HVX && OPKG_HVX_FLOAT

namespace opkg {
namespace columns {

/// Computes the elements of 32 columns in the vectors of blocks, two pixels that alternate.
template <typename Rows, size_t kArrays>
class PixelElements {
  using Element = typename Rows::Element;

 public:
  PixelElements(const Rows& rows, const float* const (&numbers)[kArrays]) : rows_(rows) {
    for (size_t i = 0; i < kArrays; ++i) in_[i] = hvx::load(numbers[i]);
  }

  OPKG_INLINE HVX_Vector of(HVX_Vector x) const {
    HVX_Vector values[2];
    hvx::floats_of<Element>(x, values);
    for (HVX_Vector& value : values) {
      HVX_Vector in[kArrays + 1];
      in[0] = value;
      for (size_t i = 0; i < kArrays; ++i) in[i + 1] = in_[i];
      value = rows_.element(in);
    }
    return hvx::hf_from_sf(values[1], values[0]);
  }

 private:
  const Rows& rows_;
  HVX_Vector in_[kArrays];
};

/// One call. `kept`: as of NormBlockCall.
template <typename Rows, bool kExact>
class FloatNormBlockCall : public FloatUnits<Rows, kPixels, kExact> {
  using Base = FloatUnits<Rows, kPixels, kExact>;
  using Base::blocks_;
  using Base::rows_;
  using typename Base::Again;
  using typename Base::Found;
  static constexpr size_t kEach = Rows::kInputs - 1, kArrays = Rows::kNumbers + kEach;
  using Kept = KeptOperands<kEach + 2>;

 public:
  FloatNormBlockCall(const Rows& rows, const Images& blocks, const Kept& kept, const Memory& memory)
      : Base(rows, blocks, memory.blocks(kept.each[0].blocks)), kept_(kept), memory_(memory), out_(memory.blocks(kept.each[1 + kEach].blocks)) {}

  Status run(Slice slice) const {
    return each_units(blocks_, slice, [&](auto count, size_t image, size_t depth) { return this->template units<count>(image, depth); });
  }

 private:
  template <uint32_t kCount>
  OPKG_APART Status units(size_t image, size_t depth) const {
    const size_t column = depth * rowwise::kBlockDepth, left = blocks_.channels - column, most = kCount * rowwise::kBlockDepth;
    const size_t n = left < most ? left : most;
    HVX_Vector words[Found::kParts][2], about[Again::kParts][2];
    this->template find<kCount>(image, 0, depth, words, about);
    alignas(128) float numbers[kArrays][2 * rowwise::kBlockDepth];
    uint8_t* to[Rows::kNumbers];
    for (uint32_t i = 0; i < Rows::kNumbers; ++i) to[i] = reinterpret_cast<uint8_t*>(numbers[i]);
    this->finish_.write_all(words, about, to, 0, n, 0);
    if (!this->finish_.held()) {
      this->finish_.hold();
      const size_t first = image * blocks_.channels + column;
      return norm_by_elements(rows_, blocks_, kept_.now(memory_).each, {first, first + n});
    }
    rowwise::counted(true, n * blocks_.count());
    for (uint32_t k = 0; k < kCount; ++k) {
      const size_t from = k * rowwise::kBlockDepth, live = n - from < rowwise::kBlockDepth ? n - from : rowwise::kBlockDepth;
      load_each(numbers, from, column + from, live, typename Rows::Each());
      apply(numbers, from, image * blocks_.down * blocks_.across * blocks_.depths + depth + k);
    }
    return Status::ok;
  }

  /// Results of a unit, whose first block is number `place`.
  OPKG_APART void apply(const float (&numbers)[kArrays][2 * rowwise::kBlockDepth], size_t from, size_t place) const {
    const float* each[kArrays];
    for (size_t i = 0; i < kArrays; ++i) each[i] = numbers[i] + from;
    through_blocks<4>(PixelElements<Rows, kArrays>(rows_, each), blocks_, this->left_, this->in_ + place, out_ + place);
  }

  template <typename... T>
  OPKG_INLINE void load_each([[maybe_unused]] float (&to)[kArrays][2 * rowwise::kBlockDepth], [[maybe_unused]] size_t from, [[maybe_unused]] size_t column,
                             [[maybe_unused]] size_t live, hvx::Types<T...>) const {
    [[maybe_unused]] uint32_t i = 0;
    ((hvx::store(to[Rows::kNumbers + i] + from, floats_at<T>(kept_.each[1 + i], column, live)), ++i), ...);
  }

  /// Numbers of channels from number `column` on.
  template <typename T>
  OPKG_INLINE HVX_Vector floats_at(const Operand& o, size_t column, size_t live) const {
    HVX_Vector groups[4 / sizeof(T)], words[4 / sizeof(T)];
    if (o.crouton()) {  // the other half of each word is another pixel's
      hvx::floats_of<T>(hvx::load_block(static_cast<const uint8_t*>(memory_.blocks(o.blocks)[column / rowwise::kBlockDepth])), groups);
      return groups[0];
    }
    hvx::floats_of<T>(hvx::load_some(data_of(o, memory_) + column * sizeof(T), live * sizeof(T)), groups);
    hvx::in_order<T>(groups, words);
    return words[0];
  }

  const Kept& kept_;
  const Memory& memory_;
  void* const* out_;
};

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_HVX && OPKG_HVX_FLOAT
#endif  // OPKG_COLUMNS_FLOAT_NORM_BLOCKS_H_
